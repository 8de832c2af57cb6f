//! Encrypted files of other programs, with arbitrary bytes: all formats are named, inspected and
//! opened. No call may panic or use much time or memory, and an archive's names stay in the
//! folder of the extraction. The seeds are genuine files.
#![no_main]

use std::io::Cursor;

use libfuzzer_sys::fuzz_target;
use oldfiles::{Derivation, FORMATS, Format, Identity, Memory, Secrets, Settings};

/// Caps that an input reaches within milliseconds.
fn settings() -> Settings {
    let mut settings = Settings {
        accept_unauthenticated: true,
        ..Settings::default()
    };
    settings.limits.plaintext = 1 << 20;
    settings.limits.iterations = 2000;
    settings.limits.memory = 1 << 20;
    settings.limits.entries = 100;
    settings.openssl.cipher = Some("aes-256-cbc".to_owned());
    settings.openssl.derivation = Some(Derivation::BytesToKey {
        digest: "sha256".to_owned(),
    });
    settings
}

fn open(format: Format, data: &[u8], secrets: &Secrets, settings: &Settings) {
    let mut output = Memory::default();
    let opened = oldfiles::open(
        format,
        &mut Cursor::new(data),
        &mut output,
        secrets,
        settings,
    );
    if let Ok(report) = opened {
        let size: usize = output.entries.iter().map(|entry| entry.1.len()).sum();
        assert_eq!(report.size(), size as u64);
        assert_eq!(report.written.len(), output.entries.len());
    }
    for name in output
        .entries
        .iter()
        .filter_map(|(entry, _)| entry.name.as_ref())
    {
        let bad = |part: &str| matches!(part, "" | "." | "..") || part.contains(['\\', ':', '\0']);
        assert!(!name.split('/').any(bad), "{name:?}");
    }
}

fuzz_target!(|data: &[u8]| {
    let settings = settings();
    let mut secrets = Secrets::passphrase("test1234");
    let key = "AGE-SECRET-KEY-1XMWWC06LY3EE5RYTXM9MFLAZ2U56JJJ36S0MYPDRWSVLUL66MV4QX3S7F6";
    secrets.identities.extend(Identity::parse(key));
    if let Ok(text) = std::str::from_utf8(data) {
        let _ = Identity::parse_file(text, None);
        let _ = oldfiles::Recipient::parse(text);
    }
    match oldfiles::identify(data) {
        Some(format) => {
            let _ = oldfiles::inspect(format, &mut Cursor::new(data), &settings);
            open(format, data, &secrets, &settings);
        }
        // A file that no format claims is offered to all of them.
        None => {
            for row in FORMATS {
                let _ = oldfiles::inspect(row.format, &mut Cursor::new(data), &settings);
                open(row.format, data, &secrets, &settings);
            }
        }
    }
});
