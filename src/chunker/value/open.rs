//! The arrays and objects of serde, all seven kinds of them, while they are written.

use core::fmt::Display;

use serde_core::ser::{
    Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant,
};

use super::diff::Entered;
use super::name::NameSerializer;
use super::serializer::{Brackets, ValueSerializer};
use super::{Cause, Failure};

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

    /// Writes the comma before all children but the first.
    #[inline]
    fn separate(&mut self) -> Result<(), Failure> {
        if core::mem::take(&mut self.is_empty) || self.serializer.text.is_next(b',') {
            return Ok(());
        }
        self.separate_other()
    }

    /// What is in the last snapshot is not too long, so only what differs is checked.
    #[cold]
    #[inline(never)]
    fn separate_other(&mut self) -> Result<(), Failure> {
        if self.serializer.is_too_long() {
            return Err(Cause::Limit.into());
        }
        self.serializer.text.other_punctuation(b',');
        Ok(())
    }

    #[inline]
    pub(super) fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Failure> {
        self.separate()?;
        value.serialize(&mut *self.serializer)
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "names of fields are constants")]
    fn member<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<(), Failure> {
        if self.container.is_none() {
            return self.serializer.raw(value);
        }
        self.name(name)?;
        value.serialize(&mut *self.serializer)
    }

    /// Writes the name of a member, with the comma and the colon.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "names of fields are constants")]
    pub(super) fn name(&mut self, name: &str) -> Result<(), Failure> {
        if (self.serializer.text).is_member_next(name, self.is_empty) {
            self.is_empty = false;
            return Ok(());
        }
        self.other_name(name)
    }

    #[cold]
    #[inline(never)]
    fn other_name(&mut self, name: &str) -> Result<(), Failure> {
        self.separate()?;
        self.serializer.text.name(name);
        self.serializer.text.punctuation(b':');
        Ok(())
    }

    /// Writes a name that is formatted.
    pub(super) fn display_name(&mut self, name: &(impl Display + ?Sized)) -> Result<(), Failure> {
        self.separate()?;
        let result = self.serializer.text.display(name, true);
        self.serializer.text.punctuation(b':');
        result.map_err(|_| Failure::display())
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
        name.serialize(NameSerializer(self))
    }

    #[inline]
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Failure> {
        value.serialize(&mut *self.serializer)
    }

    fn end(self) -> Result<(), Failure> {
        self.close();
        Ok(())
    }
}
