//! HMAC, [FIPS198], with any hash function of this crate whose digest is not longer than its
//! block. Keys have any length. The key set-up hashes the padded key and stores the hash states
//! after it, so a short message takes only two compressions.
//!
//! - [FIPS198] The Keyed-Hash Message Authentication Code (HMAC), NIST FIPS 198-1, 2008
//!
//! [FIPS198]: https://doi.org/10.6028/NIST.FIPS.198-1

use zeroize::ZeroizeOnDrop;

use super::{Mac, iterate_calls};
use crate::buffer::same_number;
use crate::debug::debug;
use crate::wipe::wipe;
use crate::{
    DataError, DigestBytes, HashFunction, InvalidKeyLength, Kernel as _, KeyLengths, Keyed,
};

/// The longest block of a hash function in bytes: the rate of SHA3-224.
const LONGEST_BLOCK: usize = 144;

/// HMAC with the hash function `H`.
///
/// ```
/// use touchstone::hash::Sha256;
/// use touchstone::mac::Hmac;
///
/// let tag = Hmac::<Sha256>::new(b"a key of any length").mac(b"Attack at dawn");
/// ```
#[derive(Clone)]
pub struct Hmac<H: HashFunction> {
    /// The hash states after the blocks key ⊕ 36 36 … and key ⊕ 5c 5c …, [FIPS198](self) §4.
    inner: H,
    outer: H,
    /// The state `inner` after the pieces of the message so far.
    message: H,
}

/// Returns the hash states after the blocks key ⊕ 36 36 … and key ⊕ 5c 5c …, [FIPS198](self) §4.
pub(crate) fn start<H: HashFunction>(kernel: H::Kernel, key: &[u8]) -> [H; 2] {
    let mut states = [H::with_kernel(kernel), H::with_kernel(kernel)];
    set(states.each_mut(), key);
    states
}

/// Replaces the hash states by those of another key.
fn set<H: HashFunction>(states: [&mut H; 2], key: &[u8]) {
    const { assert!(H::Output::SIZE <= H::BLOCK && H::BLOCK <= LONGEST_BLOCK) };
    let mut room = [0; 2 * LONGEST_BLOCK];
    let blocks = &mut room[..2 * H::BLOCK];
    let (inner, outer) = blocks.split_at_mut(H::BLOCK);
    if key.len() <= H::BLOCK {
        inner[..key.len()].copy_from_slice(key);
    } else {
        let mut digest = H::digest_with(states[0].kernel_in_use(), key);
        inner[..H::Output::SIZE].copy_from_slice(digest.as_ref());
        wipe(digest.as_mut(), 0);
    }
    for (inner, outer) in inner.iter_mut().zip(&mut *outer) {
        *outer = *inner ^ 0x5c;
        *inner ^= 0x36;
    }
    // The next message waits for the first of two compressions only.
    H::begin_again(states, [inner, outer]);
    wipe(blocks, 0);
}

/// Returns the outer hash of the inner digest. This is the MAC.
#[inline]
pub(crate) fn close<H: HashFunction>(outer: &H, mut digest: H::Output) -> H::Output {
    let mac = H::finish_after(outer, digest.as_ref());
    wipe(digest.as_mut(), 0);
    mac
}

impl<H: HashFunction> Hmac<H> {
    /// Sets up a key of any length.
    #[inline]
    pub fn new(key: &[u8]) -> Self {
        Self::of(H::Kernel::best(), key)
    }

    #[inline]
    fn of(kernel: H::Kernel, key: &[u8]) -> Self {
        let mut this = Self::unkeyed(kernel);
        this.set_key(key);
        this
    }

    /// Makes an object without a key, which is unusable until [`set_key`](Self::set_key) sets one.
    #[inline(always)]
    pub(crate) fn unkeyed(kernel: H::Kernel) -> Self {
        let new = || H::with_kernel(kernel);
        Self {
            inner: new(),
            outer: new(),
            message: new(),
        }
    }

    fn set_key(&mut self, key: &[u8]) {
        set([&mut self.inner, &mut self.outer], key);
        self.message = self.inner.clone();
    }

    /// Returns the outer hash of the inner digest. This is the MAC.
    #[inline]
    fn close(&self, digest: H::Output) -> H::Output {
        close(&self.outer, digest)
    }

    /// Adds the next piece of the message.
    #[inline]
    pub fn update(&mut self, data: &[u8]) {
        self.message.update(data);
    }

    /// Ends the message and returns its MAC. After the call, the object starts the next message
    /// with the same key.
    #[inline]
    pub fn finalize(&mut self) -> H::Output {
        let message = core::mem::replace(&mut self.message, self.inner.clone());
        self.close(message.finalize())
    }

    /// Computes the MAC of a whole message. Pieces that [`update`](Self::update) added do not
    /// affect this MAC.
    #[inline]
    pub fn mac(&self, message: &[u8]) -> H::Output {
        self.close(H::finish_after(&self.inner, message))
    }
}

impl<H: HashFunction> Keyed for Hmac<H> {
    type Kernel = H::Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::every(1, 0, usize::MAX);

    fn with_kernel(kernel: H::Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        Ok(Self::of(kernel, key))
    }

    #[inline]
    fn rekey(&mut self, key: &[u8]) -> Result<(), InvalidKeyLength> {
        self.set_key(key);
        Ok(())
    }

    fn kernel_in_use(&self) -> H::Kernel {
        self.inner.kernel_in_use()
    }
}

impl<H: HashFunction> Mac for Hmac<H> {
    type Output = H::Output;

    #[inline]
    fn update(&mut self, data: &[u8]) {
        self.update(data);
    }

    #[inline]
    fn finalize(&mut self) -> H::Output {
        self.finalize()
    }

    #[inline]
    fn reset(&mut self) {
        self.message = self.inner.clone();
    }

    #[inline]
    fn mac(&self, message: &[u8]) -> H::Output {
        self.mac(message)
    }

    fn mac_many(&self, messages: &[&[u8]], macs: &mut [H::Output]) -> Result<(), DataError> {
        same_number(messages.len(), macs.len())?;
        const LANES: usize = 64;
        for (messages, macs) in messages.chunks(LANES).zip(macs.chunks_mut(LANES)) {
            let mut inner = [H::Output::ZERO; LANES];
            let inner = &mut inner[..messages.len()];
            H::finish_many(core::slice::from_ref(&self.inner), messages, inner)?;
            let mut digests = [&[][..]; LANES];
            for (slice, digest) in digests.iter_mut().zip(&*inner) {
                *slice = digest.as_ref();
            }
            let outer = core::slice::from_ref(&self.outer);
            H::finish_many(outer, &digests[..messages.len()], macs)?;
            wipe(inner, H::Output::ZERO);
        }
        Ok(())
    }

    fn iterate(&self, iterations: u32, u: &[H::Output], sum: &mut [H::Output]) {
        if !H::iterate_hmac([&self.inner, &self.outer], iterations, u, sum) {
            iterate_calls(self, iterations, u, sum);
        }
    }
}

debug!([H: HashFunction + core::fmt::Debug] Hmac<H>, "Hmac", hash = inner);

impl<H: HashFunction + ZeroizeOnDrop> ZeroizeOnDrop for Hmac<H> {}
