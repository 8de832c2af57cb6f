//! The plan of a campaign: one job for each combination of machine, set of libraries, profile
//! and repetition. `submit` stores the plan in the campaign's folder, and it never changes there.

use std::collections::BTreeMap;

use anyhow::{Context as _, bail, ensure};
use rand::RngExt as _;
use serde::{Deserialize, Serialize};

use super::file::{Campaign, Libraries, Machine};
use crate::machine;

/// The value of the field that names the format of a stored plan.
const FORMAT: &str = "touchstone campaign";
/// Version of the format.
const SCHEMA: u32 = 1;
/// The most jobs of a campaign: their folders have numbers of four digits.
const MOST: usize = 9999;

/// A campaign with its jobs.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Plan {
    format: String,
    schema: u32,
    /// A name that no other campaign has: the file's name and random digits.
    pub id: String,
    /// When the plan was made, in UTC (RFC 3339).
    pub made: String,
    /// The campaign file's contents.
    pub campaign: Campaign,
    /// The text of each profile, by name.
    pub profiles: BTreeMap<String, String>,
    /// The jobs; a job's number is its place, counted from 1.
    pub jobs: Vec<Job>,
}

/// One run of the lab on one machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// The job's number, from 1 on.
    pub number: u32,
    /// The machine's name in the campaign file.
    pub machine: String,
    /// The Slurm node or the ssh host; empty if Slurm chooses a node, or for this machine.
    pub node: String,
    /// The name of the set of libraries.
    pub libraries: String,
    /// The profile's name.
    pub profile: String,
    /// Which of the repetitions the job is, from 1 on.
    pub repetition: u32,
    /// The number of cells, as estimated.
    pub cells: u64,
    /// Seconds, as estimated.
    pub seconds: f64,
}

/// The expected cells and seconds of a job.
#[derive(Debug, Clone, PartialEq)]
pub struct Expected {
    /// Number of cells.
    pub cells: u64,
    /// Wall time in seconds.
    pub seconds: f64,
    /// Where the seconds come from, for people.
    pub basis: String,
}

/// How jobs of a machine come to the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// By Slurm.
    Slurm,
    /// By ssh.
    Ssh,
    /// They run where `submit` runs.
    Local,
}

impl Machine {
    /// Returns how jobs come to the machine.
    pub fn kind(&self) -> Kind {
        match (&self.slurm, &self.ssh) {
            (Some(_), _) => Kind::Slurm,
            (None, Some(_)) => Kind::Ssh,
            (None, None) => Kind::Local,
        }
    }

    /// Returns the nodes or hosts that are measured; an empty name if Slurm chooses the node, or
    /// for this machine.
    ///
    /// # Errors
    ///
    /// If the list of Slurm nodes is not of Slurm's form.
    pub fn nodes(&self) -> anyhow::Result<Vec<String>> {
        match (&self.slurm, &self.ssh) {
            (Some(slurm), _) => match &slurm.nodes {
                Some(list) => expand(list).with_context(|| format!("machine {}", self.name)),
                None => Ok(vec![String::new()]),
            },
            (None, Some(ssh)) => Ok(ssh.hosts.clone()),
            (None, None) => Ok(vec![String::new()]),
        }
    }
}

impl Plan {
    /// Makes the plan of a campaign. `expect` estimates the run of a profile with a set of
    /// libraries.
    ///
    /// # Errors
    ///
    /// If there are too many jobs, or a list of nodes is not of Slurm's form.
    pub fn new(
        stem: &str,
        campaign: Campaign,
        profiles: BTreeMap<String, String>,
        expect: impl Fn(&str, &str) -> Expected,
    ) -> anyhow::Result<Self> {
        let mut expected = Vec::new();
        for profile in profiles.keys() {
            for set in &campaign.libraries {
                expected.push((profile, &set.name, expect(profile, &set.name)));
            }
        }
        let mut jobs = Vec::new();
        // The repetitions of a combination are far apart in time, so that they see the machine in
        // different states.
        for repetition in 1..=campaign.repetitions {
            for machine in &campaign.machines {
                for node in machine.nodes()? {
                    for (profile, libraries, expected) in &expected {
                        ensure!(jobs.len() < MOST, "a campaign has at most {MOST} jobs");
                        jobs.push(Job {
                            number: jobs.len() as u32 + 1,
                            machine: machine.name.clone(),
                            node: node.clone(),
                            libraries: (*libraries).clone(),
                            profile: (*profile).clone(),
                            repetition,
                            cells: expected.cells,
                            seconds: expected.seconds,
                        });
                    }
                }
            }
        }
        let stem: String = stem
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
            .take(40)
            .collect();
        Ok(Self {
            format: FORMAT.into(),
            schema: SCHEMA,
            id: format!("{stem}-{:08x}", rand::rng().random::<u32>()),
            made: machine::now(),
            campaign,
            profiles,
            jobs,
        })
    }

    /// Checks that this command can read the stored plan.
    ///
    /// # Errors
    ///
    /// If the document is no plan, or a newer command wrote it.
    pub fn check(&self) -> anyhow::Result<()> {
        ensure!(self.format == FORMAT, "it is no plan of a campaign");
        ensure!(
            self.schema <= SCHEMA,
            "a newer touchstone wrote it (schema {}; this one reads up to {SCHEMA}): update \
             this one",
            self.schema
        );
        Ok(())
    }

    /// Returns the job with this number.
    ///
    /// # Errors
    ///
    /// If the plan has no such job.
    pub fn job(&self, number: u32) -> anyhow::Result<&Job> {
        let place = number.checked_sub(1).map(|place| place as usize);
        let job = place.and_then(|place| self.jobs.get(place));
        job.with_context(|| format!("no job {number}; the campaign has {}", self.jobs.len()))
    }

    /// Returns the machine of a job.
    ///
    /// # Errors
    ///
    /// If the plan has no machine of this name.
    pub fn machine(&self, job: &Job) -> anyhow::Result<&Machine> {
        let mut machines = self.campaign.machines.iter();
        let found = machines.find(|machine| machine.name == job.machine);
        found.with_context(|| format!("the plan has no machine {}", job.machine))
    }

    /// Returns the set of libraries of a job.
    ///
    /// # Errors
    ///
    /// If the plan has no set of this name.
    pub fn libraries(&self, job: &Job) -> anyhow::Result<&Libraries> {
        let mut sets = self.campaign.libraries.iter();
        let found = sets.find(|set| set.name == job.libraries);
        found.with_context(|| format!("the plan has no libraries {}", job.libraries))
    }

    /// Returns the cost of a job for a number of seconds; `None` if the campaign names no cost.
    ///
    /// # Errors
    ///
    /// As [`Plan::machine`].
    pub fn cost(&self, job: &Job, seconds: f64) -> anyhow::Result<Option<f64>> {
        let own = self.machine(job)?.cost_per_node_hour;
        let hourly = own.or(self.campaign.budget.cost_per_node_hour);
        Ok(hourly.map(|hourly| hourly * seconds / 3600.0))
    }

    /// Returns the expected node hours and cost of all jobs; 0 for machines without a cost.
    ///
    /// # Errors
    ///
    /// As [`Plan::machine`].
    pub fn total(&self) -> anyhow::Result<[f64; 2]> {
        let mut total = [0.0; 2];
        for job in &self.jobs {
            total[0] += job.seconds / 3600.0;
            total[1] += self.cost(job, job.seconds)?.unwrap_or(0.0);
        }
        Ok(total)
    }

    /// Returns why the plan is over the campaign's budget; `None` if it is not.
    ///
    /// # Errors
    ///
    /// As [`Plan::machine`].
    pub fn over_budget(&self) -> anyhow::Result<Option<String>> {
        let [hours, cost] = self.total()?;
        let budget = &self.campaign.budget;
        let over = |most: Option<f64>, value: f64| most.filter(|most| value > *most);
        Ok(if let Some(most) = over(budget.node_hours, hours) {
            Some(format!("{hours:.1} node hours; the budget has {most}"))
        } else {
            over(budget.cost, cost)
                .map(|most| format!("{cost:.2} {}; the budget has {most}", budget.currency))
        })
    }
}

/// Expands a list of nodes in Slurm's form: `n[01-03,7],login`.
///
/// # Errors
///
/// If the list is not of this form, or has more nodes than a campaign has jobs.
pub fn expand(list: &str) -> anyhow::Result<Vec<String>> {
    let mut nodes = Vec::new();
    let mut rest = list;
    while !rest.is_empty() {
        let end = {
            let mut inside = false;
            let ends = |c: char| {
                inside = (inside || c == '[') && c != ']';
                c == ',' && !inside
            };
            rest.find(ends).unwrap_or(rest.len())
        };
        let (one, after) = rest.split_at(end);
        rest = after.strip_prefix(',').unwrap_or(after);
        one_pattern(one, &mut nodes).with_context(|| format!("nodes {list:?}"))?;
    }
    ensure!(!nodes.is_empty(), "nodes {list:?}: no node");
    Ok(nodes)
}

fn one_pattern(pattern: &str, nodes: &mut Vec<String>) -> anyhow::Result<()> {
    let usual = |text: &str| {
        text.chars()
            .all(|c| c.is_ascii_alphanumeric() || "._-".contains(c))
    };
    let (before, ranges, after) = match pattern.split_once('[') {
        None => (pattern, None, ""),
        Some((before, rest)) => {
            let (ranges, after) = rest.split_once(']').context("a bracket is not closed")?;
            (before, Some(ranges), after)
        }
    };
    ensure!(
        !pattern.is_empty() && usual(before) && usual(after),
        "{pattern:?} is no node and no list such as n[01-04]"
    );
    let Some(ranges) = ranges else {
        nodes.push(before.to_owned());
        return Ok(());
    };
    for range in ranges.split(',') {
        let (low, high) = range.split_once('-').unwrap_or((range, range));
        let (Ok(from), Ok(to)) = (low.parse::<u32>(), high.parse::<u32>()) else {
            bail!("{range:?} is no range of numbers");
        };
        ensure!(from <= to, "{range:?} goes backwards");
        ensure!(
            nodes.len() + ((to - from) as usize) < MOST,
            "more than {MOST} nodes"
        );
        for number in from..=to {
            nodes.push(format!(
                "{before}{number:0width$}{after}",
                width = low.len()
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn plan(text: &str) -> anyhow::Result<Plan> {
        let campaign = Campaign::parse(Path::new("x.toml"), text)?;
        let profiles = [("quick".to_owned(), String::new())].into();
        Plan::new("a fleet", campaign, profiles, |_, _| Expected {
            cells: 100,
            seconds: 1800.0,
            basis: String::new(),
        })
    }

    #[test]
    fn lists_of_nodes_are_expanded_as_slurm_does() {
        let list = |text: &str| expand(text).unwrap().join(" ");
        assert_eq!(list("n1"), "n1");
        assert_eq!(list("n[08-10,2]-x,login"), "n08-x n09-x n10-x n2-x login");
        for bad in [
            "",
            "n[1",
            "n[2-1]",
            "n[a]",
            "n 1",
            "n[1-99999]",
            ",",
            "a[1]b[2]",
        ] {
            assert!(expand(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn every_combination_is_a_job() {
        let plan = plan(
            "repetitions = 2\n\
             [budget]\ncost-per-node-hour = 2.0\nnode-hours = 5\n\
             [[machine]]\nname = \"a\"\nslurm = { nodes = \"n[1-2]\" }\n\
             [[machine]]\nname = \"b\"\nlocal = true\ncost-per-node-hour = 0.0\n\
             [[libraries]]\nname = \"system\"\n[[libraries]]\nname = \"sid\"\n",
        )
        .unwrap();
        assert_eq!(plan.jobs.len(), 12);
        assert_eq!(plan.job(12).unwrap().number, 12);
        assert_eq!(plan.jobs[2].node, "n2");
        assert!(plan.job(0).is_err() && plan.job(13).is_err());
        assert_eq!(plan.total().unwrap(), [6.0, 8.0]);
        let over = plan.over_budget().unwrap().unwrap();
        assert!(over.starts_with("6.0 node hours"), "{over}");
        assert!(plan.id.starts_with("a-fleet-"), "{}", plan.id);
    }
}
