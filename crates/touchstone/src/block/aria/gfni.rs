//! The common parts of ARIA's kernels: the rounds on planes, and the keys in the form that the rounds
//! need. A plane has the byte at one position of every block ([`planes`](crate::machinery::planes)). The
//! S-boxes here are those with GFNI.
//!
//! Each of S₁ and S₂ is one instruction, which computes the inverse in the field of AES and
//! applies an affine map. The inverse S-boxes need another affine map before this instruction.
//! Each of the three linear steps of the diffusion layer is an XOR of three values for each
//! byte, or six XORs of two for each four bytes.
//!
//! A round has 24 affine maps, 16 XORs with keys and 48 XORs of three values, or 72 of two.
#![allow(unsafe_code)]

use core::mem::MaybeUninit;
use core::slice;

use super::{FIELD, INVERSE_MAPS, MAPS, State};
use crate::cpu::Avx2;
use crate::machinery::field::{IDENTITY, Inversion};
use crate::simd::{U8x32, U32x8, U64x4};
use crate::wipe::wipe;

/// The round keys of one direction. Each byte fills a number of 32 bits, because an XOR can
/// broadcast such a number to a plane. The broadcast of a single byte would take an instruction
/// of its own.
pub(super) struct Schedule {
    keys: [MaybeUninit<[u32; 16]>; 17],
    /// The number of keys that are there.
    used: usize,
}

/// A form of the keys that kernels take.
pub(super) trait Keys {
    /// Calls `work` with the keys in this form. A function that returned them would copy them, and
    /// the copy would not be wiped. The function is not inlined, so that a message too short for the
    /// kernels does not have their frame, which is overwritten after each call.
    fn with(token: impl Into<Avx2>, keys: &[State], work: impl FnOnce(&Self));
}

impl Keys for [State] {
    #[inline(never)]
    fn with(_: impl Into<Avx2>, keys: &[State], work: impl FnOnce(&Self)) {
        work(keys);
    }
}

impl Keys for Schedule {
    #[inline(never)]
    fn with(_: impl Into<Avx2>, keys: &[State], work: impl FnOnce(&Self)) {
        let mut this = Self {
            keys: [MaybeUninit::uninit(); 17],
            used: 0,
        };
        // SAFETY: the token proves the features.
        unsafe { spread(keys, &mut this) }
        work(&this);
    }
}

impl Schedule {
    #[inline(always)]
    pub(super) fn rounds(&self) -> &[[u32; 16]] {
        // SAFETY: `spread` has written these keys.
        unsafe { slice::from_raw_parts(self.keys.as_ptr().cast(), self.used) }
    }
}

impl Drop for Schedule {
    fn drop(&mut self) {
        wipe(&mut self.keys[..self.used], MaybeUninit::new([0; 16]));
    }
}

#[target_feature(enable = "avx2")]
fn spread(keys: &[State], schedule: &mut Schedule) {
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
    for (to, key) in schedule.keys.iter_mut().zip(keys) {
        let to = to.write([0; 16]);
        let [a, b, c, d] = key.map(u64::from);
        let (halves, _) = to.as_chunks_mut::<8>();
        for (to, pair) in halves.iter_mut().zip([a | b << 32, c | d << 32]) {
            let pair = U8x32::from(U64x4::splat(pair));
            U32x8::from(pair.shuffle(U8x32::load(&EACH))).store(to);
        }
    }
    schedule.used = keys.len();
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
    (odd: $p:ident, $key:expr, $diffuse:expr) => {
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
            if $diffuse {
                *x = others!(*x);
            }
        }
    };
    (even: $p:ident, $key:expr, $diffuse:expr) => {
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
            if $diffuse {
                *x = others!(*x);
            }
        }
    };
}

/// Returns, for each of four planes, the XOR of the others: one instruction each with AVX-512.
macro_rules! others {
    ($four:expr) => {{
        let [a, b, c, d] = $four;
        [b.xor3(c, d), c.xor3(d, a), d.xor3(a, b), a.xor3(b, c)]
    }};
}

/// Returns the same as [`others`], by six XORs of two planes, for kernels without an XOR of three.
macro_rules! others_by_pairs {
    ($four:expr) => {{
        let [a, b, c, d] = $four;
        let (first, last) = (a.xor(b), c.xor(d));
        [b.xor(last), a.xor(last), d.xor(first), c.xor(first)]
    }};
}

/// Computes the diffusion layer A in the steps that [`sum_of_others`](super::sum_of_others)
/// describes.
macro_rules! diffuse {
    ($p:ident) => {{
        let sums = $p;
        for i in 0..4 {
            let words = others!([sums[i], sums[4 + i], sums[8 + i], sums[12 + i]]);
            for w in 0..4 {
                $p[4 * w + i] = words[w];
            }
        }
        let sums = $p;
        for i in 0..4 {
            // Byte `i` of words 0 to 3 comes from these bytes.
            let from = [i ^ 3, 4 + (i ^ 1), 8 + (i ^ 2), 12 + i];
            let words = others!(from.map(|from| sums[from]));
            for w in 0..4 {
                $p[4 * w + i] = words[w];
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
            substitute!(odd: $p, keys[2 * pair], true);
            diffuse!($p);
            if pair + 1 == last / 2 {
                break;
            }
            substitute!(even: $p, keys[2 * pair + 1], true);
            diffuse!($p);
        }
        substitute!(even: $p, keys[last - 1], false);
        for i in 0..16 {
            $p[i] = $p[i].xor(Bytes::from(Lanes::splat(keys[last][i])));
        }
    }};
}

pub(super) use {backward, cipher, diffuse, forward, others, others_by_pairs, substitute};
