//! Tests the generators of random bytes: output that follows from a seed, output that must not
//! repeat, and forks.
#![cfg(feature = "random")]
#![allow(unsafe_code, reason = "a test forks")]

use std::collections::BTreeSet;

use touchstone::prelude::*;
use touchstone::random::{Generator, Seeded};
use touchstone::stream::ChaCha20;

/// Checks that output in pieces around the lengths of the buffer and of the period never
/// repeats and looks random: no two groups of 8 bytes are equal, and half of the bits are ones.
#[test]
fn output_does_not_repeat() {
    let mut generator = Generator::new().unwrap();
    let mut seen = BTreeSet::new();
    let mut ones = 0u64;
    let mut bytes = vec![0; 0];
    for length in (0..1000).chain([1 << 20, 1, (1 << 20) + 1]) {
        bytes.clear();
        bytes.resize(length, 0);
        generator.fill(&mut bytes).unwrap();
        for eight in bytes.chunks_exact(8) {
            assert!(seen.insert(eight.to_vec()));
            ones += u64::from(u64::from_ne_bytes(eight.try_into().unwrap()).count_ones());
        }
    }
    let bits = 64 * seen.len() as u64;
    assert!(ones.abs_diff(bits / 2) < bits / 500, "{ones} of {bits}");
    let other = &mut [0; 8];
    Generator::new().unwrap().fill(other).unwrap();
    assert!(!seen.contains(&other[..]));
}

/// Checks that a child and its parent have different output, and that two children have
/// different output.
#[cfg(unix)]
#[test]
fn copies_of_a_process_do_not_share_output() {
    use std::io::Read;
    use std::os::fd::FromRawFd;

    let mut generator = Generator::new().unwrap();
    generator.fill(&mut [0; 10]).unwrap();
    let mut outputs = BTreeSet::new();
    for _ in 0..3 {
        let mut ends = [0; 2];
        // SAFETY: the array has room for the two descriptors.
        assert_eq!(unsafe { libc::pipe(ends.as_mut_ptr()) }, 0);
        // SAFETY: the child only fills an array, writes the array, and ends at once.
        let child = unsafe { libc::fork() };
        if child == 0 {
            let mut bytes = [0u8; 64];
            let code = i32::from(generator.fill(&mut bytes).is_err());
            // SAFETY: the descriptor is open and the array has this length. `_exit` does not
            // return.
            unsafe {
                libc::write(ends[1], bytes.as_ptr().cast(), bytes.len());
                libc::_exit(code);
            }
        }
        assert!(child > 0);
        // SAFETY: the descriptor is open, and no other object owns it.
        let (mut from, to) = unsafe {
            (
                std::fs::File::from_raw_fd(ends[0]),
                std::fs::File::from_raw_fd(ends[1]),
            )
        };
        drop(to);
        let mut bytes = Vec::new();
        from.read_to_end(&mut bytes).unwrap();
        let mut status = 0;
        // SAFETY: the child belongs to this process, and `status` has room for the result.
        assert_eq!(unsafe { libc::waitpid(child, &mut status, 0) }, child);
        assert_eq!((status, bytes.len()), (0, 64));
        assert!(outputs.insert(bytes));
    }
    let mut bytes = vec![0; 64];
    generator.fill(&mut bytes).unwrap();
    assert!(outputs.insert(bytes));
}

/// Checks that the output of a seeded generator is a keystream, in pieces and from any
/// position.
#[test]
fn seeded_output_is_a_keystream() {
    let mut wanted = [0; 3000];
    ChaCha20::new(&[7; 32])
        .stream_original(&[0; 8])
        .keystream(&mut wanted);
    let mut generator = Seeded::new(&[7; 32]);
    let mut bytes = [0; 3000];
    let mut rest = &mut bytes[..];
    for n in [77, 1, 256, 300, 64, 600, 255, 16].into_iter().cycle() {
        let piece = rest.split_off_mut(..n.min(rest.len())).unwrap();
        generator.fill(piece);
        if rest.is_empty() {
            break;
        }
    }
    assert_eq!(bytes, wanted);
    for at in [0, 1, 63, 64, 1000, 2990] {
        generator.seek(at as u64);
        let mut ten = [0; 10];
        generator.fill(&mut ten);
        assert_eq!(ten, wanted[at..at + 10]);
    }
    // The answer is test vector 1 of RFC 8439, A.1: the key and the nonce are zero.
    let mut first = [0; 8];
    Seeded::new(&[0; 32]).fill(&mut first);
    assert_eq!(first, [0x76, 0xb8, 0xe0, 0xad, 0xa0, 0xf1, 0x3d, 0x90]);
}

#[cfg(feature = "rand_core")]
#[test]
fn traits_of_rand_core() {
    use rand_core::{SeedableRng, TryRng};
    let mut seeded = Seeded::from_seed([0; 32]);
    assert_eq!(seeded.try_next_u32(), Ok(0xade0_b876));
    assert_eq!(seeded.try_next_u64(), Ok(0xe56a_5d40_903d_f1a0));
    // The generator can make keys and nonces of the library.
    let key = ChaCha20::generate_key(&mut seeded);
    assert_ne!(key, [0; 32]);
    let mut generator = Generator::new().unwrap();
    assert_ne!(generator.try_next_u64(), generator.try_next_u64());
}
