//! `$3$`: the NT hash in the notation of FreeBSD. The NT hash is MD4 over the phrase in UTF-16,
//! where each byte of the phrase counts as a Latin-1 character. **Broken**: the method has no
//! salt and only one round.

use crate::Error;
use crate::text::Writer;
use touchstone::hash::Md4;
use zeroize::Zeroize;

pub(crate) fn hash(phrase: &[u8], out: &mut Writer<'_>) -> Result<(), Error> {
    let mut md4 = Md4::new();
    for &c in phrase {
        md4.update(&[c, 0]);
    }
    let mut result = md4.finalize();
    out.bytes(b"$3$$")?;
    for byte in *result {
        let digit = |d: u8| b"0123456789abcdef"[usize::from(d)];
        out.bytes(&[digit(byte >> 4), digit(byte & 15)])?;
    }
    result.zeroize();
    Ok(())
}

pub(crate) fn gensalt(cost: u64, out: &mut Writer<'_>) -> Result<(), Error> {
    if out.room() < 3 {
        return Err(Error::OutputTooSmall);
    }
    if cost != 0 {
        return Err(Error::Cost);
    }
    out.bytes(b"$3$")
}
