//! The permutation Keccak-f\[1600\], and its form with twelve rounds, which TurboSHAKE and
//! KangarooTwelve use.
//!
//! | kernel | needs | states at once | technique |
//! |---|---|---|---|
//! | `avx512` | AVX-512 | 1; 8 in a call for many | a vector register for each of the 25 words; for many messages, a message in each lane |
//! | `avx2` | AVX2, and BMI1 of the same machines | 1; 4 in a call for many | the portable form; for many messages, a message in each lane |
//! | `portable` | – | 1 | the five steps of the standard, on words of 64 bits |
//!
//! - [FIPS202] SHA-3 Standard: Permutation-Based Hash and Extendable-Output
//!   Functions, NIST FIPS 202, 2015
//!
//! [FIPS202]: https://doi.org/10.6028/NIST.FIPS.202

use super::sponge::Permutation;
#[cfg(target_arch = "x86_64")]
use crate::cpu;
use crate::kernel::kernels;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod many;

pub(super) use many::{Begun, absorb_all, leaves};

kernels! {
    /// The kernels: implementations of Keccak for different CPU features.
    enum Kernel {
        #[cfg(target_arch = "x86_64")]
        "avx512" = Avx512(cpu::Avx512),
        #[cfg(target_arch = "x86_64")]
        "avx2" = Avx2(cpu::Avx2),
    }
}

/// Keccak's permutation of 1600 bits, with the last `ROUNDS` of its 24 rounds.
#[derive(Clone)]
pub(crate) struct Keccak<const ROUNDS: usize>;

/// The state. Lane (x, y) of the standard is word x + 5y.
type State = [u64; 25];

impl<const ROUNDS: usize> Permutation for Keccak<ROUNDS> {
    type Kernel = Kernel;
    type State = State;
    const ZERO: State = [0; 25];

    #[inline]
    fn permute(kernel: Kernel, state: &mut State) {
        match kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512(token) => avx512::permute::<ROUNDS>(token, state),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(token) => avx2::permute::<ROUNDS>(token, state),
            Kernel::Portable => permute::<ROUNDS>(state),
        }
    }

    #[inline]
    fn permute_two(kernel: Kernel, states: [&mut State; 2]) {
        #[cfg(target_arch = "x86_64")]
        if let Kernel::Avx512(token) = kernel {
            return avx512::permute_two::<ROUNDS>(token, states);
        }
        for state in states {
            Self::permute(kernel, state);
        }
    }

    #[inline]
    fn absorb<const RATE: usize>(kernel: Kernel, state: &mut State, blocks: &[[u8; RATE]]) {
        #[cfg(target_arch = "x86_64")]
        if let Kernel::Avx512(token) = kernel {
            return avx512::absorb::<ROUNDS, RATE>(token, state, blocks);
        }
        for block in blocks {
            for (lane, bytes) in state.iter_mut().zip(block.as_chunks().0) {
                *lane ^= u64::from_le_bytes(*bytes);
            }
            Self::permute(kernel, state);
        }
    }
}

/// The round constants, [FIPS202] §3.2.5. Only the bits with the numbers 2ʲ − 1 can be 1. A
/// shift register with the polynomial x⁸ + x⁶ + x⁵ + x⁴ + 1 gives these bits, seven bits for
/// each round.
const ROUND_CONSTANTS: [u64; 24] = {
    let mut constants = [0; 24];
    let mut register = 1u8;
    let mut round = 0;
    while round < 24 {
        let mut j = 0;
        while j < 7 {
            if register & 1 == 1 {
                constants[round] |= 1 << ((1 << j) - 1);
            }
            let out = register >> 7;
            register = register << 1 ^ out.wrapping_mul(0x71);
            j += 1;
        }
        round += 1;
    }
    constants
};

/// The steps ρ and π, [FIPS202] §3.2.2 and §3.2.3. π moves 24 of the 25 lanes, and these lanes
/// form one cycle, which starts at lane (1, 0). Entry t is the index of the lane after t + 1
/// moves. Move t rotates the moved lane by (t + 1)(t + 2)/2 bits.
const WALK: [usize; 24] = {
    let mut walk = [0; 24];
    let (mut x, mut y) = (1, 0);
    let mut t = 0;
    while t < 24 {
        (x, y) = (y, (2 * x + 3 * y) % 5);
        walk[t] = x + 5 * y;
        t += 1;
    }
    walk
};

/// The step ρ, [FIPS202] §3.2.2: the number of bits by which each word is rotated.
#[cfg(target_arch = "x86_64")]
const ROTATIONS: [u32; 25] = {
    let mut rotations = [0; 25];
    let mut t = 0;
    while t < 24 {
        // Move t rotates the word at the position before move t.
        let from = if t == 0 { 1 } else { WALK[t - 1] };
        rotations[from] = ((t + 1) * (t + 2) / 2 % 64) as u32;
        t += 1;
    }
    rotations
};

/// Computes the last `ROUNDS` rounds of the permutation, [FIPS202] §3.3.
#[inline(always)]
fn permute<const ROUNDS: usize>(state: &mut State) {
    const { assert!(ROUNDS <= 24) };
    let mut a = *state;
    for constant in &ROUND_CONSTANTS[24 - ROUNDS..] {
        // The step θ of the standard.
        let mut parity = [0; 5];
        for x in 0..5 {
            parity[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
        }
        for x in 0..5 {
            let sum = parity[(x + 4) % 5] ^ parity[(x + 1) % 5].rotate_left(1);
            for y in 0..5 {
                a[x + 5 * y] ^= sum;
            }
        }
        // The steps ρ and π: each lane is rotated and moves to the next position of the cycle.
        let mut moving = a[1];
        for t in 0..24 {
            let next = a[WALK[t]];
            a[WALK[t]] = moving.rotate_left((((t + 1) * (t + 2) / 2) % 64) as u32);
            moving = next;
        }
        // The step χ of the standard.
        for row in a.as_chunks_mut::<5>().0 {
            let old = *row;
            for x in 0..5 {
                row[x] = old[x] ^ (!old[(x + 1) % 5] & old[(x + 2) % 5]);
            }
        }
        // The step ι of the standard.
        a[0] ^= constant;
    }
    *state = a;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the first and the last round constants with the values that the register of
    /// [FIPS202] §3.2.5 gives.
    #[test]
    fn round_constants_are_those_of_the_standard() {
        assert_eq!(ROUND_CONSTANTS[0], 1);
        assert_eq!(ROUND_CONSTANTS[1], 0x8082);
        assert_eq!(ROUND_CONSTANTS[23], 0x8000_0000_8000_8008);
    }
}
