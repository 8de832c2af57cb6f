//! The methods `$2a$`, `$2b$`, `$2x$` and `$2y$`: bcrypt, by Niels Provos and David
//! Mazières, 1999. bcrypt is Blowfish with a key schedule that is repeated 2^cost times.
//!
//! crypt_blowfish before version 1.1 sign-extended phrase bytes of 0x80 and above, so that such
//! a byte overwrote the phrase bytes before it in the same 32-bit word. `$2x$` repeats this
//! fault and verifies the hashes that were made with the fault. `$2y$` and the current `$2b$`
//! do not have the fault. `$2a$` does not have the fault either. But if the faulty code could
//! have made the same key from another phrase, the first key schedule of `$2a$` changes one
//! byte.
//!
//! - [BCRYPT] A Future-Adaptable Password Scheme, USENIX 1999

use crate::Error;
use crate::digest::{Place, Results};
use crate::text::Writer;
use alloc::vec::Vec;
use touchstone::block::blowfish::eks::Eksblowfish;
use zeroize::Zeroize;

const ALPHABET: &[u8; 64] = b"./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/// The number of 32-bit words of the key that Blowfish's key schedule reads. Phrase bytes after
/// these words have no effect.
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

/// A phrase that is ready to be hashed.
struct Begun<'s> {
    setting: &'s [u8],
    cost: u32,
    key: [u8; 4 * WORDS],
    /// The key of the first run of the key schedule.
    first: [u8; 4 * WORDS],
    salt: [u8; 16],
}

impl<'s> Begun<'s> {
    fn new(phrase: &[u8], setting: &'s [u8]) -> Result<Self, Error> {
        let Some(([b'$', b'2', kind, b'$', tens, ones, b'$'], rest)) =
            setting.split_first_chunk::<7>()
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
        let (key, deviation) = schedule(phrase, *kind);
        let mut first = key;
        first[1] ^= deviation;
        Ok(Self {
            setting,
            cost,
            key,
            first,
            salt,
        })
    }

    /// The salt, repeated to the length of a key.
    fn long_salt(&self) -> [u8; 4 * WORDS] {
        core::array::from_fn(|i| self.salt[i % 16])
    }

    /// Writes the hash.
    fn end(&self, state: &Eksblowfish, out: &mut Writer<'_>) -> Result<(), Error> {
        let mut result = *b"OrpheanBeholderScryDoubt";
        for block in result.as_chunks_mut::<8>().0 {
            let number = u64::from_be_bytes(*block);
            let [left, right] = state.encrypt([(number >> 32) as u32, number as u32], 64);
            *block = (u64::from(left) << 32 | u64::from(right)).to_be_bytes();
        }
        let (start, last) = (&self.setting[..28], self.setting[28]);
        out.bytes(start)?;
        // The last salt character has two bits of salt; its other four bits are set to zero.
        out.byte(ALPHABET[usize::from(value(last).unwrap_or_default() & 0x30)])?;
        // The original implementation does not encode the last byte of the result, so this code
        // does not encode it either.
        encode(&result[..23], out)?;
        result.zeroize();
        Ok(())
    }
}

impl Drop for Begun<'_> {
    fn drop(&mut self) {
        self.key.zeroize();
        self.first.zeroize();
    }
}

pub(crate) fn hash(phrase: &[u8], setting: &[u8], out: &mut Writer<'_>) -> Result<(), Error> {
    let begun = Begun::new(phrase, setting)?;
    let mut state = Eksblowfish::new(&begun.salt, &begun.first);
    let salt = begun.long_salt();
    for _ in 0..1u64 << begun.cost {
        state.expand(&begun.key);
        state.expand(&salt);
    }
    begun.end(&state, out)
}

/// The number of phrases whose states are expanded together.
const TOGETHER: usize = 4;

/// Hashes many phrases. `given` returns the phrase and the setting of an index.
pub(crate) fn many<'o, 's>(
    places: Vec<Place<'o>>,
    results: &mut Results<'o>,
    given: impl Fn(usize) -> Result<(&'s [u8], &'s [u8]), Error>,
) {
    // A vector that grows would leave copies of the keys in memory, and so would a stable sort.
    let mut all = Vec::with_capacity(places.len());
    for (index, out) in places {
        match given(index).and_then(|(phrase, setting)| Begun::new(phrase, setting)) {
            Ok(begun) => all.push((begun, index, Some(out))),
            Err(error) => results[index] = Err(error),
        }
    }
    all.sort_unstable_by_key(|(begun, ..)| begun.cost);
    for same in all.chunk_by_mut(|(a, ..), (b, ..)| a.cost == b.cost) {
        let (groups, few) = same.as_chunks_mut::<TOGETHER>();
        for group in groups {
            together(group, results);
        }
        for one in few {
            together(core::array::from_mut(one), results);
        }
    }
}

/// Hashes `N` phrases with the same cost. The states lie on the heap: on the stack the compiler would
/// copy all of them.
#[inline(never)]
fn together<'o, const N: usize>(
    group: &mut [(Begun<'_>, usize, Option<Writer<'o>>); N],
    results: &mut Results<'o>,
) {
    let mut states = Vec::with_capacity(N);
    for (begun, ..) in &*group {
        states.push(Eksblowfish::new(&begun.salt, &begun.first));
    }
    let Some(states) = states.first_chunk_mut::<N>() else {
        return;
    };
    let salts = group.each_ref().map(|(begun, ..)| begun.long_salt());
    for _ in 0..1u64 << group[0].0.cost {
        Eksblowfish::expand_several(states, group.each_ref().map(|(begun, ..)| &begun.key));
        Eksblowfish::expand_several(states, salts.each_ref());
    }
    for ((begun, index, out), state) in group.iter_mut().zip(&*states) {
        if let Some(mut out) = out.take() {
            results[*index] = begun.end(state, &mut out).and_then(|()| out.finish());
        }
    }
}

/// Returns the key: the phrase and its final zero byte, repeated to 72 bytes, with the
/// fault of `$2x$` if `kind` requires it. The second value is the deviation of `$2a$`,
/// which the first run of the key schedule adds to the key's second byte.
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
            // The sign extension of a word's first byte does no harm: no byte of the word comes
            // before this byte.
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

/// Decodes a salt of 22 characters to 16 bytes. The last character has only two bits of salt.
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

/// Encodes bytes in bcrypt's base64, highest bits first.
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
        // The phrase comes from the self-test of crypt_blowfish.
        let phrase = b"\xff\xa334\xff\xff\xff\xa3345";
        let (a, deviation) = schedule(phrase, b'a');
        let (y, none) = schedule(phrase, b'y');
        assert_eq!((a, deviation, none), (y, 1, 0));
        assert_eq!(a[68..], [0x33, 0x34, 0x35, 0x00]);
        assert_ne!(schedule(b"\xa3", b'x'), schedule(b"\xa3", b'y'));
        assert_eq!(schedule(b"a", b'x'), schedule(b"a", b'y'));
    }
}
