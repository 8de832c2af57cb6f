//! Signatures and encryption by `mbedtls_pk_…`, key agreement by `mbedtls_ecdh_…`.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_int, c_void};
use std::ptr;

use touchstone_worker::public::{Padding, PublicKeys, Scheme, Use, accepted, unreadable};
use touchstone_worker::{Failure, Memory, Message};

use crate::digest;
use crate::ffi::{self, Api, Context, Known, Mbed, Random, ok};

/// `mbedtls_pk_parse_key` of version 2.28. Arguments: context, key, password (none).
type Parse2 = unsafe extern "C" fn(Context, *const u8, usize, *const u8, usize) -> c_int;
/// `mbedtls_pk_parse_key` of version 3, which also takes a random generator.
type Parse3 =
    unsafe extern "C" fn(Context, *const u8, usize, *const u8, usize, Random, Context) -> c_int;
/// `mbedtls_pk_sign` of version 2.28. Arguments: context, hash's number, hash, signature, its
/// length, random generator.
type Sign2 = unsafe extern "C" fn(
    Context,
    c_int,
    *const u8,
    usize,
    *mut u8,
    *mut usize,
    Random,
    Context,
) -> c_int;
/// `mbedtls_pk_sign` of version 3, which also takes the room for the signature.
type Sign3 = unsafe extern "C" fn(
    Context,
    c_int,
    *const u8,
    usize,
    *mut u8,
    usize,
    *mut usize,
    Random,
    Context,
) -> c_int;

/// The functions that differ between the versions.
#[derive(Clone, Copy)]
enum Versioned {
    Two(Parse2, Sign2),
    Three(Parse3, Sign3),
}

/// The curves: the lab's names and the library's.
const CURVES: &[(&str, &CStr)] = &[
    ("p192", c"secp192r1"),
    ("p224", c"secp224r1"),
    ("p256", c"secp256r1"),
    ("p384", c"secp384r1"),
    ("p521", c"secp521r1"),
    ("secp256k1", c"secp256k1"),
    ("brainpoolp256r1", c"brainpoolP256r1"),
    ("brainpoolp384r1", c"brainpoolP384r1"),
    ("brainpoolp512r1", c"brainpoolP512r1"),
];

/// `MBEDTLS_ECP_DP_CURVE25519`, and the bytes of its keys.
const CURVE25519: c_int = 9;
const CURVE25519_KEY: usize = 32;

/// `MBEDTLS_RSA_PKCS_V15` and `MBEDTLS_RSA_PKCS_V21`.
const PKCS1: c_int = 0;
const PSS_OR_OAEP: c_int = 1;

/// The library, with the hashes that signatures use.
#[derive(Clone, Copy)]
pub(crate) struct Pk {
    api: Api,
    versioned: Versioned,
    hashes: [Option<(Known, usize)>; HASHES.len()],
}

const HASHES: [&str; 5] = ["sha-1", "sha-224", "sha-256", "sha-384", "sha-512"];

impl Pk {
    pub(crate) fn of(mbed: &Mbed) -> Option<Self> {
        // SAFETY: the versions differ in these two prototypes, and the version was read from the
        // library.
        let versioned = unsafe {
            if mbed.version.starts_with("2.") {
                Versioned::Two(
                    mbed.function("mbedtls_pk_parse_key")?,
                    mbed.function("mbedtls_pk_sign")?,
                )
            } else {
                Versioned::Three(
                    mbed.function("mbedtls_pk_parse_key")?,
                    mbed.function("mbedtls_pk_sign")?,
                )
            }
        };
        Some(Self {
            api: mbed.api,
            versioned,
            hashes: HASHES.map(|id| digest::find(mbed, id)),
        })
    }

    /// Returns a hash's description, and its length in bytes.
    fn hash(&self, id: &str) -> Option<(Known, usize)> {
        let at = HASHES.iter().position(|known| *known == id)?;
        self.hashes[at]
    }

    /// Returns the library's number of a hash.
    fn number(&self, hash: Known) -> c_int {
        // SAFETY: the description belongs to the library.
        unsafe { (self.api.mbedtls_md_get_type)(hash.get()) }
    }

    /// Makes a random generator, which gets its seed from the system.
    fn generator(&self) -> Result<Memory, Failure> {
        let api = &self.api;
        let mut held = ffi::large((api.mbedtls_ctr_drbg_init, api.mbedtls_ctr_drbg_free));
        // SAFETY: the context is initialised, the function for the seed takes no context, and there
        // is no further text.
        let code = unsafe {
            let null = ptr::null_mut();
            (api.mbedtls_ctr_drbg_seed)(held.at(0), seed, null, ptr::null(), 0)
        };
        ok("mbedtls_ctr_drbg_seed", code)?;
        Ok(held)
    }

    /// Reads a key in DER.
    fn key(&self, der: &[u8], is_public: bool, generator: &mut Memory) -> Result<Memory, Failure> {
        let api = &self.api;
        let mut held = ffi::context((api.mbedtls_pk_init, api.mbedtls_pk_free));
        let (at, length) = (der.as_ptr(), der.len());
        let (none, random) = (ptr::null(), api.mbedtls_ctr_drbg_random);
        // SAFETY: the context and the generator are initialised, and the length is the slice's.
        let code = unsafe {
            match self.versioned {
                _ if is_public => (api.mbedtls_pk_parse_public_key)(held.at(0), at, length),
                Versioned::Two(parse, _) => parse(held.at(0), at, length, none, 0),
                Versioned::Three(parse, _) => {
                    parse(held.at(0), at, length, none, 0, random, generator.at(0))
                }
            }
        };
        if code == 0 {
            Ok(held)
        } else {
            Err(unreadable())
        }
    }
}

/// Fills `bytes` with random bytes of the system. Returns 0 on success.
unsafe extern "C" fn seed(_: *mut c_void, bytes: *mut u8, length: usize) -> c_int {
    // SAFETY: the library passes a buffer of this length.
    let bytes = unsafe { std::slice::from_raw_parts_mut(bytes, length) };
    let read = std::fs::File::open("/dev/urandom")
        .and_then(|mut file| std::io::Read::read_exact(&mut file, bytes));
    if read.is_ok() { 0 } else { -1 }
}

/// Returns the context of RSA or of a curve in a `mbedtls_pk_context`: the second pointer, as
/// <mbedtls/pk.h> declares it in versions 2.28 and 3.
///
/// # Safety
///
/// A key was read into the context.
unsafe fn inner(key: &mut Memory) -> Context {
    // SAFETY: the caller guarantees the context.
    unsafe { *key.at(0).cast::<Context>().add(1) }
}

/// `mbedtls_pk_rsassa_pss_options`.
#[repr(C)]
struct PssOptions {
    mask_hash: c_int,
    salt: c_int,
}

/// A key in the library's form, and the random generator.
pub(crate) struct Key {
    /// The key, or the two keys of an agreement.
    held: Memory,
    generator: Memory,
    /// The hash, its number and its length.
    hash: Option<(Known, c_int, usize)>,
    is_pss: bool,
}

impl PublicKeys for Pk {
    type Key = Key;

    fn api(&self, scheme: Scheme<'_>, what: Use) -> Option<&'static str> {
        let is_left_out = matches!(
            scheme,
            Scheme::Dsa(..) | Scheme::Dh(_) | Scheme::PostQuantum(_)
        ) || scheme.is_rare();
        // With a key of a curve, `mbedtls_pk_sign` makes RFC 6979's nonce.
        let is_same = matches!(scheme, Scheme::DeterministicEcdsa(..)) && what != Use::Sign;
        if what == Use::Generate || is_left_out || is_same {
            return None;
        }
        if let Scheme::Ecdsa(name, _) | Scheme::DeterministicEcdsa(name, _) | Scheme::Ecdh(name) =
            scheme
        {
            let (_, name) = CURVES.iter().find(|(id, _)| *id == name)?;
            // SAFETY: the name is a C string. The answer is NULL or a constant of the library.
            let info = unsafe { (self.api.mbedtls_ecp_curve_info_from_name)(name.as_ptr()) };
            if info.is_null() {
                return None;
            }
        }
        match (scheme, what) {
            (Scheme::Raw("x25519") | Scheme::Ecdh(_), _) => Some("mbedtls_ecdh_calc_secret"),
            (Scheme::Raw(_), _) => None,
            (Scheme::Rsa(_, Padding::Pss(_)), Use::Verify) => Some("mbedtls_pk_verify_ext"),
            (_, Use::Sign) => Some("mbedtls_md, mbedtls_pk_sign"),
            (_, Use::Verify) => Some("mbedtls_md, mbedtls_pk_verify"),
            (_, Use::Encrypt) => Some("mbedtls_pk_encrypt"),
            (_, Use::Decrypt) => Some("mbedtls_pk_decrypt"),
            _ => None,
        }
    }

    // A program keeps its generator from one key to the next.
    fn read_after(
        &self,
        last: Option<Key>,
        scheme: Scheme<'_>,
        what: Use,
        key: &[u8],
        peer: &[u8],
    ) -> Result<Key, Failure> {
        let last = last.map(|last| last.generator);
        let mut generator = last.map_or_else(|| self.generator(), Ok)?;
        let api = &self.api;
        let hash = self.hash(scheme.hash());
        let hash = hash.map(|(known, length)| (known, self.number(known), length));
        let mut held = if what == Use::Agree {
            self.agreement(scheme, key, peer, &mut generator)?
        } else {
            self.key(key, what.is_public(), &mut generator)?
        };
        let mut is_pss = false;
        if let Scheme::Rsa(_, padding) = scheme {
            is_pss = matches!(padding, Padding::Pss(_));
            let kind = match padding {
                Padding::Pkcs1(_) => PKCS1,
                _ => PSS_OR_OAEP,
            };
            let number = hash.map_or(0, |(_, number, _)| number);
            // SAFETY: a key of RSA was read. Version 3 returns a code, which is 0 for both paddings.
            unsafe {
                if (api.mbedtls_pk_can_do)(held.at(0), RSA) == 0 {
                    return Err(unreadable());
                }
                (api.mbedtls_rsa_set_padding)(inner(&mut held), kind, number);
            }
        }
        Ok(Key {
            held,
            generator,
            hash,
            is_pss,
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
        let api = &self.api;
        let (context, generator) = (key.held.at(0), key.generator.at(0));
        let random = api.mbedtls_ctr_drbg_random;
        let (at, length) = (message.input.as_ptr(), message.input.len());
        let (to, room, mut written) = (output.as_mut_ptr(), output.len(), 0);
        let mut digest = [0; 64];
        // SAFETY: all contexts are initialised, no hash is longer than 64 bytes, and every length is
        // the length of its slice.
        unsafe {
            match what {
                Use::Agree => {
                    let calculate = api.mbedtls_ecdh_calc_secret;
                    let code = calculate(context, &mut written, to, room, random, generator);
                    return accepted(code == 0, written);
                }
                Use::Encrypt => {
                    let encrypt = api.mbedtls_pk_encrypt;
                    let code = encrypt(
                        context,
                        at,
                        length,
                        to,
                        &mut written,
                        room,
                        random,
                        generator,
                    );
                    ok("mbedtls_pk_encrypt", code)?;
                    return Ok(written);
                }
                Use::Decrypt => {
                    let decrypt = api.mbedtls_pk_decrypt;
                    let code = decrypt(
                        context,
                        at,
                        length,
                        to,
                        &mut written,
                        room,
                        random,
                        generator,
                    );
                    return accepted(code == 0, written);
                }
                Use::Sign | Use::Verify => {}
                _ => return Err(unreadable()),
            }
            let (known, number, size) = key.hash.ok_or_else(unreadable)?;
            let code = (api.mbedtls_md)(known.get(), at, length, digest.as_mut_ptr());
            ok("mbedtls_md", code)?;
            let digest = digest.as_ptr();
            if what == Use::Sign {
                let (n, out) = (number, &mut written);
                let code = match self.versioned {
                    Versioned::Two(_, sign) => {
                        sign(context, n, digest, size, to, out, random, generator)
                    }
                    Versioned::Three(_, sign) => {
                        sign(context, n, digest, size, to, room, out, random, generator)
                    }
                };
                ok("mbedtls_pk_sign", code)?;
                return Ok(written);
            }
            let signature = message.other("signature");
            let (signed, bytes) = (signature.as_ptr(), signature.len());
            let code = if key.is_pss {
                // A salt is as long as the hash.
                let options = PssOptions {
                    mask_hash: number,
                    salt: size as c_int,
                };
                let options = (&raw const options).cast();
                let verify = api.mbedtls_pk_verify_ext;
                verify(
                    RSASSA_PSS, options, context, number, digest, size, signed, bytes,
                )
            } else {
                (api.mbedtls_pk_verify)(context, number, digest, size, signed, bytes)
            };
            accepted(code == 0, 0)
        }
    }
}

/// `MBEDTLS_PK_RSA` and `MBEDTLS_PK_RSASSA_PSS`.
const RSA: c_int = 1;
const RSASSA_PSS: c_int = 6;

impl Pk {
    /// Makes the context of an agreement, with both keys.
    fn agreement(
        &self,
        scheme: Scheme<'_>,
        key: &[u8],
        peer: &[u8],
        generator: &mut Memory,
    ) -> Result<Memory, Failure> {
        const OURS: c_int = 0;
        const THEIRS: c_int = 1;
        let api = &self.api;
        let mut held = ffi::large((api.mbedtls_ecdh_init, api.mbedtls_ecdh_free));
        let take = |held: &mut Memory, pair, side| {
            // SAFETY: both contexts are initialised, and the second one has a key.
            unsafe { (api.mbedtls_ecdh_get_params)(held.at(0), pair, side) }
        };
        if let Scheme::Raw(_) = scheme {
            let mut pair = ffi::large((api.mbedtls_ecp_keypair_init, api.mbedtls_ecp_keypair_free));
            // SAFETY: all contexts are initialised, and each length is the length of its slice.
            unsafe {
                let code = (api.mbedtls_ecdh_setup)(held.at(0), CURVE25519);
                ok("mbedtls_ecdh_setup", code)?;
                let read = api.mbedtls_ecp_read_key;
                let code = read(CURVE25519, pair.at(0), key.as_ptr(), key.len());
                ok("mbedtls_ecp_read_key", code)?;
                ok("mbedtls_ecdh_get_params", take(&mut held, pair.at(0), OURS))?;
                // The form of TLS has the length before the point (RFC 8422, section 5.4).
                let point = [&[CURVE25519_KEY as u8], peer].concat();
                let read = api.mbedtls_ecdh_read_public;
                if read(held.at(0), point.as_ptr(), point.len()) != 0 {
                    return Err(Failure::Rejected);
                }
            }
            return Ok(held);
        }
        let mut own = self.key(key, false, generator)?;
        let other = self.key(peer, true, generator);
        let mut other = other.map_err(|_| Failure::Rejected)?;
        for (key, side) in [(&mut own, OURS), (&mut other, THEIRS)] {
            // SAFETY: a key was read, and the constant is a kind of key.
            let code = unsafe {
                if (api.mbedtls_pk_can_do)(key.at(0), EC) == 0 {
                    return Err(Failure::Rejected);
                }
                take(&mut held, inner(key), side)
            };
            // The library refuses two keys of different curves.
            if code != 0 {
                return Err(Failure::Rejected);
            }
        }
        Ok(held)
    }
}

/// `MBEDTLS_PK_ECKEY`.
const EC: c_int = 2;
