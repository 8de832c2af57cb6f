//! Wiping secrets: those that a variable holds, and the copies that a function leaves on the
//! stack, in registers and in memory that is freed.
//!
//! A compiler keeps values in registers, and where registers are short it stores them on the
//! stack ("spills" them), so a function leaves parts of keys and of messages below the stack
//! pointer, which no variable names and no `Drop` wipes. Libgcrypt and Graviola therefore
//! overwrite the stack that their functions have used. [`after`] does the same here. The functions
//! of `dynamic` and of crypt(3) overwrite the stack after their call of the code that handles the
//! secret. `tests/stack.rs` measures how deep each of these calls goes.
//!
//! An object on the heap wipes its fields when it is dropped. Between the fields, and in the parts
//! that an `enum` or a vector does not use, lies what the stack held when the object was moved
//! there. [`Allocator`] overwrites that too.
#![allow(unsafe_code)]

use core::alloc::{GlobalAlloc, Layout};
use core::mem::MaybeUninit;

/// Overwrites all elements with `zero`. `Zeroize` on arrays of bytes writes single bytes, which
/// for a short message takes longer than the encryption. `wipe` uses stores as wide as the
/// machine allows, and a barrier that keeps the compiler from removing them.
#[inline(always)]
pub(crate) fn wipe<T: Copy>(secret: &mut [T], zero: T) {
    secret.fill(zero);
    zeroize::optimization_barrier(secret);
}

/// Overwrites the `depth` bytes of the stack below the frame of the caller, and the registers
/// that a function may change: the vector registers, the masks and the general ones.
///
/// With a depth of 0 it overwrites the registers alone. [`LOW_REGISTERS`] can be added to the depth.
/// With [`NOTHING`] it does nothing.
///
/// What it cannot reach is the caller's own frame. So the caller must have called the code that
/// handles the secret, and the compiler must not have inlined that code: an indirect call or
/// `inline(never)` makes sure of it.
#[cfg(feature = "dynamic")]
#[inline(always)]
pub(crate) fn stack(depth: usize) {
    if depth == NOTHING {
        return;
    }
    #[cfg(feature = "limit")]
    if KEPT.load(core::sync::atomic::Ordering::Relaxed) {
        return;
    }
    imp::stack(depth);
}

/// Added to a depth: the call has changed neither a mask nor the vector registers 16 to 31, and
/// nothing of it calls the C library, whose copies use these registers. So they stay as they are,
/// which saves 24 instructions, a tenth of what one block takes.
#[cfg(feature = "dynamic")]
pub(crate) const LOW_REGISTERS: usize = 1;

/// In place of a depth: the call has left nothing of a secret, neither on the stack nor in registers,
/// because its code is assembly that clears what it has used, and passes on pointers.
#[cfg(feature = "dynamic")]
pub(crate) const NOTHING: usize = usize::MAX;

/// Whether [`stack`] leaves the stack as it is, so that a test can measure how deep a call leaves
/// something.
#[cfg(feature = "limit")]
static KEPT: core::sync::atomic::AtomicBool = core::sync::atomic::AtomicBool::new(false);

/// Whether `stack` leaves the stack as it is from now on. [`after`] overwrites it in any case.
#[cfg(feature = "limit")]
pub fn keep_stack(kept: bool) {
    KEPT.store(kept, core::sync::atomic::Ordering::Relaxed);
}

/// Bytes of stack that a call uses beside large arrays and large objects: for the frames of its
/// functions and the registers that they spill. `tests/stack.rs` measures this and the following
/// numbers, and `dynamic/depth.rs` has those of each algorithm.
pub(crate) const FRAMES: usize = 6272;

/// Bytes of stack that a long message uses if a kernel takes many blocks at once.
#[cfg(feature = "dynamic")]
pub(crate) const LONG: usize = 8704;

/// Bytes of stack that a key derivation or a call with many messages uses. Functions with larger
/// objects overwrite the stack below them themselves.
pub const DEEP: usize = 28 * 1024;

/// Calls a function, and then overwrites `depth` bytes of the stack below the caller, and the
/// registers that a function may change.
///
/// What the function returns, and what it has stored elsewhere, stays. With this, a program that
/// holds keys as typed values, which the compiler moves about, can leave nothing of them behind:
///
/// ```
/// use touchstone::{aead::Aes256Gcm, prelude::*, wipe};
///
/// # let (key, nonce) = ([7; 32], [1; 12]);
/// let mut message = *b"Attack at dawn";
/// let tag = wipe::after(wipe::DEEP, || Aes256Gcm::new(&key).encrypt(&nonce, b"", &mut message))?;
/// # let _ = tag;
/// # Ok::<(), touchstone::AeadError>(())
/// ```
#[inline(always)]
pub fn after<T>(depth: usize, call: impl FnOnce() -> T) -> T {
    let result = apart(call);
    imp::stack(depth);
    result
}

/// Calls a function in a frame of its own, below the caller's.
#[inline(never)]
pub(crate) fn apart<T>(call: impl FnOnce() -> T) -> T {
    call()
}

/// [`after`] for code that keeps or moves large objects of type `S`, so that the stack holds up to
/// so many of them at once. Small objects are part of the depth that the caller overwrites.
#[inline(always)]
pub(crate) fn after_moves<S, T>(copies: usize, call: impl FnOnce() -> T) -> T {
    if moves_little::<S>(copies) {
        call()
    } else {
        after(FRAMES + copies * size_of::<S>(), call)
    }
}

/// Whether so many copies of an `S` are part of the depth that the caller overwrites.
#[inline(always)]
pub(crate) const fn moves_little<S>(copies: usize) -> bool {
    copies * size_of::<S>() <= FRAMES / 2
}

/// An allocator that overwrites memory before the allocator in it frees the memory. A program that
/// wants nothing of a secret in freed memory makes it the global allocator:
///
/// ```
/// use touchstone::wipe::Allocator;
///
/// #[global_allocator]
/// static MEMORY: Allocator<std::alloc::System> = Allocator(std::alloc::System);
/// # fn main() {}
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Allocator<A>(pub A);

// SAFETY: all memory comes from the allocator in it, which keeps the contract, and goes back to it.
// A vector that grows gets new memory by the trait's own `realloc`, which calls `dealloc`.
unsafe impl<A: GlobalAlloc> GlobalAlloc for Allocator<A> {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        unsafe { self.0.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        unsafe { self.0.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        let bytes = memory.cast::<MaybeUninit<u8>>();
        // SAFETY: the caller gives the memory up, with the layout that it was made with.
        unsafe {
            let bytes = core::slice::from_raw_parts_mut(bytes, layout.size());
            wipe(bytes, MaybeUninit::new(0));
            self.0.dealloc(memory, layout);
        }
    }
}

#[cfg(all(target_arch = "x86_64", unix, not(miri)))]
mod imp {
    use core::arch::naked_asm;
    use core::mem;
    use core::ptr;
    use core::sync::atomic::{AtomicPtr, Ordering};

    use crate::cpu::{Avx2, Avx512};

    type Clear = extern "sysv64" fn(usize);

    /// The function for this machine, or null before the first call. Every message ends with this
    /// function, so it is chosen once.
    static CLEAR: AtomicPtr<()> = AtomicPtr::new(ptr::null_mut());

    /// Clears the general registers, and returns.
    macro_rules! general {
        () => {
            ".irp n, eax,ecx,edx,esi,edi,r8d,r9d,r10d,r11d
            xor \\n, \\n
            .endr
            ret"
        };
    }

    /// The body of a function that takes the depth in `rdi`, and changes only registers that the
    /// System V ABI lets a function change; if the depth is 0, it leaves the stack as it is. `$low`
    /// clears the vector registers 0 to 15, `$high` the others and the masks, if there are any and the
    /// depth does not have [`LOW_REGISTERS`](super::LOW_REGISTERS), bit 0. The code for one block ends
    /// with the shortest path, so this path has no jump. `$store` overwrites the 64 bytes below
    /// `rax - off`. The first of these stores ends at the return address. The others are aligned,
    /// because a store across two cache lines takes twice as long. A loop of 512 bytes a turn, and
    /// then 256, 128 and 64 bytes by the bits of the rest, take few instructions beside the stores.
    /// The stack pointer lies below all stores, by up to 128 bytes for the alignment: valgrind and
    /// older kernels take a store far below it for a fault.
    macro_rules! body {
        ($low:literal, $high:literal, $store:literal) => {
            naked_asm!(
                $low,
                "btr rdi, 0",
                "jnc 2f",
                "test rdi, rdi",
                "jnz 3f",
                general!(),
                "2:",
                $high,
                "test rdi, rdi",
                "jnz 3f",
                general!(),
                "3:",
                "mov rax, rsp",
                "mov rcx, rsp",
                "sub rsp, rdi",
                "add rsp, -128",
                ".irp off, 0",
                $store,
                ".endr",
                "and rax, -64",
                "add rdi, 63",
                "cmp rdi, 512",
                "jb 5f",
                "4:",
                ".irp off, 0, 64, 128, 192, 256, 320, 384, 448",
                $store,
                ".endr",
                "sub rax, 512",
                "sub rdi, 512",
                "cmp rdi, 512",
                "jae 4b",
                "5:",
                "test edi, 256",
                "jz 6f",
                ".irp off, 0, 64, 128, 192",
                $store,
                ".endr",
                "sub rax, 256",
                "6:",
                "test edi, 128",
                "jz 7f",
                ".irp off, 0, 64",
                $store,
                ".endr",
                "sub rax, 128",
                "7:",
                "test edi, 64",
                "jz 8f",
                ".irp off, 0",
                $store,
                ".endr",
                "8:",
                "mov rsp, rcx",
                general!(),
            )
        };
    }

    // VZEROALL would clear registers 0 to 15 in one instruction, and takes several times as long
    // as these exclusive ORs of a register with itself, which the processor removes while it
    // renames registers. VPXOR with 128 bits clears the rest of the register too. VZEROUPPER
    // comes first, so that the upper halves count as unused: later instructions without VEX
    // would otherwise wait.

    #[unsafe(naked)]
    extern "sysv64" fn avx512(depth: usize) {
        body!(
            "vzeroupper
            .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
            vpxor xmm\\n, xmm\\n, xmm\\n
            .endr",
            ".irp n, 16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
            vpxord xmm\\n, xmm\\n, xmm\\n
            .endr
            .irp n, 0,1,2,3,4,5,6,7
            kxorq k\\n, k\\n, k\\n
            .endr",
            "vmovups [rax - 64 - \\off], zmm0"
        )
    }

    #[unsafe(naked)]
    extern "sysv64" fn avx(depth: usize) {
        body!(
            "vzeroupper
            .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
            vpxor xmm\\n, xmm\\n, xmm\\n
            .endr",
            "",
            "vmovups [rax - 32 - \\off], ymm0
            vmovups [rax - 64 - \\off], ymm0"
        )
    }

    #[unsafe(naked)]
    extern "sysv64" fn sse2(depth: usize) {
        body!(
            ".irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
            pxor xmm\\n, xmm\\n
            .endr",
            "",
            "movups [rax - 16 - \\off], xmm0
            movups [rax - 32 - \\off], xmm0
            movups [rax - 48 - \\off], xmm0
            movups [rax - 64 - \\off], xmm0"
        )
    }

    #[cold]
    #[inline(never)]
    fn choose() -> *mut () {
        let clear: Clear = if Avx512::detect().is_some() {
            avx512
        } else if Avx2::detect().is_some() {
            avx
        } else {
            sse2
        };
        let clear = clear as *mut ();
        CLEAR.store(clear, Ordering::Relaxed);
        clear
    }

    #[inline(always)]
    pub(super) fn stack(depth: usize) {
        let mut clear = CLEAR.load(Ordering::Relaxed);
        if clear.is_null() {
            clear = choose();
        }
        // SAFETY: a pointer in `CLEAR` that is not null is one of the functions in `choose`.
        let clear = unsafe { mem::transmute::<*mut (), Clear>(clear) };
        clear(depth);
    }
}

#[cfg(not(all(target_arch = "x86_64", unix, not(miri))))]
mod imp {
    use core::hint::black_box;

    /// What one frame of this function overwrites.
    const FRAME: usize = 1024;

    /// Overwrites the stack by frames of this function, one below the other. The registers keep
    /// what they hold.
    #[inline(never)]
    pub(super) fn stack(depth: usize) {
        if depth <= 1 {
            return;
        }
        let mut frame = black_box([0u8; FRAME]);
        if depth > FRAME {
            stack(depth - FRAME);
        }
        // The frame lives until here, so the call above has its own.
        super::wipe(&mut frame, 0);
    }
}
