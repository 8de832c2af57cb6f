//! The `touchstone` command.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    touchstone_lab::cmd::main()
}
