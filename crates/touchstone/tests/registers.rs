//! A whole message, and another key, by name leave nothing of a message or key in the registers that
//! only AVX-512 has: the vector registers 16 to 31 and the masks. The call clears them, unless its code
//! does not change them (`wipe::LOW_REGISTERS`). So each of them afterwards holds zero, or what it held
//! before.
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
        let mut words = masks.iter().chain(vectors.as_flattened());
        // Around other calls objects are moved to their places, by the C library's copies.
        let looked_at = call.contains("message") || call == "rekey";
        if looked_at && !words.all(|word| [0, MARK].contains(word)) {
            left.insert(format!("{name} {kernel}: {call}"));
        }
    });
    assert!(left.is_empty(), "{left:#?}");
}
