//! AES: the Advanced Encryption Standard, Rijndael with blocks of 16 bytes and
//! keys of 16, 24 or 32.
//!
//! Constant-time in every kernel: no table is indexed by a secret.
//!
//! | kernel | needs | blocks in flight | technique |
//! |---|---|---|---|
//! | `vaes512` | [`cpu::Avx512`] | 32 | four blocks a register |
//! | `vaes256` | [`cpu::Vaes256`] | 16 | two blocks a register |
//! | `aes-ni` | [`cpu::Aes`] | 8 | one block a register; serial modes interleave 8 messages |
//! | `portable` | – | 4 | bitsliced, eight planes of 64 bits |
//!
//! - [FIPS197] Advanced Encryption Standard (AES), NIST FIPS 197, 2001, updated 2023
//! - [BP] J. Boyar, R. Peralta: A small depth-16 circuit for the AES S-box, 2012
//!
//! [FIPS197]: https://doi.org/10.6028/NIST.FIPS.197-upd1
//! [BP]: https://doi.org/10.1007/978-3-642-30436-1_24

#[cfg(target_arch = "x86_64")]
use crate::cpu;
use crate::kernel::kernels;
use crate::wipe::wipe;
use crate::{
    BlockCipher, BlockDecrypt, BlockEncrypt, InOutBuf, InvalidKeyLength, KeyLengths, Keyed,
};
use zeroize::ZeroizeOnDrop;

use super::{Absorbed, Message, unfused};
use crate::aead::gcm;
use crate::aead::ocb as mode;
use crate::mac::ghash;

#[cfg(target_arch = "x86_64")]
mod aesni;
#[cfg(target_arch = "x86_64")]
mod ctr_mac;
#[cfg(target_arch = "x86_64")]
mod gcm128;
#[cfg(target_arch = "x86_64")]
mod gcm512;
#[cfg(target_arch = "x86_64")]
mod ocb;
#[cfg(target_arch = "x86_64")]
mod parallel;
mod portable;
#[cfg(target_arch = "x86_64")]
mod serial;
#[cfg(target_arch = "x86_64")]
mod vaes256;
#[cfg(target_arch = "x86_64")]
mod vaes512;

/// AES with a key of `KEY` bytes, in both directions.
#[derive(Clone)]
pub struct Aes<const KEY: usize> {
    encrypt: AesEncrypt<KEY>,
    decrypt: AesDecrypt<KEY>,
}

/// AES with a key of `KEY` bytes, forwards only: all that CTR needs, and half
/// the key set-up.
#[derive(Clone)]
pub struct AesEncrypt<const KEY: usize> {
    kernel: Kernel,
    keys: RoundKeys,
}

/// AES with a key of `KEY` bytes, backwards only.
#[derive(Clone)]
pub struct AesDecrypt<const KEY: usize> {
    kernel: Kernel,
    keys: RoundKeys,
}

/// AES with a key of 16 bytes, in both directions.
pub type Aes128 = Aes<16>;
/// AES with a key of 24 bytes, in both directions.
pub type Aes192 = Aes<24>;
/// AES with a key of 32 bytes, in both directions.
pub type Aes256 = Aes<32>;
/// AES with a key of 16 bytes, forwards only.
pub type Aes128Encrypt = AesEncrypt<16>;
/// AES with a key of 24 bytes, forwards only.
pub type Aes192Encrypt = AesEncrypt<24>;
/// AES with a key of 32 bytes, forwards only.
pub type Aes256Encrypt = AesEncrypt<32>;
/// AES with a key of 16 bytes, backwards only.
pub type Aes128Decrypt = AesDecrypt<16>;
/// AES with a key of 24 bytes, backwards only.
pub type Aes192Decrypt = AesDecrypt<24>;
/// AES with a key of 32 bytes, backwards only.
pub type Aes256Decrypt = AesDecrypt<32>;

type Block = [u8; 16];

/// Round keys in the order in which they are used. In the hardware kernels each
/// is the 16 bytes of [FIPS197] read little-endian; the portable form packs its
/// planes into the same space.
type RoundKeys = [u128; 15];

/// [FIPS197] §5, table 3. Kernels take it as `const { rounds(KEY) }`, or it is a
/// call, and loops over it are not unrolled.
const fn rounds(key: usize) -> usize {
    assert!(key == 16 || key == 24 || key == 32);
    key / 4 + 6
}

/// The round constants of [FIPS197] §5.2: powers of x, of which AES-128 needs
/// ten.
const RCON: [u32; 10] = {
    let mut powers = [1u32; 10];
    let mut i = 1;
    while i < powers.len() {
        powers[i] = (powers[i - 1] << 1) ^ ((powers[i - 1] >> 7) * 0x11b);
        i += 1;
    }
    powers
};

/// The key schedule of [FIPS197] §5.2, for kernels without a better one: the
/// words `w`, with the S-box that the kernel has.
fn expand(key: &[u8], sub_word: impl Fn(u32) -> u32) -> [u32; 60] {
    let nk = key.len() / 4;
    let mut w = [0; 60];
    for (word, bytes) in w.iter_mut().zip(key.chunks_exact(4)) {
        *word = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    }
    for i in nk..4 * (rounds(key.len()) + 1) {
        let mut temp = w[i - 1];
        if i % nk == 0 {
            temp = sub_word(temp.rotate_right(8)) ^ RCON[i / nk - 1];
        } else if nk > 6 && i % nk == 4 {
            temp = sub_word(temp);
        }
        w[i] = w[i - nk] ^ temp;
    }
    w
}

kernels! {
    /// How AES is computed.
    pub enum Kernel {
        #[cfg(target_arch = "x86_64")]
        "vaes512" = Vaes512(cpu::Avx512),
        #[cfg(target_arch = "x86_64")]
        "vaes256" = Vaes256(cpu::Vaes256),
        #[cfg(target_arch = "x86_64")]
        "aes-ni" = AesNi(cpu::Aes),
    }
}

impl Kernel {
    /// AES-NI, which serves what no wider kernel does better.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn aes_ni(self) -> Option<cpu::Aes> {
        match self {
            Self::Vaes512(token) => Some(token.into()),
            Self::Vaes256(token) => Some(token.into()),
            Self::AesNi(token) => Some(token),
            Self::Portable => None,
        }
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn aes_ni(self) -> Option<core::convert::Infallible> {
        None
    }
}

impl<const KEY: usize> Keyed for AesEncrypt<KEY> {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::exactly(KEY);

    fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        let key = Self::KEY_LENGTHS.array(key)?;
        let mut keys = [0; 15];
        match kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Vaes512(token) => aesni::expand::<KEY>(token.into(), key, &mut keys),
            #[cfg(target_arch = "x86_64")]
            Kernel::Vaes256(token) => aesni::expand::<KEY>(token.into(), key, &mut keys),
            #[cfg(target_arch = "x86_64")]
            Kernel::AesNi(token) => aesni::expand::<KEY>(token, key, &mut keys),
            Kernel::Portable => portable::expand::<KEY>(key, &mut keys),
        }
        Ok(Self { kernel, keys })
    }

    fn kernel(&self) -> Kernel {
        self.kernel
    }
}

impl<const KEY: usize> From<&AesEncrypt<KEY>> for AesDecrypt<KEY> {
    /// The backward direction of the same key, for less than a key set-up.
    fn from(forward: &AesEncrypt<KEY>) -> Self {
        let kernel = forward.kernel;
        let mut keys = [0; 15];
        match kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Vaes512(token) => aesni::invert::<KEY>(token.into(), &forward.keys, &mut keys),
            #[cfg(target_arch = "x86_64")]
            Kernel::Vaes256(token) => aesni::invert::<KEY>(token.into(), &forward.keys, &mut keys),
            #[cfg(target_arch = "x86_64")]
            Kernel::AesNi(token) => aesni::invert::<KEY>(token, &forward.keys, &mut keys),
            Kernel::Portable => keys = forward.keys,
        }
        Self { kernel, keys }
    }
}

impl<const KEY: usize> Keyed for AesDecrypt<KEY> {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::exactly(KEY);

    fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        AesEncrypt::with_kernel(kernel, key).map(|forward| Self::from(&forward))
    }

    fn kernel(&self) -> Kernel {
        self.kernel
    }
}

impl<const KEY: usize> Keyed for Aes<KEY> {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::exactly(KEY);

    fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        let encrypt = AesEncrypt::with_kernel(kernel, key)?;
        let decrypt = AesDecrypt::from(&encrypt);
        Ok(Self { encrypt, decrypt })
    }

    fn kernel(&self) -> Kernel {
        self.encrypt.kernel
    }
}

impl<const KEY: usize> BlockCipher for AesEncrypt<KEY> {
    type Block = Block;
}

impl<const KEY: usize> BlockCipher for AesDecrypt<KEY> {
    type Block = Block;
}

impl<const KEY: usize> BlockCipher for Aes<KEY> {
    type Block = Block;
}

impl<const KEY: usize> BlockEncrypt for AesEncrypt<KEY> {
    #[inline]
    fn encrypt_blocks(&self, blocks: InOutBuf<'_, '_, Block>) {
        match self.kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Vaes512(token) => vaes512::encrypt::<KEY>(token, &self.keys, blocks),
            #[cfg(target_arch = "x86_64")]
            Kernel::Vaes256(token) => vaes256::encrypt::<KEY>(token, &self.keys, blocks),
            #[cfg(target_arch = "x86_64")]
            Kernel::AesNi(token) => aesni::encrypt::<KEY>(token, &self.keys, blocks),
            Kernel::Portable => portable::encrypt::<KEY>(&self.keys, blocks),
        }
    }

    #[inline]
    fn ctr_blocks(&self, counter: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
        match self.kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Vaes512(token) => unfused::ctr_runs(counter, blocks, |counter, blocks| {
                vaes512::ctr::<KEY>(token, &self.keys, counter, blocks);
            }),
            #[cfg(target_arch = "x86_64")]
            Kernel::Vaes256(token) => unfused::ctr_runs(counter, blocks, |counter, blocks| {
                vaes256::ctr::<KEY>(token, &self.keys, counter, blocks);
            }),
            #[cfg(target_arch = "x86_64")]
            Kernel::AesNi(token) => unfused::ctr_runs(counter, blocks, |counter, blocks| {
                aesni::ctr::<KEY>(token, &self.keys, counter, blocks);
            }),
            Kernel::Portable => unfused::ctr(self, unfused::next, counter, blocks),
        }
    }

    #[inline]
    fn cbc_encrypt_blocks(&self, chain: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
        #[cfg(target_arch = "x86_64")]
        if let Some(token) = self.kernel.aes_ni() {
            return serial::one::<{ serial::CBC }, KEY>(token, &self.keys, chain, blocks);
        }
        unfused::cbc_encrypt(self, chain, blocks);
    }

    #[inline]
    fn cbc_encrypt_many(&self, messages: &mut [Message<'_, '_, Block>]) {
        #[cfg(target_arch = "x86_64")]
        if let Some(token) = self.kernel.aes_ni() {
            return serial::many::<{ serial::CBC }, KEY>(token, &self.keys, messages);
        }
        unfused::cbc_encrypt_many(self, messages);
    }

    #[inline]
    fn cbc_mac_many(&self, messages: &mut [Absorbed<'_, Block>]) {
        #[cfg(target_arch = "x86_64")]
        if let Some(token) = self.kernel.aes_ni() {
            return serial::cbc_mac_many::<KEY>(token, &self.keys, messages);
        }
        unfused::cbc_mac_many(self, messages);
    }

    #[inline]
    fn cfb_encrypt_blocks(&self, chain: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
        #[cfg(target_arch = "x86_64")]
        if let Some(token) = self.kernel.aes_ni() {
            return serial::one::<{ serial::CFB }, KEY>(token, &self.keys, chain, blocks);
        }
        unfused::cfb_encrypt(self, chain, blocks);
    }

    #[inline]
    fn cfb_encrypt_many(&self, messages: &mut [Message<'_, '_, Block>]) {
        #[cfg(target_arch = "x86_64")]
        if let Some(token) = self.kernel.aes_ni() {
            return serial::many::<{ serial::CFB }, KEY>(token, &self.keys, messages);
        }
        unfused::cfb_encrypt_many(self, messages);
    }

    #[inline]
    fn cfb_decrypt_blocks(&self, chain: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
        match self.kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Vaes512(token) => vaes512::cfb_decrypt::<KEY>(token, &self.keys, chain, blocks),
            #[cfg(target_arch = "x86_64")]
            Kernel::Vaes256(token) => vaes256::cfb_decrypt::<KEY>(token, &self.keys, chain, blocks),
            #[cfg(target_arch = "x86_64")]
            Kernel::AesNi(token) => aesni::cfb_decrypt::<KEY>(token, &self.keys, chain, blocks),
            Kernel::Portable => unfused::cfb_decrypt(self, chain, blocks),
        }
    }

    #[inline]
    fn cfb8_encrypt_bytes(&self, chain: &mut Block, bytes: InOutBuf<'_, '_, u8>) {
        #[cfg(target_arch = "x86_64")]
        if let Some(token) = self.kernel.aes_ni() {
            return serial::cfb8::<KEY>(token, &self.keys, chain, bytes);
        }
        unfused::cfb8_encrypt(self, chain, bytes);
    }

    #[inline]
    fn cfb8_decrypt_blocks(&self, chain: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
        match self.kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Vaes512(token) => {
                vaes512::cfb8_decrypt::<KEY>(token, &self.keys, chain, blocks)
            }
            #[cfg(target_arch = "x86_64")]
            Kernel::Vaes256(token) => {
                vaes256::cfb8_decrypt::<KEY>(token, &self.keys, chain, blocks)
            }
            #[cfg(target_arch = "x86_64")]
            Kernel::AesNi(token) => aesni::cfb8_decrypt::<KEY>(token, &self.keys, chain, blocks),
            Kernel::Portable => unfused::cfb8_decrypt(self, chain, blocks),
        }
    }

    #[inline]
    fn ofb_blocks(&self, chain: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
        #[cfg(target_arch = "x86_64")]
        if let Some(token) = self.kernel.aes_ni() {
            return serial::one::<{ serial::OFB }, KEY>(token, &self.keys, chain, blocks);
        }
        unfused::ofb(self, chain, blocks);
    }

    #[inline]
    fn ofb_many(&self, messages: &mut [Message<'_, '_, Block>]) {
        #[cfg(target_arch = "x86_64")]
        if let Some(token) = self.kernel.aes_ni() {
            return serial::many::<{ serial::OFB }, KEY>(token, &self.keys, messages);
        }
        unfused::ofb_many(self, messages);
    }

    #[inline]
    fn xts_encrypt_blocks(&self, tweak: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
        match self.kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Vaes512(token) => vaes512::xts_encrypt::<KEY>(token, &self.keys, tweak, blocks),
            #[cfg(target_arch = "x86_64")]
            Kernel::Vaes256(token) => vaes256::xts_encrypt::<KEY>(token, &self.keys, tweak, blocks),
            #[cfg(target_arch = "x86_64")]
            Kernel::AesNi(token) => aesni::xts_encrypt::<KEY>(token, &self.keys, tweak, blocks),
            Kernel::Portable => unfused::xts(|blocks| self.encrypt_blocks(blocks), tweak, blocks),
        }
    }

    #[inline]
    fn cbc_mac_blocks(&self, chain: &mut Block, blocks: &[Block]) {
        match self.kernel.aes_ni() {
            #[cfg(target_arch = "x86_64")]
            Some(token) => ctr_mac::mac::<KEY>(token, &self.keys, chain, blocks),
            _ => unfused::cbc_mac(self, chain, blocks),
        }
    }

    #[inline]
    fn ctr_mac_blocks(
        &self,
        counter: &mut Block,
        chain: &mut Block,
        of_output: bool,
        blocks: InOutBuf<'_, '_, Block>,
    ) {
        match self.kernel.aes_ni() {
            #[cfg(target_arch = "x86_64")]
            Some(token) => unfused::ctr_runs(counter, blocks, |counter, blocks| {
                let keys = &self.keys;
                if of_output {
                    ctr_mac::ctr_mac::<KEY, true>(token, keys, counter, chain, blocks);
                } else {
                    ctr_mac::ctr_mac::<KEY, false>(token, keys, counter, chain, blocks);
                }
            }),
            _ => unfused::ctr_mac(self, counter, chain, of_output, blocks),
        }
    }

    #[inline]
    fn ctr_le32_blocks(&self, counter: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
        let n = blocks.len() as u32;
        let number = u128::from_le_bytes(*counter);
        match self.kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Vaes512(token) => {
                vaes512::ctr_le32::<KEY>(token, &self.keys, number, blocks);
            }
            #[cfg(target_arch = "x86_64")]
            Kernel::Vaes256(token) => {
                vaes256::ctr_le32::<KEY>(token, &self.keys, number, blocks);
            }
            #[cfg(target_arch = "x86_64")]
            Kernel::AesNi(token) => aesni::ctr_le32::<KEY>(token, &self.keys, number, blocks),
            Kernel::Portable => {
                return unfused::ctr(self, unfused::next_le32, counter, blocks);
            }
        }
        if let Some(first) = counter.first_chunk_mut() {
            *first = u32::from_le_bytes(*first).wrapping_add(n).to_le_bytes();
        }
    }

    #[inline]
    fn ocb_encrypt_blocks(
        &self,
        walk: &mut mode::Walk<'_, Block>,
        blocks: InOutBuf<'_, '_, Block>,
    ) {
        let aligned = walk.index.is_multiple_of(32);
        match self.kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Vaes512(token) if aligned => {
                ocb::vaes512::blocks::<{ ocb::ENCRYPT }, KEY>(token, &self.keys, walk, blocks);
            }
            #[cfg(target_arch = "x86_64")]
            Kernel::Vaes256(token) if aligned => {
                ocb::vaes256::blocks::<{ ocb::ENCRYPT }, KEY>(token, &self.keys, walk, blocks);
            }
            #[cfg(target_arch = "x86_64")]
            Kernel::AesNi(token) if aligned => {
                ocb::aesni::blocks::<{ ocb::ENCRYPT }, KEY>(token, &self.keys, walk, blocks);
            }
            _ => mode::encrypt_unfused(self, walk, blocks),
        }
    }

    #[inline]
    fn ocb_hash_blocks(&self, walk: &mut mode::Walk<'_, Block>, blocks: &[Block]) {
        if !walk.index.is_multiple_of(32) || self.kernel == Kernel::Portable {
            return mode::hash_unfused(self, walk, blocks);
        }
        // The kernels work on what they may write to.
        let mut buffer = [[0; 16]; 32];
        for blocks in blocks.chunks(32) {
            let buffer = &mut buffer[..blocks.len()];
            buffer.copy_from_slice(blocks);
            let blocks = buffer.into();
            match self.kernel {
                #[cfg(target_arch = "x86_64")]
                Kernel::Vaes512(token) => {
                    ocb::vaes512::blocks::<{ ocb::HASH }, KEY>(token, &self.keys, walk, blocks);
                }
                #[cfg(target_arch = "x86_64")]
                Kernel::Vaes256(token) => {
                    ocb::vaes256::blocks::<{ ocb::HASH }, KEY>(token, &self.keys, walk, blocks);
                }
                #[cfg(target_arch = "x86_64")]
                Kernel::AesNi(token) => {
                    ocb::aesni::blocks::<{ ocb::HASH }, KEY>(token, &self.keys, walk, blocks);
                }
                Kernel::Portable => {}
            }
        }
    }

    #[inline]
    fn gcm(&self, message: &mut gcm::Message<'_, '_, '_>) -> Option<Block> {
        match (self.kernel, message.point.kernel) {
            #[cfg(target_arch = "x86_64")]
            (Kernel::Vaes512(token), ghash::Kernel::Vpclmul512(_)) => {
                Some(gcm512::whole::<KEY>(token, &self.keys, message))
            }
            #[cfg(target_arch = "x86_64")]
            (_, ghash::Kernel::Clmul(clmul)) => {
                let token = self.kernel.aes_ni()?;
                Some(gcm128::whole::<KEY>(token, clmul, &self.keys, message))
            }
            _ => None,
        }
    }
}

impl<const KEY: usize> BlockDecrypt for AesDecrypt<KEY> {
    #[inline]
    fn decrypt_blocks(&self, blocks: InOutBuf<'_, '_, Block>) {
        match self.kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Vaes512(token) => vaes512::decrypt::<KEY>(token, &self.keys, blocks),
            #[cfg(target_arch = "x86_64")]
            Kernel::Vaes256(token) => vaes256::decrypt::<KEY>(token, &self.keys, blocks),
            #[cfg(target_arch = "x86_64")]
            Kernel::AesNi(token) => aesni::decrypt::<KEY>(token, &self.keys, blocks),
            Kernel::Portable => portable::decrypt::<KEY>(&self.keys, blocks),
        }
    }

    #[inline]
    fn cbc_decrypt_blocks(&self, chain: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
        match self.kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Vaes512(token) => vaes512::cbc_decrypt::<KEY>(token, &self.keys, chain, blocks),
            #[cfg(target_arch = "x86_64")]
            Kernel::Vaes256(token) => vaes256::cbc_decrypt::<KEY>(token, &self.keys, chain, blocks),
            #[cfg(target_arch = "x86_64")]
            Kernel::AesNi(token) => aesni::cbc_decrypt::<KEY>(token, &self.keys, chain, blocks),
            Kernel::Portable => unfused::cbc_decrypt(self, chain, blocks),
        }
    }

    #[inline]
    fn xts_decrypt_blocks(&self, tweak: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
        match self.kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Vaes512(token) => vaes512::xts_decrypt::<KEY>(token, &self.keys, tweak, blocks),
            #[cfg(target_arch = "x86_64")]
            Kernel::Vaes256(token) => vaes256::xts_decrypt::<KEY>(token, &self.keys, tweak, blocks),
            #[cfg(target_arch = "x86_64")]
            Kernel::AesNi(token) => aesni::xts_decrypt::<KEY>(token, &self.keys, tweak, blocks),
            Kernel::Portable => unfused::xts(|blocks| self.decrypt_blocks(blocks), tweak, blocks),
        }
    }

    #[inline]
    fn ocb_decrypt_blocks(
        &self,
        walk: &mut mode::Walk<'_, Block>,
        blocks: InOutBuf<'_, '_, Block>,
    ) {
        let aligned = walk.index.is_multiple_of(32);
        match self.kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Vaes512(token) if aligned => {
                ocb::vaes512::blocks::<{ ocb::DECRYPT }, KEY>(token, &self.keys, walk, blocks);
            }
            #[cfg(target_arch = "x86_64")]
            Kernel::Vaes256(token) if aligned => {
                ocb::vaes256::blocks::<{ ocb::DECRYPT }, KEY>(token, &self.keys, walk, blocks);
            }
            #[cfg(target_arch = "x86_64")]
            Kernel::AesNi(token) if aligned => {
                ocb::aesni::blocks::<{ ocb::DECRYPT }, KEY>(token, &self.keys, walk, blocks);
            }
            _ => mode::decrypt_unfused(self, walk, blocks),
        }
    }
}

impl<const KEY: usize> BlockEncrypt for Aes<KEY> {
    #[inline]
    fn encrypt_blocks(&self, blocks: InOutBuf<'_, '_, Block>) {
        self.encrypt.encrypt_blocks(blocks);
    }
    #[inline]
    fn ctr_blocks(&self, counter: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
        self.encrypt.ctr_blocks(counter, blocks);
    }
    #[inline]
    fn cbc_encrypt_blocks(&self, chain: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
        self.encrypt.cbc_encrypt_blocks(chain, blocks);
    }
    #[inline]
    fn cbc_encrypt_many(&self, messages: &mut [Message<'_, '_, Block>]) {
        self.encrypt.cbc_encrypt_many(messages);
    }
    #[inline]
    fn cbc_mac_blocks(&self, chain: &mut Block, blocks: &[Block]) {
        self.encrypt.cbc_mac_blocks(chain, blocks);
    }
    #[inline]
    fn ctr_mac_blocks(
        &self,
        counter: &mut Block,
        chain: &mut Block,
        of_output: bool,
        blocks: InOutBuf<'_, '_, Block>,
    ) {
        self.encrypt
            .ctr_mac_blocks(counter, chain, of_output, blocks);
    }
    #[inline]
    fn ctr_le32_blocks(&self, counter: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
        self.encrypt.ctr_le32_blocks(counter, blocks);
    }
    #[inline]
    fn ocb_encrypt_blocks(
        &self,
        walk: &mut mode::Walk<'_, Block>,
        blocks: InOutBuf<'_, '_, Block>,
    ) {
        self.encrypt.ocb_encrypt_blocks(walk, blocks);
    }
    #[inline]
    fn ocb_hash_blocks(&self, walk: &mut mode::Walk<'_, Block>, blocks: &[Block]) {
        self.encrypt.ocb_hash_blocks(walk, blocks);
    }
    #[inline]
    fn gcm(&self, message: &mut gcm::Message<'_, '_, '_>) -> Option<Block> {
        self.encrypt.gcm(message)
    }
    #[inline]
    fn cbc_mac_many(&self, messages: &mut [Absorbed<'_, Block>]) {
        self.encrypt.cbc_mac_many(messages);
    }
    #[inline]
    fn cfb_encrypt_blocks(&self, chain: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
        self.encrypt.cfb_encrypt_blocks(chain, blocks);
    }
    #[inline]
    fn cfb_encrypt_many(&self, messages: &mut [Message<'_, '_, Block>]) {
        self.encrypt.cfb_encrypt_many(messages);
    }
    #[inline]
    fn cfb_decrypt_blocks(&self, chain: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
        self.encrypt.cfb_decrypt_blocks(chain, blocks);
    }
    #[inline]
    fn cfb8_encrypt_bytes(&self, chain: &mut Block, bytes: InOutBuf<'_, '_, u8>) {
        self.encrypt.cfb8_encrypt_bytes(chain, bytes);
    }
    #[inline]
    fn cfb8_decrypt_blocks(&self, chain: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
        self.encrypt.cfb8_decrypt_blocks(chain, blocks);
    }
    #[inline]
    fn ofb_blocks(&self, chain: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
        self.encrypt.ofb_blocks(chain, blocks);
    }
    #[inline]
    fn ofb_many(&self, messages: &mut [Message<'_, '_, Block>]) {
        self.encrypt.ofb_many(messages);
    }
    #[inline]
    fn xts_encrypt_blocks(&self, tweak: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
        self.encrypt.xts_encrypt_blocks(tweak, blocks);
    }
}

impl<const KEY: usize> BlockDecrypt for Aes<KEY> {
    #[inline]
    fn decrypt_blocks(&self, blocks: InOutBuf<'_, '_, Block>) {
        self.decrypt.decrypt_blocks(blocks);
    }
    #[inline]
    fn cbc_decrypt_blocks(&self, chain: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
        self.decrypt.cbc_decrypt_blocks(chain, blocks);
    }
    #[inline]
    fn ocb_decrypt_blocks(
        &self,
        walk: &mut mode::Walk<'_, Block>,
        blocks: InOutBuf<'_, '_, Block>,
    ) {
        self.decrypt.ocb_decrypt_blocks(walk, blocks);
    }
    #[inline]
    fn xts_decrypt_blocks(&self, tweak: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
        self.decrypt.xts_decrypt_blocks(tweak, blocks);
    }
}

impl<const KEY: usize> Drop for AesEncrypt<KEY> {
    fn drop(&mut self) {
        wipe(&mut self.keys[..=const { rounds(KEY) }], 0);
    }
}

impl<const KEY: usize> Drop for AesDecrypt<KEY> {
    fn drop(&mut self) {
        wipe(&mut self.keys[..=const { rounds(KEY) }], 0);
    }
}

impl<const KEY: usize> ZeroizeOnDrop for AesEncrypt<KEY> {}
impl<const KEY: usize> ZeroizeOnDrop for AesDecrypt<KEY> {}
impl<const KEY: usize> ZeroizeOnDrop for Aes<KEY> {}
