//! Output to a terminal: colors, and no control characters from the input.

use std::env;
use std::ffi::OsString;
use std::io::{self, IsTerminal as _};

use anstream::ColorChoice;
use clap::ValueEnum;

// Without docs for the variants, so that the help of `--color`, which every command has, is short.
/// When to use color, for standard output and standard error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    #[default]
    Auto,
    Always,
    Never,
}

impl Color {
    /// Applies the choice to everything that is written with `anstream`, clap's help included.
    ///
    /// With [`Auto`](Self::Auto), `anstream` asks the terminal and the environment: `NO_COLOR`
    /// (<https://no-color.org>), then `CLICOLOR_FORCE` and `CLICOLOR`
    /// (<https://bixense.com/clicolors>), then `TERM`. It takes `CLICOLOR_FORCE=0` for a request
    /// of color, so that case is decided here.
    pub(crate) fn apply(self) {
        match self {
            Self::Auto if is_forcing_withdrawn() && !has_colors() => ColorChoice::Never,
            Self::Auto => ColorChoice::Auto,
            Self::Always => ColorChoice::Always,
            Self::Never => ColorChoice::Never,
        }
        .write_global();
    }

    /// Returns the value of `--color` in arguments that clap has not parsed: its help and its
    /// errors are written while it parses. clap reports other values.
    pub(crate) fn from_args(args: impl IntoIterator<Item = OsString>) -> Self {
        let mut color = Self::default();
        let mut args = args.into_iter();
        while let Some(arg) = args.next() {
            let value = match arg.to_str() {
                Some("--") => break,
                Some("--color") => args.next(),
                Some(arg) => arg.strip_prefix("--color=").map(OsString::from),
                None => None,
            };
            let value = value.and_then(|value| Self::from_str(value.to_str()?, false).ok());
            color = value.unwrap_or(color);
        }
        color
    }
}

/// Returns whether `CLICOLOR_FORCE` is 0, which is as if it were not set.
fn is_forcing_withdrawn() -> bool {
    env::var_os("CLICOLOR_FORCE").is_some_and(|value| value == "0")
}

/// Returns whether both outputs are terminals with colors that `CLICOLOR` does not switch off.
fn has_colors() -> bool {
    let is = |name: &str, value: &str| env::var_os(name).is_some_and(|found| found == value);
    io::stdout().is_terminal()
        && io::stderr().is_terminal()
        && !is("CLICOLOR", "0")
        && !is("TERM", "dumb")
}

/// Returns the character if it is safe to show, and a replacement if it is not: a terminal takes
/// control characters as commands, and JSON allows U+007F to U+009F in strings, text that is not
/// JSON any of them.
pub(crate) fn printable(char: char) -> char {
    match char {
        '\n' => '\n',
        '\t' => ' ',
        _ if char.is_control() => char::REPLACEMENT_CHARACTER,
        _ => char,
    }
}

#[cfg(test)]
mod tests {
    use super::{Color, printable};

    #[test]
    fn color_in_unparsed_arguments_is_the_last_valid_value() {
        for (args, expected) in [
            ("", Color::Auto),
            ("chunk --color never", Color::Never),
            ("--color=always --help", Color::Always),
            ("--color always chunk --color=never", Color::Never),
            ("--color never --color blue", Color::Never),
            ("--color", Color::Auto),
            ("chunk -- --color never", Color::Auto),
            ("chunk --colors never", Color::Auto),
        ] {
            let words = args.split_whitespace().map(Into::into);
            assert_eq!(Color::from_args(words), expected, "{args}");
        }
    }

    #[test]
    fn control_characters_are_replaced() {
        let text = "a\u{1b}[31m\tb\u{7f}\u{9b}c\r\n";
        let shown: String = text.chars().map(printable).collect();
        assert_eq!(shown, "a\u{fffd}[31m b\u{fffd}\u{fffd}c\u{fffd}\n");
    }
}
