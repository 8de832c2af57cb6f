//! Sixty-four bytes as bit planes, or as eight 64-bit numbers.

use core::arch::x86_64::*;

/// Eight 64-bit numbers.
#[derive(Clone, Copy)]
pub(crate) struct U64x8(pub(super) __m512i);

impl U64x8 {
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn zero() -> Self {
        Self(_mm512_setzero_si512())
    }

    /// One number in every place.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn splat(number: u64) -> Self {
        Self(_mm512_set1_epi64(number as i64))
    }

    /// Half a number, repeated all over; fused with what uses it.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn splat_u32(number: u32) -> Self {
        Self(_mm512_set1_epi32(number as i32))
    }

    /// Numbers, least significant byte first.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn load(numbers: &[[u8; 8]; 8]) -> Self {
        // SAFETY: the reference covers the 64 bytes, at any alignment.
        Self(unsafe { _mm512_loadu_si512(numbers.as_ptr().cast()) })
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn store(self, numbers: &mut [[u8; 8]; 8]) {
        // SAFETY: the reference covers the 64 bytes, at any alignment.
        unsafe { _mm512_storeu_si512(numbers.as_mut_ptr().cast(), self.0) }
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn and(self, other: Self) -> Self {
        Self(_mm512_and_si512(self.0, other.0))
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn xor(self, other: Self) -> Self {
        Self(_mm512_xor_si512(self.0, other.0))
    }

    /// The complement of [`xor`](Self::xor).
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn xnor(self, other: Self) -> Self {
        // At 4a + 2b + c, here with c = b.
        Self(_mm512_ternarylogic_epi64::<0xc3>(self.0, other.0, other.0))
    }

    /// Any function of three bits: `TABLE` has its value at 4a + 2b + c.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn ternary<const TABLE: i32>(self, b: Self, c: Self) -> Self {
        Self(_mm512_ternarylogic_epi64::<TABLE>(self.0, b.0, c.0))
    }

    /// Where `self` has ones, `yes`, and elsewhere `no`.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn select(self, yes: Self, no: Self) -> Self {
        self.ternary::<0xca>(yes, no)
    }

    /// All ones in each number that has this bit.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq")]
    pub(crate) fn has_bit(self, bit: u32) -> Self {
        let bit = Self::splat(1 << bit);
        Self(_mm512_movm_epi64(_mm512_test_epi64_mask(self.0, bit.0)))
    }

    /// Exchanges, in units of `BITS` (8, 16 or 32), the odd ones of the first
    /// with the even ones of the second.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(crate) fn exchange<const BITS: i32>(self, other: Self) -> (Self, Self) {
        const { assert!(BITS == 8 || BITS == 16 || BITS == 32) };
        let (swap, odd) = match BITS {
            8 => (0x0607_0405_0203_0001, 0xaaaa_aaaa_aaaa_aaaa),
            16 => (0x0504_0706_0100_0302, 0xcccc_cccc_cccc_cccc),
            _ => (0x0302_0100_0706_0504, 0xf0f0_f0f0_f0f0_f0f0),
        };
        let swap = _mm512_set4_epi64(
            swap + 0x0808_0808_0808_0808,
            swap,
            swap + 0x0808_0808_0808_0808,
            swap,
        );
        (
            Self(_mm512_mask_shuffle_epi8(self.0, odd, other.0, swap)),
            Self(_mm512_mask_shuffle_epi8(other.0, !odd, self.0, swap)),
        )
    }

    /// Turns each number as a matrix: bit `i` of byte `7 - j` comes to bit `j` of
    /// byte `i`.
    #[inline]
    #[target_feature(enable = "avx512f,gfni")]
    pub(crate) fn turn_bits(self) -> Self {
        // A matrix times the vectors with one bit each gives its columns.
        let columns = _mm512_set1_epi64(0x8040_2010_0804_0201_u64 as i64);
        Self(_mm512_gf2p8affine_epi64_epi8::<0>(columns, self.0))
    }
}
