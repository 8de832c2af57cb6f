//! Passphrases, keyfiles and secret keys, from prompts, files, descriptors, the environment and
//! other programs.

use std::fs::File;
use std::io::Read;
use std::os::fd::RawFd;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use strongbox::{Error, Identity, Keyfile, Limits, Passphrase, SenderKey};
use strongbox::{Head, OpenOptions, armor, text};
use zeroize::Zeroizing;

use super::report::Failure;

/// The longest passphrase in bytes.
const LONGEST: usize = 4096;
/// The longest file of keys in bytes.
const LONGEST_KEYS: u64 = 1 << 20;

/// Where a passphrase comes from. Without any of these, a prompt at the terminal asks.
#[derive(clap::Args, Default)]
pub(super) struct PassphraseSource {
    /// Read the passphrase from the first line of a file.
    #[arg(long, value_name = "FILE", group = "phrase")]
    passphrase_file: Option<PathBuf>,
    /// Read the passphrase from the first line of an open file descriptor.
    #[arg(long, value_name = "FD", group = "phrase")]
    passphrase_fd: Option<RawFd>,
    /// Take the passphrase from an environment variable.
    #[arg(long, value_name = "VARIABLE", group = "phrase")]
    passphrase_env: Option<String>,
    /// Ask for the passphrase by a program, as ssh(1) does; it writes the passphrase to its
    /// standard output.
    #[arg(
        long,
        value_name = "PROGRAM",
        group = "phrase",
        env = "STRONGBOX_ASKPASS"
    )]
    askpass: Option<PathBuf>,
}

impl PassphraseSource {
    /// The first line of a file, if there is one; otherwise a prompt.
    pub(super) fn from_file(file: Option<PathBuf>) -> Self {
        Self {
            passphrase_file: file,
            ..Self::default()
        }
    }

    /// Says whether a source was named.
    pub(super) fn is_given(&self) -> bool {
        self.passphrase_file.is_some()
            || self.passphrase_fd.is_some()
            || self.passphrase_env.is_some()
    }

    /// Gets a passphrase. A new one is asked for twice at a terminal, and must not be empty.
    pub(super) fn get(&self, prompt: &str, new: bool) -> Result<Passphrase, Failure> {
        let phrase = if let Some(path) = &self.passphrase_file {
            let mut file = File::open(path).map_err(|error| Failure::at(path, error.into()))?;
            first_line(&mut file).map_err(|error| Failure::at(path, error))?
        } else if let Some(descriptor) = self.passphrase_fd {
            first_line(&mut descriptor_file(descriptor)?)?
        } else if let Some(name) = &self.passphrase_env {
            use std::os::unix::ffi::OsStringExt;
            let value = std::env::var_os(name);
            let value = value
                .ok_or_else(|| Failure::usage(format!("the environment has no variable {name}")))?;
            Zeroizing::new(value.into_vec())
        } else if let Some(program) = &self.askpass {
            ask(program, prompt)?
        } else {
            ask_terminal(prompt, new)?
        };
        if phrase.is_empty() && new {
            return Err(Error::Key("the passphrase is empty".into()).into());
        }
        Ok(Passphrase::new(phrase.to_vec()))
    }
}

/// Opens a copy of a descriptor that the caller's shell has opened.
fn descriptor_file(descriptor: RawFd) -> Result<File, Failure> {
    let path = format!("/dev/fd/{descriptor}");
    if descriptor < 0 {
        return Err(Failure::usage("a descriptor is a number from 0 on"));
    }
    if descriptor == 0 {
        use std::os::fd::AsFd;
        let owned = std::io::stdin().as_fd().try_clone_to_owned()?;
        return Ok(File::from(owned));
    }
    File::open(&path).map_err(|error| Failure::at(Path::new(&path), error.into()))
}

/// Reads byte by byte, so that the rest of the input stays for others and no buffer keeps a copy.
fn first_line(input: &mut impl Read) -> Result<Zeroizing<Vec<u8>>, Error> {
    let mut line = Zeroizing::new(Vec::with_capacity(LONGEST));
    let mut byte = Zeroizing::new([0]);
    loop {
        match input.read(&mut *byte) {
            Ok(0) => break,
            Ok(_) if byte[0] == b'\n' => break,
            Ok(_) if line.len() == LONGEST => {
                return Err(Error::Key(format!(
                    "a passphrase has at most {LONGEST} bytes"
                )));
            }
            Ok(_) => line.push(byte[0]),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
        }
    }
    if line.last() == Some(&b'\r') {
        line.pop();
    }
    Ok(line)
}

fn ask(program: &Path, prompt: &str) -> Result<Zeroizing<Vec<u8>>, Failure> {
    let at = |error: std::io::Error| Failure::at(program, error.into());
    let mut child = Command::new(program)
        .arg(prompt)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(at)?;
    let line = match child.stdout.take() {
        Some(mut output) => first_line(&mut output)?,
        None => Zeroizing::default(),
    };
    if child.wait().map_err(at)?.success() {
        Ok(line)
    } else {
        Err(Failure::at(
            program,
            Error::Key("it gave no passphrase".into()),
        ))
    }
}

fn ask_terminal(prompt: &str, new: bool) -> Result<Zeroizing<Vec<u8>>, Failure> {
    let ask = |prompt: &str| -> Result<Zeroizing<String>, Failure> {
        let asked = rpassword::prompt_password(format!("{prompt}: "));
        asked.map(Zeroizing::new).map_err(|error| {
            let text = format!(
                "no terminal can ask for the passphrase ({error}): use --passphrase-file, \
                 --passphrase-fd, --passphrase-env or --askpass"
            );
            Failure::usage(text)
        })
    };
    let phrase = ask(prompt)?;
    if new && *ask("Again")? != *phrase {
        return Err(Error::Key("the two passphrases differ".into()).into());
    }
    Ok(Zeroizing::new(phrase.as_bytes().to_vec()))
}

/// The keys that open a file.
#[derive(clap::Args)]
pub(super) struct Keys {
    /// A file of secret keys, from `strongbox keygen`, age-keygen or ssh-keygen (Ed25519; RSA
    /// for age files). If the file is itself a strongbox, its passphrase is asked for.
    #[arg(long, short, value_name = "FILE")]
    identity: Vec<PathBuf>,
    /// The keyfile.
    #[arg(long, value_name = "FILE")]
    keyfile: Option<PathBuf>,
    #[command(flatten)]
    pub(super) passphrase: PassphraseSource,
    /// The most memory that a file may ask for before its passphrase is checked, in KiB; by default
    /// 2 GiB, and 4 GiB for files of other programs.
    #[arg(long, value_name = "KIB")]
    pub(super) kdf_memory: Option<u64>,
    /// The most work that a file may ask for: memory in KiB times passes, over all passphrases.
    #[arg(long, value_name = "KIB", default_value_t = Limits::default().work)]
    kdf_work: u64,
}

impl Keys {
    pub(super) fn limits(&self) -> Limits {
        Limits {
            memory: self.kdf_memory.unwrap_or(Limits::default().memory),
            work: self.kdf_work,
        }
    }

    /// Reads the files of secret keys as text.
    pub(super) fn identity_texts(&self) -> Result<Vec<(PathBuf, Zeroizing<String>)>, Failure> {
        let texts = self.identity.iter().map(|path| {
            let at = |error| Failure::at(path, error);
            let bytes = read_unsealed(path, &self.passphrase)?;
            let text = std::str::from_utf8(&bytes).map_err(|_| at(no_keys()))?;
            Ok((path.clone(), Zeroizing::new(text.to_owned())))
        });
        texts.collect()
    }

    /// Reads the keyfile whole.
    pub(super) fn keyfile_content(&self) -> Result<Option<Zeroizing<Vec<u8>>>, Failure> {
        let Some(path) = &self.keyfile else {
            return Ok(None);
        };
        let at = |error: std::io::Error| Failure::at(path, error.into());
        let mut content = Zeroizing::new(Vec::new());
        File::open(path)
            .map_err(at)?
            .take(LONGEST_KEYS)
            .read_to_end(&mut content)
            .map_err(at)?;
        Ok(Some(content))
    }

    /// Returns all keys. A passphrase is asked for if the file needs one and no other key was
    /// given.
    pub(super) fn identities(
        &self,
        needs_passphrase: bool,
        prompt: &str,
    ) -> Result<Vec<Identity>, Failure> {
        let mut identities = Vec::new();
        for path in &self.identity {
            let keys = read_keys(path, &self.passphrase)?;
            identities.extend(keys.secrets.into_iter().map(Identity::Key));
        }
        let keyfile = self.keyfile.as_deref().map(read_keyfile).transpose()?;
        if let Some(keyfile) = &keyfile {
            identities.push(Identity::Keyfile(keyfile.clone()));
        }
        let asked = self.passphrase.is_given() && self.identity.is_empty();
        if asked || needs_passphrase && self.identity.is_empty() {
            let phrase = self.passphrase.get(prompt, false)?;
            identities.push(Identity::Passphrase(phrase, keyfile));
        }
        if identities.is_empty() {
            return Err(Failure::usage("no key was given: use --identity FILE"));
        }
        Ok(identities)
    }
}

/// Reads a keyfile.
pub(super) fn read_keyfile(path: &Path) -> Result<Keyfile, Failure> {
    let at = |error| Failure::at(path, error);
    let mut file = File::open(path).map_err(|error| at(error.into()))?;
    Keyfile::read(&mut file).map_err(at)
}

fn no_keys() -> Error {
    Error::Key("this is no file of keys".into())
}

/// Reads a file of secret keys, which may be sealed itself.
pub(super) fn read_keys(path: &Path, source: &PassphraseSource) -> Result<text::Keys, Failure> {
    let at = |error| Failure::at(path, error);
    let bytes = read_unsealed(path, source)?;
    let text = std::str::from_utf8(&bytes).map_err(|_| at(no_keys()))?;
    let mut failure = None;
    let keys = text::parse_keys(text, &mut || {
        source.get(&prompt(path), false).map_err(|error| {
            failure = Some(error);
            Error::Interrupted
        })
    });
    keys.map_err(|error| failure.unwrap_or_else(|| at(error)))
}

fn prompt(path: &Path) -> String {
    format!("Passphrase for {}", path.display())
}

/// Reads a file of secret keys, and opens it if it is a strongbox.
fn read_unsealed(path: &Path, source: &PassphraseSource) -> Result<Zeroizing<Vec<u8>>, Failure> {
    let at = |error| Failure::at(path, error);
    let file = File::open(path).map_err(|error| at(error.into()))?;
    let mut bytes = Zeroizing::new(Vec::new());
    file.take(LONGEST_KEYS)
        .read_to_end(&mut bytes)
        .map_err(|error| at(error.into()))?;
    if bytes.starts_with(armor::BEGIN.as_bytes()) {
        let mut sealed = Zeroizing::new(Vec::new());
        let mut reader = armor::Reader::new(&bytes[..]);
        reader
            .read_to_end(&mut sealed)
            .map_err(|error| at(error.into()))?;
        bytes = sealed;
    }
    if !Head::identify(&bytes) {
        return Ok(bytes);
    }
    let mut input = &bytes[..];
    let head = Head::read(&mut input).map_err(at)?;
    let identity = Identity::Passphrase(source.get(&prompt(path), false)?, None);
    let unlocked = head.unlock(&[identity], &Limits::default()).map_err(at)?;
    let mut opened = Zeroizing::new(Vec::new());
    let options = OpenOptions {
        most: LONGEST_KEYS,
        ..OpenOptions::default()
    };
    unlocked
        .open_stream(&mut input, &mut *opened, &options, &mut |_| Ok(()))
        .map_err(at)?;
    Ok(opened)
}

/// Reads senders' public keys.
pub(super) fn senders(texts: &[String]) -> Result<Vec<SenderKey>, Failure> {
    let parsed = texts.iter().map(|text| text::parse_sender(text));
    Ok(parsed.collect::<strongbox::Result<_>>()?)
}
