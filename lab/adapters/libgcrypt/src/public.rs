//! Signatures, key agreement and encryption by the functions `gcry_pk_…`, which take
//! S-expressions.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_int};
use std::ptr;

use touchstone_worker::integer::right_aligned;
use touchstone_worker::public::{
    PublicKeys, Scheme, Use, accepted, coordinates, dh_numbers, dsa_numbers, factor, halves,
    modulus_and_exponent, point_of_peer, sm2_signer, two_numbers, unreadable, write_two,
};
use touchstone_worker::{Failure, Message, der};

use crate::curve::CURVES;
use crate::digest::HASHES;
use crate::expression::Part;
use crate::ffi::{Api, Open};
use crate::form::{Form, form};

/// `GCRY_ECC_CURVE25519` and `GCRY_ECC_CURVE448`.
const CURVE25519: c_int = 1;
const CURVE448: c_int = 2;

/// A key in the library's form.
enum Body {
    /// The factor and the point of X25519 or X448.
    Montgomery(c_int, Vec<u8>, Vec<u8>),
    /// ECDH: the private key and the other side's point, in S-expressions.
    Agreement(Open, Open),
    /// Any other key, in an S-expression.
    Expression(Open),
}

/// A key, and the forms of the data that go with it.
pub(crate) struct Key {
    body: Body,
    form: Form,
    /// The hash's number and length, if the library does not hash the message itself.
    hash: Option<(c_int, usize)>,
    /// The bytes of a modulus, of a coordinate, or of half of an EdDSA signature.
    bytes: usize,
    /// What stands before a message that is signed with SM2; otherwise empty.
    prefix: Vec<u8>,
    /// Whether the hash is a number whose first byte is the least significant.
    reversed: bool,
}

/// Returns the curve of a scheme that has only one, and the bytes of a coordinate.
fn named(scheme: Scheme<'_>) -> Option<(&'static CStr, usize)> {
    curve(match scheme {
        Scheme::Sm2 => "sm2p256v1",
        Scheme::Gost("2012-512") => "gost512a",
        Scheme::Gost(_) => "gost256a",
        _ => return None,
    })
}

/// Returns the library's name of a curve, and the bytes of a coordinate.
fn curve(id: &str) -> Option<(&'static CStr, usize)> {
    let (_, name, bytes) = CURVES.iter().find(|(known, ..)| *known == id)?;
    Some((name, *bytes))
}

impl PublicKeys for Api {
    type Key = Key;

    fn api(&self, scheme: Scheme<'_>, what: Use) -> Option<&'static str> {
        if what == Use::Generate {
            return None;
        }
        form(scheme)?;
        if let Scheme::Ecdsa(name, _) | Scheme::DeterministicEcdsa(name, _) | Scheme::Ecdh(name) =
            scheme
        {
            let (name, _) = curve(name)?;
            crate::curve::context(self, name).ok()?;
        }
        if let Some((name, _)) = named(scheme) {
            crate::curve::context(self, name).ok()?;
        }
        Some(match (scheme, what) {
            (Scheme::Raw(_), Use::Agree) => {
                self.gcry_ecc_mul_point?;
                "gcry_ecc_mul_point"
            }
            (_, Use::Sign) => "gcry_pk_sign",
            // Only the signer of a deterministic signature differs.
            (Scheme::DeterministicEcdsa(..), _) => return None,
            (_, Use::Verify) => "gcry_pk_verify",
            (_, Use::Encrypt) => "gcry_pk_encrypt",
            (_, Use::Decrypt | Use::Agree) => "gcry_pk_decrypt",
            _ => return None,
        })
    }

    fn read(&self, scheme: Scheme<'_>, what: Use, key: &[u8], peer: &[u8]) -> Result<Key, Failure> {
        let form = form(scheme).ok_or_else(unreadable)?;
        let hash = HASHES.iter().find(|(id, ..)| *id == scheme.hash());
        let hash = hash.filter(|_| matches!(what, Use::Sign | Use::Verify));
        let hash = hash.map(|(_, number, _)| (*number, crate::digest::bytes(*self, *number)));
        let (mut bytes, mut prefix) = (0, Vec::new());
        let body = match scheme {
            Scheme::Raw("x25519") => Body::Montgomery(CURVE25519, key.to_vec(), peer.to_vec()),
            Scheme::Raw("x448") => Body::Montgomery(CURVE448, key.to_vec(), peer.to_vec()),
            Scheme::Raw(name) => {
                bytes = key.len();
                let key = Part::Bytes(key);
                Body::Expression(match (name, what) {
                    ("ed25519", Use::Verify) => self.expression(
                        c"(public-key (ecc (curve Ed25519)(flags eddsa)(q %b)))",
                        &[key],
                    )?,
                    ("ed25519", _) => self.with_public(
                        c"(private-key (ecc (curve Ed25519)(flags eddsa)(d %b)))",
                        c"(private-key (ecc (curve Ed25519)(flags eddsa)(q %m)(d %b)))",
                        key,
                    )?,
                    (_, Use::Verify) => {
                        self.expression(c"(public-key (ecc (curve Ed448)(q %b)))", &[key])?
                    }
                    _ => self.with_public(
                        c"(private-key (ecc (curve Ed448)(d %b)))",
                        c"(private-key (ecc (curve Ed448)(q %m)(d %b)))",
                        key,
                    )?,
                })
            }
            Scheme::Rsa(..) if what.is_public() => {
                let numbers = modulus_and_exponent(key)?;
                bytes = numbers[0].len();
                let [n, e] = numbers.map(|number| self.number(number));
                let (n, e) = (n?, e?);
                let parts = [Part::Number(&n), Part::Number(&e)];
                Body::Expression(self.expression(c"(public-key (rsa (n %m)(e %m)))", &parts)?)
            }
            Scheme::Rsa(..) => {
                let parts = der::private_key(key).ok_or_else(unreadable)?;
                let numbers = der::integers(parts.key).ok_or_else(unreadable)?;
                // RFC 8017, A.1.2: the coefficient is the inverse of q modulo p. The library wants
                // the inverse of its p modulo its q, so the two primes change places.
                let [_, n, e, d, p, q, _, _, coefficient] = numbers[..] else {
                    return Err(unreadable());
                };
                bytes = n.len();
                let numbers = [n, e, d, q, p, coefficient];
                let numbers: Vec<Open> = numbers
                    .iter()
                    .map(|number| self.number(number))
                    .collect::<Result<_, _>>()?;
                let parts: Vec<Part<'_>> = numbers.iter().map(Part::Number).collect();
                let format = c"(private-key (rsa (n %m)(e %m)(d %m)(p %m)(q %m)(u %m)))";
                Body::Expression(self.expression(format, &parts)?)
            }
            Scheme::Dsa(..) => {
                let [p, q, g, own] = dsa_numbers(key, what.is_public())?.map(|n| self.number(n));
                let (p, q, g, own) = (p?, q?, g?, own?);
                let parts = [&p, &q, &g].map(Part::Number);
                let [p_part, q_part, g_part] = parts;
                Body::Expression(if what.is_public() {
                    let parts = [p_part, q_part, g_part, Part::Number(&own)];
                    self.expression(c"(public-key (dsa (p %m)(q %m)(g %m)(y %m)))", &parts)?
                } else {
                    let public = self.number(&[])?;
                    // SAFETY: all numbers are live.
                    unsafe { (self.gcry_mpi_powm)(public.object, g.object, own.object, p.object) };
                    let parts = [
                        p_part,
                        q_part,
                        g_part,
                        Part::Number(&public),
                        Part::Number(&own),
                    ];
                    let form = c"(private-key (dsa (p %m)(q %m)(g %m)(y %m)(x %m)))";
                    self.expression(form, &parts)?
                })
            }
            Scheme::Ecdsa(name, _) | Scheme::DeterministicEcdsa(name, _) => {
                let (name, length) = curve(name).ok_or_else(unreadable)?;
                bytes = length;
                Body::Expression(if what == Use::Sign {
                    self.private(name, factor(key)?)?
                } else {
                    let parts = der::public_key(key).ok_or_else(unreadable)?;
                    coordinates(parts.key, bytes).ok_or_else(unreadable)?;
                    let parts = [Part::Bytes(name.to_bytes()), Part::Bytes(parts.key)];
                    self.expression(c"(public-key (ecc (curve %b)(q %b)))", &parts)?
                })
            }
            Scheme::Ecdh(name) => {
                let (name, length) = curve(name).ok_or_else(unreadable)?;
                bytes = length;
                let point = point_of_peer(key, peer)?;
                if let [2 | 3, ..] = point {
                    return Err(Failure::unsupported("a compressed point"));
                }
                coordinates(point, bytes).ok_or(Failure::Rejected)?;
                let point = self.expression(form.value, &[Part::Bytes(point)])?;
                Body::Agreement(self.private(name, factor(key)?)?, point)
            }
            Scheme::Sm2 => {
                let (name, length) = named(scheme).ok_or_else(unreadable)?;
                bytes = length;
                let (own, point) = if what == Use::Sign {
                    let factor = factor(key)?;
                    let point = crate::curve::public(*self, name, length, factor)?;
                    (self.private(name, factor)?, point)
                } else {
                    let point = der::public_key(key).ok_or_else(unreadable)?.key;
                    (self.public(name, point)?, point.to_vec())
                };
                prefix = self.hashed(hash, &sm2_signer(&point)?);
                Body::Expression(own)
            }
            Scheme::Gost(_) => {
                let (name, length) = named(scheme).ok_or_else(unreadable)?;
                bytes = length;
                Body::Expression(if what == Use::Sign {
                    self.private(name, key)?
                } else {
                    coordinates(key, bytes).ok_or_else(unreadable)?;
                    self.public(name, key)?
                })
            }
            Scheme::ElGamal(_) => {
                let [p, g, own] = dh_numbers(key, what.is_public())?;
                bytes = p.len();
                let [p, g, own] = [p, g, own].map(|number| self.number(number));
                let (p, g, own) = (p?, g?, own?);
                let public = self.number(&[])?;
                // SAFETY: all numbers are live.
                unsafe { (self.gcry_mpi_powm)(public.object, g.object, own.object, p.object) };
                Body::Expression(if what.is_public() {
                    let parts = [&p, &g, &own].map(Part::Number);
                    self.expression(c"(public-key (elg (p %m)(g %m)(y %m)))", &parts)?
                } else {
                    let parts = [&p, &g, &public, &own].map(Part::Number);
                    let form = c"(private-key (elg (p %m)(g %m)(y %m)(x %m)))";
                    self.expression(form, &parts)?
                })
            }
            _ => return Err(unreadable()),
        };
        Ok(Key {
            body,
            form,
            hash,
            bytes,
            prefix,
            reversed: matches!(scheme, Scheme::Gost(_)),
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
        let (input, form, bytes) = (message.input, key.form, key.bytes);
        let mut digest = [0; 64];
        let text = match key.hash {
            Some((number, length)) => {
                let joined;
                let text = if key.prefix.is_empty() {
                    input
                } else {
                    joined = [&key.prefix, input].concat();
                    &joined
                };
                let (at, size) = (text.as_ptr(), text.len());
                // SAFETY: no hash is longer than 64 bytes, and the length is the slice's.
                unsafe { (self.gcry_md_hash_buffer)(number, digest.as_mut_ptr(), at, size) };
                let digest = &mut digest[..length];
                if key.reversed {
                    digest.reverse();
                }
                &*digest
            }
            None => input,
        };
        let made = |call: &str, error, handle| -> Result<Open, Failure> {
            self.ok(call, error)?;
            self.owned(handle)
        };
        let mut answer = ptr::null_mut();
        let (own, what) = match (&key.body, what) {
            (Body::Montgomery(curve, factor, point), _) => {
                let multiply = self.gcry_ecc_mul_point;
                let multiply = multiply.ok_or_else(|| Failure::unsupported("this curve"))?;
                let (to, length) = (output.as_mut_ptr(), point.len());
                // SAFETY: the factor and the point have the length of the curve's keys.
                let error = unsafe { multiply(*curve, to, factor.as_ptr(), point.as_ptr()) };
                return rejects(error).map(|()| length);
            }
            (Body::Agreement(own, point), _) => {
                // SAFETY: both expressions are live, and a successful call writes the answer.
                let error =
                    unsafe { (self.gcry_pk_decrypt)(&mut answer, point.object, own.object) };
                rejects(error)?;
                return self.value(&self.owned(answer)?, c"value", |value| {
                    // The answer is the product: 4, x, y.
                    let [x, _] = coordinates(value, bytes)
                        .ok_or_else(|| Failure::failed("the product is no point"))?;
                    output[..bytes].copy_from_slice(x);
                    Ok(bytes)
                });
            }
            (Body::Expression(own), what) => (own.object, what),
        };
        if what == Use::Decrypt {
            if input.len() != form.numbers() * bytes {
                return Err(Failure::Rejected);
            }
            let numbers: Vec<Open> = input
                .chunks(bytes)
                .map(|number| self.number(number))
                .collect::<Result<_, _>>()?;
            let parts: Vec<Part<'_>> = numbers.iter().map(Part::Number).collect();
            let value = self.expression(form.value, &parts)?;
            // SAFETY: both expressions are live, and a successful call writes the answer.
            rejects(unsafe { (self.gcry_pk_decrypt)(&mut answer, value.object, own) })?;
            return self.value(&self.owned(answer)?, c"value", |value| {
                output[..value.len()].copy_from_slice(value);
                Ok(value.len())
            });
        }
        let data = self.expression(form.data, &[Part::Bytes(text)])?;
        let eddsa = form.value.to_bytes().starts_with(b"(sig-val (eddsa");
        let two = eddsa || form.numbers() == 2;
        match what {
            Use::Verify => {
                let signature = message.other("signature");
                let value = if eddsa {
                    if signature.len() != 2 * bytes {
                        return Err(Failure::Rejected);
                    }
                    let (r, s) = signature.split_at(bytes);
                    self.expression(form.value, &[Part::Bytes(r), Part::Bytes(s)])?
                } else if two {
                    let pair = if key.reversed {
                        halves(signature, bytes)?
                    } else {
                        two_numbers(signature)?
                    };
                    let [r, s] = pair.map(|number| self.number(number));
                    let (r, s) = (r?, s?);
                    self.expression(form.value, &[Part::Number(&r), Part::Number(&s)])?
                } else {
                    if signature.len() != bytes {
                        return Err(Failure::Rejected);
                    }
                    let number = self.number(signature)?;
                    self.expression(form.value, &[Part::Number(&number)])?
                };
                // SAFETY: all expressions are live.
                rejects(unsafe { (self.gcry_pk_verify)(value.object, data.object, own) })?;
                Ok(0)
            }
            Use::Sign => {
                // SAFETY: both expressions are live, and a successful call writes the answer.
                let error = unsafe { (self.gcry_pk_sign)(&mut answer, data.object, own) };
                let answer = made("gcry_pk_sign", error, answer)?;
                if two {
                    return self.value(&answer, c"r", |r| {
                        self.value(&answer, c"s", |s| {
                            if key.reversed {
                                aligned(r, bytes, output)?;
                                return Ok(bytes + aligned(s, bytes, &mut output[bytes..])?);
                            }
                            if !eddsa {
                                return Ok(write_two([r, s], output));
                            }
                            output[..bytes].copy_from_slice(r);
                            output[bytes..][..bytes].copy_from_slice(s);
                            Ok(2 * bytes)
                        })
                    });
                }
                self.value(&answer, c"s", |number| aligned(number, bytes, output))
            }
            _ => {
                // SAFETY: both expressions are live, and a successful call writes the answer.
                let error = unsafe { (self.gcry_pk_encrypt)(&mut answer, data.object, own) };
                let answer = made("gcry_pk_encrypt", error, answer)?;
                let first = self.value(&answer, c"a", |number| aligned(number, bytes, output))?;
                if !two {
                    return Ok(first);
                }
                self.value(&answer, c"b", |number| {
                    Ok(first + aligned(number, bytes, &mut output[first..])?)
                })
            }
        }
    }
}

impl Api {
    /// Returns the hash of a text.
    fn hashed(&self, hash: Option<(c_int, usize)>, text: &[u8]) -> Vec<u8> {
        let Some((number, length)) = hash else {
            return Vec::new();
        };
        let mut digest = vec![0; length];
        let (at, size) = (text.as_ptr(), text.len());
        // SAFETY: the digest has the hash's length, and the other length is the slice's.
        unsafe { (self.gcry_md_hash_buffer)(number, digest.as_mut_ptr(), at, size) };
        digest
    }

    /// Makes a public key on a curve from its uncompressed point.
    fn public(&self, curve: &CStr, point: &[u8]) -> Result<Open, Failure> {
        let parts = [Part::Bytes(curve.to_bytes()), Part::Bytes(point)];
        self.expression(c"(public-key (ecc (curve %b)(q %b)))", &parts)
    }

    /// Makes a private key of ECDSA or ECDH from its factor.
    fn private(&self, curve: &CStr, factor: &[u8]) -> Result<Open, Failure> {
        let factor = self.number(factor)?;
        let parts = [Part::Bytes(curve.to_bytes()), Part::Number(&factor)];
        self.expression(c"(private-key (ecc (curve %b)(d %m)))", &parts)
    }

    /// Makes a private key of EdDSA with its public key, which the library would otherwise compute
    /// for each signature. `first` is the form without the public key.
    fn with_public(&self, first: &CStr, whole: &CStr, key: Part<'_>) -> Result<Open, Failure> {
        const COPY: c_int = 1;
        let Part::Bytes(seed) = key else {
            return Err(unreadable());
        };
        let half = self.expression(first, &[Part::Bytes(seed)])?;
        // SAFETY: the expression is live, NULL means that it names the curve, and a successful call
        // writes the context. The copy of the number belongs to the caller.
        let public = unsafe {
            let context = Open::made(self.gcry_ctx_release, |context| {
                let error = (self.gcry_mpi_ec_new)(context, half.object, ptr::null());
                self.ok("gcry_mpi_ec_new", error)
            })?;
            let number = (self.gcry_mpi_ec_get_mpi)(c"q@eddsa".as_ptr(), context.object, COPY);
            Open::new(number, self.gcry_mpi_release)?
        };
        self.expression(whole, &[Part::Number(&public), Part::Bytes(seed)])
    }
}

/// Writes a number as big-endian bytes of this length.
fn aligned(number: &[u8], bytes: usize, output: &mut [u8]) -> Result<usize, Failure> {
    let zeros = number.iter().take_while(|byte| **byte == 0).count();
    let number = &number[zeros..];
    right_aligned(&mut output[..bytes], number.len())?.copy_from_slice(number);
    Ok(bytes)
}

/// Converts the error code of a check.
fn rejects(error: u32) -> Result<(), Failure> {
    accepted(error == 0, 0).map(drop)
}
