//! `cipher` 0.5: `BlockCipherEncrypt`, `BlockCipherDecrypt`, `KeyInit`.
//!
//! Their modes hand a backend as many blocks at once as it says it takes, and
//! ours say the number that fills the widest kernel. Of ciphers with keys of many
//! lengths, `new` takes the length that RustCrypto's crates take, and
//! `new_from_slice` all.
#![allow(unsafe_code)]

use cipher::array::Array;
use cipher::consts::{U2, U4, U8, U16, U24, U32, U56, U64, U128, U512};
use cipher::{
    AlgorithmName, Block, BlockCipherDecBackend, BlockCipherDecClosure, BlockCipherDecrypt,
    BlockCipherEncBackend, BlockCipherEncClosure, BlockCipherEncrypt, BlockSizeUser, InOut,
    InOutBuf, InvalidLength, Key, KeyInit, KeySizeUser, ParBlocks, ParBlocksSizeUser,
};
use core::fmt;

use crate::block::{Aes, AesDecrypt, AesEncrypt, Des, DesEde2, DesEde3};
use crate::block::{Anubis, AnubisDecrypt, AnubisEncrypt, AnubisOriginal, AnubisOriginalDecrypt};
use crate::block::{AnubisOriginalEncrypt, Blowfish, Cast5, Gost28147, Idea, IdeaDecrypt};
use crate::block::{Aria128, Aria128Decrypt, Aria128Encrypt, Aria192, Aria192Decrypt};
use crate::block::{Aria192Encrypt, Aria256, Aria256Decrypt, Aria256Encrypt, Camellia128};
use crate::block::{Camellia192, Camellia256, Kuznyechik, KuznyechikDecrypt, KuznyechikEncrypt};
use crate::block::{IdeaEncrypt, Magma, Rc2, Rc5, Seed, Serpent, Shacal2, Sm4, Tea, Twofish, Xtea};
use crate::{BlockDecrypt, BlockEncrypt, Keyed};

/// What the traits call a backend: a cipher by reference.
struct Backend<'c, C>(&'c C);

/// Blocks as this crate has them.
fn plain<'i, 'o, const N: usize, S>(
    blocks: InOutBuf<'i, 'o, Array<u8, S>>,
) -> InOutBuf<'i, 'o, [u8; N]>
where
    S: cipher::array::ArraySize<ArrayType<u8> = [u8; N]>,
{
    let length = blocks.len();
    let (input, output) = blocks.into_raw();
    // SAFETY: `Array` is a transparent wrapper of the core array that `S` names.
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
                match Keyed::new(key) {
                    Ok(cipher) => cipher,
                    Err(_) => unreachable!("the type of the key has its length"),
                }
            }
            fn new_from_slice(key: &[u8]) -> Result<Self, InvalidLength> {
                Keyed::new(key).map_err(|_| InvalidLength)
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

/// A buffer of one.
fn one<'i, 'o, T>(block: InOut<'i, 'o, T>) -> InOutBuf<'i, 'o, T> {
    let (input, output) = block.into_raw();
    // SAFETY: one element lies behind both pointers, for the same lifetimes.
    unsafe { InOutBuf::from_raw(input, output, 1) }
}

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
    Des, U8, U512, U8, "Des";
    DesEde2, U8, U512, U16, "TdesEde2";
    DesEde3, U8, U512, U24, "TdesEde3";
    Aria128, U16, U2, U16, "Aria128";
    Aria128Encrypt, U16, U2, U16, "Aria128Enc";
    Aria128Decrypt, U16, U2, U16, "Aria128Dec";
    Aria192, U16, U2, U24, "Aria192";
    Aria192Encrypt, U16, U2, U24, "Aria192Enc";
    Aria192Decrypt, U16, U2, U24, "Aria192Dec";
    Aria256, U16, U2, U32, "Aria256";
    Aria256Encrypt, U16, U2, U32, "Aria256Enc";
    Aria256Decrypt, U16, U2, U32, "Aria256Dec";
    Camellia128, U16, U2, U16, "Camellia128";
    Camellia192, U16, U2, U24, "Camellia192";
    Camellia256, U16, U2, U32, "Camellia256";
    Kuznyechik, U16, U8, U32, "Kuznyechik";
    KuznyechikEncrypt, U16, U8, U32, "KuznyechikEnc";
    KuznyechikDecrypt, U16, U8, U32, "KuznyechikDec";
    Seed, U16, U4, U16, "SEED";
    Sm4, U16, U4, U16, "Sm4";
    Serpent, U16, U64, U16, "Serpent";
    Twofish, U16, U128, U32, "Twofish";
    Anubis, U16, U4, U16, "Anubis";
    AnubisEncrypt, U16, U4, U16, "AnubisEnc";
    AnubisDecrypt, U16, U4, U16, "AnubisDec";
    AnubisOriginal, U16, U4, U16, "AnubisOriginal";
    AnubisOriginalEncrypt, U16, U4, U16, "AnubisOriginalEnc";
    AnubisOriginalDecrypt, U16, U4, U16, "AnubisOriginalDec";
    Shacal2, U32, U16, U64, "Shacal2";
    Blowfish, U8, U4, U56, "Blowfish";
    Cast5, U8, U4, U16, "Cast5";
    Gost28147<'static>, U8, U64, U32, "Gost89CryptoProA";
    Magma, U8, U64, U32, "Magma";
    Idea, U8, U64, U16, "Idea";
    IdeaEncrypt, U8, U64, U16, "IdeaEnc";
    IdeaDecrypt, U8, U64, U16, "IdeaDec";
    Rc2, U8, U64, U32, "Rc2";
    Rc5, U8, U64, U16, "RC5 - 32/12";
    Tea, U8, U64, U16, "Tea";
    Xtea, U8, U64, U16, "XTEA";
}

forwards! {
    Aes<16>; Aes<24>; Aes<32>; AesEncrypt<16>; AesEncrypt<24>; AesEncrypt<32>;
    Des; DesEde2; DesEde3;
    Aria128; Aria128Encrypt; Aria192; Aria192Encrypt;
    Aria256; Aria256Encrypt; Camellia128; Camellia192;
    Camellia256; Kuznyechik; KuznyechikEncrypt; Seed;
    Sm4; Serpent; Twofish; Anubis; AnubisEncrypt; AnubisOriginal; AnubisOriginalEncrypt;
    Shacal2; Blowfish; Cast5; Gost28147<'static>; Magma; Idea; IdeaEncrypt;
    Rc2; Rc5; Tea; Xtea;
}

backwards! {
    Aes<16>; Aes<24>; Aes<32>; AesDecrypt<16>; AesDecrypt<24>; AesDecrypt<32>;
    Des; DesEde2; DesEde3;
    Aria128; Aria128Decrypt; Aria192; Aria192Decrypt;
    Aria256; Aria256Decrypt; Camellia128; Camellia192;
    Camellia256; Kuznyechik; KuznyechikDecrypt; Seed;
    Sm4; Serpent; Twofish; Anubis; AnubisDecrypt; AnubisOriginal; AnubisOriginalDecrypt;
    Shacal2; Blowfish; Cast5; Gost28147<'static>; Magma; Idea; IdeaDecrypt;
    Rc2; Rc5; Tea; Xtea;
}
