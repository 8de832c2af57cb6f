//! Kalyna with blocks of 16 bytes, Ukraine's standard DSTU 7624:2014: keys of 16 or 32 bytes. (The
//! standard's forms with longer blocks are not here.)
//!
//! **Not constant-time**: data and key choose the table entries that are read.
//!
//! | kernel | needs | blocks per call | technique |
//! |---|---|---|---|
//! | `portable` | – | 4 | eight tables of S-boxes and diffusion in one, 16 KiB; eight for decryption, 16 KiB |
//!
//! - [KALYNA] R. Oliynykov and others: A New Encryption Standard of Ukraine: The Kalyna Block
//!   Cipher, ePrint 2015/650
//!
//! [KALYNA]: https://eprint.iacr.org/2015/650

use zeroize::ZeroizeOnDrop;

use crate::debug::debug;
use crate::machinery::field;
use crate::machinery::portable::portable_cipher;
use crate::wipe::wipe;
use crate::{FixedKey, InvalidKeyLength, KeyLengths, Keyed};

mod sboxes;

use sboxes::S;

/// Kalyna with blocks of 16 bytes and a key of `KEY` bytes.
#[derive(Clone)]
pub struct Kalyna<const KEY: usize> {
    kernel: Kernel,
    keys: [State; 15],
}

debug!([const KEY: usize] Kalyna<KEY>, if KEY == 16 { "Kalyna128" } else { "Kalyna256" });

/// Kalyna with a key of 16 bytes.
pub type Kalyna128 = Kalyna<16>;
/// Kalyna with a key of 32 bytes.
pub type Kalyna256 = Kalyna<32>;

type Block = [u8; 16];

/// A block as the columns of a matrix of bytes, which are little-endian words.
type State = [u64; 2];

/// The modulus of the field, [KALYNA](self): x⁸ + x⁴ + x³ + x² + 1.
const FIELD: u16 = 0x11d;

/// [KALYNA](self): the first row of the matrix of the linear layer. Each other row is the row
/// before it, rotated.
const FORWARDS: [u8; 8] = [0x01, 0x01, 0x05, 0x01, 0x08, 0x06, 0x07, 0x04];

/// The first row of the inverse matrix.
const BACKWARDS: [u8; 8] = [0xad, 0x95, 0x76, 0xa8, 0x2f, 0x49, 0xd7, 0xca];

/// The products of the byte `x` with column `i` of the matrix.
const fn column(matrix: [u8; 8], i: usize, x: u8) -> u64 {
    let mut bytes = [0; 8];
    let mut row = 0;
    while row < 8 {
        bytes[row] = field::product(x, matrix[(i + 8 - row) % 8], FIELD);
        row += 1;
    }
    u64::from_le_bytes(bytes)
}

/// S-boxes and linear layer in one: a table for each row of the state.
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

/// The inverse S-boxes.
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

/// The S-boxes, the shift of rows and the linear layer, [KALYNA](self) The rows 4 to
/// 7 move to the other column.
#[inline(always)]
fn round(state: State) -> State {
    let column = |a: u64, b: u64| {
        (0..8).fold(0, |sum, i| {
            sum ^ ROUND[i][byte(if i < 4 { a } else { b }, i)]
        })
    };
    let [a, b] = state;
    [column(a, b), column(b, a)]
}

/// Undoes [`round`].
#[inline(always)]
fn round_back(state: State) -> State {
    let [a, b] = state.map(|word| (0..8).fold(0, |sum, i| sum ^ UNMIX[i][byte(word, i)]));
    let column = |a: u64, b: u64| {
        (0..8).fold(0, |sum, i| {
            let byte = UNDO[i % 4][byte(if i < 4 { a } else { b }, i)];
            sum | u64::from(byte) << (8 * i)
        })
    };
    [column(a, b), column(b, a)]
}

#[inline(always)]
fn add([a, b]: State, [c, d]: State) -> State {
    [a.wrapping_add(c), b.wrapping_add(d)]
}

#[inline(always)]
fn subtract([a, b]: State, [c, d]: State) -> State {
    [a.wrapping_sub(c), b.wrapping_sub(d)]
}

#[inline(always)]
fn xor([a, b]: State, [c, d]: State) -> State {
    [a ^ c, b ^ d]
}

#[inline(always)]
fn load(block: &Block) -> State {
    let number = u128::from_le_bytes(*block);
    [number as u64, (number >> 64) as u64]
}

#[inline(always)]
fn store([a, b]: State) -> Block {
    (u128::from(b) << 64 | u128::from(a)).to_le_bytes()
}

/// Two rounds. The key is added before the first round, XORed between the rounds, and added after
/// the second round.
fn two_rounds(state: State, key: State) -> State {
    add(round(xor(round(add(state, key)), key)), key)
}

impl<const KEY: usize> Kalyna<KEY> {
    /// [KALYNA](self)
    const ROUNDS: usize = if KEY == 16 { 10 } else { 14 };

    #[inline(always)]
    fn forwards(&self, block: Block) -> Block {
        let mut state = add(load(&block), self.keys[0]);
        for key in &self.keys[1..Self::ROUNDS] {
            state = xor(round(state), *key);
        }
        store(add(round(state), self.keys[Self::ROUNDS]))
    }

    #[inline(always)]
    fn backwards(&self, block: Block) -> Block {
        let mut state = round_back(subtract(load(&block), self.keys[Self::ROUNDS]));
        for key in self.keys[1..Self::ROUNDS].iter().rev() {
            state = round_back(xor(state, *key));
        }
        store(subtract(state, self.keys[0]))
    }
}

impl<const KEY: usize> FixedKey for Kalyna<KEY> {
    type Key = [u8; KEY];
}

impl<const KEY: usize> Keyed for Kalyna<KEY> {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::exactly(KEY);

    /// [KALYNA](self)
    fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        Self::KEY_LENGTHS.check(key)?;
        let (blocks, _) = key.as_chunks();
        let mut words = [[0; 2]; 2];
        for (words, block) in words.iter_mut().zip(blocks) {
            *words = load(block);
        }
        let words = &mut words.as_flattened_mut()[..KEY / 8];
        let (first, last) = (
            [words[0], words[1]],
            [words[KEY / 8 - 2], words[KEY / 8 - 1]],
        );

        // The intermediate key. It starts from the number of words of a block, plus the number of
        // words of a key, plus one.
        let sum = add([2 + KEY as u64 / 8 + 1, 0], first);
        let sum = add(round(xor(round(sum), last)), first);
        let intermediate = round(sum);

        let mut keys = [[0; 2]; 15];
        let mut mask = 0x0001_0001_0001_0001;
        // A key of 16 bytes gives one round key between two rotations, one of 32 bytes gives two.
        let halves = KEY / 16;
        for (i, pair) in keys[..=Self::ROUNDS].chunks_mut(2).enumerate() {
            if i != 0 && i.is_multiple_of(halves) {
                words.rotate_left(1);
            }
            let half = &words[2 * (i % halves)..][..2];
            let key = add(intermediate, [mask; 2]);
            pair[0] = two_rounds([half[0], half[1]], key);
            mask <<= 1;
            // A round key with an odd number is the round key before it, rotated by 7 bytes.
            if let [even, odd] = pair {
                let number = u128::from_le_bytes(store(*even));
                *odd = load(&number.rotate_right(56).to_le_bytes());
            }
        }
        wipe(words, 0);
        Ok(Self { kernel, keys })
    }

    fn kernel_in_use(&self) -> Kernel {
        self.kernel
    }
}

portable_cipher!([const KEY: usize] Kalyna<KEY>, Block);

impl<const KEY: usize> Drop for Kalyna<KEY> {
    fn drop(&mut self) {
        wipe(&mut self.keys, [0; 2]);
    }
}

impl<const KEY: usize> ZeroizeOnDrop for Kalyna<KEY> {}
