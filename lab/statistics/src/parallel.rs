//! Divides work among the machine's processors.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Returns `f` of each item, in the order of the items. Threads take the items one by one, so that
/// a long item at the start does not keep the others waiting.
pub fn map<T: Sync, R: Send>(items: &[T], f: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    if threads == 1 || items.len() < 2 {
        return items.iter().map(f).collect();
    }
    let next = AtomicUsize::new(0);
    let work = || {
        let mut own = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            match items.get(index) {
                Some(item) => own.push((index, f(item))),
                None => return own,
            }
        }
    };
    let mut found: Vec<(usize, R)> = thread::scope(|scope| {
        let started: Vec<_> = (1..threads.min(items.len()))
            .map(|_| scope.spawn(work))
            .collect();
        let mut found = work();
        for thread in started {
            match thread.join() {
                Ok(own) => found.extend(own),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        found
    });
    found.sort_unstable_by_key(|(index, _)| *index);
    found.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_the_order_of_the_items() {
        for count in [0, 1, 2, 1000] {
            let items: Vec<usize> = (0..count).collect();
            let slow_first = |&item: &usize| {
                if item == 0 {
                    thread::sleep(std::time::Duration::from_millis(5));
                }
                item * 3
            };
            let expected: Vec<usize> = items.iter().map(|item| item * 3).collect();
            assert_eq!(map(&items, slow_first), expected);
        }
    }
}
