//! Tasks for maintaining this repository, run as `cargo xtask TASK`.
#![forbid(unsafe_code)]

mod check;
mod notices;
mod sboxes;
mod vectors;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask check              imports, adapters' files, vectors' headers
       cargo xtask notices            write the licences of the wheel's crates anew
       cargo xtask notices --check    fail if they are not those of the locked crates
       cargo xtask sboxes             write the circuits of DES anew as source
       cargo xtask sboxes --check     fail if they are not what would be written
       cargo xtask sboxes --search ternary|binary <seed> <minutes>
       cargo xtask vectors            write vectors/ anew from the locked packages
       cargo xtask vectors --check    fail if vectors/ is not what would be written";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match arguments[..] {
        ["check"] => check::run(),
        ["notices"] => notices::run(false),
        ["notices", "--check"] => notices::run(true),
        ["sboxes"] => sboxes::run(false),
        ["sboxes", "--check"] => sboxes::run(true),
        ["sboxes", "--search", set, seed, minutes] => sboxes::search(set, seed, minutes),
        ["vectors"] => vectors::run(false),
        ["vectors", "--check"] => vectors::run(true),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}
