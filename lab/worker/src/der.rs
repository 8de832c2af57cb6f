//! Reads keys in DER (X.690), for libraries that do not read these encodings themselves or that need
//! a part of a key: `SubjectPublicKeyInfo` (RFC 5280, section 4.1) and PKCS #8 (RFC 5958, section
//! 2). Lengths in the indefinite form and tags of several bytes do not occur there.

const INTEGER: u8 = 0x02;
const BIT_STRING: u8 = 0x03;
const OCTET_STRING: u8 = 0x04;
const OBJECT_IDENTIFIER: u8 = 0x06;
const SEQUENCE: u8 = 0x30;

/// Splits a value off: returns its tag, its contents, and the bytes after it.
fn value(bytes: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (&tag, rest) = bytes.split_first()?;
    let (&first, rest) = rest.split_first()?;
    let (length, rest) = if first < 0x80 {
        (usize::from(first), rest)
    } else {
        let (digits, rest) = rest.split_at_checked(usize::from(first & 0x7f))?;
        let fold = |length: usize, byte: &u8| length.checked_mul(256)?.checked_add((*byte).into());
        let length = digits.iter().try_fold(0, fold)?;
        // DER has the shortest form only (X.690, 10.1).
        if length < 0x80 || digits[0] == 0 {
            return None;
        }
        (length, rest)
    };
    let (contents, rest) = rest.split_at_checked(length)?;
    Some((tag, contents, rest))
}

/// Returns the contents of a value with this tag, and the bytes after the value.
fn expect(tag: u8, bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (found, contents, rest) = value(bytes)?;
    (found == tag).then_some((contents, rest))
}

/// A key's algorithm, which names the curve, and the key itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parts<'a> {
    /// The contents of the `AlgorithmIdentifier` (RFC 5280, section 4.1.1.2).
    pub algorithm: &'a [u8],
    /// The key in the form of its algorithm.
    pub key: &'a [u8],
}

/// Returns the parts of a `SubjectPublicKeyInfo`. The key of a curve is the encoded point, and the
/// key of RSA is a sequence of the modulus and the exponent.
pub fn public_key(der: &[u8]) -> Option<Parts<'_>> {
    let (info, _) = expect(SEQUENCE, der)?;
    let (algorithm, rest) = expect(SEQUENCE, info)?;
    let (bits, _) = expect(BIT_STRING, rest)?;
    let key = bits.strip_prefix(&[0])?;
    Some(Parts { algorithm, key })
}

/// Returns the parts of a PKCS #8 structure. The key of a curve is RFC 5915's `ECPrivateKey`, and the
/// key of RSA is RFC 8017's `RSAPrivateKey`.
pub fn private_key(der: &[u8]) -> Option<Parts<'_>> {
    let (info, _) = expect(SEQUENCE, der)?;
    let (_, rest) = expect(INTEGER, info)?;
    let (algorithm, rest) = expect(SEQUENCE, rest)?;
    let (key, _) = expect(OCTET_STRING, rest)?;
    Some(Parts { algorithm, key })
}

/// Returns the factor in an `ECPrivateKey`, as big-endian bytes.
pub fn scalar(key: &[u8]) -> Option<&[u8]> {
    let (fields, _) = expect(SEQUENCE, key)?;
    let (_, rest) = expect(INTEGER, fields)?;
    expect(OCTET_STRING, rest).map(|(scalar, _)| scalar)
}

/// Returns the bytes after the identifier in the contents of an `AlgorithmIdentifier`: the
/// algorithm's parameters.
pub fn parameters(algorithm: &[u8]) -> Option<&[u8]> {
    expect(OBJECT_IDENTIFIER, algorithm).map(|(_, parameters)| parameters)
}

/// Returns a single integer, as big-endian bytes without zeros in front. A negative integer is none
/// of a key's.
pub fn integer(der: &[u8]) -> Option<&[u8]> {
    let (digits, rest) = expect(INTEGER, der)?;
    let digits = unsigned(digits)?;
    rest.is_empty().then_some(digits)
}

/// Returns the digits of an integer that is not negative, without zeros in front.
fn unsigned(integer: &[u8]) -> Option<&[u8]> {
    // The shortest form has a zero in front only where the number would be negative without it
    // (X.690, 8.3.2).
    let (is_long, is_negative) = match integer {
        [] => return None,
        [0, next, ..] => (next & 0x80 == 0, false),
        [first, ..] => (false, first & 0x80 != 0),
    };
    let zeros = usize::from(integer[0] == 0);
    (!is_long && !is_negative).then(|| &integer[zeros..])
}

/// Returns the integers in a sequence of integers, as big-endian bytes without zeros in front. A
/// negative integer is none of a key's or a signature's.
pub fn integers(sequence: &[u8]) -> Option<Vec<&[u8]>> {
    let (rest, after) = expect(SEQUENCE, sequence)?;
    if !after.is_empty() {
        return None;
    }
    all_integers(rest)
}

/// Returns the integers after the bit string in a sequence that [`bits_and_integers`] writes.
pub fn integers_after_bits(sequence: &[u8]) -> Option<Vec<&[u8]>> {
    let (contents, after) = expect(SEQUENCE, sequence)?;
    let (_, rest) = expect(BIT_STRING, contents)?;
    after.is_empty().then(|| all_integers(rest))?
}

fn all_integers(mut rest: &[u8]) -> Option<Vec<&[u8]>> {
    let mut integers = Vec::new();
    while !rest.is_empty() {
        let (integer, after) = expect(INTEGER, rest)?;
        integers.push(unsigned(integer)?);
        rest = after;
    }
    Some(integers)
}

/// Returns a sequence of integers, which are given as big-endian bytes.
pub fn sequence(integers: &[&[u8]]) -> Vec<u8> {
    wrapped(SEQUENCE, &encoded(integers))
}

/// Returns a sequence of a bit string and integers, as LibTomCrypt's own keys are. `bits` is the
/// contents of the bit string: the number of unused bits in its last byte, and the bytes.
pub fn bits_and_integers(bits: &[u8], integers: &[&[u8]]) -> Vec<u8> {
    let contents = [wrapped(BIT_STRING, bits), encoded(integers)].concat();
    wrapped(SEQUENCE, &contents)
}

fn encoded(integers: &[&[u8]]) -> Vec<u8> {
    let mut contents = Vec::new();
    for integer in integers {
        let zeros = integer.iter().take_while(|byte| **byte == 0).count();
        let digits = &integer[zeros..];
        // A first byte above 7f would make the number negative.
        let sign = digits.first().is_none_or(|byte| byte & 0x80 != 0);
        let digits = [if sign { &[0][..] } else { &[] }, digits].concat();
        contents.extend(wrapped(INTEGER, &digits));
    }
    contents
}

/// Writes a `SubjectPublicKeyInfo`: the contents of the algorithm's identifier (X.690, 8.19), its
/// encoded parameters, and the key in the form of the algorithm.
pub fn write_public_key(identifier: &[u8], parameters: &[u8], key: &[u8]) -> Vec<u8> {
    let algorithm = [&wrapped(OBJECT_IDENTIFIER, identifier)[..], parameters].concat();
    let bits = wrapped(BIT_STRING, &[&[0], key].concat());
    wrapped(SEQUENCE, &[wrapped(SEQUENCE, &algorithm), bits].concat())
}

/// Writes a PKCS #8 structure, from the same parts.
pub fn write_private_key(identifier: &[u8], parameters: &[u8], key: &[u8]) -> Vec<u8> {
    let algorithm = [&wrapped(OBJECT_IDENTIFIER, identifier)[..], parameters].concat();
    let parts = [
        wrapped(INTEGER, &[0]),
        wrapped(SEQUENCE, &algorithm),
        wrapped(OCTET_STRING, key),
    ];
    wrapped(SEQUENCE, &parts.concat())
}

/// Writes an `ECPrivateKey` (RFC 5915) with the factor alone.
pub fn write_scalar(scalar: &[u8]) -> Vec<u8> {
    let parts = [wrapped(INTEGER, &[1]), wrapped(OCTET_STRING, scalar)];
    wrapped(SEQUENCE, &parts.concat())
}

/// Writes an octet string.
pub fn octets(bytes: &[u8]) -> Vec<u8> {
    wrapped(OCTET_STRING, bytes)
}

fn wrapped(tag: u8, contents: &[u8]) -> Vec<u8> {
    let length = contents.len().to_be_bytes();
    let zeros = length.iter().take_while(|byte| **byte == 0).count();
    let digits = &length[zeros..];
    let head = match digits {
        [] => vec![tag, 0],
        [short] if *short < 0x80 => vec![tag, *short],
        _ => [&[tag, 0x80 | digits.len() as u8], digits].concat(),
    };
    [&head, contents].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_after_a_bit_string_are_those_that_were_written() {
        let der = bits_and_integers(&[7, 0x80], &[&[1], &[0x80, 2]]);
        assert_eq!(
            integers_after_bits(&der),
            Some(vec![&[1][..], &[0x80, 2][..]])
        );
        assert_eq!(integers_after_bits(&sequence(&[&[1]])), None);
        assert_eq!(integers_after_bits(&[&der[..], &[0]].concat()), None);
    }

    #[test]
    fn sequences_are_read_as_they_were_written() {
        let long = [0xff; 300];
        let written = sequence(&[&[], &[0, 1], &[0x80], &long]);
        assert_eq!(written[..4], [SEQUENCE, 0x82, 1, 0x3b]);
        assert_eq!(integers(&written).unwrap(), [&[][..], &[1], &[0x80], &long]);
        assert_eq!(integers(&written[..9]), None);
        for not_der in [
            &[SEQUENCE, 3, INTEGER, 1, 0x80][..],
            &[SEQUENCE, 4, INTEGER, 2, 0, 1],
            &[SEQUENCE, 2, INTEGER, 0],
            &[SEQUENCE, 0x81, 3, INTEGER, 1, 1],
            &[SEQUENCE, 3, INTEGER, 1, 1, 0],
        ] {
            assert_eq!(integers(not_der), None, "{not_der:?}");
        }
    }

    #[test]
    fn the_parts_of_keys_are_found() {
        let algorithm = wrapped(SEQUENCE, &[0x05, 0]);
        let public = [&algorithm[..], &wrapped(BIT_STRING, &[0, 4, 1, 2])].concat();
        let found = wrapped(SEQUENCE, &public);
        let found = public_key(&found).map(|parts| (parts.algorithm, parts.key));
        assert_eq!(found, Some((&[0x05, 0][..], &[4, 1, 2][..])));
        let version = wrapped(INTEGER, &[0]);
        let key = [&wrapped(INTEGER, &[1])[..], &wrapped(OCTET_STRING, &[7, 8])].concat();
        let key = wrapped(SEQUENCE, &key);
        let private = [&version[..], &algorithm, &wrapped(OCTET_STRING, &key)].concat();
        let private = wrapped(SEQUENCE, &private);
        let found = private_key(&private).and_then(|parts| scalar(parts.key));
        assert_eq!(found, Some(&[7, 8][..]));
        assert_eq!(private_key(&public), None);
    }

    #[test]
    fn keys_are_read_as_they_were_written() {
        let curve = wrapped(OBJECT_IDENTIFIER, &[0x2a, 4]);
        let public = write_public_key(&[0x2a, 3], &curve, &[4, 1, 2]);
        let found = public_key(&public).unwrap();
        assert_eq!(found.key, [4, 1, 2]);
        assert_eq!(parameters(found.algorithm), Some(&curve[..]));
        let private = write_private_key(&[0x2a, 3], &curve, &write_scalar(&[7, 8]));
        let found = private_key(&private).unwrap();
        assert_eq!(parameters(found.algorithm), Some(&curve[..]));
        assert_eq!(scalar(found.key), Some(&[7, 8][..]));
        assert_eq!(octets(&[9]), [OCTET_STRING, 1, 9]);
    }

    #[test]
    fn an_algorithm_has_parameters_after_its_identifier() {
        let domain = sequence(&[&[7], &[5]]);
        let algorithm = [&wrapped(OBJECT_IDENTIFIER, &[0x2a, 3])[..], &domain].concat();
        let found = parameters(&algorithm).and_then(integers);
        assert_eq!(found.unwrap(), [&[7][..], &[5]]);
        assert_eq!(integer(&wrapped(INTEGER, &[0, 0x80])), Some(&[0x80][..]));
        for not_one in [&[INTEGER, 1][..], &[INTEGER, 1, 0x80], &[INTEGER, 1, 1, 0]] {
            assert_eq!(integer(not_one), None, "{not_one:?}");
        }
    }
}
