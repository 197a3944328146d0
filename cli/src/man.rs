//! `json-chunks man`: the manual pages, from the same texts as `--help`.

use std::fs;
use std::io;
use std::path::PathBuf;

use clap::{CommandFactory as _, ValueHint};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use crate::Cli;
use crate::error::CommandError;
use crate::help::{self, Paragraph};
use crate::output::write_document;

const EXAMPLES: &str = "\
Examples:
  json-chunks man | man -l -
      Read the page of the command; `man -l` is that of man-db (Linux).
  json-chunks man chunk > json-chunks-chunk.1
      The page of one subcommand.
  json-chunks man --dir ~/.local/share/man/man1
      All pages, for `man json-chunks` and `man json-chunks-chunk`.
";

/// Write the manual pages
///
/// Writes one page as roff to standard output, or all of them to a directory.
#[derive(Debug, clap::Args)]
#[command(after_help = help::after_help_without_input(EXAMPLES))]
pub(crate) struct Args {
    /// The subcommand; the page of `json-chunks` itself if it is left out
    #[arg(value_name = "COMMAND", conflicts_with = "dir")]
    command: Option<String>,
    /// Write a page for `json-chunks` and one for each subcommand to this directory
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    dir: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result<(), CommandError> {
    // `json-chunks help` has no page: it is `--help`.
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    if let Some(dir) = &args.dir {
        fs::create_dir_all(dir).map_err(|error| write_error(dir, error))?;
        for command in command.get_subcommands().chain([&command]) {
            let man = man_of(command);
            let path = dir.join(man.get_filename());
            let page = page(&man, command).map_err(CommandError::Write)?;
            fs::write(&path, page).map_err(|error| write_error(&path, error))?;
        }
        return Ok(());
    }
    let command = match &args.command {
        None => &command,
        Some(name) => command.find_subcommand(name).ok_or_else(|| {
            CommandError::Usage(format!(
                "`json-chunks {name}` is not a command; see `--help`"
            ))
        })?,
    };
    let page = page(&man_of(command), command).map_err(CommandError::Write)?;
    write_document(&String::from_utf8_lossy(&page))
}

fn man_of(command: &clap::Command) -> Man {
    // By default the source is the name of the subcommand.
    Man::new(command.clone()).source(concat!("json-chunks ", env!("CARGO_PKG_VERSION")))
}

fn write_error(path: &std::path::Path, error: io::Error) -> CommandError {
    CommandError::WriteFile {
        name: path.display().to_string(),
        error,
    }
}

/// Returns a page. Its last part differs from that of `clap_mangen`, which joins the lines of the
/// examples to paragraphs.
fn page(man: &Man, command: &clap::Command) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    let after_help = command.get_after_help().map(ToString::to_string);
    for paragraph in help::paragraphs(&after_help.unwrap_or_default()) {
        section(&paragraph).to_writer(&mut page)?;
    }
    Ok(page)
}

fn section(paragraph: &Paragraph<'_>) -> Roff {
    let mut roff = Roff::new();
    let Some(heading) = paragraph.heading else {
        roff.control("SH", ["NOTES"]);
        roff.text([roman(paragraph.lines.join(" "))]);
        return roff;
    };
    roff.control("SH", [heading.to_uppercase().as_str()]);
    // `.nf` and `.fi`: lines stay as they are.
    roff.control("nf", []);
    for line in &paragraph.lines {
        roff.text([roman(line.strip_prefix("  ").unwrap_or(line))]);
    }
    roff.control("fi", []);
    roff
}
