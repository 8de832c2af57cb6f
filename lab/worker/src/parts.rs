//! The parts of keys and signatures that a library wants one by one, from their standard encodings.

use crate::scheme::SM2_IDENTITY;
use crate::{Failure, der};

/// The failure of a key that cannot be read.
pub fn unreadable() -> Failure {
    Failure::unsupported("a key of this form")
}

/// Returns the bytes of a number in hexadecimal digits, which may be an odd number of digits.
pub fn hex_number(digits: &str) -> Vec<u8> {
    let even = format!("{}{digits}", if digits.len() % 2 == 1 { "0" } else { "" });
    touchstone_wire::from_hex(&even).unwrap_or_default()
}

/// Returns the two numbers of a signature of ECDSA.
pub fn two_numbers(signature: &[u8]) -> Result<[&[u8]; 2], Failure> {
    let numbers = der::integers(signature).ok_or(Failure::Rejected)?;
    numbers.try_into().map_err(|_| Failure::Rejected)
}

/// Writes a signature of ECDSA from its two numbers, and returns its length.
pub fn write_two(numbers: [&[u8]; 2], output: &mut [u8]) -> usize {
    let signature = der::sequence(&numbers);
    output[..signature.len()].copy_from_slice(&signature);
    signature.len()
}

/// Returns the two numbers of a signature that has them side by side (RFC 7091, section 6.1).
pub fn halves(signature: &[u8], bytes: usize) -> Result<[&[u8]; 2], Failure> {
    let fits = signature.len() == 2 * bytes;
    fits.then(|| signature.split_at(bytes).into())
        .ok_or(Failure::Rejected)
}

/// Returns the factor in a private key of a curve.
pub fn factor(key: &[u8]) -> Result<&[u8], Failure> {
    let parts = der::private_key(key).ok_or_else(unreadable)?;
    der::scalar(parts.key).ok_or_else(unreadable)
}

/// Returns the encoded point in the other side's public key, which must be on the curve of the
/// private key.
pub fn point_of_peer<'a>(key: &[u8], peer: &'a [u8]) -> Result<&'a [u8], Failure> {
    let own = der::private_key(key).ok_or_else(unreadable)?;
    let peer = der::public_key(peer).ok_or(Failure::Rejected)?;
    if own.algorithm != peer.algorithm {
        return Err(Failure::Rejected);
    }
    Ok(peer.key)
}

/// Returns the coordinates of a point that is not compressed (SEC 1, 2.3.3), as long as a
/// coordinate is; `None` for every other encoding.
pub fn coordinates(point: &[u8], bytes: usize) -> Option<[&[u8]; 2]> {
    let rest = point.strip_prefix(&[4])?;
    (rest.len() == 2 * bytes).then(|| rest.split_at(bytes).into())
}

/// The numbers a, b, x and y of SM2's curve and its base point (GB/T 32918.5, 3).
const SM2_CURVE: &str = "fffffffeffffffffffffffffffffffffffffffff00000000fffffffffffffffc\
    28e9fa9e9d9f5e344d5a9e4bcf6509a7f39789f515ab8f92ddbcbd414d940e93\
    32c4ae2c1f1981195f9904466a39c9948fe30bbff2660be1715a4589334c74c7\
    bc3736a2f4f6779c59bdcee36b692153d0a9877cc62a474002df32e52139f0a0";

/// Returns the bytes whose hash stands before a message that is signed with SM2 (GB/T 32918.2, 5.5):
/// the length of the identity in bits, the identity, the curve and the signer's public key, which is
/// an uncompressed point.
pub fn sm2_signer(point: &[u8]) -> Result<Vec<u8>, Failure> {
    let [x, y] = coordinates(point, 32).ok_or_else(unreadable)?;
    let curve = touchstone_wire::from_hex(SM2_CURVE).ok_or_else(unreadable)?;
    let bits = (8 * SM2_IDENTITY.len() as u16).to_be_bytes();
    Ok([&bits[..], SM2_IDENTITY, &curve, x, y].concat())
}

/// Returns the numbers of a key of DSA: p, q and g, and then x of a private key or y of a public one
/// (RFC 3279, section 2.3.2).
pub fn dsa_numbers(key: &[u8], is_public: bool) -> Result<[&[u8]; 4], Failure> {
    let parts = if is_public {
        der::public_key(key)
    } else {
        der::private_key(key)
    };
    let numbers = parts.and_then(|parts| {
        let [p, q, g] = der::integers(der::parameters(parts.algorithm)?)?[..] else {
            return None;
        };
        Some([p, q, g, der::integer(parts.key)?])
    });
    numbers.ok_or_else(unreadable)
}

/// Returns the numbers of a key of Diffie and Hellman's (PKCS #3), which ElGamal's encryption uses,
/// too: the modulus, the generator, and the secret or the public number.
pub fn dh_numbers(key: &[u8], is_public: bool) -> Result<[&[u8]; 3], Failure> {
    let parts = if is_public {
        der::public_key(key)
    } else {
        der::private_key(key)
    };
    let numbers = parts.and_then(|parts| {
        let [p, g, ..] = der::integers(der::parameters(parts.algorithm)?)?[..] else {
            return None;
        };
        Some([p, g, der::integer(parts.key)?])
    });
    numbers.ok_or_else(unreadable)
}

/// Returns the modulus and the exponent of a public key of RSA.
pub fn modulus_and_exponent(key: &[u8]) -> Result<[&[u8]; 2], Failure> {
    let parts = der::public_key(key).ok_or_else(unreadable)?;
    let numbers = der::integers(parts.key).ok_or_else(unreadable)?;
    numbers.try_into().map_err(|_| unreadable())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_has_two_coordinates_of_the_same_length() {
        assert_eq!(
            coordinates(&[4, 1, 2, 3, 4], 2),
            Some([&[1, 2][..], &[3, 4]])
        );
        for (point, bytes) in [(&[4, 1, 2][..], 2), (&[2, 1, 2], 2), (&[], 0)] {
            assert_eq!(coordinates(point, bytes), None);
        }
    }

    #[test]
    fn the_signer_of_sm2_has_an_identity_and_a_point() {
        let point = [&[4][..], &[7; 64]].concat();
        let bytes = sm2_signer(&point).unwrap();
        assert_eq!(bytes.len(), 2 + 16 + 6 * 32);
        assert_eq!(bytes[..3], [0, 128, b'1']);
        assert_eq!(bytes[18 + 128..], [7; 64]);
        assert!(sm2_signer(&point[1..]).is_err());
    }

    #[test]
    fn halves_of_a_signature_have_the_same_length() {
        assert_eq!(halves(&[1, 2, 3, 4], 2), Ok([&[1, 2][..], &[3, 4]]));
        assert_eq!(halves(&[1, 2, 3], 2), Err(Failure::Rejected));
    }

    #[test]
    fn a_signature_is_two_numbers() {
        let mut room = [0; 16];
        let bytes = write_two([&[0, 1], &[0x80]], &mut room);
        assert_eq!(two_numbers(&room[..bytes]), Ok([&[1][..], &[0x80]]));
        let three = der::sequence(&[&[1], &[2], &[3]]);
        assert_eq!(two_numbers(&three), Err(Failure::Rejected));
    }
}
