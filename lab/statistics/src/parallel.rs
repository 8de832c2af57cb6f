//! Divides work among threads. Where the system gives no more threads (a small `ulimit -u` or
//! `ulimit -v`, a container's limit), the threads that there are do all the work.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, Builder};

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
            .map_while(|_| Builder::new().spawn_scoped(scope, work).ok())
            .collect();
        let mut found = work();
        for thread in started {
            found.extend(joined(thread));
        }
        found
    });
    found.sort_unstable_by_key(|(index, _)| *index);
    found.into_iter().map(|(_, result)| result).collect()
}

/// Returns `f` of each item, in the order of the items. Each item has a thread of its own, because
/// `f` waits for another process.
pub fn each<T: Send, R: Send>(
    items: impl IntoIterator<Item = T>,
    f: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let items: Vec<_> = items
        .into_iter()
        .map(|item| Mutex::new(Some(item)))
        .collect();
    let work = |item: &Mutex<Option<T>>| {
        let item = item.lock().unwrap_or_else(PoisonError::into_inner).take();
        f(item.expect("one thread takes an item"))
    };
    thread::scope(|scope| {
        let started: Vec<_> = items
            .iter()
            .map(|item| Builder::new().spawn_scoped(scope, || work(item)))
            .collect();
        let finish = |(item, thread)| match thread {
            Ok(thread) => joined(thread),
            Err(_) => work(item),
        };
        items.iter().zip(started).map(finish).collect()
    })
}

/// Returns what a thread returns, and passes its panic on.
fn joined<R>(thread: thread::ScopedJoinHandle<'_, R>) -> R {
    thread
        .join()
        .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
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
            assert_eq!(each(&items, slow_first), expected);
        }
    }
}
