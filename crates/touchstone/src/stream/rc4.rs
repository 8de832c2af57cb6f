//! RC4: R. Rivest's stream cipher of 1987, a trade secret until 1994. **Broken**: the
//! first bytes of the keystream reveal the key, and all later bytes are biased ([RFC7465]
//! forbids RC4 in TLS). Use it only for old files and protocols.
//!
//! Keys have 1 to 256 bytes. There is no nonce: a key has a single keystream.
//! [`Rc4::stream_dropping`] omits its beginning. **Not constant-time**: the state is a
//! table, and secrets choose the entries that are read. The only kernel is portable,
//! because each byte depends on the byte before. On x86-64 its loop is assembly.
//!
//! - [RC4] The algorithm as published in 1994; test vectors in RFC 6229, 2011
//! - [RFC7465] Prohibiting RC4 Cipher Suites, RFC 7465, 2015
//!
//! [RC4]: https://www.rfc-editor.org/rfc/rfc6229
//! [RFC7465]: https://www.rfc-editor.org/rfc/rfc7465

use inout::InOutBuf;
use zeroize::ZeroizeOnDrop;

use super::{InvalidNonceLength, StreamCipher, StreamKey, stream_type};
use crate::buffer;
use crate::debug::debug;
use crate::kernel::kernels;
use crate::wipe::wipe;
use crate::{InvalidKeyLength, KeyLengths, Keyed};

kernels! {
    /// The kernels that compute RC4.
    enum Kernel {}
}

/// A key of RC4. **Broken.**
#[derive(Clone)]
pub struct Rc4(Rc4Stream);

debug!([] Rc4, "Rc4");

/// The keystream of a key. It lies in whole lines of the cache, because a load waits for a store
/// before it that crosses two lines, and each message begins with a copy of the table.
#[derive(Clone)]
#[repr(align(64))]
pub struct Rc4Stream {
    /// A permutation of all bytes, in words: Zen 3 lets a load wait for a store to the same eight bytes,
    /// and the entries that one step loads and the step before stores are often neighbours.
    s: [u32; 256],
    i: u8,
    j: u8,
}

impl Rc4 {
    /// The keystream from its first byte on.
    #[inline]
    pub fn stream(&self) -> Rc4Stream {
        self.0.clone()
    }

    /// The keystream from byte `drop` on, counted from 0. All bytes before it are
    /// computed.
    pub fn stream_dropping(&self, drop: u64) -> Rc4Stream {
        let mut stream = self.stream();
        for _ in 0..drop {
            stream.next();
        }
        stream
    }
}

/// The permutation before the first step of the key schedule.
const fn identity() -> [u32; 256] {
    let mut s = [0; 256];
    let mut i = 0;
    while i < 256 {
        s[i] = i as u32;
        i += 1;
    }
    s
}

impl Keyed for Rc4 {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::every(1, 1, 256);

    fn with_kernel(_: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        let mut this = Self(Rc4Stream::EMPTY);
        this.rekey(key)?;
        Ok(this)
    }

    fn rekey(&mut self, key: &[u8]) -> Result<(), InvalidKeyLength> {
        Self::KEY_LENGTHS.check(key)?;
        let s = &mut self.0.s;
        *s = const { identity() };
        let (mut i, mut j, mut a) = (0u8, 0u8, 0u32);
        'all: loop {
            for key in key {
                // The next entry is loaded before two are stored, so that this load does not
                // wait for the stores.
                let after = i.wrapping_add(1);
                let next = s[usize::from(after)];
                j = j.wrapping_add(a as u8).wrapping_add(*key);
                s[usize::from(i)] = s[usize::from(j)];
                s[usize::from(j)] = a;
                a = if j == after { a } else { next };
                if after == 0 {
                    break 'all;
                }
                i = after;
            }
        }
        Ok(())
    }

    fn kernel_in_use(&self) -> Kernel {
        Kernel::Portable
    }
}

impl StreamKey for Rc4 {
    type Stream = Rc4Stream;
    type Nonce = [u8; 0];
    const IN_PLACE: bool = true;

    #[inline]
    fn stream(&self, _: &Self::Nonce) -> Self::Stream {
        self.stream()
    }

    #[inline]
    fn apply_message_in(
        &self,
        kept: &mut Option<Rc4Stream>,
        nonce: &[u8],
        data: InOutBuf<'_, '_, u8>,
    ) -> Result<(), InvalidNonceLength> {
        InvalidNonceLength::check(nonce, Self::NONCE_LENGTHS)?;
        let stream = match kept {
            Some(stream) => stream,
            None => first(kept),
        };
        stream.s = self.0.s;
        (stream.i, stream.j) = (self.0.i, self.0.j);
        stream.apply_inout(data);
        Ok(())
    }
}

/// Makes room for the stream of the first message, in a frame of its own.
#[cold]
#[inline(never)]
fn first(kept: &mut Option<Rc4Stream>) -> &mut Rc4Stream {
    kept.insert(Rc4Stream::EMPTY)
}

impl Rc4Stream {
    const EMPTY: Self = Self {
        s: [0; 256],
        i: 0,
        j: 0,
    };

    /// The next byte of the keystream.
    #[inline(always)]
    fn next(&mut self) -> u8 {
        self.i = self.i.wrapping_add(1);
        let a = self.s[usize::from(self.i)];
        self.j = self.j.wrapping_add(a as u8);
        let b = self.s[usize::from(self.j)];
        self.s[usize::from(self.i)] = b;
        self.s[usize::from(self.j)] = a;
        self.s[usize::from((a as u8).wrapping_add(b as u8))] as u8
    }
}

impl Rc4Stream {
    /// The next eight bytes of the keystream. Each step loads the word of the next step before it
    /// stores two words, so that this load does not wait for the stores. OpenSSL's code for x86-64
    /// does the same.
    #[cfg(not(target_arch = "x86_64"))]
    #[inline(always)]
    fn eight(&mut self) -> [u8; 8] {
        let (mut i, mut j) = (self.i.wrapping_add(1), self.j);
        let mut a = self.s[usize::from(i)];
        let keystream = core::array::from_fn(|_| {
            j = j.wrapping_add(a as u8);
            let b = self.s[usize::from(j)];
            let after = i.wrapping_add(1);
            let next = self.s[usize::from(after)];
            self.s[usize::from(i)] = b;
            self.s[usize::from(j)] = a;
            let byte = self.s[usize::from((a as u8).wrapping_add(b as u8))] as u8;
            a = if j == after { a } else { next };
            i = after;
            byte
        });
        (self.i, self.j) = (i.wrapping_sub(1), j);
        keystream
    }
}

/// XORs keystream to whole groups of eight bytes.
///
/// A step takes twelve instructions. Indices lie in registers whose upper bytes stay zero, so they need
/// no conversion, and two registers take turns as the index. Each step loads the entry of the next step
/// before it stores two, so that this load does not wait for the stores. OpenSSL's code for x86-64 does
/// the same. Where the entry is one of these two, code after the loop corrects it: the branch to it is
/// rare, so the processor predicts it.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
#[inline]
fn apply_groups(stream: &mut Rc4Stream, groups: InOutBuf<'_, '_, [u8; 8]>) {
    let left = groups.len();
    if left == 0 {
        return;
    }
    let (input, output) = groups.into_raw();
    let i = stream.i.wrapping_add(1);
    let (next, j): (u64, u64);
    // SAFETY: the code changes only the registers that it names, the table, at indices below 256, and
    // `left` groups of the output, and reads as many of the input.
    unsafe {
        core::arch::asm!(
            ".macro step a, al, c, i, il, n, nl, again, back",
            "add {j:l}, \\al",
            "mov {b:e}, dword ptr [{s} + 4*{j}]",
            "mov \\c, dword ptr [{s} + 4*\\n]",
            "mov dword ptr [{s} + 4*\\i], {b:e}",
            "mov dword ptr [{s} + 4*{j}], \\a",
            "add {b:l}, \\al",
            "cmp {j:l}, \\nl",
            "je \\again",
            "\\back:",
            "add \\il, 2",
            "ror {key}, 8",
            "mov {key:l}, byte ptr [{s} + 4*{b}]",
            ".endm",
            "2:",
            "step {a:e}, {a:l}, {c:e}, {i}, {i:l}, {n}, {n:l}, 200f, 201",
            "step {c:e}, {c:l}, {a:e}, {n}, {n:l}, {i}, {i:l}, 210f, 211",
            "step {a:e}, {a:l}, {c:e}, {i}, {i:l}, {n}, {n:l}, 220f, 221",
            "step {c:e}, {c:l}, {a:e}, {n}, {n:l}, {i}, {i:l}, 230f, 231",
            "step {a:e}, {a:l}, {c:e}, {i}, {i:l}, {n}, {n:l}, 240f, 241",
            "step {c:e}, {c:l}, {a:e}, {n}, {n:l}, {i}, {i:l}, 250f, 251",
            "step {a:e}, {a:l}, {c:e}, {i}, {i:l}, {n}, {n:l}, 260f, 261",
            "step {c:e}, {c:l}, {a:e}, {n}, {n:l}, {i}, {i:l}, 270f, 271",
            "ror {key}, 8",
            "xor {key}, qword ptr [{input}]",
            "mov qword ptr [{output}], {key}",
            "add {input}, 8",
            "add {output}, 8",
            "dec {left}",
            "jnz 2b",
            "jmp 3f",
            "200: mov {c:e}, {a:e}", "jmp 201b",
            "210: mov {a:e}, {c:e}", "jmp 211b",
            "220: mov {c:e}, {a:e}", "jmp 221b",
            "230: mov {a:e}, {c:e}", "jmp 231b",
            "240: mov {c:e}, {a:e}", "jmp 241b",
            "250: mov {a:e}, {c:e}", "jmp 251b",
            "260: mov {c:e}, {a:e}", "jmp 261b",
            "270: mov {a:e}, {c:e}", "jmp 271b",
            "3:",
            ".purgem step",
            s = in(reg) stream.s.as_mut_ptr(),
            input = inout(reg) input => _,
            output = inout(reg) output => _,
            left = inout(reg) left => _,
            i = inout(reg) u64::from(i) => next,
            n = inout(reg) u64::from(i.wrapping_add(1)) => _,
            j = inout(reg) u64::from(stream.j) => j,
            a = inout(reg) u64::from(stream.s[usize::from(i)]) => _,
            c = out(reg) _,
            b = out(reg) _,
            key = out(reg) _,
            options(nostack)
        );
    }
    (stream.i, stream.j) = ((next as u8).wrapping_sub(1), j as u8);
}

#[cfg(not(target_arch = "x86_64"))]
fn apply_groups(stream: &mut Rc4Stream, groups: InOutBuf<'_, '_, [u8; 8]>) {
    for mut group in groups {
        let sum = u64::from_le_bytes(*group.get_in()) ^ u64::from_le_bytes(stream.eight());
        *group.get_out() = sum.to_le_bytes();
    }
}

impl StreamCipher for Rc4Stream {
    fn apply_inout(&mut self, data: InOutBuf<'_, '_, u8>) {
        let (groups, rest) = buffer::chunks::<u8, 8>(data);
        apply_groups(self, groups);
        for mut byte in rest {
            let sum = byte.get_in() ^ self.next();
            *byte.get_out() = sum;
        }
    }
}

stream_type!("Rc4Stream", [] Rc4Stream);

impl Drop for Rc4Stream {
    fn drop(&mut self) {
        wipe(&mut self.s, 0);
    }
}

impl ZeroizeOnDrop for Rc4 {}
