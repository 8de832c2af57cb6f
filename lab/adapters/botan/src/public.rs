//! Public keys by the functions `botan_pk_op_…` of the C interface.
#![allow(unsafe_code)]

use std::ffi::{CStr, CString, c_char, c_int};
use std::ptr;

use touchstone_worker::integer::Integers;
use touchstone_worker::public::{
    self, Padding, PublicKeys, SM2_IDENTITY, Scheme, Use, accepted, dh_numbers, encapsulated,
    factor, halves, point_of_peer, unreadable,
};
use touchstone_worker::{Cell, Failure, Message, Written, der};

use crate::curves::curve;
use crate::digest::HASHES;
use crate::ffi::{Api, Destroy, Handle, Object, name};
use crate::generate::{self, Keys};
use crate::rare::{ECGDSA, ECKCDSA, Gost, SM2, renamed};
use crate::set::Set;

/// The bytes of a shared secret of ML-KEM.
const SECRET: usize = 32;

/// Signature in DER, in place of the two numbers one after the other.
const DER_SIGNATURE: u32 = 1;

/// The form of a scheme's keys.
#[derive(Clone, Copy)]
enum Form {
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
    /// Returns the form of a scheme's keys; `None` if the library lacks the scheme.
    fn of(api: &Api, scheme: Scheme<'_>) -> Option<Self> {
        Some(match scheme {
            Scheme::PostQuantum(id) => {
                let set = Set::of(id)?;
                set.loaders(api)?;
                Self::Set(set)
            }
            Scheme::Raw("ed25519") => Self::Ed25519,
            Scheme::Raw("x25519") => Self::X25519,
            Scheme::Rsa(..) | Scheme::Dsa(..) => Self::Der,
            Scheme::Dh(_) => Self::Dh,
            Scheme::Ecdsa(id, _) | Scheme::DeterministicEcdsa(id, _) => {
                curve(id)?;
                Self::Der
            }
            Scheme::Ecdh(id) => Self::Ecdh(curve(id)?),
            Scheme::Ecgdsa(id, _) => {
                curve(id)?;
                Self::Named(ECGDSA)
            }
            Scheme::Eckcdsa(id, _) => {
                curve(id)?;
                Self::Named(ECKCDSA)
            }
            Scheme::Sm2 => Self::Named(SM2),
            Scheme::Gost(form) => Self::Gost(Gost::of(form)?),
            Scheme::ElGamal(_) => Self::ElGamal,
            _ => return None,
        })
    }
}

/// Returns Botan's name of the padding, and the flags.
fn padding(scheme: Scheme<'_>) -> Option<(String, u32)> {
    let hash = HASHES.iter().find(|(id, _)| *id == scheme.hash());
    let hash = hash.map_or("", |(_, name)| name);
    Some(match scheme {
        Scheme::Raw("ed25519") => ("Pure".into(), 0),
        Scheme::Raw(_) | Scheme::Ecdh(_) | Scheme::Dh(_) => ("Raw".into(), 0),
        Scheme::PostQuantum(id) if id.starts_with("ml-kem-") => ("Raw".into(), 0),
        Scheme::PostQuantum(_) => ("Randomized".into(), 0),
        Scheme::Rsa(_, Padding::Pkcs1("")) | Scheme::ElGamal(_) => ("PKCS1v15".into(), 0),
        Scheme::Sm2 => {
            let identity = std::str::from_utf8(SM2_IDENTITY).ok()?;
            (format!("{identity},SM3"), DER_SIGNATURE)
        }
        Scheme::Gost(form) => (format!("EMSA1({})", Gost::of(form)?.hash), 0),
        _ if hash.is_empty() => return None,
        Scheme::Eckcdsa(..) => (format!("EMSA1({hash})"), 0),
        Scheme::Rsa(_, Padding::Pkcs1(_)) => (format!("EMSA3({hash})"), 0),
        // Without the length of the salt, every length would be accepted.
        Scheme::Rsa(_, Padding::Pss(id)) => {
            let bits: usize = id.strip_prefix("sha-")?.parse().ok()?;
            (format!("EMSA4({hash},MGF1,{})", bits / 8), 0)
        }
        Scheme::Rsa(_, Padding::Oaep(_)) => (format!("OAEP({hash})"), 0),
        // Botan's usual nonce is RFC 6979's.
        Scheme::Ecdsa(..)
        | Scheme::DeterministicEcdsa(..)
        | Scheme::Dsa(..)
        | Scheme::Ecgdsa(..) => (format!("EMSA1({hash})"), DER_SIGNATURE),
        _ => return None,
    })
}

impl Api {
    /// Makes a random generator that takes its seed from the system.
    pub(crate) fn random(&self) -> Result<Object, Failure> {
        let (new, name) = (self.botan_rng_init, c"user");
        // SAFETY: a successful call writes the handle, and the name is a C string.
        unsafe {
            Object::made(self.botan_rng_destroy, |handle| {
                self.ok("botan_rng_init", new(handle, name.as_ptr()))
            })
        }
    }
}

type Create = unsafe extern "C" fn(*mut Handle, Handle, *const c_char, u32) -> c_int;

type CreateKem = unsafe extern "C" fn(*mut Handle, Handle, *const c_char) -> c_int;

/// Returns Botan's functions that make and destroy an object for encapsulation.
fn kem(api: &Api, opens: bool) -> Option<(CreateKem, Destroy)> {
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

/// A key, and what a program keeps with it.
pub(crate) struct Key {
    /// Botan's object that works with the key, and the key, which is destroyed after it.
    keyed: Option<(Object, Object)>,
    form: Form,
    padding: CString,
    flags: u32,
    random: Object,
    /// The other side's public key: a point, a number, or 32 bytes.
    peer: Vec<u8>,
    /// The length of a ciphertext of a shared secret.
    ciphertext: usize,
}

impl Api {
    /// Reads a key into an object of Botan.
    #[inline]
    fn load_key(&self, kept: &Key, is_public: bool, key: &[u8]) -> Result<Object, Failure> {
        let (at, length) = (key.as_ptr(), key.len());
        let mut handle = ptr::null_mut();
        // SAFETY: a successful call writes the handle. Each function reads as many bytes as the
        // slice has: the functions for raw keys read 32, which the cell has checked.
        let der = |handle: &mut Handle, key: &[u8]| unsafe {
            let (at, length, random) = (key.as_ptr(), key.len(), kept.random.object);
            if is_public {
                (self.botan_pubkey_load)(handle, at, length)
            } else {
                (self.botan_privkey_load)(handle, random, at, length, ptr::null())
            }
        };
        // SAFETY: as above.
        let code = unsafe {
            match kept.form {
                Form::Ed25519 if is_public => (self.botan_pubkey_load_ed25519)(&mut handle, at),
                Form::Ed25519 => (self.botan_privkey_load_ed25519)(&mut handle, at),
                Form::X25519 => (self.botan_privkey_load_x25519)(&mut handle, at),
                Form::Ecdh(curve) => {
                    let scalar = Integers::read(self, false, factor(key)?)?;
                    (self.botan_privkey_load_ecdh)(&mut handle, scalar.object, curve.as_ptr())
                }
                Form::Dh | Form::ElGamal => {
                    let numbers = dh_numbers(key, is_public)?;
                    let [p, g, own] = numbers.map(|number| Integers::read(self, false, number));
                    let (p, g, own) = (p?, g?, own?);
                    let load = match kept.form {
                        Form::Dh => self.botan_privkey_load_dh,
                        _ if is_public => self.botan_pubkey_load_elgamal,
                        _ => self.botan_privkey_load_elgamal,
                    };
                    load(&mut handle, p.object, g.object, own.object)
                }
                Form::Named(identifier) => {
                    let key = renamed(key, identifier, is_public).ok_or_else(unreadable)?;
                    der(&mut handle, &key)
                }
                Form::Gost(gost) if is_public => {
                    der(&mut handle, &gost.public(key).ok_or_else(unreadable)?)
                }
                Form::Gost(gost) => der(&mut handle, &gost.private(key)),
                Form::Set(set) => {
                    let loaders = set.loaders(self).ok_or_else(unreadable)?;
                    let load = loaders[usize::from(is_public)];
                    load(&mut handle, at, length, set.name.as_ptr())
                }
                Form::Der => der(&mut handle, key),
            }
        };
        self.takes("reading the key", code)?;
        let destroy = match is_public {
            true => self.botan_pubkey_destroy,
            false => self.botan_privkey_destroy,
        };
        // SAFETY: the key was read, and its owner destroys it.
        unsafe { Object::new(handle, destroy) }
    }

    /// Makes the object that works with a key.
    #[inline]
    fn user(&self, kept: &Key, what: Use, key: &Object) -> Result<Object, Failure> {
        let (create, destroy): (Create, Destroy) = match what {
            Use::Sign => (self.botan_pk_op_sign_create, self.botan_pk_op_sign_destroy),
            Use::Verify => (
                self.botan_pk_op_verify_create,
                self.botan_pk_op_verify_destroy,
            ),
            Use::Agree => (
                self.botan_pk_op_key_agreement_create,
                self.botan_pk_op_key_agreement_destroy,
            ),
            Use::Encrypt => (
                self.botan_pk_op_encrypt_create,
                self.botan_pk_op_encrypt_destroy,
            ),
            Use::Decrypt => (
                self.botan_pk_op_decrypt_create,
                self.botan_pk_op_decrypt_destroy,
            ),
            _ => {
                let functions = kem(self, what == Use::Decapsulate);
                let (create, destroy) =
                    functions.ok_or_else(|| Failure::unsupported("encapsulation"))?;
                // SAFETY: a successful call writes the handle, and the key is live.
                return unsafe {
                    Object::made(destroy, |made| {
                        let code = create(made, key.object, c"Raw".as_ptr());
                        self.takes("botan_pk_op_kem_…_create", code)
                    })
                };
            }
        };
        // SAFETY: as above, and the padding is a C string.
        unsafe {
            Object::made(destroy, |made| {
                let code = create(made, key.object, kept.padding.as_ptr(), kept.flags);
                self.takes("botan_pk_op_…_create", code)
            })
        }
    }

    /// Makes what an object keeps from one key to the next.
    fn kept(&self, scheme: Scheme<'_>) -> Result<Key, Failure> {
        let (padding, flags) = padding(scheme).ok_or_else(unreadable)?;
        Ok(Key {
            keyed: None,
            form: Form::of(self, scheme).ok_or_else(unreadable)?,
            padding: name(&padding),
            flags,
            random: self.random()?,
            peer: Vec::new(),
            ciphertext: scheme.answer_bytes(),
        })
    }
}

impl PublicKeys for Api {
    type Key = Key;

    fn api(&self, scheme: Scheme<'_>, what: Use) -> Option<&'static str> {
        Form::of(self, scheme)?;
        padding(scheme)?;
        // Only the signer of a deterministic signature differs.
        if matches!(scheme, Scheme::DeterministicEcdsa(..)) && what != Use::Sign {
            return None;
        }
        Some(match what {
            Use::Sign => "botan_pk_op_sign_update, finish",
            Use::Verify => "botan_pk_op_verify_update, finish",
            Use::Agree => "botan_pk_op_key_agreement",
            Use::Encrypt => "botan_pk_op_encrypt",
            Use::Decrypt => "botan_pk_op_decrypt",
            Use::Encapsulate => "botan_pk_op_kem_encrypt_create_shared_key",
            Use::Decapsulate => "botan_pk_op_kem_decrypt_shared_key",
            Use::Generate => {
                generate::named(scheme)?;
                "botan_privkey_create"
            }
        })
    }

    fn read_after(
        &self,
        last: Option<Key>,
        scheme: Scheme<'_>,
        what: Use,
        key: &[u8],
        peer: &[u8],
    ) -> Result<Key, Failure> {
        let mut kept = last.map_or_else(|| self.kept(scheme), Ok)?;
        let peer = match kept.form {
            Form::Ecdh(_) => point_of_peer(key, peer)?,
            Form::Dh => der::integer(point_of_peer(key, peer)?).ok_or(Failure::Rejected)?,
            _ => peer,
        };
        if what == Use::Agree {
            peer.clone_into(&mut kept.peer);
        }
        let key = self.load_key(&kept, what.is_public(), key)?;
        kept.keyed = Some((self.user(&kept, what, &key)?, key));
        Ok(kept)
    }

    #[inline(always)]
    fn process(
        &self,
        key: &mut Key,
        what: Use,
        message: &Message<'_>,
        output: &mut [u8],
    ) -> Written {
        let (random, object) = (key.random.object, key.keyed.as_ref());
        let object = object.map_or(ptr::null_mut(), |(object, _)| object.object);
        let (input, mut length) = (message.input, output.len());
        let (at, bytes, room) = (input.as_ptr(), input.len(), output.as_mut_ptr());
        // SAFETY: all objects are live, and each length is the length of its slice.
        let (call, code) = unsafe {
            match what {
                Use::Sign => {
                    let code = (self.botan_pk_op_sign_update)(object, at, bytes);
                    self.ok("botan_pk_op_sign_update", code)?;
                    let code = (self.botan_pk_op_sign_finish)(object, random, room, &mut length);
                    ("botan_pk_op_sign_finish", code)
                }
                Use::Verify => {
                    let code = (self.botan_pk_op_verify_update)(object, at, bytes);
                    self.ok("botan_pk_op_verify_update", code)?;
                    let mut signature = message.other("signature");
                    let exchanged;
                    if let Form::Gost(gost) = key.form {
                        let [r, s] = halves(signature, gost.bytes)?;
                        exchanged = [s, r].concat();
                        signature = &exchanged;
                    }
                    let (at, bytes) = (signature.as_ptr(), signature.len());
                    let code = (self.botan_pk_op_verify_finish)(object, at, bytes);
                    return accepted(code == 0, 0);
                }
                Use::Agree => {
                    let (peer, bytes) = (key.peer.as_ptr(), key.peer.len());
                    let (agree, salt) = (self.botan_pk_op_key_agreement, ptr::null());
                    let code = agree(object, room, &mut length, peer, bytes, salt, 0);
                    return accepted(code == 0, length);
                }
                Use::Encrypt => {
                    let code =
                        (self.botan_pk_op_encrypt)(object, random, room, &mut length, at, bytes);
                    ("botan_pk_op_encrypt", code)
                }
                Use::Decrypt => {
                    let code = (self.botan_pk_op_decrypt)(object, room, &mut length, at, bytes);
                    return accepted(code == 0, length);
                }
                Use::Encapsulate => {
                    let make = self.botan_pk_op_kem_encrypt_create_shared_key;
                    let make = make.ok_or_else(|| Failure::unsupported("encapsulation"))?;
                    let [first, rest] = encapsulated(output, key.ciphertext)?;
                    let (mut bytes, mut secret) = (first.len(), rest.len());
                    let (first, rest) = (first.as_mut_ptr(), rest.as_mut_ptr());
                    let (b, s, salt) = (&mut bytes, &mut secret, ptr::null());
                    let code = make(object, random, salt, 0, SECRET, rest, s, first, b);
                    length = bytes + secret;
                    ("botan_pk_op_kem_encrypt_create_shared_key", code)
                }
                Use::Decapsulate => {
                    let open = self.botan_pk_op_kem_decrypt_shared_key;
                    let open = open.ok_or_else(|| Failure::unsupported("encapsulation"))?;
                    let ciphertext = message.other("ciphertext");
                    let (at, bytes, salt) = (ciphertext.as_ptr(), ciphertext.len(), ptr::null());
                    let code = open(object, salt, 0, at, bytes, SECRET, room, &mut length);
                    return accepted(code == 0, length);
                }
                Use::Generate => return Err(Failure::unsupported("key generation")),
            }
        };
        self.ok(call, code)?;
        // Botan puts s first.
        if let Form::Gost(_) = key.form {
            output[..length].rotate_left(length / 2);
        }
        Ok(length)
    }

    fn generator(&self, scheme: Scheme<'static>) -> Result<Cell, Failure> {
        let (algorithm, parameters) = generate::named(scheme).ok_or_else(unreadable)?;
        let (api, raw) = (*self, matches!(scheme, Scheme::PostQuantum(_)));
        public::generator(scheme, move || {
            Ok(Keys {
                api,
                algorithm,
                parameters: parameters.clone(),
                raw,
                random: api.random()?,
                key: None,
            })
        })
    }
}
