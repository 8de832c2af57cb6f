//! SIV, [RFC5297](super). The tag is a CMAC of all inputs. The tag is also the first counter
//! block of counter mode.
//!
//! SIV does not need a nonce. Equal inputs give equal outputs; an observer learns nothing else.
//! A message can have any number of associated strings ([`Siv::encrypt_strings`]). A nonce, if
//! there is one, is the last of these strings. The strings are separate inputs: an empty string
//! is not the same as no string.
//!
//! With the trait [`Aead`](super::Aead), the strings are the associated data and, if the nonce
//! is not empty, the nonce. A sealed message begins with the tag.

use inout::InOutBuf;
use zeroize::ZeroizeOnDrop;

use super::{AeadError, Engine, verified};
#[cfg(feature = "aes")]
use crate::block::{Aes128Encrypt, Aes192Encrypt, Aes256Encrypt};
use crate::byte_array::Doubled;
use crate::cipher::Block as _;
use crate::debug::debug;
use crate::machinery::tail;
use crate::mode::Ctr;
use crate::wipe::wipe;
use crate::{DataError, FixedKey, FusedEncrypt, InvalidKeyLength, KeyLengths, Keyed, buffer};

/// SIV with a block cipher of 16-byte blocks. The key consists of a key for the MAC and a
/// key for counter mode, one after the other.
#[derive(Clone)]
pub struct Siv<C> {
    mac: C,
    cipher: C,
    masks: Masks,
}

debug!([C: core::fmt::Debug] Siv<C>, "Siv", cipher = cipher);

/// SIV with AES-128. The key has 32 bytes: two keys of AES-128.
#[cfg(feature = "aes")]
pub type Aes128Siv = Siv<Aes128Encrypt>;
/// SIV with AES-192. The key has 48 bytes: two keys of AES-192.
#[cfg(feature = "aes")]
pub type Aes192Siv = Siv<Aes192Encrypt>;
/// SIV with AES-256. The key has 64 bytes: two keys of AES-256.
#[cfg(feature = "aes")]
pub type Aes256Siv = Siv<Aes256Encrypt>;

type Block = [u8; 16];

#[derive(Clone)]
struct Masks {
    whole: Block,
    padded: Block,
    /// The CMAC of the zero block. The function S2V of the standard starts from this value.
    start: Block,
}

impl Drop for Masks {
    fn drop(&mut self) {
        wipe(&mut self.whole, 0);
        wipe(&mut self.padded, 0);
        wipe(&mut self.start, 0);
    }
}

impl<C: FusedEncrypt<Block = Block>> Siv<C> {
    /// Makes the mode from two ciphers that are set up with keys. The cipher `mac` computes the
    /// MAC, the cipher `cipher` encrypts.
    #[inline]
    pub fn with_ciphers(mac: C, cipher: C) -> Self {
        let masks = Self::masks(&mac);
        Self { mac, cipher, masks }
    }

    /// Replaces the keys of both ciphers by calling `set`, whose first argument is the cipher
    /// of the MAC. Then computes the values that SIV derives from the ciphers.
    #[inline]
    pub(crate) fn rekey_by<E>(
        &mut self,
        set: impl FnOnce(&mut C, &mut C) -> Result<(), E>,
    ) -> Result<(), E> {
        set(&mut self.mac, &mut self.cipher)?;
        self.masks = Self::masks(&self.mac);
        Ok(())
    }

    #[inline]
    fn masks(mac: &C) -> Masks {
        let mut l = [0; 16];
        mac.encrypt_block(&mut l);
        let whole = l.double();
        let mut start = whole;
        mac.encrypt_block(&mut start);
        wipe(&mut l, 0);
        Masks {
            whole,
            padded: whole.double(),
            start,
        }
    }

    /// Encrypts a message in place, with any number of associated strings, and returns
    /// its tag.
    pub fn encrypt_strings(
        &self,
        strings: &[&[u8]],
        data: &mut [u8],
        tag: &mut [u8; 16],
    ) -> Result<(), AeadError> {
        let data = InOutBuf::from(data);
        self.encrypt_with(strings.iter().copied(), data, tag);
        Ok(())
    }

    /// Does the same as [`encrypt_strings`](Self::encrypt_strings), from one buffer to another.
    pub fn encrypt_strings_into(
        &self,
        strings: &[&[u8]],
        plaintext: &[u8],
        ciphertext: &mut [u8],
        tag: &mut [u8; 16],
    ) -> Result<(), DataError> {
        let data = buffer::pair(plaintext, ciphertext)?;
        self.encrypt_with(strings.iter().copied(), data, tag);
        Ok(())
    }

    /// Decrypts a message in place, with its associated strings. If the message or a
    /// string is not genuine, the message is wiped.
    pub fn decrypt_strings(
        &self,
        strings: &[&[u8]],
        data: &mut [u8],
        tag: &[u8; 16],
    ) -> Result<(), AeadError> {
        self.decrypt_with(strings.iter().copied(), data.into(), tag)
    }

    /// Does the same as [`decrypt_strings`](Self::decrypt_strings), from one buffer to another.
    pub fn decrypt_strings_into(
        &self,
        strings: &[&[u8]],
        ciphertext: &[u8],
        plaintext: &mut [u8],
        tag: &[u8; 16],
    ) -> Result<(), AeadError> {
        let data = buffer::pair(ciphertext, plaintext)?;
        self.decrypt_with(strings.iter().copied(), data, tag)
    }

    #[inline]
    fn encrypt_with<'s>(
        &self,
        strings: impl Iterator<Item = &'s [u8]>,
        data: InOutBuf<'_, '_, u8>,
        tag: &mut Block,
    ) {
        *tag = self.s2v(strings, data.get_in());
        self.counter(tag).apply_inout(data);
    }

    #[inline]
    fn decrypt_with<'s>(
        &self,
        strings: impl Iterator<Item = &'s [u8]>,
        mut data: InOutBuf<'_, '_, u8>,
        tag: &Block,
    ) -> Result<(), AeadError> {
        self.counter(tag).apply_inout(data.reborrow());
        let right = self.s2v(strings, data.get_out());
        verified(&right, tag, &mut data)
    }

    /// Starts counter mode with the first counter block of [RFC5297] §2.5: the tag with two
    /// bits cleared.
    #[inline]
    fn counter(&self, tag: &Block) -> Ctr<&C> {
        let mut first = *tag;
        first[8] &= 0x7f;
        first[12] &= 0x7f;
        Ctr::new(&self.cipher, &first)
    }

    /// Computes the function S2V of [RFC5297] §2.4, which makes the tag from all inputs.
    #[inline]
    fn s2v<'s>(&self, strings: impl Iterator<Item = &'s [u8]>, last: &[u8]) -> Block {
        let mut d = self.masks.start;
        for string in strings {
            let body = string.len().saturating_sub(1) / 16 * 16;
            let (blocks, end) = string.split_at(body);
            d = d.double().xor(self.mac(blocks, end));
        }
        let tag = match last.len().checked_sub(16) {
            None => {
                let block = d.double().xor(tail::padded(last));
                self.mac(&[], &block)
            }
            Some(body) => {
                // `d` is XORed to the last 16 bytes of the data. These bytes may lie in two
                // blocks.
                let body = body
                    .next_multiple_of(16)
                    .saturating_sub(16 * usize::from(body % 16 != 0));
                let (blocks, end) = last.split_at(body);
                let mut both = [0; 32];
                both[..end.len()].copy_from_slice(end);
                let both = &mut both[..end.len()];
                for (byte, d) in both[end.len() - 16..].iter_mut().zip(d) {
                    *byte ^= d;
                }
                let mut chain = [0; 16];
                self.mac.cbc_mac_blocks(&mut chain, Block::of(blocks).0);
                let (first, second) = both.split_at(16);
                if let ([block], rest) = (Block::of(first).0, second) {
                    if rest.is_empty() {
                        chain = chain.xor(*block).xor(self.masks.whole);
                    } else {
                        self.mac.cbc_mac_blocks(&mut chain, &[*block]);
                        chain = chain.xor(tail::padded(rest)).xor(self.masks.padded);
                    }
                }
                self.mac.encrypt_block(&mut chain);
                wipe(both, 0);
                chain
            }
        };
        wipe(&mut d, 0);
        tag
    }

    /// Computes the CMAC of whole blocks and of a last block that is already masked.
    #[inline]
    fn mac(&self, blocks: &[u8], end: &[u8]) -> Block {
        let mut chain = [0; 16];
        if !blocks.is_empty() {
            self.mac.cbc_mac_blocks(&mut chain, Block::of(blocks).0);
        }
        chain = match Block::try_from(end) {
            Ok(end) => chain.xor(end).xor(self.masks.whole),
            Err(_) => chain.xor(tail::padded(end)).xor(self.masks.padded),
        };
        self.mac.encrypt_block(&mut chain);
        chain
    }
}

/// Returns the associated strings for a message with associated data and a nonce.
#[inline]
fn strings<'s>(nonce: &'s [u8], aad: &'s [u8]) -> impl Iterator<Item = &'s [u8]> {
    let nonce = Some(nonce).filter(|nonce| !nonce.is_empty());
    core::iter::once(aad).chain(nonce)
}

impl<C: FusedEncrypt<Block = Block>> Engine for Siv<C> {
    const TAGS: &'static [usize] = &[16];
    const NONCES: KeyLengths = KeyLengths::every(1, 0, usize::MAX);
    const TAG: usize = 16;
    const TAG_FIRST: bool = true;

    #[inline]
    fn encrypt_inout(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: InOutBuf<'_, '_, u8>,
        tag: &mut [u8],
    ) -> Result<(), AeadError> {
        let given = tag.len();
        let tag = tag.try_into().map_err(|_| AeadError::TagLength { given })?;
        self.encrypt_with(strings(nonce, aad), data, tag);
        Ok(())
    }

    #[inline]
    fn decrypt_inout(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: InOutBuf<'_, '_, u8>,
        tag: &[u8],
    ) -> Result<(), AeadError> {
        let given = tag.len();
        let tag = tag.try_into().map_err(|_| AeadError::TagLength { given })?;
        self.decrypt_with(strings(nonce, aad), data, tag)
    }
}

impl<C: FixedKey + FusedEncrypt<Block = Block>> FixedKey for Siv<C>
where
    C::Key: Doubled,
{
    type Key = <C::Key as Doubled>::Twice;
}

impl<C: Keyed + FusedEncrypt<Block = Block>> Keyed for Siv<C> {
    type Kernel = C::Kernel;
    const KEY_LENGTHS: KeyLengths = {
        let KeyLengths { min, max, step } = C::KEY_LENGTHS;
        KeyLengths::every(2 * step, 2 * min, 2 * max)
    };

    #[inline]
    fn with_kernel(kernel: Self::Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        Self::KEY_LENGTHS.check(key)?;
        let (mac, cipher) = key.split_at(key.len() / 2);
        let cipher = C::with_kernel(kernel, cipher)?;
        Ok(Self::with_ciphers(C::with_kernel(kernel, mac)?, cipher))
    }

    #[inline]
    fn rekey(&mut self, key: &[u8]) -> Result<(), InvalidKeyLength> {
        Self::KEY_LENGTHS.check(key)?;
        let (first, second) = key.split_at(key.len() / 2);
        self.rekey_by(|mac, cipher| {
            mac.rekey(first)?;
            cipher.rekey(second)
        })
    }

    fn kernel_in_use(&self) -> Self::Kernel {
        self.cipher.kernel_in_use()
    }
}

impl<C: ZeroizeOnDrop> ZeroizeOnDrop for Siv<C> {}
