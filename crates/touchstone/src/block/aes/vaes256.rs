//! AES with VAES on 256-bit registers, for machines without AVX-512: two blocks in each
//! register, eight registers at once ([`parallel`](super::parallel)).
#![allow(unsafe_code)]

use super::aesni;
use super::parallel::parallel;
use super::wide::wide;
use crate::cpu::Vaes256;

parallel!(
    Vaes256, U8x32, 2 blocks, 8 registers, "avx2,aes,vaes", less by aesni, tweaks by even_powers
);

/// Encrypts or decrypts two to sixteen blocks separately, in assembly, which leaves nothing in the
/// registers, as [`aesni::but_last_round`] says.
#[inline(always)]
pub(super) fn few<const KEY: usize, const INVERSE: bool>(
    _: Vaes256,
    keys: &RoundKeys,
    blocks: InOutBuf<'_, '_, Block>,
) {
    let n = blocks.len();
    assert!((2..=16).contains(&n));
    let (input, output) = blocks.into_raw();
    // SAFETY: the pointers are those of a buffer of `n` blocks, and the token proves the features.
    unsafe { wide::<KEY, INVERSE>(keys, input, output, n) }
}

wide!(32, "ymm" "vbroadcasti128" "vpxor" "vmovdqu", "0,1,2,3,4,5,6,7,8");
