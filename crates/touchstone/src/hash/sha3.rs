//! SHA-3, SHAKE, and the original Keccak from before the standard. All are sponges with the
//! permutation of Keccak.
//!
//! | type | rate | digest in bytes | suffix |
//! |---|---|---|---|
//! | [`Sha3_224`] [`Sha3_256`] [`Sha3_384`] [`Sha3_512`] | 144, 136, 104, 72 | 28, 32, 48, 64 | 01 |
//! | [`Shake128`] [`Shake256`] | 168, 136 | any number | 1111 |
//! | [`Keccak224`] [`Keccak256`] [`Keccak384`] [`Keccak512`] | as SHA-3 | 28, 32, 48, 64 | none |
//!
//! - [FIPS202] SHA-3 Standard: Permutation-Based Hash and Extendable-Output
//!   Functions, NIST FIPS 202, 2015
//! - [KECCAK] G. Bertoni, J. Daemen, M. Peeters, G. Van Assche: The Keccak SHA-3 Submission,
//!   version 3, 2011
//!
//! [FIPS202]: https://doi.org/10.6028/NIST.FIPS.202
//! [KECCAK]: https://keccak.team/files/Keccak-submission-3.pdf

use super::keccak::{Begun, Keccak, Kernel, absorb_all};
use super::sponge::{Permutation, Sponge, Squeeze, read, whole};
use super::{HashFunction, Xof, XofReader, hash_type, state_type};
use crate::buffer::same_number;
use crate::{DataError, Digest};

/// The suffix that SHA-3 appends to a message, [FIPS202] §6.1: the bits 01, and then the first
/// bit of the padding.
const SHA3: u8 = 0b110;
/// The suffix that SHAKE appends to a message, [FIPS202] §6.2: the bits 1111, and then the
/// first bit of the padding.
pub(super) const SHAKE: u8 = 0b1_1111;
/// The first bit of the padding. The original Keccak, [KECCAK] §1, appends no suffix before the
/// padding.
const KECCAK: u8 = 1;

macro_rules! sponge_hashes {
    ($($(#[$meta:meta])* $Hash:ident $output:literal, $rate:literal, $suffix:expr;)*) => {$(
        $(#[$meta])*
        #[derive(Clone)]
        pub struct $Hash(Sponge<Keccak<24>, $rate>);

        impl HashFunction for $Hash {
            type Kernel = Kernel;
            type Output = Digest<$output>;
            const BLOCK: usize = $rate;

            #[inline]
            fn with_kernel(kernel: Kernel) -> Self {
                Self(Sponge::new(kernel))
            }
            #[inline]
            fn begin_again(hashes: [&mut Self; 2], blocks: [&[u8]; 2]) {
                Sponge::begin_again(hashes.map(|hash| &mut hash.0), blocks);
            }
            #[inline]
            fn kernel_in_use(&self) -> Kernel {
                self.0.kernel()
            }
            #[inline]
            fn update(&mut self, data: &[u8]) {
                self.0.absorb(data);
            }
            #[inline]
            fn finalize(self) -> Digest<$output> {
                let mut output = [0; $output];
                self.0.finish($suffix).squeeze(&mut output);
                output.into()
            }
            #[inline]
            fn digest_with(kernel: Kernel, message: &[u8]) -> Digest<$output> {
                let mut output = [0; $output];
                let start = Keccak::<24>::ZERO;
                whole::<Keccak<24>, $rate>(kernel, start, message, $suffix, &mut output);
                output.into()
            }
            #[inline]
            fn finish_after(start: &Self, end: &[u8]) -> Digest<$output> {
                let mut output = [0; $output];
                start.0.finish_after(end, $suffix, &mut output);
                output.into()
            }
            fn hash_many_with(
                kernel: Kernel,
                messages: &[&[u8]],
                digests: &mut [Digest<$output>],
            ) -> Result<(), DataError> {
                same_number(messages.len(), digests.len())?;
                let messages = messages.iter().enumerate();
                let messages = messages.map(|(i, message)| (i, [0; 25], *message));
                Self::many(kernel, messages, digests);
                Ok(())
            }
            fn finish_many(
                starts: &[Self],
                ends: &[&[u8]],
                digests: &mut [Digest<$output>],
            ) -> Result<(), DataError> {
                same_number(ends.len(), digests.len())?;
                let Some(first) = starts.first() else {
                    return Ok(());
                };
                // In lanes, a message continues a start of whole blocks.
                let each = || starts.iter().cycle().zip(ends).enumerate();
                for (i, (start, end)) in each() {
                    if start.0.begun().is_none() {
                        digests[i] = Self::finish_after(start, end);
                    }
                }
                let begun = each().filter_map(|(i, (start, end))| Some((i, start.0.begun()?, *end)));
                Self::many(first.0.kernel(), begun, digests);
                Ok(())
            }
        }

        hash_type!($Hash);

        impl $Hash {
            fn many<'m>(
                kernel: Kernel,
                messages: impl Iterator<Item = Begun<'m>>,
                digests: &mut [Digest<$output>],
            ) {
                absorb_all::<24, $rate>(kernel, messages, $suffix, |i, state| {
                    let mut output = [0; $output];
                    read(state, 0, &mut output);
                    digests[i] = output.into();
                });
            }

            /// Ends the message with the first `bits` bits of `last`, 1 to 7 bits, from the
            /// least significant bit on ([FIPS202](self) §B.1). So the length of the message
            /// need not be a multiple of 8 bits.
            ///
            /// # Errors
            ///
            /// [`DataError::BitCount`] for any other number of bits.
            pub fn finalize_bits(self, last: u8, bits: u8) -> Result<Digest<$output>, DataError> {
                if !(1..=7).contains(&bits) {
                    return Err(DataError::BitCount { given: bits });
                }
                let mut output = [0; $output];
                self.0.finish_bits(last, bits, $suffix).squeeze(&mut output);
                Ok(output.into())
            }
        }
    )*};
}

sponge_hashes! {
    /// SHA3-224, [FIPS202](self) §6.1.
    Sha3_224 28, 144, SHA3;
    /// SHA3-256, [FIPS202](self) §6.1.
    Sha3_256 32, 136, SHA3;
    /// SHA3-384, [FIPS202](self) §6.1.
    Sha3_384 48, 104, SHA3;
    /// SHA3-512, [FIPS202](self) §6.1.
    Sha3_512 64, 72, SHA3;
    /// Keccak with a digest of 224 bits and the padding of [KECCAK](self).
    Keccak224 28, 144, KECCAK;
    /// Keccak with a digest of 256 bits and the padding of [KECCAK](self), the hash function of
    /// Ethereum.
    Keccak256 32, 136, KECCAK;
    /// Keccak with a digest of 384 bits and the padding of [KECCAK](self).
    Keccak384 48, 104, KECCAK;
    /// Keccak with a digest of 512 bits and the padding of [KECCAK](self).
    Keccak512 64, 72, KECCAK;
}

macro_rules! xofs {
    ($($(#[$meta:meta])* $Xof:ident $Reader:ident, $rate:literal, $rounds:literal, $suffix:expr;)*) => {$(
        $(#[$meta])*
        #[derive(Clone)]
        pub struct $Xof(Sponge<Keccak<$rounds>, $rate>);

        #[doc = concat!("Output of [`", stringify!($Xof), "`].")]
        #[derive(Clone)]
        pub struct $Reader(Squeeze<Keccak<$rounds>, $rate>);

        impl Xof for $Xof {
            type Kernel = Kernel;
            type Reader = $Reader;
            const BLOCK: usize = $rate;

            #[inline]
            fn with_kernel(kernel: Kernel) -> Self {
                Self(Sponge::new(kernel))
            }
            #[inline]
            fn update(&mut self, data: &[u8]) {
                self.0.absorb(data);
            }
            #[inline]
            fn finalize_xof(self) -> $Reader {
                $Reader(self.0.finish($suffix))
            }
            #[inline]
            fn squeeze_after(&self, end: &[u8], output: &mut [u8]) {
                self.0.finish_after(end, $suffix, output);
            }
        }

        impl XofReader for $Reader {
            #[inline]
            fn squeeze(&mut self, output: &mut [u8]) {
                self.0.squeeze(output);
            }
        }

        impl $Xof {
            /// Ends the message with the first `bits` bits of `last`, 1 to 7 bits, from the
            /// least significant bit on ([FIPS202](self) §B.1). So the length of the message
            /// need not be a multiple of 8 bits.
            ///
            /// # Errors
            ///
            /// [`DataError::BitCount`] for any other number of bits.
            pub fn finalize_bits_xof(self, last: u8, bits: u8) -> Result<$Reader, DataError> {
                if !(1..=7).contains(&bits) {
                    return Err(DataError::BitCount { given: bits });
                }
                Ok($Reader(self.0.finish_bits(last, bits, $suffix)))
            }
        }

        super::xof_type!($Xof, $Reader);
        state_type!($Xof);
    )*};
}

xofs! {
    /// SHAKE128, [FIPS202](self) §6.2.
    Shake128 Shake128Reader, 168, 24, SHAKE;
    /// SHAKE256, [FIPS202](self) §6.2.
    Shake256 Shake256Reader, 136, 24, SHAKE;
}
