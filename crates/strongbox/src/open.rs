//! Opening: from a strongbox to its content. No byte is written before its chunk was verified.

use std::io::{self, Read, Write};

use zeroize::Zeroizing;

use crate::content::{Restore, TooMuch};
use crate::crew::{Pool, ordered};
use crate::end::{End, Transcript};
use crate::error::{Error, Result};
use crate::explain;
use crate::payload::{BATCH, BadChunk};
use crate::seal::Watch;
use crate::sign::SenderKey;
use crate::unlock::{ReadAt, Unlocked};

/// How a strongbox is opened.
#[derive(Debug, Clone)]
pub struct OpenOptions {
    /// How many threads open chunks.
    pub threads: usize,
    /// The longest content that is accepted, in bytes.
    pub most: u64,
    /// The senders of whom one must have signed. If this is empty, a signature is verified if
    /// there is one, and none is demanded.
    pub senders: Vec<SenderKey>,
}

impl Default for OpenOptions {
    fn default() -> Self {
        Self {
            threads: crate::seal::threads(),
            most: u64::MAX,
            senders: Vec::new(),
        }
    }
}

/// What was opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opened {
    /// The length of the payload's plaintext in bytes: the content, compressed and padded.
    pub length: u64,
    /// The sender whose signature was verified.
    pub sender: Option<SenderKey>,
}

/// The result of a batch.
pub(crate) struct Done {
    pub(crate) plain: Zeroizing<Vec<u8>>,
    pub(crate) digests: Vec<u8>,
    pub(crate) sealed: Zeroizing<Vec<u8>>,
    pub(crate) first: u64,
    pub(crate) bad: Option<BadChunk>,
}

impl Unlocked {
    pub(crate) fn transcript(&self) -> Option<Transcript> {
        let signed = self.header.flags.signed;
        signed.then(|| Transcript::new(&self.header, &self.payload.start()))
    }

    /// Opens one batch of chunks.
    pub(crate) fn one_batch(
        &self,
        pool: &Pool,
        first: u64,
        sealed: Zeroizing<Vec<u8>>,
        last: bool,
        signed: bool,
    ) -> Done {
        let mut plain = pool.take();
        let bad = self.payload.open(first, &sealed, last, &mut plain).err();
        let mut digests = Vec::new();
        if signed {
            self.payload.digests(&sealed, &mut digests);
        }
        Done {
            plain,
            digests,
            sealed,
            first,
            bad,
        }
    }

    /// Returns the error for a batch with a chunk that is not genuine.
    pub(crate) fn explain(&self, done: &Done, count: u64) -> Option<Error> {
        let BadChunk(index) = done.bad?;
        let whole = self.payload.sealed_chunk();
        let from = (index - done.first) as usize * whole;
        let rest = done.sealed.get(from..).unwrap_or_default();
        let chunk = &rest[..rest.len().min(whole)];
        if chunk.len() < self.payload.overhead() {
            return Some(Error::Truncated);
        }
        Some(explain::chunk(self, index, chunk, count))
    }

    /// Ends a strongbox whose chunks were all genuine.
    pub(crate) fn conclude(
        &self,
        end: &End,
        transcript: Option<Transcript>,
        options: &OpenOptions,
    ) -> Result<Opened> {
        let sender = transcript
            .map(|transcript| transcript.verify(end))
            .transpose()?;
        match sender {
            None if !options.senders.is_empty() => return Err(Error::Unsigned),
            Some(sender) if !options.senders.is_empty() && !options.senders.contains(&sender) => {
                return Err(Error::OtherSender(crate::text::sender(&sender)));
            }
            _ => {}
        }
        Ok(Opened {
            length: end.length,
            sender,
        })
    }

    /// Opens the chunks that follow the head in a stream, and writes the content in order.
    ///
    /// The end of a stream is not known in advance. So the content of all chunks before a fault is
    /// written before the fault is found; each of these chunks was genuine and at its place.
    ///
    /// # Errors
    ///
    /// The errors that say that the file is not intact; [`Error::Inflated`];
    /// [`Error::Unsigned`], [`Error::OtherSender`] and [`Error::BadSignature`]; [`Error::Io`];
    /// errors of `watch`.
    pub fn open_stream(
        &self,
        input: &mut dyn Read,
        output: &mut (dyn Write + Send),
        options: &OpenOptions,
        watch: Watch<'_>,
    ) -> Result<Opened> {
        let mut transcript = self.transcript();
        let signed = transcript.is_some();
        let mut restore = Restore::new(Box::new(output), self.header.flags, options.most)?;
        let pool = Pool::default();
        let batch = BATCH * self.payload.sealed_chunk();
        // Bytes that were read and may belong to the last chunk and the end record.
        let keep = self.payload.sealed_chunk() + self.end_keys.size();
        let mut held: Vec<u8> = Vec::with_capacity(batch + keep);
        let (mut first, mut total) = (0, 0);
        let mut record = None;
        let feed = || {
            if record.is_some() {
                return Ok(None);
            }
            let wanted = batch + keep;
            let missing = (wanted - held.len()) as u64;
            (&mut *input).take(missing).read_to_end(&mut held)?;
            let mut sealed = pool.take();
            sealed.clear();
            let last = held.len() < wanted;
            if last {
                let rest = self.split_end(&mut held)?;
                record = Some(rest);
            }
            let cut = if last { held.len() } else { batch };
            sealed.extend_from_slice(&held[..cut]);
            held.drain(..cut);
            let job = (first, sealed, last);
            first += BATCH as u64;
            Ok(Some(job))
        };
        let work = |(first, sealed, last)| self.one_batch(&pool, first, sealed, last, signed);
        ordered(options.threads, feed, work, |done: Done| {
            restore
                .write_all(&done.plain)
                .map_err(|error| too_much(error, options))?;
            if let Some(error) = self.explain(&done, done.first + (2 * BATCH) as u64) {
                return Err(error);
            }
            if let Some(transcript) = &mut transcript {
                transcript.add(&done.digests);
            }
            let length = done.plain.len() as u64;
            total += length;
            pool.put(done.plain);
            pool.put(done.sealed);
            watch(length)
        })?;
        let end: End = record.ok_or(Error::Truncated)?;
        if end.length != total {
            return Err(Error::Length {
                bytes: end.length.abs_diff(total),
                missing: total < end.length,
            });
        }
        restore.finish()?;
        self.conclude(&end, transcript, options)
    }

    /// Splits the end record from the last bytes of a stream.
    pub(crate) fn split_end(&self, held: &mut Vec<u8>) -> Result<End> {
        let keys = &self.end_keys;
        let place = held
            .len()
            .checked_sub(keys.size())
            .ok_or(Error::Truncated)?;
        if keys.is_marked(&held[place..]) {
            let end = keys.open(&held[place..])?;
            held.truncate(place);
            return Ok(end);
        }
        let found = explain::position(held, &keys.mark);
        Err(match found.map(|place| place + keys.size()) {
            Some(end) if end < held.len() => Error::Extended {
                bytes: (held.len() - end) as u64,
            },
            _ => Error::Truncated,
        })
    }

    /// Opens a whole file, and writes the content in order. The end of the file is checked before
    /// a byte is written.
    ///
    /// # Errors
    ///
    /// The errors of [`open_stream`](Self::open_stream).
    pub fn open_to(
        &self,
        input: &(impl ReadAt + ?Sized),
        output: &mut (dyn Write + Send),
        options: &OpenOptions,
        watch: Watch<'_>,
    ) -> Result<Opened> {
        let mut restore = Restore::new(Box::new(output), self.header.flags, options.most)?;
        let opened = self.each_batch(input, 0, options, &mut |plain| {
            restore
                .write_all(plain)
                .map_err(|error| too_much(error, options))?;
            watch(plain.len() as u64)
        })?;
        restore.finish()?;
        Ok(opened)
    }

    /// Opens a file from chunk number `first` on, and writes the content in order: the rest of a
    /// content whose beginning the caller has. No signature is verified, because it covers the
    /// whole file.
    ///
    /// # Errors
    ///
    /// The errors of [`open_stream`](Self::open_stream); [`Error::Usage`] if the content is
    /// compressed or padded.
    pub fn open_from(
        &self,
        input: &(impl ReadAt + ?Sized),
        first: u64,
        output: &mut dyn Write,
        options: &OpenOptions,
        watch: Watch<'_>,
    ) -> Result<Opened> {
        let flags = self.header.flags;
        if flags.zstd || flags.padded {
            let text = "a compressed or padded content cannot be opened from its middle on";
            return Err(Error::Usage(text.into()));
        }
        self.each_batch(input, first, options, &mut |plain| {
            output.write_all(plain)?;
            watch(plain.len() as u64)
        })
    }

    /// Verifies a whole file, and writes nothing.
    ///
    /// # Errors
    ///
    /// The errors of [`open_stream`](Self::open_stream).
    pub fn verify(
        &self,
        input: &(impl ReadAt + ?Sized),
        options: &OpenOptions,
        watch: Watch<'_>,
    ) -> Result<Opened> {
        self.each_batch(input, 0, options, &mut |plain| watch(plain.len() as u64))
    }

    /// Opens batches from chunk `first` on. `take` gets the plaintext in order, on the caller's
    /// thread: a file has one lock, so a second thread that writes would only wait.
    fn each_batch(
        &self,
        input: &(impl ReadAt + ?Sized),
        first: u64,
        options: &OpenOptions,
        take: &mut dyn FnMut(&[u8]) -> Result<()>,
    ) -> Result<Opened> {
        let (end, sealed_length) = explain::end(self, input)?;
        let mut transcript = self.transcript().filter(|_| first == 0);
        let signed = transcript.is_some();
        let pool = Pool::default();
        let whole = self.payload.sealed_chunk() as u64;
        let batch = BATCH as u64 * whole;
        let mut next = first;
        let feed = || {
            let number = next;
            next += BATCH as u64;
            Ok((number * whole < sealed_length).then_some(number))
        };
        let work = |number: u64| -> Result<Done> {
            let offset = number * whole;
            let size = batch.min(sealed_length - offset);
            let mut sealed = pool.take();
            sealed.resize(size as usize, 0);
            input.read_exact_at(&mut sealed, self.first_chunk() + offset)?;
            let last = offset + size == sealed_length;
            Ok(self.one_batch(&pool, number, sealed, last, signed))
        };
        ordered(options.threads, feed, work, |done| {
            let done = done?;
            take(&done.plain)?;
            if let Some(error) = self.explain(&done, sealed_length / whole + 1) {
                return Err(error);
            }
            if let Some(transcript) = &mut transcript {
                transcript.add(&done.digests);
            }
            pool.put(done.plain);
            pool.put(done.sealed);
            Ok(())
        })?;
        self.conclude(&end, transcript, options)
    }
}

/// Tells the caller's limit apart from the system's errors.
pub(crate) fn too_much(error: io::Error, options: &OpenOptions) -> Error {
    if error.get_ref().is_some_and(|inner| inner.is::<TooMuch>()) {
        Error::Inflated(options.most)
    } else {
        Error::Io(error)
    }
}
