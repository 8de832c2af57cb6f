//! Khazad: blocks of 8 bytes, keys of 16. P. Barreto and V. Rijmen submitted it to NESSIE; its
//! layers are involutions, and its S-box is that of [Anubis](super::anubis). **Outdated**, as all
//! ciphers with blocks of 64 bits: messages leak after some gigabytes under one key ([SWEET32]).
//!
//! **Not constant-time**: data and key choose the table entries that are read.
//!
//! | kernel | needs | blocks per call | technique |
//! |---|---|---|---|
//! | `portable` | – | 4 | eight tables of S-box and diffusion in one, 16 KiB |
//!
//! - [KHAZAD] P. Barreto, V. Rijmen: The Khazad Legacy-Level Block Cipher, submission to NESSIE,
//!   2000, revised 2001
//! - [SWEET32] K. Bhargavan, G. Leurent: On the Practical (In-)Security of 64-bit
//!   Block Ciphers, CCS 2016
//!
//! [KHAZAD]: https://web.archive.org/web/20120414225350/http://www.larc.usp.br/~pbarreto/KhazadPage.html
//! [SWEET32]: https://doi.org/10.1145/2976749.2978423

use zeroize::ZeroizeOnDrop;

use super::anubis;
use crate::debug::debug;
use crate::machinery::byte_tables::{Matrix, Tables, crypt, lookup, substitute, tables};
use crate::machinery::portable::portable_cipher;
use crate::wipe::wipe;
use crate::{FixedKey, InvalidKeyLength, KeyLengths, Keyed};

/// Khazad, with a key of 16 bytes.
#[derive(Clone)]
pub struct Khazad {
    kernel: Kernel,
    /// Round keys of encryption and of decryption.
    keys: [RoundKeys; 2],
}

debug!([] Khazad, "Khazad");

type Block = [u8; 8];

const ROUNDS: usize = 8;

type RoundKeys = [u64; ROUNDS + 1];

/// The S-box, which is its own inverse.
static S: [u8; 256] = anubis::tweaked();

/// The matrix H of the diffusion, [KHAZAD](self), which is its own inverse.
const H: Matrix = {
    let first = [1, 3, 4, 5, 6, 8, 11, 7];
    let mut matrix = [[0; 8]; 8];
    let mut i = 0;
    while i < 64 {
        matrix[i / 8][i % 8] = first[(i / 8) ^ (i % 8)];
        i += 1;
    }
    matrix
};

static TABLES: Tables = tables(&anubis::tweaked(), &H, anubis::FIELD);

impl Khazad {
    #[inline(always)]
    fn forwards(&self, block: Block) -> Block {
        crypt(&self.keys[0], &TABLES, &S, u64::from_be_bytes(block)).to_be_bytes()
    }

    #[inline(always)]
    fn backwards(&self, block: Block) -> Block {
        crypt(&self.keys[1], &TABLES, &S, u64::from_be_bytes(block)).to_be_bytes()
    }
}

impl FixedKey for Khazad {
    type Key = [u8; 16];
}

impl Keyed for Khazad {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::exactly(16);

    /// Sets up a key by the key schedule of [KHAZAD](self): a round of the cipher, with constants
    /// from the S-box as its key, makes each round key from the two keys before.
    fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        let key: &[u8; 16] = Self::KEY_LENGTHS.array(key)?;
        let number = u128::from_be_bytes(*key);
        let [mut before, mut last] = [(number >> 64) as u64, number as u64];
        let mut forwards = [0; ROUNDS + 1];
        for (key, constant) in forwards.iter_mut().zip(S.as_chunks().0) {
            *key = lookup(&TABLES, last) ^ u64::from_be_bytes(*constant) ^ before;
            (before, last) = (last, *key);
        }
        let mut backwards = forwards;
        backwards.reverse();
        for key in &mut backwards[1..ROUNDS] {
            // The S-box is undone, so the diffusion alone remains.
            *key = lookup(&TABLES, substitute(&S, *key));
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

portable_cipher!(Khazad, Block);

impl Drop for Khazad {
    fn drop(&mut self) {
        wipe(self.keys.as_flattened_mut(), 0);
    }
}

impl ZeroizeOnDrop for Khazad {}
