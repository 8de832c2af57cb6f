//! Ascon-AEAD128, [SP800-232]: NIST's authenticated encryption for small devices. Keys, nonces
//! and tags have 16 bytes.
//!
//! Constant-time: the permutation uses no tables.
//!
//! | kernel | needs | technique |
//! |---|---|---|
//! | `portable` | – | as in the standard |
//!
//! - [SP800-232] Ascon-Based Lightweight Cryptography Standards for Constrained Devices, NIST
//!   SP 800-232, 2025
//!
//! [SP800-232]: https://doi.org/10.6028/NIST.SP.800-232

use core::borrow::Borrow;

use inout::InOutBuf;
use zeroize::ZeroizeOnDrop;

use super::{
    AeadError, Decryptor, Encryptor, Engine, by_message, by_whole, in_pieces, sealed, verified,
};
use crate::buffer;
use crate::debug::debug;
use crate::hash::ascon::{Kernel, permute};
use crate::machinery::tail;
use crate::machinery::unknown::apart_64;
use crate::wipe::wipe;
use crate::{FixedKey, InvalidKeyLength, KeyLengths, Keyed};

/// Ascon-AEAD128, [SP800-232](self) §4. If a nonce is used twice, an attacker learns the XOR of
/// the beginnings of the two messages.
#[derive(Clone)]
pub struct AsconAead128 {
    kernel: Kernel,
    key: [u64; 2],
}

debug!([] AsconAead128, "AsconAead128");

/// The rate: the number of message bytes that are XORed to the state between two permutations.
const RATE: usize = 16;

/// The initial value, [SP800-232] table 12.
const IV: u64 = 0x0000_1000_808c_0001;

/// The state of a message that comes in pieces, without the key.
#[doc(hidden)]
pub struct Pieces {
    kernel: Kernel,
    state: [u64; 5],
    /// The number of bytes since the last permutation.
    at: usize,
    /// Whether there is associated data.
    associated: bool,
    /// Whether the associated data is complete.
    begun: bool,
}

debug!([] Pieces, "AsconAead128");

impl Pieces {
    #[inline(never)]
    fn permute<const ROUNDS: u64>(&mut self) {
        match self.kernel {
            Kernel::Portable => self.state = permute::<ROUNDS>(self.state),
        }
        self.at = 0;
    }

    /// XORs a number of bytes to the state, from the position of the next byte on. The first byte is the
    /// lowest one, and the bytes fit into the rate.
    #[inline]
    fn add(&mut self, number: u128) {
        let number = number << (8 * self.at);
        self.xor(0, [number as u64, (number >> 64) as u64]);
    }

    /// XORs two words to the state from a place on, one by one: a load of both at once waits until the
    /// stores of the permutation have reached the cache.
    #[inline(always)]
    fn xor(&mut self, place: usize, words: [u64; 2]) {
        for (state, word) in self.state[place..].iter_mut().zip(words) {
            *state = apart_64(*state) ^ word;
        }
    }

    /// The first permutation, [SP800-232] §4.1.1 step 1.
    #[inline]
    fn start(&mut self, key: &[u64; 2]) {
        self.permute::<12>();
        self.xor(3, *key);
    }

    /// Moves over bytes that are in the state, and permutes the state if all bytes of the rate are used.
    #[inline]
    fn advance(&mut self, bytes: usize) {
        self.at += bytes;
        if self.at == RATE {
            self.permute::<8>();
        }
    }

    /// Adds the padding, [SP800-232] §2.1: a bit 1 after the data, the lowest bit of its byte.
    fn pad(&mut self) {
        self.add(1);
    }

    fn aad(&mut self, data: &[u8]) {
        self.associated |= !data.is_empty();
        let (now, data) = data.split_at(data.len().min((RATE - self.at) % RATE));
        self.aad_part(now);
        let (blocks, rest) = data.as_chunks::<RATE>();
        for block in blocks {
            self.aad_part(block);
        }
        self.aad_part(rest);
    }

    /// Adds bytes up to the next permutation at most.
    #[inline]
    fn aad_part(&mut self, data: &[u8]) {
        self.add(tail::number(data));
        self.advance(data.len());
    }

    /// Ends the associated data, [SP800-232] §4.1.1 step 2. A second call does nothing.
    fn begin(&mut self) {
        if !self.begun {
            self.begun = true;
            if self.associated {
                self.pad();
                self.permute::<8>();
            }
            self.state[4] ^= 1 << 63;
        }
    }

    fn data(&mut self, data: InOutBuf<'_, '_, u8>, backwards: bool) {
        self.begin();
        let n = data.len().min((RATE - self.at) % RATE);
        let (now, data) = data.split_at(n);
        self.part(now, backwards);
        let (blocks, rest) = buffer::chunks::<u8, RATE>(data);
        let mut state = self.state;
        for mut block in blocks {
            let input = block.get_in().as_chunks().0;
            let input = [u64::from_le_bytes(input[0]), u64::from_le_bytes(input[1])];
            let sum = [input[0] ^ state[0], input[1] ^ state[1]];
            let ciphertext = if backwards { input } else { sum };
            state[..2].copy_from_slice(&ciphertext);
            let (output, _) = block.get_out().as_chunks_mut();
            output[0] = sum[0].to_le_bytes();
            output[1] = sum[1].to_le_bytes();
            state = match self.kernel {
                Kernel::Portable => permute::<8>(state),
            };
        }
        self.state = state;
        self.part(rest, backwards);
    }

    /// Encrypts or decrypts bytes up to the next permutation at most.
    #[inline]
    fn part(&mut self, data: InOutBuf<'_, '_, u8>, backwards: bool) {
        let n = data.len();
        let rate = u128::from(self.state[0]) | u128::from(self.state[1]) << 64;
        let (given, made) = tail::xor(data, &(rate >> (8 * self.at)).to_le_bytes());
        self.add(if backwards { made } else { given });
        self.advance(n);
    }

    /// Ends the message and returns the tag: [SP800-232] §4.1.1 step 4.
    fn finish(&mut self, key: &[u64; 2]) -> [u8; 16] {
        self.begin();
        self.pad();
        self.xor(2, *key);
        self.permute::<12>();
        self.xor(3, *key);
        bytes(&[self.state[3], self.state[4]])
    }
}

impl Drop for Pieces {
    fn drop(&mut self) {
        wipe(&mut self.state, 0);
    }
}

fn words(bytes: &[u8; 16]) -> [u64; 2] {
    let (words, _) = bytes.as_chunks();
    [u64::from_le_bytes(words[0]), u64::from_le_bytes(words[1])]
}

fn bytes(words: &[u64; 2]) -> [u8; 16] {
    let mut bytes = [0; 16];
    for (bytes, word) in bytes.as_chunks_mut().0.iter_mut().zip(words) {
        *bytes = word.to_le_bytes();
    }
    bytes
}

fn check_tag(length: usize) -> Result<(), AeadError> {
    match length {
        16 => Ok(()),
        given => Err(AeadError::TagLength { given }),
    }
}

impl AsconAead128 {
    in_pieces! {
        (nonce: &[u8]) -> Fallible,
        ///
        /// # Errors
        ///
        /// [`AeadError::NonceLength`] for a nonce that does not have 16 bytes.
    }

    fn pieces(&self, nonce: &[u8]) -> Result<Pieces, AeadError> {
        let given = nonce.len();
        let nonce = nonce.try_into();
        let nonce = nonce.map_err(|_| AeadError::NonceLength { given })?;
        let mut message = self.unstarted(words(nonce));
        message.start(&self.key);
        Ok(message)
    }

    /// Makes the state before the first permutation.
    #[inline]
    fn unstarted(&self, [n0, n1]: [u64; 2]) -> Pieces {
        let [k0, k1] = self.key;
        Pieces {
            kernel: self.kernel,
            state: [IV, k0, k1, n0, n1],
            at: 0,
            associated: false,
            begun: false,
        }
    }

    /// Encrypts or decrypts a whole message and returns its tag.
    fn whole(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: InOutBuf<'_, '_, u8>,
        tag: usize,
        backwards: bool,
    ) -> Result<[u8; 16], AeadError> {
        check_tag(tag)?;
        let given = nonce.len();
        let nonce = nonce.try_into();
        let nonce = nonce.map_err(|_| AeadError::NonceLength { given })?;
        // Not by `pieces`, which moves the state just after the permutation has stored its words.
        let mut message = self.unstarted(words(nonce));
        message.start(&self.key);
        message.aad(aad);
        message.data(data, backwards);
        Ok(message.finish(&self.key))
    }
}

impl Engine for AsconAead128 {
    const TAGS: &'static [usize] = &[16];
    const NONCES: KeyLengths = KeyLengths::exactly(16);
    const TAG: usize = 16;

    by_whole!();
}

impl sealed::InPieces for AsconAead128 {
    type Block = [u8; 16];
    type Pieces = Pieces;

    by_message!(Infallible);

    fn check_tag(_: &Pieces, length: usize) -> Result<(), AeadError> {
        check_tag(length)
    }

    fn finish(&self, message: &mut Pieces) -> Result<[u8; 16], AeadError> {
        Ok(message.finish(&self.key))
    }
}

impl FixedKey for AsconAead128 {
    type Key = [u8; 16];
}

impl Keyed for AsconAead128 {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::exactly(16);

    fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        let key = words(Self::KEY_LENGTHS.array(key)?);
        Ok(Self { kernel, key })
    }

    fn kernel_in_use(&self) -> Kernel {
        self.kernel
    }
}

impl Drop for AsconAead128 {
    fn drop(&mut self) {
        wipe(&mut self.key, 0);
    }
}

impl ZeroizeOnDrop for AsconAead128 {}
