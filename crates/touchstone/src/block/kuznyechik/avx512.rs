//! Kuznyechik with AVX-512 and GFNI, constant-time: 64 blocks at once, byte-sliced
//! ([`planes`](crate::machinery::planes)).
//!
//! The map L is sixteen steps of a shift register. With planes no byte is shifted. A step
//! replaces one plane, which has the byte that leaves the shift register, by the sum of all
//! planes, each multiplied by its factor. The next step uses other names for the planes. The
//! factors are symmetric, so planes with equal factors are added before they are multiplied. A
//! step then takes 7 affine maps and 11 XORs. The plane that leaves the shift register has the
//! factor 1, so each step is its own inverse, and L⁻¹ is the steps in reverse order.
//!
//! A round has 112 affine maps, 176 XORs, 16 XORs with keys, and 16 lookups of 7 instructions
//! or more. The predicted time is 210 cycles for 64 blocks if two instructions start in a
//! cycle. The measured time, which includes loads, stores and conversions, is a quarter more.
//! The tables of the other kernels take 16 loads for each block, and instructions that compute
//! the addresses of these loads.
#![allow(unsafe_code)]

use super::{FACTORS, FIELD, PI, PI_INVERSE, RoundKeys};
use crate::machinery::field::Affine;
use crate::machinery::planes::planes;

/// The affine maps that multiply by the factors of the first half, and by 251 and 1. The
/// factors of the second half are the same in reverse order.
const TIMES: [u64; 8] = {
    let mut times = [0; 8];
    let mut i = 0;
    while i < 8 {
        assert!(i == 7 || FACTORS[i] == FACTORS[14 - i]);
        times[i] = Affine::product(FACTORS[i], FIELD).matrix;
        i += 1;
    }
    assert!(FACTORS[6] == 1 && FACTORS[8] == 1 && FACTORS[15] == 1);
    times
};

/// Computes the steps of the shift register with these numbers, in this order. In step `t`,
/// byte `i` of a block is in plane `i − t`.
macro_rules! turns {
    ($x:ident: $($t:literal)*) => {$({
        const fn at(i: usize) -> usize {
            (i + 16 - $t) % 16
        }
        let a = $x[at(5)].xor($x[at(9)]).affine(TIMES[5]);
        let b = $x[at(4)].xor($x[at(10)]).affine(TIMES[4]);
        let c = $x[at(3)].xor($x[at(11)]).affine(TIMES[3]);
        let d = $x[at(2)].xor($x[at(12)]).affine(TIMES[2]);
        let e = $x[at(1)].xor($x[at(13)]).affine(TIMES[1]);
        let f = $x[at(0)].xor($x[at(14)]).affine(TIMES[0]);
        let g = $x[at(7)].affine(TIMES[7]);
        let ones = $x[at(15)].xor3($x[at(6)], $x[at(8)]);
        $x[at(15)] = ones.xor3(a, b).xor3(c, d).xor3(e, g).xor(f);
    })*};
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn add(p: &mut [Bytes; 16], key: u128) {
    let bytes = key.to_le_bytes();
    for i in 0..16 {
        p[i] = p[i].xor(Bytes::splat_u8(bytes[i]));
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn substitute(p: &mut [Bytes; 16], s: &[u8; 256]) {
    for i in 0..16 {
        p[i] = p[i].lookup(s);
    }
}

planes!(
    whole: RoundKeys, from 9 blocks,
    forwards |keys, p| {
        add(&mut p, keys[0]);
        for &key in &keys[1..] {
            substitute(&mut p, &PI);
            turns!(p: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
            add(&mut p, key);
        }
    }
    backwards |keys, p| {
        for &key in keys[1..].iter().rev() {
            turns!(p: 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0);
            add(&mut p, key);
            substitute(&mut p, &PI_INVERSE);
        }
        add(&mut p, keys[0]);
    }
);
