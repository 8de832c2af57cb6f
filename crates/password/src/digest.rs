//! The methods that hash nearly the same message thousands of times: `$1$`, `$5$`, `$6$` and `$md5$`.
//! A [`Message`] stays in memory with its padding, and each round overwrites only the bytes that
//! change. Several phrases take turns, so that a hash function can hash a block of each at once. Many
//! phrases of `$1$` have rounds of their own, in `md5.rs`.

use crate::Error;
use crate::text::Writer;
use alloc::vec::Vec;
use core::array;
use core::marker::PhantomData;
use core::ops::Range;
use touchstone::Kernel as _;
use touchstone::hash::{HashFunction, InTurn, Sequence};
use zeroize::Zeroize;

/// A message with its padding, as whole blocks, or several of them, one after the other. They are
/// wiped when they are dropped.
pub(crate) struct Message<H>(Vec<u8>, PhantomData<H>);

impl<H: InTurn> Message<H> {
    /// Makes the message from the parts, one after the other.
    pub(crate) fn new(parts: &[&[u8]]) -> Result<Self, Error> {
        let mut this = Self::with_room(1, parts.iter().map(|part| part.len()).sum())?;
        this.add(parts);
        Ok(this)
    }

    /// Makes room for messages of at most `len` bytes. The code allocates all memory at once: a vector
    /// that grows would leave copies of the phrase in memory.
    fn with_room(messages: usize, len: usize) -> Result<Self, Error> {
        let mut bytes = Vec::new();
        bytes
            .try_reserve_exact(messages * (len + 2 * H::BLOCK))
            .map_err(|_| Error::Memory)?;
        Ok(Self(bytes, PhantomData))
    }

    /// Adds a message, for which there is room, and returns where it is.
    fn add(&mut self, parts: &[&[u8]]) -> Range<usize> {
        let start = self.0.len();
        for part in parts {
            self.0.extend_from_slice(part);
        }
        self.end(start);
        start..self.0.len()
    }

    /// Ends the message that begins at `start` with the padding.
    fn end(&mut self, start: usize) {
        let message = &self.0[start..];
        let whole = message.len() / H::BLOCK * H::BLOCK;
        let (mut end, n) = H::pad(message);
        self.0.truncate(start + whole);
        self.0.extend_from_slice(&end[..n]);
        // `zeroize` would write single bytes.
        end.fill(0);
        zeroize::optimization_barrier(&end);
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
        self.end(0);
    }

    /// The messages with their padding.
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
    messages: Message<H>,
    /// Where each message is, and where the previous result is in it.
    places: [(Range<usize>, usize); 8],
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
        let most = result.as_ref().len() + salt.len() + 2 * phrase.len();
        let mut messages = Message::with_room(8, most)?;
        let places = array::from_fn(|kind| {
            let salt = if kind & SALTED != 0 { salt } else { none };
            let again = if kind & TWICE != 0 { phrase } else { none };
            if kind & ODD != 0 {
                let at = phrase.len() + salt.len() + again.len();
                (messages.add(&[phrase, salt, again, result.as_ref()]), at)
            } else {
                (messages.add(&[result.as_ref(), salt, again, phrase]), 0)
            }
        });
        Ok(Self {
            messages,
            places,
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

    /// Where the previous result is in each of the messages, and the messages, if each is one block.
    pub(crate) fn blocks<const BLOCK: usize>(&self) -> Option<([usize; 8], [&[u8; BLOCK]; 8])> {
        let mut blocks = [&[0; BLOCK]; 8];
        for (block, (message, _)) in blocks.iter_mut().zip(&self.places) {
            *block = self.messages.padded()[message.clone()].try_into().ok()?;
        }
        Some((self.places.each_ref().map(|(_, at)| *at), blocks))
    }

    /// Ends the rounds with a result that was computed elsewhere.
    pub(crate) fn finish(&mut self, result: &H::Output) {
        self.round = self.rounds;
        self.result = *result;
    }
}

impl<H: HashFunction> Drop for Rounds<H> {
    fn drop(&mut self) {
        self.result.as_mut().zeroize();
    }
}

/// The properties of a round.
pub(crate) fn kind(round: u64) -> usize {
    (if round & 1 == 1 { ODD } else { 0 })
        | if round.is_multiple_of(3) { 0 } else { SALTED }
        | if round.is_multiple_of(7) { 0 } else { TWICE }
}

impl<H: InTurn> Sequence<H::Output> for Rounds<H> {
    fn message(&self) -> &[u8] {
        if self.round == self.rounds {
            return &[];
        }
        &self.messages.padded()[self.places[self.kind].0.clone()]
    }

    fn next(&mut self, digest: &H::Output) -> bool {
        self.round += 1;
        if self.round == self.rounds {
            self.result = *digest;
            return false;
        }
        self.kind = kind(self.round);
        let (message, at) = &self.places[self.kind];
        self.messages.put(message.start + at, digest.as_ref());
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

/// Hashes many phrases, as [`one`] does. `begin` also receives the index of its phrase. `hash_first`
/// can do the rounds of some phrases.
pub(crate) fn many<'o, H: InTurn, S: Sequence<H::Output>>(
    places: Vec<Place<'o>>,
    results: &mut Results<'o>,
    begin: impl Fn(usize, &mut Writer<'_>) -> Result<S, Error>,
    hash_first: impl Fn(&mut [S]),
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
    hash_first(&mut all);
    H::in_turn(H::Kernel::best(), &mut all);
    for ((index, mut out), rounds) in begun.into_iter().zip(&all) {
        results[index] = end(rounds, &mut out).and_then(|()| out.finish());
    }
}
