//! `digest` 0.11: `Digest` by way of `Update`, `FixedOutput` and `Reset`.

use digest::consts::{U28, U32, U64};
use digest::{
    FixedOutput, FixedOutputReset, HashMarker, Output, OutputSizeUser, Reset, Update,
    common::BlockSizeUser,
};

use crate::HashFunction;
use crate::hash::{Sha224, Sha256};

macro_rules! hashes {
    ($($Hash:ty, $block:ty, $output:ty;)*) => {$(
        impl HashMarker for $Hash {}

        impl BlockSizeUser for $Hash {
            type BlockSize = $block;
        }

        impl OutputSizeUser for $Hash {
            type OutputSize = $output;
        }

        impl Update for $Hash {
            #[inline]
            fn update(&mut self, data: &[u8]) {
                HashFunction::update(self, data);
            }
        }

        impl FixedOutput for $Hash {
            #[inline]
            fn finalize_into(self, out: &mut Output<Self>) {
                out.copy_from_slice(&*HashFunction::finalize(self));
            }
        }

        impl Reset for $Hash {
            #[inline]
            fn reset(&mut self) {
                *self = HashFunction::with_kernel(self.kernel_in_use());
            }
        }

        impl FixedOutputReset for $Hash {
            #[inline]
            fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
                let new = HashFunction::with_kernel(self.kernel_in_use());
                core::mem::replace(self, new).finalize_into(out);
            }
        }
    )*};
}

hashes! {
    Sha224, U64, U28;
    Sha256, U64, U32;
}
