//! The ciphers and digests that versions of `openssl enc` have offered, by OpenSSL's names.

use touchstone::dynamic::{Cipher, Direction, Options};

use crate::error::Error;

/// A block cipher.
struct Family {
    /// OpenSSL's name, before the mode.
    theirs: &'static str,
    /// The library's name.
    ours: &'static str,
    key: usize,
    block: usize,
    /// RC2's effective bits.
    bits: Option<u64>,
}

const fn family(theirs: &'static str, ours: &'static str, key: usize, block: usize) -> Family {
    Family {
        theirs,
        ours,
        key,
        block,
        bits: None,
    }
}

const fn rc2(theirs: &'static str, key: usize) -> Family {
    Family {
        bits: Some(8 * key as u64),
        ..family(theirs, "rc2", key, 8)
    }
}

const FAMILIES: &[Family] = &[
    family("aes-128", "aes-128", 16, 16),
    family("aes-192", "aes-192", 24, 16),
    family("aes-256", "aes-256", 32, 16),
    family("aria-128", "aria-128", 16, 16),
    family("aria-192", "aria-192", 24, 16),
    family("aria-256", "aria-256", 32, 16),
    family("camellia-128", "camellia-128", 16, 16),
    family("camellia-192", "camellia-192", 24, 16),
    family("camellia-256", "camellia-256", 32, 16),
    family("sm4", "sm4", 16, 16),
    family("seed", "seed", 16, 16),
    family("bf", "blowfish", 16, 8),
    family("cast5", "cast5", 16, 8),
    family("des", "des", 8, 8),
    family("des-ede", "des-ede2", 16, 8),
    family("des-ede3", "des-ede3", 24, 8),
    family("idea", "idea", 16, 8),
    rc2("rc2", 16),
    rc2("rc2-64", 8),
    rc2("rc2-40", 5),
    family("rc5", "rc5-32-12", 16, 8),
];

/// Modes: OpenSSL's name, the library's name, whether there is an IV.
const MODES: &[(&str, &str, bool)] = &[
    ("cbc", "cbc", true),
    ("ecb", "ecb", false),
    ("cfb", "cfb", true),
    ("cfb8", "cfb8", true),
    ("ofb", "ofb", true),
    ("ctr", "ctr", true),
];

/// Other names of the same ciphers.
const ALIASES: &[(&str, &str)] = &[
    ("aes128", "aes-128-cbc"),
    ("aes192", "aes-192-cbc"),
    ("aes256", "aes-256-cbc"),
    ("aria128", "aria-128-cbc"),
    ("aria192", "aria-192-cbc"),
    ("aria256", "aria-256-cbc"),
    ("camellia128", "camellia-128-cbc"),
    ("camellia192", "camellia-192-cbc"),
    ("camellia256", "camellia-256-cbc"),
    ("bf", "bf-cbc"),
    ("blowfish", "bf-cbc"),
    ("cast", "cast5-cbc"),
    ("cast-cbc", "cast5-cbc"),
    ("des", "des-cbc"),
    ("des3", "des-ede3-cbc"),
    ("des-ede", "des-ede-ecb"),
    ("des-ede3", "des-ede3-ecb"),
    ("idea", "idea-cbc"),
    ("rc2", "rc2-cbc"),
    ("rc2-128", "rc2-cbc"),
    ("rc2-64", "rc2-64-cbc"),
    ("rc2-40", "rc2-40-cbc"),
    ("rc5", "rc5-cbc"),
    ("seed", "seed-cbc"),
    ("sm4", "sm4-cbc"),
];

/// Digests: OpenSSL's name, the library's name, bytes.
const DIGESTS: &[(&str, &str, usize)] = &[
    ("md4", "md4", 16),
    ("md5", "md5", 16),
    ("sha1", "sha-1", 20),
    ("sha224", "sha-224", 28),
    ("sha256", "sha-256", 32),
    ("sha384", "sha-384", 48),
    ("sha512", "sha-512", 64),
    ("sha512-224", "sha-512-224", 28),
    ("sha512-256", "sha-512-256", 32),
    ("sha3-224", "sha3-224", 28),
    ("sha3-256", "sha3-256", 32),
    ("sha3-384", "sha3-384", 48),
    ("sha3-512", "sha3-512", 64),
    ("blake2b512", "blake2b", 64),
    ("blake2s256", "blake2s", 32),
    ("rmd160", "ripemd-160", 20),
    ("ripemd160", "ripemd-160", 20),
    ("ripemd", "ripemd-160", 20),
    ("whirlpool", "whirlpool", 64),
    ("sm3", "sm3", 32),
];

/// The library's name and the length of a digest.
pub(super) fn digest(name: &str) -> Result<(&'static str, usize), Error> {
    let row = DIGESTS.iter().find(|row| row.0.eq_ignore_ascii_case(name));
    let &(_, ours, length) =
        row.ok_or_else(|| Error::unsupported(format!("the digest {name} of OpenSSL")))?;
    Ok((ours, length))
}

/// A cipher with its mode.
#[derive(Clone, Copy)]
pub(super) struct Choice {
    kind: Kind,
    /// Bytes of key and IV.
    pub(super) key: usize,
    pub(super) iv: usize,
    /// The block, if the mode works on whole blocks, which are then padded.
    pub(super) padded: Option<usize>,
}

#[derive(Clone, Copy)]
enum Kind {
    Block(&'static Family, &'static str),
    Rc4,
    ChaCha20,
}

/// Finds a cipher by OpenSSL's name, in any case, with or without a leading dash.
pub(super) fn find(name: &str) -> Result<Choice, Error> {
    let lower = name.trim_start_matches('-').to_ascii_lowercase();
    let alias = ALIASES.iter().find(|alias| alias.0 == lower);
    let full = alias.map_or(lower.as_str(), |alias| alias.1);
    let stream = |kind, key, iv| Choice {
        kind,
        key,
        iv,
        padded: None,
    };
    match full {
        "rc4" => return Ok(stream(Kind::Rc4, 16, 0)),
        "rc4-40" => return Ok(stream(Kind::Rc4, 5, 0)),
        "chacha20" | "chacha" => return Ok(stream(Kind::ChaCha20, 32, 16)),
        _ => {}
    }
    let parts = full.rsplit_once('-').and_then(|(theirs, mode)| {
        let family = FAMILIES.iter().find(|family| family.theirs == theirs)?;
        let mode = MODES.iter().find(|row| row.0 == mode)?;
        Some((family, mode))
    });
    let Some((family, &(_, mode, iv))) = parts else {
        return Err(Error::unsupported(format!("the cipher {name} of OpenSSL")));
    };
    Ok(Choice {
        kind: Kind::Block(family, mode),
        key: family.key,
        iv: if iv { family.block } else { 0 },
        padded: matches!(mode, "cbc" | "ecb").then_some(family.block),
    })
}

impl Choice {
    /// Sets the decryption up.
    pub(super) fn start(&self, key: &[u8], iv: &[u8]) -> Result<Decryption, Error> {
        match self.kind {
            Kind::Block(family, mode) => {
                let options = Options {
                    parameter: family.bits.map(|bits| ("effective-bits", bits)),
                    ..Options::default()
                };
                let name = format!("{}-{mode}", family.ours);
                let mut cipher = Cipher::with(&name, Direction::Decrypt, key, &options)?;
                if !iv.is_empty() {
                    cipher.set_iv(iv)?;
                }
                Ok(Decryption::Plain(cipher))
            }
            Kind::Rc4 => {
                let mut cipher = Cipher::new("rc4", Direction::Decrypt, key)?;
                cipher.set_iv(b"")?;
                Ok(Decryption::Plain(cipher))
            }
            Kind::ChaCha20 => ChaCha::new(key, iv).map(Decryption::ChaCha),
        }
    }
}

/// A decryption in progress.
pub(super) enum Decryption {
    Plain(Cipher),
    ChaCha(ChaCha),
}

impl Decryption {
    pub(super) fn apply(&mut self, data: &mut [u8]) -> Result<(), Error> {
        match self {
            Self::Plain(cipher) => Ok(cipher.apply(data)?),
            Self::ChaCha(chacha) => chacha.apply(data),
        }
    }
}

/// OpenSSL's ChaCha20: the IV is the counter, 32 bits with the least significant byte first, and
/// then the nonce of 12 bytes. A counter that overflows carries into the nonce.
pub(super) struct ChaCha {
    cipher: Cipher,
    nonce: [u8; 12],
    /// Bytes until the counter overflows.
    left: u64,
}

impl ChaCha {
    fn new(key: &[u8], iv: &[u8]) -> Result<Self, Error> {
        let wrong = || Error::setting("an IV of ChaCha20 has 16 bytes");
        let (counter, nonce) = iv.split_first_chunk::<4>().ok_or_else(wrong)?;
        let nonce: [u8; 12] = nonce.try_into().map_err(|_| wrong())?;
        let counter = u64::from(u32::from_le_bytes(*counter));
        let mut cipher = Cipher::new("chacha20", Direction::Decrypt, key)?;
        cipher.set_iv(&nonce)?;
        cipher.seek(64 * counter)?;
        Ok(Self {
            cipher,
            nonce,
            left: 64 * ((1 << 32) - counter),
        })
    }

    fn apply(&mut self, data: &mut [u8]) -> Result<(), Error> {
        let now = usize::try_from(self.left)
            .unwrap_or(usize::MAX)
            .min(data.len());
        let (first, rest) = data.split_at_mut(now);
        self.cipher.apply(first)?;
        self.left -= now as u64;
        if self.left == 0 {
            if let Some(word) = self.nonce.first_chunk_mut::<4>() {
                *word = u32::from_le_bytes(*word).wrapping_add(1).to_le_bytes();
            }
            self.cipher.set_iv(&self.nonce)?;
            self.left = 64 << 32;
        }
        if rest.is_empty() {
            return Ok(());
        }
        self.apply(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_a_cipher() {
        for alias in ALIASES {
            assert!(find(alias.0).is_ok(), "{}", alias.0);
        }
        for family in FAMILIES {
            for mode in MODES {
                let choice = find(&format!("-{}-{}", family.theirs, mode.0)).expect("listed");
                assert!(
                    choice
                        .start(&vec![1; choice.key], &vec![2; choice.iv])
                        .is_ok()
                );
            }
        }
        for name in [
            "aes-256-gcm",
            "aes-256-xts",
            "desx-cbc",
            "aes-128-cfb1",
            "x",
            "",
        ] {
            assert!(
                matches!(find(name), Err(Error::Unsupported { .. })),
                "{name}"
            );
        }
        for row in DIGESTS {
            let mut output = vec![0; row.2];
            let mut hash = touchstone::dynamic::Hash::new(row.1).expect(row.0);
            hash.digest(b"", &mut output).expect(row.0);
        }
    }

    /// A counter that overflows, against one call for each block.
    #[test]
    fn chacha20_carries() {
        let (key, nonce) = ([7; 32], [0xff, 0xff, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8]);
        let iv = |counter: u32, nonce: &[u8]| [&counter.to_le_bytes(), nonce].concat();
        let mut long = [0; 192];
        ChaCha::new(&key, &iv(u32::MAX, &nonce))
            .and_then(|mut c| c.apply(&mut long))
            .expect("works");
        let mut next = nonce;
        next[..4].copy_from_slice(&0x1_0000u32.to_le_bytes());
        for (block, (counter, nonce)) in
            [(u32::MAX, nonce), (0, next), (1, next)].iter().enumerate()
        {
            let mut one = [0; 64];
            ChaCha::new(&key, &iv(*counter, nonce))
                .and_then(|mut c| c.apply(&mut one))
                .expect("works");
            assert_eq!(long[64 * block..][..64], one, "block {block}");
        }
    }
}
