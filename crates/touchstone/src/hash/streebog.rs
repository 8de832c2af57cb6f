//! Streebog, GOST R 34.11-2012, the standard of Russia: digests of 32 and 64 bytes, blocks of
//! 64 bytes.
//!
//! The functions with the two digest lengths differ in the first chaining value. The standard
//! writes numbers with the highest byte first. This implementation reads the lowest byte of a
//! message first, as all programs do.
//!
//! The portable form is **not constant-time**: the message determines which table entries the
//! code reads. `avx512` reads no table.
//!
//! | kernel | needs | messages at once | technique |
//! |---|---|---|---|
//! | `avx512` | AVX-512 and GFNI | 1 | the state in one register |
//! | `portable` | – | 1 | S, P and L in one table of 16 KiB |
//!
//! - [RFC6986] V. Dolmatov, A. Degtyarev: GOST R 34.11-2012: Hash Function, RFC 6986, 2013
//!
//! [RFC6986]: https://www.rfc-editor.org/rfc/rfc6986

use super::iterated::{Compression, Padding, iterated_hashes, one_by_one};
use crate::Digest;
use crate::block::kuznyechik::PI;
#[cfg(target_arch = "x86_64")]
use crate::cpu;
use crate::kernel::kernels;

#[cfg(target_arch = "x86_64")]
mod avx512;

kernels! {
    /// The kernels: implementations of Streebog for different CPU features.
    enum Kernel {
        #[cfg(target_arch = "x86_64")]
        "avx512" = Avx512(cpu::Avx512),
    }
}

/// The compression function of Streebog.
#[derive(Clone)]
pub(crate) struct StreebogCompression;

/// A number of 512 bits, the lowest word first.
type Number = [u64; 8];

/// The state between blocks, [RFC6986] §8.
#[derive(Clone, Copy)]
pub(crate) struct Chain {
    h: Number,
    /// The number N of the standard: the number of bits of the message so far.
    bits: u128,
    /// The number Σ of the standard: the sum of the blocks so far.
    sum: Number,
}

const START_512: Chain = Chain {
    h: [0; 8],
    bits: 0,
    sum: [0; 8],
};
const START_256: Chain = Chain {
    h: [0x0101_0101_0101_0101; 8],
    ..START_512
};

impl Compression for StreebogCompression {
    type Kernel = Kernel;
    type Block = [u8; 64];
    type Chain = Chain;
    const ZERO: Chain = START_512;
    // After the message follows a bit 1, [RFC6986] §8.2, as the lowest bit of its byte.
    const PADDING: Padding = Padding::zeros(1);

    /// Compresses whole blocks, the second stage of [RFC6986] §8.2.
    #[inline]
    fn compress(kernel: Kernel, chain: &mut Chain, blocks: &[[u8; 64]]) {
        for block in blocks {
            let m = number(block);
            g(kernel, &mut chain.h, low(chain.bits), &m);
            chain.bits = chain.bits.wrapping_add(512);
            chain.sum = sum(&chain.sum, &m);
        }
    }

    /// Ends the message, the last stage of [RFC6986] §8.3.
    fn finish(kernel: Kernel, chain: &mut Chain, last: &mut [u8; 64], held: usize, _length: u64) {
        last[held] = Self::PADDING.mark;
        let m = number(last);
        g(kernel, &mut chain.h, low(chain.bits), &m);
        let bits = chain.bits.wrapping_add(8 * held as u128);
        let total = sum(&chain.sum, &m);
        g(kernel, &mut chain.h, [0; 8], &low(bits));
        g(kernel, &mut chain.h, [0; 8], &total);
    }
}

iterated_hashes! {
    StreebogCompression; one_by_one::<StreebogCompression>;
    /// Streebog with a digest of 64 bytes, [RFC6986](self) §8.
    Streebog512 64 START_512, digest_512;
    /// Streebog with a digest of 32 bytes, [RFC6986](self) §8.
    Streebog256 32 START_256, digest_256;
}

fn number(bytes: &[u8; 64]) -> Number {
    let mut words = [0; 8];
    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
        *word = u64::from_le_bytes(*bytes);
    }
    words
}

/// Converts `bits` to a number of 512 bits.
fn low(bits: u128) -> Number {
    [bits as u64, (bits >> 64) as u64, 0, 0, 0, 0, 0, 0]
}

/// Returns the sum of two numbers modulo 2⁵¹².
fn sum(a: &Number, b: &Number) -> Number {
    let mut carry = false;
    let mut sum = [0; 8];
    for i in 0..8 {
        let (word, first) = a[i].overflowing_add(b[i]);
        let (word, second) = word.overflowing_add(u64::from(carry));
        (sum[i], carry) = (word, first | second);
    }
    sum
}

/// Computes the compression function g, [RFC6986] §8.
#[inline]
fn g(kernel: Kernel, h: &mut Number, n: Number, m: &Number) {
    match kernel {
        #[cfg(target_arch = "x86_64")]
        Kernel::Avx512(token) => avx512::g(token, h, n, m),
        Kernel::Portable => g_portable(h, n, m),
    }
}

/// Computes the compression function g, [RFC6986] §7 and §8. The function uses a block cipher
/// of twelve rounds with the key LPS(h ⊕ N). The key schedule is the same round, with constants
/// as keys.
fn g_portable(h: &mut Number, n: Number, m: &Number) {
    let mut key = lps(&xor(h, &n));
    let mut state = xor(m, &key);
    for constant in &C {
        state = lps(&state);
        key = lps(&xor(&key, constant));
        state = xor(&state, &key);
    }
    *h = xor(&xor(h, m), &state);
}

#[inline(always)]
fn xor(a: &Number, b: &Number) -> Number {
    let mut sum = *a;
    for (a, b) in sum.iter_mut().zip(b) {
        *a ^= b;
    }
    sum
}

/// Computes the transformations S, P and L of [RFC6986] §6. P collects byte i of every word in
/// word i.
#[inline(always)]
fn lps(x: &Number) -> Number {
    let mut y = [0; 8];
    for i in 0..8 {
        for j in 0..8 {
            y[i] ^= TABLES[j][(x[j] >> (8 * i) & 255) as usize];
        }
    }
    y
}

/// For each value of byte j of a word, the part of the result of S and L that depends on this
/// byte.
static TABLES: [[u64; 256]; 8] = {
    let mut tables = [[0; 256]; 8];
    let mut j = 0;
    while j < 8 {
        let mut x = 0;
        while x < 256 {
            let s = PI[x];
            let mut bit = 0;
            while bit < 8 {
                if s >> bit & 1 == 1 {
                    tables[j][x] ^= A[63 - 8 * j - bit];
                }
                bit += 1;
            }
            x += 1;
        }
        j += 1;
    }
    tables
};

#[inline]
fn bytes(h: &Number) -> [u8; 64] {
    let mut bytes = [0; 64];
    for (bytes, word) in bytes.as_chunks_mut().0.iter_mut().zip(h) {
        *bytes = word.to_le_bytes();
    }
    bytes
}

#[inline]
fn digest_512(chain: &Chain) -> Digest<64> {
    bytes(&chain.h).into()
}

/// Returns the digest of 32 bytes, [RFC6986] §8.3: the upper half of the chaining value.
#[inline]
fn digest_256(chain: &Chain) -> Digest<32> {
    let [_, upper] = *bytes(&chain.h).as_chunks().0 else {
        unreachable!()
    };
    upper.into()
}

/// The rows of the matrix of L, [RFC6986] §6.4. The row of the highest bit is first.
#[rustfmt::skip]
const A: [u64; 64] = [
    0x8e20faa72ba0b470, 0x47107ddd9b505a38, 0xad08b0e0c3282d1c, 0xd8045870ef14980e,
    0x6c022c38f90a4c07, 0x3601161cf205268d, 0x1b8e0b0e798c13c8, 0x83478b07b2468764,
    0xa011d380818e8f40, 0x5086e740ce47c920, 0x2843fd2067adea10, 0x14aff010bdd87508,
    0x0ad97808d06cb404, 0x05e23c0468365a02, 0x8c711e02341b2d01, 0x46b60f011a83988e,
    0x90dab52a387ae76f, 0x486dd4151c3dfdb9, 0x24b86a840e90f0d2, 0x125c354207487869,
    0x092e94218d243cba, 0x8a174a9ec8121e5d, 0x4585254f64090fa0, 0xaccc9ca9328a8950,
    0x9d4df05d5f661451, 0xc0a878a0a1330aa6, 0x60543c50de970553, 0x302a1e286fc58ca7,
    0x18150f14b9ec46dd, 0x0c84890ad27623e0, 0x0642ca05693b9f70, 0x0321658cba93c138,
    0x86275df09ce8aaa8, 0x439da0784e745554, 0xafc0503c273aa42a, 0xd960281e9d1d5215,
    0xe230140fc0802984, 0x71180a8960409a42, 0xb60c05ca30204d21, 0x5b068c651810a89e,
    0x456c34887a3805b9, 0xac361a443d1c8cd2, 0x561b0d22900e4669, 0x2b838811480723ba,
    0x9bcf4486248d9f5d, 0xc3e9224312c8c1a0, 0xeffa11af0964ee50, 0xf97d86d98a327728,
    0xe4fa2054a80b329c, 0x727d102a548b194e, 0x39b008152acb8227, 0x9258048415eb419d,
    0x492c024284fbaec0, 0xaa16012142f35760, 0x550b8e9e21f7a530, 0xa48b474f9ef5dc18,
    0x70a6a56e2440598e, 0x3853dc371220a247, 0x1ca76e95091051ad, 0x0edd37c48a08a6d8,
    0x07e095624504536c, 0x8d70c431ac02a736, 0xc83862965601dd1b, 0x641c314b2b8ee083,
];

/// The constants of the key schedule, [RFC6986] §6.5, with the lowest word first.
#[rustfmt::skip]
static C: [Number; 12] = [
    [
        0xdd806559f2a64507, 0x05767436cc744d23, 0xa2422a08a460d315, 0x4b7ce09192676901,
        0x714eb88d7585c4fc, 0x2f6a76432e45d016, 0xebcb2f81c0657c1f, 0xb1085bda1ecadae9,
    ],
    [
        0xe679047021b19bb7, 0x55dda21bd7cbcd56, 0x5cb561c2db0aa7ca, 0x9ab5176b12d69958,
        0x61d55e0f16b50131, 0xf3feea720a232b98, 0x4fe39d460f70b5d7, 0x6fa3b58aa99d2f1a,
    ],
    [
        0x991e96f50aba0ab2, 0xc2b6f443867adb31, 0xc1c93a376062db09, 0xd3e20fe490359eb1,
        0xf2ea7514b1297b7b, 0x06f15e5f529c1f8b, 0x0a39fc286a3d8435, 0xf574dcac2bce2fc7,
    ],
    [
        0x220cbebc84e3d12e, 0x3453eaa193e837f1, 0xd8b71333935203be, 0xa9d72c82ed03d675,
        0x9d721cad685e353f, 0x488e857e335c3c7d, 0xf948e1a05d71e4dd, 0xef1fdfb3e81566d2,
    ],
    [
        0x601758fd7c6cfe57, 0x7a56a27ea9ea63f5, 0xdfff00b723271a16, 0xbfcd1747253af5a3,
        0x359e35d7800fffbd, 0x7f151c1f1686104a, 0x9a3f410c6ca92363, 0x4bea6bacad474799,
    ],
    [
        0xfa68407a46647d6e, 0xbf71c57236904f35, 0x0af21f66c2bec6b6, 0xcffaa6b71c9ab7b4,
        0x187f9ab49af08ec6, 0x2d66c4f95142a46c, 0x6fa4c33b7a3039c0, 0xae4faeae1d3ad3d9,
    ],
    [
        0x8886564d3a14d493, 0x3517454ca23c4af3, 0x06476983284a0504, 0x0992abc52d822c37,
        0xd3473e33197a93c9, 0x399ec6c7e6bf87c9, 0x51ac86febf240954, 0xf4c70e16eeaac5ec,
    ],
    [
        0xa47f0dd4bf02e71e, 0x36acc2355951a8d9, 0x69d18d2bd1a5c42f, 0xf4892bcb929b0690,
        0x89b4443b4ddbc49a, 0x4eb7f8719c36de1e, 0x03e7aa020c6e4141, 0x9b1f5b424d93c9a7,
    ],
    [
        0x7261445183235adb, 0x0e38dc92cb1f2a60, 0x7b2b8a9aa6079c54, 0x800a440bdbb2ceb1,
        0x3cd955b7e00d0984, 0x3a7d3a1b25894224, 0x944c9ad8ec165fde, 0x378f5a541631229b,
    ],
    [
        0x74b4c7fb98459ced, 0x3698fad1153bb6c3, 0x7a1e6c303b7652f4, 0x9fe76702af69334b,
        0x1fffe18a1b336103, 0x8941e71cff8a78db, 0x382ae548b2e4f3f3, 0xabbedea680056f52,
    ],
    [
        0x6bcaa4cd81f32d1b, 0xdea2594ac06fd85d, 0xefbacd1d7d476e98, 0x8a1d71efea48b9ca,
        0x2001802114846679, 0xd8fa6bbbebab0761, 0x3002c6cd635afe94, 0x7bcd9ed0efc889fb,
    ],
    [
        0x48bc924af11bd720, 0xfaf417d5d9b21b99, 0xe71da4aa88e12852, 0x5d80ef9d1891cc86,
        0xf82012d430219f9b, 0xcda43c32bcdf1d77, 0xd21380b00449b17a, 0x378ee767f11631ba,
    ],
];
