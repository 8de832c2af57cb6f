//! Points, signatures, key agreement and encryption, through `../shim/public.h`.
#![allow(unsafe_code)]

use std::ffi::CString;

use touchstone_worker::public::Scheme;
use touchstone_worker::{
    Cell, Failure, Message, Offer, Operation, Owned, Work, c_string, der, offer, primitives,
};

use crate::ffi::{Api, CryptoPp};

const OPERATIONS: &[(&str, &str)] = &[
    ("sign", "PK_Signer::SignMessage"),
    ("verify", "PK_Verifier::VerifyMessage"),
    ("agree", "SimpleKeyAgreementDomain::Agree"),
    ("public-encrypt", "PK_Encryptor::Encrypt"),
    ("private-decrypt", "PK_Decryptor::Decrypt"),
    ("multiply-base", "DL_GroupParameters_EC::ExponentiateBase"),
    ("multiply-point", "ECP or EC2N::ScalarMultiply"),
    (
        "multiply-two",
        "DL_GroupParameters_EC::CascadeExponentiateBaseAndPublicElement",
    ),
];

/// Curves that the shim has not.
const LEFT_OUT: &[&str] = &["gost256a", "gost512a", "sm2p256v1"];

/// Returns whether the shim has an object for an operation of a primitive, which is a scheme or, for
/// multiples of points, a curve.
fn is_known(primitive: &str, operation: &str) -> bool {
    match Scheme::of(primitive) {
        // Only the signer of a deterministic signature differs.
        Some(Scheme::DeterministicEcdsa(..)) => operation == "sign",
        // The shim has no Ed25519 yet, and Crypto++ neither Ed448 nor X448.
        Some(Scheme::Raw(name)) => name == "x25519",
        Some(scheme) => has_two_numbers(scheme) || matches!(scheme, Scheme::Rsa(..)),
        None => !LEFT_OUT.contains(&primitive),
    }
}

/// Returns whether a signature is two numbers in DER, for which Crypto++ has two numbers side by side.
fn has_two_numbers(scheme: Scheme<'_>) -> bool {
    matches!(
        scheme,
        Scheme::Ecdsa(..)
            | Scheme::DeterministicEcdsa(..)
            | Scheme::Dsa(..)
            | Scheme::Ecgdsa(..)
            | Scheme::Ecnr(..)
    )
}

pub(crate) fn offers(_: &CryptoPp) -> Vec<Offer> {
    let mut offers = Vec::new();
    for (id, api) in OPERATIONS {
        let known = primitives(id).into_iter();
        let known = known.filter(|primitive| is_known(primitive, id));
        offers.extend(known.map(|primitive| offer(&primitive, id, api)));
    }
    offers
}

pub(crate) fn cell(library: &CryptoPp, work: &Work) -> Option<Result<Cell, Failure>> {
    let operation = work.operation.as_str();
    OPERATIONS.iter().find(|(id, _)| *id == operation)?;
    if !is_known(&work.primitive, operation) {
        return None;
    }
    let api = library.api;
    let named = [work.primitive.as_str(), operation].map(c_string);
    let other = if operation == "agree" {
        "peer"
    } else {
        "point"
    };
    let other = work.other(other).to_vec();
    // The sum of two multiples has two factors of the same length, one after the other.
    let [base, scalar] = ["base", "scalar"].map(|name| work.other(name));
    if operation == "multiply-two" && base.len() != scalar.len() {
        return Some(Err(Failure::unsupported("factors of different lengths")));
    }
    let scalar = [base, scalar].concat();
    let converts = Scheme::of(&work.primitive).is_some_and(has_two_numbers);
    let cell = Cell::new(move || Object::new(api, &named, &other, &scalar, converts));
    Some(Ok(match operation {
        "multiply-base" => cell.gives(&[("point", Cell::REST)]),
        _ => cell,
    }))
}

/// An object of the shim.
struct Object {
    api: Api,
    shim: Owned,
    /// Whether signatures are converted: see [`has_two_numbers`].
    converts: bool,
    /// The length of a signature of Crypto++.
    signature: usize,
}

impl Object {
    fn new(
        api: Api,
        named: &[CString; 2],
        other: &[u8],
        scalar: &[u8],
        converts: bool,
    ) -> Result<Self, Failure> {
        // SAFETY: the names are C strings, each length is the length of its slice, and a successful
        // call writes the object.
        let shim = unsafe {
            Owned::made(api.touchstone_public_free, |object| {
                api.ok((api.touchstone_public_new)(
                    named[0].as_ptr(),
                    named[1].as_ptr(),
                    other.as_ptr(),
                    other.len(),
                    scalar.as_ptr(),
                    scalar.len(),
                    object,
                ))
            })?
        };
        Ok(Self {
            api,
            shim,
            converts,
            signature: 0,
        })
    }

    /// Returns the two numbers of a signature in DER side by side, as Crypto++ reads them.
    fn side_by_side(&self, signature: &[u8]) -> Option<Vec<u8>> {
        let mut bytes = vec![0; self.signature];
        let half = self.signature / 2;
        let numbers = der::integers(signature).filter(|numbers| numbers.len() == 2)?;
        for (number, place) in numbers.into_iter().zip(bytes.chunks_exact_mut(half.max(1))) {
            let zeros = place.len().checked_sub(number.len())?;
            place[zeros..].copy_from_slice(number);
        }
        Some(bytes)
    }
}

impl Operation for Object {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        if key.is_empty() {
            return Ok(());
        }
        // SAFETY: the object is live, and the length is the slice's.
        let status =
            unsafe { (self.api.touchstone_public_key)(self.shim.object, key.as_ptr(), key.len()) };
        self.api.ok(status)?;
        // SAFETY: the object is live and has a key.
        self.signature = unsafe { (self.api.touchstone_public_signature_bytes)(self.shim.object) };
        Ok(())
    }

    #[inline(always)]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let (input, mut signature) = (message.input, message.other("signature"));
        let converted;
        if self.converts && !signature.is_empty() {
            converted = self.side_by_side(signature).ok_or(Failure::Rejected)?;
            signature = &converted;
        }
        let mut written = output.len();
        // SAFETY: the object is live, and each length is the length of its slice.
        let status = unsafe {
            (self.api.touchstone_public_process)(
                self.shim.object,
                input.as_ptr(),
                input.len(),
                signature.as_ptr(),
                signature.len(),
                output.as_mut_ptr(),
                &mut written,
            )
        };
        self.api.ok(status)?;
        if self.converts && written > 0 {
            let (r, s) = output[..written].split_at(written / 2);
            let encoded = der::sequence(&[r, s]);
            output[..encoded.len()].copy_from_slice(&encoded);
            return Ok(encoded.len());
        }
        Ok(written)
    }
}
