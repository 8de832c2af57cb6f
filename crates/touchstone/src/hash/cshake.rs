//! cSHAKE, and two hash functions that are built on it. TupleHash hashes a list of strings.
//! ParallelHash hashes the blocks of a message separately, and then hashes the digests of the
//! blocks. [KMAC](crate::mac::kmac) is the fourth function of the standard.
//!
//! | type | output in bytes |
//! |---|---|
//! | [`CShake128`] [`CShake256`] | any number, by [`Xof`] |
//! | [`TupleHash128`] [`TupleHash256`] | a length that is part of the hash, or any number |
//! | [`ParallelHash128`] [`ParallelHash256`] | a length that is part of the hash, or any number |
//!
//! - [SP800-185] SHA-3 Derived Functions: cSHAKE, KMAC, TupleHash and ParallelHash, NIST SP
//!   800-185, 2016
//!
//! [SP800-185]: https://doi.org/10.6028/NIST.SP.800-185

use super::keccak::{Keccak, Kernel, leaves};
use super::sha3::SHAKE;
use super::sponge::{Sponge, Squeeze};
use super::{Xof, XofReader, state_type, xof_type};

/// The suffix that cSHAKE appends to a message, [SP800-185] §3.3: two zero bits, and then the
/// first bit of the sponge's padding.
const CSHAKE: u8 = 0b100;

/// A number in the encoding of [SP800-185] §2.3.1: the bytes of the number without leading
/// zeros, and a byte that counts these bytes. `left` puts the count before the bytes, `right`
/// puts the count after them.
#[derive(Clone, Copy)]
pub(crate) struct Encoded {
    bytes: [u8; 10],
    length: usize,
}

impl Encoded {
    /// Encodes a number by the function left_encode of the standard: the count of bytes is
    /// first.
    pub(crate) fn left(number: u64) -> Self {
        let mut this = Self::right(number);
        let count = this.bytes[this.length - 1];
        this.bytes.copy_within(..this.length - 1, 1);
        this.bytes[0] = count;
        this
    }

    /// Encodes a number by the function right_encode of the standard: the count of bytes is
    /// last.
    pub(crate) fn right(number: u64) -> Self {
        let bytes = number.to_be_bytes();
        // The number zero is encoded as one byte, too.
        let zeros = (number.leading_zeros() as usize / 8).min(7);
        let count = 8 - zeros;
        let mut this = Self {
            bytes: [0; 10],
            length: count + 1,
        };
        this.bytes[..count].copy_from_slice(&bytes[zeros..]);
        this.bytes[count] = count as u8;
        this
    }
}

impl AsRef<[u8]> for Encoded {
    fn as_ref(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

/// The sponge that cSHAKE uses: Keccak with 24 rounds.
pub(crate) type CSponge<const RATE: usize> = Sponge<Keccak<24>, RATE>;

/// Absorbs the function encode_string of a string, [SP800-185] §2.3.2: the length in bits, then
/// the string.
fn absorb_string<const RATE: usize>(sponge: &mut CSponge<RATE>, string: &[u8]) {
    sponge.absorb(Encoded::left(8 * string.len() as u64).as_ref());
    sponge.absorb(string);
}

/// Absorbs the function bytepad of strings, [SP800-185] §2.3.3: the encoded rate, the encoded
/// strings, and zeros up to the end of a block.
pub(crate) fn absorb_padded<const RATE: usize>(sponge: &mut CSponge<RATE>, strings: &[&[u8]]) {
    sponge.absorb(Encoded::left(RATE as u64).as_ref());
    for string in strings {
        absorb_string(sponge, string);
    }
    sponge.pad();
}

/// Starts cSHAKE with a function name or a customisation, [SP800-185] §3.3.
pub(crate) fn named<const RATE: usize>(
    kernel: Kernel,
    name: &[u8],
    customisation: &[u8],
) -> CSponge<RATE> {
    let mut sponge = Sponge::new(kernel);
    absorb_padded(&mut sponge, &[name, customisation]);
    sponge
}

/// Ends the message of a cSHAKE that has a function name or a customisation.
pub(crate) fn end<const RATE: usize>(sponge: CSponge<RATE>) -> Squeeze<Keccak<24>, RATE> {
    sponge.finish(CSHAKE)
}

macro_rules! cshakes {
    ($(
        $rate:literal, block digest $inner:literal:
        $(#[$meta:meta])* $CShake:ident $Reader:ident
        $(#[$meta_t:meta])* $Tuple:ident
        $(#[$meta_p:meta])* $Parallel:ident;
    )*) => {$(
        $(#[$meta])*
        #[derive(Clone)]
        pub struct $CShake {
            sponge: CSponge<$rate>,
            /// Whether name and customisation are both empty. Then the standard requires SHAKE
            /// instead of cSHAKE.
            plain: bool,
        }

        impl $CShake {
            /// Starts a message. `name` is the name of a function that NIST defines, and is
            /// empty for other uses. Each `customisation` gives another function.
            #[must_use]
            pub fn with_name(name: &[u8], customisation: &[u8]) -> Self {
                let kernel = crate::Kernel::best();
                let plain = name.is_empty() && customisation.is_empty();
                let sponge = if plain {
                    Sponge::new(kernel)
                } else {
                    named(kernel, name, customisation)
                };
                Self { sponge, plain }
            }
        }

        impl Xof for $CShake {
            type Kernel = Kernel;
            type Reader = $Reader;
            const BLOCK: usize = $rate;

            /// Starts a message with an empty name and an empty customisation.
            fn with_kernel(kernel: Kernel) -> Self {
                Self {
                    sponge: Sponge::new(kernel),
                    plain: true,
                }
            }
            #[inline]
            fn update(&mut self, data: &[u8]) {
                self.sponge.absorb(data);
            }
            #[inline]
            fn finalize_xof(self) -> $Reader {
                $Reader(self.sponge.finish(if self.plain { SHAKE } else { CSHAKE }))
            }
            #[inline]
            fn squeeze_after(&self, end: &[u8], output: &mut [u8]) {
                let suffix = if self.plain { SHAKE } else { CSHAKE };
                self.sponge.finish_after(end, suffix, output);
            }
        }

        #[doc = concat!("Output of [`", stringify!($CShake), "`] and what is made of it.")]
        #[derive(Clone)]
        pub struct $Reader(pub(crate) Squeeze<Keccak<24>, $rate>);

        impl XofReader for $Reader {
            #[inline]
            fn squeeze(&mut self, output: &mut [u8]) {
                self.0.squeeze(output);
            }
        }

        xof_type!($CShake, $Reader);
        state_type!($CShake);

        $(#[$meta_t])*
        #[derive(Clone)]
        pub struct $Tuple(CSponge<$rate>);

        impl $Tuple {
            /// Starts a list of strings. The customisation may be empty.
            #[must_use]
            pub fn new(customisation: &[u8]) -> Self {
                Self(named(crate::Kernel::best(), b"TupleHash", customisation))
            }

            /// Adds the next string of the list. The call must pass the whole string.
            pub fn item(&mut self, string: &[u8]) {
                absorb_string(&mut self.0, string);
            }

            /// Ends the list and fills `output` with the hash. The hashed input contains the
            /// length of `output`.
            pub fn finalize_into(mut self, output: &mut [u8]) {
                self.0.absorb(Encoded::right(8 * output.len() as u64).as_ref());
                end(self.0).squeeze(output);
            }

            /// Ends the list and returns a reader for output of any length. The hashed input
            /// does not contain this length.
            pub fn finalize_xof(mut self) -> $Reader {
                self.0.absorb(Encoded::right(0).as_ref());
                $Reader(end(self.0))
            }
        }

        state_type!($Tuple);

        $(#[$meta_p])*
        #[derive(Clone)]
        pub struct $Parallel {
            outer: CSponge<$rate>,
            block: CSponge<$rate>,
            /// The length of a block in bytes.
            size: usize,
            /// The number of bytes in `block` so far.
            at: usize,
            /// The number of blocks whose digests are absorbed into `outer`.
            count: u64,
        }

        impl $Parallel {
            /// Starts a message, which is hashed in blocks of `size` bytes. The
            /// customisation may be empty.
            ///
            /// # Panics
            ///
            /// If `size` is 0.
            #[must_use]
            pub fn new(size: usize, customisation: &[u8]) -> Self {
                assert!(size != 0, "a block of no bytes");
                let kernel = crate::Kernel::best();
                let mut outer = named(kernel, b"ParallelHash", customisation);
                outer.absorb(Encoded::left(size as u64).as_ref());
                Self {
                    outer,
                    block: Sponge::new(kernel),
                    size,
                    at: 0,
                    count: 0,
                }
            }

            /// Adds the next piece of the message.
            pub fn update(&mut self, mut data: &[u8]) {
                while !data.is_empty() {
                    if self.at == 0 && data.len() >= self.size {
                        data = self.blocks(data);
                        continue;
                    }
                    let n = data.len().min(self.size - self.at);
                    let (now, later) = data.split_at(n);
                    self.block.absorb(now);
                    self.at += n;
                    if self.at == self.size {
                        self.end_block();
                    }
                    data = later;
                }
            }

            /// Hashes the whole blocks of `data`, several at once if the kernel can, and returns the
            /// rest of the data.
            fn blocks<'d>(&mut self, data: &'d [u8]) -> &'d [u8] {
                let (blocks, rest) = data.split_at(data.len() / self.size * self.size);
                let kernel = self.outer.kernel();
                leaves::<24, $rate, $inner>(kernel, blocks, self.size, SHAKE, |digest| {
                    self.outer.absorb(digest);
                    self.count += 1;
                });
                rest
            }

            /// Ends a block: hashes the block with SHAKE and absorbs the digest,
            /// [SP800-185](self) §6.3.
            fn end_block(&mut self) {
                let next = Sponge::new(self.outer.kernel());
                let block = core::mem::replace(&mut self.block, next);
                let mut digest = [0; $inner];
                block.finish(SHAKE).squeeze(&mut digest);
                self.outer.absorb(&digest);
                crate::wipe::wipe(&mut digest, 0);
                self.at = 0;
                self.count += 1;
            }

            fn finish(mut self, output_bits: u64) -> Squeeze<Keccak<24>, $rate> {
                if self.at != 0 {
                    self.end_block();
                }
                self.outer.absorb(Encoded::right(self.count).as_ref());
                self.outer.absorb(Encoded::right(output_bits).as_ref());
                end(self.outer)
            }

            /// Ends the message and fills `output` with the hash. The hashed input contains the
            /// length of `output`.
            pub fn finalize_into(self, output: &mut [u8]) {
                self.finish(8 * output.len() as u64).squeeze(output);
            }

            /// Ends the message and returns a reader for output of any length. The hashed input
            /// does not contain this length.
            pub fn finalize_xof(self) -> $Reader {
                $Reader(self.finish(0))
            }
        }

        state_type!($Parallel);
    )*};
}

cshakes! {
    168, block digest 32:
    /// cSHAKE128, [SP800-185](self) §3.
    CShake128 CShake128Reader
    /// TupleHash128, [SP800-185](self) §5.
    TupleHash128
    /// ParallelHash128, [SP800-185](self) §6.
    ParallelHash128;
    136, block digest 64:
    /// cSHAKE256, [SP800-185](self) §3.
    CShake256 CShake256Reader
    /// TupleHash256, [SP800-185](self) §5.
    TupleHash256
    /// ParallelHash256, [SP800-185](self) §6.
    ParallelHash256;
}
