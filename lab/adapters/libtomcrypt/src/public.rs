//! Signatures, key agreement and encryption: the functions `rsa_…`, `ecc_…`, `dsa_…` and `dh_…`,
//! which calculate with LibTomMath.
#![allow(unsafe_code)]

use std::cell::RefCell;
use std::ffi::{CStr, c_char, c_int, c_long, c_ulong, c_void};
use std::ptr;

use touchstone_worker::public::{
    Padding, Pair, PublicKeys, Scheme, Use, accepted, dh_numbers, dsa_numbers, factor, hex_number,
    point_of_peer, unreadable,
};
use touchstone_worker::{Failure, Memory, Message, der, ok, symbols};

use crate::ffi::{State, TomCrypt};

symbols! {
    /// The functions for public keys, as <tomcrypt_pk.h> declares them.
    struct Pk {
        register_prng: fn(*const c_void) -> c_int;
        hash_memory: fn(c_int, *const u8, c_ulong, *mut u8, *mut c_ulong) -> c_int;

        rsa_make_key: fn(State, c_int, c_int, c_long, State) -> c_int;
        rsa_export: fn(*mut u8, *mut c_ulong, c_int, State) -> c_int;
        rsa_import: fn(*const u8, c_ulong, State) -> c_int;
        rsa_free: fn(State) -> ();
        rsa_sign_hash_ex: fn(*const u8, c_ulong, *mut u8, *mut c_ulong, c_int, State, c_int, c_int, c_ulong, State) -> c_int;
        rsa_verify_hash_ex: fn(*const u8, c_ulong, *const u8, c_ulong, c_int, c_int, c_ulong, *mut c_int, State) -> c_int;
        rsa_encrypt_key_ex: fn(*const u8, c_ulong, *mut u8, *mut c_ulong, *const u8, c_ulong, State, c_int, c_int, c_int, State) -> c_int;
        rsa_decrypt_key_ex: fn(*const u8, c_ulong, *mut u8, *mut c_ulong, *const u8, c_ulong, c_int, c_int, *mut c_int, State) -> c_int;

        ecc_make_key_ex: fn(State, c_int, State, *const Curve) -> c_int;
        ecc_export: fn(*mut u8, *mut c_ulong, c_int, State) -> c_int;
        ecc_ansi_x963_export: fn(State, *mut u8, *mut c_ulong) -> c_int;
        ecc_import_ex: fn(*const u8, c_ulong, State, *const Curve) -> c_int;
        ecc_ansi_x963_import_ex: fn(*const u8, c_ulong, State, *const Curve) -> c_int;
        ecc_free: fn(State) -> ();
        ecc_sign_hash: fn(*const u8, c_ulong, *mut u8, *mut c_ulong, State, c_int, State) -> c_int;
        ecc_verify_hash: fn(*const u8, c_ulong, *const u8, c_ulong, *mut c_int, State) -> c_int;
        ecc_shared_secret: fn(State, State, *mut u8, *mut c_ulong) -> c_int;

        dh_set_pg: fn(*const u8, c_ulong, *const u8, c_ulong, State) -> c_int;
        dh_set_key: fn(*const u8, c_ulong, c_int, State) -> c_int;
        dh_free: fn(State) -> ();
        dh_shared_secret: fn(State, State, *mut u8, *mut c_ulong) -> c_int;

        dsa_set_pqg: fn(*const u8, c_ulong, *const u8, c_ulong, *const u8, c_ulong, State) -> c_int;
        dsa_set_key: fn(*const u8, c_ulong, c_int, State) -> c_int;
        dsa_free: fn(State) -> ();
        dsa_sign_hash: fn(*const u8, c_ulong, *mut u8, *mut c_ulong, State, c_int, State) -> c_int;
        dsa_verify_hash: fn(*const u8, c_ulong, *const u8, c_ulong, *mut c_int, State) -> c_int;
    }
}

/// `ltc_ecc_set_type`: a curve.
#[repr(C)]
pub(crate) struct Curve {
    /// Bytes of a coordinate; 0 after the last curve.
    size: c_int,
    name: *const c_char,
    prime: *const c_char,
    b: *const c_char,
    order: *const c_char,
    /// The coordinates of the generator, in hexadecimal.
    generator: [*const c_char; 2],
}

/// Bytes of `ltc_math_descriptor`: a name, the bits of a digit, and 50 functions.
const MATH: usize = 416;

/// Room for `rsa_key` (72 bytes), `ecc_key` and `dsa_key` (48 bytes each) and `dh_key` (40 bytes).
const KEY: usize = 128;

/// The curves: the lab's names, the library's, and the encoded object identifiers (RFC 5480,
/// section 2.1.1.1). SECP112R1 to SECP160R1 are not offered, because no other library has them.
const CURVES: &[(&str, &CStr, &[u8])] = &[
    (
        "p192",
        c"ECC-192",
        b"\x06\x08\x2a\x86\x48\xce\x3d\x03\x01\x01",
    ),
    ("p224", c"ECC-224", b"\x06\x05\x2b\x81\x04\x00\x21"),
    (
        "p256",
        c"ECC-256",
        b"\x06\x08\x2a\x86\x48\xce\x3d\x03\x01\x07",
    ),
    ("p384", c"ECC-384", b"\x06\x05\x2b\x81\x04\x00\x22"),
    ("p521", c"ECC-521", b"\x06\x05\x2b\x81\x04\x00\x23"),
];

/// `rsaEncryption` (RFC 8017, appendix C) and its parameters, NULL.
const RSA: (&[u8], &[u8]) = (b"\x2a\x86\x48\x86\xf7\x0d\x01\x01\x01", &[5, 0]);

/// `id-ecPublicKey` (RFC 5480, section 2.1.1).
const ECC: &[u8] = b"\x2a\x86\x48\xce\x3d\x02\x01";

/// Returns the row of [`CURVES`] with the lab's name of a curve.
fn named(id: &str) -> Option<&'static (&'static str, &'static CStr, &'static [u8])> {
    CURVES.iter().find(|(known, ..)| *known == id)
}

/// The hashes: the lab's names and the library's descriptors.
const HASHES: &[(&str, &str)] = &[
    ("sha-1", "sha1_desc"),
    ("sha-224", "sha224_desc"),
    ("sha-256", "sha256_desc"),
    ("sha-384", "sha384_desc"),
    ("sha-512", "sha512_desc"),
];

/// `LTC_PKCS_1_V1_5`, `LTC_PKCS_1_OAEP` and `LTC_PKCS_1_PSS`.
const PKCS1: c_int = 1;
const OAEP: c_int = 2;
const PSS: c_int = 3;

/// `PK_PUBLIC` and `PK_PRIVATE`.
const PUBLIC: c_int = 0;
const PRIVATE: c_int = 1;

/// The functions, the numbers of the hashes and of the system's generator, and the curves.
#[derive(Clone)]
pub(crate) struct Library {
    pk: Pk,
    hashes: Vec<(&'static str, c_int, usize)>,
    generator: c_int,
    curves: *const Curve,
}

// SAFETY: the curves are constants of a library that stays loaded.
unsafe impl Send for Library {}
// SAFETY: as above.
unsafe impl Sync for Library {}

impl Library {
    /// Returns `None` if the build lacks public keys or LibTomMath.
    pub(crate) fn of(library: &TomCrypt) -> Option<Self> {
        let pk = Pk::load(&library.shared).ok()?;
        let hashes = HASHES.iter().filter_map(|(id, symbol)| {
            let (number, hash) = library.hash(symbol)?;
            Some((*id, number, hash.size as usize))
        });
        // SAFETY: the symbols are variables of version 1.18, which the worker has checked: the
        // descriptor of the arithmetic in use, and LibTomMath's. The manual tells programs to assign
        // one to the other before the first use of a key. Every thread writes the same bytes.
        let (generator, curves) = unsafe {
            let math = library.shared.symbol::<*mut u8>("ltc_mp")?;
            let tommath = library.shared.symbol::<*const u8>("ltm_desc")?;
            ptr::copy_nonoverlapping(tommath, math, MATH);
            let system = library.shared.symbol::<*const c_void>("sprng_desc")?;
            let curves = library.shared.symbol::<*const Curve>("ltc_ecc_sets")?;
            ((pk.register_prng)(system), curves)
        };
        (generator >= 0).then(|| Self {
            hashes: hashes.collect(),
            pk,
            generator,
            curves,
        })
    }

    fn curve(&self, id: &str) -> Option<&Curve> {
        let (_, name, _) = named(id)?;
        let mut at = self.curves;
        // SAFETY: the array ends with a curve of 0 bytes, and names are C strings.
        unsafe {
            while (*at).size != 0 {
                if CStr::from_ptr((*at).name) == *name {
                    return Some(&*at);
                }
                at = at.add(1);
            }
        }
        None
    }

    fn hash(&self, id: &str) -> Option<(c_int, usize)> {
        let hash = self.hashes.iter().find(|(known, ..)| *known == id)?;
        Some((hash.1, hash.2))
    }

    fn rsa(&self, what: Use, key: &[u8]) -> Result<Memory, Failure> {
        let key = if what.is_public() {
            key
        } else {
            der::private_key(key).ok_or_else(unreadable)?.key
        };
        held(self.pk.rsa_free, |held| {
            // SAFETY: the memory has room for the key, and the length is the slice's.
            unsafe { (self.pk.rsa_import)(key.as_ptr(), key.len() as c_ulong, held) }
        })
    }

    /// Reads a private key of a curve. The library's own format has a public point, which neither
    /// signatures nor agreements with this key use: the generator stands there.
    fn private(&self, curve: &Curve, key: &[u8]) -> Result<Memory, Failure> {
        let [x, y] = curve.generator.map(|digits| {
            // SAFETY: the coordinates are C strings.
            hex_number(&unsafe { CStr::from_ptr(digits) }.to_string_lossy())
        });
        let size = [curve.size as u8];
        // A string of one bit, which is 1 for a private key, comes before the numbers.
        let key = der::bits_and_integers(&[7, 0x80], &[&size, &x, &y, factor(key)?]);
        held(self.pk.ecc_free, |held| {
            // SAFETY: as in `rsa`; the curve is the library's.
            unsafe { (self.pk.ecc_import_ex)(key.as_ptr(), key.len() as c_ulong, held, curve) }
        })
    }

    fn point(&self, curve: &Curve, point: &[u8]) -> Result<Memory, Failure> {
        let length = point.len() as c_ulong;
        held(self.pk.ecc_free, |held| {
            // SAFETY: as in `private`.
            unsafe { (self.pk.ecc_ansi_x963_import_ex)(point.as_ptr(), length, held, curve) }
        })
    }

    fn dsa(&self, what: Use, key: &[u8]) -> Result<Memory, Failure> {
        let numbers = dsa_numbers(key, what.is_public())?;
        let [p, q, g, own] = numbers.map(|number| (number.as_ptr(), number.len() as c_ulong));
        let kind = if what.is_public() { PUBLIC } else { PRIVATE };
        held(self.pk.dsa_free, |held| {
            // SAFETY: as in `rsa`. A failed call frees the numbers that it has made.
            unsafe {
                match (self.pk.dsa_set_pqg)(p.0, p.1, q.0, q.1, g.0, g.1, held) {
                    0 => (self.pk.dsa_set_key)(own.0, own.1, kind, held),
                    code => code,
                }
            }
        })
    }

    fn dh(&self, kind: c_int, numbers: [&[u8]; 3]) -> Result<Memory, Failure> {
        let [p, g, own] = numbers.map(|number| (number.as_ptr(), number.len() as c_ulong));
        held(self.pk.dh_free, |held| {
            // SAFETY: as in `dsa`.
            unsafe {
                match (self.pk.dh_set_pg)(p.0, p.1, g.0, g.1, held) {
                    0 => (self.pk.dh_set_key)(own.0, own.1, kind, held),
                    code => code,
                }
            }
        })
    }
}

/// Calls a function that reads or makes a key in memory, and returns its code. Dropping the memory
/// frees the key's numbers.
fn held(
    free: unsafe extern "C" fn(State),
    read: impl FnOnce(State) -> c_int,
) -> Result<Memory, Failure> {
    let mut memory = Memory::new(KEY);
    match read(memory.at(0)) {
        0 => {
            // SAFETY: the key was read, and nothing else frees it.
            unsafe { memory.freed_by(free) };
            Ok(memory)
        }
        code => Err(Failure::unsupported(format_args!("this key: code {code}"))),
    }
}

/// What a key's memory is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Rsa(c_int),
    Ecc,
    Dsa,
    /// With the bytes of the modulus.
    Dh(usize),
}

/// A key in the library's form.
pub(crate) struct Key {
    kind: Kind,
    held: Memory,
    /// The other side's key of an agreement.
    peer: Option<Memory>,
    /// The hash's number and its bytes.
    hash: (c_int, usize),
}

impl PublicKeys for Library {
    type Key = Key;

    fn api(&self, scheme: Scheme<'_>, what: Use) -> Option<&'static str> {
        if let Scheme::Ecdsa(curve, _) | Scheme::Ecdh(curve) = scheme {
            self.curve(curve)?;
        }
        if !scheme.hash().is_empty() {
            self.hash(scheme.hash())?;
        }
        Some(match (scheme, what) {
            (Scheme::Rsa(..), Use::Generate) => "rsa_make_key",
            (Scheme::Ecdsa(..), Use::Generate) => "ecc_make_key_ex",
            (Scheme::Rsa(..), Use::Sign) => "rsa_sign_hash_ex",
            (Scheme::Rsa(..), Use::Verify) => "rsa_verify_hash_ex",
            (Scheme::Rsa(..), Use::Encrypt) => "rsa_encrypt_key_ex",
            (Scheme::Rsa(..), Use::Decrypt) => "rsa_decrypt_key_ex",
            (Scheme::Ecdsa(..), Use::Sign) => "ecc_sign_hash",
            (Scheme::Ecdsa(..), Use::Verify) => "ecc_verify_hash",
            (Scheme::Ecdh(_), Use::Agree) => "ecc_shared_secret",
            (Scheme::Dh(_), Use::Agree) => "dh_shared_secret",
            (Scheme::Dsa(..), Use::Sign) => "dsa_sign_hash",
            (Scheme::Dsa(..), Use::Verify) => "dsa_verify_hash",
            _ => return None,
        })
    }

    fn read(&self, scheme: Scheme<'_>, what: Use, key: &[u8], peer: &[u8]) -> Result<Key, Failure> {
        let mut other = None;
        let (kind, held) = match scheme {
            Scheme::Rsa(_, padding) => {
                let padding = match padding {
                    Padding::Pkcs1(_) => PKCS1,
                    Padding::Oaep(_) => OAEP,
                    Padding::Pss(_) => PSS,
                };
                (Kind::Rsa(padding), self.rsa(what, key)?)
            }
            Scheme::Ecdsa(curve, _) => {
                let curve = self.curve(curve).ok_or_else(unreadable)?;
                let held = if what == Use::Sign {
                    self.private(curve, key)?
                } else {
                    self.point(curve, der::public_key(key).ok_or_else(unreadable)?.key)?
                };
                (Kind::Ecc, held)
            }
            Scheme::Ecdh(curve) => {
                let curve = self.curve(curve).ok_or_else(unreadable)?;
                let point = point_of_peer(key, peer)?;
                other = Some(self.point(curve, point).map_err(|_| Failure::Rejected)?);
                (Kind::Ecc, self.private(curve, key)?)
            }
            Scheme::Dsa(..) => (Kind::Dsa, self.dsa(what, key)?),
            Scheme::Dh(_) => {
                let own = dh_numbers(key, false)?;
                let theirs = dh_numbers(peer, true).map_err(|_| Failure::Rejected)?;
                let theirs = self.dh(PUBLIC, theirs).map_err(|_| Failure::Rejected)?;
                other = Some(theirs);
                (Kind::Dh(own[0].len()), self.dh(PRIVATE, own)?)
            }
            _ => return Err(unreadable()),
        };
        Ok(Key {
            kind,
            held,
            peer: other,
            hash: self.hash(scheme.hash()).unwrap_or((-1, 0)),
        })
    }

    #[inline(always)]
    fn process(
        &self,
        key: &mut Key,
        what: Use,
        message: &Message<'_>,
        output: &mut [u8],
    ) -> Result<usize, Failure> {
        let (pk, held) = (&self.pk, key.held.at(0));
        let (number, bytes) = key.hash;
        let (at, length) = (message.input.as_ptr(), message.input.len() as c_ulong);
        let (to, mut room) = (output.as_mut_ptr(), output.len() as c_ulong);
        let signature = message.other("signature");
        let (signed, signed_bytes) = (signature.as_ptr(), signature.len() as c_ulong);
        let (none, generator, mut good) = (ptr::null_mut(), self.generator, 0);
        let mut digest = [0; 64];
        // SAFETY: the keys were read, the system's generator needs no state, every length is the
        // length of its slice, and no hash is longer than 64 bytes.
        unsafe {
            if let Some(peer) = &mut key.peer {
                let Kind::Dh(modulus) = key.kind else {
                    let code = (pk.ecc_shared_secret)(held, peer.at(0), to, &mut room);
                    return accepted(code == 0, room as usize);
                };
                let code = (pk.dh_shared_secret)(held, peer.at(0), to, &mut room);
                let written = accepted(code == 0, room as usize)?;
                // The library leaves out zeros in front.
                let zeros = modulus.saturating_sub(written);
                output.copy_within(..written, zeros);
                output[..zeros].fill(0);
                return Ok(zeros + written);
            }
            if matches!(what, Use::Sign | Use::Verify) {
                let mut size = digest.len() as c_ulong;
                let code = (pk.hash_memory)(number, at, length, digest.as_mut_ptr(), &mut size);
                ok("hash_memory", code)?;
            }
            let (digest, digest_bytes) = (digest.as_ptr(), bytes as c_ulong);
            match (key.kind, what) {
                (Kind::Rsa(padding), Use::Sign) => {
                    let sign = pk.rsa_sign_hash_ex;
                    let code = sign(
                        digest,
                        digest_bytes,
                        to,
                        &mut room,
                        padding,
                        none,
                        generator,
                        number,
                        digest_bytes,
                        held,
                    );
                    ok("rsa_sign_hash_ex", code)?;
                }
                (Kind::Rsa(padding), Use::Verify) => {
                    let verify = pk.rsa_verify_hash_ex;
                    let code = verify(
                        signed,
                        signed_bytes,
                        digest,
                        digest_bytes,
                        padding,
                        number,
                        digest_bytes,
                        &mut good,
                        held,
                    );
                    return accepted(code == 0 && good == 1, 0);
                }
                (Kind::Rsa(padding), Use::Encrypt) => {
                    let encrypt = pk.rsa_encrypt_key_ex;
                    let label = ptr::null();
                    let code = encrypt(
                        at, length, to, &mut room, label, 0, none, generator, number, padding, held,
                    );
                    ok("rsa_encrypt_key_ex", code)?;
                }
                (Kind::Rsa(padding), _) => {
                    let decrypt = pk.rsa_decrypt_key_ex;
                    let label = ptr::null();
                    let code = decrypt(
                        at, length, to, &mut room, label, 0, number, padding, &mut good, held,
                    );
                    return accepted(code == 0 && good == 1, room as usize);
                }
                (kind, Use::Sign) => {
                    let sign = match kind {
                        Kind::Ecc => pk.ecc_sign_hash,
                        _ => pk.dsa_sign_hash,
                    };
                    let code = sign(digest, digest_bytes, to, &mut room, none, generator, held);
                    ok("…_sign_hash", code)?;
                }
                (kind, _) => {
                    let verify = match kind {
                        Kind::Ecc => pk.ecc_verify_hash,
                        _ => pk.dsa_verify_hash,
                    };
                    let code = verify(signed, signed_bytes, digest, digest_bytes, &mut good, held);
                    return accepted(code == 0 && good == 1, 0);
                }
            }
        }
        Ok(room as usize)
    }

    fn generate(&self, scheme: Scheme<'_>) -> Result<Box<dyn Pair>, Failure> {
        let (none, generator) = (ptr::null_mut(), self.generator);
        let (held, curve) = match scheme {
            Scheme::Rsa(bits, _) => {
                let bytes = (bits / 8) as c_int;
                // SAFETY: the memory has room for the key, and the system's generator needs no state.
                let make =
                    |held| unsafe { (self.pk.rsa_make_key)(none, generator, bytes, 65537, held) };
                (held(self.pk.rsa_free, make)?, None)
            }
            Scheme::Ecdsa(id, _) => {
                let (_, _, identifier) = *named(id).ok_or_else(unreadable)?;
                let curve = self.curve(id).ok_or_else(unreadable)?;
                // SAFETY: as above; the curve is the library's.
                let make =
                    |held| unsafe { (self.pk.ecc_make_key_ex)(none, generator, held, curve) };
                let held = held(self.pk.ecc_free, make)?;
                (held, Some((curve.size as usize, identifier)))
            }
            _ => return Err(unreadable()),
        };
        Ok(Box::new(Made {
            pk: self.pk,
            held: RefCell::new(held),
            curve,
        }))
    }
}

/// A new key pair of RSA or of a curve.
struct Made {
    pk: Pk,
    held: RefCell<Memory>,
    /// For a curve, the bytes of a coordinate, and the curve's encoded identifier.
    curve: Option<(usize, &'static [u8])>,
}

impl Made {
    /// Calls a function that writes the key: into a place, with the place's room, which the call
    /// replaces by the number of bytes.
    fn written(
        &self,
        write: impl FnOnce(*mut u8, *mut c_ulong, State) -> c_int,
    ) -> Result<Vec<u8>, Failure> {
        // Room for RSA's private numbers of 8192 bits: about 4.5 times the modulus.
        let mut bytes = vec![0; 8192];
        let mut room = bytes.len() as c_ulong;
        let code = write(bytes.as_mut_ptr(), &mut room, self.held.borrow_mut().at(0));
        ok("writing a key", code)?;
        bytes.truncate(room as usize);
        Ok(bytes)
    }
}

impl Pair for Made {
    fn public(&self) -> Result<Vec<u8>, Failure> {
        // SAFETY: the key was made, and the room is the place's.
        unsafe {
            let Some((_, curve)) = self.curve else {
                return self.written(|to, room, key| (self.pk.rsa_export)(to, room, PUBLIC, key));
            };
            let point =
                self.written(|to, room, key| (self.pk.ecc_ansi_x963_export)(key, to, room))?;
            Ok(der::write_public_key(ECC, curve, &point))
        }
    }

    fn private(&self) -> Result<Vec<u8>, Failure> {
        // SAFETY: as in `public`.
        unsafe {
            let Some((bytes, curve)) = self.curve else {
                let key =
                    self.written(|to, room, key| (self.pk.rsa_export)(to, room, PRIVATE, key))?;
                return Ok(der::write_private_key(RSA.0, RSA.1, &key));
            };
            let key = self.written(|to, room, key| (self.pk.ecc_export)(to, room, PRIVATE, key))?;
            let numbers = der::integers_after_bits(&key);
            let factor = numbers.as_ref().and_then(|numbers| numbers.last());
            let factor = factor.ok_or_else(|| Failure::failed("a private key of another form"))?;
            let zeros = vec![0; bytes.saturating_sub(factor.len())];
            let factor = der::write_scalar(&[&zeros, *factor].concat());
            Ok(der::write_private_key(ECC, curve, &factor))
        }
    }
}
