//! The functions of touchstone.h that the worker calls, and the handles that they make.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_char, c_int, c_void};

use touchstone_worker::{Failure, Offer, Shared, c_string, offer, symbols};

/// A handle of any family.
pub(crate) type Pointer = *mut c_void;
type Data = *const c_void;
type Name = *const c_char;
/// Shortest and longest length, and the step between lengths.
type Size = *mut usize;
/// Gives the name of an algorithm by its index.
type List = unsafe extern "C" fn(usize) -> Name;
/// `touchstone_…_sizes_of`.
type Sizes = unsafe extern "C" fn(Name, Size, Size, Size) -> c_int;
type SetSize = unsafe extern "C" fn(Pointer, usize) -> c_int;

symbols! {
    /// The part of touchstone.h that the worker calls.
    struct Api {
        touchstone_version: fn() -> Name;
        touchstone_strerror: fn(c_int) -> Name;
        touchstone_kernel: fn(Name) -> Name;
        touchstone_cipher_name: fn(usize) -> Name;
        touchstone_aead_name: fn(usize) -> Name;
        touchstone_hash_name: fn(usize) -> Name;
        touchstone_mac_name: fn(usize) -> Name;
        touchstone_wrap_name: fn(usize) -> Name;
        touchstone_derive_name: fn(usize) -> Name;

        touchstone_cipher_new: fn(*mut Pointer, Name, c_int) -> c_int;
        touchstone_cipher_free: fn(Pointer) -> ();
        touchstone_cipher_set_parameter: fn(Pointer, Name, u64) -> c_int;
        touchstone_cipher_set_key: fn(Pointer, Data, usize) -> c_int;
        touchstone_cipher_set_iv: fn(Pointer, Data, usize) -> c_int;
        touchstone_cipher_seek: fn(Pointer, u64) -> c_int;
        touchstone_cipher_update: fn(Pointer, Data, Pointer, usize) -> c_int;
        touchstone_cipher_message: fn(Pointer, Data, usize, Data, Pointer, usize) -> c_int;
        touchstone_cipher_many: fn(Pointer, Data, usize, *const Data, *const Pointer, *const usize, usize) -> c_int;

        touchstone_aead_new: fn(*mut Pointer, Name) -> c_int;
        touchstone_aead_free: fn(Pointer) -> ();
        touchstone_aead_set_tag_size_insecure: fn(Pointer, usize) -> c_int;
        touchstone_aead_set_key: fn(Pointer, Data, usize) -> c_int;
        touchstone_aead_encrypt: fn(Pointer, Data, usize, Data, usize, Data, Pointer, usize, Pointer, usize) -> c_int;
        touchstone_aead_decrypt: fn(Pointer, Data, usize, Data, usize, Data, Pointer, usize, Data, usize) -> c_int;
        touchstone_aead_tag_size: fn(Pointer) -> usize;

        touchstone_hash_new: fn(*mut Pointer, Name) -> c_int;
        touchstone_hash_free: fn(Pointer) -> ();
        touchstone_hash_size: fn(Pointer) -> usize;
        touchstone_hash_message: fn(Pointer, Data, usize, Pointer, usize) -> c_int;
        touchstone_hash_many: fn(Pointer, *const Data, *const usize, usize, Pointer, usize) -> c_int;

        touchstone_mac_new: fn(*mut Pointer, Name) -> c_int;
        touchstone_mac_free: fn(Pointer) -> ();
        touchstone_mac_set_tag_size: fn(Pointer, usize) -> c_int;
        touchstone_mac_set_tag_size_insecure: fn(Pointer, usize) -> c_int;
        touchstone_mac_set_key: fn(Pointer, Data, usize) -> c_int;
        touchstone_mac_set_nonce: fn(Pointer, Data, usize) -> c_int;
        touchstone_mac_message: fn(Pointer, Data, usize, Pointer, usize) -> c_int;
        touchstone_mac_many: fn(Pointer, *const Data, *const usize, usize, Pointer, usize) -> c_int;
        touchstone_mac_tag_size: fn(Pointer) -> usize;
        touchstone_mac_key_sizes_of: fn(Name, Size, Size, Size) -> c_int;
        touchstone_mac_nonce_sizes_of: fn(Name, Size, Size, Size) -> c_int;

        touchstone_wrap: fn(Name, Data, usize, Data, usize, Pointer, usize) -> c_int;
        touchstone_unwrap: fn(Name, Data, usize, Data, usize, Pointer, usize, *mut usize) -> c_int;
        touchstone_derive: fn(Name, Data, usize, Data, usize, Data, usize, u32, Pointer, usize) -> c_int;
    }
}

/// `enum touchstone_error`.
const OK: c_int = 0;
const NAME: c_int = -2;
pub(crate) const DATA_LENGTH: c_int = -6;
pub(crate) const STATE: c_int = -8;
const FORGED: c_int = -10;

/// The library, and the names that it lists.
pub(crate) struct Touchstone {
    pub(crate) api: Api,
    pub(crate) path: String,
    pub(crate) ciphers: Vec<String>,
    pub(crate) aeads: Vec<String>,
    pub(crate) hashes: Vec<String>,
    pub(crate) macs: Vec<String>,
    pub(crate) wraps: Vec<String>,
    pub(crate) derivations: Vec<String>,
}

impl Touchstone {
    pub(crate) fn load(path: &str) -> Result<Self, String> {
        let shared = Shared::open(path, &["libtouchstone.so.0"])?;
        let api = Api::load(&shared)?;
        Ok(Self {
            ciphers: names(api.touchstone_cipher_name),
            aeads: names(api.touchstone_aead_name),
            hashes: names(api.touchstone_hash_name),
            macs: names(api.touchstone_mac_name),
            wraps: names(api.touchstone_wrap_name),
            derivations: names(api.touchstone_derive_name),
            path: shared.path.clone(),
            api,
        })
    }

    pub(crate) fn version(&self) -> String {
        // SAFETY: the version is a C string that stays.
        unsafe { text((self.api.touchstone_version)()) }
    }

    /// Ids of the block ciphers: each of them has ECB.
    pub(crate) fn block_ciphers(&self) -> impl Iterator<Item = &str> {
        self.ciphers
            .iter()
            .filter_map(|name| name.strip_suffix("-ecb"))
    }

    /// Whether a name is one of a block cipher's.
    pub(crate) fn is_over_block_cipher(&self, name: &str) -> bool {
        let begins = |id: &str| {
            name.strip_prefix(id)
                .is_some_and(|rest| rest.starts_with('-'))
        };
        self.block_ciphers().any(begins)
    }

    /// The id of a block cipher and one of these modes, if a name consists of both.
    pub(crate) fn split<'n>(
        &self,
        name: &'n str,
        modes: &[&'static str],
    ) -> Option<(&'n str, &'static str)> {
        modes.iter().find_map(|mode| {
            let id = name.strip_suffix(mode)?.strip_suffix('-')?;
            self.block_ciphers()
                .any(|known| known == id)
                .then_some((id, *mode))
        })
    }

    /// An offer of the algorithm with this name.
    pub(crate) fn named(&self, name: &str, primitive: &str, operation: &str, api: &str) -> Offer {
        // SAFETY: the name is a C string; a kernel is NULL or a C string that stays.
        let kernel = unsafe { text((self.api.touchstone_kernel)(c_string(name).as_ptr())) };
        Offer {
            kernel,
            ..offer(primitive, operation, api)
        }
    }

    /// The shortest length that a function tells for a name, in bytes.
    pub(crate) fn shortest(&self, sizes: Sizes, name: &str) -> usize {
        let mut min = 0;
        // SAFETY: the name is a C string, and a place may be NULL.
        unsafe {
            sizes(
                c_string(name).as_ptr(),
                &mut min,
                std::ptr::null_mut(),
                std::ptr::null_mut(),
            );
        }
        min
    }
}

/// All names of a list.
fn names(list: List) -> Vec<String> {
    // SAFETY: a name is NULL after the last one, and otherwise a C string that stays.
    let name = |index| unsafe {
        let name = list(index);
        (!name.is_null()).then(|| text(name))
    };
    (0..).map_while(name).collect()
}

/// # Safety
///
/// `text` is NULL or a C string.
unsafe fn text(text: Name) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: by the contract.
    unsafe { CStr::from_ptr(text) }
        .to_string_lossy()
        .into_owned()
}

impl Api {
    /// The result of a call.
    #[inline]
    pub(crate) fn check(&self, code: c_int) -> Result<(), Failure> {
        if code == OK {
            Ok(())
        } else {
            Err(self.failure(code))
        }
    }

    #[cold]
    fn failure(&self, code: c_int) -> Failure {
        // SAFETY: an error's description is a C string that stays.
        let why = unsafe { text((self.touchstone_strerror)(code)) };
        match code {
            FORGED => Failure::Rejected,
            NAME | STATE => Failure::failed(why),
            _ => Failure::unsupported(why),
        }
    }
}

/// A handle, which is freed at the end.
pub(crate) struct Handle {
    pub(crate) pointer: Pointer,
    free: unsafe extern "C" fn(Pointer),
}

impl Handle {
    /// Makes a handle by a function whose name ends in `_new`.
    pub(crate) fn new(
        api: &Api,
        free: unsafe extern "C" fn(Pointer),
        new: impl FnOnce(*mut Pointer) -> c_int,
    ) -> Result<Self, Failure> {
        let mut pointer = std::ptr::null_mut();
        api.check(new(&mut pointer))?;
        Ok(Self { pointer, free })
    }

    /// Sets the length of tags, in bytes.
    pub(crate) fn set_tag_size(&self, api: &Api, set: SetSize, size: usize) -> Result<(), Failure> {
        // SAFETY: the handle lives.
        api.check(unsafe { set(self.pointer, size) })
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: the handle is freed once.
        unsafe { (self.free)(self.pointer) }
    }
}

/// Bytes as C takes them.
#[inline]
pub(crate) fn p(bytes: &[u8]) -> Data {
    bytes.as_ptr().cast()
}

/// Bytes to write as C takes them.
#[inline]
pub(crate) fn p_mut(bytes: &mut [u8]) -> Pointer {
    bytes.as_mut_ptr().cast()
}

/// What a call for many messages takes: pointers to the messages, and their lengths.
#[derive(Default)]
pub(crate) struct Many {
    inputs: Vec<Data>,
    lens: Vec<usize>,
}

impl Many {
    pub(crate) fn set<'a>(&mut self, inputs: impl Iterator<Item = &'a [u8]>) {
        self.inputs.clear();
        self.lens.clear();
        for input in inputs {
            self.inputs.push(p(input));
            self.lens.push(input.len());
        }
    }

    /// Pointers, lengths, and how many there are.
    pub(crate) fn parts(&self) -> (*const Data, *const usize, usize) {
        (self.inputs.as_ptr(), self.lens.as_ptr(), self.inputs.len())
    }
}
