//! Code that the kernels of Twofish for AVX2 and AVX-512 share. The blocks are word-sliced for
//! additions and rotations, and byte-sliced for the function g
//! ([`sliced`](crate::machinery::sliced)).
//!
//! ```text
//!   words:   x[m][w], m < 4    word w of a quarter of the blocks
//!   planes:  p[b]              byte b of one word of all blocks
//! ```
//!
//! **ROL(R₁, 8)**, a rotation of words by 8 bits, only changes the names of planes. The key
//! set-up uses lanes too: first for the S-boxes of all bytes, then for the function h of the
//! numbers 0 to 39, with one number in each lane. The key set-up also computes the tables for
//! single blocks.
//!
//! A kernel must define `q`, `products` (the products by the numbers of the MDS matrix), and
//! `expand_to`, which calls `h` in the way that suits the kernel's lanes.

/// Computes the function F, [TWOFISH](super) §4.1, on word `$w` and the word after it. F is a
/// macro, because compilers do not always inline a function here, and a call costs as much time
/// as the round.
macro_rules! f {
    ($keys:ident, $round:expr, $x:ident[$w:literal]) => {{
        let t0 = g::<0>($keys, [$x[0][$w], $x[1][$w], $x[2][$w], $x[3][$w]]);
        let t1 = g::<1>(
            $keys,
            [$x[0][$w + 1], $x[1][$w + 1], $x[2][$w + 1], $x[3][$w + 1]],
        );
        let k0 = Lanes::splat($keys.words[2 * ($round) + 8]);
        let k1 = Lanes::splat($keys.words[2 * ($round) + 9]);
        let (mut f0, mut f1) = (t0, t1);
        for m in 0..4 {
            let sum = t0[m].add(t1[m]);
            f0[m] = sum.add(k0);
            f1[m] = sum.add(t1[m].add(k1));
        }
        (f0, f1)
    }};
}
pub(super) use f;

macro_rules! lanes {
    ($Token:ty, $features:literal) => {
        /// The number of bytes in a register.
        const WIDTH: usize = size_of::<Bytes>();

        /// Multiplies bytes in planes by the MDS matrix.
        #[inline]
        #[target_feature(enable = $features)]
        fn mds([y0, y1, y2, y3]: [Bytes; 4]) -> [Bytes; 4] {
            let ([e0, f0], [e1, f1]) = (products(y0), products(y1));
            let ([e2, f2], [e3, f3]) = (products(y2), products(y3));
            [
                y0.xor(e1).xor3(f2, f3),
                f0.xor(e1).xor3(e2, y3),
                e0.xor(f1).xor3(y2, e3),
                e0.xor(y1).xor3(e2, f3),
            ]
        }

        /// Computes the function g on four registers of words. If `TURN` is 0, plane 0 goes
        /// through the S-box s₀. If `TURN` is 1, g treats the words as rotated by 8 bits, so
        /// plane 0 goes through s₁.
        #[inline]
        #[target_feature(enable = $features)]
        fn g<const TURN: usize>(keys: &Keys, words: [Lanes; 4]) -> [Lanes; 4] {
            let mut planes = Bytes::to_planes(words);
            if TURN == 1 {
                let [a, b, c, d] = planes;
                planes = [d, a, b, c];
            }
            let y = [
                planes[0].lookup(&keys.boxes[0]),
                planes[1].lookup(&keys.boxes[1]),
                planes[2].lookup(&keys.boxes[2]),
                planes[3].lookup(&keys.boxes[3]),
            ];
            Bytes::to_words(mds(y))
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn whiten(x: &mut [[Lanes; 4]], words: &[u32]) {
            for w in 0..4 {
                let key = Lanes::splat(words[w]);
                for x in &mut *x {
                    x[w] = x[w].xor(key);
                }
            }
        }

        /// Computes `N` groups, as one or two sets of four groups. Planes always have room for
        /// four groups.
        #[inline]
        #[target_feature(enable = $features)]
        fn padded<const BACK: bool, const N: usize>(keys: &Keys, data: &mut [[Lanes; 4]; N]) {
            if let [a, b] = data.as_chunks_mut::<4>().0 {
                let mut sets = [*a, *b];
                in_sets::<BACK, 2>(keys, &mut sets);
                [*a, *b] = sets;
                return;
            }
            let mut x = [[[Lanes::splat(0); 4]; 4]];
            for i in 0..N {
                x[0][i] = data[i];
            }
            in_sets::<BACK, 1>(keys, &mut x);
            for i in 0..N {
                data[i] = x[0][i];
            }
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn in_sets<const BACK: bool, const SETS: usize>(
            keys: &Keys,
            sets: &mut [[[Lanes; 4]; 4]; SETS],
        ) {
            if BACK {
                backwards_in_sets(keys, sets);
            } else {
                forwards_in_sets(keys, sets);
            }
        }

        #[target_feature(enable = $features)]
        fn forwards_in_sets<const SETS: usize>(keys: &Keys, sets: &mut [[[Lanes; 4]; 4]; SETS]) {
            for x in &mut *sets {
                whiten(x, &keys.words[..4]);
            }
            for pair in 0..8 {
                for x in &mut *sets {
                    let (f0, f1) = f!(keys, 2 * pair, x[0]);
                    for m in 0..4 {
                        x[m][2] = x[m][2].xor(f0[m]).rotate_left::<31>();
                        x[m][3] = x[m][3].rotate_left::<1>().xor(f1[m]);
                    }
                }
                for x in &mut *sets {
                    let (f0, f1) = f!(keys, 2 * pair + 1, x[2]);
                    for m in 0..4 {
                        x[m][0] = x[m][0].xor(f0[m]).rotate_left::<31>();
                        x[m][1] = x[m][1].rotate_left::<1>().xor(f1[m]);
                    }
                }
            }
            for x in sets {
                for m in 0..4 {
                    let [a, b, c, d] = x[m];
                    x[m] = [c, d, a, b];
                }
                whiten(x, &keys.words[4..8]);
            }
        }

        #[target_feature(enable = $features)]
        fn backwards_in_sets<const SETS: usize>(keys: &Keys, sets: &mut [[[Lanes; 4]; 4]; SETS]) {
            for x in &mut *sets {
                whiten(x, &keys.words[4..8]);
                for m in 0..4 {
                    let [c, d, a, b] = x[m];
                    x[m] = [a, b, c, d];
                }
            }
            for pair in (0..8).rev() {
                for x in &mut *sets {
                    let (f0, f1) = f!(keys, 2 * pair + 1, x[2]);
                    for m in 0..4 {
                        x[m][0] = x[m][0].rotate_left::<1>().xor(f0[m]);
                        x[m][1] = x[m][1].xor(f1[m]).rotate_left::<31>();
                    }
                }
                for x in &mut *sets {
                    let (f0, f1) = f!(keys, 2 * pair, x[0]);
                    for m in 0..4 {
                        x[m][2] = x[m][2].rotate_left::<1>().xor(f0[m]);
                        x[m][3] = x[m][3].xor(f1[m]).rotate_left::<31>();
                    }
                }
            }
            for x in sets {
                whiten(x, &keys.words[..4]);
            }
        }

        /// Computes the function h of a number in each lane, [TWOFISH](super) §4.3.2, and
        /// returns words. `lists` contains words of the key.
        #[inline]
        #[target_feature(enable = $features)]
        fn h<const K: usize>(numbers: Bytes, lists: &[[Bytes; 4]; K]) -> [Lanes; 4] {
            let mut planes = [numbers; 4];
            for byte in 0..4 {
                let mut y = numbers;
                for step in 0..K {
                    y = q(STEPS[byte][4 - K + step], y).xor(lists[K - 1 - step][byte]);
                }
                planes[byte] = q(STEPS[byte][4], y);
            }
            Bytes::to_words(mds(planes))
        }

        /// Computes the S-boxes for all values of a byte, and the tables of the kernel
        /// `portable`.
        #[inline]
        #[target_feature(enable = $features)]
        fn tabulate<const K: usize>(s: [u32; 4], keys: &mut Keys) {
            for byte in 0..4 {
                let boxes = keys.boxes[byte].as_chunks_mut::<WIDTH>().0;
                let tables = keys.tables[byte].as_chunks_mut::<{ WIDTH / 4 }>().0;
                // The table of q, read in order, is the result of the first permutation q for
                // the bytes 0 to 255.
                let first = Q[STEPS[byte][4 - K]].as_chunks::<WIDTH>().0;
                for part in 0..256 / WIDTH {
                    let mut y = Bytes::load(&first[part]);
                    for step in 0..K {
                        let with = Bytes::splat_u8((s[K - 1 - step] >> (8 * byte)) as u8);
                        y = q(STEPS[byte][5 - K + step], y.xor(with));
                    }
                    y.store(&mut boxes[part]);

                    // The bytes are transposed, so that the words are stored in order.
                    let y = y.turn_u32();
                    let [e, f] = products(y);
                    let words = Bytes::to_words(match byte {
                        0 => [y, f, e, e],
                        1 => [e, e, f, y],
                        2 => [f, e, y, e],
                        _ => [f, y, e, f],
                    });
                    for m in 0..4 {
                        words[m].store(&mut tables[4 * part + m]);
                    }
                }
            }
        }

        pub(super) fn expand(_: $Token, key: &[u8], keys: &mut Keys) {
            // SAFETY: the token proves the features.
            unsafe {
                match key.len() {
                    16 => expand_to::<2>(key, keys),
                    24 => expand_to::<3>(key, keys),
                    _ => expand_to::<4>(key, keys),
                }
            }
        }
    };
}
pub(super) use lanes;
