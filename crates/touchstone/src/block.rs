//! Block ciphers, and the traits that they implement.
//!
//! | cipher | block | key | kernels |
//! |---|---|---|---|
//! | [`Aes128`] [`Aes192`] [`Aes256`] | 16 | 16, 24, 32 | [`aes::Kernel`] |
//! | [`Anubis`] [`AnubisOriginal`] | 16 | 16 to 40 by 4 | [`anubis::Kernel`] |
//! | [`Aria128`] [`Aria192`] [`Aria256`] | 16 | 16, 24, 32 | [`aria::Kernel`] |
//! | [`Camellia128`] [`Camellia192`] [`Camellia256`] | 16 | 16, 24, 32 | [`camellia::Kernel`] |
//! | [`Des`] [`DesEde2`] [`DesEde3`] | 8 | 8, 16, 24 | [`des::Kernel`] |
//! | [`Kuznyechik`] | 16 | 32 | [`kuznyechik::Kernel`] |
//! | [`Seed`] | 16 | 16 | [`seed::Kernel`] |
//! | [`Serpent`] | 16 | 16, 24, 32 | [`serpent::Kernel`] |
//! | [`Shacal2`] | 32 | 16 to 64 | [`shacal2::Kernel`] |
//! | [`Twofish`] | 16 | 16, 24, 32 | [`twofish::Kernel`] |
//! | [`Sm4`] | 16 | 16 | [`sm4::Kernel`] |
//! | [`Blowfish`] | 8 | 1 to 72 | [`blowfish::Kernel`] |
//! | [`Cast5`] | 8 | 5 to 16 | [`cast5::Kernel`] |
//! | [`Gost28147`] [`Magma`] | 8 | 32 | [`gost28147::Kernel`] |
//! | [`Idea`] | 8 | 16 | [`idea::Kernel`] |
//! | [`Rc2`] | 8 | 1 to 128 | [`rc2::Kernel`] |
//! | [`Rc5`] | 8 | 0 to 255 | [`rc5::Kernel`] |
//! | [`Tea`] [`Xtea`] | 8 | 16 | [`tea::Kernel`] |
//!
//! A cipher that must derive something for decryption (AES its inverted round
//! keys, IDEA its inverses) has three types: `X` for both directions, and
//! `XEncrypt` and `XDecrypt` for who needs one and sets up keys often. All
//! others are one type.
//!
//! # Traits
//!
//! [`Keyed`](crate::Keyed) sets a key up; [`BlockEncrypt`] and [`BlockDecrypt`]
//! take any number of blocks. Their other methods are the modes that a kernel
//! can *fuse*, that is, compute without a buffer between mode and cipher. A
//! cipher writes `encrypt_blocks` and gets the modes; where a kernel does
//! better, it overrides them. Users call none of these, but [`mode`](crate::mode).

use core::fmt::Debug;

use inout::InOutBuf;

use crate::buffer;
use crate::ghash;

pub mod aes;
pub mod anubis;
pub mod aria;
pub mod blowfish;
mod both;
pub mod camellia;
pub mod cast5;
pub mod des;
mod field;
mod forward;
pub(crate) mod gcm;
pub mod gost28147;
pub(crate) mod groups;
pub mod idea;
pub mod kuznyechik;
pub(crate) mod ocb;
mod planes;
pub mod rc2;
pub mod rc5;
pub mod seed;
mod serial;
pub mod serpent;
pub mod shacal2;
mod shell;
#[cfg(target_arch = "x86_64")]
mod sliced;
pub mod sm4;
pub mod tea;
pub mod twofish;
pub(crate) mod unfused;

pub use aes::{Aes, AesDecrypt, AesEncrypt};
pub use aes::{Aes128, Aes128Decrypt, Aes128Encrypt};
pub use aes::{Aes192, Aes192Decrypt, Aes192Encrypt};
pub use aes::{Aes256, Aes256Decrypt, Aes256Encrypt};
pub use anubis::{Anubis, AnubisDecrypt, AnubisEncrypt};
pub use anubis::{AnubisOriginal, AnubisOriginalDecrypt, AnubisOriginalEncrypt};
pub use aria::{Aria, AriaDecrypt, AriaEncrypt};
pub use aria::{Aria128, Aria128Decrypt, Aria128Encrypt};
pub use aria::{Aria192, Aria192Decrypt, Aria192Encrypt};
pub use aria::{Aria256, Aria256Decrypt, Aria256Encrypt};
pub use blowfish::Blowfish;
pub use both::Both;
pub use camellia::{Camellia, Camellia128, Camellia192, Camellia256};
pub use cast5::Cast5;
pub use des::{Des, DesEde2, DesEde3};
pub use gost28147::{Gost28147, Magma};
pub use idea::{Idea, IdeaDecrypt, IdeaEncrypt};
pub use kuznyechik::{Kuznyechik, KuznyechikDecrypt, KuznyechikEncrypt};
pub use rc2::Rc2;
pub use rc5::Rc5;
pub use seed::Seed;
pub use serpent::Serpent;
pub use shacal2::Shacal2;
pub use sm4::Sm4;
pub use tea::{Tea, Xtea};
pub use twofish::Twofish;

/// A block: an array of 8, 16 or 32 bytes (and of 64 or 128, for Threefish).
pub trait Block:
    Copy
    + Eq
    + Debug
    + AsRef<[u8]>
    + AsMut<[u8]>
    + for<'a> TryFrom<&'a [u8]>
    + zeroize::Zeroize
    + Send
    + Sync
    + sealed::Sealed
    + 'static
{
    /// Length in bytes.
    const SIZE: usize;
    /// All bytes zero.
    const ZERO: Self;

    /// The bitwise sum of two blocks.
    #[must_use]
    fn xor(self, other: Self) -> Self;

    /// This block plus a number, both read big-endian, modulo 2^(8·SIZE).
    #[must_use]
    fn plus(self, number: u128) -> Self;

    /// This block times u, both read big-endian as polynomials over GF(2),
    /// modulo the lexically first irreducible one of those with fewest terms:
    /// how CMAC, OCB and SIV derive one secret from another.
    #[must_use]
    fn double(self) -> Self;

    /// What [`double`](Self::double) undoes: this block divided by u.
    #[must_use]
    fn halve(self) -> Self;

    /// The whole blocks of some bytes, and what is left.
    #[doc(hidden)]
    fn of(bytes: &[u8]) -> (&[Self], &[u8]);

    /// The whole blocks of a buffer, and what is left.
    #[doc(hidden)]
    fn split<'i, 'o>(bytes: InOutBuf<'i, 'o, u8>)
    -> (InOutBuf<'i, 'o, Self>, InOutBuf<'i, 'o, u8>);
}

mod sealed {
    pub trait Sealed {}
}

/// Below the highest term of the polynomial that a block of so many bytes is
/// reduced by ([`Block::double`]).
const fn reduction(size: usize) -> u64 {
    match size {
        8 => 0x1b,
        16 => 0x87,
        32 => 0x425,
        64 => 0x125,
        128 => 0x8_0043,
        _ => unreachable!(),
    }
}

macro_rules! blocks {
    ($($size:literal)*) => {$(
        impl sealed::Sealed for [u8; $size] {}

        impl Block for [u8; $size] {
            const SIZE: usize = $size;
            const ZERO: Self = [0; $size];

            #[inline(always)]
            fn xor(mut self, other: Self) -> Self {
                // By words, of which the compiler makes no bytes again.
                let (others, _) = other.as_chunks::<8>();
                for (a, b) in self.as_chunks_mut::<8>().0.iter_mut().zip(others) {
                    *a = (u64::from_ne_bytes(*a) ^ u64::from_ne_bytes(*b)).to_ne_bytes();
                }
                self
            }

            #[inline]
            fn plus(mut self, mut number: u128) -> Self {
                // A carry needs no branch: it is what is left of the number.
                for word in self.rchunks_exact_mut(8) {
                    let old = u64::from_be_bytes(core::array::from_fn(|i| word[i]));
                    let sum = u128::from(old) + (number & u128::from(u64::MAX));
                    word.copy_from_slice(&(sum as u64).to_be_bytes());
                    number = (number >> 64) + (sum >> 64);
                }
                self
            }

            #[inline]
            fn double(mut self) -> Self {
                // What comes in below: all of the polynomial if a term goes out.
                let mut carry = const { reduction($size) } & u64::from(self[0] >> 7).wrapping_neg();
                for word in self.as_chunks_mut::<8>().0.iter_mut().rev() {
                    let old = u64::from_be_bytes(*word);
                    *word = (old << 1 ^ carry).to_be_bytes();
                    carry = old >> 63;
                }
                self
            }

            #[inline]
            fn halve(mut self) -> Self {
                let odd = u64::from(self[$size - 1] & 1);
                // The highest term comes down to u^(n-1), the others by one place.
                let mut carry = odd << 63;
                let lower = const { reduction($size) >> 1 } & odd.wrapping_neg();
                let (words, _) = self.as_chunks_mut::<8>();
                for word in &mut *words {
                    let old = u64::from_be_bytes(*word);
                    *word = (old >> 1 | carry).to_be_bytes();
                    carry = old << 63;
                }
                if let Some(last) = words.last_mut() {
                    *last = (u64::from_be_bytes(*last) ^ lower).to_be_bytes();
                }
                self
            }

            #[inline(always)]
            fn of(bytes: &[u8]) -> (&[Self], &[u8]) {
                bytes.as_chunks()
            }

            #[inline(always)]
            fn split<'i, 'o>(
                bytes: InOutBuf<'i, 'o, u8>,
            ) -> (InOutBuf<'i, 'o, Self>, InOutBuf<'i, 'o, u8>) {
                buffer::chunks(bytes)
            }
        }
    )*};
}

blocks!(8 16 32 64 128);

/// A keyed permutation of blocks.
pub trait BlockCipher {
    /// What it permutes.
    type Block: Block;
}

/// The forward direction of a block cipher.
pub trait BlockEncrypt: BlockCipher {
    /// Encrypts each block by itself.
    fn encrypt_blocks(&self, blocks: InOutBuf<'_, '_, Self::Block>);

    /// Encrypts one block.
    #[inline]
    fn encrypt_block(&self, block: &mut Self::Block) {
        self.encrypt_blocks(InOutBuf::from_mut(block));
    }

    /// Adds to each block the encryption of the counter, which then goes up by
    /// one as a big-endian number as wide as the block.
    #[inline]
    fn ctr_blocks(&self, counter: &mut Self::Block, blocks: InOutBuf<'_, '_, Self::Block>) {
        unfused::ctr(self, unfused::next, counter, blocks);
    }

    /// [`ctr_blocks`](Self::ctr_blocks) on bytes. If the last block is short, what its
    /// keystream has left is left in `keystream`, in its place.
    #[inline]
    fn ctr_bytes(
        &self,
        counter: &mut Self::Block,
        data: InOutBuf<'_, '_, u8>,
        keystream: &mut Self::Block,
    ) {
        let apply = |counter: &mut _, blocks: InOutBuf<'_, '_, _>| self.ctr_blocks(counter, blocks);
        unfused::ctr_bytes(apply, counter, data, keystream);
    }

    /// Encrypts each block after adding the one before it; the last is left in
    /// `chain`.
    #[inline]
    fn cbc_encrypt_blocks(&self, chain: &mut Self::Block, blocks: InOutBuf<'_, '_, Self::Block>) {
        unfused::cbc_encrypt(self, chain, blocks);
    }

    /// [`cbc_encrypt_blocks`](Self::cbc_encrypt_blocks) on each message.
    #[inline]
    fn cbc_encrypt_many(&self, messages: &mut [Message<'_, '_, Self::Block>]) {
        unfused::cbc_encrypt_many(self, messages);
    }

    /// Adds to each block the encryption of the block that came out before it;
    /// the last is left in `chain`.
    #[inline]
    fn cfb_encrypt_blocks(&self, chain: &mut Self::Block, blocks: InOutBuf<'_, '_, Self::Block>) {
        unfused::cfb_encrypt(self, chain, blocks);
    }

    /// [`cfb_encrypt_blocks`](Self::cfb_encrypt_blocks) on each message.
    #[inline]
    fn cfb_encrypt_many(&self, messages: &mut [Message<'_, '_, Self::Block>]) {
        unfused::cfb_encrypt_many(self, messages);
    }

    /// Undoes [`cfb_encrypt_blocks`](Self::cfb_encrypt_blocks).
    #[inline]
    fn cfb_decrypt_blocks(&self, chain: &mut Self::Block, blocks: InOutBuf<'_, '_, Self::Block>) {
        unfused::cfb_decrypt(self, chain, blocks);
    }

    /// Adds to each byte the first of the encryption of `chain`, which then
    /// loses its first byte and gains the sum.
    #[inline]
    fn cfb8_encrypt_bytes(&self, chain: &mut Self::Block, bytes: InOutBuf<'_, '_, u8>) {
        unfused::cfb8_encrypt(self, chain, bytes);
    }

    /// Undoes [`cfb8_encrypt_bytes`](Self::cfb8_encrypt_bytes) on as many bytes
    /// as some blocks have.
    #[inline]
    fn cfb8_decrypt_blocks(&self, chain: &mut Self::Block, blocks: InOutBuf<'_, '_, Self::Block>) {
        unfused::cfb8_decrypt(self, chain, blocks);
    }

    /// Encrypts `chain` for each block, and adds it.
    #[inline]
    fn ofb_blocks(&self, chain: &mut Self::Block, blocks: InOutBuf<'_, '_, Self::Block>) {
        unfused::ofb(self, chain, blocks);
    }

    /// [`ofb_blocks`](Self::ofb_blocks) on each message.
    #[inline]
    fn ofb_many(&self, messages: &mut [Message<'_, '_, Self::Block>]) {
        unfused::ofb_many(self, messages);
    }

    /// XTS on one data unit of at least a block: adds the tweak to each block,
    /// encrypts it, and adds the tweak again, which is then doubled, as a
    /// little-endian number. A last block that is short steals from the one before.
    #[inline]
    fn xts_encrypt(&self, tweak: &Self::Block, unit: InOutBuf<'_, '_, u8>) {
        unfused::xts_encrypt(self, tweak, unit);
    }

    /// What [`cbc_encrypt_blocks`](Self::cbc_encrypt_blocks) leaves in `chain`,
    /// and nothing else.
    #[inline]
    fn cbc_mac_blocks(&self, chain: &mut Self::Block, blocks: &[Self::Block]) {
        unfused::cbc_mac(self, chain, blocks);
    }

    /// [`cbc_mac_blocks`](Self::cbc_mac_blocks) on each message.
    #[inline]
    fn cbc_mac_many(&self, messages: &mut [Absorbed<'_, Self::Block>]) {
        unfused::cbc_mac_many(self, messages);
    }

    /// [`ctr_blocks`](Self::ctr_blocks) and [`cbc_mac_blocks`](Self::cbc_mac_blocks)
    /// at once, the latter of what comes out or else of what goes in.
    #[inline]
    fn ctr_mac_blocks(
        &self,
        counter: &mut Self::Block,
        chain: &mut Self::Block,
        of_output: bool,
        blocks: InOutBuf<'_, '_, Self::Block>,
    ) {
        unfused::ctr_mac(self, counter, chain, of_output, blocks);
    }

    /// Counter mode of which the counter is the first 32 bits, little-endian.
    #[doc(hidden)]
    #[inline]
    fn ctr_le32_blocks(&self, counter: &mut Self::Block, blocks: InOutBuf<'_, '_, Self::Block>) {
        unfused::ctr(self, unfused::next_le32, counter, blocks);
    }

    /// OCB3 on the next whole blocks.
    #[doc(hidden)]
    #[inline]
    fn ocb_encrypt_blocks(
        &self,
        walk: &mut ocb::Walk<'_, Self::Block>,
        blocks: InOutBuf<'_, '_, Self::Block>,
    ) {
        ocb::encrypt_unfused(self, walk, blocks);
    }

    /// OCB3's hash on the next whole blocks.
    #[doc(hidden)]
    #[inline]
    fn ocb_hash_blocks(&self, walk: &mut ocb::Walk<'_, Self::Block>, blocks: &[Self::Block]) {
        ocb::hash_unfused(self, walk, blocks);
    }

    /// Key wrap's six passes over `halves`, from `a` on; whether a kernel has them
    /// fused.
    #[doc(hidden)]
    #[inline]
    fn wrap_halves(&self, a: &mut [u8; 8], halves: &mut [[u8; 8]]) -> bool {
        let _ = (a, halves);
        false
    }

    /// What [`gcm`](Self::gcm) needs of a point besides it.
    #[doc(hidden)]
    #[inline]
    fn gcm_table(&self, point: &ghash::Point, table: &mut ghash::Table) {
        let _ = (point, table);
    }

    /// GCM on one whole message; whether a kernel has it fused, and made the tag.
    #[doc(hidden)]
    #[inline]
    fn gcm(&self, message: &mut gcm::Message<'_, '_, '_>, tag: &mut [u8; 16]) -> bool {
        let _ = (message, tag);
        false
    }

    /// GCM-SIV on one whole message; whether a kernel has it fused, and made the tag.
    #[doc(hidden)]
    #[inline]
    fn gcm_siv(
        &self,
        hash: ghash::Kernel,
        message: &mut gcm::SivMessage<'_, '_, '_>,
        tag: &mut [u8; 16],
    ) -> bool {
        let _ = (hash, message, tag);
        false
    }
}

/// The backward direction of a block cipher.
pub trait BlockDecrypt: BlockCipher {
    /// Decrypts each block by itself.
    fn decrypt_blocks(&self, blocks: InOutBuf<'_, '_, Self::Block>);

    /// Decrypts one block.
    #[inline]
    fn decrypt_block(&self, block: &mut Self::Block) {
        self.decrypt_blocks(InOutBuf::from_mut(block));
    }

    /// OCB3 on the next whole blocks, backwards.
    #[doc(hidden)]
    #[inline]
    fn ocb_decrypt_blocks(
        &self,
        walk: &mut ocb::Walk<'_, Self::Block>,
        blocks: InOutBuf<'_, '_, Self::Block>,
    ) {
        ocb::decrypt_unfused(self, walk, blocks);
    }

    /// Undoes [`BlockEncrypt::cbc_encrypt_blocks`].
    #[inline]
    fn cbc_decrypt_blocks(&self, chain: &mut Self::Block, blocks: InOutBuf<'_, '_, Self::Block>) {
        unfused::cbc_decrypt(self, chain, blocks);
    }

    /// Undoes [`BlockEncrypt::xts_encrypt`].
    #[inline]
    fn xts_decrypt(&self, tweak: &Self::Block, unit: InOutBuf<'_, '_, u8>) {
        unfused::xts_decrypt(self, tweak, unit);
    }

    /// Undoes [`BlockEncrypt::wrap_halves`], if a kernel has that fused.
    #[doc(hidden)]
    #[inline]
    fn unwrap_halves(&self, a: &mut [u8; 8], halves: &mut [[u8; 8]]) -> bool {
        let _ = (a, halves);
        false
    }
}

/// One of many independent messages under the same key.
pub struct Message<'i, 'o, B> {
    /// The initialization vector before a call; after it the last block of
    /// ciphertext, or in OFB of keystream.
    pub chain: B,
    /// What is encrypted, in place or out of place.
    pub blocks: InOutBuf<'i, 'o, B>,
}

/// One of many messages of which only the end of the chain is wanted.
#[derive(Debug, Clone, Copy)]
pub struct Absorbed<'i, B> {
    /// The start of the chain before a call, its end after.
    pub chain: B,
    /// What is absorbed.
    pub blocks: &'i [B],
}

/// A set-up key can be shared by any number of modes.
impl<C: BlockCipher + ?Sized> BlockCipher for &C {
    type Block = C::Block;
}

impl<C: BlockEncrypt + ?Sized> BlockEncrypt for &C {
    forward::encrypt_methods!(|cipher| (**cipher));
}

impl<C: BlockDecrypt + ?Sized> BlockDecrypt for &C {
    forward::decrypt_methods!(|cipher| (**cipher));
}

#[cfg(test)]
mod tests {
    use super::Block;

    #[test]
    fn a_counter_carries_through_its_whole_width() {
        assert_eq!([0xff; 8].plus(1), [0; 8]);
        assert_eq!([0xff; 32].plus(2)[31], 1);
        let mut before = [0u8; 16];
        before[8..].fill(0xff);
        let mut after = [0u8; 16];
        after[7] = 1;
        assert_eq!(before.plus(1), after);
        assert_eq!([0; 16].plus(u128::MAX), [0xff; 16]);
        assert_eq!([0; 8].plus(u128::MAX), [0xff; 8]);
    }

    #[test]
    fn halving_undoes_doubling() {
        fn both<B: Block>(terms: u8) {
            let mut top = B::ZERO;
            top.as_mut()[0] = 0x80;
            assert_eq!(top.double().as_ref().last(), Some(&terms));
            let mut block = top;
            for i in 0..1000 {
                block.as_mut()[i % B::SIZE] ^= i as u8;
                assert_eq!(block.double().halve(), block);
                assert_eq!(block.halve().double(), block);
                block = block.double();
            }
        }
        both::<[u8; 8]>(0x1b);
        both::<[u8; 16]>(0x87);
        both::<[u8; 32]>(0x25);
        both::<[u8; 64]>(0x25);
        both::<[u8; 128]>(0x43);
    }
}
