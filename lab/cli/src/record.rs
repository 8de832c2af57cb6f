//! A record has the fields of one known answer, or the fields that the lab makes for timing. The
//! inputs and the expected outputs of an operation come from these fields.

use std::collections::BTreeMap;

use touchstone_vectors::Vector;
use touchstone_wire::{Contract, Data, Fields, Step, Value, Work};

use crate::operations::{Input, Kind, Make, Operation, Output, Second, find};
use crate::{catalogue, corpus};

/// Fields by name, and the number of the answer that the record takes from a corpus.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Record(Fields, usize);

/// A function that lets any suitable library do some work and returns the outputs; `None` if no
/// library can do the work.
pub type Ask<'a> = dyn FnMut(&Work) -> Option<BTreeMap<String, Data>> + 'a;

impl Record {
    /// Makes a record from a known answer.
    pub fn of(vector: &Vector) -> Self {
        let mut fields = Fields::new();
        let named = [
            ("key", &vector.key),
            ("nonce", &vector.nonce),
            ("aad", &vector.aad),
            ("input", &vector.input),
            ("output", &vector.output),
        ];
        let others = vector.others.iter().map(|(name, b)| (name.as_str(), b));
        let tag = vector.tag.iter().map(|tag| ("tag", tag));
        for (name, bytes) in named.into_iter().chain(tag).chain(others) {
            fields.insert(name.to_owned(), bytes.clone().into());
        }
        for (name, number) in &vector.cost {
            fields.insert(format!("cost.{name}"), Value::Number(*number));
        }
        Self(fields, 0)
    }

    /// Makes a record from the inputs of work, for an operation whose fields have the same names
    /// as its inputs.
    pub fn asked(work: &Work) -> Self {
        Self(work.inputs.clone(), 0)
    }

    /// Adds the outputs of an operation to the record.
    pub fn take(&mut self, outputs: BTreeMap<String, Data>) {
        let outputs = outputs.into_iter();
        self.0
            .extend(outputs.map(|(name, data)| (name, data.into())));
    }

    fn has(&self, field: &str) -> bool {
        self.0.contains_key(field)
    }

    /// Joins fields. A single field of painted bytes keeps its short form.
    fn joined(&self, fields: &[&str]) -> Data {
        let mut parts = fields.iter().filter_map(|field| match self.0.get(*field) {
            Some(Value::Bytes(data)) if !data.is_empty() => Some(data),
            _ => None,
        });
        match (parts.next(), parts.next()) {
            (None, _) => Data::default(),
            (Some(one), None) => one.clone(),
            (Some(one), Some(two)) => {
                let mut bytes = one.to_vec();
                for part in [two].into_iter().chain(parts) {
                    bytes.extend(part.to_vec());
                }
                Data::Bytes(bytes)
            }
        }
    }
}

impl Input {
    /// Returns the fields of a record from which the value comes.
    pub(super) fn of(&self, name: &str) -> Vec<String> {
        self.of.clone().unwrap_or_else(|| vec![name.to_owned()])
    }
}

impl Output {
    fn of(&self, name: &str) -> Vec<String> {
        self.of.clone().unwrap_or_else(|| vec![name.to_owned()])
    }
}

/// Returns the fields in the primitive's own order, if it has one.
fn ordered<'a>(primitive: &str, fields: &'a [String]) -> Vec<&'a str> {
    let mut fields: Vec<&str> = fields.iter().map(String::as_str).collect();
    let order = catalogue::order(primitive);
    fields.sort_by_key(|field| order.iter().position(|known| known == field));
    fields
}

impl Operation {
    /// Returns the work that a record describes.
    pub fn work(&self, primitive: &str, record: &Record) -> Work {
        let mut work = Work::new(primitive, &self.id);
        for (name, input) in &self.inputs {
            if let Some(field) = &input.length_of {
                if let Some(Value::Bytes(data)) = record.0.get(field) {
                    work.set(name, Value::Number(data.len() as u64));
                } else if let Some(Value::Number(number)) = record.0.get(name) {
                    work.set(name, Value::Number(*number));
                }
            } else if input.kind == Kind::Integer {
                if let Some(Value::Number(number)) = record.0.get(name) {
                    work.set(name, Value::Number(*number));
                }
            } else {
                let fields = input.of(name);
                work.set(name, record.joined(&ordered(primitive, &fields)).into());
            }
        }
        work
    }

    /// Returns the outputs that a record expects; empty outputs are left out.
    pub fn expected(&self, primitive: &str, record: &Record) -> BTreeMap<String, Data> {
        let mut outputs = BTreeMap::new();
        for (name, output) in &self.outputs {
            let fields = output.of(name);
            let data = record.joined(&ordered(primitive, &fields));
            if !data.is_empty() {
                outputs.insert(name.clone(), Data::Bytes(data.to_vec()));
            }
        }
        outputs
    }

    /// Returns why the lab does not give this work to libraries: the operation does not have
    /// one of the fields, or an integer is out of range.
    pub fn refuses_fields(&self, vector: &Vector) -> Option<String> {
        for (name, number) in &vector.cost {
            let name = format!("cost.{name}");
            let Some(input) = self.inputs.get(&name) else {
                return Some(format!("{} has no input {name}", self.id));
            };
            if input.most.is_some_and(|most| *number > most) {
                return Some(format!("{name} of {number}"));
            }
        }
        let family = |name: &str| {
            let of = |fields: Vec<String>| fields.iter().any(|field| field == name);
            let forwards = self.inverse_of.as_deref().and_then(find);
            let inverses = crate::operations::OPERATIONS
                .iter()
                .filter(|other| other.inverse_of.as_deref() == Some(self.id.as_str()));
            [self].into_iter().chain(forwards).chain(inverses).any(|o| {
                o.inputs
                    .iter()
                    .any(|(n, input)| n == name || of(input.of(n)))
                    || o.outputs.iter().any(|(n, output)| of(output.of(n)))
            })
        };
        let strange = vector.others.iter().find(|(name, _)| !family(name));
        strange.map(|(name, _)| format!("{} has no field {name}", self.id))
    }

    /// Adds the missing fields for timing; the axis has the value `bytes`. `None` if the
    /// catalogue lacks the primitive, or if no library can make an input that another
    /// operation must make.
    pub fn make(
        &self,
        primitive: &str,
        bytes: u64,
        record: &mut Record,
        ask: &mut Ask<'_>,
    ) -> Option<()> {
        let row = catalogue::columns(primitive)?;
        let at = self.bytes_at(bytes);
        let column = |name: &str| if name == "axis" { Some(at) } else { row(name) };
        if let Some(forwards) = self.inverse_of.as_deref().filter(|_| self.refuses) {
            let lacks = |(name, input): (&String, &Input)| {
                let fields = input.of(name);
                input.kind != Kind::Integer && !fields.iter().any(|field| record.has(field))
            };
            if self.inputs.iter().any(lacks) {
                let forwards = find(forwards)?;
                let known = corpus::answer(primitive, &forwards.id, bytes, record.1);
                let outputs = match known {
                    Some(outputs) => outputs,
                    None => {
                        forwards.make(primitive, bytes, record, ask)?;
                        ask(&forwards.work(primitive, record))?
                    }
                };
                record.take(outputs);
            }
            return Some(());
        }
        for (name, input) in &self.inputs {
            let field = input.of(name).swap_remove(0);
            if record.has(&field) {
                continue;
            }
            let on_axis = self.axis.as_ref().is_some_and(|axis| axis.input == *name);
            if input.kind == Kind::Integer {
                let value = if on_axis {
                    Some(bytes)
                } else {
                    input.value.as_ref().and_then(|value| value.of(&column))
                };
                if let Some(value) = value {
                    record.0.insert(name.clone(), Value::Number(value));
                }
                continue;
            }
            let length = if on_axis {
                Some(at)
            } else {
                input.bytes.as_ref().and_then(|amount| amount.of(&column))
            };
            let length = length.map(|length| length as usize);
            let data = match (&input.make, length) {
                (Some(Make::By(by)), _) => {
                    let by = find(by)?;
                    if let Some(answer) = corpus::answer(primitive, &by.id, bytes, record.1) {
                        record.take(answer);
                        continue;
                    }
                    by.make(primitive, bytes, record, ask)?;
                    let outputs = ask(&by.work(primitive, record))?;
                    record.take(outputs);
                    continue;
                }
                (Some(Make::Column(name)), _) => catalogue::text(primitive, name)?.into_bytes(),
                (Some(Make::Text(text)), length) => {
                    let length = length.unwrap_or(text.len()).min(text.len());
                    text.as_bytes()[..length].to_vec()
                }
                (Some(Make::Counted(first)), Some(length)) => counted(length, *first),
                (None, Some(length)) => {
                    record.0.insert(field, Data::Painted(length).into());
                    continue;
                }
                (Some(Make::Odd(which)), Some(length)) => odd(length, *which),
                (Some(Make::Counted(_) | Make::Odd(_)) | None, None) => continue,
            };
            record.0.insert(field, data.into());
        }
        Some(())
    }

    /// Returns the work of a timed cell whose axis has the value `bytes`.
    pub fn timed(&self, primitive: &str, bytes: u64, ask: &mut Ask<'_>) -> Option<Work> {
        let mut record = Record::default();
        self.make(primitive, bytes, &mut record, ask)?;
        Some(self.work(primitive, &record))
    }

    /// Returns the inputs of the second key, for contracts that alternate between two keys.
    pub fn second(
        &self,
        work: &Work,
        bytes: u64,
        contract: Contract,
        ask: &mut Ask<'_>,
    ) -> Option<Fields> {
        let mut fields = Fields::new();
        if !matches!(contract, Contract::Rekeyed | Contract::Setup) {
            return Some(fields);
        }
        for (name, input) in &self.inputs {
            let value: Value = match input.second {
                None => continue,
                Some(Second::Xor) => {
                    let first = work.bytes(name);
                    first.iter().map(|b| b ^ 0x5a).collect::<Vec<u8>>().into()
                }
                Some(Second::Make) => {
                    let mut record = Record(Fields::new(), 1);
                    self.make(&work.primitive, bytes, &mut record, ask)?;
                    self.work(&work.primitive, &record).bytes(name).into()
                }
            };
            fields.insert(name.clone(), value);
        }
        Some(fields)
    }
}

/// Returns an odd number of exactly this many bytes, with the highest bit set, as big-endian bytes.
fn odd(len: usize, which: u64) -> Vec<u8> {
    let mut bytes = which.to_be_bytes().repeat(len.div_ceil(8));
    bytes.truncate(len);
    Step::Random.apply(&mut bytes, 1);
    if let [first, ..] = &mut bytes[..] {
        *first |= 0x80;
    }
    if let [.., last] = &mut bytes[..] {
        *last |= 1;
    }
    bytes
}

/// Returns distinct bytes without a period.
fn counted(len: usize, first: u8) -> Vec<u8> {
    (0..len)
        .map(|i| (i as u8).wrapping_mul(29).wrapping_add(first))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operations::OPERATIONS;

    fn timed(primitive: &str, operation: &str, bytes: u64) -> Option<Work> {
        // A library that answers every request with the operation's name.
        let mut ask = |work: &Work| {
            let outputs = &find(&work.operation)?.outputs;
            let answer = |name: &String| format!("{name} of {}", work.operation).into_bytes();
            let answers = outputs
                .keys()
                .map(|name| (name.clone(), Data::Bytes(answer(name))));
            Some(answers.collect())
        };
        find(operation)?.timed(primitive, bytes, &mut ask)
    }

    #[test]
    fn cells_are_set_up_as_their_operation_asks() {
        let len = |work: &Work, name: &str| work.bytes(name).len();
        let xts = timed("aes-256", "xts-encrypt", 512).unwrap();
        assert_eq!((len(&xts, "key"), len(&xts, "nonce")), (64, 16));
        let key = xts.bytes("key");
        assert_ne!(key[..32], key[32..], "IEEE 1619 forbids equal halves");
        let cbc = timed("des-ede3", "cbc-decrypt", 64).unwrap();
        assert_eq!(
            (len(&cbc, "key"), len(&cbc, "nonce"), len(&cbc, "input")),
            (24, 8, 64)
        );
        let gcm = timed("aes-128", "gcm-encrypt", 1350).unwrap();
        assert_eq!((len(&gcm, "nonce"), len(&gcm, "aad")), (12, 13));
        let hmac = timed("hmac-sha3-256", "mac", 64).unwrap();
        assert_eq!((len(&hmac, "key"), len(&hmac, "nonce")), (32, 0));
        let keystream = timed("salsa20", "stream-keystream", 576).unwrap();
        assert_eq!(
            (keystream.number("length"), len(&keystream, "input")),
            (Some(576), 0)
        );
        let scrypt = timed("scrypt", "derive", 16).unwrap();
        let numbers = ["cost.n", "cost.iterations", "length"].map(|name| scrypt.number(name));
        assert_eq!(numbers, [Some(1024), None, Some(32)]);
        let crypt = timed("crypt-md5", "crypt", 8).unwrap();
        assert_eq!(crypt.bytes("key"), b"touchsto");
        assert_eq!(crypt.bytes("nonce"), b"$1$saltsalt");
        assert_eq!(timed("no-such", "hash", 1), None);
    }

    #[test]
    fn genuine_inputs_come_from_the_operations_that_make_them() {
        let gcm = timed("aes-128", "gcm-decrypt", 64).unwrap();
        assert_eq!(gcm.bytes("input"), b"output of gcm-encrypt");
        let verify = timed("ed25519", "verify", 64).unwrap();
        let keys = corpus::answer("ed25519", "generate-key", 0, 0).unwrap();
        assert_eq!(verify.bytes("key"), keys["public"].to_vec());
        assert_eq!(verify.bytes("signature"), b"output of sign");
        assert_eq!(verify.bytes("input").len(), 64);
        let mut nobody = |_: &Work| None;
        let gcm = find("gcm-decrypt").unwrap();
        assert_eq!(gcm.timed("aes-128", 64, &mut nobody), None);
    }

    #[test]
    fn every_operation_can_be_timed_on_a_primitive_of_its_family() {
        for operation in OPERATIONS.iter() {
            let primitive = catalogue::primitives(&operation.family)
                .find(|id| catalogue::takes(id, &operation.id, 64) || operation.axis.is_none())
                .unwrap_or("des");
            assert!(
                timed(primitive, &operation.id, 64).is_some(),
                "{}",
                operation.id
            );
        }
    }

    #[test]
    fn a_primitive_may_have_an_order_of_its_own() {
        let mut record = Record::default();
        record.take(
            [
                ("output".to_owned(), Data::Bytes(vec![1])),
                ("tag".to_owned(), Data::Bytes(vec![2])),
            ]
            .into(),
        );
        let input = |primitive: &str, operation: &str| {
            find(operation)
                .unwrap()
                .work(primitive, &record)
                .bytes("input")
        };
        assert_eq!(input("chacha20-poly1305", "aead-decrypt"), [1, 2]);
        assert_eq!(input("xsalsa20-poly1305", "aead-decrypt"), [2, 1]);
        assert_eq!(input("aes-128", "siv-decrypt"), [2, 1]);
    }
}
