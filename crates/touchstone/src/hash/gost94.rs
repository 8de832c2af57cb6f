//! GOST R 34.11-94, the standard of Russia until 2012: digests of 32 bytes, blocks of 32 bytes.
//! **Outdated**: [MPRKS] finds collisions with 2¹⁰⁵ compressions.
//!
//! The standard does not fix the S-boxes of its cipher, GOST 28147-89. [`Gost94`] uses the
//! S-boxes of the standard's examples. [`Gost94CryptoPro`] uses the S-boxes that programs use.
//! Numbers have their lowest byte first, as in [RFC5831] §7.3 and in all programs.
//!
//! **Not constant-time**: the message determines which table entries the code reads.
//!
//! | kernel | needs | messages at once | technique |
//! |---|---|---|---|
//! | `portable` | – | 1 | the four encryptions of a block interleaved |
//!
//! - [RFC5831] V. Dolmatov: GOST R 34.11-94: Hash Function Algorithm, RFC 5831, 2010
//! - [MPRKS] F. Mendel, N. Pramstaller, C. Rechberger, M. Kontak, J. Szmidt: Cryptanalysis of
//!   the GOST Hash Function, CRYPTO 2008
//!
//! [RFC5831]: https://www.rfc-editor.org/rfc/rfc5831
//! [MPRKS]: https://doi.org/10.1007/978-3-540-85174-5_10

use super::iterated::{Compression, Padding, iterated_hashes, one_by_one};
use crate::Digest;
use crate::block::gost28147::{SBoxes, encrypt_each};
use crate::kernel::kernels;
use crate::wipe::wipe;

kernels! {
    /// The kernels: implementations of GOST R 34.11-94.
    enum Kernel {}
}

/// A number of 256 bits, the lowest word first.
type Number = [u64; 4];

/// The state between blocks, [RFC5831] §6.2.
#[derive(Clone, Copy)]
pub(crate) struct Chain {
    h: Number,
    /// The number Σ of the standard: the sum of the blocks so far.
    sum: Number,
}

const START: Chain = Chain {
    h: [0; 4],
    sum: [0; 4],
};

macro_rules! compressions {
    ($($(#[$meta:meta])* $Compression:ident $boxes:expr;)*) => {$(
        $(#[$meta])*
        #[derive(Clone)]
        pub(crate) struct $Compression;

        impl Compression for $Compression {
            type Kernel = Kernel;
            type Block = [u8; 32];
            type Chain = Chain;
            const ZERO: Chain = START;
            const PADDING: Padding = Padding::zeros(0);

            #[inline]
            fn compress(kernel: Kernel, chain: &mut Chain, blocks: &[[u8; 32]]) {
                match kernel {
                    Kernel::Portable => {
                        for block in blocks {
                            let m = number(block);
                            step($boxes, &mut chain.h, &m);
                            chain.sum = sum(&chain.sum, &m);
                        }
                    }
                }
            }

            /// Ends the message, [RFC5831] §6.2. Fills a short last block up with zeros. Then
            /// compresses two more blocks: the length in bits, and the sum of all blocks.
            fn finish(
                kernel: Kernel,
                chain: &mut Chain,
                last: &mut [u8; 32],
                held: usize,
                length: u64,
            ) {
                if held != 0 {
                    Self::compress(kernel, chain, core::slice::from_ref(last));
                }
                let bits = u128::from(length) << 3;
                let total = chain.sum;
                step($boxes, &mut chain.h, &[bits as u64, (bits >> 64) as u64, 0, 0]);
                step($boxes, &mut chain.h, &total);
            }
        }
    )*};
}

compressions! {
    /// The compression function with the S-boxes of the standard's examples.
    Test SBoxes::TEST;
    /// The compression function with the S-boxes of CryptoPro.
    CryptoPro SBoxes::R3411_CRYPTO_PRO;
}

iterated_hashes! {
    Test; one_by_one::<Test>;
    /// GOST R 34.11-94 with the S-boxes of the standard's examples, [RFC5831](self) §7.1.
    Gost94 32 START, digest;
}
iterated_hashes! {
    CryptoPro; one_by_one::<CryptoPro>;
    /// GOST R 34.11-94 with the S-boxes of CryptoPro, RFC 4357 §11.2,
    /// `id-GostR3411-94-CryptoProParamSet`, which certificates and archives use.
    Gost94CryptoPro 32 START, digest;
}

/// The constant C₃, [RFC5831] §5.1, with the lowest word first. In hexadecimal, with the
/// highest digit first, C₃ is ff00ffff000000ff ff0000ff00ffff00 ff00ff00ff00ff00
/// 00ff00ff00ff00ff. The constants C₂ and C₄ are zero.
const C3: Number = [
    0xff00_ff00_ff00_ff00,
    0x00ff_00ff_00ff_00ff,
    0xff00_00ff_00ff_ff00,
    0xff00_ffff_0000_00ff,
];

fn number(bytes: &[u8; 32]) -> Number {
    let mut words = [0; 4];
    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
        *word = u64::from_le_bytes(*bytes);
    }
    words
}

/// Returns the sum of two numbers modulo 2²⁵⁶.
fn sum(a: &Number, b: &Number) -> Number {
    let mut carry = false;
    let mut sum = [0; 4];
    for i in 0..4 {
        let (word, first) = a[i].overflowing_add(b[i]);
        let (word, second) = word.overflowing_add(u64::from(carry));
        (sum[i], carry) = (word, first | second);
    }
    sum
}

fn xor(a: &Number, b: &Number) -> Number {
    [a[0] ^ b[0], a[1] ^ b[1], a[2] ^ b[2], a[3] ^ b[3]]
}

/// Computes the map A, [RFC5831] §5.1: moves all words down by one, and puts the XOR of the two
/// lowest words on top.
fn a(y: &Number) -> Number {
    [y[1], y[2], y[3], y[0] ^ y[1]]
}

/// Computes the map P, [RFC5831] §5.1: byte i of word k moves to byte k of group i of four
/// bytes. The result is a key of eight 32-bit words. Word i of the key consists of byte i of
/// every word of the input.
fn p(y: &Number) -> [u32; 8] {
    let mut key = [0; 8];
    for (i, word) in key.iter_mut().enumerate() {
        *word = u32::from_le_bytes(y.map(|y| (y >> (8 * i)) as u8));
    }
    key
}

/// Computes the step function, [RFC5831] §5. The function computes four keys from the chaining
/// value and the block, encrypts the four words of the chaining value with these keys, and
/// mixes the results with a shift register.
fn step(boxes: &SBoxes, h: &mut Number, m: &Number) {
    let (mut u, mut v) = (*h, *m);
    let mut keys = [p(&xor(&u, &v)); 4];
    for (i, key) in keys.iter_mut().enumerate().skip(1) {
        u = a(&u);
        if i == 2 {
            u = xor(&u, &C3);
        }
        v = a(&a(&v));
        *key = p(&xor(&u, &v));
    }
    let mut s = encrypt_each(boxes, &keys, *h);
    s = psi::<12>(s);
    s = psi::<1>(xor(&s, m));
    *h = psi::<61>(xor(&s, h));
    wipe(&mut keys, [0; 8]);
}

/// Applies the map ψ, [RFC5831] §5.3, `TIMES` times. ψ is a shift register of sixteen words of
/// 16 bits. The new word is the XOR of words 1, 2, 3, 4, 13 and 16.
#[inline]
fn psi<const TIMES: usize>(y: Number) -> Number {
    // The new words are stored after the sixteen words of the input.
    let mut words = [0u16; 16 + 61];
    for i in 0..16 {
        words[i] = (y[i / 4] >> (16 * (i % 4))) as u16;
    }
    for i in 0..TIMES {
        let w = &words[i..i + 16];
        words[i + 16] = w[0] ^ w[1] ^ w[2] ^ w[3] ^ w[12] ^ w[15];
    }
    let mut y = [0; 4];
    for i in 0..16 {
        y[i / 4] |= u64::from(words[TIMES + i]) << (16 * (i % 4));
    }
    y
}

#[inline]
fn digest(chain: &Chain) -> Digest<32> {
    let mut output = [0; 32];
    for (bytes, word) in output.as_chunks_mut().0.iter_mut().zip(&chain.h) {
        *bytes = word.to_le_bytes();
    }
    output.into()
}
