//! The functions of touchstone.h that the worker calls, and the handles that they make.
#![allow(unsafe_code)]

use std::ffi::{c_char, c_int, c_void};

use touchstone_worker::{
    Batch, Failure, Shared, Written, algorithm, c_string, done, symbols, text,
};

/// A pointer to a handle of any family of algorithms.
pub(crate) type Pointer = *mut c_void;
type Data = *const c_void;
type Name = *const c_char;
/// A pointer to which a function writes a least length, a greatest length, or the step between
/// lengths, in bytes.
type Size = *mut usize;
/// A function that returns the name of the algorithm with an index.
type List = unsafe extern "C" fn(usize) -> Name;
/// The functions `touchstone_…_sizes_of`.
type Sizes = unsafe extern "C" fn(Name, Size, Size, Size) -> c_int;
type New = unsafe extern "C" fn(*mut Pointer, Name) -> c_int;
type Free = unsafe extern "C" fn(Pointer);
type SetKey = unsafe extern "C" fn(Pointer, Data, usize) -> c_int;
/// The functions `touchstone_hash_many` and `touchstone_mac_many`.
type DigestMany =
    unsafe extern "C" fn(Pointer, *const Data, *const usize, usize, Pointer, usize) -> c_int;
type SetSize = unsafe extern "C" fn(Pointer, usize) -> c_int;

symbols! {
    /// The functions of touchstone.h that the worker calls.
    struct Api {
        touchstone_version: fn() -> Name;
        touchstone_strerror: fn(c_int) -> Name;
        touchstone_kernel: fn(Name) -> Name;
        touchstone_cipher_name, touchstone_aead_name, touchstone_hash_name: fn(usize) -> Name;
        touchstone_mac_name, touchstone_wrap_name, touchstone_derive_name: fn(usize) -> Name;

        touchstone_cipher_new: fn(*mut Pointer, Name, c_int) -> c_int;
        touchstone_cipher_free: fn(Pointer) -> ();
        touchstone_cipher_set_parameter: fn(Pointer, Name, u64) -> c_int;
        touchstone_cipher_set_key, touchstone_cipher_set_iv: fn(Pointer, Data, usize) -> c_int;
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
        touchstone_hash_new_customised: fn(*mut Pointer, Name, Data, usize) -> c_int;
        touchstone_hash_free: fn(Pointer) -> ();
        touchstone_hash_size: fn(Pointer) -> usize;
        touchstone_hash_message: fn(Pointer, Data, usize, Pointer, usize) -> c_int;
        touchstone_hash_many: fn(Pointer, *const Data, *const usize, usize, Pointer, usize) -> c_int;

        touchstone_mac_new: fn(*mut Pointer, Name) -> c_int;
        touchstone_mac_free: fn(Pointer) -> ();
        touchstone_mac_set_tag_size: fn(Pointer, usize) -> c_int;
        touchstone_mac_set_tag_size_insecure: fn(Pointer, usize) -> c_int;
        touchstone_mac_set_key, touchstone_mac_set_nonce: fn(Pointer, Data, usize) -> c_int;
        touchstone_mac_message: fn(Pointer, Data, usize, Pointer, usize) -> c_int;
        touchstone_mac_many: fn(Pointer, *const Data, *const usize, usize, Pointer, usize) -> c_int;
        touchstone_mac_tag_size: fn(Pointer) -> usize;
        touchstone_mac_key_sizes_of: fn(Name, Size, Size, Size) -> c_int;
        touchstone_mac_nonce_sizes_of: fn(Name, Size, Size, Size) -> c_int;

        touchstone_wrap: fn(Name, Data, usize, Data, usize, Pointer, usize) -> c_int;
        touchstone_unwrap: fn(Name, Data, usize, Data, usize, Pointer, usize, *mut usize) -> c_int;
        touchstone_scrypt: fn(Data, usize, Data, usize, u64, u32, u32, Pointer, usize) -> c_int;
        touchstone_argon2: fn(Name, Data, usize, Data, usize, Data, usize, Data, usize, u32, u32, u32, Pointer, usize) -> c_int, ?;
        touchstone_generator_new: fn(*mut Pointer) -> c_int;
        touchstone_generator_seeded_new: fn(*mut Pointer, *const u8, usize) -> c_int;
        touchstone_generator_free: fn(Pointer) -> ();
        touchstone_generator_fill: fn(Pointer, Pointer, usize) -> c_int;
        touchstone_drbg_new: fn(*mut Pointer, Name, Data, usize, Data, usize, Data, usize) -> c_int, ?;
        touchstone_drbg_free: fn(Pointer) -> (), ?;
        touchstone_drbg_reseed: fn(Pointer, Data, usize, Data, usize) -> c_int, ?;
        touchstone_drbg_generate: fn(Pointer, Data, usize, Pointer, usize) -> c_int, ?;
        touchstone_drbg_entropy_sizes_of: fn(Name, Size, Size, Size) -> c_int, ?;
        touchstone_derive: fn(Name, Data, usize, Data, usize, Data, usize, u32, Pointer, usize) -> c_int;
    }
}

/// Values of `enum touchstone_error`.
const OK: c_int = 0;
const NAME: c_int = -2;
pub(crate) const DATA_LENGTH: c_int = -6;
pub(crate) const STATE: c_int = -8;
const FORGED: c_int = -10;

/// A loaded library, and the names that it lists.
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
        // SAFETY: the version is a static C string.
        unsafe { text((self.api.touchstone_version)()) }.unwrap_or_default()
    }

    /// Returns the least length in bytes that the function `sizes` reports for a name.
    pub(crate) fn shortest(&self, sizes: Sizes, name: &str) -> usize {
        let mut min = 0;
        // SAFETY: the name is a C string. The other arguments may be NULL.
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

/// Returns all names of a list.
fn names(list: List) -> Vec<String> {
    // SAFETY: a name is NULL after the last name, and otherwise a static C string.
    let name = |index| unsafe { text(list(index)) };
    (0..).map_while(name).collect()
}

impl Api {
    /// Returns the name of the kernel that computes an algorithm on this machine.
    pub(crate) fn kernel(&self, primitive: &str, operation: &str) -> String {
        let name = c_string(&algorithm(primitive, operation));
        // SAFETY: the name is a C string. The kernel is NULL or a static C string.
        unsafe { text((self.touchstone_kernel)(name.as_ptr())) }.unwrap_or_default()
    }

    /// Converts a return code into a `Result`.
    #[inline]
    pub(crate) fn check(&self, code: c_int) -> Result<(), Failure> {
        done(code == OK, || self.failure(code))
    }

    #[cold]
    fn failure(&self, code: c_int) -> Failure {
        // SAFETY: the description of an error is a static C string.
        let why = unsafe { text((self.touchstone_strerror)(code)) }.unwrap_or_default();
        match code {
            FORGED => Failure::Rejected,
            NAME | STATE => Failure::failed(why),
            _ => Failure::unsupported(why),
        }
    }
}

/// A handle of the library. Dropping `Handle` frees it.
pub(crate) struct Handle {
    pub(crate) pointer: Pointer,
    free: Free,
}

impl Handle {
    /// Makes a handle of the algorithm `name` by a function whose name ends in `_new`.
    pub(crate) fn new(api: &Api, free: Free, name: &str, new: New) -> Result<Self, Failure> {
        // SAFETY: the place is valid, and the name is a C string.
        Self::made(api, free, name, |place, name| unsafe { new(place, name) })
    }

    /// Makes a handle like [`Handle::new`], by a function that takes more arguments than a
    /// place and a name.
    pub(crate) fn made(
        api: &Api,
        free: Free,
        name: &str,
        new: impl FnOnce(*mut Pointer, Name) -> c_int,
    ) -> Result<Self, Failure> {
        let (mut pointer, name) = (std::ptr::null_mut(), c_string(name));
        api.check(new(&mut pointer, name.as_ptr()))?;
        Ok(Self { pointer, free })
    }

    /// Sets a key by a function whose name ends in `_set_key`.
    pub(crate) fn set_key(&self, api: &Api, set: SetKey, key: &[u8]) -> Result<(), Failure> {
        // SAFETY: the handle is live, and the key has the length that is passed.
        api.check(unsafe { set(self.pointer, p(key), key.len()) })
    }

    /// Sets the length of tags in bytes.
    pub(crate) fn set_tag_size(&self, api: &Api, set: SetSize, size: usize) -> Result<(), Failure> {
        // SAFETY: the handle is live.
        api.check(unsafe { set(self.pointer, size) })
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: the handle is freed once.
        unsafe { (self.free)(self.pointer) }
    }
}

/// Returns the pointer to bytes for a parameter in C.
#[inline]
pub(crate) fn p(bytes: &[u8]) -> Data {
    bytes.as_ptr().cast()
}

/// Returns the pointer to writable bytes for a parameter in C.
#[inline]
pub(crate) fn p_mut(bytes: &mut [u8]) -> Pointer {
    bytes.as_mut_ptr().cast()
}

/// The arguments of a call for many messages: pointers to the messages, and their lengths.
#[derive(Default)]
pub(crate) struct Many {
    inputs: Vec<Data>,
    lens: Vec<usize>,
}

impl Many {
    /// Returns pointers to the messages of a batch, their lengths in bytes, and their number.
    pub(crate) fn of(&mut self, batch: &Batch<'_>) -> (*const Data, *const usize, usize) {
        self.inputs.clear();
        self.lens.clear();
        for input in batch.inputs() {
            self.inputs.push(p(input));
            self.lens.push(input.len());
        }
        (self.inputs.as_ptr(), self.lens.as_ptr(), self.inputs.len())
    }

    /// Writes a digest or tag of `size` bytes for each message of a batch.
    pub(crate) fn digests(
        &mut self,
        api: &Api,
        call: DigestMany,
        handle: Pointer,
        batch: &Batch<'_>,
        size: usize,
        output: &mut [u8],
    ) -> Written {
        let all = size * batch.messages;
        let (inputs, lens, count) = self.of(batch);
        let digests = p_mut(&mut output[..all]);
        // SAFETY: the handle is live. The numbers of inputs and of lengths equal the number of
        // messages, and there is room for all digests.
        api.check(unsafe { call(handle, inputs, lens, count, digests, all) })?;
        Ok(size)
    }
}
