//! BLAKE2 of one message by rows with AVX2, as in [`avx512`](super::avx512): a register holds a row
//! of four words of the state. The words of the message come from memory one by one, because no step
//! waits for them.
#![allow(unsafe_code)]

use super::{IV_32, IV_64, SIGMA};
use crate::cpu;
use crate::simd::{U32x4, U64x4};

/// The function G, [RFC7693](super) §3.1, of four columns and then of four diagonals, as assembly: a
/// compiler loads the words of the message into general registers and stores most of them, and takes
/// two permutations for a rotation by 16 bits. Row b does not rotate, because it is the last result of
/// G, so diagonal `i` is in lane `i` + 1, where its word of row b is.
///
/// The arguments are the class of a register and the number of bytes of a word, the instructions that
/// add and permute, and macros: `gather` loads words from four places, `turn1` to `turn4` rotate the
/// words of row d or b, and `swap` exchanges the halves of row d.
macro_rules! round {
    (
        $block:expr, $s:expr, [$a:ident, $b:ident, $c:ident, $d:ident], $by:expr,
        $class:ident $word:literal, $add:literal, $permute:literal,
        $($line:literal,)*
    ) => {{
        // SAFETY: the code reads words of the block, and changes only the registers that it names.
        unsafe {
            core::arch::asm!(
                $($line,)*
                ".macro g i0, i1, i2, i3, i4, i5, i6, i7",
                "gather \\i0, \\i2, \\i4, \\i6",
                concat!($add, " {a}, {a}, {m}"),
                "gather \\i1, \\i3, \\i5, \\i7",
                concat!($add, " {a}, {a}, {b}"),
                "vpxor {d}, {d}, {a}",
                "turn1",
                concat!($add, " {a}, {a}, {m}"),
                concat!($add, " {c}, {c}, {d}"),
                "vpxor {b}, {b}, {c}",
                "turn2",
                concat!($add, " {a}, {a}, {b}"),
                "vpxor {d}, {d}, {a}",
                "turn3",
                concat!($add, " {c}, {c}, {d}"),
                "vpxor {b}, {b}, {c}",
                "turn4",
                ".endm",
                "g {s0}, {s1}, {s2}, {s3}, {s4}, {s5}, {s6}, {s7}",
                concat!($permute, " {a}, {a}, 0x93"),
                concat!($permute, " {c}, {c}, 0x39"),
                "swap",
                "g {s14}, {s15}, {s8}, {s9}, {s10}, {s11}, {s12}, {s13}",
                concat!($permute, " {a}, {a}, 0x39"),
                concat!($permute, " {c}, {c}, 0x93"),
                "swap",
                ".purgem g",
                ".purgem gather",
                ".purgem turn1",
                ".purgem turn2",
                ".purgem turn3",
                ".purgem turn4",
                ".purgem swap",
                a = inout($class) $a.0,
                b = inout($class) $b.0,
                c = inout($class) $c.0,
                d = inout($class) $d.0,
                m = out($class) _,
                t = out($class) _,
                x = in($class) $by[0].0,
                y = in($class) $by[1].0,
                block = in(reg) $block,
                s0 = const $word * $s[0],
                s1 = const $word * $s[1],
                s2 = const $word * $s[2],
                s3 = const $word * $s[3],
                s4 = const $word * $s[4],
                s5 = const $word * $s[5],
                s6 = const $word * $s[6],
                s7 = const $word * $s[7],
                s8 = const $word * $s[8],
                s9 = const $word * $s[9],
                s10 = const $word * $s[10],
                s11 = const $word * $s[11],
                s12 = const $word * $s[12],
                s13 = const $word * $s[13],
                s14 = const $word * $s[14],
                s15 = const $word * $s[15],
                options(pure, readonly, nostack, preserves_flags)
            );
        }
    }};
}

/// A round of BLAKE2s or BLAKE3. `$by` are the permutations that rotate by 16 and by 8 bits.
macro_rules! round_32 {
    ($block:expr, $s:expr, $rows:tt, $by:expr) => {
        $crate::hash::blake2::avx2::round!(
            $block, $s, $rows, $by, xmm_reg 4, "vpaddd", "vpshufd",
            ".macro gather i, j, k, l",
            "vmovd {m}, dword ptr [{block} + \\i]",
            "vpinsrd {m}, {m}, dword ptr [{block} + \\j], 1",
            "vpinsrd {m}, {m}, dword ptr [{block} + \\k], 2",
            "vpinsrd {m}, {m}, dword ptr [{block} + \\l], 3",
            ".endm",
            ".macro turn1",
            "vpshufb {d}, {d}, {x}",
            ".endm",
            ".macro turn2",
            "vpsrld {t}, {b}, 12",
            "vpslld {b}, {b}, 20",
            "vpor {b}, {b}, {t}",
            ".endm",
            ".macro turn3",
            "vpshufb {d}, {d}, {y}",
            ".endm",
            ".macro turn4",
            "vpsrld {t}, {b}, 7",
            "vpslld {b}, {b}, 25",
            "vpor {b}, {b}, {t}",
            ".endm",
            ".macro swap",
            "vpshufd {d}, {d}, 0x4e",
            ".endm",
        )
    };
}

/// A round of BLAKE2b. `$by` are the permutations that rotate by 24 and by 16 bits.
macro_rules! round_64 {
    ($block:expr, $s:expr, $rows:tt, $by:expr) => {
        $crate::hash::blake2::avx2::round!(
            $block, $s, $rows, $by, ymm_reg 8, "vpaddq", "vpermq",
            ".macro gather i, j, k, l",
            "vmovq {m:x}, qword ptr [{block} + \\i]",
            "vmovq {t:x}, qword ptr [{block} + \\k]",
            "vpinsrq {m:x}, {m:x}, qword ptr [{block} + \\j], 1",
            "vpinsrq {t:x}, {t:x}, qword ptr [{block} + \\l], 1",
            "vinserti128 {m}, {m}, {t:x}, 1",
            ".endm",
            ".macro turn1",
            "vpshufd {d}, {d}, 0xb1",
            ".endm",
            ".macro turn2",
            "vpshufb {b}, {b}, {x}",
            ".endm",
            ".macro turn3",
            "vpshufb {d}, {d}, {y}",
            ".endm",
            ".macro turn4",
            "vpaddq {t}, {b}, {b}",
            "vpsrlq {b}, {b}, 63",
            "vpor {b}, {b}, {t}",
            ".endm",
            ".macro swap",
            "vperm2i128 {d}, {d}, {d}, 1",
            ".endm",
        )
    };
}
pub(in crate::hash) use {round, round_32};

/// The permutations of bytes that rotate each word right by 16 and by 8 bits.
pub(in crate::hash) const BY_16_8: [[u8; 16]; 2] = [
    [2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13],
    [1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12],
];

/// The same by 24 and by 16 bits for words of 64 bits.
const BY_24_16: [[u8; 16]; 2] = [
    [3, 4, 5, 6, 7, 0, 1, 2, 11, 12, 13, 14, 15, 8, 9, 10],
    [2, 3, 4, 5, 6, 7, 0, 1, 10, 11, 12, 13, 14, 15, 8, 9],
];

macro_rules! compress {
    (
        $compress:ident, $Row:ident $load:ident $store:ident $bytes:ident, $Word:ident $Count:ident,
        $block:literal, $IV:ident, rounds $($round:literal)*, $round_n:ident, $by:expr
    ) => {
        /// Compresses blocks, [RFC7693](super) §3.2. Each adds `taken` bytes to `count`.
        #[inline]
        pub(super) fn $compress(
            _: cpu::Avx2,
            h: &mut [$Word; 8],
            count: &mut $Count,
            blocks: &[[u8; $block]],
            taken: $Count,
            marks: [$Word; 2],
        ) {
            // SAFETY: the token proves the features.
            unsafe { entry(h, count, blocks, taken, marks) }

            #[target_feature(enable = "avx2")]
            fn entry(
                h: &mut [$Word; 8],
                count: &mut $Count,
                blocks: &[[u8; $block]],
                taken: $Count,
                marks: [$Word; 2],
            ) {
                let (halves, _) = h.as_chunks_mut();
                let mut chain = [$Row::$load(&halves[0]), $Row::$load(&halves[1])];
                let (iv, _) = $IV.as_chunks();
                let iv = [$Row::$load(&iv[0]), $Row::$load(&iv[1])];
                let by = [$Row::$bytes(&$by[0]), $Row::$bytes(&$by[1])];
                for block in blocks {
                    *count = count.wrapping_add(taken);
                    let last = [*count as $Word, (*count >> $Word::BITS) as $Word, marks[0], marks[1]];
                    let [mut a, mut b] = chain;
                    let [mut c, mut d] = [iv[0], iv[1].xor($Row::$load(&last))];
                    $(
                        $round_n!(block, SIGMA[$round % 10], [a, b, c, d], by);
                    )*
                    chain[0] = chain[0].xor(a).xor(c);
                    chain[1] = chain[1].xor(b).xor(d);
                }
                for (half, row) in halves.iter_mut().zip(chain) {
                    row.$store(half);
                }
            }
        }
    };
}

compress!(
    compress_b, U64x4 load_u64 store_u64 splat_row, u64 u128, 128, IV_64,
    rounds 0 1 2 3 4 5 6 7 8 9 10 11, round_64, BY_24_16
);
compress!(
    compress_s, U32x4 load store load_bytes, u32 u64, 64, IV_32,
    rounds 0 1 2 3 4 5 6 7 8 9, round_32, BY_16_8
);
