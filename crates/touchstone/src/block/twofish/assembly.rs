//! One block of Twofish, or two blocks interleaved, in general registers. **Not constant-time**, as
//! `portable`.
//!
//! A round of a block extracts eight bytes, looks them up, and adds eight numbers: 30 instructions, of which
//! 24 need one of four units. The entries are XORed in pairs, so the chain of a round is a byte, a load of
//! five cycles and five sums and rotations, which are eleven cycles; for two blocks the units need twelve.
//! The words of two blocks fit into registers, those of four do not. Compilers take 34 instructions: they
//! extract byte 2 by a shift and a mask, and copy words to the registers whose second byte they can read.
//! On Zen 5, one block takes 0.83 of the time of the portable form, two take 0.93, and four take longer. On a
//! processor whose units two threads share (Zen 3), four blocks take 0.87.
#![allow(unsafe_code)]

use core::mem::offset_of;

use inout::{InOut, InOutBuf};

use super::{Block, Keys};
use crate::buffer;
use crate::cpu::Avx2;
use crate::machinery::each::each;
use crate::machinery::four_words::{little, little_bytes};
use crate::machinery::unknown::apart;

/// Computes a round of one block from the words `$a` and `$b` to the words `$c` and `$d`, forwards or
/// backwards. The sum of what depends on `$b` and on the keys is ready when the last entry for `$a` is.
macro_rules! block {
    (forwards: $($rest:tt)*) => {
        block!("", "ror {c:e}, 1", "rol {d:e}, 1", "", $($rest)*);
    };
    (backwards: $($rest:tt)*) => {
        block!("rol {c:e}, 1", "", "", "ror {d:e}, 1", $($rest)*);
    };
    (
        $c_first:literal, $c_last:literal, $d_first:literal, $d_last:literal,
        $keys:ident, $round:expr, $a:expr, $b:expr, $c:expr, $d:expr
    ) => {
        // SAFETY: the caller's token proves BMI1. Each index is a byte, and a table has 256 words of four
        // bytes. The round is below 16, and there are 40 subkeys.
        unsafe {
            core::arch::asm!(
                "mov eax, {b:e}",
                "movzx {second:e}, al",
                "mov {second:e}, [{keys} + 4*{second} + {tables} + 0x400]",
                "movzx ecx, ah",
                "xor {second:e}, [{keys} + 4*rcx + {tables} + 0x800]",
                "bextr ecx, {b:e}, {third:e}",
                "mov {other:e}, [{keys} + 4*rcx + {tables} + 0xc00]",
                "shr eax, 24",
                "xor {other:e}, [{keys} + 4*rax + {tables}]",
                "xor {second:e}, {other:e}",
                "mov eax, {a:e}",
                "movzx edx, al",
                "mov edx, [{keys} + 4*rdx + {tables}]",
                "movzx ecx, ah",
                "xor edx, [{keys} + 4*rcx + {tables} + 0x400]",
                "bextr ecx, {a:e}, {third:e}",
                "mov {other:e}, [{keys} + 4*rcx + {tables} + 0x800]",
                "shr eax, 24",
                "xor {other:e}, [{keys} + 4*rax + {tables} + 0xc00]",
                "xor edx, {other:e}",
                "mov eax, [{keys} + {word}]",
                "add eax, {second:e}",
                "mov ecx, [{keys} + {word} + 4]",
                "lea ecx, [rcx + 2*{second}]",
                $c_first,
                "add eax, edx",
                "xor {c:e}, eax",
                $c_last,
                $d_first,
                "add ecx, edx",
                "xor {d:e}, ecx",
                $d_last,
                keys = in(reg) &raw const *$keys,
                a = in(reg) $a,
                b = in(reg) $b,
                c = inout(reg) $c,
                d = inout(reg) $d,
                second = out(reg) _,
                other = out(reg) _,
                third = in(reg) 0x810,
                out("eax") _,
                out("ecx") _,
                out("edx") _,
                tables = const offset_of!(Keys, tables),
                word = const offset_of!(Keys, words) + 4 * (8 + 2 * $round),
                options(pure, readonly, nostack)
            );
        }
    };
}

/// Encrypts blocks in words.
macro_rules! forwards {
    ($keys:ident, $x:ident, $($n:literal)*) => {
        let w = &$keys.words;
        let [mut a, mut b, mut c, mut d] = [0, 1, 2, 3].map(|i| [$($x[$n][i] ^ w[i]),*]);
        each!(PAIR in 0 1 2 3 4 5 6 7 => {
            each!(N in $($n)* => block!(forwards: $keys, 2 * PAIR, a[N], b[N], c[N], d[N]));
            each!(N in $($n)* => block!(forwards: $keys, 2 * PAIR + 1, c[N], d[N], a[N], b[N]));
        });
        $($x[$n] = [c[$n] ^ w[4], d[$n] ^ w[5], a[$n] ^ w[6], b[$n] ^ w[7]];)*
    };
}

/// Decrypts blocks in words.
macro_rules! backwards {
    ($keys:ident, $x:ident, $($n:literal)*) => {
        let w = &$keys.words;
        let [mut c, mut d, mut a, mut b] = [0, 1, 2, 3].map(|i| [$($x[$n][i] ^ w[4 + i]),*]);
        each!(PAIR in 7 6 5 4 3 2 1 0 => {
            each!(N in $($n)* => block!(backwards: $keys, 2 * PAIR + 1, c[N], d[N], a[N], b[N]));
            each!(N in $($n)* => block!(backwards: $keys, 2 * PAIR, a[N], b[N], c[N], d[N]));
        });
        $($x[$n] = [a[$n] ^ w[0], b[$n] ^ w[1], c[$n] ^ w[2], d[$n] ^ w[3]];)*
    };
}

/// Writes the functions of one direction. One block has a function of its own, because the frame for two
/// is larger, and after each message of one block all of it would be overwritten.
macro_rules! direction {
    ($name:ident by $direction:ident, $one:ident, $twos:ident) => {
        pub(super) fn $name(token: impl Into<Avx2>, keys: &Keys, blocks: InOutBuf<'_, '_, Block>) {
            let token = token.into();
            let (twos, mut rest) = buffer::chunks(blocks);
            if !twos.is_empty() {
                $twos(token, keys, twos);
            }
            if !rest.is_empty() {
                $one(token, keys, rest.get(0));
            }
        }

        #[inline(never)]
        fn $one(_: Avx2, keys: &Keys, mut block: InOut<'_, '_, Block>) {
            let mut x = [little(block.get_in())];
            $direction!(keys, x, 0);
            *block.get_out() = little_bytes(x[0].map(apart));
        }

        #[inline(never)]
        fn $twos(_: Avx2, keys: &Keys, twos: InOutBuf<'_, '_, [Block; 2]>) {
            for mut two in twos {
                let mut x = two.get_in().each_ref().map(little);
                $direction!(keys, x, 0 1);
                *two.get_out() = x.map(|words| little_bytes(words.map(apart)));
            }
        }
    };
}

direction!(encrypt by forwards, encrypt_one, encrypt_twos);
direction!(decrypt by backwards, decrypt_one, decrypt_twos);
