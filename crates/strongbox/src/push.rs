//! Sealing and opening for programs that get their bytes in pieces: bytes go in, bytes come out.
//! Nothing waits for a file, and all work is done on the caller's thread.

use std::io::Write;
use std::sync::{Arc, Mutex};

use zeroize::Zeroizing;

use crate::content::Restore;
use crate::crew::Pool;
use crate::end::Transcript;
use crate::error::{Error, Result};
use crate::header::{FIXED, Header};
use crate::metadata::Metadata;
use crate::open::{OpenOptions, Opened, too_much};
use crate::pad::padme;
use crate::payload::{BATCH, CHUNK, START};
use crate::random::Randomness;
use crate::recipient::{Identity, Limits};
use crate::seal::{SealOptions, Sealing};
use crate::unlock::{Head, Unlocked};

/// Seals a content that comes in pieces.
pub struct Sealer {
    sealing: Sealing,
    padded: bool,
    /// Plaintext of a chunk that is not yet full.
    held: Zeroizing<Vec<u8>>,
    next: u64,
    length: u64,
    /// Bytes that were not yet given out: the header.
    head: Vec<u8>,
}

impl std::fmt::Debug for Sealer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sealer")
            .field("length", &self.length)
            .finish_non_exhaustive()
    }
}

impl Sealer {
    /// Begins a strongbox.
    ///
    /// # Errors
    ///
    /// The errors of [`seal`](crate::seal); [`Error::Usage`] if the options ask for compression.
    pub fn new(options: &SealOptions, random: &mut dyn Randomness) -> Result<Self> {
        if options.zstd.is_some() {
            return Err(Error::Usage("a content in pieces is not compressed".into()));
        }
        let mut sealing = Sealing::new(options, random)?;
        Ok(Self {
            head: std::mem::take(&mut sealing.head),
            sealing,
            padded: options.padded,
            held: Zeroizing::new(Vec::with_capacity(CHUNK)),
            next: 0,
            length: 0,
        })
    }

    /// Adds the next piece of the content, and appends what is sealed by then to `output`.
    ///
    /// # Errors
    ///
    /// [`Error::TooLong`].
    pub fn update(&mut self, content: &[u8], output: &mut Vec<u8>) -> Result<()> {
        self.length += content.len() as u64;
        self.add(content, output)
    }

    fn add(&mut self, content: &[u8], output: &mut Vec<u8>) -> Result<()> {
        output.append(&mut self.head);
        let mut rest = content;
        while !rest.is_empty() {
            let (piece, after) = rest.split_at(rest.len().min(CHUNK - self.held.len()));
            self.held.extend_from_slice(piece);
            rest = after;
            if self.held.len() == CHUNK {
                self.chunk(false, output)?;
            }
        }
        Ok(())
    }

    fn chunk(&mut self, last: bool, output: &mut Vec<u8>) -> Result<()> {
        let start = output.len();
        self.sealing
            .payload
            .seal(self.next, &self.held, last, output)?;
        if let Some(transcript) = &mut self.sealing.transcript {
            let mut digests = Vec::new();
            self.sealing.payload.digests(&output[start..], &mut digests);
            transcript.add(&digests);
        }
        self.held.clear();
        self.next += 1;
        Ok(())
    }

    /// Ends the content and appends the rest of the strongbox to `output`.
    ///
    /// # Errors
    ///
    /// [`Error::TooLong`].
    pub fn finish(mut self, output: &mut Vec<u8>) -> Result<()> {
        let mut length = self.length;
        if self.padded {
            length = padme(length + 1);
            self.add(&[0x80], output)?;
            let zeros = [0; CHUNK];
            let mut left = length - self.length - 1;
            while left > 0 {
                let piece = left.min(CHUNK as u64);
                self.add(&zeros[..piece as usize], output)?;
                left -= piece;
            }
        }
        output.append(&mut self.head);
        self.chunk(true, output)?;
        let end = self.sealing.end(length);
        output.extend_from_slice(&end);
        Ok(())
    }
}

/// Where the content of an [`Opener`] goes until the next call takes it.
#[derive(Clone, Default)]
struct Basin(Arc<Mutex<Zeroizing<Vec<u8>>>>);

impl Basin {
    fn take(&self, output: &mut Vec<u8>) {
        let mut bytes = self
            .0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        output.extend_from_slice(&bytes);
        bytes.clear();
    }
}

impl Write for Basin {
    fn write(&mut self, buffer: &[u8]) -> std::io::Result<usize> {
        let mut bytes = self
            .0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        bytes.extend_from_slice(buffer);
        Ok(buffer.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// An open strongbox, after its head.
struct Body {
    unlocked: Unlocked,
    restore: Restore<'static>,
    transcript: Option<Transcript>,
    next: u64,
    total: u64,
}

/// Opens a strongbox that comes in pieces. What it gives out was verified, chunk by chunk; only
/// [`finish`](Self::finish) says that nothing is missing.
pub struct Opener {
    identities: Vec<Identity>,
    limits: Limits,
    options: OpenOptions,
    held: Vec<u8>,
    basin: Basin,
    pool: Pool,
    body: Option<Body>,
}

impl std::fmt::Debug for Opener {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Opener").finish_non_exhaustive()
    }
}

impl Opener {
    /// Begins to open a strongbox with these keys.
    pub fn new(identities: Vec<Identity>, limits: Limits, options: OpenOptions) -> Self {
        Self {
            identities,
            limits,
            options,
            held: Vec::new(),
            basin: Basin::default(),
            pool: Pool::default(),
            body: None,
        }
    }

    /// Adds the next piece of the strongbox, and appends the content that is verified by then to
    /// `output`. After an error the opener must not be used again.
    ///
    /// # Errors
    ///
    /// The errors of [`Head::unlock`] and [`Unlocked::open_stream`].
    pub fn update(&mut self, sealed: &[u8], output: &mut Vec<u8>) -> Result<()> {
        // Pieces of a bounded length, so that little is held at a time.
        for piece in sealed.chunks(1 << 20) {
            self.held.extend_from_slice(piece);
            if self.body.is_none() && !self.begin()? {
                continue;
            }
            self.whole_batches()?;
            self.basin.take(output);
        }
        Ok(())
    }

    /// Reads the head as soon as it is complete; says whether it is.
    fn begin(&mut self) -> Result<bool> {
        let Some(fixed) = self.held.first_chunk::<FIXED>() else {
            return Ok(false);
        };
        let length = Header::length(fixed)? + START;
        if self.held.len() < length {
            return Ok(false);
        }
        let head = Head::read(&mut &self.held[..length])?;
        let unlocked = head.unlock(&self.identities, &self.limits)?;
        self.held.drain(..length);
        let flags = unlocked.flags();
        self.body = Some(Body {
            restore: Restore::new(Box::new(self.basin.clone()), flags, self.options.most)?,
            transcript: unlocked.transcript(),
            unlocked,
            next: 0,
            total: 0,
        });
        Ok(true)
    }

    /// Opens all batches that the end of the file cannot touch.
    fn whole_batches(&mut self) -> Result<()> {
        let Some(body) = &mut self.body else {
            return Ok(());
        };
        let whole = body.unlocked.payload.sealed_chunk();
        let keep = whole + body.unlocked.end_keys.size();
        let count = self.held.len().saturating_sub(keep) / whole;
        let mut from = 0;
        for batch in self.held[..count * whole].chunks(BATCH * whole) {
            body.open(batch, false, &self.pool, &self.options)?;
            from += batch.len();
        }
        self.held.drain(..from);
        Ok(())
    }

    /// Returns the metadata, once the header was read.
    pub fn metadata(&self) -> Option<&Metadata> {
        self.body.as_ref().map(|body| body.unlocked.metadata())
    }

    /// Ends the strongbox and appends the rest of the content to `output`.
    ///
    /// # Errors
    ///
    /// The errors of [`Unlocked::open_stream`].
    pub fn finish(mut self, output: &mut Vec<u8>) -> Result<Opened> {
        let Some(mut body) = self.body.take() else {
            // Too short for a head: the error says why.
            Head::read(&mut &self.held[..])?;
            return Err(Error::Truncated);
        };
        let end = body.unlocked.split_end(&mut self.held)?;
        body.open(&self.held, true, &self.pool, &self.options)?;
        if end.length != body.total {
            return Err(Error::Length {
                bytes: end.length.abs_diff(body.total),
                missing: body.total < end.length,
            });
        }
        body.restore.finish()?;
        self.basin.take(output);
        body.unlocked.conclude(&end, body.transcript, &self.options)
    }
}

impl Body {
    fn open(
        &mut self,
        sealed: &[u8],
        last: bool,
        pool: &Pool,
        options: &OpenOptions,
    ) -> Result<()> {
        let mut bytes = pool.take();
        bytes.clear();
        bytes.extend_from_slice(sealed);
        let signed = self.transcript.is_some();
        let done = self
            .unlocked
            .one_batch(pool, self.next, bytes, last, signed);
        self.restore
            .write_all(&done.plain)
            .map_err(|error| too_much(error, options))?;
        if let Some(error) = self
            .unlocked
            .explain(&done, done.first + (2 * BATCH) as u64)
        {
            return Err(error);
        }
        if let Some(transcript) = &mut self.transcript {
            transcript.add(&done.digests);
        }
        let whole = self.unlocked.payload.sealed_chunk();
        self.next += (done.sealed.len() / whole) as u64;
        self.total += done.plain.len() as u64;
        pool.put(done.plain);
        pool.put(done.sealed);
        Ok(())
    }
}
