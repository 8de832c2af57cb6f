//! UMAC, [RFC4418]: a MAC with a nonce for 32-bit machines, by T. Krovetz and others.
//!
//! MACs have 4, 8, 12 or 16 bytes. For each four bytes of the MAC, the message is hashed once
//! with another key. UMAC calls a block cipher with 16-byte blocks once for each message. A
//! nonce has 1 to 16 bytes. **Never use a nonce twice under one key.** On processors with
//! constant-time multiplication, UMAC is constant-time for messages of up to 16 MiB. For longer
//! messages UMAC uses a second polynomial, whose code branches on secret sums.
//!
//! - [RFC4418] UMAC: Message Authentication Code using Universal Hashing, RFC 4418, 2006
//!
//! [RFC4418]: https://www.rfc-editor.org/rfc/rfc4418

use zeroize::ZeroizeOnDrop;

use super::pieces::Pieces;
use super::{InvalidNonce, NonceMac};
use crate::debug::debug;
use crate::machinery::tail;
use crate::wipe::wipe;
use crate::{FixedKey, FusedEncrypt, InvalidKeyLength, InvalidNonceLength, KeyLengths, Keyed, Tag};

/// UMAC with a MAC of 4 bytes.
pub type Umac32<C> = Umac<C, 4>;
/// UMAC with a MAC of 8 bytes.
pub type Umac64<C> = Umac<C, 8>;
/// UMAC with a MAC of 12 bytes.
pub type Umac96<C> = Umac<C, 12>;
/// UMAC with a MAC of 16 bytes.
pub type Umac128<C> = Umac<C, 16>;

/// The length in bytes of the blocks that the first hash compresses to one number each,
/// [RFC4418] §5.2.
const BLOCK: usize = 1024;
/// The largest number of hashes that UMAC computes for a message.
const MOST: usize = 4;
/// The number of 64-bit numbers that the first polynomial processes, [RFC4418] §5.3. These
/// numbers are the hashes of 16 MiB of message.
const SHORT: u64 = (1 << 17) / 8;

/// A nonce of UMAC: 1 to 16 bytes. Two nonces that differ only in zeros at their end are the
/// same nonce.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UmacNonce {
    /// The nonce, with zeros after it.
    block: [u8; 16],
    last: usize,
}

impl TryFrom<&[u8]> for UmacNonce {
    type Error = InvalidNonce;

    fn try_from(nonce: &[u8]) -> Result<Self, InvalidNonce> {
        InvalidNonceLength::check(nonce, KeyLengths::every(1, 1, 16))?;
        Ok(Self {
            block: tail::block(tail::number(nonce)),
            last: nonce.len() - 1,
        })
    }
}

macro_rules! from_arrays {
    ($($N:literal)*) => {$(
        impl From<[u8; $N]> for UmacNonce {
            fn from(nonce: [u8; $N]) -> Self {
                let mut block = [0; 16];
                block[..$N].copy_from_slice(&nonce);
                Self { block, last: $N - 1 }
            }
        }
    )*};
}
from_arrays!(8 12 16);

/// UMAC with a block cipher and a MAC of `N` bytes: 4, 8, 12 or 16.
///
/// ```
/// use touchstone::block::Aes128;
/// use touchstone::mac::{NonceMac, Umac64};
/// use touchstone::FixedKey;
///
/// let mac = Umac64::<Aes128>::new(b"sixteen byte key");
/// let number_of_message = 1u64;
/// let nonce = number_of_message.to_be_bytes().into();
/// let tag = mac.mac(&nonce, b"Attack at dawn");
/// assert!(mac.verify(&nonce, b"Attack at dawn", &tag).is_ok());
/// ```
#[derive(Clone)]
pub struct Umac<C, const N: usize> {
    /// The cipher that encrypts nonces to pads.
    pad: C,
    keys: Keys,
    hash: Hash,
    pieces: Pieces<BLOCK>,
}

#[derive(Clone)]
struct Keys {
    /// The key words of the first hash function, NH. The key of hash *i* + 1 of the message
    /// begins four words after the key of hash *i*.
    nh: [u32; BLOCK / 4 + 4 * (MOST - 1)],
    poly64: [u64; MOST],
    poly128: [u128; MOST],
    inner: [[u64; 8]; MOST],
    outer: [u32; MOST],
}

/// The state of the second hash function, for each hash of the message.
#[derive(Clone)]
struct Hash {
    /// The number of blocks of the message so far.
    blocks: u64,
    /// The numbers to which the first hash compresses the first block. If the message has only
    /// one block, they are the result of the second hash.
    first: [u64; MOST],
    /// The values of the polynomials, modulo 2⁶⁴ − 59. For long messages, the values of the
    /// second polynomials, modulo 2¹²⁸ − 159.
    y: [u128; MOST],
    /// The number of the last block, if the second polynomial has not processed it yet: two
    /// such numbers form one coefficient of 128 bits.
    half: [u64; MOST],
}

/// The prime 2⁶⁴ − 59.
const P64: u64 = 0u64.wrapping_sub(59);
/// The prime 2¹²⁸ − 159.
const P128: u128 = 0u128.wrapping_sub(159);
/// The prime 2³⁶ − 5.
const P36: u64 = (1 << 36) - 5;

/// Computes the function KDF, [RFC4418] §3.2.1: the encryptions of blocks that contain a
/// counter and the number `index`, which is another number for each kind of key. The cipher gets
/// all whole blocks in one call, so that its kernel can encrypt many at once.
fn derive<C: FusedEncrypt<Block = [u8; 16]>>(cipher: &C, index: u8, output: &mut [u8]) {
    let counter = |number: u64| {
        let mut block = [0; 16];
        block[7] = index;
        block[8..].copy_from_slice(&number.to_be_bytes());
        block
    };
    let (blocks, end) = output.as_chunks_mut();
    for (number, block) in (1..).zip(&mut *blocks) {
        *block = counter(number);
    }
    let last = blocks.len() as u64 + 1;
    cipher.encrypt_blocks(blocks.into());
    if !end.is_empty() {
        let mut block = counter(last);
        cipher.encrypt_block(&mut block);
        end.copy_from_slice(&block[..end.len()]);
        wipe(&mut block, 0);
    }
}

impl Keys {
    const EMPTY: Self = Self {
        nh: [0; BLOCK / 4 + 4 * (MOST - 1)],
        poly64: [0; MOST],
        poly128: [0; MOST],
        inner: [[0; 8]; MOST],
        outer: [0; MOST],
    };

    /// Derives the keys of up to four hashes, of which `n` are used, [RFC4418] §5.1.
    fn set<C: FusedEncrypt<Block = [u8; 16]>>(&mut self, cipher: &C, n: usize) {
        let keys = self;
        let mut bytes = [0; BLOCK + 16 * (MOST - 1)];
        derive(cipher, 1, &mut bytes[..BLOCK + 16 * (n - 1)]);
        for (word, bytes) in keys.nh.iter_mut().zip(bytes.as_chunks().0) {
            *word = u32::from_be_bytes(*bytes);
        }
        derive(cipher, 2, &mut bytes[..24 * n]);
        for (i, words) in bytes[..24 * n].as_chunks::<24>().0.iter().enumerate() {
            let [a, b, c] = core::array::from_fn(|w| {
                u64::from_be_bytes(words.as_chunks().0[w]) & 0x01ff_ffff_01ff_ffff
            });
            keys.poly64[i] = a;
            keys.poly128[i] = u128::from(b) << 64 | u128::from(c);
        }
        derive(cipher, 3, &mut bytes[..64 * n]);
        for (i, words) in bytes[..64 * n].as_chunks::<64>().0.iter().enumerate() {
            keys.inner[i] =
                core::array::from_fn(|w| u64::from_be_bytes(words.as_chunks().0[w]) % P36);
        }
        derive(cipher, 4, &mut bytes[..4 * n]);
        for (outer, bytes) in keys.outer.iter_mut().zip(bytes[..4 * n].as_chunks().0) {
            *outer = u32::from_be_bytes(*bytes);
        }
        wipe(&mut bytes, 0);
    }

    /// Computes the first hashes of up to one block, with zeros up to a multiple of 32 bytes. Only
    /// the last group of 32 bytes is copied: a copy of a block would take longer than the hash of a
    /// short message.
    #[inline(always)]
    fn numbers(&self, bytes: &[u8], n: usize) -> [u64; MOST] {
        let (groups, end) = bytes.as_chunks::<32>();
        let mut numbers = [0; MOST];
        for i in 0..n {
            let number = nh(groups.as_flattened(), &self.nh[4 * i..]);
            numbers[i] = number.wrapping_add(8 * bytes.len() as u64);
        }
        if !end.is_empty() || bytes.is_empty() {
            let halves = end.split_at(end.len().min(16));
            let mut last = [halves.0, halves.1].map(|half| tail::block(tail::number(half)));
            for i in 0..n {
                let key = &self.nh[4 * i + 8 * groups.len()..];
                numbers[i] = numbers[i].wrapping_add(nh(last.as_flattened(), key));
            }
            wipe(&mut last, [0; 16]);
        }
        numbers
    }
}

/// Returns, for each place of a nonce's last byte, the block's bits that the cipher encrypts. The
/// other bits choose one of `parts` parts of the pad.
const fn masks(parts: u8) -> [[u8; 16]; 16] {
    let mut masks = [[0xff; 16]; 16];
    let mut last = 0;
    while last < 16 {
        masks[last][last] = !(parts - 1);
        last += 1;
    }
    masks
}

/// Computes the first hash, NH, on whole groups of 32 bytes, [RFC4418] §5.2.2.
#[inline(always)]
fn nh(bytes: &[u8], key: &[u32]) -> u64 {
    // Each pair of words has its own sum, so that the compiler can use vector lanes.
    let mut sums = [0u64; 4];
    for (group, key) in bytes.as_chunks::<32>().0.iter().zip(key.as_chunks::<8>().0) {
        let (words, _) = group.as_chunks::<4>();
        for i in 0..4 {
            let a = u32::from_le_bytes(words[i]).wrapping_add(key[i]);
            let b = u32::from_le_bytes(words[i + 4]).wrapping_add(key[i + 4]);
            sums[i] = sums[i].wrapping_add(u64::from(a) * u64::from(b));
        }
    }
    sums.iter().fold(0, |sum, s| sum.wrapping_add(*s))
}

/// Returns y · k + m modulo 2⁶⁴ − 59, fully reduced. k must be below 2⁵⁷.
#[inline]
fn step64(y: u64, k: u64, m: u64) -> u64 {
    let product = u128::from(y) * u128::from(k) + u128::from(m);
    let sum = (product >> 64) * 59 + (product & u128::from(u64::MAX));
    let sum = (sum >> 64) * 59 + (sum & u128::from(u64::MAX));
    let sum = (sum as u64).wrapping_add(59 * (sum >> 64) as u64);
    let over = u64::from(sum >= P64).wrapping_neg();
    sum.wrapping_sub(P64 & over)
}

/// Computes one step of the polynomial, [RFC4418] §5.3.2. The standard puts a marker before a
/// number of 2⁶⁴ − 2³² or more. The code computes both cases, with and without a marker, so
/// that the time does not depend on the number.
#[inline]
fn poly64(y: u64, k: u64, m: u64) -> u64 {
    let small = step64(y, k, m);
    let marked = step64(step64(y, k, P64 - 1), k, m.wrapping_sub(59));
    let large = u64::from(m >> 32 == 0xffff_ffff).wrapping_neg();
    marked & large | small & !large
}

/// Returns y · k + m modulo 2¹²⁸ − 159, fully reduced. k must be below 2¹²¹.
fn step128(y: u128, k: u128, m: u128) -> u128 {
    let halves = |x: u128| (x >> 64, x & u128::from(u64::MAX));
    let ((y1, y0), (k1, k0)) = (halves(y), halves(k));
    // `high` and `low` are the upper and the lower 128 bits of the product.
    let (middle, carry) = (y1 * k0).overflowing_add(y0 * k1);
    let (low, carry_low) = (y0 * k0).overflowing_add(middle << 64);
    let high = y1 * k1 + (middle >> 64) + (u128::from(carry) << 64) + u128::from(carry_low);
    // 2¹²⁸ equals 159 modulo 2¹²⁸ − 159.
    let (h1, h0) = halves(high);
    let folded = h1 * 159 + (h0 * 159 >> 64);
    let (sum, a) = low.overflowing_add(folded << 64 | h0 * 159 & u128::from(u64::MAX));
    let (sum, b) = sum.overflowing_add(m);
    let more = 159 * ((folded >> 64) + u128::from(a) + u128::from(b));
    let (sum, c) = sum.overflowing_add(more);
    let sum = sum + 159 * u128::from(c);
    if sum >= P128 { sum - P128 } else { sum }
}

/// Computes one step of the second polynomial, as [`poly64`] does, for numbers of 128 bits.
fn poly128(y: u128, k: u128, m: u128) -> u128 {
    if m >> 96 == 0xffff_ffff {
        step128(step128(y, k, P128 - 1), k, m - 159)
    } else {
        step128(y, k, m)
    }
}

/// Computes the third hash, [RFC4418] §5.4.
fn last_hash(number: u128, inner: &[u64; 8], outer: u32) -> u32 {
    let mut sum = 0;
    for (i, key) in inner.iter().enumerate() {
        sum += u64::from((number >> (112 - 16 * i)) as u16) * key;
    }
    (sum % P36) as u32 ^ outer
}

impl Hash {
    const START: Self = Self {
        blocks: 0,
        first: [0; MOST],
        y: [1; MOST],
        half: [0; MOST],
    };

    /// Adds one block's results of the first hash to the second hash. The polynomials begin with
    /// the second block, because a message of one block does not need them.
    fn absorb(&mut self, keys: &Keys, numbers: &[u64; MOST], n: usize) {
        if self.blocks == 0 {
            self.first = *numbers;
            self.blocks = 1;
            return;
        }
        for i in 0..n {
            let y = &mut self.y[i];
            if self.blocks == 1 {
                *y = poly64(1, keys.poly64[i], self.first[i]).into();
            }
            if self.blocks < SHORT {
                *y = poly64(*y as u64, keys.poly64[i], numbers[i]).into();
                continue;
            }
            if self.blocks == SHORT {
                // The result of the first polynomial becomes the first number of the second
                // polynomial.
                *y = poly128(1, keys.poly128[i], *y);
            }
            if self.blocks.is_multiple_of(2) {
                self.half[i] = numbers[i];
            } else {
                let number = u128::from(self.half[i]) << 64 | u128::from(numbers[i]);
                *y = poly128(*y, keys.poly128[i], number);
            }
        }
        self.blocks += 1;
    }

    /// Adds a whole block to the message: computes its first hashes.
    #[inline(always)]
    fn absorb_block(&mut self, keys: &Keys, block: &[u8; BLOCK], n: usize) {
        let mut numbers = [0; MOST];
        for i in 0..n {
            numbers[i] = nh(block, &keys.nh[4 * i..]).wrapping_add(8 * BLOCK as u64);
        }
        self.absorb(keys, &numbers, n);
    }

    /// Adds the remaining bytes to the message. If no bytes remain, the function does nothing,
    /// except for an empty message.
    fn absorb_last(&mut self, keys: &Keys, rest: &[u8], n: usize) {
        if !rest.is_empty() || self.blocks == 0 {
            self.absorb(keys, &keys.numbers(rest, n), n);
        }
    }

    /// Returns the result of the second hash, which is the input of the third hash.
    fn number(&self, keys: &Keys, i: usize) -> u128 {
        if self.blocks == 1 {
            return self.first[i].into();
        }
        if self.blocks <= SHORT {
            return self.y[i];
        }
        // After the last number follow a bit 1 and zeros.
        let last = if self.blocks.is_multiple_of(2) {
            1 << 127
        } else {
            u128::from(self.half[i]) << 64 | 1 << 63
        };
        poly128(self.y[i], keys.poly128[i], last)
    }
}

impl<C: Keyed + FusedEncrypt<Block = [u8; 16]>, const N: usize> Umac<C, N> {
    /// The number of hashes that are computed for a message, one for each four bytes of the
    /// MAC.
    const HASHES: usize = {
        assert!(N.is_multiple_of(4) && N >= 4 && N <= 16);
        N / 4
    };

    /// Returns the MAC, [RFC4418] §3.3: the hashes XOR a pad, which is the encryption of the
    /// nonce. For short MACs, consecutive nonces use different parts of the same encrypted
    /// block. `number` gives the results of the second hash.
    #[inline(always)]
    fn end(&self, number: impl Fn(usize) -> u128, nonce: &UmacNonce) -> Tag<N> {
        let mut pad = nonce.block;
        let mut part = 0;
        if N <= 8 {
            let parts = (16 / N) as u8;
            part = usize::from(pad[nonce.last] % parts);
            // The whole block at once: the cipher would wait for a store of one byte.
            let kept = const { &masks((16 / N) as u8) }[nonce.last];
            for (byte, kept) in pad.iter_mut().zip(kept) {
                *byte &= kept;
            }
        }
        self.pad.encrypt_block(&mut pad);
        let mut mac = [0; N];
        mac.copy_from_slice(&pad[N * part..N * part + N]);
        for (i, bytes) in mac.as_chunks_mut::<4>().0.iter_mut().enumerate() {
            let hash = last_hash(number(i), &self.keys.inner[i], self.keys.outer[i]);
            *bytes = (u32::from_be_bytes(*bytes) ^ hash).to_be_bytes();
        }
        mac.into()
    }

    fn absorb(keys: &Keys, hash: &mut Hash, blocks: &[[u8; BLOCK]]) {
        for block in blocks {
            hash.absorb_block(keys, block, Self::HASHES);
        }
    }

    /// Passes the key of the pads, [RFC4418] §3.3.1, to `set`.
    fn pad_key<T>(
        cipher: &C,
        length: usize,
        set: impl FnOnce(&[u8]) -> Result<T, InvalidKeyLength>,
    ) -> Result<T, InvalidKeyLength> {
        const LONGEST: usize = 64;
        const { assert!(C::KEY_LENGTHS.max <= LONGEST) };
        let mut key = [0; LONGEST];
        let key = &mut key[..length];
        derive(cipher, 0, key);
        let made = set(key);
        wipe(key, 0);
        made
    }
}

impl<C: FixedKey + FusedEncrypt<Block = [u8; 16]>, const N: usize> FixedKey for Umac<C, N> {
    type Key = C::Key;
}

impl<C: Keyed + FusedEncrypt<Block = [u8; 16]>, const N: usize> Keyed for Umac<C, N> {
    type Kernel = C::Kernel;
    const KEY_LENGTHS: KeyLengths = C::KEY_LENGTHS;

    fn with_kernel(kernel: C::Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        let cipher = C::with_kernel(kernel, key)?;
        let mut umac = Self {
            pad: Self::pad_key(&cipher, key.len(), |key| C::with_kernel(kernel, key))?,
            keys: Keys::EMPTY,
            hash: Hash::START,
            pieces: Pieces::new(),
        };
        umac.keys.set(&cipher, Self::HASHES);
        Ok(umac)
    }

    fn rekey(&mut self, key: &[u8]) -> Result<(), InvalidKeyLength> {
        let cipher = C::with_kernel(self.kernel_in_use(), key)?;
        Self::pad_key(&cipher, key.len(), |key| self.pad.rekey(key))?;
        self.keys.set(&cipher, Self::HASHES);
        self.reset();
        Ok(())
    }

    fn kernel_in_use(&self) -> C::Kernel {
        self.pad.kernel_in_use()
    }
}

impl<C: Keyed + FusedEncrypt<Block = [u8; 16]>, const N: usize> NonceMac for Umac<C, N> {
    type Nonce = UmacNonce;
    type Output = Tag<N>;

    fn update(&mut self, data: &[u8]) {
        let Self {
            keys, hash, pieces, ..
        } = self;
        pieces.update(data, |blocks| Self::absorb(keys, hash, blocks));
    }

    fn finalize(&mut self, nonce: &UmacNonce) -> Tag<N> {
        self.hash
            .absorb_last(&self.keys, self.pieces.rest(), Self::HASHES);
        let mac = self.end(|i| self.hash.number(&self.keys, i), nonce);
        self.reset();
        mac
    }

    fn reset(&mut self) {
        self.hash = Hash::START;
        self.pieces = Pieces::new();
    }

    fn mac(&self, nonce: &UmacNonce, message: &[u8]) -> Tag<N> {
        if message.len() <= BLOCK {
            let numbers = self.keys.numbers(message, Self::HASHES);
            return self.end(|i| numbers[i].into(), nonce);
        }
        let mut hash = Hash::START;
        let (blocks, rest) = message.as_chunks();
        Self::absorb(&self.keys, &mut hash, blocks);
        hash.absorb_last(&self.keys, rest, Self::HASHES);
        self.end(|i| hash.number(&self.keys, i), nonce)
    }
}

debug!([C: core::fmt::Debug, const N: usize] Umac<C, N>, ["Umac32", "Umac64", "Umac96", "Umac128"][const { N / 4 - 1 }], cipher = pad);

impl Drop for Keys {
    fn drop(&mut self) {
        wipe(&mut self.nh, 0);
        wipe(&mut self.poly64, 0);
        wipe(&mut self.poly128, 0);
        wipe(&mut self.inner, [0; 8]);
        wipe(&mut self.outer, 0);
    }
}

impl Drop for Hash {
    fn drop(&mut self) {
        wipe(&mut self.first, 0);
        wipe(&mut self.y, 0);
        wipe(&mut self.half, 0);
    }
}

impl<C: ZeroizeOnDrop, const N: usize> ZeroizeOnDrop for Umac<C, N> {}
