//! The elements of an array and the members of an object, one by one.

use serde_core::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, Error as _, MapAccess, SeqAccess,
    Unexpected, VariantAccess, Visitor,
};

use super::key::Key;
use super::{DeserializeError, Look, Reader, Result, Value};
use crate::document::{Kind, tree};

/// The children of a container that are shown.
pub(super) struct ShownChildren<'a> {
    rest: tree::Children<'a>,
    /// How many have been read.
    read: usize,
    /// How many there are, where that is known without counting: the elements of an array.
    len: Option<usize>,
    /// Whether some members are superseded by later ones of the same name.
    has_superseded: bool,
    /// Whether the type takes any number of children.
    any_number: bool,
    /// The member whose name has been read and whose value has not.
    member: Option<Reader<'a>>,
    /// The container, with one level less left.
    parent: Reader<'a>,
}

impl<'a> ShownChildren<'a> {
    pub(super) fn of(parent: Reader<'a>) -> Result<Self> {
        let Some(levels) = parent.levels.checked_sub(1) else {
            return Err(DeserializeError::custom("recursion limit exceeded"));
        };
        let parent = Reader { levels, ..parent };
        let Value { doc, id } = parent.value;
        let is_empty = matches!(parent.value.look(parent.partials), Look::Empty);
        let len = (parent.value.kind() == Kind::Array).then(|| {
            // Only the last element can be incomplete.
            doc.last_child(id).map_or(0, |last| {
                let is_shown = parent.shows(Value::new(doc, last));
                doc.node(last).index() as usize + usize::from(is_shown)
            })
        });
        Ok(Self {
            rest: if is_empty {
                doc.no_children()
            } else {
                doc.children(id)
            },
            read: 0,
            len: if is_empty { Some(0) } else { len },
            has_superseded: doc.superseded.count(id) > 0,
            any_number: false,
            member: None,
            parent,
        })
    }

    /// Returns the elements for a type that takes any number of them.
    pub(super) fn any_number(self) -> Self {
        Self {
            any_number: true,
            ..self
        }
    }

    /// Returns an error if the type has not read all of them.
    pub(super) fn end(mut self, expected: &'static str) -> Result<()> {
        let read = self.read;
        while self.next().is_some() {}
        if self.read == read {
            return Ok(());
        }
        Err(DeserializeError::invalid_length(self.read, &expected))
    }

    /// Returns the only member, whose name is the variant of an enum.
    pub(super) fn only(mut self) -> Result<Member<'a>> {
        match (self.next(), self.next()) {
            (Some(value), None) => Ok(Member(value)),
            _ => Err(DeserializeError::invalid_value(
                Unexpected::Map,
                &"map with a single key",
            )),
        }
    }

    fn next(&mut self) -> Option<Reader<'a>> {
        loop {
            let id = self.rest.next()?;
            let value = Value::new(self.parent.value.doc, id);
            let is_shown = value.is_complete() || self.parent.shows(value);
            if is_shown && !(self.has_superseded && self.parent.is_superseded(value)) {
                self.read += 1;
                return Some(Reader {
                    value,
                    ..self.parent
                });
            }
        }
    }

    fn left(&self) -> Option<usize> {
        Some(self.len?.saturating_sub(self.read))
    }
}

impl<'a> SeqAccess<'a> for &mut ShownChildren<'a> {
    type Error = DeserializeError;

    fn next_element_seed<S: DeserializeSeed<'a>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        let Some(element) = self.next() else {
            return Ok(None);
        };
        match element.read(seed) {
            Err(error) if self.any_number => element.spare(error),
            read => read.map(Some),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        self.left()
    }
}

impl<'a> MapAccess<'a> for &mut ShownChildren<'a> {
    type Error = DeserializeError;

    fn next_key_seed<S: DeserializeSeed<'a>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        self.member = self.next();
        self.member
            .map(|member| Key::of(member.value).read(seed))
            .transpose()
    }

    fn next_value_seed<S: DeserializeSeed<'a>>(&mut self, seed: S) -> Result<S::Value> {
        match self.member.take() {
            Some(member) => member.read(seed),
            None => Err(DeserializeError::custom("value is missing")),
        }
    }

    /// What maps read, which can do without the entry; structs read the name first.
    fn next_entry_seed<K: DeserializeSeed<'a>, V: DeserializeSeed<'a>>(
        &mut self,
        name: K,
        value: V,
    ) -> Result<Option<(K::Value, V::Value)>> {
        let Some(member) = self.next() else {
            return Ok(None);
        };
        let read = Key::of(member.value).read(name);
        let read = read.and_then(|name| Ok((name, member.read(value)?)));
        read.map_or_else(|error| member.spare(error), |entry| Ok(Some(entry)))
    }

    fn size_hint(&self) -> Option<usize> {
        self.left()
    }
}

/// The variant of an enum that has content.
pub(super) struct Member<'a>(Reader<'a>);

impl<'a> EnumAccess<'a> for Member<'a> {
    type Error = DeserializeError;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'a>>(self, seed: S) -> Result<(S::Value, Self)> {
        let Self(content) = self;
        let variant = Key::of(content.value).read(seed)?;
        Ok((variant, self))
    }
}

impl<'a> VariantAccess<'a> for Member<'a> {
    type Error = DeserializeError;

    fn unit_variant(self) -> Result<()> {
        let Self(content) = self;
        <()>::deserialize(content).map_err(|error| error.at(content.value))
    }

    fn newtype_variant_seed<S: DeserializeSeed<'a>>(self, seed: S) -> Result<S::Value> {
        let Self(content) = self;
        content.read(seed)
    }

    fn tuple_variant<V: Visitor<'a>>(self, _len: usize, visitor: V) -> Result<V::Value> {
        let Self(content) = self;
        let read = content.deserialize_seq(visitor);
        read.map_err(|error| error.at(content.value))
    }

    fn struct_variant<V: Visitor<'a>>(
        self,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let Self(content) = self;
        let read = content.deserialize_any(visitor);
        read.map_err(|error| error.at(content.value))
    }
}
