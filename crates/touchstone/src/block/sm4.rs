//! SM4, the block cipher of Chinese standards (GB/T 32907) and of ISO/IEC 18033-3: blocks and
//! keys of 16 bytes.
//!
//! The portable form looks up secret bytes in tables and is **not constant-time**: an attacker
//! who watches the cache learns about the key. The kernel `avx512` is constant-time, but key
//! set-ups use the tables. The kernels `avx2-gfni`, `avx2-vaes` and `avx2-aes` are constant-time for five blocks and
//! more.
//!
//! | kernel | needs | blocks at once | technique |
//! |---|---|---|---|
//! | `avx512` | AVX-512 | 64 | byte-sliced; word-sliced for 32 blocks or fewer |
//! | `avx2-gfni` | AVX2, GFNI | 32, 16 or 8 | word-sliced, from 5 blocks on; fewer as `portable` |
//! | `avx2-vaes` | AVX2, VAES | 32, 16 or 8 | word-sliced, from 5 blocks on; fewer as `portable` |
//! | `avx2-aes` | AVX2, AES-NI | 32, 16 or 8 | word-sliced, from 5 blocks on; fewer as `portable` |
//! | `portable` | – | 4 | four tables of T, 4 KiB; as many for keys |
//!
//! - [SM4] SM4 Block Cipher Algorithm, GM/T 0002-2012; translated by W. Diffie and
//!   G. Ledin: SMS4 Encryption Algorithm for Wireless Networks, 2008
//! - [LJHGZ] F. Liu, W. Ji, L. Hu, J. Ding, S. Lv, A. Pyshkin, R.-P. Weinmann:
//!   Analysis of the SMS4 Block Cipher, 2007
//!
//! [SM4]: https://eprint.iacr.org/2008/329
//! [LJHGZ]: https://doi.org/10.1007/978-3-540-73458-1_22

#[cfg(target_arch = "x86_64")]
use crate::cpu;
use crate::debug::debug;
use crate::fuse::{FusedDecrypt, FusedEncrypt, Sealed};
use crate::kernel::kernels;
use crate::wipe::wipe;
use crate::{
    BlockCipher, BlockDecrypt, BlockEncrypt, FixedKey, InOutBuf, InvalidKeyLength, KeyLengths,
    Keyed,
};
use zeroize::ZeroizeOnDrop;

use crate::fuse::unfused;
use crate::machinery::field::{inversion, linear};
use crate::machinery::four_words::big;
use crate::machinery::groups::filled;
use crate::machinery::planes;
use crate::machinery::unknown::apart;

#[cfg(target_arch = "x86_64")]
mod aes;
#[cfg(target_arch = "x86_64")]
mod avx2_aes;
#[cfg(target_arch = "x86_64")]
mod avx2_gfni;
#[cfg(target_arch = "x86_64")]
mod avx2_vaes;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod gfni;

/// SM4, with a key of 16 bytes.
#[derive(Clone)]
pub struct Sm4 {
    kernel: Kernel,
    keys: RoundKeys,
}

debug!([] Sm4, "Sm4");

type Block = [u8; 16];

type RoundKeys = [u32; 32];

/// The S-box in the form that [LJHGZ] §3 found: inversion in a field, with the same affine map
/// before and after the inversion.
const S: [u8; 256] = inversion(&MAP, &MAP, FIELD);

/// The modulus of the field: x⁸ + x⁷ + x⁶ + x⁵ + x⁴ + x² + 1.
const FIELD: u16 = 0x1f5;

/// The affine map of the S-box.
const MAP: [u8; 256] = {
    // Each row of the matrix is the row before it, rotated by one bit.
    let mut matrix = [0xd3u8; 8];
    let mut i = 1;
    while i < 8 {
        matrix[i] = matrix[i - 1].rotate_right(1);
        i += 1;
    }
    let mut map = [0; 256];
    let mut x = 0;
    while x < 256 {
        map[x] = linear(matrix, x as u8) ^ 0xd3;
        x += 1;
    }
    map
};

/// Returns, for each byte of a word, the part of the map T that depends on this byte: the
/// S-box, and then the XOR of the word and its rotations by `turns` bits. The table for the
/// highest byte is the first.
const fn tables(turns: &[u32]) -> [[u32; 256]; 4] {
    let mut tables = [[0; 256]; 4];
    let mut from = 0;
    while from < 4 {
        let mut x = 0;
        while x < 256 {
            let b = (S[x] as u32) << (24 - 8 * from);
            tables[from][x] = b;
            let mut i = 0;
            while i < turns.len() {
                tables[from][x] ^= b.rotate_left(turns[i]);
                i += 1;
            }
            x += 1;
        }
        from += 1;
    }
    tables
}

/// The tables of the map T, [SM4] §2: the S-box and the linear map L in one.
static T: [[u32; 256]; 4] = tables(&[2, 10, 18, 24]);
/// The tables of the map T′, [SM4] §2, "key expansion": the S-box and the linear map L′ in one.
static T_OF_KEYS: [[u32; 256]; 4] = tables(&[13, 23]);

/// The constants FK, [SM4] §2, "key expansion".
const FK: [u32; 4] = [0xa3b1bac6, 0x56aa3350, 0x677d9197, 0xb27022dc];

/// The constants CK, [SM4] §2, "key expansion". The bytes of all constants, one after the
/// other, are the multiples of 7.
const CK: [u32; 32] = {
    let mut ck = [0; 32];
    let mut i = 0;
    while i < 128 {
        ck[i / 4] = (ck[i / 4] << 8) | ((7 * i as u32) % 256);
        i += 1;
    }
    ck
};

#[inline(always)]
fn look_up(tables: &[[u32; 256]; 4], x: u32) -> u32 {
    let [x0, x1, x2, x3] = x.to_be_bytes().map(usize::from);
    (tables[0][x0] ^ tables[1][x1]) ^ (tables[2][x2] ^ tables[3][x3])
}

/// Computes the key schedule, [SM4] §2, "key expansion". A round waits for the word before it, so this
/// word is never computed alone: its terms are XORed to the input of the next round, those of the
/// bytes that take two instructions last.
#[inline]
fn expand(key: &Block, keys: &mut RoundKeys) {
    let mut k = big(key);
    for (k, fk) in k.iter_mut().zip(FK) {
        *k ^= fk;
    }
    let mut input = k[1] ^ k[2] ^ k[3] ^ CK[0];
    for (i, key) in keys.iter_mut().enumerate() {
        let [x0, x1, x2, x3] = input.to_be_bytes().map(usize::from);
        let [t0, t1, t2, t3] = &T_OF_KEYS;
        let early = apart(t0[x0] ^ t3[x3]);
        let late = apart(t1[x1] ^ t2[x2]);
        // Without the lookups, what the next round's input is.
        let others = k[0] ^ k[2] ^ k[3] ^ CK[(i + 1) % 32];
        input = apart(apart(others) ^ early) ^ late;
        *key = k[0] ^ early ^ late;
        k = [k[1], k[2], k[3], *key];
    }
}

/// Encrypts or decrypts `N` blocks, [SM4] §2, "encryption", with the round keys in order or in
/// reverse order.
#[inline(always)]
fn cipher<const BACKWARDS: bool, const N: usize>(
    keys: &RoundKeys,
    blocks: &[Block; N],
) -> [Block; N] {
    let key = |i: usize| keys[if BACKWARDS { 31 - i } else { i }];
    let mut x = [[0; 4]; N];
    for n in 0..N {
        x[n] = big(&blocks[n]);
    }
    for i in (0..32).step_by(4) {
        for n in 0..N {
            x[n][0] ^= look_up(&T, x[n][2] ^ x[n][3] ^ key(i) ^ x[n][1]);
        }
        for n in 0..N {
            x[n][1] ^= look_up(&T, x[n][2] ^ x[n][3] ^ key(i + 1) ^ x[n][0]);
        }
        for n in 0..N {
            x[n][2] ^= look_up(&T, x[n][0] ^ x[n][3] ^ key(i + 2) ^ x[n][1]);
        }
        for n in 0..N {
            x[n][3] ^= look_up(&T, x[n][0] ^ x[n][1] ^ key(i + 3) ^ x[n][2]);
        }
    }
    let mut output = [[0; 16]; N];
    for n in 0..N {
        let words = x[n].into_iter().rev();
        for (bytes, word) in output[n].as_chunks_mut().0.iter_mut().zip(words) {
            *bytes = word.to_be_bytes();
        }
    }
    output
}

fn portable<const BACKWARDS: bool>(keys: &RoundKeys, blocks: InOutBuf<'_, '_, Block>) {
    // Four blocks take little more time than one block.
    filled::<4, 2, _>(
        blocks,
        |four| cipher::<BACKWARDS, 4>(keys, &four),
        |two| cipher::<BACKWARDS, 2>(keys, &two),
        |one| cipher::<BACKWARDS, 1>(keys, &[one])[0],
    );
}

kernels! {
    /// The kernels: implementations of SM4 for different CPU features.
    enum Kernel {
        #[cfg(target_arch = "x86_64")]
        "avx512" = Avx512(cpu::Avx512),
        #[cfg(target_arch = "x86_64")]
        "avx2-gfni" = Gfni(cpu::Gfni),
        #[cfg(target_arch = "x86_64")]
        "avx2-vaes" = Vaes(cpu::Vaes256),
        #[cfg(target_arch = "x86_64")]
        "avx2-aes" = Avx2Aes(cpu::Avx2Aes),
    }
}

impl FixedKey for Sm4 {
    type Key = [u8; 16];
}

impl Keyed for Sm4 {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::exactly(16);

    fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        let mut this = Self {
            kernel,
            keys: [0; 32],
        };
        this.rekey(key)?;
        Ok(this)
    }

    #[inline]
    fn rekey(&mut self, key: &[u8]) -> Result<(), InvalidKeyLength> {
        expand(Self::KEY_LENGTHS.array(key)?, &mut self.keys);
        #[cfg(target_arch = "x86_64")]
        if let Kernel::Avx512(token) = self.kernel {
            gfni::to_basis(token, &mut self.keys);
        }
        Ok(())
    }

    fn kernel_in_use(&self) -> Kernel {
        self.kernel
    }
}

impl BlockCipher for Sm4 {
    type Block = Block;
}

impl Sealed for Sm4 {}

impl Sm4 {
    /// Encrypts or decrypts one block.
    #[inline(always)]
    fn single<const BACKWARDS: bool>(&self, block: Block) -> Block {
        match self.kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512(token) => avx512::single::<BACKWARDS>(token, &self.keys, block),
            _ => cipher::<BACKWARDS, 1>(&self.keys, &[block])[0],
        }
    }

    /// Encrypts or decrypts blocks that are too few for planes.
    #[inline]
    fn few<const BACKWARDS: bool>(&self, blocks: InOutBuf<'_, '_, Block>) {
        match self.kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512(token) => avx512::few::<BACKWARDS>(token, &self.keys, blocks),
            _ => portable::<BACKWARDS>(&self.keys, blocks),
        }
    }
}

impl BlockEncrypt for Sm4 {
    planes::encrypt_methods!(
        [avx512: Avx512, avx2_gfni: Gfni, avx2_vaes: Vaes, avx2_aes: Avx2Aes],
        |this, token, run| gfni::InBasis::with(token, &this.keys, run),
        |few| this.few::<false>(few),
        |one| this.single::<false>(one)
    );
}

impl FusedEncrypt for Sm4 {
    planes::fused_encrypt_methods!([avx512: Avx512, avx2_gfni: Gfni, avx2_vaes: Vaes, avx2_aes: Avx2Aes], |this, token, run| gfni::InBasis::with(token, &this.keys, run), |one| this
        .single::<false>(
        one
    ));
}

impl BlockDecrypt for Sm4 {
    planes::decrypt_methods!(
        [avx512: Avx512, avx2_gfni: Gfni, avx2_vaes: Vaes, avx2_aes: Avx2Aes],
        |this, token, run| gfni::InBasis::with(token, &this.keys, run),
        |few| this.few::<true>(few),
        |one| this.single::<true>(one)
    );
}

impl FusedDecrypt for Sm4 {
    planes::fused_decrypt_methods!([avx512: Avx512, avx2_gfni: Gfni, avx2_vaes: Vaes, avx2_aes: Avx2Aes], |this, token, run| gfni::InBasis::with(token, &this.keys, run));
}

impl Drop for Sm4 {
    fn drop(&mut self) {
        wipe(&mut self.keys, 0);
    }
}

impl ZeroizeOnDrop for Sm4 {}

#[cfg(test)]
mod tests {
    use super::{CK, S};

    /// Checks the first row of the S-box in [SM4] §2, and the first and the last constant CK.
    const _: () = {
        const ROW: [u8; 16] = 0xd690e9fecce13db716b614c228fb2c05u128.to_be_bytes();
        let mut x = 0;
        while x < 16 {
            assert!(S[x] == ROW[x]);
            x += 1;
        }
        assert!(CK[0] == 0x00070e15 && CK[31] == 0x646b7279);
    };
}
