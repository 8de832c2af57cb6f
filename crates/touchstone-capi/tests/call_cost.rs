//! Compares a small message through a handle of C with the same message through the type in
//! Rust. valgrind's callgrind counts the instructions; the count is the same on a busy machine
//! and on an idle one.
#![allow(
    unsafe_code,
    clippy::undocumented_unsafe_blocks,
    reason = "calls as C makes them: pointers are of live slices, handles come from `_new` and \
              are freed once"
)]

#[path = "../../touchstone/tests/common/callgrind.rs"]
mod callgrind;

use std::ffi::{CStr, c_int, c_void};
use std::hint::black_box;
use std::ptr::{null, null_mut};

use touchstone::aead::{Aead as _, Aes128Gcm};
use touchstone::block::{Aes128, Aes128Encrypt};
use touchstone::hash::Sha256;
use touchstone::mac::Cmac;
use touchstone::mode::Ecb;
use touchstone::{InOutBuf, Keyed};
use touchstone_capi::{aead::*, cipher::*, hash::*, mac::*, status::*};

/// The name of the environment variable for the child process. Its value is the algorithm,
/// `typed` or `handle`, and the number of calls.
const CHILD: &str = "TOUCHSTONE_C_CALL_COST";

/// The largest number of instructions that a call by handle may take in addition to the call in
/// Rust. These instructions check pointers and lengths. A core predicts their branches, and
/// runs four of them in a cycle. 20 ns are 70 cycles at 3.5 GHz. 320 more instructions clear the
/// registers, and overwrite up to 3.3 KB of the stack by stores of 32 bytes.
const MOST: i64 = 4 * 70 + 320;

const MESSAGES: &[(&CStr, usize)] = &[
    (c"aes-128-ecb", 16),
    (c"aes-128-gcm", 16),
    (c"sha-256", 32),
    (c"aes-128-cmac", 16),
];

#[test]
fn a_call_by_handle_costs_little_more() {
    if let Ok(what) = std::env::var(CHILD) {
        let words: Vec<&str> = what.split(' ').collect();
        let &[name, way, times] = words.as_slice() else {
            panic!("{what:?}")
        };
        let find = |(known, _): &&(&CStr, usize)| known.to_bytes() == name.as_bytes();
        let (name, length) = MESSAGES.iter().find(find).unwrap();
        run(name, *length, way == "handle", times.parse().unwrap());
        return;
    }
    let mut dear = Vec::new();
    for (name, length) in MESSAGES {
        let name = name.to_str().unwrap();
        let count = |way: &str| Some((counted(name, way, 1100)? - counted(name, way, 100)?) / 1000);
        let (Some(typed), Some(handle)) = (count("typed"), count("handle")) else {
            return;
        };
        println!("{name}, {length} bytes: {typed} instructions by type, {handle} by handle");
        if handle - typed > MOST {
            dear.push((name, handle - typed));
        }
    }
    assert!(dear.is_empty(), "instructions more by handle: {dear:?}");
}

/// Returns the number of instructions of a process that sends a message `times` times.
fn counted(name: &str, way: &str, times: u32) -> Option<i64> {
    let value = format!("{name} {way} {times}");
    callgrind::instructions("a_call_by_handle_costs_little_more", CHILD, &value)
}

/// Sends the same message `times` times. Every call of the library goes through a pointer whose
/// target the compiler does not know, as in a C program.
fn run(name: &CStr, length: usize, by_handle: bool, times: u32) {
    let key = black_box([7; 16]);
    let input = black_box([3; 64]);
    let mut output = [0; 64];
    let mut tag = [0; 32];
    macro_rules! repeat {
        ($do:expr) => {
            for _ in 0..times {
                $do;
                black_box((&mut output, &mut tag));
            }
        };
    }
    let data: *const c_void = input.as_ptr().cast();
    let out: *mut c_void = output.as_mut_ptr().cast();
    let made: *mut c_void = tag.as_mut_ptr().cast();
    let (k, id) = (key.as_ptr().cast(), name.as_ptr());
    let good = |code: c_int| assert_eq!(code, TOUCHSTONE_OK);
    match (name.to_str().unwrap(), by_handle) {
        ("aes-128-ecb", false) => {
            let cipher = Aes128Encrypt::new(&key);
            repeat!({
                let input = black_box(&input[..length]);
                Ecb::new(&cipher)
                    .encrypt_into(input, &mut output[..length])
                    .unwrap();
            });
        }
        ("aes-128-ecb", true) => unsafe {
            let mut cipher = null_mut();
            good(touchstone_cipher_new(&mut cipher, id, TOUCHSTONE_ENCRYPT));
            good(touchstone_cipher_set_key(cipher, k, 16));
            let message = black_box(touchstone_cipher_message as Message);
            repeat!(good(message(cipher, null(), 0, data, out, length)));
            touchstone_cipher_free(cipher);
        },
        ("aes-128-gcm", false) => {
            let gcm = Aes128Gcm::from_slice(&key).unwrap();
            repeat!({
                let input = black_box(&input[..length]);
                let data = InOutBuf::new(input, &mut output[..length]).unwrap();
                let made = gcm.encrypt_inout(black_box(&[5; 12]), b"", data).unwrap();
                tag[..16].copy_from_slice(made.as_ref());
            });
        }
        ("aes-128-gcm", true) => unsafe {
            let mut gcm = null_mut();
            good(touchstone_aead_new(&mut gcm, id));
            good(touchstone_aead_set_key(gcm, k, 16));
            let encrypt = black_box(touchstone_aead_encrypt as Encrypt);
            repeat!({
                let nonce = black_box(&[5u8; 12]).as_ptr().cast();
                good(encrypt(
                    gcm,
                    nonce,
                    12,
                    null(),
                    0,
                    data,
                    out,
                    length,
                    made,
                    16,
                ));
            });
            touchstone_aead_free(gcm);
        },
        ("sha-256", false) => repeat!({
            tag = Sha256::digest(black_box(&input[..length])).into();
        }),
        ("sha-256", true) => unsafe {
            let mut hash = null_mut();
            good(touchstone_hash_new(&mut hash, id));
            let digest = black_box(touchstone_hash_message as Digest);
            repeat!(good(digest(hash, data, length, made, 32)));
            touchstone_hash_free(hash);
        },
        ("aes-128-cmac", false) => {
            let cmac = Cmac::<Aes128>::from_slice(&key).unwrap();
            repeat!({
                let made = touchstone::Mac::mac(&cmac, black_box(&input[..length]));
                tag[..16].copy_from_slice(made.as_ref());
            });
        }
        ("aes-128-cmac", true) => unsafe {
            let mut mac = null_mut();
            good(touchstone_mac_new(&mut mac, id));
            good(touchstone_mac_set_key(mac, k, 16));
            let message = black_box(touchstone_mac_message as MacMessage);
            repeat!(good(message(mac, data, length, made, 16)));
            touchstone_mac_free(mac);
        },
        other => panic!("{other:?}"),
    }
}

type Data = *const c_void;
type Message =
    unsafe extern "C" fn(*mut touchstone_cipher, Data, usize, Data, *mut c_void, usize) -> c_int;
type Encrypt = unsafe extern "C" fn(
    *const touchstone_aead,
    Data,
    usize,
    Data,
    usize,
    Data,
    *mut c_void,
    usize,
    *mut c_void,
    usize,
) -> c_int;
type Digest = unsafe extern "C" fn(*mut touchstone_hash, Data, usize, *mut c_void, usize) -> c_int;
type MacMessage =
    unsafe extern "C" fn(*mut touchstone_mac, Data, usize, *mut c_void, usize) -> c_int;
