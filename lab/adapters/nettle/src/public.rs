//! Signatures, key agreement and encryption by the functions of libhogweed.
#![allow(unsafe_code)]

use touchstone_worker::public::{
    Padding, PublicKeys, Scheme, Use, accepted, coordinates, factor, halves, modulus_and_exponent,
    point_of_peer, two_numbers, unreadable, write_two,
};
use touchstone_worker::{Failure, Memory, Message, der};

use crate::ffi::HashTable;
use crate::hogweed::{Held, Hogweed, Number, Pair, Rsa};

/// The hash of signatures by RSA, for which Nettle has functions.
const RSA_HASH: &str = "sha-256";
/// The length of this hash, and of PSS's salt, in bytes.
const RSA_SALT: usize = 32;

/// The functions of Ed25519 or of Ed448.
#[derive(Clone, Copy)]
struct Edwards {
    sign: unsafe extern "C" fn(*const u8, *const u8, usize, *const u8, *mut u8),
    verify: unsafe extern "C" fn(*const u8, usize, *const u8, *const u8) -> i32,
    /// The length of a signature in bytes.
    signature: usize,
}

/// A key in Nettle's form.
enum Body {
    /// The public key, and the private key; it is empty if it is not needed.
    Edwards(Edwards, Vec<u8>, Vec<u8>),
    /// The factor and the point of X25519 or X448.
    Montgomery(
        unsafe extern "C" fn(*mut u8, *const u8, *const u8),
        Vec<u8>,
        Vec<u8>,
    ),
    /// The key, whether the padding is PSS, and a number for the result.
    Rsa(Box<Rsa>, bool, Number),
    /// The factor or the point of ECDSA, and room for a signature.
    Ecdsa(Held, Pair),
    /// The factor or the point of GOST R 34.10, and room for a signature.
    Gost(Held, Pair),
    /// The factor, the point, and room for the product and its coordinates.
    Ecdh(Held, Held, Held, [Number; 2]),
}

/// A key, the hash with its context, and the random generator.
pub(crate) struct Key {
    body: Body,
    hash: Option<(&'static HashTable, Memory)>,
    /// Only a key that makes signatures with random numbers, pads or blinds has one.
    generator: Option<Memory>,
    /// Bytes of a coordinate.
    bytes: usize,
}

impl Key {
    /// Returns the hash of a message, and its length.
    #[inline]
    fn digest(&mut self, message: &[u8]) -> ([u8; 64], usize) {
        let mut digest = [0; 64];
        let Some((table, context)) = &mut self.hash else {
            return (digest, 0);
        };
        let (context, length) = (context.at(0), table.digest_size as usize);
        // SAFETY: the context is initialised, and no hash is longer than 64 bytes. The last function
        // leaves the context ready for the next message.
        unsafe {
            (table.update)(context, message.len(), message.as_ptr());
            (table.digest)(context, length, digest.as_mut_ptr());
        }
        (digest, length)
    }
}

impl PublicKeys for Hogweed {
    type Key = Key;

    fn api(&self, scheme: Scheme<'_>, what: Use) -> Option<&'static str> {
        if what == Use::Generate {
            return None;
        }
        Some(match (scheme, what) {
            (Scheme::Raw("ed25519"), Use::Sign) => "ed25519_sha512_sign",
            (Scheme::Raw("ed25519"), Use::Verify) => "ed25519_sha512_verify",
            (Scheme::Raw("ed448"), Use::Sign) => "ed448_shake256_sign",
            (Scheme::Raw("ed448"), Use::Verify) => "ed448_shake256_verify",
            (Scheme::Raw("x25519"), Use::Agree) => "curve25519_mul",
            (Scheme::Raw("x448"), Use::Agree) => "curve448_mul",
            (Scheme::Rsa(_, Padding::Pkcs1(RSA_HASH)), Use::Sign) => "rsa_sha256_sign_digest_tr",
            (Scheme::Rsa(_, Padding::Pkcs1(RSA_HASH)), Use::Verify) => "rsa_sha256_verify_digest",
            (Scheme::Rsa(_, Padding::Pss(RSA_HASH)), Use::Sign) => "rsa_pss_sha256_sign_digest_tr",
            (Scheme::Rsa(_, Padding::Pss(RSA_HASH)), Use::Verify) => "rsa_pss_sha256_verify_digest",
            (Scheme::Rsa(_, Padding::Pkcs1("")), Use::Encrypt) => "rsa_encrypt",
            (Scheme::Rsa(_, Padding::Pkcs1("")), Use::Decrypt) => "rsa_decrypt_tr",
            (Scheme::Ecdsa(curve, hash), _) => {
                self.curve(curve)?;
                self.hash(hash)?;
                match what {
                    Use::Sign => "ecdsa_sign",
                    _ => "ecdsa_verify",
                }
            }
            (Scheme::Gost(form), _) => {
                self.curve(gost(form))?;
                self.hash(scheme.hash())?;
                match what {
                    Use::Sign => "gostdsa_sign",
                    _ => "gostdsa_verify",
                }
            }
            (Scheme::Ecdh(curve), _) => {
                self.curve(curve)?;
                "ecc_point_mul, ecc_point_get"
            }
            _ => return None,
        })
    }

    fn read(&self, scheme: Scheme<'_>, what: Use, key: &[u8], peer: &[u8]) -> Result<Key, Failure> {
        let api = &self.api;
        let mut bytes = 0;
        let body = match scheme {
            Scheme::Raw("x25519") => {
                Body::Montgomery(api.nettle_curve25519_mul, key.to_vec(), peer.to_vec())
            }
            Scheme::Raw("x448") => {
                Body::Montgomery(api.nettle_curve448_mul, key.to_vec(), peer.to_vec())
            }
            Scheme::Raw(name) => {
                let (edwards, public) = if name == "ed25519" {
                    let edwards = Edwards {
                        sign: api.nettle_ed25519_sha512_sign,
                        verify: api.nettle_ed25519_sha512_verify,
                        signature: 64,
                    };
                    (edwards, api.nettle_ed25519_sha512_public_key)
                } else {
                    let edwards = Edwards {
                        sign: api.nettle_ed448_shake256_sign,
                        verify: api.nettle_ed448_shake256_verify,
                        signature: 114,
                    };
                    (edwards, api.nettle_ed448_shake256_public_key)
                };
                if what == Use::Verify {
                    Body::Edwards(edwards, key.to_vec(), Vec::new())
                } else {
                    let mut own = vec![0; key.len()];
                    // SAFETY: both keys have the length of the scheme's keys.
                    unsafe { public(own.as_mut_ptr(), key.as_ptr()) };
                    Body::Edwards(edwards, own, key.to_vec())
                }
            }
            Scheme::Rsa(_, padding) => {
                let rsa = if what.is_public() {
                    Rsa::public(self, modulus_and_exponent(key)?)?
                } else {
                    let parts = der::private_key(key).ok_or_else(unreadable)?;
                    Rsa::private(self, parts.key)?
                };
                let pss = matches!(padding, Padding::Pss(_));
                Body::Rsa(Box::new(rsa), pss, self.zero())
            }
            Scheme::Ecdsa(name, _) => {
                let (curve, length) = self.curve(name).ok_or_else(unreadable)?;
                bytes = length;
                let held = if what == Use::Sign {
                    self.scalar(curve, factor(key)?)?
                } else {
                    let parts = der::public_key(key).ok_or_else(unreadable)?;
                    let xy = coordinates(parts.key, bytes).ok_or_else(unreadable)?;
                    self.point(curve, xy).ok_or_else(unreadable)?
                };
                Body::Ecdsa(held, Pair::new(self))
            }
            Scheme::Gost(form) => {
                let (curve, length) = self.curve(gost(form)).ok_or_else(unreadable)?;
                bytes = length;
                let held = if what == Use::Sign {
                    self.scalar(curve, key)?
                } else {
                    let xy = coordinates(key, bytes).ok_or_else(unreadable)?;
                    self.point(curve, xy).ok_or_else(unreadable)?
                };
                Body::Gost(held, Pair::new(self))
            }
            Scheme::Ecdh(name) => {
                let (curve, length) = self.curve(name).ok_or_else(unreadable)?;
                bytes = length;
                let point = point_of_peer(key, peer)?;
                if let [2 | 3, ..] = point {
                    return Err(Failure::unsupported("a compressed point"));
                }
                let xy = coordinates(point, bytes).ok_or(Failure::Rejected)?;
                Body::Ecdh(
                    self.scalar(curve, factor(key)?)?,
                    self.point(curve, xy).ok_or(Failure::Rejected)?,
                    self.room(curve),
                    [self.zero(), self.zero()],
                )
            }
            _ => return Err(unreadable()),
        };
        let hash = self.hash(scheme.hash()).map(|table| {
            let mut context = Memory::new(table.context_size as usize);
            // SAFETY: the memory has room for the context.
            unsafe { (table.init)(context.at(0)) };
            (table, context)
        });
        let needs_random = matches!(
            scheme,
            Scheme::Rsa(..) | Scheme::Ecdsa(..) | Scheme::Gost(_)
        ) && what != Use::Verify;
        Ok(Key {
            body,
            hash,
            generator: needs_random.then(|| self.generator()).transpose()?,
            bytes,
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
        let (api, random, bytes) = (&self.api, self.random, key.bytes);
        let (input, signature) = (message.input, message.other("signature"));
        let (digest, hashed) = key.digest(input);
        let generator = key.generator.as_mut();
        let generator = generator.map_or(std::ptr::null_mut(), |memory| memory.at(0));
        let digest = digest.as_ptr();
        let (at, length) = (input.as_ptr(), input.len());
        // SAFETY: all objects are live. Keys without structure have their length, and so have
        // signatures, which are compared with it before; the output has room for each of them. Every
        // other length is the length of its slice.
        unsafe {
            match (&mut key.body, what) {
                (Body::Edwards(edwards, public, private), Use::Sign) => {
                    let (public, private) = (public.as_ptr(), private.as_ptr());
                    (edwards.sign)(public, private, length, at, output.as_mut_ptr());
                    Ok(edwards.signature)
                }
                (Body::Edwards(edwards, public, _), _) => {
                    let fits = signature.len() == edwards.signature;
                    let public = public.as_ptr();
                    accepted(
                        fits && (edwards.verify)(public, length, at, signature.as_ptr()) != 0,
                        0,
                    )
                }
                (Body::Montgomery(multiply, factor, point), _) => {
                    multiply(output.as_mut_ptr(), factor.as_ptr(), point.as_ptr());
                    Ok(point.len())
                }
                (Body::Rsa(rsa, pss, number), Use::Sign) => {
                    let (public, private) = (&raw const rsa.public, &raw const rsa.private);
                    let result = &raw mut number.value;
                    let made = if *pss {
                        let mut salt = [0; RSA_SALT];
                        random(generator, RSA_SALT, salt.as_mut_ptr());
                        let (bytes, salt) = (RSA_SALT, salt.as_ptr());
                        let sign = api.nettle_rsa_pss_sha256_sign_digest_tr;
                        sign(
                            public, private, generator, random, bytes, salt, digest, result,
                        )
                    } else {
                        let sign = api.nettle_rsa_sha256_sign_digest_tr;
                        sign(public, private, generator, random, digest, result)
                    };
                    if made == 0 {
                        return Err(Failure::failed("the signature failed"));
                    }
                    self.write(&number.value, &mut output[..rsa.public.size]);
                    Ok(rsa.public.size)
                }
                (Body::Rsa(rsa, pss, number), Use::Verify) => {
                    if signature.len() != rsa.public.size {
                        return Err(Failure::Rejected);
                    }
                    self.set(&mut number.value, signature);
                    let is_good = if *pss {
                        let verify = api.nettle_rsa_pss_sha256_verify_digest;
                        verify(&rsa.public, RSA_SALT, digest, &number.value) != 0
                    } else {
                        (api.nettle_rsa_sha256_verify_digest)(&rsa.public, digest, &number.value)
                            != 0
                    };
                    accepted(is_good, 0)
                }
                (Body::Rsa(rsa, _, number), Use::Encrypt) => {
                    let result = &raw mut number.value;
                    let encrypt = api.nettle_rsa_encrypt;
                    if encrypt(&rsa.public, generator, random, length, at, result) == 0 {
                        return Err(Failure::unsupported("a message of this length"));
                    }
                    self.write(&number.value, &mut output[..rsa.public.size]);
                    Ok(rsa.public.size)
                }
                (Body::Rsa(rsa, _, number), _) => {
                    if length != rsa.public.size {
                        return Err(Failure::Rejected);
                    }
                    self.set(&mut number.value, input);
                    let (public, private) = (&raw const rsa.public, &raw const rsa.private);
                    let (mut room, to) = (output.len(), output.as_mut_ptr());
                    let decrypt = api.nettle_rsa_decrypt_tr;
                    let done = decrypt(
                        public,
                        private,
                        generator,
                        random,
                        &mut room,
                        to,
                        &number.value,
                    );
                    accepted(done != 0, room)
                }
                (Body::Ecdsa(scalar, pair), Use::Sign) => {
                    let (scalar, result) = (&raw const scalar.value, pair.numbers.as_mut_ptr());
                    (api.nettle_ecdsa_sign)(scalar, generator, random, hashed, digest, result);
                    let mut numbers = [[0; 66]; 2];
                    for (number, place) in pair.numbers.iter().zip(&mut numbers) {
                        self.write(number, &mut place[..bytes]);
                    }
                    let [r, s] = &numbers;
                    Ok(write_two([&r[..bytes], &s[..bytes]], output))
                }
                (Body::Ecdsa(point, pair), _) => {
                    for (number, place) in
                        two_numbers(signature)?.into_iter().zip(&mut pair.numbers)
                    {
                        self.set(place, number);
                    }
                    let (point, pair) = (&raw const point.value, pair.numbers.as_ptr());
                    accepted(
                        (api.nettle_ecdsa_verify)(point, hashed, digest, pair) != 0,
                        0,
                    )
                }
                (Body::Gost(scalar, pair), Use::Sign) => {
                    let (scalar, result) = (&raw const scalar.value, pair.numbers.as_mut_ptr());
                    (api.nettle_gostdsa_sign)(scalar, generator, random, hashed, digest, result);
                    for (number, place) in pair.numbers.iter().zip(output.chunks_exact_mut(bytes)) {
                        self.write(number, place);
                    }
                    Ok(2 * bytes)
                }
                (Body::Gost(point, pair), _) => {
                    for (number, place) in
                        halves(signature, bytes)?.into_iter().zip(&mut pair.numbers)
                    {
                        self.set(place, number);
                    }
                    let (point, pair) = (&raw const point.value, pair.numbers.as_ptr());
                    accepted(
                        (api.nettle_gostdsa_verify)(point, hashed, digest, pair) != 0,
                        0,
                    )
                }
                (Body::Ecdh(scalar, point, product, [x, y]), _) => {
                    let product = &raw mut product.value;
                    (api.nettle_ecc_point_mul)(product, &scalar.value, &point.value);
                    (api.nettle_ecc_point_get)(product, &mut x.value, &mut y.value);
                    self.write(&x.value, &mut output[..bytes]);
                    Ok(bytes)
                }
            }
        }
    }
}

/// Returns the curve of a form of GOST R 34.10.
fn gost(form: &str) -> &'static str {
    if form == "2012-512" {
        "gost512a"
    } else {
        "gost256a"
    }
}
