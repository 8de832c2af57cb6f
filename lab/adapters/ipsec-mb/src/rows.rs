//! The operations that the library offers as jobs: one row for each primitive and operation.

use crate::keys::{SetUp, aes_size};

/// Numbers of `IMB_CIPHER_MODE`.
mod cipher {
    pub(super) const CBC: u32 = 1;
    pub(super) const CTR: u32 = 2;
    pub(super) const NONE: u32 = 3;
    pub(super) const DES: u32 = 7;
    pub(super) const CCM: u32 = 9;
    pub(super) const DES3: u32 = 10;
    pub(super) const ECB: u32 = 12;
    pub(super) const CHACHA20_POLY1305: u32 = 19;
}

/// Numbers of `IMB_HASH_ALG`.
mod hash {
    /// HMAC with SHA-1, SHA-224, SHA-256, SHA-384, SHA-512 and MD5. The number 6 between
    /// SHA-512 and MD5 is another algorithm.
    pub(super) const HMAC: [u32; 6] = [1, 2, 3, 4, 5, 7];
    pub(super) const NONE: u32 = 8;
    pub(super) const CCM: u32 = 11;
    pub(super) const CMAC_128: u32 = 12;
    /// SHA-1, SHA-224, SHA-256, SHA-384, SHA-512.
    pub(super) const SHA: [u32; 5] = [13, 14, 15, 16, 17];
    pub(super) const CMAC_256: u32 = 27;
    pub(super) const POLY1305: u32 = 28;
    pub(super) const CHACHA20_POLY1305: u32 = 29;
}

/// The parameters of a job, except the message.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row {
    pub(crate) kind: Kind,
    pub(crate) set_up: SetUp,
    pub(crate) cipher: u32,
    pub(crate) hash: u32,
    pub(crate) encrypt: bool,
    /// Length of the nonce in bytes, or `None` if the library checks the length.
    pub(crate) nonce: Option<usize>,
    /// The block's length in bytes. A message must be whole blocks.
    pub(crate) block: usize,
    /// Length of the full tag or digest in bytes.
    pub(crate) tag: usize,
    /// Whether the nonce is the first counter block.
    pub(crate) counts: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Cipher,
    Aead,
    Mac,
    Hash,
}

const HASHES: [(&str, usize); 6] = [
    ("sha-1", 20),
    ("sha-224", 28),
    ("sha-256", 32),
    ("sha-384", 48),
    ("sha-512", 64),
    ("md5", 16),
];

const CIPHERS: [&str; 5] = ["aes-128", "aes-192", "aes-256", "des", "des-ede3"];

/// Returns all primitives and operations for which [`find`] may have a row.
pub(crate) fn all() -> Vec<(String, &'static str)> {
    const MODES: [&str; 8] = [
        "ecb-encrypt",
        "ecb-decrypt",
        "cbc-encrypt",
        "cbc-decrypt",
        "ctr-encrypt",
        "ccm-encrypt",
        "ccm-decrypt",
        "cmac",
    ];
    let ciphers = CIPHERS
        .iter()
        .flat_map(|id| MODES.map(|mode| ((*id).to_owned(), mode)));
    let hashes = HASHES
        .iter()
        .flat_map(|(id, _)| [((*id).to_owned(), "hash"), (format!("hmac-{id}"), "mac")]);
    let others = [
        ("poly1305", "mac"),
        ("chacha20-poly1305", "aead-encrypt"),
        ("chacha20-poly1305", "aead-decrypt"),
    ];
    ciphers
        .chain(hashes)
        .chain(others.map(|(id, operation)| (id.to_owned(), operation)))
        .filter(|(id, operation)| find(id, operation).is_some())
        .collect()
}

/// Returns the row of a primitive and operation.
pub(crate) fn find(primitive: &str, operation: &str) -> Option<Row> {
    let none = Row {
        kind: Kind::Cipher,
        set_up: SetUp::None,
        cipher: cipher::NONE,
        hash: hash::NONE,
        encrypt: !operation.ends_with("-decrypt"),
        nonce: Some(0),
        block: 1,
        tag: 0,
        counts: false,
    };
    let mac = |set_up, hash, tag| Row {
        kind: Kind::Mac,
        set_up,
        hash,
        tag,
        ..none
    };
    let mode = operation
        .strip_suffix("-encrypt")
        .or_else(|| operation.strip_suffix("-decrypt"))
        .unwrap_or(operation);
    match (primitive, mode) {
        ("des", "cbc") => {
            return Some(Row {
                set_up: SetUp::Des,
                cipher: cipher::DES,
                nonce: Some(8),
                block: 8,
                ..none
            });
        }
        ("des-ede3", "cbc") => {
            return Some(Row {
                set_up: SetUp::DesEde3,
                cipher: cipher::DES3,
                nonce: Some(8),
                block: 8,
                ..none
            });
        }
        ("poly1305", "mac") => return Some(mac(SetUp::Plain(32), hash::POLY1305, 16)),
        ("chacha20-poly1305", "aead") => {
            return Some(Row {
                kind: Kind::Aead,
                set_up: SetUp::Plain(32),
                cipher: cipher::CHACHA20_POLY1305,
                hash: hash::CHACHA20_POLY1305,
                nonce: Some(12),
                tag: 16,
                ..none
            });
        }
        (_, "hash") => {
            let place = HASHES.iter().position(|(id, _)| *id == primitive)?;
            return Some(Row {
                kind: Kind::Hash,
                ..mac(SetUp::None, *hash::SHA.get(place)?, HASHES[place].1)
            });
        }
        (_, "mac") => {
            let id = primitive.strip_prefix("hmac-")?;
            let place = HASHES.iter().position(|(known, _)| *known == id)?;
            return Some(mac(SetUp::Hmac(place), hash::HMAC[place], HASHES[place].1));
        }
        _ => {}
    }
    let size = aes_size(primitive)?;
    let cipher = |cipher, nonce, block| Row {
        set_up: SetUp::Aes(size),
        cipher,
        nonce: Some(nonce),
        block,
        ..none
    };
    Some(match (mode, size) {
        ("ecb", _) => cipher(cipher::ECB, 0, 16),
        ("cbc", _) => cipher(cipher::CBC, 16, 16),
        ("ctr", _) => Row {
            counts: true,
            ..cipher(cipher::CTR, 16, 1)
        },
        ("ccm", 0 | 2) => Row {
            kind: Kind::Aead,
            hash: hash::CCM,
            nonce: None,
            tag: 16,
            ..cipher(cipher::CCM, 0, 1)
        },
        ("cmac", 0) => mac(SetUp::Cmac(0), hash::CMAC_128, 16),
        ("cmac", 2) => mac(SetUp::Cmac(2), hash::CMAC_256, 16),
        _ => return None,
    })
}
