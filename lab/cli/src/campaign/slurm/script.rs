//! The script of an array of jobs, and the requirements of each of its elements.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context as _, ensure};

use super::super::folder::Folder;
use super::super::plan::{Job, Plan};
use super::super::shell::quote;
use super::{Submission, name};

/// Most elements of an array: Slurm's default for `MaxArraySize` is 1001, and an element's number
/// must be below that.
const ELEMENTS: u32 = 1000;
/// A job may take this many times its expected time before Slurm ends it.
const TIMES: f64 = 2.0;
/// Minutes for the start of a job, in addition.
const START: u64 = 10;
/// Seconds before the end of a job's time at which the job is told, so that it ends in good order
/// and is queued again.
const NOTICE: u32 = 60;

/// The script of one array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Script {
    /// The script's text.
    pub text: String,
    /// The number of a job is the number of its element plus this offset.
    pub offset: u32,
    /// The numbers of the jobs.
    pub jobs: BTreeSet<u32>,
}

/// Returns the scripts for jobs: one array, or more if there are many jobs or the machines have
/// different options of sbatch.
///
/// # Errors
///
/// If a path cannot be written in a script.
pub fn scripts(folder: &Folder, plan: &Plan, jobs: &[&Job]) -> anyhow::Result<Vec<Script>> {
    let mut groups: BTreeMap<(Vec<String>, u32), Vec<&Job>> = BTreeMap::new();
    for job in jobs {
        let slurm = plan.machine(job)?.slurm.clone().unwrap_or_default();
        let offset = (job.number - 1) / ELEMENTS * ELEMENTS;
        groups.entry((slurm.options, offset)).or_default().push(job);
    }
    groups
        .into_iter()
        .map(|((options, offset), jobs)| script(folder, plan, &options, offset, &jobs))
        .collect()
}

fn script(
    folder: &Folder,
    plan: &Plan,
    options: &[String],
    offset: u32,
    jobs: &[&Job],
) -> anyhow::Result<Script> {
    let path = text(folder.path())?;
    ensure!(
        !path.contains(['%', '\n', '"', '\\']),
        "{path}: Slurm takes no folder with such a name: %, \", \\ and line ends mean something \
         to it"
    );
    let elements: Vec<String> = jobs
        .iter()
        .map(|job| (job.number - offset).to_string())
        .collect();
    let first = plan.machine(jobs[0])?.slurm.clone().unwrap_or_default();
    let minutes = jobs.iter().map(|job| minutes(job)).max().unwrap_or(START);
    let mut lines = vec![
        format!("--job-name={}", name(plan)),
        format!("--array={}", elements.join(",")),
        "--nodes=1".into(),
        "--ntasks=1".into(),
        // The node's other work would be measured too.
        "--exclusive".into(),
        "--mem=0".into(),
        "--requeue".into(),
        "--open-mode=append".into(),
        format!("--signal=B:USR1@{NOTICE}"),
        format!("--time={minutes}"),
        format!("--chdir=\"{path}\""),
        format!("--output=\"{path}/slurm/%A_%a.out\""),
        // By this word an array is recognised that its submitter could not write down.
        format!("--comment=offset:{offset}"),
    ];
    if let Some(partition) = &first.partition {
        lines.push(format!("--partition={partition}"));
    }
    lines.extend(options.iter().cloned());
    let mut out = String::from("#!/bin/sh\n");
    let _ = writeln!(
        out,
        "# Jobs of the campaign {}, written by touchstone.",
        plan.id
    );
    for line in lines {
        let _ = writeln!(out, "#SBATCH {line}");
    }
    let number = match offset {
        0 => "$SLURM_ARRAY_TASK_ID".to_owned(),
        _ => format!("$((SLURM_ARRAY_TASK_ID + {offset}))"),
    };
    let _ = writeln!(out, "job={number}\ncase $job in");
    let mut programs: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for job in jobs {
        let numbers = programs.entry(program(plan, job)?).or_default();
        numbers.push(job.number.to_string());
    }
    for (program, numbers) in programs {
        let numbers = numbers.join("|");
        let _ = writeln!(out, "{numbers}) touchstone={} ;;", quote(&program));
    }
    let _ = writeln!(
        out,
        "*) echo \"the campaign has no job $job here\" >&2; exit 2 ;;\nesac"
    );
    // The shell gives its place to the lab, so that Slurm's signals reach the lab.
    let folder = quote(&path);
    let _ = writeln!(out, "exec \"$touchstone\" campaign job {folder} \"$job\"");
    Ok(Script {
        text: out,
        offset,
        jobs: jobs.iter().map(|job| job.number).collect(),
    })
}

/// Returns the commands of scontrol that give each element its machine's requirements. Elements
/// with the same requirements share a command if they follow one another.
///
/// # Errors
///
/// If the plan lacks a job of the array.
pub fn updates(plan: &Plan, one: &Submission) -> anyhow::Result<Vec<Vec<String>>> {
    let mut commands = Vec::new();
    for number in &one.jobs {
        let job = plan.job(*number)?;
        let slurm = plan.machine(job)?.slurm.clone().unwrap_or_default();
        let element = number - one.offset;
        let mut command = vec![
            "update".to_owned(),
            format!("JobId={}_{element}", one.array),
        ];
        command.push(format!("TimeLimit={}", minutes(job)));
        if let Some(partition) = &slurm.partition {
            command.push(format!("Partition={partition}"));
        }
        if let Some(constraint) = &slurm.constraint {
            command.push(format!("Features={constraint}"));
        }
        if !job.node.is_empty() {
            command.push(format!("ReqNodeList={}", job.node));
        }
        commands.push(command);
    }
    Ok(commands)
}

/// Returns the time limit of a job in minutes.
fn minutes(job: &Job) -> u64 {
    (job.seconds * TIMES / 60.0).ceil() as u64 + START
}

fn program(plan: &Plan, job: &Job) -> anyhow::Result<String> {
    let given = plan.machine(job)?.touchstone.as_ref();
    match given.or(plan.campaign.touchstone.as_ref()) {
        Some(given) => Ok(given.clone()),
        None => text(&std::env::current_exe()?),
    }
}

fn text(path: &Path) -> anyhow::Result<String> {
    let text = path
        .to_str()
        .with_context(|| format!("{}: not UTF-8", path.display()))?;
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::super::file::Campaign;
    use super::super::super::plan::Expected;
    use super::*;

    fn plan(machines: &str) -> Plan {
        let text = format!("touchstone = \"/opt/it's/touchstone\"\n{machines}");
        let campaign = Campaign::parse(Path::new("x.toml"), &text).unwrap();
        let profiles = [("quick".to_owned(), String::new())].into();
        Plan::new("x", campaign, profiles, |_, _| Expected {
            cells: 10,
            seconds: 90.0,
            basis: String::new(),
        })
        .unwrap()
    }

    #[test]
    fn one_array_has_all_machines_and_each_element_its_requirements() {
        let plan = plan(
            "repetitions = 2\n\
             [[machine]]\nname = \"a\"\nslurm = { constraint = \"zen4&ib\", partition = \"p\" }\n\
             [[machine]]\nname = \"b\"\nslurm = { nodes = \"n[1-2]\" }\n",
        );
        let folder = Folder::new(Path::new("/srv/my campaign")).unwrap();
        let jobs: Vec<&Job> = plan.jobs.iter().collect();
        let scripts = scripts(&folder, &plan, &jobs).unwrap();
        assert_eq!(scripts.len(), 1);
        let text = &scripts[0].text;
        for line in [
            "#SBATCH --array=1,2,3,4,5,6",
            "#SBATCH --exclusive",
            "#SBATCH --requeue",
            "#SBATCH --time=13",
            "#SBATCH --chdir=\"/srv/my campaign\"",
            "1|2|3|4|5|6) touchstone='/opt/it'\\''s/touchstone' ;;",
            "exec \"$touchstone\" campaign job '/srv/my campaign' \"$job\"",
        ] {
            assert!(text.lines().any(|one| one == line), "{line}:\n{text}");
        }
        let one = Submission {
            array: 70,
            offset: 0,
            jobs: scripts[0].jobs.clone(),
            at: String::new(),
            released: false,
        };
        let updates = updates(&plan, &one).unwrap();
        assert_eq!(
            updates[0].join(" "),
            "update JobId=70_1 TimeLimit=13 Partition=p Features=zen4&ib"
        );
        assert_eq!(
            updates[2].join(" "),
            "update JobId=70_3 TimeLimit=13 ReqNodeList=n2"
        );
    }

    #[test]
    fn many_jobs_are_several_arrays() {
        let plan = plan("[[machine]]\nname = \"a\"\nslurm = { nodes = \"n[1-2100]\" }\n");
        let folder = Folder::new(Path::new("/srv/c")).unwrap();
        let jobs: Vec<&Job> = plan.jobs.iter().collect();
        let scripts = scripts(&folder, &plan, &jobs).unwrap();
        let offsets: Vec<u32> = scripts.iter().map(|script| script.offset).collect();
        assert_eq!(offsets, [0, 1000, 2000]);
        assert!(
            scripts[2]
                .text
                .contains("job=$((SLURM_ARRAY_TASK_ID + 2000))")
        );
        assert!(scripts[0].text.contains("#SBATCH --array=1,2,"));
        let strange = Folder::new(Path::new("/srv/50%")).unwrap();
        assert!(super::scripts(&strange, &plan, &jobs).is_err());
    }
}
