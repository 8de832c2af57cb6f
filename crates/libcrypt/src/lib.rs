//! crypt(3) and its family as C functions: the code of `libcrypt.so.1`. The functions behave as
//! the functions of libxcrypt 4.4 do, according to its manual pages crypt(3), crypt_gensalt(3)
//! and crypt_checksalt(3), and as existing programs expect. The functions for single DES blocks
//! behave as the functions of FreeSec do.
//!
//! The names of the functions have a prefix in this crate. `link/symbols.c` exports the
//! functions under the names and symbol versions that programs look for. `tools/libcrypt.sh`
//! makes the two shared objects. For these objects this crate is built with `panic = "abort"`
//! and without `std`, so that the objects need only libc.
//!
//! | file | contents |
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
