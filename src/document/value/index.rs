//! What members and elements are looked up by.

/// What [`Value::get`] looks up: the name of a member or the index of an element.
pub trait ValueIndex: sealed::Lookup {}

impl<T: sealed::Lookup> ValueIndex for T {}

mod sealed {
    use alloc::string::String;

    use crate::document::Value;

    pub trait Lookup {
        fn of(self, value: Value<'_>) -> Option<Value<'_>>;
    }

    impl Lookup for &str {
        fn of(self, value: Value<'_>) -> Option<Value<'_>> {
            value.member(self)
        }
    }

    impl Lookup for &String {
        fn of(self, value: Value<'_>) -> Option<Value<'_>> {
            value.member(self)
        }
    }

    impl Lookup for usize {
        fn of(self, value: Value<'_>) -> Option<Value<'_>> {
            value.element(self)
        }
    }
}
