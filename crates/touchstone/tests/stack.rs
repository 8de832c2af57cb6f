//! What calls by name leave on the stack: nothing of a secret.
//!
//! Before each call the stack below is painted with one byte, and after the call it is looked
//! at. Close to the caller lie the frames of the call's public functions, which hold pointers
//! and lengths; they must not depend on the secret. Below these every byte must be either
//! paint, so nobody wrote it, or zero, so it has been overwritten.
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

use std::collections::BTreeMap;

use every_call::{Secrets, every_call};
use touchstone::hidden::keep_stack;
use touchstone::{aead::Aes256Gcm, prelude::*, wipe};

const PAINT: u8 = 0xa7;
const CHUNK: usize = 64;
const PAINTED: usize = 96 * 1024;

/// How far the frames of public functions reach.
const NEAR: usize = 1024;

/// The stack below this function after a call, and whether the call is in its way.
struct After {
    /// Bytes that are neither paint nor zero, below [`NEAR`]: how many, and the deepest.
    left: usize,
    deepest: usize,
    near: Vec<u8>,
    /// How deep the call has written, if it has overwritten nothing.
    used: usize,
}

/// Paints the stack, makes a call, and looks at the stack.
#[inline(never)]
fn after(call: &mut dyn FnMut()) -> After {
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
    call();
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
    let near = copy.split_off(PAINTED - NEAR);
    // The deepest byte is the first. Most of the copy is whole chunks of paint or of zeros, which
    // are compared as a whole.
    let (mut left, mut deepest, mut used) = (0, 0, 0);
    for (i, chunk) in copy.chunks_exact(CHUNK).enumerate() {
        let depth = |at: usize| PAINTED - i * CHUNK - at;
        if chunk == [PAINT; CHUNK] {
            continue;
        }
        if used == 0 {
            let written = chunk.iter().position(|byte| *byte != PAINT);
            used = written.map_or(0, depth);
        }
        if chunk == [0; CHUNK] {
            continue;
        }
        let kept = |byte: &u8| *byte != PAINT && *byte != 0;
        left += chunk.iter().filter(|byte| kept(byte)).count();
        if deepest == 0 {
            deepest = chunk.iter().position(kept).map_or(0, depth);
        }
    }
    After {
        left,
        deepest,
        near,
        used,
    }
}

/// A call: an algorithm with its kernel, and the name of the call.
type Call = (String, &'static str);

/// What every call leaves, for each of these seeds. The calls of each seed have a thread of their
/// own, with a stack that is large enough to be painted.
fn every_call_leaves<const N: usize>(seeds: [u64; N]) -> [Vec<(Call, After)>; N] {
    std::thread::scope(|scope| {
        let threads = seeds.map(|seed| {
            let builder = std::thread::Builder::new().stack_size(16 * PAINTED);
            let thread = builder.spawn_scoped(scope, move || after_each(seed));
            thread.expect("a thread")
        });
        threads.map(|thread| thread.join().expect("the calls"))
    })
}

fn after_each(seed: u64) -> Vec<(Call, After)> {
    let mut seen = Vec::new();
    every_call(&mut Secrets::new(seed), &mut |name, kernel, call, run| {
        let after = after(run);
        // A hash function begins with no secret.
        if call != "new" {
            seen.push(((format!("{name} by {kernel}"), call), after));
        }
    });
    // As the documentation of `wipe::after` shows it.
    let Secrets { key, message, .. } = &mut Secrets::new(seed);
    let key = key[..32].try_into().expect("32 bytes");
    let typed = after(&mut || {
        wipe::after(wipe::DEEP, || {
            let gcm = Aes256Gcm::new(&key);
            let tag = gcm.encrypt(&[1; 12], b"", message);
            tag.expect("a message");
        });
    });
    seen.push((("a typed key by wipe::after".to_owned(), "typed"), typed));
    seen
}

/// Whether eight bytes are an address in this process, which differs from run to run.
fn is_address(word: &[u8]) -> bool {
    word[6] == 0 && word[7] == 0 && (0x55..0x80).contains(&word[5])
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
    let passes = every_call_leaves([1, 2, 1, 2]);
    let mut left: BTreeMap<&Call, (usize, usize)> = BTreeMap::new();
    for (call, after) in passes.iter().flatten() {
        if after.left != 0 {
            let worst = left.entry(call).or_default();
            *worst = (*worst).max((after.deepest, after.left));
        }
    }
    let mut dependent = BTreeMap::new();
    for (i, (call, _)) in passes[0].iter().enumerate() {
        let [a, b, again, and_again] = passes.each_ref().map(|pass| &pass[i].1.near);
        let depends = |at: usize| a[at] == again[at] && b[at] == and_again[at] && a[at] != b[at];
        // As residue.rs: fewer bytes may be the rest of a register that holds a result. Paint says
        // that one of the calls has not come here, as when the allocator has to look for memory.
        let depend = (0..NEAR - 4).find(|at| {
            let says_nothing = |near: &[u8]| {
                is_address(&near[at / 8 * 8..][..8]) || near[*at..at + 4] == [PAINT; 4]
            };
            (*at..at + 4).all(depends) && !says_nothing(a) && !says_nothing(b)
        });
        if let Some(at) = depend {
            let word = at..at + 4;
            let words = [a, b].map(|near| near[word.clone()].to_vec());
            dependent.insert(call, (NEAR - at, words));
        }
    }

    keep_stack(true);
    let [kept] = every_call_leaves([1]);
    keep_stack(false);
    let found = kept.iter().filter(|(_, after)| after.left != 0).count();
    let mut most = BTreeMap::new();
    for (call, after) in &kept {
        let most = most.entry(call).or_insert(0);
        *most = after.used.max(*most);
    }

    println!(
        "{} calls, of which {found} would leave something below {NEAR} bytes",
        kept.len()
    );
    for (key @ (name, call), (deepest, bytes)) in &left {
        let used = most[key];
        println!("left {call} {deepest} {bytes} {name}; used {used}");
    }
    for ((name, call), (place, bytes)) in &dependent {
        println!("near {call} {place} {name}: {bytes:x?}");
    }
    assert!(found > kept.len() / 8, "{found}: the test sees nothing");
    assert!(left.is_empty(), "{} calls leave something", left.len());
    assert!(
        dependent.is_empty(),
        "{} depend on the secret",
        dependent.len()
    );
}
