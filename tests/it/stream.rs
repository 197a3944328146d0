//! The adapters over streams.

/// Whether a type has a trait: the inherent constant exists only if it has, and then takes
/// precedence.
macro_rules! impls {
    ($type:ty: $trait:ident) => {{
        trait Fallback {
            const IMPLS: bool = false;
        }
        struct Probe<T>(std::marker::PhantomData<T>);
        impl<T> Fallback for Probe<T> {}
        impl<T: $trait> Probe<T> {
            const IMPLS: bool = true;
        }
        Probe::<$type>::IMPLS
    }};
}

mod boxed_errors;
mod complete;
mod compose;
#[cfg(feature = "continuation")]
mod continue_json;
#[cfg(feature = "tokio")]
mod deadline;
mod entities;
mod error_after_items;
mod fragment_faults;
mod fragment_items;
mod fragment_polling;
mod hint_reports;
mod hints;
#[cfg(all(feature = "tracing", feature = "std"))]
mod journal;
mod machines;
mod pace;
mod polling;
mod round_trip;
mod script;
mod snapshot_faults;
mod values;
mod wire;
