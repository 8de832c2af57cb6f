//! crypt(3) and its family under C names: what `libcrypt.so.1` is made of. The
//! contract is libxcrypt 4.4's, as its crypt(3), crypt_gensalt(3) and
//! crypt_checksalt(3) tell it and its clients have come to rely on it; the
//! block interface is FreeSec's.
//!
//! The functions carry a prefix here. `link/symbols.c` gives them the names and
//! symbol versions that programs look for, and `tools/libcrypt.sh` makes the two
//! shared objects. Those are built to abort on panic, and then without `std`: they
//! need libc and nothing else.
//!
//! | file | what |
//! |---|---|
//! | `crypt.rs` | crypt, crypt_r, crypt_rn, crypt_ra, crypt_checksalt, crypt_preferred_method |
//! | `gensalt.rs` | crypt_gensalt, crypt_gensalt_rn, crypt_gensalt_ra |
//! | `crypt_data.rs` | `struct crypt_data` |
//! | `des.rs` | setkey, encrypt, setkey_r, encrypt_r, des_setkey, des_cipher |
#![cfg_attr(panic = "abort", no_std)]
#![deny(unsafe_code)]

mod crypt;
mod crypt_data;
mod des;
mod failure;
mod gensalt;
mod platform;

pub use crypt::*;
pub use crypt_data::CryptData;
pub use des::*;
pub use gensalt::*;
