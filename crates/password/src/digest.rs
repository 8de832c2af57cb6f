//! The methods that hash nearly the same message thousands of times: `$1$`, `$5$`, `$6$` and `$md5$`.
//! A [`Message`] stays in memory with its padding, and each round overwrites only the bytes that
//! change. Several phrases take turns, so that a hash function can hash a block of each at once.

use crate::Error;
use crate::text::Writer;
use alloc::vec::Vec;
use core::marker::PhantomData;
use touchstone::Kernel as _;
use touchstone::hash::{HashFunction, InTurn, Sequence};
use zeroize::Zeroize;

/// A message with its padding, as whole blocks. The message is wiped when it is dropped.
pub(crate) struct Message<H>(Vec<u8>, PhantomData<H>);

impl<H: InTurn> Message<H> {
    /// Makes the message from the parts, one after the other.
    pub(crate) fn new(parts: &[&[u8]]) -> Result<Self, Error> {
        let len = parts.iter().map(|part| part.len()).sum::<usize>();
        // The code allocates all memory at once. A vector that grows would leave copies of the
        // phrase in memory.
        let mut bytes = Vec::new();
        bytes
            .try_reserve_exact(len + 2 * H::BLOCK)
            .map_err(|_| Error::Memory)?;
        for part in parts {
            bytes.extend_from_slice(part);
        }
        let mut this = Self(bytes, PhantomData);
        this.end(len);
        Ok(this)
    }

    /// Ends the message after `len` bytes with the padding.
    fn end(&mut self, len: usize) {
        self.0.truncate(len);
        let (mut end, n) = H::pad(&self.0);
        self.0.truncate(len / H::BLOCK * H::BLOCK);
        self.0.extend_from_slice(&end[..n]);
        end.zeroize();
    }

    /// Overwrites bytes of the message from position `at` on.
    pub(crate) fn put(&mut self, at: usize, bytes: &[u8]) {
        if let Some(place) = self.0.get_mut(at..at + bytes.len()) {
            place.copy_from_slice(bytes);
        }
    }

    /// Replaces all bytes from position `at` on by `bytes`, and pads the message again. The message
    /// must not become longer than its parts were.
    pub(crate) fn finish_with(&mut self, at: usize, bytes: &[u8]) {
        self.0.truncate(at);
        self.0.extend_from_slice(bytes);
        self.end(at + bytes.len());
    }

    /// The message with its padding.
    pub(crate) fn padded(&self) -> &[u8] {
        &self.0
    }
}

impl<H> Drop for Message<H> {
    fn drop(&mut self) {
        self.0.fill(0);
        zeroize::optimization_barrier(&self.0);
    }
}

/// Three properties of a round. Together they select one of eight messages.
const ODD: usize = 1;
const SALTED: usize = 2;
const TWICE: usize = 4;

/// The rounds of `$1$`, which `$5$` and `$6$` have too. In each round the previous result is the first
/// or the last part of the message, the phrase occurs once or twice, and the salt occurs or does not
/// occur. This gives eight messages. In each of them only the bytes of the previous result change.
pub(crate) struct Rounds<H: HashFunction> {
    /// The messages, and where the previous result is in each of them.
    messages: Vec<(usize, Message<H>)>,
    /// The kind of this round's message.
    kind: usize,
    round: u64,
    rounds: u64,
    result: H::Output,
}

impl<H: InTurn> Rounds<H> {
    /// Prepares this number of rounds, at least one. `result` is the result before the first round.
    pub(crate) fn new(
        phrase: &[u8],
        salt: &[u8],
        rounds: u64,
        result: H::Output,
    ) -> Result<Self, Error> {
        let none: &[u8] = &[];
        let mut messages = Vec::new();
        messages.try_reserve_exact(8).map_err(|_| Error::Memory)?;
        for kind in 0..8 {
            let salt = if kind & SALTED != 0 { salt } else { none };
            let again = if kind & TWICE != 0 { phrase } else { none };
            messages.push(if kind & ODD != 0 {
                let at = phrase.len() + salt.len() + again.len();
                (at, Message::new(&[phrase, salt, again, result.as_ref()])?)
            } else {
                (0, Message::new(&[result.as_ref(), salt, again, phrase])?)
            });
        }
        Ok(Self {
            messages,
            kind: kind(0),
            round: 0,
            rounds,
            result,
        })
    }

    /// The result after the last round.
    pub(crate) fn result(&self) -> &H::Output {
        &self.result
    }
}

impl<H: HashFunction> Drop for Rounds<H> {
    fn drop(&mut self) {
        self.result.as_mut().zeroize();
    }
}

/// The properties of a round.
fn kind(round: u64) -> usize {
    (if round & 1 == 1 { ODD } else { 0 })
        | if round.is_multiple_of(3) { 0 } else { SALTED }
        | if round.is_multiple_of(7) { 0 } else { TWICE }
}

impl<H: InTurn> Sequence<H::Output> for Rounds<H> {
    fn message(&self) -> &[u8] {
        self.messages[self.kind].1.padded()
    }

    fn next(&mut self, digest: &H::Output) -> bool {
        self.round += 1;
        if self.round == self.rounds {
            self.result = *digest;
            return false;
        }
        self.kind = kind(self.round);
        let (at, message) = &mut self.messages[self.kind];
        message.put(*at, digest.as_ref());
        true
    }
}

/// A phrase of many: its index, and where its hash is written.
pub(crate) type Place<'o> = (usize, Writer<'o>);

/// The result for each phrase of many.
pub(crate) type Results<'o> = [Result<&'o str, Error>];

/// Hashes one phrase: `begin` writes the beginning of the hash and returns the rounds, and `end` writes
/// their result.
pub(crate) fn one<H: InTurn, S: Sequence<H::Output>>(
    out: &mut Writer<'_>,
    begin: impl Fn(&mut Writer<'_>) -> Result<S, Error>,
    end: impl Fn(&S, &mut Writer<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut rounds = begin(out)?;
    H::in_turn(H::Kernel::best(), core::slice::from_mut(&mut rounds));
    end(&rounds, out)
}

/// Hashes many phrases, as [`one`] does. `begin` also receives the index of its phrase.
pub(crate) fn many<'o, H: InTurn, S: Sequence<H::Output>>(
    places: Vec<Place<'o>>,
    results: &mut Results<'o>,
    begin: impl Fn(usize, &mut Writer<'_>) -> Result<S, Error>,
    end: impl Fn(&S, &mut Writer<'_>) -> Result<(), Error>,
) {
    // A vector that grows would leave copies of the results in memory.
    let mut begun = Vec::with_capacity(places.len());
    let mut all = Vec::with_capacity(places.len());
    for (index, mut out) in places {
        match begin(index, &mut out) {
            Ok(rounds) => {
                all.push(rounds);
                begun.push((index, out));
            }
            Err(error) => results[index] = Err(error),
        }
    }
    H::in_turn(H::Kernel::best(), &mut all);
    for ((index, mut out), rounds) in begun.into_iter().zip(&all) {
        results[index] = end(rounds, &mut out).and_then(|()| out.finish());
    }
}
