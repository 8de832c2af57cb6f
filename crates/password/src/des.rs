//! The methods that are built on DES: crypt(3) of Unix 7th Edition (1979), the `_` method of
//! BSDi, and bigcrypt of Digital UNIX. **Broken**: an attacker can find any phrase by trying
//! all keys.
//!
//! Each method encrypts a block of zeros many times, with the phrase as the key.

use crate::Error;
use crate::digest::{Place, Results};
use crate::text::{self, Writer};
use alloc::vec;
use alloc::vec::Vec;
use touchstone::block::des::crypt::{Crypt, crypt_many, crypt_many_salts};
use zeroize::Zeroize;

const PASSES: u32 = 25;

/// Hashes a phrase by traditional DES: two characters of salt, and the first eight bytes of the
/// phrase.
pub(crate) fn hash(phrase: &[u8], setting: &[u8], out: &mut Writer<'_>) -> Result<(), Error> {
    let salt = setting.get(..2).ok_or(Error::Setting)?;
    out.bytes(salt)?;
    segment(phrase, number(salt)?, out).map(drop)
}

/// The number of phrases in one call of the cipher. This number is at least the number of lanes
/// of every kernel.
const GROUP: usize = 512;

/// Computes [`traditional_many`](crate::traditional_many).
pub(crate) fn hash_many(
    phrases: &[[u8; 8]],
    salts: &[[u8; 2]],
    output: &mut [[u8; 13]],
) -> Result<(), Error> {
    if output.len() != phrases.len() || ![1, phrases.len()].contains(&salts.len()) {
        return Err(Error::Number);
    }
    let Some(&first) = salts.first() else {
        return Ok(());
    };
    let one = number(&first)?;
    let same = salts.iter().all(|salt| *salt == first);
    if !same {
        for salt in salts {
            number(salt)?;
        }
    }
    let mut keys = [[0; 8]; GROUP];
    let mut results = [[0; 8]; GROUP];
    let mut numbers = [0; GROUP];
    for (i, (phrases, output)) in phrases
        .chunks(GROUP)
        .zip(output.chunks_mut(GROUP))
        .enumerate()
    {
        let keys = &mut keys[..phrases.len()];
        let results = &mut results[..phrases.len()];
        for (key, phrase) in keys.iter_mut().zip(phrases) {
            *key = key_of_eight(*phrase);
        }
        let done = if same {
            output
                .iter_mut()
                .for_each(|text| text[..2].copy_from_slice(&first));
            crypt_many(keys, one, PASSES, results)
        } else {
            let salts = &salts[i * GROUP..][..phrases.len()];
            let numbers = &mut numbers[..phrases.len()];
            for ((number, text), salt) in numbers.iter_mut().zip(&mut *output).zip(salts) {
                *number = self::number(salt)?;
                text[..2].copy_from_slice(salt);
            }
            crypt_many_salts(keys, numbers, PASSES, results)
        };
        done.map_err(|_| Error::Number)?;
        for (text, result) in output.iter_mut().zip(results) {
            text[2..].copy_from_slice(&characters(result));
        }
    }
    keys.zeroize();
    Ok(())
}

/// Hashes many phrases by traditional DES. `given` returns the phrase and the setting of an index.
pub(crate) fn many<'o, 's>(
    places: Vec<Place<'o>>,
    results: &mut Results<'o>,
    given: impl Fn(usize) -> Result<(&'s [u8], &'s [u8]), Error>,
) {
    // A vector that grows would leave copies of the phrases in memory.
    let mut phrases = Vec::with_capacity(places.len());
    let (mut salts, mut good) = (Vec::new(), Vec::new());
    for (index, out) in places {
        let phrase_and_salt = given(index).and_then(|(phrase, setting)| {
            let salt = *setting.first_chunk::<2>().ok_or(Error::Setting)?;
            number(&salt)?;
            let mut eight = [0; 8];
            let length = phrase.len().min(8);
            eight[..length].copy_from_slice(&phrase[..length]);
            Ok((eight, salt))
        });
        match phrase_and_salt {
            Ok((phrase, salt)) => {
                phrases.push(phrase);
                salts.push(salt);
                good.push((index, out));
            }
            Err(error) => results[index] = Err(error),
        }
    }
    let mut texts = vec![[0; 13]; phrases.len()];
    let done = hash_many(&phrases, &salts, &mut texts);
    phrases.zeroize();
    for ((index, mut out), text) in good.into_iter().zip(&texts) {
        results[index] = done
            .and_then(|()| out.bytes(text))
            .and_then(|()| out.finish());
    }
}

/// Returns the [`key`] of a phrase whose eight bytes are stored in one number. The phrase ends
/// before the first zero byte.
fn key_of_eight(phrase: [u8; 8]) -> [u8; 8] {
    let ones = u64::from_ne_bytes([1; 8]);
    let phrase = u64::from_le_bytes(phrase);
    // The lowest bit of `zeros` that is set marks the first zero byte: it is the highest bit of
    // that byte.
    let zeros = phrase.wrapping_sub(ones) & !phrase & (ones << 7);
    let lowest = zeros & zeros.wrapping_neg();
    let before = (lowest >> 7).wrapping_sub(1);
    ((phrase & before & (ones * 0x7f)) << 1).to_le_bytes()
}

/// Encodes a 64-bit block, with two zero bits appended, as 11 characters, highest bits
/// first.
fn characters(block: &[u8; 8]) -> [u8; 11] {
    let number = u64::from_be_bytes(*block);
    let mut text = [0; 11];
    text[..8].copy_from_slice(&eight_characters(number >> 16));
    text[8..].copy_from_slice(&eight_characters((number & 0xffff) << 32)[..3]);
    text
}

/// Encodes 48 bits as eight characters, highest bits first. The code computes all characters at
/// once.
fn eight_characters(number: u64) -> [u8; 8] {
    // The code halves the groups of bits three times, until each byte has six bits.
    let x = (number & 0xffff_ff00_0000) << 8 | number & 0xff_ffff;
    let x = (x & 0x00ff_f000_00ff_f000) << 4 | x & 0x0000_0fff_0000_0fff;
    let x = (x & 0x0fc0_0fc0_0fc0_0fc0) << 2 | x & 0x003f_003f_003f_003f;
    // Values from 12 on are capital letters, and values from 38 on are small letters. In
    // ASCII, seven characters lie between the digits and the capitals, and six between
    // the capitals and the small letters.
    let ones = u64::from_ne_bytes([1; 8]);
    let letters = (x + ones * (128 - 12)) >> 7 & ones;
    let small = (x + ones * (128 - 38)) >> 7 & ones;
    (x + ones * u64::from(b'.') + letters * 7 + small * 6).to_be_bytes()
}

/// Hashes a phrase by bigcrypt: up to 16 segments of eight bytes. The salt of the first segment
/// is in the setting. The salt of each later segment is the start of the previous segment's
/// result.
pub(crate) fn hash_big(phrase: &[u8], setting: &[u8], out: &mut Writer<'_>) -> Result<(), Error> {
    let salt = setting.get(..2).ok_or(Error::Setting)?;
    out.bytes(salt)?;
    let mut salt = number(salt)?;
    // An empty phrase counts as one segment.
    let segments = phrase.len().div_ceil(8).clamp(1, 16);
    for i in 0..segments {
        let part = &phrase[8 * i..phrase.len().min(8 * i + 8)];
        let result = segment(part, salt, out)?;
        // The next salt is the first two characters of the result. In the result the first
        // character has the highest bits, but in a salt the first character has the lowest six
        // bits.
        salt = u32::from(result[0] >> 2) | u32::from((result[0] & 3) << 4 | result[1] >> 4) << 6;
    }
    Ok(())
}

/// Hashes a whole phrase by extended DES. The setting is `_`, four characters for the count,
/// and four characters for the salt.
pub(crate) fn hash_extended(
    phrase: &[u8],
    setting: &[u8],
    out: &mut Writer<'_>,
) -> Result<(), Error> {
    let setting = setting.get(..9).ok_or(Error::Setting)?;
    let count = number(&setting[1..5])?;
    let salt = number(&setting[5..9])?;
    let mut parts = phrase.chunks(8);
    let mut key = key(parts.next().unwrap_or_default());
    let mut des = Crypt::new(&key, 0);
    for part in parts {
        let next = self::key(part);
        des.set_key(&key);
        des.encrypt(&mut key, 1);
        for (key, next) in key.iter_mut().zip(next) {
            *key ^= next;
        }
    }
    out.bytes(setting)?;
    // A count of 0 means one pass, as in libxcrypt.
    des.set_key(&key);
    des.set_salt(salt);
    key.zeroize();
    let mut result = [0; 8];
    des.encrypt(&mut result, count.max(1));
    write(&result, out)
}

fn segment(phrase: &[u8], salt: u32, out: &mut Writer<'_>) -> Result<[u8; 8], Error> {
    let mut key = key(phrase);
    let des = Crypt::new(&key, salt);
    key.zeroize();
    let mut result = [0; 8];
    des.encrypt(&mut result, PASSES);
    write(&result, out)?;
    Ok(result)
}

/// Makes a DES key. The seven low bits of each character become the seven high bits of a key
/// byte, above the parity bit. The highest bit of the character is dropped.
fn key(phrase: &[u8]) -> [u8; 8] {
    let mut key = [0; 8];
    for (key, c) in key.iter_mut().zip(phrase) {
        *key = c << 1;
    }
    key
}

/// Decodes characters to a number. The first character has the lowest six bits.
fn number(text: &[u8]) -> Result<u32, Error> {
    text.iter().rev().try_fold(0, |number, &c| {
        Ok(number << 6 | text::value(c).ok_or(Error::Setting)?)
    })
}

fn write(block: &[u8; 8], out: &mut Writer<'_>) -> Result<(), Error> {
    out.bytes(&characters(block))
}

pub(crate) fn gensalt(cost: u64, random: &[u8], out: &mut Writer<'_>) -> Result<(), Error> {
    if out.room() < 2 {
        return Err(Error::OutputTooSmall);
    }
    if cost != 0 {
        return Err(Error::Cost);
    }
    let random = random.first_chunk::<2>().ok_or(Error::Random)?;
    out.sixes(random[0].into(), 1)?;
    out.sixes(random[1].into(), 1)
}

pub(crate) fn gensalt_extended(
    cost: u64,
    random: &[u8],
    out: &mut Writer<'_>,
) -> Result<(), Error> {
    if out.room() < 9 {
        return Err(Error::OutputTooSmall);
    }
    let random = random.first_chunk::<3>().ok_or(Error::Random)?;
    let count = if cost == 0 { 725 } else { cost.min(0xff_ffff) };
    out.byte(b'_')?;
    // The count is made odd, because an even number of passes would reveal weak DES keys.
    out.sixes(count as u32 | 1, 4)?;
    out.base64(random)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::ALPHABET;

    #[test]
    fn eight_characters_are_of_the_alphabet() {
        for value in 0..64 {
            for place in 0..8 {
                let text = eight_characters(value << (42 - 6 * place));
                let wanted = core::array::from_fn(|i| {
                    ALPHABET[if i as u64 == place { value as usize } else { 0 }]
                });
                assert_eq!(text, wanted, "{value} {place}");
            }
        }
    }

    #[test]
    fn a_phrase_ends_with_its_first_zero() {
        for phrase in [
            *b"password",
            *b"\xff\x80\x01\x7f\x81\xfe\x02\xa5",
            *b"one\0more",
            *b"\x01\0\x01\x01\x01\x01\0\x01",
            [0; 8],
        ] {
            let end = phrase.iter().position(|&c| c == 0).unwrap_or(8);
            assert_eq!(key_of_eight(phrase), key(&phrase[..end]), "{phrase:?}");
        }
    }

    #[test]
    fn many_are_as_one() {
        let mut phrases = [[0u8; 8]; 2 * GROUP + 3];
        for (i, phrase) in phrases.iter_mut().enumerate() {
            *phrase = (i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).to_le_bytes();
            phrase[i % 9..].fill(0);
        }
        let salts = core::array::from_fn::<_, { 2 * GROUP + 3 }, _>(|i| {
            [ALPHABET[i % 64], ALPHABET[i * 7 / 5 % 64]]
        });
        let mut wanted = [0; crate::OUTPUT_SIZE];
        let mut output = [[0; 13]; 2 * GROUP + 3];
        for n in [0, 1, 2, GROUP - 1, GROUP, GROUP + 1, 2 * GROUP + 3] {
            for salts in [&salts[..1], &salts[..n]] {
                hash_many(&phrases[..n], salts, &mut output[..n]).unwrap();
                for (i, hash) in output[..n].iter().enumerate() {
                    let salt = salts.get(i).unwrap_or(&salts[0]);
                    let one = crate::hash(&phrases[i], salt, &mut wanted).unwrap();
                    assert_eq!(hash, one.as_bytes(), "{i} of {n}");
                }
            }
        }
    }

    #[test]
    fn wrong_numbers_and_salts_touch_nothing() {
        let mut output = [[7; 13]; 2];
        let phrases = [[b'x'; 8]; 2];
        for (phrases, salts, error) in [
            (&phrases[..1], &[*b"ab"][..], Error::Number),
            (&phrases[..], &[][..], Error::Number),
            (&phrases[..], &[*b"ab"; 3][..], Error::Number),
            (&phrases[..], &[*b"ab", *b"a:"][..], Error::Setting),
        ] {
            assert_eq!(hash_many(phrases, salts, &mut output), Err(error));
            assert_eq!(output, [[7; 13]; 2]);
        }
    }
}
