//! The messages, typed, and their form as lines.

use crate::line::bad;
use crate::{Data, Line, WireError};

/// Exactly what one timed call includes. Cells of different contracts are
/// never ranked together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Contract {
    /// The key is scheduled once; each call takes a fresh nonce and a message.
    Hot,
    /// Each call makes the object, schedules the key, does the message and
    /// destroys the object: what a caller with one message per key pays.
    Keyed,
    /// Each call schedules the other of two keys into the same object, then
    /// does the message: key agility without allocation.
    Rekeyed,
    /// Each call schedules the other of two keys and does no message: the key
    /// set-up alone.
    Setup,
    /// Like [`Contract::Keyed`], and the library finds the algorithm in each
    /// call, as for a program that never fetches it.
    Implicit,
    /// Each call does many independent messages under the scheduled key, each
    /// with a nonce of its own. In crypt(3): many phrases with one salt.
    Many,
    /// Each call schedules a key for each of many independent messages and does
    /// the messages. In crypt(3): many phrases, each with a salt of its own.
    ManyKeyed,
}

impl Contract {
    /// Every contract, in the order reports show them.
    pub const ALL: [Self; 7] = [
        Self::Hot,
        Self::Keyed,
        Self::Rekeyed,
        Self::Setup,
        Self::Implicit,
        Self::Many,
        Self::ManyKeyed,
    ];

    /// Whether a worker takes it only where its offer says so.
    pub fn is_extra(self) -> bool {
        matches!(self, Self::Implicit | Self::Many | Self::ManyKeyed)
    }

    /// Whether one call does several messages.
    pub fn is_many(self) -> bool {
        matches!(self, Self::Many | Self::ManyKeyed)
    }

    /// Its name on the wire, in the store and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Hot => "hot",
            Self::Keyed => "keyed",
            Self::Rekeyed => "rekeyed",
            Self::Setup => "setup",
            Self::Implicit => "implicit",
            Self::Many => "many",
            Self::ManyKeyed => "many-keyed",
        }
    }
}

impl std::str::FromStr for Contract {
    type Err = WireError;

    fn from_str(text: &str) -> Result<Self, WireError> {
        Self::ALL
            .into_iter()
            .find(|c| c.name() == text)
            .ok_or_else(|| bad("contract", text))
    }
}

/// What a worker drives.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Library {
    /// Its own name, as its authors write it.
    pub name: String,
    /// The version that the loaded object reports.
    pub version: String,
    /// The object that was really loaded; empty for code linked in.
    pub path: String,
    /// Licence, as an SPDX expression.
    pub licence: String,
    /// Language of the implementation.
    pub language: String,
    /// CPU features that the library says it uses, space-separated.
    pub features: String,
    /// What a reader must know: build options, provider, wrapped backend.
    pub note: String,
}

/// One primitive × operation that a worker can do.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Offer {
    /// Primitive id, such as `aes-128`.
    pub primitive: String,
    /// Operation id, such as `cbc-encrypt`.
    pub operation: String,
    /// The calls that are timed, such as `EVP_EncryptUpdate`.
    pub api: String,
    /// The kernel in use, where the library tells.
    pub kernel: String,
    /// What differs from the contract as written: an in-place interface whose
    /// copy is timed, a key set-up that cannot be kept out of the call.
    pub note: String,
    /// Contracts that it takes beyond the four that every worker takes.
    pub contracts: Vec<Contract>,
}

impl Offer {
    /// Whether cells of this contract can be opened.
    pub fn takes(&self, contract: Contract) -> bool {
        !contract.is_extra() || self.contracts.contains(&contract)
    }
}

/// One piece of work: a cell at one size, or one known answer.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Work {
    /// Primitive id.
    pub primitive: String,
    /// Operation id.
    pub operation: String,
    /// Key; empty for an operation without one.
    pub key: Data,
    /// Nonce, IV, initial counter, tweak, salt or crypt(3) setting.
    pub nonce: Data,
    /// Additional authenticated data.
    pub aad: Data,
    /// Message, ciphertext (‖ tag), or password.
    pub input: Data,
    /// Tag length in bytes, where the operation makes or checks one.
    pub tag: Option<usize>,
    /// Output length in bytes, where the caller chooses it (XOF, KDF).
    pub length: Option<usize>,
    /// Cost parameters such as `iterations`, `n`, `r`, `p`, `memory`, `rounds`.
    pub cost: Vec<(String, u64)>,
}

impl Work {
    /// A cost parameter by name.
    pub fn cost(&self, name: &str) -> Option<u64> {
        self.cost.iter().find(|(n, _)| n == name).map(|(_, v)| *v)
    }

    fn put(&self, mut line: Line) -> Line {
        line = line
            .with("primitive", &self.primitive)
            .with("operation", &self.operation);
        for (key, data) in [
            ("key", &self.key),
            ("nonce", &self.nonce),
            ("aad", &self.aad),
            ("input", &self.input),
        ] {
            line = line.with_text(key, &data.wire());
        }
        if let Some(tag) = self.tag {
            line = line.with("tag", tag);
        }
        if let Some(length) = self.length {
            line = line.with("length", length);
        }
        for (name, value) in &self.cost {
            line = line.with(&format!("cost.{name}"), value);
        }
        line
    }

    fn read(line: &Line) -> Result<Self, WireError> {
        let mut cost = Vec::new();
        for (name, value) in line.prefixed("cost.") {
            cost.push((
                name.to_owned(),
                value.parse().map_err(|_| bad(name, value))?,
            ));
        }
        Ok(Self {
            primitive: line.required("primitive")?.to_owned(),
            operation: line.required("operation")?.to_owned(),
            key: Data::read(line, "key")?,
            nonce: Data::read(line, "nonce")?,
            aad: Data::read(line, "aad")?,
            input: Data::read(line, "input")?,
            tag: line.parsed("tag")?,
            length: line.parsed("length")?,
            cost,
        })
    }
}

/// What the lab says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    /// First message. The answer is `library`, `offer`s and `ready`, or `absent`.
    Hello {
        /// [`crate::PROTOCOL`].
        protocol: u32,
        /// The shared object to load; empty for the worker's own search.
        path: String,
    },
    /// Do this work once, from nothing, and return the output.
    Check(Work),
    /// Make a cell ready for timing and keep it under `id`.
    Open {
        /// Chosen by the lab; unique among open cells.
        id: u32,
        /// What one call includes.
        contract: Contract,
        /// Whether each message takes the nonce incremented by one (big-endian).
        fresh: bool,
        /// Messages of one call; 1 unless [`Contract::is_many`].
        messages: u32,
        /// The cell's work; that of the first message where there are several.
        work: Work,
    },
    /// One sample: `warm` untimed calls, then `calls` timed ones.
    Time {
        /// The cell.
        id: u32,
        /// Timed calls; per thread where there are several.
        calls: u64,
        /// Untimed calls before them.
        warm: u64,
        /// Threads, each with an object of its own; 1 is the worker's own thread.
        threads: u32,
    },
    /// Do the open cell's work once more, with its first nonce and key.
    Run {
        /// The cell.
        id: u32,
    },
    /// Forget the cell.
    Close {
        /// The cell.
        id: u32,
    },
    /// Leave, with exit code 0.
    Bye,
}

/// What a worker says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// The library is here.
    Library(Library),
    /// One thing it can do.
    Offer(Offer),
    /// All offers are made.
    Ready,
    /// The library is not here, or cannot be used, and why.
    Absent {
        /// A sentence that says what to do.
        reason: String,
    },
    /// The output of `check`.
    Output {
        /// The bytes.
        output: Vec<u8>,
    },
    /// The library refused the input as forged; a right answer to a forgery.
    Rejected,
    /// The library does not take these parameters; not a wrong answer.
    Unsupported {
        /// What it does not take.
        reason: String,
    },
    /// The call failed although the parameters are within the offer.
    Failed {
        /// The library's error.
        reason: String,
    },
    /// The cell is open; first-call costs in nanoseconds.
    Opened {
        /// The cell.
        id: u32,
        /// Making the object.
        open_ns: u64,
        /// The first key set-up.
        key_ns: u64,
        /// The first message.
        first_ns: u64,
        /// FNV-1a of the first message's output.
        digest: u64,
    },
    /// One sample.
    Timed {
        /// The cell.
        id: u32,
        /// Wall time of the timed calls together, in nanoseconds.
        ns: u64,
    },
    /// FNV-1a of the output of `run`.
    Ran {
        /// The cell.
        id: u32,
        /// The fingerprint.
        digest: u64,
    },
    /// The cell is gone.
    Closed {
        /// The cell.
        id: u32,
    },
}

impl Request {
    /// The message as a line, without its newline.
    pub fn line(&self) -> String {
        match self {
            Self::Hello { protocol, path } => Line::new("hello")
                .with("protocol", protocol)
                .with_text("path", path),
            Self::Check(work) => work.put(Line::new("check")),
            Self::Open {
                id,
                contract,
                fresh,
                messages,
                work,
            } => {
                let mut line = Line::new("open")
                    .with("id", id)
                    .with("contract", contract.name())
                    .with("fresh", u8::from(*fresh));
                if *messages != 1 {
                    line = line.with("messages", messages);
                }
                work.put(line)
            }
            Self::Time {
                id,
                calls,
                warm,
                threads,
            } => Line::new("time")
                .with("id", id)
                .with("calls", calls)
                .with("warm", warm)
                .with("threads", threads),
            Self::Run { id } => Line::new("run").with("id", id),
            Self::Close { id } => Line::new("close").with("id", id),
            Self::Bye => Line::new("bye"),
        }
        .to_string()
    }

    /// A message from its line.
    pub fn parse(text: &str) -> Result<Self, WireError> {
        let line: Line = text.parse()?;
        let id = || number(&line, "id");
        Ok(match line.verb.as_str() {
            "hello" => Self::Hello {
                protocol: number(&line, "protocol")?,
                path: line.text("path").to_owned(),
            },
            "check" => Self::Check(Work::read(&line)?),
            "open" => Self::Open {
                id: id()?,
                contract: line.required("contract")?.parse()?,
                fresh: line.text("fresh") == "1",
                messages: match line.parsed("messages")? {
                    Some(0) => return Err(bad("messages", "0")),
                    given => given.unwrap_or(1),
                },
                work: Work::read(&line)?,
            },
            "time" => Self::Time {
                id: id()?,
                calls: number(&line, "calls")?,
                warm: line.parsed("warm")?.unwrap_or(0),
                threads: line.parsed("threads")?.unwrap_or(1),
            },
            "run" => Self::Run { id: id()? },
            "close" => Self::Close { id: id()? },
            "bye" => Self::Bye,
            _ => return Err(WireError::Verb(text.chars().take(80).collect())),
        })
    }
}

impl Reply {
    /// The message as a line, without its newline.
    pub fn line(&self) -> String {
        match self {
            Self::Library(library) => Line::new("library")
                .with("name", &library.name)
                .with_text("version", &library.version)
                .with_text("path", &library.path)
                .with_text("licence", &library.licence)
                .with_text("language", &library.language)
                .with_text("features", &library.features)
                .with_text("note", &library.note),
            Self::Offer(offer) => Line::new("offer")
                .with("primitive", &offer.primitive)
                .with("operation", &offer.operation)
                .with_text("api", &offer.api)
                .with_text("kernel", &offer.kernel)
                .with_text("note", &offer.note)
                .with_text("contracts", &names(&offer.contracts)),
            Self::Ready => Line::new("ready"),
            Self::Absent { reason } => Line::new("absent").with("reason", reason),
            Self::Output { output } => {
                Line::new("output").with_text("output", &crate::to_hex(output))
            }
            Self::Rejected => Line::new("rejected"),
            Self::Unsupported { reason } => Line::new("unsupported").with("reason", reason),
            Self::Failed { reason } => Line::new("failed").with("reason", reason),
            Self::Opened {
                id,
                open_ns,
                key_ns,
                first_ns,
                digest,
            } => Line::new("opened")
                .with("id", id)
                .with("open_ns", open_ns)
                .with("key_ns", key_ns)
                .with("first_ns", first_ns)
                .with("digest", format!("{digest:016x}")),
            Self::Timed { id, ns } => Line::new("timed").with("id", id).with("ns", ns),
            Self::Ran { id, digest } => Line::new("ran")
                .with("id", id)
                .with("digest", format!("{digest:016x}")),
            Self::Closed { id } => Line::new("closed").with("id", id),
        }
        .to_string()
    }

    /// A message from its line.
    pub fn parse(text: &str) -> Result<Self, WireError> {
        let line: Line = text.parse()?;
        let text_of = |key: &str| line.text(key).to_owned();
        let reason = || text_of("reason");
        let digest = || {
            let value = line.required("digest")?;
            u64::from_str_radix(value, 16).map_err(|_| bad("digest", value))
        };
        Ok(match line.verb.as_str() {
            "library" => Self::Library(Library {
                name: line.required("name")?.to_owned(),
                version: text_of("version"),
                path: text_of("path"),
                licence: text_of("licence"),
                language: text_of("language"),
                features: text_of("features"),
                note: text_of("note"),
            }),
            "offer" => Self::Offer(Offer {
                primitive: line.required("primitive")?.to_owned(),
                operation: line.required("operation")?.to_owned(),
                api: text_of("api"),
                kernel: text_of("kernel"),
                note: text_of("note"),
                // Those of a later lab are none of ours.
                contracts: line
                    .text("contracts")
                    .split(',')
                    .filter_map(|name| name.parse().ok())
                    .collect(),
            }),
            "ready" => Self::Ready,
            "absent" => Self::Absent { reason: reason() },
            "output" => Self::Output {
                output: Data::read(&line, "output")?.to_vec(),
            },
            "rejected" => Self::Rejected,
            "unsupported" => Self::Unsupported { reason: reason() },
            "failed" => Self::Failed { reason: reason() },
            "opened" => Self::Opened {
                id: number(&line, "id")?,
                open_ns: line.parsed("open_ns")?.unwrap_or(0),
                key_ns: line.parsed("key_ns")?.unwrap_or(0),
                first_ns: line.parsed("first_ns")?.unwrap_or(0),
                digest: digest()?,
            },
            "timed" => Self::Timed {
                id: number(&line, "id")?,
                ns: number(&line, "ns")?,
            },
            "ran" => Self::Ran {
                id: number(&line, "id")?,
                digest: digest()?,
            },
            "closed" => Self::Closed {
                id: number(&line, "id")?,
            },
            _ => return Err(WireError::Verb(text.chars().take(80).collect())),
        })
    }
}

fn names(contracts: &[Contract]) -> String {
    contracts
        .iter()
        .map(|contract| contract.name())
        .collect::<Vec<_>>()
        .join(",")
}

fn number<T: std::str::FromStr>(line: &Line, key: &'static str) -> Result<T, WireError> {
    line.parsed(key)?.ok_or(WireError::Missing(key))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn work() -> Work {
        Work {
            primitive: "aes-128".into(),
            operation: "gcm-encrypt".into(),
            key: Data::Bytes(vec![7; 16]),
            nonce: Data::Bytes(vec![0; 12]),
            aad: Data::default(),
            input: Data::Painted(1350),
            tag: Some(16),
            length: None,
            cost: vec![("iterations".into(), 1000)],
        }
    }

    #[test]
    fn requests_survive_the_wire() {
        let requests = [
            Request::Hello {
                protocol: 1,
                path: "/opt/my libs/libcrypto.so.3".into(),
            },
            Request::Check(work()),
            Request::Open {
                id: 9,
                contract: Contract::Rekeyed,
                fresh: true,
                messages: 1,
                work: work(),
            },
            Request::Open {
                id: 10,
                contract: Contract::ManyKeyed,
                fresh: true,
                messages: 64,
                work: work(),
            },
            Request::Time {
                id: 9,
                calls: 1 << 40,
                warm: 3,
                threads: 2,
            },
            Request::Run { id: 9 },
            Request::Close { id: 9 },
            Request::Bye,
        ];
        for request in requests {
            assert_eq!(Request::parse(&request.line()), Ok(request));
        }
    }

    #[test]
    fn replies_survive_the_wire() {
        let replies = [
            Reply::Library(Library {
                name: "OpenSSL".into(),
                version: "3.0.19 of 27 Jan 2026".into(),
                ..Library::default()
            }),
            Reply::Offer(Offer {
                primitive: "sha-256".into(),
                operation: "hash".into(),
                kernel: "sha-ni".into(),
                contracts: vec![Contract::Implicit, Contract::Many],
                ..Offer::default()
            }),
            Reply::Ready,
            Reply::Absent {
                reason: "no libbotan-2.so.19; apt-get install libbotan-2-19".into(),
            },
            Reply::Output { output: vec![] },
            Reply::Output {
                output: vec![0, 255],
            },
            Reply::Rejected,
            Reply::Unsupported {
                reason: "tag".into(),
            },
            Reply::Failed { reason: "x".into() },
            Reply::Opened {
                id: 1,
                open_ns: 2,
                key_ns: 3,
                first_ns: 4,
                digest: u64::MAX,
            },
            Reply::Timed { id: 1, ns: 50_000 },
            Reply::Ran { id: 1, digest: 0 },
            Reply::Closed { id: 1 },
        ];
        for reply in replies {
            assert_eq!(Reply::parse(&reply.line()), Ok(reply));
        }
    }

    #[test]
    fn every_contract_survives_the_wire_and_an_unknown_one_is_no_offer() {
        for contract in Contract::ALL {
            assert_eq!(contract.name().parse(), Ok(contract));
        }
        let line = "offer primitive=sha-256 operation=hash contracts=many,psychic";
        let Ok(Reply::Offer(offer)) = Reply::parse(line) else {
            panic!("{line}");
        };
        assert_eq!(offer.contracts, [Contract::Many]);
        assert!(offer.takes(Contract::Setup) && !offer.takes(Contract::Implicit));
        let none = "open id=1 contract=many messages=0 primitive=sha-256 operation=hash";
        assert!(Request::parse(none).is_err());
    }

    #[test]
    fn a_reply_without_its_fields_is_an_error() {
        for text in [
            "opened",
            "timed id=1",
            "timed id=1 ns=fast",
            "library",
            "ran id=1 digest=xyz",
        ] {
            assert!(Reply::parse(text).is_err(), "{text}");
        }
    }
}
