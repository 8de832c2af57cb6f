//! Tests the contract of the functions, without the hashes: results for bad input, the memory
//! that the functions read and write, and threads.

use crate::fips46;
use crate::object::{DATA, Libcrypt, Random, SETTINGS, SHARED_KEY, errno, set_errno, terminated};
use libc::{EINVAL, ENOMEM, ERANGE, c_char, c_int, c_long, c_void};
use std::ffi::CStr;
use std::ptr::{null, null_mut};
use std::thread;

#[test]
fn bad_input_gives_failure_tokens() {
    let lib = Libcrypt::ours();
    let long = "x".repeat(512);
    let longest = "x".repeat(511);
    for (phrase, setting, token, code) in [
        ("a", "", "*0", EINVAL),
        ("a", "a", "*0", EINVAL),
        ("a", "*0", "*1", EINVAL),
        ("a", "*1", "*0", EINVAL),
        ("a", "*", "*0", EINVAL),
        ("a", "!b", "*0", EINVAL),
        ("a", "a!", "*0", EINVAL),
        ("a", "ab:", "*0", EINVAL),
        ("a", "ab\\", "*0", EINVAL),
        ("a", "ab cd", "*0", EINVAL),
        ("a", "ab\n", "*0", EINVAL),
        ("a", "ab\u{7f}", "*0", EINVAL),
        ("a", "ab\u{e9}", "*0", EINVAL),
        ("a", "_", "*0", EINVAL),
        ("a", "_J9..abc", "*0", EINVAL),
        ("a", "_J9..ab,d", "*0", EINVAL),
        ("a", "$", "*0", EINVAL),
        ("a", "$0$abc", "*0", EINVAL),
        ("a", "$2$05$abcdefghijklmnopqrstuu", "*0", EINVAL),
        ("a", "$2c$05$abcdefghijklmnopqrstuu", "*0", EINVAL),
        ("a", "$2b$03$abcdefghijklmnopqrstuu", "*0", EINVAL),
        ("a", "$2b$32$abcdefghijklmnopqrstuu", "*0", EINVAL),
        ("a", "$2b$05$abcdefghijklmnopqrstu", "*0", EINVAL),
        ("a", "$2b$05$abcdefghijklmnopqrst+u", "*0", EINVAL),
        ("a", "$5$rounds=999$abc", "*0", EINVAL),
        ("a", "$5$rounds=1000000000$abc", "*0", EINVAL),
        ("a", "$6$rounds=05000$abc", "*0", EINVAL),
        ("a", "$6$rounds=5000", "*0", EINVAL),
        ("a", "$sha1$12", "*0", EINVAL),
        ("a", "$sha1$12$", "*0", EINVAL),
        ("a", "$sha1$-1$abc", "*0", EINVAL),
        ("a", "$md5", "*0", EINVAL),
        ("a", "$md5,rounds=0$abc", "*0", EINVAL),
        ("a", "$7$", "*0", EINVAL),
        ("a", "$7$66..../...", "*0", EINVAL),
        ("a", "$y$", "*0", EINVAL),
        ("a", "$y$j9T", "*0", EINVAL),
        ("a", "$y$k9T$abcd", "*0", EINVAL),
        ("a", "$gy$", "*0", EINVAL),
        // The setting needs more memory than any machine has.
        ("a", "$7$T...2./....salt", "*0", ENOMEM),
        (&long, "ab", "*0", ERANGE),
        (&long, "*0", "*1", ERANGE),
        (&longest, "*0", "*1", EINVAL),
    ] {
        let made = lib.hash(phrase.as_bytes(), setting.as_bytes());
        assert_eq!(made, (token.to_owned(), code), "{setting:?}");
        // SAFETY: the strings and sizes are as the functions require.
        unsafe {
            let (phrase, setting) = (
                terminated(phrase.as_bytes()),
                terminated(setting.as_bytes()),
            );
            let (phrase, setting) = (phrase.as_ptr(), setting.as_ptr());
            let mut data = vec![1u8; DATA];
            let place = data.as_mut_ptr().cast();
            assert!((lib.crypt_rn)(phrase, setting, place, DATA as c_int).is_null());
            assert_eq!(errno(), code);
            assert_eq!(CStr::from_ptr(place.cast()).to_str(), Ok(token));
            let (mut place, mut size) = (null_mut(), 0);
            assert!((lib.crypt_ra)(phrase, setting, &mut place, &mut size).is_null());
            assert_eq!(errno(), code);
            assert_eq!(CStr::from_ptr(place.cast()).to_str(), Ok(token));
            libc::free(place);
            assert_eq!(
                CStr::from_ptr((lib.crypt)(phrase, setting)).to_str(),
                Ok(token)
            );
        }
    }
    assert_eq!(lib.hash(longest.as_bytes(), b"ab").1, 0);
}

#[test]
fn null_is_an_error_not_a_crash() {
    let lib = Libcrypt::ours();
    let text = c"ab".as_ptr();
    let mut data = vec![0u8; DATA];
    let place: *mut c_void = data.as_mut_ptr().cast();
    // SAFETY: the specification of the functions allows null here.
    unsafe {
        for (phrase, setting) in [(null(), text), (text, null()), (null(), null())] {
            set_errno(0);
            let token = CStr::from_ptr((lib.crypt_r)(phrase, setting, place));
            assert_eq!((token, errno()), (c"*0", EINVAL));
            let token = CStr::from_ptr((lib.crypt)(phrase, setting));
            assert_eq!(token, c"*0");
            assert!((lib.crypt_rn)(phrase, setting, place, DATA as c_int).is_null());
        }
        assert!((lib.crypt_r)(text, text, null_mut()).is_null());
        assert!((lib.crypt_rn)(text, text, null_mut(), DATA as c_int).is_null());
        assert!((lib.crypt_ra)(text, text, null_mut(), null_mut()).is_null());
        assert_eq!((lib.checksalt)(null()), 1);
        assert!((lib.gensalt_rn)(text, 0, null(), 0, null_mut(), 192).is_null());
    }
}

#[test]
fn crypt_rn_writes_no_more_than_it_may() {
    let lib = Libcrypt::ours();
    for size in [c_int::MIN, -1, 0, 1, 2, 3, 4, 384, DATA as c_int - 1] {
        let room = usize::try_from(size).unwrap_or(0);
        let mut data = vec![0x5a_u8; room + 64];
        set_errno(0);
        // SAFETY: the data has at least the size that the call states.
        let made = unsafe {
            let place = data.as_mut_ptr().cast();
            (lib.crypt_rn)(c"a".as_ptr(), c"ab".as_ptr(), place, size)
        };
        assert!(made.is_null());
        assert_eq!(errno(), ERANGE);
        let token: &[u8] = match room {
            0 => b"",
            1 => b"\0",
            2 => b"*\0",
            _ => b"*0\0",
        };
        assert_eq!(&data[..token.len()], token);
        assert!(data[token.len()..].iter().all(|&b| b == 0x5a), "{size}");
    }
}

#[test]
fn crypt_ra_grows_its_data() {
    let lib = Libcrypt::ours();
    // SAFETY: the data comes from malloc, with the size that `size` states.
    unsafe {
        let mut place: *mut c_void = libc::malloc(100);
        let mut size: c_int = 100;
        let hash = (lib.crypt_ra)(c"foob".as_ptr(), c"ar".as_ptr(), &mut place, &mut size);
        assert_eq!(CStr::from_ptr(hash), c"arlEKn0OzVJn.");
        assert_eq!((hash.cast(), size), (place, DATA as c_int));
        let again = (lib.crypt_ra)(c"foob".as_ptr(), c"ar".as_ptr(), &mut place, &mut size);
        assert_eq!(again, hash);
        libc::free(place);
    }
}

#[test]
fn the_callers_fields_are_left_alone() {
    let lib = Libcrypt::ours();
    let mut data = vec![0x5a_u8; DATA];
    data[384..384 + 3].copy_from_slice(b"ar\0");
    data[768..768 + 5].copy_from_slice(b"foob\0");
    let before = data.clone();
    // SAFETY: the strings lie in the data, which is allowed.
    unsafe {
        let place = data.as_mut_ptr();
        let made = (lib.crypt_r)(place.add(768).cast(), place.add(384).cast(), place.cast());
        assert_eq!(CStr::from_ptr(made), c"arlEKn0OzVJn.");
    }
    assert_eq!(data[384..2048], before[384..2048]);
    assert_eq!(data[2048..2056], [0; 8]);
    assert_eq!(data[2056..], before[2056..]);
}

#[test]
fn the_key_of_setkey_r_does_not_outlive_a_call() {
    let lib = Libcrypt::ours();
    let mut data = vec![0u8; DATA];
    let place: *mut c_void = data.as_mut_ptr().cast();
    // SAFETY: the arguments are 64 bytes, two strings, and data of the right size.
    unsafe {
        (lib.setkey_r)([1; 64].as_ptr(), place);
        assert!(data[2048..].iter().any(|&b| b != 0));
        // A call with an invalid setting does not wipe the key, as in libxcrypt.
        (lib.crypt_r)(c"foob".as_ptr(), c"*".as_ptr(), place);
        assert!(data[2048..].iter().any(|&b| b != 0));
        (lib.crypt_r)(c"foob".as_ptr(), c"ar".as_ptr(), place);
    }
    assert!(data[2048..].iter().all(|&b| b == 0));
}

#[test]
fn a_setting_in_the_output_is_overwritten_first() {
    let lib = Libcrypt::ours();
    // SAFETY: the static output is a string, too.
    unsafe {
        let hash = (lib.crypt)(c"foob".as_ptr(), c"ar".as_ptr());
        let again = (lib.crypt)(c"foob".as_ptr(), hash);
        assert_eq!(CStr::from_ptr(again), c"*0");
        let setting = (lib.gensalt)(c"$1$".as_ptr(), 0, c"123456789".as_ptr(), 9);
        let hash = (lib.crypt)(c"foob".as_ptr(), setting);
        assert!(CStr::from_ptr(hash).to_bytes().starts_with(b"$1$"));
        let setting = (lib.gensalt_ra)(null(), 0, null(), 0);
        assert!(CStr::from_ptr(setting).to_bytes().starts_with(b"$y$j9T$"));
        libc::free(setting.cast());
        assert_eq!(CStr::from_ptr((lib.preferred_method)()), c"$y$");
    }
}

/// Two pages of memory. The second page cannot be read, so a read past the end of a text
/// crashes.
struct Fenced {
    pages: *mut c_void,
    size: usize,
}

impl Fenced {
    fn new() -> Self {
        // SAFETY: the pages are new; the code makes the second page inaccessible.
        unsafe {
            let page = libc::sysconf(libc::_SC_PAGESIZE) as usize;
            let size = 2 * page;
            let (read, flags) = (libc::PROT_READ, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
            let pages = libc::mmap(null_mut(), size, read | libc::PROT_WRITE, flags, -1, 0);
            assert_ne!(pages, libc::MAP_FAILED);
            let last = pages.cast::<u8>().add(page).cast();
            assert_eq!(libc::mprotect(last, page, libc::PROT_NONE), 0);
            Self { pages, size }
        }
    }

    /// Writes the text with a final zero directly before the page that cannot be read.
    fn put(&self, text: &[u8]) -> *const c_char {
        // SAFETY: the first page is longer than any text in this test.
        unsafe {
            let end = self.pages.cast::<u8>().add(self.size / 2);
            let start = end.sub(text.len() + 1);
            start.copy_from_nonoverlapping(text.as_ptr(), text.len());
            *end.sub(1) = 0;
            start.cast()
        }
    }
}

impl Drop for Fenced {
    fn drop(&mut self) {
        // SAFETY: `new` mapped these pages.
        unsafe { libc::munmap(self.pages, self.size) };
    }
}

#[test]
fn nothing_behind_a_string_is_read() {
    let lib = Libcrypt::ours();
    let (phrases, settings) = (Fenced::new(), Fenced::new());
    let mut data = vec![0u8; DATA];
    for setting in SETTINGS {
        let whole = lib.hash(b"a phrase", setting.as_bytes()).0;
        // The test cuts each setting and each hash at every length. A cut cost may be higher,
        // but not much higher.
        for end in 0..=whole.len() {
            let cut = settings.put(&whole.as_bytes()[..end]);
            let phrase = phrases.put(&b"a phrase of some length"[..end % 24]);
            // SAFETY: the arguments are two strings and data of the right size.
            unsafe {
                (lib.crypt_r)(phrase, cut, data.as_mut_ptr().cast());
                (lib.checksalt)(cut);
            }
        }
    }
    for setting in SETTINGS {
        for len in (0..100).chain([511, 512]) {
            let phrase = phrases.put(&vec![b'p'; len]);
            let setting = settings.put(setting.as_bytes());
            if len % 7 == 0 {
                // SAFETY: the arguments are two strings and data of the right size.
                unsafe { (lib.crypt_r)(phrase, setting, data.as_mut_ptr().cast()) };
            }
        }
    }
}

#[test]
fn ten_threads_each_with_its_own_data() {
    let lib = Libcrypt::ours();
    thread::scope(|scope| {
        for number in 0..10 {
            scope.spawn(move || {
                let cheap = [
                    "ab",
                    "_/...CCCC",
                    "$1$abcdefgh",
                    "$3$",
                    "$sha1$12$GGXpNqoJvglVTkGU",
                ];
                let phrase = format!("phrase {number}");
                let first: Vec<_> = cheap
                    .iter()
                    .map(|s| lib.hash(phrase.as_bytes(), s.as_bytes()))
                    .collect();
                for _ in 0..200 {
                    for (setting, first) in cheap.iter().zip(&first) {
                        assert_eq!(&lib.hash(phrase.as_bytes(), setting.as_bytes()), first);
                    }
                }
            });
        }
    });
}

/// Compares des_cipher with an implementation of DES from the standard's text that shares
/// no code with the library.
#[test]
fn des_by_the_block_as_the_standard_tells_it() {
    let _turn = SHARED_KEY.lock();
    let lib = Libcrypt::ours();
    let (des_setkey, des_cipher) = lib.freesec();
    let mut random = Random(7);
    for i in 0..300 {
        let (key, block) = (random.next().to_be_bytes(), random.next().to_be_bytes());
        // The salts have 12 bits, 24 bits, or higher bits too, which must have no effect.
        let salt = (random.next() >> [52, 40, 0][i % 3]) as c_long;
        let count = [1, -1, 2, -2, 25, -25, 3, -31][i % 8];
        let mut out = [0; 8];
        // SAFETY: each argument points to 8 bytes.
        unsafe {
            assert_eq!(des_setkey(key.as_ptr().cast()), 0);
            let (from, to) = (block.as_ptr().cast(), out.as_mut_ptr().cast());
            assert_eq!(des_cipher(from, to, salt, count), 0);
        }
        let wanted = fips46::salted(key, salt as u32, count, block);
        assert_eq!(out, wanted, "key {key:02x?}, salt {salt:x}, count {count}");
    }
}

#[test]
fn des_by_the_block() {
    let _turn = SHARED_KEY.lock();
    let lib = Libcrypt::ours();
    let (des_setkey, des_cipher) = lib.freesec();
    let cipher = |block: &[u8; 8], salt: c_long, count: c_int| {
        let mut out = [0x5a_u8; 8];
        // SAFETY: each argument points to 8 bytes.
        let code =
            unsafe { des_cipher(block.as_ptr().cast(), out.as_mut_ptr().cast(), salt, count) };
        (code, out)
    };
    let key = 0x1c58_7f1c_1392_4fef_u64.to_be_bytes();
    let plain = 0x3055_3228_6d6f_295a_u64.to_be_bytes();
    // SAFETY: the argument points to 8 bytes.
    unsafe { assert_eq!(des_setkey(key.as_ptr().cast()), 0) };
    // The answers are the rows of FreeSec's tests that have a salt and a plaintext.
    for (salt, answer) in [
        (0, 0x63fa_c0d0_34d9_f793_u64),
        (1, 0x400d_307c_a24f_ee60),
        (57, 0x28b5_68f4_0e7d_43ae),
    ] {
        let answer = answer.to_be_bytes();
        assert_eq!(cipher(&plain, salt, 1), (0, answer));
        assert_eq!(cipher(&answer, salt, -1), (0, plain));
        assert_eq!(
            cipher(&plain, salt | !0xff_ffff, 1).1,
            answer,
            "24 bits count"
        );
        let far = cipher(&plain, salt, 25).1;
        assert_eq!(cipher(&far, salt, -25), (0, plain));
        assert_eq!(cipher(&cipher(&plain, salt, 7).1, salt, 18).1, far);
    }
    assert_eq!(cipher(&plain, 0, 0), (1, [0x5a; 8]));
    // The block is encrypted in place, at an odd address.
    let mut buffer = [0; 9];
    buffer[1..].copy_from_slice(&plain);
    // SAFETY: both arguments point to the same 8 bytes.
    unsafe {
        let block: *mut c_char = buffer[1..].as_mut_ptr().cast();
        assert_eq!(des_cipher(block, block, 57, 1), 0);
    }
    assert_eq!(buffer[1..], 0x28b5_68f4_0e7d_43ae_u64.to_be_bytes());
    // crypt must not change the shared key.
    lib.hash(b"other", b"ab");
    assert_eq!(
        cipher(&plain, 0, 1).1,
        0x63fa_c0d0_34d9_f793_u64.to_be_bytes()
    );
}
