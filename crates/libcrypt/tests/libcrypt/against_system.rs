//! Compares our libcrypt with the system's libcrypt on the same calls.

use crate::object::{DATA, Libcrypt, Random, SETTINGS, SHARED_KEY, errno, set_errno, terminated};
use libc::{c_char, c_int, c_ulong};
use std::ffi::CStr;
use std::ptr::null;

const ALPHABET: &[u8; 64] = b"./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

fn same(ours: &Libcrypt, system: &Libcrypt, phrase: &[u8], setting: &[u8]) {
    let (made, wanted) = (ours.hash(phrase, setting), system.hash(phrase, setting));
    let setting_text = setting.escape_ascii();
    assert_eq!(
        made,
        wanted,
        "{} under {setting_text}",
        phrase.escape_ascii()
    );
    let text = terminated(setting);
    // SAFETY: the setting is a string.
    let check = |lib: &Libcrypt| unsafe { (lib.checksalt)(text.as_ptr()) };
    assert_eq!(check(ours), check(system), "checksalt of {setting_text}");
}

#[test]
fn all_4096_salts_with_eight_bit_phrases() {
    let (ours, Some(system)) = (Libcrypt::ours(), Libcrypt::system()) else {
        return;
    };
    let mut random = Random(1);
    for first in ALPHABET {
        for second in ALPHABET {
            same(ours, system, &random.phrase(12), &[*first, *second]);
        }
    }
}

#[test]
fn every_setting_of_one_and_two_bytes() {
    let (ours, Some(system)) = (Libcrypt::ours(), Libcrypt::system()) else {
        return;
    };
    for first in 1..=255 {
        same(ours, system, b"phrase", &[first]);
        for second in 1..=255 {
            same(ours, system, b"phrase", &[first, second]);
        }
    }
}

#[test]
fn settings_of_three_bytes_here_and_there() {
    let (ours, Some(system)) = (Libcrypt::ours(), Libcrypt::system()) else {
        return;
    };
    let mut random = Random(2);
    for _ in 0..20_000 {
        let number = random.next().to_le_bytes();
        let setting = [number[0].max(1), number[1].max(1), number[2].max(1)];
        same(ours, system, b"phrase", &setting);
    }
}

#[test]
#[ignore = "takes minutes: make libcrypt-clients"]
fn every_setting_of_three_bytes() {
    let (ours, Some(system)) = (Libcrypt::ours(), Libcrypt::system()) else {
        return;
    };
    for first in 1..=255 {
        for second in 1..=255 {
            for third in 1..=255 {
                same(ours, system, b"phrase", &[first, second, third]);
            }
        }
    }
}

#[test]
fn extended_settings() {
    let (ours, Some(system)) = (Libcrypt::ours(), Libcrypt::system()) else {
        return;
    };
    let mut random = Random(3);
    for i in 0..3000 {
        let mut setting = vec![b'_'];
        setting.extend((0..8).map(|_| ALPHABET[(random.next() % 64) as usize]));
        // The counts are below 256, to save time.
        setting[2] = ALPHABET[(random.next() % 4) as usize];
        setting[3..5].copy_from_slice(b"..");
        match i % 10 {
            0 => setting.truncate((random.next() % 9) as usize + 1),
            1 => setting[(random.next() % 9) as usize] = (random.next() % 255) as u8 + 1,
            2 => setting.extend(b"more"),
            // Some settings have a count of 0.
            3 => setting[1..5].copy_from_slice(b"...."),
            _ => {}
        }
        same(ours, system, &random.phrase(40), &setting);
    }
}

#[test]
fn phrases_of_every_length_under_every_method() {
    let (ours, Some(system)) = (Libcrypt::ours(), Libcrypt::system()) else {
        return;
    };
    let mut random = Random(4);
    for setting in SETTINGS {
        for len in (0..140)
            .step_by(11)
            .chain([8, 16, 63, 64, 65, 72, 73, 128, 511, 512])
        {
            let phrase: Vec<u8> = (0..len).map(|_| (random.next() % 255) as u8 + 1).collect();
            same(ours, system, &phrase, setting.as_bytes());
        }
    }
}

#[test]
fn hashes_cut_and_garbled() {
    let (ours, Some(system)) = (Libcrypt::ours(), Libcrypt::system()) else {
        return;
    };
    for setting in SETTINGS {
        let whole = system.hash(b"phrase", setting.as_bytes()).0;
        for end in (0..=setting.len() + 3).chain([whole.len() - 1, whole.len()]) {
            let end = end.min(whole.len());
            same(ours, system, b"phrase", &whole.as_bytes()[..end]);
        }
        // Digits and letters are left out, because a changed cost could take hours or
        // gigabytes.
        for at in 0..whole.len() {
            // Few methods read the text after the setting, so the test tries fewer characters
            // there.
            let more = if at <= setting.len() { 6 } else { 0 };
            for wrong in [b'!', b',', b'$', b'.', b'+', b'~', 0xff]
                .into_iter()
                .take(1 + more)
            {
                let mut garbled = whole.as_bytes().to_vec();
                garbled[at] = wrong;
                same(ours, system, b"phrase", &garbled);
            }
        }
        let mut longer = whole.clone().into_bytes();
        for more in ["$", "x", "$x", ":"] {
            longer.extend(more.bytes());
            same(ours, system, b"phrase", &longer);
        }
        while longer.len() < 380 {
            longer.push(b'x');
        }
        // For `$sha1` libxcrypt writes past the end of the output here.
        let safe = !setting.starts_with("$sha1");
        for end in [330, 338, 339, 340, 341, 360, 361, 362, 380] {
            if safe {
                same(ours, system, b"phrase", &longer[..end]);
            }
        }
    }
}

#[test]
fn the_whole_struct() {
    let (ours, Some(system)) = (Libcrypt::ours(), Libcrypt::system()) else {
        return;
    };
    for setting in SETTINGS.iter().chain(&["$1$*", "$9$", "$2b$99$"]) {
        let setting = terminated(setting.as_bytes());
        let run = |lib: &Libcrypt| {
            let mut data = vec![0x5a_u8; DATA];
            // SAFETY: the arguments are strings and data of the right size.
            unsafe {
                (lib.crypt_r)(
                    c"phrase".as_ptr(),
                    setting.as_ptr(),
                    data.as_mut_ptr().cast(),
                )
            };
            // The contents of the output after the hash are unspecified.
            let end = data.iter().position(|&b| b == 0).unwrap_or(0);
            data[end..384].fill(0);
            // libxcrypt wipes all of its scratch space; ours wipes only the 8 bytes of
            // the key.
            data.truncate(2048 + 8);
            data
        };
        assert!(run(ours) == run(system), "{setting:?}");
    }
}

#[test]
fn gensalt_for_all_prefixes_counts_and_sizes() {
    let (ours, Some(system)) = (Libcrypt::ours(), Libcrypt::system()) else {
        return;
    };
    let prefixes = [
        None,
        Some("$y$"),
        Some("$gy$"),
        Some("$7$"),
        Some("$2b$"),
        Some("$2a$"),
        Some("$2x$"),
        Some("$2y$"),
        Some("$6$"),
        Some("$5$"),
        Some("$sha1"),
        Some("$md5"),
        Some("$1$"),
        Some("$3$"),
        Some("_"),
        Some(""),
        Some("ab"),
        Some("abababababababababab"),
        Some("$"),
        Some("$8$"),
        Some("!"),
        Some("a"),
        Some("$y$*"),
        Some("$sha1$1$x"),
    ];
    let counts: &[c_ulong] = &[
        0,
        1,
        2,
        3,
        4,
        5,
        6,
        7,
        11,
        12,
        25,
        31,
        32,
        99,
        100,
        725,
        726,
        999,
        1000,
        1001,
        4999,
        5000,
        5001,
        9999,
        10000,
        32767,
        32768,
        65536,
        99_999,
        999_999_999,
        1_000_000_000,
        0xff_fffe,
        0xff_ffff,
        0x100_0000,
        0xfffe_ffff,
        0xffff_ffff,
        0x1_0000_0000,
        c_ulong::MAX,
    ];
    let mut random = Random(5);
    let bytes: Vec<u8> = (0..256).map(|_| random.next() as u8).collect();
    for prefix in prefixes {
        let text = prefix.map(|prefix| terminated(prefix.as_bytes()));
        let text = text.as_ref().map_or(null(), |text| text.as_ptr());
        let run = |lib: &Libcrypt, count, random: &[u8], size: c_int| {
            let mut output = vec![0x5a_u8; 256];
            set_errno(0);
            // SAFETY: the output is larger than any size in this test.
            let made = unsafe {
                let (bytes, len) = (random.as_ptr().cast::<c_char>(), random.len() as c_int);
                let made =
                    (lib.gensalt_rn)(text, count, bytes, len, output.as_mut_ptr().cast(), size);
                !made.is_null()
            };
            let code = if made { 0 } else { errno() };
            // The contents of the output after the setting are unspecified.
            if let Some(end) = output.iter().position(|&b| b == 0) {
                output[end..].fill(0);
            }
            (made, code, output)
        };
        let check = |count, random: &[u8], size| {
            let (made, wanted) = (
                run(ours, count, random, size),
                run(system, count, random, size),
            );
            assert!(
                made == wanted,
                "{prefix:?} {count} {} {size}: {} {} {} instead of {} {} {}",
                random.len(),
                made.0,
                made.1,
                made.2.escape_ascii(),
                wanted.0,
                wanted.1,
                wanted.2.escape_ascii(),
            );
        };
        for &count in counts {
            for len in [0, 1, 2, 3, 4, 8, 9, 15, 16, 17, 20, 24, 63, 64, 65, 90] {
                check(count, &bytes[..len], 192);
            }
        }
        for size in -1..=192 {
            // For these prefixes libxcrypt aborts on some sizes that are a little too
            // small.
            let aborts = ["$1$", "$5$", "$6$"].map(Some).contains(&prefix);
            if !aborts || !(8..=24).contains(&size) {
                check(0, &bytes[..64], size);
                check(5000, &bytes[..20], size);
                check(7, &bytes[..16], size);
            }
        }
    }
}

#[test]
fn setkey_and_encrypt() {
    let _turn = SHARED_KEY.lock();
    let (ours, Some(system)) = (Libcrypt::ours(), Libcrypt::system()) else {
        return;
    };
    let mut random = Random(6);
    let mut bits = || -> Vec<u8> { (0..64).map(|_| random.next() as u8).collect() };
    for i in 0..500 {
        let (key, block) = (bits(), bits());
        let run = |lib: &Libcrypt| {
            let (mut one, mut two) = (block.clone(), block.clone());
            let mut data = vec![0u8; DATA];
            // SAFETY: each block has 64 bytes, and the data has the right size.
            unsafe {
                let data = data.as_mut_ptr().cast();
                if i > 0 {
                    (lib.setkey)(key.as_ptr().cast());
                    (lib.setkey_r)(key.as_ptr().cast(), data);
                }
                (lib.encrypt)(one.as_mut_ptr().cast(), i % 2);
                (lib.encrypt_r)(two.as_mut_ptr().cast(), i % 2, data);
            }
            assert_eq!(one, two);
            one
        };
        assert_eq!(run(ours), run(system));
    }
}

#[test]
fn static_and_allocated_forms() {
    let (ours, Some(system)) = (Libcrypt::ours(), Libcrypt::system()) else {
        return;
    };
    for setting in SETTINGS {
        let text = terminated(setting.as_bytes());
        let run = |lib: &Libcrypt| {
            // SAFETY: the arguments are strings, and crypt_ra allocates the data.
            unsafe {
                let (mut place, mut size) = (std::ptr::null_mut(), 0);
                let (phrase, setting) = (c"phrase".as_ptr(), text.as_ptr());
                let hash = (lib.crypt_ra)(phrase, setting, &mut place, &mut size);
                assert!(!hash.is_null(), "{text:?}");
                let hash = CStr::from_ptr(hash).to_owned();
                libc::free(place);
                (hash, size)
            }
        };
        assert_eq!(run(ours), run(system));
        let salt = |lib: &Libcrypt| {
            // SAFETY: the arguments are a string and 64 random bytes, and the result is memory
            // from malloc.
            unsafe {
                let prefix = text.as_ptr();
                let made = (lib.gensalt_ra)(prefix, 0, [7; 64].as_ptr(), 64);
                let copy = (!made.is_null()).then(|| CStr::from_ptr(made).to_owned());
                libc::free(made.cast());
                copy
            }
        };
        assert_eq!(salt(ours), salt(system));
    }
}
