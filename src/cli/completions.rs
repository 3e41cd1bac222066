//! The command `casino completions`, which writes scripts for shells that complete the command line.

use clap::{Args, Command, CommandFactory, ValueHint};
use clap_complete::Shell;

use super::{Casino, Failure, print};

#[derive(Args)]
#[command(
    after_help = "Save the script in the folder of your shell's completions; `make install` does so for bash, zsh \
        and fish.\n\n\
        Examples:\n  \
        casino completions bash > ~/.local/share/bash-completion/completions/casino\n  \
        casino completions zsh > ~/.zfunc/_casino\n  \
        casino completions fish > ~/.config/fish/completions/casino.fish\n  \
        casino completions powershell >> $PROFILE\n  \
        casino completions elvish >> ~/.config/elvish/rc.elv"
)]
pub(super) struct Completions {
    /// Your shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

impl Completions {
    pub(super) fn run(self) -> Result<(), Failure> {
        let mut script = Vec::new();
        let mut command = Casino::command();
        if self.shell == Shell::Bash {
            command.build();
            command = completing_files(command);
        }
        clap_complete::generate(self.shell, &mut command, "casino", &mut script);
        let script = String::from_utf8(script).map_err(|error| Failure::Runtime(error.to_string()))?;
        print(script.trim_end())
    }
}

/// Completes each value as the name of a file unless it is one of a few words: in the script for bash, only names of files
/// keep their blanks.
fn completing_files(command: Command) -> Command {
    let command = command.mut_args(|arg| {
        let is_free = arg.get_action().takes_values() && arg.get_possible_values().is_empty();
        if is_free { arg.value_hint(ValueHint::FilePath) } else { arg }
    });
    command.mut_subcommands(completing_files)
}
