//! Counts the instructions of a test with valgrind's callgrind. The count is the same on a busy
//! machine and on an idle one.

use std::process::Command;

/// Returns the number of instructions of this test program in a process of its own. The process
/// runs only the test `test`, with the environment variable `variable` set to `value`. If the
/// machine cannot count instructions, the function prints the reason and returns `None`.
pub(crate) fn instructions(test: &str, variable: &str, value: &str) -> Option<i64> {
    if !cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        eprintln!("SKIPPED: instructions are counted on x86-64 Linux only");
        return None;
    }
    if cfg!(debug_assertions) {
        eprintln!(
            "SKIPPED: the release profile alone counts instructions and checks constant time"
        );
        return None;
    }
    let output = Command::new("valgrind")
        .args([
            "--tool=callgrind",
            "--callgrind-out-file=/dev/null",
            "--log-fd=2",
        ])
        .arg(std::env::current_exe().expect("a path"))
        .args(["--exact", test, "--test-threads", "1"])
        .env(variable, value)
        .output();
    let output = match output {
        Ok(output) => output,
        Err(error) => {
            eprintln!("SKIPPED: instructions are not counted: valgrind: {error}");
            return None;
        }
    };
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let (_, collected) = errors
        .split_once("Collected : ")
        .expect("callgrind's count");
    let number = collected.split_whitespace().next().expect("a number");
    Some(number.parse().expect("a number"))
}
