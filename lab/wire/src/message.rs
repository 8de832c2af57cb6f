//! The messages, typed, and their form as lines.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Deserializer, Serialize};

use crate::{Data, Fields, MOST_MESSAGES, MOST_THREADS, Vary, Work};

/// The reason why a line is not a message of the protocol.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct WireError(String);

impl WireError {
    /// The longest reason, in characters.
    const LONGEST: usize = 200;

    pub(crate) fn new(reason: impl fmt::Display) -> Self {
        Self(reason.to_string().chars().take(Self::LONGEST).collect())
    }
}

/// Exactly what one timed call includes. Cells of different contracts are
/// never ranked together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Contract {
    /// The key is scheduled once; each call processes a message with a fresh nonce.
    Hot,
    /// Each call makes the object, schedules the key, processes the message and destroys
    /// the object. This is the cost for a caller that has one message for each key.
    Keyed,
    /// Each call schedules the other one of two keys into the same object, and then
    /// processes the message. This is the cost of a change of keys without allocation.
    Rekeyed,
    /// Each call schedules the other one of two keys and processes no message. This is
    /// the cost of the key set-up alone.
    Setup,
    /// Like [`Contract::Keyed`], but the library looks up the algorithm in each call, as
    /// in a program that does not look it up once before.
    Implicit,
    /// Each call processes many independent messages under the scheduled key. Each
    /// message has its own nonce. In crypt(3): many phrases with one salt.
    Many,
    /// Each call processes many independent messages, and schedules a separate key for
    /// each message. In crypt(3): many phrases, each with a salt of its own.
    ManyKeyed,
    /// Like [`Contract::Hot`], but the output is written over the message. The message of
    /// the next call is this output.
    InPlace,
    /// Like [`Contract::Hot`], but each message is the output of the previous call, so no
    /// call can begin before the previous call has ended.
    Latency,
}

impl Contract {
    /// Every contract, in the order of reports.
    pub const ALL: [Self; 9] = [
        Self::Hot,
        Self::Keyed,
        Self::Rekeyed,
        Self::Setup,
        Self::Implicit,
        Self::Many,
        Self::ManyKeyed,
        Self::InPlace,
        Self::Latency,
    ];

    /// Returns whether a worker accepts cells of this contract only if its offer names the
    /// contract.
    pub fn is_extra(self) -> bool {
        matches!(
            self,
            Self::Implicit | Self::Many | Self::ManyKeyed | Self::InPlace
        )
    }

    /// Returns whether the next message is made of the output of the previous message.
    pub fn is_chain(self) -> bool {
        matches!(self, Self::InPlace | Self::Latency)
    }

    /// Returns whether one call processes several messages.
    pub fn is_many(self) -> bool {
        matches!(self, Self::Many | Self::ManyKeyed)
    }

    /// Returns the contract's name in the protocol, in the store and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Hot => "hot",
            Self::Keyed => "keyed",
            Self::Rekeyed => "rekeyed",
            Self::Setup => "setup",
            Self::Implicit => "implicit",
            Self::Many => "many",
            Self::ManyKeyed => "many-keyed",
            Self::InPlace => "in-place",
            Self::Latency => "latency",
        }
    }
}

impl std::str::FromStr for Contract {
    type Err = WireError;

    fn from_str(text: &str) -> Result<Self, WireError> {
        Self::ALL
            .into_iter()
            .find(|c| c.name() == text)
            .ok_or_else(|| {
                let names: Vec<&str> = Self::ALL.iter().map(|contract| contract.name()).collect();
                let names = names.join(", ");
                WireError::new(format_args!(
                    "no contract is called {text:?}; there are {names}"
                ))
            })
    }
}

/// Facts about the library that a worker calls.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Library {
    /// The library's name, as its authors write it.
    pub name: String,
    /// The version that the loaded object reports.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub version: String,
    /// The path of the shared object that was really loaded; empty if the library is
    /// linked into the worker.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub path: String,
    /// The library's licence, as an SPDX expression.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub licence: String,
    /// The language in which the library is written.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub language: String,
    /// The CPU features that the library says it uses, separated by spaces.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub features: String,
    /// Facts that a reader of the report must know: build options, provider, or the
    /// library that does the work behind this one.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// Why the library is slower here than its own code can be, such as `built without
    /// assembly`; empty if no reason is known.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub handicap: String,
}

/// One primitive × operation that a worker can do.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Offer {
    /// The primitive's id, such as `aes-128`.
    pub primitive: String,
    /// The operation's id, such as `cbc-encrypt`.
    pub operation: String,
    /// The calls that are timed, such as `EVP_EncryptUpdate`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub api: String,
    /// The kernel (the code for this CPU) in use, if the library tells its name.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub kernel: String,
    /// Differences from the text of the contract: for example, a copy is timed because
    /// the interface works in place, or each call includes the key set-up.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// Contracts for which cells can be opened, besides the five contracts that every
    /// worker must accept.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "known")]
    pub contracts: Vec<Contract>,
}

impl Offer {
    /// Returns the same offer; if `can` is true, it also accepts this contract.
    #[must_use]
    pub fn taking(mut self, contract: Contract, can: bool) -> Self {
        self.contracts.extend(can.then_some(contract));
        self
    }

    /// Returns whether cells of this contract can be opened.
    pub fn takes(&self, contract: Contract) -> bool {
        !contract.is_extra() || self.contracts.contains(&contract)
    }
}

/// A message from the lab to a worker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "message", rename_all = "kebab-case")]
pub enum Request {
    /// First message. The answer is `library`, `offer`s and `ready`, or `absent`.
    Hello {
        /// The version of the protocol: [`crate::PROTOCOL`].
        protocol: u32,
        /// The shared object to load; if empty, the worker searches for the library
        /// itself.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        path: String,
    },
    /// Asks the worker to do this work once with a new object, and to return the outputs.
    Check {
        /// The work to do.
        work: Work,
    },
    /// Asks the worker to make a cell ready for timing, and to keep it under `id`.
    Open {
        /// The number of the cell, which the lab chooses. It is unique among open cells.
        id: u32,
        /// The contract, which says what one call includes.
        contract: Contract,
        /// Number of messages in one call; 1 unless [`Contract::is_many`].
        #[serde(default = "one")]
        messages: u32,
        /// How each message differs from message 0.
        #[serde(default, skip_serializing_if = "Vary::is_empty")]
        vary: Vary,
        /// Inputs of the second key, for contracts that alternate between two keys.
        #[serde(default, skip_serializing_if = "Fields::is_empty")]
        second: Fields,
        /// The cell's work; if a call has several messages, the work of the first
        /// message.
        work: Work,
    },
    /// Asks the worker for one sample: `warm` calls without timing, then `calls` timed calls.
    Time {
        /// The number of the cell.
        id: u32,
        /// Number of timed calls; with several threads, the number for each thread.
        calls: u64,
        /// Number of calls without timing, before the timed calls.
        #[serde(default)]
        warm: u64,
        /// Number of threads, each with its own object. 1 means the worker's own thread.
        #[serde(default = "one")]
        threads: u32,
        /// The CPUs for the threads: thread n runs on CPU n of the list, and after the
        /// last CPU the list starts again. If the list is empty, the threads stay on the
        /// worker's CPU.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        cpus: Vec<usize>,
        /// Whether the answer must contain the fingerprint of the last call's outputs.
        /// Not for several threads.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        digest: bool,
    },
    /// Asks the worker to do the open cell's work once more, with its first nonce and key.
    Run {
        /// The number of the cell.
        id: u32,
    },
    /// Asks the worker to remove the cell.
    Close {
        /// The number of the cell.
        id: u32,
    },
    /// Asks the worker to end its process with exit code 0.
    Bye,
}

/// A message from a worker to the lab.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "message", rename_all = "kebab-case")]
pub enum Reply {
    /// The library is present.
    Library(Library),
    /// One primitive × operation that the library offers.
    Offer(Offer),
    /// The worker has sent all its offers.
    Ready,
    /// The library is missing or cannot be used.
    Absent {
        /// A sentence that tells the user the reason and what to do.
        reason: String,
    },
    /// The answer to `check`: the outputs.
    Output {
        /// Outputs by name; an absent output and an empty output mean the same.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        outputs: BTreeMap<String, Data>,
    },
    /// The library refused the input as forged. For a forged input, this is the right
    /// answer.
    Rejected,
    /// The library does not support these parameters. This is not a wrong answer.
    Unsupported {
        /// The parameter that the library does not support.
        #[serde(default)]
        reason: String,
    },
    /// The call failed although the parameters are within the offer.
    Failed {
        /// The error that the library reported.
        #[serde(default)]
        reason: String,
    },
    /// The cell is open. The times of the first call's steps are in nanoseconds.
    Opened {
        /// The number of the cell.
        id: u32,
        /// The time to make the object.
        #[serde(default)]
        open_ns: u64,
        /// The time of the first key set-up.
        #[serde(default)]
        key_ns: u64,
        /// The time of the first message.
        #[serde(default)]
        first_ns: u64,
        /// FNV-1a of the first message's outputs, in the order of their names.
        #[serde(with = "digest")]
        digest: u64,
    },
    /// The time of one sample.
    Timed {
        /// The number of the cell.
        id: u32,
        /// Wall time of all timed calls together, in nanoseconds.
        ns: u64,
        /// FNV-1a of the last call's outputs, if the request asks for it.
        #[serde(
            default,
            skip_serializing_if = "Option::is_none",
            with = "digest::optional"
        )]
        digest: Option<u64>,
    },
    /// The answer to `run`: the FNV-1a fingerprint of the outputs.
    Ran {
        /// The number of the cell.
        id: u32,
        /// The fingerprint of the outputs.
        #[serde(with = "digest")]
        digest: u64,
    },
    /// The worker has closed the cell.
    Closed {
        /// The number of the cell.
        id: u32,
    },
}

fn one() -> u32 {
    1
}

/// Reads a list of contracts. Contracts that this program does not know, because a later
/// version added them, are left out.
fn known<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Contract>, D::Error> {
    let names = Vec::<String>::deserialize(deserializer)?;
    Ok(names.iter().filter_map(|name| name.parse().ok()).collect())
}

/// Writes a fingerprint as 16 hex digits, because the JSON of some languages has no
/// integers of 64 bits.
mod digest {
    use serde::{Deserialize, Deserializer, Serializer, de};

    pub(super) fn serialize<S: Serializer>(digest: &u64, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&format_args!("{digest:016x}"))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
        let text = String::deserialize(from)?;
        u64::from_str_radix(&text, 16).map_err(de::Error::custom)
    }

    /// A fingerprint that may be absent.
    pub(super) mod optional {
        use serde::{Deserializer, Serializer};

        pub(in crate::message) fn serialize<S: Serializer>(
            digest: &Option<u64>,
            to: S,
        ) -> Result<S::Ok, S::Error> {
            match digest {
                Some(digest) => super::serialize(digest, to),
                None => to.serialize_none(),
            }
        }

        pub(in crate::message) fn deserialize<'de, D: Deserializer<'de>>(
            from: D,
        ) -> Result<Option<u64>, D::Error> {
            super::deserialize(from).map(Some)
        }
    }
}

fn line(message: &impl Serialize) -> String {
    serde_json::to_string(message).expect("messages have text for keys")
}

fn parse<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, WireError> {
    serde_json::from_str(text).map_err(WireError::new)
}

impl Request {
    /// Returns the message as a line, without its newline.
    pub fn line(&self) -> String {
        line(self)
    }

    /// Reads a message from its line.
    ///
    /// # Errors
    /// If the line is not a message of the protocol, or if a number in the line is larger than
    /// the protocol allows.
    pub fn parse(text: &str) -> Result<Self, WireError> {
        let request: Self = parse(text)?;
        let beyond = |what: &str, count: u32, most: u32| {
            let reason = format_args!("{count} {what}: there must be 1 to {most}");
            Err(WireError::new(reason))
        };
        match request {
            Self::Open { messages, .. } if !(1..=MOST_MESSAGES).contains(&messages) => {
                beyond("messages", messages, MOST_MESSAGES)
            }
            Self::Time { threads, .. } if !(1..=MOST_THREADS).contains(&threads) => {
                beyond("threads", threads, MOST_THREADS)
            }
            request => Ok(request),
        }
    }
}

impl Reply {
    /// Returns the message as a line, without its newline.
    pub fn line(&self) -> String {
        line(self)
    }

    /// Reads a message from its line.
    ///
    /// # Errors
    /// If the line is not a message of the protocol.
    pub fn parse(text: &str) -> Result<Self, WireError> {
        let reply: Self = parse(text)?;
        match &reply {
            Self::Library(library) if library.name.is_empty() => {
                Err(WireError::new("a library without a name"))
            }
            Self::Offer(offer) if offer.primitive.is_empty() || offer.operation.is_empty() => {
                Err(WireError::new("an offer without primitive or operation"))
            }
            _ => Ok(reply),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Step;

    fn work() -> Work {
        Work::new("aes-128", "gcm-encrypt")
            .with("key", vec![7; 16])
            .with("nonce", vec![0; 12])
            .with("aad", Vec::new())
            .with("input", Data::Painted(1350))
            .with("tag", 16)
            .with("cost.iterations", 1000)
    }

    #[test]
    fn requests_survive_the_wire() {
        let open = |id, contract, messages| Request::Open {
            id,
            contract,
            messages,
            vary: [("nonce".to_owned(), Step::Increment)].into(),
            second: [("key".to_owned(), vec![1; 16].into())].into(),
            work: work(),
        };
        let requests = [
            Request::Hello {
                protocol: 2,
                path: "/opt/my libs/libcrypto.so.3".into(),
            },
            Request::Check { work: work() },
            open(9, Contract::Rekeyed, 1),
            open(10, Contract::ManyKeyed, 64),
            Request::Time {
                id: 9,
                calls: 1 << 40,
                warm: 3,
                threads: 2,
                cpus: vec![1, 5],
                digest: false,
            },
            Request::Time {
                id: 9,
                calls: 1,
                warm: 0,
                threads: 1,
                cpus: Vec::new(),
                digest: true,
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
    fn requests_are_the_lines_that_the_documentation_shows() {
        let work = Work::new("sha-256", "hash").with("input", b"abc".to_vec());
        assert_eq!(
            Request::Check { work }.line(),
            r#"{"message":"check","work":{"primitive":"sha-256","operation":"hash","inputs":{"input":"616263"}}}"#
        );
        let time = r#"{"message":"time","id":7,"calls":120}"#;
        assert_eq!(
            Request::parse(time),
            Ok(Request::Time {
                id: 7,
                calls: 120,
                warm: 0,
                threads: 1,
                cpus: Vec::new(),
                digest: false
            })
        );
    }

    #[test]
    fn counts_beyond_the_bounds_are_refused() {
        let open = |messages: &str| {
            format!(
                r#"{{"message":"open","id":1,"contract":"many","messages":{messages},"work":{{"primitive":"p","operation":"o"}}}}"#
            )
        };
        assert!(Request::parse(&open("65536")).is_ok());
        for text in [
            open("0"),
            open("65537"),
            open("-1"),
            open("4294967296"),
            r#"{"message":"time","id":1,"calls":1,"threads":0}"#.into(),
            r#"{"message":"time","id":1,"calls":1,"threads":5000}"#.into(),
            r#"{"message":"time","id":1,"calls":18446744073709551616}"#.into(),
            r#"{"message":"check","work":{"primitive":"p","operation":"o","inputs":{"input":"painted:18446744073709551615"}}}"#.into(),
        ] {
            assert!(Request::parse(&text).is_err(), "{text}");
        }
    }

    #[test]
    fn replies_survive_the_wire() {
        let output = |names: &[&str]| Reply::Output {
            outputs: names
                .iter()
                .map(|name| ((*name).to_owned(), Data::Bytes(vec![0, 255])))
                .collect(),
        };
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
                reason: "no libbotan-2.so.19; \"apt-get install\"\nlibbotan-2-19".into(),
            },
            output(&[]),
            output(&["key", "public"]),
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
            Reply::Timed {
                id: 1,
                ns: 50_000,
                digest: None,
            },
            Reply::Timed {
                id: 1,
                ns: 50_000,
                digest: Some(7),
            },
            Reply::Ran { id: 1, digest: 0 },
            Reply::Closed { id: 1 },
        ];
        for reply in replies {
            let line = reply.line();
            assert!(!line.contains('\n'), "{line}");
            assert_eq!(Reply::parse(&line), Ok(reply));
        }
    }

    #[test]
    fn every_contract_survives_the_wire_and_an_unknown_one_is_no_offer() {
        for contract in Contract::ALL {
            assert_eq!(contract.name().parse(), Ok(contract));
            assert_eq!(line(&contract), format!("{:?}", contract.name()));
        }
        let line = r#"{"message":"offer","primitive":"sha-256","operation":"hash","contracts":["many","psychic"],"later":1}"#;
        let Ok(Reply::Offer(offer)) = Reply::parse(line) else {
            panic!("{line}");
        };
        assert_eq!(offer.contracts, [Contract::Many]);
        assert!(offer.takes(Contract::Setup) && !offer.takes(Contract::Implicit));
    }

    #[test]
    fn what_is_no_message_is_an_error_and_never_a_panic() {
        for text in [
            "",
            "\n",
            "library name=x",
            "{}",
            "[]",
            "null",
            r#"{"message":"opened"}"#,
            r#"{"message":"timed","id":1}"#,
            r#"{"message":"timed","id":1,"ns":"fast"}"#,
            r#"{"message":"library"}"#,
            r#"{"message":"offer","primitive":"x"}"#,
            r#"{"message":"ran","id":1,"digest":"xyz"}"#,
            r#"{"message":"output","outputs":{"output":"painted:18446744073709551615"}}"#,
        ] {
            assert!(Reply::parse(text).is_err(), "{text}");
        }
        let deep = "[".repeat(100_000);
        assert!(Reply::parse(&deep).is_err());
    }
}
