//! What Slurm's queue and Slurm's accounts say about the jobs of a campaign.

use std::collections::BTreeMap;

use super::call;

/// One element of an array in the queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Element {
    /// Slurm's number of the array.
    pub array: u64,
    /// The number of the element.
    pub element: u32,
    /// The state, as squeue shortens it: `PD`, `R`, `CG` …
    pub state: String,
    /// Seconds since the start.
    pub seconds: u64,
    /// The node; empty before the start.
    pub node: String,
    /// Why the element waits; `None` for a running one.
    pub reason: String,
}

/// Returns the elements in the queue that have this name.
///
/// # Errors
///
/// If Slurm does not answer.
pub fn queued(name: &str) -> anyhow::Result<Vec<Element>> {
    let name = format!("--name={name}");
    let words = ["--noheader", "--array", &name, "--format=%F|%K|%t|%M|%N|%r"];
    Ok(call("squeue", &words)?
        .lines()
        .filter_map(element)
        .collect())
}

fn element(line: &str) -> Option<Element> {
    let mut fields = line.trim().split('|');
    let mut next = || fields.next();
    Some(Element {
        array: next()?.parse().ok()?,
        element: next()?.parse().ok()?,
        state: next()?.to_owned(),
        seconds: seconds(next()?).unwrap_or(0),
        node: next()?.to_owned(),
        reason: next()?.to_owned(),
    })
}

/// Reads a time as Slurm writes it: `DAYS-HH:MM:SS`, `HH:MM:SS` or `MM:SS`.
fn seconds(text: &str) -> Option<u64> {
    let (days, rest) = text.split_once('-').unwrap_or(("0", text));
    let mut seconds = 0;
    for part in rest.split(':') {
        seconds = seconds * 60 + part.parse::<u64>().ok()?;
    }
    Some(days.parse::<u64>().ok()? * 86400 + seconds)
}

/// Returns the states of elements that have left the queue, by array and element, as far as Slurm
/// keeps accounts: `COMPLETED`, `NODE_FAIL`, `TIMEOUT` … Without accounts there are none.
pub fn ended(arrays: &[u64]) -> BTreeMap<(u64, u32), String> {
    let list: Vec<String> = arrays.iter().map(u64::to_string).collect();
    let words = [
        "--noheader",
        "--parsable2",
        "--allocations",
        "--format=JobID,State",
        "--jobs",
        &list.join(","),
    ];
    match call("sacct", &words) {
        Ok(printed) if !arrays.is_empty() => printed.lines().filter_map(account).collect(),
        _ => BTreeMap::new(),
    }
}

fn account(line: &str) -> Option<((u64, u32), String)> {
    let (id, state) = line.trim().split_once('|')?;
    let (array, element) = id.split_once('_')?;
    // `CANCELLED by 1000`
    let state = state.split(' ').next()?;
    Some((
        (array.parse().ok()?, element.parse().ok()?),
        state.to_owned(),
    ))
}

/// Returns the offset of an array's elements, which its comment has.
pub fn offset(array: u64) -> Option<u32> {
    let printed = call("scontrol", &["show", "job", &array.to_string()]).ok()?;
    let (_, rest) = printed.split_once("Comment=offset:")?;
    rest.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_squeue_and_sacct_are_read() {
        let one = element("71|2|PD|0:00||ReqNodeNotAvail, UnavailableNodes:n1\n").unwrap();
        assert_eq!((one.array, one.element, one.state.as_str()), (71, 2, "PD"));
        assert_eq!(one.reason, "ReqNodeNotAvail, UnavailableNodes:n1");
        let one = element("71|3|R|1-02:03:04|n2|None").unwrap();
        assert_eq!((one.seconds, one.node.as_str()), (93_784, "n2"));
        assert_eq!(
            element("72|N/A|R|0:01|n2|None"),
            None,
            "no element of an array"
        );
        assert_eq!(seconds("05:09"), Some(309));
        assert_eq!(seconds("INVALID"), None);
        assert_eq!(
            account("71_3|CANCELLED by 0"),
            Some(((71, 3), "CANCELLED".into()))
        );
        assert_eq!(account("71_[4-5]|PENDING"), None);
    }
}
