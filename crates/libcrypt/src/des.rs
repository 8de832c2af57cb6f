//! DES on single blocks: setkey(3), encrypt(3), and FreeSec's des_setkey and des_cipher.
#![allow(unsafe_code)]

use crate::crypt_data::CryptData;
use crate::platform::Shared;
use core::ffi::{c_char, c_int, c_long};
use touchstone::block::des::crypt::Crypt;
use touchstone::wipe;
use zeroize::Zeroize;

/// Bytes of the stack that one call uses at most; tests/libcrypt/secrets.rs searches it.
const STACK: usize = 32 * 1024;

/// The key that [`touchstone_libcrypt_setkey`] and [`touchstone_libcrypt_des_setkey`] set.
/// `None` means a key of zeros. crypt does not use this key.
static KEY: Shared<Option<Crypt>> = Shared::new(None);

/// Calls `then` with the shared key.
///
/// # Safety
///
/// No other thread uses the shared key at the same time.
unsafe fn with_key<T>(then: impl FnOnce(&mut Crypt) -> T) -> T {
    // SAFETY: the caller keeps the contract. `then` never calls `with_key`, so this reference
    // is the only one.
    let key = unsafe { &mut *KEY.get() };
    then(key.get_or_insert_with(|| Crypt::new(&[0; 8], 0)))
}

/// Packs 64 bytes to 64 bits. Only the lowest bit of each byte is used.
///
/// # Safety
///
/// 64 bytes can be read at `bits`.
unsafe fn pack(bits: *const c_char) -> [u8; 8] {
    // SAFETY: the caller keeps the contract.
    let bits: [u8; 64] = unsafe { bits.cast::<[u8; 64]>().read() };
    bits.iter()
        .fold(0, |sum: u64, bit| sum << 1 | u64::from(bit & 1))
        .to_be_bytes()
}

/// Unpacks 64 bits to 64 bytes, each of which is 0 or 1.
///
/// # Safety
///
/// 64 bytes can be written at `bits`.
unsafe fn unpack(block: [u8; 8], bits: *mut c_char) {
    let block = u64::from_be_bytes(block);
    let spread: [u8; 64] = core::array::from_fn(|i| (block >> (63 - i) & 1) as u8);
    // SAFETY: the caller keeps the contract.
    unsafe { bits.cast::<[u8; 64]>().write(spread) };
}

/// Encrypts or decrypts one block without a salt.
fn once(des: &mut Crypt, mut block: [u8; 8], backwards: bool) -> [u8; 8] {
    des.set_salt(0);
    if backwards {
        des.decrypt(&mut block, 1);
    } else {
        des.encrypt(&mut block, 1);
    }
    block
}

/// setkey: sets the shared key from 64 bytes, one byte for each bit. Returns 0. Only one thread
/// at a time may call this function.
///
/// # Safety
///
/// `key` points to 64 bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_libcrypt_setkey(key: *const c_char) -> c_int {
    wipe::after(STACK, || {
        // SAFETY: the caller keeps the contract.
        unsafe {
            let mut key = pack(key);
            with_key(|des| des.set_key(&key));
            key.zeroize();
        }
    });
    0
}

/// encrypt: encrypts a block of 64 bytes, one byte for each bit, in place. If `edflag` is not
/// 0, decrypts the block. Returns 0. Only one thread at a time may call this function.
///
/// # Safety
///
/// `block` points to 64 bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_libcrypt_encrypt(block: *mut c_char, edflag: c_int) -> c_int {
    wipe::after(STACK, || {
        // SAFETY: the caller keeps the contract.
        unsafe {
            let input = pack(block);
            unpack(with_key(|des| once(des, input, edflag != 0)), block);
        }
    });
    0
}

/// setkey_r: sets a key as setkey does, but stores the key in `data.internal`, until crypt_r
/// wipes it.
///
/// # Safety
///
/// `key` points to 64 bytes, `data` to a `struct crypt_data`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_libcrypt_setkey_r(key: *const c_char, data: *mut CryptData) {
    wipe::after(STACK, || {
        // SAFETY: the caller keeps the contract, and the field is larger than a key.
        unsafe {
            let place = &raw mut (*data).internal;
            place.cast::<[u8; 8]>().write(pack(key));
        }
    });
}

/// Wipes the key that setkey_r stored.
///
/// # Safety
///
/// `data` points to a `struct crypt_data`.
pub(crate) unsafe fn wipe_key(data: *mut CryptData) {
    // SAFETY: the caller keeps the contract, and the field is larger than a key.
    unsafe {
        let place = &raw mut (*data).internal;
        place.cast::<[u8; 8]>().write([0; 8]);
    }
}

/// encrypt_r: encrypts a block as encrypt does, with the key that setkey_r stored.
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
    wipe::after(STACK, || {
        // SAFETY: the caller keeps the contract, and the field is larger than a key.
        unsafe {
            let place = &raw const (*data).internal;
            let mut key = place.cast::<[u8; 8]>().read();
            let mut des = Crypt::new(&key, 0);
            key.zeroize();
            unpack(once(&mut des, pack(block), edflag != 0), block);
        }
    });
}

/// des_setkey of FreeSec: sets the shared key from 8 bytes. Returns 0.
///
/// # Safety
///
/// `key` points to 8 bytes. Only one thread at a time may call this function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_libcrypt_des_setkey(key: *const c_char) -> c_int {
    wipe::after(STACK, || {
        // SAFETY: the caller keeps the contract.
        unsafe {
            let mut key = key.cast::<[u8; 8]>().read();
            with_key(|des| des.set_key(&key));
            key.zeroize();
        }
    });
    0
}

/// des_cipher of FreeSec: encrypts 8 bytes `count` times with a salt, or decrypts them -`count`
/// times if `count` is negative. Only the lowest 24 bits of the salt are used. Returns 0. If
/// `count` is 0, the function returns 1 and does not write to `out`.
///
/// # Safety
///
/// `input` and `out` point to 8 bytes each, and may be the same. Only one thread at a time may
/// call this function.
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
    wipe::after(STACK, || {
        // SAFETY: the caller keeps the contract, and arrays of bytes need no alignment.
        unsafe {
            let mut block = input.cast::<[u8; 8]>().read();
            with_key(|des| {
                // `set_salt` ignores the bits above the lowest 24.
                des.set_salt(salt as u32);
                if count < 0 {
                    des.decrypt(&mut block, passes);
                } else {
                    des.encrypt(&mut block, passes);
                }
            });
            out.cast::<[u8; 8]>().write(block);
        }
    });
    0
}
