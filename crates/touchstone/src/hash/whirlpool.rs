//! Whirlpool, by P. Barreto and V. Rijmen, standardised in ISO/IEC 10118-3: digests of 64
//! bytes, blocks of 64 bytes. This is the version of 2003, which has the diffusion matrix of
//! the standard.
//!
//! The portable form is **not constant-time**: the message determines which table entries the
//! code reads. The other kernels read no table.
//!
//! | kernel | needs | messages at once | technique |
//! |---|---|---|---|
//! | `avx512` | AVX-512 and GFNI | 1 | the matrix in one register |
//! | `avx2` | AVX2 | 1 | the key and the state in four registers, the S-box from its parts |
//! | `portable` | – | 1 | S-box and matrix in one table of 2 KiB, rotated |
//!
//! - [WHIRLPOOL] P. Barreto, V. Rijmen: The Whirlpool Hashing Function, revised 2003
//!
//! [WHIRLPOOL]: https://web.archive.org/web/2017/http://www.larc.usp.br/~pbarreto/WhirlpoolPage.html

use super::iterated::{Compression, Padding, iterated_hashes, one_by_one};
use crate::Digest;
#[cfg(target_arch = "x86_64")]
use crate::cpu;
use crate::kernel::kernels;
use crate::machinery::field::product;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;

kernels! {
    /// The kernels: implementations of Whirlpool for different CPU features.
    enum Kernel {
        #[cfg(target_arch = "x86_64")]
        "avx512" = Avx512(cpu::Avx512),
        #[cfg(target_arch = "x86_64")]
        "avx2" = Avx2(cpu::Avx2),
    }
}

/// The compression function of Whirlpool.
#[derive(Clone)]
pub(crate) struct WhirlpoolCompression;

/// A matrix of 8 × 8 bytes, as rows. The first byte of a row is the highest byte of its number.
type State = [u64; 8];

impl Compression for WhirlpoolCompression {
    type Kernel = Kernel;
    type Block = [u8; 64];
    type Chain = State;
    const ZERO: State = [0; 8];
    const PADDING: Padding = Padding::sha(32);

    #[inline]
    fn compress(kernel: Kernel, chain: &mut State, blocks: &[[u8; 64]]) {
        match kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512(token) => avx512::compress(token, chain, blocks),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(token) => avx2::compress(token, chain, blocks),
            Kernel::Portable => compress(chain, blocks),
        }
    }
}

iterated_hashes! {
    WhirlpoolCompression; one_by_one::<WhirlpoolCompression>;
    /// Whirlpool, [WHIRLPOOL](self) §3.
    Whirlpool 64 [0; 8], digest;
}

/// The modulus of the field, [WHIRLPOOL] §3.5: x⁸ + x⁴ + x³ + x² + 1.
const FIELD: u16 = 0x11d;

/// The first row of the diffusion layer's circulant matrix, [WHIRLPOOL] §3.5.
const ROW: [u8; 8] = [1, 1, 4, 1, 8, 5, 2, 9];

/// The small S-box E, [WHIRLPOOL] §7.1.
const E: [u8; 16] = [1, 11, 9, 12, 13, 6, 15, 3, 14, 8, 7, 4, 10, 2, 5, 0];

/// The inverse of the small S-box E.
const INVERSE: [u8; 16] = {
    let mut inverse = [0; 16];
    let mut x = 0;
    while x < 16 {
        inverse[E[x] as usize] = x as u8;
        x += 1;
    }
    inverse
};

/// The small S-box R, [WHIRLPOOL] §7.1.
const R: [u8; 16] = [7, 12, 11, 13, 14, 4, 9, 15, 6, 3, 8, 10, 2, 5, 1, 0];

/// The S-box, [WHIRLPOOL] §7.1, which is made from the three small S-boxes.
pub(super) const S: [u8; 256] = {
    let mut s = [0; 256];
    let mut x = 0;
    while x < 256 {
        let (upper, lower) = (E[x / 16], INVERSE[x % 16]);
        let between = R[(upper ^ lower) as usize];
        let upper = E[(upper ^ between) as usize];
        s[x] = upper << 4 | INVERSE[(lower ^ between) as usize];
        x += 1;
    }
    s
};

/// For each value of a byte in the first column, the part of the result that depends on this
/// byte: the byte's S-box value times the first row of the matrix. For the other columns this
/// entry is rotated.
static TABLE: [u64; 256] = {
    let mut table = [0; 256];
    let mut x = 0;
    while x < 256 {
        let mut j = 0;
        while j < 8 {
            table[x] = table[x] << 8 | product(S[x], ROW[j], FIELD) as u64;
            j += 1;
        }
        x += 1;
    }
    table
};

/// The round constants, [WHIRLPOOL] §3.7: a matrix with eight entries of the S-box in its first
/// row, and zeros in its other rows.
pub(super) const CONSTANTS: [u64; 10] = {
    let mut constants = [0; 10];
    let mut i = 0;
    while i < 80 {
        constants[i / 8] = constants[i / 8] << 8 | S[i] as u64;
        i += 1;
    }
    constants
};

/// Computes the S-boxes, the cyclical permutation of columns, and the diffusion, [WHIRLPOOL]
/// §3.3–3.5. The permutation moves column j down by j rows.
#[inline(always)]
fn layers(x: &State) -> State {
    let mut y = [0; 8];
    for i in 0..8 {
        for j in 0..8 {
            let byte = x[(i + 8 - j) % 8] >> (56 - 8 * j) & 255;
            y[i] ^= TABLE[byte as usize].rotate_right(8 * j as u32);
        }
    }
    y
}

#[inline(always)]
fn xor(a: &State, b: &State) -> State {
    let mut sum = *a;
    for (a, b) in sum.iter_mut().zip(b) {
        *a ^= b;
    }
    sum
}

/// Compresses every block, [WHIRLPOOL] §3.10: a block cipher in the mode of Miyaguchi and
/// Preneel. The cipher's key is the chaining value. The key schedule uses the same round
/// function as the encryption.
fn compress(chain: &mut State, blocks: &[[u8; 64]]) {
    for block in blocks {
        let mut message = [0; 8];
        for (word, bytes) in message.iter_mut().zip(block.as_chunks().0) {
            *word = u64::from_be_bytes(*bytes);
        }
        let mut key = *chain;
        let mut state = xor(&message, &key);
        for constant in CONSTANTS {
            key = layers(&key);
            key[0] ^= constant;
            state = xor(&layers(&state), &key);
        }
        *chain = xor(&xor(chain, &message), &state);
    }
}

#[inline]
fn digest(chain: &State) -> Digest<64> {
    let mut output = [0; 64];
    for (bytes, word) in output.as_chunks_mut().0.iter_mut().zip(chain) {
        *bytes = word.to_be_bytes();
    }
    output.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the first and the last entries of the S-box with [WHIRLPOOL] appendix B.
    #[test]
    fn the_s_box_is_that_of_the_paper() {
        assert_eq!((S[0], S[1], S[255]), (0x18, 0x23, 0x86));
        let mut seen = [false; 256];
        S.iter().for_each(|&s| seen[usize::from(s)] = true);
        assert_eq!(seen, [true; 256]);
    }
}
