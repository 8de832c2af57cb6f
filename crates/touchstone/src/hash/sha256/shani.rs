//! SHA-256 with SHA-NI.
//!
//! `sha256rnds2` does two rounds. Its operands are two registers of four words each: a b e f
//! and c d g h, from the highest lane down. The result is the new a b e f. The old a b e f is
//! the new c d g h ([SDM] vol. 2, SHA256RNDS2). Each block takes a chain of 32 of these
//! instructions, so the time of one message is their latency. With two interleaved messages,
//! the processor computes one message while the other waits.
#![allow(unsafe_code)]

use core::array;

use super::K;
use crate::cpu::Sha;
use crate::simd::U32x4;

/// Compresses the same number of blocks of each of `N` messages, interleaved.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn rounds<const N: usize>(hashes: &mut [[u32; 8]; N], blocks: [&[[u8; 64]]; N], count: usize) {
    let mut abef = [U32x4::load(&[0; 4]); N];
    let mut cdgh = abef;
    for n in 0..N {
        let (halves, _) = hashes[n].as_chunks();
        // `low` and `high` are the words d c b a and h g f e, from the highest lane down.
        let (low, high) = (U32x4::load(&halves[0]), U32x4::load(&halves[1]));
        // The lanes are first b a f e and d c h g; the permutation makes the order of the
        // instruction.
        abef[n] = high.low_halves(low).permute::<0b10_11_00_01>();
        cdgh[n] = high.high_halves(low).permute::<0b10_11_00_01>();
    }
    for i in 0..count {
        let mut w = [[abef[0]; 4]; N];
        for n in 0..N {
            for (w, bytes) in w[n].iter_mut().zip(blocks[n][i].as_chunks().0) {
                *w = U32x4::load_be(bytes);
            }
        }
        let before = (abef, cdgh);
        // Each iteration computes sixteen rounds, so that every index is a constant and the
        // words stay in registers.
        for (turn, k) in K.as_chunks().0.as_chunks::<4>().0.iter().enumerate() {
            for j in 0..4 {
                for n in 0..N {
                    let w = &mut w[n];
                    // The words 4j … 4j+3 of this iteration replace the words with the same
                    // numbers of the last iteration. The other three registers hold the twelve
                    // words before them.
                    if turn != 0 {
                        let seven_before = w[(j + 2) % 4].window_1(w[(j + 3) % 4]);
                        w[j] = w[j]
                            .sha256_message1(w[(j + 1) % 4])
                            .add(seven_before)
                            .sha256_message2(w[(j + 3) % 4]);
                    }
                    let sum = w[j].add(U32x4::load(&k[j]));
                    let next = cdgh[n].sha256_rounds2(abef[n], sum);
                    let after = abef[n].sha256_rounds2(next, sum.permute::<0b00_00_11_10>());
                    (cdgh[n], abef[n]) = (next, after);
                }
            }
        }
        for n in 0..N {
            abef[n] = abef[n].add(before.0[n]);
            cdgh[n] = cdgh[n].add(before.1[n]);
        }
    }
    for n in 0..N {
        let abef = abef[n].permute::<0b10_11_00_01>();
        let cdgh = cdgh[n].permute::<0b10_11_00_01>();
        let (halves, _) = hashes[n].as_chunks_mut();
        abef.high_halves(cdgh).store(&mut halves[0]);
        abef.low_halves(cdgh).store(&mut halves[1]);
    }
}

pub(super) fn compress(_: Sha, hash: &mut [u32; 8], blocks: &[[u8; 64]]) {
    // SAFETY: the token proves SHA-NI, SSSE3 and SSE4.1.
    unsafe { entry(array::from_mut(hash), blocks) }

    #[target_feature(enable = "sha,sse4.1,ssse3")]
    fn entry(hashes: &mut [[u32; 8]; 1], blocks: &[[u8; 64]]) {
        rounds(hashes, [blocks], blocks.len());
    }
}

/// Compresses `count` blocks of each of two messages.
pub(super) fn compress_2(
    _: Sha,
    hashes: &mut [[u32; 8]; 2],
    blocks: [&[[u8; 64]]; 2],
    count: usize,
) {
    // SAFETY: the token proves SHA-NI, SSSE3 and SSE4.1.
    unsafe { entry(hashes, blocks, count) }

    #[target_feature(enable = "sha,sse4.1,ssse3")]
    fn entry(hashes: &mut [[u32; 8]; 2], blocks: [&[[u8; 64]]; 2], count: usize) {
        rounds(hashes, blocks, count);
    }
}
