//! All ways to seal and to open give the same bytes.

use std::io::{Read, Seek, Write};

use strongbox::push::{Opener, Sealer};
use strongbox::{
    CHUNK, FromSeed, Limits, OpenOptions, Recipient, SUITES, SealOptions, Source, System, seal,
};
use touchstone::random::Seeded;

use super::support::{
    CHEAP, content, identities, open_at, open_stream, options, phrase, sealed, signing_key,
    unlocked,
};

/// All suites with all kinds of contents.
fn kinds() -> Vec<SealOptions> {
    let mut kinds: Vec<SealOptions> = SUITES.iter().map(|suite| options(suite.name)).collect();
    for (zstd, padded, signed) in [
        (Some(3), false, false),
        (None, true, false),
        (None, false, true),
        (Some(1), true, true),
    ] {
        kinds.push(SealOptions {
            zstd,
            padded,
            sender: signed.then(signing_key),
            ..options("aes-256-gcm")
        });
    }
    kinds
}

const LENGTHS: [usize; 7] = [
    0,
    1,
    CHUNK - 1,
    CHUNK,
    CHUNK + 1,
    16 * CHUNK,
    40 * CHUNK + 7,
];

#[test]
fn every_kind_opens_again_and_threads_change_nothing() {
    for mut options in kinds() {
        for length in LENGTHS {
            let genuine = content(length);
            options.threads = 1;
            let bytes = sealed(&genuine, &options, 3);
            for threads in [2, 5] {
                options.threads = threads;
                assert!(sealed(&genuine, &options, 3) == bytes, "{threads} threads");
                for (output, opened) in [open_at(&bytes, threads), open_stream(&bytes, threads)] {
                    let opened = opened.unwrap();
                    assert!(
                        output == genuine,
                        "{} of {length} bytes",
                        options.suite.name
                    );
                    assert_eq!(opened.sender.is_some(), options.sender.is_some());
                }
            }
        }
    }
}

#[test]
fn files_and_streams_are_the_same() {
    for options in [&options("aes-256-gcm"), &kinds()[11]] {
        for length in LENGTHS {
            let genuine = content(length);
            let mut input = tempfile::tempfile().unwrap();
            input.write_all(&genuine).unwrap();
            let mut output = tempfile::tempfile().unwrap();
            let mut random = FromSeed(Seeded::new(&[3; 32]));
            let source = Source::File(&input, length as u64);
            seal(source, &mut output, options, &mut random, &mut |_| Ok(())).unwrap();
            let mut bytes = Vec::new();
            output.rewind().unwrap();
            output.read_to_end(&mut bytes).unwrap();
            assert!(bytes == sealed(&genuine, options, 3), "{length} bytes");
            let mut opened = tempfile::tempfile().unwrap();
            let unlocked = unlocked(&bytes).unwrap();
            let all = OpenOptions::default();
            unlocked
                .open_to(&bytes[..], &mut opened, &all, &mut |_| Ok(()))
                .unwrap();
            let mut same = Vec::new();
            opened.rewind().unwrap();
            opened.read_to_end(&mut same).unwrap();
            assert!(same == genuine, "{length} bytes");
        }
    }
}

#[test]
fn pieces_are_the_same() {
    for options in kinds().iter().filter(|options| options.zstd.is_none()) {
        for length in LENGTHS {
            let genuine = content(length);
            let whole = sealed(&genuine, options, 3);
            for piece in [1000, CHUNK, 100_000] {
                let mut random = FromSeed(Seeded::new(&[3; 32]));
                let mut sealer = Sealer::new(options, &mut random).unwrap();
                let mut bytes = Vec::new();
                for part in genuine.chunks(piece) {
                    sealer.update(part, &mut bytes).unwrap();
                }
                sealer.finish(&mut bytes).unwrap();
                assert!(bytes == whole, "pieces of {piece} bytes");
                let mut opener =
                    Opener::new(identities(), Limits::default(), OpenOptions::default());
                let mut opened = Vec::new();
                for part in whole.chunks(piece) {
                    opener.update(part, &mut opened).unwrap();
                }
                opener.finish(&mut opened).unwrap();
                assert!(opened == genuine, "pieces of {piece} bytes");
            }
        }
    }
}

#[test]
fn pieces_of_damaged_files_release_nothing_wrong() {
    let genuine = content(40 * CHUNK);
    let mut bytes = sealed(&genuine, &options("aes-256-gcm"), 3);
    let place = bytes.len() / 2;
    bytes[place] ^= 1;
    let mut opener = Opener::new(identities(), Limits::default(), OpenOptions::default());
    let mut opened = Vec::new();
    let result = bytes
        .chunks(5000)
        .try_for_each(|part| opener.update(part, &mut opened));
    assert!(result.is_err());
    assert!(genuine.starts_with(&opened) && opened.len() < genuine.len() / 2 + CHUNK);
    let mut opener = Opener::new(identities(), Limits::default(), OpenOptions::default());
    opener.update(&bytes[..place - CHUNK], &mut opened).unwrap();
    assert!(opener.finish(&mut opened).is_err());
}

#[test]
fn ranges_are_parts_of_the_content() {
    for zstd in [None, Some(3)] {
        for padded in [false, true] {
            let sealing = SealOptions {
                zstd,
                padded,
                ..options("camellia-256-eax")
            };
            let genuine = content(20 * CHUNK + 100);
            let bytes = sealed(&genuine, &sealing, 4);
            let unlocked = unlocked(&bytes).unwrap();
            let end = genuine.len();
            for (start, length) in [
                (0, 0),
                (0, 1),
                (5, 2 * CHUNK),
                (CHUNK - 1, 2),
                (18 * CHUNK, 3 * CHUNK),
                (end - 1, 100),
                (end, 5),
                (end + 5, 5),
                (0, usize::MAX),
            ] {
                let mut part = Vec::new();
                let all = OpenOptions::default();
                let (start64, length64) = (start as u64, length as u64);
                let count = unlocked
                    .open_range(&bytes[..], start64, length64, &mut part, &all)
                    .unwrap();
                let expected = &genuine[start.min(end)..start.saturating_add(length).min(end)];
                assert!(part == expected, "{start}+{length}: {} bytes", part.len());
                assert_eq!(count, expected.len() as u64);
            }
        }
    }
}

#[test]
fn a_changed_header_opens_the_same_payload() {
    let genuine = content(3 * CHUNK);
    let bytes = sealed(&genuine, &options("aes-256-gcm"), 5);
    let old = unlocked(&bytes).unwrap();
    let mut random = System::new().unwrap();
    let recipient = Recipient::Passphrase(phrase(), None, CHEAP);
    let header = old
        .rekey(&|_| false, &[recipient], 128, &mut random)
        .unwrap();
    assert_eq!(header.len(), old.header_size());
    let mut new = header;
    new.extend_from_slice(&bytes[old.header_size()..]);
    let (output, opened) = open_at(&new, 2);
    opened.unwrap();
    assert!(output == genuine);
    let keyfile = strongbox::Identity::Keyfile(super::support::keyfile());
    let head = strongbox::Head::read_at(&new[..]).unwrap();
    assert!(head.unlock(&[keyfile], &Limits::default()).is_err());
    assert!(old.rekey(&|_| false, &[], 0, &mut random).is_err());
    // A longer header keeps what it says beside the recipients.
    let hybrid = super::support::secret(strongbox::KeyKind::Hybrid).recipient();
    let header = old.rekey(&|_| true, &[hybrid], 128, &mut random).unwrap();
    assert!(header.len() > old.header_size());
    let longer = [&header[..], &bytes[old.header_size()..]].concat();
    assert!(open_at(&longer, 1).0 == genuine);
}

#[test]
fn too_long_contents_stop_at_the_limit() {
    for zstd in [None, Some(3)] {
        let sealing = SealOptions {
            zstd,
            ..options("aes-256-gcm")
        };
        let bytes = sealed(&content(100_000), &sealing, 6);
        let limited = OpenOptions {
            most: 99_999,
            ..OpenOptions::default()
        };
        let mut output = Vec::new();
        let result =
            unlocked(&bytes)
                .unwrap()
                .open_to(&bytes[..], &mut output, &limited, &mut |_| Ok(()));
        assert!(
            matches!(result, Err(strongbox::Error::Inflated(99_999))),
            "{result:?}"
        );
        assert!(output.len() <= 99_999);
    }
}

#[test]
fn senders_are_checked() {
    use strongbox::{Error, SigningKey};
    let signed = SealOptions {
        sender: Some(signing_key()),
        ..options("aes-256-gcm")
    };
    let verify = |bytes: &[u8], sender: &SigningKey| {
        let options = OpenOptions {
            senders: vec![sender.sender()],
            ..OpenOptions::default()
        };
        unlocked(bytes)
            .unwrap()
            .verify(bytes, &options, &mut |_| Ok(()))
    };
    let bytes = sealed(b"content", &signed, 7);
    let opened = verify(&bytes, &signing_key()).unwrap();
    assert_eq!(opened.sender, Some(signing_key().sender()));
    let other = verify(&bytes, &SigningKey::new([1; 32]));
    assert!(matches!(other, Err(Error::OtherSender(_))));
    let bytes = sealed(b"content", &options("aes-256-gcm"), 7);
    assert!(matches!(
        verify(&bytes, &signing_key()),
        Err(Error::Unsigned)
    ));
}
