//! The key schedule of Serpent with lanes. First the code computes the prekeys one after the
//! other, because each prekey depends on the prekeys before it. Then the code computes every
//! S-box once, for the four round keys that need this S-box. The 33rd round key is computed
//! alone.
//!
//! A kernel must define the circuits `s0` to `s7` of its `Lanes`.

/// Writes the function `expand` of a kernel: the key schedule, [SERPENT] §4.
macro_rules! schedule {
    ($Token:ident, $features:literal) => {
        pub(super) fn expand(_: $Token, key: &[u8], keys: &mut RoundKeys) {
            // SAFETY: the token proves the features.
            unsafe { schedule(key, keys) }
        }

        #[target_feature(enable = $features)]
        fn schedule(key: &[u8], keys: &mut RoundKeys) {
            use super::portable::{ADDED, FLIPPED, last, lengthen, next};
            // The array has the prekeys: word `c` of the round keys `r`, `r` + 8, `r` + 16 and
            // `r` + 24.
            let mut prekeys = [[[0u8; 16]; 4]; 8];
            let mut w = lengthen(key);
            for eight in 0..4 {
                for pair in 0..4 {
                    for k in 0..8 {
                        let word = next(&mut w, k, 32 * eight + 8 * pair + k);
                        let words = prekeys[2 * pair + k / 4][k % 4].as_chunks_mut().0;
                        words[eight] = word.to_ne_bytes();
                    }
                }
            }
            keys[32] = last(&mut w);

            // The S-box S3 makes the first round key, S2 the second round key, and so on; after
            // S0 follows S7.
            macro_rules! box_of {
                ($r:literal, $circuit:ident) => {
                    let mut x = [Lanes::splat(0); 4];
                    for c in 0..4 {
                        let words = crate::simd::U8x16::load(&prekeys[$r][c]);
                        let flipped = Lanes::splat(FLIPPED[$r][c]);
                        x[c] = Lanes::from(Bytes::splat(words)).xor(flipped);
                    }
                    let x = $circuit(x);
                    let mut y = [
                        x[0].rotate_left::<27>(),
                        x[1],
                        x[2].rotate_left::<10>(),
                        x[3],
                    ];
                    for c in 0..4 {
                        let added = crate::simd::U8x16::load(&ADDED[$r][c]);
                        y[c] = y[c].xor(Bytes::splat(added).into());
                    }
                    let y = Lanes::transpose4(y);
                    for eight in 0..4 {
                        let mut all = [0; size_of::<Lanes>() / 4];
                        y[eight].store(&mut all);
                        keys[8 * eight + $r].copy_from_slice(&all[..4]);
                    }
                };
            }
            box_of!(0, s3);
            box_of!(1, s2);
            box_of!(2, s1);
            box_of!(3, s0);
            box_of!(4, s7);
            box_of!(5, s6);
            box_of!(6, s5);
            box_of!(7, s4);
            // Words 0 and 2 of the first round key are added to words of the state that are not
            // rotated, so the code rotates these words back.
            keys[0][0] = keys[0][0].rotate_left(5);
            keys[0][2] = keys[0][2].rotate_left(22);
            wipe(&mut prekeys, [[0; 16]; 4]);
            wipe(&mut w, 0);
        }
    };
}
pub(super) use schedule;
