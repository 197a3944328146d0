//! `json-chunks completions`: scripts that complete its arguments in a shell.

use clap::CommandFactory as _;
use clap_complete::Shell;

use crate::Cli;
use crate::error::CommandError;
use crate::help;
use crate::output::write_document;

const EXAMPLES: &str = "\
Examples:
  eval \"$(json-chunks completions bash)\"
      In this shell; with this line in ~/.bashrc, in every one.
  json-chunks completions zsh > ~/.zfunc/_json-chunks
      With `fpath+=~/.zfunc` before `compinit` in ~/.zshrc.
  json-chunks completions fish > ~/.config/fish/completions/json-chunks.fish
  json-chunks completions powershell >> $PROFILE
";

/// Write the completion script of a shell
///
/// The script completes the subcommands, options, values of options, and files.
#[derive(Debug, clap::Args)]
#[command(after_help = help::after_help_without_input(EXAMPLES))]
pub(crate) struct Args {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

pub(crate) fn run(args: &Args) -> Result<(), CommandError> {
    // `generate` panics if its output is closed, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "json-chunks", &mut script);
    // clap_complete 4.6.11 sets `json__chunks__subcmd__chunk` and looks up
    // `json__subcmd__chunks__subcmd__chunk` in its script for bash, because of the hyphen.
    let script = String::from_utf8_lossy(&script).replace("json__subcmd__chunks", "json__chunks");
    write_document(&script)
}
