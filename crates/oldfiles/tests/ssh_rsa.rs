//! RSA keys of SSH: OAEP with Wycheproof's known answers, and age files for keys from these.

mod common;

use std::path::PathBuf;

use base64ct::{Base64, Encoding};
use common::{FOX, open};
use oldfiles::keys::rsa::{PrivateKey, PublicKey};
use oldfiles::{AgeOptions, Error, Format, Identity, Recipient, Secrets, Settings, seal_age};
use touchstone_vectors::{Vector, Verdict};

const SIZES: [usize; 3] = [2048, 3072, 4096];

/// Wycheproof's records for keys of so many bits.
fn records(bits: usize) -> Vec<Vector> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!(
        "../../vectors/encryption/rsa-{bits}-oaep-sha-256/wycheproof.vec"
    ));
    let file = touchstone_vectors::read(&path).expect("the repository has this file");
    assert!(file.vectors.len() > 20);
    file.vectors
}

/// Reads one element of DER: its content, and what follows.
fn element(bytes: &[u8]) -> (&[u8], &[u8]) {
    let (start, length) = match bytes[1] {
        short @ 0..=0x7f => (2, usize::from(short)),
        0x81 => (3, usize::from(bytes[2])),
        _ => (4, usize::from(u16::from_be_bytes([bytes[2], bytes[3]]))),
    };
    bytes[start..].split_at(length)
}

/// The numbers of a private key in PKCS #8 with PKCS #1 inside (RFC 5208 §5, RFC 8017 §A.1.2):
/// modulus, public exponent, private exponent, both primes.
fn numbers(pkcs8: &[u8]) -> [Vec<u8>; 5] {
    let (fields, _) = element(pkcs8);
    let (_version, fields) = element(fields);
    let (_algorithm, fields) = element(fields);
    let (string, _) = element(fields);
    let (fields, _) = element(string);
    let (_version, mut fields) = element(fields);
    std::array::from_fn(|_| {
        let (number, rest) = element(fields);
        fields = rest;
        number.to_vec()
    })
}

fn private(pkcs8: &[u8]) -> PrivateKey {
    let [modulus, public, exponent, ..] = numbers(pkcs8);
    let public = PublicKey::new(&modulus, &public).expect("a public key");
    PrivateKey::new(public, &exponent).expect("a private key")
}

/// A private key file as ssh-keygen(1) writes one without a passphrase.
fn openssh(pkcs8: &[u8]) -> String {
    fn strings(parts: &[&[u8]]) -> Vec<u8> {
        let each = parts
            .iter()
            .map(|part| [&(part.len() as u32).to_be_bytes()[..], part].concat());
        each.collect::<Vec<_>>().concat()
    }
    let [modulus, public, exponent, p, q] = &numbers(pkcs8);
    let kind = &b"ssh-rsa"[..];
    // The inverse of one prime is not used.
    let fields: [&[u8]; 8] = [kind, modulus, public, exponent, &[1], p, q, b"a comment"];
    let mut fields = [&[7; 8][..], &strings(&fields)].concat();
    let padding = (8 - fields.len() % 8) % 8;
    fields.extend((1..).take(padding));
    let bytes = [
        &b"openssh-key-v1\0"[..],
        &strings(&[b"none", b"none", b""]),
        &1_u32.to_be_bytes(),
        &strings(&[&strings(&[kind, public, modulus]), &fields]),
    ]
    .concat();
    let text = Base64::encode_string(&bytes);
    format!("-----BEGIN OPENSSH PRIVATE KEY-----\n{text}\n-----END OPENSSH PRIVATE KEY-----\n")
}

/// An identity of so many bits, and its private key.
fn identity(bits: usize) -> Identity {
    let text = openssh(&records(bits)[0].key);
    let mut all = Identity::parse_file(&text, None).expect("a key of SSH");
    assert_eq!(all.len(), 1);
    all.remove(0)
}

fn sealed(recipients: Vec<Recipient>) -> Vec<u8> {
    let options = AgeOptions {
        recipients,
        ..AgeOptions::default()
    };
    let mut file = Vec::new();
    seal_age(&mut &FOX[..], &mut file, &options).expect("a recipient");
    file
}

/// The content; nothing may be written before an error.
fn opened(file: &[u8], identity: &Identity) -> Result<Vec<u8>, Error> {
    let secrets = Secrets {
        identities: vec![identity.clone()],
        ..Secrets::default()
    };
    match open(Format::Age, file, &secrets, &Settings::default()) {
        Ok((_, mut memory)) => Ok(memory.entries.remove(0).1),
        Err((error, memory)) => {
            assert!(memory.entries.iter().all(|entry| entry.1.is_empty()));
            Err(error)
        }
    }
}

#[test]
fn wycheproof() {
    let (mut right, mut wrong) = (0, 0);
    for record in SIZES.into_iter().flat_map(records) {
        let key = private(&record.key);
        let mut message = vec![0; record.input.len()];
        let found = key.decrypt(&record.output, b"", &mut message);
        assert_eq!(found, record.verdict == Verdict::Valid, "{}", record.name);
        if !found {
            wrong += 1;
            assert!(message.iter().all(|&byte| byte == 0), "{}", record.name);
            continue;
        }
        right += 1;
        assert_eq!(message, record.input, "{}", record.name);
        let mut longer = vec![0; message.len() + 1];
        assert!(!key.decrypt(&record.output, b"", &mut longer));
        assert!(!key.decrypt(&record.output, b"another", &mut message));
    }
    assert!(right > 20 && wrong > 40, "{right} valid, {wrong} invalid");
}

/// With a label, which Wycheproof's records do not have: made by the PyPI package
/// `cryptography` 48.0.0 for the key of the first record, as
/// `public_key().encrypt(bytes(range(16)), OAEP(MGF1(SHA256()), SHA256(), LABEL))`.
#[test]
fn the_label_of_age() {
    const SEALED: &str = "\
    36ac073d4743affb7ad482e755c7ea2233c7769b1da36e45db81e8d0b6c0a2a0f378b484a262e098641f\
    85a3d8b50b8ad0b314c8d72a594c3f348b4e3eb95c326c2a6f95a8197eb738878be47f08e88019ba7f3b\
    d9988036d1234c09791502b35cf5b9204a69a256ce8ce1e4c142a9a921a302d4b68491946d1bcff86247\
    9d0f71a33d8cdd40d2b37e226d8ab0e86668ae0dc00845a0536732430b29dca09fa176f27abd92e76c42\
    1d65dd5e13822195b6b24f949c3647a7aad9a374f575625d4101c30c1a87c7b10e677fd5d5dc244eedab\
    1c07242732dfad96cce447e9b8dfe87e7fadfdc708f0b9826700e70a8c17a9dbed86730122161b8ce9e5\
    5cf76bb8\
    ";
    let digits = SEALED.trim();
    let sealed: Vec<u8> = (0..digits.len() / 2)
        .map(|i| u8::from_str_radix(&digits[2 * i..2 * i + 2], 16).expect("hex"))
        .collect();
    let key = private(&records(2048)[0].key);
    let mut message = [0; 16];
    assert!(key.decrypt(&sealed, b"age-encryption.org/v1/ssh-rsa", &mut message));
    assert_eq!(message, std::array::from_fn(|i| i as u8));
    assert!(!key.decrypt(&sealed, b"", &mut message));
    assert!(!key.decrypt(&sealed, b"age-encryption.org/v1/ssh-rsb", &mut message));
    // RFC 8017 §5.1.2: a number that is not below the modulus is no ciphertext.
    assert!(!key.decrypt(&[0xff; 256], b"", &mut message));
    assert!(!key.decrypt(key.public().modulus(), b"", &mut message));
    assert!(!key.decrypt(&sealed[1..], b"", &mut message));
}

#[test]
fn files_for_keys_of_all_sizes() {
    for bits in SIZES {
        let identity = identity(bits);
        let recipient = identity.recipient();
        let text = recipient.to_string();
        assert!(text.starts_with("ssh-rsa AAAAB3NzaC1yc2E"), "{text}");
        let again = Recipient::parse(&format!("{text} a comment"));
        assert_eq!(again.expect("its own text"), recipient);
        assert!(identity.secret_text().is_none());
        let file = sealed(vec![recipient]);
        assert_eq!(opened(&file, &identity).expect("its key"), FOX);
    }
}

#[test]
fn several_recipients_and_other_keys() {
    let native = Identity::generate().expect("a key");
    let (one, two, other) = (identity(2048), identity(3072), identity(4096));
    let file = sealed(vec![one.recipient(), native.recipient(), two.recipient()]);
    for identity in [&native, &one, &two] {
        assert_eq!(opened(&file, identity).expect("its key"), FOX);
    }
    assert!(matches!(opened(&file, &other), Err(Error::WrongSecret)));
    // The right tag, and a body for another key: the tag is no secret.
    let text = |file: &[u8]| String::from_utf8_lossy(file).into_owned();
    let theirs = text(&sealed(vec![two.recipient()]));
    let tag = |file: &str| file.lines().nth(1).map(str::to_owned).expect("a stanza");
    let forged = theirs.replacen(&tag(&theirs), &tag(&text(&file)), 1);
    assert!(matches!(
        opened(forged.as_bytes(), &one),
        Err(Error::WrongSecret)
    ));
}

#[test]
fn every_flipped_byte_and_every_truncation_is_found() {
    let identity = identity(2048);
    let file = sealed(vec![identity.recipient()]);
    for at in 0..file.len() {
        let mut changed = file.clone();
        changed[at] ^= 1;
        assert!(opened(&changed, &identity).is_err(), "byte {at}");
        assert!(opened(&file[..at], &identity).is_err(), "{at} bytes");
    }
    assert_eq!(opened(&file, &identity).expect("its key"), FOX);
}

#[test]
fn keys_that_are_refused() {
    let three = [3];
    let setting = |key: Result<PublicKey, Error>| match key {
        Err(Error::Setting { what }) => what,
        other => panic!("{other:?}"),
    };
    for (bytes, bits) in [(128, "1024 bits"), (255, "2040 bits"), (1025, "8200 bits")] {
        let what = setting(PublicKey::new(&vec![0xff; bytes], &three));
        assert!(what.contains(bits), "{what}");
    }
    let mut even = vec![0xff; 256];
    even[255] = 0xfe;
    setting(PublicKey::new(&even, &three));
    setting(PublicKey::new(&[], &three));
    for exponent in [&[][..], &[0], &[1], &[4], &[1, 0, 0, 0, 1]] {
        setting(PublicKey::new(&[0xff; 256], exponent));
    }
    let public = PublicKey::new(&[0xff; 256], &three).expect("odd numbers");
    assert!(PrivateKey::new(public.clone(), &[0]).is_err());
    assert!(PrivateKey::new(public, &[0xff; 257]).is_err());
    let record = &records(2048)[0].key;
    let text = openssh(record);
    let line = identity(2048).recipient().to_string();
    let cut = [
        &line[..line.len() / 2],
        "ssh-rsa",
        "ssh-rsa AAAA",
        "ssh-rsa !",
    ];
    for line in cut {
        assert!(Recipient::parse(line).is_err(), "{line}");
    }
    let body = text.lines().nth(1).expect("base64");
    for length in (0..body.len()).step_by(40) {
        let cut = text.replacen(body, &body[..length], 1);
        assert!(Identity::parse_file(&cut, None).is_err(), "{length}");
    }
}
