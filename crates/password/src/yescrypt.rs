//! `$y$` and `$gy$`. `$y$` is yescrypt, by Alexander Peslyak, 2013-2018. `$gy$` is yescrypt
//! within HMACs of Streebog (GOST R 34.11-2012), as the ALT Linux Team proposed.
//!
//! A setting is `$y$`, the parameters, `$` and the salt in base64. The parameters are numbers
//! of one to six characters each: the flavour, log₂ N, and r. If p, t, g or the size of a ROM
//! differ from their defaults, a fourth number says which of these values follow.

use crate::text::{self, Writer};
use crate::{Error, OUTPUT_SIZE};
use touchstone::hash::Streebog256;
use touchstone::kdf::scrypt::{Costs, Flavour};
use touchstone::kdf::{self, KdfError};
use touchstone::mac::Hmac;
use zeroize::Zeroize;

/// The flavour that programs generally use, [`Flavour::ReadWrite`].
const DEFAULT: u32 = 47;

struct Setting<'s> {
    costs: Costs,
    /// The salt as base64 text.
    salt: &'s [u8],
    /// The index in the setting at which the salt starts.
    start: usize,
}

pub(crate) fn hash(phrase: &[u8], setting: &[u8], out: &mut Writer<'_>) -> Result<(), Error> {
    let mut key = [0; 32];
    let parsed = derive(phrase, setting, b"$y$", &mut key)?;
    out.bytes(&setting[..parsed.start + parsed.salt.len()])?;
    out.byte(b'$')?;
    out.base64(&key)?;
    key.zeroize();
    Ok(())
}

pub(crate) fn hash_gost(phrase: &[u8], setting: &[u8], out: &mut Writer<'_>) -> Result<(), Error> {
    let mut key = [0; 32];
    let parsed = derive(phrase, setting, b"$gy$", &mut key)?;
    let setting = &setting[..parsed.start + parsed.salt.len()];
    // The result is HMAC(HMAC(H(phrase), setting), yescrypt(phrase, setting)).
    let mut phrase = Streebog256::digest(phrase);
    let mut inner = Hmac::<Streebog256>::new(&*phrase).mac(setting);
    let mut result = Hmac::<Streebog256>::new(&*inner).mac(&key);
    out.bytes(setting)?;
    out.byte(b'$')?;
    out.base64(&*result)?;
    key.zeroize();
    for digest in [&mut phrase, &mut inner, &mut result] {
        digest.zeroize();
    }
    Ok(())
}

fn derive<'s>(
    phrase: &[u8],
    setting: &'s [u8],
    magic: &[u8],
    key: &mut [u8; 32],
) -> Result<Setting<'s>, Error> {
    // A longer setting would leave no room for `$`, 43 characters of result and the final
    // zero.
    if setting.len() > OUTPUT_SIZE - 45 {
        return Err(Error::OutputTooSmall);
    }
    let parsed = parse(setting, magic).ok_or(Error::Setting)?;
    let mut salt = [0; 64];
    let salt = text::decode(parsed.salt, &mut salt).ok_or(Error::Setting)?;
    fill(phrase, salt, &parsed.costs, key)?;
    Ok(parsed)
}

/// Derives the 32 bytes of a hash by scrypt or yescrypt.
pub(crate) fn fill(
    phrase: &[u8],
    salt: &[u8],
    costs: &Costs,
    key: &mut [u8; 32],
) -> Result<(), Error> {
    kdf::yescrypt(phrase, salt, costs, key).map_err(|error| match error {
        KdfError::Memory => Error::Memory,
        _ => Error::Setting,
    })
}

/// Returns 2^`log2`, or `None` if that number is too large for N.
pub(crate) fn power(log2: u32) -> Option<u64> {
    1u64.checked_shl(log2)
}

/// Returns the size that libxcrypt reserves for a salt of `bytes` bytes in base64, with the
/// final zero.
pub(crate) fn base64_size(bytes: usize) -> usize {
    (bytes * 8).div_ceil(6) + 1
}

fn parse<'s>(setting: &'s [u8], magic: &[u8]) -> Option<Setting<'s>> {
    let mut text = setting.strip_prefix(magic)?;
    let flavour = match number(&mut text, 0)? {
        0 => Flavour::Scrypt,
        1 => Flavour::WriteOnce,
        DEFAULT => Flavour::ReadWrite,
        _ => return None,
    };
    let n = power(number(&mut text, 1)?)?;
    let r = number(&mut text, 1)?;
    let (mut p, mut t) = (1, 0);
    if text.first() != Some(&b'$') {
        let have = number(&mut text, 1)?;
        if have & 1 != 0 {
            p = number(&mut text, 2)?;
        }
        if have & 2 != 0 {
            t = number(&mut text, 1)?;
        }
        // Upgraded hashes (g, at least 1) and ROMs are refused, as in every libcrypt.
        if have & 12 != 0 {
            return None;
        }
    }
    let salt = text.strip_prefix(b"$")?;
    let start = setting.len() - salt.len();
    let end = salt.iter().rposition(|&c| c == b'$');
    Some(Setting {
        costs: Costs {
            flavour,
            n,
            r,
            p,
            t,
        },
        salt: &salt[..end.unwrap_or(salt.len())],
        start,
    })
}

/// Reads a number that is not below `least`. The first character determines how many characters
/// follow. If its value is at most 47, the value is the whole number. Of the remaining values,
/// the first half means that one character follows, half of the rest means that two characters
/// follow, and so on.
fn number(text: &mut &[u8], least: u32) -> Option<u32> {
    let (&first, mut rest) = text.split_first()?;
    let first = text::value(first)?;
    let (mut start, mut end) = (0, 47);
    let mut more = 0;
    let mut number = least;
    while first > end {
        number = number.checked_add((end + 1 - start) << (6 * more))?;
        start = end + 1;
        end = start + (62 - end) / 2;
        more += 1;
    }
    number = number.checked_add((first - start).checked_shl(6 * more)?)?;
    while more > 0 {
        let (&c, after) = rest.split_first()?;
        more -= 1;
        number = number.checked_add(text::value(c)? << (6 * more))?;
        rest = after;
    }
    *text = rest;
    Some(number)
}

pub(crate) fn gensalt(
    magic: &[u8],
    cost: u64,
    random: &[u8],
    size: usize,
    out: &mut Writer<'_>,
) -> Result<(), Error> {
    let random = &random[..random.len().min(64)];
    // The code requires room for the longest parameters, as libxcrypt does.
    if size < 3 + 8 * 6 + 1 + base64_size(random.len()) {
        return Err(Error::OutputTooSmall);
    }
    let cost = if cost == 0 { 5 } else { cost };
    if cost > 11 {
        return Err(Error::Cost);
    }
    if random.len() < 16 {
        return Err(Error::Random);
    }
    // Blocks have 1 KiB (r = 8) for up to 2 MiB of memory, and 4 KiB (r = 32) for more memory.
    let (log2, r) = if cost < 3 {
        (cost as u32 + 9, 8)
    } else {
        (cost as u32 + 7, 32)
    };
    out.bytes(magic)?;
    // All three numbers are below 48, so each is one character.
    for number in [DEFAULT, log2 - 1, r - 1] {
        out.sixes(number, 1)?;
    }
    out.byte(b'$')?;
    out.base64(random)
}
