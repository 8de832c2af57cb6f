//! `$1$`: the method of Poul-Henning Kamp in FreeBSD 2.0, 1994. The method computes MD5 a
//! thousand times over the phrase, the salt and the previous result, in an order that changes
//! from round to round. **Broken**: computers have become far too fast for this method.

use crate::digest::{self, Rounds};
use crate::text::Writer;
use crate::{Error, sha2};
use alloc::vec::Vec;
use core::array;
use touchstone::hash::md5::rounds::{self, Group, SEQUENCES};
use touchstone::hash::{HashFunction, Md5};
use touchstone::{Digest, Kernel};
use zeroize::Zeroize;

const MAGIC: &[u8] = b"$1$";
const SALT: usize = 8;
const ROUNDS: u64 = 1000;

/// The bytes of the result that are encoded together: three bytes in each row. Byte 11 is
/// encoded alone, at the end.
pub(crate) const ORDER: [[usize; 3]; 5] =
    [[12, 6, 0], [13, 7, 1], [14, 8, 2], [15, 9, 3], [5, 10, 4]];

/// Prepares the rounds of a phrase, and writes the hash up to the result.
pub(crate) fn begin(
    phrase: &[u8],
    setting: &[u8],
    out: &mut Writer<'_>,
) -> Result<Rounds<Md5>, Error> {
    let salt = setting.strip_prefix(MAGIC).ok_or(Error::Setting)?;
    let salt = sha2::salt(salt, SALT);

    let mut alternate = Md5::new();
    for part in [phrase, salt, phrase] {
        alternate.update(part);
    }
    let mut alternate = alternate.finalize();
    // After phrase, magic and salt follow as many bytes of this digest as the phrase has bytes, and
    // then one byte for each bit of the phrase's length as a binary number. The author did not mean
    // to add these last bytes, but every implementation has done the same since then.
    let mut first = Md5::new();
    for part in [phrase, MAGIC, salt] {
        first.update(part);
    }
    for chunk in phrase.chunks(16) {
        first.update(&alternate[..chunk.len()]);
    }
    let mut bits = phrase.len();
    while bits > 0 {
        first.update(&[if bits & 1 == 1 { 0 } else { phrase[0] }]);
        bits >>= 1;
    }
    alternate.zeroize();
    let rounds = Rounds::new(phrase, salt, ROUNDS, first.finalize())?;
    out.bytes(MAGIC)?;
    out.bytes(salt)?;
    out.byte(b'$')?;
    Ok(rounds)
}

/// Does the rounds of the phrases whose messages are one block each: with the longest salt, of all up to
/// 15 bytes.
pub(crate) fn in_lanes(all: &mut [Rounds<Md5>]) {
    // A single phrase takes less time by itself.
    if all.len() < 2 {
        return;
    }
    let kernel = <Md5 as HashFunction>::Kernel::best();
    let each = all.iter().enumerate();
    let mut short: Vec<_> = each
        .filter_map(|(i, rounds)| Some((rounds.blocks()?, i)))
        .collect();
    short.sort_unstable_by_key(|((places, _), _)| *places);
    let (mut groups, mut members) = (Vec::new(), Vec::new());
    for alike in short.chunk_by(|((a, _), _), ((b, _), _)| a == b) {
        let groups_of = alike.chunks(SEQUENCES);
        for some in groups_of.filter(|some| some.len() >= rounds::least(kernel)) {
            // The last phrase fills a group.
            let each = array::from_fn::<_, SEQUENCES, _>(|n| some[n.min(some.len() - 1)]);
            groups.push(Group {
                places: some[0].0.0,
                blocks: each.map(|((_, blocks), _)| blocks),
            });
            members.push(each.map(|(_, i)| i));
        }
    }
    let result = |i: usize| *all[i].result();
    let mut digests: Vec<_> = members.iter().map(|of| of.map(result)).collect();
    let kinds = (0..ROUNDS).map(digest::kind);
    if rounds::hash(kernel, &groups, kinds, &mut digests) {
        for (i, digest) in members.iter().flatten().zip(digests.iter().flatten()) {
            all[*i].finish(digest);
        }
    }
    for digest in digests.as_flattened_mut() {
        digest.zeroize();
    }
}

/// Writes the result of the rounds.
pub(crate) fn end(rounds: &Rounds<Md5>, out: &mut Writer<'_>) -> Result<(), Error> {
    write(rounds.result(), out)
}

/// Writes a result in the byte order that this method and SunMD5 share.
pub(crate) fn write(result: &Digest<16>, out: &mut Writer<'_>) -> Result<(), Error> {
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
