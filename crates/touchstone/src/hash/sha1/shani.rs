//! SHA-1 with SHA-NI.
//!
//! `sha1rnds4` does four rounds on a register that contains a, b, c and d, from the highest
//! lane down. `sha1rnds4` takes the word e, already added to a message word, from the highest
//! lane of the other register. `sha1nexte` does this addition: e is the word a of four rounds
//! before, rotated by 30 bits ([SDM] vol. 2, SHA1RNDS4, SHA1NEXTE). `sha1msg1`, an XOR and
//! `sha1msg2` compute four words of the message schedule.
#![allow(unsafe_code)]

use crate::cpu::Sha;
use crate::simd::U32x4;

/// Computes four rounds with the function and the constant of their number, and the next four
/// words of the message schedule. Of the four registers that are added for this, `$w` is the
/// newest.
macro_rules! rounds {
    ($abcd:ident $e:ident $w:ident, $($function:literal: $($t:literal)*;)*) => {$($(
        if $t >= 4 {
            let x = $w[$t % 4].sha1_message1($w[($t + 1) % 4]).xor($w[($t + 2) % 4]);
            $w[$t % 4] = x.sha1_message2($w[($t + 3) % 4]);
        }
        let sum = if $t == 0 {
            $e.add($w[0])
        } else {
            $e.sha1_next_e($w[$t % 4])
        };
        $e = $abcd;
        $abcd = $abcd.sha1_rounds4::<$function>(sum);
    )*)*};
}

pub(super) fn compress(_: Sha, chain: &mut [u32; 5], blocks: &[[u8; 64]]) {
    // SAFETY: the token proves SHA-NI, SSSE3 and SSE4.1.
    unsafe { entry(chain, blocks) }

    #[target_feature(enable = "sha,sse4.1,ssse3")]
    fn entry(chain: &mut [u32; 5], blocks: &[[u8; 64]]) {
        let [a, b, c, d, e] = *chain;
        let mut abcd = U32x4::load(&[d, c, b, a]);
        let mut e = U32x4::load(&[0, 0, 0, e]);
        for block in blocks {
            let before = (abcd, e);
            let mut w = [abcd; 4];
            for (w, bytes) in w.iter_mut().zip(block.as_chunks().0) {
                // The permutation puts the first word into the highest lane.
                *w = U32x4::load_be(bytes).permute::<0b00_01_10_11>();
            }
            rounds!(abcd e w,
                0: 0 1 2 3 4;
                1: 5 6 7 8 9;
                2: 10 11 12 13 14;
                3: 15 16 17 18 19;
            );
            abcd = abcd.add(before.0);
            e = e.sha1_next_e(before.1);
        }
        let mut words = [0; 4];
        abcd.store(&mut words);
        let [d, c, b, a] = words;
        e.store(&mut words);
        *chain = [a, b, c, d, words[3]];
    }
}
