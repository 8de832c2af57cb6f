//! Compares the cost of a call by name with the cost of a call of the type itself. valgrind's
//! callgrind counts the instructions; the count is the same on a busy machine and on an idle
//! one.

#[path = "common/callgrind.rs"]
mod callgrind;

use std::hint::black_box;

use touchstone::aead::{Aead as _, Aes128Gcm, Aes128Ocb};
use touchstone::block::{Aes128Decrypt, Aes128Encrypt};
use touchstone::dynamic::{Aead, Cipher, Direction, Hash, Mac};
use touchstone::hash::Sha256;
use touchstone::mac::Hmac;
use touchstone::mode::{CbcDecrypt, CbcEncrypt, Ctr, Ecb};
use touchstone::stream::ChaCha20;
use touchstone::{InOutBuf, Keyed};

/// The name of the environment variable for the child process. Its value is the message's name,
/// `typed` or `named`, and the number of calls.
const CHILD: &str = "TOUCHSTONE_CALL_COST";

/// Messages, and the number of instructions that a call by name may take in addition. 20 ns are
/// 70 cycles at 3.5 GHz, and a core runs at least one instruction in a cycle here. OCB takes
/// more: if the program calls the type, the compiler knows that the nonce has 12 bytes and that
/// there is no associated data.
const MESSAGES: &[(&str, i64)] = &[
    ("aes-128-gcm 16", 60 + clear(1536)),
    ("aes-128-ocb 16", 190 + clear(3072)),
    ("aes-128-ctr 16", 60 + clear(576)),
    ("aes-128-ecb 16", 40 + clear(192)),
    ("aes-128-cbc 16", 40 + clear(192)),
    ("aes-128-cbc/decrypt 16", 50 + clear(192)),
    ("sha-256 64", 60 + clear(3360)),
    ("hmac-sha-256 64", 100 + clear(3360)),
    ("chacha20 64", 60 + clear(1280)),
];

/// Instructions to overwrite so many bytes of the stack and the registers: five for 64 bytes, which
/// are two stores of valgrind's processor, and 66 for the registers, the stack pointer and the call.
/// `Depth` in `dynamic` says how many bytes an algorithm has; this test counts the kernels of AVX2.
const fn clear(bytes: i64) -> i64 {
    66 + bytes * 5 / 64
}

#[test]
fn a_call_by_name_costs_little_more() {
    if let Ok(what) = std::env::var(CHILD) {
        let words: Vec<&str> = what.split(' ').collect();
        let &[name, _, way, times] = words.as_slice() else {
            panic!("{what:?}")
        };
        run(name, way == "named", times.parse().expect("a number"));
        return;
    }
    let mut dear = Vec::new();
    for (message, most) in MESSAGES {
        let count =
            |way: &str| Some((counted(message, way, 1100)? - counted(message, way, 100)?) / 1000);
        let (Some(typed), Some(named)) = (count("typed"), count("named")) else {
            return;
        };
        println!("{message} bytes: {typed} instructions by type, {named} by name");
        if named - typed > *most {
            dear.push((message, named - typed));
        }
    }
    assert!(dear.is_empty(), "instructions more by name: {dear:?}");
}

/// Returns the number of instructions of a process that sends a message `times` times.
fn counted(message: &str, way: &str, times: u32) -> Option<i64> {
    let value = format!("{message} {way} {times}");
    callgrind::instructions("a_call_by_name_costs_little_more", CHILD, &value)
}

/// Sends the same message `times` times.
fn run(name: &str, named: bool, times: u32) {
    let key = black_box([7; 32]);
    let input = black_box([3; 64]);
    let mut output = [0; 64];
    let mut tag = [0; 32];
    let sixteen: [u8; 16] = [9; 16];
    macro_rules! repeat {
        ($do:expr) => {
            for _ in 0..times {
                $do;
                black_box((&mut output, &mut tag));
            }
        };
    }
    match (name, named) {
        ("aes-128-gcm", false) => {
            let Ok(gcm) = Aes128Gcm::from_slice(&key[..16]) else {
                unreachable!()
            };
            repeat!({
                let data = InOutBuf::new(black_box(&input[..16]), &mut output[..16]).unwrap();
                let made = gcm.encrypt_inout(black_box(&[5; 12]), b"", data).unwrap();
                tag[..16].copy_from_slice(made.as_ref());
            });
        }
        ("aes-128-ocb", false) => {
            let Ok(ocb) = Aes128Ocb::from_slice(&key[..16]) else {
                unreachable!()
            };
            repeat!({
                let data = InOutBuf::new(black_box(&input[..16]), &mut output[..16]).unwrap();
                let made = ocb.encrypt_inout(black_box(&[5; 12]), b"", data).unwrap();
                tag[..16].copy_from_slice(made.as_ref());
            });
        }
        ("aes-128-gcm" | "aes-128-ocb", true) => {
            let gcm = Aead::new(name, &key[..16]).unwrap();
            repeat!({
                let data = InOutBuf::new(black_box(&input[..16]), &mut output[..16]).unwrap();
                gcm.encrypt_inout(black_box(&[5; 12]), b"", data, &mut tag[..16])
                    .unwrap();
            });
        }
        ("aes-128-ctr", false) => {
            let Ok(cipher) = Aes128Encrypt::from_slice(&key[..16]) else {
                unreachable!()
            };
            repeat!({
                let mut ctr = Ctr::new(&cipher, black_box(&sixteen));
                ctr.apply_into(black_box(&input[..16]), &mut output[..16])
                    .unwrap();
            });
        }
        ("aes-128-ecb", false) => {
            let Ok(cipher) = Aes128Encrypt::from_slice(&key[..16]) else {
                unreachable!()
            };
            repeat!({
                let ecb = Ecb::new(&cipher);
                ecb.encrypt_into(black_box(&input[..16]), &mut output[..16])
                    .unwrap();
            });
        }
        ("aes-128-cbc", false) => {
            let Ok(cipher) = Aes128Encrypt::from_slice(&key[..16]) else {
                unreachable!()
            };
            repeat!({
                let mut cbc = CbcEncrypt::new(&cipher, black_box(&sixteen));
                cbc.encrypt_into(black_box(&input[..16]), &mut output[..16])
                    .unwrap();
            });
        }
        ("aes-128-cbc/decrypt", false) => {
            let Ok(cipher) = Aes128Decrypt::from_slice(&key[..16]) else {
                unreachable!()
            };
            repeat!({
                let mut cbc = CbcDecrypt::new(&cipher, black_box(&sixteen));
                cbc.decrypt_into(black_box(&input[..16]), &mut output[..16])
                    .unwrap();
            });
        }
        ("chacha20", false) => {
            let chacha = ChaCha20::new(&key);
            repeat!({
                let mut stream = chacha.stream(black_box(&[5; 12]));
                output = *black_box(&input);
                stream.apply(&mut output);
            });
        }
        (
            "chacha20" | "aes-128-ctr" | "aes-128-ecb" | "aes-128-cbc" | "aes-128-cbc/decrypt",
            true,
        ) => {
            let (key, iv, length) = match name {
                "chacha20" => (&key[..], &sixteen[..12], 64),
                "aes-128-ecb" => (&key[..16], &[][..], 16),
                _ => (&key[..16], &sixteen[..], 16),
            };
            let (name, direction) = match name.strip_suffix("/decrypt") {
                Some(name) => (name, Direction::Decrypt),
                None => (name, Direction::Encrypt),
            };
            let mut cipher = Cipher::new(name, direction, key).unwrap();
            repeat!({
                let input = black_box(&input[..length]);
                let data = InOutBuf::new(input, &mut output[..length]).unwrap();
                cipher.message_inout(black_box(iv), data).unwrap();
            });
        }
        ("sha-256", false) => repeat!({
            tag = Sha256::digest(black_box(&input)).into();
        }),
        ("sha-256", true) => {
            let mut hash = Hash::new(name).unwrap();
            repeat!(hash.digest(black_box(&input), &mut tag).unwrap());
        }
        ("hmac-sha-256", false) => {
            let mac = Hmac::<Sha256>::new(&key);
            repeat!({
                tag = mac.mac(black_box(&input)).into();
            });
        }
        ("hmac-sha-256", true) => {
            let mut mac = Mac::new(name, &key).unwrap();
            repeat!(mac.mac(black_box(&input), &mut tag).unwrap());
        }
        other => panic!("{other:?}"),
    }
}
