//! The type that the macro is applied to, and the parts of it that all generated code needs.

use std::collections::HashSet;

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::{
    Attribute, Data, DeriveInput, Error, Field, Generics, Ident, Path, Result, Type, Visibility,
    parse_quote,
};

use crate::attributes::Container;

/// The type, and the names for it.
pub(crate) struct Input<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) visibility: &'a Visibility,
    pub(crate) container: Container,
    /// The name of the form.
    pub(crate) partial: Ident,
    /// The path to the module that derived code calls.
    pub(crate) derived: TokenStream,
    docs: Vec<&'a Attribute>,
    generics: &'a Generics,
}

/// The part of a field's type that is used in the form.
pub(crate) enum Bound<'a> {
    /// The form of the type.
    Form(&'a Type),
    /// The type, which serde reads.
    Owned(&'a Type),
    /// The type, which a custom function reads.
    Custom,
}

impl<'a> Input<'a> {
    pub(crate) fn read(input: &'a DeriveInput) -> Result<Self> {
        if let Some(lifetime) = input.generics.lifetimes().next() {
            let message = "a type that borrows has no partial form, because a form outlives the \
                           text: use `String` or `Cow<'static, str>` in place of `&str`";
            return Err(Error::new_spanned(lifetime, message));
        }
        let container = Container::read(&input.attrs)?;
        let krate = container.krate.as_ref();
        let krate = krate.map_or_else(|| quote!(::json_chunks), ToTokens::to_token_stream);
        let partial = container.name.clone();
        Ok(Self {
            ident: &input.ident,
            visibility: &input.vis,
            partial: partial.unwrap_or_else(|| format_ident!("Partial{}", input.ident)),
            derived: quote!(#krate::partial::derived),
            docs: docs(&input.attrs),
            generics: &input.generics,
            container,
        })
    }

    /// Returns the docs and traits of the form.
    pub(crate) fn attributes(&self) -> TokenStream {
        let summary = format!(
            "What has arrived of a [`{}`] that is being written.",
            self.ident
        );
        let docs = &self.docs;
        let derives = self.derives();
        let gap = (!docs.is_empty()).then(|| quote!(#[doc = ""]));
        quote! {
            #[doc = #summary]
            #gap
            #(#docs)*
            #[derive(#(#derives),*)]
        }
    }

    fn derives(&self) -> Vec<Path> {
        match &self.container.derives {
            Some(derives) => derives.clone(),
            None => ["Clone", "Debug", "PartialEq"]
                .map(|name| Ident::new(name, Span::call_site()).into())
                .into(),
        }
    }

    /// Returns the generics of the form, whose fields have these types. Each parameter in them has
    /// a form, with the bounds that the traits of the form require, because their derives cannot
    /// see through `<Vec<T> as PartialForm>::Partial`. (Bounds on the types of the fields would
    /// never end for a recursive type.)
    pub(crate) fn form_generics(&self, bounds: &[Bound<'_>]) -> Generics {
        let derived = &self.derived;
        let traits: Vec<Path> = self.derives().iter().map(trait_of).collect();
        let mut generics = self.generics.clone();
        let used = self.parameters_of(bounds.iter().filter_map(|bound| match bound {
            Bound::Form(ty) => Some(*ty),
            Bound::Owned(_) | Bound::Custom => None,
        }));
        let clause = generics.make_where_clause();
        for parameter in used {
            clause
                .predicates
                .push(parse_quote!(#parameter: #derived::PartialForm));
            if !traits.is_empty() {
                clause
                    .predicates
                    .push(parse_quote!(#derived::PartialOf<#parameter>: #(#traits)+*));
            }
        }
        generics
    }

    /// Returns the generics of the implementations.
    pub(crate) fn impl_generics(&self, bounds: &[Bound<'_>]) -> Generics {
        let derived = &self.derived;
        let mut generics = self.form_generics(bounds);
        let used = self.parameters_of(bounds.iter().filter_map(|bound| match bound {
            Bound::Owned(ty) => Some(*ty),
            Bound::Form(_) | Bound::Custom => None,
        }));
        let clause = generics.make_where_clause();
        for parameter in used {
            clause
                .predicates
                .push(parse_quote!(#parameter: #derived::DeserializeOwned));
        }
        generics
    }

    /// Returns the implementations of both traits, for a form with this name. `uses` are statements
    /// that use what of `value`, a reference to the type, is in the form, so that the compiler does
    /// not report that as dead code if only the form is used.
    pub(crate) fn implement(
        &self,
        bounds: &[Bound<'_>],
        uses: &TokenStream,
        read: &TokenStream,
        has_field: &TokenStream,
    ) -> TokenStream {
        let (ident, partial, derived) = (self.ident, &self.partial, &self.derived);
        let generics = self.impl_generics(bounds);
        let (impl_generics, arguments, clause) = generics.split_for_impl();
        quote! {
            #[automatically_derived]
            #[allow(irrefutable_let_patterns, unused_qualifications, reason = "generated code")]
            impl #impl_generics #derived::PartialForm for #ident #arguments #clause {
                type Partial = #partial #arguments;

                fn read_partial(
                    value: #derived::PartialValue<'_>,
                ) -> #derived::Result<#derived::Option<Self::Partial>> {
                    let _ = |value: &Self| { let _ = value; #uses };
                    #read
                }

                #has_field
            }

            #[automatically_derived]
            impl #impl_generics #derived::FromPartial for #partial #arguments #clause {
                fn from_partial(
                    value: #derived::Value<'_>,
                    partials: #derived::PartialPolicy,
                ) -> #derived::Result<Self> {
                    #derived::from_partial::<#ident #arguments>(value, partials)
                }
            }
        }
    }

    /// Returns the type parameters in these types.
    fn parameters_of<'b>(&self, types: impl Iterator<Item = &'b Type>) -> Vec<&'a Ident> {
        let mut mentioned = HashSet::new();
        for ty in types {
            mention(ty.to_token_stream(), &mut mentioned);
        }
        let parameters = self
            .generics
            .type_params()
            .map(|parameter| &parameter.ident);
        parameters
            .filter(|parameter| mentioned.contains(&parameter.to_string()))
            .collect()
    }
}

/// Collects the identifiers in these tokens.
fn mention(tokens: TokenStream, mentioned: &mut HashSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => {
                mentioned.insert(ident.to_string());
            }
            TokenTree::Group(group) => mention(group.stream(), mentioned),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// Replaces `Self` by the name of the type, because in the form it would be the form.
pub(crate) fn replace_self(input: &mut DeriveInput) {
    let (ident, generics) = (&input.ident, input.generics.clone());
    let (_, arguments, _) = generics.split_for_impl();
    let own = quote!(#ident #arguments);
    let fields: Vec<&mut Field> = match &mut input.data {
        Data::Struct(data) => data.fields.iter_mut().collect(),
        Data::Enum(data) => {
            let variants = data.variants.iter_mut();
            variants
                .flat_map(|variant| variant.fields.iter_mut())
                .collect()
        }
        Data::Union(_) => Vec::new(),
    };
    for field in fields {
        let ty = without_self(field.ty.to_token_stream(), &own);
        field.ty = syn::parse2(ty.clone()).unwrap_or(Type::Verbatim(ty));
    }
}

fn without_self(tokens: TokenStream, own: &TokenStream) -> TokenStream {
    let replace = |token| match token {
        TokenTree::Ident(ident) if ident == "Self" => own.clone(),
        TokenTree::Group(group) => {
            let inner = without_self(group.stream(), own);
            TokenTree::Group(Group::new(group.delimiter(), inner)).into()
        }
        token => token.into(),
    };
    tokens.into_iter().map(replace).collect()
}

/// Returns the path of the trait that a derive implements: derives of the standard library are in
/// the prelude, but their traits may not be in scope.
fn trait_of(derive: &Path) -> Path {
    let Some(name) = derive.get_ident() else {
        return derive.clone();
    };
    match name.to_string().as_str() {
        "Debug" => parse_quote!(::core::fmt::Debug),
        "Hash" => parse_quote!(::core::hash::Hash),
        "Clone" => parse_quote!(::core::clone::Clone),
        "Copy" => parse_quote!(::core::marker::Copy),
        "Default" => parse_quote!(::core::default::Default),
        "PartialEq" => parse_quote!(::core::cmp::PartialEq),
        "Eq" => parse_quote!(::core::cmp::Eq),
        "PartialOrd" => parse_quote!(::core::cmp::PartialOrd),
        "Ord" => parse_quote!(::core::cmp::Ord),
        _ => derive.clone(),
    }
}

/// Returns the attributes for the docs of a type or field, and for conditional compilation.
pub(crate) fn docs(attributes: &[Attribute]) -> Vec<&Attribute> {
    let kept = ["doc", "cfg", "deprecated"];
    let is_kept = |attribute: &&Attribute| kept.iter().any(|name| attribute.path().is_ident(name));
    attributes.iter().filter(is_kept).collect()
}
