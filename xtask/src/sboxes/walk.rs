//! A random walk among the circuits of an S-box: a search that changes a circuit step by step, at
//! random, and accepts each step that keeps the circuit right.
//!
//! The value of a gate matters only on the rows on which some output depends on it. Most gates can
//! therefore be replaced by a gate with other signals as its inputs, whose values on the other rows
//! may differ. Such a change also changes which rows matter for other gates. A step takes any gate
//! and replaces it in any possible way. If a gate is no longer needed, it is removed.
//!
//! Two further kinds of steps give the walk more choices. One kind doubles a gate and divides the
//! uses of the gate between the two copies, which can then be replaced separately. The other kind
//! adds a gate that takes over a part of the work of two gates. For binary gates, few replacements
//! exist without these two kinds.

use std::time::Instant;

use anyhow::{Context, ensure};

use super::{Basis, Circuit, Gate, Random, Task, Truth, attempt, wide};

/// The number of gates that the present circuit of a walk may have more than the best circuit.
const SLACK: usize = 2;

/// The largest number of gates. Inputs and gates together must fit a [`Set`].
const MOST: usize = 64 - 6;

/// The number of ways that are tried to divide the work between a gate and a new gate.
const TRIES: usize = 4;

/// After this many steps without a better circuit, the walk starts again.
const PATIENCE: usize = 1_000_000;

/// A set of signals: bit i stands for signal i.
type Set = u64;

/// Reads the circuits `S1` to `S8` from the text of a file.
pub(super) fn read(text: &str) -> anyhow::Result<Vec<Circuit>> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let circuits: Vec<Circuit> = lines.map(parse).collect::<anyhow::Result<_>>()?;
    ensure!(circuits.len() == 8, "there are not eight circuits");
    for (s, circuit) in circuits.iter().enumerate() {
        ensure!(circuit.is_right(s), "the circuit of S{} is wrong", s + 1);
    }
    Ok(circuits)
}

fn parse(line: &str) -> anyhow::Result<Circuit> {
    let mut circuit = Circuit::new();
    let (_, circuit_text) = line.split_once(':').context("no colon")?;
    let (gates, outputs) = circuit_text.split_once('|').context("no outputs")?;
    for gate in gates.split_whitespace() {
        let mut parts = gate.split(',');
        let mut part = || parts.next().context("a gate has three signals and a table");
        let from = [part()?.parse()?, part()?.parse()?, part()?.parse()?];
        let table = u8::from_str_radix(part()?, 16)?;
        ensure!(
            from.iter().all(|&signal| signal < circuit.signals.len()),
            "a gate comes before what it needs"
        );
        circuit.push(Gate { from, table });
    }
    let mut outputs = outputs.split_whitespace();
    for output in &mut circuit.outputs {
        let signal = outputs.next().context("there are four outputs")?.parse()?;
        ensure!(signal < circuit.signals.len(), "there is no such output");
        *output = (signal, false);
    }
    Ok(circuit)
}

fn write(s: usize, circuit: &Circuit) -> String {
    let gates: Vec<String> = circuit
        .gates
        .iter()
        .map(
            |Gate {
                 from: [a, b, c],
                 table,
             }| format!("{a},{b},{c},{table:02x}"),
        )
        .collect();
    let outputs = circuit.outputs.map(|(signal, _)| signal.to_string());
    format!("S{}: {} | {}", s + 1, gates.join(" "), outputs.join(" "))
}

/// Searches until the time limit `end` is reached. Each walk starts at the best circuit of an
/// S-box, or at a result of [`attempt`].
pub(super) fn search(
    basis: Basis,
    mut best: Vec<Circuit>,
    first: u64,
    end: Instant,
) -> anyhow::Result<()> {
    for seed in first.. {
        for (s, best) in best.iter_mut().enumerate() {
            if Instant::now() > end {
                return Ok(());
            }
            let start = if seed % 2 == 0 {
                best.clone()
            } else if let Some(circuit) =
                attempt(basis, s, seed, (best.gates.len() + 6).min(MOST - 4))
            {
                plain(circuit)
            } else {
                continue;
            };
            let mut walk = Walk::new(basis, start, seed);
            walk.run(end);
            ensure!(walk.best.is_right(s), "the walk is wrong");
            if walk.least < best.gates.len() {
                *best = match basis {
                    Basis::Ternary => few_copies(&walk.best, &mut walk.random),
                    Basis::Binary => walk.best,
                };
                println!("{} ({} gates)", write(s, best), walk.least);
            }
        }
    }
    Ok(())
}

/// Adds a gate for each output that is the complement of a signal, so that no output is a
/// complement.
fn plain(mut circuit: Circuit) -> Circuit {
    for i in 0..4 {
        if let (signal, true) = circuit.outputs[i] {
            let Gate { from, table } = circuit.gates[signal - 6];
            circuit.outputs[i] = (
                circuit.push(Gate {
                    from,
                    table: !table,
                }),
                false,
            );
        }
    }
    tidy(circuit)
}

struct Walk {
    basis: Basis,
    circuit: Circuit,
    best: Circuit,
    least: usize,
    random: Random,
}

impl Walk {
    fn new(basis: Basis, start: Circuit, seed: u64) -> Self {
        Self {
            basis,
            least: start.gates.len(),
            best: start.clone(),
            circuit: start,
            random: Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1),
        }
    }

    fn run(&mut self, end: Instant) {
        let mut idle = 0;
        while idle < PATIENCE && (idle % 1000 != 0 || Instant::now() < end) {
            idle = if self.step() { 0 } else { idle + 1 };
        }
    }

    /// Makes one step; returns whether the circuit is the smallest so far.
    fn step(&mut self) -> bool {
        let g = 6 + self.random.below(self.circuit.gates.len());
        let most = (self.least + SLACK).min(MOST);
        match self.random.below(60) {
            0..2 if self.circuit.gates.len() < most => self.double(g),
            2..12 if self.circuit.gates.len() < MOST => self.insert(g, most),
            _ => self.change(g),
        }
        let better = self.circuit.gates.len() < self.least;
        if better {
            self.least = self.circuit.gates.len();
            self.best = self.circuit.clone();
        }
        better
    }

    /// Copies a gate, and lets the copy replace the gate in some of its uses.
    fn double(&mut self, g: usize) {
        let copy = self.circuit.push(self.circuit.gates[g - 6]);
        for i in g - 5..copy - 6 {
            if self.random.below(2) == 0 {
                let from = &mut self.circuit.gates[i].from;
                *from = from.map(|signal| if signal == g { copy } else { signal });
            }
        }
        self.tidy();
    }

    /// Replaces a gate by a gate with other inputs.
    fn change(&mut self, g: usize) {
        let (after, task) = self.task(g);
        // First looks for an existing signal that solves the task.
        let signals = &self.circuit.signals;
        let is_output = self.circuit.outputs.contains(&(g, false));
        let start = self.random.below(signals.len());
        for i in (start..signals.len()).chain(0..start) {
            if after >> i & 1 == 0 {
                match task.done_by(signals[i]) {
                    Some(complement) if !(complement && is_output) => {
                        return self.replace(g, i, complement);
                    }
                    _ => {}
                }
            }
        }
        let own = self.own(g);
        let ways = Ways::new(signals, after);
        if let Some((_, from)) = ways.best(self.basis, task, &own, &[], &mut self.random) {
            self.circuit.gates[g - 6] = self.gate(task, from);
            self.tidy();
        }
    }

    /// Replaces a gate by a gate one of whose inputs is a new gate, if the circuit then has at most
    /// `most` gates.
    fn insert(&mut self, g: usize, most: usize) {
        let (after, task) = self.task(g);
        let own = self.own(g);
        let ways = Ways::new(&self.circuit.signals, after);
        // The inputs of the gate, and the inputs of the gates that would be removed with it.
        let mut near = self.circuit.gates[g - 6].from.to_vec();
        near.extend(own.iter().flat_map(|own| self.circuit.gates[own - 6].from));
        let random = &mut self.random;
        let mut best: Option<(usize, [usize; 3], Task, [usize; 2])> = None;
        for _ in 0..TRIES {
            let mut some = || match random.below(2) {
                0 => ways.any(random),
                _ => near[random.below(near.len())],
            };
            let [d, e] = match self.basis {
                Basis::Ternary => [some(), some()],
                Basis::Binary => [some(); 2],
            };
            // On the rows on which the two other signals do not determine the result, the new gate
            // must determine it. Whether the new gate or its complement does so is chosen at
            // random.
            let parts: [Task; 4] = ways.halves(ways.halves::<1, 2>([task], d), e);
            let mut inner = Task { one: 0, zero: 0 };
            for part in parts.iter().filter(|part| part.is_open()) {
                let swap = random.below(2) == 1;
                inner.one |= if swap { part.zero } else { part.one };
                inner.zero |= if swap { part.one } else { part.zero };
            }
            let way = ways.best(self.basis, inner, &own, &[d, e], random);
            if let Some((kept, from)) = way
                && best.is_none_or(|best| kept < best.0)
            {
                best = Some((kept, from, inner, [d, e]));
            }
        }
        if let Some((kept, from, inner, [d, e])) = best
            && self.circuit.gates.len() + 1 + kept <= most + own.len()
        {
            let new = self.gate(inner, from);
            let new = self.circuit.push(new);
            self.circuit.gates[g - 6] = self.gate(task, [new, d, if d == e { new } else { e }]);
            self.tidy();
        }
    }

    /// Returns the set of the gates that depend on a gate, and the task that the gate must solve.
    fn task(&self, g: usize) -> (Set, Task) {
        let after = self.after(g);
        let (value, matters) = (self.circuit.signals[g], self.matters(g, after));
        let task = Task {
            one: value & matters,
            zero: !value & matters,
        };
        (after, task)
    }

    /// Returns the gate of three given signals that solves a task.
    fn gate(&mut self, task: Task, from: [usize; 3]) -> Gate {
        let [a, b, c] = from.map(|i| self.circuit.signals[i]);
        // Entries of the truth table that no row needs are random. If c is the same signal as a, a
        // needed entry is set for both values of c.
        let mut table = match self.basis {
            Basis::Ternary => self.random.next() as u8,
            Basis::Binary => wide(self.random.next() as u8),
        };
        for i in 0..8 {
            let pick = |x: Truth, bit: u32| if i & bit != 0 { x } else { !x };
            let third = if from[2] == from[0] { !0 } else { pick(c, 1) };
            let rows = pick(a, 4) & pick(b, 2) & third;
            if task.one & rows != 0 {
                table |= 1 << i;
            } else if task.zero & rows != 0 {
                table &= !(1 << i);
            }
        }
        Gate { from, table }
    }

    /// Returns a gate and all gates that depend on it, as a set.
    fn after(&self, g: usize) -> u64 {
        let mut after = 1 << g;
        for (i, gate) in self.circuit.gates.iter().enumerate().skip(g - 5) {
            if gate.from.iter().any(|from| after >> from & 1 == 1) {
                after |= 1 << (i + 6);
            }
        }
        after
    }

    /// Returns the rows on which some output depends on a gate.
    fn matters(&self, g: usize, after: u64) -> Truth {
        let mut signals = self.circuit.signals.clone();
        signals[g] = !signals[g];
        for i in g + 1..signals.len() {
            if after >> i & 1 == 1 {
                signals[i] = self.circuit.gates[i - 6].value(&signals);
            }
        }
        self.circuit.outputs.iter().fold(0, |rows, &(output, _)| {
            rows | signals[output] ^ self.circuit.signals[output]
        })
    }

    /// Gates that only this gate uses.
    fn own(&self, g: usize) -> Vec<usize> {
        let mut own: Vec<usize> = self.circuit.gates[g - 6].from.to_vec();
        own.retain(|&from| {
            let gates = self.circuit.gates.iter().enumerate();
            from >= 6
                && !self.circuit.outputs.contains(&(from, false))
                && gates.filter(|(_, gate)| gate.from.contains(&from)).count() == 1
        });
        own
    }

    /// Uses a signal or its complement in place of a gate.
    fn replace(&mut self, g: usize, signal: usize, complement: bool) {
        for gate in &mut self.circuit.gates {
            for k in 0..3 {
                if gate.from[k] == g {
                    gate.from[k] = signal;
                    if complement {
                        let bit = 4 >> k;
                        let table = gate.table;
                        gate.table = (0..8).fold(0, |sum, i| sum | (table >> (i ^ bit) & 1) << i);
                    }
                }
            }
        }
        for output in &mut self.circuit.outputs {
            if output.0 == g {
                output.0 = signal;
            }
        }
        self.tidy();
    }

    fn tidy(&mut self) {
        self.circuit = tidy(std::mem::take(&mut self.circuit));
    }
}

/// Finds the ways to solve a task with one gate. If the task has different values on two rows, the
/// gate needs an input that differs between these rows. Few signals differ between two given rows.
/// After one or two inputs are chosen in this way, few signals or none are left to try.
struct Ways<'s> {
    signals: &'s [Truth],
    rows: [Set; 64],
    usable: Set,
}

impl<'s> Ways<'s> {
    /// Uses the signals that are not in `after`.
    fn new(signals: &'s [Truth], after: Set) -> Self {
        Self {
            signals,
            rows: rows(signals),
            usable: !after & (Set::MAX >> (64 - signals.len())),
        }
    }

    fn any(&self, random: &mut Random) -> usize {
        let n = random.below(self.usable.count_ones() as usize);
        bits(self.usable).nth(n).unwrap_or_default()
    }

    /// Finds the inputs of a gate that solves the task, such that as few of the gates `own` as
    /// possible are kept. A gate is kept if it is one of the inputs or is in `with`. Also returns
    /// the number of gates that are kept.
    fn best(
        &self,
        basis: Basis,
        task: Task,
        own: &[usize],
        with: &[usize],
        random: &mut Random,
    ) -> Option<(usize, [usize; 3])> {
        let (mut best, mut ties) = (None, 0);
        let found = |from: [usize; 3]| {
            let is_kept = |i: &&usize| from.contains(i) || with.contains(i);
            let kept = own.iter().filter(is_kept).count();
            if best.is_none_or(|(least, _)| kept < least) {
                ties = 0;
            } else if best.is_some_and(|(least, _)| kept > least) {
                return;
            }
            ties += 1;
            if random.below(ties) == 0 {
                best = Some((kept, from));
            }
        };
        match basis {
            Basis::Ternary => self.of_three(task, found),
            Basis::Binary => self.of_two(task, found),
        }
        best
    }

    fn of_two(&self, task: Task, mut found: impl FnMut([usize; 3])) {
        for a in bits(self.useful(&[task])) {
            for b in bits(self.deciding(&self.halves::<1, 2>([task], a))) {
                found([a, b, a]);
            }
        }
    }

    fn of_three(&self, task: Task, mut found: impl FnMut([usize; 3])) {
        for a in bits(self.useful(&[task])) {
            let halves: [Task; 2] = self.halves([task], a);
            for b in bits(self.useful(&halves)) {
                let set = self.deciding(&self.halves::<2, 4>(halves, b));
                if set == self.usable {
                    // Two inputs are enough.
                    found([a, b, a]);
                } else {
                    bits(set).for_each(|c| found([a, b, c]));
                }
            }
        }
    }

    /// Splits tasks by a signal: first the rows on which the signal is 1, then the other rows.
    fn halves<const N: usize, const M: usize>(&self, tasks: [Task; N], a: usize) -> [Task; M] {
        let x = self.signals[a];
        std::array::from_fn(|i| tasks[i % N].within(if i < N { x } else { !x }))
    }

    /// Returns a set of signals: every solution needs at least one of them. All signals if the
    /// tasks are solved.
    fn useful(&self, tasks: &[Task]) -> Set {
        let open = tasks.iter().find(|task| task.is_open());
        self.usable
            & open.map_or(!0, |task| {
                self.rows[task.one.trailing_zeros() as usize]
                    ^ self.rows[task.zero.trailing_zeros() as usize]
            })
    }

    /// Returns the signals that decide every task that is still open: for each such task, the
    /// signal or its complement solves the task.
    fn deciding(&self, tasks: &[Task]) -> Set {
        let mut set = self.usable;
        let open = tasks.iter().filter(|task| task.is_open());
        for &Task { mut one, mut zero } in open {
            let first = self.rows[one.trailing_zeros() as usize];
            while zero != 0 && set != 0 {
                set &= self.rows[zero.trailing_zeros() as usize] ^ first;
                zero &= zero - 1;
            }
            while one != 0 && set != 0 {
                set &= !(self.rows[one.trailing_zeros() as usize] ^ first);
                one &= one - 1;
            }
        }
        set
    }
}

/// For each row, the set of signals that are 1 on it.
fn rows(signals: &[Truth]) -> [Set; 64] {
    let mut x = [0; 64];
    x[..signals.len()].copy_from_slice(signals);
    // Transposes a matrix of 64×64 bits: exchanges halves, then quarters, and so on.
    let (mut size, mut low) = (32, u64::from(u32::MAX));
    while size != 0 {
        for i in (0..64).filter(|i| i & size == 0) {
            let swap = (x[i] >> size ^ x[i + size]) & low;
            x[i] ^= swap << size;
            x[i + size] ^= swap;
        }
        size /= 2;
        low ^= low << size;
    }
    x
}

fn bits(mut set: Set) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (bit < 64).then_some(bit)
    })
}

/// Returns the gates that some output needs, each after its inputs.
fn tidy(circuit: Circuit) -> Circuit {
    fn visit(circuit: &Circuit, signal: usize, places: &mut [Option<usize>], new: &mut Circuit) {
        if places[signal].is_none() {
            let Gate { from, table } = circuit.gates[signal - 6];
            for i in from {
                visit(circuit, i, places, new);
            }
            let from = from.map(|i| places[i].unwrap_or_default());
            places[signal] = Some(new.push(Gate { from, table }));
        }
    }
    let mut new = Circuit::new();
    let mut places: Vec<Option<usize>> = vec![None; circuit.gates.len() + 6];
    for (i, place) in places.iter_mut().take(6).enumerate() {
        *place = Some(i);
    }
    for (output, (signal, _)) in circuit.outputs.into_iter().enumerate() {
        visit(&circuit, signal, &mut places, &mut new);
        new.outputs[output] = (places[signal].unwrap_or_default(), false);
    }
    new
}

/// Returns an order of the gates in which most gates overwrite a signal that is no longer needed.
/// `vpternlog` overwrites one of its three inputs; an input that is needed later must be copied
/// first.
fn few_copies(circuit: &Circuit, random: &mut Random) -> Circuit {
    let mut best = (usize::MAX, circuit.clone());
    for _ in 0..5000 {
        let (copies, order) = some_order(circuit, random);
        if copies < best.0 {
            best = (copies, order);
        }
    }
    best.1
}

/// Returns an order that makes few copies, and the number of copies.
fn some_order(circuit: &Circuit, random: &mut Random) -> (usize, Circuit) {
    let n = circuit.signals.len();
    let mut uses = vec![0; n];
    for gate in &circuit.gates {
        for i in distinct(gate.from) {
            uses[i] += 1;
        }
    }
    let mut places: Vec<Option<usize>> = (0..n).map(|i| (i < 6).then_some(i)).collect();
    let (mut copies, mut new) = (0, Circuit::new());
    while new.gates.len() < circuit.gates.len() {
        let last_uses = |g: usize, uses: &[usize]| {
            let from = distinct(circuit.gates[g].from);
            from.filter(|&i| uses[i] == 1).count()
        };
        let ready = (0..circuit.gates.len()).filter(|&g| {
            places[g + 6].is_none() && circuit.gates[g].from.iter().all(|&i| places[i].is_some())
        });
        // A gate is better if it is the last use of one signal than of several signals, because it
        // can overwrite only one of them.
        let worth = |g| match last_uses(g, &uses) {
            0 => 0,
            uses => 4 - uses,
        };
        let Some(g) = ready.max_by_key(|&g| (worth(g), random.next())) else {
            break;
        };
        copies += usize::from(last_uses(g, &uses) == 0);
        let Gate { from, table } = circuit.gates[g];
        for i in distinct(from) {
            uses[i] -= 1;
        }
        let from = from.map(|i| places[i].unwrap_or_default());
        places[g + 6] = Some(new.push(Gate { from, table }));
    }
    for (output, (signal, _)) in circuit.outputs.into_iter().enumerate() {
        new.outputs[output] = (places[signal].unwrap_or_default(), false);
    }
    (copies, new)
}

fn distinct([a, b, c]: [usize; 3]) -> impl Iterator<Item = usize> {
    let (second, third) = ((b != a).then_some(b), (c != a && c != b).then_some(c));
    std::iter::once(a).chain(second).chain(third)
}

#[cfg(test)]
mod tests {
    use super::super::without_complements;
    use super::*;

    #[test]
    fn a_walk_makes_a_circuit_smaller_and_keeps_it_right() {
        use super::super::{BINARY, TERNARY};
        for (basis, text) in [(Basis::Ternary, TERNARY), (Basis::Binary, BINARY)] {
            let Ok(circuits) = read(text) else {
                panic!("the circuits cannot be read");
            };
            let start = circuits[3].clone();
            let mut walk = Walk::new(basis, start, 1);
            // Makes the circuit one gate larger than it was.
            let before = walk.circuit.gates.len() + 1;
            while walk.circuit.gates.len() < before {
                let g = 6 + walk.random.below(before - 1);
                walk.double(g);
            }
            walk.least = before;
            for _ in 0..5_000 {
                walk.step();
            }
            assert!(walk.circuit.is_right(3));
            assert!(walk.best.is_right(3));
            assert!(walk.best.gates.len() < before);
            let ordered = few_copies(&walk.best, &mut walk.random);
            assert!(ordered.is_right(3));
            assert_eq!(ordered.gates.len(), walk.best.gates.len());
            let Ok(read) = parse(&write(3, &ordered)) else {
                panic!("what is written cannot be read");
            };
            assert!(read.is_right(3));
            if basis == Basis::Binary {
                assert!(without_complements(3, &read).is_ok());
            }
        }
    }
}
