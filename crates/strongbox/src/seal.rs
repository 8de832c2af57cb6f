//! Sealing: from a content to a strongbox.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::unix::fs::FileExt;

use zeroize::Zeroizing;

use crate::content;
use crate::crew::{Pool, ordered};
use crate::end::{End, EndKeys, Transcript};
use crate::error::{Error, Result};
use crate::file_key::FileKey;
use crate::header::{Flags, Header};
use crate::metadata::Metadata;
use crate::payload::{BATCH, CHUNK, Payload, SALT};
use crate::random::Randomness;
use crate::recipient::Recipient;
use crate::sign::SigningKey;
use crate::suite::{SUITES, Suite};

/// How a content is sealed.
#[derive(Debug)]
pub struct SealOptions {
    /// The suite.
    pub suite: &'static Suite,
    /// Who can open the file; at least one.
    pub recipients: Vec<Recipient>,
    /// The sender who signs, if the file is to be signed.
    pub sender: Option<SigningKey>,
    /// The metadata.
    pub metadata: Metadata,
    /// The level of zstd, if the content is to be compressed.
    pub zstd: Option<i32>,
    /// Whether the content is padded.
    pub padded: bool,
    /// Whether the content is an archive.
    pub archive: bool,
    /// Bytes of the header that are left for more recipients.
    pub room: usize,
    /// How many threads seal.
    pub threads: usize,
}

impl SealOptions {
    /// Returns options for these recipients: AES-256-GCM on all processors, without compression,
    /// padding or signature.
    pub fn new(recipients: Vec<Recipient>) -> Self {
        Self {
            suite: &SUITES[0],
            recipients,
            sender: None,
            metadata: Metadata::default(),
            zstd: None,
            padded: false,
            archive: false,
            room: 128,
            threads: threads(),
        }
    }
}

/// Returns how many processors this process may use.
pub fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Where the content comes from.
pub enum Source<'a> {
    /// Any reader, from where it is.
    Stream(&'a mut dyn Read),
    /// A whole file of this length, which several threads read.
    File(&'a File, u64),
}

/// Is told how many bytes of the content were processed since the last call. An error ends the
/// work: a caller who wants to stop it returns [`Error::Interrupted`].
pub type Watch<'a> = &'a mut dyn FnMut(u64) -> Result<()>;

/// The keys and the beginning of a strongbox that is being sealed.
pub(crate) struct Sealing {
    pub(crate) payload: Payload,
    pub(crate) end_keys: EndKeys,
    pub(crate) transcript: Option<Transcript>,
    sender: Option<SigningKey>,
    /// Header and the payload's beginning.
    pub(crate) head: Vec<u8>,
}

impl Sealing {
    pub(crate) fn new(options: &SealOptions, random: &mut dyn Randomness) -> Result<Self> {
        if options.recipients.is_empty() {
            return Err(Error::Usage(
                "nobody could open the file: give a recipient".into(),
            ));
        }
        let flags = Flags {
            zstd: options.zstd.is_some(),
            padded: options.padded,
            archive: options.archive,
            signed: options.sender.is_some(),
        };
        let suite = options.suite;
        let key = FileKey::random(random)?;
        let mut salt = [0; SALT];
        random.fill(&mut salt)?;
        let mut header = Header::new(suite, flags, Vec::new(), Vec::new());
        header.metadata = options.metadata.seal(suite, header.core(), &key)?;
        for recipient in &options.recipients {
            header.stanzas.push(recipient.stanza(&key, random)?);
        }
        let payload = Payload::new(suite, header.core(), &key, salt);
        let mut head = header.encode(&key, options.room, 0)?;
        head.extend_from_slice(&payload.start());
        let start = payload.start();
        Ok(Self {
            end_keys: EndKeys::new(&header, &key),
            transcript: flags.signed.then(|| Transcript::new(&header, &start)),
            sender: options.sender.clone(),
            payload,
            head,
        })
    }

    /// Returns the end record for so many bytes of the payload's plaintext.
    pub(crate) fn end(&mut self, length: u64) -> Vec<u8> {
        let signature = match (self.transcript.take(), &self.sender) {
            (Some(transcript), Some(sender)) => Some(transcript.sign(length, sender)),
            _ => None,
        };
        self.end_keys.seal(&End { length, signature })
    }
}

/// The result of a batch: the sealed bytes, the digests for a signature, and the plaintext's
/// length.
struct Done {
    sealed: Zeroizing<Vec<u8>>,
    digests: Vec<u8>,
    length: u64,
}

/// Seals a content. The result has the same bytes for any number of threads.
///
/// Threads read a file and seal its chunks, and the caller's thread alone writes: threads that
/// write to one file wait for its lock, which costs processor time and saves none.
///
/// # Errors
///
/// [`Error::Io`] if reading or writing failed; [`Error::Usage`] without recipients, or for too
/// many; [`Error::Key`] for a public key that is none; [`Error::TooLong`]; errors of `watch`.
pub fn seal(
    source: Source<'_>,
    output: &mut dyn Write,
    options: &SealOptions,
    random: &mut dyn Randomness,
    watch: Watch<'_>,
) -> Result<()> {
    let mut sealing = Sealing::new(options, random)?;
    output.write_all(&sealing.head)?;
    let length = match source {
        Source::File(input, length) if options.zstd.is_none() && !options.padded => by_offsets(
            &mut sealing,
            (input, length),
            output,
            options.threads,
            watch,
        ),
        Source::File(mut input, _) => in_order(&mut sealing, &mut input, output, options, watch),
        Source::Stream(input) => in_order(&mut sealing, input, output, options, watch),
    }?;
    output.write_all(&sealing.end(length))?;
    output.flush()?;
    Ok(())
}

/// Reads in order on this thread, while other threads seal. Returns the length of the payload's
/// plaintext.
fn in_order(
    sealing: &mut Sealing,
    input: &mut dyn Read,
    output: &mut dyn Write,
    options: &SealOptions,
    watch: Watch<'_>,
) -> Result<u64> {
    let mut content = content::prepare(input, options.zstd, options.padded, options.threads)?;
    let pool = Pool::default();
    let mut total = 0;
    let (mut first, mut ended) = (0, false);
    let feed = || {
        if ended {
            return Ok(None);
        }
        let mut plain = pool.take();
        plain.clear();
        let length = (&mut content)
            .take((BATCH * CHUNK) as u64)
            .read_to_end(&mut plain)?;
        ended = length < BATCH * CHUNK;
        let job = (first, plain, ended);
        first += BATCH as u64;
        Ok(Some(job))
    };
    let Sealing {
        payload,
        transcript,
        ..
    } = sealing;
    let signed = transcript.is_some();
    let work = |(first, plain, last): (u64, Zeroizing<Vec<u8>>, bool)| {
        let done = one_batch(payload, &pool, first, &plain, last, signed);
        pool.put(plain);
        done
    };
    ordered(options.threads, feed, work, |done| {
        let done = done?;
        total += done.length;
        write_batch(output, transcript, &pool, done, watch)
    })?;
    Ok(total)
}

/// Each thread reads batches at their offsets and seals the batches. Returns the file's length.
fn by_offsets(
    sealing: &mut Sealing,
    (input, length): (&File, u64),
    output: &mut dyn Write,
    threads: usize,
    watch: Watch<'_>,
) -> Result<u64> {
    let pool = Pool::default();
    let batch = (BATCH * CHUNK) as u64;
    let mut next = 0;
    let feed = || {
        // The batch that holds the end, which may be empty, is the last.
        let number = next;
        next += 1;
        Ok((number <= length / batch).then_some(number))
    };
    let Sealing {
        payload,
        transcript,
        ..
    } = sealing;
    let signed = transcript.is_some();
    let work = |number: u64| -> Result<Done> {
        let offset = number * batch;
        let size = batch.min(length - offset);
        let mut plain = pool.take();
        plain.resize(size as usize, 0);
        input.read_exact_at(&mut plain, offset).map_err(changed)?;
        let first = number * BATCH as u64;
        let done = one_batch(payload, &pool, first, &plain, size < batch, signed);
        pool.put(plain);
        done
    };
    ordered(threads, feed, work, |done| {
        let done = done?;
        write_batch(output, transcript, &pool, done, watch)
    })?;
    if input.metadata()?.len() != length {
        return Err(changed(io::ErrorKind::UnexpectedEof.into()));
    }
    Ok(length)
}

/// Writes a sealed batch, and gives the buffer back.
fn write_batch(
    output: &mut dyn Write,
    transcript: &mut Option<Transcript>,
    pool: &Pool,
    done: Done,
    watch: Watch<'_>,
) -> Result<()> {
    output.write_all(&done.sealed)?;
    if let Some(transcript) = transcript {
        transcript.add(&done.digests);
    }
    pool.put(done.sealed);
    watch(done.length)
}

/// Makes a clear error of an early end.
fn changed(error: io::Error) -> Error {
    if error.kind() == io::ErrorKind::UnexpectedEof {
        let text = "the file's length changed while the file was read";
        return Error::Io(io::Error::new(io::ErrorKind::UnexpectedEof, text));
    }
    error.into()
}

fn one_batch(
    payload: &Payload,
    pool: &Pool,
    first: u64,
    plain: &[u8],
    last: bool,
    signed: bool,
) -> Result<Done> {
    let mut sealed = pool.take();
    sealed.resize(payload.batch_length(plain, last), 0);
    payload.seal_over(first, plain, last, &mut sealed)?;
    let mut digests = Vec::new();
    if signed {
        payload.digests(&sealed, &mut digests);
    }
    Ok(Done {
        sealed,
        digests,
        length: plain.len() as u64,
    })
}
