//! Thirty-two 16-bit numbers in one `zmm` register.

use core::arch::asm;
use core::arch::x86_64::*;

use super::U8x64;

/// A register of thirty-two 16-bit numbers.
#[derive(Clone, Copy)]
pub(crate) struct U16x32(__m512i);

impl U16x32 {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(crate) fn splat(number: u16) -> Self {
        Self(_mm512_set1_epi16(number.cast_signed()))
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn xor(self, other: Self) -> Self {
        Self(_mm512_xor_si512(self.0, other.0))
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(crate) fn add(self, other: Self) -> Self {
        Self(_mm512_add_epi16(self.0, other.0))
    }

    /// Returns the upper halves of the products, as
    /// [`U16x16::upper_product`](super::U16x16::upper_product) does.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn upper_product(self, other: Self) -> Self {
        let mut result = self.0;
        // SAFETY: the instruction uses only these registers.
        unsafe {
            asm!(
                "vpmulhuw {0}, {0}, {1}",
                inout(zmm_reg) result,
                in(zmm_reg) other.0,
                options(pure, nomem, nostack, preserves_flags)
            );
        }
        Self(result)
    }

    /// Returns the product modulo 2^16 + 1, where the number 0 stands for 2^16 = −1. The product of two
    /// other numbers is its low half minus its high half, plus one if the difference is negative. That is
    /// the difference of two saturating ones: of the low half and the high half, and of the high half
    /// minus one and the low half. If a factor is 0, both halves are 0, and the result is one minus the
    /// sum of both factors, which does not wait for the product. (A comparison of the halves would have
    /// fewer instructions, and its way through a mask register a longer chain.)
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(crate) fn times(self, other: Self) -> Self {
        let one = _mm512_set1_epi16(1);
        let low = _mm512_mullo_epi16(self.0, other.0);
        let high = self.upper_product(other).0;
        let least = _mm512_min_epu16(self.0, other.0);
        let some_zero = _mm512_testn_epi16_mask(least, least);
        let instead = _mm512_sub_epi16(one, other.0);
        let more = _mm512_subs_epu16(low, high);
        let more = _mm512_mask_sub_epi16(more, some_zero, instead, self.0);
        let less = _mm512_subs_epu16(_mm512_subs_epu16(high, one), low);
        Self(_mm512_sub_epi16(more, less))
    }

    /// Splits 32 blocks of four big-endian words: element `w` of the result has word `w` of
    /// every block. The order of the lanes is only for [`join4`](Self::join4).
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    pub(crate) fn part4(blocks: &[[u8; 8]; 32]) -> [Self; 4] {
        /// The indices of the words 0 and 1 of sixteen blocks, with the lower byte first. The
        /// words 2 and 3 are four bytes after each of these words.
        const WORDS: [u8; 64] = {
            let mut places = [0; 64];
            let mut i = 0;
            while i < 32 {
                let (word, block) = (i / 16, i % 16);
                places[2 * i] = (8 * block + 2 * word + 1) as u8;
                places[2 * i + 1] = (8 * block + 2 * word) as u8;
                i += 1;
            }
            places
        };
        let places = U8x64::load(&WORDS);
        let further = places.add_u8(U8x64::splat_u8(4));
        let (quarters, _) = blocks.as_flattened().as_chunks::<64>();
        let (a, b) = (U8x64::load(&quarters[0]), U8x64::load(&quarters[1]));
        let (c, d) = (U8x64::load(&quarters[2]), U8x64::load(&quarters[3]));
        let mut words = [[a.0; 2]; 2];
        for (words, places) in words.iter_mut().zip([places, further]) {
            *words = halves(
                _mm512_permutex2var_epi8(a.0, places.0, b.0),
                _mm512_permutex2var_epi8(c.0, places.0, d.0),
            );
        }
        let [[w0, w1], [w2, w3]] = words;
        [Self(w0), Self(w1), Self(w2), Self(w3)]
    }

    /// Joins words to blocks, the inverse of [`part4`](Self::part4).
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    pub(crate) fn join4([a, b, c, d]: [Self; 4], blocks: &mut [[u8; 8]; 32]) {
        /// The indices of the bytes of eight blocks. The bytes come from a register with the
        /// words 0 and 1 of sixteen blocks, and from a register with their words 2 and 3. The
        /// indices of the other eight blocks are greater by sixteen.
        const BLOCKS: [u8; 64] = {
            let mut places = [0; 64];
            let mut i = 0;
            while i < 64 {
                let (block, word, byte) = (i / 8, i % 8 / 2, i % 2);
                let half = if word < 2 { 0 } else { 64 };
                places[i] = (half + 32 * (word % 2) + 2 * block + 1 - byte) as u8;
                i += 1;
            }
            places
        };
        let places = U8x64::load(&BLOCKS);
        let further = places.add_u8(U8x64::splat_u8(16));
        let (w01, w23) = (halves(a.0, b.0), halves(c.0, d.0));
        let (quarters, _) = blocks.as_flattened_mut().as_chunks_mut::<64>();
        for i in 0..2 {
            for (n, places) in [places, further].into_iter().enumerate() {
                let bytes = _mm512_permutex2var_epi8(w01[i], places.0, w23[i]);
                U8x64(bytes).store(&mut quarters[2 * i + n]);
            }
        }
    }
}

/// Returns the lower halves of both registers in one register, and their upper halves in
/// another register.
#[inline]
#[target_feature(enable = "avx512f")]
fn halves(a: __m512i, b: __m512i) -> [__m512i; 2] {
    [
        _mm512_shuffle_i64x2::<0b01_00_01_00>(a, b),
        _mm512_shuffle_i64x2::<0b11_10_11_10>(a, b),
    ]
}
