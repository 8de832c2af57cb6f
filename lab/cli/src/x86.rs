//! The lab's only code that is specific to x86-64: the facts that CPUID tells, and the core's clock
//! rate. On other processors the functions return nothing, and the lab leaves these facts out.

#[cfg(target_arch = "x86_64")]
mod known {
    use std::time::Instant;

    use raw_cpuid::CpuId;

    /// Returns the processor's name, from CPUID.
    pub(crate) fn brand() -> Option<String> {
        let brand = CpuId::new().get_processor_brand_string()?;
        let words: Vec<&str> = brand.as_str().split_whitespace().collect();
        Some(words.join(" "))
    }

    /// Returns the processor's family, model and stepping.
    pub(crate) fn model() -> Option<String> {
        let info = CpuId::new().get_feature_info()?;
        let (family, model) = (info.family_id(), info.model_id());
        Some(format!("{family}, {model}, {}", info.stepping_id()))
    }

    /// Returns the hypervisor that this machine runs under.
    pub(crate) fn hypervisor() -> Option<String> {
        let info = CpuId::new().get_hypervisor_info()?;
        Some(format!("{:?}", info.identify()))
    }

    /// Returns the instruction-set extensions that the CPU has, among those that cryptographic code
    /// uses.
    pub(crate) fn instruction_sets() -> Vec<&'static str> {
        macro_rules! have {
            ($($name:tt)*) => {
                [$(($name, std::arch::is_x86_feature_detected!($name))),*]
                    .into_iter()
                    .filter_map(|(name, have)| have.then_some(name))
                    .collect()
            };
        }
        have!("ssse3" "sse4.1" "avx" "avx2" "bmi2" "adx" "aes" "pclmulqdq" "sha" "vaes"
            "vpclmulqdq" "gfni" "avx512f" "avx512bw" "avx512vl" "avx512vbmi" "avx512vbmi2"
            "avx512ifma" "sha512" "rdrand")
    }

    /// The number of multiplications in the chain: about 20 µs at 3 GHz.
    const LINKS: u32 = 20_000;

    /// The cycles of one multiplication (A. Fog, *Instruction tables*).
    const LATENCY: f64 = 3.0;

    /// Returns the core's frequency in MHz now: the fastest of three runs of a dependent chain of
    /// 64-bit multiplications, each of which takes three cycles on every x86-64 core since Nehalem
    /// and on all Zen cores.
    pub(crate) fn chain_mhz() -> Option<f64> {
        let seconds = (0..3).map(|_| multiply_chain()).fold(f64::MAX, f64::min);
        Some(f64::from(LINKS) * LATENCY / seconds / 1e6)
    }

    #[allow(unsafe_code)]
    fn multiply_chain() -> f64 {
        let start = Instant::now();
        // SAFETY: the instructions do arithmetic on named registers, and use neither memory nor
        // stack.
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

    #[cfg(test)]
    mod tests {
        #[test]
        fn the_clock_is_that_of_a_computer() {
            let mhz = super::chain_mhz().unwrap();
            assert!((200.0..10_000.0).contains(&mhz), "{mhz} MHz");
        }
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod known {
    pub(crate) fn brand() -> Option<String> {
        None
    }

    pub(crate) fn model() -> Option<String> {
        None
    }

    pub(crate) fn hypervisor() -> Option<String> {
        None
    }

    pub(crate) fn instruction_sets() -> Vec<&'static str> {
        Vec::new()
    }

    pub(crate) fn chain_mhz() -> Option<f64> {
        None
    }
}

pub(crate) use known::{brand, chain_mhz, hypervisor, instruction_sets, model};
