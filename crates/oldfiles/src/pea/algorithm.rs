//! The algorithms of PEA by their numbers: checks, and encryption.

use touchstone::checksum::{Adler32, Crc32, Crc64We};
use touchstone::dynamic::Hash;
use zeroize::Zeroizing;

use crate::error::Error;
use crate::layer::Layer;

/// A check without a key, of an object, a volume or a stream that is not encrypted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Check {
    None,
    Adler32,
    Crc32,
    /// W. Ehrhardt's CRC-64, the lower half first.
    Crc64,
    /// A hash function, by the library's name, and the bytes of a digest.
    Hash(&'static str, usize),
}

impl Check {
    pub(super) fn find(number: u8) -> Result<Self, Error> {
        Ok(match number {
            0 => Self::None,
            1 => Self::Adler32,
            2 => Self::Crc32,
            3 => Self::Crc64,
            0x10 => Self::Hash("md5", 16),
            0x11 => Self::Hash("ripemd-160", 20),
            0x12 => Self::Hash("sha-1", 20),
            0x13 => Self::Hash("sha-256", 32),
            0x14 => Self::Hash("sha-512", 64),
            0x15 => Self::Hash("whirlpool", 64),
            0x16 => Self::Hash("sha3-256", 32),
            0x17 => Self::Hash("sha3-512", 64),
            0x18 => Self::Hash("blake2s", 32),
            0x19 => Self::Hash("blake2b", 64),
            other => {
                return Err(Error::unsupported(format!("algorithm {other:#04x} of PEA")));
            }
        })
    }

    /// Bytes of the check.
    pub(super) fn length(self) -> usize {
        match self {
            Self::None => 0,
            Self::Adler32 | Self::Crc32 => 4,
            Self::Crc64 => 8,
            Self::Hash(_, length) => length,
        }
    }

    /// Whether there is a check.
    pub(super) fn is_some(self) -> bool {
        self != Self::None
    }
}

/// The algorithm of the stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stream {
    Plain(Check),
    /// AES-128 in counter mode, with HMAC-SHA-1.
    Hmac,
    /// EAX with one cipher, and the bytes of the key.
    Eax([&'static str; 1], usize),
    /// EAX with three ciphers.
    Cascade([&'static str; 3]),
}

const AES: &str = "aes";
const TWOFISH: &str = "twofish";
const SERPENT: &str = "serpent";

impl Stream {
    pub(super) fn find(number: u8) -> Result<Self, Error> {
        Ok(match number {
            0x30 => Self::Hmac,
            0x31 => Self::Eax([AES], 16),
            0x32 => Self::Eax([TWOFISH], 16),
            0x33 => Self::Eax([SERPENT], 16),
            0x41 => Self::Eax([AES], 32),
            0x42 => Self::Eax([TWOFISH], 32),
            0x43 => Self::Eax([SERPENT], 32),
            0x44 => Self::Cascade([AES, TWOFISH, SERPENT]),
            0x45 => Self::Cascade([TWOFISH, SERPENT, AES]),
            0x46 => Self::Cascade([SERPENT, AES, TWOFISH]),
            other => Self::Plain(Check::find(other)?),
        })
    }

    /// The ciphers in the order of encryption, by the library's names without the key's length.
    pub(super) fn ciphers(&self) -> &[&'static str] {
        match self {
            Self::Plain(_) => &[],
            Self::Hmac => &[AES],
            Self::Eax(cipher, _) => cipher,
            Self::Cascade(ciphers) => ciphers,
        }
    }

    /// Bytes of each key.
    pub(super) fn key(&self) -> usize {
        match self {
            Self::Plain(_) => 0,
            Self::Hmac => 16,
            Self::Eax(_, key) => *key,
            Self::Cascade(_) => 32,
        }
    }

    /// Bytes of the tag.
    pub(super) fn tag(&self) -> usize {
        match self {
            Self::Plain(check) => check.length(),
            Self::Hmac | Self::Eax(..) => 16,
            Self::Cascade(_) => 48,
        }
    }

    pub(super) fn check(&self) -> Option<Check> {
        match self {
            Self::Plain(check) => Some(*check),
            _ => None,
        }
    }

    pub(super) fn is_encrypted(&self) -> bool {
        !matches!(self, Self::Plain(_))
    }

    pub(super) fn is_hmac(&self) -> bool {
        matches!(self, Self::Hmac)
    }

    pub(super) fn is_cascade(&self) -> bool {
        matches!(self, Self::Cascade(_))
    }

    /// The hash function of PBKDF2 and its iterations, for one of the ciphers.
    pub(super) fn hash(&self, cipher: &str, cost: u8) -> (&'static str, u32) {
        let more = 100_000 * u32::from(cost);
        match self {
            Self::Cascade(_) => match cipher {
                TWOFISH => ("sha-512", 50_000 + more),
                SERPENT => ("sha3-512", 75_000 + more),
                _ => ("whirlpool", 25_000 + more),
            },
            _ if self.key() == 32 => ("whirlpool", 1000),
            _ => ("sha-1", 1000),
        }
    }

    pub(super) fn describe(&self) -> String {
        let bits = 8 * self.key();
        match self {
            Self::Plain(Check::None) => "none".to_owned(),
            Self::Plain(check) => format!("none, with a check of {} bytes", check.length()),
            Self::Hmac => "aes-128-ctr with hmac-sha-1".to_owned(),
            Self::Eax([cipher], _) => format!("{cipher}-{bits}-eax"),
            Self::Cascade(ciphers) => {
                let names = ciphers.map(|cipher| format!("{cipher}-{bits}-eax"));
                names.join(", then ")
            }
        }
    }

    pub(super) fn kdf(&self, cost: u8) -> String {
        let each = self.ciphers().iter().map(|cipher| {
            let (hash, iterations) = self.hash(cipher, cost);
            format!("pbkdf2-hmac-{hash}, {iterations} iterations")
        });
        each.collect::<Vec<_>>().join("; ")
    }
}

/// The secret of the cipher at this place of a cascade: the second and the third are masked by
/// the length, the place of each byte and the first letter of the cipher's name.
pub(super) fn mask(secret: &[u8], place: usize, cipher: &str) -> Zeroizing<Vec<u8>> {
    let letter = cipher.as_bytes().first().copied().unwrap_or_default();
    let letter = letter.to_ascii_uppercase();
    let length = secret.len();
    let masked = secret.iter().enumerate().map(|(i, byte)| match place {
        0 => *byte,
        1 => byte ^ length.wrapping_add(i) as u8 ^ letter,
        _ => byte ^ (length ^ i) as u8 ^ letter,
    });
    let mut all = Zeroizing::new(Vec::with_capacity(length));
    all.extend(masked);
    all
}

/// Bytes that are not encrypted and have a check at their end: a stream, or a volume.
pub(super) struct Checked(Sum);

enum Sum {
    None,
    Adler32(Adler32),
    Crc32(Crc32),
    Crc64(Crc64We),
    Hash(Hash, usize),
}

impl Checked {
    /// The check covers the headers of a stream too.
    pub(super) fn make(check: Option<Check>, headers: &[u8]) -> Result<Box<dyn Layer>, Error> {
        let mut sum = match check {
            Some(Check::Adler32) => Sum::Adler32(Adler32::new()),
            Some(Check::Crc32) => Sum::Crc32(Crc32::new()),
            Some(Check::Crc64) => Sum::Crc64(Crc64We::new()),
            Some(Check::Hash(name, length)) => Sum::Hash(Hash::new(name)?, length),
            Some(Check::None) | None => Sum::None,
        };
        sum.update(headers);
        Ok(Box::new(Self(sum)))
    }
}

impl Sum {
    fn update(&mut self, data: &[u8]) {
        match self {
            Self::None => {}
            Self::Adler32(sum) => sum.update(data),
            Self::Crc32(sum) => sum.update(data),
            Self::Crc64(sum) => sum.update(data),
            Self::Hash(hash, _) => hash.update(data),
        }
    }
}

impl Layer for Checked {
    fn apply(&mut self, data: &mut [u8]) -> Result<(), Error> {
        self.0.update(data);
        Ok(())
    }

    fn verify(self: Box<Self>, tag: &[u8]) -> Result<bool, Error> {
        Ok(match self.0 {
            Sum::None => true,
            Sum::Adler32(sum) => sum.finalize().to_le_bytes() == tag,
            Sum::Crc32(sum) => sum.finalize().to_le_bytes() == tag,
            Sum::Crc64(sum) => sum.finalize().to_le_bytes() == tag,
            Sum::Hash(mut hash, length) => {
                let mut digest = vec![0; length];
                hash.finalize(&mut digest)?;
                digest == tag
            }
        })
    }
}
