//! Phelix, a stream cipher with a MAC, submitted to eSTREAM: keys of 0 to 32 bytes, nonces of 16,
//! tags of 1 to 16. The length of the tag enters the keystream, so it must be known when a message
//! starts.
//!
//! **Outdated**: if a nonce is used twice, an attacker learns the key ([WP]). eSTREAM dropped the
//! cipher.
//!
//! Constant-time: the cipher consists of additions, rotations and XORs.
//!
//! | kernel | needs | technique |
//! |---|---|---|
//! | `portable` | – | as in the paper |
//!
//! - [PHELIX] D. Whiting, B. Schneier, S. Lucks, F. Muller: Phelix: Fast Encryption and
//!   Authentication in a Single Cryptographic Primitive, eSTREAM report 2005/027
//! - [WP] H. Wu, B. Preneel: Differential-Linear Attacks against the Stream Cipher Phelix, FSE 2007
//!
//! [PHELIX]: https://www.schneier.com/academic/archives/2005/01/phelix.html
//! [WP]: https://doi.org/10.1007/978-3-540-74619-5_6

use core::borrow::Borrow;

use inout::InOutBuf;
use zeroize::ZeroizeOnDrop;

use super::{
    AeadError, Decryptor, Encryptor, Engine, by_message, by_whole, exact_tag, in_pieces, sealed,
    verified,
};
use crate::buffer;
use crate::debug::debug;
use crate::kernel::kernels;
use crate::wipe::wipe;
use crate::{FixedKey, InvalidKeyLength, Kernel as _, KeyLengths, Keyed};

kernels! {
    /// The kernels that compute Phelix.
    enum Kernel {}
}

/// A key of Phelix.
#[derive(Clone)]
pub struct Phelix {
    /// The working key.
    key: [u32; 8],
    /// The length of the user's key in bytes.
    length: u32,
}

debug!([] Phelix, "Phelix");

/// The value that is XORed to the state before and after the associated data, [PHELIX](self) §6.1.
const ASSOCIATED: u32 = 0xaada_adaa;

/// The value that is XORed to the state before the tag, [PHELIX](self) §3.6.
const TAG: u32 = 0x912d_94f1;

/// Computes the function H of [PHELIX](self) §3.2 on the five words of the state.
#[inline(always)]
fn mix(state: [u32; 5], plaintext: u32, key: u32) -> [u32; 5] {
    let [mut a, mut b, mut c, mut d, mut e] = state;
    a = a.wrapping_add(d ^ plaintext);
    d = d.rotate_left(15);
    b = b.wrapping_add(e);
    e = e.rotate_left(25);
    c ^= a;
    a = a.rotate_left(9);
    d ^= b;
    b = b.rotate_left(10);
    e = e.wrapping_add(c);
    c = c.rotate_left(17);

    a ^= d.wrapping_add(key);
    d = d.rotate_left(30);
    b ^= e;
    e = e.rotate_left(13);
    c = c.wrapping_add(a);
    a = a.rotate_left(20);
    d = d.wrapping_add(b);
    b = b.rotate_left(11);
    e ^= c;
    c = c.rotate_left(5);
    [a, b, c, d, e]
}

/// A message in pieces, with the keys of its blocks.
#[doc(hidden)]
pub struct Pieces {
    state: [u32; 5],
    /// The last word of the state after each of the last four blocks.
    old: [u32; 4],
    /// The two keys of each of eight blocks, which repeat.
    keys: [[u32; 8]; 2],
    /// The number of the next block, plus eight.
    block: u64,
    /// The keystream of a block that has begun, its plaintext, and how many bytes are there.
    stream: [u8; 4],
    plaintext: [u8; 4],
    at: usize,
    /// The bytes of associated data and of data so far.
    lengths: [u64; 2],
    /// Whether the associated data is complete.
    begun: bool,
    /// The length of the tag.
    tag: usize,
}

debug!([] Pieces, "Phelix");

impl Pieces {
    /// Computes the first half of a block, which gives a word of keystream, [PHELIX](self) §3.2.
    #[inline(always)]
    fn first(&mut self) -> u32 {
        let block = self.block as usize;
        self.state = mix(self.state, 0, self.keys[0][block % 8]);
        self.state[4].wrapping_add(self.old[block % 4])
    }

    /// Computes the second half of a block, which takes a word of plaintext. The number of the
    /// block enters the key, and so do its high bits in every fourth block, [PHELIX](self) §3.3.
    #[inline(always)]
    fn second(&mut self, plaintext: u32) {
        let block = self.block as usize;
        let mut key = self.keys[1][block % 8].wrapping_add(self.block as u32);
        if block % 4 == 3 {
            key = key.wrapping_add((self.block >> 31) as u32);
        }
        self.state = mix(self.state, plaintext, key);
        self.old[block % 4] = self.state[4];
        self.block += 1;
    }

    /// Encrypts or decrypts the next byte.
    #[inline]
    fn next(&mut self, input: u8, backwards: bool) -> u8 {
        if self.at == 0 {
            self.stream = self.first().to_le_bytes();
        }
        let output = input ^ self.stream[self.at];
        self.plaintext[self.at] = if backwards { output } else { input };
        self.at += 1;
        if self.at == 4 {
            self.complete();
        }
        output
    }

    /// Ends a block that has begun. The missing bytes of its plaintext are zeros.
    fn complete(&mut self) {
        if self.at != 0 {
            self.second(u32::from_le_bytes(self.plaintext));
            self.plaintext = [0; 4];
            self.at = 0;
        }
    }

    /// Processes associated data, [PHELIX](self) §6.1. The code encrypts the data and does not use
    /// the ciphertext.
    fn aad(&mut self, data: &[u8]) {
        self.lengths[0] = self.lengths[0].wrapping_add(data.len() as u64);
        for byte in data {
            self.next(*byte, false);
        }
    }

    /// Ends the associated data, once.
    fn begin(&mut self) {
        if !self.begun {
            self.begun = true;
            self.complete();
            self.state[1] ^= ASSOCIATED;
        }
    }

    fn data(&mut self, data: InOutBuf<'_, '_, u8>, backwards: bool) {
        self.begin();
        self.lengths[1] = self.lengths[1].wrapping_add(data.len() as u64);
        let (now, data) = {
            let n = data.len().min((4 - self.at) % 4);
            data.split_at(n)
        };
        self.bytes(now, backwards);
        let (words, rest) = buffer::chunks::<u8, 4>(data);
        for mut word in words {
            let input = u32::from_le_bytes(*word.get_in());
            let output = input ^ self.first();
            self.second(if backwards { output } else { input });
            *word.get_out() = output.to_le_bytes();
        }
        self.bytes(rest, backwards);
    }

    fn bytes(&mut self, data: InOutBuf<'_, '_, u8>, backwards: bool) {
        for mut byte in data {
            let input = *byte.get_in();
            *byte.get_out() = self.next(input, backwards);
        }
    }

    /// Computes the tag, [PHELIX](self) §3.6: eight blocks without output, and four blocks of
    /// keystream.
    fn finish(&mut self) -> [u8; 16] {
        self.begin();
        self.complete();
        let [associated, data] = self.lengths;
        self.state[0] ^= TAG;
        self.state[4] ^= associated as u32;
        self.state[2] ^= (associated >> 32) as u32;
        let mut tag = [0; 16];
        let plaintext = data as u32 % 4;
        for i in 0..12 {
            let word = self.first() ^ plaintext;
            if i >= 8 {
                tag.as_chunks_mut().0[i - 8] = word.to_le_bytes();
            }
            self.second(plaintext);
        }
        tag
    }
}

impl Drop for Pieces {
    fn drop(&mut self) {
        wipe(&mut self.state, 0);
        wipe(&mut self.old, 0);
        wipe(self.keys.as_flattened_mut(), 0);
        wipe(&mut self.stream, 0);
        wipe(&mut self.plaintext, 0);
    }
}

impl Phelix {
    in_pieces! {
        (nonce: &[u8], tag: usize) -> Fallible,
        /// The length of the tag is given in bytes.
        ///
        /// # Errors
        ///
        /// [`AeadError::NonceLength`] for a nonce that does not have 16 bytes, and
        /// [`AeadError::TagLength`] for a tag that does not have 1 to 16 bytes.
    }

    /// Starts a message, [PHELIX](self) §3.3 and §3.4, with the length of the tag as in §6.2.
    fn pieces(&self, nonce: &[u8], tag: usize) -> Result<Pieces, AeadError> {
        if !(1..=16).contains(&tag) {
            return Err(AeadError::TagLength { given: tag });
        }
        let given = nonce.len();
        let nonce: &[u8; 16] = nonce
            .try_into()
            .map_err(|_| AeadError::NonceLength { given })?;
        let mut second = [0; 8];
        let mut state = [0; 5];
        for (i, bytes) in nonce.as_chunks().0.iter().enumerate() {
            let nonce = u32::from_le_bytes(*bytes);
            second[i] = self.key[i + 4].wrapping_add(nonce);
            second[i + 4] = self.key[i].wrapping_add((i as u32).wrapping_sub(nonce));
            state[i] = self.key[i + 3] ^ nonce;
        }
        state[4] = self.key[7];
        for i in [1, 5] {
            let lengths = 4 * self.length + 256 * (8 * tag as u32 % 128);
            second[i] = second[i].wrapping_add(lengths);
        }
        let mut message = Pieces {
            state,
            old: [0; 4],
            keys: [self.key, second],
            block: 0,
            stream: [0; 4],
            plaintext: [0; 4],
            at: 0,
            lengths: [0; 2],
            begun: false,
            tag,
        };
        for _ in 0..8 {
            message.first();
            message.second(0);
        }
        message.state[1] ^= ASSOCIATED;
        Ok(message)
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
        let mut message = self.pieces(nonce, tag)?;
        message.aad(aad);
        message.data(data, backwards);
        Ok(message.finish())
    }
}

impl Engine for Phelix {
    const TAGS: &'static [usize] = &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];
    const NONCES: KeyLengths = KeyLengths::exactly(16);
    const TAG: usize = 16;

    by_whole!();
}

impl sealed::InPieces for Phelix {
    type Block = [u8; 16];
    type Pieces = Pieces;

    by_message!(Infallible);

    fn check_tag(message: &Pieces, length: usize) -> Result<(), AeadError> {
        exact_tag(length, message.tag)
    }

    fn finish(&self, message: &mut Pieces) -> Result<[u8; 16], AeadError> {
        Ok(message.finish())
    }
}

impl FixedKey for Phelix {
    type Key = [u8; 32];
}

impl Keyed for Phelix {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::every(1, 0, 32);

    /// Sets up a key by the key mixing, [PHELIX](self) §3.7: a Feistel network on the halves of the
    /// key, which is filled up with zeros.
    fn with_kernel(_: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        Self::KEY_LENGTHS.check(key)?;
        let length = key.len() as u32;
        let mut bytes = [0; 32];
        bytes[..key.len()].copy_from_slice(key);
        let mut key = [0; 8];
        for (word, bytes) in key.iter_mut().zip(bytes.as_chunks().0) {
            *word = u32::from_le_bytes(*bytes);
        }
        wipe(&mut bytes, 0);
        for i in 0..8 {
            let (from, to) = (4 * (i % 2), 4 - 4 * (i % 2));
            let mut state = [length + 64; 5];
            state[..4].copy_from_slice(&key[from..][..4]);
            let mixed = mix(mix(state, 0, 0), 0, 0);
            for (word, mixed) in key[to..].iter_mut().zip(&mixed[..4]) {
                *word ^= mixed;
            }
        }
        Ok(Self { key, length })
    }

    fn kernel_in_use(&self) -> Kernel {
        Kernel::best()
    }
}

impl Drop for Phelix {
    fn drop(&mut self) {
        wipe(&mut self.key, 0);
    }
}

impl ZeroizeOnDrop for Phelix {}
