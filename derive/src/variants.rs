//! The form of an enum, for each of the four taggings.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::ext::IdentExt as _;
use syn::{DataEnum, Error, Ident, LitStr, Result};

use crate::attributes;
use crate::fields::{Fields, Style};
use crate::input::{Input, docs};

/// How a value names its variant.
enum Tagging<'a> {
    External,
    Internal(&'a LitStr),
    Adjacent(&'a LitStr, &'a LitStr),
    Untagged,
}

/// A variant that is read.
struct Variant<'a> {
    ident: &'a Ident,
    docs: TokenStream,
    /// Its name and its aliases.
    names: Vec<String>,
    is_other: bool,
    fields: Fields<'a>,
    source: &'a syn::Fields,
}

/// The place of the content of a variant.
enum Content {
    /// In `content`, an `Option<PartialValue>`; `value` is the enum.
    Member,
    /// In `value` itself.
    Value,
}

pub(crate) fn of_enum(input: &Input<'_>, data: &DataEnum) -> Result<TokenStream> {
    let tagging = Tagging::of(input)?;
    let mut variants = Vec::new();
    for variant in &data.variants {
        let attributes = attributes::Variant::read(&variant.attrs)?;
        if attributes.is_skipped {
            continue;
        }
        let case = attributes.rename_all.or(input.container.rename_all_fields);
        let fields = Fields::read(input, &variant.fields, case)?;
        if attributes.is_other && fields.style != Style::Unit {
            let message = "`#[serde(other)]` is for unit variants";
            return Err(Error::new_spanned(&variant.ident, message));
        }
        if matches!(tagging, Tagging::Internal(_)) && fields.style == Style::Tuple {
            let message = "a tuple has no room for a tag inside of it";
            return Err(Error::new_spanned(&variant.ident, message));
        }
        let docs = docs(&variant.attrs);
        variants.push(Variant {
            ident: &variant.ident,
            docs: quote!(#(#docs)*),
            names: names(input, &variant.ident, &attributes),
            is_other: attributes.is_other,
            fields,
            source: &variant.fields,
        });
    }
    let is_unit = |variant: &Variant<'_>| variant.fields.style == Style::Unit;
    if matches!(tagging, Tagging::External) && variants.iter().all(is_unit) {
        return Ok(of_unit_variants(input, &variants));
    }

    // The content of a newtype is the value itself.
    let is_value = matches!(tagging, Tagging::Internal(_) | Tagging::Untagged);
    let bounds: Vec<_> = (variants.iter())
        .flat_map(|variant| variant.fields.bounds(is_value))
        .collect();
    let (visibility, partial) = (input.visibility, &input.partial);
    let attributes = input.attributes();
    let generics = input.form_generics(&bounds);
    let (_, _, clause) = generics.split_for_impl();
    let declared = variants.iter().map(|variant| {
        let Variant { ident, docs, .. } = variant;
        let fields = variant.fields.declare(false, is_value);
        quote!(#docs #ident #fields)
    });
    let read = match tagging {
        Tagging::External => read_external(input, partial, &variants),
        Tagging::Internal(tag) => read_internal(input, &variants, tag),
        Tagging::Adjacent(tag, content) => read_adjacent(input, &variants, tag, content),
        Tagging::Untagged => read_untagged(input, &variants),
    };
    let has_field = match tagging {
        // Flattened, these are members of the object around them.
        Tagging::External => is_variant(&variants),
        Tagging::Adjacent(tag, content) => quote!(name == #tag || name == #content),
        Tagging::Internal(_) | Tagging::Untagged => quote!({
            let _ = name;
            false
        }),
    };
    let uses: TokenStream = variants.iter().map(Variant::uses).collect();
    let implementation = input.implement(
        &bounds,
        &uses,
        &read,
        &quote! {
            fn has_field(name: &str) -> bool {
                #has_field
            }
        },
    );
    Ok(quote! {
        #attributes
        #visibility enum #partial #generics #clause {
            #(#declared),*
        }

        #implementation
    })
}

impl<'a> Tagging<'a> {
    fn of(input: &'a Input<'_>) -> Result<Self> {
        let container = &input.container;
        match (&container.tag, &container.content) {
            _ if container.is_untagged => Ok(Self::Untagged),
            (Some(tag), Some(content)) => Ok(Self::Adjacent(tag, content)),
            (Some(tag), None) => Ok(Self::Internal(tag)),
            (None, Some(content)) => Err(Error::new_spanned(
                content,
                "`#[serde(content)]` needs a `tag`",
            )),
            (None, None) => Ok(Self::External),
        }
    }
}

fn names(input: &Input<'_>, ident: &Ident, attributes: &attributes::Variant) -> Vec<String> {
    let name = ident.unraw().to_string();
    let case = input.container.rename_all;
    let name = case.map_or(name.clone(), |case| case.variant(&name));
    let mut names = vec![attributes.rename.clone().unwrap_or(name)];
    for alias in &attributes.aliases {
        if !names.contains(alias) {
            names.push(alias.clone());
        }
    }
    names
}

/// Returns an expression: whether `name`, a `&str`, is the name of a variant.
fn is_variant(variants: &[Variant<'_>]) -> TokenStream {
    if variants.is_empty() {
        return quote!({
            let _ = name;
            false
        });
    }
    let names = variants.iter().flat_map(|variant| &variant.names);
    quote!(::core::matches!(name, #(#names)|*))
}

/// An enum whose variants have no content is its own form.
fn of_unit_variants(input: &Input<'_>, variants: &[Variant<'_>]) -> TokenStream {
    let (ident, derived) = (input.ident, &input.derived);
    let generics = input.impl_generics(&[]);
    let (impl_generics, arguments, clause) = generics.split_for_impl();
    let read = read_external(input, ident, variants);
    quote! {
        #[automatically_derived]
        #[allow(unused_qualifications, reason = "generated code")]
        impl #impl_generics #derived::PartialForm for #ident #arguments #clause {
            type Partial = Self;

            fn read_partial(
                value: #derived::PartialValue<'_>,
            ) -> #derived::Result<#derived::Option<Self>> {
                #read
            }
        }
    }
}

/// Returns the arms of a `match` of the variant's name, each of the type `Result<Option<_>>`.
fn arms(
    input: &Input<'_>,
    form: &Ident,
    variants: &[Variant<'_>],
    content: &Content,
) -> TokenStream {
    let derived = &input.derived;
    let arms = variants
        .iter()
        .filter(|variant| !variant.is_other)
        .map(|variant| {
            let names = &variant.names;
            let read = variant.read(input, form, content);
            quote!(#(#names)|* => { #read })
        });
    let other = variants.iter().find(|variant| variant.is_other);
    let other = if let Some(variant) = other {
        variant.read(input, form, content)
    } else {
        let names = variants.iter().filter_map(|variant| variant.names.first());
        quote!(#derived::StdResult::Err(#derived::unknown_variant(value, name, &[#(#names),*])))
    };
    quote!(#(#arms)* name => { let _ = name; #other })
}

impl Variant<'_> {
    /// Statements that construct the variant, and read its fields of `value`.
    fn uses(&self) -> TokenStream {
        let ident = self.ident;
        let all: Vec<_> = self.source.members().collect();
        let values: Vec<_> = (0..all.len()).map(|n| format_ident!("field_{n}")).collect();
        let members = self.fields.list.iter().map(|field| &field.member);
        let bindings = (0..self.fields.list.len()).map(|n| format_ident!("_{n}"));
        quote! {
            let _ = |#(#values),*| Self::#ident { #(#all: #values),* };
            if let Self::#ident { #(#members: #bindings,)* .. } = value {}
        }
    }

    fn constructor(&self, form: &Ident) -> TokenStream {
        let ident = self.ident;
        quote!(#form::#ident)
    }

    /// Returns code that ends in an expression of the type `Result<Option<_>>`.
    fn read(&self, input: &Input<'_>, form: &Ident, content: &Content) -> TokenStream {
        let derived = &input.derived;
        let constructor = self.constructor(form);
        match (self.fields.style, content) {
            (Style::Unit, _) => quote! {
                #derived::StdResult::Ok(#derived::Option::Some(#constructor))
            },
            (Style::Newtype, Content::Member) => {
                let read = self.fields.list[0].read_member(&quote!(content), "content");
                quote! {{
                    let field = #read;
                    #derived::StdResult::Ok(#derived::Option::Some(#constructor(field)))
                }}
            }
            (_, Content::Value) => self.fields.read_from(&constructor),
            (Style::Named | Style::Tuple, Content::Member) => {
                let read = self.fields.read_from(&constructor);
                let read = quote!({ let value = content; #read });
                let empty = self.fields.read_nothing(&constructor);
                quote! {
                    match content {
                        #derived::Option::Some(content) => #read,
                        #derived::Option::None => #empty,
                    }
                }
            }
        }
    }
}

fn read_external(input: &Input<'_>, form: &Ident, variants: &[Variant<'_>]) -> TokenStream {
    let derived = &input.derived;
    let is_variant = is_variant(variants);
    let arms = arms(input, form, variants, &Content::Member);
    // A variant with content is not a string.
    let with_content = variants
        .iter()
        .filter(|variant| variant.fields.style != Style::Unit);
    let with_content: Vec<_> = with_content.flat_map(|variant| &variant.names).collect();
    let check = (!with_content.is_empty()).then(|| {
        quote! {
            if content.is_none() && ::core::matches!(name, #(#with_content)|*) {
                return #derived::StdResult::Err(#derived::missing_content(value));
            }
        }
    });
    quote! {
        let is_variant = |name: &str| #is_variant;
        let #derived::Option::Some((name, content)) = #derived::external(value, &is_variant)?
        else {
            return #derived::StdResult::Ok(#derived::Option::None);
        };
        let name: &str = &name;
        let _ = content;
        #check
        match name { #arms }
    }
}

fn read_internal(input: &Input<'_>, variants: &[Variant<'_>], tag: &LitStr) -> TokenStream {
    let derived = &input.derived;
    let arms = arms(input, &input.partial, variants, &Content::Value);
    quote! {
        let #derived::Option::Some((name, _)) = #derived::internal(value, #tag)? else {
            return #derived::StdResult::Ok(#derived::Option::None);
        };
        let name: &str = &name;
        #derived::hiding(value, &|name: &str| name == #tag, |value| match name { #arms })
    }
}

fn read_adjacent(
    input: &Input<'_>,
    variants: &[Variant<'_>],
    tag: &LitStr,
    content: &LitStr,
) -> TokenStream {
    let derived = &input.derived;
    let arms = arms(input, &input.partial, variants, &Content::Member);
    quote! {
        let #derived::Option::Some((name, content)) = #derived::adjacent(value, #tag, #content)?
        else {
            return #derived::StdResult::Ok(#derived::Option::None);
        };
        let name: &str = &name;
        let _ = content;
        match name { #arms }
    }
}

/// An incomplete value is shown if only one variant is possible; a complete one has the variant
/// that serde selects.
fn read_untagged(input: &Input<'_>, variants: &[Variant<'_>]) -> TokenStream {
    let derived = &input.derived;
    let tries: Vec<_> = (variants.iter())
        .map(|variant| {
            let constructor = variant.constructor(&input.partial);
            let read = variant.fields.read_from(&constructor);
            quote!((|value: #derived::PartialValue<'_>| -> #derived::Result<_> { #read }))
        })
        .collect();
    let names = variants.iter().map(|variant| variant.ident);
    let considered = variants.iter().zip(&tries).map(|(variant, read)| {
        let (has_fields, has_field) = variant.fields.known_members();
        quote! {
            if !(#has_fields) || #derived::has_all_fields(value, &|name: &str| #has_field)? {
                untagged.consider(value, #read);
            }
        }
    });
    quote! {
        if value.is_complete() {
            let read: #derived::Option<Self> = value.read()?;
            return match read {
                #(#derived::Option::Some(Self::#names { .. }) => #tries(value),)*
                _ => #derived::StdResult::Ok(#derived::Option::None),
            };
        }
        let mut untagged = #derived::Untagged::new();
        #(#considered)*
        #derived::StdResult::Ok(untagged.only())
    }
}
