//! `$2a$`, `$2b$`, `$2x$`, `$2y$`: bcrypt, Niels Provos and David Mazières, 1999.
//! Blowfish whose key schedule is run 2^cost times over.
//!
//! crypt_blowfish before 1.1 extended the sign of phrase bytes above 0x7f, so that
//! they wiped out their neighbours. `$2x$` verifies what it made; `$2y$`, and
//! `$2b$` since, are right; `$2a$` is right too, but deviates on purpose for phrases
//! whose schedule a faulty one could have produced.
//!
//! - [BCRYPT] A Future-Adaptable Password Scheme, USENIX 1999

use crate::Error;
use crate::text::Writer;
use touchstone::block::blowfish::eks::Eksblowfish;
use zeroize::Zeroize;

const ALPHABET: &[u8; 64] = b"./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/// Words of the key schedule: all that it sees of a phrase.
const WORDS: usize = 18;

fn value(c: u8) -> Option<u8> {
    Some(match c {
        b'.' | b'/' => c - b'.',
        b'A'..=b'Z' => c - b'A' + 2,
        b'a'..=b'z' => c - b'a' + 28,
        b'0'..=b'9' => c - b'0' + 54,
        _ => return None,
    })
}

pub(crate) fn hash(phrase: &[u8], setting: &[u8], out: &mut Writer<'_>) -> Result<(), Error> {
    let Some(([b'$', b'2', kind, b'$', tens, ones, b'$'], rest)) = setting.split_first_chunk::<7>()
    else {
        return Err(Error::Setting);
    };
    let text = rest.first_chunk::<22>().ok_or(Error::Setting)?;
    let (b'0'..=b'3', b'0'..=b'9') = (tens, ones) else {
        return Err(Error::Setting);
    };
    let cost = u32::from(tens - b'0') * 10 + u32::from(ones - b'0');
    if !(4..=31).contains(&cost) {
        return Err(Error::Setting);
    }
    let salt = decode(text).ok_or(Error::Setting)?;

    let (mut key, deviation) = schedule(phrase, *kind);
    let mut first = key;
    first[1] ^= deviation;
    let mut state = Eksblowfish::new(&salt, &first);
    let salt = core::array::from_fn(|i| salt[i % 16]);
    for _ in 0..1u64 << cost {
        state.expand(&key);
        state.expand(&salt);
    }
    key.zeroize();
    first.zeroize();

    let mut result = *b"OrpheanBeholderScryDoubt";
    for block in result.as_chunks_mut::<8>().0 {
        let number = u64::from_be_bytes(*block);
        let [left, right] = state.encrypt([(number >> 32) as u32, number as u32], 64);
        *block = (u64::from(left) << 32 | u64::from(right)).to_be_bytes();
    }

    out.bytes(&setting[..28])?;
    // Two bits of the last character are salt, the others are not kept.
    out.byte(ALPHABET[usize::from(value(text[21]).unwrap_or_default() & 0x30)])?;
    // All but the last byte, as the first implementation had it.
    encode(&result[..23], out)?;
    result.zeroize();
    Ok(())
}

/// The phrase with its final zero, over and over until it fills the schedule, as
/// the kind of bcrypt reads it; and what `$2a$` adds to the second byte for the
/// first time.
fn schedule(phrase: &[u8], kind: u8) -> ([u8; 4 * WORDS], u8) {
    let mut right = [0; 4 * WORDS];
    let mut faulty = [0; 4 * WORDS];
    let mut bytes = phrase.iter().chain(&[0]).cycle();
    let mut extended = false;
    for (right, faulty) in right
        .as_chunks_mut::<4>()
        .0
        .iter_mut()
        .zip(faulty.as_chunks_mut::<4>().0)
    {
        let mut word = 0;
        for (i, byte) in right.iter_mut().enumerate() {
            *byte = *bytes.next().unwrap_or(&0);
            word = word << 8 | i32::from(*byte as i8);
            // Harmless on the first byte of a word, where nothing is before it.
            extended |= i > 0 && *byte >= 0x80;
        }
        *faulty = word.to_be_bytes();
    }
    let same = right == faulty;
    match kind {
        b'x' => (faulty, 0),
        b'a' if same && extended => (right, 1),
        _ => (right, 0),
    }
}

/// 22 characters, of which the last holds two bits.
fn decode(text: &[u8; 22]) -> Option<[u8; 16]> {
    let mut bytes = [0; 16];
    let mut bits = 0u32;
    let mut have = 0;
    let mut slots = bytes.iter_mut();
    for &c in text {
        bits = bits << 6 | u32::from(value(c)?);
        have += 6;
        if have >= 8 {
            have -= 8;
            if let Some(slot) = slots.next() {
                *slot = (bits >> have) as u8;
            }
        }
    }
    Some(bytes)
}

/// The highest bits first.
fn encode(bytes: &[u8], out: &mut Writer<'_>) -> Result<(), Error> {
    for chunk in bytes.chunks(3) {
        let mut number = [0; 4];
        number[..chunk.len()].copy_from_slice(chunk);
        let number = u32::from_be_bytes(number);
        for i in 0..=chunk.len() {
            out.byte(ALPHABET[(number >> (26 - 6 * i) & 63) as usize])?;
        }
    }
    Ok(())
}

pub(crate) fn gensalt(
    kind: u8,
    cost: u64,
    random: &[u8],
    out: &mut Writer<'_>,
) -> Result<(), Error> {
    let cost = if cost == 0 { 5 } else { cost };
    if !(4..=31).contains(&cost) {
        return Err(Error::Cost);
    }
    let random = random.first_chunk::<16>().ok_or(Error::Random)?;
    let cost = cost as u8;
    out.bytes(&[
        b'$',
        b'2',
        kind,
        b'$',
        b'0' + cost / 10,
        b'0' + cost % 10,
        b'$',
    ])?;
    encode(random, out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_collision_with_the_fault_deviates() {
        // From crypt_blowfish's own self-test.
        let phrase = b"\xff\xa334\xff\xff\xff\xa3345";
        let (a, deviation) = schedule(phrase, b'a');
        let (y, none) = schedule(phrase, b'y');
        assert_eq!((a, deviation, none), (y, 1, 0));
        assert_eq!(a[68..], [0x33, 0x34, 0x35, 0x00]);
        assert_ne!(schedule(b"\xa3", b'x'), schedule(b"\xa3", b'y'));
        assert_eq!(schedule(b"a", b'x'), schedule(b"a", b'y'));
    }
}
