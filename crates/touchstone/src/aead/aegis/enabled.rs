//! Wrappers that enable a kernel's CPU features for the functions of AEGIS.
#![allow(unsafe_code)]

/// Writes a module with the wrappers for each kernel.
macro_rules! kernels {
    ($($kernel:ident: $Token:ident, $features:literal, $Word:ident;)*) => {$(
        pub(super) mod $kernel {
            use inout::InOutBuf;

            use super::super::{Block, Group, TwoBlocks};
            use crate::cpu;

            functions! { $Token, $features, $Word,
                start(key: &TwoBlocks, nonce: &TwoBlocks) -> [G; BLOCKS];
                absorb(blocks: &mut [G; BLOCKS], messages: &[[G; RATE]]);
                apply(blocks: &mut [G; BLOCKS], data: InOutBuf<'_, '_, [G; RATE]>, backwards: bool);
                tag(blocks: &[G; BLOCKS], lengths: &Block, all: bool) -> [G; 2];
            }
        }
    )*};
}

/// Writes functions that enable the CPU features and call the generic functions.
macro_rules! functions {
    (
        $Token:ident, $features:literal, $Word:ident,
        $($name:ident($($argument:ident: $Type:ty),*) $(-> $Result:ty)?;)*
    ) => {$(
        pub(in super::super) fn $name<const BLOCKS: usize, const RATE: usize, G: Group>(
            _: cpu::$Token,
            $($argument: $Type),*
        ) $(-> $Result)? {
            #[target_feature(enable = $features)]
            fn enabled<const BLOCKS: usize, const RATE: usize, G: Group>(
                $($argument: $Type),*
            ) $(-> $Result)? {
                super::super::$name::<G::$Word, BLOCKS, RATE, G>($($argument),*)
            }
            // SAFETY: the token proves the features.
            unsafe { enabled::<BLOCKS, RATE, G>($($argument),*) }
        }
    )*};
}

kernels! {
    avx512: Avx512, "avx512f,avx512bw,avx512dq,avx512vl,aes,vaes", Avx512;
    vaes256: Vaes256, "avx2,aes,vaes", Vaes256;
    aesni: Aes, "aes,ssse3,sse4.1", AesNi;
}
