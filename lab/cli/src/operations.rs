//! The lab's knowledge of each operation. The table is `data/operations.toml`, which
//! explains its columns; `docs/operations.md` shows the table.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;
use touchstone_wire::{Contract, Step, Value, Vary, Work};

use crate::stats::Statistic;

/// One operation of the table.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Operation {
    /// The operation's name in the protocol, in vectors, in the store and in reports.
    pub id: String,
    /// The operation's name for people.
    pub title: String,
    #[serde(default)]
    pub(crate) mode: String,
    /// The family of primitives to which the operation belongs.
    pub family: String,
    #[serde(default)]
    pub(crate) beside: Option<String>,
    #[serde(default)]
    pub(crate) section: String,
    /// The standard that defines the operation.
    pub standard: String,
    /// The kind of test, in the words of NIST's ACVP.
    pub test: Test,
    /// How the lab judges an answer.
    pub check: Check,
    /// The operation that judges an answer, if the check is [`Check::Inverse`] or
    /// [`Check::Property`].
    #[serde(default)]
    pub by: String,
    /// The operation that this operation inverts or verifies.
    pub inverse_of: Option<String>,
    /// Whether a forged input must be refused.
    #[serde(default)]
    pub refuses: bool,
    /// The input over which time is plotted.
    pub axis: Option<Axis>,
    #[serde(default)]
    pub(crate) per: Per,
    /// How the times of calls are summarised.
    #[serde(default)]
    pub statistic: Statistic,
    pub(crate) contracts: Option<Vec<Contract>>,
    #[serde(default)]
    pub(crate) lengths: Lengths,
    /// The operation's inputs, by name.
    #[serde(default)]
    pub inputs: BTreeMap<String, Input>,
    /// The operation's outputs, by name.
    #[serde(default)]
    pub outputs: BTreeMap<String, Output>,
    pub(crate) chain: Option<Chain>,
}

/// Calls of another operation that give one known answer together. No library offers an
/// operation with a chain.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Chain {
    /// The operation that is called; it has one output.
    pub(crate) of: String,
    #[serde(default = "one")]
    pub(crate) rounds: u32,
    /// How often `each` is done in a round.
    #[serde(default = "one")]
    pub(crate) times: u32,
    /// The calls of a round. Each row has the inputs that do not come from the record.
    #[serde(default = "one_call")]
    pub(crate) each: Vec<BTreeMap<String, Source>>,
    /// The input that counts the calls.
    pub(crate) count: Option<String>,
    pub(crate) back: Option<Back>,
    /// One more call, after all rounds.
    pub(crate) last: Option<BTreeMap<String, Source>>,
    #[serde(default)]
    pub(crate) answer: Part,
}

#[cfg(test)]
impl Chain {
    /// Returns the number of calls that the chain makes.
    pub(crate) fn calls(&self) -> u64 {
        let rounds = u64::from(self.rounds) * u64::from(self.times);
        rounds * self.each.len() as u64 + u64::from(self.last.is_some())
    }
}

fn one() -> u32 {
    1
}

fn one_call() -> Vec<BTreeMap<String, Source>> {
    vec![BTreeMap::new()]
}

/// Where an input of a call in a chain comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Source {
    /// The input is as many zero bytes as there were rounds before this round.
    Zeros,
    /// The input is all answers so far, joined.
    All,
}

/// An input of a chain. The input is the last `answers` answers, joined. At the start of a
/// round, the last answer is used in place of each of these answers. At the start of the first
/// round, the record's value of the input is used in place of each of them.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Back {
    pub(crate) input: String,
    pub(crate) answers: usize,
}

/// The part of a chain's last answer that a known answer gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Part {
    #[default]
    Whole,
    /// The first bytes of the answer.
    Start,
    /// The last bytes of the answer.
    End,
    /// The exclusive or of all pieces of this length; the last piece is filled up with zeros.
    Folded(usize),
}

/// A kind of test, as NIST's Automated Cryptographic Validation Protocol names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum Test {
    /// Algorithm functional test: inputs with known answers.
    #[serde(rename = "AFT")]
    Functional,
    /// Monte Carlo test: a chain in which each input depends on the previous answers.
    #[serde(rename = "MCT")]
    MonteCarlo,
    /// Validation test: a given answer is accepted or refused.
    #[serde(rename = "VAL")]
    Validation,
    /// Generated data test: the tested program makes the data, and other programs check
    /// it.
    #[serde(rename = "GDT")]
    GeneratedData,
    /// Variable output test: outputs of many lengths.
    #[serde(rename = "VOT")]
    VariableOutput,
    /// Large data test: messages of gigabytes.
    #[serde(rename = "LDT")]
    LargeData,
}

/// How the lab judges an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Check {
    /// The answer must equal the known answer. Without a known answer, the answer must equal
    /// the answers of other libraries.
    Exact,
    /// The operation in `by` must turn the answer back into the input.
    Inverse,
    /// The operation in `by` must accept the answer.
    Property,
    /// Two answers to the same inputs must differ, and must have the length that the inputs say.
    Differs,
}

/// The input over which time is plotted.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Axis {
    /// The name of an input. The position on the axis is the input's length in the axis's unit, or
    /// its value if the input is an integer.
    pub input: String,
    /// The unit: bytes, bits or level.
    pub unit: Unit,
}

/// The unit of an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// The axis is the length of a message in bytes.
    Bytes,
    /// The axis is the length of a modulus or a key in bits.
    Bits,
    /// The axis is a security level, as a standard numbers levels.
    Level,
}

impl Unit {
    /// Returns the unit's sign after a number.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Bytes => "B",
            Self::Bits => "bits",
            Self::Level => "level",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Per {
    #[default]
    Byte,
    Call,
}

/// An input of an operation.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Input {
    /// The type of the input's value.
    #[serde(rename = "type")]
    pub kind: Kind,
    /// A description for people.
    pub what: String,
    /// Whether the input may be absent.
    #[serde(default)]
    pub optional: bool,
    pub(crate) of: Option<Vec<String>>,
    pub(crate) length_of: Option<String>,
    pub(crate) bytes: Option<Amount>,
    pub(crate) value: Option<Amount>,
    pub(crate) make: Option<Make>,
    pub(crate) most: Option<u64>,
    pub(crate) second: Option<Second>,
    pub(crate) fresh: Option<Step>,
    pub(crate) latency: Option<Step>,
    pub(crate) many: Option<Step>,
    pub(crate) many_keyed: Option<Step>,
}

/// An output of an operation.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Output {
    /// The type of the output's value.
    #[serde(rename = "type")]
    pub kind: Kind,
    /// A description for people.
    pub what: String,
    pub(crate) of: Option<Vec<String>>,
}

/// The type of an input or output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Bytes without structure.
    Bytes,
    /// Bytes that are ASCII.
    Text,
    /// A whole number, not negative.
    Integer,
    /// A whole number of any size, not negative: big-endian bytes.
    BigInteger,
    /// A symmetric key.
    Key,
    /// A private key, encoded as its standard says.
    PrivateKey,
    /// A public key, encoded as its standard says.
    PublicKey,
    /// A point of a curve, encoded as its standard says.
    Point,
}

impl Kind {
    /// Returns whether a value is an encoding of a key, in which most bytes cannot be changed.
    pub(crate) fn is_encoded(self) -> bool {
        matches!(self, Self::PrivateKey | Self::PublicKey)
    }

    /// Returns the type's name in the table and for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bytes => "bytes",
            Self::Text => "text",
            Self::Integer => "integer",
            Self::BigInteger => "big integer",
            Self::Key => "key",
            Self::PrivateKey => "private key",
            Self::PublicKey => "public key",
            Self::Point => "point",
        }
    }
}

impl Test {
    /// Returns the abbreviation of the test in ACVP.
    pub fn name(self) -> &'static str {
        match self {
            Self::Functional => "AFT",
            Self::MonteCarlo => "MCT",
            Self::Validation => "VAL",
            Self::GeneratedData => "GDT",
            Self::VariableOutput => "VOT",
            Self::LargeData => "LDT",
        }
    }
}

/// A number, or a multiple of a column in the primitive's row of the catalogue.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "AmountText")]
pub(crate) enum Amount {
    Number(u64),
    Column { times: u64, name: String },
}

#[derive(Deserialize)]
#[serde(untagged)]
pub(crate) enum AmountText {
    Number(u64),
    Text(String),
}

impl TryFrom<AmountText> for Amount {
    type Error = String;

    fn try_from(amount: AmountText) -> Result<Self, String> {
        let text = match amount {
            AmountText::Number(number) => return Ok(Self::Number(number)),
            AmountText::Text(text) => text,
        };
        let (times, name) = text.split_once('*').unwrap_or(("1", &text));
        Ok(Self::Column {
            times: times
                .parse()
                .map_err(|_| format!("{text:?} is neither a column nor N*column"))?,
            name: name.to_owned(),
        })
    }
}

impl Amount {
    pub(crate) fn of(&self, column: &dyn Fn(&str) -> Option<u64>) -> Option<u64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Column { times, name } => column(name)?.checked_mul(*times),
        }
    }
}

/// How the value of an input is made for timing.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Make {
    /// Distinct bytes without a period; the number is the first byte. Such a key is not a
    /// weak key of any cipher, and its halves differ.
    Counted(u8),
    /// The value is this text, cut to the input's length.
    Text(String),
    /// The value is the text in this column of the catalogue.
    Column(String),
    /// The value is an odd number whose highest bit is set, and whose other bits look random; the
    /// number selects one of these.
    Odd(u64),
    /// The value is made by another operation, with this id. If the lab has a corpus of its
    /// answers for the primitive, the corpus gives the value.
    By(String),
}

/// How a second key is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Second {
    /// The second key is the first key with each byte XOR 5a. For keys that may be any bytes.
    Xor,
    /// The second key is made again in the same way as the first key.
    Make,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(crate) struct Lengths {
    pub(crate) least: Amount,
    pub(crate) most: Option<Amount>,
    pub(crate) multiple_of: Amount,
}

impl Default for Lengths {
    fn default() -> Self {
        Self {
            least: Amount::Number(0),
            most: None,
            multiple_of: Amount::Number(1),
        }
    }
}

/// All operations, in the order of the table.
pub static OPERATIONS: LazyLock<Vec<Operation>> =
    LazyLock::new(|| parse(include_str!("../data/operations.toml")).expect("the table is sound"));

/// Returns the id of the operation that inverts or verifies an operation.
pub fn inverse(id: &str) -> Option<&'static str> {
    let undoes = |other: &&Operation| other.inverse_of.as_deref() == Some(id);
    let inverse = OPERATIONS.iter().find(undoes);
    inverse.map(|inverse| inverse.id.as_str())
}

/// Returns an operation by its id.
pub fn find(id: &str) -> Option<&'static Operation> {
    static INDEX: LazyLock<BTreeMap<&str, &Operation>> = LazyLock::new(|| {
        let rows = OPERATIONS.iter();
        rows.map(|operation| (operation.id.as_str(), operation))
            .collect()
    });
    INDEX.get(id).copied()
}

/// Returns the statistic of an operation; the median if the operation is unknown.
pub fn statistic(id: &str) -> Statistic {
    find(id).map_or(Statistic::Median, |operation| operation.statistic)
}

/// Parses a table. A row with `like` inherits the values of the named row that it does
/// not give itself.
fn parse(text: &str) -> Result<Vec<Operation>, String> {
    let mut table: toml::Table = toml::from_str(text).map_err(|e| e.to_string())?;
    let Some(toml::Value::Array(rows)) = table.remove("operation") else {
        return Err("no [[operation]]".into());
    };
    let mut whole: Vec<toml::Table> = Vec::new();
    for row in rows {
        let toml::Value::Table(mut row) = row else {
            return Err("a row is a table".into());
        };
        if let Some(like) = row.remove("like") {
            let above = whole.iter().find(|above| above.get("id") == Some(&like));
            let above = above.ok_or_else(|| format!("no row above is called {like}"))?;
            row = over(above.clone(), row);
        }
        whole.push(row);
    }
    whole
        .into_iter()
        .map(|row| {
            let id = row.get("id").map(ToString::to_string).unwrap_or_default();
            Operation::deserialize(toml::Value::Table(row)).map_err(|e| format!("{id}: {e}"))
        })
        .collect()
}

/// Merges two tables: values of the upper table replace values of the lower table.
fn over(mut below: toml::Table, above: toml::Table) -> toml::Table {
    for (key, value) in above {
        let value = match (below.remove(&key), value) {
            (Some(toml::Value::Table(below)), toml::Value::Table(above)) => {
                toml::Value::Table(over(below, above))
            }
            (_, value) => value,
        };
        below.insert(key, value);
    }
    below
}

impl Operation {
    /// Returns the common name of the operations of one mode; the id itself if the operation
    /// has no mode.
    pub fn mode(&self) -> &str {
        if self.mode.is_empty() {
            &self.id
        } else {
            &self.mode
        }
    }

    /// Returns whether the operation belongs to a mode.
    pub fn has_mode(&self) -> bool {
        !self.mode.is_empty()
    }

    /// Another operation, if reports show this operation in the same panel as the other one.
    pub fn beside(&self) -> Option<&str> {
        let undone = self.inverse_of.as_deref().filter(|_| self.has_mode());
        self.beside.as_deref().or(undone)
    }

    /// Returns the section of a report that shows the operation.
    pub fn section(&self) -> &str {
        if self.section.is_empty() {
            &self.family
        } else {
            &self.section
        }
    }

    /// Returns whether time is given for a call and not for a byte.
    pub fn is_per_call(&self) -> bool {
        self.per == Per::Call || self.axis.is_none()
    }

    /// Returns whether the operation can be measured under any contract.
    pub fn is_measured(&self) -> bool {
        self.contracts
            .as_ref()
            .is_none_or(|contracts| !contracts.is_empty())
    }

    /// Returns the length in bytes of the axis's input at a position on the axis.
    pub(crate) fn bytes_at(&self, position: u64) -> u64 {
        match &self.axis {
            Some(axis) if axis.unit == Unit::Bits => position.div_ceil(8),
            _ => position,
        }
    }

    /// Returns the operation that judges an answer for a primitive, unless the check is
    /// [`Check::Exact`]: the operation in `by`, or else the operation that inverts or verifies
    /// this operation.
    pub fn judge(&self) -> Option<&'static Operation> {
        if self.by.is_empty() {
            find(inverse(&self.id)?)
        } else {
            find(&self.by)
        }
    }

    /// Returns how long an output of some work must be, if an input of the work says so.
    pub(crate) fn length(&self, work: &Work, output: &str) -> Option<u64> {
        let says = |(_, input): &(&String, &Input)| input.length_of.as_deref() == Some(output);
        let (name, _) = self.inputs.iter().find(says)?;
        match work.inputs.get(name)? {
            Value::Number(length) => Some(*length),
            Value::Bytes(_) => None,
        }
    }

    /// Returns whether the contract is useful for the operation.
    pub fn allows(&self, contract: Contract) -> bool {
        match &self.contracts {
            Some(contracts) => contracts.contains(&contract),
            None => !contract.is_chain(),
        }
    }

    /// Returns whether the axis can have this value for a primitive with these columns.
    pub(crate) fn fits(&self, bytes: u64, column: &dyn Fn(&str) -> Option<u64>) -> bool {
        let [least, unit] = [&self.lengths.least, &self.lengths.multiple_of]
            .map(|amount| amount.of(column).unwrap_or(0));
        let most = self.lengths.most.as_ref().and_then(|most| most.of(column));
        bytes >= least
            && most.is_none_or(|most| bytes <= most)
            && (unit <= 1 || bytes.is_multiple_of(unit))
    }

    /// Returns the value of the axis for the call after key set-up: a length that is a multiple
    /// of every cipher's block, or the nearest allowed length.
    pub(crate) fn usual(&self, column: &dyn Fn(&str) -> Option<u64>) -> u64 {
        const WHOLE_BLOCKS: u64 = 128;
        let least = self.lengths.least.of(column).unwrap_or(0);
        let most = self.lengths.most.as_ref().and_then(|most| most.of(column));
        WHOLE_BLOCKS.min(most.unwrap_or(WHOLE_BLOCKS)).max(least)
    }

    /// How the messages of a cell differ from one another. An operation whose input
    /// belongs to one key and nonce keeps the same message.
    pub fn vary(&self, contract: Contract) -> Vary {
        let mut vary = Vary::new();
        if self.refuses {
            return vary;
        }
        for (name, input) in &self.inputs {
            let mut step = input.fresh;
            if contract == Contract::Latency {
                step = input.latency.or(step);
            }
            if contract.is_many() {
                step = step.or(input.many);
            }
            if contract == Contract::ManyKeyed {
                step = step.or(input.many_keyed);
            }
            vary.extend(step.map(|step| (name.clone(), step)));
        }
        vary
    }
}

#[cfg(test)]
mod tests;
