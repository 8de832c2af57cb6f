//! TurboSHAKE and KangarooTwelve. TurboSHAKE is SHAKE with twelve rounds of Keccak's
//! permutation, and with a domain byte, which separates different uses. KangarooTwelve is a
//! tree of TurboSHAKE with a customisation.
//!
//! | type | rate | strength in bits |
//! |---|---|---|
//! | [`TurboShake128`] [`KangarooTwelve`] | 168 | 128 |
//! | [`TurboShake256`] [`KangarooTwelve256`] | 136 | 256 |
//!
//! - [RFC9861] B. Viguier, D. Wong, G. Van Assche, Q. Dang, J. Daemen: KangarooTwelve and
//!   TurboSHAKE, RFC 9861, 2025
//!
//! [RFC9861]: https://www.rfc-editor.org/rfc/rfc9861

use super::keccak::{Keccak, Kernel, leaves};
use super::sponge::{Sponge, Squeeze};
use super::{Xof, XofReader, reader_type, state_type, xof_type};
use crate::wipe;

/// The number of bytes in a chunk of KangarooTwelve.
const CHUNK: usize = 8192;

/// The domain byte of the chunks that are leaves of the tree, [RFC9861](self) §3.2.
const LEAF: u8 = 0x0b;

/// Computes the function length_encode, [RFC9861] §3.3: the bytes of a number without leading
/// zeros, the highest byte first, and then the number of these bytes. The number zero has no
/// bytes.
fn encoded(number: u64) -> ([u8; 9], usize) {
    let bytes = number.to_be_bytes();
    let zeros = number.leading_zeros() as usize / 8;
    let count = 8 - zeros;
    let mut encoded = [0; 9];
    encoded[..count].copy_from_slice(&bytes[zeros..]);
    encoded[count] = count as u8;
    (encoded, count + 1)
}

macro_rules! turboshakes {
    ($(
        $rate:literal, value $value:literal:
        $(#[$meta:meta])* $Turbo:ident $Reader:ident
        $(#[$meta_k:meta])* $Kangaroo:ident $KangarooReader:ident;
    )*) => {$(
        $(#[$meta])*
        #[derive(Clone)]
        pub struct $Turbo {
            sponge: Sponge<Keccak<12>, $rate>,
            domain: u8,
        }

        impl $Turbo {
            /// Starts a message with the domain byte `domain`, from 0x01 to 0x7f. For other
            /// values the result is `None`. [`new`](Self::new) uses 0x1f.
            #[must_use]
            pub fn with_domain(domain: u8) -> Option<Self> {
                matches!(domain, 0x01..=0x7f).then(|| Self {
                    sponge: Sponge::new(crate::Kernel::best()),
                    domain,
                })
            }
        }

        impl Xof for $Turbo {
            type Kernel = Kernel;
            type Reader = $Reader;
            const BLOCK: usize = $rate;

            fn with_kernel(kernel: Kernel) -> Self {
                Self {
                    sponge: Sponge::new(kernel),
                    domain: 0x1f,
                }
            }
            #[inline]
            fn update(&mut self, data: &[u8]) {
                self.sponge.absorb(data);
            }
            #[inline]
            fn finalize_xof(self) -> $Reader {
                $Reader(self.sponge.finish(self.domain))
            }
            #[inline]
            fn squeeze_after(&self, end: &[u8], output: &mut [u8]) {
                self.sponge.finish_after(end, self.domain, output);
            }
        }

        #[doc = concat!("Output of [`", stringify!($Turbo), "`].")]
        #[derive(Clone)]
        pub struct $Reader(Squeeze<Keccak<12>, $rate>);

        impl XofReader for $Reader {
            #[inline]
            fn squeeze(&mut self, output: &mut [u8]) {
                self.0.squeeze(output);
            }
        }

        xof_type!($Turbo, $Reader);
        state_type!($Turbo);

        $(#[$meta_k])*
        #[derive(Clone)]
        pub struct $Kangaroo<'c> {
            customisation: &'c [u8],
            /// The sponge of the final node. Its input is the first chunk, and then the
            /// chaining values of the other chunks.
            trunk: Sponge<Keccak<12>, $rate>,
            leaf: Sponge<Keccak<12>, $rate>,
            /// The number of chunks before the current chunk.
            chunks: u64,
            /// The number of bytes in the current chunk.
            at: usize,
        }

        impl<'c> $Kangaroo<'c> {
            /// Starts the hash of a message.
            #[must_use]
            pub fn new() -> Self {
                Self::default()
            }

            /// Starts a message with a customisation. The customisation is hashed after the
            /// message.
            #[must_use]
            pub fn with_customisation(customisation: &'c [u8]) -> Self {
                let mut this = Self::new();
                this.customisation = customisation;
                this
            }

            /// Adds the next piece of the message.
            pub fn update(&mut self, data: &[u8]) {
                self.take(data);
            }

            /// Ends the message and returns a reader, which gives output in pieces of any
            /// length.
            #[must_use]
            pub fn finalize_xof(self) -> $KangarooReader {
                Xof::finalize_xof(self)
            }

            /// Ends the message with the given customisation.
            pub(crate) fn finalize_with(mut self, customisation: &[u8]) -> $KangarooReader {
                self.take(customisation);
                let (bytes, n) = encoded(customisation.len() as u64);
                self.take(&bytes[..n]);
                if self.chunks == 0 {
                    return $KangarooReader(self.trunk.finish(0x07));
                }
                self.end_chunk();
                let (bytes, n) = encoded(self.chunks - 1);
                self.trunk.absorb(&bytes[..n]);
                self.trunk.absorb(&[0xff; 2]);
                $KangarooReader(self.trunk.finish(0x06))
            }

            fn take(&mut self, mut data: &[u8]) {
                while !data.is_empty() {
                    if self.at == CHUNK {
                        self.end_chunk();
                    }
                    if self.chunks != 0 && self.at == 0 && data.len() >= CHUNK {
                        data = self.take_chunks(data);
                        continue;
                    }
                    let (now, later) = data.split_at(data.len().min(CHUNK - self.at));
                    if self.chunks == 0 {
                        self.trunk.absorb(now);
                    } else {
                        self.leaf.absorb(now);
                    }
                    self.at += now.len();
                    data = later;
                }
            }

            /// Hashes the whole chunks of `data`, several at once if the kernel can, and returns the
            /// rest of the data. None of these chunks is the first or the last chunk: the
            /// customisation and its length follow the message.
            #[inline(never)]
            fn take_chunks<'d>(&mut self, data: &'d [u8]) -> &'d [u8] {
                let (chunks, rest) = data.split_at(data.len() / CHUNK * CHUNK);
                let kernel = self.trunk.kernel();
                // The states of the lanes need much of the stack.
                wipe::after(2 * wipe::FRAMES, || {
                    leaves::<12, $rate, $value>(kernel, chunks, CHUNK, LEAF, |value| {
                        self.trunk.absorb(value);
                        self.chunks += 1;
                    });
                });
                rest
            }

            /// Ends a chunk, [RFC9861](self) §3.2. After the first chunk, the final node
            /// absorbs a mark of eight bytes. After each other chunk, the final node absorbs
            /// the chunk's chaining value.
            fn end_chunk(&mut self) {
                if self.chunks == 0 {
                    self.trunk.absorb(&[3, 0, 0, 0, 0, 0, 0, 0]);
                } else {
                    let next = Sponge::new(self.trunk.kernel());
                    let leaf = core::mem::replace(&mut self.leaf, next);
                    let mut value = [0; $value];
                    leaf.finish(LEAF).squeeze(&mut value);
                    self.trunk.absorb(&value);
                    wipe::wipe(&mut value, 0);
                }
                self.chunks += 1;
                self.at = 0;
            }
        }

        impl Default for $Kangaroo<'_> {
            fn default() -> Self {
                Xof::with_kernel(crate::Kernel::best())
            }
        }

        impl Xof for $Kangaroo<'_> {
            type Kernel = Kernel;
            type Reader = $KangarooReader;
            const BLOCK: usize = $rate;

            fn with_kernel(kernel: Kernel) -> Self {
                Self {
                    customisation: &[],
                    trunk: Sponge::new(kernel),
                    leaf: Sponge::new(kernel),
                    chunks: 0,
                    at: 0,
                }
            }
            fn update(&mut self, data: &[u8]) {
                self.take(data);
            }
            fn finalize_xof(self) -> $KangarooReader {
                let customisation = self.customisation;
                self.finalize_with(customisation)
            }
        }

        #[doc = concat!("Output of [`", stringify!($Kangaroo), "`].")]
        #[derive(Clone)]
        pub struct $KangarooReader(Squeeze<Keccak<12>, $rate>);

        impl XofReader for $KangarooReader {
            #[inline]
            fn squeeze(&mut self, output: &mut [u8]) {
                self.0.squeeze(output);
            }
        }

        reader_type!($KangarooReader);

        /// Prints only the name, because the message may be secret.
        impl core::fmt::Debug for $Kangaroo<'_> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct(stringify!($Kangaroo)).finish_non_exhaustive()
            }
        }

        impl zeroize::ZeroizeOnDrop for $Kangaroo<'_> {}
    )*};
}

turboshakes! {
    168, value 32:
    /// TurboSHAKE128, [RFC9861](self) §2.
    TurboShake128 TurboShake128Reader
    /// KangarooTwelve, KT128 of [RFC9861](self) §3.
    KangarooTwelve KangarooTwelveReader;
    136, value 64:
    /// TurboSHAKE256, [RFC9861](self) §2.
    TurboShake256 TurboShake256Reader
    /// KangarooTwelve with 256 bits of strength, KT256 of [RFC9861](self) §3.
    KangarooTwelve256 KangarooTwelve256Reader;
}
