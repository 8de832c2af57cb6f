//! `touchstone campaign status`: where each job is.

use super::super::{End, Global};
use super::{Which, submitted};
use crate::campaign::plan::Plan;
use crate::campaign::status::{All, Status, look};
use crate::table::{Entry, Table};

pub(super) fn run(global: &Global, which: &Which) -> anyhow::Result<End> {
    let (folder, plan) = submitted(&which.campaign)?;
    let all = look(&folder, &plan)?;
    for trouble in &all.troubles {
        global.say(trouble);
    }
    global.print(&[table(&all), sums(&plan, &all)?])?;
    Ok(end(&all))
}

/// Returns how a command ends that looked at these jobs.
pub(super) fn end(all: &All) -> End {
    let stuck = |status: Status| matches!(status, Status::Failed | Status::Lost);
    match all.rows.iter().any(|row| stuck(row.status)) {
        true => End::Unfinished,
        false => End::Good,
    }
}

fn table(all: &All) -> Table {
    let columns = [
        "jobid",
        "st",
        ">time",
        ">cells",
        ">of",
        ">%",
        "machine",
        "libraries",
        "profile",
        ">rep",
        "nodelist(reason)",
    ];
    let mut table = Table::new("jobs", "Jobs", &columns);
    for row in &all.rows {
        let id = match row.slurm.as_str() {
            "" => row.job.number.to_string(),
            slurm => slurm.to_owned(),
        };
        let place = match (row.reason.as_str(), row.status) {
            ("", _) => row.node.clone(),
            (reason, Status::Pending) => reason.to_owned(),
            (reason, _) if row.node.is_empty() => reason.to_owned(),
            (reason, _) => format!("{}: {reason}", row.node),
        };
        table.row([
            Entry::from(id),
            row.status.short().into(),
            Entry::number(row.seconds, time(row.seconds)),
            row.cells.to_string().into(),
            row.planned.to_string().into(),
            Entry::number(row.share * 100.0, format!("{:.0}", row.share * 100.0)),
            row.job.machine.clone().into(),
            row.job.libraries.clone().into(),
            row.job.profile.clone().into(),
            row.job.repetition.to_string().into(),
            place.into(),
        ]);
    }
    table.footnote =
        "st: PD waits, R runs, CD complete, F failed, NF its process or node is gone, \
                      - not submitted; cells of planned ones; %: of the rounds"
            .into();
    table
}

fn sums(plan: &Plan, all: &All) -> anyhow::Result<Table> {
    let columns = [
        ">jobs",
        ">complete",
        ">running",
        ">waiting",
        ">failed",
        ">cells",
        ">of",
        ">hours",
        ">planned hours",
        ">cost",
    ];
    let mut table = Table::new("sums", "All jobs", &columns);
    let count = |of: &[Status]| {
        let rows = all.rows.iter().filter(|row| of.contains(&row.status));
        Entry::from(rows.count().to_string())
    };
    let mut cost = None;
    for row in &all.rows {
        if let Some(one) = plan.cost(&row.job, row.seconds)? {
            cost = Some(cost.unwrap_or(0.0) + one);
        }
    }
    let hours = all.rows.iter().map(|row| row.seconds).sum::<f64>() / 3600.0;
    let [planned, _] = plan.total()?;
    table.row([
        all.rows.len().to_string().into(),
        count(&[Status::Completed]),
        count(&[Status::Running]),
        count(&[Status::Pending, Status::Unsubmitted]),
        count(&[Status::Failed, Status::Lost]),
        all.rows
            .iter()
            .map(|row| row.cells)
            .sum::<u64>()
            .to_string()
            .into(),
        all.rows
            .iter()
            .map(|row| row.planned)
            .sum::<u64>()
            .to_string()
            .into(),
        Entry::number(hours, format!("{hours:.2}")),
        Entry::number(planned, format!("{planned:.2}")),
        cost.map_or_else(Entry::none, |cost| {
            Entry::number(cost, format!("{cost:.2}"))
        }),
    ]);
    Ok(table)
}

/// Writes a time as squeue does: `M:SS`, `H:MM:SS`, `D-HH:MM:SS`.
fn time(seconds: f64) -> String {
    let all = seconds.max(0.0) as u64;
    let (days, hours, minutes, seconds) = (all / 86400, all / 3600 % 24, all / 60 % 60, all % 60);
    match (days, hours) {
        (0, 0) => format!("{minutes}:{seconds:02}"),
        (0, _) => format!("{hours}:{minutes:02}:{seconds:02}"),
        _ => format!("{days}-{hours:02}:{minutes:02}:{seconds:02}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_as_squeue_does() {
        let written = [0.4, 69.0, 3600.0, 93_784.0].map(time);
        assert_eq!(written, ["0:00", "1:09", "1:00:00", "1-02:03:04"]);
    }
}
