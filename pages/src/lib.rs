//! Looks at pages in a real browser, as a reader would.
//!
//! Every page is opened in Chromium without a window and laid out for a light and a dark screen, for a phone and for
//! paper. A page is at fault if it says anything on the console, breaks its own content policy, asks for any other
//! file, scrolls sideways, cuts words off or lays them on each other, or is hard to read; `checks.js` has the list.
//! A picture of each view is kept for people to look at.
//!
//! ```text
//! Browser (a process, spoken to through pipes) -> Tab (one page, what it complains of) -> look (all views of a page)
//! ```
//!
//! The browser is reached by its own protocol through two pipes. That needs no driver, no port and no crate.

mod base64;
mod browser;
mod look;
mod tab;
mod view;

pub use browser::{Browser, Fault};
pub use look::{Looked, look};
pub use view::View;
