//! Messages of more than 4 GiB, whose lengths do not fit into 32 bits, neither in bytes nor in
//! the length fields of hashes. Every hash computes such a message in one call, and in pieces by
//! its portable form. Libgcrypt computes the message too, where it is installed and has the hash.
//! `make long-messages` runs the test: it takes 4 GiB of memory and some 20 minutes of two CPUs.
#![cfg(target_pointer_width = "64")]
#![allow(unsafe_code, reason = "Libgcrypt is loaded at run time")]

use std::ffi::{c_char, c_int, c_uint, c_void};
use std::sync::Mutex;

use libloading::Library;
use touchstone::dynamic::Hash;

/// More than 2³² bytes, and no whole number of blocks of any hash.
const LENGTH: usize = (1 << 32) + 1021;
/// The pieces' length, which is no whole number of blocks either.
const PIECE: usize = (1 << 20) - 13;

/// The hashes of Libgcrypt: the name here, and the number in `enum gcry_md_algos` of gcrypt.h.
const LIBGCRYPT: [(&str, c_int); 32] = [
    ("md5", 1),
    ("sha-1", 2),
    ("ripemd-160", 3),
    ("sha-256", 8),
    ("sha-384", 9),
    ("sha-512", 10),
    ("sha-224", 11),
    ("md4", 301),
    ("whirlpool", 305),
    ("tiger", 306),
    ("tiger2", 307),
    ("gost94", 308),
    ("streebog-256", 309),
    ("streebog-512", 310),
    ("gost94-cryptopro", 311),
    ("sha3-224", 312),
    ("sha3-256", 313),
    ("sha3-384", 314),
    ("sha3-512", 315),
    ("blake2b", 318),
    ("blake2b-384", 319),
    ("blake2b-256", 320),
    ("blake2b-160", 321),
    ("blake2s", 322),
    ("blake2s-224", 323),
    ("blake2s-160", 324),
    ("blake2s-128", 325),
    ("sm3", 326),
    ("sha-512-256", 327),
    ("sha-512-224", 328),
    ("shake128", 316),
    ("shake256", 317),
];

type CheckVersion = unsafe extern "C" fn(*const c_char) -> *const c_char;
type DigestLength = unsafe extern "C" fn(c_int) -> c_uint;
type HashBuffer = unsafe extern "C" fn(c_int, *mut c_void, *const c_void, usize);

struct Libgcrypt(Library);

impl Libgcrypt {
    fn load() -> Option<Self> {
        // SAFETY: the constructors of the library have no requirements.
        let library = unsafe { Library::new("libgcrypt.so.20") }.ok()?;
        // SAFETY: gcrypt.h declares the function with this type. NULL means any version; the call
        // initialises the library.
        unsafe {
            let check = library.get::<CheckVersion>(b"gcry_check_version\0").ok()?;
            (!check(std::ptr::null()).is_null()).then_some(())?;
        }
        Some(Self(library))
    }

    /// Returns a digest; `None` if the library does not have the hash, or if its digests have
    /// another length.
    fn digest(&self, name: &str, length: usize, message: &[u8]) -> Option<Vec<u8>> {
        let &(_, number) = LIBGCRYPT.iter().find(|(known, _)| *known == name)?;
        // SAFETY: gcrypt.h declares the functions with these types, and the digest has the length
        // that the library asks for.
        unsafe {
            let size = self
                .0
                .get::<DigestLength>(b"gcry_md_get_algo_dlen\0")
                .ok()?;
            if size(number) as usize != length {
                return None;
            }
            let mut digest = vec![0; length];
            let hash = self.0.get::<HashBuffer>(b"gcry_md_hash_buffer\0").ok()?;
            hash(
                number,
                digest.as_mut_ptr().cast(),
                message.as_ptr().cast(),
                message.len(),
            );
            Some(digest)
        }
    }
}

#[test]
#[ignore = "it takes 4 GiB of memory and many minutes: make long-messages"]
fn a_message_of_more_than_4_gib() {
    let mut message = vec![0; LENGTH];
    for (block, bytes) in message.chunks_mut(251).enumerate() {
        let number = (block as u64).to_le_bytes();
        bytes
            .iter_mut()
            .zip(number.iter().cycle())
            .for_each(|(byte, part)| *byte = part ^ 0xa5);
    }
    let peer = Libgcrypt::load();
    if peer.is_none() {
        println!("SKIPPED: no comparison with Libgcrypt, which is not installed");
    }
    let names = Mutex::new(Hash::names());
    let work = || {
        loop {
            let Some(name) = names.lock().unwrap().next() else {
                break;
            };
            let mut hash = Hash::new(name).unwrap();
            let length = hash.output().unwrap_or(64);
            let mut once = vec![0; length];
            hash.digest(&message, &mut once).unwrap();
            let mut pieces = Hash::with_kernel(name, "portable").unwrap();
            for piece in message.chunks(PIECE) {
                pieces.update(piece);
            }
            let mut other = vec![0; length];
            pieces.finalize(&mut other).unwrap();
            assert!(
                once == other,
                "{name}: in one call, and in pieces by the portable form"
            );
            match peer
                .as_ref()
                .and_then(|peer| peer.digest(name, length, &message))
            {
                Some(digest) => assert!(once == digest, "{name}: Libgcrypt has another digest"),
                None => println!("{name}: compared with the portable form alone"),
            }
        }
    };
    std::thread::scope(|scope| {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
}
