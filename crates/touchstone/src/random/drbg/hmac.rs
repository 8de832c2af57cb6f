//! HMAC_DRBG, [SP800-90A](super) §10.1.2. The key is stored as the two hash states after its blocks,
//! which is all that HMAC needs of it.

use zeroize::ZeroizeOnDrop;

use super::{Drbg, MOST_INPUT, Mechanism, sealed};
use crate::mac::hmac::{close, start};
use crate::wipe::wipe;
use crate::{DigestBytes, HashFunction, KeyLengths};

/// HMAC_DRBG, [SP800-90A](super) §10.1.2, with the hash function `H`: SHA-1 or a member of SHA-2.
/// Other hash functions with digests of at least 20 bytes work too, but the standard does not name
/// them.
///
/// The security strength is 16 bytes for digests of up to 27 bytes, 24 for digests of up to 31 bytes,
/// and otherwise 32, [SP800-90A](super) table 2.
pub type HmacDrbg<H> = Drbg<HmacMechanism<H>>;

/// The mechanism of [`HmacDrbg`].
#[allow(missing_debug_implementations, reason = "no function gives one away")]
pub struct HmacMechanism<H: HashFunction> {
    /// The hash states after the blocks of the key, FIPS 198-1 §4.
    inner: H,
    outer: H,
    v: H::Output,
}

/// Returns the security strength in bytes of a mechanism over a hash function, [SP800-90A](super)
/// table 2 and NIST SP 800-57 Part 1 Rev. 5, table 3.
pub(super) const fn strength(digest: usize) -> usize {
    assert!(digest >= 20);
    match digest {
        ..28 => 16,
        28..32 => 24,
        _ => 32,
    }
}

impl<H: HashFunction> HmacMechanism<H> {
    /// Replaces K by the HMAC of V, a byte and the inputs, and then V by the HMAC of V.
    fn step(&mut self, byte: u8, inputs: &[&[u8]]) {
        let mut message = self.inner.clone();
        message.update(self.v.as_ref());
        message.update(&[byte]);
        for input in inputs {
            message.update(input);
        }
        let mut key = close(&self.outer, message.finalize());
        [self.inner, self.outer] = start(self.inner.kernel_in_use(), key.as_ref());
        wipe(key.as_mut(), 0);
        self.next();
    }

    /// Replaces V by the HMAC of V.
    #[inline]
    fn next(&mut self) {
        let digest = H::finish_after(&self.inner, self.v.as_ref());
        self.v = close(&self.outer, digest);
    }

    /// Replaces V by its HMAC for each piece of the output, and copies it there.
    #[inline]
    fn fill(&mut self, output: &mut [u8]) {
        if H::chain_hmac([&self.inner, &self.outer], &mut self.v, output) {
            return;
        }
        for piece in output.chunks_mut(H::Output::SIZE) {
            self.next();
            piece.copy_from_slice(&self.v.as_ref()[..piece.len()]);
        }
    }

    /// The function HMAC_DRBG_Update, §10.1.2.2.
    fn update(&mut self, inputs: &[&[u8]]) {
        self.step(0, inputs);
        if inputs.iter().any(|input| !input.is_empty()) {
            self.step(1, inputs);
        }
    }
}

impl<H: HashFunction> sealed::Sealed for HmacMechanism<H> {}

impl<H: HashFunction + ZeroizeOnDrop> Mechanism for HmacMechanism<H> {
    type Kernel = H::Kernel;
    const NAME: &'static str = "HmacDrbg";
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
        let [inner, outer] = start(kernel, H::Output::ZERO.as_ref());
        let mut v = H::Output::ZERO;
        v.as_mut().fill(1);
        let mut this = Self { inner, outer, v };
        this.update(&[entropy, nonce, personalisation]);
        this
    }

    fn reseed(&mut self, entropy: &[u8], additional: &[u8]) {
        self.update(&[entropy, additional]);
    }

    fn generate(&mut self, _: u64, output: &mut [u8], additional: &[u8]) {
        if !additional.is_empty() {
            self.update(&[additional]);
        }
        self.fill(output);
        self.update(&[additional]);
    }
}

impl<H: HashFunction> Drop for HmacMechanism<H> {
    fn drop(&mut self) {
        // The hash states wipe themselves.
        wipe(self.v.as_mut(), 0);
    }
}

impl<H: HashFunction + ZeroizeOnDrop> ZeroizeOnDrop for HmacMechanism<H> {}
