//! Serpent: blocks of 16 bytes, keys of 16, 24 or 32; the cautious finalist of
//! the AES competition.
//!
//! Constant-time in every kernel: its S-boxes are circuits. The bytes of keys and
//! blocks are those of the submission's final form, least significant first, as
//! in all libraries and in NESSIE's vectors; the submission's own lists print
//! them as numbers, in the opposite order.
//!
//! | kernel | needs | blocks in flight | technique |
//! |---|---|---|---|
//! | `avx512` | [`cpu::Avx512`] | 64 | word-sliced, S-boxes of seven or eight ternary gates |
//! | `avx2` | [`cpu::Avx2`] | 32 | word-sliced, S-boxes of 13 to 16 binary gates |
//! | `portable` | – | 2 | the same circuits on 32-bit words |
//!
//! - [SERPENT] R. Anderson, E. Biham, L. Knudsen: Serpent, a proposal for the
//!   Advanced Encryption Standard, 1998
//!
//! [SERPENT]: https://www.cl.cam.ac.uk/~rja14/Papers/serpent.pdf

#[cfg(target_arch = "x86_64")]
use crate::cpu;
use crate::kernel::kernels;
use crate::wipe::wipe;
use crate::{
    BlockCipher, BlockDecrypt, BlockEncrypt, InOutBuf, InvalidKeyLength, KeyLengths, Keyed,
};
use zeroize::ZeroizeOnDrop;

use super::{Block as _, unfused};

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod binary;
mod portable;
mod rounds;
#[cfg(target_arch = "x86_64")]
mod ternary;

use binary::{INPUTS, OUTPUTS};

/// Serpent, with a key of 16, 24 or 32 bytes.
#[derive(Clone)]
pub struct Serpent {
    kernel: Kernel,
    keys: RoundKeys,
}

type Block = [u8; 16];

/// Round keys in the order of encryption, for the circuits: with corrections for
/// what these have complemented; but for the first and the last, words 0 and 2 are
/// rotated by what the linear transformation rotates them after the addition.
type RoundKeys = [[u32; 4]; 33];

/// [SERPENT] appendix A.5, which the tests hold the circuits to.
#[cfg(test)]
const S: [[u8; 16]; 8] = [
    [3, 8, 15, 1, 10, 6, 5, 11, 14, 13, 4, 2, 7, 0, 9, 12],
    [15, 12, 2, 7, 9, 0, 5, 10, 1, 11, 14, 8, 6, 13, 3, 4],
    [8, 6, 7, 9, 3, 12, 10, 15, 13, 1, 14, 4, 0, 11, 5, 2],
    [0, 15, 11, 8, 12, 9, 6, 3, 13, 1, 2, 4, 10, 7, 5, 14],
    [1, 15, 8, 3, 12, 0, 11, 6, 2, 5, 4, 10, 9, 14, 7, 13],
    [15, 5, 2, 11, 4, 10, 9, 12, 0, 3, 14, 8, 13, 6, 7, 1],
    [7, 2, 12, 5, 8, 4, 6, 11, 14, 9, 1, 15, 13, 3, 10, 0],
    [1, 13, 15, 0, 14, 8, 2, 11, 7, 4, 12, 10, 9, 3, 5, 6],
];

kernels! {
    /// How Serpent is computed.
    pub enum Kernel {
        #[cfg(target_arch = "x86_64")]
        "avx512" = Avx512(cpu::Avx512),
        #[cfg(target_arch = "x86_64")]
        "avx2" = Avx2(cpu::Avx2),
    }
}

/// From how many blocks on the lanes are faster, most of them empty.
#[cfg(target_arch = "x86_64")]
const FEW: usize = 2;

impl Keyed for Serpent {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::every(8, 16, 32);

    fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        Self::KEY_LENGTHS.check(key)?;
        let mut keys = [[0; 4]; 33];
        portable::expand(key, &mut keys);
        Ok(Self { kernel, keys })
    }

    fn kernel(&self) -> Kernel {
        self.kernel
    }
}

impl BlockCipher for Serpent {
    type Block = Block;
}

impl BlockEncrypt for Serpent {
    #[inline]
    fn encrypt_blocks(&self, blocks: InOutBuf<'_, '_, Block>) {
        match self.kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512(token) if blocks.len() >= FEW => {
                avx512::encrypt(token, &self.keys, blocks);
            }
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(token) if blocks.len() >= FEW => {
                avx2::encrypt(token, &self.keys, blocks);
            }
            _ => portable::encrypt(&self.keys, blocks),
        }
    }

    #[inline]
    fn ctr_blocks(&self, counter: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
        match self.kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512(token) if blocks.len() >= FEW => {
                unfused::ctr_runs(counter, blocks, |counter, blocks| {
                    avx512::ctr(token, &self.keys, counter, blocks);
                });
            }
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(token) if blocks.len() >= FEW => {
                unfused::ctr_runs(counter, blocks, |counter, blocks| {
                    avx2::ctr(token, &self.keys, counter, blocks);
                });
            }
            _ if blocks.len() <= 1 => {
                // Without a buffer.
                for mut block in blocks {
                    let mut key = *counter;
                    *counter = counter.plus(1);
                    self.encrypt_block(&mut key);
                    *block.get_out() = block.get_in().xor(key);
                    wipe(&mut key, 0);
                }
            }
            _ => unfused::ctr(self, unfused::next, counter, blocks),
        }
    }

    #[inline]
    fn cbc_encrypt_blocks(&self, chain: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
        portable::cbc_encrypt(&self.keys, chain, blocks);
    }
}

impl BlockDecrypt for Serpent {
    #[inline]
    fn decrypt_blocks(&self, blocks: InOutBuf<'_, '_, Block>) {
        match self.kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512(token) if blocks.len() >= FEW => {
                avx512::decrypt(token, &self.keys, blocks);
            }
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(token) if blocks.len() >= FEW => {
                avx2::decrypt(token, &self.keys, blocks);
            }
            _ => portable::decrypt(&self.keys, blocks),
        }
    }

    #[inline]
    fn cbc_decrypt_blocks(&self, chain: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
        match self.kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512(token) if blocks.len() >= FEW => {
                avx512::cbc_decrypt(token, &self.keys, chain, blocks);
            }
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(token) if blocks.len() >= FEW => {
                avx2::cbc_decrypt(token, &self.keys, chain, blocks);
            }
            _ if blocks.len() <= 1 => {
                // Without a buffer.
                for mut block in blocks {
                    let (before, input) = (*chain, *block.get_in());
                    *chain = input;
                    let mut one = input;
                    self.decrypt_block(&mut one);
                    *block.get_out() = one.xor(before);
                }
            }
            _ => unfused::cbc_decrypt(self, chain, blocks),
        }
    }
}

impl Drop for Serpent {
    fn drop(&mut self) {
        wipe(&mut self.keys, [0; 4]);
    }
}

impl ZeroizeOnDrop for Serpent {}
