//! The common part of ChaCha20-Poly1305 and XSalsa20-Poly1305: a keystream whose first bytes are
//! the key of Poly1305 and whose later bytes encrypt the message.

use inout::InOutBuf;

use super::AeadError;
use crate::mac::Poly1305;
use crate::stream::{StreamCipher, StreamKey};
use crate::wipe::wipe;

/// The number of bytes that stay in the first-level cache between cipher and MAC.
const STRETCH: usize = 4096;

/// The bytes of keystream that are computed together with the key of Poly1305: what the kernels
/// compute in one call for a short message, and for a long one.
const SHORT: usize = 4 * 64;
const LONG: usize = 16 * 64;

/// The keystream for a nonce whose length is known only at run time.
#[inline]
pub(super) fn stream<K: StreamKey>(key: &K, nonce: &[u8]) -> Result<K::Stream, AeadError> {
    match K::Nonce::try_from(nonce) {
        Ok(nonce) => Ok(key.stream(&nonce)),
        Err(_) => Err(AeadError::NonceLength { given: nonce.len() }),
    }
}

/// Poly1305 with a key from the first `skip` bytes of the keystream.
#[inline]
pub(super) fn mac_of(stream: &mut impl StreamCipher, skip: usize) -> Poly1305 {
    let mut first = [0; 64];
    stream.apply(&mut first[..skip]);
    let mac = mac(&first);
    wipe(&mut first, 0);
    mac
}

#[inline]
fn mac(keystream: &[u8]) -> Poly1305 {
    let mut key = [0; 32];
    key.copy_from_slice(&keystream[..32]);
    let mac = Poly1305::new(&key);
    wipe(&mut key, 0);
    mac
}

/// Encrypts or decrypts a whole message. The first `skip` bytes of the keystream give the key of
/// the MAC. `before` gives the MAC its first bytes, and then the MAC takes the ciphertext.
#[inline]
pub(super) fn apply(
    mut stream: impl StreamCipher,
    skip: usize,
    data: InOutBuf<'_, '_, u8>,
    backwards: bool,
    before: impl FnOnce(&mut Poly1305),
) -> Poly1305 {
    let mut mac;
    let mut rest = if data.len() <= SHORT - skip {
        let mut buffer = [0; SHORT];
        let rest;
        (mac, rest) = begin(&mut stream, skip, data, backwards, before, &mut buffer);
        rest
    } else {
        let mut buffer = [0; LONG];
        let rest;
        (mac, rest) = begin(&mut stream, skip, data, backwards, before, &mut buffer);
        rest
    };
    while !rest.is_empty() {
        let n = rest.len().min(STRETCH);
        let (mut now, later) = rest.split_at(n);
        if backwards {
            mac.update(now.get_in());
            stream.apply_inout(now);
        } else {
            stream.apply_inout(now.reborrow());
            mac.update(now.get_out());
        }
        rest = later;
    }
    mac
}

/// Computes the key of the MAC and the beginning of the message in one call of the keystream.
/// Returns the rest of the message.
#[inline]
fn begin<'i, 'o, const N: usize>(
    stream: &mut impl StreamCipher,
    skip: usize,
    data: InOutBuf<'i, 'o, u8>,
    backwards: bool,
    before: impl FnOnce(&mut Poly1305),
    buffer: &mut [u8; N],
) -> (Poly1305, InOutBuf<'i, 'o, u8>) {
    let n = data.len().min(N - skip);
    let (mut now, rest) = data.split_at(n);
    buffer[skip..skip + n].copy_from_slice(now.get_in());
    // Whole blocks, because the keystream would keep the rest of a block for later.
    let whole = &mut buffer[..(skip + n).next_multiple_of(64)];
    stream.apply(whole);
    let mut mac = mac(whole);
    before(&mut mac);
    let made = &whole[skip..skip + n];
    if backwards {
        mac.update(now.get_in());
        now.get_out().copy_from_slice(made);
    } else {
        now.get_out().copy_from_slice(made);
        mac.update(made);
    }
    wipe(whole, 0);
    (mac, rest)
}
