//! The pages of the browser. A page is made once for each state of its run, and kept.

use std::collections::HashMap;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock};

use anyhow::{Context as _, anyhow};
use axum::body::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use minijinja::Environment;
use minijinja::value::{Serde, Value};
use serde::Serialize;
use touchstone_wire::Contract;

use crate::adapters;
use crate::fleet::{self, Fleet};
use crate::history::{self, Line};
use crate::machine;
use crate::report;
use crate::store::{RunRow, Store};
use crate::summarise::summarise;
use crate::wanted::{Algorithms, Wanted};

const INDEX: &str = include_str!("../../assets/serve.html");
const STYLE: &str = include_str!("../../assets/report.css");

/// Runs on one page of the list.
const ROWS: u32 = 100;
/// Pages that are kept.
const KEPT: usize = 64;
/// Most bytes in the name of an algorithm.
const LONGEST: usize = 200;
/// The least change of level that histories show.
const THRESHOLD: f64 = 0.01;

/// A page as it is sent.
#[derive(Debug)]
pub(super) struct Page {
    pub(super) kind: &'static str,
    pub(super) plain: Bytes,
    pub(super) packed: Bytes,
}

const HTML: &str = "text/html; charset=utf-8";
const JSON: &str = "application/json";

impl Page {
    fn new(kind: &'static str, text: String) -> anyhow::Result<Self> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text.as_bytes())?;
        Ok(Self {
            kind,
            packed: encoder.finish()?.into(),
            plain: text.into(),
        })
    }
}

/// A page that is made or will be; several readers of a new page wait for the first of them.
type Slot = Arc<OnceLock<Result<Arc<Page>, String>>>;

/// The pages of one store.
pub(super) struct Pages {
    store: PathBuf,
    kept: Mutex<HashMap<String, Slot>>,
}

impl Pages {
    /// Checks that the store can be read.
    pub(super) fn new(store: PathBuf) -> anyhow::Result<Self> {
        drop(Store::open_to_read(&store)?);
        Ok(Self {
            store,
            kept: Mutex::default(),
        })
    }

    fn open(&self) -> anyhow::Result<Store> {
        Store::open_to_read(&self.store)
    }

    /// Returns the page with this key, which is made if it is not there.
    fn keep(
        &self,
        key: String,
        make: impl FnOnce() -> anyhow::Result<Page>,
    ) -> anyhow::Result<Arc<Page>> {
        let slot = {
            let mut kept = self.kept.lock().map_err(|_| anyhow!("a page failed"))?;
            if kept.len() >= KEPT && !kept.contains_key(&key) {
                // Any page can be made again.
                let oldest = kept.keys().next().cloned();
                oldest.map(|key| kept.remove(&key));
            }
            Arc::clone(kept.entry(key.clone()).or_default())
        };
        let made = slot.get_or_init(|| make().map(Arc::new).map_err(|error| format!("{error:#}")));
        match made {
            Ok(page) => Ok(Arc::clone(page)),
            Err(reason) => {
                // The reason may be gone at the next request.
                if let Ok(mut kept) = self.kept.lock() {
                    kept.remove(&key);
                }
                Err(anyhow!("{reason}"))
            }
        }
    }

    /// Returns the run with this id, or with this number.
    fn run(&self, store: &Store, name: &str) -> anyhow::Result<Option<RunRow>> {
        let number = match name.parse() {
            Ok(number) => Some(number),
            Err(_) => store.numbered(name)?,
        };
        let Some(number) = number else {
            return Ok(None);
        };
        let row = store.newest(number.saturating_add(1), 1)?.pop();
        Ok(row.filter(|row| row.id == number))
    }

    /// The list of runs and algorithms.
    pub(super) fn index(&self, before: Option<i64>) -> anyhow::Result<Option<Arc<Page>>> {
        let store = self.open()?;
        let rows = store.newest(before.unwrap_or(i64::MAX), ROWS)?;
        let algorithms = store.algorithms_with_points()?;
        let mut environment = Environment::new();
        environment
            .add_template("serve.html", INDEX)
            .context("the template of the list")?;
        let next = (rows.len() == ROWS as usize).then(|| rows.last().map(|row| row.id));
        let html = environment
            .get_template("serve.html")?
            .render(Value::from(Serde(Index {
                style: STYLE,
                policy: env!("REPORT_POLICY"),
                store: store.name(),
                next: next.flatten(),
                runs: rows.iter().map(Entry::of).collect(),
                algorithms: algorithms
                    .iter()
                    .map(|(primitive, operation)| format!("{primitive} {operation}"))
                    .collect(),
            })))
            .context("rendering the list")?;
        Page::new(HTML, html).map(|page| Some(Arc::new(page)))
    }

    /// The list of runs for programs.
    pub(super) fn runs(&self, before: Option<i64>) -> anyhow::Result<Option<Arc<Page>>> {
        let rows = self.open()?.newest(before.unwrap_or(i64::MAX), ROWS)?;
        let rows: Vec<Entry> = rows.iter().map(Entry::of).collect();
        Page::new(JSON, serde_json::to_string(&rows)?).map(|page| Some(Arc::new(page)))
    }

    /// The report of a run.
    pub(super) fn report(&self, name: &str) -> anyhow::Result<Option<Arc<Page>>> {
        let store = self.open()?;
        let Some(row) = self.run(&store, name)? else {
            return Ok(None);
        };
        let make = || {
            let manifests = adapters::folder().and_then(|folder| adapters::manifests(&folder));
            let runs = [summarise(&store, row.id)?];
            Page::new(HTML, report::render(&runs, &manifests.unwrap_or_default())?)
        };
        self.keep(format!("report {}", state(&row)), make).map(Some)
    }

    /// The model of which a run's report is made.
    pub(super) fn summary(&self, name: &str) -> anyhow::Result<Option<Arc<Page>>> {
        let store = self.open()?;
        let Some(row) = self.run(&store, name)? else {
            return Ok(None);
        };
        let make = || Page::new(JSON, serde_json::to_string(&summarise(&store, row.id)?)?);
        self.keep(format!("summary {}", state(&row)), make)
            .map(Some)
    }

    /// The charts of an algorithm's history.
    pub(super) fn history(&self, name: &str) -> anyhow::Result<Option<Arc<Page>>> {
        let store = self.open()?;
        let Some(algorithms) = algorithms(&store, name)? else {
            return Ok(None);
        };
        let key = format!("history {} {name}", newest(&store)?);
        let make = || {
            let lines = lines(&store, algorithms)?;
            Page::new(HTML, history::page::render(&lines, name, "")?)
        };
        self.keep(key, make).map(Some)
    }

    /// An algorithm's history for programs.
    pub(super) fn history_json(&self, name: &str) -> anyhow::Result<Option<Arc<Page>>> {
        let store = self.open()?;
        let Some(algorithms) = algorithms(&store, name)? else {
            return Ok(None);
        };
        let key = format!("history.json {} {name}", newest(&store)?);
        let make = || Page::new(JSON, serde_json::to_string(&lines(&store, algorithms)?)?);
        self.keep(key, make).map(Some)
    }

    /// Libraries by machines.
    pub(super) fn fleet(&self, name: &str) -> anyhow::Result<Option<Arc<Page>>> {
        let store = self.open()?;
        let (chosen, title) = match name {
            "" => (None, "All algorithms"),
            name => match algorithms(&store, name)? {
                Some(chosen) => (Some(chosen), name),
                None => return Ok(None),
            },
        };
        let key = format!("fleet {} {name}", newest(&store)?);
        let make = || {
            let fleet = Fleet::read(&store, chosen.as_ref())?;
            Page::new(HTML, fleet::page::render(&fleet, title)?)
        };
        self.keep(key, make).map(Some)
    }
}

/// The algorithms of a name, if the store has times of any.
fn algorithms(store: &Store, name: &str) -> anyhow::Result<Option<Algorithms>> {
    let Some(wanted) = (name.len() <= LONGEST)
        .then(|| name.parse::<Wanted>().ok())
        .flatten()
    else {
        return Ok(None);
    };
    let known = store.algorithms_with_points()?;
    let found = wanted.among(known.iter().map(|(p, o)| (p.as_str(), o.as_str())));
    Ok((!name.is_empty() && !found.is_empty()).then_some(found))
}

fn lines(store: &Store, algorithms: Algorithms) -> anyhow::Result<Vec<Line>> {
    history::lines(
        store,
        &history::Wanted {
            algorithms,
            libraries: Vec::new(),
            machines: Vec::new(),
            sizes: Vec::new(),
            contract: Contract::Hot,
            threads: 1,
            threshold: THRESHOLD,
        },
    )
}

/// What a run's page depends on: a run grows until it is complete.
fn state(row: &RunRow) -> String {
    format!("{} {} {} {}", row.uid, row.id, row.seconds, row.complete)
}

/// What a page about all runs depends on.
fn newest(store: &Store) -> anyhow::Result<String> {
    let newest = store.newest(i64::MAX, 1)?.pop();
    Ok(newest.map_or_else(String::new, |row| state(&row)))
}

#[derive(Debug, Serialize)]
struct Index<'a> {
    style: &'static str,
    policy: &'static str,
    store: &'a str,
    runs: Vec<Entry>,
    next: Option<i64>,
    algorithms: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Entry {
    run: i64,
    uid: String,
    started: String,
    profile: String,
    complete: bool,
    imported: bool,
    host: String,
    machine: String,
    title: String,
}

impl Entry {
    fn of(row: &RunRow) -> Self {
        Self {
            run: row.id,
            uid: row.uid.clone(),
            started: row.started.clone(),
            profile: row.profile.clone(),
            complete: row.complete,
            imported: !row.imported.is_empty(),
            host: machine::name(&row.machine),
            machine: row.machine.line.clone(),
            title: machine::title(&row.machine),
        }
    }
}
