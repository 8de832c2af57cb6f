//! What the tests of the command share.
#![allow(dead_code, reason = "each test uses a part")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// The cheapest derivation of keys that the command takes.
const KDF: &str = "memory=64,passes=1,lanes=1";

/// A folder with a passphrase, and programs that run in it.
pub(crate) struct Place(pub(crate) TempDir);

impl Place {
    pub(crate) fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        fs::write(place.path("phrase"), "correct horse\n").unwrap();
        fs::write(place.path("wrong"), "wrong horse\n").unwrap();
        place
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_strongbox"));
        command.current_dir(self.0.path()).stdin(Stdio::null());
        command.env("STRONGBOX_KDF", KDF);
        command.env_remove("STRONGBOX_ASKPASS");
        command
    }

    /// A command that runs a line of the shell in a terminal, and writes all that the terminal shows
    /// to the file `typed`: script(1), which may be absent. The line names the program `$STRONGBOX`
    /// in quotes, because a path can have spaces.
    pub(crate) fn terminal(&self, line: &str) -> Command {
        let mut command = Command::new("script");
        command.args(["-q", "-f", "-e", "-c", line, "typed"]);
        command.env("STRONGBOX", env!("CARGO_BIN_EXE_strongbox"));
        command.env("STRONGBOX_KDF", KDF);
        command.current_dir(self.0.path());
        command
    }

    /// Runs the command with arguments separated by spaces.
    pub(crate) fn run(&self, arguments: &str) -> Output {
        self.command().args(arguments.split(' ')).output().unwrap()
    }

    /// Runs the command, which must succeed, and returns its standard output.
    pub(crate) fn done(&self, arguments: &str) -> String {
        let output = self.run(arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments}: {said}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Runs the command, which must end with this exit code, and returns its message.
    pub(crate) fn fails(&self, arguments: &str, code: i32) -> String {
        let output = self.run(arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{arguments}: {said}");
        assert!(!said.contains("panicked"), "{said}");
        said
    }

    pub(crate) fn write(&self, name: &str, length: usize) -> Vec<u8> {
        let bytes: Vec<u8> = (0..length).map(|i| (i % 251) as u8).collect();
        fs::write(self.path(name), &bytes).unwrap();
        bytes
    }

    /// The names in the folder, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        names(self.0.path())
    }
}

pub(crate) fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}
