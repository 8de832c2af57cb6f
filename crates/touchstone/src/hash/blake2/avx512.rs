//! BLAKE2 of one message, by rows: a register holds a row of four words of the state, so that
//! four functions G take the time of one, as [BLAKE2](super) §2.4 suggests.
//!
//! Between columns and diagonals, the rows a, c and d rotate. Row b does not, because it is the
//! last result of G: a rotation of b would make the path from one G to the next longer. One
//! instruction for each register puts the words of the message into the order of a round.
#![allow(unsafe_code)]

use super::{IV_32, IV_64, SIGMA};
use crate::cpu;
use crate::simd::{U32x4, U32x16, U64x4, U64x8};

/// The places of the message's words in four registers: the first and the second words of the four
/// columns, and the same of the diagonals. Diagonal `i` is in lane `i` + 1, where its word of row b
/// is.
pub(in crate::hash) const fn order(sigma: &[usize; 16]) -> [usize; 16] {
    let mut places = [0; 16];
    let mut i = 0;
    while i < 4 {
        places[i] = sigma[2 * i];
        places[4 + i] = sigma[2 * i + 1];
        places[8 + (i + 1) % 4] = sigma[8 + 2 * i];
        places[12 + (i + 1) % 4] = sigma[9 + 2 * i];
        i += 1;
    }
    places
}

/// Sixteen words of a message.
pub(in crate::hash) struct Words32(U32x16);
struct Words64([U64x8; 2]);

impl Words32 {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
    pub(in crate::hash) fn load(block: &[u8; 64]) -> Self {
        Self(U32x16::load_le(block))
    }

    /// The words in the order of a round.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vl")]
    pub(in crate::hash) fn at(&self, order: &[usize; 16]) -> [U32x4; 4] {
        let mut places = [0; 16];
        for (place, index) in places.iter_mut().zip(order) {
            *place = *index as u32;
        }
        self.0.pick(U32x16::load(&places)).quarters()
    }
}

impl Words64 {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
    fn load(block: &[u8; 128]) -> Self {
        let (numbers, _) = block.as_chunks();
        let (halves, _) = numbers.as_chunks();
        Self([U64x8::load(&halves[0]), U64x8::load(&halves[1])])
    }

    /// The words in the order of a round.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vl")]
    fn at(&self, order: &[usize; 16]) -> [U64x4; 4] {
        let mut places = [0; 16];
        for (place, index) in places.iter_mut().zip(order) {
            *place = *index as u64;
        }
        let (columns, diagonals) = places.split_at(8);
        let [low, high] = self.0;
        let mut rows = [U64x4::zero(); 4];
        for (rows, places) in rows.as_chunks_mut().0.iter_mut().zip([columns, diagonals]) {
            let mut eight = [0; 8];
            eight.copy_from_slice(places);
            *rows = low.pick(high, U64x8::load_u64(&eight)).halves();
        }
        rows
    }
}

macro_rules! compress {
    (
        $compress:ident, $Words:ident, $Row:ident $load:ident $store:ident, $Word:ident $Count:ident,
        $block:literal, $IV:ident, rounds $($round:literal)*, rotations $R1:literal $R2:literal $R3:literal $R4:literal
    ) => {
        /// Compresses blocks, [RFC7693] §3.2. Each adds `taken` bytes to `count`.
        #[inline]
        pub(super) fn $compress(
            _: cpu::Avx512,
            h: &mut [$Word; 8],
            count: &mut $Count,
            blocks: &[[u8; $block]],
            taken: $Count,
            marks: [$Word; 2],
        ) {
            // SAFETY: the token proves the features.
            unsafe { entry(h, count, blocks, taken, marks) }

            #[target_feature(enable = "avx2,avx512f,avx512bw,avx512vl")]
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
                for block in blocks {
                    *count = count.wrapping_add(taken);
                    let words = $Words::load(block);
                    let last = [*count as $Word, (*count >> $Word::BITS) as $Word, marks[0], marks[1]];
                    let [mut a, mut b] = chain;
                    let [mut c, mut d] = [iv[0], iv[1].xor($Row::$load(&last))];
                    /// The function G, [RFC7693] §3.1, of four columns or diagonals.
                    macro_rules! g {
                        ($first:expr, $second:expr) => {
                            a = a.add($first).add(b);
                            d = d.xor_rotate(a, $Word::BITS - $R1);
                            c = c.add(d);
                            b = b.xor_rotate(c, $Word::BITS - $R2);
                            a = a.add($second).add(b);
                            d = d.xor_rotate(a, $Word::BITS - $R3);
                            c = c.add(d);
                            b = b.xor_rotate(c, $Word::BITS - $R4);
                        };
                    }
                    $({
                        let words = words.at(const { &order(&SIGMA[$round % 10]) });
                        g!(words[0], words[1]);
                        a = a.permute::<0b10_01_00_11>();
                        c = c.permute::<0b00_11_10_01>();
                        d = d.permute::<0b01_00_11_10>();
                        g!(words[2], words[3]);
                        a = a.permute::<0b00_11_10_01>();
                        c = c.permute::<0b10_01_00_11>();
                        d = d.permute::<0b01_00_11_10>();
                    })*
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
    compress_b, Words64, U64x4 load_u64 store_u64, u64 u128, 128, IV_64,
    rounds 0 1 2 3 4 5 6 7 8 9 10 11, rotations 32 24 16 63
);
compress!(
    compress_s, Words32, U32x4 load store, u32 u64, 64, IV_32,
    rounds 0 1 2 3 4 5 6 7 8 9, rotations 16 12 8 7
);
