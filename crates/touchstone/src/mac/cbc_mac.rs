//! CBC-MAC, which is [ISO9797-1](super) algorithm 1, and the retail MAC, which is algorithm 3.
//!
//! CBC-MAC is the last block of CBC encryption with a zero initialization vector. CBC-MAC is
//! secure only if all messages have the same length. CBC-MAC exists here for older protocols;
//! new protocols should use [`Cmac`](super::Cmac). CBC-MAC with DES is the Data Authentication
//! Algorithm of FIPS 113.
//!
//! The retail MAC of ANSI X9.19 has two keys. After CBC-MAC with the first key, the retail MAC
//! decrypts the last block with the second key and encrypts it with the first key again. So a
//! search must find both keys, although all blocks except the last are encrypted only by single
//! DES.
//!
//! Messages are padded by a method of ISO/IEC 9797-1. FIPS 113 and ANSI X9.19 use method 1,
//! which is [`Zero`]. Method 2 is [`Iso7816`](crate::mode::padding::Iso7816).

use core::marker::PhantomData;

use super::chain::Chain;
#[cfg(feature = "des")]
use crate::block::Des;
use crate::cipher::Block;
use crate::debug::debug;
use crate::fuse::Absorbed;
use crate::held_block::body;
use crate::keyed::keyed_by_cipher;
use crate::padding::{Padding, Zero};
use crate::{FusedDecrypt, FusedEncrypt, wipe};

/// CBC-MAC with a block cipher.
#[derive(Clone)]
pub struct CbcMac<C: FusedEncrypt, P = Zero> {
    cipher: C,
    chain: Chain<C::Block>,
    padding: PhantomData<fn() -> P>,
}

debug!([C: FusedEncrypt + core::fmt::Debug, P] CbcMac<C, P>, "CbcMac", cipher = cipher);

/// The Data Authentication Algorithm, FIPS 113: CBC-MAC by DES.
#[cfg(feature = "des")]
pub type DesMac = CbcMac<Des>;

/// The retail MAC with a block cipher. The key consists of two keys of the cipher, one after
/// the other.
#[derive(Clone)]
pub struct RetailMac<C: FusedEncrypt, P = Zero> {
    first: CbcMac<C, P>,
    second: C,
}

debug!([C: FusedEncrypt + core::fmt::Debug, P] RetailMac<C, P>, "RetailMac", cipher = second);

impl<C: FusedEncrypt, P: Padding> CbcMac<C, P> {
    /// Makes the MAC from a cipher that is set up with a key, by value or by reference.
    #[inline]
    pub fn with_cipher(cipher: C) -> Self {
        Self {
            cipher,
            chain: Chain::new(C::Block::ZERO),
            padding: PhantomData,
        }
    }

    /// Returns the last one or two blocks after padding, and the number of these blocks.
    #[inline]
    fn ends(last: &[u8]) -> ([C::Block; 2], usize) {
        let zero = C::Block::ZERO;
        match C::Block::try_from(last) {
            Ok(block) => match P::last_block(&[]) {
                Some(padding) => ([block, padding], 2),
                None => ([block, zero], 1),
            },
            // The padding of an empty message is a block of zeros.
            Err(_) => ([P::last_block(last).unwrap_or(zero), zero], 1),
        }
    }

    /// Replaces the cipher's key by calling `set`.
    #[inline]
    pub(crate) fn rekey_by<E>(
        &mut self,
        set: impl FnOnce(&mut C) -> Result<(), E>,
    ) -> Result<(), E> {
        set(&mut self.cipher)?;
        self.chain.reset();
        Ok(())
    }

    #[inline]
    pub(crate) fn take(&mut self, data: &[u8]) {
        self.chain.update(&self.cipher, data);
    }

    #[inline]
    pub(crate) fn forget(&mut self) {
        self.chain.reset();
    }

    #[inline]
    pub(crate) fn end(&mut self) -> C::Block {
        let (mut chain, last) = self.chain.end();
        let (blocks, n) = Self::ends(last);
        self.cipher.cbc_mac_blocks(&mut chain, &blocks[..n]);
        self.chain.reset();
        chain
    }

    #[inline]
    pub(crate) fn once(&self, message: &[u8]) -> C::Block {
        let (blocks, last) = body(message);
        let mut chain = C::Block::ZERO;
        self.cipher.cbc_mac_blocks(&mut chain, blocks);
        let (blocks, n) = Self::ends(last);
        self.cipher.cbc_mac_blocks(&mut chain, &blocks[..n]);
        chain
    }

    pub(crate) fn many(&self, messages: &[&[u8]], macs: &mut [C::Block]) {
        const LANES: usize = 64;
        for (messages, macs) in messages.chunks(LANES).zip(macs.chunks_mut(LANES)) {
            // Each lane has two chains and two last blocks.
            wipe::after_moves::<[[C::Block; 4]; LANES], _>(1, || {
                self.lanes::<LANES>(messages, macs);
            });
        }
    }

    /// [`many`](Self::many) for up to `LANES` messages.
    fn lanes<const LANES: usize>(&self, messages: &[&[u8]], macs: &mut [C::Block]) {
        let start = Absorbed {
            chain: C::Block::ZERO,
            blocks: &[],
        };
        let mut chains = [start; LANES];
        let chains = &mut chains[..messages.len()];
        for (chain, message) in chains.iter_mut().zip(messages) {
            chain.blocks = body(message).0;
        }
        self.cipher.cbc_mac_many(chains);

        let mut ends = [([C::Block::ZERO; 2], 0); LANES];
        for (end, message) in ends.iter_mut().zip(messages) {
            *end = Self::ends(body::<C::Block>(message).1);
        }
        let mut last = [start; LANES];
        let last = &mut last[..messages.len()];
        for ((last, chain), (blocks, n)) in last.iter_mut().zip(chains).zip(&ends) {
            last.chain = chain.chain;
            last.blocks = &blocks[..*n];
        }
        self.cipher.cbc_mac_many(last);
        for (mac, last) in macs.iter_mut().zip(last) {
            *mac = last.chain;
        }
    }
}

keyed_by_cipher! {
    [C: FusedEncrypt, P: Padding] CbcMac<C, P>, cipher;
}

/// Implements [`Mac`] for MACs that already have its methods, but whose results are blocks.
macro_rules! block_macs {
    ($([$($generics:tt)*] $Mac:ty;)*) => {$(
        impl<$($generics)*> $crate::mac::Mac for $Mac
        where
            C: $crate::Keyed,
        {
            type Output = <C::Block as $crate::cipher::Block>::Tag;

            #[inline]
            fn update(&mut self, data: &[u8]) {
                self.take(data);
            }

            #[inline]
            fn finalize(&mut self) -> Self::Output {
                self.end().into()
            }

            #[inline]
            fn reset(&mut self) {
                self.forget();
            }

            #[inline]
            fn mac(&self, message: &[u8]) -> Self::Output {
                self.once(message).into()
            }

            fn mac_many(
                &self,
                messages: &[&[u8]],
                macs: &mut [Self::Output],
            ) -> Result<(), $crate::DataError> {
                $crate::buffer::same_number(messages.len(), macs.len())?;
                self.many(messages, $crate::cipher::Block::of_tags(macs));
                Ok(())
            }
        }
    )*};
}

block_macs! {
    [C: FusedEncrypt, P: Padding] CbcMac<C, P>;
}

/// Writes the common parts of MACs that compute CBC-MAC with a first key and then call `close`,
/// which uses a second key. The key of such a MAC consists of both keys, one after the other.
macro_rules! two_keys {
    ($([$($generics:tt)*] $Mac:ty;)*) => {$(
        impl<$($generics)*> $Mac {
            /// Makes the MAC from two ciphers that are set up with keys. The cipher `first`
            /// computes the CBC-MAC.
            #[inline]
            pub fn with_ciphers(first: C, second: C) -> Self {
                Self {
                    first: $crate::mac::CbcMac::with_cipher(first),
                    second,
                }
            }

            /// Replaces the keys of both ciphers by calling `set`. Both keys have the same
            /// length.
            #[inline]
            pub(crate) fn rekey_by<E>(
                &mut self,
                first: &[u8],
                second: &[u8],
                set: impl Fn(&mut C, &[u8]) -> Result<(), E>,
            ) -> Result<(), E> {
                self.first.rekey_by(|cipher| set(cipher, first))?;
                set(&mut self.second, second)
            }

            #[inline]
            pub(crate) fn take(&mut self, data: &[u8]) {
                self.first.take(data);
            }

            #[inline]
            pub(crate) fn forget(&mut self) {
                self.first.forget();
            }

            #[inline]
            pub(crate) fn end(&mut self) -> C::Block {
                let mut mac = self.first.end();
                self.close(core::slice::from_mut(&mut mac));
                mac
            }

            #[inline]
            pub(crate) fn once(&self, message: &[u8]) -> C::Block {
                let mut mac = self.first.once(message);
                self.close(core::slice::from_mut(&mut mac));
                mac
            }

            pub(crate) fn many(&self, messages: &[&[u8]], macs: &mut [C::Block]) {
                self.first.many(messages, macs);
                self.close(macs);
            }
        }

        impl<$($generics)*> $crate::FixedKey for $Mac
        where
            C: $crate::FixedKey<Key: $crate::byte_array::Doubled>,
        {
            type Key = <C::Key as $crate::byte_array::Doubled>::Twice;
        }

        impl<$($generics)*> $crate::Keyed for $Mac
        where
            C: $crate::Keyed,
        {
            type Kernel = C::Kernel;
            const KEY_LENGTHS: $crate::KeyLengths = C::KEY_LENGTHS.twice();

            fn with_kernel(
                kernel: C::Kernel,
                key: &[u8],
            ) -> Result<Self, $crate::InvalidKeyLength> {
                Self::KEY_LENGTHS.check(key)?;
                let (first, second) = key.split_at(key.len() / 2);
                Ok(Self::with_ciphers(
                    C::with_kernel(kernel, first)?,
                    C::with_kernel(kernel, second)?,
                ))
            }

            #[inline]
            fn rekey(&mut self, key: &[u8]) -> Result<(), $crate::InvalidKeyLength> {
                Self::KEY_LENGTHS.check(key)?;
                let (first, second) = key.split_at(key.len() / 2);
                self.rekey_by(first, second, C::rekey)
            }

            fn kernel_in_use(&self) -> C::Kernel {
                self.second.kernel_in_use()
            }
        }

        $crate::mac::cbc_mac::block_macs! {
            [$($generics)*] $Mac;
        }

        impl<$($generics)*> zeroize::ZeroizeOnDrop for $Mac where C: zeroize::ZeroizeOnDrop {}
    )*};
}
pub(super) use {block_macs, two_keys};

impl<C: FusedEncrypt + FusedDecrypt, P: Padding> RetailMac<C, P> {
    #[inline]
    fn close(&self, macs: &mut [C::Block]) {
        self.second.decrypt_blocks(macs.into());
        self.first.cipher.encrypt_blocks(macs.into());
    }
}

two_keys! {
    [C: FusedEncrypt + FusedDecrypt, P: Padding] RetailMac<C, P>;
}
