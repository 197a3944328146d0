//! The fields of a struct or variant: their types in the form, and the code that reads them.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{Error, Ident, Result, Visibility};

use crate::case::Case;
use crate::field::Field;
use crate::input::{Bound, Input, docs};

/// The fields of a struct or variant that are in the form.
pub(crate) struct Fields<'a> {
    pub(crate) input: &'a Input<'a>,
    pub(crate) list: Vec<Field<'a>>,
    pub(crate) style: Style,
    /// Whether they are declared with names.
    pub(crate) is_named: bool,
    denies_unknown: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// An object.
    Named,
    /// An array.
    Tuple,
    /// The value itself.
    Newtype,
    Unit,
}

impl<'a> Fields<'a> {
    pub(crate) fn read(
        input: &'a Input<'a>,
        fields: &'a syn::Fields,
        case: Option<Case>,
    ) -> Result<Self> {
        let is_named = matches!(fields, syn::Fields::Named(_));
        let mut read = Vec::new();
        for (member, field) in fields.members().zip(fields) {
            let field = Field::read(input, member, field, case)?;
            if field.attributes.is_skipped {
                continue;
            }
            if let Some(span) = field.attributes.flatten
                && !is_named
            {
                return Err(Error::new(
                    span,
                    "only a field with a name can be flattened",
                ));
            }
            read.push(field);
        }
        let style = match fields {
            syn::Fields::Named(_) => Style::Named,
            // serde reads the value itself only if there is exactly one field, even if it is
            // skipped.
            syn::Fields::Unnamed(all) if all.unnamed.len() == 1 && read.len() == 1 => {
                Style::Newtype
            }
            syn::Fields::Unnamed(_) => Style::Tuple,
            syn::Fields::Unit => Style::Unit,
        };
        Ok(Self {
            input,
            list: read,
            style,
            is_named,
            denies_unknown: input.container.denies_unknown,
        })
    }

    /// Returns the parts of the types of the fields that are used; `is_value` as in
    /// [`declare`](Self::declare).
    pub(crate) fn bounds(&self, is_value: bool) -> impl Iterator<Item = Bound<'_>> {
        let is_value = is_value && self.style == Style::Newtype;
        self.list.iter().map(move |field| field.bound(is_value))
    }

    /// Returns the first required field.
    pub(crate) fn required(&self) -> Option<Span> {
        let mut fields = self.list.iter();
        fields.find_map(|field| field.attributes.required)
    }

    /// Returns the fields as they are declared in the form: `{ title: Option<String> }`. The field
    /// of a newtype is the value itself if `is_value`, and may be missing otherwise.
    pub(crate) fn declare(&self, with_visibility: bool, is_value: bool) -> TokenStream {
        let is_value = is_value && self.style == Style::Newtype;
        let fields = self.list.iter().map(|field| {
            let docs = docs(&field.source.attrs);
            let visibility: &Visibility = &field.source.vis;
            let visibility = with_visibility.then_some(visibility);
            let name = field.source.ident.as_ref().map(|name| quote!(#name:));
            let ty = field.form_type(is_value);
            quote!(#(#docs)* #visibility #name #ty)
        });
        match self.style {
            Style::Unit => quote!(),
            _ if self.is_named => quote!({ #(#fields),* }),
            Style::Named | Style::Tuple | Style::Newtype => quote!((#(#fields),*)),
        }
    }

    /// Returns statements that read the fields of `value`, a struct.
    pub(crate) fn uses(&self) -> TokenStream {
        let members = self.list.iter().map(|field| &field.member);
        // A field of a packed struct has no reference.
        quote!(#(let _ = &raw const value.#members;)*)
    }

    /// Returns code that ends in an expression of the type `Result<Option<_>>`, and reads the
    /// fields of the form `constructor` from `value`, a `PartialValue`.
    pub(crate) fn read_from(&self, constructor: &TokenStream) -> TokenStream {
        let derived = &self.input.derived;
        match self.style {
            Style::Named => self.read_object(constructor),
            Style::Tuple => {
                let reads = self.list.iter().enumerate().map(|(index, field)| {
                    let index = index.to_string();
                    let read = field.read_member(&quote!(element), &index);
                    quote! {{
                        let element = #derived::element(&mut elements, value)?;
                        #read
                    }}
                });
                quote! {
                    let #derived::Option::Some(mut elements) = value.elements()? else {
                        return #derived::StdResult::Ok(#derived::Option::None);
                    };
                    let form = #constructor(#(#reads),*);
                    #derived::end(&mut elements, value)?;
                    #derived::StdResult::Ok(#derived::Option::Some(form))
                }
            }
            Style::Newtype => {
                let field = &self.list[0];
                let read = field.read_of(&quote!(value), &field.source.ty);
                let form = if let Some(name) = &field.source.ident {
                    quote!(#constructor { #name: field })
                } else {
                    quote!(#constructor(field))
                };
                quote! {
                    #derived::StdResult::Ok(match #read? {
                        #derived::Option::Some(field) => #derived::Option::Some(#form),
                        #derived::Option::None => #derived::Option::None,
                    })
                }
            }
            Style::Unit => quote! {
                let read: #derived::Option<()> = value.read()?;
                #derived::StdResult::Ok(match read {
                    #derived::Option::Some(()) => #derived::Option::Some(#constructor),
                    #derived::Option::None => #derived::Option::None,
                })
            },
        }
    }

    /// Like [`read_from`](Self::read_from), for content that has not arrived.
    pub(crate) fn read_nothing(&self, constructor: &TokenStream) -> TokenStream {
        let derived = &self.input.derived;
        let reads = self.list.iter().enumerate().map(|(index, field)| {
            let name = field.source.ident.as_ref().map(|name| quote!(#name:));
            let member = field.names.first().cloned();
            let member = member.unwrap_or_else(|| index.to_string());
            let read = field.read_member(&quote!(#derived::Option::None), &member);
            quote!(#name #read)
        });
        let fields = if self.is_named {
            quote!({ #(#reads),* })
        } else {
            quote!((#(#reads),*))
        };
        quote!(#derived::StdResult::Ok(#derived::Option::Some(#constructor #fields)))
    }

    fn read_object(&self, constructor: &TokenStream) -> TokenStream {
        let derived = &self.input.derived;
        let mut arms = Vec::new();
        let mut reads = Vec::new();
        // The members that the fields so far read, for flattened fields.
        let own = self.own_names();
        let mut hidden = quote!(::core::matches!(name, #own));
        let mut count = 0_usize;
        for field in &self.list {
            let name = field.source.ident.as_ref();
            let read = if field.attributes.flatten.is_some() {
                let read = field.read_flattened(&hidden);
                let base = field.base();
                hidden = quote!(#hidden || <#base as #derived::PartialForm>::has_field(name));
                read
            } else {
                let index = count;
                count += 1;
                let names = &field.names;
                arms.push(quote!(#(#names)|* => #index,));
                field.read_member(&quote!(found[#index]), &field.names[0])
            };
            reads.push(quote!(#name: #read));
        }
        let names = self.list.iter().filter_map(|field| field.names.first());
        let is_flattened = self
            .list
            .iter()
            .any(|field| field.attributes.flatten.is_some());
        let unknown = if self.denies_unknown && !is_flattened {
            quote! {
                return #derived::StdResult::Err(#derived::unknown_field(
                    member, name, &[#(#names),*],
                ))
            }
        } else {
            quote!(continue)
        };
        let find = if count == 0 && !self.denies_unknown {
            quote! {
                let #derived::Option::Some(_) = value.members()? else {
                    return #derived::StdResult::Ok(#derived::Option::None);
                };
            }
        } else {
            quote! {
                let mut found: [#derived::Option<#derived::PartialValue<'_>>; #count] =
                    [#derived::Option::None; #count];
                let #derived::Option::Some(members) = value.members()? else {
                    return #derived::StdResult::Ok(#derived::Option::None);
                };
                for (name, member) in members {
                    let name: &str = &name;
                    let index: usize = match name {
                        #(#arms)*
                        _ => #unknown,
                    };
                    found[index] = #derived::Option::Some(member);
                }
            }
        };
        quote! {
            #find
            #derived::StdResult::Ok(#derived::Option::Some(#constructor { #(#reads),* }))
        }
    }

    /// Returns the names of the members as a pattern; without members, it matches nothing.
    fn own_names(&self) -> TokenStream {
        let names = self.list.iter().flat_map(|field| &field.names);
        let mut names = names.peekable();
        if names.peek().is_none() {
            return quote!(_ if false);
        }
        quote!(#(#names)|*)
    }

    /// Returns two expressions: whether the type is read from an object with known member names,
    /// and whether `name`, a `&str`, is one of them.
    pub(crate) fn known_members(&self) -> (TokenStream, TokenStream) {
        let derived = &self.input.derived;
        // Returns the fields that are read from the object itself.
        let inner = self.list.iter().filter(|field| match self.style {
            Style::Named => field.attributes.flatten.is_some(),
            Style::Newtype => field.attributes.is_form(),
            Style::Tuple | Style::Unit => false,
        });
        let inner: Vec<_> = inner.map(Field::base).collect();
        match self.style {
            Style::Named => {
                let own = self.own_names();
                (
                    // A flattened map reads any name.
                    quote!(true #(&& <#inner as #derived::PartialForm>::HAS_FIELDS)*),
                    quote! {
                        ::core::matches!(name, #own)
                        #(|| <#inner as #derived::PartialForm>::has_field(name))*
                    },
                )
            }
            Style::Newtype => (
                quote!(false #(|| <#inner as #derived::PartialForm>::HAS_FIELDS)*),
                quote!(false #(|| <#inner as #derived::PartialForm>::has_field(name))*),
            ),
            Style::Tuple | Style::Unit => (quote!(false), quote!(false)),
        }
    }

    /// Makes a struct with one field transparent: it is read as that field.
    pub(crate) fn make_transparent(&mut self, span: &Ident) -> Result<()> {
        if self.list.len() != 1 {
            let message = "`#[serde(transparent)]` is for structs with one field";
            return Err(Error::new_spanned(span, message));
        }
        if let Some(span) = self.list[0].attributes.flatten {
            let message = "the field of a transparent struct can't be flattened";
            return Err(Error::new(span, message));
        }
        self.style = Style::Newtype;
        Ok(())
    }
}
