//! A whole message, and another key, by name leave nothing of a message or key in the registers that
//! only AVX-512 has: the vector registers 16 to 31 and the masks. The call clears them, unless its code
//! does not change them (`wipe::LOW_REGISTERS`). So each of them afterwards holds zero, or what it held
//! before.
//!
//! After one block of AES in ECB, CBC and XTS the call clears no register (`wipe::NOTHING`), and neither
//! after a short message of AES-GCM. There every register that has SSE holds nothing but what anyone may
//! know.
#![cfg(all(
    target_arch = "x86_64",
    target_os = "linux",
    feature = "dynamic",
    feature = "limit"
))]
#![allow(
    unsafe_code,
    reason = "registers are read and written by assembly alone"
)]

#[path = "common/every_call.rs"]
mod every_call;

use std::arch::asm;
use std::collections::BTreeSet;
use std::is_x86_feature_detected;

use every_call::{Secrets, every_call};
use touchstone::InOutBuf;
use touchstone::dynamic::{Aead, Cipher, Direction, Error, Options};

const MARK: u64 = 0x5a17_90c3_44d2_be6b;

/// What the registers hold: the masks, and the vector registers.
#[repr(C)]
struct Registers {
    masks: [u64; 8],
    vectors: [[u64; 8]; 16],
}

/// Writes the mark to all masks and to the vector registers 16 to 31.
fn mark() {
    // SAFETY: the caller has detected AVX-512, and the code changes only registers that a call may
    // change.
    unsafe {
        asm!(
            ".irp n, 0,1,2,3,4,5,6,7",
            "kmovq k\\n, {mark}",
            ".endr",
            ".irp n, 16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31",
            "vpbroadcastq zmm\\n, {mark}",
            ".endr",
            mark = in(reg) MARK,
            clobber_abi("sysv64"),
        );
    }
}

/// Reads the registers.
fn read() -> Registers {
    let mut registers = Registers {
        masks: [0; 8],
        vectors: [[0; 8]; 16],
    };
    // SAFETY: the caller has detected AVX-512, and the code writes within `registers`.
    unsafe {
        asm!(
            ".irp n, 0,1,2,3,4,5,6,7",
            "kmovq [{to} + 8 * \\n], k\\n",
            ".endr",
            ".irp n, 16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31",
            "vmovdqu64 [{to} + 64 * \\n - 960], zmm\\n",
            ".endr",
            to = in(reg) &raw mut registers,
            options(nostack, preserves_flags),
        );
    }
    registers
}

#[test]
fn messages_and_keys_leave_nothing_in_the_registers_of_avx512() {
    if !is_x86_feature_detected!("avx512bw") {
        println!("SKIPPED: the registers of AVX-512, because it is not there");
        return;
    }
    let mut left = BTreeSet::new();
    every_call(&mut Secrets::new(1), &mut |name, kernel, call, run| {
        mark();
        run();
        let Registers { masks, vectors } = read();
        // A mask of the first bytes of a register shows a length, which anyone may know.
        let masks = masks.map(|mask| {
            if mask & mask.wrapping_add(1) == 0 {
                0
            } else {
                mask
            }
        });
        let mut words = masks.iter().chain(vectors.as_flattened());
        // Around other calls objects are moved to their places, by the C library's copies.
        let looked_at = call.contains("message") || call == "rekey";
        if looked_at && !words.all(|word| [0, MARK].contains(word)) {
            left.insert(format!("{name} {kernel}: {call}"));
        }
    });
    assert!(left.is_empty(), "{left:#?}");
}

/// Writes the mark to the vector registers 0 to 15.
fn mark_low() {
    // SAFETY: the code changes only registers that a call may change.
    unsafe {
        asm!(
            ".irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15",
            "movq xmm\\n, {mark}",
            "punpcklqdq xmm\\n, xmm\\n",
            ".endr",
            mark = in(reg) MARK,
            clobber_abi("sysv64"),
        );
    }
}

/// Reads the vector registers 0 to 15.
#[inline(always)]
fn read_low(registers: &mut [[u64; 2]; 16]) {
    // SAFETY: the code writes within `registers`.
    unsafe {
        asm!(
            ".irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15",
            "movdqu [{to} + 16 * \\n], xmm\\n",
            ".endr",
            to = in(reg) registers.as_mut_ptr(),
            options(nostack, preserves_flags),
        );
    }
}

#[test]
fn blocks_of_aes_leave_what_anyone_may_know() {
    let secrets = Secrets::new(2);
    let iv = &[7; 16];
    let mut left = BTreeSet::new();
    for (key, mode) in [16, 24, 32]
        .into_iter()
        .flat_map(|key| ["ecb", "cbc", "cfb", "ctr", "xts"].map(|mode| (key, mode)))
    {
        let name = format!("aes-{}-{mode}", 8 * key);
        let iv = if mode == "ecb" { &iv[..0] } else { &iv[..] };
        let key = &secrets.key[..if mode == "xts" { 2 * key } else { key }];
        for kernel in Cipher::kernels(&name).expect("a name") {
            let options = Options {
                kernel: Some(kernel),
                ..Options::default()
            };
            // With VAES, calls for more blocks leave nothing, either.
            let mut ciphertext = [0; 16 * 33];
            for (length, direction) in (1..=33).flat_map(|blocks| {
                [Direction::Encrypt, Direction::Decrypt].map(|direction| (16 * blocks, direction))
            }) {
                let Ok(mut cipher) = Cipher::with(&name, direction, key, &options) else {
                    continue;
                };
                let encrypts = direction == Direction::Encrypt;
                let input = if encrypts {
                    &secrets.message[..length]
                } else {
                    &ciphertext[..length]
                };
                let mut output = [0; 16 * 33];
                let data = InOutBuf::new(input, &mut output[..length]).expect("equal lengths");
                let mut registers = [[0; 2]; 16];
                mark_low();
                let result = cipher.rekey(key);
                read_low(&mut registers);
                result.expect("a key");
                let known: [u64; 2] = [0, MARK];
                if !registers
                    .as_flattened()
                    .iter()
                    .all(|word| known.contains(word) || *word < 1 << 47)
                {
                    left.insert(format!(
                        "{name} {kernel}, encryption {encrypts}: another key"
                    ));
                }
                mark_low();
                let result = cipher.message_inout(iv, data);
                read_low(&mut registers);
                result.expect("a message");
                if encrypts {
                    ciphertext = output;
                } else {
                    assert_eq!(output[..length], secrets.message[..length]);
                }
                let (known, _) = ciphertext[..length].as_chunks();
                let known = known.iter().map(|word| u64::from_le_bytes(*word));
                // The next counter, as a number or in the order of its bytes.
                let counters = (0..=33).map(|n| 0x0707_0707_0707_0707_u64 + n);
                let counters = counters.flat_map(|counter| [counter, counter.swap_bytes()]);
                let known: Vec<u64> = known.chain([0, MARK]).chain(counters).collect();
                // Pointers and lengths are known, too.
                let anyone = |word: &u64| known.contains(word) || *word < 1 << 47;
                if !registers.as_flattened().iter().all(anyone) {
                    left.insert(format!(
                        "{name} {kernel}, {length} bytes, encryption {encrypts}"
                    ));
                }
            }
        }
    }
    assert!(left.is_empty(), "{left:#?}");
}

#[test]
fn short_messages_of_aes_gcm_leave_nothing() {
    let secrets = Secrets::new(3);
    let mut left = BTreeSet::new();
    for (key, kernel) in [16, 24, 32].into_iter().flat_map(|key| {
        let kernels = Cipher::kernels(&format!("aes-{}-ecb", 8 * key)).expect("a name");
        kernels.iter().map(move |kernel| (key, kernel))
    }) {
        let name = format!("aes-{}-gcm", 8 * key);
        let options = Options {
            kernel: Some(kernel),
            ..Options::default()
        };
        let aead = match Aead::with(&name, &secrets.key[..key], &options) {
            Err(Error::Kernel) => {
                println!("SKIPPED: {name}, {kernel}: the processor lacks it");
                continue;
            }
            result => result.expect("a key"),
        };
        let lengths = [1, 15, 16, 17, 48, 49, 64, 100, 112, 113, 176, 177, 240, 256];
        for (length, aad) in lengths
            .into_iter()
            .flat_map(|length| [0, 13, 17, 64].map(|aad| (length, aad)))
        {
            let (nonce, aad) = (&[7; 12], &[8; 64][..aad]);
            let message = &secrets.message[..length];
            let (mut ciphertext, mut output) = (vec![0; length], vec![0; length]);
            let (mut tag, mut registers) = ([0; 16], [[0; 2]; 16]);
            let mut look = |registers: &[[u64; 2]; 16], call| {
                // Pointers and lengths may be there.
                let anyone = |word: &u64| *word == MARK || *word < 1 << 47;
                if !registers.as_flattened().iter().all(anyone) {
                    left.insert(format!("{name} {kernel}: {call} of {length} bytes"));
                }
            };
            let data = InOutBuf::new(message, &mut ciphertext).expect("equal lengths");
            mark_low();
            let result = aead.encrypt_inout(nonce, aad, data, &mut tag);
            read_low(&mut registers);
            result.expect("a message");
            look(&registers, "encryption");
            let data = InOutBuf::new(&ciphertext, &mut output).expect("equal lengths");
            mark_low();
            let result = aead.decrypt_inout(nonce, aad, data, &tag);
            read_low(&mut registers);
            result.expect("the right tag");
            look(&registers, "decryption");
            assert_eq!(output, message);
        }
    }
    assert!(left.is_empty(), "{left:#?}");
}
