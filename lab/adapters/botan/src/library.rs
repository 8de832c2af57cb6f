//! The loaded library: its file, its version, and whether the worker calls its C++ classes.
#![allow(unsafe_code)]

use std::ffi::CStr;

use touchstone_worker::Shared;

use crate::classes::{self, Drbg};
use crate::ffi::Api;

/// A loaded libbotan.
pub(crate) struct Botan {
    pub(crate) api: Api,
    pub(crate) path: String,
    /// Whether the shim is used, so that ciphers, hashes and MACs are Botan's C++ classes.
    pub(crate) classes: bool,
    /// The shim's functions for HMAC_DRBG.
    pub(crate) drbg: Option<Drbg>,
}

/// Rows: a call of the C interface, and the call of the C++ classes that replaces it.
const CLASS_CALLS: &[(&str, &str)] = &[
    (
        "botan_block_cipher_encrypt_blocks",
        "BlockCipher::encrypt_n",
    ),
    (
        "botan_block_cipher_decrypt_blocks",
        "BlockCipher::decrypt_n",
    ),
    ("botan_cipher_start, update", "Cipher_Mode::start, finish"),
    (
        "botan_cipher_set_associated_data, start, update",
        "AEAD_Mode::set_associated_data, start, finish",
    ),
    ("botan_hash_update, final", "HashFunction::update, final"),
    (
        "botan_mac_update, final",
        "MessageAuthenticationCode::update, final",
    ),
    (
        "botan_mac_set_nonce, update, final",
        "MessageAuthenticationCode::start, update, final",
    ),
];

/// The variable that the lab sets when it starts a masked variant of the library.
const MASKED: &str = "TOUCHSTONE_BOTAN_MASKED";

impl Botan {
    /// Loads libbotan 3, or else libbotan 2.
    pub(crate) fn load(path: &str) -> Result<Self, String> {
        // Each minor release of Botan 3 has a new soname.
        let shared = Shared::open(path, &["libbotan-3.so.*", "libbotan-2.so.19"])?;
        let mut this = Self {
            api: Api::load(&shared)?,
            path: shared.path.clone(),
            classes: false,
            drbg: None,
        };
        if this.version().starts_with("2.") && std::env::var_os(MASKED).is_some() {
            return Err("Botan 2 cannot be told to leave instructions alone; Botan 3 can".into());
        }
        // SAFETY: the functions take no arguments.
        let (major, minor) = unsafe {
            (
                (this.api.botan_version_major)(),
                (this.api.botan_version_minor)(),
            )
        };
        this.drbg = classes::put_in_place(&mut this.api, major, minor);
        this.classes = this.drbg.is_some();
        Ok(this)
    }

    /// Returns the names of the calls that the worker makes in place of the C interface's
    /// call `api`.
    pub(crate) fn calls(&self, api: &'static str) -> &'static str {
        let class = CLASS_CALLS.iter().find(|(c, _)| *c == api && self.classes);
        class.map_or(api, |(_, class)| class)
    }

    /// Returns the remark about copies that a cipher mode's figures need.
    pub(crate) fn copies(&self) -> &'static str {
        if self.classes {
            "the interface works in a buffer: the message is copied into it and the result \
             out of it"
        } else {
            "the C interface copies the message into a buffer that it allocates and the \
             result out of it"
        }
    }

    /// Returns the version as the library reports it, for example "2.19.3".
    pub(crate) fn version(&self) -> String {
        // SAFETY: these functions take no arguments.
        unsafe {
            format!(
                "{}.{}.{}",
                (self.api.botan_version_major)(),
                (self.api.botan_version_minor)(),
                (self.api.botan_version_patch)()
            )
        }
    }

    /// Returns the end of the library's long version text: the release date, and whether the
    /// build was modified.
    pub(crate) fn build(&self) -> String {
        // SAFETY: the function takes no arguments; the string is static.
        let text = unsafe { CStr::from_ptr((self.api.botan_version_string)()) };
        let text = text.to_string_lossy();
        let detail = text.split_once(" (").map_or("", |(_, rest)| rest);
        detail.trim_end_matches(')').to_owned()
    }

    /// Returns the revision of the C interface, which is a date.
    pub(crate) fn interface(&self) -> u32 {
        // SAFETY: the function takes no arguments.
        unsafe { (self.api.botan_ffi_api_version)() }
    }
}
