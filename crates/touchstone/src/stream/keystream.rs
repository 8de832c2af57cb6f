//! Keystream that is computed in blocks and used in pieces of any length. The unused end
//! of a block is kept for the next piece. The stream ciphers and
//! [`Ctr`](crate::mode::Ctr) use it.

use inout::InOutBuf;

#[cfg(any(feature = "chacha", feature = "salsa20"))]
use crate::buffer;
use crate::byte_array::ByteArray;
#[cfg(any(feature = "chacha", feature = "salsa20"))]
use crate::machinery::unknown::apart_64;
use crate::wipe::wipe;

/// A source of keystream in blocks `B`.
pub(crate) trait Source<B: ByteArray> {
    /// XORs the next blocks of the keystream to `blocks`.
    fn apply_blocks(&mut self, blocks: InOutBuf<'_, '_, B>);

    /// XORs the next blocks of the keystream to `data`. If `data` ends within a block,
    /// that block of keystream is stored in `last`.
    #[inline]
    fn apply_bytes(&mut self, data: InOutBuf<'_, '_, u8>, last: &mut B) {
        let (blocks, mut rest) = B::chunks(data);
        if !blocks.is_empty() {
            self.apply_blocks(blocks);
        }
        if !rest.is_empty() {
            *last = B::ZEROS;
            self.apply_blocks(InOutBuf::from_mut(last));
            let n = rest.len();
            rest.xor_in2out(&last.as_ref()[..n]);
        }
    }
}

/// A source that can continue at any block.
pub(crate) trait SeekSource<B: ByteArray>: Source<B> {
    /// Makes `block`, counted from 0, the next block.
    fn seek_block(&mut self, block: u128);
}

/// A source, and the unused end of its last block.
#[derive(Clone)]
pub(crate) struct Keystream<S, B: ByteArray> {
    pub(crate) source: S,
    rest: Rest<B>,
}

/// The last block of a source. Its last `left` bytes have not been used.
#[derive(Clone)]
pub(crate) struct Rest<B: ByteArray> {
    last: B,
    left: usize,
}

impl<B: ByteArray> Rest<B> {
    #[inline]
    pub(crate) const fn new() -> Self {
        Self {
            last: B::ZEROS,
            left: 0,
        }
    }

    /// XORs the next bytes of the keystream to data.
    #[inline]
    pub(crate) fn apply_inout(
        &mut self,
        source: &mut impl Source<B>,
        mut data: InOutBuf<'_, '_, u8>,
    ) {
        if self.left != 0 {
            let n = self.left.min(data.len());
            let (mut now, later) = data.split_at(n);
            let from = B::LENGTH - self.left;
            now.xor_in2out(&self.last.as_ref()[from..from + n]);
            self.left -= n;
            data = later;
        }
        let short = data.len() % B::LENGTH;
        if short != 0 {
            self.left = B::LENGTH - short;
        }
        source.apply_bytes(data, &mut self.last);
    }
}

impl<S, B: ByteArray> Keystream<S, B> {
    #[inline]
    pub(crate) const fn new(source: S) -> Self {
        let rest = Rest::new();
        Self { source, rest }
    }

    /// Forgets the unused end of the last block, for a source that starts another keystream.
    #[inline]
    pub(crate) fn restart(&mut self) {
        self.rest.left = 0;
    }
}

#[cfg(feature = "rustcrypto")]
impl<S, B: ByteArray> Keystream<S, B> {
    /// How many bytes of the source's last block have not been used.
    pub(crate) fn left(&self) -> usize {
        self.rest.left
    }
}

impl<S: Source<B>, B: ByteArray> Keystream<S, B> {
    /// XORs the next bytes of the keystream to data.
    #[inline]
    pub(crate) fn apply_inout(&mut self, data: InOutBuf<'_, '_, u8>) {
        self.rest.apply_inout(&mut self.source, data);
    }
}

impl<S: SeekSource<B>, B: ByteArray> Keystream<S, B> {
    /// Sets the position of the next byte of the keystream, counted from 0.
    pub(crate) fn seek(&mut self, byte: u128) {
        let size = B::LENGTH as u128;
        self.source.seek_block(byte / size);
        self.rest.left = 0;
        let within = (byte % size) as usize;
        if within != 0 {
            self.rest.last = B::ZEROS;
            let last = InOutBuf::from_mut(&mut self.rest.last);
            self.source.apply_blocks(last);
            self.rest.left = B::LENGTH - within;
        }
    }
}

impl<B: ByteArray> Drop for Rest<B> {
    fn drop(&mut self) {
        // An attacker could decrypt data with the keystream.
        wipe(core::slice::from_mut(&mut self.last), B::ZEROS);
    }
}

/// XORs the beginning of the keystream to data that are no longer. The keystream is loaded in words
/// of 64 bits. Code for one block stores it in such words, and a wider load would wait until several
/// stores have reached the cache.
#[cfg(any(feature = "chacha", feature = "salsa20"))]
#[inline]
pub(crate) fn xor_short(data: InOutBuf<'_, '_, u8>, keystream: &[u8]) {
    let (words, mut rest) = buffer::chunks::<u8, 8>(data);
    let (keys, _) = keystream.as_chunks::<8>();
    let used = 8 * words.len();
    for (mut word, key) in words.into_iter().zip(keys) {
        let key = apart_64(u64::from_le_bytes(*key));
        *word.get_out() = (u64::from_le_bytes(*word.get_in()) ^ key).to_le_bytes();
    }
    let n = rest.len();
    if n != 0 {
        rest.xor_in2out(&keystream[used..used + n]);
    }
}

/// Four little-endian words.
#[inline]
pub(super) fn row(bytes: &[u8; 16]) -> [u32; 4] {
    let mut words = [0; 4];
    set_words(&mut words, bytes);
    words
}

/// The constants of ChaCha and Salsa20 for a key of this length, and the key's two halves, or a key of
/// 16 bytes twice. Their lengths are known, so the C library copies nothing.
#[inline]
pub(super) fn parts_of_key(key: &[u8]) -> (&'static [u8; 16], &[u8; 16], &[u8; 16]) {
    match key.as_chunks().0 {
        [first, second, ..] => (b"expand 32-byte k", first, second),
        [key, ..] => (b"expand 16-byte k", key, key),
        [] => unreachable!("the key's length has been checked"),
    }
}

/// Writes bytes, as little-endian words, to the first elements of `words`.
#[inline]
pub(super) fn set_words(words: &mut [u32], bytes: &[u8]) {
    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
        *word = u32::from_le_bytes(*bytes);
    }
}
