//! Checks known answers through the functions that C calls: every record in `vectors/` whose
//! algorithm has a name. A valid record must never be refused. An invalid record must be
//! refused with the one error code that gives the reason. Names without a record must give the
//! same results as in Rust.
#![allow(
    unsafe_code,
    clippy::undocumented_unsafe_blocks,
    reason = "calls as C makes them: pointers are of live slices, handles come from `_new` and \
              are freed once"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::Path;
use std::ptr::{null, null_mut};

use touchstone::dynamic;
use touchstone_capi::{
    aead::*, cipher::*, derive::*, drbg::*, hash::*, mac::*, memory_hard::*, names::*, password::*,
    status::*, wrap::*,
};
use touchstone_vectors::{Vector, Verdict, read_tree};

type Outcome = Result<(), c_int>;

fn names(list: extern "C" fn(usize) -> *const c_char) -> BTreeSet<String> {
    let name = |index| {
        let name = list(index);
        (!name.is_null()).then(|| unsafe { CStr::from_ptr(name) }.to_str().unwrap().to_owned())
    };
    (0..).map_while(name).collect()
}

fn c(name: &str) -> CString {
    CString::new(name).unwrap()
}

fn check(code: c_int) -> Outcome {
    if code == TOUCHSTONE_OK {
        Ok(())
    } else {
        Err(code)
    }
}

fn p(data: &[u8]) -> *const c_void {
    data.as_ptr().cast()
}

fn p_mut(data: &mut [u8]) -> *mut c_void {
    data.as_mut_ptr().cast()
}

/// A handle that is freed when this object is dropped.
struct Handle<T>(*mut T, unsafe extern "C" fn(*mut T));

impl<T> Handle<T> {
    fn new(free: unsafe extern "C" fn(*mut T), new: impl FnOnce(*mut *mut T) -> c_int) -> Self {
        let mut handle = null_mut();
        assert_eq!(new(&raw mut handle), TOUCHSTONE_OK);
        Self(handle, free)
    }
}

impl<T> Drop for Handle<T> {
    fn drop(&mut self) {
        unsafe { (self.1)(self.0) }
    }
}

fn cipher(name: &str, v: &Vector, place: &str) -> Outcome {
    let keystream = vec![0; v.output.len()];
    let input = if v.operation == "stream-keystream" {
        &keystream
    } else {
        &v.input
    };
    for (direction, from, to) in [
        (TOUCHSTONE_ENCRYPT, input, &v.output),
        (TOUCHSTONE_DECRYPT, &v.output, input),
    ] {
        for pieces in [false, true] {
            let new = |h| unsafe { touchstone_cipher_new(h, c(name).as_ptr(), direction) };
            let handle = Handle::new(touchstone_cipher_free, new);
            let cipher = handle.0;
            unsafe {
                for parameter in ["effective-bits", "rounds"] {
                    if let Some(value) = v.cost(parameter) {
                        let parameter = c(parameter);
                        check(touchstone_cipher_set_parameter(
                            cipher,
                            parameter.as_ptr(),
                            value,
                        ))?;
                    }
                }
                check(touchstone_cipher_set_key(cipher, p(&v.key), v.key.len()))?;
                check(touchstone_cipher_set_iv(cipher, p(&v.nonce), v.nonce.len()))?;
                if let Some(start) = v.cost("counter").map(|n| n * 64).or(v.cost("drop")) {
                    match check(touchstone_cipher_seek(cipher, start)) {
                        Err(TOUCHSTONE_ERROR_NAME) => {
                            let mut skip = vec![0; start as usize];
                            let skip = p_mut(&mut skip);
                            let n = start as usize;
                            check(touchstone_cipher_update(cipher, skip, skip, n))?;
                        }
                        other => other?,
                    }
                }
                let mut out = vec![0xa5; from.len()];
                let size = match touchstone_cipher_piece_size(cipher) {
                    0 => from.len().max(1),
                    size if pieces => 3 * size,
                    _ => from.len().max(1),
                };
                for (i, o) in from.chunks(size).zip(out.chunks_mut(size)) {
                    check(touchstone_cipher_update(cipher, p(i), p_mut(o), i.len()))?;
                }
                assert!(&out == to, "{place} [{name}] direction {direction}");
            }
        }
    }
    Ok(())
}

fn aead(name: &str, v: &Vector, forwards: bool, valid: bool, place: &str) -> Outcome {
    let tag = v.tag.as_deref().unwrap_or_default();
    let new = |h| unsafe { touchstone_aead_new(h, c(name).as_ptr()) };
    let handle = Handle::new(touchstone_aead_free, new);
    let aead = handle.0;
    let (nonce, n) = (p(&v.nonce), v.nonce.len());
    let (aad, a) = (p(&v.aad), v.aad.len());
    unsafe {
        check(touchstone_aead_set_tag_size_insecure(aead, tag.len()))?;
        check(touchstone_aead_set_key(aead, p(&v.key), v.key.len()))?;
        if valid && forwards {
            let (mut out, mut made) = (vec![0xa5; v.input.len()], vec![0xa5; tag.len()]);
            let (o, t) = (p_mut(&mut out), p_mut(&mut made));
            let (i, len) = (p(&v.input), v.input.len());
            check(touchstone_aead_encrypt(
                aead,
                nonce,
                n,
                aad,
                a,
                i,
                o,
                len,
                t,
                tag.len(),
            ))?;
            assert_eq!((&out, &made[..]), (&v.output, tag), "{place} [{name}]");
        }
        let mut out = vec![0xa5; v.output.len()];
        let (i, o, len) = (p(&v.output), p_mut(&mut out), v.output.len());
        let code = touchstone_aead_decrypt(aead, nonce, n, aad, a, i, o, len, p(tag), tag.len());
        if code == TOUCHSTONE_ERROR_FORGED {
            assert!(out.iter().all(|byte| *byte == 0), "{place} [{name}]: wiped");
        }
        check(code)?;
        assert_eq!(out, v.input, "{place} [{name}], backwards");
        if valid {
            in_pieces(aead, name, v, place)?;
        }
    }
    Ok(())
}

/// Encrypts and decrypts a message in pieces, and checks a forged tag. Modes that read a
/// message twice, and NaCl's secretbox, refuse pieces.
unsafe fn in_pieces(aead: *mut touchstone_aead, name: &str, v: &Vector, place: &str) -> Outcome {
    let tag = v.tag.as_deref().unwrap_or_default();
    let (nonce, n) = (p(&v.nonce), v.nonce.len());
    let (aad, all) = (v.aad.len() as u64, v.input.len() as u64);
    unsafe {
        let mut encryptor = null_mut();
        let code = touchstone_encryptor_new(&mut encryptor, aead, nonce, n, aad, all);
        if name.ends_with("-siv") || name == "xsalsa20-poly1305" {
            assert_eq!(code, TOUCHSTONE_ERROR_NAME, "{place} [{name}]");
            return Ok(());
        }
        check(code)?;
        let encryptor = Handle(encryptor, touchstone_encryptor_free);
        for piece in v.aad.chunks(7) {
            check(touchstone_encryptor_aad(encryptor.0, p(piece), piece.len()))?;
        }
        let mut out = vec![0xa5; v.input.len()];
        for (i, o) in v.input.chunks(48).zip(out.chunks_mut(48)) {
            let len = i.len();
            check(touchstone_encryptor_update(
                encryptor.0,
                p(i),
                p_mut(o),
                len,
            ))?;
        }
        let mut made = vec![0xa5; tag.len()];
        let t = p_mut(&mut made);
        check(touchstone_encryptor_finish(encryptor.0, t, tag.len()))?;
        assert_eq!(
            (&out, &*made),
            (&v.output, tag),
            "{place} [{name}], in pieces"
        );

        for genuine in [true, false] {
            made[0] ^= u8::from(!genuine);
            let new = |h| touchstone_decryptor_new(h, aead, nonce, n, aad, all);
            let decryptor = Handle::new(touchstone_decryptor_free, new);
            check(touchstone_decryptor_aad(
                decryptor.0,
                p(&v.aad),
                v.aad.len(),
            ))?;
            let mut data = v.output.clone();
            for piece in data.chunks_mut(16) {
                let (d, len) = (p_mut(piece), piece.len());
                check(touchstone_decryptor_update_unverified(
                    decryptor.0,
                    d,
                    d,
                    len,
                ))?;
            }
            let code = touchstone_decryptor_verify(decryptor.0, p(&made), tag.len());
            let wanted = if genuine {
                TOUCHSTONE_OK
            } else {
                TOUCHSTONE_ERROR_FORGED
            };
            assert_eq!(code, wanted, "{place} [{name}], in pieces, backwards");
            assert_eq!(data, v.input, "{place} [{name}], in pieces, backwards");
        }
    }
    Ok(())
}

fn mac(name: &str, v: &Vector, place: &str) -> Outcome {
    let new = |h| unsafe { touchstone_mac_new(h, c(name).as_ptr()) };
    let (tag, nonce) = (&v.output, &v.nonce);
    let handle = Handle::new(touchstone_mac_free, new);
    let mac = handle.0;
    let set_nonce = || check(unsafe { touchstone_mac_set_nonce(mac, p(nonce), nonce.len()) });
    let mut made = vec![0xa5; tag.len()];
    let t = p_mut(&mut made);
    let key = |key: &[u8]| check(unsafe { touchstone_mac_set_key(mac, p(key), key.len()) });
    let set_size = if tag.len() < 4 {
        touchstone_mac_set_tag_size_insecure
    } else {
        touchstone_mac_set_tag_size
    };
    unsafe {
        check(set_size(mac, tag.len()))?;
        // Another key in between must not change the result.
        let other: Vec<u8> = v.key.iter().map(|byte| byte ^ 0x5a).collect();
        key(&other)?;
        check(touchstone_mac_update(mac, p(nonce), nonce.len()))?;
        key(&v.key)?;
        set_nonce()?;
        for piece in v.input.chunks(23) {
            check(touchstone_mac_update(mac, p(piece), piece.len()))?;
        }
        check(touchstone_mac_final(mac, t, tag.len()))?;
        let right = &made == tag;
        key(&v.key)?;
        set_nonce()?;
        made.fill(0xa5);
        let (i, len, t) = (p(&v.input), v.input.len(), p_mut(&mut made));
        check(touchstone_mac_message(mac, i, len, t, tag.len()))?;
        assert_eq!(&made == tag, right, "{place} [{name}], at once");
        key(&v.key)?;
        set_nonce()?;
        check(touchstone_mac_update(mac, i, len))?;
        let code = touchstone_mac_verify(mac, p(tag), tag.len());
        assert_eq!(code == TOUCHSTONE_OK, right, "{place} [{name}]");
        check(code)
    }
}

fn hash(name: &str, v: &Vector, place: &str) -> Outcome {
    let mut digest = vec![0xa5; v.output.len()];
    unsafe {
        let (i, len) = (p(&v.input), v.input.len());
        let (name, d) = (c(name), p_mut(&mut digest));
        if v.aad.is_empty() {
            check(touchstone_digest(name.as_ptr(), i, len, d, v.output.len()))?;
            assert_eq!(digest, v.output, "{place}");
        }
        let (with, n) = (p(&v.aad), v.aad.len());
        let new = |h| match n {
            0 => touchstone_hash_new(h, name.as_ptr()),
            _ => touchstone_hash_new_customised(h, name.as_ptr(), with, n),
        };
        let handle = Handle::new(touchstone_hash_free, new);
        for piece in v.input.chunks(67) {
            check(touchstone_hash_update(handle.0, p(piece), piece.len()))?;
        }
        check(touchstone_hash_final(handle.0, d, v.output.len()))?;
        assert_eq!(digest, v.output, "{place}, in pieces");
        if touchstone_hash_size(handle.0) == 0 {
            check(touchstone_hash_update(handle.0, i, len))?;
            for piece in digest.chunks_mut(7) {
                let n = piece.len();
                check(touchstone_hash_squeeze(handle.0, p_mut(piece), n))?;
            }
            assert_eq!(digest, v.output, "{place}, squeezed");
        }
    }
    Ok(())
}

fn wrap(name: &str, v: &Vector, forwards: bool, valid: bool, place: &str) -> Outcome {
    let (id, k, n) = (c(name), p(&v.key), v.key.len());
    unsafe {
        if forwards {
            let mut out = vec![0xa5; v.output.len()];
            let (i, len, o) = (p(&v.input), v.input.len(), p_mut(&mut out));
            check(touchstone_wrap(
                id.as_ptr(),
                k,
                n,
                i,
                len,
                o,
                v.output.len(),
            ))?;
            if valid {
                assert_eq!(out, v.output, "{place} [{name}]");
            } else {
                assert_ne!(out, v.output, "{place} [{name}]: must not be wrapped");
                return Err(TOUCHSTONE_ERROR_FORGED);
            }
        }
        let mut out = vec![0xa5; v.output.len().saturating_sub(8)];
        let (room, mut got) = (out.len(), 0);
        let (i, len, o) = (p(&v.output), v.output.len(), p_mut(&mut out));
        check(touchstone_unwrap(
            id.as_ptr(),
            k,
            n,
            i,
            len,
            o,
            room,
            &mut got,
        ))?;
        assert_eq!(out[..got], v.input, "{place} [{name}], backwards");
    }
    Ok(())
}

fn derived(name: &str, v: &Vector, place: &str) -> Outcome {
    let mut key = vec![0xa5; v.output.len()];
    let iterations = v.cost("iterations").map_or(0, |n| n as u32);
    let (len, id) = (key.len(), c(name));
    unsafe {
        check(touchstone_derive(
            id.as_ptr(),
            p(&v.input),
            v.input.len(),
            p(&v.nonce),
            v.nonce.len(),
            p(&v.aad),
            v.aad.len(),
            iterations,
            p_mut(&mut key),
            len,
        ))?;
    }
    if key == v.output {
        Ok(())
    } else {
        assert_eq!(v.verdict, Verdict::Invalid, "{place} [{name}]");
        Err(TOUCHSTONE_ERROR_FORGED)
    }
}

fn generated(name: &str, v: &Vector, place: &str) -> Outcome {
    let other = |name: &str| v.others.get(name).map_or(&[][..], Vec::as_slice);
    let calls = v.cost("calls").unwrap_or(1) as usize;
    let each = v.aad.len() / calls;
    let (entropy, more) = (other("entropy"), other("personalisation"));
    let (seed, n) = (p(&v.nonce), v.nonce.len());
    let id = c(name);
    let handle = Handle::new(touchstone_drbg_free, |h| unsafe {
        let (id, e, m) = (id.as_ptr(), p(entropy), p(more));
        touchstone_drbg_new(h, id, e, entropy.len(), seed, n, m, more.len())
    });
    let mut out = vec![0xa5; v.output.len()];
    unsafe {
        let (entropy, more) = (other("reseed"), other("reseed-aad"));
        if !entropy.is_empty() {
            let (e, m) = (p(entropy), p(more));
            check(touchstone_drbg_reseed(
                handle.0,
                e,
                entropy.len(),
                m,
                more.len(),
            ))?;
        }
        for call in 0..calls {
            let (a, o, len) = (p(&v.aad[call * each..]), p_mut(&mut out), out.len());
            check(touchstone_drbg_generate(handle.0, a, each, o, len))?;
        }
    }
    assert_eq!(out, v.output, "{place} [{name}]");
    Ok(())
}

fn scrypt(v: &Vector, place: &str) -> Outcome {
    let mut key = vec![0xa5; v.output.len()];
    let cost = |name| v.cost(name).expect(place);
    let (password, salt, len) = (p(&v.input), p(&v.nonce), key.len());
    unsafe {
        check(touchstone_scrypt(
            password,
            v.input.len(),
            salt,
            v.nonce.len(),
            cost("n"),
            cost("r") as u32,
            cost("p") as u32,
            p_mut(&mut key),
            len,
        ))?;
    }
    assert_eq!(key, v.output, "{place}");
    Ok(())
}

fn argon2(v: &Vector, place: &str) -> Outcome {
    let mut key = vec![0xa5; v.output.len()];
    let cost = |name| v.cost(name).expect(place) as u32;
    let name = CString::new(v.primitive.clone()).expect(place);
    let (password, salt, secret, data) = (p(&v.input), p(&v.nonce), p(&v.key), p(&v.aad));
    let len = key.len();
    unsafe {
        check(touchstone_argon2(
            name.as_ptr(),
            password,
            v.input.len(),
            salt,
            v.nonce.len(),
            secret,
            v.key.len(),
            data,
            v.aad.len(),
            cost("iterations"),
            cost("memory"),
            cost("lanes"),
            p_mut(&mut key),
            len,
        ))?;
    }
    assert_eq!(key, v.output, "{place}");
    Ok(())
}

/// Makes a password hash, which overwrites its setting.
fn password(v: &Vector, place: &str) -> Outcome {
    let phrase = CString::new(&*v.input).expect("no NUL in a phrase");
    let mut hash = [0; TOUCHSTONE_CRYPT_SIZE as usize];
    for (to, from) in hash.iter_mut().zip(&v.nonce) {
        *to = *from as c_char;
    }
    unsafe {
        let h = hash.as_mut_ptr();
        check(touchstone_crypt(phrase.as_ptr(), h, h, hash.len()))?;
        assert_eq!(CStr::from_ptr(h).to_bytes(), v.output, "{place}");
    }
    Ok(())
}

/// Operations that belong to another library: the tests of `des_cipher` of FreeSec are in
/// crates/libcrypt.
const ELSEWHERE: &[&str] = &["des-cipher-1", "des-cipher-25"];

/// The family to which a name belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Family {
    Cipher,
    Aead,
    Hash,
    Mac,
    Wrap,
    Derive,
    Drbg,
    MemoryHard,
    Password,
}

/// Returns every name of the lists, with its family.
fn families() -> BTreeMap<String, Family> {
    let lists: [(_, extern "C" fn(usize) -> *const c_char); 7] = [
        (Family::Cipher, touchstone_cipher_name),
        (Family::Aead, touchstone_aead_name),
        (Family::Hash, touchstone_hash_name),
        (Family::Mac, touchstone_mac_name),
        (Family::Wrap, touchstone_wrap_name),
        (Family::Derive, touchstone_derive_name),
        (Family::Drbg, touchstone_drbg_name),
    ];
    let mut families = BTreeMap::new();
    for (family, list) in lists {
        for name in names(list) {
            let before = families.insert(name.clone(), family);
            assert_eq!(before, None, "{name} twice");
        }
    }
    families
}

type Sizes = unsafe extern "C" fn(*const c_char, *mut usize, *mut usize, *mut usize) -> c_int;

/// Returns whether `length` is one of the lengths that the function `sizes` returns for a name.
fn takes(sizes: Sizes, name: &str, length: usize) -> bool {
    let (mut min, mut max, mut step) = (0, 0, 0);
    let code = unsafe { sizes(c(name).as_ptr(), &mut min, &mut max, &mut step) };
    assert_eq!(code, TOUCHSTONE_OK, "{name}");
    (min..=max).contains(&length) && (length - min).is_multiple_of(step)
}

/// Returns the error code that an invalid record must give. If the record has wrong lengths,
/// this is the code of the first wrong length in the order of the calls. Otherwise it is the
/// code of a forgery.
fn refusal(family: Family, name: &str, v: &Vector, forwards: bool) -> c_int {
    let (key, nonce) = (v.key.len(), v.nonce.len());
    let (sizes, nonce_sizes): (Sizes, Option<Sizes>) = match family {
        Family::Aead => (
            touchstone_aead_key_sizes_of,
            Some(touchstone_aead_nonce_sizes_of),
        ),
        Family::Mac => (
            touchstone_mac_key_sizes_of,
            Some(touchstone_mac_nonce_sizes_of),
        ),
        Family::Wrap => (touchstone_wrap_key_sizes_of, None),
        _ => return TOUCHSTONE_ERROR_FORGED,
    };
    // NIST SP 800-38C, A.1: tags of CCM have 4, 6, … 16 bytes.
    let tag = v.tag.as_deref().map_or(16, <[u8]>::len);
    if name.ends_with("-ccm") && !(tag.is_multiple_of(2) && (4..=16).contains(&tag)) {
        return TOUCHSTONE_ERROR_TAG_LENGTH;
    }
    // AEADs that are not modes of a block cipher have tags of 16 bytes (RFC 8439, 2.8). AEGIS
    // also has tags of 32 bytes (draft-irtf-cfrg-aegis-aead-18, 3.9).
    let aegis = name.starts_with("aegis-");
    let whole = name.ends_with("-poly1305") || aegis || name.starts_with("ascon-");
    if whole && tag != 16 && !(aegis && tag == 32) {
        return TOUCHSTONE_ERROR_TAG_LENGTH;
    }
    if !takes(sizes, name, key) {
        return TOUCHSTONE_ERROR_KEY_LENGTH;
    }
    // draft-krovetz-vmac-01, 4.2: a nonce of VMAC has at most 127 bits.
    let bits = v.nonce.first().is_some_and(|byte| byte & 0x80 != 0);
    if nonce_sizes.is_some_and(|sizes| !takes(sizes, name, nonce))
        || name.starts_with("vmac-") && nonce == 16 && bits
    {
        return TOUCHSTONE_ERROR_IV_LENGTH;
    }
    // RFC 3394, 2.2: a key has at least two blocks of 8 bytes, and a wrapped key has one block
    // more. RFC 5649, 3: a key has at least one byte, and a wrapped key has at least two
    // blocks.
    let wrong = match (family, name.ends_with("-kwp"), forwards) {
        (Family::Wrap, false, true) => wrong_blocks(v.input.len(), 16),
        (Family::Wrap, false, false) => wrong_blocks(v.output.len(), 24),
        (Family::Wrap, true, true) => v.input.is_empty(),
        (Family::Wrap, true, false) => wrong_blocks(v.output.len(), 16),
        _ => false,
    };
    if wrong {
        TOUCHSTONE_ERROR_DATA_LENGTH
    } else {
        TOUCHSTONE_ERROR_FORGED
    }
}

fn wrong_blocks(length: usize, shortest: usize) -> bool {
    length < shortest || !length.is_multiple_of(8)
}

#[test]
fn every_record_of_every_name() {
    let families = families();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors");
    let mut ran: BTreeMap<String, usize> = BTreeMap::new();
    let mut bad = BTreeMap::<_, (usize, String)>::new();
    let mut absent: BTreeMap<String, usize> = BTreeMap::new();
    let mut nameless = BTreeSet::new();
    let mut skipped = 0;
    for (path, file) in read_tree(&root).unwrap() {
        for v in &file.vectors {
            if v.verdict == Verdict::Acceptable {
                skipped += 1;
                continue;
            }
            let valid = v.verdict == Verdict::Valid;
            let place = format!("{}:{} {}", path.display(), v.line, v.name);
            let (mode, forwards) = match v.operation.rsplit_once('-') {
                Some((mode, "encrypt")) => (mode, true),
                Some((mode, "decrypt")) => (mode, false),
                _ => (v.operation.as_str(), true),
            };
            let over = || format!("{}-{mode}", v.primitive);
            let (name, family) = match mode {
                "hash" | "xof" => (v.primitive.clone(), Some(Family::Hash)),
                "stream" | "stream-keystream" => (v.primitive.clone(), Some(Family::Cipher)),
                "aead" => (v.primitive.clone(), Some(Family::Aead)),
                "mac" => (v.primitive.clone(), Some(Family::Mac)),
                "derive" if v.primitive == "scrypt" || v.primitive.starts_with("argon2") => {
                    (v.primitive.clone(), Some(Family::MemoryHard))
                }
                "derive" => (v.primitive.clone(), Some(Family::Derive)),
                "generate" => (v.primitive.clone(), Some(Family::Drbg)),
                "crypt" => (v.primitive.clone(), Some(Family::Password)),
                _ => (over(), families.get(&over()).copied()),
            };
            let known = |family: &Family| {
                matches!(family, Family::Password | Family::MemoryHard)
                    || families.get(&name) == Some(family)
            };
            let Some(family) = family.filter(known) else {
                // A primitive that is neither a block cipher nor a hash function has one
                // operation, with the primitive's own name.
                let known = families.contains_key(&format!("{}-ecb", v.primitive))
                    || families.get(&v.primitive) == Some(&Family::Hash);
                if known && !ELSEWHERE.contains(&v.operation.as_str()) {
                    nameless.insert((v.primitive.clone(), v.operation.clone()));
                }
                let what = format!("{} {}", v.primitive, v.operation);
                *absent.entry(what).or_default() += 1;
                continue;
            };
            let result = match family {
                Family::Cipher => cipher(&name, v, &place),
                Family::Aead => aead(&name, v, forwards, valid, &place),
                Family::Hash => hash(&name, v, &place),
                Family::Mac => mac(&name, v, &place),
                Family::Wrap => wrap(&name, v, forwards, valid, &place),
                Family::Derive => derived(&name, v, &place),
                Family::Drbg => generated(&name, v, &place),
                Family::MemoryHard if v.primitive == "scrypt" => scrypt(v, &place),
                Family::MemoryHard => argon2(v, &place),
                Family::Password => password(v, &place),
            };
            // The library has VMAC with AES-128. Wycheproof also has VMAC with AES-192 and
            // AES-256.
            let other = name.starts_with("vmac-") && v.key.len() != 16;
            let wanted = if valid && !other {
                Ok(())
            } else {
                Err(refusal(family, &name, v, forwards))
            };
            if result == wanted && valid && other {
                *absent
                    .entry(format!("{name} over another cipher"))
                    .or_default() += 1;
            } else if result == wanted {
                *ran.entry(name).or_default() += 1;
            } else {
                let count = bad.entry((name, result, wanted)).or_insert((0, place));
                count.0 += 1;
            }
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
    for (name, n) in &ran {
        println!("{name}: {n} records");
    }
    let records: usize = ran.values().sum();
    println!("{records} records of {} names", ran.len());
    for (what, n) in &absent {
        println!("{what}: SKIPPED {n} records: the library lacks it");
    }
    println!("SKIPPED {skipped} records that leave the answer open");
    // If the library has an algorithm, every operation of the algorithm has a name.
    assert!(
        nameless.is_empty(),
        "operations without a name: {nameless:?}"
    );
}

/// Checks that every name gives the same result in C as in Rust. In Rust, tests/by_name.rs
/// requires a known answer for each name. So no algorithm is missing or refused here.
#[test]
fn every_name_gives_what_it_gives_in_rust() {
    let families = families();
    let all: BTreeSet<String> = families.keys().cloned().collect();
    assert_eq!(all, dynamic::names().collect());
    for (name, family) in &families {
        match family {
            Family::Cipher => same_cipher(name),
            Family::Aead => same_aead(name),
            Family::Hash => same_hash(name),
            Family::Mac => same_mac(name),
            Family::Wrap => same_wrap(name),
            Family::Derive => same_key(name),
            Family::Drbg => same_drbg(name),
            Family::MemoryHard | Family::Password => unreachable!("no list of names has them"),
        }
    }
}

fn painted(length: usize) -> Vec<u8> {
    (0..length).map(|i| (i * 7 % 251) as u8).collect()
}

/// Returns the shortest length that the function `sizes` returns for a name.
fn shortest(sizes: Sizes, name: &str) -> usize {
    let mut min = 0;
    let code = unsafe { sizes(c(name).as_ptr(), &mut min, null_mut(), null_mut()) };
    assert_eq!(code, TOUCHSTONE_OK, "{name}");
    min
}

fn same_cipher(name: &str) {
    let key = painted(shortest(touchstone_cipher_key_sizes_of, name));
    let iv = painted(shortest(touchstone_cipher_iv_sizes_of, name));
    let (input, id) = (painted(256), c(name));
    let (k, i, d) = (p(&key), p(&iv), p(&input));
    for (direction, by_name) in [
        (dynamic::Direction::Encrypt, touchstone_encrypt as Once),
        (dynamic::Direction::Decrypt, touchstone_decrypt),
    ] {
        let mut wanted = input.clone();
        let mut cipher = dynamic::Cipher::new(name, direction, &key).unwrap();
        cipher
            .message_inout(&iv, wanted.as_mut_slice().into())
            .unwrap();
        let mut out = vec![0xa5; input.len()];
        let o = p_mut(&mut out);
        let code = unsafe { by_name(id.as_ptr(), k, key.len(), i, iv.len(), d, o, input.len()) };
        assert_eq!(code, TOUCHSTONE_OK, "{name}");
        assert!(out == wanted, "{name}");
    }
}

type Once = unsafe extern "C" fn(
    *const c_char,
    *const c_void,
    usize,
    *const c_void,
    usize,
    *const c_void,
    *mut c_void,
    usize,
) -> c_int;

fn same_aead(name: &str) {
    let key = painted(shortest(touchstone_aead_key_sizes_of, name));
    let nonce = match takes(touchstone_aead_nonce_sizes_of, name, 12) {
        true => 12,
        false => shortest(touchstone_aead_nonce_sizes_of, name),
    };
    // NaCl's secretbox has no associated data.
    let aad: &[u8] = if name == "xsalsa20-poly1305" {
        b""
    } else {
        b"aad"
    };
    let (input, nonce, id) = (painted(100), painted(nonce), c(name));
    let rust = dynamic::Aead::new(name, &key).unwrap();
    let (mut wanted, mut wanted_tag) = (input.clone(), vec![0; rust.tag()]);
    rust.encrypt_inout(&nonce, aad, wanted.as_mut_slice().into(), &mut wanted_tag)
        .unwrap();
    let new = |h| unsafe { touchstone_aead_new(h, id.as_ptr()) };
    let handle = Handle::new(touchstone_aead_free, new);
    let (mut out, mut tag) = (vec![0xa5; 100], vec![0xa5; wanted_tag.len()]);
    let (o, t, size) = (p_mut(&mut out), p_mut(&mut tag), wanted_tag.len());
    unsafe {
        let code = touchstone_aead_set_key(handle.0, p(&key), key.len());
        assert_eq!(code, TOUCHSTONE_OK, "{name}");
        let (n, n_len, a, a_len) = (p(&nonce), nonce.len(), p(aad), aad.len());
        let code =
            touchstone_aead_encrypt(handle.0, n, n_len, a, a_len, p(&input), o, 100, t, size);
        assert_eq!(code, TOUCHSTONE_OK, "{name}");
    }
    assert_eq!((out, tag), (wanted, wanted_tag), "{name}");
}

fn same_hash(name: &str) {
    let (input, id) = (painted(300), c(name));
    let mut rust = dynamic::Hash::new(name).unwrap();
    let mut wanted = vec![0; rust.output().unwrap_or(100)];
    rust.digest(&input, &mut wanted).unwrap();
    let mut digest = vec![0xa5; wanted.len()];
    let d = p_mut(&mut digest);
    let code = unsafe { touchstone_digest(id.as_ptr(), p(&input), 300, d, wanted.len()) };
    assert_eq!((code, digest), (TOUCHSTONE_OK, wanted), "{name}");
}

fn same_mac(name: &str) {
    // The key has at least two bytes, one byte for each of the two keys of DMAC, even if the
    // key may be empty.
    let key = painted(shortest(touchstone_mac_key_sizes_of, name).max(2));
    let nonce = painted(shortest(touchstone_mac_nonce_sizes_of, name));
    let (input, id) = (painted(300), c(name));
    let mut wanted = vec![0; unsafe { touchstone_mac_tag_size_of(id.as_ptr()) }];
    if nonce.is_empty() {
        let mut rust = dynamic::Mac::new(name, &key).unwrap();
        rust.mac(&input, &mut wanted).unwrap();
    } else {
        let rust = dynamic::NonceMac::new(name, &key).unwrap();
        rust.mac(&nonce, &input, &mut wanted).unwrap();
    }
    let new = |h| unsafe { touchstone_mac_new(h, id.as_ptr()) };
    let mac = Handle::new(touchstone_mac_free, new);
    let mut tag = vec![0xa5; wanted.len()];
    let t = p_mut(&mut tag);
    unsafe {
        let code = touchstone_mac_set_key(mac.0, p(&key), key.len());
        assert_eq!(code, TOUCHSTONE_OK, "{name}");
        let code = touchstone_mac_set_nonce(mac.0, p(&nonce), nonce.len());
        assert_eq!(code, TOUCHSTONE_OK, "{name}");
        let code = touchstone_mac_message(mac.0, p(&input), 300, t, wanted.len());
        assert_eq!(code, TOUCHSTONE_OK, "{name}");
    }
    assert_eq!(tag, wanted, "{name}");
}

fn same_wrap(name: &str) {
    let key = painted(shortest(touchstone_wrap_key_sizes_of, name));
    let (secret, id) = (painted(24), c(name));
    let mut wanted = vec![0; 32];
    let rust = dynamic::KeyWrap::new(name).unwrap();
    rust.wrap(&key, &secret, &mut wanted).unwrap();
    let mut out = vec![0xa5; 32];
    let (k, i, o) = (p(&key), p(&secret), p_mut(&mut out));
    let code = unsafe { touchstone_wrap(id.as_ptr(), k, key.len(), i, 24, o, 32) };
    assert_eq!((code, out), (TOUCHSTONE_OK, wanted), "{name}");
}

fn same_key(name: &str) {
    let iterations = u32::from(name.starts_with("pbkdf") || name == "bcrypt-pbkdf");
    let salted = [
        "hkdf-",
        "pbkdf",
        "bcrypt-pbkdf",
        "s2k-",
        "sp800-108-feedback-",
    ];
    let salt: &[u8] = match salted.iter().any(|start| name.starts_with(start)) {
        true => b"8 bytes.",
        false => b"",
    };
    // SP 800-108 with CMAC uses the secret as a key of the cipher. The longest output of PBKDF1
    // is one digest.
    let mac = name.trim_start_matches("sp800-108-counter-");
    let mac = mac.trim_start_matches("sp800-108-feedback-");
    let mac = mac.trim_start_matches("sp800-108-double-pipeline-");
    let length = match dynamic::Mac::key_lengths(mac) {
        Ok(lengths) => lengths.min.max(1),
        Err(_) => 6,
    };
    let secret = painted(length);
    let from = dynamic::Derivation {
        secret: &secret,
        salt,
        iterations,
        ..dynamic::Derivation::default()
    };
    let mut wanted = vec![0; if name.starts_with("pbkdf1-") { 16 } else { 40 }];
    dynamic::derive(name, &from, &mut wanted).unwrap();
    let mut key = vec![0xa5; wanted.len()];
    let (s, t, k, id) = (p(&secret), p(salt), p_mut(&mut key), c(name));
    let (s_len, t_len, n) = (secret.len(), salt.len(), wanted.len());
    let (id, none) = (id.as_ptr(), null());
    let code = unsafe { touchstone_derive(id, s, s_len, t, t_len, none, 0, iterations, k, n) };
    assert_eq!((code, key), (TOUCHSTONE_OK, wanted), "{name}");
}

fn same_drbg(name: &str) {
    let entropy = painted(shortest(touchstone_drbg_entropy_sizes_of, name));
    let mut wanted = vec![0; 100];
    let mut drbg = dynamic::Drbg::new(name, &entropy, &[], b"a test").unwrap();
    drbg.generate(&mut wanted, b"more").unwrap();
    let (id, e, n) = (c(name), p(&entropy), entropy.len());
    let handle = Handle::new(touchstone_drbg_free, |h| unsafe {
        touchstone_drbg_new(h, id.as_ptr(), e, n, null(), 0, p(b"a test"), 6)
    });
    let mut out = vec![0xa5; 100];
    let o = p_mut(&mut out);
    let code = unsafe { touchstone_drbg_generate(handle.0, p(b"more"), 4, o, 100) };
    assert_eq!((code, out), (TOUCHSTONE_OK, wanted), "{name}");
}
