//! Moves threads to CPUs.

use rustix::thread::{CpuSet, sched_setaffinity};

/// Moves the calling thread to one of these CPUs: thread `n` to CPU `n` of the list, and after the
/// last CPU to the first one again. The lab pins a worker to one CPU, and the worker's extra
/// threads must leave this CPU. The lab sends the list of CPUs, because a pinned worker cannot see
/// the other CPUs.
pub(crate) fn pin_to_nth(n: usize, cpus: &[usize]) {
    let Some(&cpu) = n.checked_rem(cpus.len()).and_then(|n| cpus.get(n)) else {
        return;
    };
    if cpu >= CpuSet::MAX_CPU {
        return;
    }
    let mut set = CpuSet::new();
    set.set(cpu);
    // If the worker may not use this CPU, the thread stays where it is.
    let _ = sched_setaffinity(None, &set);
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::thread::sched_getaffinity;

    fn allowed() -> Vec<usize> {
        let set = sched_getaffinity(None).unwrap();
        (0..CpuSet::MAX_CPU)
            .filter(|&cpu| set.is_set(cpu))
            .collect()
    }

    #[test]
    fn threads_go_to_the_cpus_that_they_are_given() {
        let all = allowed();
        for n in 0..2 * all.len() {
            let cpus = all.clone();
            let found = std::thread::spawn(move || {
                pin_to_nth(n, &cpus);
                allowed()
            });
            assert_eq!(found.join().unwrap(), [all[n % all.len()]]);
        }
    }

    #[test]
    fn threads_without_a_cpu_stay() {
        let all = allowed();
        for cpus in [&[][..], &[usize::MAX], &[CpuSet::MAX_CPU - 1]] {
            pin_to_nth(0, cpus);
            assert_eq!(allowed(), all);
        }
    }
}
