//! The live page as its user sees it, in headless Chromium.

mod look;
mod page;
mod resume;
