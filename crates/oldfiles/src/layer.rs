//! Encryption with a tag at the end, and the two passes over it: the first checks the tag and
//! keeps nothing, the second decrypts. So no byte is released before all of them are verified,
//! with no room for the whole plaintext.

use std::io::{self, Read, Seek, SeekFrom};

use touchstone::dynamic::{Aead, Announced, Cipher, Decryptor, Direction, Encryptor, Hash, Mac};
use touchstone::dynamic::{Error as Refusal, Options};
use zeroize::Zeroizing;

use crate::error::Error;
use crate::output::{PIECE, drain, read_some};

/// Decryption in pieces, with a tag at the end.
pub(crate) trait Layer {
    /// Decrypts the next piece.
    fn apply(&mut self, data: &mut [u8]) -> Result<(), Error>;

    /// Whether the tag belongs to all pieces together.
    fn verify(self: Box<Self>, tag: &[u8]) -> Result<bool, Error>;
}

/// A layer that is set up with its key, for each pass.
pub(crate) type Make<'a> = dyn Fn() -> Result<Box<dyn Layer>, Error> + 'a;

/// Length of all tags but those of PEA's cascades and of ZIP.
pub(crate) const TAG: usize = 16;

fn genuine(result: Result<(), Refusal>) -> Result<bool, Error> {
    match result {
        Ok(()) => Ok(true),
        Err(Refusal::Forged) => Ok(false),
        Err(other) => Err(other.into()),
    }
}

/// EAX without associated data.
pub(crate) struct Eax(Decryptor);

impl Eax {
    pub(crate) fn make(cipher: &str, key: &[u8], nonce: &[u8]) -> Result<Box<dyn Layer>, Error> {
        let aead = Aead::new(&format!("{cipher}-eax"), key)?;
        Ok(Box::new(Self(aead.decryptor(nonce, Announced::default())?)))
    }
}

impl Layer for Eax {
    fn apply(&mut self, data: &mut [u8]) -> Result<(), Error> {
        Ok(self.0.decrypt_unverified_inout(data.into())?)
    }

    fn verify(self: Box<Self>, tag: &[u8]) -> Result<bool, Error> {
        genuine(self.0.verify(tag))
    }
}

/// Counter mode, and HMAC over the ciphertext.
pub(crate) struct CtrHmac {
    cipher: Cipher,
    mac: Mac,
}

/// The parameters of [`CtrHmac`].
pub(crate) struct CtrHmacOf<'a> {
    /// The block cipher.
    pub(crate) cipher: &'a str,
    pub(crate) key: &'a [u8],
    pub(crate) first_counter: [u8; 16],
    /// Whether the counter is a little-endian number.
    pub(crate) little_endian: bool,
    /// The hash function of HMAC.
    pub(crate) hash: &'a str,
    pub(crate) mac_key: &'a [u8],
    /// Bytes to which tags are cut.
    pub(crate) tag: usize,
}

impl CtrHmac {
    pub(crate) fn new(of: &CtrHmacOf<'_>) -> Result<Self, Error> {
        let options = Options {
            parameter: Some(("counter", u64::from(of.little_endian))),
            ..Options::default()
        };
        let name = format!("{}-ctr", of.cipher);
        let mut cipher = Cipher::with(&name, Direction::Decrypt, of.key, &options)?;
        cipher.set_iv(&of.first_counter)?;
        let mac = Mac::new(&format!("hmac-{}", of.hash), of.mac_key)?.with_tag(of.tag)?;
        Ok(Self { cipher, mac })
    }

    pub(crate) fn make(of: &CtrHmacOf<'_>) -> Result<Box<dyn Layer>, Error> {
        Ok(Box::new(Self::new(of)?))
    }

    /// Encrypts the next piece.
    pub(crate) fn encrypt(&mut self, data: &mut [u8]) -> Result<(), Error> {
        self.cipher.apply(data)?;
        Ok(self.mac.update(data)?)
    }

    /// Ends the message and writes its tag.
    pub(crate) fn finish(mut self, tag: &mut [u8]) -> Result<(), Error> {
        Ok(self.mac.finalize(tag)?)
    }
}

impl Layer for CtrHmac {
    fn apply(&mut self, data: &mut [u8]) -> Result<(), Error> {
        self.mac.update(data)?;
        Ok(self.cipher.apply(data)?)
    }

    fn verify(mut self: Box<Self>, tag: &[u8]) -> Result<bool, Error> {
        genuine(self.mac.verify(tag))
    }
}

/// PEA's cascade: several layers of EAX, and one tag, SHA3-384 of the layers' tags.
///
/// The library checks a tag and never reveals the right one, so each layer encrypts its plaintext
/// again, which gives the tag.
pub(crate) struct Cascade(Vec<(Decryptor, Encryptor)>);

impl Cascade {
    /// The layers in the order of encryption: cipher, key, nonce.
    pub(crate) fn make(layers: &[(String, &[u8], &[u8])]) -> Result<Box<dyn Layer>, Error> {
        let layer = |(cipher, key, nonce): &(String, &[u8], &[u8])| {
            let aead = Aead::new(&format!("{cipher}-eax"), key)?;
            Ok((
                aead.decryptor(nonce, Announced::default())?,
                aead.encryptor(nonce, Announced::default())?,
            ))
        };
        let layers: Result<Vec<_>, Error> = layers.iter().map(layer).collect();
        Ok(Box::new(Self(layers?)))
    }
}

impl Layer for Cascade {
    fn apply(&mut self, data: &mut [u8]) -> Result<(), Error> {
        let mut again = Zeroizing::new(vec![0; data.len()]);
        for (decryptor, encryptor) in self.0.iter_mut().rev() {
            decryptor.decrypt_unverified_inout((&mut *data).into())?;
            again.copy_from_slice(data);
            encryptor.encrypt_inout(again.as_mut_slice().into())?;
        }
        Ok(())
    }

    fn verify(self: Box<Self>, tag: &[u8]) -> Result<bool, Error> {
        let mut tags = [0; 3 * TAG];
        for ((_, encryptor), tag) in self.0.into_iter().zip(tags.chunks_mut(TAG)) {
            encryptor.finish(tag)?;
        }
        let mut digest = [0; 48];
        Hash::new("sha3-384")?.digest(&tags, &mut digest)?;
        Ok(touchstone::constant_time_eq(&digest, tag))
    }
}

/// Encrypted bytes of a file from one position to another, and their tag.
pub(crate) struct Sealed<'a, R> {
    pub(crate) input: &'a mut R,
    pub(crate) start: u64,
    pub(crate) end: u64,
    pub(crate) tag: Vec<u8>,
    pub(crate) make: &'a Make<'a>,
}

impl<R: Read + Seek> Sealed<'_, R> {
    /// The first pass: checks the tag.
    pub(crate) fn verify(&mut self) -> Result<(), Error> {
        let part = "encrypted data";
        let mut reader = self.reader(Error::Damaged { part })?;
        drain(&mut reader)?;
        Ok(())
    }

    /// The second pass: a reader of the plaintext, which checks the tag again at its end. The
    /// caller must read to the end.
    pub(crate) fn plaintext(&mut self) -> Result<Plaintext<'_, R>, Error> {
        self.reader(Error::Changed)
    }

    fn reader(&mut self, mismatch: Error) -> Result<Plaintext<'_, R>, Error> {
        self.input.seek(SeekFrom::Start(self.start))?;
        Ok(Plaintext {
            input: self.input,
            left: self.end.saturating_sub(self.start),
            tag: &self.tag,
            layer: Some((self.make)()?),
            mismatch: Some(mismatch),
            buffer: Zeroizing::new(vec![0; PIECE]),
            range: 0..0,
        })
    }
}

/// A reader of plaintext that fails at its end if the tag is wrong.
pub(crate) struct Plaintext<'a, R> {
    input: &'a mut R,
    left: u64,
    tag: &'a [u8],
    layer: Option<Box<dyn Layer>>,
    mismatch: Option<Error>,
    buffer: Zeroizing<Vec<u8>>,
    /// The bytes of the buffer that are decrypted and not yet read.
    range: std::ops::Range<usize>,
}

impl<R: Read> Plaintext<'_, R> {
    fn refill(&mut self) -> Result<(), Error> {
        let Some(layer) = &mut self.layer else {
            return Ok(());
        };
        if self.left == 0 {
            let layer = self.layer.take();
            return match layer.map(|layer| layer.verify(self.tag)).transpose()? {
                Some(true) => Ok(()),
                _ => Err(self.mismatch.take().unwrap_or(Error::Changed)),
            };
        }
        let length = self
            .buffer
            .len()
            .min(usize::try_from(self.left).unwrap_or(usize::MAX));
        let read = read_some(self.input, &mut self.buffer[..length])?;
        if read == 0 {
            return Err(Error::Changed);
        }
        self.left -= read as u64;
        layer.apply(&mut self.buffer[..read])?;
        self.range = 0..read;
        Ok(())
    }
}

impl<R: Read> Read for Plaintext<'_, R> {
    fn read(&mut self, output: &mut [u8]) -> io::Result<usize> {
        if output.is_empty() {
            return Ok(0);
        }
        while self.range.is_empty() && self.layer.is_some() {
            self.refill()?;
        }
        let length = self.range.len().min(output.len());
        let end = self.range.start + length;
        output[..length].copy_from_slice(&self.buffer[self.range.start..end]);
        self.range.start = end;
        Ok(length)
    }
}
