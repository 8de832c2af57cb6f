//! Hash_DRBG, [SP800-90A](super) §10.1.1.
//!
//! V and C are numbers of 440 or 888 bits. Seven or fourteen words have eight bits more, so an
//! addition takes words, and the first byte of the first word is not part of the number: it has room
//! for the byte that the hash takes before V. The blocks of output are hashes of V, V + 1, V + 2 …, so
//! the kernels that take several messages compute them at once.

use zeroize::ZeroizeOnDrop;

use super::hmac::strength;
use super::{Drbg, MOST_INPUT, Mechanism, sealed};
use crate::hash::add_number;
use crate::wipe::wipe;
use crate::{DigestBytes, HashFunction, KeyLengths};

/// Hash_DRBG, [SP800-90A](super) §10.1.1, with the hash function `H`: SHA-1 or a member of SHA-2.
/// Other hash functions with digests of at least 20 bytes work too, but the standard does not name
/// them.
///
/// The security strength is that of [`HmacDrbg`](super::HmacDrbg). The seed has 55 bytes, or 111 if
/// the digest has more than 32 bytes.
pub type HashDrbg<H> = Drbg<HashMechanism<H>>;

/// The mechanism of [`HashDrbg`].
#[allow(missing_debug_implementations, reason = "no function gives one away")]
pub struct HashMechanism<H: HashFunction> {
    kernel: H::Kernel,
    v: Number,
    c: Number,
}

/// The bytes of a longer number, and a byte before them.
const LONGEST: usize = 112;

/// A byte that is not part of the number, and the number, most significant byte first. The bytes
/// after a shorter number are not used.
type Number = [u8; LONGEST];

/// Adds a number to another one, modulo 2^(8·length − 8). Afterwards the first byte is zero.
#[inline]
fn add(sum: &mut [u8], number: &[u8]) {
    let mut carry = false;
    let words = sum.as_chunks_mut::<8>().0.iter_mut().rev();
    for (sum, word) in words.zip(number.as_chunks().0.iter().rev()) {
        let (half, first) = u64::from_be_bytes(*sum).overflowing_add(u64::from_be_bytes(*word));
        let (whole, second) = half.overflowing_add(u64::from(carry));
        *sum = whole.to_be_bytes();
        carry = first | second;
    }
    sum[0] = 0;
}

/// Adds a short number to another one, modulo 2^(8·length − 8). Afterwards the first byte is zero.
#[inline]
fn add_short(sum: &mut [u8], mut number: u64) {
    for sum in sum.as_chunks_mut::<8>().0.iter_mut().rev() {
        let (word, carry) = u64::from_be_bytes(*sum).overflowing_add(number);
        *sum = word.to_be_bytes();
        number = u64::from(carry);
    }
    sum[0] = 0;
}

impl<H: HashFunction> HashMechanism<H> {
    /// The length of V and C with the byte before them.
    const LENGTH: usize = if H::Output::SIZE > 32 { 112 } else { 56 };

    /// Returns the hash of a byte, V and more input.
    fn hash(&mut self, byte: u8, more: &[u8]) -> H::Output {
        self.v[0] = byte;
        let v = &self.v[..Self::LENGTH];
        if more.is_empty() {
            return H::digest_with(self.kernel, v);
        }
        let mut hash = H::with_kernel(self.kernel);
        hash.update(v);
        hash.update(more);
        hash.finalize()
    }

    /// Adds a digest to V.
    fn add_digest(&mut self, digest: &H::Output) {
        let mut wide = [0; LONGEST];
        let wide = &mut wide[..Self::LENGTH];
        wide[Self::LENGTH - H::Output::SIZE..].copy_from_slice(digest.as_ref());
        add(&mut self.v[..Self::LENGTH], wide);
        wipe(wide, 0);
    }

    /// Makes V and C from a seed, §10.1.1.2 and §10.1.1.3.
    fn seed(kernel: H::Kernel, inputs: &[&[u8]]) -> Self {
        let mut this = Self {
            kernel,
            v: [0; LONGEST],
            c: [0; LONGEST],
        };
        derive::<H>(kernel, inputs, &mut this.v[1..Self::LENGTH]);
        derive::<H>(
            kernel,
            &[&[0], &this.v[1..Self::LENGTH]],
            &mut this.c[1..Self::LENGTH],
        );
        this
    }

    /// The function Hashgen, §10.1.1.4.
    fn fill(&self, output: &mut [u8]) {
        let number = &self.v[1..Self::LENGTH];
        if output.len() > H::Output::SIZE && H::count(self.kernel, number, output) {
            return;
        }
        let mut room = [0; LONGEST];
        let sum = &mut room[1..Self::LENGTH];
        for (piece, more) in output.chunks_mut(H::Output::SIZE).zip(0..) {
            add_number(number, more, sum);
            let mut digest = H::digest_with(self.kernel, sum);
            piece.copy_from_slice(&digest.as_ref()[..piece.len()]);
            wipe(digest.as_mut(), 0);
        }
        wipe(&mut room, 0);
    }
}

/// The function Hash_df, §10.3.1.
fn derive<H: HashFunction>(kernel: H::Kernel, inputs: &[&[u8]], output: &mut [u8]) {
    let bits = (8 * output.len() as u32).to_be_bytes();
    for (piece, count) in output.chunks_mut(H::Output::SIZE).zip(1u8..) {
        let mut hash = H::with_kernel(kernel);
        hash.update(&[count]);
        hash.update(&bits);
        for input in inputs {
            hash.update(input);
        }
        let mut digest = hash.finalize();
        piece.copy_from_slice(&digest.as_ref()[..piece.len()]);
        wipe(digest.as_mut(), 0);
    }
}

impl<H: HashFunction> sealed::Sealed for HashMechanism<H> {}

impl<H: HashFunction + ZeroizeOnDrop> Mechanism for HashMechanism<H> {
    type Kernel = H::Kernel;
    const NAME: &'static str = "HashDrbg";
    const STRENGTH: usize = strength(H::Output::SIZE);
    const ENTROPY: KeyLengths = KeyLengths::every(1, Self::STRENGTH, MOST_INPUT);
    const TAKES_NONCE: bool = true;
    const MOST_ADDITIONAL: usize = MOST_INPUT;

    fn instantiate(
        kernel: H::Kernel,
        entropy: &[u8],
        nonce: &[u8],
        personalisation: &[u8],
    ) -> Self {
        const { assert!(H::Output::SIZE < Self::LENGTH) };
        Self::seed(kernel, &[entropy, nonce, personalisation])
    }

    fn reseed(&mut self, entropy: &[u8], additional: &[u8]) {
        let v = &self.v[1..Self::LENGTH];
        *self = Self::seed(self.kernel, &[&[1], v, entropy, additional]);
    }

    fn generate(&mut self, counter: u64, output: &mut [u8], additional: &[u8]) {
        if !additional.is_empty() {
            let mut digest = self.hash(2, additional);
            self.add_digest(&digest);
            wipe(digest.as_mut(), 0);
        }
        self.fill(output);
        let mut digest = self.hash(3, &[]);
        let v = &mut self.v[..Self::LENGTH];
        add(v, &self.c[..Self::LENGTH]);
        add_short(v, counter);
        self.add_digest(&digest);
        wipe(digest.as_mut(), 0);
    }
}

impl<H: HashFunction> Drop for HashMechanism<H> {
    fn drop(&mut self) {
        wipe(&mut self.v, 0);
        wipe(&mut self.c, 0);
    }
}

impl<H: HashFunction + ZeroizeOnDrop> ZeroizeOnDrop for HashMechanism<H> {}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that carries go through all bytes, and that numbers wrap around.
    #[test]
    fn sums_carry() {
        for length in [8, 16, 56, 112] {
            let number = &mut [0xff; LONGEST][..length];
            number[0] = 3;
            add_short(number, 1);
            assert_eq!(number, &[0; LONGEST][..length]);
            add_short(number, u64::MAX);
            let one = &mut [0; LONGEST][..length];
            one[length - 1] = 1;
            add(number, one);
            let mut wanted = [0; LONGEST];
            if length > 8 {
                wanted[length - 9] = 1;
            }
            assert_eq!(number, &wanted[..length]);
        }
        for length in 8..40 {
            let number = &[0xff; 40][..length];
            let sum = &mut [7; 40][..length];
            add_number(number, 1, sum);
            assert_eq!(sum, &[0; 40][..length]);
            add_number(number, 0x1_0001, sum);
            let mut wanted = [0; 40];
            wanted[length - 3] = 1;
            assert_eq!(sum, &wanted[..length]);
        }
    }
}
