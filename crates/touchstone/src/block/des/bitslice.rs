//! DES on bit planes: plane *p* holds bit *p* of every block, so that all
//! permutations are a choice of registers, and the S-boxes are circuits.
//!
//! The kernels differ in the lane type and the S-boxes; features cannot be
//! generic, so they are written once as a macro. A register of `$words` 64-bit
//! numbers makes 64·`$words` lanes, and a call takes as many blocks:
//!
//! ```text
//!   blocks:  register 8h + l, number w            is block (8h + l)·words + w
//!   planes:  register for bit i of byte b, number w, byte h, bit l
//! ```
//!
//! - **Transposition** exchanges the index *l* with the bit *i* (or the byte *b*)
//!   in eight registers that lie in a row, then *h* with what is left in eight
//!   that lie apart. The second step writes the planes where [FIPS46] IP wants
//!   them: its *j*-th bit is bit 6 − 2⌊*j*/8⌋ of byte 7 − *j* mod 8 for the left
//!   half, one bit above that for the right.
//! - **Rounds** work on two arrays of planes in memory that change roles; IP and
//!   its inverse cancel between the passes of DES-EDE, which leaves an exchange of
//!   the roles.
//! - **Complements.** The binary circuits leave some outputs complemented. Each
//!   half is added to eight times a pass, so the error is there on every second
//!   use of a half and gone at the end; the keys of the rounds 2, 3, 6, 7, … make
//!   up for it.
//! - **Short calls** are padded: a lane costs nothing.

/// What the first step of a transposition exchanges a register's index with.
#[derive(Clone, Copy)]
pub(super) enum Index {
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
    Byte,
    Bit,
}

macro_rules! bitslice {
    (
        $Lanes:ty, $words:literal words $(, $features:literal)?;
        step $inner:ident, $inner_back:ident, $first:ident; exact $exact:literal
    ) => {
        use crate::block::des::bitslice::Index;
        use crate::block::des::{Block, E, P_INVERSE};
        use crate::wipe::wipe;

        /// Blocks in a call.
        const LANES: usize = 64 * $words;
        const WORDS: usize = $words;

        type Half = [$Lanes; 32];
        type Group = [Block; LANES];

        /// Which plane is number `k` of those that the second step makes from
        /// the registers `l`: its byte and its bit.
        const fn place(l: usize, k: usize) -> (usize, usize) {
            match Index::$first {
                Index::Byte => (l, k),
                Index::Bit => (k, l),
            }
        }

        /// Which plane is taken for it on the way back.
        const fn place_back(l: usize, k: usize) -> (usize, usize) {
            match Index::$first {
                Index::Byte => (l, 7 - k),
                Index::Bit => (k, l),
            }
        }

        /// A round's keys: the masks for the inputs of S1, S2, …
        type Masks = [u32; 48];

        /// The round function on all lanes, its result added to `left`.
        /// [FIPS46] "The cipher function f".
        #[inline]
        $(#[target_feature(enable = $features)])?
        fn round(left: &mut Half, right: &Half, keys: &Masks) {
            macro_rules! through {
                ($s:literal $name:ident) => {
                    let mut x = [<$Lanes>::zero(); 6];
                    let mut i = 0;
                    while i < 6 {
                        let key = <$Lanes>::splat_u32(keys[6 * $s + i]);
                        x[i] = right[E[6 * $s + i]].xor(key);
                        i += 1;
                    }
                    let y = $name(x);
                    add::<$s, $exact>(left, y);
                };
            }
            through!(0 s1);
            through!(1 s2);
            through!(2 s3);
            through!(3 s4);
            through!(4 s5);
            through!(5 s6);
            through!(6 s7);
            through!(7 s8);
        }

        /// Adds the outputs of a box to a half; `EXACT` if nothing else makes up
        /// for complements.
        #[inline]
        $(#[target_feature(enable = $features)])?
        fn add<const S: usize, const EXACT: bool>(half: &mut Half, y: [$Lanes; 4]) {
            let mut i = 0;
            while i < 4 {
                let place = &mut half[P_INVERSE[4 * S + i]];
                *place = if EXACT && COMPLEMENTS[S] >> (3 - i) & 1 == 1 {
                    place.xnor(y[i])
                } else {
                    place.xor(y[i])
                };
                i += 1;
            }
        }

        /// All rounds of all passes; the halves that the first round got as left
        /// and right, then what the output has as its right and left half.
        $(#[target_feature(enable = $features)])?
        fn rounds(a: &mut Half, b: &mut Half, passes: &[[Masks; 16]]) {
            let (mut left, mut right) = (a, b);
            for keys in passes {
                let (two, _) = keys.as_chunks::<2>();
                for [first, second] in two {
                    round(left, right, first);
                    round(right, left, second);
                }
                (left, right) = (right, left);
            }
        }

        /// Blocks to planes.
        #[inline]
        $(#[target_feature(enable = $features)])?
        fn slice(blocks: &Group, halves: &mut [Half; 2]) {
            let mut x = [<$Lanes>::zero(); 64];
            let (registers, _) = blocks.as_chunks::<WORDS>();
            let mut h = 0;
            while h < 8 {
                let mut some = [<$Lanes>::zero(); 8];
                let mut l = 0;
                while l < 8 {
                    some[l] = <$Lanes>::load(&registers[8 * h + l]);
                    l += 1;
                }
                $inner(&mut some);
                let mut l = 0;
                while l < 8 {
                    x[8 * h + l] = some[l];
                    l += 1;
                }
                h += 1;
            }
            scatter(&x, halves);
        }

        /// The second step of [`slice`].
        #[inline]
        $(#[target_feature(enable = $features)])?
        fn scatter(x: &[$Lanes; 64], halves: &mut [Half; 2]) {
            let mut l = 0;
            while l < 8 {
                let mut some = [<$Lanes>::zero(); 8];
                let mut h = 0;
                while h < 8 {
                    some[h] = x[8 * h + l];
                    h += 1;
                }
                exchange_bytes(&mut some);
                let mut k = 0;
                while k < 8 {
                    let (byte, bit) = place(l, k);
                    halves[bit % 2][8 * ((7 - bit) / 2) + 7 - byte] = some[k];
                    k += 1;
                }
                l += 1;
            }
        }

        /// Planes to the registers of blocks that [`last_step`] finishes.
        #[inline]
        $(#[target_feature(enable = $features)])?
        fn gather(left: &Half, right: &Half, x: &mut [$Lanes; 64]) {
            let mut l = 0;
            while l < 8 {
                let mut some = [<$Lanes>::zero(); 8];
                let mut k = 0;
                while k < 8 {
                    let (byte, bit) = place_back(l, k);
                    let half = if bit % 2 == 0 { left } else { right };
                    some[k] = half[8 * ((7 - bit) / 2) + 7 - byte];
                    k += 1;
                }
                exchange_bytes(&mut some);
                let mut h = 0;
                while h < 8 {
                    x[8 * h + l] = some[h];
                    h += 1;
                }
                l += 1;
            }
        }

        /// Eight registers of blocks in a row.
        #[inline]
        $(#[target_feature(enable = $features)])?
        fn last_step(x: &[$Lanes; 64], h: usize) -> [$Lanes; 8] {
            let mut some = [<$Lanes>::zero(); 8];
            let mut l = 0;
            while l < 8 {
                some[l] = x[8 * h + l];
                l += 1;
            }
            $inner_back(&mut some);
            some
        }

        /// Exchanges the index of a register with the index of a byte.
        #[inline]
        $(#[target_feature(enable = $features)])?
        fn exchange_bytes(x: &mut [$Lanes; 8]) {
            let mut i = 0;
            while i < 4 {
                (x[i], x[i + 4]) = x[i].exchange::<32>(x[i + 4]);
                i += 1;
            }
            let mut i = 0;
            while i < 4 {
                let at = i / 2 * 4 + i % 2;
                (x[at], x[at + 2]) = x[at].exchange::<16>(x[at + 2]);
                i += 1;
            }
            let mut i = 0;
            while i < 4 {
                (x[2 * i], x[2 * i + 1]) = x[2 * i].exchange::<8>(x[2 * i + 1]);
                i += 1;
            }
        }

        /// Every block by itself.
        $(#[target_feature(enable = $features)])?
        fn each_block(passes: &[[Masks; 16]], blocks: inout::InOutBuf<'_, '_, Block>) {
            let (groups, mut rest) = crate::buffer::chunks(blocks);
            for mut group in groups {
                let mut halves = [[<$Lanes>::zero(); 32]; 2];
                slice(group.get_in(), &mut halves);
                one_group(passes, &mut halves, group.get_out());
            }
            if !rest.is_empty() {
                let n = rest.len();
                let mut group = [[0; 8]; LANES];
                group[..n].copy_from_slice(rest.get_in());
                let mut halves = [[<$Lanes>::zero(); 32]; 2];
                slice(&group, &mut halves);
                one_group(passes, &mut halves, &mut group);
                rest.get_out().copy_from_slice(&group[..n]);
                wipe(&mut group, [0; 8]);
            }
        }

        #[inline]
        $(#[target_feature(enable = $features)])?
        fn one_group(passes: &[[Masks; 16]], halves: &mut [Half; 2], output: &mut Group) {
            let [left, right] = halves;
            rounds(left, right, passes);
            let (left, right) = if passes.len() % 2 == 1 { (right, left) } else { (left, right) };
            let mut x = [<$Lanes>::zero(); 64];
            gather(left, right, &mut x);
            let (registers, _) = output.as_chunks_mut::<WORDS>();
            let mut h = 0;
            while h < 8 {
                let some = last_step(&x, h);
                let mut l = 0;
                while l < 8 {
                    some[l].store(&mut registers[8 * h + l]);
                    l += 1;
                }
                h += 1;
            }
        }
    };
}
pub(super) use bitslice;

/// The steps of lane types without a better one for bits.
macro_rules! bit_steps {
    ($Lanes:ty $(, $features:literal)?) => {
        /// Exchanges the index of a register with the index of a bit.
        #[inline]
        $(#[target_feature(enable = $features)])?
        fn exchange_bits(x: &mut [$Lanes; 8]) {
            let mut i = 0;
            while i < 4 {
                (x[i], x[i + 4]) = x[i].exchange::<4>(x[i + 4]);
                i += 1;
            }
            let mut i = 0;
            while i < 4 {
                let at = i / 2 * 4 + i % 2;
                (x[at], x[at + 2]) = x[at].exchange::<2>(x[at + 2]);
                i += 1;
            }
            let mut i = 0;
            while i < 4 {
                (x[2 * i], x[2 * i + 1]) = x[2 * i].exchange::<1>(x[2 * i + 1]);
                i += 1;
            }
        }
    };
}
pub(super) use bit_steps;
