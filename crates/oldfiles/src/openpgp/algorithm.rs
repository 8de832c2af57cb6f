//! Algorithms by their numbers, [RFC9580](super) §9.

use crate::error::Error;

/// A block cipher, §9.3.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BlockCipher {
    pub(super) number: u8,
    /// The library's name.
    pub(super) name: &'static str,
    pub(super) key: usize,
    pub(super) block: usize,
}

const fn block(number: u8, name: &'static str, key: usize, block: usize) -> BlockCipher {
    BlockCipher {
        number,
        name,
        key,
        block,
    }
}

pub(super) const IDEA: u8 = 1;

const CIPHERS: &[BlockCipher] = &[
    block(IDEA, "idea", 16, 8),
    block(2, "des-ede3", 24, 8),
    block(3, "cast5", 16, 8),
    block(4, "blowfish", 16, 8),
    block(7, "aes-128", 16, 16),
    block(8, "aes-192", 24, 16),
    block(9, "aes-256", 32, 16),
    block(10, "twofish-256", 32, 16),
    block(11, "camellia-128", 16, 16),
    block(12, "camellia-192", 24, 16),
    block(13, "camellia-256", 32, 16),
];

/// Hash functions, §9.5: number and the library's name.
const HASHES: &[(u8, &str)] = &[
    (1, "md5"),
    (2, "sha-1"),
    (3, "ripemd-160"),
    (8, "sha-256"),
    (9, "sha-384"),
    (10, "sha-512"),
    (11, "sha-224"),
    (12, "sha3-256"),
    (14, "sha3-512"),
];

pub(super) const MD5: u8 = 1;

/// The cipher with this number, if there is one.
pub(super) fn find_cipher(number: u8) -> Option<BlockCipher> {
    CIPHERS.iter().find(|row| row.number == number).copied()
}

pub(super) fn cipher(number: u8) -> Result<BlockCipher, Error> {
    find_cipher(number)
        .ok_or_else(|| Error::unsupported(format!("the cipher with OpenPGP's number {number}")))
}

/// The library's name of a hash function.
pub(super) fn hash(number: u8) -> Result<&'static str, Error> {
    let row = HASHES.iter().find(|row| row.0 == number);
    let row = row.ok_or_else(|| {
        Error::unsupported(format!("the hash function with OpenPGP's number {number}"))
    })?;
    Ok(row.1)
}

/// An AEAD mode, §9.6.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mode {
    pub(super) number: u8,
    /// The library's name.
    pub(super) name: &'static str,
    pub(super) nonce: usize,
}

const MODES: &[Mode] = &[
    Mode {
        number: 1,
        name: "eax",
        nonce: 16,
    },
    Mode {
        number: 2,
        name: "ocb",
        nonce: 15,
    },
    Mode {
        number: 3,
        name: "gcm",
        nonce: 12,
    },
];

/// An AEAD mode over a cipher, which must have blocks of 16 bytes.
pub(super) fn aead(cipher: BlockCipher, number: u8) -> Result<Mode, Error> {
    let mode = MODES.iter().find(|mode| mode.number == number);
    let mode = mode.filter(|_| cipher.block == 16).ok_or_else(|| {
        Error::unsupported(format!(
            "the AEAD with OpenPGP's number {number} over {}",
            cipher.name
        ))
    })?;
    Ok(*mode)
}
