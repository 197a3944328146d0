//! A field: its type in the form, and the code that reads it.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;
use syn::{GenericArgument, Member, PathArguments, Result, Type};

use crate::attributes;
use crate::case::Case;
use crate::input::{Bound, Input};

/// A field of the form.
pub(crate) struct Field<'a> {
    input: &'a Input<'a>,
    /// Its name or index in the type.
    pub(crate) member: Member,
    pub(crate) source: &'a syn::Field,
    pub(crate) attributes: attributes::Field,
    /// The names of its member; empty in a tuple.
    pub(crate) names: Vec<String>,
}

impl attributes::Field {
    /// Returns whether the field has the form of its type.
    pub(crate) fn is_form(&self) -> bool {
        self.done.is_none() && self.leaf.is_none() && self.with.is_none()
    }
}

impl<'a> Field<'a> {
    pub(crate) fn read(
        input: &'a Input<'a>,
        member: Member,
        field: &'a syn::Field,
        case: Option<Case>,
    ) -> Result<Self> {
        let attributes = attributes::Field::read(&field.attrs)?;
        let mut names = Vec::new();
        if let Some(ident) = &field.ident
            && attributes.flatten.is_none()
        {
            let name = ident.unraw().to_string();
            let name = case.map_or(name.clone(), |case| case.field(&name));
            names.push(attributes.rename.clone().unwrap_or(name));
            names.extend(attributes.aliases.iter().cloned());
            let mut seen = Vec::new();
            names.retain(|name| {
                !seen.contains(name) && {
                    seen.push(name.clone());
                    true
                }
            });
        }
        Ok(Self {
            input,
            member,
            source: field,
            attributes,
            names,
        })
    }

    /// Returns the type that is read, without its `Option` if the field of the form has one in any
    /// case.
    pub(crate) fn base(&self) -> &Type {
        let ty = &self.source.ty;
        if self.attributes.required.is_some() || self.attributes.with.is_some() {
            return ty;
        }
        option_of(ty).unwrap_or(ty)
    }

    pub(crate) fn bound(&self, is_value: bool) -> Bound<'_> {
        let ty = if is_value {
            &self.source.ty
        } else {
            self.base()
        };
        if self.attributes.is_form() {
            Bound::Form(ty)
        } else if self.attributes.with.is_some() {
            Bound::Custom
        } else {
            Bound::Owned(ty)
        }
    }

    /// Returns the type of the value that is read.
    fn value_type(&self, ty: &Type) -> TokenStream {
        let derived = &self.input.derived;
        let read = if self.attributes.is_form() {
            // A type without a form is an error at the field.
            let span = place_of(ty);
            quote_spanned!(span=> #derived::PartialOf<#ty>)
        } else {
            quote!(#ty)
        };
        match self.attributes.state {
            Some(_) => quote!(#derived::State<#read>),
            None => read,
        }
    }

    /// Returns the type of the field in the form. `is_value` says that it is the field of a
    /// newtype.
    pub(crate) fn form_type(&self, is_value: bool) -> TokenStream {
        let derived = &self.input.derived;
        if is_value {
            return self.value_type(&self.source.ty);
        }
        let read = self.value_type(self.base());
        if self.attributes.required.is_some() {
            return read;
        }
        quote!(#derived::Option<#read>)
    }

    /// Returns an expression of the type `Result<Option<_>>` that reads `value`.
    pub(crate) fn read_of(&self, value: &TokenStream, ty: &Type) -> TokenStream {
        let derived = &self.input.derived;
        let attributes = &self.attributes;
        let read = if let Some(path) = &attributes.with {
            quote!(value.or_none(#path(value.deserializer())))
        } else if attributes.is_form() {
            let span = place_of(ty);
            quote_spanned!(span=> <#ty as #derived::PartialForm>::read_partial(value))
        } else {
            quote!(value.read::<#ty>())
        };
        let read = match attributes.done {
            Some(_) => quote!(#derived::done(value, |value| #read)),
            None => read,
        };
        let read = match attributes.state {
            Some(_) => quote!(#derived::with_state(value, |value| #read)),
            None => read,
        };
        quote!({ let value = #value; #read })
    }

    /// Returns an expression of the type of the field that reads `member`, an
    /// `Option<PartialValue>`, in `value`. The code returns from its function if there is no value
    /// yet.
    pub(crate) fn read_member(&self, member: &TokenStream, name: &str) -> TokenStream {
        let derived = &self.input.derived;
        let read = self.read_of(&quote!(member), self.base());
        if self.attributes.required.is_none() {
            return quote!(#derived::optional(#member, |member| #read)?);
        }
        self.or_no_value(&quote! {
            #derived::required(value, #name, #member, |member| #read)?
        })
    }

    /// Like `read_member`, but reads from the object around the field.
    pub(crate) fn read_flattened(&self, hidden: &TokenStream) -> TokenStream {
        let derived = &self.input.derived;
        let read = self.read_of(&quote!(value), self.base());
        let read = quote!(#derived::hiding(value, &|name: &str| #hidden, |value| #read)?);
        if self.attributes.required.is_none() {
            return read;
        }
        self.or_no_value(&read)
    }

    /// Returns an expression for the value in an `Option`; the code returns `None` from its
    /// function if there is none.
    fn or_no_value(&self, read: &TokenStream) -> TokenStream {
        let derived = &self.input.derived;
        quote! {
            match #read {
                #derived::Option::Some(field) => field,
                #derived::Option::None => {
                    return #derived::StdResult::Ok(#derived::Option::None);
                }
            }
        }
    }
}

/// Returns the span of a type, for errors. Names resolve as in all other code of the macro, even if
/// the type is written by a `macro_rules!`.
fn place_of(ty: &Type) -> Span {
    Span::call_site().located_at(ty.span())
}

/// Returns the `T` of an `Option<T>`, with any path to `Option`.
fn option_of(ty: &Type) -> Option<&Type> {
    let Type::Path(path) = ty else {
        return None;
    };
    let last = path.path.segments.last()?;
    let names: Vec<String> = (path.path.segments.iter())
        .map(|segment| segment.ident.to_string())
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let is_option = matches!(names[..], ["Option"] | ["std" | "core", "option", "Option"]);
    match &last.arguments {
        PathArguments::AngleBracketed(arguments) if is_option => match arguments.args.first()? {
            GenericArgument::Type(ty) => Some(ty),
            _ => None,
        },
        _ => None,
    }
}
