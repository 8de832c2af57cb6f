//! Finds circuits for the S-boxes of DES by search, and writes them as Rust source.
//!
//! There are two sets of gates: `ternary`, any function of three signals (`vpternlog`),
//! and `binary`, any function of two. The complement of a signal costs nothing in either
//! set: a gate can take it as part of its function, and an output that is the complement
//! of the wanted one is marked.
//!
//! The search builds a function of the six inputs of an S-box. Its values matter only on some rows
//! of the truth table, which a mask selects. The search tries, in this order: an existing signal;
//! one gate; two gates (for binary gates three) over any signals; and a multiplexer. The two inputs
//! of a multiplexer are smaller tasks of the same kind: one function for the rows on which the
//! selecting signal is 0, another for the rows on which it is 1. Both can use all existing signals.
//! This is the method of [KWAN] with more gates in the leaves, where a leaf is a task that is
//! solved without a multiplexer. A branch is given up when it cannot need fewer gates than the best
//! solution so far. Among equally good solutions, the search chooses one at random.
//!
//! Then [`walk`], a random walk, makes the circuits smaller, in minutes or hours. The circuits are
//! stored in `sboxes/`, and checked each time the Rust source is written.
//!
//! The processor's AND, OR and XOR give 0 for inputs of 0, so a complement would cost an
//! instruction of its own. The binary circuits avoid complements: some inputs are taken
//! complemented, chosen such that inputs of all zeros give outputs of all zeros.
//! Complementing these inputs costs nothing, because it can be combined with the key that
//! is added to them.
//!
//! - [KWAN] M. Kwan: Reducing the Gate Count of Bitslice DES, 2000
//!
//! [KWAN]: https://eprint.iacr.org/2000/051

use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};

mod walk;

/// FIPS 46-3, appendix 1: rows 0 to 3 of S1 to S8.
#[rustfmt::skip]
const S: [[u8; 64]; 8] = [
    [14,4,13,1,2,15,11,8,3,10,6,12,5,9,0,7, 0,15,7,4,14,2,13,1,10,6,12,11,9,5,3,8,
     4,1,14,8,13,6,2,11,15,12,9,7,3,10,5,0, 15,12,8,2,4,9,1,7,5,11,3,14,10,0,6,13],
    [15,1,8,14,6,11,3,4,9,7,2,13,12,0,5,10, 3,13,4,7,15,2,8,14,12,0,1,10,6,9,11,5,
     0,14,7,11,10,4,13,1,5,8,12,6,9,3,2,15, 13,8,10,1,3,15,4,2,11,6,7,12,0,5,14,9],
    [10,0,9,14,6,3,15,5,1,13,12,7,11,4,2,8, 13,7,0,9,3,4,6,10,2,8,5,14,12,11,15,1,
     13,6,4,9,8,15,3,0,11,1,2,12,5,10,14,7, 1,10,13,0,6,9,8,7,4,15,14,3,11,5,2,12],
    [7,13,14,3,0,6,9,10,1,2,8,5,11,12,4,15, 13,8,11,5,6,15,0,3,4,7,2,12,1,10,14,9,
     10,6,9,0,12,11,7,13,15,1,3,14,5,2,8,4, 3,15,0,6,10,1,13,8,9,4,5,11,12,7,2,14],
    [2,12,4,1,7,10,11,6,8,5,3,15,13,0,14,9, 14,11,2,12,4,7,13,1,5,0,15,10,3,9,8,6,
     4,2,1,11,10,13,7,8,15,9,12,5,6,3,0,14, 11,8,12,7,1,14,2,13,6,15,0,9,10,4,5,3],
    [12,1,10,15,9,2,6,8,0,13,3,4,14,7,5,11, 10,15,4,2,7,12,9,5,6,1,13,14,0,11,3,8,
     9,14,15,5,2,8,12,3,7,0,4,10,1,13,11,6, 4,3,2,12,9,5,15,10,11,14,1,7,6,0,8,13],
    [4,11,2,14,15,0,8,13,3,12,9,7,5,10,6,1, 13,0,11,7,4,9,1,10,14,3,5,12,2,15,8,6,
     1,4,11,13,12,3,7,14,10,15,6,8,0,5,9,2, 6,11,13,8,1,4,10,7,9,5,0,15,14,2,3,12],
    [13,2,8,4,6,15,11,1,10,9,3,14,5,0,12,7, 1,15,13,8,10,3,7,4,12,5,6,11,0,14,9,2,
     7,11,4,1,9,12,14,2,0,6,10,13,15,3,5,8, 2,1,14,7,4,10,8,13,15,12,9,0,3,5,6,11],
];

/// The stored circuits of both sets of gates.
const TERNARY: &str = include_str!("sboxes/ternary.txt");
const BINARY: &str = include_str!("sboxes/binary.txt");

/// The truth table of a function of the six inputs: bit `x` is the value of the function at row
/// `x`. The highest bit of `x` is the first input.
type Truth = u64;

const INPUTS: [Truth; 6] = [
    0xffff_ffff_0000_0000,
    0xffff_0000_ffff_0000,
    0xff00_ff00_ff00_ff00,
    0xf0f0_f0f0_f0f0_f0f0,
    0xcccc_cccc_cccc_cccc,
    0xaaaa_aaaa_aaaa_aaaa,
];

/// Output bit `bit` of S-box `s`; bit 0 is the most significant one.
fn output(s: usize, bit: usize) -> Truth {
    (0..64usize).fold(0, |truth, x| {
        let (row, column) = (x >> 4 & 2 | x & 1, x >> 1 & 15);
        truth | Truth::from(S[s][16 * row + column] >> (3 - bit) & 1) << x
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Basis {
    Ternary,
    Binary,
}

/// A gate: its inputs, and its truth table with the value for inputs a, b, c at bit 4a +
/// 2b + c. Binary gates use only `a` and `b`, with 0 in the place of `c`.
#[derive(Clone, Copy)]
struct Gate {
    from: [usize; 3],
    table: u8,
}

impl Gate {
    fn value(self, signals: &[Truth]) -> Truth {
        let [a, b, c] = self.from.map(|i| signals[i]);
        let row = |i: u32| Truth::from(self.table >> i & 1).wrapping_neg();
        let choose = |x: Truth, high: Truth, low: Truth| low ^ x & (low ^ high);
        let [low, high] = [0, 4].map(|i| {
            let [low, high] = [i, i + 2].map(|i| choose(c, row(i + 1), row(i)));
            choose(b, high, low)
        });
        choose(a, high, low)
    }
}

#[derive(Clone, Default)]
struct Circuit {
    /// The six inputs, then the gates in order.
    signals: Vec<Truth>,
    gates: Vec<Gate>,
    /// For each output, the signal, and whether the output is the signal's complement.
    outputs: [(usize, bool); 4],
}

impl Circuit {
    fn new() -> Self {
        Self {
            signals: INPUTS.to_vec(),
            ..Self::default()
        }
    }

    fn cut(&mut self, gates: usize) {
        self.gates.truncate(gates);
        self.signals.truncate(6 + gates);
    }

    fn push(&mut self, gate: Gate) -> usize {
        self.signals.push(gate.value(&self.signals));
        self.gates.push(gate);
        self.signals.len() - 1
    }

    fn push_two(&mut self, a: usize, b: usize, table: u8) -> usize {
        let table = wide(table);
        let from = [a, b, a];
        self.push(Gate { from, table })
    }
}

/// Makes the truth table of a gate with two inputs, a and b, into the truth table of a gate with
/// three inputs, a, b and c, whose value does not depend on c. The value for a and b is bit 2a + b
/// of the first table, and both bits 4a + 2b and 4a + 2b + 1 of the second table.
fn wide(table: u8) -> u8 {
    (0..4u8)
        .filter(|i| table >> i & 1 == 1)
        .fold(0, |wide, i| wide | 3 << (2 * i))
}

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        // The generator xorshift64*.
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() >> 33) as usize % n
    }

    fn shuffled(&mut self, n: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..n).collect();
        for i in (1..n).rev() {
            order.swap(i, self.below(i + 1));
        }
        order
    }
}

/// A task: the rows on which a function must be 1 and the rows on which it must be 0.
#[derive(Clone, Copy)]
struct Task {
    one: Truth,
    zero: Truth,
}

impl Task {
    fn within(self, rows: Truth) -> Self {
        Self {
            one: self.one & rows,
            zero: self.zero & rows,
        }
    }

    fn is_open(self) -> bool {
        self.one != 0 && self.zero != 0
    }

    /// Returns whether `x` solves the task (`Some(false)`), or its complement does (`Some(true)`).
    fn done_by(self, x: Truth) -> Option<bool> {
        if self.one & !x == 0 && self.zero & x == 0 {
            Some(false)
        } else if self.one & x == 0 && self.zero & !x == 0 {
            Some(true)
        } else {
            None
        }
    }
}

struct Search {
    basis: Basis,
    circuit: Circuit,
    random: Random,
    /// The number of leaves that may still be tried; this bounds the time of an attempt.
    leaves: usize,
}

/// A signal that solves a task, and whether the wanted function is the complement of the signal.
type Found = (usize, bool);

impl Search {
    /// Adds at most `budget` gates that solve a task.
    fn find(&mut self, task: Task, budget: usize, depth: usize) -> Option<Found> {
        for (i, &x) in self.circuit.signals.iter().enumerate() {
            if let Some(complement) = task.done_by(x) {
                return Some((i, complement));
            }
        }
        if budget == 0 || self.leaves == 0 {
            return None;
        }
        self.leaves -= 1;
        let found = match self.basis {
            Basis::Ternary => self.ternary_leaf(task, budget),
            Basis::Binary => self.binary_leaf(task, budget),
        };
        if found.is_some() {
            return found;
        }
        self.split(task, budget, depth)
    }

    fn split(&mut self, task: Task, mut budget: usize, depth: usize) -> Option<Found> {
        let cost = if self.basis == Basis::Ternary { 1 } else { 2 };
        let before = self.circuit.gates.len();
        let mut best: Option<(Vec<Gate>, Found)> = None;
        let mut selectors: Vec<usize> = self.random.shuffled(6);
        if depth < 2 && before > 4 && self.random.below(2) == 0 {
            selectors.insert(self.random.below(3), 6 + self.random.below(before));
        }
        if depth >= 1 {
            // In a task that is part of another task, the choice of the selecting signal matters
            // less, so only five signals are tried.
            selectors.truncate(5);
        }
        for selector in selectors {
            if budget < cost + 1 {
                break;
            }
            let rows = self.circuit.signals[selector];
            // Skips a selecting signal if one of the two parts has less than a quarter of the rows:
            // the other part would be nearly the whole task.
            let (high, low) = (task.within(rows), task.within(!rows));
            let size = |t: Task| (t.one | t.zero).count_ones();
            if size(high) * 4 < size(task) || size(low) * 4 < size(task) {
                continue;
            }
            let found = match self.basis {
                Basis::Ternary => self.select(selector, low, high, budget - 1, depth),
                Basis::Binary => self.add_half(selector, low, high, budget - 2, depth),
            };
            if let Some(found) = found {
                budget = self.circuit.gates.len() - before - 1;
                best = Some((self.circuit.gates[before..].to_vec(), found));
            }
            self.circuit.cut(before);
            if self.leaves == 0 {
                break;
            }
        }
        let (gates, found) = best?;
        for gate in gates {
            self.circuit.push(gate);
        }
        Some(found)
    }

    /// Solves the task for both halves of the rows, and adds the multiplexer that joins the
    /// solutions.
    fn select(
        &mut self,
        s: usize,
        low: Task,
        high: Task,
        budget: usize,
        depth: usize,
    ) -> Option<Found> {
        let before = self.circuit.gates.len();
        let swap = self.random.below(2) == 1;
        let (first, second) = if swap { (high, low) } else { (low, high) };
        let a = self.find(first, budget, depth + 1)?;
        let b = self.find(
            second,
            budget - (self.circuit.gates.len() - before),
            depth + 1,
        )?;
        let (low, high) = if swap { (b, a) } else { (a, b) };
        // Bit 4s + 2·low + high of the table.
        let table = (0..8u8).fold(0, |table, i| {
            let value = if i & 4 != 0 {
                (i & 1 != 0) ^ high.1
            } else {
                (i & 2 != 0) ^ low.1
            };
            table | u8::from(value) << i
        });
        Some((
            self.circuit.push(Gate {
                from: [s, low.0, high.0],
                table,
            }),
            false,
        ))
    }

    /// Solves the task for one half of the rows. Then builds the difference that must be added on
    /// the other half.
    fn add_half(
        &mut self,
        s: usize,
        low: Task,
        high: Task,
        budget: usize,
        depth: usize,
    ) -> Option<Found> {
        let before = self.circuit.gates.len();
        let swap = self.random.below(2) == 1;
        let (first, second) = if swap { (high, low) } else { (low, high) };
        let a = self.find(first, budget, depth + 1)?;
        let value = self.circuit.signals[a.0] ^ if a.1 { !0 } else { 0 };
        let rest = Task {
            one: second.one & !value | second.zero & value,
            zero: second.one & value | second.zero & !value,
        };
        let b = self.find(
            rest,
            budget - (self.circuit.gates.len() - before),
            depth + 1,
        )?;
        // AND of s or its complement with b or its complement. The AND of both
        // complements is the complement of OR.
        let place = if swap { 0 } else { 2 } + u8::from(!b.1);
        let (table, flip) = if place == 0 {
            (0b1110, true)
        } else {
            (1 << place, false)
        };
        let half = self.circuit.push_two(s, b.0, table);
        Some((self.circuit.push_two(a.0, half, 0b0110), a.1 ^ flip))
    }

    fn ternary_leaf(&mut self, task: Task, budget: usize) -> Option<Found> {
        let n = self.circuit.signals.len();
        let order = self.random.shuffled(n);
        let x: Vec<Truth> = order.iter().map(|&i| self.circuit.signals[i]).collect();
        let ambiguous = |rows: Truth| task.one & rows != 0 && task.zero & rows != 0;
        for a in 2..n {
            for b in 1..a {
                let quarters = [!x[a] & !x[b], !x[a] & x[b], x[a] & !x[b], x[a] & x[b]];
                'c: for c in 0..b {
                    for quarter in quarters {
                        if ambiguous(quarter & x[c]) || ambiguous(quarter & !x[c]) {
                            continue 'c;
                        }
                    }
                    let mut table = self.random.next() as u8;
                    for (i, quarter) in quarters.into_iter().enumerate() {
                        for (bit, rows) in [(2 * i, quarter & !x[c]), (2 * i + 1, quarter & x[c])] {
                            if task.one & rows != 0 {
                                table |= 1 << bit;
                            } else if task.zero & rows != 0 {
                                table &= !(1 << bit);
                            }
                        }
                    }
                    let from = [order[a], order[b], order[c]];
                    return Some((self.circuit.push(Gate { from, table }), false));
                }
            }
        }
        if budget < 2 {
            return None;
        }
        // An inner gate with the inputs a, b and c, and an outer gate with the inner
        // gate, d and e.
        for d in 1..n {
            for e in 0..d {
                let quarters = [!x[d] & !x[e], !x[d] & x[e], x[d] & !x[e], x[d] & x[e]];
                let tasks = quarters.map(|rows| task.within(rows));
                let open: Vec<Task> = tasks
                    .into_iter()
                    .filter(|t| t.one != 0 && t.zero != 0)
                    .collect();
                for a in 2..n {
                    if a == d || a == e {
                        continue;
                    }
                    for b in 1..a {
                        if b == d || b == e {
                            continue;
                        }
                        let ab = [!x[a] & !x[b], !x[a] & x[b], x[a] & !x[b], x[a] & x[b]];
                        'inner: for c in 0..b {
                            if c == d || c == e {
                                continue;
                            }
                            let mut inner: (u8, u8) = (0, 0);
                            for (k, t) in open.iter().enumerate() {
                                let (mut one, mut zero) = (0u8, 0u8);
                                for (i, rows) in ab.into_iter().enumerate() {
                                    let (high, low) = (rows & x[c], rows & !x[c]);
                                    let (o1, z1) = (t.one & high != 0, t.zero & high != 0);
                                    let (o0, z0) = (t.one & low != 0, t.zero & low != 0);
                                    if o1 && z1 || o0 && z0 {
                                        continue 'inner;
                                    }
                                    one |= u8::from(o0) << (2 * i) | u8::from(o1) << (2 * i + 1);
                                    zero |= u8::from(z0) << (2 * i) | u8::from(z1) << (2 * i + 1);
                                }
                                if k == 0 || inner.0 & zero == 0 && inner.1 & one == 0 {
                                    inner = (inner.0 | one, inner.1 | zero);
                                } else if inner.0 & one == 0 && inner.1 & zero == 0 {
                                    inner = (inner.0 | zero, inner.1 | one);
                                } else {
                                    continue 'inner;
                                }
                            }
                            let free = !(inner.0 | inner.1) & self.random.next() as u8;
                            let from = [order[a], order[b], order[c]];
                            let gate = Gate {
                                from,
                                table: inner.0 | free,
                            };
                            let inner = self.circuit.push(gate);
                            let value = self.circuit.signals[inner];
                            let mut table = self.random.next() as u8;
                            for (i, t) in tasks.into_iter().enumerate() {
                                for (bit, rows) in [(i, !value), (4 + i, value)] {
                                    if t.one & rows != 0 {
                                        table |= 1 << bit;
                                    } else if t.zero & rows != 0 {
                                        table &= !(1 << bit);
                                    }
                                }
                            }
                            let from = [inner, order[d], order[e]];
                            let outer = self.circuit.push(Gate { from, table });
                            return Some((outer, false));
                        }
                    }
                }
            }
        }
        None
    }

    fn binary_leaf(&mut self, task: Task, budget: usize) -> Option<Found> {
        // The functions of two signals, one from each pair of complements.
        const TABLES: [u8; 5] = [0b1000, 0b0100, 0b0010, 0b1110, 0b0110];
        let apply = |table: u8, a: Truth, b: Truth| match table {
            0b1000 => a & b,
            0b0100 => a & !b,
            0b0010 => !a & b,
            0b1110 => a | b,
            _ => a ^ b,
        };
        let order = self.random.shuffled(self.circuit.signals.len());
        let mut pairs = Vec::with_capacity(order.len() * order.len() * 5 / 2);
        for (i, &a) in order.iter().enumerate() {
            for &b in &order[..i] {
                let (x, y) = (self.circuit.signals[a], self.circuit.signals[b]);
                for table in TABLES {
                    let value = apply(table, x, y);
                    if let Some(complement) = task.done_by(value) {
                        return Some((self.circuit.push_two(a, b, table), complement));
                    }
                    pairs.push((value, a, b, table));
                }
            }
        }
        if budget < 2 {
            return None;
        }
        let start = self.random.below(pairs.len());
        pairs.rotate_left(start);
        for &(value, a, b, inner) in &pairs {
            for &c in &order {
                let x = self.circuit.signals[c];
                for outer in TABLES {
                    if let Some(complement) = task.done_by(apply(outer, value, x)) {
                        let inner = self.circuit.push_two(a, b, inner);
                        return Some((self.circuit.push_two(inner, c, outer), complement));
                    }
                }
            }
        }
        if budget < 3 {
            return None;
        }
        // The last gate of the solution takes two signals, and each of them can be a gate of its
        // own. For AND and similar gates, only few pairs of signals can be such an input.
        let Task { one, zero } = task;
        for (want, wanted) in [(one, zero), (zero, one)] {
            // x ∧ y needs inputs that are 1 on all rows of `want`; together they must be
            // 0 on `wanted`.
            let covers: Vec<(Truth, bool, usize)> = (0..pairs.len())
                .flat_map(|i| [(pairs[i].0, false, i), (!pairs[i].0, true, i)])
                .filter(|(x, _, _)| want & !x == 0)
                .collect();
            for (i, &(x, not_x, a)) in covers.iter().enumerate() {
                for &(y, not_y, b) in &covers[..i] {
                    if wanted & x & y == 0 {
                        let (_, c, d, table) = pairs[a];
                        let x = self.circuit.push_two(c, d, table);
                        let (_, c, d, table) = pairs[b];
                        let y = self.circuit.push_two(c, d, table);
                        let place = 2 * u8::from(!not_x) + u8::from(!not_y);
                        // A truth table with a single 1 is an AND of signals or complements; a
                        // table with three is the complement of such an AND.
                        let (table, flip) = if place == 0 {
                            (0b1110, true)
                        } else {
                            (1 << place, false)
                        };
                        let z = self.circuit.push_two(x, y, table);
                        return Some((z, flip ^ (want == zero)));
                    }
                }
            }
        }
        let rows = one | zero;
        let key = |x: Truth| {
            let x = x & rows;
            if x >> rows.trailing_zeros() & 1 == 1 {
                !x & rows
            } else {
                x
            }
        };
        let places: std::collections::HashMap<Truth, usize> = pairs
            .iter()
            .enumerate()
            .map(|(i, pair)| (key(pair.0), i))
            .collect();
        for i in 0..pairs.len() {
            if let Some(&j) = places.get(&key(pairs[i].0 ^ one)) {
                let (_, a, b, table) = pairs[i];
                let x = self.circuit.push_two(a, b, table);
                let (_, a, b, table) = pairs[j];
                let y = self.circuit.push_two(a, b, table);
                let z = self.circuit.push_two(x, y, 0b0110);
                let complement = task.done_by(self.circuit.signals[z])?;
                return Some((z, complement));
            }
        }
        None
    }
}

/// Writes the Rust source of both sets of circuits, or checks that the files are up to
/// date.
pub(crate) fn run(check: bool) -> anyhow::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/touchstone/src/block/des");
    let sets = [
        (Basis::Ternary, "ternary.rs", walk::read(TERNARY)?),
        (Basis::Binary, "binary.rs", walk::read(BINARY)?),
    ];
    for (basis, file, circuits) in sets {
        let text = source(basis, &circuits)?;
        let path = root.join(file);
        if check {
            let there = std::fs::read_to_string(&path)?;
            ensure!(
                there == text,
                "{file} is not what `cargo xtask sboxes` writes"
            );
        } else {
            std::fs::write(path, text)?;
        }
    }
    Ok(())
}

/// Searches for smaller circuits, starting at a seed, for some minutes. Prints the text
/// that should be copied to the files in `sboxes/`.
pub(crate) fn search(set: &str, first: &str, minutes: &str) -> anyhow::Result<()> {
    let (first, minutes): (u64, u64) = (first.parse()?, minutes.parse()?);
    let end = Instant::now() + Duration::from_secs(60 * minutes);
    let (basis, text) = match set {
        "ternary" => (Basis::Ternary, TERNARY),
        "binary" => (Basis::Binary, BINARY),
        _ => bail!("the sets are ternary and binary"),
    };
    walk::search(basis, walk::read(text)?, first, end)
}

/// Makes one attempt at a circuit of at most `limit` gates.
fn attempt(basis: Basis, s: usize, seed: u64, limit: usize) -> Option<Circuit> {
    let mut search = Search {
        basis,
        circuit: Circuit::new(),
        random: Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1),
        leaves: 20_000,
    };
    let order = search.random.shuffled(4);
    // The smallest number of gates that an output has needed in practice.
    let least = if basis == Basis::Ternary { 2 } else { 4 };
    for (done, &bit) in order.iter().enumerate() {
        let truth = output(s, bit);
        let task = Task {
            one: truth,
            zero: !truth,
        };
        let budget = limit.checked_sub(search.circuit.gates.len() + (3 - done) * least)?;
        search.circuit.outputs[bit] = search.find(task, budget, 0)?;
    }
    Some(search.circuit)
}

impl Circuit {
    /// Returns whether the circuit's outputs equal the outputs of S-box `s`.
    fn is_right(&self, s: usize) -> bool {
        self.outputs
            .iter()
            .enumerate()
            .all(|(bit, &(signal, complement))| {
                self.signals[signal] ^ if complement { !0 } else { 0 } == output(s, bit)
            })
    }
}

/// Orders the gates such that few registers are needed: each output as early as possible, and the
/// gates on which the output depends right before it.
fn in_order(circuit: &Circuit) -> Vec<usize> {
    fn visit(circuit: &Circuit, signal: usize, order: &mut Vec<usize>) {
        if signal < 6 || order.contains(&(signal - 6)) {
            return;
        }
        for from in circuit.gates[signal - 6].from {
            visit(circuit, from, order);
        }
        order.push(signal - 6);
    }
    let mut order = Vec::new();
    let mut outputs = circuit.outputs;
    outputs.sort_unstable();
    for (signal, _) in outputs {
        visit(circuit, signal, &mut order);
    }
    order
}

/// Returns a circuit whose gates all give 0 for inputs of 0, and the set of the inputs that the
/// circuit takes complemented.
fn without_complements(s: usize, circuit: &Circuit) -> anyhow::Result<(Circuit, usize)> {
    // The row for inputs of 0 is the row of the complemented inputs in the original circuit. A
    // signal that is 1 on this row must be complemented.
    let row = (0..64).find(|row| (0..4).all(|bit| output(s, bit) >> row & 1 == 0));
    let row = row.context("no row gives zeros")?;
    let is_one = |signal: usize| (circuit.signals[signal] >> row & 1) as u8;
    let mut new = circuit.clone();
    for (g, gate) in new.gates.iter_mut().enumerate() {
        ensure!(gate.from[2] == gate.from[0], "a gate has three signals");
        let [a, b, _] = gate.from.map(is_one);
        let table = (0..4).fold(0, |table, i| {
            // Bit 4a + 2b + c of the table. The value of c does not matter; here c is a.
            let at = (i ^ (2 * a + b)) * 2 + (i >> 1 ^ a);
            table | (gate.table >> at & 1 ^ is_one(g + 6)) << i
        });
        gate.table = wide(table);
    }
    Ok((new, row))
}

/// Returns the Rust expression for the value of a gate.
fn value(basis: Basis, Gate { from, table }: Gate, name: impl Fn(usize) -> String) -> String {
    let [a, b, c] = from.map(name);
    match (basis, table & 0x55) {
        (Basis::Ternary, _) => format!("{a}.ternary::<0x{table:02x}>({b}, {c})"),
        (_, 0x40) => format!("{a}.and({b})"),
        (_, 0x10) => format!("{a}.and_not({b})"),
        (_, 0x04) => format!("{b}.and_not({a})"),
        (_, 0x54) => format!("{a}.or({b})"),
        (_, 0x14) => format!("{a}.xor({b})"),
        _ => unreachable!("a gate of one signal is none, and zeros give zero"),
    }
}

/// Returns the source lines of several S-boxes, one after the other. Each line has one gate, after
/// the inputs that this gate is the first to use, and before the outputs whose value the gate is.
fn lines(basis: Basis, circuits: &[Circuit], boxes: std::ops::Range<usize>) -> Vec<String> {
    let mut lines = Vec::new();
    for s in boxes {
        let name = |signal| format!("{}{signal}", char::from(b'a' + s as u8));
        let mut loaded = [false; 6];
        let order = match basis {
            Basis::Ternary => (0..circuits[s].gates.len()).collect(),
            Basis::Binary => in_order(&circuits[s]),
        };
        for g in order {
            let gate = circuits[s].gates[g];
            let mut line = String::new();
            for input in gate.from.into_iter().filter(|&signal| signal < 6) {
                if !std::mem::replace(&mut loaded[input], true) {
                    let _ = writeln!(line, "        let {} = $input!({s}, {input});", name(input));
                }
            }
            let (out, value) = (name(g + 6), value(basis, gate, name));
            let _ = writeln!(line, "        let {out} = {value};");
            for (i, (signal, _)) in circuits[s].outputs.into_iter().enumerate() {
                if signal == g + 6 {
                    let _ = writeln!(line, "        $add!({s}, {i}, {out});");
                }
            }
            lines.push(line);
        }
    }
    lines
}

/// Returns the Rust source of a set of circuits.
fn source(basis: Basis, circuits: &[Circuit]) -> anyhow::Result<String> {
    let gates: Vec<usize> = circuits.iter().map(|c| c.gates.len()).collect();
    let sum: usize = gates.iter().sum();
    let each = gates
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(" ");
    let (what, words) = match basis {
        Basis::Ternary => ("any function of three signals", "three"),
        Basis::Binary => ("AND, AND NOT, OR and XOR", "two"),
    };
    let mut text = format!(
        "//! The S-boxes as circuits of gates with {words} inputs: {what}.\n\
         //! {sum} gates in all, for S1 to S8: {each}.\n\
         //!\n\
         //! `cargo xtask sboxes`, which contains the search, writes this file. Do not edit it.\n\n"
    );
    let (turns, lines) = match basis {
        Basis::Ternary => {
            let [first, second] = [0..4, 4..8].map(|boxes| lines(basis, circuits, boxes));
            let both = (0..first.len().max(second.len()))
                .flat_map(|i| [first.get(i), second.get(i)])
                .flatten()
                .map(String::as_str)
                .collect::<String>();
            (
                " The gates of two S-boxes alternate,\n/// because the gates of one alone do not use the processor fully.",
                both,
            )
        }
        Basis::Binary => {
            let (mut plain, mut rows) = (Vec::new(), Vec::new());
            for (s, circuit) in circuits.iter().enumerate() {
                let (circuit, row) = without_complements(s, circuit)?;
                plain.push(circuit);
                rows.push(format!("0b{row:06b}"));
            }
            let _ = write!(
                text,
                "/// The inputs that the circuits of S1 to S8 take complemented. The first is the highest bit.\n\
                 #[rustfmt::skip]\n\
                 pub(super) const COMPLEMENTED: [u8; 8] = [{}];\n\n",
                rows.join(", ")
            );
            ("", lines(basis, &plain, 0..8).concat())
        }
    };
    let _ = write!(
        text,
        "/// Writes the circuits of all S-boxes. `$input!(s, i)` gives input `i` of S-box `s`,\n\
         /// counted from 0; `$add!(s, i, y)` receives output `i`.{turns}\n\
         macro_rules! boxes {{\n    \
         ($input:ident, $add:ident) => {{\n{lines}    }};\n}}\npub(super) use boxes;\n"
    );
    Ok(text)
}
