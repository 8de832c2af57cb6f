//! IDEA with AVX-512: 128 blocks at once, with four registers for each word of a block, or 64
//! or 32 blocks with fewer registers.
//!
//! Compilers do not find the instruction for the upper halves of 16-bit products, so the
//! multiplication is written with intrinsics. It takes seven instructions. A round has four
//! products and ten other instructions for each register of 32 blocks. The predicted time of a
//! round is 76 cycles for 128 blocks if two instructions start in a cycle. The chain of
//! dependent instructions in a round contains three products and takes some 50 cycles, so fewer
//! than 64 blocks take as long as 64.
#![allow(unsafe_code)]

use super::{Block, Keys, portable};
use crate::InOutBuf;
use crate::buffer;
use crate::cpu::Avx512;
use crate::simd::U16x32;
use crate::wipe::wipe;
use inout::InOut;

/// The number of blocks in a register. A register has one word of each block.
const LANES: usize = 32;

/// The smallest number of blocks for which this kernel is faster than the portable form.
const LEAST: usize = 3;

/// One word of each of `N` × 32 blocks.
type Word<const N: usize> = [U16x32; N];

/// A factor of a multiplication modulo 2^16 + 1, in every lane.
#[derive(Clone, Copy)]
struct Factor {
    key: U16x32,
    /// The number 1 − key. If the key or the other factor x is 0, which stands for 2^16 = −1,
    /// the product is the 16-bit number 1 − key − x.
    instead: U16x32,
    /// A mask: zero if the key is 0, or else all ones. In the lanes in which x AND this mask is
    /// zero, the product is 1 − key − x.
    usual: U16x32,
}

impl Factor {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
    fn new(key: u16) -> Self {
        Self {
            key: U16x32::splat(key),
            instead: U16x32::splat(1u16.wrapping_sub(key)),
            usual: U16x32::splat(u16::from(key != 0).wrapping_neg()),
        }
    }

    /// Returns the product modulo 2^16 + 1, as [`times`](super::times) computes it.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
    fn times(self, x: U16x32) -> U16x32 {
        x.folded_product(self.key)
            .or_difference(self.instead, x, self.usual)
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
fn multiply<const N: usize>(x: &mut Word<N>, key: u16) {
    let factor = Factor::new(key);
    for n in 0..N {
        x[n] = factor.times(x[n]);
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
fn add<const N: usize>(x: &mut Word<N>, key: u16) {
    let key = U16x32::splat(key);
    for n in 0..N {
        x[n] = x[n].add(key);
    }
}

/// Encrypts or decrypts `N` × 32 blocks, [IDEA](super) figure 3.1.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
fn groups<const N: usize>(keys: &Keys, mut blocks: InOut<'_, '_, [[Block; LANES]; N]>) {
    let [mut a, mut b, mut c, mut d] = [[U16x32::splat(0); N]; 4];
    for n in 0..N {
        [a[n], b[n], c[n], d[n]] = U16x32::part4(&blocks.get_in()[n]);
    }
    let (rounds, last) = keys.as_chunks::<6>();
    for z in rounds {
        multiply(&mut a, z[0]);
        add(&mut b, z[1]);
        add(&mut c, z[2]);
        multiply(&mut d, z[3]);
        let (mut p, mut q) = (a, b);
        for n in 0..N {
            p[n] = a[n].xor(c[n]);
            q[n] = b[n].xor(d[n]);
        }
        multiply(&mut p, z[4]);
        for n in 0..N {
            q[n] = q[n].add(p[n]);
        }
        multiply(&mut q, z[5]);
        for n in 0..N {
            p[n] = p[n].add(q[n]);
            a[n] = a[n].xor(q[n]);
            d[n] = d[n].xor(p[n]);
            (b[n], c[n]) = (c[n].xor(q[n]), b[n].xor(p[n]));
        }
    }
    multiply(&mut a, last[0]);
    add(&mut c, last[1]);
    add(&mut b, last[2]);
    multiply(&mut d, last[3]);
    for n in 0..N {
        U16x32::join4([a[n], c[n], b[n], d[n]], &mut blocks.get_out()[n]);
    }
}

/// Encrypts or decrypts fewer than 32 blocks.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
fn filled(keys: &Keys, mut blocks: InOutBuf<'_, '_, Block>) {
    let mut copy = [[[0; 8]; LANES]];
    let n = blocks.len();
    copy[0][..n].copy_from_slice(blocks.get_in());
    groups::<1>(keys, InOut::from(&mut copy));
    blocks.get_out().copy_from_slice(&copy[0][..n]);
    wipe(&mut copy, [[0; 8]; LANES]);
}

pub(super) fn cipher(_: Avx512, keys: &Keys, blocks: InOutBuf<'_, '_, Block>) {
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
    fn all(keys: &Keys, blocks: InOutBuf<'_, '_, Block>) {
        let (registers, rest) = buffer::chunks::<_, LANES>(blocks);
        let (fours, registers) = buffer::chunks::<_, 4>(registers);
        for four in fours {
            groups::<4>(keys, four);
        }
        let (twos, registers) = buffer::chunks::<_, 2>(registers);
        for two in twos {
            groups::<2>(keys, two);
        }
        let (ones, _) = buffer::chunks::<_, 1>(registers);
        for one in ones {
            groups::<1>(keys, one);
        }
        if rest.len() < LEAST {
            portable(keys, rest);
        } else {
            filled(keys, rest);
        }
    }
    if blocks.len() < LEAST {
        return portable(keys, blocks);
    }
    // SAFETY: the token proves the features.
    unsafe { all(keys, blocks) }
}
