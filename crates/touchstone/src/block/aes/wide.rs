//! Some blocks of AES in ECB with VAES, in assembly, which leaves nothing in the registers.

/// Writes the function `wide`, which encrypts or decrypts blocks in two, four or eight registers: half
/// of them from the first block on, and the others up to the last block. So some blocks can be in two
/// registers, and no load or store needs a mask. All loads come before the stores, and both results are
/// the same.
///
/// The arguments are the number of bytes in a register, how the names of the registers begin, the
/// instructions that broadcast, XOR and move, and the numbers of the registers that the code uses. There
/// are eight registers if they have 32 bytes, and at most four if they have 64.
macro_rules! wide {
    ($width:literal, $kind:literal $broadcast:literal $xor:literal $move:literal, $used:literal) => {
        /// # Safety
        ///
        /// The pointers must be those of a buffer of `n` blocks: at least a register full, and at most
        /// 16. The processor must have the instructions.
        #[inline(never)]
        unsafe fn wide<const KEY: usize, const INVERSE: bool>(
            keys: &RoundKeys,
            input: *const Block,
            output: *mut Block,
            n: usize,
        ) {
            // SAFETY: the code reads `rounds(KEY) + 1` round keys, and reads and writes `n` blocks, as the
            // caller allows.
            unsafe {
                if INVERSE {
                    $crate::block::aes::wide::code!(
                        $width, $kind $broadcast $xor $move, $used, "vaesdec",
                        keys, input, output, n
                    );
                } else {
                    $crate::block::aes::wide::code!(
                        $width, $kind $broadcast $xor $move, $used, "vaesenc",
                        keys, input, output, n
                    );
                }
            }
        }
    };
}

/// Writes the assembly for one direction.
macro_rules! code {
    (
        $width:literal, $kind:literal $broadcast:literal $xor:literal $move:literal, $used:literal,
        $round:literal, $keys:ident, $input:ident, $output:ident, $n:ident
    ) => {
        core::arch::asm!(
            "cmp {end}, 2 * {width}",
            "ja 3f",
            $crate::block::aes::wide::registers!($kind $broadcast $xor $move $round, "0", "7"),
            "jmp 5f",
            "3:",
            ".if {width} == 32",
            "cmp {end}, 4 * {width}",
            "ja 4f",
            ".endif",
            $crate::block::aes::wide::registers!($kind $broadcast $xor $move $round, "0,1", "6,7"),
            ".if {width} == 32",
            "jmp 5f",
            "4:",
            $crate::block::aes::wide::registers!(
                $kind $broadcast $xor $move $round, "0,1,2,3", "4,5,6,7"
            ),
            ".endif",
            "5:",
            "vzeroupper",
            $crate::block::aes::wide::each!([$used]: "pxor xmm\\x, xmm\\x"),
            width = const $width,
            end = in(reg) 16 * $n,
            keys = in(reg) $keys.as_ptr(),
            input = in(reg) $input,
            output = in(reg) $output,
            rounds = const rounds(KEY),
            out("xmm0") _,
            out("xmm1") _,
            out("xmm2") _,
            out("xmm3") _,
            out("xmm4") _,
            out("xmm5") _,
            out("xmm6") _,
            out("xmm7") _,
            out("xmm8") _,
            options(nostack)
        )
    };
}

/// The code for the registers `$first` from the first block on, and the registers `$last`, of which 7 has
/// the last blocks. Register 8 has a round key.
macro_rules! registers {
    (
        $kind:literal $broadcast:literal $xor:literal $move:literal $round:literal,
        $first:literal, $last:literal
    ) => {
        concat!(
            $broadcast, " ", $kind, "8, [{keys}]\n",
            $crate::block::aes::wide::each!(
                [$first]: $xor, " ", $kind, "\\x, ", $kind, "8, [{input} + {width} * \\x]"
            ),
            $crate::block::aes::wide::each!(
                [$last]: $xor, " ", $kind, "\\x, ", $kind,
                "8, [{input} + {end} + {width} * \\x - 8 * {width}]"
            ),
            ".irp n, 1,2,3,4,5,6,7,8,9,10,11,12,13\n",
            ".if \\n < {rounds}\n",
            $broadcast, " ", $kind, "8, [{keys} + 16 * \\n]\n",
            $crate::block::aes::wide::each!(
                [$first, ",", $last]: $round, " ", $kind, "\\x, ", $kind, "\\x, ", $kind, "8"
            ),
            ".endif\n",
            ".endr\n",
            $broadcast, " ", $kind, "8, [{keys} + 16 * {rounds}]\n",
            $crate::block::aes::wide::each!(
                [$first, ",", $last]: $round, "last ", $kind, "\\x, ", $kind, "\\x, ", $kind, "8"
            ),
            $crate::block::aes::wide::each!(
                [$first]: $move, " [{output} + {width} * \\x], ", $kind, "\\x"
            ),
            $crate::block::aes::wide::each!(
                [$last]: $move, " [{output} + {end} + {width} * \\x - 8 * {width}], ", $kind, "\\x"
            ),
        )
    };
}

/// An instruction for each of the registers of a list, whose number is `\x`.
macro_rules! each {
    ([$($list:literal),+]: $($piece:literal),+) => {
        concat!(".irp x, ", $($list,)+ "\n", $($piece,)+ "\n.endr\n")
    };
}

pub(super) use {code, each, registers, wide};
