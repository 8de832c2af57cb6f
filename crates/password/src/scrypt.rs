//! `$7$`: scrypt (Colin Percival, 2009) in the encoding of Alexander Peslyak. The setting is
//! log₂ N as one character, r and p as five characters each, and then the salt as plain
//! characters.

use crate::text::{self, ALPHABET, Writer};
use crate::yescrypt;
use crate::{Error, OUTPUT_SIZE};
use touchstone::kdf::scrypt::{Costs, Flavour};
use zeroize::Zeroize;

const MAGIC: &[u8] = b"$7$";

pub(crate) fn hash(phrase: &[u8], setting: &[u8], out: &mut Writer<'_>) -> Result<(), Error> {
    // A longer setting would leave no room for `$`, 43 characters of result and the final
    // zero.
    if setting.len() > OUTPUT_SIZE - 45 {
        return Err(Error::OutputTooSmall);
    }
    let text = setting.strip_prefix(MAGIC).ok_or(Error::Setting)?;
    let ([log2, costs @ ..], salt) = text.split_first_chunk::<11>().ok_or(Error::Setting)?;
    let log2 = text::value(*log2).ok_or(Error::Setting)?;
    let (r, p) = costs.split_at(5);
    let (r, p) = (fixed(r)?, fixed(p)?);
    let n = yescrypt::power(log2).ok_or(Error::Setting)?;
    check_salt(salt)?;
    let end = salt.iter().rposition(|&c| c == b'$');
    let salt = &salt[..end.unwrap_or(salt.len())];

    let mut key = [0; 32];
    let (flavour, t) = (Flavour::Scrypt, 0);
    yescrypt::fill(
        phrase,
        salt,
        &Costs {
            flavour,
            n,
            r,
            p,
            t,
        },
        &mut key,
    )?;
    out.bytes(MAGIC)?;
    out.bytes(&text[..11])?;
    out.bytes(salt)?;
    out.byte(b'$')?;
    out.base64(&key)?;
    key.zeroize();
    Ok(())
}

/// Decodes five characters to 30 bits. The first character has the lowest six bits.
fn fixed(text: &[u8]) -> Result<u32, Error> {
    text.iter().rev().try_fold(0, |number, &c| {
        Ok(number << 6 | text::value(c).ok_or(Error::Setting)?)
    })
}

/// Checks that the salt consists of characters of the alphabet and `$`. After a `$` that
/// ends the salt, any characters may follow.
fn check_salt(salt: &[u8]) -> Result<(), Error> {
    let other = salt
        .iter()
        .position(|&c| c != b'$' && text::value(c).is_none());
    match other {
        None => Ok(()),
        Some(i) if i > 0 && salt[i - 1] == b'$' => Ok(()),
        Some(_) => Err(Error::Setting),
    }
}

pub(crate) fn gensalt(
    cost: u64,
    random: &[u8],
    size: usize,
    out: &mut Writer<'_>,
) -> Result<(), Error> {
    let random = &random[..random.len().min(64)];
    if size < MAGIC.len() + 11 + yescrypt::base64_size(random.len()) {
        return Err(Error::OutputTooSmall);
    }
    let cost = if cost == 0 { 7 } else { cost };
    if !(6..=11).contains(&cost) {
        return Err(Error::Cost);
    }
    if random.len() < 16 {
        return Err(Error::Random);
    }
    out.bytes(MAGIC)?;
    out.byte(ALPHABET[cost as usize + 7])?;
    out.sixes(32, 5)?;
    out.sixes(1, 5)?;
    out.base64(random)
}
