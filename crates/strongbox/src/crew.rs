//! A crew of threads that work on numbered jobs, and hand the results on in the order of the jobs.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use zeroize::Zeroizing;

use crate::error::Result;

/// Runs jobs on so many threads. `feed` makes the jobs, until it returns `None`; `work` does them;
/// `sink` takes the results in the order of the jobs. `feed` and `sink` run on the caller's
/// thread, beside the work. At most two jobs for each thread are under way, so memory is bounded.
///
/// # Errors
///
/// The first error of `feed` or `sink`, after which no job is begun.
pub(crate) fn ordered<J: Send, D: Send>(
    threads: usize,
    mut feed: impl FnMut() -> Result<Option<J>>,
    work: impl Fn(J) -> D + Sync,
    mut sink: impl FnMut(D) -> Result<()>,
) -> Result<()> {
    let most = 2 * threads;
    let (jobs, queue) = sync_channel::<(J, SyncSender<D>)>(most);
    let queue = Mutex::new(queue);
    let member = || {
        loop {
            // The lock is held while the thread waits, so one thread waits at a time.
            let next = queue.lock().map(|queue| queue.recv());
            let Ok(Ok((job, answer))) = next else { break };
            // The receiver is gone after an error.
            let _ = answer.send(work(job));
        }
    };
    thread::scope(|scope| {
        // The system may give fewer threads than wanted, or none.
        let wanted = if threads > 1 { threads } else { 0 };
        let begin = |_| thread::Builder::new().spawn_scoped(scope, member).ok();
        if (0..wanted).map_while(begin).count() == 0 {
            while let Some(job) = feed()? {
                sink(work(job))?;
            }
            return Ok(());
        }
        // Dropped at the end of this closure, also after an error: then the threads end.
        let jobs = jobs;
        let mut pending: VecDeque<Receiver<D>> = VecDeque::with_capacity(most);
        let mut take = |pending: &mut VecDeque<Receiver<D>>| {
            pending.pop_front().map_or(Ok(()), |oldest| {
                sink(oldest.recv().expect("a thread of the crew has panicked"))
            })
        };
        while let Some(job) = feed()? {
            let (answer, result) = sync_channel(1);
            jobs.send((job, answer)).expect("the crew waits for jobs");
            pending.push_back(result);
            if pending.len() == most {
                take(&mut pending)?;
            }
        }
        while !pending.is_empty() {
            take(&mut pending)?;
        }
        Ok(())
    })
}

/// Buffers that are used again, and wiped when the pool is dropped. A buffer keeps its content in
/// between, because filling it with zeros would cost a tenth of the time of sealing.
#[derive(Default)]
pub(crate) struct Pool(Mutex<Vec<Zeroizing<Vec<u8>>>>);

impl Pool {
    /// Returns a buffer with any content.
    pub(crate) fn take(&self) -> Zeroizing<Vec<u8>> {
        let free = self.0.lock().ok().and_then(|mut free| free.pop());
        free.unwrap_or_default()
    }

    /// Gives a buffer back.
    pub(crate) fn put(&self, buffer: Zeroizing<Vec<u8>>) {
        if let Ok(mut free) = self.0.lock() {
            free.push(buffer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn results_come_in_order_and_few_jobs_are_under_way() {
        for threads in [1, 2, 7] {
            let (begun, mut next, mut taken) = (AtomicUsize::new(0), 0, 0);
            let feed = || {
                next += 1;
                Ok((next <= 500).then_some(next))
            };
            let work = |job: usize| {
                begun.fetch_add(1, Ordering::SeqCst);
                if job.is_multiple_of(13) {
                    thread::yield_now();
                }
                job * 2
            };
            ordered(threads, feed, work, |done| {
                taken += 1;
                assert_eq!(done, taken * 2);
                assert!(begun.load(Ordering::SeqCst) <= taken + 2 * threads);
                Ok(())
            })
            .unwrap();
            assert_eq!(taken, 500);
        }
    }

    #[test]
    fn an_error_ends_the_crew() {
        for threads in [1, 3] {
            let endless = || Ok(Some(()));
            let mut count = 0;
            let result = ordered(
                threads,
                endless,
                |()| (),
                |()| {
                    count += 1;
                    if count == 20 {
                        Err(Error::Interrupted)
                    } else {
                        Ok(())
                    }
                },
            );
            assert!(matches!(result, Err(Error::Interrupted)));
            let feed = || -> Result<Option<()>> { Err(Error::Interrupted) };
            assert!(ordered(threads, feed, |()| (), |()| Ok(())).is_err());
        }
    }
}
