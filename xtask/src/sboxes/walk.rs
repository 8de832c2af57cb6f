//! A random walk among the ternary circuits of a box.
//!
//! What a gate gives matters only on the rows on which an output depends on it. So
//! most gates can be made in other ways: from other signals, with another value where it
//! does not matter, which changes what matters of others. The walk takes any gate and
//! any way to make it; a gate that is not needed afterwards is dropped, and sometimes a gate
//! whose uses are shared out between two copies allows what one did not.

use std::time::Instant;

use anyhow::{Context, ensure};

use super::{Basis, Circuit, Gate, Random, Task, Truth, attempt};

/// How many gates more than the best a walk may have.
const SLACK: usize = 1;

/// After how many steps without a better circuit a walk begins anew.
const PATIENCE: usize = 400_000;

/// The circuits of a file, `S1` to `S8`.
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

/// Walks from the best circuit of each box, or from one of [`attempt`], until the end.
pub(super) fn search(mut best: Vec<Circuit>, first: u64, end: Instant) -> anyhow::Result<()> {
    for seed in first.. {
        for (s, best) in best.iter_mut().enumerate() {
            if Instant::now() > end {
                return Ok(());
            }
            let start = if seed % 2 == 0 {
                best.clone()
            } else if let Some(circuit) = attempt(Basis::Ternary, s, seed, best.gates.len() + 6) {
                plain(circuit)
            } else {
                continue;
            };
            let mut walk = Walk {
                least: start.gates.len(),
                best: start.clone(),
                circuit: start,
                random: Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1),
            };
            walk.run(end);
            ensure!(walk.best.is_right(s), "the walk is wrong");
            if walk.least < best.gates.len() {
                *best = few_copies(&walk.best, &mut walk.random);
                println!("{} ({} gates)", write(s, best), walk.least);
            }
        }
    }
    Ok(())
}

/// Makes complemented outputs gates of their own.
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
    circuit: Circuit,
    best: Circuit,
    least: usize,
    random: Random,
}

impl Walk {
    fn run(&mut self, end: Instant) {
        let mut idle = 0;
        while idle < PATIENCE && (idle % 1000 != 0 || Instant::now() < end) {
            idle = if self.step() { 0 } else { idle + 1 };
        }
    }

    /// Whether the circuit is the smallest so far.
    fn step(&mut self) -> bool {
        let g = 6 + self.random.below(self.circuit.gates.len());
        if self.circuit.gates.len() < self.least + SLACK && self.random.below(30) == 0 {
            self.double(g);
        } else {
            self.change(g);
        }
        let better = self.circuit.gates.len() < self.least;
        if better {
            self.least = self.circuit.gates.len();
            self.best = self.circuit.clone();
        }
        better
    }

    /// A second gate like one, for some of its uses.
    fn double(&mut self, g: usize) {
        let copy = self.circuit.push(self.circuit.gates[g - 6]);
        for i in g - 5..copy - 6 {
            for k in 0..3 {
                if self.circuit.gates[i].from[k] == g && self.random.below(2) == 0 {
                    self.circuit.gates[i].from[k] = copy;
                }
            }
        }
        self.tidy();
    }

    /// Makes a gate from other signals.
    fn change(&mut self, g: usize) {
        let after = self.after(g);
        let matters = self.matters(g, after);
        let value = self.circuit.signals[g];
        let task = Task {
            one: value & matters,
            zero: !value & matters,
        };
        let order = self.random.shuffled(self.circuit.signals.len());
        let from: Vec<usize> = order.into_iter().filter(|i| after >> i & 1 == 0).collect();
        let x: Vec<Truth> = from.iter().map(|&i| self.circuit.signals[i]).collect();
        // A signal that does it already.
        let is_output = self.circuit.outputs.contains(&(g, false));
        for (&i, &x) in from.iter().zip(&x) {
            match task.done_by(x) {
                Some(complement) if !(complement && is_output) => {
                    return self.replace(g, i, complement);
                }
                _ => {}
            }
        }
        // Of what the gate alone needed, as much as can be is to go.
        let own = self.own(g);
        let mut ways: Vec<[usize; 3]> = Vec::new();
        let mut most = 0;
        triples(&x, task, |a, b, c| {
            let way = [from[a], from[b], from[c]];
            let gone = own.iter().filter(|i| !way.contains(i)).count();
            if gone > most {
                most = gone;
                ways.clear();
            }
            if gone == most {
                ways.push(way);
            }
        });
        if ways.is_empty() {
            return;
        }
        let from = ways[self.random.below(ways.len())];
        let [a, b, c] = from.map(|i| self.circuit.signals[i]);
        let mut table = self.random.next() as u8;
        for i in 0..8 {
            let pick = |x: Truth, bit: u32| if i & bit != 0 { x } else { !x };
            let rows = pick(a, 4) & pick(b, 2) & pick(c, 1);
            if task.one & rows != 0 {
                table |= 1 << i;
            } else if task.zero & rows != 0 {
                table &= !(1 << i);
            }
        }
        self.circuit.gates[g - 6] = Gate { from, table };
        self.tidy();
    }

    /// A gate, and the gates that depend on it, as bits.
    fn after(&self, g: usize) -> u64 {
        let mut after = 1 << g;
        for (i, gate) in self.circuit.gates.iter().enumerate().skip(g - 5) {
            if gate.from.iter().any(|from| after >> from & 1 == 1) {
                after |= 1 << (i + 6);
            }
        }
        after
    }

    /// The rows on which an output depends on a gate.
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

    /// Gates that only this one uses.
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

    /// Uses a signal, or its complement, in the place of a gate.
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

/// All threes of signals from which one gate does a task.
fn triples(x: &[Truth], task: Task, mut found: impl FnMut(usize, usize, usize)) {
    for a in 2..x.len() {
        for b in 1..a {
            let quarters = [!x[a] & !x[b], !x[a] & x[b], x[a] & !x[b], x[a] & x[b]];
            let tasks = quarters.map(|rows| task.within(rows));
            for c in 0..b {
                // Where the first two leave it open, the third has to decide.
                let done =
                    |task: &Task| task.one == 0 || task.zero == 0 || task.done_by(x[c]).is_some();
                if tasks.iter().all(done) {
                    found(a, b, c);
                }
            }
        }
    }
}

/// The gates that an output needs, each after what it needs.
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

/// An order of the gates in which most overwrite a signal that nothing needs any more:
/// `vpternlog` has three inputs, one of which it overwrites, and else
/// there is a copy to be made.
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

/// An order that makes few copies, and how many.
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
        // One last use is best; more waste a chance to overwrite.
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
    use super::*;

    #[test]
    fn a_walk_makes_a_circuit_smaller_and_keeps_it_right() {
        let Ok(circuits) = read(super::super::TERNARY) else {
            panic!("the circuits cannot be read");
        };
        let start = circuits[3].clone();
        let mut walk = Walk {
            least: usize::MAX,
            best: start.clone(),
            circuit: start,
            random: Random(1),
        };
        // One gate too many.
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
    }
}
