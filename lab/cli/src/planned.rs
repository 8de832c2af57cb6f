//! Which tasks and cells a run will have: the profile's, as far as the libraries that were found
//! have the algorithms.

use crate::catalogue;
use crate::measure::cpus;
use crate::profile::{Profile, Selection, Task};
use crate::session::Slot;

/// Returns the tasks that at least one present library takes, on this machine's CPUs.
pub fn tasks(profile: &Profile, selection: &Selection, slots: &[&Slot]) -> Vec<Task> {
    let (cpu, others) = cpus();
    let threads_most = others.len() + usize::from(!others.contains(&cpu));
    let threads_most = u32::try_from(threads_most).unwrap_or(u32::MAX);
    let mut tasks = profile.tasks(&algorithms(slots), selection, threads_most);
    tasks.retain(|task| {
        let takes = |slot: &&Slot| slot.takes(&task.primitive, &task.operation, task.contract);
        slots.iter().any(|slot| slot.present() && takes(slot))
    });
    tasks
}

/// Returns the number of cells of these tasks. A run has fewer cells if a library fails its known
/// answers or does not take a parameter.
pub fn cells(profile: &Profile, selection: &Selection, slots: &[&Slot], tasks: &[Task]) -> u64 {
    let cells = tasks.iter().map(|task| {
        let masks = profile.masks_of(task, selection);
        let takes = |slot: &&&Slot| {
            slot.present()
                && slot.takes(&task.primitive, &task.operation, task.contract)
                && (slot.candidate.everywhere || masks.contains(slot.candidate.mask.as_str()))
        };
        slots.iter().filter(takes).count() as u64
    });
    cells.sum()
}

/// Returns every algorithm that a present library offers, sorted by family and name.
fn algorithms(slots: &[&Slot]) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = slots
        .iter()
        .filter(|slot| slot.present())
        .flat_map(|slot| &slot.offers)
        .map(|offer| (offer.primitive.clone(), offer.operation.clone()))
        .collect();
    let place = |primitive: &str| {
        let family = catalogue::family(primitive);
        catalogue::FAMILIES.iter().position(|f| *f == family)
    };
    all.sort_by(|a, b| (place(&a.0), a).cmp(&(place(&b.0), b)));
    all.dedup();
    all
}
