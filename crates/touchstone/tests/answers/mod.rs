//! Runs the records of `vectors/` for one family with every kernel of an algorithm.
#![allow(
    dead_code,
    unreachable_pub,
    reason = "each test takes what it needs of this"
)]

use std::collections::BTreeMap;
use std::path::Path;

use touchstone::Kernel;
use touchstone_vectors::{Vector, Verdict, read_tree};

/// The result of a check of a record.
pub enum Done {
    /// The record ran with the right result, or was refused as the record requires.
    Right,
    /// The crate does not have this operation, for the given reason, which is printed.
    Lacking(&'static str),
}

/// The records of one family, and the results of their checks.
pub struct Answers {
    vectors: Vec<(String, Vector)>,
    /// The number of records that ran, by primitive and kernel.
    ran: BTreeMap<(String, &'static str), usize>,
    /// The kernels that this machine lacks, by primitive.
    skipped: Vec<(String, &'static str)>,
    /// The number of records that were left out, by primitive, operation and reason.
    left: BTreeMap<(String, String, &'static str), usize>,
}

impl Answers {
    pub fn of(family: &str) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors");
        let files = read_tree(&root.join(family)).expect("the known answers can be read");
        let vectors = files.into_iter().flat_map(|(path, file)| {
            let records = file.vectors.into_iter();
            records.map(move |v| (format!("{}:{} {}", path.display(), v.line, v.name), v))
        });
        Self {
            vectors: vectors.collect(),
            ran: BTreeMap::new(),
            skipped: Vec::new(),
            left: BTreeMap::new(),
        }
    }

    /// Returns whether there is a record of a primitive.
    pub fn has(&self, primitive: &str) -> bool {
        self.vectors.iter().any(|(_, v)| v.primitive == primitive)
    }

    /// Calls `check` for each record of a primitive that is valid or invalid, with each kernel.
    /// Fails if no record ran with a kernel.
    pub fn each<K: Kernel>(
        &mut self,
        primitive: &str,
        mut check: impl FnMut(K, &Vector, &str) -> Done,
    ) {
        let available: Vec<K> = K::available().collect();
        let names: Vec<_> = available.iter().map(|kernel| kernel.name()).collect();
        for name in K::NAMES.iter().filter(|name| !names.contains(name)) {
            self.skipped.push((primitive.to_owned(), name));
        }
        for (place, vector) in &self.vectors {
            if vector.primitive != primitive || vector.verdict == Verdict::Acceptable {
                continue;
            }
            for &kernel in &available {
                let place = format!("{place} [{primitive}, {}]", kernel.name());
                match check(kernel, vector, &place) {
                    Done::Right => {
                        let key = (primitive.to_owned(), kernel.name());
                        *self.ran.entry(key).or_default() += 1;
                    }
                    Done::Lacking(reason) => {
                        let operation = vector.operation.clone();
                        let key = (primitive.to_owned(), operation, reason);
                        *self.left.entry(key).or_default() += 1;
                        break;
                    }
                }
            }
        }
        for kernel in names {
            let key = (primitive.to_owned(), kernel);
            assert!(self.ran.contains_key(&key), "{key:?}: no known answer");
        }
    }

    /// Prints which records ran and which did not.
    pub fn report(self) {
        for ((primitive, kernel), n) in self.ran {
            println!("{primitive}, {kernel}: {n} records");
        }
        for (primitive, kernel) in self.skipped {
            println!("{primitive}, {kernel}: SKIPPED, not on this machine");
        }
        for ((primitive, operation, reason), n) in self.left {
            println!("{primitive} {operation}: SKIPPED {n} records: {reason}");
        }
    }
}
