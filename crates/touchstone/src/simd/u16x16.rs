//! Sixteen 16-bit numbers in one `ymm` register.

use core::arch::asm;
use core::arch::x86_64::*;

use super::U32x8;

/// A register of sixteen 16-bit numbers.
#[derive(Clone, Copy)]
pub(crate) struct U16x16(__m256i);

impl U16x16 {
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn splat(number: u16) -> Self {
        Self(_mm256_set1_epi16(number.cast_signed()))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn xor(self, other: Self) -> Self {
        Self(_mm256_xor_si256(self.0, other.0))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn add(self, other: Self) -> Self {
        Self(_mm256_add_epi16(self.0, other.0))
    }

    /// Returns the upper halves of the products. Compilers know `_mm256_mulhi_epu16` as a product of
    /// wider numbers. If a factor is the same in all rounds of a loop, they widen it before the
    /// loop, and then they do not find this instruction.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn upper_product(self, other: Self) -> Self {
        let mut result = self.0;
        // SAFETY: the instruction uses only these registers.
        unsafe {
            asm!(
                "vpmulhuw {0}, {0}, {1}",
                inout(ymm_reg) result,
                in(ymm_reg) other.0,
                options(pure, nomem, nostack, preserves_flags)
            );
        }
        Self(result)
    }

    /// Returns the product modulo 2^16 + 1, where the number 0 stands for 2^16 = −1. The product
    /// of two other numbers is its low half minus its high half, plus one if the difference is
    /// negative and wraps around at 2^16. If a factor is 0, the result is one minus the sum of
    /// both factors. The halves are equal only then: a product with equal halves is a multiple of
    /// the prime 2^16 + 1, so it is zero. Zero minus zero counts as negative here.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn times(self, other: Self) -> Self {
        let low = _mm256_mullo_epi16(self.0, other.0);
        let high = self.upper_product(other).0;
        let some_zero = _mm256_cmpeq_epi16(low, high);
        let instead = _mm256_and_si256(some_zero, _mm256_add_epi16(self.0, other.0));
        let not_more = _mm256_cmpeq_epi16(_mm256_min_epu16(low, high), low);
        let difference = _mm256_sub_epi16(low, high);
        Self(_mm256_sub_epi16(
            difference,
            _mm256_add_epi16(not_more, instead),
        ))
    }

    /// Splits 16 blocks of four big-endian words: element `w` of the result has word `w` of
    /// every block. The order of the lanes is only for [`join4`](Self::join4).
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn part4(blocks: &[[u8; 8]; 16]) -> [Self; 4] {
        // Each number of 32 bits gets the same word of two blocks.
        let places = _mm_setr_epi8(1, 0, 9, 8, 3, 2, 11, 10, 5, 4, 13, 12, 7, 6, 15, 14);
        let places = _mm256_broadcastsi128_si256(places);
        let mut words = [U32x8::splat(0); 4];
        for (word, bytes) in words.iter_mut().zip(blocks.as_flattened().as_chunks().0) {
            word.0 = _mm256_shuffle_epi8(U32x8::load_le(bytes).0, places);
        }
        let [a, b, c, d] = U32x8::transpose4(words);
        [Self(a.0), Self(b.0), Self(c.0), Self(d.0)]
    }

    /// Joins words to blocks, the inverse of [`part4`](Self::part4).
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn join4([a, b, c, d]: [Self; 4], blocks: &mut [[u8; 8]; 16]) {
        let places = _mm_setr_epi8(1, 0, 5, 4, 9, 8, 13, 12, 3, 2, 7, 6, 11, 10, 15, 14);
        let places = _mm256_broadcastsi128_si256(places);
        let words = U32x8::transpose4([U32x8(a.0), U32x8(b.0), U32x8(c.0), U32x8(d.0)]);
        let (registers, _) = blocks.as_flattened_mut().as_chunks_mut::<32>();
        for (bytes, word) in registers.iter_mut().zip(words) {
            let word = _mm256_shuffle_epi8(word.0, places);
            // SAFETY: the reference covers the 32 bytes, at any alignment.
            unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), word) }
        }
    }
}
