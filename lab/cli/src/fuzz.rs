//! Differential fuzzing: gives all libraries the same mutated inputs, and looks for
//! answers that differ.
//!
//! Inputs start from known answers and from the inputs of timed cells; `mutate` changes
//! their bytes and lengths. The libraries' projects vote on each answer. A disagreement is
//! reduced to a smaller input with the same effect (`minimise`).

mod minimise;
mod mutate;

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand::rngs::StdRng;
use touchstone_wire::{Reply, Request, Work, fnv1a, to_hex};

use crate::catalogue;
use crate::operations::{self, Check};
use crate::session::Slot;
use crate::verify::{Known, anyone};
use crate::worker::patience;
use mutate::Mutator;

/// The condition that ends fuzzing.
#[derive(Debug, Clone, Copy)]
pub enum Limit {
    /// Fuzzing ends after this time. All algorithms get the same share of the time.
    Time(Duration),
    /// Fuzzing ends after this number of inputs for each algorithm.
    Cases(u64),
}

/// How a library's answer differs from the other libraries' answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The library's process ended, gave no answer in time, or sent something else than an
    /// answer.
    Crash,
    /// The library refuses the input or fails, and the other libraries answer.
    Refuses,
    /// The library answers, and the other libraries refuse the input.
    Accepts,
    /// The library gives another answer than the other libraries.
    Differs,
}

impl Kind {
    /// Returns the kind of disagreement as one word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Crash => "crash",
            Self::Refuses => "refuses",
            Self::Accepts => "accepts",
            Self::Differs => "differs",
        }
    }
}

/// One library's disagreement with others about one algorithm.
#[derive(Debug, Clone)]
pub struct Finding {
    /// The library's id.
    pub library: String,
    /// The kind of the disagreement.
    pub kind: Kind,
    /// Whether the other libraries are a majority of the projects. If not, nobody knows which
    /// answer is wrong.
    pub outvoted: bool,
    /// The libraries with the other answer.
    pub others: Vec<String>,
    /// The smallest input found, with the algorithm's ids.
    pub work: Work,
    /// The library's answer to this input.
    pub got: String,
    /// The other libraries' answer to this input.
    pub expected: String,
    /// Number of inputs with a disagreement of this kind.
    pub count: u64,
    /// The library's known defect that explains the disagreement, from its manifest.
    pub defect: Option<String>,
}

/// The result of fuzzing.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The disagreements that were found.
    pub findings: Vec<Finding>,
    /// Number of algorithms that were tried.
    pub algorithms: usize,
    /// Number of inputs that were tried.
    pub cases: u64,
    /// Number of calls of libraries.
    pub calls: u64,
}

/// A library's answer, in a form in which equal answers are equal values.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Said {
    Output(BTreeMap<String, Vec<u8>>),
    Refusal(String),
    Crash(String),
}

impl Said {
    /// Returns whether two answers agree. Two refusals agree even if their words differ.
    fn agrees(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Output(a), Self::Output(b)) => a == b,
            (Self::Refusal(_), Self::Refusal(_)) => true,
            _ => false,
        }
    }

    fn differs_from(&self, right: &Self) -> Kind {
        match (self, right) {
            (Self::Crash(_), _) => Kind::Crash,
            (Self::Refusal(_), _) => Kind::Refuses,
            (Self::Output(_), Self::Refusal(_)) => Kind::Accepts,
            (Self::Output(_), _) => Kind::Differs,
        }
    }

    fn shown(&self) -> String {
        match self {
            Self::Refusal(reason) if reason.is_empty() => "refused".into(),
            Self::Refusal(reason) => format!("refused: {reason}"),
            Self::Crash(how) => how.clone(),
            Self::Output(outputs) if outputs.is_empty() => "empty output".into(),
            Self::Output(outputs) => outputs
                .iter()
                .map(|(name, bytes)| format!("{name}={}", to_hex(bytes)))
                .collect::<Vec<_>>()
                .join(" "),
        }
    }
}

/// Returns a library's answer; `None` if the library does not support these parameters.
fn ask(slot: &mut Slot, work: &Work) -> Option<Said> {
    match slot.ask(&Request::Check { work: work.clone() }, patience()) {
        Ok(Reply::Output { outputs }) => {
            let outputs = outputs.into_iter().filter(|(_, data)| !data.is_empty());
            Some(Said::Output(
                outputs.map(|(name, data)| (name, data.to_vec())).collect(),
            ))
        }
        Ok(Reply::Unsupported { .. }) => None,
        Ok(Reply::Rejected) => Some(Said::Refusal(String::new())),
        Ok(Reply::Failed { reason }) => Some(Said::Refusal(reason)),
        Ok(other) => Some(Said::Crash(other.line())),
        Err(fault) => {
            slot.forgive();
            Some(Said::Crash(fault.to_string()))
        }
    }
}

/// After this number of crashes in one algorithm, a library gets no more inputs for it,
/// because each crash costs the start of a process.
const CRASHES: u64 = 3;

/// An algorithm that is fuzzed, and the state of its fuzzing.
struct Target {
    mutator: Mutator,
    /// Indices of the libraries that offer the algorithm.
    members: Vec<usize>,
    crashes: BTreeMap<usize, u64>,
    found: BTreeMap<(usize, Kind), Finding>,
    spent: Duration,
    cases: u64,
}

/// Fuzzes every selected algorithm that libraries of two projects offer. The same seed,
/// libraries and number of cases give the same inputs. Before each input, `stop` is
/// called; it returns whether to stop. `done` is called with the share of the limit that
/// is reached, in thousandths.
pub fn fuzz(
    slots: &mut [Slot],
    known: &Known,
    selected: &dyn Fn(&str, &str) -> bool,
    (limit, seed): (Limit, u64),
    stop: &dyn Fn() -> bool,
    done: &dyn Fn(u64),
) -> Outcome {
    let mut targets = targets(slots, known, selected, seed);
    let mut outcome = Outcome {
        algorithms: targets.len(),
        ..Outcome::default()
    };
    let start = Instant::now();
    // All algorithms get the same time, and not the same number of inputs: a password
    // hash takes a million times as long as a hash.
    while let Some(target) = targets
        .iter_mut()
        .filter(|target| !matches!(limit, Limit::Cases(most) if target.cases >= most))
        .min_by_key(|target| (target.spent, target.cases))
    {
        if stop() || matches!(limit, Limit::Time(most) if start.elapsed() >= most) {
            break;
        }
        let begun = Instant::now();
        target.case(slots, &mut outcome.calls);
        target.spent += begun.elapsed();
        target.cases += 1;
        outcome.cases += 1;
        done(match limit {
            Limit::Time(most) => start.elapsed().as_millis() as u64 / most.as_secs().max(1),
            Limit::Cases(most) => outcome.cases * 1000 / (most * outcome.algorithms as u64),
        });
    }
    let found = targets.into_iter().flat_map(|target| target.found);
    outcome.findings = found.map(|(_, finding)| finding).collect();
    for finding in &mut outcome.findings {
        finding.defect = defect(slots, finding);
    }
    outcome
}

fn targets(
    slots: &mut [Slot],
    known: &Known,
    selected: &dyn Fn(&str, &str) -> bool,
    seed: u64,
) -> Vec<Target> {
    let mut offered: BTreeMap<(String, String), Vec<usize>> = BTreeMap::new();
    for (index, slot) in slots.iter().enumerate().filter(|(_, slot)| slot.usable()) {
        for offer in &slot.offers {
            let algorithm = (offer.primitive.clone(), offer.operation.clone());
            offered.entry(algorithm).or_default().push(index);
        }
    }
    let mut targets = Vec::new();
    for ((primitive, operation), members) in offered {
        let projects: BTreeSet<&str> = members.iter().map(|&i| slots[i].facts.project()).collect();
        if projects.len() < 2 || !selected(&primitive, &operation) {
            continue;
        }
        // An answer that differs from call to call cannot be compared.
        let Some(operation) = operations::find(&operation)
            .filter(|o| catalogue::check(&primitive, o) == Check::Exact)
        else {
            continue;
        };
        let id = fnv1a(format!("{primitive} {}", operation.id).as_bytes());
        let rng = StdRng::seed_from_u64(seed ^ id);
        let mut any = anyone(slots);
        let Some(mutator) = Mutator::new(&primitive, operation, known, rng, &mut any) else {
            continue;
        };
        targets.push(Target {
            mutator,
            members,
            crashes: BTreeMap::new(),
            found: BTreeMap::new(),
            spent: Duration::ZERO,
            cases: 0,
        });
    }
    targets
}

impl Target {
    /// Gives one input to all libraries and keeps disagreements of a new kind.
    fn case(&mut self, slots: &mut [Slot], calls: &mut u64) {
        let Some(work) = self.mutator.next(&mut anyone(slots)) else {
            return;
        };
        let mut answers: Vec<(usize, Said)> = Vec::new();
        for &member in &self.members {
            if self.crashes.get(&member).is_some_and(|&n| n >= CRASHES) || !slots[member].usable() {
                continue;
            }
            *calls += 1;
            if let Some(said) = ask(&mut slots[member], &work) {
                if matches!(said, Said::Crash(_)) {
                    *self.crashes.entry(member).or_default() += 1;
                }
                answers.push((member, said));
            }
        }
        let Some((right, outvoting)) = vote(slots, &answers) else {
            return;
        };
        let others: Vec<usize> = answers
            .iter()
            .filter(|(_, said)| said.agrees(&right))
            .map(|(member, _)| *member)
            .collect();
        for (member, said) in &answers {
            if said.agrees(&right) {
                continue;
            }
            let kind = said.differs_from(&right);
            if let Some(finding) = self.found.get_mut(&(*member, kind)) {
                finding.count += 1;
                continue;
            }
            let judge = others.iter().copied().find(|&other| other != *member);
            let finding = self.finding(slots, &work, (*member, judge), kind, outvoting);
            let finding = Finding {
                others: others.iter().map(|&o| slots[o].id().to_owned()).collect(),
                ..finding.unwrap_or_else(|| Finding {
                    library: slots[*member].id().to_owned(),
                    kind,
                    outvoted: outvoting,
                    others: Vec::new(),
                    work: work.clone(),
                    got: said.shown(),
                    expected: right.shown(),
                    count: 1,
                    defect: None,
                })
            };
            self.found.insert((*member, kind), finding);
        }
    }

    /// Returns the same disagreement on a smaller input. `None` if the disagreement does not
    /// happen again, for example because a library keeps state between calls.
    fn finding(
        &self,
        slots: &mut [Slot],
        work: &Work,
        (member, judge): (usize, Option<usize>),
        kind: Kind,
        outvoted: bool,
    ) -> Option<Finding> {
        let judge = judge?;
        let mut both = |work: &Work| {
            let right = ask(&mut slots[judge], work)?;
            let said = ask(&mut slots[member], work)?;
            (!said.agrees(&right) && said.differs_from(&right) == kind).then_some((said, right))
        };
        both(work)?;
        let small = if kind == Kind::Crash {
            // The disagreement is a crash, and each trial of a smaller input would start a
            // process.
            work.clone()
        } else {
            let allowed = |work: &Work| self.mutator.allows(work);
            minimise::minimise(work, &allowed, &mut |work| both(work).is_some())
        };
        let (got, expected) = both(&small)?;
        Some(Finding {
            library: slots[member].id().to_owned(),
            kind,
            outvoted,
            others: Vec::new(),
            work: small,
            got: got.shown(),
            expected: expected.shown(),
            count: 1,
            defect: None,
        })
    }
}

/// Returns the answer that most projects give, and whether these projects are a majority of all
/// projects. Other builds of a library have no vote. `None` if all answers agree.
fn vote(slots: &[Slot], answers: &[(usize, Said)]) -> Option<(Said, bool)> {
    let (_, first) = answers.first()?;
    if answers.iter().all(|(_, said)| said.agrees(first)) {
        return None;
    }
    let projects = |said: Option<&Said>| -> usize {
        let of = answers
            .iter()
            .filter(|(member, _)| !slots[*member].facts.is_build())
            .filter(|(_, other)| said.is_none_or(|said| said.agrees(other)))
            .map(|(member, _)| slots[*member].facts.project());
        of.collect::<BTreeSet<_>>().len()
    };
    let counted = answers
        .iter()
        .filter(|(_, said)| !matches!(said, Said::Crash(_)))
        .map(|(_, said)| (projects(Some(said)), said));
    // Of several groups with equally many votes, the first is used, so that the result does not
    // depend on chance.
    let (votes, right) = counted.rev().max_by_key(|(votes, _)| *votes)?;
    Some((right.clone(), 2 * votes > projects(None)))
}

/// Returns the defect in the library's manifest that covers a finding's algorithm.
fn defect(slots: &[Slot], finding: &Finding) -> Option<String> {
    let slot = slots.iter().find(|slot| slot.id() == finding.library)?;
    let (primitive, operation) = (&finding.work.primitive, &finding.work.operation);
    let known = slot.candidate.manifest.defect(primitive, operation, None);
    known.map(|defect| defect.what.clone())
}

#[cfg(test)]
mod tests;
