//! MARS, IBM's finalist of the competition for AES: blocks of 16 bytes, keys of 16 to 56 bytes
//! in steps of 4 bytes. Words are little-endian. The key schedule is the version of August
//! 1999, which the test vectors use.
//!
//! **Not constant-time**: data and key determine which table entries the code reads.
//!
//! | kernel | needs | blocks per call |
//! |---|---|---|
//! | `portable` | – | 4 |
//!
//! - [MARS] C. Burwick and others: MARS, a candidate cipher for AES, IBM, revised in September
//!   1999
//!
//! [MARS]: https://shaih.github.io/pubs/mars/mars.pdf

use zeroize::ZeroizeOnDrop;

use crate::debug::debug;
use crate::machinery::four_words::{little, little_bytes};
use crate::machinery::portable::portable_cipher;
use crate::wipe::wipe;
use crate::{InvalidKeyLength, KeyLengths, Keyed};

mod sbox;

use sbox::S;

/// MARS, with a key of 16 to 56 bytes.
#[derive(Clone)]
pub struct Mars {
    kernel: Kernel,
    keys: [u32; 40],
}

debug!([] Mars, "Mars");

type Block = [u8; 16];
type State = [u32; 4];

/// The number of rounds with keys. Eight rounds without a key come before these rounds, and
/// eight rounds without a key come after them.
const ROUNDS: usize = 16;

/// Returns the entry of S0, the first half of the S-box, for the lowest byte of `x`.
fn s0(x: u32) -> u32 {
    S[(x & 0xff) as usize]
}

/// Returns the entry of S1, the second half of the S-box, for the lowest byte of `x`.
fn s1(x: u32) -> u32 {
    S[0x100 + (x & 0xff) as usize]
}

/// Computes the forward mixing, [MARS](self) §3.2: eight rounds without a key.
fn mix(mut x: State) -> State {
    for round in 0..8 {
        let [a, b, c, d] = x;
        let b = (b ^ s0(a)).wrapping_add(s1(a >> 8));
        let c = c.wrapping_add(s0(a >> 16));
        let d = d ^ s1(a >> 24);
        let more = match round % 4 {
            0 => d,
            1 => b,
            _ => 0,
        };
        x = [b, c, d, a.rotate_right(24).wrapping_add(more)];
    }
    x
}

/// Computes the backwards mixing, [MARS](self) §3.4: eight rounds without a key.
fn mix_backwards(mut x: State) -> State {
    for round in 0..8 {
        let [a, b, c, d] = x;
        let a = a.wrapping_sub(match round % 4 {
            2 => d,
            3 => b,
            _ => 0,
        });
        let c = c.wrapping_sub(s0(a >> 24));
        let d = d.wrapping_sub(s1(a >> 16)) ^ s0(a >> 8);
        x = [b ^ s1(a), c, d, a.rotate_left(24)];
    }
    x
}

/// Computes the function E, [MARS](self) §3.3, which makes three words from one word of the
/// block. `m` is this word plus its key. `product` is this word, rotated and multiplied by its
/// key.
fn expand(m: u32, product: u32) -> [u32; 3] {
    let r = product.rotate_left(10);
    let turned = r.rotate_right(5);
    let l = (S[(m & 0x1ff) as usize] ^ turned ^ r).rotate_left(r % 32);
    [l, m.rotate_left(turned % 32), r]
}

impl Mars {
    fn forwards(&self, block: Block) -> Block {
        let mut x = little(&block);
        for (word, key) in x.iter_mut().zip(&self.keys[..4]) {
            *word = word.wrapping_add(*key);
        }
        x = mix(x);
        for round in 0..ROUNDS {
            let [a, b, c, d] = x;
            let turned = a.rotate_left(13);
            let m = a.wrapping_add(self.keys[4 + 2 * round]);
            let product = turned.wrapping_mul(self.keys[5 + 2 * round]);
            let [l, m, r] = expand(m, product);
            let c = c.wrapping_add(m);
            x = if round < ROUNDS / 2 {
                [b.wrapping_add(l), c, d ^ r, turned]
            } else {
                [b ^ r, c, d.wrapping_add(l), turned]
            };
        }
        x = mix_backwards(x);
        for (word, key) in x.iter_mut().zip(&self.keys[36..]) {
            *word = word.wrapping_sub(*key);
        }
        little_bytes(x)
    }

    /// Decrypts a block, [MARS](self) §3.5. The code reverses the order of the words, so that
    /// decryption uses the same two functions for mixing as encryption.
    fn backwards(&self, block: Block) -> Block {
        let mut x = little(&block);
        for (word, key) in x.iter_mut().zip(&self.keys[36..]) {
            *word = word.wrapping_add(*key);
        }
        x.reverse();
        x = mix(x);
        for round in 0..ROUNDS {
            let [a, b, c, d] = x;
            let back = ROUNDS - 1 - round;
            let turned = a.rotate_right(13);
            let m = turned.wrapping_add(self.keys[4 + 2 * back]);
            let product = a.wrapping_mul(self.keys[5 + 2 * back]);
            let [l, m, r] = expand(m, product);
            let c = c.wrapping_sub(m);
            x = if round < ROUNDS / 2 {
                [b.wrapping_sub(l), c, d ^ r, turned]
            } else {
                [b ^ r, c, d.wrapping_sub(l), turned]
            };
        }
        x = mix_backwards(x);
        x.reverse();
        for (word, key) in x.iter_mut().zip(&self.keys[..4]) {
            *word = word.wrapping_sub(*key);
        }
        little_bytes(x)
    }
}

/// Makes a key for a multiplication, [MARS](self) §3.6 step 5. The lowest two bits of the key
/// become ones. Where ten or more neighbouring bits are equal, `pattern` changes the bits
/// inside this row.
fn multiplier(key: u32, pattern: u32) -> u32 {
    let w = key | 3;
    // Bit i of `equal` says whether the bits i and i + 1 of w are equal.
    let equal = !(w ^ w >> 1) & 0x7fff_ffff;
    // Nine neighbouring ones in `equal` mean ten equal bits of w, which begin at the lowest of
    // the nine positions.
    let mut rows = equal & equal >> 1;
    rows &= rows >> 2;
    rows &= rows >> 4;
    rows &= equal >> 8;
    // `within` has ones at all bits of a row except the first and the last bit.
    let mut within = rows << 1;
    within |= within << 1;
    within |= within << 2;
    within |= within << 4;
    w ^ pattern & within & 0x7fff_fffc
}

impl Keyed for Mars {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::every(4, 16, 56);

    /// Sets up a key, [MARS](self) §3.6.
    fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        Self::KEY_LENGTHS.check(key)?;
        let mut t = [0u32; 15];
        for (word, bytes) in t.iter_mut().zip(key.as_chunks().0) {
            *word = u32::from_le_bytes(*bytes);
        }
        t[key.len() / 4] = key.len() as u32 / 4;
        let mut keys = [0; 40];
        for (j, keys) in keys.as_chunks_mut::<10>().0.iter_mut().enumerate() {
            for i in 0..15 {
                let sum = t[(i + 8) % 15] ^ t[(i + 13) % 15];
                t[i] ^= sum.rotate_left(3) ^ (4 * i + j) as u32;
            }
            for i in (0..15).cycle().take(4 * 15) {
                let entry = S[(t[(i + 14) % 15] & 0x1ff) as usize];
                t[i] = t[i].wrapping_add(entry).rotate_left(9);
            }
            for (i, key) in keys.iter_mut().enumerate() {
                *key = t[4 * i % 15];
            }
        }
        for i in (5..36).step_by(2) {
            let pattern = S[265 + (keys[i] & 3) as usize].rotate_left(keys[i - 1] % 32);
            keys[i] = multiplier(keys[i], pattern);
        }
        wipe(&mut t, 0);
        Ok(Self { kernel, keys })
    }

    fn kernel_in_use(&self) -> Kernel {
        self.kernel
    }
}

portable_cipher!(Mars, Block);

impl Drop for Mars {
    fn drop(&mut self) {
        wipe(&mut self.keys, 0);
    }
}

impl ZeroizeOnDrop for Mars {}
