//! The operations of a kernel, as numbers, because a const parameter cannot be an enum. One
//! generic function has the code for all operations, and the compiler makes a copy of this
//! function for each operation.

/// Every block is processed separately. Another argument of the kernel says whether the kernel
/// encrypts or decrypts.
pub(crate) const ECB: u8 = 0;
/// Every block is encrypted separately.
pub(crate) const ENCRYPT: u8 = 1;
/// Every block is decrypted separately.
pub(crate) const DECRYPT: u8 = 2;
/// Counter mode with a big-endian counter.
pub(crate) const CTR: u8 = 3;
/// Counter mode with a big-endian counter, on bytes. The number differs from [`CTR`], so that
/// the compiler makes another copy of the shared functions and inlines both copies.
pub(crate) const CTR_BYTES: u8 = 4;
/// Counter mode with a counter in the first 32 bits of the block, little-endian.
pub(crate) const CTR_LE32: u8 = 5;
pub(crate) const CBC_DECRYPT: u8 = 6;
pub(crate) const CFB_DECRYPT: u8 = 7;
pub(crate) const XTS_ENCRYPT: u8 = 8;
pub(crate) const XTS_DECRYPT: u8 = 9;
/// The hash of OCB3 for associated data.
pub(crate) const OCB_HASH: u8 = 10;
/// CBC encryption of one block.
#[cfg(all(feature = "aes", target_arch = "x86_64"))]
pub(crate) const CBC_ENCRYPT: u8 = 11;
/// OCB3 encryption of turns of 32 blocks.
pub(crate) const OCB_ENCRYPT: u8 = 12;
/// OCB3 decryption of turns of 32 blocks.
pub(crate) const OCB_DECRYPT: u8 = 13;
/// CFB decryption on bytes. The number differs from [`CFB_DECRYPT`] for the reason of [`CTR_BYTES`].
pub(crate) const CFB_BYTES: u8 = 14;
