//! The traits of this crate, for `use touchstone::prelude::*`. The methods of the crate's types
//! are methods of these traits.

pub use crate::aead::Aead;
pub use crate::byte_array::ByteArray;
pub use crate::cipher::{BlockCipher, BlockDecrypt, BlockEncrypt};
pub use crate::fuse::{FusedDecrypt, FusedEncrypt};
pub use crate::hash::{HashFunction, Xof, XofReader, XofSeek};
pub use crate::keyed::{FixedKey, Keyed, KeyedWith};
pub use crate::mac::{Mac, NonceMac, OneTimeMac};
pub use crate::padding::Padding;
pub use crate::stream::{StreamCipher, StreamKey, StreamSeek};
