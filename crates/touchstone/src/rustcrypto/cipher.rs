//! `cipher` 0.5: `BlockCipherEncrypt`, `BlockCipherDecrypt`, `KeyInit`.
//!
//! RustCrypto's modes pass a backend as many blocks at once as it asks for; ours ask for
//! the number that fills the widest kernel. If a cipher takes several key lengths, `new`
//! takes the length of RustCrypto's own crate, and `new_from_slice` takes all lengths.
#![allow(unsafe_code)]

use cipher::array::Array;
use cipher::consts::{U2, U4, U8, U16, U24, U32, U56, U64, U128, U512};
use cipher::{
    AlgorithmName, Block, BlockCipherDecBackend, BlockCipherDecClosure, BlockCipherDecrypt,
    BlockCipherEncBackend, BlockCipherEncClosure, BlockCipherEncrypt, BlockSizeUser, InOut,
    InOutBuf, InvalidLength, Key, KeyInit, KeySizeUser, ParBlocks, ParBlocksSizeUser,
};
use core::fmt;

use crate::{BlockDecrypt, BlockEncrypt, Keyed};

/// A backend, as the traits call it: a reference to a cipher.
struct Backend<'c, C>(&'c C);

/// Converts a buffer of blocks to this crate's type of blocks.
fn plain<'i, 'o, const N: usize, S>(
    blocks: InOutBuf<'i, 'o, Array<u8, S>>,
) -> InOutBuf<'i, 'o, [u8; N]>
where
    S: cipher::array::ArraySize<ArrayType<u8> = [u8; N]>,
{
    let length = blocks.len();
    let (input, output) = blocks.into_raw();
    // SAFETY: `Array` is a transparent wrapper of the array that `S` names.
    unsafe { InOutBuf::from_raw(input.cast(), output.cast(), length) }
}

macro_rules! sizes {
    ($($Cipher:ty, $block:ty, $parallel:ty, $key:ty, $name:literal;)*) => {$(
        impl BlockSizeUser for $Cipher {
            type BlockSize = $block;
        }
        impl BlockSizeUser for Backend<'_, $Cipher> {
            type BlockSize = $block;
        }
        impl ParBlocksSizeUser for Backend<'_, $Cipher> {
            type ParBlocksSize = $parallel;
        }
        impl KeySizeUser for $Cipher {
            type KeySize = $key;
        }
        impl KeyInit for $Cipher {
            fn new(key: &Key<Self>) -> Self {
                match Keyed::from_slice(key) {
                    Ok(cipher) => cipher,
                    Err(_) => unreachable!("the type of the key has its length"),
                }
            }
            fn new_from_slice(key: &[u8]) -> Result<Self, InvalidLength> {
                Keyed::from_slice(key).map_err(|_| InvalidLength)
            }
        }
        impl AlgorithmName for $Cipher {
            fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str($name)
            }
        }
    )*};
}

macro_rules! forwards {
    ($($Cipher:ty;)*) => {$(
        impl BlockCipherEncrypt for $Cipher {
            #[inline]
            fn encrypt_with_backend(
                &self,
                f: impl BlockCipherEncClosure<BlockSize = Self::BlockSize>,
            ) {
                f.call(&Backend(self));
            }
        }
        impl BlockCipherEncBackend for Backend<'_, $Cipher> {
            #[inline]
            fn encrypt_block(&self, block: InOut<'_, '_, Block<Self>>) {
                BlockEncrypt::encrypt_blocks(self.0, plain(one(block)));
            }
            #[inline]
            fn encrypt_par_blocks(&self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
                BlockEncrypt::encrypt_blocks(self.0, plain(blocks.into_buf()));
            }
            #[inline]
            fn encrypt_tail_blocks(&self, blocks: InOutBuf<'_, '_, Block<Self>>) {
                BlockEncrypt::encrypt_blocks(self.0, plain(blocks));
            }
        }
    )*};
}

macro_rules! backwards {
    ($($Cipher:ty;)*) => {$(
        impl BlockCipherDecrypt for $Cipher {
            #[inline]
            fn decrypt_with_backend(
                &self,
                f: impl BlockCipherDecClosure<BlockSize = Self::BlockSize>,
            ) {
                f.call(&Backend(self));
            }
        }
        impl BlockCipherDecBackend for Backend<'_, $Cipher> {
            #[inline]
            fn decrypt_block(&self, block: InOut<'_, '_, Block<Self>>) {
                BlockDecrypt::decrypt_blocks(self.0, plain(one(block)));
            }
            #[inline]
            fn decrypt_par_blocks(&self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
                BlockDecrypt::decrypt_blocks(self.0, plain(blocks.into_buf()));
            }
            #[inline]
            fn decrypt_tail_blocks(&self, blocks: InOutBuf<'_, '_, Block<Self>>) {
                BlockDecrypt::decrypt_blocks(self.0, plain(blocks));
            }
        }
    )*};
}

/// Converts one block to a buffer of one block.
fn one<'i, 'o, T>(block: InOut<'i, 'o, T>) -> InOutBuf<'i, 'o, T> {
    let (input, output) = block.into_raw();
    // SAFETY: both pointers are valid for one element, for the same lifetimes.
    unsafe { InOutBuf::from_raw(input, output, 1) }
}

#[cfg(feature = "aes")]
mod aes {
    use super::*;
    use crate::block::{Aes, AesDecrypt, AesEncrypt};

    sizes! {
        Aes<16>, U16, U32, U16, "Aes128";
        Aes<24>, U16, U32, U24, "Aes192";
        Aes<32>, U16, U32, U32, "Aes256";
        AesEncrypt<16>, U16, U32, U16, "Aes128Enc";
        AesEncrypt<24>, U16, U32, U24, "Aes192Enc";
        AesEncrypt<32>, U16, U32, U32, "Aes256Enc";
        AesDecrypt<16>, U16, U32, U16, "Aes128Dec";
        AesDecrypt<24>, U16, U32, U24, "Aes192Dec";
        AesDecrypt<32>, U16, U32, U32, "Aes256Dec";
    }
    forwards! { Aes<16>; Aes<24>; Aes<32>; AesEncrypt<16>; AesEncrypt<24>; AesEncrypt<32>; }
    backwards! { Aes<16>; Aes<24>; Aes<32>; AesDecrypt<16>; AesDecrypt<24>; AesDecrypt<32>; }
}

#[cfg(feature = "des")]
mod des {
    use super::*;
    use crate::block::{Des, DesEde2, DesEde3};

    sizes! {
        Des, U8, U512, U8, "Des";
        DesEde2, U8, U512, U16, "TdesEde2";
        DesEde3, U8, U512, U24, "TdesEde3";
    }
    forwards! { Des; DesEde2; DesEde3; }
    backwards! { Des; DesEde2; DesEde3; }
}

#[cfg(feature = "aria")]
mod aria {
    use super::*;
    use crate::block::{
        Aria128, Aria128Decrypt, Aria128Encrypt, Aria192, Aria192Decrypt, Aria192Encrypt, Aria256,
        Aria256Decrypt, Aria256Encrypt,
    };

    sizes! {
        Aria128, U16, U2, U16, "Aria128";
        Aria128Encrypt, U16, U2, U16, "Aria128Enc";
        Aria128Decrypt, U16, U2, U16, "Aria128Dec";
        Aria192, U16, U2, U24, "Aria192";
        Aria192Encrypt, U16, U2, U24, "Aria192Enc";
        Aria192Decrypt, U16, U2, U24, "Aria192Dec";
        Aria256, U16, U2, U32, "Aria256";
        Aria256Encrypt, U16, U2, U32, "Aria256Enc";
        Aria256Decrypt, U16, U2, U32, "Aria256Dec";
    }
    forwards! { Aria128; Aria128Encrypt; Aria192; Aria192Encrypt; Aria256; Aria256Encrypt; }
    backwards! { Aria128; Aria128Decrypt; Aria192; Aria192Decrypt; Aria256; Aria256Decrypt; }
}

#[cfg(feature = "camellia")]
mod camellia {
    use super::*;
    use crate::block::{Camellia128, Camellia192, Camellia256};

    sizes! {
        Camellia128, U16, U2, U16, "Camellia128";
        Camellia192, U16, U2, U24, "Camellia192";
        Camellia256, U16, U2, U32, "Camellia256";
    }
    forwards! { Camellia128; Camellia192; Camellia256; }
    backwards! { Camellia128; Camellia192; Camellia256; }
}

#[cfg(feature = "kuznyechik")]
mod kuznyechik {
    use super::*;
    use crate::block::{Kuznyechik, KuznyechikDecrypt, KuznyechikEncrypt};

    sizes! {
        Kuznyechik, U16, U8, U32, "Kuznyechik";
        KuznyechikEncrypt, U16, U8, U32, "KuznyechikEnc";
        KuznyechikDecrypt, U16, U8, U32, "KuznyechikDec";
    }
    forwards! { Kuznyechik; KuznyechikEncrypt; }
    backwards! { Kuznyechik; KuznyechikDecrypt; }
}

#[cfg(feature = "seed")]
mod seed {
    use super::*;
    use crate::block::Seed;

    sizes! {
        Seed, U16, U4, U16, "SEED";
    }
    forwards! { Seed; }
    backwards! { Seed; }
}

#[cfg(feature = "sm4")]
mod sm4 {
    use super::*;
    use crate::block::Sm4;

    sizes! {
        Sm4, U16, U4, U16, "Sm4";
    }
    forwards! { Sm4; }
    backwards! { Sm4; }
}

#[cfg(feature = "serpent")]
mod serpent {
    use super::*;
    use crate::block::Serpent;

    sizes! {
        Serpent, U16, U64, U16, "Serpent";
    }
    forwards! { Serpent; }
    backwards! { Serpent; }
}

#[cfg(feature = "twofish")]
mod twofish {
    use super::*;
    use crate::block::Twofish;

    sizes! {
        Twofish, U16, U128, U32, "Twofish";
    }
    forwards! { Twofish; }
    backwards! { Twofish; }
}

#[cfg(feature = "anubis")]
mod anubis {
    use super::*;
    use crate::block::{
        Anubis, AnubisDecrypt, AnubisEncrypt, AnubisOriginal, AnubisOriginalDecrypt,
        AnubisOriginalEncrypt,
    };

    sizes! {
        Anubis, U16, U4, U16, "Anubis";
        AnubisEncrypt, U16, U4, U16, "AnubisEnc";
        AnubisDecrypt, U16, U4, U16, "AnubisDec";
        AnubisOriginal, U16, U4, U16, "AnubisOriginal";
        AnubisOriginalEncrypt, U16, U4, U16, "AnubisOriginalEnc";
        AnubisOriginalDecrypt, U16, U4, U16, "AnubisOriginalDec";
    }
    forwards! { Anubis; AnubisEncrypt; AnubisOriginal; AnubisOriginalEncrypt; }
    backwards! { Anubis; AnubisDecrypt; AnubisOriginal; AnubisOriginalDecrypt; }
}

#[cfg(feature = "shacal2")]
mod shacal2 {
    use super::*;
    use crate::block::Shacal2;

    sizes! {
        Shacal2, U32, U16, U64, "Shacal2";
    }
    forwards! { Shacal2; }
    backwards! { Shacal2; }
}

#[cfg(feature = "blowfish")]
mod blowfish {
    use super::*;
    use crate::block::Blowfish;

    sizes! {
        Blowfish, U8, U4, U56, "Blowfish";
    }
    forwards! { Blowfish; }
    backwards! { Blowfish; }
}

#[cfg(feature = "cast5")]
mod cast5 {
    use super::*;
    use crate::block::Cast5;

    sizes! {
        Cast5, U8, U4, U16, "Cast5";
    }
    forwards! { Cast5; }
    backwards! { Cast5; }
}

#[cfg(feature = "gost28147")]
mod gost28147 {
    use super::*;
    use crate::block::{Gost28147, Magma};

    sizes! {
        Gost28147<'static>, U8, U64, U32, "Gost89CryptoProA";
        Magma, U8, U64, U32, "Magma";
    }
    forwards! { Gost28147<'static>; Magma; }
    backwards! { Gost28147<'static>; Magma; }
}

#[cfg(feature = "idea")]
mod idea {
    use super::*;
    use crate::block::{Idea, IdeaDecrypt, IdeaEncrypt};

    sizes! {
        Idea, U8, U64, U16, "Idea";
        IdeaEncrypt, U8, U64, U16, "IdeaEnc";
        IdeaDecrypt, U8, U64, U16, "IdeaDec";
    }
    forwards! { Idea; IdeaEncrypt; }
    backwards! { Idea; IdeaDecrypt; }
}

#[cfg(feature = "rc2")]
mod rc2 {
    use super::*;
    use crate::block::Rc2;

    sizes! {
        Rc2, U8, U64, U32, "Rc2";
    }
    forwards! { Rc2; }
    backwards! { Rc2; }
}

#[cfg(feature = "rc5")]
mod rc5 {
    use super::*;
    use crate::block::Rc5;

    sizes! {
        Rc5, U8, U64, U16, "RC5 - 32/12";
    }
    forwards! { Rc5; }
    backwards! { Rc5; }
}

#[cfg(feature = "tea")]
mod tea {
    use super::*;
    use crate::block::{Tea, Xtea};

    sizes! {
        Tea, U8, U64, U16, "Tea";
        Xtea, U8, U64, U16, "XTEA";
    }
    forwards! { Tea; Xtea; }
    backwards! { Tea; Xtea; }
}
