//! The contenders: `data/files.toml`, and where their programs are.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::Context as _;
use serde::Deserialize;

use super::measured::Program;

/// A program with its commands; placeholders such as `{content}` are replaced for each call.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contender {
    /// The name in tables.
    pub name: String,
    /// What it does, for people.
    pub about: String,
    /// Whether opening finds every change of the file.
    pub authenticated: bool,
    /// The name of the executable file.
    pub program: String,
    version: Vec<String>,
    /// The arguments that encrypt.
    pub seal: Vec<String>,
    /// The arguments that decrypt.
    pub open: Vec<String>,
    /// The command that ends what the program has left running; may be empty.
    #[serde(default)]
    pub finish: Vec<String>,
}

/// A contender on this machine.
#[derive(Debug, Clone)]
pub struct Found {
    /// The contender.
    pub contender: Contender,
    /// The executable file; `None` if it is not installed.
    pub path: Option<PathBuf>,
    /// The first line that the program prints about its version; empty if it is absent.
    pub version: String,
}

impl Found {
    /// Returns what is kept of the contender.
    pub fn program(&self) -> Program {
        let Contender {
            name,
            about,
            authenticated,
            program,
            ..
        } = &self.contender;
        Program {
            name: name.clone(),
            about: about.clone(),
            authenticated: *authenticated,
            version: self.version.clone(),
            absent: match self.path {
                Some(_) => String::new(),
                None => format!("no {program} in PATH"),
            },
        }
    }
}

/// Returns all contenders.
///
/// # Errors
///
/// If the data file is not well-formed; tests would find that.
pub fn all() -> anyhow::Result<Vec<Contender>> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Contenders {
        contender: Vec<Contender>,
    }
    let text = include_str!("../../data/files.toml");
    let read: Contenders = toml::from_str(text).context("the contenders of files")?;
    Ok(read.contender)
}

/// Looks for a contender's program: at the path that the user gives for its name, beside this
/// command, and in the folders of PATH.
pub fn find(contender: Contender, given: &BTreeMap<String, PathBuf>) -> Found {
    let name = &contender.program;
    let path = match given.get(name) {
        Some(path) => Some(path.clone()).filter(|path| path.is_file()),
        None => folders()
            .into_iter()
            .map(|folder| folder.join(name))
            .find(|path| is_executable(path)),
    };
    let version = path
        .as_deref()
        .map(|path| version(path, &contender.version));
    Found {
        version: version.unwrap_or_default(),
        contender,
        // The commands run in another folder.
        path: path.and_then(|path| std::path::absolute(path).ok()),
    }
}

/// The folders in which programs are looked for.
fn folders() -> Vec<PathBuf> {
    let own = std::env::current_exe().ok();
    let own = own.as_deref().and_then(Path::parent).map(Path::to_path_buf);
    let path = std::env::var_os("PATH").unwrap_or_default();
    own.into_iter()
        .chain(std::env::split_paths(&path))
        .collect()
}

fn is_executable(path: &Path) -> bool {
    path.is_file() && rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok()
}

/// The first line of the program's answer; "unknown" if it gives none.
fn version(path: &Path, arguments: &[String]) -> String {
    let output = Command::new(path)
        .args(arguments)
        .stdin(Stdio::null())
        .output();
    let line = output.ok().and_then(|output| {
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8_lossy(&text).into_owned();
        let line = text.lines().map(str::trim).find(|line| !line.is_empty());
        line.map(str::to_owned)
    });
    line.unwrap_or_else(|| "unknown".to_owned())
}

/// Replaces the placeholders in a command's arguments.
pub fn filled(arguments: &[String], places: &[(&str, &Path)]) -> Vec<OsString> {
    let fill = |argument: &String| {
        for (name, value) in places {
            let mark = format!("{{{name}}}");
            if let Some((before, after)) = argument.split_once(&mark) {
                let parts = [
                    before.as_bytes(),
                    value.as_os_str().as_bytes(),
                    after.as_bytes(),
                ];
                return std::os::unix::ffi::OsStringExt::from_vec(parts.concat());
            }
        }
        OsString::from(argument)
    };
    arguments.iter().map(fill).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_reads_its_input_and_writes_its_output() {
        let all = all().unwrap();
        let mut names: Vec<&str> = all.iter().map(|one| one.name.as_str()).collect();
        names.dedup();
        assert_eq!(names.len(), all.len());
        for one in &all {
            for (command, input) in [(&one.seal, "{content}"), (&one.open, "{sealed}")] {
                for place in [input, "{out}"] {
                    let count = command.iter().filter(|a| a.contains(place)).count();
                    assert_eq!(count, 1, "{}: {place}", one.name);
                }
            }
        }
    }

    #[test]
    fn placeholders_are_replaced_byte_by_byte() {
        let odd = Path::new(std::ffi::OsStr::from_bytes(b"/tmp/\xff {out}"));
        let arguments = ["-in", "file:{phrase}", "{out}", "{other}"].map(str::to_owned);
        let filled = filled(&arguments, &[("phrase", odd), ("out", Path::new("o"))]);
        assert_eq!(filled[0], "-in");
        assert_eq!(filled[1].as_bytes(), b"file:/tmp/\xff {out}");
        assert_eq!(filled[2], "o");
        assert_eq!(filled[3], "{other}");
    }

    #[test]
    fn programs_that_are_not_there_are_absent() {
        let one = all().unwrap().remove(0);
        let nowhere = BTreeMap::from([(one.program.clone(), PathBuf::from("/nowhere/x"))]);
        let found = find(one, &nowhere);
        assert!(found.path.is_none() && found.version.is_empty());
    }
}
