//! The core's clock, from a chain of instructions whose latency is known.

use std::time::Instant;

/// Links in the chain: about 20 µs at 3 GHz.
const LINKS: u32 = 20_000;

/// The core's frequency in MHz now: the fastest of three runs of a dependent
/// chain of 64-bit multiplications, each of which takes three cycles on every
/// x86-64 core since Nehalem and on all Zen cores (A. Fog, *Instruction
/// tables*). `None` where the latency is not known.
pub fn chain_mhz() -> Option<f64> {
    #[cfg(target_arch = "x86_64")]
    {
        const LATENCY: f64 = 3.0;
        let seconds = (0..3).map(|_| multiply_chain()).fold(f64::MAX, f64::min);
        Some(f64::from(LINKS) * LATENCY / seconds / 1e6)
    }
    #[cfg(not(target_arch = "x86_64"))]
    None
}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
fn multiply_chain() -> f64 {
    let start = Instant::now();
    // SAFETY: register arithmetic on named registers; no memory, no stack.
    unsafe {
        std::arch::asm!(
            "2:",
            "imul {x}, {m}", "imul {x}, {m}", "imul {x}, {m}", "imul {x}, {m}", "imul {x}, {m}",
            "imul {x}, {m}", "imul {x}, {m}", "imul {x}, {m}", "imul {x}, {m}", "imul {x}, {m}",
            "sub {n:e}, 10",
            "jnz 2b",
            x = inout(reg) 3_u64 => _,
            m = in(reg) 5_u64,
            n = inout(reg) LINKS => _,
            options(nomem, nostack),
        );
    }
    start.elapsed().as_secs_f64()
}

/// Moves the calling thread to the n-th CPU that the machine has (modulo their
/// number). The lab pins a worker to one CPU; its extra threads must leave it.
pub(crate) fn pin_to_nth_cpu(n: usize) {
    let cpus = std::fs::read_to_string("/sys/devices/system/cpu/online")
        .ok()
        .and_then(|list| list.trim().rsplit(['-', ',']).next()?.parse::<usize>().ok())
        .map_or(1, |last| last + 1);
    let mut set = rustix::thread::CpuSet::new();
    set.set(n % cpus);
    // Where the CPU is not ours to use, the thread stays where it was.
    let _ = rustix::thread::sched_setaffinity(None, &set);
}

#[cfg(test)]
mod tests {
    #[test]
    #[cfg(target_arch = "x86_64")]
    fn the_clock_is_that_of_a_computer() {
        let mhz = super::chain_mhz().unwrap();
        assert!((200.0..10_000.0).contains(&mhz), "{mhz} MHz");
    }
}
