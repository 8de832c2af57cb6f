//! The common parts of ARIA's kernels with GFNI: the rounds on planes, and the keys in the form
//! that the rounds need. A plane has the byte at one position of every block
//! ([`planes`](crate::machinery::planes)).
//!
//! Each of S₁ and S₂ is one instruction, which computes the inverse in the field of AES and
//! applies an affine map. The inverse S-boxes need another affine map before this instruction.
//! Each of the three linear steps of the diffusion layer is an XOR of three values for each
//! byte.
//!
//! A round has 24 affine maps, 16 XORs with keys and 48 XORs of three values.
#![allow(unsafe_code)]

use super::{FIELD, INVERSE_MAPS, MAPS, State};
use crate::cpu::Gfni;
use crate::machinery::field::{IDENTITY, Inversion};
use crate::simd::{U8x32, U32x8, U64x4};
use crate::wipe::wipe;

/// The round keys of one direction. Each byte fills a number of 32 bits, because an XOR can
/// broadcast such a number to a plane. The broadcast of a single byte would take an instruction
/// of its own.
pub(super) struct Schedule {
    keys: [[u32; 16]; 17],
    used: usize,
}

impl Schedule {
    /// Calls `work` with a schedule. A function that returned the schedule would copy it, and
    /// the copy would not be wiped. The function is not inlined, so that a message too short for
    /// the kernels does not have the schedule in its frame, which is overwritten after each call.
    #[inline(never)]
    pub(super) fn with(_: impl Into<Gfni>, keys: &[State], work: impl FnOnce(&Self)) {
        let mut this = Self {
            keys: [[0; 16]; 17],
            used: keys.len(),
        };
        // SAFETY: the token proves the features.
        unsafe { spread(keys, &mut this.keys) }
        work(&this);
    }

    #[inline(always)]
    pub(super) fn rounds(&self) -> &[[u32; 16]] {
        &self.keys[..self.used]
    }
}

impl Drop for Schedule {
    fn drop(&mut self) {
        wipe(&mut self.keys[..self.used], [0; 16]);
    }
}

#[target_feature(enable = "avx2,gfni")]
fn spread(keys: &[State], to: &mut [[u32; 16]; 17]) {
    /// The indices of the bytes of two words, each index four times, the highest byte of a word
    /// first.
    const EACH: [u8; 32] = {
        let mut places = [0; 32];
        let mut i = 0;
        while i < 32 {
            let (word, byte) = (i / 16, i / 4 % 4);
            places[i] = (4 * word + 3 - byte) as u8;
            i += 1;
        }
        places
    };
    for (to, key) in to.iter_mut().zip(keys) {
        let [a, b, c, d] = key.map(u64::from);
        let (halves, _) = to.as_chunks_mut::<8>();
        for (to, pair) in halves.iter_mut().zip([a | b << 32, c | d << 32]) {
            let pair = U8x32::from(U64x4::splat(pair));
            U32x8::from(pair.shuffle(U8x32::load(&EACH))).store(to);
        }
    }
}

/// The S-boxes S₁ and S₂ and their inverses, [ARIA](super) §2.2.
pub(super) const S: [Inversion; 4] = [
    Inversion::of(&IDENTITY, &MAPS[0], FIELD),
    Inversion::of(&IDENTITY, &MAPS[1], FIELD),
    Inversion::of(&INVERSE_MAPS[0], &IDENTITY, FIELD),
    Inversion::of(&INVERSE_MAPS[1], &IDENTITY, FIELD),
];

/// Applies S₁ or S₂, which begin with the inversion.
macro_rules! forward {
    ($number:literal, $x:expr) => {
        $x.inverse_affine_plus::<{ S[$number].after.constant }>(S[$number].after.matrix)
    };
}

/// Applies the inverse of S₁ or S₂, which ends with the inversion.
macro_rules! backward {
    ($number:literal, $x:expr) => {
        $x.affine_plus::<{ S[$number].before.constant }>(S[$number].before.matrix)
            .inverse_affine_plus::<0>(S[$number].after.matrix)
    };
}

/// Adds the key, and then applies the S-boxes to all bytes. In an odd round the S-boxes are S₁,
/// S₂ and their inverses. In an even round the inverses are first.
macro_rules! substitute {
    (odd: $p:ident, $key:expr) => {
        for (x, key) in $p
            .as_chunks_mut::<4>()
            .0
            .iter_mut()
            .zip($key.as_chunks::<4>().0)
        {
            let key = |i: usize| Bytes::from(Lanes::splat(key[i]));
            x[0] = forward!(0, x[0].xor(key(0)));
            x[1] = forward!(1, x[1].xor(key(1)));
            x[2] = backward!(2, x[2].xor(key(2)));
            x[3] = backward!(3, x[3].xor(key(3)));
        }
    };
    (even: $p:ident, $key:expr) => {
        for (x, key) in $p
            .as_chunks_mut::<4>()
            .0
            .iter_mut()
            .zip($key.as_chunks::<4>().0)
        {
            let key = |i: usize| Bytes::from(Lanes::splat(key[i]));
            x[0] = backward!(2, x[0].xor(key(0)));
            x[1] = backward!(3, x[1].xor(key(1)));
            x[2] = forward!(0, x[2].xor(key(2)));
            x[3] = forward!(1, x[3].xor(key(3)));
        }
    };
}

/// Computes the diffusion layer A in the steps that [`sum_of_others`](super::sum_of_others)
/// describes.
macro_rules! diffuse {
    ($p:ident) => {{
        let mut sums = $p;
        for w in 0..4 {
            for i in 0..4 {
                let other = |n: usize| $p[4 * w + (i + n) % 4];
                sums[4 * w + i] = other(1).xor3(other(2), other(3));
            }
        }
        let mut words = sums;
        for i in 0..4 {
            for w in 0..4 {
                let other = |n: usize| sums[4 * ((w + n) % 4) + i];
                words[4 * w + i] = other(1).xor3(other(2), other(3));
            }
        }
        /// Byte `i` of word `w` comes from byte `i` ⊕ `FROM[w]`.
        const FROM: [usize; 4] = [3, 1, 2, 0];
        for i in 0..4 {
            for w in 0..4 {
                let other = |n: usize| {
                    let w = (w + n) % 4;
                    words[4 * w + (i ^ FROM[w])]
                };
                $p[4 * w + i] = other(1).xor3(other(2), other(3));
            }
        }
    }};
}

/// Encrypts blocks, or decrypts blocks with the keys of decryption, [RFC5794](super) §2.3.
macro_rules! cipher {
    ($keys:ident, $p:ident) => {{
        let keys = $keys.rounds();
        let last = keys.len() - 1;
        for pair in 0..last / 2 {
            substitute!(odd: $p, keys[2 * pair]);
            diffuse!($p);
            substitute!(even: $p, keys[2 * pair + 1]);
            if pair + 1 < last / 2 {
                diffuse!($p);
            }
        }
        for i in 0..16 {
            $p[i] = $p[i].xor(Bytes::from(Lanes::splat(keys[last][i])));
        }
    }};
}

pub(super) use {backward, cipher, diffuse, forward, substitute};
