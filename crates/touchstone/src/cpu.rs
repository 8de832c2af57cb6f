//! Detects which instructions the processor has. Tokens prove that instructions exist.
//!
//! A token is a value of size zero that only its [`detect`](Aes::detect) creates. Each kernel
//! takes a token as an argument, so no program can call a kernel on a machine that lacks the
//! kernel's instructions. The one `unsafe` call at a kernel's entry names the token as the
//! proof. No environment variable changes which tokens exist, because setuid programs load
//! libcrypt; tests choose kernels by name. The cargo feature `limit` is for measurements: a
//! program with this feature can give up instructions of the machine, and can never add
//! instructions.
//!
//! | token | proves | first in |
//! |---|---|---|
//! | `Aes` | AES-NI, SSSE3, SSE4.1 | Westmere, Bulldozer |
//! | `Clmul` | PCLMULQDQ, SSSE3 | Westmere, Bulldozer |
//! | `Sha` | SHA-NI, SSSE3, SSE4.1 | Goldmont, Ice Lake, Zen |
//! | `Avx2` | AVX2, BMI1, BMI2 | Haswell, Excavator |
//! | `Avx2Aes` | `Avx2`, `Aes` | Haswell, Excavator |
//! | `Vaes256` | `Avx2`, `Aes`, VAES | Alder Lake, Zen 3 |
//! | `Vpclmul256` | `Avx2`, `Clmul`, VPCLMULQDQ | Alder Lake, Zen 3 |
//! | `Avx512` | `Clmul`, F BW DQ VL VBMI VBMI2 BITALG GFNI VAES VPCLMULQDQ | Ice Lake, Zen 4 |
//! | `ShaAvx512` | `Sha` and `Avx512` | Ice Lake, Zen 4 |
//! | `Ifma` | `Avx512`, IFMA: products of 52-bit numbers | Ice Lake, Zen 4 |
//! | `QuickAvx512` | `Avx512`, and vector additions that take one cycle | Ice Lake, Zen 4 |
//! | `Sha512` | `Avx2`, SHA512 | Arrow Lake, Lunar Lake |
//!
//! `Avx512` means one fixed set of features. Machines with AVX-512 but without VBMI2 lower
//! their clock speed when they use 512-bit registers, so these machines use the AVX2 kernels.
//!
//! `QuickAvx512` is for kernels whose vector instructions wait for each other. On Zen 5 a vector
//! addition takes two cycles, and an addition of general registers one: so there the portable form
//! of BLAKE2 takes half the time of a form on vectors.
//!
//! The detection follows [SDM] vol. 1 §13.2, §14.3 and §15.2–15.4: an instruction set counts
//! only if the operating system saves the registers of this instruction set.
//!
//! - [SDM] Intel 64 and IA-32 Architectures Software Developer's Manual
//!
//! [SDM]: https://www.intel.com/sdm
#![cfg_attr(target_arch = "x86_64", allow(unsafe_code))]

/// Code that the method `within` of a token runs. `Work` is a trait and not a closure, because
/// each kernel needs its own copy of the code, and only a function can have `inline(always)`.
pub trait Work {
    /// Does the work. Implementations must be `inline(always)`.
    fn run(self);
}

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use core::arch::x86_64::{__cpuid, __cpuid_count, _xgetbv};
    use core::sync::atomic::{AtomicU32, Ordering};

    #[cfg(feature = "limit")]
    use super::Limit;
    use super::Work;

    /// The bit of `FEATURES` that is set after the detection has run. If `FEATURES` is zero,
    /// the detection has not run yet.
    const KNOWN: u32 = 1 << 31;

    /// The bit of `FEATURES` of the token [`QuickAvx512`].
    const QUICK: u32 = 1 << 8;

    /// The bit of `FEATURES` that says that the processor is one of Intel's.
    const INTEL: u32 = 1 << 10;

    macro_rules! tokens {
        ($( $(#[$meta:meta])* $Token:ident = $bit:literal, $features:literal; )*) => {$(
            $(#[$meta])*
            #[derive(Debug, Clone, Copy, PartialEq, Eq)]
            pub struct $Token(());

            impl $Token {
                /// Returns the token, or `None` if this machine lacks the instructions.
                #[inline]
                pub fn detect() -> Option<Self> {
                    (features() & 1 << $bit != 0).then_some(Self(()))
                }

                /// Calls `work` in a function that enables the token's instructions, so that
                /// the compiler can inline kernels into `work`.
                #[inline]
                pub fn within(self, work: impl Work) {
                    #[target_feature(enable = $features)]
                    fn enabled(work: impl Work) {
                        work.run();
                    }
                    // SAFETY: the token proves the features.
                    unsafe { enabled(work) }
                }
            }
        )*};
    }

    tokens! {
        /// AES-NI with SSSE3 and SSE4.1.
        Aes = 0, "aes,ssse3,sse4.1";
        /// SHA-NI (SHA-1 and SHA-256) with SSSE3 and SSE4.1.
        Sha = 1, "sha,ssse3,sse4.1";
        /// AVX2, with the bit instructions BMI1 and BMI2 of the same processors.
        Avx2 = 2, "avx2";
        /// VAES on 256-bit registers, with AVX2 and AES-NI.
        Vaes256 = 3, "avx2,aes,vaes";
        /// The AVX-512 profile of Ice Lake and Zen 4: F, BW, DQ, VL, VBMI,
        /// VBMI2, BITALG, GFNI, VAES and VPCLMULQDQ.
        Avx512 = 4, "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,gfni,aes,vaes,pclmulqdq,vpclmulqdq";
        /// `Sha` and `Avx512`: SHA-NI hashes one message, AVX-512 lanes hash many.
        ShaAvx512 = 5, "sha,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,gfni,aes,vaes,pclmulqdq,vpclmulqdq";
        /// The instructions PCLMULQDQ and SSSE3.
        Clmul = 6, "pclmulqdq,ssse3";
        /// The instructions of the token `Avx512`, and IFMA.
        Ifma = 7, "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,gfni,aes,vaes,pclmulqdq,vpclmulqdq,avx512ifma";
        /// The instructions of the token `Avx512`, on a processor where vector additions take one
        /// cycle.
        QuickAvx512 = 8, "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,gfni,aes,vaes,pclmulqdq,vpclmulqdq";
        /// The SHA-512 instructions, with AVX2.
        Sha512 = 9, "avx2,sha512";
        /// GFNI on 256-bit registers, with AVX2: Intel's processors without AVX-512 from 2021 on.
        Gfni = 11, "avx2,gfni";
        /// AES-NI beside AVX2.
        Avx2Aes = 12, "avx2,aes";
        /// VPCLMULQDQ on 256-bit registers, with AVX2 and PCLMULQDQ.
        Vpclmul256 = 13, "avx2,pclmulqdq,vpclmulqdq";
    }

    impl Avx512 {
        /// Whether an addition of vectors takes one cycle, as [`QuickAvx512`] says.
        #[inline]
        pub fn adds_quickly(self) -> bool {
            detected() & QUICK != 0
        }

        /// Whether a rotation of the lanes of a vector takes one cycle: on Intel's processors. On
        /// AMD's it takes two.
        #[inline]
        pub fn rotates_quickly(self) -> bool {
            detected() & INTEL != 0
        }

        /// Whether a carry-less multiplication of 512 bits starts in every cycle: on Intel's processors. On
        /// AMD's it starts in every second one.
        #[inline]
        pub fn multiplies_quickly(self) -> bool {
            detected() & INTEL != 0
        }

        /// Whether a permutation of the bytes of two registers (`vpermi2b`) is one micro-operation: on
        /// AMD's processors. On Intel's it is three.
        #[inline]
        pub fn permutes_two_registers_quickly(self) -> bool {
            detected() & INTEL == 0
        }
    }

    impl Avx2 {
        /// Whether BEXTR, which these processors have, takes one cycle: on AMD's processors. On Intel's it
        /// takes two, and so does a shift with a conversion, which needs no register for a control.
        #[inline]
        pub fn extracts_quickly(self) -> bool {
            detected() & INTEL == 0
        }
    }

    impl From<Vaes256> for Aes {
        #[inline]
        fn from(_: Vaes256) -> Self {
            Self(())
        }
    }

    impl From<Vaes256> for Avx2 {
        #[inline]
        fn from(_: Vaes256) -> Self {
            Self(())
        }
    }

    impl From<Vpclmul256> for Clmul {
        #[inline]
        fn from(_: Vpclmul256) -> Self {
            Self(())
        }
    }

    impl From<Vaes256> for Avx2Aes {
        #[inline]
        fn from(_: Vaes256) -> Self {
            Self(())
        }
    }

    impl From<Avx2Aes> for Avx2 {
        #[inline]
        fn from(_: Avx2Aes) -> Self {
            Self(())
        }
    }

    impl From<Gfni> for Avx2 {
        #[inline]
        fn from(_: Gfni) -> Self {
            Self(())
        }
    }

    impl From<Sha512> for Avx2 {
        #[inline]
        fn from(_: Sha512) -> Self {
            Self(())
        }
    }

    impl From<ShaAvx512> for Sha {
        #[inline]
        fn from(_: ShaAvx512) -> Self {
            Self(())
        }
    }

    impl From<ShaAvx512> for Avx512 {
        #[inline]
        fn from(_: ShaAvx512) -> Self {
            Self(())
        }
    }

    impl From<QuickAvx512> for Avx512 {
        #[inline]
        fn from(_: QuickAvx512) -> Self {
            Self(())
        }
    }

    impl From<Avx512> for Vaes256 {
        #[inline]
        fn from(_: Avx512) -> Self {
            Self(())
        }
    }

    impl From<Avx512> for Gfni {
        #[inline]
        fn from(_: Avx512) -> Self {
            Self(())
        }
    }

    impl From<Avx512> for Aes {
        #[inline]
        fn from(_: Avx512) -> Self {
            Self(())
        }
    }

    impl From<Avx512> for Avx2 {
        #[inline]
        fn from(_: Avx512) -> Self {
            Self(())
        }
    }

    static FEATURES: AtomicU32 = AtomicU32::new(0);

    /// The tokens that [`limit`](super::limit) still allows. These bits are not in `FEATURES`,
    /// because a thread that runs the detection for the first time would set all bits of
    /// `FEATURES` again.
    #[cfg(feature = "limit")]
    static ALLOWED: AtomicU32 = AtomicU32::new(u32::MAX);

    #[inline]
    fn features() -> u32 {
        #[cfg(feature = "limit")]
        return detected() & ALLOWED.load(Ordering::Relaxed);
        #[cfg(not(feature = "limit"))]
        return detected();
    }

    #[inline]
    fn detected() -> u32 {
        // The detection always gives the same answer. So if two threads run the detection at
        // the same time, both store the same value.
        match FEATURES.load(Ordering::Relaxed) {
            0 => {
                let features = ask();
                FEATURES.store(features, Ordering::Relaxed);
                features
            }
            features => features,
        }
    }

    /// Forbids the creation of some tokens; see [`limit`](super::limit).
    #[cfg(feature = "limit")]
    pub(super) fn limit(limit: Limit) {
        const NEWER: u32 = NEWEST | 1 << 3 | 1 << 11 | 1 << 13;
        /// The tokens of AVX-512 and of SHA-512's instructions.
        const NEWEST: u32 = 1 << 4 | 1 << 5 | 1 << 7 | 1 << 8 | 1 << 9;
        let kept = match limit {
            Limit::NoAvx512 => !NEWER,
            Limit::AlderLake => !NEWEST,
            Limit::Portable => 0,
        };
        ALLOWED.fetch_and(kept, Ordering::Relaxed);
    }

    #[cold]
    #[allow(
        unused_unsafe,
        reason = "`__cpuid` is an unsafe function in older Rust"
    )]
    fn ask() -> u32 {
        let all = |register: u32, bits: &[u32]| bits.iter().all(|bit| register >> bit & 1 == 1);
        // SAFETY: every processor of this target has CPUID.
        let (zero, one) = unsafe { (__cpuid(0), __cpuid(1)) };
        let seven = if zero.eax >= 7 {
            // SAFETY: every processor of this target has CPUID.
            unsafe { __cpuid_count(7, 0) }
        } else {
            // The processor has no leaf 7. CPUID would answer with the data of another leaf, so
            // the code treats all features of leaf 7 as absent.
            core::arch::x86_64::CpuidResult {
                eax: 0,
                ebx: 0,
                ecx: 0,
                edx: 0,
            }
        };
        // `eax` is the number of the last subleaf.
        let features_a = if seven.eax >= 1 {
            // SAFETY: every processor of this target has CPUID.
            unsafe { __cpuid_count(7, 1) }.eax
        } else {
            0
        };
        let xcr0 = if all(one.ecx, &[27]) {
            // SAFETY: OSXSAVE (leaf 1, ecx bit 27) says that XGETBV exists and
            // that the operating system enabled it; register 0 always exists.
            unsafe { read_xcr0() }
        } else {
            0
        };

        // [SDM] vol. 2, CPUID: leaf 1 ecx 1 PCLMULQDQ, 9 SSSE3, 19 SSE4.1, 25 AES, 28 AVX; leaf
        // 7 ebx 3 BMI1, 5 AVX2, 8 BMI2, 16 F, 17 DQ, 21 IFMA, 29 SHA, 30 BW, 31 VL; ecx 1 VBMI,
        // 6 VBMI2, 8 GFNI, 9 VAES, 10 VPCLMULQDQ, 12 BITALG; leaf 7, subleaf 1, eax 0 SHA512.
        let shuffle = all(one.ecx, &[9, 19]);
        let ymm = all(xcr0, &[1, 2]);
        let zmm = all(xcr0, &[1, 2, 5, 6, 7]);
        let aes = shuffle && all(one.ecx, &[25]);
        let clmul = shuffle && all(one.ecx, &[1]);
        let sha = shuffle && all(seven.ebx, &[29]);
        let avx2 = ymm && all(one.ecx, &[28]) && all(seven.ebx, &[3, 5, 8]);
        let vaes256 = avx2 && aes && all(seven.ecx, &[9]);
        let vpclmul256 = avx2 && clmul && all(seven.ecx, &[10]);
        let avx512 = vaes256
            && clmul
            && zmm
            && all(seven.ebx, &[16, 17, 30, 31])
            && all(seven.ecx, &[1, 6, 8, 10, 12]);

        let ifma = avx512 && all(seven.ebx, &[21]);
        let quick = avx512 && !is_zen5_or_later(zero, one.eax);
        let intel = is_of(b"GenuineIntel", zero);
        let sha512 = avx2 && all(features_a, &[0]);
        let gfni = avx2 && all(seven.ecx, &[8]);

        let sha_avx512 = sha && avx512;
        let avx2_aes = avx2 && aes;
        [
            aes, sha, avx2, vaes256, avx512, sha_avx512, clmul, ifma, quick, sha512, intel, gfni,
            avx2_aes, vpclmul256,
        ]
        .iter()
        .rev()
        .fold(0, |bits, &has| bits << 1 | u32::from(has))
            | KNOWN
    }

    /// Whether this is a processor of AMD of the family 1Ah, which is Zen 5, or of a later one. The
    /// arguments are the answers to leaf 0, with the vendor's name, and leaf 1, with the family:
    /// [SDM] vol. 2, CPUID; AMD has the same leaves.
    fn is_zen5_or_later(zero: core::arch::x86_64::CpuidResult, signature: u32) -> bool {
        let family = signature >> 8 & 0xf;
        let extended = signature >> 20 & 0xff;
        is_of(b"AuthenticAMD", zero) && family == 0xf && family + extended >= 0x1a
    }

    /// Whether the answer to leaf 0 has this vendor's name.
    fn is_of(vendor: &[u8; 12], zero: core::arch::x86_64::CpuidResult) -> bool {
        let name = [zero.ebx, zero.edx, zero.ecx].map(u32::to_le_bytes);
        name.as_flattened() == vendor
    }

    /// Reads XCR0, whose bits say which registers the operating system saves.
    ///
    /// # Safety
    ///
    /// The processor must report OSXSAVE.
    #[target_feature(enable = "xsave")]
    unsafe fn read_xcr0() -> u32 {
        // SAFETY: the caller checked OSXSAVE. All bits that we test are in the lower
        // half.
        (unsafe { _xgetbv(0) }) as u32
    }

    #[cfg(test)]
    mod tests {
        extern crate std;
        use super::{
            Aes, Avx2, Avx512, Ifma, QuickAvx512, Sha, Sha512, Vaes256, Vpclmul256,
            is_zen5_or_later,
        };
        use core::arch::x86_64::CpuidResult;
        use std::is_x86_feature_detected as has;

        #[test]
        fn zen5_is_known_by_its_family() {
            let of = |vendor: &[u8; 12], signature| {
                let words = vendor.as_chunks().0;
                let [ebx, edx, ecx] = [0, 1, 2].map(|i| u32::from_le_bytes(words[i]));
                let zero = CpuidResult {
                    eax: 16,
                    ebx,
                    ecx,
                    edx,
                };
                is_zen5_or_later(zero, signature)
            };
            // Signatures of Zen 4 (Genoa), Zen 5 (Turin) and Sapphire Rapids.
            assert!(!of(b"AuthenticAMD", 0x00a1_0f11));
            assert!(of(b"AuthenticAMD", 0x00b0_0f21));
            assert!(!of(b"GenuineIntel", 0x000c_06f2));
            assert!(QuickAvx512::detect().is_none() || Avx512::detect().is_some());
        }

        #[test]
        fn agrees_with_the_standard_library() {
            let shuffle = has!("ssse3") && has!("sse4.1");
            assert_eq!(Aes::detect().is_some(), shuffle && has!("aes"));
            assert_eq!(Sha::detect().is_some(), shuffle && has!("sha"));
            let avx2 = has!("avx2") && has!("bmi1") && has!("bmi2");
            assert_eq!(Avx2::detect().is_some(), avx2);
            assert_eq!(
                Vaes256::detect().is_some(),
                avx2 && has!("aes") && has!("vaes")
            );
            assert_eq!(
                Vpclmul256::detect().is_some(),
                avx2 && shuffle && has!("pclmulqdq") && has!("vpclmulqdq")
            );
            assert_eq!(
                Avx512::detect().is_some(),
                avx2 && has!("avx512f")
                    && has!("avx512bw")
                    && has!("avx512dq")
                    && has!("avx512vl")
                    && has!("avx512vbmi")
                    && has!("avx512vbmi2")
                    && has!("avx512bitalg")
                    && has!("gfni")
                    && has!("vaes")
                    && has!("vpclmulqdq")
                    && has!("pclmulqdq")
            );
            assert_eq!(Sha512::detect().is_some(), avx2 && has!("sha512"));
            assert_eq!(
                Ifma::detect().is_some(),
                Avx512::detect().is_some() && has!("avx512ifma")
            );
        }
    }
}

/// The instructions that kernels may use after a call of [`limit`].
#[cfg(feature = "limit")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// Kernels may use neither AVX-512 nor VAES, VPCLMULQDQ, GFNI nor the SHA-512 instructions. This is a machine
    /// with AVX2, AES-NI, PCLMULQDQ and SHA-NI.
    NoAvx512,
    /// Kernels may use neither AVX-512 nor the SHA-512 instructions. This is a machine with VAES,
    /// VPCLMULQDQ and GFNI too, such as Intel's processors for desktops and notebooks from Alder Lake (2021) on.
    AlderLake,
    /// Kernels may use only the instructions that every machine of the target has.
    Portable,
}

/// Forbids instructions in this process, to measure how much time the instructions save: from
/// now on `detect` refuses their tokens. A key that was set up before the call keeps its
/// kernel. A limit cannot be removed.
#[cfg(feature = "limit")]
pub fn limit(limit: Limit) {
    #[cfg(target_arch = "x86_64")]
    x86_64::limit(limit);
    // On other targets every kernel is portable.
    #[cfg(not(target_arch = "x86_64"))]
    let _ = limit;
}

#[cfg(target_arch = "x86_64")]
pub(crate) use x86_64::{
    Aes, Avx2, Avx2Aes, Avx512, Clmul, Gfni, Ifma, QuickAvx512, Sha, Sha512, ShaAvx512, Vaes256,
    Vpclmul256,
};
