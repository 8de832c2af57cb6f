//! Tests which calls the functions refuse, which error code they return, and that a refused
//! call changes nothing. Also tests tag lengths, many messages, and functions for which there
//! are no known answers: padding, names, sizes, passwords, comparison.
#![allow(
    unsafe_code,
    clippy::undocumented_unsafe_blocks,
    reason = "calls as C makes them: pointers are of live slices, handles come from `_new` and \
              are freed once"
)]

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::{null, null_mut};

use touchstone::Keyed;
use touchstone::block::Aes128;
use touchstone::mode::CbcEncrypt;
use touchstone_capi::{
    aead::*, cipher::*, drbg::*, generator::*, hash::*, mac::*, names::*, padding::*, password::*,
    status::*, system::*,
};

fn painted(length: usize) -> Vec<u8> {
    (0..length).map(|i| (i * 7 % 251) as u8).collect()
}

fn p(data: &[u8]) -> *const c_void {
    data.as_ptr().cast()
}

fn p_mut(data: &mut [u8]) -> *mut c_void {
    data.as_mut_ptr().cast()
}

fn cipher(name: &CStr, direction: c_int) -> *mut touchstone_cipher {
    let mut cipher = null_mut();
    let code = unsafe { touchstone_cipher_new(&mut cipher, name.as_ptr(), direction) };
    assert_eq!(code, TOUCHSTONE_OK);
    cipher
}

fn aead(name: &CStr) -> *mut touchstone_aead {
    let mut aead = null_mut();
    let code = unsafe { touchstone_aead_new(&mut aead, name.as_ptr()) };
    assert_eq!(code, TOUCHSTONE_OK);
    aead
}

fn mac(name: &CStr) -> *mut touchstone_mac {
    let mut mac = null_mut();
    let code = unsafe { touchstone_mac_new(&mut mac, name.as_ptr()) };
    assert_eq!(code, TOUCHSTONE_OK);
    mac
}

#[test]
fn new_says_why_it_failed() {
    for (name, direction, code) in [
        (c"aes-128", 1, TOUCHSTONE_ERROR_NAME),
        (c"aes-129-cbc", 1, TOUCHSTONE_ERROR_NAME),
        (c"des-xts", 1, TOUCHSTONE_ERROR_NAME),
        (c"\xff-cbc", 1, TOUCHSTONE_ERROR_NAME),
        (c"aes-128-cbc", 2, TOUCHSTONE_ERROR_PARAMETER),
    ] {
        let mut handle = std::ptr::dangling_mut();
        let got = unsafe { touchstone_cipher_new(&mut handle, name.as_ptr(), direction) };
        assert_eq!(got, code, "{name:?}");
        assert!(handle.is_null());
    }
    unsafe {
        let name = c"aes-128-cbc".as_ptr();
        assert_eq!(
            touchstone_cipher_new(null_mut(), name, 1),
            TOUCHSTONE_ERROR_NULL
        );
        let mut handle = null_mut();
        assert_eq!(
            touchstone_cipher_new(&mut handle, null(), 1),
            TOUCHSTONE_ERROR_NULL
        );
        let mut aead = null_mut();
        let code = touchstone_aead_new(&mut aead, c"des-gcm".as_ptr());
        assert_eq!(code, TOUCHSTONE_ERROR_NAME);
        let mut hash = null_mut();
        let code = touchstone_hash_new(&mut hash, c"sha-257".as_ptr());
        assert_eq!(code, TOUCHSTONE_ERROR_NAME);
        // SHA-256 has no customisation.
        let code = touchstone_hash_new_customised(&mut hash, c"sha-256".as_ptr(), null(), 0);
        assert_eq!(code, TOUCHSTONE_ERROR_NAME);
        // A personalisation of BLAKE2s has at most 8 bytes.
        let personal = c"ninebytes";
        let code = touchstone_hash_new_customised(
            &mut hash,
            c"blake2s".as_ptr(),
            personal.as_ptr().cast(),
            9,
        );
        assert_eq!(code, TOUCHSTONE_ERROR_PARAMETER);
        assert_eq!(
            touchstone_hash_copy(&mut hash, null()),
            TOUCHSTONE_ERROR_NULL
        );
        let mut mac = null_mut();
        assert_eq!(
            touchstone_mac_new(&mut mac, c"mac".as_ptr()),
            TOUCHSTONE_ERROR_NAME
        );
        touchstone_cipher_free(null_mut());
        touchstone_aead_free(null_mut());
        touchstone_hash_free(null_mut());
        touchstone_mac_free(null_mut());
    }
}

#[test]
fn ciphers_refuse_a_wrong_order_lengths_and_overlap() {
    let (key, iv) = ([1u8; 16], [2u8; 16]);
    let mut buffer = [0xa5u8; 64];
    let data = buffer.as_mut_ptr().cast::<c_void>();
    unsafe {
        let cipher = cipher(c"aes-128-cbc", TOUCHSTONE_ENCRYPT);
        let set_iv = |len| touchstone_cipher_set_iv(cipher, p(&iv), len);
        let set_key = |key: *const c_void, len| touchstone_cipher_set_key(cipher, key, len);
        let update = |input: *const c_void, output: *mut c_void, len| {
            touchstone_cipher_update(cipher, input, output, len)
        };
        let at = |n| data.byte_add(n);
        assert_eq!(update(data, data, 16), TOUCHSTONE_ERROR_STATE);
        assert_eq!(set_iv(16), TOUCHSTONE_ERROR_STATE);
        assert_eq!(set_key(p(&key), 15), TOUCHSTONE_ERROR_KEY_LENGTH);
        assert_eq!(set_key(null(), 16), TOUCHSTONE_ERROR_NULL);
        assert_eq!(set_key(p(&key), 16), TOUCHSTONE_OK);
        assert_eq!(update(data, data, 16), TOUCHSTONE_ERROR_STATE);
        assert_eq!(set_iv(15), TOUCHSTONE_ERROR_IV_LENGTH);
        assert_eq!(set_iv(16), TOUCHSTONE_OK);
        assert_eq!(update(data, at(16), 15), TOUCHSTONE_ERROR_DATA_LENGTH);
        assert_eq!(update(data, data, usize::MAX), TOUCHSTONE_ERROR_DATA_LENGTH);
        assert_eq!(update(null(), data, 16), TOUCHSTONE_ERROR_NULL);
        assert_eq!(update(data, null_mut(), 16), TOUCHSTONE_ERROR_NULL);
        assert_eq!(update(data, at(1), 16), TOUCHSTONE_ERROR_OVERLAP);
        assert_eq!(update(at(15), data, 16), TOUCHSTONE_ERROR_OVERLAP);
        let rounds = touchstone_cipher_set_parameter(cipher, c"rounds".as_ptr(), 3);
        assert_eq!(rounds, TOUCHSTONE_ERROR_STATE);
        assert_eq!(buffer, [0xa5; 64]);
        // Adjacent buffers do not overlap, and for length 0 the pointer may be NULL.
        assert_eq!(update(at(16), data, 16), TOUCHSTONE_OK);
        assert_eq!(update(null(), null_mut(), 0), TOUCHSTONE_OK);
        touchstone_cipher_free(cipher);
    }
    unsafe {
        // XTS needs a tweak for each message.
        let xts = cipher(c"aes-128-xts", TOUCHSTONE_ENCRYPT);
        let message = || touchstone_cipher_update(xts, data, data, 17);
        assert_eq!(
            touchstone_cipher_set_key(xts, p(&painted(32)), 32),
            TOUCHSTONE_OK
        );
        assert_eq!(touchstone_cipher_set_iv(xts, p(&iv), 16), TOUCHSTONE_OK);
        assert_eq!(message(), TOUCHSTONE_OK);
        assert_eq!(message(), TOUCHSTONE_ERROR_STATE);
        touchstone_cipher_free(xts);

        let rc2 = cipher(c"rc2-ecb", TOUCHSTONE_ENCRYPT);
        let set = |name: &CStr| touchstone_cipher_set_parameter(rc2, name.as_ptr(), 5000);
        assert_eq!(set(c"rounds"), TOUCHSTONE_ERROR_PARAMETER);
        assert_eq!(set(c"effective-bits"), TOUCHSTONE_OK);
        let code = touchstone_cipher_set_key(rc2, p(&key), 16);
        assert_eq!(code, TOUCHSTONE_ERROR_PARAMETER);
        touchstone_cipher_free(rc2);
    }
}

/// Checks that a message of more than 48 KiB in one call gives the same output as in Rust.
#[test]
fn long_messages_are_one_message() {
    let key = painted(16);
    let data = painted(3 * (1 << 14) + 32);
    let aes = Aes128::from_slice(&key).expect("16 bytes");
    let mut wanted = data.clone();
    CbcEncrypt::new(&aes, &[7; 16])
        .encrypt(&mut wanted)
        .expect("whole blocks");
    let mut out = vec![0xa5; data.len()];
    unsafe {
        let cbc = cipher(c"aes-128-cbc", TOUCHSTONE_ENCRYPT);
        touchstone_cipher_set_key(cbc, p(&key), 16);
        let (iv, n) = ([7; 16], data.len());
        let code = touchstone_cipher_message(cbc, p(&iv), 16, p(&data), p_mut(&mut out), n);
        assert_eq!(code, TOUCHSTONE_OK);
        touchstone_cipher_free(cbc);
    }
    assert!(out == wanted);
}

/// Checks that a prefix of a tag is refused: a handle has one tag length.
#[test]
fn tags_have_the_length_of_the_handle() {
    let (key, nonce) = ([1u8; 16], [2u8; 12]);
    unsafe {
        for (name, wrong) in [
            (c"aes-128-gcm", 17),
            (c"aes-128-eax", 17),
            (c"aes-128-ccm", 5),
        ] {
            let aead = aead(name);
            assert_eq!(touchstone_aead_tag_size(aead), 16);
            let set = |size| touchstone_aead_set_tag_size(aead, size);
            assert_eq!(set(wrong), TOUCHSTONE_ERROR_TAG_LENGTH, "{name:?}");
            assert_eq!(set(3), TOUCHSTONE_ERROR_TAG_LENGTH);
            assert_eq!(set(12), TOUCHSTONE_OK);
            assert_eq!(set(16), TOUCHSTONE_OK);
            let (mut data, mut tag) = ([3u8; 32], [0xa5u8; 16]);
            let d = data.as_mut_ptr().cast::<c_void>();
            let t = tag.as_mut_ptr().cast::<c_void>();
            let n = p(&nonce);
            let seal = |out, tag, len| {
                touchstone_aead_encrypt(aead, n, 12, null(), 0, d, out, 16, tag, len)
            };
            assert_eq!(seal(d, t, 16), TOUCHSTONE_ERROR_STATE);
            assert_eq!(touchstone_aead_set_key(aead, p(&key), 16), TOUCHSTONE_OK);
            assert_eq!(set(12), TOUCHSTONE_ERROR_STATE);
            assert_eq!(seal(d, t, 12), TOUCHSTONE_ERROR_TAG_LENGTH);
            assert_eq!(seal(d, null_mut(), 16), TOUCHSTONE_ERROR_NULL);
            assert_eq!(seal(d, d.byte_add(8), 16), TOUCHSTONE_ERROR_OVERLAP);
            assert_eq!(seal(d.byte_add(8), t, 16), TOUCHSTONE_ERROR_OVERLAP);
            assert_eq!(seal(d, t, 16), TOUCHSTONE_OK);
            let open = |len| {
                let t = t.cast_const();
                touchstone_aead_decrypt(aead, n, 12, null(), 0, d, d, 16, t, len)
            };
            let sealed = data;
            for len in 0..16 {
                assert_eq!(open(len), TOUCHSTONE_ERROR_TAG_LENGTH, "{name:?} {len}");
            }
            assert_eq!(data, sealed);
            assert_eq!(open(16), TOUCHSTONE_OK);
            assert_eq!(data, [3; 32]);
            assert_eq!(open(16), TOUCHSTONE_ERROR_FORGED);
            assert_eq!(data[..16], [0; 16]);
            touchstone_aead_free(aead);
        }

        let mac = mac(c"aes-128-cmac");
        let set = |size| touchstone_mac_set_tag_size(mac, size);
        let mut tag = [0xa5u8; 16];
        let t = tag.as_mut_ptr().cast::<c_void>();
        assert_eq!(
            touchstone_mac_update(mac, p(&key), 3),
            TOUCHSTONE_ERROR_STATE
        );
        assert_eq!(set(3), TOUCHSTONE_ERROR_TAG_LENGTH);
        assert_eq!(set(17), TOUCHSTONE_ERROR_TAG_LENGTH);
        let none = touchstone_mac_set_tag_size_insecure(mac, 0);
        assert_eq!(none, TOUCHSTONE_ERROR_TAG_LENGTH);
        assert_eq!(touchstone_mac_set_tag_size_insecure(mac, 2), TOUCHSTONE_OK);
        assert_eq!(set(8), TOUCHSTONE_OK);
        assert_eq!(touchstone_mac_set_key(mac, p(&key), 16), TOUCHSTONE_OK);
        assert_eq!(set(4), TOUCHSTONE_ERROR_STATE);
        assert_eq!(
            touchstone_mac_final(mac, t, 16),
            TOUCHSTONE_ERROR_TAG_LENGTH
        );
        assert_eq!(touchstone_mac_message(mac, null(), 0, t, 8), TOUCHSTONE_OK);
        for len in 0..8 {
            assert_eq!(
                touchstone_mac_verify(mac, t, len),
                TOUCHSTONE_ERROR_TAG_LENGTH
            );
        }
        assert_eq!(touchstone_mac_verify(mac, t, 8), TOUCHSTONE_OK);
        assert_eq!(tag[8..], [0xa5; 8]);
        touchstone_mac_free(mac);
    }
}

/// Tests the order of the calls for a message in pieces, and what each call refuses.
#[test]
fn messages_in_pieces_refuse_a_wrong_order_lengths_and_overlap() {
    let (key, nonce) = ([1u8; 16], [2u8; 12]);
    unsafe {
        let gcm = aead(c"aes-128-gcm");
        let mut encryptor = std::ptr::dangling_mut();
        let n = p(&nonce);
        let code = touchstone_encryptor_new(&mut encryptor, gcm, n, 12, 0, 0);
        assert_eq!(code, TOUCHSTONE_ERROR_STATE);
        assert!(encryptor.is_null());
        assert_eq!(touchstone_aead_set_tag_size(gcm, 12), TOUCHSTONE_OK);
        assert_eq!(touchstone_aead_set_key(gcm, p(&key), 16), TOUCHSTONE_OK);
        let code = touchstone_encryptor_new(&mut encryptor, null(), n, 12, 0, 0);
        assert_eq!(code, TOUCHSTONE_ERROR_NULL);
        let code = touchstone_encryptor_new(null_mut(), gcm, n, 12, 0, 0);
        assert_eq!(code, TOUCHSTONE_ERROR_NULL);
        let code = touchstone_encryptor_new(&mut encryptor, gcm, n, 0, 0, 0);
        assert_eq!(code, TOUCHSTONE_ERROR_IV_LENGTH);
        let code = touchstone_encryptor_new(&mut encryptor, gcm, n, 12, 0, 0);
        assert_eq!(code, TOUCHSTONE_OK);

        let mut buffer = [3u8; 64];
        let data = buffer.as_mut_ptr().cast::<c_void>();
        let at = |n| data.byte_add(n);
        let update = |input: *const c_void, output, len| {
            touchstone_encryptor_update(encryptor, input, output, len)
        };
        let add = |aad: *const c_void, len| touchstone_encryptor_aad(encryptor, aad, len);
        assert_eq!(add(null(), 1), TOUCHSTONE_ERROR_NULL);
        assert_eq!(add(p(b"aad"), 3), TOUCHSTONE_OK);
        assert_eq!(update(data, null_mut(), 16), TOUCHSTONE_ERROR_NULL);
        assert_eq!(update(data, at(1), 16), TOUCHSTONE_ERROR_OVERLAP);
        assert_eq!(update(data, data, usize::MAX), TOUCHSTONE_ERROR_DATA_LENGTH);
        assert_eq!(buffer, [3; 64]);
        // A new key of the handle does not change a message that has already started.
        assert_eq!(touchstone_aead_set_key(gcm, p(&[9; 16]), 16), TOUCHSTONE_OK);
        assert_eq!(update(data, at(16), 9), TOUCHSTONE_OK);
        assert_eq!(add(p(b"aad"), 3), TOUCHSTONE_ERROR_STATE);
        touchstone_aead_free(gcm);
        assert_eq!(update(at(9), at(25), 7), TOUCHSTONE_OK);
        let mut tag = [0xa5u8; 16];
        let t = p_mut(&mut tag);
        let finish = |tag, len| touchstone_encryptor_finish(encryptor, tag, len);
        assert_eq!(finish(t, 16), TOUCHSTONE_ERROR_TAG_LENGTH);
        assert_eq!(finish(null_mut(), 12), TOUCHSTONE_ERROR_NULL);
        assert_eq!(tag, [0xa5; 16]);
        assert_eq!(finish(t, 12), TOUCHSTONE_OK);
        assert_eq!(finish(t, 12), TOUCHSTONE_ERROR_STATE);
        assert_eq!(add(null(), 0), TOUCHSTONE_ERROR_STATE);
        assert_eq!(update(data, data, 16), TOUCHSTONE_ERROR_STATE);
        touchstone_encryptor_free(encryptor);
        touchstone_encryptor_free(null_mut());

        let gcm = aead(c"aes-128-gcm");
        touchstone_aead_set_tag_size(gcm, 12);
        touchstone_aead_set_key(gcm, p(&key), 16);
        let open = |input: *mut c_void| {
            touchstone_aead_decrypt(gcm, n, 12, p(b"aad"), 3, input, input, 16, t, 12)
        };
        assert_eq!(open(at(16)), TOUCHSTONE_OK);
        assert_eq!(buffer[16..32], [3; 16]);

        let mut decryptor = null_mut();
        let code = touchstone_decryptor_new(&mut decryptor, gcm, n, 12, 0, 0);
        assert_eq!(code, TOUCHSTONE_OK);
        let verify = |tag: *const c_void, len| touchstone_decryptor_verify(decryptor, tag, len);
        assert_eq!(verify(t, 11), TOUCHSTONE_ERROR_TAG_LENGTH);
        assert_eq!(verify(null(), 12), TOUCHSTONE_ERROR_NULL);
        assert_eq!(verify(t, 12), TOUCHSTONE_ERROR_FORGED);
        assert_eq!(verify(t, 12), TOUCHSTONE_ERROR_STATE);
        let code = touchstone_decryptor_update_unverified(decryptor, data, data, 16);
        assert_eq!(code, TOUCHSTONE_ERROR_STATE);
        let code = touchstone_decryptor_aad(decryptor, null(), 0);
        assert_eq!(code, TOUCHSTONE_ERROR_STATE);
        touchstone_decryptor_free(decryptor);
        touchstone_decryptor_free(null_mut());
        touchstone_aead_free(gcm);
    }
}

/// Checks that a CCM message must have the lengths that were given at its start, and that SIV
/// refuses a message in pieces.
#[test]
fn announced_lengths_are_kept() {
    unsafe {
        let ccm = aead(c"aes-128-ccm");
        touchstone_aead_set_key(ccm, p(&[1; 16]), 16);
        let (mut data, mut tag) = ([3u8; 32], [0u8; 16]);
        let (d, t, n) = (p_mut(&mut data), p_mut(&mut tag), p(&[2; 12]));
        let mut encryptor = null_mut();
        let code = touchstone_encryptor_new(&mut encryptor, ccm, n, 12, 3, 20);
        assert_eq!(code, TOUCHSTONE_OK);
        let code = touchstone_encryptor_aad(encryptor, d, 4);
        assert_eq!(code, TOUCHSTONE_ERROR_DATA_LENGTH);
        assert_eq!(touchstone_encryptor_aad(encryptor, d, 3), TOUCHSTONE_OK);
        let update = |len| touchstone_encryptor_update(encryptor, d, d, len);
        assert_eq!(update(21), TOUCHSTONE_ERROR_DATA_LENGTH);
        assert_eq!(update(19), TOUCHSTONE_OK);
        let finish = || touchstone_encryptor_finish(encryptor, t, 16);
        assert_eq!(finish(), TOUCHSTONE_ERROR_DATA_LENGTH);
        assert_eq!(finish(), TOUCHSTONE_ERROR_STATE);
        touchstone_encryptor_free(encryptor);
        touchstone_aead_free(ccm);

        let siv = aead(c"aes-128-siv");
        touchstone_aead_set_key(siv, p(&[1; 32]), 32);
        let mut decryptor = null_mut();
        let code = touchstone_decryptor_new(&mut decryptor, siv, n, 12, 0, 0);
        assert_eq!(code, TOUCHSTONE_ERROR_NAME);
        touchstone_aead_free(siv);
    }
}

/// Checks that a nonce can be used for one tag only, which is written or verified.
#[test]
fn macs_with_a_nonce_want_one_for_each_message() {
    for (name, wrong_nonce, wrong_tag) in [
        (c"aes-128-gmac", 0, 11),
        (c"umac-64", 17, 9),
        (c"vmac-128", 17, 17),
    ] {
        unsafe {
            let mac = mac(name);
            let (key, nonce) = ([1u8; 16], [2u8; 17]);
            let size = touchstone_mac_tag_size(mac);
            let mut tag = [0xa5u8; 16];
            let t = p_mut(&mut tag);
            let set_nonce = |len| touchstone_mac_set_nonce(mac, p(&nonce), len);
            let end = || touchstone_mac_final(mac, t, size);
            let message = || touchstone_mac_message(mac, p(b"abc"), 3, t, size);
            let verify = |len| touchstone_mac_verify(mac, t, len);
            let code = touchstone_mac_set_tag_size(mac, wrong_tag);
            assert_eq!(code, TOUCHSTONE_ERROR_TAG_LENGTH, "{name:?}");
            let code = touchstone_mac_set_tag_size_insecure(mac, 3);
            assert_eq!(code, TOUCHSTONE_ERROR_TAG_LENGTH);
            assert_eq!(set_nonce(8), TOUCHSTONE_ERROR_STATE);
            assert_eq!(
                touchstone_mac_set_key(mac, p(&key), 15),
                TOUCHSTONE_ERROR_KEY_LENGTH
            );
            assert_eq!(touchstone_mac_set_key(mac, p(&key), 16), TOUCHSTONE_OK);
            assert_eq!(set_nonce(wrong_nonce), TOUCHSTONE_ERROR_IV_LENGTH);
            assert_eq!(message(), TOUCHSTONE_ERROR_STATE);
            assert_eq!(touchstone_mac_update(mac, p(b"ab"), 2), TOUCHSTONE_OK);
            assert_eq!(end(), TOUCHSTONE_ERROR_STATE);
            assert_eq!(tag, [0xa5; 16]);
            assert_eq!(set_nonce(8), TOUCHSTONE_OK);
            assert_eq!(touchstone_mac_update(mac, p(b"c"), 1), TOUCHSTONE_OK);
            assert_eq!(touchstone_mac_final(mac, t, 4), TOUCHSTONE_ERROR_TAG_LENGTH);
            assert_eq!(end(), TOUCHSTONE_OK);
            assert_eq!(end(), TOUCHSTONE_ERROR_STATE);
            let right = tag;
            assert_eq!(set_nonce(8), TOUCHSTONE_OK);
            assert_eq!(message(), TOUCHSTONE_OK);
            assert_eq!(tag, right);
            assert_eq!(message(), TOUCHSTONE_ERROR_STATE);

            assert_eq!(verify(size), TOUCHSTONE_ERROR_STATE);
            assert_eq!(set_nonce(8), TOUCHSTONE_OK);
            assert_eq!(verify(size - 1), TOUCHSTONE_ERROR_TAG_LENGTH);
            touchstone_mac_update(mac, p(b"abc"), 3);
            assert_eq!(verify(size), TOUCHSTONE_OK);
            touchstone_mac_update(mac, p(b"abd"), 3);
            assert_eq!(set_nonce(8), TOUCHSTONE_OK);
            assert_eq!(verify(size), TOUCHSTONE_ERROR_FORGED);
            assert_eq!(verify(size), TOUCHSTONE_ERROR_STATE);
            // After a new key or a reset, the nonce must be set again.
            assert_eq!(set_nonce(8), TOUCHSTONE_OK);
            assert_eq!(touchstone_mac_set_key(mac, p(&key), 16), TOUCHSTONE_OK);
            assert_eq!(message(), TOUCHSTONE_ERROR_STATE);
            assert_eq!(set_nonce(8), TOUCHSTONE_OK);
            assert_eq!(touchstone_mac_reset(mac), TOUCHSTONE_OK);
            assert_eq!(message(), TOUCHSTONE_ERROR_STATE);
            let code = touchstone_mac_many(mac, null(), null(), 0, null_mut(), 0);
            assert_eq!(code, TOUCHSTONE_ERROR_NAME);
            touchstone_mac_free(mac);
        }
    }
    unsafe {
        let cmac = mac(c"aes-128-cmac");
        touchstone_mac_set_key(cmac, p(&[1; 16]), 16);
        let set_nonce = |len| touchstone_mac_set_nonce(cmac, p(&[2; 8]), len);
        assert_eq!(set_nonce(8), TOUCHSTONE_ERROR_IV_LENGTH);
        assert_eq!(set_nonce(0), TOUCHSTONE_OK);
        touchstone_mac_free(cmac);
    }
}

#[test]
fn hashes_refuse_a_wrong_length_and_go_on() {
    let mut digest = [0xa5u8; 64];
    let mut hash = null_mut();
    unsafe {
        let d = digest.as_mut_ptr().cast::<c_void>();
        touchstone_hash_new(&mut hash, c"sha-256".as_ptr());
        assert_eq!(
            touchstone_hash_update(hash, c"abc".as_ptr().cast(), 3),
            TOUCHSTONE_OK
        );
        assert_eq!(
            touchstone_hash_update(hash, null(), 3),
            TOUCHSTONE_ERROR_NULL
        );
        let end = |d, n| touchstone_hash_final(hash, d, n);
        assert_eq!(end(d, 31), TOUCHSTONE_ERROR_OUTPUT_LENGTH);
        assert_eq!(end(null_mut(), 32), TOUCHSTONE_ERROR_NULL);
        assert_eq!(touchstone_hash_squeeze(hash, d, 3), TOUCHSTONE_ERROR_NAME);
        let name = c"sha-256".as_ptr();
        let over = touchstone_digest(name, d, 40, d.byte_add(8), 32);
        assert_eq!(over, TOUCHSTONE_ERROR_OVERLAP);
        assert_eq!(digest, [0xa5; 64]);
        assert_eq!(end(d, 32), TOUCHSTONE_OK);
        assert_eq!(digest[..4], [0xba, 0x78, 0x16, 0xbf]);
        touchstone_hash_free(hash);
    }
}

/// The answers are Bouncy Castle's.
#[test]
fn lists_and_blocks_are_hashed() {
    let data = [0u8, 1, 2, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15];
    let mut out = [0xa5u8; 32];
    unsafe {
        let (items, lens) = ([p(&data), p(&data[3..])], [3, 6]);
        let (i, l) = (items.as_ptr(), lens.as_ptr());
        let o = p_mut(&mut out);
        let of = |name: &CStr, o| touchstone_tuple_hash(name.as_ptr(), i, l, 2, null(), 0, o, 32);
        assert_eq!(of(c"tuplehash", o), TOUCHSTONE_ERROR_NAME);
        assert_eq!(of(c"tuplehash128", null_mut()), TOUCHSTONE_ERROR_NULL);
        assert_eq!(
            of(c"tuplehash128", p(&data).cast_mut()),
            TOUCHSTONE_ERROR_OVERLAP
        );
        assert_eq!(out, [0xa5; 32]);
        assert_eq!(of(c"tuplehash128", o), TOUCHSTONE_OK);
        assert_eq!(out[..4], [0xc5, 0xd8, 0x78, 0x6c]);

        let message = c"abc".as_ptr().cast();
        let of = |name: &CStr, size, o| {
            touchstone_parallel_hash(name.as_ptr(), size, message, 3, null(), 0, o, 32)
        };
        out = [0xa5; 32];
        assert_eq!(of(c"tuplehash128", 8, o), TOUCHSTONE_ERROR_NAME);
        assert_eq!(of(c"parallelhash128", 0, o), TOUCHSTONE_ERROR_PARAMETER);
        assert_eq!(of(c"parallelhash128", 8, null_mut()), TOUCHSTONE_ERROR_NULL);
        assert_eq!(out, [0xa5; 32]);
        assert_eq!(of(c"parallelhash128", 8, o), TOUCHSTONE_OK);
        let mut wanted = [0; 32];
        touchstone::dynamic::parallel_hash("parallelhash128", 8, b"abc", b"", &mut wanted)
            .expect("a hash");
        assert_eq!(out, wanted);
    }
}

#[test]
fn many_messages_are_as_one_by_one() {
    let key = painted(16);
    let lens: Vec<usize> = (0..40).map(|i| 16 * (i * 5 % 13)).collect();
    let starts: Vec<usize> = (0..40).map(|i| lens[..i].iter().sum()).collect();
    let data = painted(lens.iter().sum());
    let ivs = painted(16 * lens.len());
    let mut wanted = data.clone();
    let mut out = vec![0xa5; data.len() + 1];
    unsafe {
        let c = cipher(c"aes-128-cbc", TOUCHSTONE_ENCRYPT);
        touchstone_cipher_set_key(c, p(&key), 16);
        for (i, (start, len)) in starts.iter().zip(&lens).enumerate() {
            let m = p_mut(&mut wanted[*start..start + len]);
            touchstone_cipher_message(c, p(&ivs[16 * i..]), 16, m, m, *len);
        }
        let inputs: Vec<_> = starts.iter().map(|s| p(&data).byte_add(*s)).collect();
        let base = p_mut(&mut out);
        let outputs: Vec<_> = starts.iter().map(|s| base.byte_add(*s)).collect();
        let many = |outputs: &[*mut c_void], inputs: &[*const c_void], lens: &[usize]| {
            let (i, o) = (inputs.as_ptr(), outputs.as_ptr());
            touchstone_cipher_many(c, p(&ivs), 16, i, o, lens.as_ptr(), lens.len())
        };
        let mut met = outputs.clone();
        met[7] = met[7].byte_sub(1);
        assert_eq!(many(&met, &inputs, &lens), TOUCHSTONE_ERROR_OVERLAP);
        let inside: Vec<_> = outputs.iter().map(|o| o.cast_const()).collect();
        let mut crossed = outputs.clone();
        crossed.swap(5, 6);
        assert_eq!(many(&crossed, &inside, &lens), TOUCHSTONE_ERROR_OVERLAP);
        assert!(out.iter().all(|byte| *byte == 0xa5));
        let mut wrong = lens.clone();
        wrong[3] -= 1;
        assert_eq!(
            many(&outputs, &inputs, &wrong),
            TOUCHSTONE_ERROR_DATA_LENGTH
        );
        assert_eq!(many(&outputs, &inputs, &lens), TOUCHSTONE_OK);
        assert!(out[..data.len()] == wanted);
        touchstone_cipher_free(c);

        let mut hash = null_mut();
        touchstone_hash_new(&mut hash, c"sha-256".as_ptr());
        let mut digests = vec![0xa5; 32 * lens.len()];
        let d = p_mut(&mut digests);
        let (i, l, n) = (inputs.as_ptr(), lens.as_ptr(), lens.len());
        let code = touchstone_hash_many(hash, i, l, n, d, 31);
        assert_eq!(code, TOUCHSTONE_ERROR_OUTPUT_LENGTH);
        assert_eq!(
            touchstone_hash_many(hash, i, l, n, d, 32 * n),
            TOUCHSTONE_OK
        );
        let mac = mac(c"aes-128-cmac");
        touchstone_mac_set_tag_size(mac, 8);
        let mut tags = vec![0xa5; 8 * n];
        let t = p_mut(&mut tags);
        let code = touchstone_mac_many(mac, i, l, n, t, 8 * n);
        assert_eq!(code, TOUCHSTONE_ERROR_STATE);
        touchstone_mac_set_key(mac, p(&key), 16);
        assert_eq!(touchstone_mac_many(mac, i, l, n, t, 8 * n), TOUCHSTONE_OK);
        for j in 0..n {
            let (mut digest, mut tag) = ([0; 32], [0; 8]);
            touchstone_hash_message(hash, inputs[j], lens[j], p_mut(&mut digest), 32);
            assert_eq!(digests[32 * j..][..32], digest);
            touchstone_mac_message(mac, inputs[j], lens[j], p_mut(&mut tag), 8);
            assert_eq!(tags[8 * j..][..8], tag);
        }
        touchstone_hash_free(hash);
        touchstone_mac_free(mac);
    }
}

#[test]
fn padding_goes_on_and_comes_off() {
    for (name, wanted) in [
        (c"pkcs7", [b'c', 5, 5, 5, 5, 5]),
        (c"iso7816-4", [b'c', 0x80, 0, 0, 0, 0]),
        (c"ansi-x9.23", [b'c', 0, 0, 0, 0, 5]),
        (c"zero", [b'c', 0, 0, 0, 0, 0]),
    ] {
        let mut buffer = *b"abc#############";
        let (mut n, name) = (77, name.as_ptr());
        unsafe {
            let d = p_mut(&mut buffer);
            let pad =
                |block, room, len, n: *mut usize| touchstone_pad(name, block, d, room, len, n);
            assert_eq!(pad(8, 7, 3, &mut n), TOUCHSTONE_ERROR_OUTPUT_LENGTH);
            assert_eq!(pad(12, 16, 3, &mut n), TOUCHSTONE_ERROR_PARAMETER);
            assert_eq!(pad(8, 2, 3, &mut n), TOUCHSTONE_ERROR_DATA_LENGTH);
            assert_eq!(pad(8, 16, 3, null_mut()), TOUCHSTONE_ERROR_NULL);
            assert_eq!((n, &buffer), (77, b"abc#############"));
            assert_eq!(pad(8, 16, 3, &mut n), TOUCHSTONE_OK);
            assert_eq!((n, &buffer[2..8]), (8, &wanted[..]));
            assert_eq!(&buffer[8..], b"########");
            assert_eq!(touchstone_unpad(name, 8, d, 8, &mut n), TOUCHSTONE_OK);
            assert_eq!(n, 3);
            assert_eq!(
                touchstone_unpad(name, 8, d, 7, &mut n),
                TOUCHSTONE_ERROR_FORGED
            );
        }
    }
    let mut n = 77;
    let code = unsafe { touchstone_pad(c"zero".as_ptr(), 8, null_mut(), 0, 0, &mut n) };
    assert_eq!((code, n), (TOUCHSTONE_OK, 0));
    let code = unsafe { touchstone_pad(c"none".as_ptr(), 8, null_mut(), 0, 0, &mut n) };
    assert_eq!(code, TOUCHSTONE_ERROR_NAME);
}

#[test]
fn sizes_by_name_and_by_handle() {
    let (mut min, mut max, mut step) = (9, 9, 9);
    unsafe {
        let name = c"aes-128-ccm".as_ptr();
        assert_eq!(
            touchstone_aead_nonce_sizes_of(name, &mut min, &mut max, &mut step),
            0
        );
        assert_eq!((min, max, step), (7, 13, 1));
        assert_eq!(touchstone_aead_tag_size_of(name), 16);
        let xts = cipher(c"aes-256-xts", TOUCHSTONE_ENCRYPT);
        assert_eq!(
            touchstone_cipher_key_sizes(xts, &mut min, &mut max, null_mut()),
            0
        );
        assert_eq!((min, max), (64, 64));
        assert_eq!(
            touchstone_cipher_iv_sizes(xts, &mut min, null_mut(), null_mut()),
            0
        );
        assert_eq!(min, 16);
        assert_eq!(touchstone_cipher_block_size(xts), 16);
        assert_eq!(touchstone_cipher_piece_size(xts), 0);
        touchstone_cipher_free(xts);
        let code = touchstone_mac_key_sizes_of(c"x".as_ptr(), &mut min, &mut max, &mut step);
        assert_eq!(code, TOUCHSTONE_ERROR_NAME);
        for i in 0.. {
            let name = touchstone_cipher_name(i);
            if name.is_null() {
                assert!(i > 100);
                break;
            }
            assert!(!touchstone_kernel(name).is_null());
        }
        assert!(touchstone_kernel(c"rot13".as_ptr()).is_null());
    }
}

#[test]
fn passwords_randomness_comparison_and_wiping() {
    let mut setting = [0x5a; TOUCHSTONE_CRYPT_SIZE as usize];
    let (s, size) = (setting.as_mut_ptr(), setting.len());
    unsafe {
        let gensalt = |prefix: &CStr, size| touchstone_crypt_gensalt(prefix.as_ptr(), 0, s, size);
        assert_eq!(gensalt(c"$?$", size), TOUCHSTONE_ERROR_SETTING);
        assert_eq!(gensalt(c"$6$", 3), TOUCHSTONE_ERROR_OUTPUT_LENGTH);
        assert_eq!(gensalt(c"$6$", size), TOUCHSTONE_OK);
        assert!(CStr::from_ptr(s).to_bytes().starts_with(b"$6$"));
        // The hash may be written to the buffer of the setting.
        assert_eq!(
            touchstone_crypt(c"secret".as_ptr(), s, s, 5),
            TOUCHSTONE_ERROR_OUTPUT_LENGTH
        );
        assert_eq!(
            touchstone_crypt(c"secret".as_ptr(), s, s, size),
            TOUCHSTONE_OK
        );
        assert_eq!(
            touchstone_crypt_verify(c"secret".as_ptr(), s),
            TOUCHSTONE_OK
        );
        assert_eq!(
            touchstone_crypt_verify(c"Secret".as_ptr(), s),
            TOUCHSTONE_ERROR_FORGED
        );
        let code = touchstone_crypt_verify(c"secret".as_ptr(), c"*0".as_ptr());
        assert_eq!(code, TOUCHSTONE_ERROR_SETTING);
        assert_eq!(touchstone_crypt_verify(null(), s), TOUCHSTONE_ERROR_NULL);

        const SIZE: usize = TOUCHSTONE_CRYPT_SIZE as usize;
        let phrases = [c"secret".as_ptr(), c"two".as_ptr(), c"secret".as_ptr()];
        let settings = [s, c"$1$salt$".as_ptr(), c"*0".as_ptr()];
        let mut hashes = [[1; SIZE]; 3];
        let many = |settings: &[*const c_char; 3], count, hashes: &mut [[c_char; SIZE]; 3]| {
            let hashes = hashes.as_mut_ptr().cast();
            touchstone_crypt_many(phrases.as_ptr(), settings.as_ptr(), count, hashes)
        };
        assert_eq!(many(&settings, 3, &mut hashes), TOUCHSTONE_ERROR_SETTING);
        let hash = |i: usize| CStr::from_ptr(hashes[i].as_ptr());
        assert_eq!(hash(0), CStr::from_ptr(s));
        // openssl passwd -1 -salt salt two
        assert_eq!(hash(1), c"$1$salt$hU8E42FrojQBYkkzJXigd.");
        assert_eq!(hash(2), c"");
        assert_eq!(many(&settings, 2, &mut hashes), TOUCHSTONE_OK);
        assert_eq!(many(&[s, null(), s], 3, &mut hashes), TOUCHSTONE_ERROR_NULL);
        let nothing = touchstone_crypt_many(null(), null(), 0, null_mut());
        assert_eq!(nothing, TOUCHSTONE_OK);

        let (mut a, mut b) = ([0; 32], [0; 32]);
        assert_eq!(touchstone_random(p_mut(&mut a), 32), TOUCHSTONE_OK);
        assert_eq!(touchstone_random(p_mut(&mut b), 32), TOUCHSTONE_OK);
        assert_eq!(touchstone_equal(p(&a), p(&b), 32), 0);
        assert_eq!(touchstone_equal(p(&a), p(&a.clone()), 32), 1);
        assert_eq!(touchstone_equal(null(), p(&a), 32), 0);
        a[31] = 7;
        touchstone_wipe(p_mut(&mut a), 31);
        assert_eq!((&a[..31], a[31]), (&[0; 31][..], 7));
        touchstone_wipe(null_mut(), 31);
        assert_eq!(touchstone_random(null_mut(), 1), TOUCHSTONE_ERROR_NULL);
    }
}

#[test]
fn generators() {
    unsafe {
        let fill = |generator: *mut touchstone_generator, bytes: &mut [u8]| {
            touchstone_generator_fill(generator, p_mut(bytes), bytes.len())
        };
        let mut generator: *mut touchstone_generator = null_mut();
        assert_eq!(touchstone_generator_new(&mut generator), TOUCHSTONE_OK);
        let (mut a, mut b) = ([0; 600], [0; 600]);
        assert_eq!(fill(generator, &mut a), TOUCHSTONE_OK);
        assert_eq!(touchstone_generator_reseed(generator), TOUCHSTONE_OK);
        assert_eq!(fill(generator, &mut b), TOUCHSTONE_OK);
        assert_ne!(a[..32], b[..32]);
        assert_eq!(
            touchstone_generator_seek(generator, 0),
            TOUCHSTONE_ERROR_STATE
        );
        assert_eq!(
            touchstone_generator_fill(generator, null_mut(), 1),
            TOUCHSTONE_ERROR_NULL
        );
        touchstone_generator_free(generator);
        touchstone_generator_free(null_mut());

        let seed = [7; 32];
        let new = |generator: &mut *mut touchstone_generator, len| {
            touchstone_generator_seeded_new(generator, p(&seed), len)
        };
        assert_eq!(new(&mut generator, 31), TOUCHSTONE_ERROR_KEY_LENGTH);
        assert!(generator.is_null());
        assert_eq!(new(&mut generator, 32), TOUCHSTONE_OK);
        assert_eq!(fill(generator, &mut a), TOUCHSTONE_OK);
        touchstone::random::Seeded::new(&seed).fill(&mut b);
        assert_eq!(a, b);
        assert_eq!(touchstone_generator_seek(generator, 500), TOUCHSTONE_OK);
        assert_eq!(fill(generator, &mut a[..100]), TOUCHSTONE_OK);
        assert_eq!(a[..100], b[500..]);
        assert_eq!(
            touchstone_generator_reseed(generator),
            TOUCHSTONE_ERROR_STATE
        );
        touchstone_generator_free(generator);
        assert_eq!(
            touchstone_generator_reseed(null_mut()),
            TOUCHSTONE_ERROR_NULL
        );
        assert_eq!(touchstone_generator_new(null_mut()), TOUCHSTONE_ERROR_NULL);
    }
}

#[test]
fn drbgs() {
    unsafe {
        let mut drbg: *mut touchstone_drbg = null_mut();
        let entropy = painted(48);
        let new = |drbg: &mut *mut touchstone_drbg, name: &CStr, entropy_len, nonce_len| {
            let (e, n) = (p(&entropy), p(&[7; 16]));
            touchstone_drbg_new(drbg, name.as_ptr(), e, entropy_len, n, nonce_len, null(), 0)
        };
        let hmac = c"hmac-drbg-sha-256";
        let without = c"ctr-drbg-aes-256-no-df";
        for (name, entropy, nonce, code) in [
            (hmac, 31, 16, TOUCHSTONE_ERROR_KEY_LENGTH),
            (without, 47, 0, TOUCHSTONE_ERROR_KEY_LENGTH),
            (without, 48, 16, TOUCHSTONE_ERROR_IV_LENGTH),
            (c"hmac-drbg-md5", 48, 16, TOUCHSTONE_ERROR_NAME),
            (without, 48, 0, TOUCHSTONE_OK),
        ] {
            assert_eq!(new(&mut drbg, name, entropy, nonce), code, "{name:?}");
            assert_eq!(drbg.is_null(), code != TOUCHSTONE_OK);
        }
        let generate = |drbg, bytes: &mut [u8], len| {
            touchstone_drbg_generate(drbg, null(), 0, p_mut(bytes), len)
        };
        let mut bytes = vec![7; 65537];
        assert_eq!(
            generate(drbg, &mut bytes, 65537),
            TOUCHSTONE_ERROR_OUTPUT_LENGTH
        );
        let long = touchstone_drbg_generate(drbg, p(&[0; 49]), 49, p_mut(&mut bytes), 16);
        assert_eq!(long, TOUCHSTONE_ERROR_DATA_LENGTH);
        let overlapping = touchstone_drbg_generate(drbg, p(&bytes[8..]), 8, p_mut(&mut bytes), 16);
        assert_eq!(overlapping, TOUCHSTONE_ERROR_OVERLAP);
        assert_eq!(generate(null_mut(), &mut bytes, 16), TOUCHSTONE_ERROR_NULL);
        let nowhere = touchstone_drbg_generate(drbg, null(), 0, null_mut(), 16);
        assert_eq!(nowhere, TOUCHSTONE_ERROR_NULL);
        assert_eq!(bytes, [7; 65537]);
        assert_eq!(touchstone_drbg_set_reseed_interval(drbg, 1), TOUCHSTONE_OK);
        assert_eq!(generate(drbg, &mut bytes, 65536), TOUCHSTONE_OK);
        assert_eq!(generate(drbg, &mut bytes, 16), TOUCHSTONE_ERROR_STATE);
        let reseed = |drbg, len| touchstone_drbg_reseed(drbg, p(&entropy), len, null(), 0);
        assert_eq!(reseed(drbg, 47), TOUCHSTONE_ERROR_KEY_LENGTH);
        assert_eq!(generate(drbg, &mut bytes, 16), TOUCHSTONE_ERROR_STATE);
        assert_eq!(reseed(drbg, 48), TOUCHSTONE_OK);
        assert_eq!(generate(drbg, &mut bytes, 16), TOUCHSTONE_OK);
        touchstone_drbg_free(drbg);
        touchstone_drbg_free(null_mut());
        assert_eq!(reseed(null_mut(), 48), TOUCHSTONE_ERROR_NULL);

        let (mut a, mut b) = ([0; 16], [0; 16]);
        for bytes in [&mut a, &mut b] {
            let made = touchstone_drbg_system_new(&mut drbg, hmac.as_ptr(), p(b"a test"), 6);
            assert_eq!(made, TOUCHSTONE_OK);
            assert_eq!(generate(drbg, bytes, 16), TOUCHSTONE_OK);
            touchstone_drbg_free(drbg);
        }
        assert_ne!(a, b);
        let none = touchstone_drbg_system_new(&mut drbg, c"none".as_ptr(), null(), 0);
        assert_eq!((none, drbg.is_null()), (TOUCHSTONE_ERROR_NAME, true));
    }
}

#[test]
fn threads_share_an_authenticated_cipher() {
    struct Shared(*const touchstone_aead);
    unsafe impl Sync for Shared {}
    let gcm = aead(c"aes-256-gcm");
    unsafe { touchstone_aead_set_key(gcm, p(&[1; 32]), 32) };
    let shared = Shared(gcm);
    let seal = |shared: &Shared| unsafe {
        let (mut data, mut tag) = ([4; 100], [0; 16]);
        let (d, t, n) = (p_mut(&mut data), p_mut(&mut tag), p(&[3; 12]));
        let code = touchstone_aead_encrypt(shared.0, n, 12, null(), 0, d, d, 100, t, 16);
        assert_eq!(code, TOUCHSTONE_OK);
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
