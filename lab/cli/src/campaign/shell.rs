//! Runs commands here, or on another host by the system's ssh.

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use anyhow::{Context as _, bail};

use super::file::{Machine, Ssh};

/// A host, and how commands come to it.
#[derive(Debug, Clone)]
pub struct Host<'a> {
    /// The host's name, as ssh takes it; empty for this machine.
    pub name: String,
    ssh: Option<&'a Ssh>,
}

/// A command that did not succeed.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Failed(String);

impl<'a> Host<'a> {
    /// Names a host of a machine.
    pub fn new(machine: &'a Machine, name: &str) -> Self {
        Self {
            name: name.to_owned(),
            ssh: machine.ssh.as_ref(),
        }
    }

    /// The name for people.
    pub fn label(&self) -> &str {
        match self.name.as_str() {
            "" => "this machine",
            name => name,
        }
    }

    /// Runs a command on the host and returns its output.
    ///
    /// # Errors
    ///
    /// [`Failed`] if the host cannot be reached or the command does not succeed.
    pub fn run(&self, words: &[&str], input: &[u8]) -> anyhow::Result<Vec<u8>> {
        let mut command = self.command(words);
        let output = fed(&mut command, input)
            .with_context(|| format!("starting {}", command.get_program().display()))?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let said = said.trim().lines().last().unwrap_or("").trim().to_owned();
        // ssh itself ends with 255, and its own message names the host.
        let text = match (self.ssh, output.status.code()) {
            (Some(_), Some(255)) => format!("{}: no connection: {said}", self.label()),
            (_, Some(127)) => format!(
                "{}: there is no {}; `touchstone = \"PATH\"` in the campaign says where it is",
                self.label(),
                words.first().unwrap_or(&"command")
            ),
            (_, code) => format!(
                "{}: {} ended with {}: {said}",
                self.label(),
                words.join(" "),
                code.map_or("a signal".to_owned(), |code| format!("exit code {code}"))
            ),
        };
        bail!(Failed(text))
    }

    fn command(&self, words: &[&str]) -> Command {
        let Some(ssh) = self.ssh else {
            let mut command = Command::new(words[0]);
            command.args(&words[1..]);
            return command;
        };
        let mut command = Command::new("ssh");
        command
            // No question can be answered here, and no other connection is reused or kept.
            .args(["-o", "BatchMode=yes"])
            .args(["-o", "ControlMaster=no", "-o", "ControlPath=none"])
            .args(["-o", "ConnectTimeout=15", "-o", "ServerAliveInterval=15"])
            .arg("-T")
            .args(&ssh.options)
            .arg("--")
            .arg(&self.name)
            .arg(
                words
                    .iter()
                    .map(|word| quote(word))
                    .collect::<Vec<_>>()
                    .join(" "),
            );
        command
    }
}

/// Runs a command with an input.
fn fed(command: &mut Command, input: &[u8]) -> std::io::Result<Output> {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let mut stdin = child.stdin.take();
    std::thread::scope(|scope| {
        std::thread::Builder::new().spawn_scoped(scope, move || {
            // A command that ends early does not read its input; its exit code tells why.
            let _ = stdin.as_mut().map(|stdin| stdin.write_all(input));
        })?;
        child.wait_with_output()
    })
}

/// Quotes a word for a POSIX shell.
pub fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-=:@+,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_reach_a_shell_as_they_are() {
        for word in [
            "a", "", "it's", "a b", "$(id)", "`id`", "a\nb", "*", "~", "ä",
        ] {
            let line = format!("printf %s {}", quote(word));
            let output = Command::new("sh").args(["-c", &line]).output().unwrap();
            assert_eq!(String::from_utf8(output.stdout).unwrap(), word);
        }
    }

    #[test]
    fn a_command_that_fails_says_why() {
        let machine = Machine::default();
        let host = Host::new(&machine, "");
        assert_eq!(host.run(&["cat"], b"in").unwrap(), b"in");
        let error = host.run(&["sh", "-c", "echo no >&2; exit 3"], b"");
        let error = error.unwrap_err().to_string();
        assert!(error.contains("exit code 3: no"), "{error}");
        // A command that does not read a long input is no error.
        host.run(&["true"], &[0; 1 << 20]).unwrap();
    }
}
