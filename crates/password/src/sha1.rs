//! `$sha1$`: the method of Simon Gerraty in NetBSD 4, 2004. The method is PBKDF1 with
//! HMAC-SHA-1 in place of the hash function. The key of the HMAC is the phrase.

use crate::Error;
use crate::text::{self, Writer};
use touchstone::hash::Sha1;
use touchstone::mac::Hmac;
use zeroize::Zeroize;

const MAGIC: &[u8] = b"$sha1$";
const ROUNDS: u64 = 0x40000;
const SALT: usize = 64;

pub(crate) fn hash(phrase: &[u8], setting: &[u8], out: &mut Writer<'_>) -> Result<(), Error> {
    let text = setting.strip_prefix(MAGIC).ok_or(Error::Setting)?;
    // libxcrypt reads the number with strtoul(3), which accepts a `+` sign.
    let text = text.strip_prefix(b"+").unwrap_or(text);
    let (rounds, text) = text::decimal(text).ok_or(Error::Setting)?;
    // A larger number would take hours, and gensalt never makes one.
    if rounds > u64::from(u32::MAX) {
        return Err(Error::Setting);
    }
    let text = text.strip_prefix(b"$").ok_or(Error::Setting)?;
    let (salt, rest) = text.split_at(text::span(text));
    if salt.is_empty() || !matches!(rest.first(), None | Some(b'$')) {
        return Err(Error::Setting);
    }
    out.bytes(MAGIC)?;
    out.number(rounds)?;
    out.byte(b'$')?;
    out.bytes(salt)?;
    out.byte(b'$')?;
    if out.room() < 28 {
        return Err(Error::OutputTooSmall);
    }

    let mut mac = Hmac::<Sha1>::new(phrase);
    mac.update(salt);
    mac.update(MAGIC);
    mac.update(text::digits(rounds, &mut [0; 20]));
    let mut result = mac.finalize();
    for _ in 1..rounds {
        result = mac.mac(&*result);
    }

    // The 20 bytes become seven groups of three bytes. Byte 0 is used again to fill the last
    // group. The first byte of each group has the highest bits.
    let mut bytes = [0; 21];
    bytes[..20].copy_from_slice(&*result);
    bytes[20] = result[0];
    for group in bytes.as_chunks::<3>().0 {
        out.base64(&[group[2], group[1], group[0]])?;
    }
    result.zeroize();
    bytes.zeroize();
    Ok(())
}

pub(crate) fn gensalt(
    cost: u64,
    random: &[u8],
    size: usize,
    out: &mut Writer<'_>,
) -> Result<(), Error> {
    // The first four random bytes determine the number of rounds.
    let Some((chooser, salt)) = random
        .split_first_chunk::<4>()
        .filter(|(_, salt)| salt.len() >= 12)
    else {
        return Err(Error::Random);
    };
    if size < salt.len() * 4 / 3 + "$sha1$$$".len() + 1 + 10 {
        return Err(Error::OutputTooSmall);
    }
    let cost = if cost == 0 { ROUNDS } else { cost };
    let cost = cost.clamp(4, u64::from(u32::MAX));
    let rounds = cost - u64::from(u32::from_le_bytes(*chooser)) % (cost / 4);
    out.bytes(MAGIC)?;
    out.number(rounds)?;
    out.byte(b'$')?;
    // The code leaves one random byte unused, and room for four characters of output, as
    // libxcrypt does.
    let groups = ((salt.len() - 1) / 3).min((SALT - 1) / 4);
    for group in salt.as_chunks::<3>().0.iter().take(groups) {
        if out.room() <= 5 {
            break;
        }
        out.base64(&[group[2], group[1], group[0]])?;
    }
    out.byte(b'$')
}
