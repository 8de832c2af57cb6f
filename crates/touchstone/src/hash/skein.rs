//! Skein-256, Skein-512 and Skein-1024: digests of any length, blocks of 32, 64 and 128 bytes.
//! The block cipher Threefish encrypts the blocks of the message in a chain. The tweak of
//! Threefish contains the position and the purpose of each block. Key, configuration and
//! personalisation are hashed before the message. Tree hashing ([`Skein512Tree`], feature `alloc`)
//! splits the message into leaves.
//!
//! | kernel | needs | messages at once | technique |
//! |---|---|---|---|
//! | `avx512` | AVX-512 | 8 | a word of each message in a register; one message: `portable` |
//! | `avx2` | AVX2 | 4 | as before |
//! | `portable` | – | 1 | as in the paper |
//!
//! - [SKEIN] N. Ferguson, S. Lucks, B. Schneier et al.: The Skein Hash Function Family,
//!   version 1.3, 2010
//!
//! [SKEIN]: https://www.schneier.com/wp-content/uploads/2015/01/skein.pdf

use super::lanes::lane_kernels;
use super::last_block::{HeldBack, InLanes, LastBlock, Marked, Message, held_back_hash, whole};
#[cfg(not(target_arch = "x86_64"))]
use super::many::finish;
#[cfg(target_arch = "x86_64")]
use super::many::in_lanes;
use crate::Digest;
use crate::block::threefish::{Schedule, words};
use crate::wipe::wipe;

#[cfg(target_arch = "x86_64")]
mod lanes;
#[cfg(feature = "alloc")]
mod tree;

#[cfg(feature = "alloc")]
pub use tree::{InvalidTree, Skein256Tree, Skein512Tree, Skein1024Tree, Tree};

lane_kernels! {
    /// The kernels: implementations of Skein.
}

/// The purpose of a block: key, configuration, personalisation, message or output, [SKEIN]
/// §3.5.1, table 6.
#[derive(Clone, Copy)]
enum Kind {
    Key = 0,
    Configuration = 4,
    Personalisation = 8,
    Message = 48,
    Output = 63,
}

/// The bits of the upper word of the tweak that mark the first and the last block,
/// [SKEIN] §3.5.1.
const FIRST: u64 = 1 << 62;
const FINAL: u64 = 1 << 63;

/// The state of a chain of blocks (UBI, [SKEIN] §3.4): the chaining value, and the tweak of the
/// next block. The position in this tweak does not count the bytes of the next block yet.
#[derive(Clone, Copy)]
pub(crate) struct Chain<const WORDS: usize> {
    value: [u64; WORDS],
    /// The number of bytes of the chain so far.
    position: u64,
    /// The upper word of the tweak.
    marks: u64,
}

impl<const WORDS: usize> Chain<WORDS> {
    const fn new(value: [u64; WORDS], kind: Kind) -> Self {
        Self {
            value,
            position: 0,
            marks: (kind as u64) << 56 | FIRST,
        }
    }

    /// Returns the chain after one more block. The position grows by `bytes`.
    #[inline]
    const fn after(&self, block: [u64; WORDS], bytes: usize, mark: u64) -> Self {
        let position = self.position.wrapping_add(bytes as u64);
        let tweak = [position, self.marks | mark];
        let mut value = Schedule::new(&self.value, tweak).encrypt(block);
        let mut i = 0;
        while i < WORDS {
            value[i] ^= block[i];
            i += 1;
        }
        Self {
            value,
            position,
            marks: self.marks & !FIRST,
        }
    }
}

impl<const WORDS: usize> Chain<WORDS> {
    /// Adds whole blocks that are not the last.
    fn over<const BLOCK: usize>(&mut self, blocks: &[[u8; BLOCK]]) {
        let mut schedule = Schedule::new(&self.value, [0; 2]);
        for block in blocks {
            self.position = self.position.wrapping_add(BLOCK as u64);
            schedule.set_tweak([self.position, self.marks]);
            self.marks &= !FIRST;
            schedule.feed(block);
        }
        self.value = schedule.key();
    }

    /// Copies the first bytes of the chaining value to `bytes`.
    fn write(&self, bytes: &mut [u8]) {
        for (bytes, word) in bytes.chunks_mut(8).zip(self.value) {
            bytes.copy_from_slice(&word.to_le_bytes()[..bytes.len()]);
        }
    }
}

impl<const WORDS: usize> Chain<WORDS> {
    /// Returns the start of a message after a key, for a digest of `output` bytes.
    pub(crate) const fn start(key: [u64; WORDS], output: usize) -> Self {
        Self::new(configured(key, output, 0), Kind::Message)
    }
}

/// Returns the chaining value after the configuration block, [SKEIN] §3.5.2, for a digest of
/// `output` bytes. `tree` is the word with the shape of a tree, or 0. The configuration counts as 32
/// bytes.
const fn configured<const WORDS: usize>(
    value: [u64; WORDS],
    output: usize,
    tree: u64,
) -> [u64; WORDS] {
    let mut block = [0; WORDS];
    // The text "SHA3" and the version, 1.
    block[0] = 0x0000_0001_3341_4853;
    block[1] = 8 * output as u64;
    block[2] = tree;
    Chain::new(value, Kind::Configuration)
        .after(block, 32, FINAL)
        .value
}

macro_rules! skeins {
    ($($(#[$meta:meta])* $Skein:ident $Ubi:ident $words:literal $block:literal;)*) => {$(
        #[doc = concat!("The chain of [`", stringify!($Skein), "`].")]
        #[derive(Clone)]
        pub(crate) struct $Ubi;

        impl LastBlock for $Ubi {
            type Kernel = Kernel;
            type Block = [u8; $block];
            type Chain = Chain<$words>;
            const ZERO: Chain<$words> = Chain::new([0; $words], Kind::Key);

            #[inline]
            fn compress(_: Kernel, chain: &mut Chain<$words>, blocks: &[[u8; $block]]) {
                chain.over(blocks);
            }

            #[inline]
            fn last(_: Kernel, chain: &mut Chain<$words>, block: &[u8; $block], held: usize) {
                *chain = chain.after(words(block), held, FINAL);
            }
        }

        impl $Ubi {
            /// Returns the chaining value after a key, [SKEIN](self) §4.3. An empty key means no
            /// key.
            pub(crate) fn keyed(kernel: Kernel, key: &[u8]) -> [u64; $words] {
                let start = Chain::new([0; $words], Kind::Key);
                if key.is_empty() {
                    start.value
                } else {
                    whole::<Self>(kernel, start, key).value
                }
            }

            /// Writes the output, [SKEIN](self) §3.5.3, and wipes the last chain of the message.
            /// For each block of output, a block that contains the output block's number is
            /// hashed, with the last chaining value as the start. Inlined, so that the compiler
            /// knows the length of a digest.
            #[inline(always)]
            pub(crate) fn output(chain: &mut Chain<$words>, output: &mut [u8]) {
                let start = Chain::new(chain.value, Kind::Output);
                for (i, bytes) in output.chunks_mut($block).enumerate() {
                    let mut counter = [0; $words];
                    counter[0] = i as u64;
                    start.after(counter, 8, FINAL).write(bytes);
                }
                wipe(core::slice::from_mut(chain), Self::ZERO);
            }

            /// Hashes the messages, and then the blocks of output, all in lanes. `done` receives
            /// the index of each message and its output, of which the first `length` bytes count.
            pub(crate) fn outputs<'m, const N: usize>(
                kernel: Kernel,
                mut messages: impl Iterator<Item = Message<'m, Self>>,
                length: usize,
                mut done: impl FnMut(usize, &[u8; N]),
            ) {
                const GROUP: usize = 16;
                let mut ends = [(0, Self::ZERO); GROUP];
                let mut outputs = [[0; N]; GROUP];
                loop {
                    let mut n = 0;
                    Self::many(kernel, messages.by_ref().take(GROUP), |i, chain| {
                        ends[n] = (i, Chain::new(chain.value, Kind::Output));
                        n += 1;
                    });
                    if n == 0 {
                        break;
                    }
                    for i in 0..length.div_ceil($block) {
                        let counter = (i as u64).to_le_bytes();
                        let starts = ends[..n].iter().enumerate();
                        let starts = starts.map(|(index, (_, chain))| Message {
                            index,
                            chain: *chain,
                            end: &counter,
                        });
                        Self::many(kernel, starts, |message, chain| {
                            let output = outputs[message].chunks_mut($block).nth(i);
                            chain.write(output.unwrap_or_default());
                        });
                    }
                    for ((index, _), output) in ends[..n].iter().zip(&outputs) {
                        done(*index, output);
                    }
                }
                wipe(&mut ends, (0, Self::ZERO));
                wipe(&mut outputs, [0; N]);
            }

            /// Passes the index and the last chain of each message to `done`.
            fn many<'m>(
                kernel: Kernel,
                messages: impl Iterator<Item = Message<'m, Self>>,
                mut done: impl FnMut(usize, &Chain<$words>),
            ) {
                let mut done = |i, chain: &Marked<_>| done(i, &chain.chain);
                #[cfg(target_arch = "x86_64")]
                in_lanes::<InLanes<Self>, 8, 4>(
                    (kernel, kernel.lanes()),
                    messages,
                    lanes::wide::compress,
                    lanes::narrow::compress,
                    &mut done,
                );
                #[cfg(not(target_arch = "x86_64"))]
                finish::<InLanes<Self>>(kernel, messages, &mut done);
            }
        }

        $(#[$meta])*
        #[derive(Clone)]
        pub struct $Skein<const N: usize>(HeldBack<$Ubi>);

        impl<const N: usize> $Skein<N> {
            const START: Chain<$words> = {
                assert!(N != 0, "an output of no bytes");
                Chain::start([0; $words], N)
            };

            /// Starts a message with a key and a personalisation, [SKEIN](self) §4.3 and §4.5.
            /// A key, of any length, makes the hash function a MAC. Each personalisation gives
            /// another hash function. An empty key means no key, and an empty personalisation
            /// means no personalisation.
            pub fn with_parameters(key: &[u8], personalisation: &[u8]) -> Self {
                Self::with_kernel_and_parameters(crate::Kernel::best(), key, personalisation)
            }

            /// Starts a message as [`with_parameters`](Self::with_parameters) does, with the
            /// given kernel; for tests.
            #[doc(hidden)]
            pub fn with_kernel_and_parameters(
                kernel: Kernel,
                key: &[u8],
                personalisation: &[u8],
            ) -> Self {
                let mut value = Self::start(kernel, key, personalisation, 0);
                let this = Self(HeldBack::new(kernel, Chain::new(value, Kind::Message)));
                wipe(&mut value, 0);
                this
            }

            /// Returns the chaining value before the message, with the word of the configuration
            /// that has the shape of a tree.
            fn start(
                kernel: Kernel,
                key: &[u8],
                personalisation: &[u8],
                tree: u64,
            ) -> [u64; $words] {
                let mut value = configured($Ubi::keyed(kernel, key), N, tree);
                if !personalisation.is_empty() {
                    let chain = Chain::new(value, Kind::Personalisation);
                    value = whole::<$Ubi>(kernel, chain, personalisation).value;
                }
                value
            }

            #[inline]
            fn digest_of(chain: &mut Chain<$words>) -> Digest<N> {
                let mut output = [0; N];
                $Ubi::output(chain, &mut output);
                output.into()
            }

            fn many<'m>(
                kernel: Kernel,
                messages: impl Iterator<Item = Message<'m, $Ubi>>,
                mut done: impl FnMut(usize, Digest<N>),
            ) {
                $Ubi::outputs::<N>(kernel, messages, N, |i, output| done(i, (*output).into()));
            }
        }

        held_back_hash!($Skein, $Ubi);
    )*};
}

skeins! {
    /// Skein-256 with a digest of `N` bytes, [SKEIN](self) §3.5.
    Skein256 Ubi256 4 32;
    /// Skein-512 with a digest of `N` bytes, [SKEIN](self) §3.5.
    Skein512 Ubi512 8 64;
    /// Skein-1024 with a digest of `N` bytes, [SKEIN](self) §3.5.
    Skein1024 Ubi1024 16 128;
}

/// Skein-256 with a digest of 256 bits.
pub type Skein256_256 = Skein256<32>;
/// Skein-256 with a digest of 512 bits.
pub type Skein256_512 = Skein256<64>;
/// Skein-512 with a digest of 224 bits.
pub type Skein512_224 = Skein512<28>;
/// Skein-512 with a digest of 256 bits.
pub type Skein512_256 = Skein512<32>;
/// Skein-512 with a digest of 384 bits.
pub type Skein512_384 = Skein512<48>;
/// Skein-512 with a digest of 512 bits.
pub type Skein512_512 = Skein512<64>;
/// Skein-1024 with a digest of 256 bits.
pub type Skein1024_256 = Skein1024<32>;
/// Skein-1024 with a digest of 512 bits.
pub type Skein1024_512 = Skein1024<64>;
/// Skein-1024 with a digest of 1024 bits.
pub type Skein1024_1024 = Skein1024<128>;
