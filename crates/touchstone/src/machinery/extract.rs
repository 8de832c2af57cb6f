//! Bytes of a word, as the indices of tables.
//!
//! The two lowest bytes and the highest byte take one instruction each. Another byte takes a shift
//! and a conversion, or the instruction BEXTR of BMI1. BEXTR takes one cycle on AMD's processors. On
//! Intel's it takes two, as the shift and the conversion do, and is not used.

#[cfg(target_arch = "x86_64")]
use crate::cpu::Avx2;

/// How the bytes between the two lowest ones and the highest one are extracted.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Extract {
    /// By a shift and a conversion.
    Shift,
    /// By the instruction BEXTR. The token stands for BMI1, too.
    #[cfg(target_arch = "x86_64")]
    Bextr(Avx2),
}

impl Extract {
    /// Returns byte `I`, where byte 0 is the lowest. The compiler must know `self` where it inlines the
    /// call.
    #[inline(always)]
    pub(crate) fn byte<const I: u32>(self, word: u64) -> usize {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Bextr(_) if I > 1 && I < 7 => bextr::<255>(word, 8 << 8 | 8 * I),
            _ => (word >> (8 * I)) as u8 as usize,
        }
    }

    /// Returns byte 2 of a word of 32 bits.
    #[inline(always)]
    pub(crate) fn byte_2(self, word: u32) -> usize {
        self.byte::<2>(u64::from(word))
    }

    /// Returns bits 16·`I` to 16·`I` + 15.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(crate) fn bits_16<const I: u32>(_: Avx2, word: u64) -> usize {
        match I {
            0 | 3 => (word >> (16 * I)) as u16 as usize,
            _ => bextr::<{ u16::MAX as usize }>(word, 16 << 8 | 16 * I),
        }
    }

    /// Returns how this machine extracts bytes fastest.
    #[inline(always)]
    pub(crate) fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        if let Some(token) = Avx2::detect() {
            return Self::of(token);
        }
        Self::Shift
    }

    /// [`detect`](Self::detect) for code that has the token, which stands for BMI1, too.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(crate) fn of(token: Avx2) -> Self {
        if token.extracts_quickly() {
            Self::Bextr(token)
        } else {
            Self::Shift
        }
    }
}

/// Writes code once for each way to extract bytes, so that the compiler knows the way in each copy.
macro_rules! by_extract {
    ($way:expr, |$extract:ident| $work:expr) => {
        match $way {
            $crate::machinery::extract::Extract::Shift => {
                let $extract = $crate::machinery::extract::Extract::Shift;
                $work
            }
            #[cfg(target_arch = "x86_64")]
            $extract => $work,
        }
    };
}
pub(crate) use by_extract;

/// Writes the method `extract` of a cipher's `Kernel`: [`Extract::of`] with each of these variants. The
/// portable form asks the processor, which may have BMI1 without the other features that these variants
/// need.
macro_rules! extract_by_kernel {
    ($($Variant:ident)*) => {
        impl Kernel {
            /// Returns how this kernel's single blocks extract bytes.
            #[inline(always)]
            fn extract(self) -> $crate::machinery::extract::Extract {
                use $crate::machinery::extract::Extract;
                match self {
                    $(
                        #[cfg(target_arch = "x86_64")]
                        Self::$Variant(token) => Extract::of(token.into()),
                    )*
                    Self::Portable => Extract::detect(),
                }
            }
        }
    };
}
pub(crate) use extract_by_kernel;

/// Returns the bits of a word that the control describes; their greatest value is `MOST`.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
#[inline(always)]
fn bextr<const MOST: usize>(word: u64, control: u32) -> usize {
    let bits: usize;
    // SAFETY: the callers have a token, which proves BMI1. The instruction clears all bits of its
    // output but those that it extracts.
    unsafe {
        core::arch::asm!(
            "bextr {}, {}, {}",
            lateout(reg) bits, in(reg) word, in(reg) u64::from(control),
            options(pure, nomem, nostack)
        );
        core::hint::assert_unchecked(bits <= MOST);
    }
    bits
}
