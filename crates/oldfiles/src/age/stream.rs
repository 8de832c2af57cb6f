//! The payload of an age file, [AGE](super) "Payload": chunks of 64 KiB with
//! ChaCha20-Poly1305. The nonce counts the chunks, and its last byte marks the last one.

use std::io::{BufRead, Read, Write};

use touchstone::Tag;
use touchstone::aead::ChaCha20Poly1305;
use touchstone::hash::Sha256;
use touchstone::kdf::hkdf;
use touchstone::prelude::*;
use zeroize::Zeroizing;

use super::header::FileKey;
use crate::error::Error;
use crate::output::{Sink, read_full};

const CHUNK: usize = 64 << 10;
const TAG: usize = 16;
const SALT: usize = 16;

/// The number of a chunk, and whether it is the last one.
fn nonce(number: u64, last: bool) -> [u8; 12] {
    let mut nonce = [0; 12];
    nonce[3..11].copy_from_slice(&number.to_be_bytes());
    nonce[11] = u8::from(last);
    nonce
}

fn cipher(key: &FileKey, salt: &[u8]) -> Result<ChaCha20Poly1305, Error> {
    let mut derived = Zeroizing::new([0; 32]);
    hkdf::<Sha256>(&**key, salt, b"payload", &mut *derived)?;
    Ok(ChaCha20Poly1305::new(&derived))
}

/// Decrypts a chunk in place if it is genuine. A failed attempt leaves the chunk as it was.
fn open(
    cipher: &ChaCha20Poly1305,
    number: u64,
    last: bool,
    chunk: &[u8],
    plain: &mut [u8],
) -> bool {
    let Some((data, tag)) = chunk.split_last_chunk::<TAG>() else {
        return false;
    };
    let plain = &mut plain[..data.len()];
    cipher
        .decrypt_into(&nonce(number, last), b"", data, plain, &Tag::from(*tag))
        .is_ok()
}

pub(super) fn decrypt(
    reader: &mut dyn BufRead,
    key: &FileKey,
    sink: &mut Sink<'_>,
) -> Result<(), Error> {
    let part = "payload";
    let mut salt = [0; SALT];
    reader
        .read_exact(&mut salt)
        .map_err(Error::reading("header"))?;
    let cipher = cipher(key, &salt)?;
    let mut chunk = vec![0; CHUNK + TAG];
    let mut plain = Zeroizing::new(vec![0; CHUNK]);
    for number in 0.. {
        let length = read_full(&mut *reader, &mut chunk)?;
        if length < TAG {
            return Err(Error::Truncated { part });
        }
        let chunk = &chunk[..length];
        // A chunk is the last one if and only if the file ends after it.
        let last = reader.fill_buf()?.is_empty();
        // Only an empty payload has an empty chunk.
        if length == TAG && number > 0 {
            return Err(Error::malformed("payload: the last chunk is empty"));
        }
        let data = length - TAG;
        if open(&cipher, number, last, chunk, &mut plain) {
            sink.write(&plain[..data])?;
            if last {
                return Ok(());
            }
        } else if open(&cipher, number, !last, chunk, &mut plain) {
            // The chunk is genuine and stands at its place, but not the end of the file. Only a
            // full chunk may stand in the middle.
            if data == CHUNK {
                sink.write(&plain[..data])?;
            }
            return Err(if last {
                Error::Truncated { part }
            } else {
                Error::Trailing
            });
        } else {
            return Err(Error::Damaged { part });
        }
    }
    Ok(())
}

pub(super) fn encrypt(
    input: &mut dyn Read,
    output: &mut dyn Write,
    key: &FileKey,
    salt: &[u8; SALT],
) -> Result<u64, Error> {
    output.write_all(salt).map_err(Error::Write)?;
    let cipher = cipher(key, salt)?;
    // One chunk ahead, to know which one is the last.
    let mut next = Zeroizing::new(vec![0; CHUNK]);
    let mut chunk = Zeroizing::new(vec![0; CHUNK]);
    let mut length = read_full(input, &mut chunk)?;
    let mut total = 0;
    for number in 0.. {
        let following = read_full(input, &mut next)?;
        let last = following == 0;
        let data = &mut chunk[..length];
        let tag = cipher
            .encrypt(&nonce(number, last), b"", data)
            .map_err(|_| Error::setting("the input is too long for one file"))?;
        output.write_all(data).map_err(Error::Write)?;
        output.write_all(&*tag).map_err(Error::Write)?;
        total += length as u64;
        if last {
            break;
        }
        std::mem::swap(&mut chunk, &mut next);
        length = following;
    }
    Ok(total)
}
