//! prober
#![allow(missing_docs, unsafe_code, clippy::undocumented_unsafe_blocks)]
mod common;
#[path = "common/every_call.rs"]
mod every_call;
use std::collections::BTreeMap;
fn painted(n: usize) -> Vec<u8> { common::painted(n) }

const PAINTED: usize = 256 * 1024;

/// How many bytes of the stack below this function a call uses.
#[inline(never)]
fn used(call: &mut dyn FnMut()) -> usize {
    let top: usize;
    unsafe {
        core::arch::asm!(
            "lea rdi, [rsp - {n}]",
            "mov ecx, {n}",
            "mov al, 0xa7",
            "cld",
            "rep stosb",
            "mov {top}, rsp",
            n = const PAINTED,
            top = out(reg) top,
            out("rdi") _, out("rcx") _, out("rax") _,
        );
    }
    call();
    let left: usize;
    unsafe {
        core::arch::asm!(
            "lea rdi, [{top} - {n}]",
            "mov ecx, {n}",
            "mov al, 0xa7",
            "repe scasb",
            "lea {left}, [rcx + 1]",
            n = const PAINTED,
            top = in(reg) top,
            left = out(reg) left,
            out("rdi") _, out("rcx") _, out("rax") _,
        );
    }
    left
}

#[test]
fn depths() {
    std::thread::Builder::new().stack_size(8 << 20).spawn(|| {
    touchstone::hidden::keep_stack(true);
    println!("empty {}", used(&mut || {}));
    let mut all: BTreeMap<(String, &'static str), usize> = BTreeMap::new();
    every_call::every_call(&mut every_call::Secrets::new(), &mut |name, kernel, call, run| {
        let n = used(run);
        let e = all.entry((format!("{name}/{kernel}"), call)).or_default();
        *e = (*e).max(n);
    });
    for ((name, call), n) in all { println!("depth {call} {n} {name}"); }
    }).unwrap().join().unwrap();
}
