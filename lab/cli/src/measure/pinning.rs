//! Keeps the workers and the lab on CPUs of their own.

/// Returns the CPU for the workers and the CPUs for the lab. Workers are pinned to the last CPU
/// that this process may use; the lab uses the other CPUs.
pub fn cpus() -> (usize, Vec<usize>) {
    let allowed: Vec<usize> = rustix::thread::sched_getaffinity(None)
        .map(|set| {
            (0..rustix::thread::CpuSet::MAX_CPU)
                .filter(|&cpu| set.is_set(cpu))
                .collect()
        })
        .unwrap_or_else(|_| vec![0]);
    match allowed.split_last() {
        Some((&last, rest)) if !rest.is_empty() => (last, rest.to_vec()),
        Some((&last, _)) => (last, vec![last]),
        None => (0, vec![0]),
    }
}

/// Keeps this process off the measuring CPU.
pub fn stay_on(cpus: &[usize]) {
    let mut set = rustix::thread::CpuSet::new();
    for &cpu in cpus {
        set.set(cpu);
    }
    let _ = rustix::thread::sched_setaffinity(None, &set);
}
