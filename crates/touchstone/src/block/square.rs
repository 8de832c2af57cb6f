//! Square, by the authors of AES and AES's predecessor: blocks and keys of 16 bytes.
//!
//! **Not constant-time**: data and key choose the table entries that are read.
//!
//! | kernel | needs | blocks per call | technique |
//! |---|---|---|---|
//! | `portable` | – | 4 | a table of S-box and diffusion in one for each direction, 2 KiB |
//!
//! - [SQUARE] J. Daemen, L. Knudsen, V. Rijmen: The Block Cipher Square, FSE 1997
//!
//! [SQUARE]: https://doi.org/10.1007/BFb0052343

use zeroize::ZeroizeOnDrop;

use crate::debug::debug;
use crate::machinery::field::{self, linear, product};
use crate::machinery::four_words::{big, big_bytes};
use crate::machinery::portable::portable_cipher;
use crate::wipe::wipe;
use crate::{FixedKey, InvalidKeyLength, KeyLengths, Keyed};

/// Square, with a key of 16 bytes.
#[derive(Clone)]
pub struct Square {
    kernel: Kernel,
    /// Round keys of encryption and of decryption.
    keys: [RoundKeys; 2],
}

debug!([] Square, "Square");

type Block = [u8; 16];

/// A block as the rows of a matrix, which are big-endian words.
type State = [u32; 4];

const ROUNDS: usize = 8;

type RoundKeys = [State; ROUNDS + 1];

/// The modulus of the field, [SQUARE](self): x⁸ + x⁷ + x⁶ + x⁵ + x⁴ + x² + 1.
pub(super) const FIELD: u16 = 0x1f5;

/// The S-box: the inversion in the field, and an affine map.
pub(super) const S: [u8; 256] = {
    const MATRIX: [u8; 8] = [0xd6, 0x7b, 0x3d, 0x1f, 0x0f, 0x05, 0x03, 0x01];
    let mut affine = [0; 256];
    let mut x = 0;
    while x < 256 {
        affine[x] = linear(MATRIX, x as u8) ^ 0xb1;
        x += 1;
    }
    field::inversion(&field::IDENTITY, &affine, FIELD)
};

/// The inverse S-box.
pub(super) const UNDO: [u8; 256] = field::inverse(&S);

/// Computes S-box and diffusion in one table, for the first byte of a row. The tables of the other
/// bytes are rotations of this table.
const fn table(s: &[u8; 256], polynomial: [u8; 4]) -> [u32; 256] {
    let mut table = [0; 256];
    let mut x = 0;
    while x < 256 {
        let mut bytes = [0; 4];
        let mut i = 0;
        while i < 4 {
            bytes[i] = product(s[x], polynomial[i], FIELD);
            i += 1;
        }
        table[x] = u32::from_be_bytes(bytes);
        x += 1;
    }
    table
}

/// The polynomial of the diffusion θ, [SQUARE](self), and the inverse polynomial.
const FORWARDS: [u8; 4] = [2, 1, 1, 3];
const BACKWARDS: [u8; 4] = [14, 9, 13, 11];

static ENCRYPT: [u32; 256] = table(&S, FORWARDS);
static DECRYPT: [u32; 256] = table(&UNDO, BACKWARDS);
static DIFFUSE: [u32; 256] = table(&field::IDENTITY, FORWARDS);

/// Returns the sum of a table's entries for the bytes of a row.
#[inline(always)]
fn lookup(table: &[u32; 256], row: [u8; 4]) -> u32 {
    (0..4).fold(0, |sum, i| {
        sum ^ table[usize::from(row[i])].rotate_right(8 * i as u32)
    })
}

/// Returns the columns of a matrix.
#[inline(always)]
fn transposed(state: State) -> [[u8; 4]; 4] {
    let rows = state.map(u32::to_be_bytes);
    core::array::from_fn(|i| rows.map(|row| row[i]))
}

fn xor(a: State, b: &State) -> State {
    core::array::from_fn(|i| a[i] ^ b[i])
}

/// Encrypts or decrypts a block, [SQUARE](self). A round is the S-box, the transposition, the
/// diffusion of rows, and the key. The last round has no diffusion.
#[inline(always)]
fn crypt(keys: &RoundKeys, table: &[u32; 256], s: &[u8; 256], block: Block) -> Block {
    let mut state = xor(big(&block), &keys[0]);
    for key in &keys[1..ROUNDS] {
        state = xor(transposed(state).map(|row| lookup(table, row)), key);
    }
    let last = transposed(state).map(|row| row.map(|byte| s[usize::from(byte)]));
    big_bytes(xor(last.map(u32::from_be_bytes), &keys[ROUNDS]))
}

impl Square {
    #[inline(always)]
    fn forwards(&self, block: Block) -> Block {
        crypt(&self.keys[0], &ENCRYPT, &S, block)
    }

    #[inline(always)]
    fn backwards(&self, block: Block) -> Block {
        crypt(&self.keys[1], &DECRYPT, &UNDO, block)
    }
}

impl FixedKey for Square {
    type Key = [u8; 16];
}

impl Keyed for Square {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::exactly(16);

    /// Sets up a key, [SQUARE](self): the key evolves from round to round. The diffusion of the
    /// first round is moved past the key, so all keys before the last are diffused for encryption.
    /// Decryption takes the keys in the opposite order, and only its last key is diffused.
    fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        let mut keys = [[0; 4]; ROUNDS + 1];
        keys[0] = big(Self::KEY_LENGTHS.array(key)?);
        for i in 1..=ROUNDS {
            let mut key = keys[i - 1];
            key[0] ^= key[3].rotate_left(8) ^ 1 << (23 + i);
            for row in 1..4 {
                key[row] ^= key[row - 1];
            }
            keys[i] = key;
        }
        let diffused = |key: State| key.map(|row| lookup(&DIFFUSE, row.to_be_bytes()));
        let mut backwards = keys;
        backwards.reverse();
        backwards[ROUNDS] = diffused(backwards[ROUNDS]);
        for key in &mut keys[..ROUNDS] {
            *key = diffused(*key);
        }
        Ok(Self {
            kernel,
            keys: [keys, backwards],
        })
    }

    fn kernel_in_use(&self) -> Kernel {
        self.kernel
    }
}

portable_cipher!(Square, Block);

impl Drop for Square {
    fn drop(&mut self) {
        wipe(self.keys.as_flattened_mut(), [0; 4]);
    }
}

impl ZeroizeOnDrop for Square {}
