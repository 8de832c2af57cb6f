//! BLAKE2 of one message, by rows: a register holds a row of four words of the state, so that
//! four functions G take the time of one, as [BLAKE2](super) §2.4 suggests.
//!
//! Between columns and diagonals, the rows a, c and d rotate. Row b does not, because it is the
//! last result of G: a rotation of b would make the path from one G to the next longer.
//! Permutations of two registers put the words of the message into the order of a round. No
//! register has 512 bits: while an instruction of 512 bits is on its way, Intel's processors use two
//! ports for vectors in place of three.
#![allow(unsafe_code)]

use super::{IV_32, IV_64, SIGMA};
use crate::cpu;
use crate::machinery::unknown::unknown;
use crate::simd::{U32x4, U32x8, U64x4};

/// The places of the message's words in four registers: the first and the second words of the four
/// columns, and the same of the diagonals. Diagonal `i` is in lane `i` + 1, where its word of row b
/// is.
const fn order(sigma: &[usize; 16]) -> [usize; 16] {
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

/// The places for each round of BLAKE2s and BLAKE3. They come from memory, because the compiler
/// would join the halves of a message into a register of 512 bits for places that it knows.
pub(in crate::hash) struct Orders32<const ROUNDS: usize>([[[u32; 8]; 2]; ROUNDS]);

impl<const ROUNDS: usize> Orders32<ROUNDS> {
    pub(in crate::hash) const fn new(sigma: &[[usize; 16]; ROUNDS]) -> Self {
        let mut orders = [[[0; 8]; 2]; ROUNDS];
        let mut i = 0;
        while i < 16 * ROUNDS {
            orders[i / 16][i % 16 / 8][i % 8] = order(&sigma[i / 16])[i % 16] as u32;
            i += 1;
        }
        Self(orders)
    }
}

static ORDERS_32: Orders32<10> = Orders32::new(&SIGMA);

/// The places for each round of BLAKE2b. The compiler knows them, and so needs fewer instructions
/// than one permutation for each pair of registers.
const ORDERS_64: [[usize; 16]; 10] = {
    let mut orders = SIGMA;
    let mut round = 0;
    while round < orders.len() {
        orders[round] = order(&SIGMA[round]);
        round += 1;
    }
    orders
};

/// Sixteen words of a message.
pub(in crate::hash) struct Words32([U32x8; 2]);
struct Words64([U64x4; 4]);

impl Words32 {
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(in crate::hash) fn load(block: &[u8; 64]) -> Self {
        let (halves, _) = block.as_chunks();
        Self([U32x8::load_le(&halves[0]), U32x8::load_le(&halves[1])])
    }

    /// The words in the order of a round.
    #[inline]
    #[target_feature(enable = "avx2,avx512f,avx512vl")]
    pub(in crate::hash) fn at<const ROUNDS: usize>(
        &self,
        orders: &Orders32<ROUNDS>,
        round: usize,
    ) -> [[U32x4; 2]; 2] {
        let [low, high] = self.0;
        let [columns, diagonals] = &orders.0[round];
        [
            low.pick(high, U32x8::load(columns)).rows(),
            low.pick(high, U32x8::load(diagonals)).rows(),
        ]
    }
}

impl Words64 {
    #[inline]
    #[target_feature(enable = "avx2")]
    fn load(block: &[u8; 128]) -> Self {
        let mut words = [U64x4::zero(); 4];
        let (numbers, _) = block.as_chunks();
        for (words, numbers) in words.iter_mut().zip(numbers.as_chunks().0) {
            *words = U64x4::load(numbers);
        }
        Self(words)
    }

    /// The words in the order of a round.
    #[inline]
    #[target_feature(enable = "avx2,avx512f,avx512vl")]
    fn at(&self, orders: &[[usize; 16]; 10], round: usize) -> [[U64x4; 2]; 2] {
        let [a, b, c, d] = self.0;
        let mut rows = [[U64x4::zero(); 2]; 2];
        let (orders, _) = orders[round].as_chunks::<4>();
        for (row, order) in rows.as_flattened_mut().iter_mut().zip(orders) {
            let places = U64x4::load_u64(&order.map(|place| place as u64));
            let high = order.map(|place| if place < 8 { 0 } else { u64::MAX });
            *row = U64x4::load_u64(&high).select(c.pick(d, places), a.pick(b, places));
        }
        rows
    }
}

macro_rules! compress {
    (
        $compress:ident, $Words:ident, $Row:ident $load:ident $store:ident, $Word:ident $Count:ident,
        $block:literal, $IV:ident, order $orders:expr, rounds $($round:literal)*, rotations $R1:literal $R2:literal $R3:literal $R4:literal
    ) => {
        /// Compresses blocks, [RFC7693] §3.2. Each adds `taken` bytes to `count`.
        #[inline]
        pub(super) fn $compress(
            token: cpu::Avx512,
            h: &mut [$Word; 8],
            count: &mut $Count,
            blocks: &[[u8; $block]],
            taken: $Count,
            marks: [$Word; 2],
        ) {
            // SAFETY: the token proves the features.
            unsafe {
                if token.rotates_quickly() {
                    entry::<true>(h, count, blocks, taken, marks);
                } else {
                    entry::<false>(h, count, blocks, taken, marks);
                }
            }

            #[target_feature(enable = "avx2,avx512f,avx512vl")]
            fn entry<const ROTATES: bool>(
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
                let orders = $orders;
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
                            d = d.xor_rotate::<ROTATES>(a, $Word::BITS - $R1);
                            c = c.add(d);
                            b = b.xor_rotate::<ROTATES>(c, $Word::BITS - $R2);
                            a = a.add($second).add(b);
                            d = d.xor_rotate::<ROTATES>(a, $Word::BITS - $R3);
                            c = c.add(d);
                            b = b.xor_rotate::<ROTATES>(c, $Word::BITS - $R4);
                        };
                    }
                    $({
                        let [columns, diagonals] = words.at(orders, $round % 10);
                        g!(columns[0], columns[1]);
                        a = a.permute::<0b10_01_00_11>();
                        c = c.permute::<0b00_11_10_01>();
                        d = d.permute::<0b01_00_11_10>();
                        g!(diagonals[0], diagonals[1]);
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
    order const { &ORDERS_64 }, rounds 0 1 2 3 4 5 6 7 8 9 10 11, rotations 32 24 16 63
);
compress!(
    compress_s, Words32, U32x4 load store, u32 u64, 64, IV_32,
    order unknown(&ORDERS_32), rounds 0 1 2 3 4 5 6 7 8 9, rotations 16 12 8 7
);
