//! RSA as age needs it: RSAES-OAEP with SHA-256, [RFC 8017] §7.1.
//!
//! The private operation is one exponentiation modulo the whole modulus, by the crate
//! `crypto-bigint`, whose time depends on no secret. The Chinese remainder theorem would be three
//! times faster; but then a fault of the processor in one half gives the factors away, and nobody
//! opens files so often that a tenth of a second counts.
//!
//! [RFC 8017]: https://www.rfc-editor.org/rfc/rfc8017

use crypto_bigint::modular::{BoxedMontyForm, BoxedMontyParams};
use crypto_bigint::{BoxedUint, Odd};
use touchstone::wipe;
use zeroize::Zeroizing;

use super::oaep;
use crate::error::Error;

/// The shortest modulus, in bits, which age demands too.
const LEAST_BITS: usize = 2048;
/// The longest modulus, in bits: a stranger's key must not take minutes.
const MOST_BITS: usize = 8192;
/// The longest public exponent in bytes. OpenSSH's is 65537.
const MOST_EXPONENT: usize = 4;

/// A public key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicKey {
    /// The modulus, big-endian, whose first byte is not 0.
    modulus: Vec<u8>,
    /// The public exponent, likewise.
    exponent: Vec<u8>,
}

/// A private key.
#[derive(Clone)]
pub struct PrivateKey {
    public: PublicKey,
    exponent: Zeroizing<Vec<u8>>,
}

/// A big-endian number without the zeros before it.
fn trimmed(number: &[u8]) -> &[u8] {
    let zeros = number.iter().take_while(|&&byte| byte == 0).count();
    &number[zeros..]
}

impl PublicKey {
    /// Makes a key of big-endian numbers.
    ///
    /// # Errors
    ///
    /// [`Error::Setting`] if the modulus has less than 2048 or more than 8192 bits or is even, and
    /// if the exponent is even, 1, or longer than 32 bits.
    pub fn new(modulus: &[u8], exponent: &[u8]) -> Result<Self, Error> {
        let (modulus, exponent) = (trimmed(modulus), trimmed(exponent));
        let zeros = modulus.first().map_or(0, |byte| byte.leading_zeros());
        let bits = 8 * modulus.len() - zeros as usize;
        if !(LEAST_BITS..=MOST_BITS).contains(&bits) {
            return Err(Error::setting(format!(
                "an RSA key of {bits} bits: {LEAST_BITS} to {MOST_BITS} are accepted"
            )));
        }
        let odd = |number: &[u8]| number.last().is_some_and(|byte| byte & 1 == 1);
        if !odd(modulus) || !odd(exponent) || exponent == [1] || exponent.len() > MOST_EXPONENT {
            return Err(Error::setting("an RSA key whose numbers cannot be right"));
        }
        Ok(Self {
            modulus: modulus.to_vec(),
            exponent: exponent.to_vec(),
        })
    }

    /// The modulus, big-endian, without leading zeros.
    pub fn modulus(&self) -> &[u8] {
        &self.modulus
    }

    /// The public exponent, big-endian, without leading zeros.
    pub fn exponent(&self) -> &[u8] {
        &self.exponent
    }

    /// Returns `base` to the power of `exponent`, modulo the modulus, in as many bytes as the
    /// modulus has. `base` is less than the modulus and has its length.
    fn power(&self, base: &[u8], exponent: &BoxedUint) -> Zeroizing<Vec<u8>> {
        let length = self.modulus.len();
        let bits = 8 * length as u32;
        let number = |bytes: &[u8]| BoxedUint::from_be_slice_truncated(bytes, bits);
        let modulus = Odd::new(number(&self.modulus)).expect("new refuses even numbers");
        let params = BoxedMontyParams::new_vartime(modulus);
        let base = Zeroizing::new(BoxedMontyForm::new(number(base), &params));
        let power = Zeroizing::new(base.pow(exponent));
        let power = Zeroizing::new(power.retrieve());
        // The number has whole words, and the modulus maybe not.
        let bytes = Zeroizing::new(power.to_be_bytes().into_vec());
        Zeroizing::new(bytes[bytes.len() - length..].to_vec())
    }

    /// Encrypts a message of at most 190 bytes, which fits every key. The result has the length
    /// of the modulus.
    pub fn encrypt(&self, message: &[u8], label: &[u8], seed: &[u8; oaep::SEED]) -> Vec<u8> {
        let encoded = oaep::encode(message, label, seed, self.modulus.len());
        let bits = 8 * self.exponent.len() as u32;
        let exponent = BoxedUint::from_be_slice_truncated(&self.exponent, bits);
        self.power(&encoded, &exponent).to_vec()
    }
}

impl PrivateKey {
    /// Makes a key of the public key and the private exponent, big-endian.
    ///
    /// # Errors
    ///
    /// [`Error::Setting`] if the exponent is longer than the modulus, or 0.
    pub fn new(public: PublicKey, exponent: &[u8]) -> Result<Self, Error> {
        let exponent = trimmed(exponent);
        if exponent.is_empty() || exponent.len() > public.modulus.len() {
            return Err(Error::setting("an RSA key whose numbers cannot be right"));
        }
        Ok(Self {
            public,
            exponent: Zeroizing::new(exponent.to_vec()),
        })
    }

    /// The public key.
    pub fn public(&self) -> &PublicKey {
        &self.public
    }

    /// Decrypts a message whose length is known. Returns whether `sealed` is right and its message
    /// has this length, and nothing about the reason if it is not: the reason would help to
    /// decrypt other messages, RFC 8017 §7.1.2.
    pub fn decrypt(&self, sealed: &[u8], label: &[u8], message: &mut [u8]) -> bool {
        let modulus = self.public.modulus();
        // Both numbers are public.
        if sealed.len() != modulus.len() || sealed >= modulus {
            return false;
        }
        wipe::after(wipe::DEEP, || {
            // As long as the modulus, so that the time does not tell how long the exponent is.
            let bits = 8 * modulus.len() as u32;
            let exponent = BoxedUint::from_be_slice_truncated(&self.exponent, bits);
            let exponent = Zeroizing::new(exponent);
            let mut encoded = self.public.power(sealed, &exponent);
            oaep::decode(&mut encoded, label, message)
        })
    }
}
