//! `$1$`: the method of Poul-Henning Kamp in FreeBSD 2.0, 1994. The method computes MD5 a
//! thousand times over the phrase, the salt and the previous result, in an order that changes
//! from round to round. **Broken**: computers have become far too fast for this method.

use crate::digest::Message;
use crate::text::Writer;
use crate::{Error, PHRASE_SIZE, sha2};
use alloc::vec::Vec;
use zeroize::Zeroize;

const MAGIC: &[u8] = b"$1$";
const SALT: usize = 8;

/// Three properties of a round. Together they select one of eight messages.
const ODD: usize = 1;
const SALTED: usize = 2;
const TWICE: usize = 4;

/// The bytes of the result that are encoded together: three bytes in each row. Byte 11 is
/// encoded alone, at the end.
pub(crate) const ORDER: [[usize; 3]; 5] =
    [[12, 6, 0], [13, 7, 1], [14, 8, 2], [15, 9, 3], [5, 10, 4]];

pub(crate) fn hash(phrase: &[u8], setting: &[u8], out: &mut Writer<'_>) -> Result<(), Error> {
    let salt = setting.strip_prefix(MAGIC).ok_or(Error::Setting)?;
    let salt = sha2::salt(salt, SALT);

    let mut alternate = Message::new(&[phrase, salt, phrase])?.md5();
    // The tail begins with as many bytes of this digest as the phrase has bytes. Then follows
    // one byte for each bit of the phrase's length as a binary number. The author did not mean
    // to add these last bytes, but every implementation has done the same since then.
    let mut tail = [0; PHRASE_SIZE + usize::BITS as usize];
    let mut len = 0;
    for chunk in phrase.chunks(16) {
        tail[len..len + chunk.len()].copy_from_slice(&alternate[..chunk.len()]);
        len += chunk.len();
    }
    let mut bits = phrase.len();
    while bits > 0 {
        tail[len] = if bits & 1 == 1 { 0 } else { phrase[0] };
        len += 1;
        bits >>= 1;
    }
    let mut result = Message::new(&[phrase, MAGIC, salt, &tail[..len]])?.md5();
    alternate.zeroize();
    tail.fill(0);
    zeroize::optimization_barrier(&tail);

    // In each round the previous result is the first or the last part of the message, the
    // phrase occurs once or twice, and the salt occurs or does not occur. This gives eight
    // messages. In each of them only the bytes of the previous result change.
    let none: &[u8] = &[];
    let mut messages = Vec::new();
    for kind in 0..8 {
        let salt = if kind & SALTED != 0 { salt } else { none };
        let again = if kind & TWICE != 0 { phrase } else { none };
        messages.push(if kind & ODD != 0 {
            let at = phrase.len() + salt.len() + again.len();
            (at, Message::new(&[phrase, salt, again, &result])?)
        } else {
            (0, Message::new(&[&result, salt, again, phrase])?)
        });
    }
    for round in 0..1000 {
        let kind = if round & 1 == 1 { ODD } else { 0 }
            | if round % 3 != 0 { SALTED } else { 0 }
            | if round % 7 != 0 { TWICE } else { 0 };
        let (at, message) = &mut messages[kind];
        message.put(*at, &result);
        result = message.md5();
    }

    out.bytes(MAGIC)?;
    out.bytes(salt)?;
    out.byte(b'$')?;
    write(&result, out)?;
    result.zeroize();
    Ok(())
}

/// Writes a result in the byte order that this method and SunMD5 share.
pub(crate) fn write(result: &[u8; 16], out: &mut Writer<'_>) -> Result<(), Error> {
    for [a, b, c] in ORDER {
        out.base64(&[result[a], result[b], result[c]])?;
    }
    out.base64(&[result[11]])
}

pub(crate) fn gensalt(
    cost: u64,
    random: &[u8],
    size: usize,
    out: &mut Writer<'_>,
) -> Result<(), Error> {
    if cost != 0 {
        return Err(Error::Cost);
    }
    sha2::gensalt_rounds(b'1', SALT, None, random, size, out)
}
