//! VMAC, [VMAC]: a MAC with a nonce for 64-bit machines, by T. Krovetz and W. Dai.
//!
//! MACs have 8 or 16 bytes. VMAC calls a block cipher with 16-byte blocks once for each
//! message. The hash of the message takes one wide multiplication for each 16 bytes. A nonce
//! has 1 to 16 bytes. If a nonce has 16 bytes, its first bit must be zero. **Never use a nonce
//! twice under one key**: two MACs with one nonce reveal the key of the hash. VMAC is
//! constant-time on processors with constant-time multiplication.
//!
//! - [VMAC] T. Krovetz, W. Dai: VMAC: Message Authentication Code using Universal Hashing,
//!   draft-krovetz-vmac-01, 2007
//!
//! [VMAC]: https://datatracker.ietf.org/doc/html/draft-krovetz-vmac-01

use zeroize::ZeroizeOnDrop;

use super::pieces::Pieces;
use super::{InvalidNonce, NonceMac};
use crate::debug::debug;
use crate::machinery::tail;
use crate::wipe::wipe;
use crate::{FixedKey, FusedEncrypt, InvalidKeyLength, InvalidNonceLength, KeyLengths, Keyed, Tag};

/// VMAC with a MAC of 8 bytes.
pub type Vmac64<C> = Vmac<C, 8>;
/// VMAC with a MAC of 16 bytes.
pub type Vmac128<C> = Vmac<C, 16>;

/// The length in bytes of the blocks that the first hash compresses to one number each, [VMAC]
/// §2.2.
const BLOCK: usize = 128;

/// A nonce of VMAC: 1 to 16 bytes. Nonces of different lengths that are equal as numbers are
/// the same nonce.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VmacNonce([u8; 16]);

impl TryFrom<&[u8]> for VmacNonce {
    type Error = InvalidNonce;

    fn try_from(nonce: &[u8]) -> Result<Self, InvalidNonce> {
        InvalidNonceLength::check(nonce, KeyLengths::every(1, 1, 16))?;
        let block = tail::block(tail::number(nonce) << (8 * (16 - nonce.len())));
        if block[0] >> 7 == 1 {
            return Err(InvalidNonce::FirstBit);
        }
        Ok(Self(block))
    }
}

macro_rules! from_arrays {
    ($($N:literal)*) => {$(
        impl From<[u8; $N]> for VmacNonce {
            fn from(nonce: [u8; $N]) -> Self {
                let mut block = [0; 16];
                block[16 - $N..].copy_from_slice(&nonce);
                Self(block)
            }
        }
    )*};
}
from_arrays!(8 12);

/// VMAC with a block cipher and a MAC of `N` bytes, 8 or 16.
///
/// ```
/// use touchstone::block::Aes128;
/// use touchstone::mac::{NonceMac, Vmac64};
/// use touchstone::FixedKey;
///
/// let mac = Vmac64::<Aes128>::new(b"sixteen byte key");
/// let number_of_message = 1u64;
/// let nonce = number_of_message.to_be_bytes().into();
/// let tag = mac.mac(&nonce, b"Attack at dawn");
/// assert!(mac.verify(&nonce, b"Attack at dawn", &tag).is_ok());
/// ```
#[derive(Clone)]
pub struct Vmac<C, const N: usize> {
    cipher: C,
    keys: Keys,
    hash: Hash,
    pieces: Pieces<BLOCK>,
}

/// The keys of VMAC's three hash functions. For a MAC of 16 bytes the message is hashed twice.
#[derive(Clone)]
struct Keys {
    /// The key words of the first hash: 16 words, and two more words for the second hash of the
    /// message.
    nh: [u64; BLOCK / 8 + 2],
    poly: [u128; 2],
    last: [[u64; 2]; 2],
}

/// The values of the polynomials, modulo 2¹²⁷ − 1, and whether the message has a block so far.
#[derive(Clone)]
struct Hash {
    y: [u128; 2],
    started: bool,
}

/// The prime 2¹²⁷ − 1.
const P127: u128 = (1 << 127) - 1;
/// The prime 2⁶⁴ − 257.
const P64: u64 = 0u64.wrapping_sub(257);

impl Keys {
    /// Derives the keys, [VMAC] §4.3: encryptions of counters. The first byte of a counter
    /// block says which hash function the key belongs to.
    fn new<C: FusedEncrypt<Block = [u8; 16]>>(cipher: &C) -> Self {
        let block = |kind: u8, number: u8| -> [u64; 2] {
            let mut block = [0; 16];
            (block[0], block[15]) = (kind, number);
            cipher.encrypt_block(&mut block);
            let number = u128::from_be_bytes(block);
            wipe(&mut block, 0);
            [(number >> 64) as u64, number as u64]
        };
        let mut keys = Self {
            nh: [0; BLOCK / 8 + 2],
            poly: [0; 2],
            last: [[0; 2]; 2],
        };
        for (number, pair) in (0..).zip(keys.nh.as_chunks_mut().0) {
            *pair = block(0x80, number);
        }
        for (number, key) in (0..).zip(&mut keys.poly) {
            let [high, low] = block(0xc0, number).map(|word| word & 0x1fff_ffff_1fff_ffff);
            *key = u128::from(high) << 64 | u128::from(low);
        }
        let mut number = 0;
        for key in &mut keys.last {
            // Both words of the key must be below the prime. A second attempt is almost never
            // necessary.
            loop {
                *key = block(0xe0, number);
                number += 1;
                if key[0] < P64 && key[1] < P64 {
                    break;
                }
            }
        }
        keys
    }
}

/// Computes NH, [VMAC] §4.4, the first of VMAC's three hash functions. NH adds a word of the
/// key to each of up to 16 words of the message. Then NH multiplies the sums in pairs (the
/// first by the second, the third by the fourth and so on), and adds the products modulo 2¹²⁶.
#[inline(always)]
fn nh(bytes: &[u8], key: &[u64]) -> u128 {
    let mut sum = 0u128;
    for (pair, key) in bytes.as_chunks::<16>().0.iter().zip(key.as_chunks::<2>().0) {
        let (words, _) = pair.as_chunks();
        let a = u64::from_le_bytes(words[0]).wrapping_add(key[0]);
        let b = u64::from_le_bytes(words[1]).wrapping_add(key[1]);
        sum = sum.wrapping_add(u128::from(a) * u128::from(b));
    }
    sum & (u128::MAX >> 2)
}

/// Returns y · k + m modulo 2¹²⁷ − 1, not always fully reduced. Each half of `k` must be below
/// 2⁶¹.
#[inline(always)]
fn poly_step(y: u128, k: u128, m: u128) -> u128 {
    let halves = |x: u128| (x >> 64, x & u128::from(u64::MAX));
    let ((y1, y0), (k1, k0)) = (halves(y), halves(k));
    // Modulo 2¹²⁷ − 1, 2¹²⁸ equals 2 and 2¹²⁷ equals 1. y₁ is below 2⁶³, so every sum is below
    // 2¹²⁸.
    let middle = y1 * k0 + y0 * k1;
    let sum = 2 * (y1 * k1) + y0 * k0 + (middle >> 63) + m;
    let sum = (sum & P127) + (sum >> 127);
    let sum = sum + ((middle << 64) & P127);
    (sum & P127) + (sum >> 127)
}

/// Computes the third hash, [VMAC] §4.6.
fn last_hash(y: u128, bits: u64, key: &[u64; 2]) -> u64 {
    // `number` is the value of the polynomial plus the length times 2⁶⁴, reduced modulo 2¹²⁷
    // − 1.
    let fold = |x: u128| (x & P127) + (x >> 127);
    let number = fold(fold(y) + (u128::from(bits) << 64));
    let reduced = number.wrapping_sub(P127);
    let keep = ((reduced >> 127) as u64).wrapping_neg();
    let keep = u128::from(keep) << 64 | u128::from(keep);
    let number = number & keep | reduced & !keep;

    // Computes the quotient and the remainder of a division by 2⁶⁴ − 2³². A division by 2⁶⁴
    // gives an approximate quotient, which is then corrected.
    let divisor = (1u128 << 64) - (1 << 32);
    let mut quotient = number >> 64;
    quotient = (number + (quotient << 32)) >> 64;
    let mut rest = number.wrapping_sub(quotient * divisor);
    for _ in 0..3 {
        let less = rest.wrapping_sub(divisor);
        // If `less` is negative, its highest bit is set, and the quotient is right.
        let enough = 1 - (less >> 127);
        quotient += enough;
        let mask = enough.wrapping_neg();
        rest = less & mask | rest & !mask;
    }

    let add = |a: u64, b: u64| {
        let sum = u128::from(a) + u128::from(b);
        (sum as u64).wrapping_add(257 * (sum >> 64) as u64)
    };
    let a = add(quotient as u64, key[0]);
    let b = add(rest as u64, key[1]);
    // 2⁶⁴ equals 257 modulo 2⁶⁴ − 257.
    let product = u128::from(a) * u128::from(b);
    let sum = (product >> 64) * 257 + (product & u128::from(u64::MAX));
    let sum = (sum >> 64) * 257 + (sum & u128::from(u64::MAX));
    let sum = add(sum as u64, 257 * (sum >> 64) as u64);
    let over = u64::from(sum >= P64).wrapping_neg();
    sum.wrapping_sub(P64 & over)
}

impl Hash {
    const START: Self = Self {
        y: [1; 2],
        started: false,
    };

    /// Adds blocks to the first `n` polynomials. The last block of a message may be shorter.
    #[inline(always)]
    fn absorb<'a>(&mut self, keys: &Keys, n: usize, blocks: impl Iterator<Item = &'a [u8]>) {
        for block in blocks {
            for i in 0..n {
                let number = nh(block, &keys.nh[2 * i..]);
                self.y[i] = poly_step(self.y[i], keys.poly[i], number);
            }
            self.started = true;
        }
    }

    /// Adds the remaining bytes to the message and returns their length in bits. If no bytes
    /// remain, no block is hashed, except for an empty message.
    #[inline]
    fn absorb_last(&mut self, keys: &Keys, n: usize, (block, held): ([u8; BLOCK], usize)) -> u64 {
        if held != 0 || !self.started {
            let last = &block[..held.next_multiple_of(16)];
            self.absorb(keys, n, core::iter::once(last));
        }
        8 * held as u64
    }
}

impl<C: FusedEncrypt<Block = [u8; 16]>, const N: usize> Vmac<C, N> {
    /// Makes the MAC from a cipher that is set up with a key, by value or by reference.
    pub fn with_cipher(cipher: C) -> Self {
        const { assert!(N == 8 || N == 16) };
        Self {
            keys: Keys::new(&cipher),
            cipher,
            hash: Hash::START,
            pieces: Pieces::new(),
        }
    }

    /// Returns the MAC: the hashes of the message plus a pad, which is the encryption of the
    /// nonce.
    fn end(&self, hash: &Hash, bits: u64, nonce: &VmacNonce) -> Tag<N> {
        let mut pad = nonce.0;
        let second = usize::from(pad[15] & 1);
        if N == 8 {
            // Two consecutive nonces use the two halves of the same encrypted block.
            pad[15] &= 0xfe;
        }
        self.cipher.encrypt_block(&mut pad);
        let (halves, _) = pad.as_chunks();
        let mut mac = [0; N];
        for (i, word) in mac.as_chunks_mut().0.iter_mut().enumerate() {
            let half = if N == 8 { second } else { i };
            let hash = last_hash(hash.y[i], bits, &self.keys.last[i]);
            *word = u64::from_be_bytes(halves[half])
                .wrapping_add(hash)
                .to_be_bytes();
        }
        mac.into()
    }
}

impl<C: FixedKey + FusedEncrypt<Block = [u8; 16]>, const N: usize> FixedKey for Vmac<C, N> {
    type Key = C::Key;
}

impl<C: Keyed + FusedEncrypt<Block = [u8; 16]>, const N: usize> Keyed for Vmac<C, N> {
    type Kernel = C::Kernel;
    const KEY_LENGTHS: KeyLengths = C::KEY_LENGTHS;

    fn with_kernel(kernel: C::Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        C::with_kernel(kernel, key).map(Self::with_cipher)
    }

    fn kernel_in_use(&self) -> C::Kernel {
        self.cipher.kernel_in_use()
    }
}

impl<C: Keyed + FusedEncrypt<Block = [u8; 16]>, const N: usize> NonceMac for Vmac<C, N> {
    type Nonce = VmacNonce;
    type Output = Tag<N>;

    fn update(&mut self, data: &[u8]) {
        let Self {
            keys, hash, pieces, ..
        } = self;
        pieces.update(data, |blocks| {
            hash.absorb(keys, N / 8, blocks.iter().map(<[u8; BLOCK]>::as_slice));
        });
    }

    fn finalize(&mut self, nonce: &VmacNonce) -> Tag<N> {
        let bits = self
            .hash
            .absorb_last(&self.keys, N / 8, self.pieces.padded());
        let mac = self.end(&self.hash, bits, nonce);
        self.reset();
        mac
    }

    fn reset(&mut self) {
        self.hash = Hash::START;
        self.pieces = Pieces::new();
    }

    fn mac(&self, nonce: &VmacNonce, message: &[u8]) -> Tag<N> {
        let mut hash = Hash::START;
        let (blocks, rest) = message.as_chunks::<BLOCK>();
        hash.absorb(
            &self.keys,
            N / 8,
            blocks.iter().map(<[u8; BLOCK]>::as_slice),
        );
        let mut last = [0; BLOCK];
        last[..rest.len()].copy_from_slice(rest);
        let bits = hash.absorb_last(&self.keys, N / 8, (last, rest.len()));
        self.end(&hash, bits, nonce)
    }
}

debug!([C: core::fmt::Debug, const N: usize] Vmac<C, N>, ["Vmac64", "Vmac128"][const { N / 8 - 1 }], cipher = cipher);

impl Drop for Keys {
    fn drop(&mut self) {
        wipe(&mut self.nh, 0);
        wipe(&mut self.poly, 0);
        wipe(&mut self.last, [0; 2]);
    }
}

impl Drop for Hash {
    fn drop(&mut self) {
        wipe(&mut self.y, 0);
    }
}

impl<C: ZeroizeOnDrop, const N: usize> ZeroizeOnDrop for Vmac<C, N> {}
