//! Points, signatures, key agreement and encryption, through `../shim/public.h`.
#![allow(unsafe_code)]

use std::ffi::{CString, c_void};
use std::ptr;

use touchstone_worker::{
    Cell, Failure, Message, Offer, Operation, Work, c_string, der, offer, primitives,
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

/// Schemes that the library lacks, or that the shim has no object for: the beginnings of their ids.
const LEFT_OUT: &[&str] = &[
    "ecdh-", "dh-", "ml-", "slh-dsa-", "eckcdsa-", "sm2", "gost", "elgamal-",
];

/// Returns whether the shim has an object for an operation of a primitive.
fn is_known(primitive: &str, operation: &str) -> bool {
    // Only the signer of a deterministic signature differs.
    let differs = operation == "sign" || !primitive.ends_with("-deterministic");
    // The shim has no Ed25519 yet, and Crypto++ neither Ed448 nor X448.
    differs
        && !matches!(primitive, "ed25519" | "ed448" | "x448")
        && !LEFT_OUT.iter().any(|head| primitive.starts_with(head))
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
    let heads = ["ecdsa-", "dsa-", "ecgdsa-", "ecnr-"];
    let converts = heads.iter().any(|head| work.primitive.starts_with(head));
    let cell = Cell::new(move || Object::new(api, &named, &other, &scalar, converts));
    Some(Ok(match operation {
        "multiply-base" => cell.gives(&[("point", Cell::REST)]),
        _ => cell,
    }))
}

/// An object of the shim. Dropping it frees it.
struct Object {
    api: Api,
    object: *mut c_void,
    /// Whether signatures are two numbers in DER, for which Crypto++ has two numbers side by side.
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
        let mut object = ptr::null_mut();
        // SAFETY: the names are C strings, each length is the length of its slice, and a successful
        // call writes the object.
        let status = unsafe {
            (api.touchstone_public_new)(
                named[0].as_ptr(),
                named[1].as_ptr(),
                other.as_ptr(),
                other.len(),
                scalar.as_ptr(),
                scalar.len(),
                &mut object,
            )
        };
        api.ok(status)?;
        Ok(Self {
            api,
            object,
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

impl Drop for Object {
    fn drop(&mut self) {
        // SAFETY: the shim made the object, which is freed once.
        unsafe { (self.api.touchstone_public_free)(self.object) };
    }
}

impl Operation for Object {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        if key.is_empty() {
            return Ok(());
        }
        // SAFETY: the object is live, and the length is the slice's.
        let status =
            unsafe { (self.api.touchstone_public_key)(self.object, key.as_ptr(), key.len()) };
        self.api.ok(status)?;
        // SAFETY: the object is live and has a key.
        self.signature = unsafe { (self.api.touchstone_public_signature_bytes)(self.object) };
        Ok(())
    }

    #[inline]
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
                self.object,
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
