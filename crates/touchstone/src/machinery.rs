//! Code that the kernels of several ciphers share: groups of blocks, lanes, serial modes, and
//! the algebra of S-boxes.

pub(crate) mod both;
pub(crate) mod byte_tables;
pub(crate) mod each;
#[cfg(all(target_arch = "x86_64", any(feature = "blake3", feature = "chacha")))]
pub(crate) mod eight_lanes;
pub(crate) mod extract;
pub(crate) mod field;
pub(crate) mod four_words;
pub(crate) mod groups;
pub(crate) mod lanes;
pub(crate) mod ocb;
pub(crate) mod operation;
pub(crate) mod planes;
pub(crate) mod portable;
pub(crate) mod serial;
pub(crate) mod shell;
#[cfg(target_arch = "x86_64")]
pub(crate) mod sliced;
pub(crate) mod tail;
pub(crate) mod unknown;
#[cfg(any(feature = "noekeon", feature = "serpent"))]
pub(crate) mod word;
pub(crate) mod word_pairs;
