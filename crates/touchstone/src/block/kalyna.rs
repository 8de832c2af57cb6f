//! Kalyna, the standard DSTU 7624:2014 of Ukraine: blocks of 16, 32 or 64 bytes. A key is as long
//! as a block or, with the two shorter blocks, twice as long.
//!
//! **Not constant-time**: data and key determine which table entries the code reads.
//!
//! | kernel | needs | blocks per call | technique |
//! |---|---|---|---|
//! | `portable` | – | 4 of 16 bytes, or 1 | eight tables of S-boxes and diffusion in one, 16 KiB; eight for decryption, 16 KiB |
//!
//! - [KALYNA] R. Oliynykov and others: A New Encryption Standard of Ukraine: The Kalyna Block
//!   Cipher, ePrint 2015/650
//!
//! [KALYNA]: https://eprint.iacr.org/2015/650

use zeroize::ZeroizeOnDrop;

use crate::cipher::Block;
use crate::debug::debug;
use crate::kernel::kernels;
use crate::machinery::field;
use crate::machinery::portable::portable_blocks;
use crate::wipe::wipe;
use crate::{FixedKey, InvalidKeyLength, KeyLengths, Keyed};

mod sboxes;

use sboxes::S;

/// Kalyna with blocks of `WORDS` words of eight bytes, and a key of `KEY` bytes, which is as long as
/// a block or twice as long. Other lengths are compile errors:
///
/// ```compile_fail,E0080
/// let short = <touchstone::block::Kalyna<4, 16> as touchstone::FixedKey>::new(&[7; 16]);
/// ```
#[derive(Clone)]
pub struct Kalyna<const WORDS: usize, const KEY: usize> {
    kernel: Kernel,
    keys: [[u64; WORDS]; MOST_ROUNDS + 1],
}

debug!([const WORDS: usize, const KEY: usize] Kalyna<WORDS, KEY>, name(WORDS, KEY));

/// Kalyna with blocks of 16 bytes and a key of 16 bytes.
pub type Kalyna128 = Kalyna<2, 16>;
/// Kalyna with blocks of 16 bytes and a key of 32 bytes.
pub type Kalyna256 = Kalyna<2, 32>;
/// Kalyna with blocks of 32 bytes and a key of 32 bytes.
pub type Kalyna256x256 = Kalyna<4, 32>;
/// Kalyna with blocks of 32 bytes and a key of 64 bytes.
pub type Kalyna256x512 = Kalyna<4, 64>;
/// Kalyna with blocks of 64 bytes and a key of 64 bytes.
pub type Kalyna512x512 = Kalyna<8, 64>;

const fn name(words: usize, key: usize) -> &'static str {
    match (words, key) {
        (2, 16) => "Kalyna128",
        (2, _) => "Kalyna256",
        (4, 32) => "Kalyna256x256",
        (4, _) => "Kalyna256x512",
        _ => "Kalyna512x512",
    }
}

/// The rounds with the longest key.
const MOST_ROUNDS: usize = 18;

/// The modulus of the field, [KALYNA](self): x⁸ + x⁴ + x³ + x² + 1.
const FIELD: u16 = 0x11d;

/// The first row of the matrix of the linear layer, [KALYNA](self). Each other row is the row
/// before it, rotated.
const FORWARDS: [u8; 8] = [0x01, 0x01, 0x05, 0x01, 0x08, 0x06, 0x07, 0x04];

/// The first row of the inverse matrix.
const BACKWARDS: [u8; 8] = [0xad, 0x95, 0x76, 0xa8, 0x2f, 0x49, 0xd7, 0xca];

/// Returns the products of the byte `x` and column `i` of the matrix.
const fn column(matrix: [u8; 8], i: usize, x: u8) -> u64 {
    let mut bytes = [0; 8];
    let mut row = 0;
    while row < 8 {
        bytes[row] = field::product(x, matrix[(i + 8 - row) % 8], FIELD);
        row += 1;
    }
    u64::from_le_bytes(bytes)
}

/// The S-boxes and the linear layer in one: a table for each row of the state.
static ROUND: [[u64; 256]; 8] = {
    let mut tables = [[0; 256]; 8];
    let mut i = 0;
    while i < 8 {
        let mut x = 0;
        while x < 256 {
            tables[i][x] = column(FORWARDS, i, S[i % 4][x]);
            x += 1;
        }
        i += 1;
    }
    tables
};

/// The inverse of the linear layer: a table for each row of the state.
static UNMIX: [[u64; 256]; 8] = {
    let mut tables = [[0; 256]; 8];
    let mut i = 0;
    while i < 8 {
        let mut x = 0;
        while x < 256 {
            tables[i][x] = column(BACKWARDS, i, x as u8);
            x += 1;
        }
        i += 1;
    }
    tables
};

/// The inverses of the four S-boxes.
static UNDO: [[u8; 256]; 4] = [
    field::inverse(&S[0]),
    field::inverse(&S[1]),
    field::inverse(&S[2]),
    field::inverse(&S[3]),
];

#[inline(always)]
fn byte(word: u64, i: usize) -> usize {
    usize::from((word >> (8 * i)) as u8)
}

/// Returns the column from which the shift of rows, [KALYNA](self), takes byte `i` of column `j`.
const fn source<const WORDS: usize>(i: usize, j: usize) -> usize {
    (j + WORDS - i * WORDS / 8) % WORDS
}

/// Computes a round without a key: the S-boxes, the shift of rows and the linear layer,
/// [KALYNA](self).
#[inline(always)]
fn round<const WORDS: usize>(state: [u64; WORDS]) -> [u64; WORDS] {
    core::array::from_fn(|j| {
        (0..8).fold(0, |sum, i| {
            sum ^ ROUND[i][byte(state[source::<WORDS>(i, j)], i)]
        })
    })
}

/// Computes the inverse of [`round`].
#[inline(always)]
fn round_back<const WORDS: usize>(state: [u64; WORDS]) -> [u64; WORDS] {
    let state = state.map(|word| (0..8).fold(0, |sum, i| sum ^ UNMIX[i][byte(word, i)]));
    core::array::from_fn(|j| {
        (0..8).fold(0, |sum, i| {
            let column = (j + i * WORDS / 8) % WORDS;
            let byte = UNDO[i % 4][byte(state[column], i)];
            sum | u64::from(byte) << (8 * i)
        })
    })
}

#[inline(always)]
fn add<const WORDS: usize>(a: [u64; WORDS], b: [u64; WORDS]) -> [u64; WORDS] {
    core::array::from_fn(|i| a[i].wrapping_add(b[i]))
}

#[inline(always)]
fn subtract<const WORDS: usize>(a: [u64; WORDS], b: [u64; WORDS]) -> [u64; WORDS] {
    core::array::from_fn(|i| a[i].wrapping_sub(b[i]))
}

#[inline(always)]
fn xor<const WORDS: usize>(a: [u64; WORDS], b: [u64; WORDS]) -> [u64; WORDS] {
    core::array::from_fn(|i| a[i] ^ b[i])
}

#[inline(always)]
fn load<const WORDS: usize>(bytes: &[u8]) -> [u64; WORDS] {
    let (words, _) = bytes.as_chunks();
    core::array::from_fn(|i| u64::from_le_bytes(words[i]))
}

#[inline(always)]
fn store<const WORDS: usize, B: Block>(state: [u64; WORDS]) -> B {
    let mut block = B::ZERO;
    for (bytes, word) in block.as_mut().as_chunks_mut().0.iter_mut().zip(state) {
        *bytes = word.to_le_bytes();
    }
    block
}

/// Computes two rounds for the key schedule. The key is added before the first round, XORed
/// between the rounds, and added after the second round.
fn two_rounds<const WORDS: usize>(state: [u64; WORDS], key: [u64; WORDS]) -> [u64; WORDS] {
    add(round(xor(round(add(state, key)), key)), key)
}

impl<const WORDS: usize, const KEY: usize> Kalyna<WORDS, KEY> {
    /// The number of rounds, [KALYNA](self).
    const ROUNDS: usize = match (WORDS, KEY) {
        (2, 16) => 10,
        (2 | 4, 32) => 14,
        (4 | 8, 64) => MOST_ROUNDS,
        _ => panic!("lengths that Kalyna does not have"),
    };

    #[inline(always)]
    fn forwards<B: Block>(&self, block: B) -> B {
        let mut state = add(load(block.as_ref()), self.keys[0]);
        for key in &self.keys[1..Self::ROUNDS] {
            state = xor(round(state), *key);
        }
        store(add(round(state), self.keys[Self::ROUNDS]))
    }

    #[inline(always)]
    fn backwards<B: Block>(&self, block: B) -> B {
        let last = self.keys[Self::ROUNDS];
        let mut state = round_back(subtract(load(block.as_ref()), last));
        for key in self.keys[1..Self::ROUNDS].iter().rev() {
            state = round_back(xor(state, *key));
        }
        store(subtract(state, self.keys[0]))
    }
}

impl<const WORDS: usize, const KEY: usize> FixedKey for Kalyna<WORDS, KEY> {
    type Key = [u8; KEY];
}

impl<const WORDS: usize, const KEY: usize> Keyed for Kalyna<WORDS, KEY> {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::exactly(KEY);

    /// Sets up a key by the key schedule of [KALYNA](self).
    fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        Self::KEY_LENGTHS.check(key)?;
        let mut words = [0; 8];
        for (word, bytes) in words.iter_mut().zip(key.as_chunks().0) {
            *word = u64::from_le_bytes(*bytes);
        }
        let words = &mut words[..KEY / 8];
        let first: [u64; WORDS] = core::array::from_fn(|i| words[i]);
        let last: [u64; WORDS] = core::array::from_fn(|i| words[KEY / 8 - WORDS + i]);

        // The intermediate key is computed from the key and a start value. The start value is
        // the number of words of a block, plus the number of words of a key, plus one.
        let mut sum = first;
        sum[0] = sum[0].wrapping_add((WORDS + KEY / 8 + 1) as u64);
        let sum = add(round(xor(round(sum), last)), first);
        let intermediate = round(sum);

        let mut keys = [[0; WORDS]; MOST_ROUNDS + 1];
        let mut mask = 0x0001_0001_0001_0001;
        // A key as long as a block gives one round key between two rotations. A key of two blocks
        // gives two round keys.
        let halves = KEY / 8 / WORDS;
        for (i, pair) in keys[..=Self::ROUNDS].chunks_mut(2).enumerate() {
            if i != 0 && i.is_multiple_of(halves) {
                words.rotate_left(1);
            }
            let half = &words[WORDS * (i % halves)..];
            let key = add(intermediate, [mask; WORDS]);
            pair[0] = two_rounds(core::array::from_fn(|i| half[i]), key);
            mask <<= 1;
            // A round key with an odd number is the preceding round key, rotated by two bytes for
            // each word and three more bytes.
            if let [even, odd] = pair {
                let mut bytes = even.map(u64::to_le_bytes);
                bytes.as_flattened_mut().rotate_left(2 * WORDS + 3);
                *odd = bytes.map(u64::from_le_bytes);
                wipe(bytes.as_flattened_mut(), 0);
            }
        }
        wipe(words, 0);
        Ok(Self { kernel, keys })
    }

    fn kernel_in_use(&self) -> Kernel {
        self.kernel
    }
}

kernels! {
    /// How Kalyna is computed.
    enum Kernel {}
}

portable_blocks!([const KEY: usize] Kalyna<2, KEY>, [u8; 16], fours);
portable_blocks!([const KEY: usize] Kalyna<4, KEY>, [u8; 32], singly);
portable_blocks!([const KEY: usize] Kalyna<8, KEY>, [u8; 64], singly);

impl<const WORDS: usize, const KEY: usize> Drop for Kalyna<WORDS, KEY> {
    fn drop(&mut self) {
        wipe(&mut self.keys, [0; WORDS]);
    }
}

impl<const WORDS: usize, const KEY: usize> ZeroizeOnDrop for Kalyna<WORDS, KEY> {}
