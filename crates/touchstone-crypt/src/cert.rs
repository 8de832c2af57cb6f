//! The `cert` verb: tests any libcrypt, as FreeSec's program `cert` did, and with more
//! tests.
//!
//! The tests run in a process of their own, so that a crash of the library counts as a
//! failure. A function or method that the library lacks (FreeSec's block calls, crypt_r,
//! a hashing method) is left out without a message.
#![allow(unsafe_code)]

use crate::answer;
use anyhow::{Context, Result, ensure};
use libc::{c_char, c_int, c_long, c_void};
use std::collections::BTreeMap;
use std::ffi::{CStr, CString};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Command;
use std::thread;
use touchstone_vectors::{Vector, parse};

/// Known answers for single DES blocks: salt, key, plaintext, ciphertext.
const BLOCKS: &str = include_str!("../data/des.txt");

/// Known answers for password hashes, one file for each method and source.
const ANSWERS: &[&str] = &[
    include_str!("../../../vectors/password/crypt-des/libxcrypt.vec"),
    include_str!("../../../vectors/password/crypt-des-ext/libxcrypt.vec"),
    include_str!("../../../vectors/password/crypt-bigcrypt/libxcrypt.vec"),
    include_str!("../../../vectors/password/crypt-md5/libxcrypt.vec"),
    include_str!("../../../vectors/password/crypt-nt/libxcrypt.vec"),
    include_str!("../../../vectors/password/crypt-sunmd5/libxcrypt.vec"),
    include_str!("../../../vectors/password/crypt-sha1/libxcrypt.vec"),
    include_str!("../../../vectors/password/crypt-sha256/libxcrypt.vec"),
    include_str!("../../../vectors/password/crypt-sha512/libxcrypt.vec"),
    include_str!("../../../vectors/password/crypt-bcrypt/libxcrypt.vec"),
    include_str!("../../../vectors/password/crypt-bcrypt/botan.vec"),
    include_str!("../../../vectors/password/crypt-scrypt/libxcrypt.vec"),
    include_str!("../../../vectors/password/crypt-yescrypt/libxcrypt.vec"),
    include_str!("../../../vectors/password/crypt-gost-yescrypt/libxcrypt.vec"),
];

/// FreeSec's test strings; the `_arararar` string, which FreeSec had disabled because its
/// expected hash was wrong, here with the right hash; and the strings of musl's
/// self-test.
const STRINGS: &[(&[u8], &str)] = &[
    (b"foob", "arlEKn0OzVJn."),
    (b"holyhooplasbatman!", "_X.......N89y2Z.e4WU"),
    (b"holyhooplasbatman!", "_X...X...rSUDQ5Na/QM"),
    (b"holyhooplasbatman!", "_XX..X...P8vb9xU4JAk"),
    (b"holyhooplasbatman!", "_XX..XX..JDs5IlGLqT2"),
    (b"holyhooplasbatman!", "_XX..XXa.bFVsOnCNh8Y"),
    (b"holyhooplasbatman!", "_XXa.X...Ghsb3QKNaps"),
    (b"holyhooplasbatman!", "_ararararpqabhbjHCyU"),
    (
        b"\x80\xff\x80\x01 \x7f\x81\x80\x80\r\n\xff\x7f \x81 test",
        "_0.../9ZzX7iSJNd21sU",
    ),
];

/// Settings for which every library must refuse to make a hash.
const BAD: &[&str] = &[
    "",
    "a",
    "*",
    "*0",
    "*1",
    "!",
    "x!",
    ":",
    "ab:",
    "ab\n",
    "_",
    "_J9..",
    "_J9..abc",
    "$",
    "$$",
    "$1",
    "$2b$",
    "$2b$05$",
    "$2b$99$abcdefghijklmnopqrstuu",
    "$5$rounds=1$abc",
    "$6$rounds=",
    "$7$",
    "$7$CU..",
    "$y$",
    "$y$j9T",
    "$gy$",
    "$md5",
    "$sha1$",
    "$zz$what",
    "\u{e9}\u{e9}",
];

type Hash = unsafe extern "C" fn(*const c_char, *const c_char) -> *mut c_char;
type HashR = unsafe extern "C" fn(*const c_char, *const c_char, *mut c_void) -> *mut c_char;
type SetKey = unsafe extern "C" fn(*const c_char) -> c_int;
type Encrypt = unsafe extern "C" fn(*mut c_char, c_int) -> c_int;
type Cipher = unsafe extern "C" fn(*const c_char, *mut c_char, c_long, c_int) -> c_int;

struct Libcrypt {
    crypt: Hash,
    crypt_r: Option<HashR>,
    block: Option<(SetKey, Encrypt)>,
    cipher: Option<(SetKey, Cipher)>,
}

/// Runs the tests in another process and returns whether the library passed.
pub(crate) fn run_apart(library: &Path, quick: bool) -> Result<bool> {
    let mut command = Command::new(std::env::current_exe()?);
    command
        .arg("cert")
        .arg("--here")
        .args(quick.then_some("--quick"));
    let status = command.arg("--").arg(library).status()?;
    if let Some(signal) = status.signal() {
        answer(&format!("FAILED   the library died of signal {signal}\n"))?;
        return Ok(false);
    }
    match status.code() {
        Some(0) => Ok(true),
        Some(1) => Ok(false),
        // The other process has already printed the reason.
        code => std::process::exit(code.unwrap_or(2)),
    }
}

/// Results so far.
#[derive(Default)]
struct Tally {
    failed: bool,
    /// The error that kept a line from being written, if any.
    unwritten: Option<anyhow::Error>,
}

impl Tally {
    fn say(&mut self, line: &str) {
        if self.unwritten.is_none() {
            self.unwritten = answer(&format!("{line}\n")).err();
        }
    }

    /// Prints one line of the report, with the first few wrong answers in full.
    fn line(&mut self, what: &str, right: usize, wrong: &[String]) {
        if wrong.is_empty() {
            self.say(&format!("{:<8} {what}: {right}", "ok"));
            return;
        }
        self.failed = true;
        self.say(&format!(
            "{:<8} {what}: {} of {}",
            "FAILED",
            wrong.len(),
            right + wrong.len()
        ));
        for wrong in wrong.iter().take(3) {
            self.say(&format!("         {wrong}"));
        }
    }

    fn absent(&mut self, what: &str) {
        self.say(&format!("{:<8} {what}", "absent"));
    }
}

/// Runs the tests in this process and returns whether the library passed.
pub(crate) fn run(library: &Path, quick: bool) -> Result<bool> {
    let lib = Libcrypt::load(library)?;
    let mut tally = Tally::default();
    blocks(&lib, &mut tally)?;
    strings(&lib, &mut tally, quick);
    answers(&lib, &mut tally, if quick { 10 } else { 1 })?;
    bad(&lib, &mut tally);
    threads(&lib, &mut tally);
    tally.say(if tally.failed {
        "\nThe library FAILS."
    } else {
        "\nThe library passes."
    });
    if let Some(unwritten) = tally.unwritten {
        return Err(unwritten);
    }
    Ok(!tally.failed)
}

impl Libcrypt {
    fn load(path: &Path) -> Result<Self> {
        let name = CString::new(path.as_os_str().as_encoded_bytes())?;
        // SAFETY: loading runs the library's constructors; the user asked to run this
        // library.
        let handle = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
        if handle.is_null() {
            // SAFETY: after a failed dlopen, dlerror returns a message.
            let why = unsafe { CStr::from_ptr(libc::dlerror()) };
            anyhow::bail!("{}", why.to_string_lossy());
        }
        // libxcrypt exports setkey and encrypt for old programs only, under an old symbol
        // version.
        let symbol = |name: &CStr| {
            // SAFETY: a live handle and strings.
            let found = unsafe { libc::dlsym(handle, name.as_ptr()) };
            if !found.is_null() {
                return Some(found);
            }
            let versions = [c"GLIBC_2.2.5", c"GLIBC_2.17", c"GLIBC_2.0"];
            // SAFETY: a live handle and two strings.
            let old = versions.map(|v| unsafe { libc::dlvsym(handle, name.as_ptr(), v.as_ptr()) });
            old.into_iter().find(|found| !found.is_null())
        };
        /// # Safety
        ///
        /// `F` is the type of the function.
        unsafe fn cast<F: Copy>(symbol: *mut c_void) -> F {
            const { assert!(size_of::<F>() == size_of::<*mut c_void>()) };
            // SAFETY: function pointers are as large as data pointers; the rest is the
            // caller's promise.
            unsafe { core::mem::transmute_copy(&symbol) }
        }
        let crypt = symbol(c"crypt").context("the library has no crypt")?;
        // SAFETY: all implementations declare these functions with these types. Where
        // setkey and encrypt return nothing, their return value is not used.
        unsafe {
            Ok(Self {
                crypt: cast(crypt),
                crypt_r: symbol(c"crypt_r").map(|s| cast(s)),
                block: symbol(c"setkey")
                    .zip(symbol(c"encrypt"))
                    .map(|(s, e)| (cast(s), cast(e))),
                cipher: symbol(c"des_setkey")
                    .zip(symbol(c"des_cipher"))
                    .map(|(s, c)| (cast(s), cast(c))),
            })
        }
    }

    /// Hashes a phrase. Returns `None` if the library refuses, whichever failure token it
    /// uses.
    fn hash(&self, phrase: &[u8], setting: &[u8]) -> Option<Vec<u8>> {
        let (phrase, setting) = (CString::new(phrase).ok()?, CString::new(setting).ok()?);
        // SAFETY: two strings; only one thread at a time calls this.
        unsafe { output((self.crypt)(phrase.as_ptr(), setting.as_ptr())) }
    }
}

/// # Safety
///
/// `hash` is null or a string.
unsafe fn output(hash: *const c_char) -> Option<Vec<u8>> {
    if hash.is_null() {
        return None;
    }
    // SAFETY: the caller's promise.
    let text = unsafe { CStr::from_ptr(hash) }.to_bytes();
    // Failure tokens: `*0` and `*1`, and `*` and `x` of musl.
    (text.len() >= 13 && text[0] != b'*').then(|| text.to_vec())
}

/// Unpacks each bit into a byte.
fn bits(block: [u8; 8]) -> [c_char; 64] {
    core::array::from_fn(|i| (block[i / 8] >> (7 - i % 8) & 1) as c_char)
}

fn blocks(lib: &Libcrypt, tally: &mut Tally) -> Result<()> {
    let mut rows = Vec::new();
    for line in BLOCKS.lines().filter(|line| !line.starts_with('#')) {
        let mut words = line.split(' ');
        let salt: c_long = words.next().context("a salt")?.parse()?;
        let mut block = || -> Result<[u8; 8]> {
            let word = words.next().context("a block")?;
            Ok(u64::from_str_radix(word, 16)?.to_be_bytes())
        };
        rows.push((salt, block()?, block()?, block()?));
    }
    ensure!(rows.len() == 175, "{} rows", rows.len());

    match lib.block {
        None => tally.absent("setkey and encrypt"),
        Some((setkey, encrypt)) => {
            let (mut right, mut wrong) = (0, Vec::new());
            for (_, key, plain, cipher) in rows.iter().filter(|row| row.0 == 0) {
                for (input, wanted, backwards) in [(plain, cipher, 0), (cipher, plain, 1)] {
                    let mut block = bits(*input);
                    // SAFETY: 64 bytes each.
                    unsafe {
                        setkey(bits(*key).as_ptr());
                        encrypt(block.as_mut_ptr(), backwards);
                    }
                    if block == bits(*wanted) {
                        right += 1;
                    } else {
                        wrong.push(format!("key {key:02x?}, block {input:02x?}"));
                    }
                }
            }
            tally.line("setkey and encrypt, both ways", right, &wrong);
        }
    }

    match lib.cipher {
        None => tally.absent("des_setkey and des_cipher"),
        Some((des_setkey, des_cipher)) => {
            let (mut right, mut wrong) = (0, Vec::new());
            let run = |block: &[u8; 8], salt, count| {
                let mut out = *block;
                let place: *mut c_char = out.as_mut_ptr().cast();
                // SAFETY: both pointers point to the same 8 bytes, which des_cipher
                // allows.
                unsafe { des_cipher(place, place, salt, count) };
                out
            };
            for (salt, key, plain, cipher) in &rows {
                // SAFETY: 8 bytes.
                unsafe { des_setkey(key.as_ptr().cast()) };
                let far = run(plain, *salt, 25);
                let checks = [
                    ("once", run(plain, *salt, 1) == *cipher),
                    ("backwards", run(cipher, *salt, -1) == *plain),
                    ("25 times and back", run(&far, *salt, -25) == *plain),
                    (
                        "10 and 15 times",
                        run(&run(plain, *salt, 10), *salt, 15) == far,
                    ),
                ];
                for (what, passed) in checks {
                    if passed {
                        right += 1;
                    } else {
                        wrong.push(format!("{what}: salt {salt}, key {key:02x?}"));
                    }
                }
            }
            tally.line("des_setkey and des_cipher, in place", right, &wrong);
        }
    }
    Ok(())
}

/// Checks the hash of a phrase, first with the setting and then with the hash as the
/// setting.
fn check(lib: &Libcrypt, phrase: &[u8], setting: &[u8], wanted: &[u8]) -> Result<(), String> {
    for setting in [setting, wanted] {
        let made = lib.hash(phrase, setting);
        if made.as_deref() != Some(wanted) {
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            let made = made.map_or("a refusal".into(), |made| text(&made));
            let (phrase, wanted) = (phrase.escape_ascii(), text(wanted));
            return Err(format!(
                "{phrase} under {}: {made} instead of {wanted}",
                text(setting)
            ));
        }
    }
    Ok(())
}

fn strings(lib: &Libcrypt, tally: &mut Tally, quick: bool) {
    // One of the strings takes 14 million passes of DES.
    let chosen = STRINGS
        .iter()
        .filter(|(_, hash)| !(quick && hash.starts_with("_arar")));
    let all = chosen.map(|(phrase, hash)| {
        let setting = if hash.starts_with('_') {
            &hash[..9]
        } else {
            &hash[..2]
        };
        check(lib, phrase, setting.as_bytes(), hash.as_bytes())
    });
    let (right, wrong): (Vec<_>, Vec<_>) = all.partition(Result::is_ok);
    let wrong: Vec<String> = wrong.into_iter().filter_map(Result::err).collect();
    tally.line("FreeSec's strings", right.len(), &wrong);
}

fn answers(lib: &Libcrypt, tally: &mut Tally, each: usize) -> Result<()> {
    let mut methods: BTreeMap<String, Vec<Vector>> = BTreeMap::new();
    for text in ANSWERS {
        let file = parse(text).map_err(|(line, why)| anyhow::anyhow!("line {line}: {why}"))?;
        for vector in file.vectors {
            methods
                .entry(vector.primitive.clone())
                .or_default()
                .push(vector);
        }
    }
    for (method, vectors) in methods {
        // If the library refuses the first hashes of a method, it does not have that
        // method.
        if vectors
            .iter()
            .take(4)
            .all(|v| lib.hash(&v.input, &v.nonce).is_none())
        {
            tally.absent(&method);
            continue;
        }
        let (mut right, mut wrong) = (0, Vec::new());
        for v in vectors.iter().step_by(each) {
            match check(lib, &v.input, &v.nonce, &v.output) {
                Ok(()) => right += 1,
                Err(difference) => wrong.push(difference),
            }
        }
        tally.line(&method, right, &wrong);
    }
    Ok(())
}

fn bad(lib: &Libcrypt, tally: &mut Tally) {
    let (mut right, mut wrong) = (0, Vec::new());
    for setting in BAD {
        match lib.hash(b"phrase", setting.as_bytes()) {
            None => right += 1,
            Some(hash) => wrong.push(format!("{setting:?} gives {}", hash.escape_ascii())),
        }
    }
    tally.line("bad settings refused", right, &wrong);
}

fn threads(lib: &Libcrypt, tally: &mut Tally) {
    let Some(crypt_r) = lib.crypt_r else {
        tally.absent("crypt_r");
        return;
    };
    let wrong: usize = thread::scope(|scope| {
        let threads: Vec<_> = (0..10)
            .map(|_| {
                scope.spawn(move || {
                    // Room for `struct crypt_data` of old glibc, which is larger than
                    // libxcrypt's.
                    let mut data = vec![0u64; 1 << 15];
                    let hashes = (0..300).map(|i| {
                        let (phrase, wanted) = STRINGS[i % 5];
                        let phrase = CString::new(phrase).unwrap_or_default();
                        let setting = CString::new(wanted).unwrap_or_default();
                        // SAFETY: strings, and data of this thread's own.
                        let made = unsafe {
                            let data = data.as_mut_ptr().cast();
                            output(crypt_r(phrase.as_ptr(), setting.as_ptr(), data))
                        };
                        usize::from(made.as_deref() != Some(wanted.as_bytes()))
                    });
                    hashes.sum::<usize>()
                })
            })
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap_or(300))
            .sum()
    });
    let list: Vec<String> = (wrong > 0)
        .then(|| format!("{wrong} wrong"))
        .into_iter()
        .collect();
    tally.line("ten threads on crypt_r", 3000 - wrong, &list);
}
