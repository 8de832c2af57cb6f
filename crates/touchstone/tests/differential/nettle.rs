//! Nettle as a library to compare with. Its lists of ciphers say which ciphers it has.

use std::collections::BTreeMap;
use std::ffi::{CStr, c_char, c_uint, c_void};

use libloading::{Library, Symbol};

use crate::{Job, Peer, spellings};

type SetKey = unsafe extern "C" fn(*mut c_void, *const u8);
type Crypt = unsafe extern "C" fn(*const c_void, usize, *mut u8, *const u8);

/// The struct `nettle_cipher` of nettle-meta.h.
#[repr(C)]
struct Cipher {
    name: *const c_char,
    context_size: c_uint,
    block_size: c_uint,
    key_size: c_uint,
    set_encrypt_key: SetKey,
    set_decrypt_key: SetKey,
    encrypt: Crypt,
    decrypt: Crypt,
}

/// The struct `nettle_aead` of nettle-meta.h.
#[repr(C)]
struct Aead {
    name: *const c_char,
    context_size: c_uint,
    block_size: c_uint,
    key_size: c_uint,
    nonce_size: c_uint,
    digest_size: c_uint,
    set_encrypt_key: SetKey,
    set_decrypt_key: SetKey,
    set_nonce: SetKey,
    update: unsafe extern "C" fn(*mut c_void, usize, *const u8),
    encrypt: unsafe extern "C" fn(*mut c_void, usize, *mut u8, *const u8),
    decrypt: unsafe extern "C" fn(*mut c_void, usize, *mut u8, *const u8),
    digest: unsafe extern "C" fn(*mut c_void, usize, *mut u8),
}

/// The type of the functions for modes of any cipher. The arguments are: context, function of
/// the cipher, block size, initialization vector, length, output, input.
type Mode = unsafe extern "C" fn(*const c_void, Crypt, usize, *mut u8, usize, *mut u8, *const u8);
type Xts =
    unsafe extern "C" fn(*const c_void, *const c_void, Crypt, *const u8, usize, *mut u8, *const u8);

/// The struct `nettle_hash` of nettle-meta.h.
#[repr(C)]
struct Hash {
    name: *const c_char,
    context_size: c_uint,
    digest_size: c_uint,
    block_size: c_uint,
    init: unsafe extern "C" fn(*mut c_void),
    update: unsafe extern "C" fn(*mut c_void, usize, *const u8),
    digest: unsafe extern "C" fn(*mut c_void, usize, *mut u8),
}

struct Nettle {
    hashes: BTreeMap<String, &'static Hash>,
    ciphers: BTreeMap<String, &'static Cipher>,
    aeads: BTreeMap<String, &'static Aead>,
    modes: BTreeMap<&'static str, Mode>,
    xts: Option<Xts>,
    _library: Library,
}

pub(crate) fn load() -> Result<Box<dyn Peer>, String> {
    // SAFETY: the constructors of the library have no requirements.
    let library = unsafe { Library::new("libnettle.so.8") }.map_err(|error| error.to_string())?;
    type List<T> = unsafe extern "C" fn() -> *const *const T;
    let text = |error: libloading::Error| error.to_string();
    // SAFETY: the lists end with NULL. They live as long as the library, which is never
    // unloaded while its ciphers are used.
    unsafe fn listed<T>(
        mut list: *const *const T,
        name: fn(&T) -> *const c_char,
    ) -> BTreeMap<String, &'static T> {
        let mut all = BTreeMap::new();
        // SAFETY: the list ends with NULL, and each entry has a name that ends with NUL.
        unsafe {
            while let Some(one) = (*list).as_ref() {
                let name = CStr::from_ptr(name(one)).to_string_lossy();
                all.insert(name.into_owned(), one);
                list = list.add(1);
            }
        }
        all
    }
    // SAFETY: nettle-meta.h, cbc.h, cfb.h, ctr.h and xts.h declare these types.
    unsafe {
        let ciphers: Symbol<'_, List<Cipher>> =
            library.get("nettle_get_ciphers\0").map_err(text)?;
        let aeads: Symbol<'_, List<Aead>> = library.get("nettle_get_aeads\0").map_err(text)?;
        let hashes: Symbol<'_, List<Hash>> = library.get("nettle_get_hashes\0").map_err(text)?;
        let (ciphers, aeads, hashes) = (
            listed(ciphers(), |cipher| cipher.name),
            listed(aeads(), |aead| aead.name),
            listed(hashes(), |hash| hash.name),
        );
        let mut modes = BTreeMap::new();
        for (mode, symbol) in [
            ("cbc", "nettle_cbc_encrypt\0"),
            ("cfb", "nettle_cfb_encrypt\0"),
            ("cfb8", "nettle_cfb8_encrypt\0"),
            ("ctr", "nettle_ctr_crypt\0"),
        ] {
            if let Ok(function) = library.get::<Mode>(symbol) {
                modes.insert(mode, *function);
            }
        }
        let xts = library.get::<Xts>("nettle_xts_encrypt_message\0");
        let xts = xts.ok().map(|function| *function);
        Ok(Box::new(Nettle {
            hashes,
            ciphers,
            aeads,
            modes,
            xts,
            _library: library,
        }))
    }
}

/// Returns Nettle's name of an algorithm, if this name is not a spelling of the id.
fn renamed(id: &str) -> &str {
    match id {
        "cast5" => "cast128",
        "gost94" => "gosthash94",
        "gost94-cryptopro" => "gosthash94cp",
        id => id,
    }
}

/// Returns memory for a context, aligned for any type.
fn context(size: c_uint) -> Vec<u128> {
    vec![0; size as usize / 16 + 1]
}

impl Peer for Nettle {
    fn name(&self) -> &'static str {
        "Nettle"
    }

    fn encrypt(&self, job: &Job<'_>) -> Option<Vec<u8>> {
        let id = renamed(job.id);
        if job.mode == "hash" {
            return digest(spellings(id).find_map(|name| self.hashes.get(&name))?, job);
        }
        if matches!(job.mode, "gcm" | "eax") {
            let aead = |name| self.aeads.get(&format!("{}_{name}", job.mode));
            return sealed(spellings(id).find_map(aead)?, job);
        }
        let cipher = spellings(id).find_map(|name| self.ciphers.get(&name))?;
        if cipher.key_size as usize != job.key.len() {
            return None;
        }
        let keyed = |key: &[u8]| {
            let mut memory = context(cipher.context_size);
            // SAFETY: memory and key have the sizes that the cipher states.
            unsafe { (cipher.set_encrypt_key)(memory.as_mut_ptr().cast(), key.as_ptr()) };
            memory
        };
        let first = keyed(job.key);
        let first = first.as_ptr().cast();
        let mut out = vec![0; job.input.len()];
        let (to, from, n) = (out.as_mut_ptr(), job.input.as_ptr(), job.input.len());
        // SAFETY: the contexts are set up, the initialization vector has the length of a block
        // of this cipher, and both buffers have `n` bytes.
        unsafe {
            match job.mode {
                "ecb" => (cipher.encrypt)(first, n, to, from),
                "xts" => {
                    let second = keyed(job.second);
                    let (second, tweak) = (second.as_ptr().cast(), job.nonce.as_ptr());
                    (self.xts?)(first, second, cipher.encrypt, tweak, n, to, from);
                }
                mode => {
                    let mut iv = job.nonce.to_vec();
                    let size = cipher.block_size as usize;
                    let mode = self.modes.get(mode)?;
                    mode(first, cipher.encrypt, size, iv.as_mut_ptr(), n, to, from);
                }
            }
        }
        Some(out)
    }
}

fn digest(hash: &Hash, job: &Job<'_>) -> Option<Vec<u8>> {
    let mut memory = context(hash.context_size);
    let context = memory.as_mut_ptr().cast();
    let mut out = vec![0; job.tag];
    if hash.digest_size as usize != out.len() {
        return None;
    }
    // SAFETY: memory and output have the sizes that the hash function states.
    unsafe {
        (hash.init)(context);
        (hash.update)(context, job.input.len(), job.input.as_ptr());
        (hash.digest)(context, out.len(), out.as_mut_ptr());
    }
    Some(out)
}

fn sealed(aead: &Aead, job: &Job<'_>) -> Option<Vec<u8>> {
    let fits = aead.key_size as usize == job.key.len()
        && aead.nonce_size as usize == job.nonce.len()
        && aead.digest_size as usize == job.tag;
    if !fits {
        return None;
    }
    let mut memory = context(aead.context_size);
    let context = memory.as_mut_ptr().cast();
    let mut out = vec![0; job.input.len() + job.tag];
    let (data, tag) = out.split_at_mut(job.input.len());
    // SAFETY: memory, key, nonce and tag have the sizes that the cipher states, and both
    // buffers have the size of the message.
    unsafe {
        (aead.set_encrypt_key)(context, job.key.as_ptr());
        (aead.set_nonce)(context, job.nonce.as_ptr());
        (aead.update)(context, job.aad.len(), job.aad.as_ptr());
        (aead.encrypt)(context, data.len(), data.as_mut_ptr(), job.input.as_ptr());
        (aead.digest)(context, tag.len(), tag.as_mut_ptr());
    }
    Some(out)
}
