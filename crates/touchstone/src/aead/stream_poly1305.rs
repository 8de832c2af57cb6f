//! The common part of ChaCha20-Poly1305 and XSalsa20-Poly1305: a keystream whose first bytes are
//! the key of Poly1305 and whose later bytes encrypt the message.
//!
//! The keystream and the MAC take turns, 16 KiB each. The other way, a kernel that multiplies for
//! Poly1305 of one part of the message between the rounds of ChaCha20 of another, was tried for
//! AVX-512 on Zen 5. 32 blocks of ChaCha20 are 2112 instructions, and Poly1305 of so many bytes is
//! 480. Four ports share them, so 648 cycles are the least; in turns they take 653 and 240. (The same
//! two of the four ports rotate and multiply.) ChaCha20's words fill all 32 registers, so some of
//! them and Poly1305's sums have to lie in memory. With the rounds in assembly and Poly1305 in Rust,
//! the compiler stores and loads so many registers that both together take 4 to 18 % more time than
//! in turns. A loop all in assembly, of 608 instructions for four rounds, took 803 cycles in place
//! of 893: some 8 % of a message of 16 KiB, and nothing of one up to 4 KiB. That is too much code for
//! the gain.

use inout::InOutBuf;

use super::AeadError;
use crate::mac::Poly1305;
use crate::stream::keystream::xor_short;
use crate::stream::{StreamCipher, StreamKey};
use crate::wipe::wipe;

/// The number of bytes that the cipher processes before the MAC. So many bytes stay in the
/// first-level cache.
const STRETCH: usize = 16384;

/// The number of keystream bytes that are computed together with the key of Poly1305 if a message is
/// decrypted in place. The kernels compute `SHORT` bytes in one call for a short message, `MIDDLE`
/// bytes for a longer one, and `LONG` or `WIDE` bytes for a long one. From `ALONE` bytes on, a block is computed for
/// the key alone: then the message begins with a group of blocks, and its beginning is not copied.
const SHORT: usize = 2 * 64;
const MIDDLE: usize = 4 * 64;
const LONG: usize = 16 * 64;
const WIDE: usize = 32 * 64;
const ALONE: usize = 4 * LONG;

/// Starts the keystream for a nonce whose length is known only at run time.
#[inline]
pub(super) fn stream<K: StreamKey>(key: &K, nonce: &[u8]) -> Result<K::Stream, AeadError> {
    match K::Nonce::try_from(nonce) {
        Ok(nonce) => Ok(key.stream(&nonce)),
        Err(_) => Err(AeadError::NonceLength { given: nonce.len() }),
    }
}

/// Starts Poly1305 with a key from the first `skip` bytes of the keystream.
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
    let mut mac = Poly1305::new(&[0; 32]);
    set_key(&mut mac, keystream);
    mac
}

/// Gives a MAC that has no message yet the key that the keystream begins with.
#[inline]
fn set_key(mac: &mut Poly1305, keystream: &[u8]) {
    let (keys, _) = keystream.as_chunks();
    mac.set_key(&keys[0]);
}

/// Encrypts or decrypts a whole message. The first `skip` bytes of the keystream give the key
/// of the MAC. `before` passes the first bytes to the MAC, then `hash` passes the ciphertext to the
/// MAC, in pieces of whole blocks except the last piece, and `after` passes the last bytes to the
/// MAC. Returns the tag. The MAC stays at one place, because moving it takes as long as a block.
#[inline]
pub(super) fn apply(
    mut stream: impl StreamCipher,
    skip: usize,
    mut data: InOutBuf<'_, '_, u8>,
    backwards: bool,
    before: impl FnOnce(&mut Poly1305),
    hash: impl Fn(&mut Poly1305, &[u8]),
    after: impl FnOnce(&mut Poly1305),
) -> [u8; 16] {
    let mut mac = Poly1305::new(&[0; 32]);
    let in_place = data.get_in().as_ptr() == data.get_out().as_ptr();
    let length = skip + data.len();
    let mut rest = if !(backwards && in_place) {
        begin_directly(&mut stream, &mut mac, skip, data, backwards, before, &hash)
    } else if length <= SHORT {
        begin::<SHORT>(&mut stream, &mut mac, skip, data, before, &hash)
    } else if length <= MIDDLE {
        begin::<MIDDLE>(&mut stream, &mut mac, skip, data, before, &hash)
    } else if length <= LONG {
        begin::<LONG>(&mut stream, &mut mac, skip, data, before, &hash)
    } else if length < ALONE {
        begin::<WIDE>(&mut stream, &mut mac, skip, data, before, &hash)
    } else {
        begin::<64>(&mut stream, &mut mac, skip, data, before, &hash)
    };
    while !rest.is_empty() {
        let n = rest.len().min(STRETCH);
        let (mut now, later) = rest.split_at(n);
        if backwards {
            hash(&mut mac, now.get_in());
            stream.apply_inout(now);
        } else {
            stream.apply_inout(now.reborrow());
            hash(&mut mac, now.get_out());
        }
        rest = later;
    }
    after(&mut mac);
    mac.end().into()
}

/// A buffer whose blocks of keystream begin at cache lines.
#[repr(align(64))]
struct Buffer<const N: usize>([u8; N]);

/// Computes the key of the MAC and the beginning of the message in one call of the keystream, which
/// writes the output at once: the MAC reads the ciphertext after that. Long messages begin with the
/// key alone. Returns the rest of the message.
#[inline(always)]
fn begin_directly<'i, 'o>(
    stream: &mut impl StreamCipher,
    mac: &mut Poly1305,
    skip: usize,
    data: InOutBuf<'i, 'o, u8>,
    backwards: bool,
    before: impl FnOnce(&mut Poly1305),
    hash: impl Fn(&mut Poly1305, &[u8]),
) -> InOutBuf<'i, 'o, u8> {
    let mut n = data.len();
    if n >= ALONE {
        n = 64 - skip;
    }
    let (mut now, rest) = data.split_at(n);
    let mut first = [0; 64];
    let beside = n.min(64 - skip);
    let (head, tail) = now.reborrow().split_at(beside);
    stream.apply_after(&mut first, tail);
    if beside != 0 {
        xor_short(head, &first[skip..]);
    }
    set_key(mac, &first);
    wipe(&mut first, 0);
    before(mac);
    hash(
        mac,
        if backwards {
            now.get_in()
        } else {
            now.get_out()
        },
    );
    rest
}

/// Computes the key of the MAC and the keystream for the beginning of the message in one call of
/// the keystream, and decrypts in place after the MAC. Returns the rest of the message. The function
/// is not inlined, so that the frame of a short message stays small.
#[inline(never)]
fn begin<'i, 'o, const N: usize>(
    stream: &mut impl StreamCipher,
    mac: &mut Poly1305,
    skip: usize,
    data: InOutBuf<'i, 'o, u8>,
    before: impl FnOnce(&mut Poly1305),
    hash: impl Fn(&mut Poly1305, &[u8]),
) -> InOutBuf<'i, 'o, u8> {
    let Buffer(buffer) = &mut Buffer([0; N]);
    let n = data.len().min(N - skip);
    let (mut now, rest) = data.split_at(n);
    // The call takes whole blocks, because the keystream would store the rest of a block for
    // later.
    let whole = &mut buffer[..(skip + n).next_multiple_of(64)];
    stream.apply(whole);
    set_key(mac, whole);
    before(mac);
    hash(mac, now.get_in());
    now.xor_in2out(&whole[skip..skip + n]);
    wipe(buffer, 0);
    rest
}
