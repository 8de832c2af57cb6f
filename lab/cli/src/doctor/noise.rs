//! Measures disturbances of the measuring CPU by timing the same work again and again.

use std::fs;
use std::hint::black_box;
use std::time::{Duration, Instant};

use super::{Check, Status};
use crate::stats;

/// Disturbances of a CPU during a measurement.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Noise {
    /// The fastest sample, nanoseconds.
    pub fastest: f64,
    /// How much slower than the fastest sample the median sample was, as a share.
    pub middle: f64,
    /// How much slower than the fastest sample the 99th percentile of the samples was, as a share.
    pub worst: f64,
    /// The share of time that was lost: the sum of all samples, divided by the sum that they would
    /// have if each were as fast as the fastest sample, minus one.
    pub lost: f64,
    /// Number of times that the kernel took the CPU from this thread.
    pub preemptions: u64,
    /// Share of the CPU's time that the hypervisor gave to other guests.
    pub steal: Option<f64>,
}

/// Measures disturbances on one CPU for some time.
///
/// # Errors
/// If the system gives no thread.
pub fn listen(cpu: usize, length: Duration) -> std::io::Result<Noise> {
    // Uses a separate thread, so that only that thread is bound to the CPU.
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().spawn_scoped(scope, || on(cpu, length))?;
        Ok(thread.join().expect("arithmetic does not panic"))
    })
}

fn on(cpu: usize, length: Duration) -> Noise {
    let mut set = rustix::thread::CpuSet::new();
    set.set(cpu);
    let _ = rustix::thread::sched_setaffinity(None, &set);
    // Doubles the work until a sample lasts about 100 µs; meanwhile the CPU's clock rate
    // rises.
    let mut links = 1000;
    while chain(links) < 1e5 && links < 100_000_000 {
        links += links / 4;
    }
    let (switches, ticks) = (preemptions(), ticks(cpu));
    let begun = Instant::now();
    let mut samples = Vec::new();
    while begun.elapsed() < length || samples.len() < 2 {
        samples.push(chain(links));
    }
    let steal = ticks.zip(self::ticks(cpu)).and_then(|(a, b)| {
        let (stolen, all) = (b[0].checked_sub(a[0])?, b[1].checked_sub(a[1])?);
        (all > 0).then(|| stolen as f64 / all as f64)
    });
    samples.sort_unstable_by(f64::total_cmp);
    let fastest = samples[0];
    Noise {
        fastest,
        middle: stats::quantile(&samples, 0.5) / fastest - 1.0,
        worst: stats::quantile(&samples, 0.99) / fastest - 1.0,
        lost: 1.0 - fastest * samples.len() as f64 / samples.iter().sum::<f64>(),
        preemptions: preemptions().saturating_sub(switches),
        steal,
    }
}

/// Returns the nanoseconds for this many multiplications. Each multiplication needs the result of
/// the multiplication before it.
fn chain(links: u64) -> f64 {
    let start = Instant::now();
    let mut x = black_box(3_u64);
    for _ in 0..links {
        x = black_box(x.wrapping_mul(5));
    }
    black_box(x);
    start.elapsed().as_nanos() as f64
}

/// Returns the number of involuntary context switches of this thread.
fn preemptions() -> u64 {
    let text = fs::read_to_string("/proc/thread-self/status").unwrap_or_default();
    text.lines()
        .find_map(|line| line.strip_prefix("nonvoluntary_ctxt_switches:"))
        .and_then(|value| value.trim().parse().ok())
        .unwrap_or(0)
}

/// Returns the CPU's stolen ticks and the sum of its ticks (proc(5): user nice system idle iowait
/// irq softirq steal).
fn ticks(cpu: usize) -> Option<[u64; 2]> {
    let text = fs::read_to_string("/proc/stat").ok()?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix(&format!("cpu{cpu} ")))?;
    let ticks: Vec<u64> = line
        .split_whitespace()
        .take(8)
        .filter_map(|n| n.parse().ok())
        .collect();
    Some([*ticks.get(7)?, ticks.iter().sum()])
}

/// Returns the nanoseconds for one reading of the clock.
pub(super) fn clock_cost() -> f64 {
    const READS: u32 = 1000;
    let least = (0..5).map(|_| {
        let start = Instant::now();
        for _ in 0..READS {
            black_box(Instant::now());
        }
        start.elapsed().as_nanos() as f64 / f64::from(READS)
    });
    least.fold(f64::MAX, f64::min)
}

impl Noise {
    /// Judges the disturbances.
    pub fn checks(&self) -> [Check; 2] {
        let per_cent = |share: f64| format!("{:.2} %", share * 100.0);
        let finding = format!(
            "the same work: middle {} over the fastest, one in a hundred {}; {} of the time \
             lost, {} preemptions",
            per_cent(self.middle),
            per_cent(self.worst),
            per_cent(self.lost),
            self.preemptions
        );
        let (status, advice) = match self.lost.max(self.middle) {
            l if l < 0.01 => (Status::Good, ""),
            l if l < 0.05 => (Status::Fair, "end what need not run"),
            _ => (
                Status::Poor,
                "something else uses this CPU: end it, or measure when it is over",
            ),
        };
        let noise = Check::new(status, "Noise", finding, advice);
        let steal = match self.steal {
            None => Check::new(Status::Fair, "Steal", "cannot be told", ""),
            Some(share) => {
                let (status, advice) = match share {
                    s if s < 0.001 => (Status::Good, ""),
                    s if s < 0.02 => (Status::Fair, "other guests use the host's CPUs"),
                    _ => (
                        Status::Poor,
                        "other guests use the host's CPUs: take an instance with CPUs of its own",
                    ),
                };
                Check::new(status, "Steal", per_cent(share), advice)
            }
        };
        [noise, steal]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listening_hears_something() {
        let (cpu, _) = crate::measure::cpus();
        let noise = listen(cpu, Duration::from_millis(30)).unwrap();
        assert!(noise.fastest > 1000.0, "{noise:?}");
        assert!(
            0.0 <= noise.middle && noise.middle <= noise.worst && (0.0..1.0).contains(&noise.lost),
            "{noise:?}"
        );
    }

    #[test]
    fn noise_is_judged_by_what_it_costs() {
        let quiet = Noise {
            fastest: 1e5,
            middle: 0.001,
            worst: 0.02,
            lost: 0.002,
            preemptions: 3,
            steal: Some(0.0),
        };
        assert_eq!(quiet.checks().map(|c| c.status), [Status::Good; 2]);
        let loud = Noise {
            lost: 0.4,
            steal: Some(0.1),
            ..quiet
        };
        assert_eq!(loud.checks().map(|c| c.status), [Status::Poor; 2]);
    }
}
