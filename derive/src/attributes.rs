//! Parses the attributes of `serde` and `partial`.

use proc_macro2::{Span, TokenStream};
use syn::ext::IdentExt as _;
use syn::meta::ParseNestedMeta;
use syn::{Attribute, Error, ExprPath, Ident, LitStr, Path, Result, Token, token};

use crate::case::Case;

/// The attributes of a struct or enum.
#[derive(Debug, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an attribute that is there or not"
)]
pub(crate) struct Container {
    pub(crate) rename_all: Option<Case>,
    pub(crate) rename_all_fields: Option<Case>,
    pub(crate) tag: Option<LitStr>,
    pub(crate) content: Option<LitStr>,
    pub(crate) is_untagged: bool,
    pub(crate) is_transparent: bool,
    pub(crate) denies_unknown: bool,
    pub(crate) has_default: bool,
    /// `#[partial(name = "…")]`
    pub(crate) name: Option<Ident>,
    /// `#[partial(derive(…))]`
    pub(crate) derives: Option<Vec<Path>>,
    /// `#[partial(crate = "…")]`
    pub(crate) krate: Option<Path>,
}

/// The attributes of a variant.
#[derive(Debug, Default)]
pub(crate) struct Variant {
    pub(crate) rename: Option<String>,
    pub(crate) aliases: Vec<String>,
    pub(crate) rename_all: Option<Case>,
    pub(crate) is_skipped: bool,
    pub(crate) is_other: bool,
}

/// The attributes of a field.
#[derive(Debug, Default)]
pub(crate) struct Field {
    pub(crate) rename: Option<String>,
    pub(crate) aliases: Vec<String>,
    pub(crate) is_skipped: bool,
    pub(crate) flatten: Option<Span>,
    pub(crate) has_default: bool,
    /// The function of `with` or `deserialize_with`.
    pub(crate) with: Option<ExprPath>,
    pub(crate) done: Option<Span>,
    pub(crate) required: Option<Span>,
    pub(crate) state: Option<Span>,
    pub(crate) leaf: Option<Span>,
}

impl Container {
    pub(crate) fn read(attributes: &[Attribute]) -> Result<Self> {
        let mut container = Self::default();
        each(attributes, "serde", |meta, name| {
            match name {
                "rename_all" => container.rename_all = case(meta)?,
                "rename_all_fields" => container.rename_all_fields = case(meta)?,
                "tag" => container.tag = Some(meta.value()?.parse()?),
                "content" => container.content = Some(meta.value()?.parse()?),
                "untagged" => container.is_untagged = true,
                "transparent" => container.is_transparent = true,
                "deny_unknown_fields" => container.denies_unknown = true,
                "default" => {
                    container.has_default = true;
                    skip(meta)?;
                }
                "from" | "try_from" | "remote" => {
                    return Err(meta.error(format!(
                        "a type that is read by `#[serde({name})]` has no partial form: don't \
                         derive `Partial` for it, and mark the fields of this type with \
                         `#[partial(leaf)]` or `#[partial(done)]`"
                    )));
                }
                _ => skip(meta)?,
            }
            Ok(())
        })?;
        each(attributes, "partial", |meta, name| {
            match name {
                "name" => container.name = Some(meta.value()?.parse::<LitStr>()?.parse()?),
                "crate" => container.krate = Some(meta.value()?.parse::<LitStr>()?.parse()?),
                "derive" => {
                    let content;
                    syn::parenthesized!(content in meta.input);
                    let derives = content.parse_terminated(Path::parse_mod_style, Token![,])?;
                    container.derives = Some(derives.into_iter().collect());
                }
                _ => {
                    return Err(meta.error(
                        "unknown attribute of a type, expected `name`, `derive` or `crate`; \
                         `done`, `required`, `state` and `leaf` are for fields",
                    ));
                }
            }
            Ok(())
        })?;
        Ok(container)
    }
}

impl Variant {
    pub(crate) fn read(attributes: &[Attribute]) -> Result<Self> {
        let mut variant = Self::default();
        each(attributes, "serde", |meta, name| {
            match name {
                "rename" => variant.rename = text(meta)?.or(variant.rename.take()),
                "alias" => variant
                    .aliases
                    .push(meta.value()?.parse::<LitStr>()?.value()),
                "rename_all" => variant.rename_all = case(meta)?,
                "skip" | "skip_deserializing" => variant.is_skipped = true,
                "other" => variant.is_other = true,
                "untagged" | "with" | "deserialize_with" => {
                    return Err(meta.error(format!(
                        "`#[serde({name})]` of a variant has no partial form"
                    )));
                }
                _ => skip(meta)?,
            }
            Ok(())
        })?;
        each(attributes, "partial", |meta, _| {
            Err(meta.error("attributes of `partial` are for fields and types, not for variants"))
        })?;
        Ok(variant)
    }
}

impl Field {
    pub(crate) fn read(attributes: &[Attribute]) -> Result<Self> {
        let mut field = Self::default();
        each(attributes, "serde", |meta, name| {
            match name {
                "rename" => field.rename = text(meta)?.or(field.rename.take()),
                "alias" => field.aliases.push(meta.value()?.parse::<LitStr>()?.value()),
                "skip" | "skip_deserializing" => field.is_skipped = true,
                "flatten" => field.flatten = Some(meta.path.segments[0].ident.span()),
                "default" => {
                    field.has_default = true;
                    skip(meta)?;
                }
                "deserialize_with" => {
                    field.with = Some(meta.value()?.parse::<LitStr>()?.parse()?);
                }
                "with" => {
                    let mut path: ExprPath = meta.value()?.parse::<LitStr>()?.parse()?;
                    let function = Ident::new("deserialize", Span::call_site());
                    path.path.segments.push(function.into());
                    field.with = Some(path);
                }
                _ => skip(meta)?,
            }
            Ok(())
        })?;
        each(attributes, "partial", |meta, name| {
            let span = Some(meta.path.segments[0].ident.span());
            match name {
                "done" => field.done = span,
                "required" => field.required = span,
                "state" => field.state = span,
                "leaf" => field.leaf = span,
                _ => {
                    return Err(meta.error(
                        "unknown attribute of a field, expected `done`, `required`, `state` or \
                         `leaf`",
                    ));
                }
            }
            Ok(())
        })?;
        field.check()?;
        Ok(field)
    }

    fn check(&self) -> Result<()> {
        let refuse = |span: Option<Span>, message: &str| match span {
            Some(span) => Err(Error::new(span, message)),
            None => Ok(()),
        };
        if self.has_default {
            refuse(
                self.required,
                "`required` contradicts `#[serde(default)]`: a value without this field is valid",
            )?;
        }
        if self.flatten.is_some() {
            let message = "a flattened field is read from the object around it, so it can't be \
                           `done` or a `leaf` of its own";
            refuse(self.done.or(self.leaf), message)?;
        }
        if self.done.is_some() {
            refuse(
                self.leaf,
                "`done` includes `leaf`: the field has its complete type",
            )?;
            refuse(self.state, "a field that is `done` has one state only")?;
        }
        if self.is_skipped {
            let any = self.done.or(self.required).or(self.state).or(self.leaf);
            refuse(
                any,
                "the field is skipped, so it is not in the partial form",
            )?;
        }
        Ok(())
    }
}

/// Calls `read` with each item of the attributes of this name.
fn each(
    attributes: &[Attribute],
    name: &str,
    mut read: impl FnMut(&ParseNestedMeta<'_>, &str) -> Result<()>,
) -> Result<()> {
    for attribute in attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident(name))
    {
        attribute.parse_nested_meta(|meta| {
            // `crate` is a keyword, so `get_ident` does not return it.
            let name = meta.path.segments.first();
            let name = name.map(|segment| segment.ident.unraw().to_string());
            read(&meta, &name.unwrap_or_default())
        })?;
    }
    Ok(())
}

/// Skips the value of an item that has no meaning here.
fn skip(meta: &ParseNestedMeta<'_>) -> Result<()> {
    if meta.input.peek(Token![=]) {
        meta.value()?.parse::<syn::Lit>()?;
    } else if meta.input.peek(token::Paren) {
        let content;
        syn::parenthesized!(content in meta.input);
        content.parse::<TokenStream>()?;
    }
    Ok(())
}

/// Reads `= "x"` or `(deserialize = "x")`.
fn text(meta: &ParseNestedMeta<'_>) -> Result<Option<String>> {
    let mut text = None;
    if meta.input.peek(token::Paren) {
        meta.parse_nested_meta(|meta| {
            let value: LitStr = meta.value()?.parse()?;
            if meta.path.is_ident("deserialize") {
                text = Some(value.value());
            }
            Ok(())
        })?;
    } else {
        text = Some(meta.value()?.parse::<LitStr>()?.value());
    }
    Ok(text)
}

fn case(meta: &ParseNestedMeta<'_>) -> Result<Option<Case>> {
    let Some(name) = text(meta)? else {
        return Ok(None);
    };
    match Case::from_name(&name) {
        Some(case) => Ok(Some(case)),
        None => Err(meta.error(format!("unknown case {name:?}"))),
    }
}
