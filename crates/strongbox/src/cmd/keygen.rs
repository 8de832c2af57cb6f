//! `strongbox keygen`.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;

use serde_json::{Value, json};
use strongbox::{
    Costs, KeyKind, Limits, Passphrase, Randomness, Recipient, SealOptions, SecretKey, SigningKey,
    Source, System, armor, text,
};
use zeroize::Zeroizing;

use super::Common;
use super::output::Output;
use super::report::{Done, Failure};
use super::secrets::{self, PassphraseSource};

/// The most memory that is measured, in KiB: `open` refuses a file that asks for more.
const LARGEST: i64 = 2 << 20;

/// Make a key, a passphrase, or measure the costs of Argon2.
///
/// Without options, a key of X25519 and ML-KEM-768 is made. Its first line is the recipient, for
/// others; the rest is secret. age 1.3 and newer read the same keys.
#[derive(clap::Args)]
pub(super) struct Keygen {
    /// The file to write, which only you can read; by default standard output.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace the file, if it exists.
    #[arg(long, short, requires = "output")]
    force: bool,
    /// Make a key of X25519 alone, which all versions of age read.
    #[arg(long, conflicts_with_all = ["sign", "public", "phrase", "calibrate"])]
    x25519: bool,
    /// Make a key to sign files with.
    #[arg(long, conflicts_with_all = ["public", "phrase", "calibrate"])]
    sign: bool,
    /// Seal the key by a passphrase, which is asked for.
    #[arg(long, conflicts_with_all = ["public", "phrase", "calibrate"])]
    passphrase: bool,
    /// Seal the key by a passphrase from the first line of a file.
    #[arg(long, value_name = "FILE",
        conflicts_with_all = ["passphrase", "public", "phrase", "calibrate"])]
    passphrase_file: Option<PathBuf>,
    /// The costs of Argon2 for the key's passphrase, from --calibrate; by default they are measured
    /// now, so that they take about a second on this machine.
    #[arg(long, value_name = "COSTS", env = "STRONGBOX_KDF")]
    kdf: Option<Costs>,
    /// Print the public keys of a file of secret keys.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["output", "phrase", "calibrate"])]
    public: Option<PathBuf>,
    /// Print a new passphrase of 96 random bits.
    #[arg(long, conflicts_with_all = ["output", "calibrate"])]
    phrase: bool,
    /// Print costs of Argon2 that take about a second on this machine, for --kdf.
    #[arg(long, conflicts_with = "output")]
    calibrate: bool,
    /// The memory for costs that are measured, in KiB.
    #[arg(long, value_name = "KIB", default_value_t = Costs::default().memory,
        value_parser = clap::value_parser!(u32).range(8..=LARGEST))]
    memory: u32,
}

impl Keygen {
    pub(super) fn run(&self, common: &Common) -> Result<Done, Failure> {
        let answer = |text: String, json| Done {
            text,
            json,
            answer: true,
            taken: false,
        };
        if self.phrase {
            let phrase = phrase(&mut System::new()?)?;
            return Ok(answer(
                format!("{}\n", *phrase),
                json!({ "phrase": *phrase }),
            ));
        }
        if self.calibrate {
            let costs = calibrate(self.memory)?;
            return Ok(answer(format!("{costs}\n"), costs_json(costs)));
        }
        if let Some(path) = &self.public {
            let keys = secrets::read_keys(path, &PassphraseSource::default())?;
            let secrets = keys
                .secrets
                .iter()
                .filter_map(|key| text::recipient(&key.recipient()));
            let senders = keys.senders.iter().map(|key| text::sender(&key.sender()));
            let all: Vec<String> = secrets.chain(senders).collect();
            let lines = all.iter().map(|key| format!("{key}\n")).collect();
            return Ok(answer(lines, json!({ "public": all })));
        }
        self.key(common)
    }

    fn key(&self, common: &Common) -> Result<Done, Failure> {
        let mut random = System::new()?;
        let (public, secret) = if self.sign {
            let key = SigningKey::random(&mut random)?;
            (text::sender(&key.sender()), Some(text::signing_key(&key)))
        } else {
            let kind = if self.x25519 {
                KeyKind::X25519
            } else {
                KeyKind::Hybrid
            };
            let key = SecretKey::random(kind, &mut random)?;
            let public = text::recipient(&key.recipient()).unwrap_or_default();
            (public, text::secret(&key))
        };
        let secret = secret.unwrap_or_default();
        let content = Zeroizing::new(format!("# public key: {public}\n{}\n", *secret));
        let source = PassphraseSource::from_file(self.passphrase_file.clone());
        let (text, costs) = if self.passphrase || self.passphrase_file.is_some() {
            // Before the passphrase is asked for, so that nobody waits twice.
            let costs = self.kdf.map_or_else(|| calibrate(self.memory), Ok)?;
            let text = sealed(&content, &source, costs, &mut random)?;
            (Zeroizing::new(text), Some(costs))
        } else {
            (content, None)
        };
        if let Some(path) = &self.output {
            let output = Output::create(path, self.force)?;
            let mut writer = output.file();
            writer.write_all(text.as_bytes())?;
            output.finish(None)?;
        } else if !common.json {
            let mut out = io::stdout().lock();
            out.write_all(text.as_bytes())?;
            out.flush()?;
        }
        let mut json = json!({
            "public": public,
            "output": self.output,
            "kdf": costs.map(costs_json),
        });
        if self.output.is_none() {
            json["key"] = (*text).clone().into();
        }
        let mut shown = String::new();
        if self.output.is_some() {
            if let Some(costs) = costs {
                let _ = writeln!(shown, "Argon2id: {costs}");
            }
            let _ = writeln!(shown, "public key: {public}");
        }
        Ok(Done {
            text: shown,
            json,
            answer: false,
            taken: false,
        })
    }
}

/// Seals a key, as text.
fn sealed(
    content: &str,
    source: &PassphraseSource,
    costs: Costs,
    random: &mut dyn Randomness,
) -> Result<String, Failure> {
    let phrase = source.get("New passphrase for the key", true)?;
    let options = SealOptions::new(vec![Recipient::Passphrase(phrase, None, costs)]);
    let mut writer = armor::Writer::new(Vec::new());
    let mut content = content.as_bytes();
    strongbox::seal(
        Source::Stream(&mut content),
        &mut writer,
        &options,
        random,
        &mut |_| Ok(()),
    )?;
    Ok(String::from_utf8_lossy(&writer.finish()?).into_owned())
}

/// Makes a passphrase, and shows it to the person at the terminal.
pub(super) fn show_phrase(_: &Common) -> Result<Passphrase, Failure> {
    let phrase = phrase(&mut System::new()?)?;
    let mut out = io::stderr().lock();
    writeln!(out, "passphrase: {}", *phrase)?;
    Ok(Passphrase::new(phrase.as_bytes()))
}

/// Makes a passphrase of 96 random bits that can be spoken: six words of two syllables, 16 bits
/// each, by D. Wilkerson's proquints (arXiv:0901.4016).
fn phrase(random: &mut dyn Randomness) -> Result<Zeroizing<String>, Failure> {
    let mut bytes = Zeroizing::new([0; 12]);
    random.fill(&mut bytes[..])?;
    let mut phrase = Zeroizing::new(String::with_capacity(36));
    for pair in bytes.as_chunks::<2>().0 {
        if !phrase.is_empty() {
            phrase.push('-');
        }
        let number = u16::from_be_bytes(*pair);
        for (shift, letters) in [
            (12, "bdfghjklmnprstvz"),
            (10, "aiou"),
            (6, "bdfghjklmnprstvz"),
            (4, "aiou"),
            (0, "bdfghjklmnprstvz"),
        ] {
            let place = usize::from(number >> shift) % letters.len();
            phrase.push(char::from(letters.as_bytes()[place]));
        }
    }
    Ok(phrase)
}

fn costs_json(costs: Costs) -> Value {
    json!({ "memory": costs.memory, "passes": costs.passes, "lanes": costs.lanes })
}

/// Measures one pass over the memory, and returns costs of a second.
fn calibrate(memory: u32) -> Result<Costs, Failure> {
    let mut random = System::new()?;
    let costs = Costs {
        passes: 1,
        memory,
        lanes: 1,
    };
    let mut fastest = f64::INFINITY;
    for _ in 0..3 {
        let recipient = Recipient::Passphrase(Passphrase::new(*b"calibration"), None, costs);
        let options = SealOptions::new(vec![recipient]);
        let start = Instant::now();
        strongbox::seal(
            Source::Stream(&mut io::empty()),
            &mut io::sink(),
            &options,
            &mut random,
            &mut |_| super::signals::check(),
        )?;
        fastest = fastest.min(start.elapsed().as_secs_f64());
    }
    Ok(Costs {
        passes: passes(fastest, memory),
        ..costs
    })
}

/// Returns how many passes of this time in seconds fit into a second. There are no fewer than by
/// default, also on a slow or busy machine, unless more memory makes up for them; and no more than
/// `open` accepts without being asked.
fn passes(seconds: f64, memory: u32) -> u32 {
    let usual = Costs::default();
    let least = (usual.passes * usual.memory / memory).clamp(1, usual.passes);
    let most = Limits::default().work / u64::from(memory);
    // A number that is too large becomes the largest.
    ((1.0 / seconds) as u32).clamp(least, most as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the paper: 127.0.0.1 is lusab-babad.
    struct Localhost;

    impl Randomness for Localhost {
        fn fill(&mut self, output: &mut [u8]) -> strongbox::Result<()> {
            for (place, byte) in output.iter_mut().enumerate() {
                *byte = [127, 0, 0, 1][place % 4];
            }
            Ok(())
        }
    }

    #[test]
    fn passes_fill_a_second_within_bounds() {
        let memory = Costs::default().memory;
        assert_eq!(passes(0.099, memory), 10);
        // A machine that needs longer than a second for the default gets the default.
        assert_eq!(passes(2.0, memory), Costs::default().passes);
        // More memory makes up for passes.
        assert_eq!(passes(2.0, 2 * memory), 1);
        // `open` accepts what is chosen, for any memory and any speed.
        let limits = Limits::default();
        assert_eq!(limits.memory, LARGEST as u64);
        for memory in [8, 1024, memory, LARGEST as u32] {
            for seconds in [0.0, 1e-9, 0.02, 5.0] {
                let passes = passes(seconds, memory);
                assert!(passes >= 1 && u64::from(passes) * u64::from(memory) <= limits.work);
            }
        }
    }

    #[test]
    fn phrases_are_proquints() {
        let phrase = phrase(&mut Localhost).unwrap();
        assert_eq!(*phrase, "lusab-babad-lusab-babad-lusab-babad");
    }
}
