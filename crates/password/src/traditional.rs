//! The methods built on DES: crypt(3) of Unix 7th Edition, 1979; of BSDi, `_`; and
//! of Digital UNIX. **Broken**: any of them falls to a search.
//!
//! Each encrypts a block of zeros, many times over, with the phrase for a key.

use crate::Error;
use crate::text::{self, ALPHABET, Writer};
use touchstone::block::des::crypt::Crypt;
use zeroize::Zeroize;

const PASSES: u32 = 25;

/// Two characters of salt, eight bytes of the phrase.
pub(crate) fn hash(phrase: &[u8], setting: &[u8], out: &mut Writer<'_>) -> Result<(), Error> {
    let salt = setting.get(..2).ok_or(Error::Setting)?;
    out.bytes(salt)?;
    segment(phrase, number(salt)?, out).map(drop)
}

/// Up to 16 segments of eight bytes, each salted with the start of the last
/// result.
pub(crate) fn hash_big(phrase: &[u8], setting: &[u8], out: &mut Writer<'_>) -> Result<(), Error> {
    let salt = setting.get(..2).ok_or(Error::Setting)?;
    out.bytes(salt)?;
    let mut salt = number(salt)?;
    // A phrase of nothing is one segment, too.
    let segments = phrase.len().div_ceil(8).clamp(1, 16);
    for i in 0..segments {
        let part = &phrase[8 * i..phrase.len().min(8 * i + 8)];
        let result = segment(part, salt, out)?;
        // Two characters, the first lowest, of a result that starts at its top.
        salt = u32::from(result[0] >> 2) | u32::from((result[0] & 3) << 4 | result[1] >> 4) << 6;
    }
    Ok(())
}

/// `_`, four characters of count, four of salt; all of the phrase.
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
    // 0 passes are one, as libxcrypt has it.
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

/// Seven bits of each character are above the parity bits; the eighth is lost.
fn key(phrase: &[u8]) -> [u8; 8] {
    let mut key = [0; 8];
    for (key, c) in key.iter_mut().zip(phrase) {
        *key = c << 1;
    }
    key
}

/// A number of characters, the first lowest.
fn number(text: &[u8]) -> Result<u32, Error> {
    text.iter().rev().try_fold(0, |number, &c| {
        Ok(number << 6 | text::value(c).ok_or(Error::Setting)?)
    })
}

/// 64 bits and two zeros, the highest first.
fn write(block: &[u8; 8], out: &mut Writer<'_>) -> Result<(), Error> {
    let number = u64::from_be_bytes(*block);
    let character = |bits: u64| ALPHABET[(bits & 63) as usize];
    let text: [u8; 11] = core::array::from_fn(|i| match i {
        10 => character(number << 2),
        _ => character(number >> (58 - 6 * i)),
    });
    out.bytes(&text)
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
    // Odd: an even number of passes would show weak keys.
    out.sixes(count as u32 | 1, 4)?;
    out.base64(random)
}
