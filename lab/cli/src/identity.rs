//! Ids of runs that are unique in all stores, so that a run is the same run wherever it is copied.
//!
//! A new run gets a UUID of version 7 (RFC 9562, section 5.7): the time of its start and random
//! bits. Older versions of the lab gave runs no such id. Their runs get a UUID of version 8 (section
//! 5.8) that is computed from facts that no two runs share, so that every copy of such a run
//! gets the same id.

use touchstone_wire::fnv1a;
use uuid::Uuid;

use crate::stored::RunRow;

/// Returns an id for a run that starts now.
pub fn new() -> String {
    Uuid::now_v7().to_string()
}

/// Returns whether a text is an id in the form in which the store keeps ids.
pub fn is_valid(uid: &str) -> bool {
    Uuid::parse_str(uid).is_ok_and(|parsed| parsed.to_string() == uid)
}

/// Returns the id of a run that has none: a function of its start, its command line, its machine
/// and the time of its empty loop, which is measured anew for each run. `copy` is 0, or counts
/// up from 1 for further copies of the run in one store.
pub fn derived(row: &RunRow, copy: u32) -> String {
    let facts = (
        &row.started,
        &row.lab_version,
        &row.command,
        &row.profile,
        row.null_ns.to_bits(),
        &row.machine.line,
        &row.machine.facts,
        copy,
    );
    let text = serde_json::to_string(&facts).expect("plain data always serialises");
    let halves = ["first", "second"].map(|half| fnv1a(format!("{half}{text}").as_bytes()));
    let bits = Uuid::from_u64_pair(halves[0], halves[1]);
    Uuid::new_v8(bits.into_bytes()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_ids_differ_and_are_in_order() {
        let ids: Vec<String> = (0..1000).map(|_| new()).collect();
        assert!(ids.is_sorted_by(|a, b| a < b), "version 7 counts up");
        assert!(ids.iter().all(|id| is_valid(id)));
        for wrong in ["", "1", "01890A5D-AC96-774B-BCCE-B302099A8057"] {
            assert!(!is_valid(wrong), "{wrong}");
        }
    }

    #[test]
    fn copies_of_an_old_run_get_the_same_id_and_other_runs_another() {
        let row: RunRow = serde_json::from_value(serde_json::json!({
            "id": 3, "started": "2026-01-02T03:04:05Z", "seconds": 0.0, "complete": false,
            "lab_version": "0", "command": "touchstone run", "profile": "quick",
            "profile_text": "", "target": 0.05, "null_ns": 0.3,
            "plan": { "libraries": [], "algorithm": null, "sizes": [], "threads": [] },
            "machine": { "line": "a machine", "facts": [["CPU", "one"]], "mhz": null }
        }))
        .unwrap();
        let copy = RunRow {
            id: 9,
            seconds: 5.0,
            complete: true,
            imported: "from a file".into(),
            ..row.clone()
        };
        assert_eq!(derived(&row, 0), derived(&copy, 0));
        assert!(is_valid(&derived(&row, 0)));
        let other = RunRow {
            null_ns: 0.300_000_000_000_1,
            ..row.clone()
        };
        assert_ne!(derived(&row, 0), derived(&other, 0));
        assert_ne!(derived(&row, 0), derived(&row, 1));
    }
}
