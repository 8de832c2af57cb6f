//! Botan's test data for integers and for points of curves.

use super::{NO_ID, Read, Record};
use crate::foreign::keys;
use crate::{Vector, Verdict};
use anyhow::{Context, Result};

/// Files of the folder `bn` that are read, and the field that ends a record.
pub(super) const ENDINGS: &[(&str, &str)] = &[
    ("mul", "Output"),
    ("sqr", "Output"),
    ("powmod", "Output"),
    ("invmod", "Output"),
    ("isprime", "X"),
];

const NEGATIVE: &str = "an integer below zero";

/// Reads an integer, decimal or `0x` and hex digits, as big-endian bytes without zeros in front.
/// `None` if it is below zero.
fn integer(text: &str) -> Result<Option<Vec<u8>>> {
    let (base, digits) = match text.strip_prefix("0x") {
        Some(digits) => (16, digits),
        None if text.starts_with('-') => return Ok(None),
        None => (10, text),
    };
    // Little-endian while digits are added.
    let mut bytes: Vec<u8> = Vec::new();
    for digit in digits.chars() {
        let digit = digit.to_digit(base);
        let mut carry = digit.with_context(|| format!("no integer: {text:?}"))?;
        for byte in &mut bytes {
            carry += u32::from(*byte) * base;
            *byte = carry as u8;
            carry >>= 8;
        }
        if carry > 0 {
            bytes.push(carry as u8);
        }
    }
    bytes.reverse();
    Ok(Some(bytes))
}

/// Puts zeros in front.
fn padded(bytes: &[u8], length: usize) -> Result<Vec<u8>> {
    let zeros = length.checked_sub(bytes.len());
    let zeros = zeros.context("an answer that is too long")?;
    Ok([&vec![0; zeros], bytes].concat())
}

/// Reads a record of the folder `bn`.
pub(super) fn arithmetic(stem: &str, record: &Record, mut vector: Vector) -> Result<Read> {
    // The names of the fields there and here, and the operands whose lengths the answer has.
    let (operation, names, lengths): (_, &[(&str, &str)], &[usize]) = match stem {
        "mul" => ("multiply", &[("In1", "a"), ("In2", "b")], &[0, 1]),
        "sqr" => ("square", &[("Input", "a")], &[0, 0]),
        "powmod" => (
            "powmod",
            &[
                ("Base", "base"),
                ("Exponent", "exponent"),
                ("Modulus", "modulus"),
            ],
            &[2],
        ),
        "invmod" => ("invert", &[("Input", "a"), ("Modulus", "modulus")], &[1]),
        "isprime" => ("prime-test", &[("X", "number")], &[]),
        _ => return Ok(Err(NO_ID)),
    };
    vector.primitive = "integer".into();
    vector.operation = operation.into();
    let mut length = Vec::new();
    for (theirs, ours) in names {
        let text = record
            .get(theirs)
            .with_context(|| format!("no field {theirs}"))?;
        let Some(bytes) = integer(text)? else {
            return Ok(Err(NEGATIVE));
        };
        length.push(bytes.len());
        vector.others.insert((*ours).into(), bytes);
    }
    if record.heading == "NonPrime" {
        vector.verdict = Verdict::Invalid;
    }
    if lengths.is_empty() {
        return Ok(Ok(vector));
    }
    let output = record.get("Output").context("no field Output")?;
    let Some(output) = integer(output)? else {
        return Ok(Err(NEGATIVE));
    };
    if stem == "invmod" && output.is_empty() {
        vector.verdict = Verdict::Invalid;
        return Ok(Ok(vector));
    }
    let length = lengths.iter().map(|&index| length[index]).sum();
    vector.output = padded(&output, length)?;
    Ok(Ok(vector))
}

/// Reads a multiple of a curve's base point.
pub(super) fn multiple(record: &Record, mut vector: Vector) -> Result<Read> {
    vector.primitive = match &*record.heading {
        "secp192r1" => "p192",
        "secp224r1" => "p224",
        "secp256r1" => "p256",
        "secp384r1" => "p384",
        "secp521r1" => "p521",
        "secp256k1" => "secp256k1",
        "brainpool256r1" => "brainpoolp256r1",
        "brainpool384r1" => "brainpoolp384r1",
        "brainpool512r1" => "brainpoolp512r1",
        _ => return Ok(Err(NO_ID)),
    }
    .into();
    vector.operation = "multiply-base".into();
    let scalar = record.get("k").context("no field k")?;
    let Some(scalar) = integer(&format!("0x{}", scalar.trim_start_matches("0x")))? else {
        return Ok(Err(NEGATIVE));
    };
    let point = record.hex("P")?;
    if point.first() != Some(&4) {
        return Ok(Err("a compressed point, or the point at infinity"));
    }
    vector.others.insert("scalar".into(), scalar);
    vector.others.insert("point".into(), point);
    Ok(Ok(vector))
}

/// Reads a signature of ECDSA with RFC 6979's nonce.
pub(super) fn deterministic(record: &Record, mut vector: Vector) -> Result<Read> {
    let group = record.get("Group").context("no field Group")?;
    let hash = record.get("Hash").context("no field Hash")?;
    let (primitive, curve) = match (group, hash) {
        ("secp192r1", "SHA-1") => ("ecdsa-p192-sha-1", keys::SECP192R1),
        ("secp224r1", "SHA-224") => ("ecdsa-p224-sha-224", keys::SECP224R1),
        ("secp256r1", "SHA-256") => ("ecdsa-p256-sha-256", keys::SECP256R1),
        ("secp384r1", "SHA-384") => ("ecdsa-p384-sha-384", keys::SECP384R1),
        ("secp521r1", "SHA-512") => ("ecdsa-p521-sha-512", keys::SECP521R1),
        _ => return Ok(Err("a curve with a hash that the lab does not use with it")),
    };
    let secret = integer(record.get("X").context("no field X")?)?;
    let secret = secret.context("a private key below zero")?;
    vector.primitive = format!("{primitive}-deterministic");
    vector.operation = "sign".into();
    vector.key = keys::pkcs8(curve, &keys::scalar(group, &secret));
    vector.input = record.hex_or_empty("Msg")?;
    vector.output = keys::signature(&record.hex("Signature")?);
    Ok(Ok(vector))
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::*;

    #[test]
    fn integers_are_decimal_or_hex() {
        for (text, bytes) in [
            ("0", Some(vec![])),
            ("256", Some(vec![1, 0])),
            ("0xfff", Some(vec![15, 255])),
            ("0x0001", Some(vec![1])),
            ("-3", None),
        ] {
            assert_eq!(integer(text).unwrap(), bytes, "{text}");
        }
        assert!(integer("12a").is_err());
    }

    #[test]
    fn a_deterministic_signature_has_the_key_of_its_group() {
        let text = "Group = secp256r1\nX = 0x07\nMsg = 61\nHash = SHA-1\nSignature = 0102\n\
            Hash = SHA-256\nSignature = 0180\n";
        let found = read("pubkey/ecdsa_rfc6979.vec", text).unwrap();
        assert_eq!(found.left_out.values().sum::<usize>(), 1);
        let vector = &found.vectors[0];
        assert_eq!(vector.primitive, "ecdsa-p256-sha-256-deterministic");
        assert_eq!(vector.output, [0x30, 7, 2, 1, 1, 2, 2, 0, 0x80]);
        assert_eq!(vector.key.last(), Some(&7));
    }

    #[test]
    fn answers_are_as_long_as_their_operands() {
        let text = "[Multiplication]\nIn1 = 0x1234\nIn2 = 2\nOutput = 0x2468\n";
        let found = read("bn/mul.vec", text).unwrap().vectors.remove(0);
        assert_eq!(found.output, [0, 0x24, 0x68]);
        let text = "Input = 2\nModulus = 4\nOutput = 0\n";
        let found = read("bn/invmod.vec", text).unwrap().vectors.remove(0);
        assert_eq!(found.verdict, Verdict::Invalid);
        let text = "[Prime]\nX = 5\n[NonPrime]\nX = 9\n";
        let found = read("bn/isprime.vec", text).unwrap().vectors;
        assert_eq!(found[1].verdict, Verdict::Invalid);
        assert_eq!(found[0].others["number"], [5]);
    }
}
