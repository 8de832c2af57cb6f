//! Block ciphers, and the traits that they implement.
//!
//! | cipher | block | key | page |
//! |---|---|---|---|
//! | [`Aes128`] [`Aes192`] [`Aes256`] | 16 | 16, 24, 32 | [`aes`] |
//! | [`Anubis`] [`AnubisOriginal`] | 16 | 16 to 40 by 4 | [`anubis`] |
//! | [`Aria128`] [`Aria192`] [`Aria256`] | 16 | 16, 24, 32 | [`aria`] |
//! | [`Camellia128`] [`Camellia192`] [`Camellia256`] | 16 | 16, 24, 32 | [`camellia`] |
//! | [`Cast6`] | 16 | 16 to 32 by 4 | [`cast6`] |
//! | [`Des`] [`DesEde2`] [`DesEde3`] | 8 | 8, 16, 24 | [`des`] |
//! | [`Kalyna128`] [`Kalyna256`] | 16 | 16, 32 | [`kalyna`] |
//! | [`Kuznyechik`] | 16 | 32 | [`kuznyechik`] |
//! | [`Mars`] | 16 | 16 to 56 by 4 | [`mars`] |
//! | [`Noekeon`] | 16 | 16 | [`noekeon`] |
//! | [`Rc6`] | 16 | 0 to 255 | [`rc6`] |
//! | [`SaferPlus`] | 16 | 16, 24, 32 | [`safer_plus`] |
//! | [`Seed`] | 16 | 16 | [`seed`] |
//! | [`Serpent`] | 16 | 16, 24, 32 | [`serpent`] |
//! | [`Shacal2`] | 32 | 16 to 64 | [`shacal2`] |
//! | [`Threefish256`] [`Threefish512`] [`Threefish1024`] | 32, 64, 128 | as the block | [`threefish`] |
//! | [`Twofish`] | 16 | 16, 24, 32 | [`twofish`] |
//! | [`Sm4`] | 16 | 16 | [`sm4`] |
//! | [`Blowfish`] | 8 | 1 to 72 | [`blowfish`] |
//! | [`Cast5`] | 8 | 5 to 16 | [`cast5`] |
//! | [`Gost28147`] [`Magma`] | 8 | 32 | [`gost28147`] |
//! | [`Idea`] | 8 | 16 | [`idea`] |
//! | [`Kasumi`] | 8 | 16 | [`kasumi`] |
//! | [`Misty1`] | 8 | 16 | [`misty1`] |
//! | [`Rc2`] | 8 | 1 to 128 | [`rc2`] |
//! | [`Rc5`] | 8 | 0 to 255 | [`rc5`] |
//! | [`SaferK64`] [`SaferK128`] [`SaferSk64`] [`SaferSk128`] | 8 | 8, 16 | [`safer`] |
//! | [`Skipjack`] | 8 | 10 | [`skipjack`] |
//! | [`Tea`] [`Xtea`] | 8 | 16 | [`tea`] |
//!
//! Some ciphers need further keys for decryption (AES the inverted round keys, IDEA the
//! inverse subkeys). They have three types: `X` for both directions, and `XEncrypt` and
//! `XDecrypt` for programs that use one direction and set up keys often. All other
//! ciphers have one type.
//!
//! # Traits
//!
//! [`Keyed`](crate::Keyed) sets a key up. [`BlockEncrypt`] and [`BlockDecrypt`] accept any
//! number of blocks. The [modes](crate::mode) call [`FusedEncrypt`] and [`FusedDecrypt`].

#[cfg(feature = "aes")]
pub mod aes;
#[cfg(feature = "anubis")]
pub mod anubis;
#[cfg(feature = "aria")]
pub mod aria;
#[cfg(feature = "blowfish")]
pub mod blowfish;
#[cfg(feature = "camellia")]
pub mod camellia;
#[cfg(feature = "cast5")]
pub mod cast5;
#[cfg(feature = "cast6")]
pub mod cast6;
#[cfg(feature = "des")]
pub mod des;
#[cfg(feature = "gost28147")]
pub mod gost28147;
#[cfg(feature = "idea")]
pub mod idea;
#[cfg(feature = "kalyna")]
pub mod kalyna;
#[cfg(feature = "kasumi")]
pub mod kasumi;
#[cfg(feature = "kuznyechik")]
pub mod kuznyechik;
#[cfg(feature = "mars")]
pub mod mars;
#[cfg(feature = "misty1")]
pub mod misty1;
#[cfg(feature = "noekeon")]
pub mod noekeon;
#[cfg(feature = "rc2")]
pub mod rc2;
#[cfg(feature = "rc5")]
pub mod rc5;
#[cfg(feature = "rc6")]
pub mod rc6;
#[cfg(feature = "safer")]
pub mod safer;
#[cfg(feature = "safer")]
pub mod safer_plus;
#[cfg(feature = "seed")]
pub mod seed;
#[cfg(feature = "serpent")]
pub mod serpent;
#[cfg(feature = "shacal2")]
pub mod shacal2;
#[cfg(feature = "skipjack")]
pub mod skipjack;
#[cfg(feature = "sm4")]
pub mod sm4;
#[cfg(feature = "tea")]
pub mod tea;
#[cfg(feature = "threefish")]
pub mod threefish;
#[cfg(feature = "twofish")]
pub mod twofish;

#[cfg(feature = "aes")]
pub use aes::{Aes, AesDecrypt, AesEncrypt};
#[cfg(feature = "aes")]
pub use aes::{Aes128, Aes128Decrypt, Aes128Encrypt};
#[cfg(feature = "aes")]
pub use aes::{Aes128Dec, Aes128Enc, Aes192Dec, Aes192Enc, Aes256Dec, Aes256Enc};
#[cfg(feature = "aes")]
pub use aes::{Aes192, Aes192Decrypt, Aes192Encrypt};
#[cfg(feature = "aes")]
pub use aes::{Aes256, Aes256Decrypt, Aes256Encrypt};
#[cfg(feature = "anubis")]
pub use anubis::{Anubis, AnubisDecrypt, AnubisEncrypt};
#[cfg(feature = "anubis")]
pub use anubis::{AnubisOriginal, AnubisOriginalDecrypt, AnubisOriginalEncrypt};
#[cfg(feature = "aria")]
pub use aria::{Aria, AriaDecrypt, AriaEncrypt};
#[cfg(feature = "aria")]
pub use aria::{Aria128, Aria128Decrypt, Aria128Encrypt};
#[cfg(feature = "aria")]
pub use aria::{Aria192, Aria192Decrypt, Aria192Encrypt};
#[cfg(feature = "aria")]
pub use aria::{Aria256, Aria256Decrypt, Aria256Encrypt};
#[cfg(feature = "blowfish")]
pub use blowfish::Blowfish;
#[cfg(feature = "camellia")]
pub use camellia::{Camellia, Camellia128, Camellia192, Camellia256};
#[cfg(feature = "cast5")]
pub use cast5::Cast5;
#[cfg(feature = "cast6")]
pub use cast6::Cast6;
#[cfg(feature = "des")]
pub use des::{Des, DesEde2, DesEde3, TdesEde2, TdesEde3};
#[cfg(feature = "gost28147")]
pub use gost28147::{Gost28147, Magma};
#[cfg(feature = "idea")]
pub use idea::{Idea, IdeaDecrypt, IdeaEncrypt};
#[cfg(feature = "kalyna")]
pub use kalyna::{Kalyna, Kalyna128, Kalyna256};
#[cfg(feature = "kasumi")]
pub use kasumi::Kasumi;
#[cfg(feature = "kuznyechik")]
pub use kuznyechik::{Kuznyechik, KuznyechikDecrypt, KuznyechikEncrypt};
#[cfg(feature = "mars")]
pub use mars::Mars;
#[cfg(feature = "misty1")]
pub use misty1::Misty1;
#[cfg(feature = "noekeon")]
pub use noekeon::Noekeon;
#[cfg(feature = "rc2")]
pub use rc2::Rc2;
#[cfg(feature = "rc5")]
pub use rc5::Rc5;
#[cfg(feature = "rc6")]
pub use rc6::Rc6;
#[cfg(feature = "safer")]
pub use safer::{Safer, SaferK64, SaferK128, SaferSk64, SaferSk128};
#[cfg(feature = "safer")]
pub use safer_plus::SaferPlus;
#[cfg(feature = "seed")]
pub use seed::Seed;
#[cfg(feature = "serpent")]
pub use serpent::Serpent;
#[cfg(feature = "shacal2")]
pub use shacal2::Shacal2;
#[cfg(feature = "skipjack")]
pub use skipjack::Skipjack;
#[cfg(feature = "sm4")]
pub use sm4::Sm4;
#[cfg(feature = "tea")]
pub use tea::{Tea, Xtea};
#[cfg(feature = "threefish")]
pub use threefish::{Threefish256, Threefish512, Threefish1024};
#[cfg(feature = "twofish")]
pub use twofish::Twofish;

pub use crate::cipher::{Block, BlockCipher, BlockDecrypt, BlockEncrypt};
pub use crate::fuse::{Absorbed, FusedDecrypt, FusedEncrypt, Message};
pub use crate::machinery::both::Both;

/// The list of ciphers that have three types: one for both directions, one for encryption
/// and one for decryption. The argument is a macro, which receives `[generics] Type =
/// Encrypt, Decrypt;` for each cipher.
#[cfg(feature = "rustcrypto")]
macro_rules! both_directions {
    ($with:ident!) => {
        $with! {
            #[cfg(feature = "aes")]
            [const KEY: usize] Aes<KEY> = AesEncrypt<KEY>, AesDecrypt<KEY>;
            #[cfg(feature = "anubis")]
            [] Anubis = AnubisEncrypt, AnubisDecrypt;
            #[cfg(feature = "anubis")]
            [] AnubisOriginal = AnubisOriginalEncrypt, AnubisOriginalDecrypt;
            #[cfg(feature = "aria")]
            [const KEY: usize] Aria<KEY> = AriaEncrypt<KEY>, AriaDecrypt<KEY>;
            #[cfg(feature = "idea")]
            [] Idea = IdeaEncrypt, IdeaDecrypt;
            #[cfg(feature = "kuznyechik")]
            [] Kuznyechik = KuznyechikEncrypt, KuznyechikDecrypt;
        }
    };
}
#[cfg(feature = "rustcrypto")]
pub(crate) use both_directions;

crate::keyed::with_new! {
    #[cfg(feature = "aes")]
    [const KEY: usize] Aes<KEY>;
    #[cfg(feature = "aes")]
    [const KEY: usize] AesEncrypt<KEY>;
    #[cfg(feature = "aes")]
    [const KEY: usize] AesDecrypt<KEY>;
    #[cfg(feature = "aria")]
    [const KEY: usize] Aria<KEY>;
    #[cfg(feature = "aria")]
    [const KEY: usize] AriaEncrypt<KEY>;
    #[cfg(feature = "aria")]
    [const KEY: usize] AriaDecrypt<KEY>;
    #[cfg(feature = "camellia")]
    [const KEY: usize] Camellia<KEY>;
    #[cfg(feature = "des")]
    [] Des;
    #[cfg(feature = "des")]
    [] DesEde2;
    #[cfg(feature = "des")]
    [] DesEde3;
    #[cfg(feature = "gost28147")]
    ['s] Gost28147<'s>;
    #[cfg(feature = "gost28147")]
    [] Magma;
    #[cfg(feature = "idea")]
    [] Idea;
    #[cfg(feature = "idea")]
    [] IdeaEncrypt;
    #[cfg(feature = "idea")]
    [] IdeaDecrypt;
    #[cfg(feature = "kalyna")]
    [const KEY: usize] Kalyna<KEY>;
    #[cfg(feature = "kasumi")]
    [] Kasumi;
    #[cfg(feature = "kuznyechik")]
    [] Kuznyechik;
    #[cfg(feature = "kuznyechik")]
    [] KuznyechikEncrypt;
    #[cfg(feature = "kuznyechik")]
    [] KuznyechikDecrypt;
    #[cfg(feature = "misty1")]
    [] Misty1;
    #[cfg(feature = "noekeon")]
    [] Noekeon;
    #[cfg(feature = "safer")]
    [const KEY: usize, const STRENGTHENED: bool] Safer<KEY, STRENGTHENED>;
    #[cfg(feature = "seed")]
    [] Seed;
    #[cfg(feature = "skipjack")]
    [] Skipjack;
    #[cfg(feature = "sm4")]
    [] Sm4;
    #[cfg(feature = "tea")]
    [] Tea;
    #[cfg(feature = "tea")]
    [] Xtea;
    #[cfg(feature = "threefish")]
    [] Threefish256;
    #[cfg(feature = "threefish")]
    [] Threefish512;
    #[cfg(feature = "threefish")]
    [] Threefish1024;
}

/// The list of block ciphers. The macro passes one row for each cipher to the macro that
/// is its argument. A row is `id = encryption, decryption;` with the two types. Then
/// follows `key:` with the cipher's only key length in bytes, or `with:` with a
/// parameter, or the name of a parameter that the user chooses and the function that
/// makes the parameter from a number. The dynamic interface takes its rows from this
/// list, and the C interface and the tests take them from the dynamic interface.
#[doc(hidden)]
#[macro_export]
macro_rules! __block_ciphers {
    ($with:ident!) => {
        $with! {
            #[cfg(feature = "aes")]
            "aes-128" = Aes128Encrypt, Aes128Decrypt;
            #[cfg(feature = "aes")]
            "aes-192" = Aes192Encrypt, Aes192Decrypt;
            #[cfg(feature = "aes")]
            "aes-256" = Aes256Encrypt, Aes256Decrypt;
            #[cfg(feature = "anubis")]
            "anubis" = AnubisEncrypt, AnubisDecrypt;
            #[cfg(feature = "anubis")]
            "anubis-original" = AnubisOriginalEncrypt, AnubisOriginalDecrypt;
            #[cfg(feature = "aria")]
            "aria-128" = Aria128Encrypt, Aria128Decrypt;
            #[cfg(feature = "aria")]
            "aria-192" = Aria192Encrypt, Aria192Decrypt;
            #[cfg(feature = "aria")]
            "aria-256" = Aria256Encrypt, Aria256Decrypt;
            #[cfg(feature = "blowfish")]
            "blowfish" = Blowfish, Blowfish;
            #[cfg(feature = "camellia")]
            "camellia-128" = Camellia128, Camellia128;
            #[cfg(feature = "camellia")]
            "camellia-192" = Camellia192, Camellia192;
            #[cfg(feature = "camellia")]
            "camellia-256" = Camellia256, Camellia256;
            #[cfg(feature = "cast5")]
            "cast5" = Cast5, Cast5;
            #[cfg(feature = "cast6")]
            "cast6" = Cast6, Cast6;
            #[cfg(feature = "des")]
            "des" = Des, Des;
            #[cfg(feature = "des")]
            "des-ede2" = DesEde2, DesEde2;
            #[cfg(feature = "des")]
            "des-ede3" = DesEde3, DesEde3;
            #[cfg(feature = "gost28147")]
            "gost28147" = Gost28147, Gost28147;
            #[cfg(feature = "gost28147")]
            "gost28147-r3411-cryptopro" = Gost28147, Gost28147, with: SBoxes::R3411_CRYPTO_PRO;
            #[cfg(feature = "gost28147")]
            "gost28147-test" = Gost28147, Gost28147, with: SBoxes::TEST;
            #[cfg(feature = "idea")]
            "idea" = IdeaEncrypt, IdeaDecrypt;
            #[cfg(feature = "kalyna")]
            "kalyna-128" = Kalyna128, Kalyna128;
            #[cfg(feature = "kalyna")]
            "kalyna-256" = Kalyna256, Kalyna256;
            #[cfg(feature = "kasumi")]
            "kasumi" = Kasumi, Kasumi;
            #[cfg(feature = "kuznyechik")]
            "kuznyechik" = KuznyechikEncrypt, KuznyechikDecrypt;
            #[cfg(feature = "gost28147")]
            "magma" = Magma, Magma;
            #[cfg(feature = "mars")]
            "mars" = Mars, Mars;
            #[cfg(feature = "misty1")]
            "misty1" = Misty1, Misty1;
            #[cfg(feature = "noekeon")]
            "noekeon" = Noekeon, Noekeon;
            #[cfg(feature = "rc2")]
            "rc2" = Rc2, Rc2, "effective-bits": EffectiveBits::new;
            #[cfg(feature = "rc5")]
            "rc5-32-12" = Rc5, Rc5, "rounds": |n| u8::try_from(n).ok().filter(|n| *n != 0);
            #[cfg(feature = "rc6")]
            "rc6" = Rc6, Rc6;
            #[cfg(feature = "safer")]
            "safer-k128" = SaferK128, SaferK128, "rounds": safer::Rounds::new;
            #[cfg(feature = "safer")]
            "safer-k64" = SaferK64, SaferK64, "rounds": safer::Rounds::new;
            #[cfg(feature = "safer")]
            "safer-plus" = SaferPlus, SaferPlus;
            #[cfg(feature = "safer")]
            "safer-sk128" = SaferSk128, SaferSk128, "rounds": safer::Rounds::new;
            #[cfg(feature = "safer")]
            "safer-sk64" = SaferSk64, SaferSk64, "rounds": safer::Rounds::new;
            #[cfg(feature = "seed")]
            "seed" = Seed, Seed;
            #[cfg(feature = "serpent")]
            "serpent-128" = Serpent, Serpent, key: 16;
            #[cfg(feature = "serpent")]
            "serpent-192" = Serpent, Serpent, key: 24;
            #[cfg(feature = "serpent")]
            "serpent-256" = Serpent, Serpent, key: 32;
            #[cfg(feature = "shacal2")]
            "shacal2" = Shacal2, Shacal2;
            #[cfg(feature = "skipjack")]
            "skipjack" = Skipjack, Skipjack;
            #[cfg(feature = "sm4")]
            "sm4" = Sm4, Sm4;
            #[cfg(feature = "tea")]
            "tea" = Tea, Tea;
            #[cfg(feature = "twofish")]
            "twofish-128" = Twofish, Twofish, key: 16;
            #[cfg(feature = "twofish")]
            "twofish-192" = Twofish, Twofish, key: 24;
            #[cfg(feature = "twofish")]
            "twofish-256" = Twofish, Twofish, key: 32;
            #[cfg(feature = "tea")]
            "xtea" = Xtea, Xtea, "rounds": |n| u8::try_from(n).ok().filter(|n| *n != 0);
        }
    };
}
#[doc(hidden)]
pub use crate::__block_ciphers as block_ciphers;

/// The list of block ciphers that take a tweak besides their key, in the form of
/// [`__block_ciphers`](crate::__block_ciphers). If a program chooses such a cipher by
/// name, the tweak is zero.
#[doc(hidden)]
#[macro_export]
macro_rules! __tweakable_ciphers {
    ($with:ident!) => {
        $with! {
            #[cfg(feature = "threefish")]
            "threefish-256" = Threefish256, Threefish256;
            #[cfg(feature = "threefish")]
            "threefish-512" = Threefish512, Threefish512;
            #[cfg(feature = "threefish")]
            "threefish-1024" = Threefish1024, Threefish1024;
        }
    };
}
#[doc(hidden)]
pub use crate::__tweakable_ciphers as tweakable_ciphers;
