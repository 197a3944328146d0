//! What is in an array or object, one by one.

use serde_core::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, Error as _, MapAccess, SeqAccess,
    Unexpected, VariantAccess, Visitor,
};

use super::key::Key;
use super::{DeserializeError, Look, NodeId, Reader, Result, Value};

/// The children of a container that show.
pub(super) struct Children<'a> {
    next: Option<NodeId>,
    left: usize,
    /// The member whose name has been read and whose value has not.
    member: Option<Reader<'a>>,
    /// The container, with a level less to go.
    parent: Reader<'a>,
}

impl<'a> Children<'a> {
    pub(super) fn of(parent: Reader<'a>) -> Result<Self> {
        let Some(levels) = parent.levels.checked_sub(1) else {
            return Err(DeserializeError::custom("recursion limit exceeded"));
        };
        let parent = Reader { levels, ..parent };
        let Value { doc, id } = parent.value;
        let node = doc.node(id);
        // Only the last one can be unfinished.
        let hides = |id| Value::new(doc, id).look(parent.partials) == Look::Nothing;
        let left = match parent.value.look(parent.partials) {
            Look::Empty => 0,
            _ => node.len as usize - usize::from(node.last.is_some_and(hides)),
        };
        Ok(Self {
            next: node.first,
            left,
            member: None,
            parent,
        })
    }

    /// How many have not been read.
    pub(super) fn left(&self) -> usize {
        self.left
    }

    /// The one member that says which variant of an enum it is.
    pub(super) fn only(mut self) -> Result<Member<'a>> {
        match (self.left, self.next()) {
            (1, Some(value)) => Ok(Member(value)),
            _ => Err(DeserializeError::invalid_value(
                Unexpected::Map,
                &"map with a single key",
            )),
        }
    }

    fn next(&mut self) -> Option<Reader<'a>> {
        self.left = self.left.checked_sub(1)?;
        let doc = self.parent.value.doc;
        let id = self.next?;
        self.next = doc.node(id).next;
        Some(Reader {
            value: Value::new(doc, id),
            ..self.parent
        })
    }
}

impl<'a> SeqAccess<'a> for &mut Children<'a> {
    type Error = DeserializeError;

    fn next_element_seed<S: DeserializeSeed<'a>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        self.next().map(|element| element.read(seed)).transpose()
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

impl<'a> MapAccess<'a> for &mut Children<'a> {
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

    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
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
