//! Libraries across machines: the newest run of each machine, compared by the model
//! of [`hosts`].

pub mod page;
pub mod winners;

use std::collections::{BTreeSet, HashMap};

use crate::adapters;
use crate::machine;
use crate::profile::Task;
use crate::stats::rank::hosts::{self, Fit, Reading, Sibling};
use crate::store::Store;
use crate::wanted::Algorithms;

/// A machine of the fleet.
#[derive(Debug, Clone, PartialEq)]
pub struct Host {
    /// The machine's name.
    pub name: String,
    /// The number of its newest run that has the algorithms.
    pub run: i64,
    /// The CPU and the number of CPUs: machines with the same are siblings.
    pub model: String,
    /// The instruction sets of the CPU.
    pub features: Vec<String>,
}

impl Host {
    /// The name and the model.
    pub fn title(&self) -> String {
        machine::titled(&self.name, &self.model)
    }
}

/// The times of a fleet.
#[derive(Debug)]
pub struct Fleet {
    /// The machines, sorted by name.
    pub hosts: Vec<Host>,
    /// The names of the libraries, as [`Summary::name`](crate::summary::Summary::name) gives them.
    pub libraries: Vec<String>,
    /// The tasks.
    pub cells: Vec<Task>,
    /// The times, with places in the three lists.
    pub readings: Vec<Reading>,
}

/// A machine compared with its siblings.
#[derive(Debug, Clone, PartialEq)]
pub struct Kin {
    /// Number of siblings, with the machine itself.
    pub count: usize,
    /// The comparison.
    pub compared: Sibling,
}

impl Fleet {
    /// Reads the newest run of each machine that has times of the algorithms. Only hot cells on one
    /// thread count, and no variants.
    ///
    /// # Errors
    ///
    /// If the store cannot be read.
    pub fn read(store: &Store, algorithms: Option<&Algorithms>) -> anyhow::Result<Self> {
        let mut builder = Builder::default();
        for (name, runs) in store.machines()? {
            for run in runs {
                if builder.add(store, &name, run, algorithms)? {
                    break;
                }
            }
        }
        Ok(builder.fleet())
    }

    /// Reads these runs, each with the name of its machine. Several runs of one machine, such as
    /// those of several sets of libraries, count together.
    ///
    /// # Errors
    ///
    /// If the store cannot be read.
    pub fn of(store: &Store, runs: &[(String, i64)]) -> anyhow::Result<Self> {
        let mut builder = Builder::default();
        for (name, run) in runs {
            builder.add(store, name, *run, None)?;
        }
        Ok(builder.fleet())
    }

    /// Fits the model.
    pub fn fit(&self) -> Fit {
        hosts::fit(&self.readings)
    }

    /// Compares each machine with those of the same CPU; `None` for a machine with too few.
    pub fn kin(&self) -> Vec<Option<Kin>> {
        let mut all = vec![None; self.hosts.len()];
        let models: BTreeSet<&str> = self.hosts.iter().map(|host| host.model.as_str()).collect();
        for model in models {
            let is_own = |reading: &&Reading| self.hosts[reading.host].model == model;
            let own: Vec<Reading> = self.readings.iter().filter(is_own).copied().collect();
            let Some(siblings) = hosts::siblings(&own) else {
                continue;
            };
            let count = siblings.len();
            for compared in siblings {
                all[compared.host] = Some(Kin { count, compared });
            }
        }
        all
    }
}

/// A fleet while its runs are read.
#[derive(Default)]
struct Builder {
    hosts: Vec<Host>,
    libraries: Places<String>,
    names: HashMap<String, String>,
    cells: Places<Task>,
    readings: Vec<Reading>,
}

impl Builder {
    /// Adds a run; returns whether it has times of the algorithms.
    fn add(
        &mut self,
        store: &Store,
        name: &str,
        run: i64,
        algorithms: Option<&Algorithms>,
    ) -> anyhow::Result<bool> {
        let is_wanted = |task: &Task| {
            let id = (task.primitive.clone(), task.operation.clone());
            algorithms.is_none_or(|wanted| wanted.contains(&id))
        };
        let mut found = store.hot_points(run)?;
        found.retain(|(task, library, _)| is_wanted(task) && !adapters::is_variant(library));
        if found.is_empty() {
            return Ok(false);
        }
        let known = self.hosts.iter().position(|host| host.name == name);
        let host = match known {
            Some(place) => place,
            None => {
                self.hosts.push(host(store, name, run)?);
                self.hosts.len() - 1
            }
        };
        let named = store.libraries(run)?.into_iter();
        let named = named.filter(|library| !adapters::is_variant(&library.id));
        self.names
            .extend(named.map(|library| (library.id, library.name)));
        for (task, library, ns) in found {
            self.readings.push(Reading {
                host,
                library: self.libraries.place(library),
                cell: self.cells.place(task),
                ns,
            });
        }
        Ok(true)
    }

    fn fleet(self) -> Fleet {
        let shared = |name: &String| self.names.values().filter(|own| *own == name).count() > 1;
        let name = |id: &String| match self.names.get(id) {
            Some(name) if !shared(name) => name.clone(),
            _ => id.clone(),
        };
        Fleet {
            hosts: self.hosts,
            libraries: self.libraries.all.iter().map(name).collect(),
            cells: self.cells.all,
            readings: self.readings,
        }
    }
}

fn host(store: &Store, name: &str, run: i64) -> anyhow::Result<Host> {
    let machine = store.run(Some(run), false)?.machine;
    let features = machine::fact(&machine, "Instruction sets");
    Ok(Host {
        name: name.to_owned(),
        run,
        model: machine::model(&machine),
        features: features.split_whitespace().map(str::to_owned).collect(),
    })
}

/// A list without repeats, and the places of its entries.
struct Places<T> {
    all: Vec<T>,
    places: HashMap<T, usize>,
}

impl<T> Default for Places<T> {
    fn default() -> Self {
        Self {
            all: Vec::new(),
            places: HashMap::new(),
        }
    }
}

impl<T: Clone + Eq + std::hash::Hash> Places<T> {
    fn place(&mut self, entry: T) -> usize {
        *self.places.entry(entry).or_insert_with_key(|entry| {
            self.all.push(entry.clone());
            self.all.len() - 1
        })
    }
}
