//! Two 64-bit numbers in one `xmm` register.

use core::arch::x86_64::*;

/// A register of two 64-bit numbers.
#[derive(Clone, Copy)]
pub(crate) struct U64x2(__m128i);

impl U64x2 {
    /// Returns a register with `number` in both places. The instruction that uses this value
    /// can broadcast it from memory.
    #[inline]
    #[target_feature(enable = "avx512vl")]
    pub(crate) fn splat(number: u64) -> Self {
        Self(_mm_set1_epi64x(number.cast_signed()))
    }

    #[inline]
    #[target_feature(enable = "avx512vl")]
    pub(crate) fn pair(first: u64, second: u64) -> Self {
        Self(_mm_set_epi64x(second.cast_signed(), first.cast_signed()))
    }

    /// Returns the first number.
    #[inline]
    #[target_feature(enable = "avx512vl")]
    pub(crate) fn first(self) -> u64 {
        _mm_cvtsi128_si64(self.0).cast_unsigned()
    }

    /// Returns the second number.
    #[inline]
    #[target_feature(enable = "avx512vl")]
    pub(crate) fn second(self) -> u64 {
        _mm_extract_epi64::<1>(self.0).cast_unsigned()
    }

    #[inline]
    #[target_feature(enable = "avx512vl")]
    pub(crate) fn xor(self, other: Self) -> Self {
        Self(_mm_xor_si128(self.0, other.0))
    }

    #[inline]
    #[target_feature(enable = "avx512vl")]
    pub(crate) fn xor3(self, b: Self, c: Self) -> Self {
        Self(_mm_ternarylogic_epi64::<0x96>(self.0, b.0, c.0))
    }

    /// Returns self ⊕ (¬b ∧ c).
    #[inline]
    #[target_feature(enable = "avx512vl")]
    pub(crate) fn xor_not_and(self, b: Self, c: Self) -> Self {
        Self(_mm_ternarylogic_epi64::<0xd2>(self.0, b.0, c.0))
    }

    #[inline]
    #[target_feature(enable = "avx512vl")]
    pub(crate) fn rotate_left_by(self, n: u32) -> Self {
        Self(_mm_rolv_epi64(self.0, Self::splat(u64::from(n)).0))
    }
}
