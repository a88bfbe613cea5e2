//! The ways in which a page is looked at.

use serde_json::{Value, json};

/// A way to look at a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// A light screen.
    Light,
    /// A dark screen.
    Dark,
    /// A phone held upright.
    Narrow,
    /// A sheet of A4, without its margins.
    Print,
}

impl View {
    /// All of them.
    pub const ALL: [View; 4] = [View::Light, View::Dark, View::Narrow, View::Print];

    /// What it is called in file names and messages.
    pub fn name(self) -> &'static str {
        match self {
            View::Light => "light",
            View::Dark => "dark",
            View::Narrow => "narrow",
            View::Print => "print",
        }
    }

    /// Width of the window in pixels.
    pub(crate) fn width(self) -> u32 {
        match self {
            View::Light | View::Dark => 1100,
            View::Narrow => 360,
            // 174 mm, what margins of 18 mm leave of the width of A4, at 96 dots an inch.
            View::Print => 658,
        }
    }

    /// The window.
    pub(crate) fn metrics(self) -> Value {
        let height = if self == View::Narrow { 740 } else { 900 };
        json!({ "width": self.width(), "height": height, "deviceScaleFactor": 1, "mobile": self == View::Narrow })
    }

    /// What the style sheet is told.
    pub(crate) fn media(self) -> Value {
        let media = if self == View::Print { "print" } else { "screen" };
        let scheme = if self == View::Dark { "dark" } else { "light" };
        json!({ "media": media, "features": [{ "name": "prefers-color-scheme", "value": scheme }] })
    }
}
