//! SAFER+, a candidate of the competition for AES, and part of Bluetooth's first pairing: blocks of
//! 16 bytes, keys of 16, 24 or 32, with 8, 12 or 16 rounds. It has the tables of
//! [SAFER](super::safer).
//!
//! **Not constant-time**: data and key choose the table entries that are read.
//!
//! | kernel | needs | blocks per call |
//! |---|---|---|
//! | `portable` | – | 4 |
//!
//! - [SAFERPLUS] J. Massey, G. Khachatrian, M. Kuregian: Nomination of SAFER+ as Candidate Algorithm
//!   for the Advanced Encryption Standard, 1998; its key schedule and answers as LibTomCrypt has them
//!
//! [SAFERPLUS]: https://github.com/libtom/libtomcrypt/blob/develop/src/ciphers/safer/saferp.c

use zeroize::ZeroizeOnDrop;

use super::safer::{self, EXP, transform, transform_back};
use crate::debug::debug;
use crate::machinery::portable::portable_cipher;
use crate::wipe::wipe;
use crate::{InvalidKeyLength, KeyLengths, Keyed};

/// SAFER+, with a key of 16, 24 or 32 bytes.
#[derive(Clone)]
pub struct SaferPlus {
    kernel: Kernel,
    rounds: usize,
    keys: [Block; 33],
}

debug!([] SaferPlus, "SaferPlus");

type Block = [u8; 16];

/// The Armenian shuffle, [SAFERPLUS](self): the place from which each byte comes.
const SHUFFLE: [usize; 16] = [8, 11, 12, 15, 2, 1, 6, 5, 10, 9, 14, 13, 0, 7, 4, 3];

/// The layers of a round after the tables: four transforms with shuffles between them.
#[inline(always)]
fn diffuse(block: &mut Block) {
    transform(block);
    for _ in 0..3 {
        let mut next = [0; 16];
        for i in 0..16 {
            next[i] = block[SHUFFLE[i]];
        }
        *block = next;
        transform(block);
    }
}

/// Undoes [`diffuse`].
#[inline(always)]
fn diffuse_back(block: &mut Block) {
    transform_back(block);
    for _ in 0..3 {
        let mut next = [0; 16];
        for i in 0..16 {
            next[SHUFFLE[i]] = block[i];
        }
        *block = next;
        transform_back(block);
    }
}

impl SaferPlus {
    /// The keys of the rounds, and the key of the output transformation.
    #[inline(always)]
    fn keys(&self) -> &[Block] {
        &self.keys[..=2 * self.rounds]
    }

    #[inline(always)]
    fn forwards(&self, block: Block) -> Block {
        safer::forwards(self.keys(), block, diffuse)
    }

    #[inline(always)]
    fn backwards(&self, block: Block) -> Block {
        safer::backwards(self.keys(), block, diffuse_back)
    }
}

/// The bias of byte `j` of key `i`, both counted from 1, as [SAFERPLUS](self) does.
fn bias(i: usize, j: usize) -> u8 {
    let once = EXP[(17 * i + j) % 256];
    if i <= 17 {
        EXP[usize::from(once)]
    } else {
        once
    }
}

impl Keyed for SaferPlus {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::every(8, 16, 32);

    fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        Self::KEY_LENGTHS.check(key)?;
        let rounds = key.len() / 2;
        // The key, and the sum of its bytes.
        let mut register = [0; 33];
        let register = &mut register[..=key.len()];
        register[..key.len()].copy_from_slice(key);
        register[key.len()] = key.iter().fold(0, |sum, byte| sum ^ byte);
        let mut keys = [[0; 16]; 33];
        keys[0].copy_from_slice(&key[..16]);
        for (i, key) in keys[1..=2 * rounds].iter_mut().enumerate() {
            register
                .iter_mut()
                .for_each(|byte| *byte = byte.rotate_left(3));
            for (j, byte) in key.iter_mut().enumerate() {
                let from = register[(i + 1 + j) % register.len()];
                *byte = from.wrapping_add(bias(i + 2, j + 1));
            }
        }
        wipe(register, 0);
        Ok(Self {
            kernel,
            rounds,
            keys,
        })
    }

    fn kernel_in_use(&self) -> Kernel {
        self.kernel
    }
}

portable_cipher!(SaferPlus, Block);

impl Drop for SaferPlus {
    fn drop(&mut self) {
        wipe(&mut self.keys, [0; 16]);
    }
}

impl ZeroizeOnDrop for SaferPlus {}
