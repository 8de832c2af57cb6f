//! Two registers that are used as one, with twice as many numbers. While an operation on the first
//! register takes its time, the processor starts the same operation on the second register.

use super::{U32x16, U64x8};

/// Two registers of the same kind. The first has the lower numbers.
#[derive(Clone, Copy)]
pub(crate) struct Twice<Register>([Register; 2]);

macro_rules! twice {
    (
        $Register:ident $word:ident, numbers $numbers:literal, block $block:literal,
        with one operand: $($one:ident($n:ident))*,
        two: $($two:ident)*, three: $($three:ident)*, words: $($words:ident)*
    ) => {
        impl Twice<$Register> {
            #[inline]
            #[target_feature(enable = "avx512f")]
            pub(crate) fn splat(number: $word) -> Self {
                Self([$Register::splat(number); 2])
            }

            #[inline]
            #[target_feature(enable = "avx512f")]
            pub(crate) fn from_rows<const WORDS: usize>(
                rows: &[[$word; WORDS]; 2 * $numbers],
            ) -> [Self; WORDS] {
                let (halves, _) = rows.as_chunks();
                let low = $Register::from_rows(&halves[0]);
                let high = $Register::from_rows(&halves[1]);
                let mut words = [Self([low[0]; 2]); WORDS];
                for i in 0..WORDS {
                    words[i] = Self([low[i], high[i]]);
                }
                words
            }

            #[inline]
            #[target_feature(enable = "avx512f")]
            pub(crate) fn to_rows<const WORDS: usize>(
                words: [Self; WORDS],
                rows: &mut [[$word; WORDS]; 2 * $numbers],
            ) {
                let (halves, _) = rows.as_chunks_mut();
                $Register::to_rows(words.map(|word| word.0[0]), &mut halves[0]);
                $Register::to_rows(words.map(|word| word.0[1]), &mut halves[1]);
            }

            #[inline]
            #[target_feature(enable = "avx512f")]
            pub(crate) fn shift_right<const BITS: u32>(self) -> Self {
                let [a, b] = self.0;
                Self([a.shift_right::<BITS>(), b.shift_right::<BITS>()])
            }

            $(
                /// Does the same with the words of all blocks.
                #[inline]
                #[target_feature(enable = "avx512f,avx512bw")]
                pub(crate) fn $words(blocks: [&[u8; $block]; 2 * $numbers]) -> [Self; 16] {
                    let (halves, _) = blocks.as_chunks();
                    let (low, high) = ($Register::$words(halves[0]), $Register::$words(halves[1]));
                    let mut words = [Self([low[0]; 2]); 16];
                    for i in 0..16 {
                        words[i] = Self([low[i], high[i]]);
                    }
                    words
                }
            )*

            $(
                #[inline]
                #[target_feature(enable = "avx512f")]
                pub(crate) fn $one(self, $n: u32) -> Self {
                    let [a, b] = self.0;
                    Self([a.$one($n), b.$one($n)])
                }
            )*

            $(
                #[inline]
                #[target_feature(enable = "avx512f")]
                pub(crate) fn $two(self, x: Self) -> Self {
                    let ([a, b], [c, d]) = (self.0, x.0);
                    Self([a.$two(c), b.$two(d)])
                }
            )*

            $(
                #[inline]
                #[target_feature(enable = "avx512f")]
                pub(crate) fn $three(self, x: Self, y: Self) -> Self {
                    let ([a, b], [c, d], [e, f]) = (self.0, x.0, y.0);
                    Self([a.$three(c, e), b.$three(d, f)])
                }
            )*
        }
    };
}

twice! {
    U32x16 u32, numbers 16, block 64,
    with one operand: rotate_left_by(n),
    two: add xor,
    three: xor3 choose majority xor_or_not,
    words: words_le words_be
}

twice! {
    U64x8 u64, numbers 8, block 128,
    with one operand: rotate_left_by(n),
    two: add,
    three: xor_both select majority,
    words: words_be
}
