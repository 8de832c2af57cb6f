//! DES by the block: setkey(3), encrypt(3), and FreeSec's des_setkey and des_cipher.
#![allow(unsafe_code)]

use crate::crypt_data::CryptData;
use crate::platform::Shared;
use core::ffi::{c_char, c_int, c_long};
use touchstone::block::des::crypt::Crypt;
use zeroize::Zeroize;

/// The key of [`touchstone_libcrypt_setkey`] and [`touchstone_libcrypt_des_setkey`]; none is a key of
/// zeros. crypt has its own.
static KEY: Shared<Option<Crypt>> = Shared::new(None);

/// Uses the shared key.
///
/// # Safety
///
/// No other thread uses it meanwhile.
unsafe fn with_key<T>(then: impl FnOnce(&mut Crypt) -> T) -> T {
    // SAFETY: the caller's promise, and `then` never comes here again.
    let key = unsafe { &mut *KEY.get() };
    then(key.get_or_insert_with(|| Crypt::new(&[0; 8], 0)))
}

/// 64 bytes, of which the lowest bits count, as 64 bits.
///
/// # Safety
///
/// 64 bytes can be read.
unsafe fn pack(bits: *const c_char) -> [u8; 8] {
    // SAFETY: the caller's promise.
    let bits: [u8; 64] = unsafe { bits.cast::<[u8; 64]>().read() };
    bits.iter()
        .fold(0, |sum: u64, bit| sum << 1 | u64::from(bit & 1))
        .to_be_bytes()
}

/// 64 bits as 64 bytes of 0 or 1.
///
/// # Safety
///
/// 64 bytes can be written.
unsafe fn unpack(block: [u8; 8], bits: *mut c_char) {
    let block = u64::from_be_bytes(block);
    let spread: [u8; 64] = core::array::from_fn(|i| (block >> (63 - i) & 1) as u8);
    // SAFETY: the caller's promise.
    unsafe { bits.cast::<[u8; 64]>().write(spread) };
}

/// Encrypts or decrypts without a salt.
fn once(des: &mut Crypt, mut block: [u8; 8], backwards: bool) -> [u8; 8] {
    des.set_salt(0);
    if backwards {
        des.decrypt(&mut block, 1);
    } else {
        des.encrypt(&mut block, 1);
    }
    block
}

/// setkey: a key as 64 bytes, one a bit. Returns 0, where anyone looks. Not to be
/// called from several threads at once.
///
/// # Safety
///
/// `key` points to 64 bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_libcrypt_setkey(key: *const c_char) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        let mut key = pack(key);
        with_key(|des| des.set_key(&key));
        key.zeroize();
    }
    0
}

/// encrypt: a block as 64 bytes, one a bit, in place; decrypts if `edflag` is not
/// 0. Returns 0, where anyone looks. Not to be called from several threads at once.
///
/// # Safety
///
/// `block` points to 64 bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_libcrypt_encrypt(block: *mut c_char, edflag: c_int) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        let input = pack(block);
        unpack(with_key(|des| once(des, input, edflag != 0)), block);
    }
    0
}

/// setkey_r: setkey with the key kept in `data.internal`, until crypt_r wipes it.
///
/// # Safety
///
/// `key` points to 64 bytes, `data` to a `struct crypt_data`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_libcrypt_setkey_r(key: *const c_char, data: *mut CryptData) {
    // SAFETY: the caller's promises; the field is larger than a key.
    unsafe {
        let place = &raw mut (*data).internal;
        place.cast::<[u8; 8]>().write(pack(key));
    }
}

/// Wipes the key of setkey_r.
///
/// # Safety
///
/// `data` points to a `struct crypt_data`.
pub(crate) unsafe fn wipe_key(data: *mut CryptData) {
    // SAFETY: the caller's promise; the field is larger than a key.
    unsafe {
        let place = &raw mut (*data).internal;
        place.cast::<[u8; 8]>().write([0; 8]);
    }
}

/// encrypt_r: encrypt with the key of setkey_r.
///
/// # Safety
///
/// `block` points to 64 bytes, `data` to a `struct crypt_data`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_libcrypt_encrypt_r(
    block: *mut c_char,
    edflag: c_int,
    data: *mut CryptData,
) {
    // SAFETY: the caller's promises; the field is larger than a key.
    unsafe {
        let place = &raw const (*data).internal;
        let mut key = place.cast::<[u8; 8]>().read();
        let mut des = Crypt::new(&key, 0);
        key.zeroize();
        unpack(once(&mut des, pack(block), edflag != 0), block);
    }
}

/// FreeSec's des_setkey: a key as 8 bytes. Returns 0.
///
/// # Safety
///
/// `key` points to 8 bytes. Not to be called from several threads at once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_libcrypt_des_setkey(key: *const c_char) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        let mut key = key.cast::<[u8; 8]>().read();
        with_key(|des| des.set_key(&key));
        key.zeroize();
    }
    0
}

/// FreeSec's des_cipher: `count` salted encryptions of 8 bytes, or decryptions where
/// it is negative. Returns 0; or 1 for a count of 0, which leaves `out` alone. Of
/// the salt the lowest 24 bits count.
///
/// # Safety
///
/// `input` and `out` point to 8 bytes each, and may be the same. Not to be called
/// from several threads at once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_libcrypt_des_cipher(
    input: *const c_char,
    out: *mut c_char,
    salt: c_long,
    count: c_int,
) -> c_int {
    if count == 0 {
        return 1;
    }
    let passes = count.unsigned_abs();
    // SAFETY: the caller's promises; arrays of bytes need no alignment.
    unsafe {
        let mut block = input.cast::<[u8; 8]>().read();
        with_key(|des| {
            // Higher bits are ignored.
            des.set_salt(salt as u32);
            if count < 0 {
                des.decrypt(&mut block, passes);
            } else {
                des.encrypt(&mut block, passes);
            }
        });
        out.cast::<[u8; 8]>().write(block);
    }
    0
}
