//! Block ciphers, and the traits that they implement.
//!
//! | cipher | block | key | page |
//! |---|---|---|---|
//! | [`Aes128`] [`Aes192`] [`Aes256`] | 16 | 16, 24, 32 | [`aes`] |
//! | [`Anubis`] [`AnubisOriginal`] | 16 | 16 to 40 by 4 | [`anubis`] |
//! | [`Aria128`] [`Aria192`] [`Aria256`] | 16 | 16, 24, 32 | [`aria`] |
//! | [`Camellia128`] [`Camellia192`] [`Camellia256`] | 16 | 16, 24, 32 | [`camellia`] |
//! | [`Des`] [`DesEde2`] [`DesEde3`] | 8 | 8, 16, 24 | [`des`] |
//! | [`Kuznyechik`] | 16 | 32 | [`kuznyechik`] |
//! | [`Seed`] | 16 | 16 | [`seed`] |
//! | [`Serpent`] | 16 | 16, 24, 32 | [`serpent`] |
//! | [`Shacal2`] | 32 | 16 to 64 | [`shacal2`] |
//! | [`Twofish`] | 16 | 16, 24, 32 | [`twofish`] |
//! | [`Sm4`] | 16 | 16 | [`sm4`] |
//! | [`Blowfish`] | 8 | 1 to 72 | [`blowfish`] |
//! | [`Cast5`] | 8 | 5 to 16 | [`cast5`] |
//! | [`Gost28147`] [`Magma`] | 8 | 32 | [`gost28147`] |
//! | [`Idea`] | 8 | 16 | [`idea`] |
//! | [`Rc2`] | 8 | 1 to 128 | [`rc2`] |
//! | [`Rc5`] | 8 | 0 to 255 | [`rc5`] |
//! | [`Tea`] [`Xtea`] | 8 | 16 | [`tea`] |
//!
//! A cipher that must derive something for decryption (AES its inverted round
//! keys, IDEA its inverses) has three types: `X` for both directions, and
//! `XEncrypt` and `XDecrypt` for programs that need one and set up keys often. All
//! others are one type.
//!
//! # Traits
//!
//! [`Keyed`](crate::Keyed) sets a key up. [`BlockEncrypt`] and [`BlockDecrypt`] take any
//! number of blocks. [`FusedEncrypt`] and [`FusedDecrypt`] are what the
//! [modes](crate::mode) call.

pub mod aes;
pub mod anubis;
pub mod aria;
pub mod blowfish;
pub mod camellia;
pub mod cast5;
pub mod des;
pub mod gost28147;
pub mod idea;
pub mod kuznyechik;
pub mod rc2;
pub mod rc5;
pub mod seed;
pub mod serpent;
pub mod shacal2;
pub mod sm4;
pub mod tea;
pub mod twofish;

pub use aes::{Aes, AesDecrypt, AesEncrypt};
pub use aes::{Aes128, Aes128Decrypt, Aes128Encrypt};
pub use aes::{Aes192, Aes192Decrypt, Aes192Encrypt};
pub use aes::{Aes256, Aes256Decrypt, Aes256Encrypt};
pub use anubis::{Anubis, AnubisDecrypt, AnubisEncrypt};
pub use anubis::{AnubisOriginal, AnubisOriginalDecrypt, AnubisOriginalEncrypt};
pub use aria::{Aria, AriaDecrypt, AriaEncrypt};
pub use aria::{Aria128, Aria128Decrypt, Aria128Encrypt};
pub use aria::{Aria192, Aria192Decrypt, Aria192Encrypt};
pub use aria::{Aria256, Aria256Decrypt, Aria256Encrypt};
pub use blowfish::Blowfish;
pub use camellia::{Camellia, Camellia128, Camellia192, Camellia256};
pub use cast5::Cast5;
pub use des::{Des, DesEde2, DesEde3};
pub use gost28147::{Gost28147, Magma};
pub use idea::{Idea, IdeaDecrypt, IdeaEncrypt};
pub use kuznyechik::{Kuznyechik, KuznyechikDecrypt, KuznyechikEncrypt};
pub use rc2::Rc2;
pub use rc5::Rc5;
pub use seed::Seed;
pub use serpent::Serpent;
pub use shacal2::Shacal2;
pub use sm4::Sm4;
pub use tea::{Tea, Xtea};
pub use twofish::Twofish;

pub use crate::cipher::{Block, BlockCipher, BlockDecrypt, BlockEncrypt};
pub use crate::fuse::{Absorbed, FusedDecrypt, FusedEncrypt, Message};
pub use crate::machinery::both::Both;
