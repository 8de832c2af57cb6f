//! Camellia with AVX-512 and GFNI: 64 blocks, byte-sliced
//! ([`planes`](crate::machinery::planes)), in constant time.
//!
//! Each S-box takes two instructions, which compute in AES's field. The affine maps before and
//! after the inversion also contain the rotations of s₂, s₃ and s₄. A round has 16 affine maps, 8
//! XORs with keys and 21 other XORs: the prediction is 23 cycles for 64 blocks if two instructions
//! start in a cycle.
#![allow(unsafe_code)]

use super::{FIELD, MAPS};
use crate::machinery::field::{Affine, Inversion};
use crate::machinery::planes::planes;

/// s₁ to s₄, [RFC3713](super) §2.4.1.
const S: [Inversion; 4] = {
    let [before, after] = MAPS;
    let (mut before_4, mut after_2, mut after_3) = ([0; 256], [0; 256], [0; 256]);
    let mut x = 0;
    while x < 256 {
        before_4[x] = before[(x as u8).rotate_left(1) as usize];
        after_2[x] = after[x].rotate_left(1);
        after_3[x] = after[x].rotate_left(7);
        x += 1;
    }
    [
        Inversion::of(&before, &after, FIELD),
        Inversion::of(&before, &after_2, FIELD),
        Inversion::of(&before, &after_3, FIELD),
        Inversion::of(&before_4, &after, FIELD),
    ]
};

/// Two maps of a byte: its value shifted left by one bit, and the bit that this carries
/// into the byte above.
const TURN: [u64; 2] = {
    let mut tables = [[0; 256]; 2];
    let mut x = 0;
    while x < 256 {
        tables[0][x] = (x << 1) as u8;
        tables[1][x] = (x >> 7) as u8;
        x += 1;
    }
    [Affine::of(&tables[0]).matrix, Affine::of(&tables[1]).matrix]
};

/// An S-box. The macro first XORs the key to the input.
macro_rules! s {
    ($number:literal of $x:expr, $key:expr) => {
        $x.xor(Bytes::splat_u8($key))
            .affine_plus::<{ S[$number - 1].before.constant }>(S[$number - 1].before.matrix)
            .inverse_affine_plus::<{ S[$number - 1].after.constant }>(S[$number - 1].after.matrix)
    };
}

/// XORs F of one half to the other half, [RFC3713](super) §2.4.1. Each byte of P's output
/// is the XOR of all eight bytes or of the last four, and of two or three single bytes.
macro_rules! round {
    ($from:ident, $key:expr, $to:ident) => {{
        let k = $key.to_be_bytes();
        let t = [
            s!(1 of $from[0], k[0]),
            s!(2 of $from[1], k[1]),
            s!(3 of $from[2], k[2]),
            s!(4 of $from[3], k[3]),
        ];
        let u = [
            s!(2 of $from[4], k[4]),
            s!(3 of $from[5], k[5]),
            s!(4 of $from[6], k[6]),
            s!(1 of $from[7], k[7]),
        ];
        let low = u[0].xor3(u[1], u[2]).xor(u[3]);
        let all = t[0].xor3(t[1], t[2]).xor3(t[3], low);
        for i in 0..4 {
            let next = t[(i + 1) % 4];
            $to[i] = $to[i].xor3(all, u[i]).xor(next);
            $to[4 + i] = $to[4 + i].xor3(low, u[i]).xor3(t[i], next);
        }
    }};
}

/// The part of FL that [RFC3713](super) §2.4.2 adds to the second word of a half: (first
/// word ∧ key), rotated left by one bit.
macro_rules! turned {
    ($x:ident, $key:expr) => {{
        /// a AND b.
        const AND: i32 = 0xc0;
        let mut sums = [Bytes::zero(); 4];
        for i in 0..4 {
            let key = Bytes::splat_u8($key[i]);
            sums[i] = $x[i].ternary::<AND>(key, key);
        }
        for i in 0..4 {
            let next = sums[(i + 1) % 4].affine(TURN[1]);
            $x[4 + i] = $x[4 + i].xor3(sums[i].affine(TURN[0]), next);
        }
    }};
}

/// XORs (second word ∨ key) to the first word, as in FL of [RFC3713](super) §2.4.2.
macro_rules! or {
    ($x:ident, $key:expr) => {{
        /// a XOR (b OR c).
        const XOR_OR: i32 = 0x1e;
        for i in 0..4 {
            $x[i] = $x[i].ternary::<XOR_OR>($x[4 + i], Bytes::splat_u8($key[4 + i]));
        }
    }};
}

/// Encrypts with this order of subkeys, [RFC3713](super) §2.3. `$last` is the index of
/// the last subkey.
macro_rules! cipher {
    ($p:ident, $last:ident = $length:expr, |$i:ident| $key:expr) => {{
        let $last = $length - 1;
        let key = |$i: usize| -> u64 { $key };
        let (mut l, mut r) = ([Bytes::zero(); 8], [Bytes::zero(); 8]);
        let (kl, kr) = (key(0).to_be_bytes(), key(1).to_be_bytes());
        for i in 0..8 {
            l[i] = $p[i].xor(Bytes::splat_u8(kl[i]));
            r[i] = $p[8 + i].xor(Bytes::splat_u8(kr[i]));
        }
        for group in 0..$last / 8 {
            let first = 8 * group + 2;
            if group != 0 {
                let (kl, kr) = (key(first - 2).to_be_bytes(), key(first - 1).to_be_bytes());
                turned!(l, kl);
                or!(l, kl);
                or!(r, kr);
                turned!(r, kr);
            }
            for pair in 0..3 {
                round!(l, key(first + 2 * pair), r);
                round!(r, key(first + 2 * pair + 1), l);
            }
        }
        let (kl, kr) = (key($last - 1).to_be_bytes(), key($last).to_be_bytes());
        for i in 0..8 {
            $p[i] = r[i].xor(Bytes::splat_u8(kr[i]));
            $p[8 + i] = l[i].xor(Bytes::splat_u8(kl[i]));
        }
    }};
}

planes!(
    [u64], from 5 blocks,
    forwards |keys, p| { cipher!(p, last = keys.len(), |i| keys[i]); }
    backwards |keys, p| { cipher!(p, last = keys.len(), |i| keys[last - i]); }
);
