//! One piece of work: an operation and its inputs by name.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Data;

/// Inputs by name. `docs/operations.md` lists the names for each operation.
pub type Fields = BTreeMap<String, Value>;

/// The value of one input: a JSON string for bytes, a JSON number for an integer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// An integer: a length, a cost, a strength.
    Number(u64),
    /// Bytes of any other type: a key, a message, a point in its encoding.
    Bytes(Data),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Bytes(data) => write!(f, "{data}"),
        }
    }
}

impl From<Vec<u8>> for Value {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Bytes(Data::Bytes(bytes))
    }
}

/// One piece of work: a cell at one size, or one known answer.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Work {
    /// The primitive's id, such as `aes-128`.
    pub primitive: String,
    /// The operation's id, such as `cbc-encrypt`.
    pub operation: String,
    /// The inputs of the operation. An absent input and an empty input mean the
    /// same.
    #[serde(default, skip_serializing_if = "Fields::is_empty")]
    pub inputs: Fields,
}

impl Work {
    /// Makes work without inputs.
    pub fn new(primitive: &str, operation: &str) -> Self {
        Self {
            primitive: primitive.to_owned(),
            operation: operation.to_owned(),
            inputs: Fields::new(),
        }
    }

    /// Adds an input, unless the value has no bytes.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.set(name, value.into());
        self
    }

    /// Sets an input, or takes it away if the value has no bytes.
    pub fn set(&mut self, name: &str, value: Value) {
        if matches!(&value, Value::Bytes(data) if data.is_empty()) {
            self.inputs.remove(name);
        } else {
            self.inputs.insert(name.to_owned(), value);
        }
    }

    /// Returns the bytes of an input; empty if the input is absent or is an integer.
    pub fn bytes(&self, name: &str) -> Vec<u8> {
        match self.inputs.get(name) {
            Some(Value::Bytes(data)) => data.to_vec(),
            _ => Vec::new(),
        }
    }

    /// Returns an integer input.
    pub fn number(&self, name: &str) -> Option<u64> {
        match self.inputs.get(name) {
            Some(Value::Number(number)) => Some(*number),
            _ => None,
        }
    }

    /// Returns the inputs as people read them: `key=2b7e… tag=16`.
    pub fn shown(&self) -> String {
        self.inputs
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect::<Vec<_>>()
            .join(" ")
    }
}

impl From<Data> for Value {
    fn from(data: Data) -> Self {
        Self::Bytes(data)
    }
}

impl From<u64> for Value {
    fn from(number: u64) -> Self {
        Self::Number(number)
    }
}
