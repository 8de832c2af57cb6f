//! Kalyna, the standard DSTU 7624:2014 of Ukraine: blocks of 16, 32 or 64 bytes. A key is as long
//! as a block or, with the two shorter blocks, twice as long.
//!
//! **Not constant-time**: data and key determine which table entries the code reads.
//!
//! | kernel | needs | blocks per call | technique |
//! |---|---|---|---|
//! | `portable` | – | 4, 2 or 1 of 16 bytes, or 1 | eight tables of S-boxes and diffusion in one, 16 KiB; eight for decryption, 16 KiB |
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
use crate::machinery::portable::{portable_blocks, portable_groups};
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
    /// The round keys between the first and the last, with the inverse of the linear layer applied.
    unmixed: [[u64; WORDS]; MOST_ROUNDS],
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

/// The inverses of the S-boxes and of the linear layer in one: a table for each row of the state.
static ROUND_BACK: [[u64; 256]; 8] = {
    let mut tables = [[0; 256]; 8];
    let mut i = 0;
    while i < 8 {
        let mut x = 0;
        while x < 256 {
            tables[i][x] = column(BACKWARDS, i, UNDO[i % 4][x]);
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

/// Returns the column to which the shift of rows, [KALYNA](self), moves byte `i` of column `j`.
const fn target<const WORDS: usize>(i: usize, j: usize) -> usize {
    (j + i * WORDS / 8) % WORDS
}

/// Returns the column to which the inverse of the shift of rows moves byte `i` of column `j`.
const fn target_back<const WORDS: usize>(i: usize, j: usize) -> usize {
    (j + WORDS - i * WORDS / 8) % WORDS
}

/// XORs to the sums `entry(i, x)` for each byte `x` of column `j`, where `i` is the byte's row.
#[inline(always)]
fn look_up<const WORDS: usize>(
    sums: &mut [u64; WORDS],
    entry: impl Fn(usize, usize) -> u64,
    target: impl Fn(usize, usize) -> usize,
    state: &[u64; WORDS],
    j: usize,
) {
    for i in 0..8 {
        sums[target(i, j)] ^= entry(i, byte(state[j], i));
    }
}

/// Calls [`look_up`] for all columns, with sums that start as `key`.
///
/// The code uses up each column before the next one. So the sums and one column fit in the
/// registers, and no column waits in memory for its other bytes.
#[inline(always)]
fn look_up_all<const WORDS: usize>(
    entry: impl Fn(usize, usize) -> u64,
    target: impl Fn(usize, usize) -> usize,
    state: [u64; WORDS],
    key: [u64; WORDS],
) -> [u64; WORDS] {
    let mut sums = key;
    // The compiler unrolls two loops of four columns, but not one of eight. In a loop that is not
    // unrolled, the sums are in memory.
    for j in 0..WORDS / 2 {
        look_up(&mut sums, &entry, &target, &state, j);
    }
    for j in WORDS / 2..WORDS {
        look_up(&mut sums, &entry, &target, &state, j);
    }
    sums
}

/// Computes a round: the S-boxes, the shift of rows and the linear layer, [KALYNA](self), and then
/// the XOR with `key`.
#[inline(always)]
fn round<const WORDS: usize>(state: [u64; WORDS], key: [u64; WORDS]) -> [u64; WORDS] {
    look_up_all(|i, x| ROUND[i][x], target::<WORDS>, state, key)
}

/// Computes the inverse S-boxes, the inverse shift of rows and the inverse linear layer, and then
/// the XOR with `key`, to which the inverse linear layer has been applied.
#[inline(always)]
fn round_back<const WORDS: usize>(state: [u64; WORDS], key: [u64; WORDS]) -> [u64; WORDS] {
    look_up_all(|i, x| ROUND_BACK[i][x], target_back::<WORDS>, state, key)
}

/// Computes the inverse of the linear layer. The S-boxes cancel their inverses in the tables.
#[inline(always)]
fn unmix<const WORDS: usize>(state: [u64; WORDS]) -> [u64; WORDS] {
    state.map(|word| {
        (0..8).fold(0, |sum, i| {
            sum ^ ROUND_BACK[i][usize::from(S[i % 4][byte(word, i)])]
        })
    })
}

/// Computes the inverse of the S-boxes and of the shift of rows.
#[inline(always)]
fn undo<const WORDS: usize>(state: [u64; WORDS]) -> [u64; WORDS] {
    let entry = |i: usize, x: usize| u64::from(UNDO[i % 4][x]) << (8 * i);
    look_up_all(entry, target_back::<WORDS>, state, [0; WORDS])
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
    add(round(round(add(state, key), key), [0; WORDS]), key)
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
    fn forwards_all<B: Block, const N: usize>(&self, blocks: [B; N]) -> [B; N] {
        let (first, last) = (self.keys[0], self.keys[Self::ROUNDS]);
        let mut states = blocks.map(|block| add(load(block.as_ref()), first));
        for key in &self.keys[1..Self::ROUNDS] {
            states = states.map(|state| round(state, *key));
        }
        states.map(|state| store(add(round(state, [0; WORDS]), last)))
    }

    #[inline(always)]
    fn backwards_all<B: Block, const N: usize>(&self, blocks: [B; N]) -> [B; N] {
        let (first, last) = (self.keys[0], self.keys[Self::ROUNDS]);
        let mut states = blocks.map(|block| unmix(subtract(load(block.as_ref()), last)));
        for key in self.unmixed[1..Self::ROUNDS].iter().rev() {
            states = states.map(|state| round_back(state, *key));
        }
        states.map(|state| store(subtract(undo(state), first)))
    }

    #[inline(always)]
    fn forwards<B: Block>(&self, block: B) -> B {
        self.forwards_all([block])[0]
    }

    #[inline(always)]
    fn backwards<B: Block>(&self, block: B) -> B {
        self.backwards_all([block])[0]
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
        let sum = add(round(round(sum, last), [0; WORDS]), first);
        let intermediate = round(sum, [0; WORDS]);

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
        let mut unmixed = [[0; WORDS]; MOST_ROUNDS];
        for (unmixed, key) in unmixed[1..Self::ROUNDS].iter_mut().zip(&keys[1..]) {
            *unmixed = unmix(*key);
        }
        Ok(Self {
            kernel,
            keys,
            unmixed,
        })
    }

    fn kernel_in_use(&self) -> Kernel {
        self.kernel
    }
}

kernels! {
    /// How Kalyna is computed.
    enum Kernel {}
}

portable_groups!([const KEY: usize] Kalyna<2, KEY>, [u8; 16], 4);
portable_blocks!([const KEY: usize] Kalyna<4, KEY>, [u8; 32], singly);
portable_blocks!([const KEY: usize] Kalyna<8, KEY>, [u8; 64], singly);

impl<const WORDS: usize, const KEY: usize> Drop for Kalyna<WORDS, KEY> {
    fn drop(&mut self) {
        wipe(&mut self.keys, [0; WORDS]);
        wipe(&mut self.unmixed, [0; WORDS]);
    }
}

impl<const WORDS: usize, const KEY: usize> ZeroizeOnDrop for Kalyna<WORDS, KEY> {}
