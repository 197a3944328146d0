//! Values that are being written.

#[cfg(all(feature = "derive", feature = "std"))]
mod derive;
#[cfg(all(feature = "derive", feature = "stream"))]
mod laws;
#[cfg(all(feature = "derive", feature = "std"))]
mod table;
