//! SHA-1 with SHA-NI.
//!
//! `sha1rnds4` does four rounds on a register that contains a, b, c and d, from the highest
//! lane down. `sha1rnds4` takes the word e, already added to a message word, from the highest
//! lane of the other register. `sha1nexte` does this addition: e is the word a of four rounds
//! before, rotated by 30 bits ([SDM] vol. 2, SHA1RNDS4, SHA1NEXTE). `sha1msg1`, an XOR and
//! `sha1msg2` compute four words of the message schedule.
#![allow(unsafe_code)]

use core::array;

use crate::cpu::Sha;
use crate::simd::U32x4;

/// Computes four rounds of each message with the function and the constant of their number, and the
/// next four words of the message schedule. Of the four registers that are added for this, `$w` is
/// the newest.
macro_rules! rounds {
    ($abcd:ident $e:ident $w:ident, $($function:literal: $($t:literal)*;)*) => {$($(
        for n in 0..N {
            let w = &mut $w[n];
            if $t >= 4 {
                let x = w[$t % 4].sha1_message1(w[($t + 1) % 4]).xor(w[($t + 2) % 4]);
                w[$t % 4] = x.sha1_message2(w[($t + 3) % 4]);
            }
            let sum = if $t == 0 {
                $e[n].add(w[0])
            } else {
                $e[n].sha1_next_e(w[$t % 4])
            };
            $e[n] = $abcd[n];
            $abcd[n] = $abcd[n].sha1_rounds4::<$function>(sum);
        }
    )*)*};
}

/// Compresses the same number of blocks of each of `N` messages, interleaved.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn interleaved<const N: usize>(chains: &mut [[u32; 5]; N], blocks: [&[[u8; 64]]; N], count: usize) {
    let mut abcd = chains.map(|[a, b, c, d, _]| U32x4::load(&[d, c, b, a]));
    let mut e = chains.map(|[.., e]| U32x4::load(&[0, 0, 0, e]));
    for i in 0..count {
        let before = (abcd, e);
        let mut w = [[abcd[0]; 4]; N];
        for n in 0..N {
            for (w, bytes) in w[n].iter_mut().zip(blocks[n][i].as_chunks().0) {
                // The permutation puts the first word into the highest lane.
                *w = U32x4::load_be(bytes).permute::<0b00_01_10_11>();
            }
        }
        rounds!(abcd e w,
            0: 0 1 2 3 4;
            1: 5 6 7 8 9;
            2: 10 11 12 13 14;
            3: 15 16 17 18 19;
        );
        for n in 0..N {
            abcd[n] = abcd[n].add(before.0[n]);
            e[n] = e[n].sha1_next_e(before.1[n]);
        }
    }
    for n in 0..N {
        let mut words = [0; 4];
        abcd[n].store(&mut words);
        let [d, c, b, a] = words;
        e[n].store(&mut words);
        chains[n] = [a, b, c, d, words[3]];
    }
}

pub(super) fn compress(_: Sha, chain: &mut [u32; 5], blocks: &[[u8; 64]]) {
    // SAFETY: the token proves SHA-NI, SSSE3 and SSE4.1.
    unsafe { entry(array::from_mut(chain), blocks) }

    #[target_feature(enable = "sha,sse4.1,ssse3")]
    fn entry(chains: &mut [[u32; 5]; 1], blocks: &[[u8; 64]]) {
        interleaved(chains, [blocks], blocks.len());
    }
}

/// Compresses `count` blocks of each of two messages.
pub(super) fn compress_2(
    _: Sha,
    chains: &mut [[u32; 5]; 2],
    blocks: [&[[u8; 64]]; 2],
    count: usize,
) {
    // SAFETY: the token proves SHA-NI, SSSE3 and SSE4.1.
    unsafe { entry(chains, blocks, count) }

    #[target_feature(enable = "sha,sse4.1,ssse3")]
    fn entry(chains: &mut [[u32; 5]; 2], blocks: [&[[u8; 64]]; 2], count: usize) {
        interleaved(chains, blocks, count);
    }
}
