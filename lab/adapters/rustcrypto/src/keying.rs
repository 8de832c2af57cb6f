//! Makes an object from a key. An object of RustCrypto always has a key, so a worker's object
//! is an `Option` that `set_key` fills.

use std::marker::PhantomData;

use cipher::KeyInit;
use cipher::inout::InOutBuf;
use touchstone_worker::{Cell, Failure, Message, Text, Written};

/// A method that makes `C` from a key.
pub(crate) trait Keying<C>: Copy + Send + Sync + 'static {
    fn schedule(self, key: &[u8]) -> Result<C, Failure>;
}

/// Makes an object by `KeyInit::new_from_slice`.
#[derive(Clone, Copy)]
pub(crate) struct Plain;

impl<C: KeyInit> Keying<C> for Plain {
    #[inline]
    fn schedule(self, key: &[u8]) -> Result<C, Failure> {
        C::new_from_slice(key).map_err(|_| bad_key(key))
    }
}

/// Makes RC2 with an effective key length in bits.
#[derive(Clone, Copy)]
pub(crate) struct EffectiveBits(pub(crate) usize);

impl Keying<rc2::Rc2> for EffectiveBits {
    #[inline]
    fn schedule(self, key: &[u8]) -> Result<rc2::Rc2, Failure> {
        // The constructor panics if a length is outside these limits.
        if !(1..=128).contains(&key.len()) || !(1..=1024).contains(&self.0) {
            return Err(bad_key(key));
        }
        Ok(rc2::Rc2::new_with_eff_key_len(key, self.0))
    }
}

/// Makes a mode from its cipher, by `From` or by `InnerInit`.
pub(crate) struct Over<C, K>(pub(crate) K, PhantomData<fn() -> C>);

impl<C, K: Copy> Over<C, K> {
    pub(crate) fn new(keying: K) -> Self {
        Self(keying, PhantomData)
    }
}

impl<C, K: Copy> Clone for Over<C, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C, K: Copy> Copy for Over<C, K> {}

impl<A: From<C>, C: 'static, K: Keying<C>> Keying<A> for Over<C, K> {
    #[inline]
    fn schedule(self, key: &[u8]) -> Result<A, Failure> {
        self.0.schedule(key).map(A::from)
    }
}

/// Makes a cell whose object is made again by each key. `run` processes a message with the
/// object.
pub(crate) fn cell<C, K, R>(keying: K, run: R) -> Cell
where
    C: 'static,
    K: Keying<C>,
    R: Fn(&mut C, &Message<'_>, Text<'_>) -> Written + Copy + Send + Sync + 'static,
{
    Cell::keyed(move |key: &[u8]| keying.schedule(key), run)
}

pub(crate) fn bad_key(key: &[u8]) -> Failure {
    Failure::length("a key", key.len())
}

pub(crate) fn bad_nonce(nonce: &[u8]) -> Failure {
    Failure::length("a nonce", nonce.len())
}

pub(crate) fn bad_length(input: &[u8]) -> Failure {
    Failure::length("a message", input.len())
}

/// Returns the input and output of a text whose output is as long as the message.
#[inline]
pub(crate) fn in_out(text: Text<'_>) -> Result<InOutBuf<'_, '_, u8>, Failure> {
    match text {
        Text::Apart(input, output) => {
            InOutBuf::new(input, &mut output[..input.len()]).map_err(|_| bad_length(input))
        }
        Text::InPlace(text, length) => Ok(InOutBuf::from(&mut text[..length])),
    }
}
