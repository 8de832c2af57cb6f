//! Signatures, key agreement and encryption: the functions `wc_Rsa…`, `wc_ecc_…`, `wc_ed25519_…`,
//! `wc_ed448_…`, `wc_curve25519_…` and `wc_curve448_…`.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr;

use touchstone_worker::public::{
    Padding, PublicKeys, Scheme, Use, accepted, factor, point_of_peer, unreadable,
};
use touchstone_worker::{Failure, Memory, Message, Shared, der, symbols};

use crate::ffi::{Context, KEY_SIZE, Wolf, for_key, ok, word};

symbols! {
    /// The functions for public keys. Every build of wolfSSL with RSA and curves has them; the lab
    /// offers none of them if one is missing.
    struct Keys {
        wc_InitRng, wc_FreeRng: fn(Context) -> c_int;
        wc_Hash: fn(c_int, *const u8, u32, *mut u8, u32) -> c_int;

        wc_InitRsaKey: fn(Context, *mut c_void) -> c_int;
        wc_FreeRsaKey, wc_RsaEncryptSize: fn(Context) -> c_int;
        wc_RsaSetRNG: fn(Context, Context) -> c_int;
        wc_RsaPrivateKeyDecode: fn(*const u8, *mut u32, Context, u32) -> c_int;
        wc_RsaPublicKeyDecode: fn(*const u8, *mut u32, Context, u32) -> c_int;
        wc_HashGetOID: fn(c_int) -> c_int;
        wc_EncodeSignature: fn(*mut u8, *const u8, u32, c_int) -> u32;
        wc_RsaSSL_Sign: fn(*const u8, u32, *mut u8, u32, Context, Context) -> c_int;
        wc_RsaSSL_Verify: fn(*const u8, u32, *mut u8, u32, Context) -> c_int;
        wc_RsaPSS_Sign: fn(*const u8, u32, *mut u8, u32, c_int, c_int, Context, Context) -> c_int;
        wc_RsaPSS_VerifyCheck: fn(*const u8, u32, *mut u8, u32, *const u8, u32, c_int, c_int, Context) -> c_int;
        wc_RsaPublicEncrypt_ex: fn(*const u8, u32, *mut u8, u32, Context, Context, c_int, c_int, c_int, *const u8, u32) -> c_int;
        wc_RsaPrivateDecrypt_ex: fn(*const u8, u32, *mut u8, u32, Context, c_int, c_int, c_int, *const u8, u32) -> c_int;

        wc_ecc_init, wc_ecc_free, wc_ecc_check_key: fn(Context) -> c_int;
        wc_ecc_set_rng: fn(Context, Context) -> c_int;
        wc_ecc_get_curve_id_from_name: fn(*const c_char) -> c_int;
        wc_ecc_import_private_key_ex: fn(*const u8, u32, *const u8, u32, Context, c_int) -> c_int;
        wc_ecc_import_x963_ex: fn(*const u8, u32, Context, c_int) -> c_int;
        wc_ecc_sign_hash: fn(*const u8, u32, *mut u8, *mut u32, Context, Context) -> c_int;
        wc_ecc_verify_hash: fn(*const u8, u32, *const u8, u32, *mut c_int, Context) -> c_int;
        wc_ecc_shared_secret: fn(Context, Context, *mut u8, *mut u32) -> c_int;

        wc_ed25519_init, wc_ed448_init: fn(Context) -> c_int;
        wc_ed25519_free, wc_ed448_free: fn(Context) -> ();
        wc_ed25519_import_private_only: fn(*const u8, u32, Context) -> c_int;
        wc_ed25519_import_public: fn(*const u8, u32, Context) -> c_int;
        wc_ed448_import_private_only, wc_ed448_import_public: fn(*const u8, u32, Context) -> c_int;
        wc_ed25519_make_public, wc_ed448_make_public: fn(Context, *mut u8, u32) -> c_int;
        wc_ed25519_import_private_key: fn(*const u8, u32, *const u8, u32, Context) -> c_int;
        wc_ed448_import_private_key: fn(*const u8, u32, *const u8, u32, Context) -> c_int;
        wc_ed25519_sign_msg: fn(*const u8, u32, *mut u8, *mut u32, Context) -> c_int;
        wc_ed25519_verify_msg: fn(*const u8, u32, *const u8, u32, *mut c_int, Context) -> c_int;
        wc_ed448_sign_msg: fn(*const u8, u32, *mut u8, *mut u32, Context, *const u8, u8) -> c_int;
        wc_ed448_verify_msg: fn(*const u8, u32, *const u8, u32, *mut c_int, Context, *const u8, u8) -> c_int;

        wc_curve25519_init, wc_curve448_init: fn(Context) -> c_int;
        wc_curve25519_free, wc_curve448_free: fn(Context) -> ();
        wc_curve25519_set_rng: fn(Context, Context) -> c_int, ?;
        wc_curve25519_import_private_ex: fn(*const u8, u32, Context, c_int) -> c_int;
        wc_curve25519_import_public_ex: fn(*const u8, u32, Context, c_int) -> c_int;
        wc_curve448_import_private_ex: fn(*const u8, u32, Context, c_int) -> c_int;
        wc_curve448_import_public_ex: fn(*const u8, u32, Context, c_int) -> c_int;
        wc_curve25519_shared_secret_ex: fn(Context, Context, *mut u8, *mut u32, c_int) -> c_int;
        wc_curve448_shared_secret_ex: fn(Context, Context, *mut u8, *mut u32, c_int) -> c_int;
    }
}

/// The functions for public keys, if the library has them all.
pub(crate) fn keys(wolf: &Wolf) -> Option<Keys> {
    let shared: &Shared = &wolf.shared;
    Keys::load(shared).ok()
}

/// The curves: the lab's names and the library's.
const CURVES: &[(&str, &CStr)] = &[
    ("p192", c"SECP192R1"),
    ("p224", c"SECP224R1"),
    ("p256", c"SECP256R1"),
    ("p384", c"SECP384R1"),
    ("p521", c"SECP521R1"),
    ("secp256k1", c"SECP256K1"),
    ("brainpoolp256r1", c"BRAINPOOLP256R1"),
    ("brainpoolp384r1", c"BRAINPOOLP384R1"),
    ("brainpoolp512r1", c"BRAINPOOLP512R1"),
];

/// The hashes: the lab's names, the library's numbers (`enum wc_HashType`), and bytes.
const HASHES: &[(&str, c_int, u32)] = &[
    ("sha-1", 4, 20),
    ("sha-224", 5, 28),
    ("sha-256", 6, 32),
    ("sha-384", 7, 48),
    ("sha-512", 8, 64),
];

/// The hash of RSA's schemes: its number, and `WC_MGF1SHA256`.
const RSA_HASH: c_int = 6;
const RSA_MASK: c_int = 1;

/// `WC_RSA_PKCSV15_PAD` and `WC_RSA_OAEP_PAD`.
const PKCS1: c_int = 0;
const OAEP: c_int = 1;

/// `EC25519_LITTLE_ENDIAN` and `EC448_LITTLE_ENDIAN`.
const LITTLE_ENDIAN: c_int = 0;

/// What a key's context is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Ed25519,
    Ed448,
    X25519,
    X448,
    Pkcs1,
    Pss,
    Oaep,
    Ecdsa,
    Ecdh,
}

/// A key in the library's form.
pub(crate) struct Key {
    kind: Kind,
    held: Memory,
    /// The other side's key of an agreement.
    peer: Option<Memory>,
    /// The random generator. It lives longer than the keys that refer to it.
    generator: Memory,
    hash: Option<(c_int, u32)>,
}

impl Keys {
    fn generator(&self) -> Result<Memory, Failure> {
        let mut held = for_key();
        // SAFETY: the memory has room for the context.
        unsafe {
            ok("wc_InitRng", (self.wc_InitRng)(held.at(0)))?;
            held.freed_by_code(self.wc_FreeRng);
        }
        Ok(held)
    }

    fn curve(&self, id: &str) -> Option<c_int> {
        let (_, name) = CURVES.iter().find(|(known, _)| *known == id)?;
        // SAFETY: the name is a C string.
        let number = unsafe { (self.wc_ecc_get_curve_id_from_name)(name.as_ptr()) };
        (number >= 0).then_some(number)
    }

    /// Makes a key of a curve without a value.
    fn on_curve(&self) -> Result<Memory, Failure> {
        let mut held = for_key();
        // SAFETY: the memory has room for the context.
        unsafe {
            ok("wc_ecc_init", (self.wc_ecc_init)(held.at(0)))?;
            held.freed_by_code(self.wc_ecc_free);
        }
        Ok(held)
    }

    /// Reads a private key of a curve.
    fn private(&self, curve: c_int, key: &[u8], generator: &mut Memory) -> Result<Memory, Failure> {
        let (mut held, factor) = (self.on_curve()?, factor(key)?);
        let (at, length) = (factor.as_ptr(), word(factor.len())?);
        // SAFETY: both contexts are initialised, the length is the slice's, and NULL means that the
        // public key is not given.
        unsafe {
            let read = self.wc_ecc_import_private_key_ex;
            if read(at, length, ptr::null(), 0, held.at(0), curve) != 0 {
                return Err(unreadable());
            }
            let code = (self.wc_ecc_set_rng)(held.at(0), generator.at(0));
            ok("wc_ecc_set_rng", code)?;
        }
        Ok(held)
    }

    /// Reads a point, and checks that it is on the curve; `None` if it is not.
    fn point(&self, curve: c_int, point: &[u8]) -> Result<Option<Memory>, Failure> {
        let mut held = self.on_curve()?;
        let (at, length) = (point.as_ptr(), word(point.len())?);
        // SAFETY: the context is initialised, and the length is the slice's.
        let good = unsafe {
            (self.wc_ecc_import_x963_ex)(at, length, held.at(0), curve) == 0
                && (self.wc_ecc_check_key)(held.at(0)) == 0
        };
        Ok(good.then_some(held))
    }

    fn rsa(&self, what: Use, key: &[u8], generator: &mut Memory) -> Result<Memory, Failure> {
        let mut held = for_key();
        // SAFETY: the memory has room for the context, and NULL means the usual heap.
        unsafe {
            let code = (self.wc_InitRsaKey)(held.at(0), ptr::null_mut());
            ok("wc_InitRsaKey", code)?;
            held.freed_by_code(self.wc_FreeRsaKey);
        }
        let private = der::private_key(key).map_or(key, |parts| parts.key);
        let (mut at, all, inner) = (0, word(key.len())?, word(private.len())?);
        // SAFETY: both contexts are initialised, and each length is the length of its slice.
        let code = unsafe {
            if what.is_public() {
                (self.wc_RsaPublicKeyDecode)(key.as_ptr(), &mut at, held.at(0), all)
            } else {
                let read = self.wc_RsaPrivateKeyDecode;
                match read(private.as_ptr(), &mut at, held.at(0), inner) {
                    0 => (self.wc_RsaSetRNG)(held.at(0), generator.at(0)),
                    code => code,
                }
            }
        };
        if code == 0 {
            Ok(held)
        } else {
            Err(Failure::unsupported(format_args!("this key: code {code}")))
        }
    }

    fn edwards(&self, kind: Kind, what: Use, key: &[u8]) -> Result<Memory, Failure> {
        let (init, free, seed, make, pair, public) = if kind == Kind::Ed25519 {
            (
                self.wc_ed25519_init,
                self.wc_ed25519_free,
                self.wc_ed25519_import_private_only,
                self.wc_ed25519_make_public,
                self.wc_ed25519_import_private_key,
                self.wc_ed25519_import_public,
            )
        } else {
            (
                self.wc_ed448_init,
                self.wc_ed448_free,
                self.wc_ed448_import_private_only,
                self.wc_ed448_make_public,
                self.wc_ed448_import_private_key,
                self.wc_ed448_import_public,
            )
        };
        let mut held = for_key();
        let (at, length, mut own) = (key.as_ptr(), word(key.len())?, [0; 57]);
        // SAFETY: the memory has room for the context. Keys have the length of the scheme's keys,
        // which is at most 57 bytes.
        unsafe {
            ok("init", init(held.at(0)))?;
            held.freed_by(free);
            let code = if what == Use::Verify {
                public(at, length, held.at(0))
            } else {
                ok("import_private_only", seed(at, length, held.at(0)))?;
                ok("make_public", make(held.at(0), own.as_mut_ptr(), length))?;
                pair(at, length, own.as_ptr(), length, held.at(0))
            };
            if code != 0 {
                return Err(unreadable());
            }
        }
        Ok(held)
    }

    fn montgomery(
        &self,
        kind: Kind,
        key: &[u8],
        peer: &[u8],
        generator: &mut Memory,
    ) -> Result<[Memory; 2], Failure> {
        let (init, free, private, public) = if kind == Kind::X25519 {
            (
                self.wc_curve25519_init,
                self.wc_curve25519_free,
                self.wc_curve25519_import_private_ex,
                self.wc_curve25519_import_public_ex,
            )
        } else {
            (
                self.wc_curve448_init,
                self.wc_curve448_free,
                self.wc_curve448_import_private_ex,
                self.wc_curve448_import_public_ex,
            )
        };
        let [mut own, mut other] = [for_key(), for_key()];
        let (at, length) = (key.as_ptr(), word(key.len())?);
        let (point, bytes) = (peer.as_ptr(), word(peer.len())?);
        // SAFETY: the memory has room for the contexts, and each length is the length of its slice.
        unsafe {
            for held in [&mut own, &mut other] {
                ok("init", init(held.at(0)))?;
                held.freed_by(free);
            }
            if private(at, length, own.at(0), LITTLE_ENDIAN) != 0 {
                return Err(unreadable());
            }
            // A version with this function blinds the factor of X25519.
            if let Some(set) = self.wc_curve25519_set_rng.filter(|_| kind == Kind::X25519) {
                ok("wc_curve25519_set_rng", set(own.at(0), generator.at(0)))?;
            }
            if public(point, bytes, other.at(0), LITTLE_ENDIAN) != 0 {
                return Err(Failure::Rejected);
            }
        }
        Ok([own, other])
    }
}

impl PublicKeys for Keys {
    type Key = Key;

    fn api(&self, scheme: Scheme<'_>, what: Use) -> Option<&'static str> {
        if what == Use::Generate {
            return None;
        }
        if let Scheme::Ecdsa(name, _) | Scheme::Ecdh(name) = scheme {
            self.curve(name)?;
        }
        Some(match (scheme, what) {
            (Scheme::Raw("ed25519"), Use::Sign) => "wc_ed25519_sign_msg",
            (Scheme::Raw("ed25519"), _) => "wc_ed25519_verify_msg",
            (Scheme::Raw("ed448"), Use::Sign) => "wc_ed448_sign_msg",
            (Scheme::Raw("ed448"), _) => "wc_ed448_verify_msg",
            (Scheme::Raw("x25519"), _) => "wc_curve25519_shared_secret_ex",
            (Scheme::Raw(_), _) => "wc_curve448_shared_secret_ex",
            (Scheme::Rsa(_, Padding::Pss(_)), Use::Sign) => "wc_RsaPSS_Sign",
            (Scheme::Rsa(_, Padding::Pss(_)), _) => "wc_RsaPSS_VerifyCheck",
            (Scheme::Rsa(..), Use::Sign) => "wc_RsaSSL_Sign",
            (Scheme::Rsa(..), Use::Verify) => "wc_RsaSSL_Verify",
            (Scheme::Rsa(..), Use::Encrypt) => "wc_RsaPublicEncrypt_ex",
            (Scheme::Rsa(..), _) => "wc_RsaPrivateDecrypt_ex",
            (Scheme::Ecdsa(..), Use::Sign) => "wc_ecc_sign_hash",
            (Scheme::Ecdsa(..), _) => "wc_ecc_verify_hash",
            (Scheme::Ecdh(_), _) => "wc_ecc_shared_secret",
            _ => return None,
        })
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
        let kind = match scheme {
            Scheme::Raw("ed25519") => Kind::Ed25519,
            Scheme::Raw("ed448") => Kind::Ed448,
            Scheme::Raw("x25519") => Kind::X25519,
            Scheme::Raw(_) => Kind::X448,
            Scheme::Rsa(_, Padding::Pkcs1(_)) => Kind::Pkcs1,
            Scheme::Rsa(_, Padding::Pss(_)) => Kind::Pss,
            Scheme::Rsa(_, Padding::Oaep(_)) => Kind::Oaep,
            Scheme::Ecdsa(..) => Kind::Ecdsa,
            Scheme::Ecdh(_) => Kind::Ecdh,
            _ => return Err(unreadable()),
        };
        let hash = HASHES.iter().find(|(id, ..)| *id == scheme.hash());
        let hash = hash.map(|(_, number, bytes)| (*number, *bytes));
        let (held, peer) = match scheme {
            Scheme::Raw(_) if what == Use::Agree => {
                let [own, other] = self.montgomery(kind, key, peer, &mut generator)?;
                (own, Some(other))
            }
            Scheme::Raw(_) => (self.edwards(kind, what, key)?, None),
            Scheme::Rsa(..) => (self.rsa(what, key, &mut generator)?, None),
            Scheme::Ecdsa(name, _) => {
                let curve = self.curve(name).ok_or_else(unreadable)?;
                if what == Use::Sign {
                    (self.private(curve, key, &mut generator)?, None)
                } else {
                    let parts = der::public_key(key).ok_or_else(unreadable)?;
                    let point = self.point(curve, parts.key)?;
                    (point.ok_or_else(unreadable)?, None)
                }
            }
            Scheme::Ecdh(name) => {
                let curve = self.curve(name).ok_or_else(unreadable)?;
                let point = point_of_peer(key, peer)?;
                let other = self.point(curve, point)?.ok_or(Failure::Rejected)?;
                (self.private(curve, key, &mut generator)?, Some(other))
            }
            _ => return Err(unreadable()),
        };
        Ok(Key {
            kind,
            held,
            peer,
            generator,
            hash,
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
        let (context, generator) = (key.held.at(0), key.generator.at(0));
        let (at, length) = (message.input.as_ptr(), word(message.input.len())?);
        let (to, mut room) = (output.as_mut_ptr(), word(output.len())?);
        let signature = message.other("signature");
        let (signed, bytes) = (signature.as_ptr(), word(signature.len())?);
        let (mut digest, mut good) = ([0; 64], 0);
        // SAFETY: all contexts are initialised, no hash is longer than 64 bytes, the buffers of RSA
        // have room for 16384 bits, and every length is the length of its slice.
        unsafe {
            if let Some(peer) = &mut key.peer {
                let peer = peer.at(0);
                let code = match key.kind {
                    Kind::Ecdh => (self.wc_ecc_shared_secret)(context, peer, to, &mut room),
                    Kind::X25519 => {
                        let agree = self.wc_curve25519_shared_secret_ex;
                        agree(context, peer, to, &mut room, LITTLE_ENDIAN)
                    }
                    _ => {
                        let agree = self.wc_curve448_shared_secret_ex;
                        agree(context, peer, to, &mut room, LITTLE_ENDIAN)
                    }
                };
                return accepted(code == 0, room as usize);
            }
            let mut hashed = 0;
            if let Some((number, size)) =
                key.hash.filter(|_| matches!(what, Use::Sign | Use::Verify))
            {
                let code = (self.wc_Hash)(number, at, length, digest.as_mut_ptr(), size);
                ok("wc_Hash", code)?;
                hashed = size;
            }
            let digest = digest.as_ptr();
            let none = ptr::null();
            // The number of a hash in an encoding differs between versions.
            let oid = match key.kind {
                Kind::Pkcs1 => (self.wc_HashGetOID)(RSA_HASH),
                _ => 0,
            };
            match (key.kind, what) {
                (Kind::Ed25519, Use::Sign) => {
                    let code = (self.wc_ed25519_sign_msg)(at, length, to, &mut room, context);
                    ok("wc_ed25519_sign_msg", code)?;
                    Ok(room as usize)
                }
                (Kind::Ed25519, _) => {
                    let verify = self.wc_ed25519_verify_msg;
                    let code = verify(signed, bytes, at, length, &mut good, context);
                    accepted(code == 0 && good == 1, 0)
                }
                (Kind::Ed448, Use::Sign) => {
                    let sign = self.wc_ed448_sign_msg;
                    ok(
                        "wc_ed448_sign_msg",
                        sign(at, length, to, &mut room, context, none, 0),
                    )?;
                    Ok(room as usize)
                }
                (Kind::Ed448, _) => {
                    let verify = self.wc_ed448_verify_msg;
                    let code = verify(signed, bytes, at, length, &mut good, context, none, 0);
                    accepted(code == 0 && good == 1, 0)
                }
                (Kind::Ecdsa, Use::Sign) => {
                    let sign = self.wc_ecc_sign_hash;
                    let code = sign(digest, hashed, to, &mut room, generator, context);
                    ok("wc_ecc_sign_hash", code)?;
                    Ok(room as usize)
                }
                (Kind::Ecdsa, _) => {
                    let verify = self.wc_ecc_verify_hash;
                    let code = verify(signed, bytes, digest, hashed, &mut good, context);
                    accepted(code == 0 && good == 1, 0)
                }
                (Kind::Pss, Use::Sign) => {
                    let sign = self.wc_RsaPSS_Sign;
                    written(
                        "wc_RsaPSS_Sign",
                        sign(
                            digest, hashed, to, room, RSA_HASH, RSA_MASK, context, generator,
                        ),
                    )
                }
                (Kind::Pkcs1, Use::Sign) => {
                    let mut encoded = [0; ENCODED];
                    let encode = self.wc_EncodeSignature;
                    let encoded_bytes = encode(encoded.as_mut_ptr(), digest, hashed, oid);
                    let sign = self.wc_RsaSSL_Sign;
                    let code = sign(
                        encoded.as_ptr(),
                        encoded_bytes,
                        to,
                        room,
                        context,
                        generator,
                    );
                    written("wc_RsaSSL_Sign", code)
                }
                (_, Use::Verify) => {
                    if (self.wc_RsaEncryptSize)(context) != bytes as c_int {
                        return Err(Failure::Rejected);
                    }
                    let mut opened = [0; MOST];
                    let (inside, most) = (opened.as_mut_ptr(), MOST as u32);
                    if key.kind == Kind::Pss {
                        let verify = self.wc_RsaPSS_VerifyCheck;
                        let code = verify(
                            signed, bytes, inside, most, digest, hashed, RSA_HASH, RSA_MASK,
                            context,
                        );
                        return accepted(code > 0, 0);
                    }
                    let code = (self.wc_RsaSSL_Verify)(signed, bytes, inside, most, context);
                    let opened_bytes = opened_bytes(code)?;
                    let mut encoded = [0; ENCODED];
                    let encode = self.wc_EncodeSignature;
                    let length = encode(encoded.as_mut_ptr(), digest, hashed, oid) as usize;
                    accepted(opened[..opened_bytes] == encoded[..length], 0)
                }
                (kind, Use::Encrypt) => {
                    let (pad, hash, mask) = padding(kind);
                    let encrypt = self.wc_RsaPublicEncrypt_ex;
                    let code = encrypt(
                        at, length, to, room, context, generator, pad, hash, mask, none, 0,
                    );
                    written("wc_RsaPublicEncrypt_ex", code)
                }
                (kind, _) => {
                    let (pad, hash, mask) = padding(kind);
                    let decrypt = self.wc_RsaPrivateDecrypt_ex;
                    let code = decrypt(at, length, to, room, context, pad, hash, mask, none, 0);
                    opened_bytes(code)
                }
            }
        }
    }
}

/// The longest modulus in bytes, and room for a `DigestInfo` (RFC 8017, 9.2).
const MOST: usize = 2048;
const ENCODED: usize = 128;

/// Returns the numbers of a padding, of its hash and of its mask.
fn padding(kind: Kind) -> (c_int, c_int, c_int) {
    match kind {
        Kind::Oaep => (OAEP, RSA_HASH, RSA_MASK),
        _ => (PKCS1, 0, 0),
    }
}

/// Converts a code that is a length, or negative for an error.
fn written(what: &str, code: c_int) -> Result<usize, Failure> {
    usize::try_from(code).map_err(|_| crate::ffi::failure(what, code))
}

/// Converts the code of a function that opens a signature or a ciphertext. Every negative code means
/// a forgery, except the code for a modulus that the library's build does not take.
fn opened_bytes(code: c_int) -> Result<usize, Failure> {
    usize::try_from(code).map_err(|_| match code {
        KEY_SIZE => crate::ffi::failure("RSA", code),
        _ => Failure::Rejected,
    })
}
