//! The common parts of ARIA's kernels with GFNI for few blocks: the rounds on *rows*. A row is the byte at
//! one position of four blocks. The bytes of a word enter four S-boxes, so a register has one byte of every
//! word, and each S-box takes one register:
//!
//! ```text
//!   register i, each 16 bytes:   byte i of word 0, 1, 2 and 3 of four blocks
//! ```
//!
//! The first of the three linear steps of the diffusion layer adds whole registers. In the other two, shuffles
//! move rows within 16 bytes.
//!
//! A round is a chain of two affine maps, two shuffles and four XORs: 18 cycles on Zen 5, where an XOR has
//! three terms (27 were measured). It has 62 instructions for four blocks in each 16 bytes, four of them for
//! the key. [`planes`](crate::machinery::planes) of the same length have four times as many blocks and 88
//! instructions in a round: they are faster from 33 blocks on (with AVX2, from nine).
#![allow(unsafe_code)]

/// For each byte of a word, where this byte of a round key's words is for each row.
pub(super) const PLACES: [[u8; 16]; 4] = {
    let mut places = [[0; 16]; 4];
    let mut i = 0;
    while i < 64 {
        let (byte, word) = (i / 16, i % 16 / 4);
        // The words are numbers, whose lowest byte is first in memory.
        places[byte][i % 16] = (4 * word + 3 - byte) as u8;
        i += 1;
    }
    places
};

/// Writes a kernel. A register has rows of four blocks in each 16 bytes.
macro_rules! rows {
    (
        $Token:ident, $Bytes:ident as $Words:ident, $blocks:literal blocks a register,
        $groups:literal groups, $features:literal, from $least:literal blocks
    ) => {
        $crate::machinery::sliced::sliced!(
            USE_OF_FEW: $crate::cpu::$Token, [State], $Bytes as $Words,
            $blocks blocks a register, $groups groups, $features
        );

        $crate::machinery::planes::split!(from $least blocks);

        /// The bytes of blocks: register `i` has the rows of byte `i` of each word.
        type Rows = [Bytes; 4];

        /// Returns the rows of a round key.
        #[inline]
        #[target_feature(enable = $features)]
        fn spread(key: &State) -> Rows {
            let key = Bytes::from(Lanes::splat_row(key));
            let mut rows = [key; 4];
            for i in 0..4 {
                let places = Bytes::splat($crate::simd::U8x16::load(&PLACES[i]));
                rows[i] = key.shuffle(places);
            }
            rows
        }

        /// Adds a key.
        #[inline]
        #[target_feature(enable = $features)]
        fn add(x: &mut Rows, key: &Rows) {
            for i in 0..4 {
                x[i] = x[i].xor(key[i]);
            }
        }

        /// Computes the diffusion layer A, in the steps that [`sum_of_others`](super::super::sum_of_others)
        /// describes, and adds the next key.
        #[inline]
        #[target_feature(enable = $features)]
        fn diffuse(x: &mut Rows, key: &Rows) {
            let sums = others!(*x);
            let mut words = sums.map(Lanes::from);
            for sum in &mut words {
                *sum = sum.permute::<0b00_11_10_01>().xor3(
                    sum.permute::<0b01_00_11_10>(),
                    sum.permute::<0b10_01_00_11>(),
                );
            }
            for i in 0..4 {
                // Byte `i` of words 0 to 3 comes from these bytes, and goes to the other words.
                let first = words[i ^ 3].to_others::<0b00_00_00_00>();
                let second = words[i ^ 1].to_others::<0b01_01_01_01>();
                let third = words[i ^ 2].to_others::<0b10_10_10_10>();
                let fourth = words[i].to_others::<0b11_11_11_11>();
                x[i] = first.xor3(second, third).xor3(fourth, key[i].into()).into();
            }
        }

        /// The S-boxes of an odd round.
        #[inline]
        #[target_feature(enable = $features)]
        fn odd([a, b, c, d]: Rows) -> Rows {
            [forward!(0, a), forward!(1, b), backward!(2, c), backward!(3, d)]
        }

        /// The S-boxes of an even round.
        #[inline]
        #[target_feature(enable = $features)]
        fn even([a, b, c, d]: Rows) -> Rows {
            [backward!(2, a), backward!(3, b), forward!(0, c), forward!(1, d)]
        }

        /// Encrypts blocks, or decrypts blocks with the keys of decryption, [RFC5794](super::super) §2.3.
        #[inline]
        #[target_feature(enable = $features)]
        fn forwards<const N: usize, const USE: u8>(keys: &[State], data: &mut [[Lanes; 4]; N]) {
            // The number of rounds is even, and the last round has two keys.
            let [first, middle @ .., before_last, last] = keys else {
                return;
            };
            let mut x = [[Bytes::zero(); 4]; N];
            let first = spread(first);
            for (x, words) in x.iter_mut().zip(&*data) {
                *x = Bytes::to_planes(*words);
                add(x, &first);
            }
            for [after_odd, after_even] in middle.as_chunks::<2>().0 {
                let (after_odd, after_even) = (spread(after_odd), spread(after_even));
                for x in &mut x {
                    *x = odd(*x);
                    diffuse(x, &after_odd);
                }
                for x in &mut x {
                    *x = even(*x);
                    diffuse(x, &after_even);
                }
            }
            let (before_last, last) = (spread(before_last), spread(last));
            for (x, words) in x.iter_mut().zip(data) {
                *x = odd(*x);
                diffuse(x, &before_last);
                *x = even(*x);
                add(x, &last);
                *words = Bytes::to_words(*x);
            }
        }

        /// The same with the keys of decryption.
        #[inline]
        #[target_feature(enable = $features)]
        fn backwards<const N: usize, const USE: u8>(keys: &[State], data: &mut [[Lanes; 4]; N]) {
            forwards::<N, USE>(keys, data);
        }
    };
}
pub(super) use rows;
