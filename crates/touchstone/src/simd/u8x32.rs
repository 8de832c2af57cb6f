//! Thirty-two bytes: one `ymm`, two AES blocks.

use core::arch::x86_64::*;

use super::U8x16;

/// Thirty-two bytes.
#[derive(Clone, Copy)]
pub(crate) struct U8x32(pub(super) __m256i);

impl U8x32 {
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn zero() -> Self {
        Self(_mm256_setzero_si256())
    }

    /// One block in every place.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn splat(block: U8x16) -> Self {
        Self(_mm256_broadcastsi128_si256(block.0))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn load_blocks(blocks: &[[u8; 16]; 2]) -> Self {
        // SAFETY: the reference covers the 32 bytes, at any alignment.
        Self(unsafe { _mm256_loadu_si256(blocks.as_ptr().cast()) })
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn store_blocks(self, blocks: &mut [[u8; 16]; 2]) {
        // SAFETY: the reference covers the 32 bytes, at any alignment.
        unsafe { _mm256_storeu_si256(blocks.as_mut_ptr().cast(), self.0) }
    }

    /// At most two blocks; the others are zero and are not read.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn load_some(blocks: &[[u8; 16]]) -> Self {
        match blocks {
            [] => Self::zero(),
            [block] => Self(_mm256_zextsi128_si256(U8x16::load(block).0)),
            [a, b, ..] => Self::load_blocks(&[*a, *b]),
        }
    }

    /// The first blocks, as many as the slice has.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn store_some(self, blocks: &mut [[u8; 16]]) {
        if let Some((two, _)) = blocks.split_first_chunk_mut() {
            self.store_blocks(two);
        } else if let [block] = blocks {
            U8x16(_mm256_castsi256_si128(self.0)).store(block);
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn xor(self, other: Self) -> Self {
        Self(_mm256_xor_si256(self.0, other.0))
    }

    /// Adds as four 64-bit numbers.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn add_u64(self, other: Self) -> Self {
        Self(_mm256_add_epi64(self.0, other.0))
    }

    /// The bytes of each block that `places` name.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn shuffle(self, places: Self) -> Self {
        Self(_mm256_shuffle_epi8(self.0, places.0))
    }

    /// Each block replaced by the one before it, the first by the last of
    /// `before`.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn shifted_in(self, before: Self) -> Self {
        Self(_mm256_permute2x128_si256::<0x21>(before.0, self.0))
    }

    /// In each block, the bytes of `before` from the `N`-th on, and then the
    /// first of `self`.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn after<const N: i32>(self, before: Self) -> Self {
        Self(_mm256_alignr_epi8::<N>(self.0, before.0))
    }

    /// The lowest eight bytes of each block of both in turns.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn pair_u8(self, other: Self) -> Self {
        Self(_mm256_unpacklo_epi8(self.0, other.0))
    }

    /// The lowest four 16-bit words of each block of both in turns.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn pair_u16(self, other: Self) -> Self {
        Self(_mm256_unpacklo_epi16(self.0, other.0))
    }

    /// The lowest two 32-bit words of each block of both in turns.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn pair_u32(self, other: Self) -> Self {
        Self(_mm256_unpacklo_epi32(self.0, other.0))
    }

    /// The lowest 64-bit word of each block of both in turns.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn pair_u64(self, other: Self) -> Self {
        Self(_mm256_unpacklo_epi64(self.0, other.0))
    }

    /// Each block's product with x^`n`, for `n` below 58, as XTS numbers the terms of
    /// polynomials modulo x^128 + x^7 + x^2 + x + 1: from the lowest bit of the
    /// lowest byte.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn times_x(self, n: i32) -> Self {
        let up = _mm256_sll_epi64(self.0, _mm_cvtsi32_si128(n));
        // What leaves the halves: the lower one's enters the upper.
        let out = _mm256_srl_epi64(self.0, _mm_cvtsi32_si128(64 - n));
        let up = _mm256_xor_si256(up, _mm256_bslli_epi128::<8>(out));
        let out = _mm256_bsrli_epi128::<8>(out);
        let twice = _mm256_xor_si256(out, _mm256_slli_epi64::<1>(out));
        let more = _mm256_xor_si256(_mm256_slli_epi64::<2>(out), _mm256_slli_epi64::<7>(out));
        Self(_mm256_xor_si256(up, _mm256_xor_si256(twice, more)))
    }

    /// The lower block first.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn join([low, high]: [U8x16; 2]) -> Self {
        Self(_mm256_set_m128i(high.0, low.0))
    }

    /// One round of AES encryption of each block.
    #[inline]
    #[target_feature(enable = "vaes")]
    pub(crate) fn aes_enc(self, key: Self) -> Self {
        Self(_mm256_aesenc_epi128(self.0, key.0))
    }

    /// The last round of AES encryption.
    #[inline]
    #[target_feature(enable = "vaes")]
    pub(crate) fn aes_enc_last(self, key: Self) -> Self {
        Self(_mm256_aesenclast_epi128(self.0, key.0))
    }

    /// One round of AES decryption, of the equivalent inverse cipher.
    #[inline]
    #[target_feature(enable = "vaes")]
    pub(crate) fn aes_dec(self, key: Self) -> Self {
        Self(_mm256_aesdec_epi128(self.0, key.0))
    }

    /// The last round of AES decryption.
    #[inline]
    #[target_feature(enable = "vaes")]
    pub(crate) fn aes_dec_last(self, key: Self) -> Self {
        Self(_mm256_aesdeclast_epi128(self.0, key.0))
    }
}
