//! SHA-512 of one message. Vector registers compute the message schedule, four words at once; the
//! rounds use general registers. Schedule and rounds do not share execution ports: with AVX-512, both
//! together take about the time of the rounds alone.
//!
//! A word of the schedule depends on the word two before it. So σ₁ of four words is
//! computed in two steps: first for the lower two words, and then for the upper two.
#![allow(unsafe_code)]

use super::K;
use super::rounds::with_round;
use crate::cpu::Avx512;
use crate::simd::U64x4;
use crate::wipe::wipe;

pub(super) fn avx512(_: Avx512, hash: &mut [u64; 8], blocks: &[[u8; 128]]) {
    // SAFETY: the token proves the features.
    unsafe { entry(hash, blocks) }

    #[target_feature(enable = "avx512f,avx512vl,avx2,bmi1,bmi2")]
    fn entry(hash: &mut [u64; 8], blocks: &[[u8; 128]]) {
        let (constants, _) = K.as_chunks::<4>();
        let ([first, turns @ ..], _) = constants.as_chunks::<4>() else {
            unreachable!()
        };
        let mut sums = Sums::ZERO;
        for block in blocks {
            let mut w = [U64x4::zero(); 4];
            let (quarters, _) = block.as_chunks();
            for i in 0..4 {
                w[i] = U64x4::load_be(&quarters[i]);
                w[i].add(U64x4::load_u64(&first[i]))
                    .store_u64(&mut sums.0[i]);
            }
            let mut state = *hash;
            macro_rules! rounds {
                ($i:literal) => {
                    state = four_rounds(state, &sums.0[$i]);
                };
            }
            macro_rules! rounds_and_words {
                ($i:literal, $constants:ident) => {
                    rounds!($i);
                    let [b, c, d] = [w[($i + 1) % 4], w[($i + 2) % 4], w[($i + 3) % 4]];
                    w[$i] = next(w[$i], b, c, d);
                    let constants = U64x4::load_u64(&$constants[$i]);
                    w[$i].add(constants).store_u64(&mut sums.0[$i]);
                };
            }
            for constants in turns {
                rounds_and_words!(0, constants);
                rounds_and_words!(1, constants);
                rounds_and_words!(2, constants);
                rounds_and_words!(3, constants);
            }
            rounds!(0);
            rounds!(1);
            rounds!(2);
            rounds!(3);
            for (sum, x) in hash.iter_mut().zip(state) {
                *sum = sum.wrapping_add(x);
            }
        }
        wipe(core::slice::from_mut(&mut sums), Sums::ZERO);
    }

    /// The four words that follow sixteen words, [FIPS180] §6.4.2.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vl,avx2,bmi1,bmi2")]
    fn next(a: U64x4, b: U64x4, c: U64x4, d: U64x4) -> U64x4 {
        let words = sigma::<1, 8, 7>(a.window_1(b)).add(a).add(c.window_1(d));
        let words = words.add(sigma::<19, 61, 6>(d.move_down_2()));
        words.add(sigma::<19, 61, 6>(words.move_up_2()))
    }

    /// σ₀ or σ₁, [FIPS180] §4.1.3.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vl,avx2,bmi1,bmi2")]
    fn sigma<const A: u32, const B: u32, const SHIFT: i32>(x: U64x4) -> U64x4 {
        let turned = x.rotate_left_by(64 - A).xor(x.rotate_left_by(64 - B));
        turned.xor(x.shift_right::<SHIFT>())
    }
}

/// The next sixteen words of the schedule, each plus the round's constant. A store that
/// spans two cache lines would delay the loads.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Sums([[u64; 4]; 4]);

impl Sums {
    const ZERO: Self = Self([[0; 4]; 4]);
}

/// Four rounds, [FIPS180] §6.4.2. They are assembly: with the rounds in Rust, `avx512` took 1.18
/// times as long on Zen 5. The additions take the sums from memory.
#[inline]
#[target_feature(enable = "bmi1,bmi2")]
fn four_rounds([a, b, c, d, e, f, g, h]: [u64; 8], sums: &[u64; 4]) -> [u64; 8] {
    let (mut a, mut b, mut c, mut d) = (a, b, c, d);
    let (mut e, mut f, mut g, mut h) = (e, f, g, h);
    // SAFETY: the code reads the four sums and changes only the registers that it names.
    unsafe {
        with_round!(
            "mov {x}, {b}",
            "xor {x}, {c}",
            "round {a}, {b}, {c}, {d}, {e}, {f}, {g}, {h}, 0, {x}, {y}",
            "round {h}, {a}, {b}, {c}, {d}, {e}, {f}, {g}, 8, {y}, {x}",
            "round {g}, {h}, {a}, {b}, {c}, {d}, {e}, {f}, 16, {x}, {y}",
            "round {f}, {g}, {h}, {a}, {b}, {c}, {d}, {e}, 24, {y}, {x}",
            ;
            sums = in(reg) sums,
            a = inout(reg) a,
            b = inout(reg) b,
            c = inout(reg) c,
            d = inout(reg) d,
            e = inout(reg) e,
            f = inout(reg) f,
            g = inout(reg) g,
            h = inout(reg) h,
            t = out(reg) _,
            u = out(reg) _,
            x = out(reg) _,
            y = out(reg) _,
            options(pure, readonly, nostack),
        );
    }
    [e, f, g, h, a, b, c, d]
}
