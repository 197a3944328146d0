//! The public face of a [driver](super::driver).

/// Everything of an adapter that is the same for all, for a struct with the one field `driver`.
macro_rules! adapter {
    (
        $name:ident<S $(, $param:ident: $bound:path)?>($machine:ty) -> $item:ty
        where $($bounds:tt)+
    ) => {
        impl<S $(, $param: $bound)?> $name<S $(, $param)?> {
            pub(super) fn new(inner: S, machine: $machine) -> Self {
                Self { driver: $crate::stream::driver::Driver::new(inner, machine) }
            }

            /// What became of the items of the inner stream so far; up to date at every moment,
            /// also after the end.
            #[must_use]
            pub const fn report(&self) -> $crate::stream::Report {
                self.driver.report()
            }

            /// The inner stream.
            pub const fn get_ref(&self) -> &S {
                self.driver.get_ref()
            }

            /// The inner stream. This stream never sees an item that is taken from it here.
            pub const fn get_mut(&mut self) -> &mut S {
                self.driver.get_mut()
            }

            /// The inner stream, pinned. This stream never sees an item that is taken from it here.
            pub fn get_pin_mut(self: core::pin::Pin<&mut Self>) -> core::pin::Pin<&mut S> {
                self.project().driver.get_pin_mut()
            }

            /// The inner stream alone: what was not yielded yet is lost.
            pub fn into_inner(self) -> S {
                self.driver.into_inner()
            }
        }

        impl<S $(, $param: $bound)?> futures_core::Stream for $name<S $(, $param)?>
        where
            $($bounds)+
        {
            type Item = $item;

            fn poll_next(
                self: core::pin::Pin<&mut Self>,
                cx: &mut core::task::Context<'_>,
            ) -> core::task::Poll<Option<Self::Item>> {
                futures_core::Stream::poll_next(self.project().driver, cx)
            }

            fn size_hint(&self) -> (usize, Option<usize>) {
                futures_core::Stream::size_hint(&self.driver)
            }
        }

        impl<S $(, $param: $bound)?> futures_core::FusedStream for $name<S $(, $param)?>
        where
            $($bounds)+
        {
            fn is_terminated(&self) -> bool {
                self.driver.is_terminated()
            }
        }

        impl<S $(, $param: $bound)?> core::fmt::Debug for $name<S $(, $param)?> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                self.driver.fmt(stringify!($name), f)
            }
        }
    };
}

pub(super) use adapter;
