//! Byte 2 of a word, as the index of a table for which a chain of dependent instructions waits.
//!
//! Byte 0, byte 1 and the highest byte take one instruction each. Byte 2 takes a shift and a
//! conversion, unless the processor has BMI1, whose BEXTR takes one cycle on AMD's processors, and
//! two on Intel's.

#[cfg(target_arch = "x86_64")]
use crate::cpu::Avx2;

/// How byte 2 of a word is extracted.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ThirdByte {
    /// By a shift and a conversion.
    Shift,
    /// By the instruction BEXTR. The token stands for BMI1, too.
    #[cfg(target_arch = "x86_64")]
    Bextr(Avx2),
}

impl ThirdByte {
    /// Returns byte 2 of a word. The compiler must know `self` where it inlines the call.
    #[inline(always)]
    pub(crate) fn of(self, word: u32) -> usize {
        match self {
            Self::Shift => (word >> 16 & 0xff) as usize,
            #[cfg(target_arch = "x86_64")]
            Self::Bextr(_) => bextr(word),
        }
    }

    /// Returns how this machine extracts the byte fastest.
    #[inline(always)]
    pub(crate) fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        if let Some(token) = Avx2::detect() {
            return Self::Bextr(token);
        }
        Self::Shift
    }
}

/// Writes code once for each way, so that the compiler knows the way in each copy.
macro_rules! by_third_byte {
    ($way:expr, |$third:ident| $work:expr) => {
        match $way {
            $crate::machinery::third_byte::ThirdByte::Shift => {
                let $third = $crate::machinery::third_byte::ThirdByte::Shift;
                $work
            }
            #[cfg(target_arch = "x86_64")]
            $third => $work,
        }
    };
}
pub(crate) use by_third_byte;

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
#[inline(always)]
fn bextr(word: u32) -> usize {
    let byte: u64;
    // SAFETY: the only caller has a token, which proves BMI1. The instruction clears the upper half of
    // its output.
    unsafe {
        core::arch::asm!(
            "bextr {0:e}, {1:e}, {2:e}",
            lateout(reg) byte, in(reg) word, in(reg) 8 << 8 | 16,
            options(pure, nomem, nostack)
        );
    }
    byte as usize
}
