//! A workload says what a program does with cryptography: which operations, at which
//! message lengths, how often, and how many messages share a key. Workloads are TOML
//! files; the named ones are in `data/workloads/`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context, ensure};
use serde::{Deserialize, Serialize};

use crate::wanted::plain;
use crate::{catalogue, operations};

/// The workloads that come with the lab: name and text.
pub const NAMED: [(&str, &str); 8] = [
    (
        "tls-server",
        include_str!("../data/workloads/tls-server.toml"),
    ),
    ("disk", include_str!("../data/workloads/disk.toml")),
    (
        "tiny-messages-new-keys",
        include_str!("../data/workloads/tiny-messages-new-keys.toml"),
    ),
    (
        "password-check",
        include_str!("../data/workloads/password-check.toml"),
    ),
    (
        "bulk-archive",
        include_str!("../data/workloads/bulk-archive.toml"),
    ),
    (
        "record-cost-1998",
        include_str!("../data/workloads/record-cost-1998.toml"),
    ),
    (
        "embedded-small",
        include_str!("../data/workloads/embedded-small.toml"),
    ),
    (
        "legacy-migration",
        include_str!("../data/workloads/legacy-migration.toml"),
    ),
];

/// One workload.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Workload {
    /// The name for people: one of [`NAMED`], or the file's name without its ending.
    #[serde(skip)]
    pub name: String,
    /// What the program is, such as "A TLS 1.3 server".
    pub title: String,
    /// What the cost is given for, such as "connection".
    #[serde(default = "message")]
    pub unit: String,
    /// Where the parts and their numbers come from; `assumed` for numbers without a source.
    pub source: String,
    /// The parts of a unit.
    #[serde(rename = "part")]
    pub parts: Vec<Part>,
}

/// Messages that are treated alike.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Part {
    /// What the messages are, such as "records sent".
    pub what: String,
    /// The algorithms that serve the part. Parts with the same list use the same algorithm,
    /// because the two ends of a connection agree on one.
    pub algorithms: Vec<Algorithm>,
    /// Which way the messages go, if an algorithm is given by its mode.
    #[serde(default)]
    pub direction: Direction,
    /// Message lengths in bytes, with their shares of the messages in any unit.
    #[serde(default, deserialize_with = "sizes")]
    pub sizes: Vec<(u64, f64)>,
    /// Messages of the part in one unit of the workload.
    #[serde(default = "one")]
    pub messages: f64,
    /// Messages under one key. If absent, the key is set up once and its cost is left out.
    pub messages_per_key: Option<f64>,
    /// Threads that work at the same time.
    #[serde(default = "one_thread")]
    pub threads: u32,
}

/// A primitive with a mode or an operation: `aes-128 gcm`, `aes-128 gcm-encrypt`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct Algorithm {
    /// Primitive id.
    pub primitive: String,
    /// The forward operation's id.
    operation: String,
    /// Whether the algorithm was given by its mode, so that the part's direction applies.
    by_mode: bool,
}

/// Which way messages go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// Each message is encrypted, or whatever the mode's first operation does.
    #[default]
    Encrypt,
    /// Each message is decrypted.
    Decrypt,
    /// Each message is encrypted and later decrypted.
    Both,
}

fn message() -> String {
    "message".into()
}

fn one() -> f64 {
    1.0
}

fn one_thread() -> u32 {
    1
}

fn sizes<'de, D: serde::Deserializer<'de>>(table: D) -> Result<Vec<(u64, f64)>, D::Error> {
    let table = BTreeMap::<String, f64>::deserialize(table)?;
    let mut sizes = Vec::new();
    for (bytes, weight) in table {
        let length = bytes.parse().map_err(|_| {
            serde::de::Error::custom(format!("the size {bytes:?} is not a number of bytes"))
        })?;
        sizes.push((length, weight));
    }
    sizes.sort_by_key(|(bytes, _)| *bytes);
    Ok(sizes)
}

impl TryFrom<String> for Algorithm {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let unknown = || {
            format!(
                "{text:?} is not PRIMITIVE MODE (aes-128 gcm) or PRIMITIVE OPERATION (sha-256 hash)"
            )
        };
        let (primitive, name) = text.split_once(' ').ok_or_else(unknown)?;
        let by_mode = operations::find(name).is_none();
        let operation = if by_mode {
            format!("{name}-encrypt")
        } else {
            name.to_owned()
        };
        let known = operations::find(&operation).ok_or_else(unknown)?;
        if catalogue::family(primitive) != known.family {
            return Err(unknown());
        }
        Ok(Self {
            primitive: primitive.to_owned(),
            operation,
            by_mode,
        })
    }
}

impl From<Algorithm> for String {
    fn from(algorithm: Algorithm) -> Self {
        algorithm.to_string()
    }
}

impl std::fmt::Display for Algorithm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let operation = match self.by_mode {
            true => catalogue::stem(&self.operation),
            false => &self.operation,
        };
        write!(f, "{} {operation}", self.primitive)
    }
}

impl Algorithm {
    /// The algorithm that a user wrote in any spelling (`AES-256-GCM`, `aes256 gcm`), among
    /// the algorithms `primitive operation` that are known. `Err` has similar ones.
    pub fn find<'a>(
        text: &str,
        known: impl Iterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, Vec<String>> {
        if let Ok(exact) = Self::try_from(text.to_owned()) {
            return Ok(exact);
        }
        let wanted = plain(text);
        let mut similar = Vec::new();
        for (primitive, operation) in known {
            let mode = catalogue::stem(operation);
            let by_mode = Self::try_from(format!("{primitive} {mode}"));
            let Ok(found) = by_mode.or_else(|_| Self::try_from(format!("{primitive} {operation}")))
            else {
                continue;
            };
            let exact = Self::try_from(format!("{primitive} {operation}"));
            if plain(&format!("{primitive}{operation}")) == wanted
                && let Ok(exact) = exact
            {
                return Ok(exact);
            }
            // The name of a family is usually not said: SHA-256, ChaCha20-Poly1305.
            let unsaid = catalogue::family(primitive) != "block" && plain(primitive) == wanted;
            if unsaid || plain(&found.to_string()) == wanted {
                return Ok(found);
            }
            let name = plain(&found.to_string());
            if name.contains(&wanted) || wanted.starts_with(&plain(primitive)) {
                similar.push(found.to_string());
            }
        }
        similar.sort();
        similar.dedup();
        Err(similar)
    }

    /// The ids of the operations that a message goes through.
    pub fn operations(&self, direction: Direction) -> Vec<&str> {
        let forward = self.operation.as_str();
        // A mode whose decryption is the same function has no inverse.
        let inverse = operations::inverse(forward).unwrap_or(forward);
        match direction {
            Direction::Decrypt if self.by_mode => vec![inverse],
            Direction::Both if self.by_mode => vec![forward, inverse],
            _ => vec![forward],
        }
    }
}

impl Part {
    /// The ids of the operations that a message goes through with one of the algorithms.
    pub fn operations<'a>(&self, algorithm: &'a Algorithm) -> Vec<&'a str> {
        algorithm.operations(self.direction)
    }

    fn check(&self) -> anyhow::Result<()> {
        ensure!(!self.algorithms.is_empty(), "it needs an algorithm");
        let positive = |value: f64| value.is_finite() && value > 0.0;
        ensure!(positive(self.messages), "messages must be above 0");
        ensure!(
            self.messages_per_key
                .is_none_or(|n| n.is_finite() && n >= 1.0),
            "messages-per-key must be at least 1"
        );
        ensure!(self.threads > 0, "threads must be above 0");
        ensure!(
            self.sizes.iter().all(|(_, weight)| positive(*weight)),
            "the weights of sizes must be above 0"
        );
        for algorithm in &self.algorithms {
            for operation in self.operations(algorithm) {
                if catalogue::is_per_call(operation) {
                    continue;
                }
                ensure!(!self.sizes.is_empty(), "{algorithm} needs sizes");
                for (bytes, _) in &self.sizes {
                    ensure!(
                        catalogue::takes(&algorithm.primitive, operation, *bytes as usize),
                        "{} {operation} takes no message of {bytes} bytes",
                        algorithm.primitive
                    );
                }
            }
        }
        Ok(())
    }
}

impl Workload {
    /// A named workload.
    pub fn named(name: &str) -> anyhow::Result<Self> {
        let known = NAMED.iter().find(|(known, _)| *known == name);
        let (name, text) = known.with_context(|| {
            let names = NAMED.map(|(name, _)| name).join(", ");
            format!(
                "no workload is called {name:?}; there are {names}; --file FILE reads your own, and \
                 --algorithm NAME asks for an algorithm"
            )
        })?;
        Self::parse(name, text)
    }

    /// A workload from a file.
    pub fn open(path: &Path) -> anyhow::Result<Self> {
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("reading the workload {}", path.display()))?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        Self::parse(&stem, &text).with_context(|| format!("in the workload {}", path.display()))
    }

    /// A workload from its text.
    pub fn parse(name: &str, text: &str) -> anyhow::Result<Self> {
        let mut workload: Self = toml::from_str(text)?;
        workload.name = name.to_owned();
        workload.check()?;
        Ok(workload)
    }

    /// Fails if a number is impossible, or if an algorithm does not take a length.
    pub fn check(&self) -> anyhow::Result<()> {
        ensure!(!self.parts.is_empty(), "a workload needs a [[part]]");
        for part in &self.parts {
            part.check().with_context(|| part.what.clone())?;
        }
        Ok(())
    }

    /// The number of messages in a unit.
    pub fn messages(&self) -> f64 {
        self.parts.iter().map(|part| part.messages).sum()
    }

    /// Primitive and operation of everything that the workload may do.
    pub fn algorithms(&self) -> BTreeSet<(&str, &str)> {
        let mut all = BTreeSet::new();
        for part in &self.parts {
            for algorithm in &part.algorithms {
                let operations = part.operations(algorithm).into_iter();
                all.extend(operations.map(|one| (algorithm.primitive.as_str(), one)));
            }
        }
        all
    }

    /// The lists of algorithms, each once. A library chooses one algorithm of each list.
    pub fn choices(&self) -> Vec<&[Algorithm]> {
        let mut lists: Vec<&[Algorithm]> = Vec::new();
        for part in &self.parts {
            if !lists.contains(&part.algorithms.as_slice()) {
                lists.push(&part.algorithms);
            }
        }
        lists
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_named_workloads_parse_and_name_their_sources() {
        for (name, _) in NAMED {
            let workload = Workload::named(name).unwrap();
            assert!(!workload.source.is_empty() && !workload.title.is_empty());
        }
    }

    #[test]
    fn a_direction_is_for_modes_alone() {
        let of = |text: &str| Algorithm::try_from(text.to_owned()).unwrap();
        let gcm = of("aes-128 gcm");
        assert_eq!(gcm.operations(Direction::Encrypt), ["gcm-encrypt"]);
        assert_eq!(gcm.operations(Direction::Decrypt), ["gcm-decrypt"]);
        let both = gcm.operations(Direction::Both);
        assert_eq!(both, ["gcm-encrypt", "gcm-decrypt"]);
        let exact = of("aes-128 gcm-encrypt");
        assert_eq!(exact.operations(Direction::Decrypt), ["gcm-encrypt"]);
        let counter = of("aes-128 ctr");
        assert_eq!(counter.operations(Direction::Decrypt), ["ctr-encrypt"]);
        assert_eq!(gcm.to_string(), "aes-128 gcm");
        for bad in ["aes-128", "aes-128 hash", "sha-256 gcm", "no-such hash", ""] {
            assert!(Algorithm::try_from(bad.to_owned()).is_err(), "{bad}");
        }
    }

    #[test]
    fn algorithms_are_found_in_any_spelling() {
        let known = [
            ("aes-256", "gcm-encrypt"),
            ("aes-256", "gcm-decrypt"),
            ("sha-256", "hash"),
            ("chacha20-poly1305", "aead-encrypt"),
        ];
        let find = |text| Algorithm::find(text, known.into_iter());
        for spelling in ["AES-256-GCM", "aes256gcm", "AES 256 gcm"] {
            assert_eq!(find(spelling).unwrap().to_string(), "aes-256 gcm");
        }
        let exact = find("AES-256 GCM decrypt").unwrap();
        assert_eq!(exact.operations(Direction::Encrypt), ["gcm-decrypt"]);
        assert_eq!(find("SHA256").unwrap().to_string(), "sha-256 hash");
        let aead = find("ChaCha20-Poly1305").unwrap();
        assert_eq!(aead.to_string(), "chacha20-poly1305 aead");
        assert_eq!(find("aes-256").unwrap_err(), ["aes-256 gcm"]);
        assert!(find("xyzzy").unwrap_err().is_empty());
    }

    #[test]
    fn mistakes_in_a_workload_are_explained() {
        let text = "title = \"t\"\nsource = \"assumed\"\n[[part]]\nwhat = \"w\"\n\
                    algorithms = [\"aes-128 cbc\"]\nsizes = { 16 = 1, 64 = 2 }\n";
        let workload = Workload::parse("x", text).unwrap();
        assert_eq!(workload.parts[0].sizes, [(16, 1.0), (64, 2.0)]);
        for (from, to, said) in [
            ("16 =", "15 =", "15 bytes"),
            ("16 =", "many =", "many"),
            ("= 2", "= 0", "weights"),
            ("sizes = { 16 = 1, 64 = 2 }", "", "needs sizes"),
            ("what", "messages-per-key = 0\nwhat", "messages-per-key"),
            ("what", "keys = 0\nwhat", "keys"),
            ("aes-128 cbc", "aes-128 hash", "aes-128 hash"),
        ] {
            let error = Workload::parse("x", &text.replacen(from, to, 1)).unwrap_err();
            assert!(format!("{error:#}").contains(said), "{error:#}");
        }
    }
}
