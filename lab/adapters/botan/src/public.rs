//! Signatures, key agreement and encryption by the functions `botan_pk_op_…` of the C interface.
#![allow(unsafe_code)]

use std::ffi::{CStr, CString, c_char, c_int};
use std::ptr;

use touchstone_worker::integer::Integers as _;
use touchstone_worker::{Cell, Failure, Message, Offer, Operation, Work, der, offer, primitives};

use crate::ffi::{Api, Destroy, Handle, Object, name};
use crate::library::Botan;

/// What an object does with its key.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Do {
    Sign,
    Verify,
    Agree,
    Encrypt,
    Decrypt,
}

const OPERATIONS: &[(&str, Do, &str)] = &[
    ("sign", Do::Sign, "botan_pk_op_sign_update, finish"),
    ("verify", Do::Verify, "botan_pk_op_verify_update, finish"),
    ("agree", Do::Agree, "botan_pk_op_key_agreement"),
    ("public-encrypt", Do::Encrypt, "botan_pk_op_encrypt"),
    ("private-decrypt", Do::Decrypt, "botan_pk_op_decrypt"),
];

/// Signature in DER, in place of the two numbers one after the other.
const DER_SIGNATURE: u32 = 1;

/// The curves of the C interface: the lab's names and Botan's.
const CURVES: &[(&str, &CStr)] = &[
    ("p192", c"secp192r1"),
    ("p224", c"secp224r1"),
    ("p256", c"secp256r1"),
    ("p384", c"secp384r1"),
    ("p521", c"secp521r1"),
    ("secp256k1", c"secp256k1"),
    ("brainpoolp256r1", c"brainpool256r1"),
    ("brainpoolp384r1", c"brainpool384r1"),
    ("brainpoolp512r1", c"brainpool512r1"),
];

/// The form of a primitive's keys.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Ed25519,
    X25519,
    /// DER that Botan reads.
    Der,
    /// DER on this curve, for key agreement: Botan reads such keys as keys for signatures, so their
    /// parts are read here.
    Ecdh(&'static CStr),
}

impl Form {
    /// Returns the form of a primitive's keys; `None` if the library lacks the primitive.
    fn of(primitive: &str) -> Option<Self> {
        let on = |rest: &str| {
            let curve = rest.split('-').next()?;
            CURVES
                .iter()
                .find(|(id, _)| *id == curve)
                .map(|(_, name)| *name)
        };
        match primitive.split_once('-') {
            None if primitive == "ed25519" => Some(Self::Ed25519),
            None if primitive == "x25519" => Some(Self::X25519),
            Some(("rsa", _)) => Some(Self::Der),
            Some(("ecdsa", rest)) => on(rest).map(|_| Self::Der),
            Some(("ecdh", rest)) => on(rest).map(Self::Ecdh),
            _ => None,
        }
    }
}

/// Returns Botan's name of the padding, and the flags.
fn padding(primitive: &str) -> Option<(String, u32)> {
    if primitive == "ed25519" {
        return Some(("Pure".into(), 0));
    }
    if primitive == "x25519" || primitive.starts_with("ecdh-") {
        return Some(("Raw".into(), 0));
    }
    if primitive.starts_with("rsa-") && primitive.ends_with("-pkcs1") {
        return Some(("PKCS1v15".into(), 0));
    }
    let (scheme, bits) = primitive.split_once("-sha-")?;
    let hash = format!("SHA-{bits}");
    if scheme.starts_with("ecdsa-") {
        return Some((format!("EMSA1({hash})"), DER_SIGNATURE));
    }
    let padding = match scheme.rsplit_once('-')?.1 {
        "pkcs1" => format!("EMSA3({hash})"),
        // Without the length of the salt, every length would be accepted.
        "pss" => format!("EMSA4({hash},MGF1,{})", bits.parse::<usize>().ok()? / 8),
        "oaep" => format!("OAEP({hash})"),
        _ => return None,
    };
    Some((padding, 0))
}

pub(crate) fn offers(_: &Botan) -> Vec<Offer> {
    let mut offers = Vec::new();
    for (id, _, api) in OPERATIONS {
        let known = primitives(id).into_iter();
        let known = known.filter(|primitive| Form::of(primitive).is_some());
        offers.extend(known.map(|primitive| offer(&primitive, id, api)));
    }
    offers
}

pub(crate) fn cell(botan: &Botan, work: &Work) -> Option<Result<Cell, Failure>> {
    let (_, what, _) = OPERATIONS.iter().find(|(id, ..)| *id == work.operation)?;
    let (api, what) = (botan.api, *what);
    let form = Form::of(&work.primitive)?;
    let (padding, flags) = padding(&work.primitive)?;
    if matches!(form, Form::Ed25519 | Form::X25519)
        && let Err(failure) = work.need_key(32)
    {
        return Some(Err(failure));
    }
    let (curve, peer) = match form {
        Form::Ecdh(_) => match der::public_key(work.other("peer")) {
            Some(parts) => (parts.algorithm.to_vec(), parts.key.to_vec()),
            None => return Some(Err(Failure::Rejected)),
        },
        _ => (Vec::new(), work.other("peer").to_vec()),
    };
    let padding = name(&padding);
    Some(Ok(Cell::new(move || {
        Ok(Public {
            api,
            what,
            form,
            padding: padding.clone(),
            flags,
            random: api.random()?,
            curve: curve.clone(),
            peer: peer.clone(),
            keyed: None,
        })
    })))
}

/// A key, and Botan's object that works with it.
struct Public {
    api: Api,
    what: Do,
    form: Form,
    padding: CString,
    flags: u32,
    random: Object,
    /// The algorithm of the other side's public key, which names its curve.
    curve: Vec<u8>,
    /// The other side's public key: a point, or 32 bytes.
    peer: Vec<u8>,
    /// The object, and the key, which is destroyed after it.
    keyed: Option<(Object, Object)>,
}

impl Api {
    /// Makes a random generator that takes its seed from the system.
    pub(crate) fn random(&self) -> Result<Object, Failure> {
        let mut handle = ptr::null_mut();
        // SAFETY: a successful call writes the handle, and the name is a C string.
        let code = unsafe { (self.botan_rng_init)(&mut handle, c"user".as_ptr()) };
        self.ok("botan_rng_init", code)?;
        Object::new(handle, self.botan_rng_destroy)
    }
}

type Create = unsafe extern "C" fn(*mut Handle, Handle, *const c_char, u32) -> c_int;

impl Public {
    /// Returns whether the key is a public one.
    fn is_public(&self) -> bool {
        matches!(self.what, Do::Verify | Do::Encrypt)
    }
}

impl Operation for Public {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        let api = &self.api;
        let (at, length) = (key.as_ptr(), key.len());
        let mut handle = ptr::null_mut();
        // SAFETY: a successful call writes the handle. Each function reads as many bytes as the
        // slice has: the functions for raw keys read 32, which the cell has checked.
        unsafe {
            let code = match (self.form, self.is_public()) {
                (Form::Ed25519, true) => (api.botan_pubkey_load_ed25519)(&mut handle, at),
                (Form::Ed25519, false) => (api.botan_privkey_load_ed25519)(&mut handle, at),
                (Form::X25519, _) => (api.botan_privkey_load_x25519)(&mut handle, at),
                (Form::Ecdh(curve), _) => {
                    let parts = der::private_key(key);
                    // The C interface takes a point without the name of its curve.
                    if parts.is_some_and(|parts| parts.algorithm != self.curve) {
                        return Err(Failure::Rejected);
                    }
                    let scalar = parts.and_then(|parts| der::scalar(parts.key));
                    let scalar = scalar.ok_or_else(|| Failure::unsupported("this key"))?;
                    let scalar = api.read(false, scalar)?;
                    (api.botan_privkey_load_ecdh)(&mut handle, scalar.handle, curve.as_ptr())
                }
                (Form::Der, true) => (api.botan_pubkey_load)(&mut handle, at, length),
                (Form::Der, false) => {
                    let (random, phrase) = (self.random.handle, ptr::null());
                    (api.botan_privkey_load)(&mut handle, random, at, length, phrase)
                }
            };
            api.takes("reading the key", code)?;
            let destroy = if self.is_public() {
                api.botan_pubkey_destroy
            } else {
                api.botan_privkey_destroy
            };
            let key = Object::new(handle, destroy)?;
            let (create, destroy): (Create, Destroy) = match self.what {
                Do::Sign => (api.botan_pk_op_sign_create, api.botan_pk_op_sign_destroy),
                Do::Verify => (
                    api.botan_pk_op_verify_create,
                    api.botan_pk_op_verify_destroy,
                ),
                Do::Agree => (
                    api.botan_pk_op_key_agreement_create,
                    api.botan_pk_op_key_agreement_destroy,
                ),
                Do::Encrypt => (
                    api.botan_pk_op_encrypt_create,
                    api.botan_pk_op_encrypt_destroy,
                ),
                Do::Decrypt => (
                    api.botan_pk_op_decrypt_create,
                    api.botan_pk_op_decrypt_destroy,
                ),
            };
            let mut made = ptr::null_mut();
            let code = create(&mut made, key.handle, self.padding.as_ptr(), self.flags);
            api.takes("botan_pk_op_…_create", code)?;
            self.keyed = Some((Object::new(made, destroy)?, key));
        }
        Ok(())
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let (api, random) = (&self.api, self.random.handle);
        let object = self.keyed.as_ref();
        let object = object.map_or(ptr::null_mut(), |(object, _)| object.handle);
        let (input, mut length) = (message.input, output.len());
        let (at, bytes, room) = (input.as_ptr(), input.len(), output.as_mut_ptr());
        // SAFETY: all objects are live, and each length is the length of its slice.
        let (call, code) = unsafe {
            match self.what {
                Do::Sign => {
                    let code = (api.botan_pk_op_sign_update)(object, at, bytes);
                    api.ok("botan_pk_op_sign_update", code)?;
                    let code = (api.botan_pk_op_sign_finish)(object, random, room, &mut length);
                    ("botan_pk_op_sign_finish", code)
                }
                Do::Verify => {
                    let code = (api.botan_pk_op_verify_update)(object, at, bytes);
                    api.ok("botan_pk_op_verify_update", code)?;
                    let signature = message.other("signature");
                    let (at, bytes) = (signature.as_ptr(), signature.len());
                    if (api.botan_pk_op_verify_finish)(object, at, bytes) != 0 {
                        return Err(Failure::Rejected);
                    }
                    return Ok(0);
                }
                Do::Agree => {
                    let (peer, bytes) = (self.peer.as_ptr(), self.peer.len());
                    let (salt, none) = (ptr::null(), 0);
                    let code = (api.botan_pk_op_key_agreement)(
                        object,
                        room,
                        &mut length,
                        peer,
                        bytes,
                        salt,
                        none,
                    );
                    if code != 0 {
                        return Err(Failure::Rejected);
                    }
                    ("botan_pk_op_key_agreement", code)
                }
                Do::Encrypt => {
                    let code =
                        (api.botan_pk_op_encrypt)(object, random, room, &mut length, at, bytes);
                    ("botan_pk_op_encrypt", code)
                }
                Do::Decrypt => {
                    let code = (api.botan_pk_op_decrypt)(object, room, &mut length, at, bytes);
                    if code != 0 {
                        return Err(Failure::Rejected);
                    }
                    ("botan_pk_op_decrypt", code)
                }
            }
        };
        api.ok(call, code)?;
        Ok(length)
    }
}
