//! Known answers through the functions that C calls: every record in `vectors/` whose
//! algorithm has a name. No valid record may be refused, by any code; an invalid record
//! must be refused by a code that says why.
#![allow(
    unsafe_code,
    clippy::undocumented_unsafe_blocks,
    reason = "calls as C makes them: pointers are of live slices, handles come from `_new` and \
              are freed once"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::Path;
use std::ptr::null_mut;

use touchstone_capi::{
    aead::*, cipher::*, derive::*, hash::*, mac::*, names::*, status::*, wrap::*,
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

/// A handle that is freed at the end.
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
    }
    Ok(())
}

fn mac(name: &str, v: &Vector, place: &str) -> Outcome {
    let new = |h| unsafe { touchstone_mac_new(h, c(name).as_ptr()) };
    let tag = &v.output;
    let keyed = || {
        let handle = Handle::new(touchstone_mac_free, new);
        unsafe {
            check(touchstone_mac_set_tag_size_insecure(handle.0, tag.len()))?;
            check(touchstone_mac_set_key(handle.0, p(&v.key), v.key.len()))?;
        }
        Ok::<_, c_int>(handle)
    };
    let mut made = vec![0xa5; tag.len()];
    let first = keyed()?;
    let second = keyed()?;
    unsafe {
        for piece in v.input.chunks(23) {
            check(touchstone_mac_update(first.0, p(piece), piece.len()))?;
        }
        check(touchstone_mac_final(first.0, p_mut(&mut made), tag.len()))?;
        check(touchstone_mac_update(second.0, p(&v.input), v.input.len()))?;
        let code = touchstone_mac_verify(second.0, p(tag), tag.len());
        assert_eq!(code == TOUCHSTONE_OK, &made == tag, "{place} [{name}]");
        check(code)
    }
}

fn hash(name: &str, v: &Vector, place: &str) -> Outcome {
    let mut digest = vec![0xa5; v.output.len()];
    unsafe {
        let (i, len) = (p(&v.input), v.input.len());
        let (name, d) = (c(name), p_mut(&mut digest));
        check(touchstone_digest(name.as_ptr(), i, len, d, v.output.len()))?;
        assert_eq!(digest, v.output, "{place}");
        let new = |h| touchstone_hash_new(h, name.as_ptr());
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

#[test]
fn every_record_of_every_name() {
    let lists = [
        names(touchstone_cipher_name),
        names(touchstone_aead_name),
        names(touchstone_hash_name),
        names(touchstone_mac_name),
        names(touchstone_wrap_name),
        names(touchstone_derive_name),
    ];
    let [ciphers, aeads, hashes, macs, wraps, derivations] = &lists;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors");
    let mut ran: BTreeMap<String, usize> = BTreeMap::new();
    let mut bad = BTreeMap::<_, (usize, String)>::new();
    let (mut absent, mut skipped) = (0, 0);
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
            let over = format!("{}-{mode}", v.primitive);
            let own = v.primitive.clone();
            let (name, result) = match mode {
                "hash" | "xof" if hashes.contains(&own) => (own.clone(), hash(&own, v, &place)),
                "stream" | "stream-keystream" if ciphers.contains(&own) => {
                    (own.clone(), cipher(&own, v, &place))
                }
                "aead" if aeads.contains(&own) => {
                    (own.clone(), aead(&own, v, forwards, valid, &place))
                }
                "mac" if macs.contains(&own) && v.nonce.is_empty() => {
                    (own.clone(), mac(&own, v, &place))
                }
                "derive" if derivations.contains(&own) => (own.clone(), derived(&own, v, &place)),
                _ if wraps.contains(&over) => {
                    (over.clone(), wrap(&over, v, forwards, valid, &place))
                }
                _ if ciphers.contains(&over) => (over.clone(), cipher(&over, v, &place)),
                _ if aeads.contains(&over) => {
                    (over.clone(), aead(&over, v, forwards, valid, &place))
                }
                _ if macs.contains(&over) && v.nonce.is_empty() => {
                    (over.clone(), mac(&over, v, &place))
                }
                _ => {
                    absent += 1;
                    continue;
                }
            };
            let good = match result {
                Ok(()) => valid,
                Err(TOUCHSTONE_ERROR_FORGED) => !valid,
                Err(
                    TOUCHSTONE_ERROR_KEY_LENGTH
                    | TOUCHSTONE_ERROR_IV_LENGTH
                    | TOUCHSTONE_ERROR_TAG_LENGTH
                    | TOUCHSTONE_ERROR_DATA_LENGTH
                    | TOUCHSTONE_ERROR_OUTPUT_LENGTH,
                ) if !valid => true,
                Err(_) => false,
            };
            if good {
                *ran.entry(name).or_default() += 1;
            } else {
                let count = bad.entry((name, result, valid)).or_insert((0, place));
                count.0 += 1;
            }
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
    let records: usize = ran.values().sum();
    for (name, n) in &ran {
        println!("{name}: {n} records");
    }
    println!("{records} records of {} names", ran.len());
    println!("SKIPPED {absent} records of algorithms that the library lacks");
    println!("SKIPPED {skipped} records that leave the answer open");
    for name in [
        "aes-128-gcm",
        "des-cbc",
        "sha-256",
        "hmac-sha-256",
        "aes-256-kw",
    ] {
        assert!(ran.contains_key(name), "{name} has not run");
    }
    // The same names as in Rust, where tests/by_name.rs asks for an answer of each.
    let all: BTreeSet<String> = lists.into_iter().flatten().collect();
    // MACs with a nonce have no function in C.
    let rust_alone: BTreeSet<String> = touchstone::dynamic::NonceMac::names().collect();
    println!(
        "SKIPPED {} MACs with a nonce: C has no function for them",
        rust_alone.len()
    );
    let wanted: BTreeSet<String> = touchstone::dynamic::names()
        .filter(|name| !rust_alone.contains(name))
        .collect();
    assert_eq!(all, wanted);
}
