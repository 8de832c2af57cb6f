//! `$1$`: Poul-Henning Kamp's scheme, FreeBSD 2.0, 1994. A thousand times MD5
//! over the phrase, the salt and the last result in an order that changes.
//! **Broken**: far too fast by now.

use crate::text::Writer;
use crate::{Error, sha2};
use md5::{Digest, Md5};
use zeroize::Zeroize;

const MAGIC: &[u8] = b"$1$";
const SALT: usize = 8;

/// Which bytes of the result go out together; of the last row one only.
pub(crate) const ORDER: [[usize; 3]; 5] =
    [[12, 6, 0], [13, 7, 1], [14, 8, 2], [15, 9, 3], [5, 10, 4]];

pub(crate) fn hash(phrase: &[u8], setting: &[u8], out: &mut Writer<'_>) -> Result<(), Error> {
    let salt = setting.strip_prefix(MAGIC).ok_or(Error::Setting)?;
    let salt = sha2::salt(salt, SALT);

    let alternate = Md5::new()
        .chain_update(phrase)
        .chain_update(salt)
        .chain_update(phrase)
        .finalize();
    let mut first = Md5::new()
        .chain_update(phrase)
        .chain_update(MAGIC)
        .chain_update(salt);
    for chunk in phrase.chunks(16) {
        first.update(&alternate[..chunk.len()]);
    }
    let mut bits = phrase.len();
    while bits > 0 {
        // Not what was meant, but what everyone has done since.
        first.update(if bits & 1 == 1 { &[0] } else { &phrase[..1] });
        bits >>= 1;
    }
    let mut result: [u8; 16] = first.finalize().into();
    for round in 0..1000 {
        let mut md5 = Md5::new();
        let odd = round & 1 == 1;
        md5.update(if odd { phrase } else { &result });
        if round % 3 != 0 {
            md5.update(salt);
        }
        if round % 7 != 0 {
            md5.update(phrase);
        }
        md5.update(if odd { &result } else { phrase });
        result = md5.finalize().into();
    }

    out.bytes(MAGIC)?;
    out.bytes(salt)?;
    out.byte(b'$')?;
    write(&result, out)?;
    result.zeroize();
    Ok(())
}

/// The order in which this scheme and Sun's write a result.
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
