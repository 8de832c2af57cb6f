//! The block ciphers, which the worker finds by the symbols of their descriptors.

use std::ffi::c_int;

use touchstone_worker::{Failure, Shape, Work};

use crate::ffi::{Cipher, TomCrypt, int};

/// Rows: the primitive, the descriptor's symbol, the key's length in bytes if the id states it.
pub(crate) const BLOCK: &[(&str, &str, Option<usize>)] = &[
    ("aes-128", "aes_desc", Some(16)),
    ("aes-192", "aes_desc", Some(24)),
    ("aes-256", "aes_desc", Some(32)),
    ("anubis", "anubis_desc", None),
    ("blowfish", "blowfish_desc", None),
    ("camellia-128", "camellia_desc", Some(16)),
    ("camellia-192", "camellia_desc", Some(24)),
    ("camellia-256", "camellia_desc", Some(32)),
    ("cast5", "cast5_desc", None),
    ("des", "des_desc", Some(8)),
    ("des-ede2", "des3_desc", Some(16)),
    ("des-ede3", "des3_desc", Some(24)),
    ("kasumi", "kasumi_desc", Some(16)),
    ("khazad", "khazad_desc", Some(16)),
    ("multi2", "multi2_desc", Some(40)),
    ("rc2", "rc2_desc", None),
    ("rc5-32-12", "rc5_desc", None),
    ("rc6", "rc6_desc", None),
    ("safer-k64", "safer_k64_desc", Some(8)),
    ("safer-k128", "safer_k128_desc", Some(16)),
    ("safer-plus", "saferp_desc", None),
    ("safer-sk64", "safer_sk64_desc", Some(8)),
    ("safer-sk128", "safer_sk128_desc", Some(16)),
    ("seed", "kseed_desc", Some(16)),
    ("skipjack", "skipjack_desc", Some(10)),
    ("twofish-128", "twofish_desc", Some(16)),
    ("twofish-192", "twofish_desc", Some(24)),
    ("twofish-256", "twofish_desc", Some(32)),
    ("xtea", "xtea_desc", Some(16)),
];

/// A block cipher of the library.
#[derive(Clone, Copy)]
pub(crate) struct Block {
    /// The cipher's number in the library's table.
    pub(crate) number: c_int,
    pub(crate) descriptor: &'static Cipher,
    /// Length of the block in bytes.
    pub(crate) size: usize,
    key: Option<usize>,
    /// The number of rounds; 0 means the default.
    pub(crate) rounds: c_int,
}

impl Block {
    pub(crate) fn find(tom: &TomCrypt, primitive: &str) -> Option<Self> {
        let (_, symbol, key) = BLOCK.iter().find(|(id, ..)| *id == primitive)?;
        let (number, descriptor) = tom.cipher(symbol)?;
        Some(Self {
            number,
            descriptor,
            size: descriptor.block as usize,
            key: *key,
            rounds: 0,
        })
    }

    /// Returns whether a key may have this length in bytes.
    pub(crate) fn takes_key(&self, bytes: usize) -> bool {
        let range = self.descriptor.min_key as usize..=self.descriptor.max_key as usize;
        self.key.is_none_or(|key| key == bytes) && range.contains(&bytes)
    }

    /// Returns the cipher with the work's costs, and the tag's length in bytes. Fails if the
    /// work's lengths do not fit.
    pub(crate) fn fit(mut self, work: &Work, shape: Shape) -> Result<(Self, usize), Failure> {
        let each = work.key.len() / shape.keys;
        if let Some(bits) = work.cost("effective-bits")
            && bits != 8 * each as u64
        {
            return Err(Failure::unsupported(format_args!(
                "an effective key length of {bits} bits"
            )));
        }
        if let Some(rounds) = work.cost("rounds") {
            self.rounds = int(rounds as usize)?;
        }
        let tag = shape.fit(work, |bytes| self.takes_key(bytes))?;
        Ok((self, tag))
    }
}
