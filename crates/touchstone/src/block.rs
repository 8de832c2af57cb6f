//! Block ciphers, and the traits that they implement.
//!
//! | cipher | block | key | page |
//! |---|---|---|---|
//! | [`Aes128`] [`Aes192`] [`Aes256`] | 16 | 16, 24, 32 | [`aes`] |
//! | [`Anubis`] [`AnubisOriginal`] | 16 | 16 to 40 by 4 | [`anubis`] |
//! | [`Aria128`] [`Aria192`] [`Aria256`] | 16 | 16, 24, 32 | [`aria`] |
//! | [`Belt`] | 16 | 32 | [`belt`] |
//! | [`Camellia128`] [`Camellia192`] [`Camellia256`] | 16 | 16, 24, 32 | [`camellia`] |
//! | [`Cast6`] | 16 | 16 to 32 by 4 | [`cast6`] |
//! | [`Cham128`] [`Cham64`] | 16, 8 | 16, 32 | [`cham`] |
//! | [`Des`] [`DesEde2`] [`DesEde3`] | 8 | 8, 16, 24 | [`des`] |
//! | [`Kalyna128`] [`Kalyna256`] | 16 | 16, 32 | [`kalyna`] |
//! | [`Kalyna256x256`] [`Kalyna256x512`] | 32 | 32, 64 | [`kalyna`] |
//! | [`Kalyna512x512`] | 64 | 64 | [`kalyna`] |
//! | [`Kuznyechik`] | 16 | 32 | [`kuznyechik`] |
//! | [`Lea128`] [`Lea192`] [`Lea256`] | 16 | 16, 24, 32 | [`lea`] |
//! | [`Mars`] | 16 | 16 to 56 by 4 | [`mars`] |
//! | [`Noekeon`] | 16 | 16 | [`noekeon`] |
//! | [`Rc6`] | 16 | 0 to 255 | [`rc6`] |
//! | [`SaferPlus`] | 16 | 16, 24, 32 | [`safer_plus`] |
//! | [`Seed`] | 16 | 16 | [`seed`] |
//! | [`Serpent`] | 16 | 16, 24, 32 | [`serpent`] |
//! | [`Shacal2`] | 32 | 16 to 64 | [`shacal2`] |
//! | [`Simon128`] [`Simon64`] | 16, 8 | 16 to 32 by 8, 12, 16 | [`simon`] |
//! | [`Speck128`] [`Speck64`] | 16, 8 | 16 to 32 by 8, 12, 16 | [`speck`] |
//! | [`Square`] | 16 | 16 | [`square`] |
//! | [`Threefish256`] [`Threefish512`] [`Threefish1024`] | 32, 64, 128 | as the block | [`threefish`] |
//! | [`Twofish`] | 16 | 16, 24, 32 | [`twofish`] |
//! | [`Sm4`] | 16 | 16 | [`sm4`] |
//! | [`Blowfish`] | 8 | 1 to 72 | [`blowfish`] |
//! | [`Cast5`] | 8 | 5 to 16 | [`cast5`] |
//! | [`Gost28147`] [`Magma`] | 8 | 32 | [`gost28147`] |
//! | [`Hight`] | 8 | 16 | [`hight`] |
//! | [`Idea`] | 8 | 16 | [`idea`] |
//! | [`Kasumi`] | 8 | 16 | [`kasumi`] |
//! | [`Khazad`] | 8 | 16 | [`khazad`] |
//! | [`Misty1`] | 8 | 16 | [`misty1`] |
//! | [`Multi2`] | 8 | 40 | [`multi2`] |
//! | [`Rc2`] | 8 | 1 to 128 | [`rc2`] |
//! | [`Rc5`] | 8 | 0 to 255 | [`rc5`] |
//! | [`SaferK64`] [`SaferK128`] [`SaferSk64`] [`SaferSk128`] | 8 | 8, 16 | [`safer`] |
//! | [`Shark`] | 8 | 16 | [`shark`] |
//! | [`Skipjack`] | 8 | 10 | [`skipjack`] |
//! | [`Tea`] [`Xtea`] | 8 | 16 | [`tea`] |
//!
//! Some ciphers need other round keys for decryption than for encryption: AES needs the
//! inverted round keys, IDEA the inverse subkeys. Each of these ciphers has three types. `X`
//! encrypts and decrypts. `XEncrypt` and `XDecrypt` work in one direction only, and a key for
//! them is set up faster. Each other cipher has one type.
//!
//! # Traits
//!
//! [`Keyed`](crate::Keyed) sets a key up. [`BlockEncrypt`] and [`BlockDecrypt`] encrypt and
//! decrypt any number of blocks in one call. The [modes](crate::mode) call [`FusedEncrypt`] and
//! [`FusedDecrypt`], which compute a mode and its cipher in one loop.

#[cfg(feature = "aes")]
pub mod aes;
#[cfg(feature = "anubis")]
pub mod anubis;
#[cfg(feature = "aria")]
pub mod aria;
#[cfg(feature = "belt")]
pub mod belt;
#[cfg(feature = "blowfish")]
pub mod blowfish;
#[cfg(feature = "camellia")]
pub mod camellia;
#[cfg(feature = "cast5")]
pub mod cast5;
#[cfg(feature = "cast6")]
pub mod cast6;
#[cfg(feature = "cham")]
pub mod cham;
#[cfg(feature = "des")]
pub mod des;
#[cfg(feature = "gost28147")]
pub mod gost28147;
#[cfg(feature = "hight")]
pub mod hight;
#[cfg(feature = "idea")]
pub mod idea;
#[cfg(feature = "kalyna")]
pub mod kalyna;
#[cfg(feature = "kasumi")]
pub mod kasumi;
#[cfg(feature = "khazad")]
pub mod khazad;
#[cfg(feature = "kuznyechik")]
pub mod kuznyechik;
#[cfg(feature = "lea")]
pub mod lea;
#[cfg(feature = "mars")]
pub mod mars;
#[cfg(feature = "misty1")]
pub mod misty1;
#[cfg(feature = "multi2")]
pub mod multi2;
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
#[cfg(feature = "shark")]
pub mod shark;
#[cfg(feature = "simon")]
pub mod simon;
#[cfg(feature = "skipjack")]
pub mod skipjack;
#[cfg(feature = "sm4")]
pub mod sm4;
#[cfg(feature = "speck")]
pub mod speck;
#[cfg(feature = "square")]
pub mod square;
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
#[cfg(feature = "belt")]
pub use belt::Belt;
#[cfg(feature = "blowfish")]
pub use blowfish::Blowfish;
#[cfg(feature = "camellia")]
pub use camellia::{Camellia, Camellia128, Camellia192, Camellia256};
#[cfg(feature = "cast5")]
pub use cast5::Cast5;
#[cfg(feature = "cast6")]
pub use cast6::Cast6;
#[cfg(feature = "cham")]
pub use cham::{Cham64, Cham128};
#[cfg(feature = "des")]
pub use des::{Des, DesEde2, DesEde3, TdesEde2, TdesEde3};
#[cfg(feature = "gost28147")]
pub use gost28147::{Gost28147, Magma};
#[cfg(feature = "hight")]
pub use hight::Hight;
#[cfg(feature = "idea")]
pub use idea::{Idea, IdeaDecrypt, IdeaEncrypt};
#[cfg(feature = "kalyna")]
pub use kalyna::{Kalyna, Kalyna128, Kalyna256};
#[cfg(feature = "kalyna")]
pub use kalyna::{Kalyna256x256, Kalyna256x512, Kalyna512x512};
#[cfg(feature = "kasumi")]
pub use kasumi::Kasumi;
#[cfg(feature = "khazad")]
pub use khazad::Khazad;
#[cfg(feature = "kuznyechik")]
pub use kuznyechik::{Kuznyechik, KuznyechikDecrypt, KuznyechikEncrypt};
#[cfg(feature = "lea")]
pub use lea::{Lea, Lea128, Lea192, Lea256};
#[cfg(feature = "mars")]
pub use mars::Mars;
#[cfg(feature = "misty1")]
pub use misty1::Misty1;
#[cfg(feature = "multi2")]
pub use multi2::Multi2;
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
#[cfg(feature = "shark")]
pub use shark::Shark;
#[cfg(feature = "simon")]
pub use simon::{Simon64, Simon128};
#[cfg(feature = "skipjack")]
pub use skipjack::Skipjack;
#[cfg(feature = "sm4")]
pub use sm4::Sm4;
#[cfg(feature = "speck")]
pub use speck::{Speck64, Speck128};
#[cfg(feature = "square")]
pub use square::Square;
#[cfg(feature = "tea")]
pub use tea::{Tea, Xtea};
#[cfg(feature = "threefish")]
pub use threefish::{Threefish256, Threefish512, Threefish1024};
#[cfg(feature = "twofish")]
pub use twofish::Twofish;

pub use crate::cipher::{Block, BlockCipher, BlockDecrypt, BlockEncrypt};
pub use crate::fuse::{Absorbed, FusedDecrypt, FusedEncrypt, Message};
pub use crate::machinery::both::Both;

/// The list of ciphers that have three types: one for both directions, one for encryption and
/// one for decryption. This macro calls the macro that is its argument, with a row `[generics]
/// Type = Encrypt, Decrypt;` for each cipher.
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
    #[cfg(feature = "belt")]
    [] Belt;
    #[cfg(feature = "camellia")]
    [const KEY: usize] Camellia<KEY>;
    #[cfg(feature = "cham")]
    [] Cham64;
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
    #[cfg(feature = "hight")]
    [] Hight;
    #[cfg(feature = "idea")]
    [] Idea;
    #[cfg(feature = "idea")]
    [] IdeaEncrypt;
    #[cfg(feature = "idea")]
    [] IdeaDecrypt;
    #[cfg(feature = "kalyna")]
    [const WORDS: usize, const KEY: usize] Kalyna<WORDS, KEY>;
    #[cfg(feature = "kasumi")]
    [] Kasumi;
    #[cfg(feature = "khazad")]
    [] Khazad;
    #[cfg(feature = "kuznyechik")]
    [] Kuznyechik;
    #[cfg(feature = "kuznyechik")]
    [] KuznyechikEncrypt;
    #[cfg(feature = "kuznyechik")]
    [] KuznyechikDecrypt;
    #[cfg(feature = "lea")]
    [const KEY: usize] Lea<KEY>;
    #[cfg(feature = "misty1")]
    [] Misty1;
    #[cfg(feature = "multi2")]
    [] Multi2;
    #[cfg(feature = "noekeon")]
    [] Noekeon;
    #[cfg(feature = "safer")]
    [const KEY: usize, const STRENGTHENED: bool] Safer<KEY, STRENGTHENED>;
    #[cfg(feature = "seed")]
    [] Seed;
    #[cfg(feature = "shark")]
    [] Shark;
    #[cfg(feature = "skipjack")]
    [] Skipjack;
    #[cfg(feature = "sm4")]
    [] Sm4;
    #[cfg(feature = "square")]
    [] Square;
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

/// The list of all block ciphers. This macro calls the macro that is its argument, with one row
/// for each cipher. A row begins with `id = encryption, decryption;`, where the last two are
/// types. If the cipher has only one key length, `key:` and that length in bytes follow. If the
/// cipher has a parameter, `with:` and the parameter's value follow, or the name of a parameter
/// that the user chooses and the function that makes this parameter from a number. The dynamic
/// interface takes its list of ciphers from this macro. The C interface and the tests take
/// their lists from the dynamic interface.
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
            #[cfg(feature = "belt")]
            "belt" = Belt, Belt;
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
            #[cfg(feature = "cham")]
            "cham-128" = Cham128, Cham128;
            #[cfg(feature = "cham")]
            "cham-64" = Cham64, Cham64;
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
            #[cfg(feature = "hight")]
            "hight" = Hight, Hight;
            #[cfg(feature = "idea")]
            "idea" = IdeaEncrypt, IdeaDecrypt;
            #[cfg(feature = "kalyna")]
            "kalyna-128" = Kalyna128, Kalyna128;
            #[cfg(feature = "kalyna")]
            "kalyna-256" = Kalyna256, Kalyna256;
            #[cfg(feature = "kalyna")]
            "kalyna-256-256" = Kalyna256x256, Kalyna256x256;
            #[cfg(feature = "kalyna")]
            "kalyna-256-512" = Kalyna256x512, Kalyna256x512;
            #[cfg(feature = "kalyna")]
            "kalyna-512-512" = Kalyna512x512, Kalyna512x512;
            #[cfg(feature = "kasumi")]
            "kasumi" = Kasumi, Kasumi;
            #[cfg(feature = "khazad")]
            "khazad" = Khazad, Khazad;
            #[cfg(feature = "kuznyechik")]
            "kuznyechik" = KuznyechikEncrypt, KuznyechikDecrypt;
            #[cfg(feature = "lea")]
            "lea-128" = Lea128, Lea128;
            #[cfg(feature = "lea")]
            "lea-192" = Lea192, Lea192;
            #[cfg(feature = "lea")]
            "lea-256" = Lea256, Lea256;
            #[cfg(feature = "gost28147")]
            "magma" = Magma, Magma;
            #[cfg(feature = "mars")]
            "mars" = Mars, Mars;
            #[cfg(feature = "misty1")]
            "misty1" = Misty1, Misty1;
            #[cfg(feature = "multi2")]
            "multi2" = Multi2, Multi2, "rounds": |n| u32::try_from(n).ok()?.try_into().ok();
            #[cfg(feature = "noekeon")]
            "noekeon" = Noekeon, Noekeon;
            #[cfg(feature = "rc2")]
            "rc2" = Rc2, Rc2, "effective-bits": EffectiveBits::new;
            #[cfg(feature = "rc5")]
            "rc5-32-12" = Rc5, Rc5, "rounds": |n| u8::try_from(n).ok()?.try_into().ok();
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
            #[cfg(feature = "shark")]
            "shark" = Shark, Shark;
            #[cfg(feature = "simon")]
            "simon-128" = Simon128, Simon128;
            #[cfg(feature = "simon")]
            "simon-64" = Simon64, Simon64;
            #[cfg(feature = "skipjack")]
            "skipjack" = Skipjack, Skipjack;
            #[cfg(feature = "sm4")]
            "sm4" = Sm4, Sm4;
            #[cfg(feature = "speck")]
            "speck-128" = Speck128, Speck128;
            #[cfg(feature = "speck")]
            "speck-64" = Speck64, Speck64;
            #[cfg(feature = "square")]
            "square" = Square, Square;
            #[cfg(feature = "tea")]
            "tea" = Tea, Tea;
            #[cfg(feature = "twofish")]
            "twofish-128" = Twofish, Twofish, key: 16;
            #[cfg(feature = "twofish")]
            "twofish-192" = Twofish, Twofish, key: 24;
            #[cfg(feature = "twofish")]
            "twofish-256" = Twofish, Twofish, key: 32;
            #[cfg(feature = "tea")]
            "xtea" = Xtea, Xtea, "rounds": |n| u8::try_from(n).ok()?.try_into().ok();
        }
    };
}
#[doc(hidden)]
pub use crate::__block_ciphers as block_ciphers;

/// The list of block ciphers that take a tweak besides their key. The rows have the form that
/// [`__block_ciphers`](crate::__block_ciphers) describes. A program that chooses such a cipher
/// by name gets the tweak zero.
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
