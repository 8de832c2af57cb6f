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
