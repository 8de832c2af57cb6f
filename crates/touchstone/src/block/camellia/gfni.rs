//! The common parts of Camellia's kernels with GFNI: the round on planes, and the keys in the
//! form that the round needs. A plane has the byte at one position of every block
//! ([`planes`](crate::machinery::planes)).
//!
//! The S-boxes s₁ to s₃ begin with the same affine map, and then compute the inverse in the
//! field of AES. The kernels store all planes in the image of this map, so that each of these
//! S-boxes is one instruction. s₄ rotates its input first, and takes two instructions. P
//! consists only of XORs, so P is the same map in the image. FL is a linear map of each byte,
//! and a constant. The linear map depends on the key: it is a product of three matrices. At the
//! start of a call the code computes this product.
//!
//! No instruction only adds a key. Each half is stored XORed with a *mask*. The mask of the
//! half that enters the S-boxes is the round key. Each round replaces the mask of the other
//! half by the key of the next round. So the XOR of two values, the half and F, becomes the XOR
//! of three values, which is still one instruction. FL maps a mask in the same way as it maps
//! the half, and so needs no constant.
//!
//! A round has 10 affine maps and 20 XORs of three values.
#![allow(unsafe_code)]

use super::masks::{self, Place, scheduled, spread};
use super::{FIELD, MAPS, Subkeys};
use crate::cpu::Gfni;
use crate::machinery::field::{Affine, Inversion, inverse, transposed};
use crate::simd::{U8x32, U32x8, U64x4};

/// The S-box s₁, [RFC3713](super) §2.4.1.
pub(super) const S1: Inversion = Inversion::of(&MAPS[0], &MAPS[1], FIELD);

/// The map from bytes to their images under the affine map of s₁, and the inverse map.
pub(super) const BASIS: [u64; 2] = S1.before.basis();

/// Eight times the byte that the linear part of the first map takes to the map's constant. The round
/// keys contain this byte.
pub(super) const BEFORE: u64 = {
    let mut x = 0;
    while S1.before.linear(x) != S1.before.constant as u8 {
        x += 1;
    }
    u64::from_ne_bytes([x; 8])
};

/// The rotation with which the S-box s₄ begins. The rotation takes an image to an image, with
/// the constants of the first map.
pub(super) const FOURTH: Affine = {
    let mut first = [0; 256];
    let mut x = 0;
    while x < 256 {
        first[x] = S1.before.apply(x as u8);
        x += 1;
    }
    let back = inverse(&first);
    let mut turned = [0; 256];
    let mut x = 0;
    while x < 256 {
        turned[x] = first[back[x].rotate_left(1) as usize];
        x += 1;
    }
    Affine::of(&turned)
};

/// The maps after the inversion: of s₁ and s₄, of s₂, and of s₃. The maps of s₂ and s₃ also
/// rotate the output.
pub(super) const AFTER: [Affine; 3] = {
    let mut tables = [[0; 256]; 3];
    let mut x = 0;
    while x < 256 {
        let y = S1.after.apply(x as u8);
        tables[0][x] = S1.before.linear(y);
        tables[1][x] = S1.before.linear(y.rotate_left(1));
        tables[2][x] = S1.before.linear(y.rotate_left(7));
        x += 1;
    }
    [
        Affine::of(&tables[0]),
        Affine::of(&tables[1]),
        Affine::of(&tables[2]),
    ]
};

/// Three maps from bytes to images, which FL needs: a byte shifted left by one bit, the bit
/// that this shift carries into the next higher byte, and the byte itself.
const LAYER: [u64; 3] = {
    let mut tables = [[0; 256]; 3];
    let mut x = 0;
    while x < 256 {
        tables[0][x] = S1.before.linear((x << 1) as u8);
        tables[1][x] = S1.before.linear((x >> 7) as u8);
        tables[2][x] = S1.before.linear(x as u8);
        x += 1;
    }
    [
        Affine::of(&tables[0]).matrix,
        Affine::of(&tables[1]).matrix,
        Affine::of(&tables[2]).matrix,
    ]
};

/// The maps of FL for one half, as matrices. Two matrices lead from each of the four planes of
/// the first word to the second word: the AND with the key, and then [`LAYER`]`[0]` and `[1]`.
/// One matrix leads from each plane of the second word to the first word: the AND with the
/// complement of the key.
type Layer = [[u64; 4]; 3];

/// The keys of one direction for the kernels.
pub(super) type Schedule = masks::Schedule<Layer>;

scheduled!(Gfni);

/// Computes the keys for the kernels with GFNI.
#[target_feature(enable = "avx2,gfni")]
fn fill<const KEY: usize, const BACKWARDS: bool>(keys: &Subkeys, to: &mut Schedule) {
    masks::each::<KEY, BACKWARDS>(keys, [BEFORE; 2], |place, key| match place {
        Place::Round(round) => change(key).store(to.round(round)),
        place => other(place, key, to),
    });
    // SAFETY: `each` names every place.
    unsafe { to.complete::<KEY>() }
}

/// Writes the key for a place that is no [`Place::Round`].
#[inline]
#[target_feature(enable = "avx2,gfni")]
pub(super) fn other(place: Place, key: u64, to: &mut Schedule) {
    match place {
        Place::First(half) => image(key).store(&mut to.first[half]),
        Place::Round(_) => {}
        Place::Layer(group, half) => layer(key, to.layer(group, half, [[0; 4]; 3])),
        Place::Last => image(key).store(&mut to.last),
    }
}

/// Returns the numbers of a [`Mask`].
#[inline]
#[target_feature(enable = "avx2,gfni")]
fn image(key: u64) -> U32x8 {
    let key = U8x32::from(U64x4::splat(key));
    key.shuffle(U8x32::load(&EACH)).affine(BASIS[0]).into()
}

/// Returns the numbers of a change of masks, in the form that [`round`] needs. [`round`] adds
/// the number of each of the last four planes to planes of the first four, too. So the numbers
/// of the first four planes contain these numbers again, which removes them.
#[inline]
#[target_feature(enable = "avx2,gfni")]
fn change(key: u64) -> U32x8 {
    let key = U8x32::from(U64x4::splat(key));
    let each = key.shuffle(U8x32::load(&EACH));
    let again = key.shuffle(U8x32::load(&AGAIN));
    each.xor(again).affine(BASIS[0]).into()
}

/// The indices of the bytes of a key, the highest byte first, four times each.
pub(super) const EACH: [u8; 32] = spread(4, 7);

/// The indices of the bytes 6, 4, 4 and 5 of a key for the first four planes, and of no byte for the
/// other planes.
pub(super) const AGAIN: [u8; 32] = {
    let mut places = [0x80; 32];
    let mut i = 0;
    while i < 16 {
        places[i] = [1, 3, 3, 2][i / 4];
        i += 1;
    }
    places
};

/// Writes the matrices of FL with this key.
#[inline]
#[target_feature(enable = "avx2,gfni")]
fn layer(key: u64, to: &mut Layer) {
    /// The indices of the bytes of the first word and of the second word of the key, eight
    /// times each.
    const SPREAD: [[u8; 32]; 2] = [spread(8, 7), spread(8, 3)];
    /// The inverse map of [`BASIS`], transposed, for a multiplication of a matrix from the
    /// right.
    const BACK: u64 = transposed(BASIS[1]);
    let key = U8x32::from(U64x4::splat(key));
    let first = U64x4::from(key.shuffle(U8x32::load(&SPREAD[0])));
    let second = U64x4::from(key.shuffle(U8x32::load(&SPREAD[1])));
    // An AND with a byte is a diagonal matrix. A product with this matrix keeps only some
    // columns of the matrix on its left.
    let maps = [
        U64x4::splat(LAYER[0]).and(first),
        U64x4::splat(LAYER[1]).and(first),
        U64x4::splat(LAYER[2]).and_not(second),
    ];
    for (map, to) in maps.into_iter().zip(to) {
        U64x4::from(U8x32::from(map).affine(BACK)).store_u64(to);
    }
}

/// XORs F of one half to the other half, [RFC3713](super) §2.4.1, and changes the mask of the
/// other half. Each byte of the output of P is the XOR of two or three of the first four bytes
/// and of three of the last four bytes. The S-box s₄ takes longest, so its output is added
/// last.
macro_rules! round {
    ($from:ident, $change:expr, $to:ident) => {{
        let change = $change;
        let t = [
            s!(1 of $from[0]),
            s!(2 of $from[1]),
            s!(3 of $from[2]),
            s!(4 of $from[3]),
        ];
        let u = [
            s!(2 of $from[4]),
            s!(3 of $from[5]),
            s!(4 of $from[6]),
            s!(1 of $from[7]),
        ];
        let plus = |i: usize| Bytes::from(Lanes::splat(change[i]));
        let pairs = [
            t[0].xor3(t[1], plus(4)),
            t[1].xor3(t[2], plus(5)),
            t[2].xor3(t[3], plus(6)),
            t[3].xor3(t[0], plus(7)),
        ];
        let triples = [
            pairs[2].xor3(t[0], plus(0)),
            pairs[0].xor3(t[3], plus(1)),
            pairs[0].xor3(t[2], plus(2)),
            pairs[1].xor3(t[3], plus(3)),
        ];
        let others = [
            u[1].xor3(u[3], u[2]),
            u[0].xor3(u[3], u[2]),
            u[0].xor3(u[1], u[3]),
            u[0].xor3(u[1], u[2]),
        ];
        for i in 0..4 {
            $to[i] = $to[i].xor3(triples[i], others[i]);
            $to[4 + i] = $to[4 + i].xor3(pairs[i], others[i]);
        }
    }};
}

/// Applies an S-box to a plane.
macro_rules! s {
    (1 of $x:expr) => {
        $x.inverse_affine_plus::<{ AFTER[0].constant }>(AFTER[0].matrix)
    };
    (2 of $x:expr) => {
        $x.inverse_affine_plus::<{ AFTER[1].constant }>(AFTER[1].matrix)
    };
    (3 of $x:expr) => {
        $x.inverse_affine_plus::<{ AFTER[2].constant }>(AFTER[2].matrix)
    };
    (4 of $x:expr) => {
        s!(1 of $x.affine_plus::<{ FOURTH.constant }>(FOURTH.matrix))
    };
}

/// Computes the part of FL that [RFC3713](super) §2.4.2 adds to the second word of a half:
/// (first word AND key), rotated left by one bit.
macro_rules! turned {
    ($x:ident, $layer:expr) => {{
        let layer = $layer;
        for i in 0..4 {
            let next = (i + 1) % 4;
            $x[4 + i] = $x[4 + i].xor3($x[i].affine(layer[0][i]), $x[next].affine(layer[1][next]));
        }
    }};
}

/// XORs (second word OR key) to the first word, as FL of [RFC3713](super) §2.4.2 does. The code
/// needs no constant, because the constants of the half and of its mask cancel.
macro_rules! or {
    ($x:ident, $layer:expr) => {{
        let layer = $layer;
        for i in 0..4 {
            $x[i] = $x[i].xor($x[4 + i].affine(layer[2][i]));
        }
    }};
}

/// Encrypts or decrypts, [RFC3713](super) §2.3.
macro_rules! cipher {
    ($keys:ident, $p:ident) => {{
        let (mut l, mut r) = ([Bytes::zero(); 8], [Bytes::zero(); 8]);
        for i in 0..8 {
            let [kl, kr] = [
                Lanes::splat($keys.first[0][i]),
                Lanes::splat($keys.first[1][i]),
            ];
            l[i] = $p[i].affine(BASIS[0]).xor(Bytes::from(kl));
            r[i] = $p[8 + i].affine(BASIS[0]).xor(Bytes::from(kr));
        }
        for (group, six) in $keys.rounds().as_chunks::<6>().0.iter().enumerate() {
            if group != 0 {
                let [layer, inverse] = &$keys.layers()[group - 1];
                turned!(l, layer);
                or!(l, layer);
                or!(r, inverse);
                turned!(r, inverse);
            }
            for pair in 0..3 {
                let changes = &six[2 * pair..][..2];
                round!(l, &changes[0], r);
                round!(r, &changes[1], l);
            }
        }
        for i in 0..8 {
            let last = Bytes::from(Lanes::splat($keys.last[i]));
            $p[i] = r[i].xor(last).affine(BASIS[1]);
            $p[8 + i] = l[i].affine(BASIS[1]);
        }
    }};
}

pub(super) use {cipher, or, round, s, turned};
