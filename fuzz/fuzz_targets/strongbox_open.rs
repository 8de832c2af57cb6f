//! Changed strongboxes: whatever is changed, what is released is a beginning of the content, and
//! the content is complete only if nothing was changed. As a file, as a stream and in pieces.
#![no_main]

use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use strongbox::push::Opener;
use strongbox::{
    Head, Identity, Keyfile, Limits, OpenOptions, Recipient, SealOptions, SigningKey, Source,
    Suite, System, seal,
};
use touchstone_fuzz::Input;

fn keyfile() -> Keyfile {
    Keyfile::read(&mut &b"keyfile"[..]).unwrap()
}

fn content() -> Vec<u8> {
    (0..40_000u32).map(|i| (i % 251) as u8).collect()
}

/// Strongboxes of all kinds of contents.
fn sealed() -> &'static [Vec<u8>] {
    static SEALED: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    SEALED.get_or_init(|| {
        let kinds = [
            (false, false, false),
            (true, false, false),
            (false, true, true),
        ];
        let kinds = kinds.map(|(zstd, padded, signed)| {
            let options = SealOptions {
                suite: Suite::by_name("aes-256-gcm").unwrap(),
                zstd: zstd.then_some(1),
                padded,
                sender: signed.then(|| SigningKey::new([7; 32])),
                threads: 1,
                ..SealOptions::new(vec![Recipient::Keyfile(keyfile())])
            };
            let mut output = Vec::new();
            let mut random = System::new().unwrap();
            let genuine = content();
            let mut stream = &genuine[..];
            let source = Source::Stream(&mut stream);
            seal(source, &mut output, &options, &mut random, &mut |_| Ok(())).unwrap();
            output
        });
        kinds.into()
    })
}

fuzz_target!(|data: &[u8]| {
    let mut input = Input::new(data);
    let all = sealed();
    let original = &all[input.under(all.len())];
    let mut bytes = original.clone();
    for _ in 0..input.under(4) {
        let place =
            (usize::from(input.byte()) << 8 | usize::from(input.byte())) % bytes.len().max(1);
        match input.under(5) {
            0 if !bytes.is_empty() => bytes[place] ^= input.byte(),
            1 => bytes.truncate(place),
            2 => {
                let length = input.under(20_000);
                let piece = bytes[place..]
                    .iter()
                    .copied()
                    .take(length)
                    .collect::<Vec<u8>>();
                let to = input.under(bytes.len() + 1);
                bytes.splice(to..to, piece);
            }
            3 => {
                let end = (place + input.under(20_000)).min(bytes.len());
                bytes.drain(place..end);
            }
            _ => {
                let length = input.under(100);
                let more = input.bytes(length);
                bytes.extend(more);
            }
        }
    }
    let same = bytes == *original;
    let genuine = content();
    let options = OpenOptions {
        threads: 1,
        ..OpenOptions::default()
    };
    let identities = || vec![Identity::Keyfile(keyfile())];
    let limits = Limits::default();

    let mut output = Vec::new();
    let opened = Head::read_at(&bytes[..])
        .and_then(|head| head.unlock(&identities(), &limits))
        .and_then(|head| head.open_to(&bytes[..], &mut output, &options, &mut |_| Ok(())));
    assert_eq!(opened.is_ok(), same);
    assert!(genuine.starts_with(&output) && (!same || output == genuine));

    let (mut stream, mut output) = (&bytes[..], Vec::new());
    let opened = Head::read(&mut stream)
        .and_then(|head| head.unlock(&identities(), &limits))
        .and_then(|head| head.open_stream(&mut stream, &mut output, &options, &mut |_| Ok(())));
    assert_eq!(opened.is_ok(), same);
    assert!(genuine.starts_with(&output));

    let mut output = Vec::new();
    let mut opener = Opener::new(identities(), limits, options);
    let size = 1 + input.under(60_000);
    let added = bytes
        .chunks(size)
        .try_for_each(|piece| opener.update(piece, &mut output));
    let opened = added.and_then(|()| opener.finish(&mut output));
    assert_eq!(opened.is_ok(), same);
    assert!(genuine.starts_with(&output));
});
