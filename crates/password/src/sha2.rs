//! `$5$` and `$6$`: the method of Ulrich Drepper with SHA-256 and SHA-512, 2007. The method
//! extends Kamp's `$1$`: the phrase and the salt are hashed first, the salt is longer, and the
//! setting can give the number of rounds.
//!
//! - [SHA-crypt] Unix crypt using SHA-256 and SHA-512, 2008
//!
//! [SHA-crypt]: https://www.akkadia.org/drepper/SHA-crypt.txt

use crate::Error;
use crate::digest::Rounds;
use crate::text::{self, Writer};
use touchstone::Digest;
use touchstone::hash::{InTurn, Sha256, Sha512};
use zeroize::Zeroize;

const SALT: usize = 16;
const ROUNDS: u64 = 5000;
const ROUNDS_LEAST: u64 = 1000;
const ROUNDS_MOST: u64 = 999_999_999;

/// The bytes of the result that are encoded together: three bytes in each row.
const ORDER_256: [[usize; 3]; 10] = {
    let mut order = [[0; 3]; 10];
    let mut i = 0;
    while i < 10 {
        // Each row is the previous row rotated by one place, with 1 added to each index.
        let turn = i % 3;
        order[i] = [
            20 - 10 * turn_by(turn, 0) + i,
            20 - 10 * turn_by(turn, 1) + i,
            20 - 10 * turn_by(turn, 2) + i,
        ];
        i += 1;
    }
    order
};

const fn turn_by(turn: usize, place: usize) -> usize {
    (place + turn) % 3
}

const ORDER_512: [[usize; 3]; 21] = {
    let mut order = [[0; 3]; 21];
    let mut i = 0;
    while i < 21 {
        // The rows rotate as in `ORDER_256`, but in the other direction.
        let turn = (3 - i % 3) % 3;
        order[i] = [
            42 - 21 * turn_by(turn, 0) + i,
            42 - 21 * turn_by(turn, 1) + i,
            42 - 21 * turn_by(turn, 2) + i,
        ];
        i += 1;
    }
    order
};

/// Prepares the rounds of `$5$`, and writes the hash up to the result.
pub(crate) fn begin_256(
    phrase: &[u8],
    setting: &[u8],
    out: &mut Writer<'_>,
) -> Result<Rounds<Sha256>, Error> {
    begin(b"$5$", phrase, setting, out)
}

/// Writes the result of the rounds of `$5$`.
pub(crate) fn end_256(rounds: &Rounds<Sha256>, out: &mut Writer<'_>) -> Result<(), Error> {
    let result = rounds.result();
    for bytes in ORDER_256 {
        out.base64(&bytes.map(|i| result[i]))?;
    }
    out.base64(&[result[30], result[31]])
}

/// Prepares the rounds of `$6$`, and writes the hash up to the result.
pub(crate) fn begin_512(
    phrase: &[u8],
    setting: &[u8],
    out: &mut Writer<'_>,
) -> Result<Rounds<Sha512>, Error> {
    begin(b"$6$", phrase, setting, out)
}

/// Writes the result of the rounds of `$6$`.
pub(crate) fn end_512(rounds: &Rounds<Sha512>, out: &mut Writer<'_>) -> Result<(), Error> {
    let result = rounds.result();
    for bytes in ORDER_512 {
        out.base64(&bytes.map(|i| result[i]))?;
    }
    out.base64(&[result[63]])
}

/// Computes [SHA-crypt] steps 1 to 20, and step 22 up to the result.
fn begin<H: InTurn<Output = Digest<N>>, const N: usize>(
    magic: &[u8],
    phrase: &[u8],
    setting: &[u8],
    out: &mut Writer<'_>,
) -> Result<Rounds<H>, Error> {
    let mut salt = setting.strip_prefix(magic).ok_or(Error::Setting)?;
    let mut rounds = None;
    if let Some(text) = salt.strip_prefix(b"rounds=") {
        let (number, rest) = given_rounds(text)?;
        if !(ROUNDS_LEAST..=ROUNDS_MOST).contains(&number) {
            return Err(Error::Setting);
        }
        salt = rest;
        rounds = Some(number);
    }
    let salt = self::salt(salt, SALT);

    // Steps 4 to 8 make the alternate sum; steps 1 to 3 and 9 to 12 use the alternate
    // sum.
    let mut sum = H::new();
    for part in [phrase, salt, phrase] {
        sum.update(part);
    }
    let mut result = sum.finalize();
    let mut first = H::new();
    first.update(phrase);
    first.update(salt);
    for chunk in phrase.chunks(N) {
        first.update(&result[..chunk.len()]);
    }
    let mut bits = phrase.len();
    while bits > 0 {
        first.update(if bits & 1 == 1 { &result[..] } else { phrase });
        bits >>= 1;
    }
    result = first.finalize();

    // Steps 13 to 20: the byte sequences P and S, which have the lengths of phrase and
    // salt.
    let mut sum = H::new();
    for _ in 0..phrase.len() {
        sum.update(phrase);
    }
    let mut sequence = sum.finalize();
    let mut p = [0; crate::PHRASE_SIZE];
    let p = &mut p[..phrase.len()];
    fill(p, &*sequence);
    let mut sum = H::new();
    for _ in 0..16 + usize::from(result[0]) {
        sum.update(salt);
    }
    sequence = sum.finalize();
    let mut s = [0; SALT];
    let s = &mut s[..salt.len()];
    fill(s, &*sequence);

    // The rounds are step 21.
    let all = Rounds::new(p, s, rounds.unwrap_or(ROUNDS), result)?;
    sequence.zeroize();
    p.zeroize();
    s.zeroize();

    out.bytes(magic)?;
    if let Some(rounds) = rounds {
        out.bytes(b"rounds=")?;
        out.number(rounds)?;
        out.byte(b'$')?;
    }
    out.bytes(salt)?;
    out.byte(b'$')?;
    Ok(all)
}

/// Fills `sequence` with copies of `digest`. The last copy may be incomplete.
fn fill(sequence: &mut [u8], digest: &[u8]) {
    for chunk in sequence.chunks_mut(digest.len()) {
        chunk.copy_from_slice(&digest[..chunk.len()]);
    }
}

/// Reads the number that follows `rounds=`. The number must not start with a zero. Returns the
/// number, and the text after the `$` that ends the number.
pub(crate) fn given_rounds(text: &[u8]) -> Result<(u64, &[u8]), Error> {
    if !matches!(text.first(), Some(b'1'..=b'9')) {
        return Err(Error::Setting);
    }
    let (number, rest) = text::decimal(text).ok_or(Error::Setting)?;
    Ok((number, rest.strip_prefix(b"$").ok_or(Error::Setting)?))
}

/// Returns the salt: the text before the first `$`, at most `most` characters.
pub(crate) fn salt(text: &[u8], most: usize) -> &[u8] {
    let end = text.iter().position(|&c| c == b'$').unwrap_or(text.len());
    &text[..end.min(most)]
}

pub(crate) fn gensalt(
    tag: u8,
    cost: u64,
    random: &[u8],
    size: usize,
    out: &mut Writer<'_>,
) -> Result<(), Error> {
    let rounds = if cost == 0 { ROUNDS } else { cost };
    let rounds = rounds.clamp(ROUNDS_LEAST, ROUNDS_MOST);
    let given = (rounds != ROUNDS).then_some(rounds);
    gensalt_rounds(tag, SALT, given, random, size, out)
}

/// Makes a setting with the prefix `tag` and as much salt as the random bytes and the
/// output allow.
pub(crate) fn gensalt_rounds(
    tag: u8,
    most: usize,
    rounds: Option<u64>,
    random: &[u8],
    size: usize,
    out: &mut Writer<'_>,
) -> Result<(), Error> {
    if random.len() < 3 {
        return Err(Error::Random);
    }
    let mut digits = [0; 20];
    let rounds = rounds.map(|rounds| text::digits(rounds, &mut digits));
    // The smallest output must have room for the prefix, one group of salt, the byte that stays
    // unused and the final zero.
    let fixed = 3 + rounds.map_or(0, |digits| "rounds=$".len() + digits.len());
    if size < fixed + 4 + 2 {
        return Err(Error::OutputTooSmall);
    }
    out.bytes(&[b'$', tag, b'$'])?;
    if let Some(rounds) = rounds {
        out.bytes(b"rounds=")?;
        out.bytes(rounds)?;
        out.byte(b'$')?;
    }
    // The code leaves one byte of output and one random byte unused, as libxcrypt does.
    let groups = (random.len() - 1) / 3;
    for group in random.chunks_exact(3).take(groups.min(most / 4)) {
        if out.room() <= 4 {
            break;
        }
        out.base64(group)?;
    }
    Ok(())
}
