//! Signatures, key agreement and encryption by the functions `botan_pk_op_…` of the C interface.
#![allow(unsafe_code)]

use std::ffi::{CStr, CString, c_char, c_int};
use std::ptr;

use touchstone_worker::integer::Integers as _;
use touchstone_worker::public::{SM2_IDENTITY, Scheme, dh_numbers, halves};
use touchstone_worker::{Cell, Failure, Message, Offer, Operation, Work, der, offer, primitives};

use crate::ffi::{Api, Destroy, Handle, Object, name};
use crate::library::Botan;
use crate::rare::{ECGDSA, ECKCDSA, Gost, SM2, renamed};
use crate::set::Set;

/// What an object does with its key.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Do {
    Sign,
    Verify,
    Agree,
    Encrypt,
    Decrypt,
    Encapsulate,
    Decapsulate,
}

const OPERATIONS: &[(&str, Do, &str)] = &[
    ("sign", Do::Sign, "botan_pk_op_sign_update, finish"),
    ("verify", Do::Verify, "botan_pk_op_verify_update, finish"),
    ("agree", Do::Agree, "botan_pk_op_key_agreement"),
    ("public-encrypt", Do::Encrypt, "botan_pk_op_encrypt"),
    ("private-decrypt", Do::Decrypt, "botan_pk_op_decrypt"),
    (
        "encapsulate",
        Do::Encapsulate,
        "botan_pk_op_kem_encrypt_create_shared_key",
    ),
    (
        "decapsulate",
        Do::Decapsulate,
        "botan_pk_op_kem_decrypt_shared_key",
    ),
];

/// The bytes of a shared secret of ML-KEM.
const SECRET: usize = 32;

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

/// Returns Botan's name of a curve.
pub(crate) fn curve(id: &str) -> Option<&'static CStr> {
    let (_, name) = CURVES.iter().find(|(known, _)| *known == id)?;
    Some(name)
}

/// The form of a primitive's keys.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Ed25519,
    X25519,
    /// DER that Botan reads.
    Der,
    /// DER on this curve, for key agreement: Botan reads such keys as keys for signatures, so their
    /// parts are read here.
    Ecdh(&'static CStr),
    /// DER of Diffie and Hellman's keys, whose parts are read here: Botan reads other parameters
    /// than those of PKCS #3.
    Dh,
    /// DER on a curve, in which Botan expects the identifier of the scheme (X.690, 8.19).
    Named(&'static [u8]),
    /// A factor or a point of GOST R 34.10, for which DER is written here.
    Gost(&'static Gost),
    /// ElGamal's numbers in DER of Diffie and Hellman's keys, which are read here.
    ElGamal,
    /// Bytes without structure.
    Set(&'static Set),
}

impl Form {
    /// Returns the form of a primitive's keys; `None` if the library lacks the primitive.
    pub(crate) fn of(api: &Api, primitive: &str) -> Option<Self> {
        if let Some(set) = Set::of(primitive) {
            return set.loaders(api).map(|_| Self::Set(set));
        }
        let on = |rest: &str| curve(rest.split('-').next()?);
        match primitive.split_once('-') {
            None if primitive == "ed25519" => Some(Self::Ed25519),
            None if primitive == "x25519" => Some(Self::X25519),
            Some(("rsa" | "dsa", _)) => Some(Self::Der),
            Some(("dh", _)) => Some(Self::Dh),
            Some(("ecdsa", rest)) => on(rest).map(|_| Self::Der),
            Some(("ecdh", rest)) => on(rest).map(Self::Ecdh),
            Some(("ecgdsa", rest)) => on(rest).map(|_| Self::Named(ECGDSA)),
            Some(("eckcdsa", rest)) => on(rest).map(|_| Self::Named(ECKCDSA)),
            Some(("sm2", _)) => Some(Self::Named(SM2)),
            Some(("gost", _)) => Gost::of(primitive).map(Self::Gost),
            Some(("elgamal", _)) => Some(Self::ElGamal),
            _ => None,
        }
    }
}

/// Returns Botan's name of the padding, and the flags.
fn padding(primitive: &str) -> Option<(String, u32)> {
    if primitive == "ed25519" {
        return Some(("Pure".into(), 0));
    }
    let is_raw = ["ecdh-", "dh-", "ml-kem-"].iter();
    if primitive == "x25519" || is_raw.into_iter().any(|head| primitive.starts_with(head)) {
        return Some(("Raw".into(), 0));
    }
    if Set::of(primitive).is_some() {
        return Some(("Randomized".into(), 0));
    }
    if primitive.starts_with("rsa-") && primitive.ends_with("-pkcs1") {
        return Some(("PKCS1v15".into(), 0));
    }
    if let Some(gost) = Gost::of(primitive) {
        return Some((format!("EMSA1({})", gost.hash), 0));
    }
    if primitive == "sm2-sm3" {
        let identity = std::str::from_utf8(SM2_IDENTITY).ok()?;
        return Some((format!("{identity},SM3"), DER_SIGNATURE));
    }
    if primitive.starts_with("elgamal-") {
        return Some(("PKCS1v15".into(), 0));
    }
    // Botan's usual nonce is RFC 6979's.
    let plain = primitive.strip_suffix("-deterministic");
    let (scheme, bits) = plain.unwrap_or(primitive).split_once("-sha-")?;
    let hash = format!("SHA-{bits}");
    if scheme.starts_with("eckcdsa-") {
        return Some((format!("EMSA1({hash})"), 0));
    }
    if ["ecdsa-", "dsa-", "ecgdsa-"]
        .iter()
        .any(|head| scheme.starts_with(head))
    {
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

pub(crate) fn offers(botan: &Botan) -> Vec<Offer> {
    let mut offers = Vec::new();
    for (id, what, api) in OPERATIONS {
        let known = primitives(id).into_iter();
        // Only the signer of a deterministic signature differs.
        let known = known
            .filter(|primitive| *what == Do::Sign || !primitive.ends_with("-deterministic"))
            .filter(|primitive| Form::of(&botan.api, primitive).is_some());
        offers.extend(known.map(|primitive| offer(&primitive, id, api)));
    }
    offers
}

pub(crate) fn cell(botan: &Botan, work: &Work) -> Option<Result<Cell, Failure>> {
    let (_, what, _) = OPERATIONS.iter().find(|(id, ..)| *id == work.operation)?;
    let (api, what) = (botan.api, *what);
    let form = Form::of(&api, &work.primitive)?;
    let (padding, flags) = padding(&work.primitive)?;
    if matches!(form, Form::Ed25519 | Form::X25519)
        && let Err(failure) = work.need_key(32)
    {
        return Some(Err(failure));
    }
    let scheme = Scheme::of(&work.primitive)?;
    if let (Form::Set(_) | Form::Gost(_), Some([private, public])) = (form, scheme.key_bytes()) {
        let is_public = matches!(what, Do::Verify | Do::Encapsulate);
        if let Err(failure) = work.need_key(if is_public { public } else { private }) {
            return Some(Err(failure));
        }
    }
    let (curve, peer) = match form {
        Form::Dh => {
            let parts = der::public_key(work.other("peer"));
            match parts.and_then(|parts| Some((parts.algorithm, der::integer(parts.key)?))) {
                Some((algorithm, public)) => (algorithm.to_vec(), public.to_vec()),
                None => return Some(Err(Failure::Rejected)),
            }
        }
        Form::Ecdh(_) => match der::public_key(work.other("peer")) {
            Some(parts) => (parts.algorithm.to_vec(), parts.key.to_vec()),
            None => return Some(Err(Failure::Rejected)),
        },
        _ => (Vec::new(), work.other("peer").to_vec()),
    };
    let padding = name(&padding);
    let ciphertext = scheme.answer_bytes();
    let cell = Cell::new(move || {
        Ok(Public {
            api,
            what,
            form,
            padding: padding.clone(),
            flags,
            random: api.random()?,
            curve: curve.clone(),
            peer: peer.clone(),
            ciphertext,
            keyed: None,
        })
    });
    Some(Ok(match what {
        Do::Encapsulate => cell.gives(&[("ciphertext", ciphertext), ("output", Cell::REST)]),
        _ => cell,
    }))
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
    /// The length of a ciphertext of a shared secret.
    ciphertext: usize,
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

/// Returns Botan's functions that make and destroy an object for encapsulation.
fn kem(
    api: &Api,
    opens: bool,
) -> Option<(
    unsafe extern "C" fn(*mut Handle, Handle, *const c_char) -> c_int,
    Destroy,
)> {
    Some(if opens {
        (
            api.botan_pk_op_kem_decrypt_create?,
            api.botan_pk_op_kem_decrypt_destroy?,
        )
    } else {
        (
            api.botan_pk_op_kem_encrypt_create?,
            api.botan_pk_op_kem_encrypt_destroy?,
        )
    })
}

impl Public {
    /// Reads the numbers of a key of Diffie and Hellman (PKCS #3): p, g and the secret.
    fn dh(&self, key: &[u8]) -> Result<[Object; 3], Failure> {
        let unreadable = || Failure::unsupported("this key");
        let parts = der::private_key(key).ok_or_else(unreadable)?;
        if parts.algorithm != self.curve {
            return Err(Failure::Rejected);
        }
        let domain = der::parameters(parts.algorithm).and_then(der::integers);
        let domain = domain.ok_or_else(unreadable)?;
        let [p, g, ..] = domain[..] else {
            return Err(unreadable());
        };
        let secret = der::integer(parts.key).ok_or_else(unreadable)?;
        let api = &self.api;
        Ok([
            api.read(false, p)?,
            api.read(false, g)?,
            api.read(false, secret)?,
        ])
    }

    /// Returns whether the key is a public one.
    fn is_public(&self) -> bool {
        matches!(self.what, Do::Verify | Do::Encrypt | Do::Encapsulate)
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
                (Form::Dh, _) => {
                    let [p, g, secret] = self.dh(key)?;
                    let load = api.botan_privkey_load_dh;
                    load(&mut handle, p.handle, g.handle, secret.handle)
                }
                (Form::ElGamal, is_public) => {
                    let numbers = dh_numbers(key, is_public)?;
                    let [p, g, own] = numbers.map(|number| api.read(false, number));
                    let (p, g, own) = (p?, g?, own?);
                    let load = if is_public {
                        api.botan_pubkey_load_elgamal
                    } else {
                        api.botan_privkey_load_elgamal
                    };
                    load(&mut handle, p.handle, g.handle, own.handle)
                }
                (Form::Named(_) | Form::Gost(_), is_public) => {
                    let der = match self.form {
                        Form::Named(identifier) => renamed(key, identifier, is_public),
                        Form::Gost(gost) if is_public => gost.public(key),
                        Form::Gost(gost) => Some(gost.private(key)),
                        _ => None,
                    };
                    let der = der.ok_or_else(|| Failure::unsupported("this key"))?;
                    let (at, length) = (der.as_ptr(), der.len());
                    if is_public {
                        (api.botan_pubkey_load)(&mut handle, at, length)
                    } else {
                        let (random, phrase) = (self.random.handle, ptr::null());
                        (api.botan_privkey_load)(&mut handle, random, at, length, phrase)
                    }
                }
                (Form::Set(set), is_public) => {
                    let loaders = set.loaders(api);
                    let loaders = loaders.ok_or_else(|| Failure::unsupported("this set"))?;
                    let load = loaders[usize::from(is_public)];
                    load(&mut handle, at, length, set.name.as_ptr())
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
            if matches!(self.what, Do::Encapsulate | Do::Decapsulate) {
                let (create, destroy) = kem(api, self.what == Do::Decapsulate)
                    .ok_or_else(|| Failure::unsupported("encapsulation"))?;
                let mut made = ptr::null_mut();
                let code = create(&mut made, key.handle, c"Raw".as_ptr());
                api.takes("botan_pk_op_kem_…_create", code)?;
                self.keyed = Some((Object::new(made, destroy)?, key));
                return Ok(());
            }
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
                _ => (
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
                    let mut signature = message.other("signature");
                    let exchanged;
                    if let Form::Gost(gost) = self.form {
                        let [r, s] = halves(signature, gost.bytes)?;
                        exchanged = [s, r].concat();
                        signature = &exchanged;
                    }
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
                Do::Encapsulate => {
                    let make = api.botan_pk_op_kem_encrypt_create_shared_key;
                    let make = make.ok_or_else(|| Failure::unsupported("encapsulation"))?;
                    let halves = output.split_at_mut_checked(self.ciphertext);
                    let (first, rest) =
                        halves.ok_or_else(|| Failure::failed("no room for a ciphertext"))?;
                    let (mut bytes, mut secret) = (first.len(), rest.len());
                    let (first, rest) = (first.as_mut_ptr(), rest.as_mut_ptr());
                    let salt = ptr::null();
                    let code = make(
                        object,
                        random,
                        salt,
                        0,
                        SECRET,
                        rest,
                        &mut secret,
                        first,
                        &mut bytes,
                    );
                    length = bytes + secret;
                    ("botan_pk_op_kem_encrypt_create_shared_key", code)
                }
                Do::Decapsulate => {
                    let open = api.botan_pk_op_kem_decrypt_shared_key;
                    let open = open.ok_or_else(|| Failure::unsupported("encapsulation"))?;
                    let ciphertext = message.other("ciphertext");
                    let (at, bytes, salt) = (ciphertext.as_ptr(), ciphertext.len(), ptr::null());
                    if open(object, salt, 0, at, bytes, SECRET, room, &mut length) != 0 {
                        return Err(Failure::Rejected);
                    }
                    return Ok(length);
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
        // Botan puts s first.
        if let Form::Gost(_) = self.form {
            output[..length].rotate_left(length / 2);
        }
        Ok(length)
    }
}
