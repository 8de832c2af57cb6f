//! What calls by name leave on the stack: nothing of a secret.
//!
//! Before each call the stack below is painted with one byte, and after the call it is looked
//! at. What the call has left there, such as pointers and lengths, must not depend on the secret.
//! So all calls are made with two secrets, and twice with each: bytes that are the same for the
//! same secret and differ between the secrets come from the secret.
//!
//! A function with variables of 32 or 64 bytes aligns its stack, so where it leaves bytes depends
//! on where its caller's stack ends. The test tries one of the four ends on each day, and all of
//! them with `TOUCHSTONE_SECRETS_RUNS`.
#![cfg(all(
    target_arch = "x86_64",
    target_os = "linux",
    feature = "dynamic",
    feature = "limit"
))]
#![allow(
    unsafe_code,
    reason = "the stack below a function is reached by assembly alone"
)]

#[path = "common/every_call.rs"]
mod every_call;

use std::collections::{BTreeMap, BTreeSet};
use std::time::SystemTime;

use every_call::{Secrets, every_call};
use touchstone::hidden::keep_stack;
use touchstone::{aead::Aes256Gcm, prelude::*, wipe};

const PAINT: u8 = 0xa7;
const PAINTED: usize = 96 * 1024;

/// How many bytes lower the stack of a call begins: at each multiple of 16, up to a register of
/// AVX-512.
const SHIFTS: [usize; 4] = [0, 16, 32, 48];

/// Makes a call.
extern "C" fn invoke(call: &mut &mut dyn FnMut()) {
    call();
}

/// Paints the stack, makes a call, and returns what the call has written below this function, up
/// to the deepest byte, which is the first.
#[inline(never)]
fn after(shift: usize, mut call: &mut dyn FnMut()) -> Vec<u8> {
    let mut copy = vec![0u8; PAINTED];
    let top: usize;
    // SAFETY: writes below the stack pointer, where nothing lives: the assembly may use the
    // stack, so the compiler keeps nothing in the red zone. The thread's stack is larger.
    unsafe {
        core::arch::asm!(
            "mov {top}, rsp",
            "lea rdi, [rsp - {n}]",
            "mov ecx, {n}",
            "mov al, {paint}",
            "rep stosb",
            n = const PAINTED,
            paint = const PAINT,
            top = out(reg) top,
            out("rdi") _,
            out("rcx") _,
            out("al") _,
        );
    }
    // SAFETY: calls a function of the ABI of C with its argument. `shift` is a multiple of 16, so
    // the stack stays aligned for the call, and r12 keeps its value.
    unsafe {
        core::arch::asm!(
            "sub rsp, r12",
            "call {invoke}",
            "add rsp, r12",
            invoke = sym invoke,
            in("r12") shift,
            in("rdi") &raw mut call,
            clobber_abi("C"),
        );
    }
    // SAFETY: reads what is below the stack pointer, and writes all of the copy.
    unsafe {
        core::arch::asm!(
            "lea rsi, [{top} - {n}]",
            "mov ecx, {n}",
            "rep movsb",
            n = const PAINTED,
            top = in(reg) top,
            inout("rdi") copy.as_mut_ptr() => _,
            out("rsi") _,
            out("rcx") _,
        );
    }
    let deepest = copy.iter().position(|byte| *byte != PAINT);
    copy.split_off(deepest.unwrap_or(PAINTED))
}

/// A call: an algorithm with its kernel, and the name of the call.
type Call = (String, &'static str);

/// What every call leaves.
type Pass = Vec<(Call, Vec<u8>)>;

/// What every call leaves with the stack lower by `shift` bytes, for each of these seeds.
/// The calls of each seed have a thread of their own, with a stack that is large enough to be painted.
fn every_call_leaves<const N: usize>(shift: usize, seeds: [u64; N]) -> [Pass; N] {
    std::thread::scope(|scope| {
        let threads = seeds.map(|seed| {
            let builder = std::thread::Builder::new().stack_size(16 * PAINTED);
            let thread = builder.spawn_scoped(scope, move || after_each(shift, seed));
            thread.expect("a thread")
        });
        threads.map(|thread| thread.join().expect("the calls"))
    })
}

fn after_each(shift: usize, seed: u64) -> Pass {
    let mut seen = Vec::new();
    every_call(&mut Secrets::new(seed), &mut |name, kernel, call, run| {
        let after = after(shift, run);
        // A hash function begins with no secret.
        if call != "new" {
            seen.push(((format!("{name} by {kernel}"), call), after));
        }
    });
    // As the documentation of `wipe::after` shows it.
    let Secrets { key, message, .. } = &mut Secrets::new(seed);
    let key = key[..32].try_into().expect("32 bytes");
    let mut typed = || {
        wipe::after(wipe::DEEP, || {
            let gcm = Aes256Gcm::new(&key);
            let tag = gcm.encrypt(&[1; 12], b"", message);
            tag.expect("a message");
        });
    };
    let typed = after(shift, &mut typed);
    seen.push((("a typed key by wipe::after".to_owned(), "typed"), typed));
    seen
}

/// Whether eight bytes are an address in this process, which differs from run to run, or the number
/// of an address's page, with which the allocator of glibc hides its pointers ("safe-linking").
fn is_address(word: &[u8]) -> bool {
    let number = word.try_into().map_or(0, u64::from_le_bytes);
    let is_high = |number: u64| (0x55..0x80).contains(&(number >> 40));
    is_high(number) || number < 1 << 36 && is_high(number << 12)
}

/// How deep each call leaves something of the secret, and how deep it has written, at most.
fn depths(passes: &[Pass; 4]) -> BTreeMap<&Call, (usize, usize)> {
    let mut depths: BTreeMap<&Call, (usize, usize)> = BTreeMap::new();
    for (i, (call, written)) in passes[0].iter().enumerate() {
        let all = passes.each_ref().map(|pass| &pass[i].1[..]);
        let least = all.map(<[u8]>::len).into_iter().min().unwrap_or(0);
        // The end of each copy is at the caller.
        let [a, b, again, and_again] = all.map(|bytes| &bytes[bytes.len() - least..]);
        let depends = |at: usize| a[at] == again[at] && b[at] == and_again[at] && a[at] != b[at];
        // Fewer than four bytes may be the rest of a register that holds a result. Paint says that
        // one of the calls has not come here, as when the allocator has to look for memory.
        let from_secret = (0..least.saturating_sub(4)).find(|at| {
            let says_nothing = |bytes: &[u8]| {
                // Words are aligned to eight bytes from the caller on.
                let word = least - (least - at).next_multiple_of(8).min(least);
                bytes.get(word..word + 8).is_some_and(is_address)
                    || bytes[*at..at + 4] == [PAINT; 4]
            };
            (*at..at + 4).all(depends) && !says_nothing(a) && !says_nothing(b)
        });
        let depth = depths.entry(call).or_default();
        depth.0 = depth.0.max(from_secret.map_or(0, |at| least - at));
        depth.1 = depth.1.max(written.len());
    }
    depths
}

/// Checks that the test finds what calls leave if nothing overwrites the stack after them. For the
/// names that begin as a word of `TOUCHSTONE_STACK_DEPTHS`, prints how deep that is.
fn look_without_clearing(shift: usize) {
    let passes = every_call_leaves(shift, [1, 2, 1, 2]);
    let depths = depths(&passes);
    let asked = std::env::var("TOUCHSTONE_STACK_DEPTHS").unwrap_or_default();
    for ((name, call), (depth, written)) in &depths {
        if asked
            .split_whitespace()
            .any(|beginning| name.starts_with(beginning))
        {
            println!("{depth} of {written} {call} {name}");
        }
    }
    let found = depths.values().filter(|(depth, _)| *depth != 0).count();
    println!("{found} of {} calls would leave something", depths.len());
    assert!(found > depths.len() / 8, "the test sees nothing");
}

/// Prints and returns the calls that have left something of the secret.
fn left_by(passes: &[Pass; 4]) -> BTreeSet<Call> {
    let mut left = BTreeSet::new();
    for (call, (depth, _)) in depths(passes) {
        if depth != 0 {
            let (name, verb) = call;
            println!("left {depth} bytes deep by {verb} {name}");
            left.insert(call.clone());
        }
    }
    left
}

/// The calls that leave something of the secret with the stack lower by `shift` bytes.
fn left_at(shift: usize) -> BTreeSet<Call> {
    let left = left_by(&every_call_leaves(shift, [1, 2, 1, 2]));
    if left.is_empty() {
        return left;
    }
    // The threads share an allocator, and what it leaves can happen to differ from thread to thread
    // as the secrets do. What comes from a secret comes again with other secrets.
    let again = left_by(&every_call_leaves(shift, [3, 4, 3, 4]));
    for (name, call) in left.difference(&again) {
        println!("{call} {name}: not again with other secrets");
    }
    left.intersection(&again).cloned().collect()
}

/// The shift of the day, or all of [`SHIFTS`].
fn shifts() -> &'static [usize] {
    if std::env::var("TOUCHSTONE_SECRETS_RUNS").is_ok_and(|runs| !runs.is_empty()) {
        return &SHIFTS;
    }
    let now = SystemTime::UNIX_EPOCH.elapsed().expect("a clock");
    let today = (now.as_secs() / 86400) as usize % SHIFTS.len();
    &SHIFTS[today..=today]
}

/// One test, because [`keep_stack`] is for the whole process.
#[test]
fn nothing_is_left() {
    if cfg!(debug_assertions) {
        println!(
            "SKIPPED: the stack after calls, because this profile uses more of it; make secrets"
        );
        return;
    }
    let shifts = shifts();
    keep_stack(true);
    look_without_clearing(shifts[0]);
    keep_stack(false);

    let mut left = BTreeSet::new();
    for shift in shifts {
        println!("the stack lower by {shift} bytes");
        left.extend(left_at(*shift));
    }
    assert!(
        left.is_empty(),
        "calls leave something of the secret: {left:#?}"
    );
}
