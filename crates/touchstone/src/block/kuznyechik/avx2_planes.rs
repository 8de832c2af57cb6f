//! Kuznyechik with AVX2, constant-time: 32 blocks at once, byte-sliced
//! ([`planes`](crate::machinery::planes)).
//!
//! The tables of the other form have 64 KiB, twice as much as the nearest cache. This form needs
//! tables of 16 entries only, which are looked up by byte shuffles. In the order of the module, a byte is
//! two nibbles, in coordinates in which the S-box acts on nibbles. The linear map and the keys are
//! converted to these coordinates.
//!
//! The **S-box**, [PERRIN](super) §3, maps αⁱ⁺¹⁷ʲ, where i is not 0, to the sum of a number that depends
//! on i and of one that depends on j. The powers of α¹⁷ are the field of 16 elements. In coordinates x =
//! l + rβ over this field, i depends on l/r, and j on r and l/r. With logarithms, quotients
//! and products are sums modulo 15. The logarithm of zero is a number whose top bit is set, for which
//! a shuffle gives zero. If r is zero, x is in the field of 16 elements, and one more table has π(x).
//! These are 22 operations, nine of them shuffles; a table of 256 entries takes 41.
//!
//! The **inverse S-box** uses the coordinates (i, α¹⁷ʲ) of the output, and computes l and r.
//!
//! A round has 16 · 22 operations for the S-boxes and 16 · 57 for the linear map
//! ([`avx512`](super::avx512)), of which 360 are shuffles. With 3.5 operations a cycle these are 370
//! cycles for 32 blocks, and 104 for the nine rounds of a block.
#![allow(unsafe_code)]

use super::{FACTORS, FIELD, PI, PI_INVERSE, RoundKeys};
use crate::machinery::field::{inverse, power, product};
use crate::machinery::planes::planes;
use crate::simd::U8x16;

/// The modulus of the field in which the S-box is defined.
const OF_PI: u16 = 0x11d;
/// Stands for the logarithm of zero.
const NONE: u8 = 0xa0;

/// A map of 16 entries.
type Row = [u8; 16];
/// A linear map of bytes: the images of the lower nibbles and of the upper nibbles.
type Map = [Row; 2];

/// Everything in the coordinates of one direction.
struct Tables {
    /// Converts a byte to the coordinates, and back.
    to: Map,
    back: Map,
    /// The products by the factors of the first half of [`FACTORS`], and of 251 and 1.
    times: [Map; 8],
    /// The first logarithm is `x[low] + y[high]`. Encryption uses it as an index of `c`, for
    /// the second logarithm `c[first] + z[high]`. In decryption this is `first + z[low]`.
    x: Row,
    y: Row,
    z: Row,
    c: Row,
    /// What the first logarithm and the second one add to the output.
    a: Row,
    b: Row,
    /// What the lower nibble adds to the output if the upper one is `special`.
    d: Row,
    special: Row,
}

/// Returns element `n` of the field of 16 elements, which is a sum of the powers 0 to 3 of α¹⁷.
const fn small(n: usize) -> u8 {
    let (mut sum, mut k) = (0, 0);
    while k < 4 {
        if n >> k & 1 == 1 {
            sum ^= power(2, 17 * k as u32, OF_PI);
        }
        k += 1;
    }
    sum
}

/// Returns the logarithm of an element that is not zero: i and j modulo 15.
const fn logarithm(x: u8) -> (usize, u8) {
    let mut e = 0;
    while power(2, e, OF_PI) != x {
        e += 1;
    }
    (e as usize % 17, ((e / 17) % 15) as u8)
}

/// Fills in the maps from the bytes that coordinates stand for.
const fn with_maps(bytes: &[u8; 256], mut tables: Tables) -> Tables {
    let coordinates = inverse(bytes);
    let mut n = 0;
    while n < 16 {
        let mut half = 0;
        while half < 2 {
            let byte = n << (4 * half);
            tables.to[half][n] = coordinates[byte];
            tables.back[half][n] = bytes[byte];
            let mut f = 0;
            while f < 8 {
                let times = product(bytes[byte], FACTORS[f], FIELD);
                tables.times[f][half][n] = coordinates[times as usize];
                f += 1;
            }
            half += 1;
        }
        n += 1;
    }
    tables
}

const EMPTY: Tables = Tables {
    to: [[0; 16]; 2],
    back: [[0; 16]; 2],
    times: [[[0; 16]; 2]; 8],
    x: [NONE; 16],
    y: [NONE; 16],
    z: [NONE; 16],
    c: [0; 16],
    a: [0; 16],
    b: [0; 16],
    d: [0; 16],
    special: [0x80; 16],
};

/// Encryption: byte = l + rα, with l in the lower nibble.
static FORWARDS: Tables = {
    let mut bytes = [0; 256];
    let mut n = 0;
    while n < 256 {
        bytes[n] = small(n % 16) ^ product(small(n / 16), 2, OF_PI);
        n += 1;
    }
    let mut t = with_maps(&bytes, EMPTY);
    let coordinates = inverse(&bytes);
    let mut n = 0;
    while n < 16 {
        t.d[n] = coordinates[PI[small(n) as usize] as usize];
        if n != 0 {
            let (_, j) = logarithm(small(n));
            t.x[n] = j;
            t.y[n] = (15 - j) % 15;
            t.z[n] = j;
        }
        n += 1;
    }
    t.special[0] = 0;
    let mut j = 0;
    while j < 15 {
        let x = product(2, power(2, 17 * j, OF_PI), OF_PI);
        t.b[j as usize] = coordinates[PI[x as usize] as usize];
        j += 1;
    }
    let mut j = 0;
    while j < 15 {
        let x = power(2, 17 * j, OF_PI) ^ 2;
        t.c[j as usize] = logarithm(x).1;
        t.a[j as usize] = coordinates[PI[x as usize] as usize] ^ t.b[t.c[j as usize] as usize];
        j += 1;
    }
    t
};

/// Decryption: byte = a number of the span of π(αⁱ) ⊕ π(α) + an element of the field of 16, with
/// the latter in the upper nibble.
static BACKWARDS: Tables = {
    // The parts of π(αⁱ⁺¹⁷ʲ) that depend on i: their differences are a linear space, of which
    // `span` has a basis. The constant is π(0), which π takes 0 to.
    const SPAN: [u8; 4] = [0x12, 0x26, 0x24, 0x30];
    let mut bytes = [0; 256];
    let mut n = 0;
    while n < 256 {
        let mut sum = small(n / 16);
        let mut k = 0;
        while k < 4 {
            if n >> k & 1 == 1 {
                sum ^= SPAN[k];
            }
            k += 1;
        }
        bytes[n] = sum;
        n += 1;
    }
    let mut t = with_maps(&bytes, EMPTY);
    let coordinates = inverse(&bytes);
    // The coordinates of the constant.
    let origin = coordinates[PI[0] as usize];
    let (low, high) = (origin % 16, origin / 16);
    t.special[high as usize] = 0;
    let mut n = 0;
    while n < 16 {
        // Upper nibble `high` and any lower one: an element of the field of 16.
        let x = PI_INVERSE[bytes[n | (high as usize) << 4] as usize];
        t.d[n] = coordinates[x as usize];
        // Lower nibble `n`: the number i, as the number 16 − i of [`super::PI`].
        let i = 16 - (n as u8 ^ low) as u32;
        let x = coordinates_of(power(2, i, OF_PI));
        // αⁱ = l + rα, where r is not 0.
        t.x[n] = logarithm(small(x[1] as usize)).1;
        if x[0] != 0 {
            let l = logarithm(small(x[0] as usize)).1;
            t.z[n] = (l + 15 - t.x[n]) % 15;
        }
        // Upper nibble `n`: j.
        if n != high as usize {
            let y = bytes[low as usize | n << 4];
            // This byte is π(α¹⁶⁺¹⁷ʲ).
            let (_, j) = logarithm(PI_INVERSE[y as usize]);
            t.y[n] = j;
        }
        n += 1;
    }
    let mut j = 0;
    while j < 15 {
        let g = power(2, 17 * j, OF_PI);
        t.a[j as usize] = coordinates[product(2, g, OF_PI) as usize];
        t.b[j as usize] = coordinates[g as usize];
        j += 1;
    }
    t
};

/// Returns l and r, where a byte is l + rα.
const fn coordinates_of(x: u8) -> [u8; 2] {
    let mut n = 0;
    while small(n % 16) ^ product(small(n / 16), 2, OF_PI) != x {
        n += 1;
    }
    [(n % 16) as u8, (n / 16) as u8]
}

/// Looks nibbles or logarithms up. An index whose top bit is set gives zero.
#[inline]
#[target_feature(enable = "avx2")]
fn find(row: &Row, places: Bytes) -> Bytes {
    Bytes::splat(U8x16::load(row)).shuffle(places)
}

/// Computes the S-box, or the inverse S-box, of one plane.
#[inline]
#[target_feature(enable = "avx2")]
fn substitute<const BACK: bool>(t: &Tables, bytes: Bytes) -> Bytes {
    let [low, high] = bytes.nibbles();
    let first = find(&t.x, low).sum_modulo_15(find(&t.y, high));
    let second = if BACK {
        first.sum_modulo_15(find(&t.z, low))
    } else {
        find(&t.c, first).sum_modulo_15(find(&t.z, high))
    };
    let special = find(&t.d, low.xor(find(&t.special, high)));
    find(&t.a, first).xor(find(&t.b, second)).xor(special)
}

/// Computes the S-box, or the inverse S-box, of bytes in their own coordinates.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn s_box<const BACK: bool>(bytes: Bytes) -> Bytes {
    let t = if BACK { &BACKWARDS } else { &FORWARDS };
    substitute::<BACK>(t, bytes.mapped(&t.to)).mapped(&t.back)
}

/// Computes the steps of the shift register with these numbers, in this order, as
/// [`avx512`](super::avx512) does.
macro_rules! turns {
    ($t:ident, $x:ident: $($turn:literal)*) => {$({
        const fn at(i: usize) -> usize {
            (i + 16 - $turn) % 16
        }
        let a = $x[at(5)].xor($x[at(9)]).mapped(&$t.times[5]);
        let b = $x[at(4)].xor($x[at(10)]).mapped(&$t.times[4]);
        let c = $x[at(3)].xor($x[at(11)]).mapped(&$t.times[3]);
        let d = $x[at(2)].xor($x[at(12)]).mapped(&$t.times[2]);
        let e = $x[at(1)].xor($x[at(13)]).mapped(&$t.times[1]);
        let f = $x[at(0)].xor($x[at(14)]).mapped(&$t.times[0]);
        let g = $x[at(7)].mapped(&$t.times[7]);
        let ones = $x[at(15)].xor($x[at(6)]).xor($x[at(8)]);
        $x[at(15)] = ones.xor(a.xor(b)).xor(c.xor(d).xor(e.xor(g))).xor(f);
    })*};
}

/// Adds a key to planes.
#[inline]
#[target_feature(enable = "avx2")]
fn add(t: &Tables, p: &mut [Bytes; 16], key: u128) {
    let mut bytes = [0; 16];
    U8x16::from_u128(key).mapped(&t.to).store(&mut bytes);
    for i in 0..16 {
        p[i] = p[i].xor(Bytes::splat_u8(bytes[i]));
    }
    wipe(&mut bytes, 0);
}

/// Maps all bytes. (The compiler does not always inline `map` of arrays, whose code has no AVX2 then.)
#[inline]
#[target_feature(enable = "avx2")]
fn map(map: &Map, p: &mut [Bytes; 16]) {
    for plane in p {
        *plane = plane.mapped(map);
    }
}

planes!(
    bytes: RoundKeys, from 24 blocks,
    forwards |keys, p| {
        let t = &FORWARDS;
        map(&t.to, &mut p);
        add(t, &mut p, keys[0]);
        for &key in &keys[1..] {
            for i in 0..16 {
                p[i] = substitute::<false>(t, p[i]);
            }
            turns!(t, p: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
            add(t, &mut p, key);
        }
        map(&t.back, &mut p);
    }
    backwards |keys, p| {
        let t = &BACKWARDS;
        map(&t.to, &mut p);
        for &key in keys[1..].iter().rev() {
            turns!(t, p: 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0);
            add(t, &mut p, key);
            for i in 0..16 {
                p[i] = substitute::<true>(t, p[i]);
            }
        }
        add(t, &mut p, keys[0]);
        map(&t.back, &mut p);
    }
);
