//! Kernels that hash one message in each lane of a register, for hash functions with blocks of
//! sixteen words. A hash function writes its compression function once, on registers of words.
//! The macros here make a kernel with AVX-512 and a kernel with AVX2 from this code. For words
//! of 32 bits the kernels have sixteen and eight lanes, for words of 64 bits eight and four
//! lanes. Where a vector operation takes two cycles, AVX-512 has twice as many lanes if there are
//! enough messages: the steps of one register would wait for each other. Functions whose steps do not
//! wait say `twice false`.
//!
//! ```text
//!   register a: | a of message 15 | … | a of message 1 | a of message 0 |
//! ```

#[cfg(target_arch = "x86_64")]
pub(crate) use super::many::Width;

/// Writes `lanes::twice::compress`, `lanes::avx512::compress`, `lanes::avx2::compress`, and the
/// function `many`, which hashes messages with these functions. The arguments are the name of a
/// compression function, the number and type of the words of a chaining value, the order of bytes,
/// and the code that compresses a block. In this code `Word` is the type of a register.
macro_rules! lanes {
    (
        $Compression:ident, $words:literal u32, $load:ident,
        |$h:ident, $w:ident| $body:block $(, twice $twice:literal)?
    ) => {
        $crate::hash::lanes::lanes!(
            @widths $Compression, $words u32 64, $load, |$h, $w| $body,
            (true $(&& $twice)?) 32, U32x16 16, U32x8 8
        );
    };
    ($Compression:ident, $words:literal u64, $load:ident, |$h:ident, $w:ident| $body:block) => {
        $crate::hash::lanes::lanes!(
            @widths $Compression, $words u64 128, $load, |$h, $w| $body,
            (true) 16, U64x8 8, U64x4 4
        );
    };
    (
        @widths $Compression:ident, $words:literal $word:ident $block:literal, $load:ident,
        |$h:ident, $w:ident| $body:block,
        ($doubles:expr) $twice:literal, $Wide:ident $wide:literal, $Narrow:ident $narrow:literal
    ) => {
        #[cfg(target_arch = "x86_64")]
        #[allow(unsafe_code)]
        mod lanes {
            $crate::hash::lanes::lanes!(
                @width twice ($crate::simd::Twice<$crate::simd::$Wide>) Avx512 $twice
                "avx512f,avx512bw",
                $words $word $block, $load, |$h, $w| $body
            );
            $crate::hash::lanes::lanes!(
                @width avx512 ($crate::simd::$Wide) Avx512 $wide "avx512f,avx512bw",
                $words $word $block, $load, |$h, $w| $body
            );
            $crate::hash::lanes::lanes!(
                @width avx2 ($crate::simd::$Narrow) Avx2 $narrow "avx2",
                $words $word $block, $load, |$h, $w| $body
            );
        }

        /// Compresses one block for each of the first chaining values; returns how many are done.
        #[cfg_attr(
            not(target_arch = "x86_64"),
            allow(unused_variables, reason = "there are no lanes")
        )]
        fn abreast(
            kernel: Kernel,
            chains: &mut [[$word; $words]],
            blocks: &[[u8; $block]],
        ) -> usize {
            #[cfg(target_arch = "x86_64")]
            use $crate::hash::{lanes::{LEAST, Width}, many};
            #[cfg(target_arch = "x86_64")]
            return match kernel.lanes() {
                Some(Width::Wide(token)) => {
                    let mut done = 0;
                    if $doubles && !token.adds_quickly() {
                        done = many::abreast::<$Compression, $twice>(
                            chains, blocks, $twice,
                            |chains, blocks| lanes::twice::compress(token, chains, blocks, 1),
                        );
                    }
                    done + many::abreast::<$Compression, $wide>(
                        &mut chains[done..], &blocks[done..], LEAST,
                        |chains, blocks| lanes::avx512::compress(token, chains, blocks, 1),
                    )
                }
                Some(Width::Narrow(token)) => many::abreast::<$Compression, $narrow>(
                    chains, blocks, LEAST,
                    |chains, blocks| lanes::avx2::compress(token, chains, blocks, 1),
                ),
                None => 0,
            };
            #[cfg(not(target_arch = "x86_64"))]
            0
        }

        /// Hashes many messages. `done` receives the index and the last chaining value of each
        /// message.
        fn many<'m>(
            kernel: Kernel,
            waiting: impl Iterator<Item = $crate::hash::iterated::Begun<'m, $Compression>>,
            mut done: impl FnMut(usize, &[$word; $words]),
        ) {
            use $crate::hash::many;
            #[cfg(target_arch = "x86_64")]
            many::in_lanes_or_twice(
                (kernel, kernel.lanes(), $doubles),
                waiting,
                lanes::twice::compress,
                lanes::avx512::compress,
                lanes::avx2::compress,
                &mut done,
            );
            #[cfg(not(target_arch = "x86_64"))]
            many::finish(kernel, waiting, &mut done);
        }
    };
    (
        @width $module:ident ($Word:ty) $Token:ident $lanes:literal $features:literal,
        $words:literal $word:ident $block:literal,
        $load:ident, |$h:ident, $w:ident| $body:block
    ) => {
        pub(in crate::hash) mod $module {
            #[allow(unused_imports, reason = "constants of the hash")]
            use super::super::*;
            use $crate::cpu::$Token;

            type Word = $Word;

            /// Compresses `count` blocks of each message.
            pub(in crate::hash) fn compress(
                _: $Token,
                chains: &mut [[$word; $words]; $lanes],
                blocks: [&[[u8; $block]]; $lanes],
                count: usize,
            ) {
                // SAFETY: the token proves the features.
                unsafe { entry(chains, blocks, count) }

                #[target_feature(enable = $features)]
                fn entry(
                    chains: &mut [[$word; $words]; $lanes],
                    blocks: [&[[u8; $block]]; $lanes],
                    count: usize,
                ) {
                    let mut state = Word::from_rows(chains);
                    for i in 0..count {
                        let mut block = [&[0; $block]; $lanes];
                        for (block, blocks) in block.iter_mut().zip(&blocks) {
                            *block = &blocks[i];
                        }
                        state = one(state, Word::$load(block));
                    }
                    Word::to_rows(state, chains);
                }
            }

            #[allow(unused_mut, reason = "not every schedule writes to the words")]
            #[inline]
            #[target_feature(enable = $features)]
            fn one($h: [Word; $words], mut $w: [Word; 16]) -> [Word; $words] $body
        }
    };
}
pub(crate) use lanes;

/// Writes a compression function `$Compression` whose kernels with lanes need many messages.
/// For a single message the compression function uses the portable form, which is the file's
/// function `compress`.
macro_rules! lane_compression {
    ($(#[$meta:meta])* $Compression:ident, $words:literal words, $padding:expr) => {
        $(#[$meta])*
        #[derive(Clone)]
        pub(crate) struct $Compression;

        impl $crate::hash::iterated::Compression for $Compression {
            type Kernel = Kernel;
            type Block = [u8; 64];
            type Chain = [u32; $words];
            const ZERO: [u32; $words] = [0; $words];
            const PADDING: $crate::hash::iterated::Padding = $padding;

            #[inline]
            fn compress(_: Kernel, chain: &mut [u32; $words], blocks: &[[u8; 64]]) {
                compress(chain, blocks);
            }

            #[inline]
            fn compress_several(
                kernel: Kernel,
                chains: &mut [[u32; $words]],
                blocks: &[[u8; 64]],
            ) -> usize {
                abreast(kernel, chains, blocks)
            }
        }
    };
}
pub(crate) use lane_compression;

/// The number of messages from which on lanes are faster than portable code for one message after
/// the other.
pub(crate) const LEAST: usize = 3;

/// Writes an `enum Kernel` whose kernels differ from `portable` only if they hash many
/// messages.
macro_rules! lane_kernels {
    ($(#[$meta:meta])*) => {
        $crate::kernel::kernels! {
            $(#[$meta])*
            enum Kernel {
                #[cfg(target_arch = "x86_64")]
                "avx512" = Avx512($crate::cpu::Avx512),
                #[cfg(target_arch = "x86_64")]
                "avx2" = Avx2($crate::cpu::Avx2),
            }
        }

        #[cfg(target_arch = "x86_64")]
        impl Kernel {
            #[inline]
            fn lanes(self) -> Option<$crate::hash::lanes::Width> {
                match self {
                    Self::Avx512(token) => Some($crate::hash::lanes::Width::Wide(token)),
                    Self::Avx2(token) => Some($crate::hash::lanes::Width::Narrow(token)),
                    Self::Portable => None,
                }
            }
        }
    };
}
pub(crate) use lane_kernels;
