//! AES, the Advanced Encryption Standard: the cipher Rijndael with blocks of 16 bytes and keys
//! of 16, 24 or 32 bytes.
//!
//! Every kernel is constant-time: no secret is an index of a table in memory.
//!
//! | kernel | needs | blocks at once | technique |
//! |---|---|---|---|
//! | `vaes512` | AVX-512 | 32 | four blocks in each register |
//! | `vaes256` | VAES | 16 | two blocks in each register |
//! | `aes-ni` | AES-NI | 8 | one block in each register; serial modes interleave 8 messages |
//! | `portable` | – | 4 | bitsliced, eight planes of 64 bits |
//!
//! - [FIPS197] Advanced Encryption Standard (AES), NIST FIPS 197, 2001, updated 2023
//! - [BP] J. Boyar, R. Peralta: A small depth-16 circuit for the AES S-box, 2012
//!
//! [FIPS197]: https://doi.org/10.6028/NIST.FIPS.197-upd1
//! [BP]: https://doi.org/10.1007/978-3-642-30436-1_24

use crate::buffer::Words;
use crate::cipher::Block as _;
#[cfg(target_arch = "x86_64")]
use crate::cpu;
use crate::debug::{by_key, debug};
use crate::fuse::{FusedDecrypt, FusedEncrypt, Sealed};
use crate::kernel::kernels;
#[cfg(feature = "dynamic")]
use crate::keyed::Unkeyed;
use crate::wipe::wipe;
use crate::{
    BlockCipher, BlockDecrypt, BlockEncrypt, FixedKey, InOutBuf, InvalidKeyLength, KeyLengths,
    Keyed,
};
use zeroize::ZeroizeOnDrop;

use crate::fuse::{Absorbed, Message, gcm_message as gcm, ocb_offsets as mode, unfused};
use crate::ghash;
use crate::machinery::both::{InverseOf, both};
#[cfg(target_arch = "x86_64")]
use crate::machinery::{operation, tail};

#[cfg(target_arch = "x86_64")]
mod aesni;
#[cfg(target_arch = "x86_64")]
mod ctr_mac;
#[cfg(target_arch = "x86_64")]
mod gcm128;
#[cfg(target_arch = "x86_64")]
mod gcm256;
#[cfg(target_arch = "x86_64")]
mod gcm512;
#[cfg(target_arch = "x86_64")]
mod gcm_siv128;
#[cfg(target_arch = "x86_64")]
mod gcm_siv512;
#[cfg(target_arch = "x86_64")]
mod groups256;
#[cfg(target_arch = "x86_64")]
mod many512;
#[cfg(target_arch = "x86_64")]
mod parallel;
#[cfg(target_arch = "x86_64")]
mod parallel_ocb;
mod portable;
#[cfg(target_arch = "x86_64")]
mod serial;
#[cfg(target_arch = "x86_64")]
mod vaes256;
#[cfg(target_arch = "x86_64")]
mod vaes512;
#[cfg(target_arch = "x86_64")]
mod wide;
#[cfg(target_arch = "x86_64")]
mod wrap;

both! {
    /// AES with a key of `KEY` bytes, in both directions.
    Aes<const KEY: usize> = AesEncrypt<KEY>, AesDecrypt<KEY>;
}

impl<const KEY: usize> FixedKey for Aes<KEY> {
    type Key = [u8; KEY];
}

/// AES with a key of `KEY` bytes, encryption only. Modes such as CTR need only this direction.
/// A key set-up takes half as long as for both directions.
#[derive(Clone)]
pub struct AesEncrypt<const KEY: usize> {
    kernel: Kernel,
    keys: RoundKeys,
}

debug!([const KEY: usize] AesEncrypt<KEY>, by_key(["Aes128", "Aes192", "Aes256"], KEY));

/// AES with a key of `KEY` bytes, decryption only.
#[derive(Clone)]
pub struct AesDecrypt<const KEY: usize> {
    kernel: Kernel,
    keys: RoundKeys,
}

debug!([const KEY: usize] AesDecrypt<KEY>, by_key(["Aes128", "Aes192", "Aes256"], KEY));

/// AES with a key of 16 bytes, in both directions.
pub type Aes128 = Aes<16>;
/// AES with a key of 24 bytes, in both directions.
pub type Aes192 = Aes<24>;
/// AES with a key of 32 bytes, in both directions.
pub type Aes256 = Aes<32>;
/// AES with a key of 16 bytes, encryption only.
pub type Aes128Encrypt = AesEncrypt<16>;
/// AES with a key of 24 bytes, encryption only.
pub type Aes192Encrypt = AesEncrypt<24>;
/// AES with a key of 32 bytes, encryption only.
pub type Aes256Encrypt = AesEncrypt<32>;
/// AES with a key of 16 bytes, decryption only.
pub type Aes128Decrypt = AesDecrypt<16>;
/// AES with a key of 24 bytes, decryption only.
pub type Aes192Decrypt = AesDecrypt<24>;
/// AES with a key of 32 bytes, decryption only.
pub type Aes256Decrypt = AesDecrypt<32>;
/// The name that the crate `aes` gives to [`Aes128Encrypt`].
pub type Aes128Enc = Aes128Encrypt;
/// The name that the crate `aes` gives to [`Aes192Encrypt`].
pub type Aes192Enc = Aes192Encrypt;
/// The name that the crate `aes` gives to [`Aes256Encrypt`].
pub type Aes256Enc = Aes256Encrypt;
/// The name that the crate `aes` gives to [`Aes128Decrypt`].
pub type Aes128Dec = Aes128Decrypt;
/// The name that the crate `aes` gives to [`Aes192Decrypt`].
pub type Aes192Dec = Aes192Decrypt;
/// The name that the crate `aes` gives to [`Aes256Decrypt`].
pub type Aes256Dec = Aes256Decrypt;

type Block = [u8; 16];

/// Round keys in the order in which the rounds use them. In the kernels with AES instructions,
/// each number is the 16 bytes of a round key of [FIPS197], read little-endian. The portable
/// kernel stores the bits of its planes in the same space.
type RoundKeys = [u128; 15];

/// Returns the number of rounds for a key of `key` bytes, [FIPS197] §5, table 3. Kernels write
/// `const { rounds(KEY) }`. Without `const` the compiler may keep a function call, and then it
/// does not unroll the loops over the rounds.
const fn rounds(key: usize) -> usize {
    assert!(key == 16 || key == 24 || key == 32);
    key / 4 + 6
}

/// Computes one AES round without a round key on each of four blocks, in the portable form. The
/// AEAD AEGIS needs this operation.
#[cfg(feature = "aegis")]
#[inline]
pub(crate) fn round_of_four(blocks: &mut [Block; 4]) {
    portable::round(blocks);
}

/// The round constants of [FIPS197] §5.2: powers of x in the field GF(2⁸). AES-128 needs all
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

/// Computes the key schedule of [FIPS197] §5.2, for kernels that have no faster one of their
/// own. Returns the words `w` of the standard. `sub_word` applies the kernel's S-box to the
/// four bytes of a word.
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
    /// The kernels: implementations of AES for different CPU features.
    enum Kernel {
        #[cfg(target_arch = "x86_64")]
        "vaes512" = Vaes512(cpu::Avx512),
        #[cfg(target_arch = "x86_64")]
        "vaes256" = Vaes256(cpu::Vaes256),
        #[cfg(target_arch = "x86_64")]
        "aes-ni" = AesNi(cpu::Aes),
    }
}

impl Kernel {
    /// Returns the token that proves AES-NI. Every kernel except `portable` has this token. The
    /// kernels use AES-NI for the operations that gain nothing from wider registers.
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

    /// Returns the token that proves AES with AVX, if the kernel has it.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn vaes256(self) -> Option<cpu::Vaes256> {
        match self {
            Self::Vaes512(token) => Some(token.into()),
            Self::Vaes256(token) => Some(token),
            Self::AesNi(_) | Self::Portable => None,
        }
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn aes_ni(self) -> Option<core::convert::Infallible> {
        None
    }
}

/// Computes the round keys of one direction; `INVERSE` means decryption.
#[inline(always)]
fn schedule<const KEY: usize, const INVERSE: bool>(
    kernel: Kernel,
    key: &[u8; KEY],
    keys: &mut RoundKeys,
) {
    #[cfg(target_arch = "x86_64")]
    if let Some(token) = kernel.vaes256()
        && let Some(key) = key.first_chunk()
        && KEY == 16
    {
        return aesni::expand_128_avx::<INVERSE>(token, key, keys);
    }
    match kernel.aes_ni() {
        #[cfg(target_arch = "x86_64")]
        Some(token) => aesni::expand::<KEY, INVERSE>(token, key, keys),
        // The portable form uses the same round keys in both directions.
        _ => portable::expand::<KEY>(key, keys),
    }
}

/// Implements `Keyed` for the type of one direction.
macro_rules! keyed {
    ($Cipher:ident, $inverse:literal) => {
        impl<const KEY: usize> FixedKey for $Cipher<KEY> {
            type Key = [u8; KEY];
        }

        impl<const KEY: usize> Keyed for $Cipher<KEY> {
            type Kernel = Kernel;
            const KEY_LENGTHS: KeyLengths = KeyLengths::exactly(KEY);

            #[inline]
            fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
                let key = Self::KEY_LENGTHS.array(key)?;
                let mut keys = [0; 15];
                schedule::<KEY, $inverse>(kernel, key, &mut keys);
                Ok(Self { kernel, keys })
            }

            #[inline]
            fn rekey(&mut self, key: &[u8]) -> Result<(), InvalidKeyLength> {
                let key = Self::KEY_LENGTHS.array(key)?;
                schedule::<KEY, $inverse>(self.kernel, key, &mut self.keys);
                Ok(())
            }

            fn kernel_in_use(&self) -> Kernel {
                self.kernel
            }
        }

        #[cfg(feature = "dynamic")]
        impl<const KEY: usize> Unkeyed for $Cipher<KEY> {
            #[inline(always)]
            fn unkeyed(kernel: Kernel) -> Self {
                Self {
                    kernel,
                    keys: [0; 15],
                }
            }
        }

        impl<const KEY: usize> BlockCipher for $Cipher<KEY> {
            type Block = Block;
        }

        impl<const KEY: usize> Sealed for $Cipher<KEY> {}

        impl<const KEY: usize> Drop for $Cipher<KEY> {
            fn drop(&mut self) {
                wipe(&mut self.keys[..=const { rounds(KEY) }], 0);
            }
        }

        impl<const KEY: usize> ZeroizeOnDrop for $Cipher<KEY> {}
    };
}

keyed!(AesEncrypt, false);
keyed!(AesDecrypt, true);

impl<const KEY: usize> From<&AesEncrypt<KEY>> for AesDecrypt<KEY> {
    /// Makes the type for decryption with the same key. This takes less time than a key set-up.
    #[inline]
    fn from(forward: &AesEncrypt<KEY>) -> Self {
        let kernel = forward.kernel;
        let mut keys = [0; 15];
        invert::<KEY>(kernel, &forward.keys, &mut keys);
        Self { kernel, keys }
    }
}

impl<const KEY: usize> InverseOf<AesEncrypt<KEY>> for AesDecrypt<KEY> {
    #[inline]
    fn follow(&mut self, forward: &AesEncrypt<KEY>) {
        invert::<KEY>(self.kernel, &forward.keys, &mut self.keys);
    }
}

#[inline(always)]
fn invert<const KEY: usize>(kernel: Kernel, keys: &RoundKeys, inverse: &mut RoundKeys) {
    match kernel.aes_ni() {
        #[cfg(target_arch = "x86_64")]
        Some(token) => aesni::invert::<KEY>(token, keys, inverse),
        _ => *inverse = *keys,
    }
}

/// Calls the kernel's function for a mode whose blocks are independent. For the portable
/// kernel, evaluates `$portable`.
macro_rules! parallel {
    ($cipher:ident.$mode:ident($($argument:expr),*), else $portable:expr) => {
        match $cipher.kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Vaes512(token) => vaes512::$mode::<KEY>(token, &$cipher.keys, $($argument),*),
            #[cfg(target_arch = "x86_64")]
            Kernel::Vaes256(token) => vaes256::$mode::<KEY>(token, &$cipher.keys, $($argument),*),
            #[cfg(target_arch = "x86_64")]
            Kernel::AesNi(token) => aesni::$mode::<KEY>(token, &$cipher.keys, $($argument),*),
            Kernel::Portable => out_of_line(|| $portable),
        }
    };
}

/// Calls the AES-NI code of an operation for every kernel that has AES-NI. For the portable
/// kernel, evaluates `$portable`.
macro_rules! narrow {
    ($cipher:ident, |$token:ident| $call:expr, else $portable:expr) => {
        match $cipher.kernel.aes_ni() {
            #[cfg(target_arch = "x86_64")]
            Some($token) => $call,
            _ => out_of_line(|| $portable),
        }
    };
}

/// Returns a counter as a number, and adds `blocks` to the counter. Kernels add only to the lower 64 bits of
/// a number; if these bits would overflow, the function returns `None` and does nothing.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn move_on(counter: &mut Block, blocks: usize) -> Option<u128> {
    let number = u128::from_be_bytes(*counter);
    (number as u64).checked_add(blocks as u64)?;
    *counter = (number + blocks as u128).to_be_bytes();
    Some(number)
}

/// Calls the portable code of a mode, which takes a frame and registers that the instructions of AES
/// do not need.
#[inline(never)]
fn out_of_line<T>(portable: impl FnOnce() -> T) -> T {
    portable()
}

/// Calls the AES-NI code for one block and returns, if the message has one block and the kernel
/// has AES-NI. The code for groups of blocks would only cost time for one block.
macro_rules! only {
    ($cipher:ident, $what:ident, $state:expr, $blocks:ident) => {
        if $blocks.len() == 1
            && let Some(token) = $cipher.kernel.aes_ni()
            && let Some(block) = $blocks.reborrow().into_iter().next()
        {
            #[cfg(target_arch = "x86_64")]
            return aesni::only::<{ operation::$what }, KEY>(token, &$cipher.keys, $state, block);
            #[cfg(not(target_arch = "x86_64"))]
            return match token {};
        }
    };
}

/// Calls the code for two or more blocks and returns, if the kernel has VAES.
macro_rules! few {
    ($cipher:ident, $mode:ident, $INVERSE:literal, $blocks:ident) => {
        #[cfg(target_arch = "x86_64")]
        if $blocks.len() >= 2 {
            match $cipher.kernel {
                Kernel::Vaes512(token) => {
                    return vaes512::few::<KEY, $INVERSE>(token, &$cipher.keys, $blocks);
                }
                Kernel::Vaes256(token) => {
                    return vaes256::$mode::<KEY>(token, &$cipher.keys, $blocks);
                }
                _ => {}
            }
        }
    };
}

/// Calls the AES-NI code for a data unit of one block and returns, as [`only`] does.
macro_rules! only_unit {
    ($cipher:ident, $INVERSE:literal, $tweak:ident, $unit:ident) => {
        if $unit.len() == 16
            && let Some(token) = $cipher.kernel.aes_ni()
            && let Some(block) = Block::split($unit.reborrow()).0.into_iter().next()
        {
            #[cfg(target_arch = "x86_64")]
            return aesni::only_unit::<KEY, $INVERSE>(token, &$cipher.keys, $tweak, block);
            #[cfg(not(target_arch = "x86_64"))]
            return match token {};
        }
    };
}

/// Calls the kernel's OCB3 if the number of blocks of the message so far is a multiple of 32.
/// Otherwise evaluates `$unfused`, which computes mode and cipher one after the other.
macro_rules! ocb {
    ($cipher:ident, $what:ident, $walk:ident, $blocks:ident, else $unfused:expr) => {
        match $cipher.kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Vaes512(token) if $walk.index.is_multiple_of(32) => {
                parallel_ocb::vaes512::blocks::<{ operation::$what }, KEY>(
                    token,
                    &$cipher.keys,
                    $walk,
                    $blocks,
                );
            }
            #[cfg(target_arch = "x86_64")]
            Kernel::Vaes256(token) if $walk.index.is_multiple_of(32) => {
                parallel_ocb::vaes256::blocks::<{ operation::$what }, KEY>(
                    token,
                    &$cipher.keys,
                    $walk,
                    $blocks,
                );
            }
            #[cfg(target_arch = "x86_64")]
            Kernel::AesNi(token) if $walk.index.is_multiple_of(32) => {
                parallel_ocb::aesni::blocks::<{ operation::$what }, KEY>(
                    token,
                    &$cipher.keys,
                    $walk,
                    $blocks,
                );
            }
            _ => out_of_line(|| $unfused),
        }
    };
}

impl<const KEY: usize> BlockEncrypt for AesEncrypt<KEY> {
    #[inline]
    fn encrypt_blocks(&self, mut blocks: InOutBuf<'_, '_, Block>) {
        only!(self, ENCRYPT, &mut [0; 16], blocks);
        few!(self, encrypt, false, blocks);
        self.encrypt_more(blocks);
    }

    #[inline]
    fn encrypt_block(&self, block: &mut Block) {
        narrow!(
            self,
            |token| aesni::one::<KEY, false>(token, &self.keys, block),
            else {
                // The code works on a copy of the block, because with AES-NI a copy can stay in
                // a register.
                let mut copy = *block;
                portable::encrypt::<KEY>(&self.keys, InOutBuf::from_mut(&mut copy));
                *block = copy;
            }
        );
    }
}

/// Parts of modes out of line, so that a call that does not need them has no frame, and the compiler
/// inlines the rest.
impl<const KEY: usize> AesEncrypt<KEY> {
    #[inline(never)]
    fn encrypt_more(&self, blocks: InOutBuf<'_, '_, Block>) {
        parallel!(self.encrypt(blocks), else portable::encrypt::<KEY>(&self.keys, blocks));
    }

    /// Computes the hash of OCB3 on blocks of which the first may follow others. The kernels begin at a
    /// multiple of 32 blocks.
    #[inline(never)]
    fn ocb_hash_more(&self, walk: &mut mode::Walk<'_, Block>, blocks: &[Block]) {
        let (before, blocks) = blocks.split_at(walk.before_turn(blocks.len()));
        if !before.is_empty() {
            mode::hash_unfused(&unfused::encryption(self), walk, before);
        }
        self.ocb_hash::<32>(walk, blocks);
    }

    /// Computes the hash of OCB3, at most `N` blocks at once. The kernels write no output, but take a
    /// place for it.
    #[inline(always)]
    fn ocb_hash<const N: usize>(&self, walk: &mut mode::Walk<'_, Block>, blocks: &[Block]) {
        let mut unused = [[0; 16]; N];
        for now in blocks.chunks(N) {
            let Ok(blocks) = InOutBuf::new(now, &mut unused[..now.len()]) else {
                return;
            };
            ocb!(self, OCB_HASH, walk, blocks, else mode::hash_unfused(&unfused::encryption(self), walk, now));
        }
    }

    /// Counter mode on more than one block. A function of its own leaves one block without a frame.
    #[inline(never)]
    fn ctr_several(&self, counter: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
        #[cfg(target_arch = "x86_64")]
        if let Kernel::Vaes512(_) | Kernel::Vaes256(_) = self.kernel
            && let Some(number) = move_on(counter, blocks.len())
        {
            return parallel!(self.ctr(number, blocks), else {});
        }
        self.ctr_runs(counter, blocks);
    }

    #[inline(never)]
    fn ctr_runs(&self, counter: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
        match self.kernel {
            Kernel::Portable => unfused::ctr(self, unfused::next, counter, blocks),
            #[cfg(target_arch = "x86_64")]
            _ => unfused::ctr_runs(counter, blocks, |counter, blocks| {
                parallel!(self.ctr(counter, blocks), else {});
            }),
        }
    }

    #[inline(never)]
    fn ctr_unfused(&self, counter: &mut Block, data: InOutBuf<'_, '_, u8>, keystream: &mut Block) {
        // One block takes less time than a copy of the blocks before it.
        let (blocks, mut rest) = Block::split(data);
        if !blocks.is_empty() {
            self.ctr_blocks(counter, blocks);
        }
        *keystream = [0; 16];
        self.ctr_blocks(counter, InOutBuf::from_mut(keystream));
        let n = rest.len();
        rest.xor_in2out(&keystream[..n]);
    }

    #[inline(never)]
    fn cfb_decrypt_unfused(
        &self,
        chain: &mut Block,
        data: InOutBuf<'_, '_, u8>,
        keystream: &mut Block,
    ) {
        let (blocks, mut rest) = Block::split(data);
        self.cfb_decrypt_blocks(chain, blocks);
        *keystream = *chain;
        self.encrypt_block(keystream);
        *chain = tail::block(tail::number(rest.get_in()));
        let n = rest.len();
        rest.xor_in2out(&keystream[..n]);
    }
}

impl<const KEY: usize> FusedEncrypt for AesEncrypt<KEY> {
    #[inline]
    fn ctr_blocks(&self, counter: &mut Block, mut blocks: InOutBuf<'_, '_, Block>) {
        only!(self, CTR, counter, blocks);
        self.ctr_several(counter, blocks);
    }

    #[inline]
    fn ctr_bytes(&self, counter: &mut Block, data: InOutBuf<'_, '_, u8>, keystream: &mut Block) {
        if data.len().is_multiple_of(16) {
            let (blocks, _) = Block::split(data);
            return self.ctr_blocks(counter, blocks);
        }
        #[cfg(target_arch = "x86_64")]
        if let Kernel::Vaes512(token) = self.kernel
            && data.len() > 16
            && let Some(number) = move_on(counter, data.len().div_ceil(16))
        {
            return vaes512::ctr_bytes::<KEY>(token, &self.keys, number, data, keystream);
        }
        self.ctr_unfused(counter, data, keystream);
    }

    #[inline]
    fn cbc_encrypt_blocks(&self, chain: &mut Block, mut blocks: InOutBuf<'_, '_, Block>) {
        only!(self, CBC_ENCRYPT, chain, blocks);
        narrow!(
            self,
            |token| serial::one::<{ serial::CBC }, KEY>(token, &self.keys, chain, blocks),
            else unfused::cbc_encrypt(self, chain, blocks)
        );
    }

    #[inline]
    fn cbc_encrypt_many(&self, messages: &mut [Message<'_, '_, Block>]) {
        #[cfg(target_arch = "x86_64")]
        if let Kernel::Vaes512(token) = self.kernel {
            return many512::many::<{ serial::CBC }, KEY>(token, &self.keys, messages);
        }
        narrow!(
            self,
            |token| serial::many::<{ serial::CBC }, KEY>(token, &self.keys, messages),
            else unfused::cbc_encrypt_many(&unfused::encryption(self), messages)
        );
    }

    #[inline]
    fn cfb_encrypt_blocks(&self, chain: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
        narrow!(
            self,
            |token| serial::one::<{ serial::CFB }, KEY>(token, &self.keys, chain, blocks),
            else unfused::cfb_encrypt(self, chain, blocks)
        );
    }

    #[inline]
    fn cfb_encrypt_many(&self, messages: &mut [Message<'_, '_, Block>]) {
        #[cfg(target_arch = "x86_64")]
        if let Kernel::Vaes512(token) = self.kernel {
            return many512::many::<{ serial::CFB }, KEY>(token, &self.keys, messages);
        }
        narrow!(
            self,
            |token| serial::many::<{ serial::CFB }, KEY>(token, &self.keys, messages),
            else unfused::cfb_encrypt_many(&unfused::encryption(self), messages)
        );
    }

    #[inline]
    fn cfb_decrypt_blocks(&self, chain: &mut Block, mut blocks: InOutBuf<'_, '_, Block>) {
        only!(self, CFB_DECRYPT, chain, blocks);
        parallel!(
            self.cfb_decrypt(chain, blocks),
            else unfused::cfb_decrypt(self, chain, blocks)
        );
    }

    #[inline]
    fn cfb_decrypt_bytes(
        &self,
        chain: &mut Block,
        data: InOutBuf<'_, '_, u8>,
        keystream: &mut Block,
    ) {
        #[cfg(target_arch = "x86_64")]
        if let Kernel::Vaes512(token) = self.kernel {
            return vaes512::cfb_decrypt_bytes::<KEY>(token, &self.keys, chain, data, keystream);
        }
        self.cfb_decrypt_unfused(chain, data, keystream);
    }

    #[inline]
    fn cfb8_encrypt_bytes(&self, chain: &mut Block, bytes: InOutBuf<'_, '_, u8>) {
        narrow!(
            self,
            |token| serial::cfb8::<KEY>(token, &self.keys, chain, bytes),
            else unfused::cfb8_encrypt(self, chain, bytes)
        );
    }

    #[inline]
    fn cfb8_decrypt_blocks(&self, chain: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
        parallel!(
            self.cfb8_decrypt(chain, blocks),
            else unfused::cfb8_decrypt(&unfused::encryption(self), chain, blocks)
        );
    }

    #[inline]
    fn ofb_blocks(&self, chain: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
        narrow!(
            self,
            |token| serial::one::<{ serial::OFB }, KEY>(token, &self.keys, chain, blocks),
            else unfused::ofb(self, chain, blocks)
        );
    }

    #[inline]
    fn ofb_many(&self, messages: &mut [Message<'_, '_, Block>]) {
        #[cfg(target_arch = "x86_64")]
        if let Kernel::Vaes512(token) = self.kernel {
            return many512::many::<{ serial::OFB }, KEY>(token, &self.keys, messages);
        }
        narrow!(
            self,
            |token| serial::many::<{ serial::OFB }, KEY>(token, &self.keys, messages),
            else unfused::ofb_many(&unfused::encryption(self), messages)
        );
    }

    #[inline]
    fn xts_encrypt(&self, tweak: &Block, mut unit: InOutBuf<'_, '_, u8>) {
        only_unit!(self, false, tweak, unit);
        parallel!(
            self.xts_encrypt(tweak, unit),
            else unfused::xts_encrypt(&unfused::encryption(self), tweak, unit)
        );
    }

    #[inline]
    fn cbc_mac_blocks(&self, chain: &mut Block, blocks: &[Block]) {
        narrow!(
            self,
            |token| ctr_mac::mac::<KEY>(token, &self.keys, chain, blocks),
            else unfused::cbc_mac(self, chain, blocks)
        );
    }

    #[inline]
    fn cbc_mac_many(&self, messages: &mut [Absorbed<'_, Block>]) {
        #[cfg(target_arch = "x86_64")]
        if let Kernel::Vaes512(token) = self.kernel {
            return many512::cbc_mac_many::<KEY>(token, &self.keys, messages);
        }
        narrow!(
            self,
            |token| serial::cbc_mac_many::<KEY>(token, &self.keys, messages),
            else unfused::cbc_mac_many(&unfused::encryption(self), messages)
        );
    }

    #[inline]
    fn ctr_mac_blocks(
        &self,
        counter: &mut Block,
        chain: &mut Block,
        of_output: bool,
        blocks: InOutBuf<'_, '_, Block>,
    ) {
        narrow!(
            self,
            |token| unfused::ctr_runs(counter, blocks, |counter, blocks| {
                let keys = &self.keys;
                if of_output {
                    ctr_mac::ctr_mac::<KEY, true>(token, keys, counter, chain, blocks);
                } else {
                    ctr_mac::ctr_mac::<KEY, false>(token, keys, counter, chain, blocks);
                }
            }),
            else unfused::ctr_mac(self, counter, chain, of_output, blocks)
        );
    }

    #[inline]
    fn ctr_le32_blocks(&self, counter: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
        if let Kernel::Portable = self.kernel {
            return out_of_line(|| unfused::ctr(self, unfused::next_le32, counter, blocks));
        }
        let n = blocks.len() as u32;
        let number = u128::from_le_bytes(*counter);
        parallel!(self.ctr_le32(number, blocks), else {});
        if let Some(first) = counter.first_chunk_mut() {
            *first = u32::from_le_bytes(*first).wrapping_add(n).to_le_bytes();
        }
    }

    #[inline]
    fn ocb_start(&self, nonce: u128, bottom: u32, start: &mut mode::Start) -> bool {
        narrow!(
            self,
            |token| {
                parallel_ocb::start::<KEY>(token, &self.keys, nonce, bottom, start);
                true
            },
            else false
        )
    }

    #[inline]
    fn ocb_encrypt_blocks(
        &self,
        walk: &mut mode::Walk<'_, Block>,
        blocks: InOutBuf<'_, '_, Block>,
    ) {
        ocb!(self, ENCRYPT, walk, blocks, else mode::encrypt_unfused(&unfused::encryption(self), walk, blocks));
    }

    #[inline]
    fn ocb_hash_blocks(&self, walk: &mut mode::Walk<'_, Block>, blocks: &[Block]) {
        if blocks.len() <= 4 {
            self.ocb_hash::<4>(walk, blocks);
        } else {
            self.ocb_hash_more(walk, blocks);
        }
    }

    #[inline]
    fn wrap_halves(&self, a: &mut [u8; 8], halves: &mut [[u8; 8]]) -> bool {
        narrow!(
            self,
            |token| {
                wrap::forwards::<KEY>(token, &self.keys, a, halves);
                true
            },
            else false
        )
    }

    #[inline]
    fn gcm_table(&self, point: &ghash::Point, table: &mut ghash::Table) {
        #[cfg(target_arch = "x86_64")]
        if let (Kernel::Vaes512(token), ghash::Kernel::Vpclmul512(_)) = (self.kernel, point.kernel)
        {
            table.set(token, &point.powers);
            table.short = gcm512::SHORT;
        }
        #[cfg(target_arch = "x86_64")]
        if let (Kernel::Vaes256(_), ghash::Kernel::Vpclmul256(token)) = (self.kernel, point.kernel)
        {
            table.set_for_two(token, &point.powers);
            table.short = gcm256::SHORT;
        }
    }

    #[inline(always)]
    fn gcm_seal(
        &self,
        table: &ghash::Table,
        nonce: &[u8; 12],
        aad: &[u8],
        data: &mut Words<'_, '_>,
        tag: &mut Block,
    ) {
        #[cfg(target_arch = "x86_64")]
        if let Kernel::Vaes512(token) = self.kernel {
            return gcm512::seal::<KEY>(token, &self.keys, table, nonce, aad, data, tag);
        }
        #[cfg(target_arch = "x86_64")]
        if let (Kernel::Vaes256(token), Some(clmul)) = (self.kernel, table.for_two) {
            return gcm256::seal::<KEY>((token, clmul), &self.keys, table, nonce, aad, data, tag);
        }
        let _ = (table, nonce, aad, data, tag);
    }

    #[inline(always)]
    fn gcm_open(
        &self,
        table: &ghash::Table,
        nonce: &[u8; 12],
        aad: &[u8],
        data: &mut Words<'_, '_>,
        tag: &Block,
    ) -> bool {
        #[cfg(target_arch = "x86_64")]
        if let Kernel::Vaes512(token) = self.kernel {
            return gcm512::open::<KEY>(token, &self.keys, table, nonce, aad, data, tag);
        }
        #[cfg(target_arch = "x86_64")]
        if let (Kernel::Vaes256(token), Some(clmul)) = (self.kernel, table.for_two) {
            return gcm256::open::<KEY>((token, clmul), &self.keys, table, nonce, aad, data, tag);
        }
        let _ = (table, nonce, aad, data, tag);
        false
    }

    // Inlined in any case, so that the message's fields stay in registers.
    #[inline(always)]
    fn gcm(&self, message: gcm::Message<'_, '_, '_>, tag: &mut Block) -> bool {
        match (self.kernel, message.point.kernel) {
            #[cfg(target_arch = "x86_64")]
            (Kernel::Vaes512(token), ghash::Kernel::Vpclmul512(_)) => {
                gcm512::whole::<KEY>(token, &self.keys, message, tag);
                true
            }
            #[cfg(target_arch = "x86_64")]
            (Kernel::Vaes256(token), ghash::Kernel::Vpclmul256(clmul)) => {
                gcm256::whole::<KEY>(token, clmul, &self.keys, message, tag);
                true
            }
            #[cfg(target_arch = "x86_64")]
            (_, ghash::Kernel::Vpclmul256(clmul)) => {
                let Some(token) = self.kernel.aes_ni() else {
                    return false;
                };
                gcm128::whole::<KEY>(token, clmul.into(), &self.keys, message, tag);
                true
            }
            #[cfg(target_arch = "x86_64")]
            (_, ghash::Kernel::Clmul(clmul)) => {
                let Some(token) = self.kernel.aes_ni() else {
                    return false;
                };
                gcm128::whole::<KEY>(token, clmul, &self.keys, message, tag);
                true
            }
            _ => false,
        }
    }

    #[inline]
    fn gcm_siv(
        &self,
        hash: ghash::Kernel,
        message: &mut gcm::SivMessage<'_, '_, '_>,
        tag: &mut Block,
    ) -> bool {
        match (self.kernel, hash) {
            #[cfg(target_arch = "x86_64")]
            (Kernel::Vaes512(token), ghash::Kernel::Vpclmul512(_)) => {
                gcm_siv512::whole::<KEY>(token, &self.keys, message, tag);
                true
            }
            #[cfg(target_arch = "x86_64")]
            (kernel, ghash::Kernel::Clmul(_) | ghash::Kernel::Vpclmul256(_)) => {
                let Some(token) = kernel.aes_ni() else {
                    return false;
                };
                let ctr = |keys: &RoundKeys, counter, blocks: InOutBuf<'_, '_, _>| match kernel {
                    Kernel::Vaes512(token) => {
                        vaes512::ctr_le32::<KEY>(token, keys, counter, blocks);
                    }
                    Kernel::Vaes256(token) => {
                        vaes256::ctr_le32::<KEY>(token, keys, counter, blocks);
                    }
                    _ => aesni::ctr_le32::<KEY>(token, keys, counter, blocks),
                };
                match hash {
                    ghash::Kernel::Clmul(clmul) => {
                        let hash = ghash::clmul::polyval(clmul);
                        gcm_siv128::whole::<KEY>(token, clmul, &self.keys, message, tag, ctr, hash);
                    }
                    ghash::Kernel::Vpclmul256(clmul) => {
                        let hash = ghash::vpclmul256::polyval(clmul);
                        let clmul = clmul.into();
                        gcm_siv128::whole::<KEY>(token, clmul, &self.keys, message, tag, ctr, hash);
                    }
                    _ => return false,
                }
                true
            }
            _ => {
                let _ = (message, tag);
                false
            }
        }
    }
}

/// Parts of modes out of line, as for encryption.
impl<const KEY: usize> AesDecrypt<KEY> {
    #[inline(never)]
    fn decrypt_more(&self, blocks: InOutBuf<'_, '_, Block>) {
        parallel!(self.decrypt(blocks), else portable::decrypt::<KEY>(&self.keys, blocks));
    }

    #[inline(never)]
    fn cbc_decrypt_more(&self, chain: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
        parallel!(
            self.cbc_decrypt(chain, blocks),
            else unfused::cbc_decrypt(&unfused::decryption(self), chain, blocks)
        );
    }
}

impl<const KEY: usize> BlockDecrypt for AesDecrypt<KEY> {
    #[inline]
    fn decrypt_blocks(&self, mut blocks: InOutBuf<'_, '_, Block>) {
        only!(self, DECRYPT, &mut [0; 16], blocks);
        few!(self, decrypt, true, blocks);
        self.decrypt_more(blocks);
    }

    #[inline]
    fn decrypt_block(&self, block: &mut Block) {
        narrow!(
            self,
            |token| aesni::one::<KEY, true>(token, &self.keys, block),
            else {
                // The code works on a copy of the block, because with AES-NI a copy can stay in
                // a register.
                let mut copy = *block;
                portable::decrypt::<KEY>(&self.keys, InOutBuf::from_mut(&mut copy));
                *block = copy;
            }
        );
    }
}

impl<const KEY: usize> FusedDecrypt for AesDecrypt<KEY> {
    #[inline]
    fn cbc_decrypt_blocks(&self, chain: &mut Block, mut blocks: InOutBuf<'_, '_, Block>) {
        only!(self, CBC_DECRYPT, chain, blocks);
        self.cbc_decrypt_more(chain, blocks);
    }

    #[inline]
    fn xts_decrypt(&self, tweak: &Block, mut unit: InOutBuf<'_, '_, u8>) {
        only_unit!(self, true, tweak, unit);
        parallel!(
            self.xts_decrypt(tweak, unit),
            else unfused::xts_decrypt(&unfused::decryption(self), tweak, unit)
        );
    }

    #[inline]
    fn unwrap_halves(&self, a: &mut [u8; 8], halves: &mut [[u8; 8]]) -> bool {
        narrow!(
            self,
            |token| {
                wrap::backwards::<KEY>(token, &self.keys, a, halves);
                true
            },
            else false
        )
    }

    #[inline]
    fn ocb_decrypt_blocks(
        &self,
        walk: &mut mode::Walk<'_, Block>,
        blocks: InOutBuf<'_, '_, Block>,
    ) {
        ocb!(self, DECRYPT, walk, blocks, else mode::decrypt_unfused(&unfused::decryption(self), walk, blocks));
    }
}
