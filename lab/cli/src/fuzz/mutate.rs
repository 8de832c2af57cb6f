//! Makes new inputs of an algorithm from its known inputs.

use std::collections::{BTreeMap, BTreeSet};

use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, RngExt};
use touchstone_wire::{Data, Value, Work};

use crate::catalogue;
use crate::operations::{self, Kind, Operation};
use crate::record::{Ask, Record};
use crate::verify::Known;

/// The length of the longest input that is mutated, in bytes.
const LONGEST: usize = 8192;
/// An input with this many lengths among the known inputs may have any length.
const FREE: usize = 3;
/// Sizes in bytes of inputs for algorithms without known answers.
const SIZES: [u64; 4] = [16, 64, 100, 256];

/// The known inputs of one algorithm, and a random generator.
pub(super) struct Mutator {
    primitive: String,
    operation: &'static Operation,
    seeds: Vec<Work>,
    /// For each input by name: its lengths in the seeds or, if it is an integer, its
    /// values.
    seen: BTreeMap<String, BTreeSet<u64>>,
    /// For an operation that refuses forgeries: the operation that makes genuine inputs.
    forwards: Option<Box<Mutator>>,
    rng: StdRng,
}

impl Mutator {
    /// Makes a mutator; `None` if there is no input to start from.
    pub(super) fn new(
        primitive: &str,
        operation: &'static Operation,
        known: &Known,
        mut rng: StdRng,
        ask: &mut Ask<'_>,
    ) -> Option<Self> {
        let small = |work: &Work| {
            let total: usize = work.inputs.keys().map(|name| length(work, name)).sum();
            total <= LONGEST
        };
        let mut seeds = known.works(primitive, &operation.id);
        seeds.retain(small);
        if seeds.is_empty() {
            let sizes = SIZES.into_iter();
            let sizes = sizes.filter(|&n| catalogue::takes(primitive, &operation.id, n as usize));
            seeds = sizes
                .filter_map(|bytes| operation.timed(primitive, bytes, ask))
                .collect();
        }
        if seeds.is_empty() {
            return None;
        }
        let mut seen: BTreeMap<String, BTreeSet<u64>> = BTreeMap::new();
        for work in &seeds {
            for name in operation.inputs.keys() {
                let lengths = seen.entry(name.clone()).or_default();
                if operation.inputs[name].kind == Kind::Integer {
                    lengths.extend(work.number(name));
                } else {
                    lengths.insert(length(work, name) as u64);
                }
            }
        }
        let forwards = operation
            .inverse_of
            .as_deref()
            .filter(|_| operation.refuses)
            .and_then(operations::find)
            .and_then(|forwards| {
                let rng = rand::SeedableRng::seed_from_u64(rng.next_u64());
                Self::new(primitive, forwards, known, rng, ask)
            });
        Some(Self {
            primitive: primitive.to_owned(),
            operation,
            seeds,
            seen,
            forwards: forwards.map(Box::new),
            rng,
        })
    }

    /// Returns the next input; `None` if no library makes a genuine input.
    pub(super) fn next(&mut self, ask: &mut Ask<'_>) -> Option<Work> {
        let mut work = match &mut self.forwards {
            Some(forwards) if self.rng.random_ratio(3, 4) => {
                let made = forwards.next(ask)?;
                let outputs = ask(&made)?;
                let mut record = Record::asked(&made);
                record.take(outputs);
                let genuine = self.operation.work(&self.primitive, &record);
                if self.rng.random_ratio(2, 3) {
                    return Some(genuine);
                }
                genuine
            }
            _ => self.seeds.choose(&mut self.rng)?.clone(),
        };
        let names: Vec<&String> = self.operation.inputs.keys().collect();
        for _ in 0..self.rng.random_range(1..=3) {
            let name = *names.choose(&mut self.rng)?;
            let kind = self.operation.inputs[name].kind;
            let value = if kind == Kind::Integer {
                number(&mut self.rng, &self.seen[name], name).map(Value::Number)
            } else {
                let bytes = work.bytes(name);
                Some(self.bytes(name, kind, bytes).into())
            };
            let mut next = work.clone();
            if let Some(value) = value {
                next.set(name, value);
            }
            if self.allows(&next) {
                work = next;
            }
        }
        Some(work)
    }

    /// Returns whether the operation accepts inputs of these lengths. Other lengths, such as a
    /// key of three bytes for AES, are not meant to work, and find nothing.
    pub(super) fn allows(&self, work: &Work) -> bool {
        self.operation.inputs.iter().all(|(name, input)| {
            if input.kind == Kind::Integer {
                return true;
            }
            let length = length(work, name);
            if self.on_axis(name) {
                return catalogue::takes(&self.primitive, &self.operation.id, length);
            }
            self.is_free(name) || self.seen[name].contains(&(length as u64))
        })
    }

    fn on_axis(&self, name: &str) -> bool {
        let axis = self.operation.axis.as_ref();
        axis.is_some_and(|axis| axis.input == name)
    }

    /// Returns whether an input may have a length that no seed has.
    fn is_free(&self, name: &str) -> bool {
        let kind = self.operation.inputs[name].kind;
        matches!(kind, Kind::Bytes | Kind::Text) && self.seen[name].len() >= FREE
    }

    /// Returns mutated bytes of an input.
    fn bytes(&mut self, name: &str, kind: Kind, mut bytes: Vec<u8>) -> Vec<u8> {
        let free = self.on_axis(name) || self.is_free(name);
        let rng = &mut self.rng;
        if rng.random_ratio(1, 2) {
            let length = if free {
                any_length(rng)
            } else {
                let lengths: Vec<_> = self.seen[name].iter().collect();
                lengths.choose(rng).map_or(bytes.len(), |&&n| n as usize)
            };
            while bytes.len() < length {
                let byte = rng.random();
                bytes.push(byte);
            }
            bytes.truncate(length);
        }
        if !bytes.is_empty() {
            let at = rng.random_range(0..bytes.len());
            let run = rng.random_range(1..=(bytes.len() - at).min(20));
            let extreme = *[0x00, 0xff, 0x80, 0x7f, 0x01, 0x55]
                .choose(rng)
                .unwrap_or(&0);
            match rng.random_range(0..6) {
                0 => bytes[at] ^= 1 << rng.random_range(0..8),
                1 => bytes[at..at + run].fill(extreme),
                2 => bytes.fill(extreme),
                3 => rng.fill_bytes(&mut bytes),
                4 => bytes[at..at + run].fill_with(|| rng.random()),
                _ => {}
            }
        }
        if kind == Kind::Text {
            for byte in &mut bytes {
                *byte = (*byte & 0x7f).max(b' ');
            }
        }
        bytes
    }
}

/// Returns a random length: mostly a short one, or a length near a multiple of a block.
fn any_length(rng: &mut StdRng) -> usize {
    match rng.random_range(0..8) {
        0..4 => rng.random_range(0..=80),
        4 | 5 => {
            let block = 16 << rng.random_range(0..5);
            let blocks = rng.random_range(1..=8);
            (block * blocks + 2_usize).saturating_sub(rng.random_range(1..=3))
        }
        6 => 16 * rng.random_range(0..=40),
        _ => rng.random_range(0..=4200),
    }
}

/// Returns a value of an integer. Only values from the seeds are used, because a large cost
/// could take hours. The length of an output may also be another short length.
fn number(rng: &mut StdRng, seen: &BTreeSet<u64>, name: &str) -> Option<u64> {
    if name == "length" && seen.len() >= FREE && rng.random_ratio(1, 2) {
        return Some(rng.random_range(1..=200));
    }
    let values: Vec<u64> = seen.iter().copied().collect();
    values.choose(rng).copied()
}

fn length(work: &Work, name: &str) -> usize {
    match work.inputs.get(name) {
        Some(Value::Bytes(data)) => Data::len(data),
        _ => 0,
    }
}
