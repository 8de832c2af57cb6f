//! Failures that occur during timing.

use touchstone_wire::Work;

use crate::profile::Task;
use crate::session::Slot;
use crate::summary::Failure;
use crate::text::{SENTENCE, visible};
use crate::verify::has_cost;
use crate::worker::Fault;

pub(super) fn trouble_at(slot: &Slot, task: &Task, kind: &str) -> Failure {
    Failure {
        library: slot.id().to_owned(),
        primitive: task.primitive.clone(),
        operation: task.operation.clone(),
        kind: kind.to_owned(),
        place: format!("timing {task}"),
        input: String::new(),
        expected: String::new(),
        got: String::new(),
    }
}

pub(super) fn fault(slot: &Slot, task: &Task, work: &Work, fault: &Fault) -> Box<Failure> {
    let kind = match fault.kind() {
        "timeout" if has_cost(work) => "too slow",
        kind => kind,
    };
    Box::new(trouble(slot, task, work, kind, &fault.to_string()))
}

pub(super) fn trouble(slot: &Slot, task: &Task, work: &Work, kind: &str, got: &str) -> Failure {
    Failure {
        input: work.shown().chars().take(600).collect(),
        got: visible(got, SENTENCE).into_owned(),
        ..trouble_at(slot, task, kind)
    }
}
