//! SHARK, by the authors of [Square](super::square), whose S-box it has: blocks of 8 bytes, keys of
//! 16. This is the form with fixed affine key addition, SHARK-E, with six rounds.
//! **Outdated**, as all ciphers with blocks of 64 bits: messages leak after some gigabytes under
//! one key ([SWEET32]).
//!
//! **Not constant-time**: data and key choose the table entries that are read.
//!
//! | kernel | needs | blocks per call | technique |
//! |---|---|---|---|
//! | `portable` | – | 4 | eight tables of S-box and diffusion in one for each direction, 32 KiB |
//!
//! - [SHARK] V. Rijmen, J. Daemen, B. Preneel, A. Bosselaers, E. De Win: The Cipher SHARK, FSE 1996
//! - [SWEET32] K. Bhargavan, G. Leurent: On the Practical (In-)Security of 64-bit
//!   Block Ciphers, CCS 2016
//!
//! [SHARK]: https://doi.org/10.1007/3-540-60865-6_47
//! [SWEET32]: https://doi.org/10.1145/2976749.2978423

use zeroize::ZeroizeOnDrop;

use super::square::{FIELD, S, UNDO};
use crate::debug::debug;
use crate::machinery::byte_tables::{Matrix, Tables, crypt, lookup, substitute, tables};
use crate::machinery::portable::portable_cipher;
use crate::wipe::wipe;
use crate::{FixedKey, InvalidKeyLength, KeyLengths, Keyed};

/// SHARK, with a key of 16 bytes.
#[derive(Clone)]
pub struct Shark {
    kernel: Kernel,
    /// Round keys of encryption and of decryption.
    keys: [RoundKeys; 2],
}

debug!([] Shark, "Shark");

type Block = [u8; 8];

const ROUNDS: usize = 6;

type RoundKeys = [u64; ROUNDS + 1];

/// The matrix of the diffusion, [SHARK](self), from a Reed-Solomon code.
const FORWARDS: Matrix = [
    [0xce, 0x95, 0x57, 0x82, 0x8a, 0x19, 0xb0, 0x01],
    [0xe7, 0xfe, 0x05, 0xd2, 0x52, 0xc1, 0x88, 0xf1],
    [0xb9, 0xda, 0x4d, 0xd1, 0x9e, 0x17, 0x83, 0x86],
    [0xd0, 0x9d, 0x26, 0x2c, 0x5d, 0x9f, 0x6d, 0x75],
    [0x52, 0xa9, 0x07, 0x6c, 0xb9, 0x8f, 0x70, 0x17],
    [0x87, 0x28, 0x3a, 0x5a, 0xf4, 0x33, 0x0b, 0x6c],
    [0x74, 0x51, 0x15, 0xcf, 0x09, 0xa4, 0x62, 0x09],
    [0x0b, 0x31, 0x7f, 0x86, 0xbe, 0x05, 0x83, 0x34],
];

/// The inverse matrix.
const BACKWARDS: Matrix = [
    [0xe7, 0x30, 0x90, 0x85, 0xd0, 0x4b, 0x91, 0x41],
    [0x53, 0x95, 0x9b, 0xa5, 0x96, 0xbc, 0xa1, 0x68],
    [0x02, 0x45, 0xf7, 0x65, 0x5c, 0x1f, 0xb6, 0x52],
    [0xa2, 0xca, 0x22, 0x94, 0x44, 0x63, 0x2a, 0xa2],
    [0xfc, 0x67, 0x8e, 0x10, 0x29, 0x75, 0x85, 0x71],
    [0x24, 0x45, 0xa2, 0xcf, 0x2f, 0x22, 0xc1, 0x0e],
    [0xa1, 0xf1, 0x71, 0x40, 0x91, 0x27, 0x18, 0xa5],
    [0x56, 0xf4, 0xaf, 0x32, 0xd2, 0xa4, 0xdc, 0x71],
];

static ENCRYPT: Tables = tables(&S, &FORWARDS, FIELD);
static DECRYPT: Tables = tables(&UNDO, &BACKWARDS, FIELD);

/// Computes the inverse diffusion alone.
fn undiffused(state: u64) -> u64 {
    // The S-box and its inverse cancel each other.
    lookup(&DECRYPT, substitute(&S, state))
}

impl Shark {
    #[inline(always)]
    fn forwards(&self, block: Block) -> Block {
        crypt(&self.keys[0], &ENCRYPT, &S, u64::from_be_bytes(block)).to_be_bytes()
    }

    #[inline(always)]
    fn backwards(&self, block: Block) -> Block {
        crypt(&self.keys[1], &DECRYPT, &UNDO, u64::from_be_bytes(block)).to_be_bytes()
    }
}

impl FixedKey for Shark {
    type Key = [u8; 16];
}

impl Keyed for Shark {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::exactly(16);

    /// Sets up a key, [SHARK](self): the key, repeated, is encrypted in CFB mode by the cipher
    /// itself with fixed round keys, which are the first entries of the first table.
    fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        Self::KEY_LENGTHS.check(key)?;
        let mut fixed: RoundKeys = core::array::from_fn(|i| ENCRYPT[0][i]);
        fixed[ROUNDS] = undiffused(fixed[ROUNDS]);
        let mut bytes = key.iter().cycle();
        let mut forwards = [0; ROUNDS + 1];
        let mut last = 0;
        for word in &mut forwards {
            for byte in bytes.by_ref().take(8) {
                *word = *word << 8 | u64::from(*byte);
            }
            *word ^= crypt(&fixed, &ENCRYPT, &S, last);
            last = *word;
        }
        forwards[ROUNDS] = undiffused(forwards[ROUNDS]);
        let mut backwards = forwards;
        backwards.reverse();
        for key in &mut backwards[1..ROUNDS] {
            *key = undiffused(*key);
        }
        Ok(Self {
            kernel,
            keys: [forwards, backwards],
        })
    }

    fn kernel_in_use(&self) -> Kernel {
        self.kernel
    }
}

portable_cipher!(Shark, Block);

impl Drop for Shark {
    fn drop(&mut self) {
        wipe(self.keys.as_flattened_mut(), 0);
    }
}

impl ZeroizeOnDrop for Shark {}
