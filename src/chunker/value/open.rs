//! The arrays and objects of serde, all seven kinds of them, while they are written.

use serde_core::ser::{
    Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant,
};

use super::Failure;
use super::diff::Entered;
use super::name::NameSerializer;
use super::serializer::{Brackets, ValueSerializer};

/// An array or object that is being written.
pub(super) struct Open<'w, 'a> {
    serializer: &'w mut ValueSerializer<'a>,
    /// None for a value that is written raw.
    container: Option<(Brackets, Entered)>,
    /// The object of a variant around it.
    variant: Option<Entered>,
    is_empty: bool,
}

impl<'w, 'a> Open<'w, 'a> {
    pub(super) const fn new(
        serializer: &'w mut ValueSerializer<'a>,
        container: Option<(Brackets, Entered)>,
        variant: Option<Entered>,
    ) -> Self {
        Self {
            serializer,
            container,
            variant,
            is_empty: true,
        }
    }

    /// Whether the next child is the first.
    #[inline]
    fn is_first(&mut self) -> bool {
        core::mem::take(&mut self.is_empty)
    }

    #[inline]
    pub(super) fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Failure> {
        let is_first = self.is_first();
        self.serializer.separate(is_first)?;
        value.serialize(&mut *self.serializer)
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "names of fields are constants")]
    fn member<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<(), Failure> {
        if self.container.is_none() {
            return self.serializer.raw(value);
        }
        let is_first = self.is_first();
        self.serializer.name(name, is_first)?;
        value.serialize(&mut *self.serializer)
    }

    #[inline]
    pub(super) fn close(self) {
        if let Some((brackets, entered)) = self.container {
            self.serializer.leave(brackets, entered);
        }
        if let Some(variant) = self.variant {
            self.serializer.leave(Brackets::Object, variant);
        }
    }
}

macro_rules! write_elements {
    ($($trait:ident $method:ident;)*) => {
        $(impl $trait for Open<'_, '_> {
            type Ok = ();
            type Error = Failure;

            #[inline]
            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Failure> {
                self.element(value)
            }

            #[inline]
            fn end(self) -> Result<(), Failure> {
                self.close();
                Ok(())
            }
        })*
    };
}

write_elements! {
    SerializeSeq serialize_element;
    SerializeTuple serialize_element;
    SerializeTupleStruct serialize_field;
    SerializeTupleVariant serialize_field;
}

macro_rules! write_members {
    ($($trait:ident)*) => {
        $(impl $trait for Open<'_, '_> {
            type Ok = ();
            type Error = Failure;

            #[inline(always)]
            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> Result<(), Failure> {
                self.member(name, value)
            }

            #[inline]
            fn end(self) -> Result<(), Failure> {
                self.close();
                Ok(())
            }
        })*
    };
}

write_members! { SerializeStruct SerializeStructVariant }

impl SerializeMap for Open<'_, '_> {
    type Ok = ();
    type Error = Failure;

    #[inline]
    fn serialize_key<T: Serialize + ?Sized>(&mut self, name: &T) -> Result<(), Failure> {
        let is_first = self.is_first();
        name.serialize(NameSerializer::new(self.serializer, is_first))
    }

    #[inline]
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Failure> {
        value.serialize(&mut *self.serializer)
    }

    #[inline]
    fn end(self) -> Result<(), Failure> {
        self.close();
        Ok(())
    }
}
