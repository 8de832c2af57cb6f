//! CAVP's response files for the deterministic generators of NIST SP 800-90A.

use anyhow::{Context, Result};

use super::text::{Block, hex};
use crate::Vector;

/// Reads a record. `kind` is `ctr`, `hash` or `hmac`. The heading without a value names the cipher
/// or the hash. The generator is instantiated, reseeded if the record has an entropy input for
/// that, and called twice; the second call gives the answer.
pub(super) fn read(
    kind: &str,
    block: &Block,
    vector: Vector,
) -> Result<Result<Vector, &'static str>> {
    // A heading that comes again moves to the end, so the last one is the current one.
    let algorithm = block.heads.iter().rfind(|(_, value)| value.is_empty());
    let (algorithm, _) = algorithm.context("no heading names the algorithm")?;
    let Some(primitive) = primitive(kind, algorithm) else {
        return Ok(Err("a generator without an id here"));
    };
    if block.get("EntropyInputPR").is_some() {
        return Ok(Err("prediction resistance: new entropy for each call"));
    }
    let length = |name| block.head(name).unwrap_or("0");
    let name = format!(
        "{}, {algorithm}, {} and {} bits of personalisation and additional input",
        vector.name,
        length("PersonalizationStringLen"),
        length("AdditionalInputLen")
    );
    let mut aad = Vec::new();
    for (name, value) in &block.fields {
        if name == "AdditionalInput" {
            aad.extend(hex(value)?);
        }
    }
    let mut others = vec![("entropy", block.hex("EntropyInput")?)];
    for (ours, theirs) in [
        ("personalisation", "PersonalizationString"),
        ("reseed", "EntropyInputReseed"),
        ("reseed-aad", "AdditionalInputReseed"),
    ] {
        others.push((ours, block.hex_or_empty(theirs)?));
    }
    others.retain(|(_, bytes)| !bytes.is_empty());
    let others = others
        .into_iter()
        .map(|(name, bytes)| (name.to_owned(), bytes));
    Ok(Ok(Vector {
        primitive,
        operation: "generate".into(),
        name,
        nonce: block.hex_or_empty("Nonce")?,
        aad,
        others: others.collect(),
        cost: vec![("calls".into(), 2)],
        output: block.hex("ReturnedBits")?,
        ..vector
    }))
}

/// Returns the id of a generator: `AES-128 use df` of `ctr` is `ctr-drbg-aes-128`.
fn primitive(kind: &str, algorithm: &str) -> Option<String> {
    let name = algorithm.to_ascii_lowercase();
    if kind != "ctr" {
        let hash = name.strip_prefix("sha-")?.replace('/', "-");
        return Some(format!("{kind}-drbg-sha-{hash}"));
    }
    let (cipher, df) = name.split_once(' ')?;
    let bits = cipher.strip_prefix("aes-")?;
    match df {
        "use df" => Some(format!("ctr-drbg-aes-{bits}")),
        "no df" => Some(format!("ctr-drbg-aes-{bits}-no-df")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::text::blocks;
    use super::*;

    #[test]
    fn a_record_has_its_calls_and_its_reseeding() {
        let text = "[3KeyTDEA use df]\n\nCOUNT = 0\nEntropyInput = 01\nReturnedBits = 02\n\n\
            [AES-128 use df]\n[PersonalizationStringLen = 8]\n[AdditionalInputLen = 8]\n\n\
            COUNT = 4\nEntropyInput = 0102\nNonce = 03\nPersonalizationString = 04\n\
            EntropyInputReseed = 05\nAdditionalInputReseed = \nAdditionalInput = 06\n\
            AdditionalInput = 07\nReturnedBits = 08\n\nCOUNT = 5\nEntropyInput = 0102\n\
            EntropyInputPR = 03\nReturnedBits = 08\n";
        let read = |block: &Block| {
            let vector = Vector {
                name: "CTR_DRBG 4".into(),
                ..Vector::default()
            };
            read("ctr", block, vector).unwrap()
        };
        let [other, known, resistant] = &blocks(text)[..] else {
            panic!("three records")
        };
        assert!(read(other).is_err() && read(resistant).is_err());
        let record = read(known).unwrap();
        assert_eq!(
            record.name,
            "CTR_DRBG 4, AES-128 use df, 8 and 8 bits of personalisation and additional input"
        );
        let field = |name: &str| record.others.get(name).map_or(&[][..], Vec::as_slice);
        assert_eq!(
            (&record.primitive[..], &record.aad[..]),
            ("ctr-drbg-aes-128", &[6, 7][..])
        );
        assert_eq!((field("entropy"), field("reseed")), (&[1, 2][..], &[5][..]));
        assert_eq!(
            (record.cost("calls"), &record.output[..]),
            (Some(2), &[8][..])
        );
    }

    #[test]
    fn generators_have_the_id_of_their_hash() {
        let id = primitive;
        assert_eq!(
            id("hmac", "SHA-512/256").as_deref(),
            Some("hmac-drbg-sha-512-256")
        );
        assert_eq!(
            id("ctr", "AES-256 no df").as_deref(),
            Some("ctr-drbg-aes-256-no-df")
        );
        assert_eq!(id("hash", "MD5"), None);
    }
}
