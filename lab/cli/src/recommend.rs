//! Which library to use for a workload: predicts the cost of each library from the cells of
//! a run ([`model`]), leaves out those that may not or cannot do it ([`constraint`]), and
//! finds where the answer turns ([`turn`]).

pub mod constraint;
pub mod fleet;
pub mod model;
pub mod turn;

use std::collections::{BTreeMap, BTreeSet, HashSet};

use touchstone_wire::Contract;

use crate::adapters;
use crate::catalogue;
use crate::profile::Task;
use crate::rank::ratio::ties;
use crate::stats::Interval;
use crate::summarise::variants;
use crate::summary::{Library, Summary, Verification};
use crate::workload::{Algorithm, Part, Workload};
use constraint::Constraints;
use model::{Curves, Estimate, Predicted};
use turn::turns;

/// The mask under which a library uses no instructions for cryptography.
const PORTABLE: &str = "portable";

/// Numbers of messages under one key at which the first library is looked up.
const MESSAGES_PER_KEY: [f64; 8] = [1.0, 2.0, 4.0, 10.0, 30.0, 100.0, 1000.0, f64::INFINITY];

/// The answer.
#[derive(Debug)]
pub struct Recommendation {
    /// The libraries that can do the workload, the cheapest first.
    pub rows: Vec<Row>,
    /// The other libraries, each with the reason.
    pub left_out: Vec<(String, String)>,
    /// Versions and builds of a library, each with the one that represents them.
    pub represented: Vec<(String, String)>,
    /// Which algorithm, for each part that leaves the algorithm open.
    pub choices: Vec<Vec<Alternative>>,
    /// Where another library becomes the first.
    pub courses: Vec<Course>,
}

/// One library's predicted cost.
#[derive(Debug)]
pub struct Row {
    /// [`Library::id`].
    pub library: String,
    /// Nanoseconds of a unit of the workload.
    pub ns: Interval,
    /// The cost divided by the cheapest library's.
    pub ratio: Interval,
    /// Whether the library ties with the cheapest.
    pub level: bool,
    /// The algorithm of each list in the workload.
    pub algorithms: Vec<Algorithm>,
    /// Whether a length is outside the measured lengths.
    pub beyond: bool,
}

/// An algorithm that serves parts of the workload.
#[derive(Debug)]
pub struct Alternative {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The library that is fastest with it, and nanoseconds a message.
    pub best: Option<(String, Interval)>,
    /// The cost divided by the cheapest alternative's.
    pub ratio: Option<Interval>,
    /// Whether it ties with the cheapest alternative.
    pub level: bool,
    /// The same without the CPU's instructions for cryptography; `None` if not measured.
    pub portable: Option<(String, Interval)>,
}

/// What is changed along a course.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Along {
    /// The length of all messages of a part.
    Length,
    /// The number of messages under one key.
    MessagesPerKey,
}

/// Which library is first along one axis of a part.
#[derive(Debug)]
pub struct Course {
    /// [`Part::what`].
    pub part: String,
    /// The axis.
    pub along: Along,
    /// The ends of the axis.
    pub ends: [f64; 2],
    /// Libraries in the order in which they are first, each with the place from which on.
    pub first: Vec<(f64, String)>,
}

/// Why a library cannot do an algorithm.
#[derive(Debug)]
enum Lack {
    /// The library does not have the algorithm.
    Missing,
    /// Another reason.
    Because(String),
}

/// Whether a run with these tasks has data for each part of a workload.
pub fn has_data(done: &HashSet<Task>, workload: &Workload) -> bool {
    let lengths = |part: &Part, primitive: &str, operation: &str| -> BTreeSet<u64> {
        let own = |task: &&Task| {
            task.primitive == primitive
                && task.operation == operation
                && task.contract == Contract::Hot
                && task.threads == part.threads
                && task.messages == 1
        };
        done.iter().filter(own).map(|task| task.bytes).collect()
    };
    let measured = |part: &Part, algorithm: &Algorithm| {
        part.operations(algorithm).into_iter().all(|operation| {
            let lengths = lengths(part, &algorithm.primitive, operation);
            lengths.len() > 1
                || !lengths.is_empty()
                    && (catalogue::is_per_call(operation)
                        || part.sizes.iter().all(|(at, _)| lengths.contains(at)))
        })
    };
    workload.choices().into_iter().all(|choice| {
        choice.iter().any(|algorithm| {
            let own = |part: &&Part| part.algorithms == choice;
            let mut parts = workload.parts.iter().filter(own);
            parts.all(|part| measured(part, algorithm))
        })
    })
}

/// Finds the libraries that can do a workload, and what it costs with each.
pub fn recommend(
    summary: &Summary,
    workload: &Workload,
    constraints: &Constraints,
) -> Recommendation {
    Study::new(summary, workload, constraints).answer()
}

struct Study<'a> {
    summary: &'a Summary,
    workload: &'a Workload,
    constraints: &'a Constraints,
    curves: Curves,
    answers: BTreeMap<[&'a str; 3], &'a Verification>,
}

/// A library's way to do the workload.
struct Plan<'a> {
    library: &'a Library,
    cost: Predicted,
    /// The algorithm of each list.
    algorithms: Vec<&'a Algorithm>,
}

impl<'a> Study<'a> {
    fn new(summary: &'a Summary, workload: &'a Workload, constraints: &'a Constraints) -> Self {
        let wanted = workload.algorithms();
        let answers = summary.verification.iter().map(|row| {
            let id = [&row.library, &row.primitive, &row.operation].map(String::as_str);
            (id, row)
        });
        Self {
            summary,
            workload,
            constraints,
            curves: Curves::of(&summary.cells, &|p, o| wanted.contains(&(p, o))),
            answers: answers.collect(),
        }
    }

    fn answer(&self) -> Recommendation {
        let mut plans = Vec::new();
        let mut left_out = Vec::new();
        let own = |library: &&Library| library.mask.is_empty();
        for library in self.summary.libraries.iter().filter(own) {
            match self.plan(library) {
                Ok(plan) => plans.push(plan),
                Err(reason) => left_out.push((library.id.clone(), reason)),
            }
        }
        let able: Vec<Library> = plans.iter().map(|plan| plan.library.clone()).collect();
        let represented = variants(&able);
        plans.retain(|plan| represented.iter().all(|(id, _)| *id != plan.library.id));
        plans.sort_by(|a, b| a.cost.ns.mid.total_cmp(&b.cost.ns.mid));
        Recommendation {
            choices: self.choices(&plans),
            courses: self.courses(&plans),
            rows: rows(&plans),
            left_out,
            represented,
        }
    }

    /// The cheapest way of a library to do the workload.
    fn plan(&self, library: &'a Library) -> Result<Plan<'a>, String> {
        if !library.absent.is_empty() {
            return Err(format!("absent: {}", library.absent));
        }
        let answers = &self.summary.verification;
        if let Some(reason) = self.constraints.library(library, answers) {
            return Err(reason);
        }
        let mut plan = Plan {
            library,
            cost: Predicted::zero(),
            algorithms: Vec::new(),
        };
        for choice in self.workload.choices() {
            let mut best: Option<(&Algorithm, Predicted)> = None;
            let mut reason = None;
            for algorithm in choice {
                match self.cost(&library.id, choice, algorithm) {
                    Ok(cost) => {
                        if best
                            .as_ref()
                            .is_none_or(|(_, own)| cost.ns.mid < own.ns.mid)
                        {
                            best = Some((algorithm, cost));
                        }
                    }
                    Err(Lack::Because(why)) => {
                        reason.get_or_insert(why);
                    }
                    Err(Lack::Missing) => {}
                }
            }
            let Some((algorithm, cost)) = best else {
                let names: Vec<String> = choice.iter().map(Algorithm::to_string).collect();
                return Err(reason.unwrap_or_else(|| format!("has no {}", names.join(" or "))));
            };
            plan.cost.add(&cost, 1.0);
            plan.algorithms.push(algorithm);
        }
        Ok(plan)
    }

    /// The parts that have one list of algorithms.
    fn parts(&self, choice: &[Algorithm]) -> impl Iterator<Item = &'a Part> {
        let own = move |part: &&Part| part.algorithms == choice;
        self.workload.parts.iter().filter(own)
    }

    /// The cost of all parts with one list of algorithms, in a unit, with one of them.
    fn cost(
        &self,
        library: &str,
        choice: &[Algorithm],
        algorithm: &Algorithm,
    ) -> Result<Predicted, Lack> {
        let mut sum = Predicted::zero();
        for part in self.parts(choice) {
            let sizes = sizes(part);
            let one = self.message(library, part, algorithm, &sizes, part.messages_per_key)?;
            sum.add(&one, part.messages);
        }
        Ok(sum)
    }

    /// The mean cost of a message of these lengths with its share of a key.
    fn message(
        &self,
        library: &str,
        part: &Part,
        algorithm: &Algorithm,
        sizes: &[(f64, f64)],
        per_key: Option<f64>,
    ) -> Result<Predicted, Lack> {
        let mut sum = Predicted::zero();
        let weights: f64 = sizes.iter().map(|(_, weight)| weight).sum();
        let primitive = algorithm.primitive.as_str();
        for operation in part.operations(algorithm) {
            let because = |what: &str| Lack::Because(format!("{primitive} {operation}: {what}"));
            let Some(curve) = self.curves.get(library, primitive, operation, part.threads) else {
                return Err(match self.answers.get(&[library, primitive, operation]) {
                    None => Lack::Missing,
                    Some(row) if row.failed > 0 => {
                        because(&format!("wrong answers: {}; not timed", row.failed))
                    }
                    Some(_) if part.threads > 1 => {
                        because(&format!("not measured on {} threads", part.threads))
                    }
                    Some(_) => because("not measured"),
                });
            };
            let answers = &self.summary.verification;
            let own = adapters::plain(library);
            if let Some(reason) = self
                .constraints
                .operation(own, primitive, operation, answers)
            {
                return Err(Lack::Because(reason));
            }
            // Operations whose cost hardly depends on the length may come without one.
            let any = curve.lengths().next().map(|bytes| (bytes as f64, 1.0));
            let (sizes, weights) = match (sizes, any) {
                ([], Some(any)) => (vec![any], 1.0),
                _ => (sizes.to_vec(), weights),
            };
            for (bytes, weight) in sizes {
                let at = curve.at(bytes);
                let at = at.ok_or_else(|| because("measured at no two lengths"))?;
                sum.add(&at, weight / weights);
            }
            if let Some(messages) = per_key
                && catalogue::allows(operation, Contract::Setup)
            {
                // Key set-up is measured on one thread; several threads do it at once.
                let setup = self.curves.get(library, primitive, operation, 1);
                let setup = setup.and_then(|one| one.setup.as_ref());
                let setup = setup.ok_or_else(|| because("key set-up not measured"))?;
                sum.ns.add(setup, 1.0 / messages / f64::from(part.threads));
            }
        }
        Ok(sum)
    }

    /// The alternatives of each list with several algorithms.
    fn choices(&self, plans: &[Plan<'_>]) -> Vec<Vec<Alternative>> {
        let open = |choice: &&[Algorithm]| choice.len() > 1;
        let choices = self.workload.choices().into_iter().filter(open);
        choices.map(|choice| self.choice(choice, plans)).collect()
    }

    fn choice(&self, choice: &[Algorithm], plans: &[Plan<'_>]) -> Vec<Alternative> {
        let messages: f64 = self.parts(choice).map(|part| part.messages).sum();
        let least = |ids: &mut dyn Iterator<Item = String>, algorithm: &Algorithm| {
            let costs = ids.filter_map(|id| {
                let cost = self.cost(&id, choice, algorithm).ok()?;
                Some((id, cost.ns.scaled(1.0 / messages)))
            });
            costs.min_by(|a, b| a.1.mid.total_cmp(&b.1.mid))
        };
        let usable = |id: &str| plans.iter().any(|plan| plan.library.id == id);
        let found: Vec<_> = choice
            .iter()
            .map(|algorithm| {
                let mut own = plans.iter().map(|plan| plan.library.id.clone());
                let masked = |library: &&Library| {
                    library.mask == PORTABLE && usable(adapters::plain(&library.id))
                };
                let libraries = self.summary.libraries.iter().filter(masked);
                let mut portable = libraries.map(|library| library.id.clone());
                let best = least(&mut own, algorithm);
                (algorithm, best, least(&mut portable, algorithm))
            })
            .collect();
        let costs = found.iter().filter_map(|(_, best, _)| best.as_ref());
        let cheapest = costs.min_by(|a, b| a.1.mid.total_cmp(&b.1.mid)).cloned();
        let mut alternatives: Vec<Alternative> = found
            .into_iter()
            .map(|(algorithm, best, portable)| {
                let ratio = match (&best, &cheapest) {
                    (Some((_, own)), Some((_, least))) => Some(own.over(least)),
                    _ => None,
                };
                let told = |(id, ns): (String, Estimate)| (id, ns.interval());
                Alternative {
                    algorithm: algorithm.clone(),
                    best: best.map(told),
                    level: ratio.is_some_and(|ratio| ties(&ratio)),
                    ratio,
                    portable: portable.map(told),
                }
            })
            .collect();
        alternatives.sort_by(|a, b| {
            let mid = |one: &Alternative| one.ratio.map_or(f64::INFINITY, |ratio| ratio.mid);
            mid(a).total_cmp(&mid(b))
        });
        alternatives
    }

    /// Which library is first at each length, and for each number of messages under a key.
    fn courses(&self, plans: &[Plan<'_>]) -> Vec<Course> {
        let mut courses = Vec::new();
        for part in &self.workload.parts {
            courses.extend(self.by_length(part, plans));
            courses.extend(self.by_key(part, plans));
        }
        courses
    }

    /// The algorithm that a plan has for a part.
    fn chosen<'p>(&self, part: &Part, plan: &Plan<'p>) -> &'p Algorithm {
        let choices = self.workload.choices();
        let place = choices.iter().position(|choice| *choice == part.algorithms);
        plan.algorithms[place.expect("every part has a list")]
    }

    fn by_length(&self, part: &Part, plans: &[Plan<'_>]) -> Option<Course> {
        let mut knots = BTreeSet::new();
        for plan in plans {
            let algorithm = self.chosen(part, plan);
            for operation in part.operations(algorithm) {
                if catalogue::is_per_call(operation) {
                    return None;
                }
                let primitive = &algorithm.primitive;
                let curve = self
                    .curves
                    .get(&plan.library.id, primitive, operation, part.threads);
                knots.extend(curve?.lengths());
            }
        }
        let knots: Vec<f64> = knots.into_iter().map(|bytes| bytes as f64).collect();
        let cost = |plan: &Plan<'_>, bytes: f64| {
            let algorithm = self.chosen(part, plan);
            let sizes = [(bytes, 1.0)];
            let id = &plan.library.id;
            let cost = self.message(id, part, algorithm, &sizes, part.messages_per_key);
            cost.ok().map(|cost| cost.ns)
        };
        course(part, Along::Length, plans, &knots, &knots, &cost)
    }

    fn by_key(&self, part: &Part, plans: &[Plan<'_>]) -> Option<Course> {
        part.messages_per_key?;
        let keyed = |plan: &Plan<'_>| {
            let algorithm = self.chosen(part, plan);
            let operations = part.operations(algorithm).into_iter();
            let mut setups = operations.map(|one| catalogue::allows(one, Contract::Setup));
            setups.any(|has| has)
        };
        if !plans.iter().any(keyed) {
            return None;
        }
        // The cost is a straight line in keys per message.
        let knots = MESSAGES_PER_KEY.map(|messages| 1.0 / messages);
        let sizes = sizes(part);
        let cost = |plan: &Plan<'_>, keys: f64| {
            let algorithm = self.chosen(part, plan);
            let id = &plan.library.id;
            let cost = self.message(id, part, algorithm, &sizes, Some(1.0 / keys));
            cost.ok().map(|cost| cost.ns)
        };
        let along = Along::MessagesPerKey;
        course(part, along, plans, &knots, &MESSAGES_PER_KEY, &cost)
    }
}

/// The lengths of a part's messages with their shares.
fn sizes(part: &Part) -> Vec<(f64, f64)> {
    let sizes = part.sizes.iter();
    sizes
        .map(|(bytes, share)| (*bytes as f64, *share))
        .collect()
}

fn rows(plans: &[Plan<'_>]) -> Vec<Row> {
    let mut rows: Vec<Row> = plans
        .iter()
        .map(|plan| {
            let ratio = plan.cost.ns.over(&plans[0].cost.ns);
            Row {
                library: plan.library.id.clone(),
                ns: plan.cost.ns.interval(),
                ratio,
                level: ties(&ratio),
                algorithms: plan.algorithms.iter().copied().cloned().collect(),
                beyond: plan.cost.beyond,
            }
        })
        .collect();
    // The cheapest is level with others, or alone.
    let level = rows.iter().filter(|row| row.level).count();
    if let Some(first) = rows.first_mut() {
        first.level = level > 1;
    }
    rows
}

/// Goes along an axis. `shown` are the knots as people read them.
fn course(
    part: &Part,
    along: Along,
    plans: &[Plan<'_>],
    knots: &[f64],
    shown: &[f64],
    cost: &dyn Fn(&Plan<'_>, f64) -> Option<Estimate>,
) -> Option<Course> {
    if plans.len() < 2 || knots.len() < 2 {
        return None;
    }
    let costs = plans.iter().map(|plan| {
        let costs = knots.iter().map(|knot| cost(plan, *knot));
        costs.collect::<Option<Vec<Estimate>>>()
    });
    let costs = costs.collect::<Option<Vec<_>>>()?;
    let (start, turns) = turns(knots, &costs);
    let id = |index: usize| plans[index].library.id.clone();
    let read = |at: f64| match along {
        Along::Length => at,
        Along::MessagesPerKey => 1.0 / at,
    };
    let mut first = vec![(shown[0], id(start))];
    first.extend(turns.iter().map(|turn| (read(turn.at), id(turn.to))));
    Some(Course {
        part: part.what.clone(),
        along,
        ends: [shown[0], shown[shown.len() - 1]],
        first,
    })
}

#[cfg(test)]
mod tests;
