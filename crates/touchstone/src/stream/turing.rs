//! Turing: a stream cipher by G. Rose and P. Hawkes, [TURING], named after Alan Turing. A linear
//! register gives words to a filter of S-boxes that depend on the key.
//!
//! Keys have 4 to 32 bytes in steps of 4, and nonces 0 to 16 in steps of 4. **Outdated**: [JM]
//! recovers keys of 256 bits from 2^37 chosen nonces.
//!
//! **Not constant-time**: data and key choose the table entries that are read. The only kernel is
//! portable.
//!
//! - [TURING] G. Rose, P. Hawkes: Turing: A Fast Stream Cipher, FSE 2003
//! - [JM] A. Joux, F. Muller: A Chosen IV Attack Against Turing, SAC 2003
//!
//! [TURING]: https://doi.org/10.1007/978-3-540-39887-5_22
//! [JM]: https://doi.org/10.1007/978-3-540-24654-1_14

use inout::InOutBuf;
use zeroize::ZeroizeOnDrop;

use super::keystream::{Keystream, Source};
use super::{InvalidNonceLength, StreamKey, keystream_type};
use crate::debug::debug;
use crate::kernel::kernels;
use crate::machinery::field::product;
use crate::wipe::wipe;
use crate::{FixedKey, InvalidKeyLength, Kernel as _, KeyLengths, Keyed};

mod sboxes;

use sboxes::{Q, S};

kernels! {
    /// The kernels that compute Turing.
    enum Kernel {}
}

/// The bytes of keystream of a round.
const BLOCK: usize = 20;

/// The words of the register.
const REGISTER: usize = 17;

/// The words of the longest key.
const LONGEST: usize = 8;

/// A key of Turing.
#[derive(Clone)]
pub struct Turing {
    /// The mixed key, and its number of words.
    key: [u32; LONGEST],
    words: usize,
    boxes: Boxes,
}

debug!([] Turing, "Turing");

/// The keystream for one nonce.
#[derive(Clone)]
pub struct TuringStream(Keystream<State, [u8; BLOCK]>);

#[derive(Clone)]
struct State {
    register: [u32; REGISTER],
    boxes: Boxes,
}

/// The four S-boxes that depend on the key, from the one for the highest byte on.
#[derive(Clone)]
struct Boxes([[u32; 256]; 4]);

impl Boxes {
    /// [TURING]
    fn new(key: &[u32]) -> Self {
        let mut boxes = [[0; 256]; 4];
        for (place, table) in boxes.iter_mut().enumerate() {
            for (x, entry) in table.iter_mut().enumerate() {
                let (mut byte, mut word) = (x as u8, 0);
                for (i, key) in key.iter().enumerate() {
                    byte = S[usize::from(byte ^ key.to_be_bytes()[place])];
                    word ^= Q[usize::from(byte)].rotate_left((i + 8 * place) as u32);
                }
                *entry = with_byte(word, place, byte);
            }
        }
        Self(boxes)
    }

    #[inline(always)]
    fn map(&self, word: u32) -> u32 {
        let bytes = word.to_be_bytes();
        (0..4).fold(0, |sum, i| sum ^ self.0[i][usize::from(bytes[i])])
    }
}

impl Drop for Boxes {
    fn drop(&mut self) {
        wipe(self.0.as_flattened_mut(), 0);
    }
}

/// `word` with another byte at `place`, counted from the highest byte.
fn with_byte(word: u32, place: usize, byte: u8) -> u32 {
    let mut bytes = word.to_be_bytes();
    bytes[place] = byte;
    u32::from_be_bytes(bytes)
}

/// The fixed S-box of words, [TURING]
fn fixed(mut word: u32) -> u32 {
    for place in 0..4 {
        let byte = S[usize::from(word.to_be_bytes()[place])];
        let sum = word ^ Q[usize::from(byte)].rotate_left(8 * place as u32);
        word = with_byte(sum, place, byte);
    }
    word
}

/// The pseudo-Hadamard transform of words, [TURING]: the last word becomes the sum of all words,
/// and is then added to each of the other words.
#[inline(always)]
fn mix(words: &mut [u32]) {
    let Some((last, others)) = words.split_last_mut() else {
        return;
    };
    *last = others
        .iter()
        .fold(*last, |sum, word| sum.wrapping_add(*word));
    for word in others {
        *word = word.wrapping_add(*last);
    }
}

/// The highest byte of a word of the register times a constant, [TURING]
static TIMES_ALPHA: [u32; 256] = {
    const FIELD: u16 = 0x14d;
    let mut table = [0; 256];
    let mut x = 0;
    while x < 256 {
        let byte = x as u8;
        table[x] = u32::from_be_bytes([
            product(byte, 0xd0, FIELD),
            product(byte, 0x2b, FIELD),
            product(byte, 0x43, FIELD),
            product(byte, 0x67, FIELD),
        ]);
        x += 1;
    }
    table
};

impl Turing {
    /// The keystream for a nonce of 0 to 16 bytes, in steps of 4.
    ///
    /// # Errors
    ///
    /// [`InvalidNonceLength`] for another length.
    pub fn stream(&self, nonce: &[u8]) -> Result<TuringStream, InvalidNonceLength> {
        InvalidNonceLength::check(nonce, Self::NONCE_LENGTHS)?;
        Ok(TuringStream(Keystream::new(self.state(nonce))))
    }

    /// [TURING]: the register is filled with the nonce, the key, their lengths, and what
    /// follows from them.
    fn state(&self, nonce: &[u8]) -> State {
        let (nonce, _) = nonce.as_chunks();
        let key = &self.key[..self.words];
        let lengths = 0x0102_0300 | (self.words << 4 | nonce.len()) as u32;
        let start = nonce.iter().map(|bytes| fixed(u32::from_be_bytes(*bytes)));
        let start = start.chain(key.iter().copied()).chain([lengths]);
        let mut register = [0; REGISTER];
        for (word, start) in register.iter_mut().zip(start) {
            *word = start;
        }
        let filled = nonce.len() + key.len() + 1;
        for i in filled..REGISTER {
            let sum = register[i - filled].wrapping_add(register[i - 1]);
            register[i] = self.boxes.map(sum);
        }
        mix(&mut register);
        State {
            register,
            boxes: self.boxes.clone(),
        }
    }
}

impl FixedKey for Turing {
    type Key = [u8; 32];
}

impl Keyed for Turing {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::every(4, 4, 4 * LONGEST);

    /// [TURING](self)
    fn with_kernel(_: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        Self::KEY_LENGTHS.check(key)?;
        let (chunks, _) = key.as_chunks();
        let words = chunks.len();
        let mut key = [0; LONGEST];
        for (word, bytes) in key.iter_mut().zip(chunks) {
            *word = fixed(u32::from_be_bytes(*bytes));
        }
        mix(&mut key[..words]);
        let boxes = Boxes::new(&key[..words]);
        Ok(Self { key, words, boxes })
    }

    fn kernel_in_use(&self) -> Kernel {
        Kernel::best()
    }
}

impl StreamKey for Turing {
    type Stream = TuringStream;
    type Nonce = [u8; 16];
    const NONCE_LENGTHS: KeyLengths = KeyLengths::every(4, 0, 16);

    #[inline]
    fn stream(&self, nonce: &Self::Nonce) -> Self::Stream {
        TuringStream(Keystream::new(self.state(nonce)))
    }

    fn stream_from_slice(&self, nonce: &[u8]) -> Result<TuringStream, InvalidNonceLength> {
        self.stream(nonce)
    }
}

impl State {
    /// A round, [TURING]: five steps of the register give five words.
    #[inline(always)]
    fn round(&mut self) -> [u32; 5] {
        // The register and the five new words.
        let mut r = [0; REGISTER + 5];
        r[..REGISTER].copy_from_slice(&self.register);
        for i in 0..5 {
            let times_alpha = r[i] << 8 ^ TIMES_ALPHA[(r[i] >> 24) as usize];
            r[REGISTER + i] = r[i + 15] ^ r[i + 4] ^ times_alpha;
        }
        let mut words = [r[17], r[14], r[7], r[2], r[1]];
        mix(&mut words);
        for (i, word) in words.iter_mut().enumerate() {
            *word = self.boxes.map(word.rotate_left(8 * i as u32 % 32));
        }
        mix(&mut words);
        for (word, from) in words.iter_mut().zip([18, 16, 12, 5, 4]) {
            *word = word.wrapping_add(r[from]);
        }
        self.register.copy_from_slice(&r[5..]);
        words
    }
}

impl Source<[u8; BLOCK]> for State {
    fn apply_blocks(&mut self, blocks: InOutBuf<'_, '_, [u8; BLOCK]>) {
        for mut block in blocks {
            let mut output = *block.get_in();
            for (bytes, word) in output.as_chunks_mut().0.iter_mut().zip(self.round()) {
                *bytes = (u32::from_be_bytes(*bytes) ^ word).to_be_bytes();
            }
            *block.get_out() = output;
        }
    }
}

keystream_type!("TuringStream", [] TuringStream);

impl Drop for State {
    fn drop(&mut self) {
        wipe(&mut self.register, 0);
    }
}

impl Drop for Turing {
    fn drop(&mut self) {
        wipe(&mut self.key, 0);
    }
}

impl ZeroizeOnDrop for Turing {}
