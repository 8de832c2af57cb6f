//! The `touchstone-crypt` command: password hashes on the command line.
//!
//! Phrases come from a prompt or from standard input, never from the command line,
//! because every user of the machine can read other users' command lines.
#![deny(unsafe_code)]

mod cert;

use anyhow::{Context, Result, bail};
use clap::{CommandFactory, Parser, Subcommand, ValueEnum};
use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Read, Write};
use std::ops::RangeInclusive;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use touchstone_password::{Method, OUTPUT_SIZE, SETTING_SIZE, VerifyError, gensalt, hash, verify};
use zeroize::Zeroizing;

/// Make, check and identify password hashes of crypt(3).
///
/// The program asks for a phrase at the terminal. If standard input is not a terminal,
/// the phrase is its first line.
#[derive(Parser)]
#[command(
    name = "touchstone-crypt",
    version,
    after_help = "\
Exit status: 0 for yes or done; 1 for no (a wrong phrase, a library that fails);
2 for a mistake in the arguments or the input; 3 where the answer could not be written."
)]
struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Hash a phrase and print the hash.
    Hash {
        #[command(flatten)]
        new: New,
        /// Hash under this setting or hash instead of a fresh one.
        #[arg(long, conflicts_with_all = ["method", "cost"])]
        setting: Option<String>,
        #[command(flatten)]
        empty: Empty,
    },
    /// Tell whether a phrase is the one from which a hash was made.
    Verify {
        /// The hash. Other users can see it on the command line while the program runs; a
        /// file hides it.
        #[arg(required_unless_present = "hash_file")]
        hash: Option<String>,
        /// A file whose first line is the hash.
        #[arg(long, value_name = "FILE", conflicts_with = "hash")]
        hash_file: Option<PathBuf>,
        #[command(flatten)]
        empty: Empty,
    },
    /// Print a new setting with a fresh salt.
    Gensalt {
        #[command(flatten)]
        new: New,
    },
    /// Tell the method of a hash or a setting.
    Identify {
        /// The hash or the setting.
        hash: String,
    },
    /// Test a libcrypt: all known answers, both interfaces for DES blocks, bad input and
    /// threads.
    Cert {
        /// The shared object; by default the system's libcrypt.
        #[arg(default_value = "libcrypt.so.1")]
        library: PathBuf,
        /// Use only every tenth known answer.
        #[arg(long)]
        quick: bool,
        /// Run the tests in this process.
        #[arg(long, hide = true)]
        here: bool,
    },
    /// Write shell completions to standard output.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Write the man pages.
    Man {
        /// Folder to write the man pages into: touchstone-crypt.1 and one page for each
        /// verb.
        folder: PathBuf,
    },
}

#[derive(clap::Args)]
struct Empty {
    /// Allow an empty phrase, which is an error otherwise.
    #[arg(long = "empty")]
    allowed: bool,
}

#[derive(clap::Args)]
struct New {
    /// The method.
    #[arg(long, short, value_enum, default_value = "yescrypt")]
    method: Name,
    /// The method's cost; `identify` says what the cost means.
    #[arg(long, short, default_value_t = 0, hide_default_value = true)]
    cost: u64,
}

/// The methods, by their names in mkpasswd(1) and crypt(5).
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Name {
    Yescrypt,
    GostYescrypt,
    Scrypt,
    Bcrypt,
    #[value(name = "bcrypt-a")]
    BcryptA,
    #[value(name = "bcrypt-y")]
    BcryptY,
    Sha512crypt,
    Sha256crypt,
    Sha1crypt,
    Sunmd5,
    Md5crypt,
    Nt,
    Bsdicrypt,
    Descrypt,
}

impl Name {
    fn method(self) -> Method {
        match self {
            Self::Yescrypt => Method::Yescrypt,
            Self::GostYescrypt => Method::GostYescrypt,
            Self::Scrypt => Method::Scrypt,
            Self::Bcrypt => Method::BcryptB,
            Self::BcryptA => Method::BcryptA,
            Self::BcryptY => Method::BcryptY,
            Self::Sha512crypt => Method::Sha512,
            Self::Sha256crypt => Method::Sha256,
            Self::Sha1crypt => Method::Sha1,
            Self::Sunmd5 => Method::SunMd5,
            Self::Md5crypt => Method::Md5,
            Self::Nt => Method::Nt,
            Self::Bsdicrypt => Method::DesExtended,
            Self::Descrypt => Method::Des,
        }
    }

    /// The costs that the method accepts, except 0, which asks for the default.
    /// crypt_gensalt(3) replaces a cost out of range by the nearest one without an error;
    /// this program refuses it.
    fn costs(self) -> RangeInclusive<u64> {
        match self {
            Self::Yescrypt | Self::GostYescrypt => 1..=11,
            Self::Scrypt => 6..=11,
            Self::Bcrypt | Self::BcryptA | Self::BcryptY => 4..=31,
            Self::Sha512crypt | Self::Sha256crypt => 1000..=999_999_999,
            Self::Sha1crypt => 4..=u64::from(u32::MAX),
            Self::Sunmd5 => 0x8000..=u64::from(u32::MAX) - 0x10000,
            Self::Bsdicrypt => 1..=0xff_ffff,
            Self::Md5crypt | Self::Nt | Self::Descrypt => 0..=0,
        }
    }
}

/// An error while writing the answer to standard output.
#[derive(Debug)]
struct Unwritten(io::Error);

impl std::fmt::Display for Unwritten {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "writing the answer: {}", self.0)
    }
}

impl std::error::Error for Unwritten {}

/// Writes a part of the answer to standard output.
fn answer(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(|error| Unwritten(error).into())
}

fn main() -> ExitCode {
    let done = match Arguments::try_parse() {
        Ok(arguments) => run(arguments),
        // A mistake in the arguments.
        Err(said) if said.use_stderr() => {
            let _ = said.print();
            return ExitCode::from(2);
        }
        // The help or the version.
        Err(said) => match said.print().and_then(|()| io::stdout().flush()) {
            Ok(()) => Ok(true),
            Err(error) => Err(Unwritten(error).into()),
        },
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            let unwritten = error.downcast_ref::<Unwritten>();
            // The exit code that a shell reports for a program killed by SIGPIPE.
            if unwritten.is_some_and(|Unwritten(e)| e.kind() == io::ErrorKind::BrokenPipe) {
                return ExitCode::from(128 + 13);
            }
            let _ = writeln!(io::stderr(), "touchstone-crypt: {error:#}");
            ExitCode::from(if unwritten.is_some() { 3 } else { 2 })
        }
    }
}

fn run(arguments: Arguments) -> Result<bool> {
    match arguments.verb {
        Verb::Hash {
            new,
            setting,
            empty,
        } => {
            let setting = match setting {
                Some(setting) => setting,
                None => fresh(&new)?,
            };
            let mut output = [0; OUTPUT_SIZE];
            let hashed = hash(&phrase(true, &empty)?, setting.as_bytes(), &mut output)?;
            answer(hashed)?;
            answer("\n")?;
            Ok(true)
        }
        Verb::Verify {
            hash,
            hash_file,
            empty,
        } => {
            let stored = match (hash, hash_file) {
                (Some(hash), _) => hash,
                (None, Some(path)) => {
                    first_of(&path).with_context(|| path.display().to_string())?
                }
                (None, None) => bail!("no hash"),
            };
            // Checked before anyone has to type a phrase.
            if Method::identify(stored.as_bytes()).is_none() {
                bail!("not a hash of any method");
            }
            let right = match verify(&phrase(false, &empty)?, stored.as_bytes()) {
                Ok(()) => true,
                Err(VerifyError::WrongPhrase) => false,
                Err(error) => return Err(error.into()),
            };
            answer(if right { "right\n" } else { "wrong\n" })?;
            Ok(right)
        }
        Verb::Gensalt { new } => {
            answer(&(fresh(&new)? + "\n"))?;
            Ok(true)
        }
        Verb::Identify { hash } => identify(&hash),
        Verb::Cert {
            library,
            quick,
            here,
        } => {
            if here {
                cert::run(&library, quick)
            } else {
                cert::run_apart(&library, quick)
            }
        }
        Verb::Completions { shell } => {
            let mut command = Arguments::command();
            let mut text = Vec::new();
            clap_complete::generate(shell, &mut command, "touchstone-crypt", &mut text);
            answer(&String::from_utf8_lossy(&text))?;
            Ok(true)
        }
        Verb::Man { folder } => {
            std::fs::create_dir_all(&folder)
                .with_context(|| format!("making {}", folder.display()))?;
            clap_mangen::generate_to(Arguments::command(), &folder)
                .with_context(|| format!("writing into {}", folder.display()))?;
            Ok(true)
        }
    }
}

fn fresh(new: &New) -> Result<String> {
    let method = new.method.method();
    if new.cost != 0 && !new.method.costs().contains(&new.cost) {
        bail!("cost {} is out of range: {}", new.cost, method.cost());
    }
    let mut random = Zeroizing::new([0; 64]);
    let random = &mut random[..method.random()];
    getrandom::fill(random).context("no random bytes")?;
    let mut setting = [0; SETTING_SIZE];
    let setting = gensalt(method, new.cost, random, &mut setting)
        .with_context(|| format!("cost {}: {}", new.cost, method.cost()))?;
    Ok(setting.to_owned())
}

/// Reads the phrase. At a terminal it prompts for the phrase, and asks twice if the
/// phrase is new; otherwise it reads the first line of standard input.
fn phrase(new: bool, empty: &Empty) -> Result<Zeroizing<Vec<u8>>> {
    let phrase = if io::stdin().is_terminal() {
        let ask = |prompt| rpassword::prompt_password(prompt).map(Zeroizing::new);
        let phrase = ask("Phrase: ")?;
        if new && *ask("Again: ")? != *phrase {
            bail!("the two differ");
        }
        Zeroizing::new(phrase.as_bytes().to_vec())
    } else {
        // `Stdin` itself would keep what it reads in a buffer.
        first_line(&mut File::from(io::stdin().as_fd().try_clone_to_owned()?))?
    };
    if phrase.contains(&0) {
        bail!("a phrase cannot have a zero byte");
    }
    if phrase.is_empty() && !empty.allowed {
        bail!("the phrase is empty: say --empty if it is to be");
    }
    Ok(phrase)
}

/// The first line of a file, which may be endless, such as a device.
fn first_of(path: &Path) -> Result<String> {
    const LONGEST: u64 = 4096;
    let mut bytes = Vec::new();
    let file = File::open(path)?;
    BufReader::new(file.take(LONGEST)).read_until(b'\n', &mut bytes)?;
    if bytes.len() as u64 == LONGEST && bytes.last() != Some(&b'\n') {
        bail!("its first line is longer than any hash");
    }
    let line = String::from_utf8(bytes).context("its first line is no text")?;
    Ok(line.trim_end_matches(['\n', '\r']).to_owned())
}

/// Reads byte by byte, so that no buffer keeps a copy of the phrase.
fn first_line(input: &mut impl Read) -> Result<Zeroizing<Vec<u8>>> {
    let mut line = Zeroizing::new(Vec::with_capacity(4096));
    let mut byte = Zeroizing::new([0]);
    while input.read(&mut *byte)? == 1 && byte[0] != b'\n' {
        if line.len() == line.capacity() {
            bail!("the phrase is too long");
        }
        line.push(byte[0]);
    }
    Ok(line)
}

fn identify(hash: &str) -> Result<bool> {
    let method = Method::identify(hash.as_bytes()).filter(|_| !hash.is_empty());
    let Some(method) = method else {
        answer("of no method\n")?;
        return Ok(false);
    };
    let prefix = match method.prefix() {
        "" => String::new(),
        prefix => format!("prefix  {prefix}\n"),
    };
    let fit = if method.is_strong() {
        "fit for new hashes"
    } else {
        "for old hashes only"
    };
    answer(&format!(
        "method  {}\n{prefix}state   {fit}\ncost    {}\n",
        method.id(),
        method.cost()
    ))?;
    Ok(true)
}
