//! Damaged files: each kind of damage has its error, and no byte is released that is not genuine.

use strongbox::{CHUNK, Error, SealOptions};

use super::support::{content, open_at, open_stream, options, sealed, signing_key, unlocked};

const SEALED: usize = CHUNK + 16;

/// Where the first chunk of a strongbox begins.
fn first_chunk(bytes: &[u8]) -> usize {
    u32::from_be_bytes(bytes[12..16].try_into().unwrap()) as usize + 56
}

/// Opens damaged bytes in both ways. Both must fail, and write nothing but a beginning of the
/// content.
fn fails(bytes: &[u8], genuine: &[u8], what: &str) -> Error {
    for threads in [1, 3] {
        let (output, opened) = open_stream(bytes, threads);
        assert!(opened.is_err(), "{what}: as a stream");
        assert!(
            genuine.starts_with(&output),
            "{what}: a stream released more"
        );
    }
    let (output, opened) = open_at(bytes, 2);
    assert!(genuine.starts_with(&output), "{what}: a file released more");
    opened.expect_err(what)
}

#[test]
fn every_flipped_byte_is_noticed() {
    let signed = SealOptions {
        sender: Some(signing_key()),
        ..options("aes-256-gcm")
    };
    for options in [
        options("aes-256-gcm"),
        options("aes+twofish+serpent"),
        signed,
    ] {
        let genuine = content(300);
        let bytes = sealed(&genuine, &options, 1);
        let mut changed = bytes.clone();
        for place in 0..bytes.len() {
            for bit in [0x01, 0x80] {
                changed[place] ^= bit;
                let error = fails(&changed, &genuine, &format!("byte {place}"));
                let chunk = first_chunk(&bytes);
                if (chunk..chunk + 300).contains(&place) {
                    assert!(
                        matches!(error, Error::Damaged { chunk: 0 }),
                        "byte {place}: {error}"
                    );
                }
                changed[place] ^= bit;
            }
        }
    }
}

#[test]
fn every_truncation_is_noticed() {
    let genuine = content(300);
    let bytes = sealed(&genuine, &options("aes-256-gcm"), 1);
    for length in 0..bytes.len() {
        let error = fails(&bytes[..length], &genuine, &format!("{length} bytes"));
        match length {
            0 => assert!(matches!(error, Error::NotStrongbox)),
            _ => assert!(matches!(error, Error::Truncated), "{length} bytes: {error}"),
        }
    }
}

#[test]
fn truncation_of_a_longer_file_is_told() {
    let genuine = content(40 * CHUNK);
    let bytes = sealed(&genuine, &options("xchacha20-poly1305"), 1);
    let start = first_chunk(&bytes);
    for length in [
        start,
        start + 1,
        start + SEALED,
        start + 20 * SEALED,
        start + 20 * SEALED + 777,
        bytes.len() - 40,
        bytes.len() - 1,
    ] {
        let error = fails(&bytes[..length], &genuine, &format!("{length} bytes"));
        assert!(matches!(error, Error::Truncated), "{length} bytes: {error}");
    }
}

#[test]
fn extension_is_told() {
    for chunks in [0, 1, 30] {
        let genuine = content(chunks * CHUNK + 5);
        let bytes = sealed(&genuine, &options("aes-256-gcm"), 1);
        for more in [1, 16, 56, 1000, SEALED, 3 * SEALED] {
            let mut longer = bytes.clone();
            longer.extend(content(more));
            let error = fails(&longer, &genuine, &format!("{more} bytes more"));
            assert!(
                matches!(error, Error::Extended { bytes } if bytes == more as u64),
                "{error}"
            );
        }
        let twice = [&bytes[..], &bytes].concat();
        let error = fails(&twice, &genuine, "the file twice");
        // The second copy ends with the right end record.
        assert!(
            matches!(error, Error::Length { missing: false, .. }),
            "{error}"
        );
    }
}

#[test]
fn moved_chunks_are_told() {
    let genuine = content(10 * CHUNK + 5);
    for suite in ["aes-256-gcm", "serpent-256-eax"] {
        let bytes = sealed(&genuine, &options(suite), 1);
        let start = first_chunk(&bytes);
        let chunk = |number: usize| start + number * SEALED..start + (number + 1) * SEALED;
        let mut swapped = bytes.clone();
        swapped[chunk(3)].copy_from_slice(&bytes[chunk(7)]);
        swapped[chunk(7)].copy_from_slice(&bytes[chunk(3)]);
        let error = fails(&swapped, &genuine, "swapped");
        assert!(
            matches!(error, Error::Reordered { chunk: 3, holds: 7 }),
            "{error}"
        );
        let mut repeated = bytes.clone();
        repeated[chunk(4)].copy_from_slice(&bytes[chunk(3)]);
        let error = fails(&repeated, &genuine, "repeated");
        assert!(
            matches!(error, Error::Reordered { chunk: 4, holds: 3 }),
            "{error}"
        );
        let mut removed = bytes.clone();
        removed.drain(chunk(4));
        let error = fails(&removed, &genuine, "removed");
        assert!(
            matches!(error, Error::Length { bytes, missing: true } if bytes == SEALED as u64),
            "{error}"
        );
        let mut inserted = bytes.clone();
        inserted.splice(chunk(4).start..chunk(4).start, bytes[chunk(4)].to_vec());
        let error = fails(&inserted, &genuine, "inserted");
        assert!(
            matches!(error, Error::Length { missing: false, .. }),
            "{error}"
        );
    }
}

#[test]
fn parts_of_another_file_are_told() {
    let genuine = content(20 * CHUNK + 5);
    let one = sealed(&genuine, &options("aes-256-gcm"), 1);
    let other = sealed(&genuine, &options("aes-256-gcm"), 2);
    let start = first_chunk(&one);
    let mut header = other.clone();
    header[..start - 56].copy_from_slice(&one[..start - 56]);
    let error = fails(&header, &genuine, "another header");
    assert!(matches!(error, Error::Foreign), "{error}");
    let mut one_chunk = one.clone();
    let place = start + 3 * SEALED;
    one_chunk[place..place + SEALED].copy_from_slice(&other[place..place + SEALED]);
    let error = fails(&one_chunk, &genuine, "another file's chunk");
    assert!(matches!(error, Error::Damaged { chunk: 3 }), "{error}");
    let tail = [&one[..place], &other[place..]].concat();
    let error = fails(&tail, &genuine, "another file's tail");
    assert!(matches!(error, Error::Spliced { chunk: 3 }), "{error}");
}

#[test]
fn a_changed_end_record_is_told_from_a_truncation() {
    for length in [0, 300, CHUNK - 1, CHUNK, 5 * CHUNK, 5 * CHUNK + CHUNK - 20] {
        let genuine = content(length);
        let bytes = sealed(&genuine, &options("aes-256-gcm"), 1);
        // The mark, or what is sealed behind it.
        for place in [bytes.len() - 40, bytes.len() - 1] {
            let mut changed = bytes.clone();
            changed[place] ^= 1;
            let error = fails(&changed, &genuine, &format!("byte {place}"));
            assert!(
                matches!(error, Error::EndRecord),
                "{length} bytes, byte {place}: {error}"
            );
        }
    }
}

#[test]
fn flags_and_suite_cannot_be_changed() {
    let genuine = content(100);
    let bytes = sealed(&genuine, &options("aes-256-eax"), 1);
    for (place, value) in [(9, 4), (11, 1), (11, 2), (11, 8)] {
        let mut changed = bytes.clone();
        changed[place] = value;
        let error = fails(&changed, &genuine, "changed options");
        assert!(matches!(error, Error::Foreign), "byte {place}: {error}");
    }
}

#[test]
fn wrong_keys_are_told() {
    use strongbox::{Head, Identity, Keyfile, Limits, Passphrase, Recipient};
    let phrase = Passphrase::new(*b"right");
    let recipient = Recipient::Passphrase(phrase, None, super::support::CHEAP);
    let sealing = SealOptions {
        recipients: vec![recipient],
        ..options("aes-256-gcm")
    };
    let bytes = sealed(b"content", &sealing, 1);
    let unlock = |identity| {
        Head::read_at(&bytes[..])
            .unwrap()
            .unlock(&[identity], &Limits::default())
            .map(drop)
    };
    assert!(unlock(Identity::Passphrase(Passphrase::new(*b"right"), None)).is_ok());
    let wrong = unlock(Identity::Passphrase(Passphrase::new(*b"wrong"), None));
    assert!(matches!(wrong, Err(Error::WrongPassphrase)));
    let other = Identity::Keyfile(Keyfile::read(&mut &b"other"[..]).unwrap());
    assert!(matches!(unlock(other), Err(Error::NoKey(text)) if text == "a passphrase"));
}

#[test]
fn a_range_notices_what_it_reads() {
    let genuine = content(10 * CHUNK + 5);
    let mut bytes = sealed(&genuine, &options("aes-256-gcm"), 1);
    let place = first_chunk(&bytes) + 3 * SEALED;
    bytes[place] ^= 1;
    let unlocked = unlocked(&bytes).unwrap();
    let part = |start: usize, length: usize| {
        let mut part = Vec::new();
        let options = strongbox::OpenOptions::default();
        let read =
            unlocked.open_range(&bytes[..], start as u64, length as u64, &mut part, &options);
        (part, read)
    };
    let (bytes, read) = part(4 * CHUNK + 1, 100);
    assert_eq!(
        (&bytes[..], read.unwrap()),
        (&genuine[4 * CHUNK + 1..][..100], 100)
    );
    let (bytes, read) = part(3 * CHUNK, 1);
    assert!(matches!(read, Err(Error::Damaged { chunk: 3 })));
    assert!(bytes.is_empty());
}

/// Takes so many bytes, and then fails as a full disk does.
struct Full {
    left: usize,
    written: Vec<u8>,
}

impl std::io::Write for Full {
    fn write(&mut self, buffer: &[u8]) -> std::io::Result<usize> {
        let length = buffer.len().min(self.left);
        if length == 0 && !buffer.is_empty() {
            return Err(std::io::ErrorKind::StorageFull.into());
        }
        self.left -= length;
        self.written.extend_from_slice(&buffer[..length]);
        Ok(length)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_disk_that_is_full_at_any_write_is_told() {
    use strongbox::{OpenOptions, Source, System, seal};
    let genuine = content(40 * CHUNK);
    for (zstd, padded) in [(None, false), (Some(1), true)] {
        let sealing = SealOptions {
            zstd,
            padded,
            threads: 3,
            ..options("aes-256-gcm")
        };
        let bytes = sealed(&genuine, &sealing, 1);
        for left in (0..bytes.len()).step_by(bytes.len() / 40) {
            let mut full = Full {
                left,
                written: Vec::new(),
            };
            let mut input = &genuine[..];
            let result = seal(
                Source::Stream(&mut input),
                &mut full,
                &sealing,
                &mut System::new().unwrap(),
                &mut |_| Ok(()),
            );
            assert!(matches!(result, Err(Error::Io(_))), "sealing, {left} bytes");
        }
        for left in (0..genuine.len()).step_by(genuine.len() / 40) {
            let mut full = Full {
                left,
                written: Vec::new(),
            };
            let all = OpenOptions::default();
            let unlocked = unlocked(&bytes).unwrap();
            let result = unlocked.open_to(&bytes[..], &mut full, &all, &mut |_| Ok(()));
            assert!(
                matches!(result, Err(Error::Io(_))),
                "opening, {left} bytes: {result:?}"
            );
            assert!(genuine.starts_with(&full.written));
        }
    }
}
