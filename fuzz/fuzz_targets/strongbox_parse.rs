//! Everything of a strongbox that is read before a key is known: header, armor, keys as text,
//! SSH keys. No input may panic, and nothing may be kept that the input does not pay for.
#![no_main]

use std::io::Read;

use libfuzzer_sys::fuzz_target;
use strongbox::{Error, Head, Identity, Keyfile, Limits, Passphrase, armor, text};

fuzz_target!(|data: &[u8]| {
    if let Ok(head) = Head::read(&mut &data[..]) {
        let (size, room) = head.sizes();
        assert!(size <= data.len() && room <= size);
        let _ = (head.describe(), head.flags().names(), head.suite());
        assert!(head.needs().len() * 3 <= size);
        let keyfile = Keyfile::read(&mut &b"keyfile"[..]).unwrap();
        let identities = [
            Identity::Keyfile(keyfile.clone()),
            Identity::Passphrase(Passphrase::new(*b"phrase"), Some(keyfile)),
        ];
        // Cheap costs alone.
        let limits = Limits {
            memory: 64,
            work: 64,
        };
        assert!(head.unlock(&identities, &limits).is_err());
    }
    let mut bytes = Vec::new();
    if armor::Reader::new(data).read_to_end(&mut bytes).is_ok() {
        assert!(bytes.len() < data.len());
        let mut writer = armor::Writer::new(Vec::new());
        std::io::Write::write_all(&mut writer, &bytes).unwrap();
        let again = writer.finish().unwrap();
        let mut same = Vec::new();
        armor::Reader::new(&again[..])
            .read_to_end(&mut same)
            .unwrap();
        assert_eq!(same, bytes);
    }
    if let Ok(line) = std::str::from_utf8(data) {
        if let Ok(recipient) = text::parse_recipient(line) {
            let written = text::recipient(&recipient).unwrap();
            let again = text::parse_recipient(&written).unwrap();
            assert_eq!(text::recipient(&again).unwrap(), written);
        }
        let _ = text::parse_sender(line);
        // A passphrase would cost thousands of rounds of bcrypt.
        let _ = text::parse_keys(line, &mut || Err(Error::WrongPassphrase));
    }
});
