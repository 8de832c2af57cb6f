//! The loaded library: which object it is, its version, and whether its classes are called.
#![allow(unsafe_code)]

use std::ffi::CStr;

use touchstone_worker::Shared;

use crate::classes;
use crate::ffi::Api;

/// A loaded libbotan.
pub(crate) struct Botan {
    pub(crate) api: Api,
    pub(crate) path: String,
    /// Whether ciphers, hashes and MACs are the C++ classes, by the shim.
    pub(crate) classes: bool,
}

/// The calls of the C interface, and those of the classes that stand in for them.
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

/// Set where the lab asks for instructions to be left alone.
const MASKED: &str = "TOUCHSTONE_BOTAN_MASKED";

impl Botan {
    /// Loads libbotan of either generation.
    pub(crate) fn load(path: &str) -> Result<Self, String> {
        // Botan 3 raises its soname with each minor release.
        let shared = Shared::open(path, &["libbotan-3.so.*", "libbotan-2.so.19"])?;
        let mut this = Self {
            api: Api::load(&shared)?,
            path: shared.path.clone(),
            classes: false,
        };
        if this.version().starts_with("2.") && std::env::var_os(MASKED).is_some() {
            return Err("Botan 2 cannot be told to leave instructions alone; Botan 3 can".into());
        }
        // SAFETY: these functions take nothing.
        let (major, minor) = unsafe {
            (
                (this.api.botan_version_major)(),
                (this.api.botan_version_minor)(),
            )
        };
        this.classes = classes::put_in_place(&mut this.api, major, minor);
        Ok(this)
    }

    /// The calls that are really made, of which `api` are the C interface's.
    pub(crate) fn calls(&self, api: &'static str) -> &'static str {
        let class = CLASS_CALLS.iter().find(|(c, _)| *c == api && self.classes);
        class.map_or(api, |(_, class)| class)
    }

    /// What a reader must know of a cipher mode's figures.
    pub(crate) fn copies(&self) -> &'static str {
        if self.classes {
            "the interface works in a buffer: the message is copied into it and the result \
             out of it"
        } else {
            "the C interface copies the message into a buffer that it allocates and the \
             result out of it"
        }
    }

    /// "2.19.3", from the library itself.
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

    /// The rest of the long version text: the release date, and whether the build was
    /// modified.
    pub(crate) fn build(&self) -> String {
        // SAFETY: the function takes no arguments; the string is static.
        let text = unsafe { CStr::from_ptr((self.api.botan_version_string)()) };
        let text = text.to_string_lossy();
        let detail = text.split_once(" (").map_or("", |(_, rest)| rest);
        detail.trim_end_matches(')').to_owned()
    }

    /// The date that numbers the C interface's revisions.
    pub(crate) fn interface(&self) -> u32 {
        // SAFETY: the function takes no arguments.
        unsafe { (self.api.botan_ffi_api_version)() }
    }
}
