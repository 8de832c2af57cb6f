//! Every vector that the interface has an algorithm for, through the functions
//! that C calls; and what it refuses, with the output untouched.
#![allow(
    unsafe_code,
    clippy::undocumented_unsafe_blocks,
    reason = "calls as C makes them: pointers are of live slices, handles come from `_new` and \
              are freed once"
)]

use std::collections::BTreeSet;
use std::ffi::{CStr, CString, c_char, c_int};
use std::path::Path;
use std::ptr::{null, null_mut};

use touchstone_capi::{aead::*, cipher::*, hash::*, list::*, mac::*, named::*, status::*};
use touchstone_vectors::{Vector, Verdict, read_tree};

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

/// The output of a cipher, in one piece or in several.
fn cipher(name: &str, vector: &Vector, direction: c_int, pieces: bool) -> Result<Vec<u8>, c_int> {
    let data = if direction == TOUCHSTONE_ENCRYPT {
        &vector.input
    } else {
        &vector.output
    };
    let mut out = data.clone();
    let check = |code| {
        if code == TOUCHSTONE_OK {
            Ok(())
        } else {
            Err(code)
        }
    };
    unsafe {
        let cipher = touchstone_cipher_new(c(name).as_ptr(), direction);
        assert!(!cipher.is_null(), "{name}");
        let result = (|| {
            for (name, value) in &vector.cost {
                check(touchstone_cipher_set_parameter(
                    cipher,
                    c(name).as_ptr(),
                    *value,
                ))?;
            }
            let (key, iv) = (&vector.key, &vector.nonce);
            check(touchstone_cipher_set_key(cipher, key.as_ptr(), key.len()))?;
            check(touchstone_cipher_set_iv(cipher, iv.as_ptr(), iv.len()))?;
            let piece = match touchstone_cipher_piece_size(cipher) {
                0 => out.len().max(1),
                size if pieces => 3 * size,
                _ => out.len().max(1),
            };
            for piece in out.chunks_mut(piece) {
                let data = piece.as_mut_ptr();
                check(touchstone_cipher_update(cipher, data, data, piece.len()))?;
            }
            Ok(())
        })();
        touchstone_cipher_free(cipher);
        result.map(|()| out)
    }
}

fn aead(name: &str, vector: &Vector) -> Result<(), c_int> {
    let tag = vector.tag.clone().unwrap_or_default();
    let (nonce, aad) = (&vector.nonce, &vector.aad);
    unsafe {
        let aead = touchstone_aead_new(c(name).as_ptr());
        assert!(!aead.is_null(), "{name}");
        let code = touchstone_aead_set_key(aead, vector.key.as_ptr(), vector.key.len());
        if code != TOUCHSTONE_OK {
            touchstone_aead_free(aead);
            return Err(code);
        }
        if vector.verdict != Verdict::Invalid {
            let mut out = vec![0xa5; vector.input.len()];
            let mut made = vec![0xa5; tag.len()];
            let code = touchstone_aead_encrypt(
                aead,
                nonce.as_ptr(),
                nonce.len(),
                aad.as_ptr(),
                aad.len(),
                vector.input.as_ptr(),
                out.as_mut_ptr(),
                out.len(),
                made.as_mut_ptr(),
                made.len(),
            );
            if code != TOUCHSTONE_OK {
                assert!(out.iter().chain(&made).all(|byte| *byte == 0xa5));
                touchstone_aead_free(aead);
                return Err(code);
            }
            assert_eq!(
                (&out, &made),
                (&vector.output, &tag),
                "{name} line {}",
                vector.line
            );
        }
        let mut out = vector.output.clone();
        let data = out.as_mut_ptr();
        let code = touchstone_aead_decrypt(
            aead,
            nonce.as_ptr(),
            nonce.len(),
            aad.as_ptr(),
            aad.len(),
            data,
            data,
            out.len(),
            tag.as_ptr(),
            tag.len(),
        );
        touchstone_aead_free(aead);
        if vector.verdict == Verdict::Invalid {
            assert_ne!(code, TOUCHSTONE_OK, "{name} line {}", vector.line);
            if code == TOUCHSTONE_ERROR_FORGED {
                assert!(out.iter().all(|byte| *byte == 0));
            }
            return Ok(());
        }
        assert_eq!((code, &out), (TOUCHSTONE_OK, &vector.input), "{name}");
    }
    Ok(())
}

fn mac(name: &str, vector: &Vector) {
    let tag = vector.tag.as_ref().unwrap_or(&vector.output);
    let mut made = vec![0; tag.len()];
    unsafe {
        let mac = touchstone_mac_new(c(name).as_ptr());
        assert!(!mac.is_null(), "{name}");
        let code = touchstone_mac_set_key(mac, vector.key.as_ptr(), vector.key.len());
        if code == TOUCHSTONE_OK {
            for piece in vector.input.chunks(7) {
                touchstone_mac_update(mac, piece.as_ptr(), piece.len());
            }
            let code = touchstone_mac_final(mac, made.as_mut_ptr(), made.len());
            assert_eq!(code, TOUCHSTONE_OK);
            let right = vector.verdict != Verdict::Invalid;
            assert_eq!(&made == tag, right, "{name} line {}", vector.line);
            touchstone_mac_update(mac, vector.input.as_ptr(), vector.input.len());
            let code = touchstone_mac_verify(mac, tag.as_ptr(), tag.len());
            assert_eq!(code == TOUCHSTONE_OK, right);
        } else {
            assert_eq!(code, TOUCHSTONE_ERROR_KEY_LENGTH);
        }
        touchstone_mac_free(mac);
    }
}

#[test]
fn vectors_hold() {
    let (ciphers, aeads) = (names(touchstone_cipher_name), names(touchstone_aead_name));
    let (hashes, macs) = (names(touchstone_hash_name), names(touchstone_mac_name));
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors");
    let (mut done, mut refused) = (0, 0);
    let mut seen = BTreeSet::new();
    for (_, file) in read_tree(&root).unwrap() {
        for vector in &file.vectors {
            let operation = vector.operation.as_str();
            let mode = operation.strip_suffix("-encrypt").unwrap_or(operation);
            let name = format!("{}-{mode}", vector.primitive);
            if ciphers.contains(&name) && operation.ends_with("-encrypt") {
                if vector.verdict == Verdict::Invalid || vector.output.len() > 1 << 17 {
                    continue;
                }
                let mut taken = true;
                for pieces in [false, true] {
                    match cipher(&name, vector, TOUCHSTONE_ENCRYPT, pieces) {
                        Ok(out) => assert!(out == vector.output, "{name} line {}", vector.line),
                        Err(_) => taken = false,
                    }
                }
                match cipher(&name, vector, TOUCHSTONE_DECRYPT, true) {
                    Ok(out) => assert!(out == vector.input, "{name} line {}", vector.line),
                    Err(_) => taken = false,
                }
                refused += usize::from(!taken);
            } else if aeads.contains(&name) && operation.ends_with("-encrypt") {
                refused += usize::from(aead(&name, vector).is_err());
            } else if macs.contains(&name) {
                mac(&name, vector);
            } else if hashes.contains(&vector.primitive) && operation == "hash" {
                let mut digest = vec![0; vector.output.len()];
                let name = c(&vector.primitive);
                let code = unsafe {
                    let (input, len) = (vector.input.as_ptr(), vector.input.len());
                    touchstone_digest(name.as_ptr(), input, len, digest.as_mut_ptr(), digest.len())
                };
                assert_eq!((code, &digest), (TOUCHSTONE_OK, &vector.output));
            } else {
                continue;
            }
            done += 1;
            seen.insert(name);
        }
    }
    eprintln!("{done} vectors of {} names, {refused} refused", seen.len());
    assert!(
        seen.contains("aes-128-gcm") && seen.contains("des-cbc"),
        "{seen:?}"
    );
    assert!(refused * 20 < done, "{refused} of {done} refused");
}

#[test]
fn every_name_can_be_made_and_says_its_kernel() {
    unsafe {
        for name in names(touchstone_cipher_name) {
            let cipher = touchstone_cipher_new(c(&name).as_ptr(), TOUCHSTONE_DECRYPT);
            assert!(!cipher.is_null(), "{name}");
            touchstone_cipher_free(cipher);
            assert!(!touchstone_kernel(c(&name).as_ptr()).is_null(), "{name}");
        }
        for name in names(touchstone_mac_name) {
            assert!(!touchstone_kernel(c(&name).as_ptr()).is_null(), "{name}");
        }
        assert!(touchstone_kernel(c"rot13".as_ptr()).is_null());
    }
}

#[test]
fn named_functions_are_the_generic_ones() {
    let (key, iv, input) = ([7; 16], [9; 16], [3; 48]);
    let (mut a, mut b) = ([0; 48], [0; 48]);
    unsafe {
        let (k, v, i) = (key.as_ptr(), iv.as_ptr(), input.as_ptr());
        let code = touchstone_aes_128_cbc_encrypt(k, 16, v, i, a.as_mut_ptr(), 48);
        assert_eq!(code, TOUCHSTONE_OK);
        let name = c"aes-128-cbc".as_ptr();
        touchstone_encrypt(name, k, 16, v, 16, i, b.as_mut_ptr(), 48);
        assert_eq!(a, b);
        let code = touchstone_aes_128_cbc_decrypt(k, 16, v, a.as_ptr(), b.as_mut_ptr(), 48);
        assert_eq!((code, b), (TOUCHSTONE_OK, input));
        let code = touchstone_aes_128_ecb_encrypt(k, 16, i, a.as_mut_ptr(), 47);
        assert_eq!(code, TOUCHSTONE_ERROR_DATA_LENGTH);
    }
}

#[test]
fn bad_arguments_leave_the_output_as_it_is() {
    let (key, iv) = ([1u8; 16], [2u8; 16]);
    let mut buffer = [0xa5u8; 64];
    let data = buffer.as_mut_ptr();
    unsafe {
        // Names and directions.
        assert!(touchstone_cipher_new(null(), 1).is_null());
        assert!(touchstone_cipher_new(c"aes-128".as_ptr(), 1).is_null());
        assert!(touchstone_cipher_new(c"aes-129-cbc".as_ptr(), 1).is_null());
        assert!(touchstone_cipher_new(c"des-xts".as_ptr(), 1).is_null());
        assert!(touchstone_cipher_new(c"aes-128-cbc".as_ptr(), 2).is_null());
        assert!(touchstone_cipher_new(c"\xff-cbc".as_ptr(), 1).is_null());
        assert!(touchstone_aead_new(c"des-gcm".as_ptr()).is_null());
        assert!(touchstone_hash_new(c"sha-257".as_ptr()).is_null());
        assert!(touchstone_mac_new(c"mac".as_ptr()).is_null());
        assert!(touchstone_hash_copy(null()).is_null());

        // No handle.
        let none = TOUCHSTONE_ERROR_NULL;
        touchstone_cipher_free(null_mut());
        touchstone_aead_free(null_mut());
        touchstone_hash_free(null_mut());
        touchstone_mac_free(null_mut());
        assert_eq!(
            touchstone_cipher_set_key(null_mut(), key.as_ptr(), 16),
            none
        );
        assert_eq!(touchstone_cipher_update(null_mut(), data, data, 16), none);
        assert_eq!(touchstone_hash_update(null_mut(), data, 16), none);
        assert_eq!(touchstone_mac_final(null_mut(), data, 16), none);
        assert_eq!(touchstone_cipher_iv_size(null()), 0);

        // A cipher in the wrong state, with wrong lengths, with overlap.
        let cipher = touchstone_cipher_new(c"aes-128-cbc".as_ptr(), TOUCHSTONE_ENCRYPT);
        let update = |input: *const u8, output: *mut u8, len| {
            touchstone_cipher_update(cipher, input, output, len)
        };
        assert_eq!(update(data, data, 16), TOUCHSTONE_ERROR_STATE);
        let set_iv = touchstone_cipher_set_iv(cipher, iv.as_ptr(), 16);
        assert_eq!(set_iv, TOUCHSTONE_ERROR_STATE);
        let set_key = |key: *const u8, len| touchstone_cipher_set_key(cipher, key, len);
        assert_eq!(set_key(key.as_ptr(), 15), TOUCHSTONE_ERROR_KEY_LENGTH);
        assert_eq!(set_key(null(), 16), none);
        assert_eq!(set_key(key.as_ptr(), 16), TOUCHSTONE_OK);
        assert_eq!(update(data, data, 16), TOUCHSTONE_ERROR_STATE);
        let set_iv = touchstone_cipher_set_iv(cipher, iv.as_ptr(), 15);
        assert_eq!(set_iv, TOUCHSTONE_ERROR_IV_LENGTH);
        assert_eq!(update(data, data, 16), TOUCHSTONE_ERROR_STATE);
        assert_eq!(
            touchstone_cipher_set_iv(cipher, iv.as_ptr(), 16),
            TOUCHSTONE_OK
        );
        assert_eq!(update(data, data, 15), TOUCHSTONE_ERROR_DATA_LENGTH);
        assert_eq!(update(data, data, usize::MAX), TOUCHSTONE_ERROR_DATA_LENGTH);
        assert_eq!(update(null(), data, 16), none);
        assert_eq!(update(data, null_mut(), 16), none);
        assert_eq!(update(data, data.add(1), 16), TOUCHSTONE_ERROR_OVERLAP);
        assert_eq!(update(data.add(15), data, 16), TOUCHSTONE_ERROR_OVERLAP);
        let parameter = touchstone_cipher_set_parameter(cipher, c"rounds".as_ptr(), 3);
        assert_eq!(parameter, TOUCHSTONE_ERROR_PARAMETER);
        assert!((0..64).all(|i| *data.add(i) == 0xa5));
        // Neighbours do not overlap, and no bytes need no pointer.
        assert_eq!(update(data.add(16), data, 16), TOUCHSTONE_OK);
        assert_eq!(update(null(), null_mut(), 0), TOUCHSTONE_OK);
        touchstone_cipher_free(cipher);
        data.write_bytes(0xa5, 64);

        // XTS wants a tweak for each unit.
        let xts = touchstone_cipher_new(c"aes-128-xts".as_ptr(), TOUCHSTONE_ENCRYPT);
        let keys = [5; 32];
        assert_eq!(
            touchstone_cipher_set_key(xts, keys.as_ptr(), 32),
            TOUCHSTONE_OK
        );
        assert_eq!(
            touchstone_cipher_set_iv(xts, iv.as_ptr(), 16),
            TOUCHSTONE_OK
        );
        assert_eq!(touchstone_cipher_update(xts, data, data, 17), TOUCHSTONE_OK);
        let again = touchstone_cipher_update(xts, data, data, 17);
        assert_eq!(again, TOUCHSTONE_ERROR_STATE);
        touchstone_cipher_free(xts);
        data.write_bytes(0xa5, 64);

        // A parameter out of range is refused with the key.
        let rc2 = touchstone_cipher_new(c"rc2-ecb".as_ptr(), TOUCHSTONE_ENCRYPT);
        let name = c"effective-bits".as_ptr();
        assert_eq!(
            touchstone_cipher_set_parameter(rc2, name, 5000),
            TOUCHSTONE_OK
        );
        let set = touchstone_cipher_set_key(rc2, key.as_ptr(), 16);
        assert_eq!(set, TOUCHSTONE_ERROR_PARAMETER);
        touchstone_cipher_free(rc2);

        // AEAD: no key, an impossible nonce or tag, overlap.
        let gcm = touchstone_aead_new(c"aes-128-ccm".as_ptr());
        let seal = |nonce_len, out: *mut u8, tag: *mut u8, tag_len| {
            let nonce = iv.as_ptr();
            touchstone_aead_encrypt(
                gcm,
                nonce,
                nonce_len,
                null(),
                0,
                data,
                out,
                16,
                tag,
                tag_len,
            )
        };
        let tag = data.add(32);
        assert_eq!(seal(12, data, tag, 16), TOUCHSTONE_ERROR_STATE);
        assert_eq!(
            touchstone_aead_set_key(gcm, key.as_ptr(), 16),
            TOUCHSTONE_OK
        );
        assert_eq!(seal(3, data, tag, 16), TOUCHSTONE_ERROR_IV_LENGTH);
        assert_eq!(seal(12, data, tag, 3), TOUCHSTONE_ERROR_TAG_LENGTH);
        assert_eq!(seal(12, data, data.add(8), 16), TOUCHSTONE_ERROR_OVERLAP);
        assert_eq!(seal(12, data.add(8), tag, 16), TOUCHSTONE_ERROR_OVERLAP);
        assert_eq!(seal(12, data, null_mut(), 16), none);
        touchstone_aead_free(gcm);

        // Hashes and MACs of the wrong length; the message goes on.
        let hash = touchstone_hash_new(c"sha-256".as_ptr());
        assert_eq!(
            touchstone_hash_update(hash, c"abc".as_ptr().cast(), 3),
            TOUCHSTONE_OK
        );
        assert_eq!(touchstone_hash_update(hash, null(), 3), none);
        assert_eq!(
            touchstone_hash_final(hash, data, 31),
            TOUCHSTONE_ERROR_OUTPUT_LENGTH
        );
        assert_eq!(touchstone_hash_final(hash, null_mut(), 32), none);
        let mut digest = [0; 32];
        assert_eq!(
            touchstone_hash_final(hash, digest.as_mut_ptr(), 32),
            TOUCHSTONE_OK
        );
        assert_eq!(digest[..4], [0xba, 0x78, 0x16, 0xbf]);
        touchstone_hash_free(hash);
        let name = c"sha-256".as_ptr();
        let code = touchstone_digest(name, data, 40, data.add(8), 32);
        assert_eq!(code, TOUCHSTONE_ERROR_OVERLAP);

        let mac = touchstone_mac_new(c"aes-128-cmac".as_ptr());
        assert_eq!(touchstone_mac_update(mac, data, 3), TOUCHSTONE_ERROR_STATE);
        assert_eq!(touchstone_mac_final(mac, data, 16), TOUCHSTONE_ERROR_STATE);
        assert_eq!(touchstone_mac_set_key(mac, key.as_ptr(), 16), TOUCHSTONE_OK);
        assert_eq!(
            touchstone_mac_final(mac, data, 17),
            TOUCHSTONE_ERROR_TAG_LENGTH
        );
        assert_eq!(
            touchstone_mac_verify(mac, data, 0),
            TOUCHSTONE_ERROR_TAG_LENGTH
        );
        touchstone_mac_free(mac);

        assert!((0..64).all(|i| *data.add(i) == 0xa5));
    }
}

#[test]
fn threads_share_an_authenticated_cipher() {
    struct Shared(*const touchstone_aead);
    unsafe impl Sync for Shared {}
    let gcm = unsafe {
        let gcm = touchstone_aead_new(c"aes-256-gcm".as_ptr());
        touchstone_aead_set_key(gcm, [1; 32].as_ptr(), 32);
        gcm
    };
    let shared = Shared(gcm);
    let seal = |shared: &Shared| unsafe {
        let (mut data, mut tag) = ([4; 100], [0; 16]);
        let (p, nonce) = (data.as_mut_ptr(), [3; 12]);
        let n = nonce.as_ptr();
        touchstone_aead_encrypt(shared.0, n, 12, null(), 0, p, p, 100, tag.as_mut_ptr(), 16);
        (data, tag)
    };
    let right = seal(&shared);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..100).for_each(|_| assert_eq!(seal(&shared), right)));
        }
    });
    unsafe { touchstone_aead_free(gcm) };
}
