//! Strongboxes whose bytes follow from a seed.

use strongbox::{
    Costs, FromSeed, Head, Identity, KeyKind, Keyfile, Limits, OpenOptions, Opened, Passphrase,
    Recipient, Result, SealOptions, SecretKey, SigningKey, Source, Suite, Unlocked, seal,
};
use touchstone::random::Seeded;

/// Costs that a test can pay.
pub(crate) const CHEAP: Costs = Costs {
    passes: 1,
    memory: 64,
    lanes: 1,
};

/// A content of so many bytes.
pub(crate) fn content(length: usize) -> Vec<u8> {
    (0..length).map(|i| (i % 251) as u8).collect()
}

pub(crate) fn keyfile() -> Keyfile {
    Keyfile::read(&mut &b"the content of a keyfile"[..]).expect("it is not empty")
}

pub(crate) fn phrase() -> Passphrase {
    Passphrase::new(*b"lusab-babad-gutih-tugad")
}

pub(crate) fn signing_key() -> SigningKey {
    SigningKey::new([0x51; 32])
}

pub(crate) fn secret(kind: KeyKind) -> SecretKey {
    SecretKey::new(kind, [0x42; 32])
}

/// Options for the keyfile as the only recipient: the fastest.
pub(crate) fn options(suite: &str) -> SealOptions {
    SealOptions {
        suite: Suite::by_name(suite).expect("a suite"),
        threads: 1,
        ..SealOptions::new(vec![Recipient::Keyfile(keyfile())])
    }
}

/// All keys.
pub(crate) fn identities() -> Vec<Identity> {
    let kinds = [KeyKind::Hybrid, KeyKind::X25519, KeyKind::Ssh];
    let mut all: Vec<Identity> = kinds.map(|kind| Identity::Key(secret(kind))).into();
    all.push(Identity::Keyfile(keyfile()));
    all.push(Identity::Passphrase(phrase(), Some(keyfile())));
    all
}

/// Seals a content with bytes from a seed.
pub(crate) fn sealed(content: &[u8], options: &SealOptions, seed: u8) -> Vec<u8> {
    let mut output = Vec::new();
    let mut input = content;
    let mut random = FromSeed(Seeded::new(&[seed; 32]));
    seal(
        Source::Stream(&mut input),
        &mut output,
        options,
        &mut random,
        &mut |_| Ok(()),
    )
    .expect("sealing works");
    output
}

pub(crate) fn unlocked(bytes: &[u8]) -> Result<Unlocked> {
    Head::read_at(bytes)?.unlock(&identities(), &Limits::default())
}

/// Opens bytes that can be read at any place. What was written comes with the error.
pub(crate) fn open_at(bytes: &[u8], threads: usize) -> (Vec<u8>, Result<Opened>) {
    let mut output = Vec::new();
    let options = OpenOptions {
        threads,
        ..OpenOptions::default()
    };
    let opened = unlocked(bytes)
        .and_then(|unlocked| unlocked.open_to(bytes, &mut output, &options, &mut |_| Ok(())));
    (output, opened)
}

/// Opens a stream.
pub(crate) fn open_stream(bytes: &[u8], threads: usize) -> (Vec<u8>, Result<Opened>) {
    let (mut input, mut output) = (bytes, Vec::new());
    let options = OpenOptions {
        threads,
        ..OpenOptions::default()
    };
    let opened = Head::read(&mut input)
        .and_then(|head| head.unlock(&identities(), &Limits::default()))
        .and_then(|unlocked| {
            unlocked.open_stream(&mut input, &mut output, &options, &mut |_| Ok(()))
        });
    (output, opened)
}
