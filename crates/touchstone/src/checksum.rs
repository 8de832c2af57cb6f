//! Checksums (feature `checksum`), by the crates `crc-fast` and `simd-adler32`. Checksums find
//! accidental changes. **Checksums are not hash functions**: anybody can make another message
//! with the same checksum. So never use a checksum in HMAC or for key derivation. The module
//! `dynamic` does not list checksums.
//!
//! | type | polynomial or modulus | used by |
//! |---|---|---|
//! | [`Crc24`] | 0x864cfb | OpenPGP's armor, [RFC9580] §6.1 |
//! | [`Crc32`] | 0x04c11db7, reflected | ZIP, gzip, PNG, Ethernet: [RFC1952] §8 |
//! | [`Crc32c`] | 0x1edc6f41, reflected | iSCSI, ext4, btrfs: [RFC3720] §12.1 |
//! | [`Crc64`] | 0x42f0e1eba9ea3693, reflected | .xz files, [XZ] §6 |
//! | [`Crc64Ecma`] | 0x42f0e1eba9ea3693 | tapes, [ECMA182] annex B |
//! | [`Crc64We`] | 0x42f0e1eba9ea3693, from ones to ones | W. Ehrhardt's programs, PeaZip |
//! | [`Adler32`] | 65521 | zlib, [RFC1950] §8.2 |
//!
//! ```
//! use touchstone::checksum::Crc32;
//!
//! assert_eq!(Crc32::digest(b"123456789"), 0xcbf4_3926);
//!
//! let mut crc = Crc32::new();
//! crc.update(b"1234");
//! crc.update(b"56789");
//! assert_eq!(crc.finalize(), 0xcbf4_3926);
//! ```
//!
//! - [RFC9580] OpenPGP, RFC 9580, 2024
//! - [RFC1952] GZIP file format specification version 4.3, RFC 1952, 1996
//! - [RFC3720] Internet Small Computer Systems Interface (iSCSI), RFC 3720, 2004
//! - [XZ] The .xz File Format, version 1.2.1, 2024
//! - [ECMA182] Data Interchange on 12,7 mm 48-Track Magnetic Tape Cartridges, ECMA-182, 1992
//! - [RFC1950] ZLIB Compressed Data Format Specification version 3.3, RFC 1950, 1996
//!
//! [RFC9580]: https://www.rfc-editor.org/rfc/rfc9580
//! [RFC1952]: https://www.rfc-editor.org/rfc/rfc1952
//! [RFC3720]: https://www.rfc-editor.org/rfc/rfc3720
//! [XZ]: https://tukaani.org/xz/xz-file-format.txt
//! [ECMA182]: https://ecma-international.org/publications-and-standards/standards/ecma-182/
//! [RFC1950]: https://www.rfc-editor.org/rfc/rfc1950

use core::fmt;

use crc_fast::{CrcAlgorithm, CrcParams};

macro_rules! checksums {
    ($(
        $(#[$meta:meta])*
        $Checksum:ident: $Sum:ty, $State:ty = $start:expr, $update:expr, $finalize:expr;
    )*) => {$(
        $(#[$meta])*
        #[derive(Clone)]
        pub struct $Checksum($State);

        impl $Checksum {
            /// Starts a checksum of no bytes so far.
            pub fn new() -> Self {
                Self($start)
            }

            /// Adds the next bytes.
            pub fn update(&mut self, data: &[u8]) {
                $update(&mut self.0, data);
            }

            /// Returns the checksum of all bytes that were added.
            pub fn finalize(self) -> $Sum {
                $finalize(self.0)
            }

            /// Returns the checksum of a message.
            pub fn digest(data: &[u8]) -> $Sum {
                let mut this = Self::new();
                this.update(data);
                this.finalize()
            }
        }

        impl Default for $Checksum {
            fn default() -> Self {
                Self::new()
            }
        }

        impl fmt::Debug for $Checksum {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($Checksum)).finish_non_exhaustive()
            }
        }
    )*};
}

type Crc = crc_fast::Digest;

fn crc(algorithm: CrcAlgorithm) -> Crc {
    Crc::new(algorithm)
}

/// Starts a CRC-24, [RFC9580](self) §6.1. The 24 bits are in the upper bytes of a 32-bit
/// number, because the crate `crc-fast` supports polynomials of that width.
fn crc24() -> Crc {
    let (polynomial, start, check) = (0x864c_fb00, 0xb704_ce00, 0x21cf_0200);
    let name = "CRC-24/OPENPGP";
    Crc::new_with_params(CrcParams::new(name, 32, polynomial, start, false, 0, check))
}

fn upper_24(crc: Crc) -> u32 {
    (crc.finalize() >> 8) as u32
}

fn all_32(crc: Crc) -> u32 {
    crc.finalize() as u32
}

fn all_64(crc: Crc) -> u64 {
    crc.finalize()
}

fn finish(sum: simd_adler32::Adler32) -> u32 {
    sum.finish()
}

checksums! {
    /// CRC-24 of OpenPGP.
    Crc24: u32, Crc = crc24(), Crc::update, upper_24;
    /// CRC-32 of ZIP, gzip, PNG and Ethernet.
    Crc32: u32, Crc = crc(CrcAlgorithm::Crc32IsoHdlc), Crc::update, all_32;
    /// CRC-32C, which uses the polynomial of Castagnoli.
    Crc32c: u32, Crc = crc(CrcAlgorithm::Crc32Iscsi), Crc::update, all_32;
    /// CRC-64 of .xz files.
    Crc64: u64, Crc = crc(CrcAlgorithm::Crc64Xz), Crc::update, all_64;
    /// CRC-64 of ECMA-182.
    Crc64Ecma: u64, Crc = crc(CrcAlgorithm::Crc64Ecma182), Crc::update, all_64;
    /// CRC-64 of W. Ehrhardt's programs: that of ECMA-182, which begins with ones and is inverted
    /// at the end.
    Crc64We: u64, Crc = crc(CrcAlgorithm::Crc64We), Crc::update, all_64;
    /// Adler-32 of zlib.
    Adler32: u32, simd_adler32::Adler32 = simd_adler32::Adler32::new(),
        simd_adler32::Adler32::write, finish;
}
