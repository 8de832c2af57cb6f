//! Machines without a batch system: this one, and hosts that ssh reaches. On each host one process
//! does the host's jobs, one after the other, and goes on when the connection ends.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, ensure};
use serde::{Deserialize, Serialize};

use super::file::Machine;
use super::folder::{Folder, get, put, try_lock, write};
use super::job::{self, Outcome, PART};
use super::plan::{Job, Kind, Plan};
use super::shell::Host;
use super::state::Seen;
use crate::bundle::Bundle;
use crate::machine;
use crate::output;
use crate::store;

/// The version of the command, which both ends must have in common.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What a host gets for its jobs.
#[derive(Debug, Serialize, Deserialize)]
pub struct Parcel {
    /// The plan of the whole campaign.
    pub plan: Plan,
    /// The machine's name in the plan.
    pub machine: String,
    /// The host's name in the plan.
    pub host: String,
    /// The campaign's folder on this machine; a host that ssh reaches makes its own.
    pub folder: Option<PathBuf>,
}

/// A host's answer to a parcel.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Accepted {
    /// The campaign's folder on the host.
    pub folder: PathBuf,
    /// The version of the command on the host.
    pub version: String,
}

/// What a host last said about its jobs.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Last {
    at: String,
    seen: Vec<Seen>,
}

/// The state of a host's jobs, as far as the host can be asked.
#[derive(Debug, Default)]
pub struct Asked {
    /// The host's jobs.
    pub seen: Vec<Seen>,
    /// Why the host was not asked, and how old its states are.
    pub trouble: Option<String>,
}

/// One host of a machine, with its jobs.
pub struct Place<'a> {
    folder: &'a Folder,
    plan: &'a Plan,
    machine: &'a Machine,
    host: Host<'a>,
    /// The file name of what is known about the host.
    key: String,
}

/// Returns the hosts of a plan: one for each machine that is not Slurm's and each of its hosts.
///
/// # Errors
///
/// If a list of nodes is not of Slurm's form.
pub fn places<'a>(folder: &'a Folder, plan: &'a Plan) -> anyhow::Result<Vec<Place<'a>>> {
    let mut places = Vec::new();
    for machine in &plan.campaign.machines {
        if machine.kind() == Kind::Slurm {
            continue;
        }
        for node in machine.nodes()? {
            places.push(Place {
                folder,
                plan,
                machine,
                host: Host::new(machine, &node),
                key: key(machine, &node)?,
            });
        }
    }
    Ok(places)
}

/// Returns the name of the files about a host: the host's own name may be no name of a file.
fn key(machine: &Machine, host: &str) -> anyhow::Result<String> {
    let place = machine.nodes()?.iter().position(|node| node == host);
    let place = place.with_context(|| format!("{} has no host {host:?}", machine.name))?;
    Ok(format!("{}-{}", machine.name, place + 1))
}

/// Returns the machine with this name.
///
/// # Errors
///
/// If the plan has none.
pub fn find<'a>(plan: &'a Plan, name: &str) -> anyhow::Result<&'a Machine> {
    let mut machines = plan.campaign.machines.iter();
    let found = machines.find(|machine| machine.name == name);
    found.with_context(|| format!("the plan has no machine {name:?}"))
}

impl Place<'_> {
    /// The host's name for people.
    pub fn label(&self) -> String {
        format!("{} ({})", self.machine.name, self.host.label())
    }

    /// Returns whether a job is one of this host's.
    pub fn has(&self, job: &Job) -> bool {
        job.machine == self.machine.name && job.node == self.host.name
    }

    /// Returns whether the host has the plan.
    pub fn is_submitted(&self) -> bool {
        self.file(".json").is_file()
    }

    fn file(&self, ending: &str) -> PathBuf {
        let hosts = self.folder.path().join("hosts");
        hosts.join(format!("{}{ending}", self.key))
    }

    fn program(&self) -> String {
        let given = self.machine.touchstone.as_ref();
        if let Some(given) = given.or(self.plan.campaign.touchstone.as_ref()) {
            return given.clone();
        }
        let here = || {
            std::env::current_exe()
                .ok()?
                .into_os_string()
                .into_string()
                .ok()
        };
        match self.machine.kind() {
            Kind::Ssh => "touchstone".into(),
            Kind::Local | Kind::Slurm => here().unwrap_or_else(|| "touchstone".into()),
        }
    }

    /// Sends the plan to the host, where a process starts to do the jobs. If such a process is
    /// there already, it goes on and no second one starts.
    ///
    /// # Errors
    ///
    /// If the host cannot be reached, or has no command of this version.
    pub fn submit(&self) -> anyhow::Result<()> {
        let parcel = Parcel {
            plan: self.plan.clone(),
            machine: self.machine.name.clone(),
            host: self.host.name.clone(),
            folder: (self.machine.kind() == Kind::Local).then(|| self.folder.path().to_owned()),
        };
        let parcel = serde_json::to_vec(&parcel)?;
        let answer = self
            .host
            .run(&[&self.program(), "campaign", "accept"], &parcel)?;
        let accepted: Accepted = serde_json::from_slice(&answer)
            .with_context(|| format!("{}: no answer of touchstone's", self.label()))?;
        std::fs::create_dir_all(self.folder.path().join("hosts"))?;
        put(&self.file(".json"), &accepted)
    }

    /// Asks the host for the states of its jobs.
    ///
    /// # Errors
    ///
    /// If a file of the campaign's folder cannot be read or written.
    pub fn ask(&self) -> anyhow::Result<Asked> {
        let Some(accepted) = get::<Accepted>(&self.file(".json"))? else {
            return Ok(Asked::default());
        };
        if self.machine.kind() == Kind::Local {
            return Ok(Asked {
                seen: look(self.folder, self.plan, self.machine, &self.host.name)?,
                trouble: None,
            });
        }
        let folder = accepted.folder.display().to_string();
        let words = [
            self.program(),
            "campaign".into(),
            "state".into(),
            folder,
            self.machine.name.clone(),
            self.host.name.clone(),
        ];
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let answer = self.host.run(&words, b"").and_then(|bytes| {
            serde_json::from_slice::<Vec<Seen>>(&bytes)
                .with_context(|| format!("{}: no answer of touchstone's", self.label()))
        });
        let file = self.file("-seen.json");
        match answer {
            Ok(seen) => {
                let last = Last {
                    at: machine::now(),
                    seen,
                };
                put(&file, &last)?;
                Ok(Asked {
                    seen: last.seen,
                    trouble: None,
                })
            }
            Err(error) => {
                let last: Last = get(&file)?.unwrap_or_default();
                let age = match last.at.as_str() {
                    "" => "its jobs are unknown".to_owned(),
                    at => format!("its jobs are shown as of {at}"),
                };
                Ok(Asked {
                    seen: last.seen,
                    trouble: Some(format!("{error:#}; {age}")),
                })
            }
        }
    }

    /// Brings the exported runs of the host's jobs into the campaign's folder, where they are
    /// missing.
    ///
    /// # Errors
    ///
    /// If the host cannot be reached, or a run is damaged.
    pub fn fetch(&self, seen: &[Seen]) -> anyhow::Result<()> {
        if self.machine.kind() == Kind::Local {
            return Ok(());
        }
        let Some(accepted) = get::<Accepted>(&self.file(".json"))? else {
            return Ok(());
        };
        let there = Folder::new(&accepted.folder)?;
        for one in seen {
            let Some(state) = &one.state else { continue };
            for name in &state.bundles {
                ensure!(!name.contains('/'), "{}: {name:?} is no file", self.label());
                let here = self.folder.job(one.number).join(name);
                // A part of a run may have grown.
                if here.is_file() && name != PART {
                    continue;
                }
                let path = there.job(one.number).join(name).display().to_string();
                let bytes = self.host.run(&["cat", &path], b"")?;
                Bundle::parse(&bytes).with_context(|| format!("{} {path}", self.label()))?;
                std::fs::create_dir_all(self.folder.job(one.number))?;
                write(&here, &bytes)?;
            }
        }
        Ok(())
    }
}

/// Takes a parcel on the host and starts the process for its jobs.
///
/// # Errors
///
/// If the plan is of another version, or the folder cannot be written to.
pub fn accept(parcel: &[u8]) -> anyhow::Result<Accepted> {
    let parcel: Parcel = serde_json::from_slice(parcel)
        .context("the campaign cannot be read: both ends must have the same touchstone")?;
    parcel.plan.check()?;
    let plan = &parcel.plan;
    let machine = find(plan, &parcel.machine)?;
    let folder = match (&parcel.folder, &machine.work) {
        (Some(folder), _) => Folder::new(folder)?,
        (None, Some(work)) => Folder::new(&Path::new(work).join(&plan.id))?,
        (None, None) => {
            let data = store::default_path()?;
            let beside = data.parent().unwrap_or(Path::new(".")).join("campaigns");
            Folder::new(&beside.join(&plan.id))?
        }
    };
    if folder.plan()?.is_none() {
        folder.fill(plan, "# The campaign file is where it was submitted.\n")?;
    }
    let hosts = folder.path().join("hosts");
    std::fs::create_dir_all(&hosts).with_context(|| format!("making {}", hosts.display()))?;
    let log = hosts.join(format!("{}.log", key(machine, &parcel.host)?));
    let said = std::fs::File::options()
        .create(true)
        .append(true)
        .open(&log)
        .with_context(|| format!("opening {}", log.display()))?;
    Command::new(std::env::current_exe()?)
        .args(["campaign", "host"])
        .arg(folder.path())
        .args([&parcel.machine, &parcel.host])
        .stdin(Stdio::null())
        .stdout(said.try_clone()?)
        .stderr(said)
        .spawn()
        .context("starting the process for the jobs")?;
    Ok(Accepted {
        folder: folder.path().to_owned(),
        version: VERSION.into(),
    })
}

/// Does all jobs of a host, one after the other. Does nothing if another process is at them.
///
/// # Errors
///
/// If the campaign's files cannot be read or written.
pub fn work(folder: &Folder, machine: &str, host: &str) -> anyhow::Result<()> {
    // This process has nothing to do with the connection that started it, and goes on without it.
    let _ = rustix::process::setsid();
    let plan = folder.plan()?.context("there is no plan in this folder")?;
    let machine = find(&plan, machine)?;
    // Several hosts may have this folder in common.
    let lock = format!("{}.lock", key(machine, host)?);
    let lock = folder.path().join("hosts").join(lock);
    let Some(_lock) = try_lock(&lock)? else {
        output::say("another process does these jobs");
        return Ok(());
    };
    for job in &plan.jobs {
        if job.machine != machine.name || job.node != host {
            continue;
        }
        output::say(&format!("{} job {}", machine::now(), job.number));
        match job::attempt(folder, &plan, job.number) {
            Ok(Outcome::Stopped(signal)) => {
                output::say(&format!("stopped by signal {signal}"));
                return Ok(());
            }
            Ok(Outcome::Done | Outcome::Failed | Outcome::Taken) => {}
            // A full disk, for example: the next job may have a better one.
            Err(error) => {
                output::say(&format!("job {}: {error:#}", job.number));
                std::thread::sleep(Duration::from_secs(1));
            }
        }
    }
    output::say(&format!("{} all jobs had their attempt", machine::now()));
    Ok(())
}

/// Looks at the jobs of one host of a machine, and exports the finished cells of those that died.
///
/// # Errors
///
/// If a state cannot be read.
pub fn look(
    folder: &Folder,
    plan: &Plan,
    machine: &Machine,
    host: &str,
) -> anyhow::Result<Vec<Seen>> {
    let jobs = plan.jobs.iter();
    let own = jobs.filter(|job| job.machine == machine.name && job.node == host);
    own.map(|job| {
        job::salvage(folder, job.number)?;
        Seen::look(folder, job.number)
    })
    .collect()
}
