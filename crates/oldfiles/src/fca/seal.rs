//! Writing FCA, FCA256 and FZCA.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::ZlibEncoder;
use touchstone::dynamic::{Aead, Announced, Encryptor};
use touchstone::random::Generator;
use zeroize::Zeroizing;

use super::{EAX, FLAGS, Header, LONG_KEY, LONGEST_PASSPHRASE, SALT, VERIFIER, ZLIB};
use crate::error::Error;
use crate::format::Format;
use crate::layer::{CtrHmac, TAG};
use crate::output::{PIECE, read_some};
use crate::settings::{FcaCipher, Limits};

/// How an FCA file is authenticated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FcaMode {
    /// EAX, whose tag depends on the cipher.
    #[default]
    Eax,
    /// CTR, and HMAC over the ciphertext.
    Hmac,
}

/// How [`seal_fca`] writes a file.
#[derive(Debug, Clone, Copy)]
pub struct FcaOptions {
    /// [`Format::Fca`], [`Format::Fca256`] or [`Format::Fzca`].
    pub format: Format,
    /// The authentication.
    pub mode: FcaMode,
    /// The cipher. Only the twin programs, and this crate, open a file with another cipher than
    /// AES.
    pub cipher: FcaCipher,
}

/// Encrypts all that the reader has to an FCA, FCA256 or FZCA file, and returns the number of
/// bytes read. The salt is random.
///
/// # Errors
///
/// [`Error::Setting`] for a format that is none of the three, and for a passphrase that is empty
/// or has more than 255 bytes, which the original programs would cut; [`Error::Read`],
/// [`Error::Write`].
pub fn seal_fca(
    input: &mut dyn Read,
    output: &mut dyn Write,
    passphrase: &[u8],
    options: &FcaOptions,
) -> Result<u64, Error> {
    let mut salt = [0; SALT];
    Generator::new()?.fill(&mut salt)?;
    seal_with(input, output, passphrase, options, salt)
}

fn seal_with(
    input: &mut dyn Read,
    output: &mut dyn Write,
    passphrase: &[u8],
    options: &FcaOptions,
    salt: [u8; SALT],
) -> Result<u64, Error> {
    if passphrase.is_empty() || passphrase.len() > LONGEST_PASSPHRASE {
        return Err(Error::setting(format!(
            "a passphrase of FCA has 1 to {LONGEST_PASSPHRASE} bytes, not {}",
            passphrase.len()
        )));
    }
    let kind = match options.format {
        Format::Fca => 0,
        Format::Fca256 => LONG_KEY,
        Format::Fzca => ZLIB,
        other => {
            return Err(Error::setting(format!("{other} is none of FCA's formats")));
        }
    };
    let mode = match options.mode {
        FcaMode::Eax => EAX,
        FcaMode::Hmac => 0,
    };
    let mut header = Header {
        flags: FLAGS | kind | mode,
        salt,
        verifier: [0; VERIFIER],
    };
    let keys = header.keys(passphrase, &Limits::default())?;
    header.verifier.copy_from_slice(keys.verifier());
    output.write_all(&header.bytes()).map_err(Error::Write)?;
    let name = header.cipher(options.cipher);
    let layer = match options.mode {
        FcaMode::Eax => {
            let aead = Aead::new(&format!("{name}-eax"), keys.cipher())?;
            Sealing::Eax(aead.encryptor(keys.second(), Announced::default())?)
        }
        FcaMode::Hmac => Sealing::Hmac(CtrHmac::new(&header.ctr_hmac(&name, &keys))?),
    };
    let mut counted = Counted { input, count: 0 };
    if kind == ZLIB {
        // Level 6, the level of the original.
        encrypt(
            &mut ZlibEncoder::new(&mut counted, Compression::new(6)),
            output,
            layer,
        )?;
    } else {
        encrypt(&mut counted, output, layer)?;
    }
    Ok(counted.count)
}

enum Sealing {
    Eax(Encryptor),
    Hmac(CtrHmac),
}

fn encrypt(input: &mut dyn Read, output: &mut dyn Write, mut layer: Sealing) -> Result<(), Error> {
    let mut buffer = Zeroizing::new(vec![0; PIECE]);
    loop {
        let length = read_some(input, &mut buffer)?;
        if length == 0 {
            break;
        }
        let piece = &mut buffer[..length];
        match &mut layer {
            Sealing::Eax(eax) => eax.encrypt_inout((&mut *piece).into())?,
            Sealing::Hmac(hmac) => hmac.encrypt(piece)?,
        }
        output.write_all(piece).map_err(Error::Write)?;
    }
    let mut tag = [0; TAG];
    match layer {
        Sealing::Eax(eax) => eax.finish(&mut tag)?,
        Sealing::Hmac(hmac) => hmac.finish(&mut tag)?,
    }
    output.write_all(&tag).map_err(Error::Write)
}

/// Counts the bytes of plaintext.
struct Counted<'a> {
    input: &'a mut dyn Read,
    count: u64,
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let length = self.input.read(buffer)?;
        self.count += length as u64;
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With the salt of a genuine file, the result is that file. The files are those of
    /// `tests/files/fca`; FZCA is left out because its bytes depend on the compressor.
    #[test]
    fn genuine_files_are_made_again() {
        let plain = b"The quick brown fox jumps over the lazy dog.";
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/files/fca/");
        let (aes, twofish, serpent) = (FcaCipher::Aes, FcaCipher::Twofish, FcaCipher::Serpent);
        for (file, format, mode, cipher, plain) in [
            (
                "fca128-eax-a44.txt.fca",
                Format::Fca,
                FcaMode::Eax,
                aes,
                &plain[..],
            ),
            (
                "fca128-eax-empty.txt.fca",
                Format::Fca,
                FcaMode::Eax,
                aes,
                b"",
            ),
            (
                "fca128-hmac-a44.txt.fca",
                Format::Fca,
                FcaMode::Hmac,
                aes,
                plain,
            ),
            (
                "fca256-eax-a44.txt.fca",
                Format::Fca256,
                FcaMode::Eax,
                aes,
                plain,
            ),
            (
                "t_fct-hmac-a44.fca",
                Format::Fca,
                FcaMode::Hmac,
                twofish,
                plain,
            ),
            (
                "t_fcs256-eax-a44.fca",
                Format::Fca256,
                FcaMode::Eax,
                serpent,
                plain,
            ),
        ] {
            let genuine = std::fs::read(format!("{folder}{file}")).expect(file);
            let salt = genuine[2..14].try_into().expect("12 bytes");
            let options = FcaOptions {
                format,
                mode,
                cipher,
            };
            let mut made = Vec::new();
            let count =
                seal_with(&mut &*plain, &mut made, b"test1234", &options, salt).expect(file);
            assert_eq!(count, plain.len() as u64, "{file}");
            assert_eq!(made, genuine, "{file}");
        }
    }
}
