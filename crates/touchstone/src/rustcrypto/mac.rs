//! The trait `Mac` of `digest` 0.11 by `Update`, `FixedOutput`, `Reset` and `KeyInit`, for MACs
//! that need no nonce. The traits of `universal-hash` 0.6, for Poly1305.

use cipher::array::AssocArraySize;
use cipher::common::{InnerInit, InnerUser};
use cipher::consts::{U4, U8, U16, U32, U64, U128};
use cipher::{BlockSizeUser, InvalidLength, Key, KeyInit, KeySizeUser};
use digest::{FixedOutput, FixedOutputReset, MacMarker, Output, OutputSizeUser, Reset, Update};
use universal_hash::{ParBlocks, UhfBackend, UhfClosure, UniversalHash};

use super::Size;
use crate::byte_array::Doubled;
#[cfg(feature = "blake3")]
use crate::mac::Blake3Mac;
#[cfg(feature = "gost28147")]
use crate::mac::GostMac;
#[cfg(feature = "blake2")]
use crate::mac::{Blake2bMac, Blake2sMac};
use crate::mac::{CbcMac, Dmac, HalfSipHash, Hmac, Pmac, Poly1305, SipHash};
#[cfg(feature = "sha3")]
use crate::mac::{Kmac128, Kmac256};
use crate::mac::{RetailMac, cmac::Omac};
#[cfg(feature = "skein")]
use crate::mac::{Skein256Mac, Skein512Mac, Skein1024Mac};
use crate::mode::Padding;
use crate::{FixedKey, FusedDecrypt, FusedEncrypt, HashFunction, Keyed, Mac, Tag};

/// Writes the traits of `digest` for a MAC from the traits of this crate. The arguments are:
/// its generic parameters, its type, its bounds, and the length of its tag.
macro_rules! macs {
    ($($(#[$cfg:meta])* [$($generics:tt)*] $Mac:ty, [$($bound:tt)*] $output:ty;)*) => {$(
        $(#[$cfg])*
        const _: () = {
            impl<$($generics)*> MacMarker for $Mac {}

            impl<$($generics)*> OutputSizeUser for $Mac where $($bound)* {
                type OutputSize = $output;
            }

            impl<$($generics)*> Update for $Mac {
                #[inline]
                fn update(&mut self, data: &[u8]) {
                    Mac::update(self, data);
                }
            }

            impl<$($generics)*> FixedOutput for $Mac where $($bound)* {
                #[inline]
                fn finalize_into(mut self, out: &mut Output<Self>) {
                    out.copy_from_slice(Mac::finalize(&mut self).as_ref());
                }
            }

            impl<$($generics)*> Reset for $Mac {
                #[inline]
                fn reset(&mut self) {
                    Mac::reset(self);
                }
            }

            impl<$($generics)*> FixedOutputReset for $Mac where $($bound)* {
                #[inline]
                fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
                    out.copy_from_slice(Mac::finalize(self).as_ref());
                }
            }
        };
    )*};
}

macs! {
    [H: HashFunction] Hmac<H>, [H: OutputSizeUser] H::OutputSize;
    [C: Keyed + FusedEncrypt, const VERSION: u8] Omac<C, VERSION>,
        [C: BlockSizeUser] C::BlockSize;
    [C: Keyed + FusedEncrypt, P: Padding] CbcMac<C, P>, [C: BlockSizeUser] C::BlockSize;
    [C: Keyed + FusedEncrypt, P: Padding] Dmac<C, P>, [C: BlockSizeUser] C::BlockSize;
    [C: Keyed + FusedEncrypt + FusedDecrypt, P: Padding] RetailMac<C, P>,
        [C: BlockSizeUser] C::BlockSize;
    [C: Keyed + FusedEncrypt] Pmac<C>, [C: BlockSizeUser] C::BlockSize;
    [const C: usize, const D: usize, const N: usize] SipHash<C, D, N>,
        [[u8; N]: AssocArraySize] Size<N>;
    [const C: usize, const D: usize, const N: usize] HalfSipHash<C, D, N>,
        [[u8; N]: AssocArraySize] Size<N>;
    #[cfg(feature = "gost28147")]
    ['s] GostMac<'s>, [] U4;
    #[cfg(feature = "blake2")]
    [const N: usize] Blake2bMac<N>, [[u8; N]: AssocArraySize] Size<N>;
    #[cfg(feature = "blake2")]
    [const N: usize] Blake2sMac<N>, [[u8; N]: AssocArraySize] Size<N>;
    #[cfg(feature = "blake3")]
    [] Blake3Mac, [] U32;
    #[cfg(feature = "skein")]
    [const N: usize] Skein256Mac<N>, [[u8; N]: AssocArraySize] Size<N>;
    #[cfg(feature = "skein")]
    [const N: usize] Skein512Mac<N>, [[u8; N]: AssocArraySize] Size<N>;
    #[cfg(feature = "skein")]
    [const N: usize] Skein1024Mac<N>, [[u8; N]: AssocArraySize] Size<N>;
    #[cfg(feature = "sha3")]
    [const N: usize] Kmac128<N>, [[u8; N]: AssocArraySize] Size<N>;
    #[cfg(feature = "sha3")]
    [const N: usize] Kmac256<N>, [[u8; N]: AssocArraySize] Size<N>;
}

/// The type of two keys of a cipher, one after the other.
type Twice<C> = <<C as FixedKey>::Key as Doubled>::Twice;

/// Writes `KeyInit` for a MAC that sets up its own key. The last argument is the key length
/// that `new` accepts. `new_from_slice` accepts every length that the MAC allows.
macro_rules! keys {
    ($($(#[$cfg:meta])* [$($generics:tt)*] $Mac:ty, [$($bound:tt)*] $key:ty;)*) => {$(
        $(#[$cfg])*
        const _: () = {
            impl<$($generics)*> KeySizeUser for $Mac where $($bound)* {
                type KeySize = $key;
            }

            impl<$($generics)*> KeyInit for $Mac where $($bound)* {
                fn new(key: &Key<Self>) -> Self {
                    super::with_key(key)
                }

                fn new_from_slice(key: &[u8]) -> Result<Self, InvalidLength> {
                    super::with_slice(key)
                }
            }
        };
    )*};
}

keys! {
    // The key of `hmac::Hmac` has the same length: a block of the hash function.
    [H: HashFunction] Hmac<H>, [H: BlockSizeUser] H::BlockSize;
    [C: Keyed + FusedEncrypt, P: Padding] CbcMac<C, P>, [C: KeySizeUser] C::KeySize;
    [C: Keyed + FusedEncrypt, P: Padding] Dmac<C, P>,
        [C: FixedKey<Key: Doubled<Twice: AssocArraySize>>] <Twice<C> as AssocArraySize>::Size;
    [C: Keyed + FusedEncrypt + FusedDecrypt, P: Padding] RetailMac<C, P>,
        [C: FixedKey<Key: Doubled<Twice: AssocArraySize>>] <Twice<C> as AssocArraySize>::Size;
    #[cfg(feature = "gost28147")]
    ['s] GostMac<'s>, [] U32;
    [const C: usize, const D: usize, const N: usize] SipHash<C, D, N>, [] U16;
    [const C: usize, const D: usize, const N: usize] HalfSipHash<C, D, N>, [] U8;
    // The longest keys, as in the crate `blake2`.
    #[cfg(feature = "blake2")]
    [const N: usize] Blake2bMac<N>, [] U64;
    #[cfg(feature = "blake2")]
    [const N: usize] Blake2sMac<N>, [] U32;
    #[cfg(feature = "blake3")]
    [] Blake3Mac, [] U32;
    // The key of Skein is as long as its state.
    #[cfg(feature = "skein")]
    [const N: usize] Skein256Mac<N>, [] U32;
    #[cfg(feature = "skein")]
    [const N: usize] Skein512Mac<N>, [] U64;
    #[cfg(feature = "skein")]
    [const N: usize] Skein1024Mac<N>, [] U128;
    // The key of KMAC is as long as the strength of the function, NIST SP 800-185 §8.4.1.
    #[cfg(feature = "sha3")]
    [const N: usize] Kmac128<N>, [] U16;
    #[cfg(feature = "sha3")]
    [const N: usize] Kmac256<N>, [] U32;
}

impl<C: FusedEncrypt, const VERSION: u8> InnerUser for Omac<C, VERSION> {
    type Inner = C;
}

impl<C: FusedEncrypt, const VERSION: u8> InnerInit for Omac<C, VERSION> {
    #[inline]
    fn inner_init(cipher: C) -> Self {
        Self::with_cipher(cipher)
    }
}

impl<C: FusedEncrypt> InnerUser for Pmac<C> {
    type Inner = C;
}

impl<C: FusedEncrypt> InnerInit for Pmac<C> {
    #[inline]
    fn inner_init(cipher: C) -> Self {
        Self::with_cipher(cipher)
    }
}

impl BlockSizeUser for Poly1305 {
    type BlockSize = U16;
}

impl KeySizeUser for Poly1305 {
    type KeySize = U32;
}

impl KeyInit for Poly1305 {
    #[inline]
    fn new(key: &Key<Self>) -> Self {
        Poly1305::new(key.as_ref())
    }
}

/// The only backend of Poly1305: a reference to Poly1305 itself.
struct Blocks<'m>(&'m mut Poly1305);

impl BlockSizeUser for Blocks<'_> {
    type BlockSize = U16;
}

impl universal_hash::common::ParBlocksSizeUser for Blocks<'_> {
    type ParBlocksSize = U64;
}

impl UhfBackend for Blocks<'_> {
    #[inline]
    fn proc_block(&mut self, block: &universal_hash::Block<Self>) {
        self.0.update(block);
    }

    #[inline]
    fn proc_par_blocks(&mut self, blocks: &ParBlocks<Self>) {
        self.0.update(cipher::Array::slice_as_flattened(blocks));
    }
}

impl UniversalHash for Poly1305 {
    #[inline]
    fn update_with_backend(&mut self, f: impl UhfClosure<BlockSize = U16>) {
        f.call(&mut Blocks(self));
    }

    #[inline]
    fn finalize(self) -> universal_hash::Block<Self> {
        let tag: Tag<16> = crate::OneTimeMac::finalize(self);
        tag.into_bytes().into()
    }
}
