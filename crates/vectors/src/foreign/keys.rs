//! Keys and signatures in the encodings of docs/operations.md, made from numbers.

/// Object identifiers of curves (RFC 5480, section 2.1.1.1; RFC 5639, section 4.1; SEC 2, A.2).
pub(super) const SECP192R1: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x01];
pub(super) const SECP224R1: &[u8] = &[0x2b, 0x81, 0x04, 0x00, 0x21];
pub(super) const SECP256R1: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07];
pub(super) const SECP256K1: &[u8] = &[0x2b, 0x81, 0x04, 0x00, 0x0a];
pub(super) const SECP384R1: &[u8] = &[0x2b, 0x81, 0x04, 0x00, 0x22];
pub(super) const SECP521R1: &[u8] = &[0x2b, 0x81, 0x04, 0x00, 0x23];
pub(super) const BRAINPOOL_P256R1: &[u8] = &[0x2b, 0x24, 0x03, 0x03, 0x02, 0x08, 0x01, 0x01, 0x07];
pub(super) const BRAINPOOL_P384R1: &[u8] = &[0x2b, 0x24, 0x03, 0x03, 0x02, 0x08, 0x01, 0x01, 0x0b];
pub(super) const BRAINPOOL_P512R1: &[u8] = &[0x2b, 0x24, 0x03, 0x03, 0x02, 0x08, 0x01, 0x01, 0x0d];

/// The tag of a sequence, and the object identifier of keys on curves (RFC 5480, section 2.1.1).
pub(super) const SEQUENCE: u8 = 0x30;
pub(super) const EC_PUBLIC_KEY: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01];

/// Returns the bytes of a factor, which fill as many bytes as the order has: the curve's size in
/// bits is in its name.
pub(super) fn scalar(primitive: &str, number: &[u8]) -> Vec<u8> {
    let digits: String = primitive
        .trim_start_matches(|c: char| !c.is_ascii_digit())
        .chars()
        .take_while(char::is_ascii_digit)
        .collect();
    let length = digits.parse::<usize>().map_or(0, |bits| bits.div_ceil(8));
    let zeros = number.iter().take_while(|byte| **byte == 0).count();
    let number = &number[zeros..];
    [&vec![0; length.saturating_sub(number.len())], number].concat()
}

/// Returns a value of DER: the tag, the length, the contents (X.690, 8.1).
pub(super) fn der(tag: u8, contents: &[&[u8]]) -> Vec<u8> {
    let contents = contents.concat();
    let length = match u8::try_from(contents.len()) {
        Ok(short) if short < 0x80 => vec![short],
        Ok(length) => vec![0x81, length],
        Err(_) => [&[0x82][..], &(contents.len() as u16).to_be_bytes()].concat(),
    };
    [&[tag][..], &length, &contents].concat()
}

/// Returns a private key on a curve as PKCS #8 (RFC 5958, section 2; RFC 5915, section 3), without
/// the public key.
pub(super) fn pkcs8(curve: &[u8], scalar: &[u8]) -> Vec<u8> {
    const OCTETS: u8 = 0x04;
    const IDENTIFIER: u8 = 0x06;
    let version = |number: u8| [0x02, 0x01, number];
    let key = der(SEQUENCE, &[&version(1), &der(OCTETS, &[scalar])]);
    let algorithm = der(
        SEQUENCE,
        &[
            &der(IDENTIFIER, &[EC_PUBLIC_KEY]),
            &der(IDENTIFIER, &[curve]),
        ],
    );
    der(SEQUENCE, &[&version(0), &algorithm, &der(OCTETS, &[&key])])
}

/// Returns a signature of two numbers, which stand side by side, as DER (RFC 3279, section 2.2.3).
pub(super) fn signature(side_by_side: &[u8]) -> Vec<u8> {
    let number = |bytes: &[u8]| {
        let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
        let digits = &bytes[zeros..];
        // A first byte above 7f would make the number negative.
        let sign = digits.first().is_none_or(|byte| byte & 0x80 != 0);
        der(0x02, &[if sign { &[0] } else { &[] }, digits])
    };
    let (r, s) = side_by_side.split_at(side_by_side.len() / 2);
    der(SEQUENCE, &[&number(r), &number(s)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_a_sequence_of_two_numbers() {
        assert_eq!(
            signature(&[0, 1, 0x80, 0]),
            [0x30, 8, 2, 1, 1, 2, 3, 0, 0x80, 0]
        );
        let key = pkcs8(SECP256R1, &[7; 32]);
        assert_eq!(key[..3], [SEQUENCE, key.len() as u8 - 2, 2]);
    }
}
