//! Options as data: serde for what a program reads from its configuration.
//!
//! A choice between variants is the name of the variant as text; a set of options is a map. A
//! missing option has its default, and an unknown name is an error.
//!
//! # For maintainers
//!
//! `named!` gives an enum `as_str` and serde; `fields!` gives a set of options serde. Neither needs
//! a derive, so the default build has no proc-macros. A new variant that is missing here does not
//! compile; a new option has to be added to `fields!`, and to the table in
//! `tests/it/serde_impls.rs`.

use core::fmt;
use core::marker::PhantomData;
use core::time::Duration;

use serde_core::de::{Error, Unexpected, Visitor};

use crate::chunker::{AbsentValues, MemberOrder};
use crate::document::{Kind, PartialMode, PartialPolicy};
use crate::limits::Limits;
use crate::revision::{RevisionKind, RevisionPolicy};

/// A value that has a name.
pub(crate) trait Named: Copy + 'static {
    /// The subject of error texts: what the names denote.
    const WHAT: &'static str;
    const ALL: &'static [(Self, &'static str)];
}

/// Deserializes a value from its name.
pub(crate) struct NameVisitor<T>(pub(crate) PhantomData<T>);

impl<T: Named> Visitor<'_> for NameVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", T::WHAT)?;
        for (n, (_, name)) in T::ALL.iter().enumerate() {
            write!(f, "{}`{name}`", if n == 0 { " " } else { ", " })?;
        }
        Ok(())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        let found = T::ALL.iter().find(|(_, name)| *name == text);
        let found = found.map(|(value, _)| *value);
        found.ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
    }
}

/// Implements `as_str` and serde for an enum whose variants have names.
macro_rules! named {
    ($type:ty, $what:literal, { $($variant:ident => $name:expr),+ $(,)? }) => {
        impl $crate::config::Named for $type {
            const WHAT: &'static str = $what;
            const ALL: &'static [(Self, &'static str)] = &[$((Self::$variant, $name)),+];
        }

        impl $type {
            /// Returns its name.
            ///
            #[doc = concat!("One of", $(" `", $name, "`"),+, ".")]
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $name),+
                }
            }
        }

        /// Serializes as the name.
        impl serde_core::Serialize for $type {
            fn serialize<S: serde_core::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        /// Deserializes from the name.
        impl<'de> serde_core::Deserialize<'de> for $type {
            fn deserialize<D: serde_core::Deserializer<'de>>(
                deserializer: D,
            ) -> Result<Self, D::Error> {
                deserializer.deserialize_str($crate::config::NameVisitor(core::marker::PhantomData))
            }
        }
    };
}

/// Implements serde for a set of options, each with an expression that reads it from `$this` and
/// one that sets it.
macro_rules! fields {
    ($type:ident, $what:literal, $default:expr, {
        $($name:literal: $kind:ty => |$this:ident| $get:expr, |$set:ident, $value:ident| $result:expr;)+
    }) => {
        /// Serializes as a map of all options.
        impl serde_core::Serialize for $type {
            fn serialize<S: serde_core::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                use serde_core::ser::SerializeStruct as _;
                let mut fields =
                    serializer.serialize_struct(stringify!($type), [$($name),+].len())?;
                $({
                    let $this = self;
                    let value: $kind = $get;
                    fields.serialize_field($name, &value)?;
                })+
                fields.end()
            }
        }

        /// Deserializes from a map; a missing option has its default.
        impl<'de> serde_core::Deserialize<'de> for $type {
            fn deserialize<D: serde_core::Deserializer<'de>>(
                deserializer: D,
            ) -> Result<Self, D::Error> {
                const FIELDS: &[&str] = &[$($name),+];

                struct Fields;

                impl<'de> serde_core::de::Visitor<'de> for Fields {
                    type Value = $type;

                    fn expecting(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                        f.write_str($what)
                    }

                    fn visit_map<A: serde_core::de::MapAccess<'de>>(
                        self,
                        mut map: A,
                    ) -> Result<$type, A::Error> {
                        let mut options: $type = $default;
                        while let Some(name) = map.next_key::<alloc::string::String>()? {
                            match name.as_str() {
                                $($name => {
                                    let $value: $kind = map.next_value()?;
                                    let $set = options;
                                    options = $result;
                                })+
                                unknown => {
                                    return Err(serde_core::de::Error::unknown_field(unknown, FIELDS));
                                }
                            }
                        }
                        Ok(options)
                    }
                }

                deserializer.deserialize_struct(stringify!($type), FIELDS, Fields)
            }
        }
    };
}

pub(crate) use {fields, named};

named!(RevisionPolicy, "a revision policy", {
    Keep => "keep",
    Reject => "reject",
    Restate => "restate",
});

named!(RevisionKind, "a kind of revision", {
    Changed => "changed",
    Rewritten => "rewritten",
    Retyped => "retyped",
    Removed => "removed",
    Shrunk => "shrunk",
});

named!(AbsentValues, "absent values", {
    Nothing => "nothing",
    Null => "null",
    Defaults => "defaults",
});

named!(MemberOrder, "an order of members", {
    Unknown => "unknown",
    Written => "written",
});

named!(PartialMode, "how incomplete values are shown", {
    Keep => "keep",
    Omit => "omit",
    Zero => "zero",
});

fields!(PartialPolicy, "a policy for incomplete values", PartialPolicy::default(), {
    "strings": PartialMode => |policy| policy.of(Kind::String), |policy, mode| policy.strings(mode);
    "numbers": PartialMode => |policy| policy.of(Kind::Number), |policy, mode| policy.numbers(mode);
    "literals": PartialMode => |policy| policy.of(Kind::Null), |policy, mode| policy.literals(mode);
    "arrays": PartialMode => |policy| policy.of(Kind::Array), |policy, mode| policy.arrays(mode);
    "objects": PartialMode => |policy| policy.of(Kind::Object), |policy, mode| policy.objects(mode);
});

// The duration is in milliseconds, because formats differ in how they write durations.
fields!(Limits, "limits", Limits::default(), {
    "max_depth": u32 => |limits| limits.depth, |limits, levels| limits.max_depth(levels);
    "max_token_bytes": u32 =>
        |limits| limits.token_bytes, |limits, bytes| limits.max_token_bytes(bytes);
    "max_document_bytes": u32 =>
        |limits| limits.document_bytes, |limits, bytes| limits.max_document_bytes(bytes);
    "max_duration_ms": Option<u64> =>
        |limits| limits.duration.map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX)),
        |limits, time| Limits { duration: time.map(Duration::from_millis), ..limits };
});
