//! `wipe::Allocator` overwrites memory before it is freed.
#![cfg(feature = "dynamic")]
#![allow(unsafe_code, reason = "the allocator of a test looks at what is freed")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use touchstone::dynamic::{Aead, Announced, Cipher, Direction, Mac};
use touchstone::wipe::Allocator;

/// Counts the pieces of memory that are freed, and those that hold another byte than zero.
struct Counting;

static FREED: AtomicUsize = AtomicUsize::new(0);
static HELD_SOMETHING: AtomicUsize = AtomicUsize::new(0);

// SAFETY: all memory comes from the system's allocator and goes back to it.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // Initialised, so that the bytes which nobody writes may be read when they are freed.
        // SAFETY: the caller's promise.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller gives up memory of this size, which `alloc` has initialised.
        let bytes = unsafe { std::slice::from_raw_parts(memory, layout.size()) };
        FREED.fetch_add(1, Relaxed);
        HELD_SOMETHING.fetch_add(usize::from(bytes.iter().any(|byte| *byte != 0)), Relaxed);
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static MEMORY: Allocator<Counting> = Allocator(Counting);

#[test]
fn freed_memory_is_zero() {
    let before = FREED.load(Relaxed);
    let mut growing = Vec::new();
    (0..1000u32).for_each(|i| growing.push(!i));
    drop(growing);
    let mut cipher = Cipher::new("serpent-256-cfb", Direction::Encrypt, &[7; 32]).expect("a key");
    cipher.set_iv(&[9; 16]).expect("an iv");
    cipher.apply(&mut [5; 20]).expect("data");
    drop(cipher);
    let aead = Aead::new("aes-256-gcm", &[7; 32]).expect("a key");
    let announced = Announced { aad: 3, data: 20 };
    drop(aead.encryptor(&[9; 12], announced).expect("a nonce"));
    drop(aead);
    drop(Mac::new("hmac-sha-256", &[7; 32]).expect("a key"));
    assert!(FREED.load(Relaxed) > before + 10);
    assert_eq!(HELD_SOMETHING.load(Relaxed), 0);

    // The same memory without the allocator under test.
    let layout = Layout::new::<u64>();
    // SAFETY: the size is not zero, and the memory is freed once.
    unsafe {
        let memory = Counting.alloc(layout);
        memory.write(1);
        Counting.dealloc(memory, layout);
    }
    assert_eq!(HELD_SOMETHING.load(Relaxed), 1);
}
