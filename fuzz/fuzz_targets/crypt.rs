//! crypt(3) and its family, with arbitrary phrases, and settings that are right or nearly
//! right. A call that fails must give a failure token, and no call may write outside of its
//! buffer. All functions of the family must agree. If the system's libcrypt is libxcrypt,
//! its hashes must be the same.
#![no_main]

use core::ffi::{CStr, c_char, c_int, c_ulong, c_void};
use libfuzzer_sys::fuzz_target;
use std::ffi::CString;
use std::ptr::null_mut;
use std::sync::OnceLock;
use touchstone_fuzz::Input;
use touchstone_libcrypt::*;
use touchstone_password::Method;

/// Settings that the target starts from and changes. All of them are cheap.
const SETTINGS: [&str; 16] = [
    "",
    "ab",
    "abababababababababab",
    "_/...CCCC",
    "$1$abcdefgh",
    "$3$",
    "$5$rounds=1000$saltstring",
    "$6$rounds=1001$saltstring",
    "$2a$04$abcdefghijklmnopqrstuu",
    "$2b$04$abcdefghijklmnopqrstuv",
    "$2x$04$abcdefghijklmnopqrstuu",
    "$sha1$12$GGXpNqoJvglVTkGU",
    "$md5,rounds=12$9ZLwtuTO$",
    "$7$2/..../....SodiumChloride",
    "$y$j75$LdJMENpBABJJ3hIHjB1Bi.",
    "$gy$j75$LdJMENpBABJJ3hIHjB1Bi.",
];

/// Whether a setting asks for no more than a few milliseconds and megabytes.
fn affordable(setting: &[u8]) -> bool {
    // A number of rounds in digits has at most three digits.
    let few = |text: &[u8]| {
        let digits = text.split(|c| !c.is_ascii_digit());
        digits.map(<[u8]>::len).max().unwrap_or(0) <= 3
    };
    match Method::identify(setting) {
        Some(Method::DesExtended) => setting.get(3..5).is_none_or(|high| high == b".."),
        Some(Method::BcryptA | Method::BcryptB | Method::BcryptX | Method::BcryptY) => {
            setting.get(4..6).is_none_or(|cost| cost <= b"05")
        }
        Some(Method::Sha256 | Method::Sha512) => {
            let rounds = setting[3..].strip_prefix(b"rounds=");
            rounds.is_none_or(|text| text.iter().take_while(|c| c.is_ascii_digit()).count() <= 4)
        }
        Some(Method::Sha1) => few(setting
            .get(6..)
            .unwrap_or_default()
            .split(|&c| c == b'$')
            .next()
            .unwrap_or_default()),
        Some(Method::SunMd5) => few(setting
            .get(5..)
            .unwrap_or_default()
            .split(|&c| c == b'$')
            .next()
            .unwrap_or_default()),
        Some(Method::Scrypt) => setting
            .get(3..14)
            .is_none_or(|cost| cost.starts_with(b"2/..../....")),
        Some(Method::Yescrypt) => setting.starts_with(b"$y$j75$"),
        Some(Method::GostYescrypt) => setting.starts_with(b"$gy$j75$"),
        _ => true,
    }
}

type CryptR = unsafe extern "C" fn(*const c_char, *const c_char, *mut c_void) -> *mut c_char;

/// libxcrypt's crypt_r, if the system has it.
fn system() -> Option<CryptR> {
    static FOUND: OnceLock<Option<CryptR>> = OnceLock::new();
    *FOUND.get_or_init(|| {
        // SAFETY: strings; the symbol has this type in every libxcrypt.
        unsafe {
            let library =
                libc::dlopen(c"libcrypt.so.1".as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL);
            if library.is_null() {
                eprintln!("no libcrypt.so.1 to compare with");
                return None;
            }
            let symbol = libc::dlvsym(library, c"crypt_r".as_ptr(), c"XCRYPT_2.0".as_ptr());
            (!symbol.is_null()).then(|| std::mem::transmute::<*mut c_void, CryptR>(symbol))
        }
    })
}

const SIZE: usize = size_of::<CryptData>();

fn text(bytes: Vec<u8>) -> CString {
    let end = bytes.iter().position(|&c| c == 0).unwrap_or(bytes.len());
    CString::new(&bytes[..end]).unwrap_or_default()
}

/// # Safety
///
/// A string.
unsafe fn read(hash: *const c_char) -> Vec<u8> {
    assert!(!hash.is_null());
    // SAFETY: the caller's promise.
    unsafe { CStr::from_ptr(hash) }.to_bytes().to_vec()
}

fuzz_target!(|data: &[u8]| {
    let mut input = Input::new(data);
    match input.byte() % 4 {
        0 => gensalt(&mut input),
        _ => hash(&mut input),
    }
});

fn hash(input: &mut Input<'_>) {
    let seed = SETTINGS[input.under(SETTINGS.len())];
    let mut setting = seed.as_bytes().to_vec();
    // Adds or replaces a few bytes, or cuts the setting.
    for _ in 0..input.under(4) {
        let at = input.under(setting.len() + 1);
        match input.byte() % 3 {
            0 => setting.insert(at, input.byte()),
            1 => setting.truncate(at),
            _ => setting
                .splice(
                    at.min(setting.len())..(at + 1).min(setting.len()),
                    [input.byte()],
                )
                .for_each(drop),
        }
    }
    let extra = input.under(400);
    if input.byte() & 7 == 0 {
        setting.resize(setting.len() + extra, b'x');
    }
    let length = input.under(530);
    let phrase = text(input.bytes(length));
    let setting = text(setting);
    let known = setting.to_bytes();
    if !affordable(known) {
        return;
    }
    let (p, s) = (phrase.as_ptr(), setting.as_ptr());
    let mut data = vec![0x5a_u8; SIZE];
    // SAFETY: two strings, and data of the size that crypt_r needs.
    let made = unsafe { read(touchstone_libcrypt_crypt_r(p, s, data.as_mut_ptr().cast())) };
    let token: &[u8] = if known.starts_with(b"*0") {
        b"*1"
    } else {
        b"*0"
    };
    assert!(
        made == token || made.len() >= 13 && made[0] != b'*',
        "{made:?}"
    );
    assert!(data[384..2048].iter().all(|&b| b == 0x5a));
    // SAFETY: the same.
    unsafe {
        assert_eq!(read(touchstone_libcrypt_crypt(p, s)), made);
        let mut data = vec![0u8; SIZE];
        let place: *mut c_void = data.as_mut_ptr().cast();
        let hash = touchstone_libcrypt_crypt_rn(p, s, place, SIZE as c_int);
        assert_eq!(hash.is_null(), made == token);
        assert_eq!(read(place.cast()), made);
        let (mut place, mut size) = (null_mut(), 0);
        let hash = touchstone_libcrypt_crypt_ra(p, s, &mut place, &mut size);
        assert_eq!(hash.is_null(), made == token);
        assert_eq!(read(place.cast()), made);
        libc::free(place);
        let check = touchstone_libcrypt_crypt_checksalt(s);
        assert!(matches!(check, 0 | 1 | 3));
        assert!(
            check != 1 || made == token,
            "a hash under what is no setting"
        );
    }
    // A longer hash is not used as a setting: no room for a result is left behind it, so it
    // is refused, as in libxcrypt.
    if made != token && made.len() < 300 {
        // With the hash as the setting, the result is the same hash. The exception is bigcrypt
        // of one segment, because such a hash is as long as a traditional hash.
        let again = text(made.clone());
        // SAFETY: the same.
        let same = unsafe { read(touchstone_libcrypt_crypt(p, again.as_ptr())) };
        assert!(
            same == made || Method::identify(&made) == Some(Method::Des),
            "{same:?}"
        );
    }
    // For these settings libxcrypt is known to differ, or to write past its output.
    let differs = known.starts_with(b"$sha1") || known.len() > 330;
    if let (Some(crypt_r), false) = (system(), differs) {
        let mut data = vec![0u8; SIZE];
        // SAFETY: the same.
        let theirs = unsafe { read(crypt_r(p, s, data.as_mut_ptr().cast())) };
        assert_eq!(
            made.escape_ascii().to_string(),
            theirs.escape_ascii().to_string()
        );
    }
}

fn gensalt(input: &mut Input<'_>) {
    let seed = SETTINGS[input.under(SETTINGS.len())];
    let cut = input.under(8);
    let mut prefix = seed.as_bytes()[..cut.min(seed.len())].to_vec();
    if input.byte() & 3 == 0 {
        prefix.push(input.byte());
    }
    let prefix = text(prefix);
    let count = match input.byte() % 3 {
        0 => 0,
        1 => c_ulong::from(input.byte()),
        _ => c_ulong::from_le_bytes(input.bytes(8).try_into().unwrap_or_default()),
    };
    let number = input.under(80);
    let random = input.bytes(number);
    let size = input.under(256);
    // The buffer has exactly the size that the call states, so that a write past its end
    // can be noticed.
    let mut output = vec![0x5a_u8; size].into_boxed_slice();
    // SAFETY: a string, and bytes and a buffer of the stated sizes.
    let made = unsafe {
        touchstone_libcrypt_crypt_gensalt_rn(
            prefix.as_ptr(),
            count,
            random.as_ptr().cast(),
            number as c_int,
            output.as_mut_ptr().cast(),
            size as c_int,
        )
    };
    let end = output.iter().position(|&c| c == 0);
    if made.is_null() {
        let token: &[u8] = &b"*0"[..size.saturating_sub(1).min(2)];
        assert!(size == 0 || end.map(|end| &output[..end]) == Some(token));
        return;
    }
    let setting = &output[..end.expect("a string")];
    assert!(Method::identify(setting).is_some(), "{setting:?}");
    if affordable(setting) {
        let setting = text(setting.to_vec());
        // SAFETY: strings.
        let hash = unsafe {
            read(touchstone_libcrypt_crypt(
                c"phrase".as_ptr(),
                setting.as_ptr(),
            ))
        };
        assert!(
            hash.starts_with(setting.to_bytes()) || hash.len() > 13,
            "{hash:?}"
        );
    }
}
