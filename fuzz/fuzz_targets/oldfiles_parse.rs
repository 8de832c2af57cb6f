//! Encrypted files of other programs, with arbitrary bytes: everything that is read without a
//! secret. The target `oldfiles` opens the files too.
#![no_main]

use std::io::Cursor;

use libfuzzer_sys::fuzz_target;
use oldfiles::{FORMATS, Identity, Recipient, Settings};

fuzz_target!(|data: &[u8]| {
    let settings = Settings::default();
    if let Ok(text) = std::str::from_utf8(data) {
        let _ = Identity::parse(text);
        let _ = Recipient::parse(text);
    }
    let named = oldfiles::identify_file(&mut Cursor::new(data)).expect("memory can be read");
    let all = FORMATS.iter().map(|row| row.format);
    for format in all.filter(|format| named.is_none_or(|named| named == *format)) {
        let _ = oldfiles::inspect(format, &mut Cursor::new(data), &settings);
    }
});
