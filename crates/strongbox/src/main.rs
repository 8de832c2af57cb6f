//! The `strongbox` command. `docs/strongbox.md` is its manual.
//!
//! Passphrases and secret keys never come from the command line, because every user of the machine
//! can read other users' command lines.
#![deny(unsafe_code)]

mod cmd;

use std::io::{self, Write};
use std::process::ExitCode;

/// Freed memory is wiped, because copies of secrets are left in it.
#[global_allocator]
static MEMORY: touchstone::wipe::Allocator<std::alloc::System> =
    touchstone::wipe::Allocator(std::alloc::System);

fn main() -> ExitCode {
    use clap::Parser;
    let done = match cmd::Arguments::try_parse() {
        Ok(arguments) => cmd::run(&arguments),
        // A mistake in the arguments.
        Err(said) if said.use_stderr() => {
            let _ = said.print();
            return ExitCode::from(2);
        }
        Err(said) => cmd::help(&said),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let code = error.exit_code();
            // A closed pipe ends quietly, with the exit code that a shell reports for SIGPIPE.
            if code != 128 + 13 {
                let _ = writeln!(io::stderr(), "strongbox: {error}");
            }
            ExitCode::from(code)
        }
    }
}
