//! The form of a struct.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Error, Result};

use crate::fields::{Fields, Style};
use crate::input::Input;

pub(crate) fn of_struct(input: &Input<'_>, fields: &syn::Fields) -> Result<TokenStream> {
    let container = &input.container;
    if let Some(tag) = &container.tag {
        let message = "a struct with a tag has no partial form: make the tag a field";
        return Err(Error::new_spanned(tag, message));
    }
    let mut fields = Fields::read(input, fields, container.rename_all)?;
    if container.has_default
        && let Some(span) = fields.required()
    {
        let message = "`required` contradicts `#[serde(default)]` of the struct: a value without \
                       this field is valid";
        return Err(Error::new(span, message));
    }
    if container.is_transparent {
        fields.make_transparent(input.ident)?;
    }
    let is_value = fields.style == Style::Newtype;
    let bounds: Vec<_> = fields.bounds(is_value).collect();

    let (visibility, partial) = (input.visibility, &input.partial);
    let attributes = input.attributes();
    let generics = input.form_generics(&bounds);
    let (_, _, clause) = generics.split_for_impl();
    let declared = fields.declare(true, is_value);
    let declaration = match fields.style {
        _ if fields.is_named => quote!(struct #partial #generics #clause #declared),
        Style::Named | Style::Tuple | Style::Newtype | Style::Unit => {
            quote!(struct #partial #generics #declared #clause;)
        }
    };

    let read = fields.read_from(&quote!(#partial));
    let (has_fields, has_field) = fields.known_members();
    let implementation = input.implement(
        &bounds,
        &fields.uses(),
        &read,
        &quote! {
            const HAS_FIELDS: bool = #has_fields;

            fn has_field(name: &str) -> bool {
                #has_field
            }
        },
    );
    Ok(quote! {
        #attributes
        #visibility #declaration

        #implementation
    })
}
