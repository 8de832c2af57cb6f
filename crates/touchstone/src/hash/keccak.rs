//! The permutation Keccak-f\[1600\], and its twelve-round form of TurboSHAKE and
//! KangarooTwelve.
//!
//! | kernel | needs | states at once | technique |
//! |---|---|---|---|
//! | `avx512` | AVX-512 | 1 | a vector register for each of the 25 words |
//! | `avx2` | BMI1 of machines with AVX2 | 1 | the portable form |
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

kernels! {
    /// The kernels that compute Keccak.
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

/// Lane (x, y) of the state is word x + 5y.
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

/// The round constants, [FIPS202] §3.2.5. Bits 2ʲ − 1 come from a shift register with the
/// polynomial x⁸ + x⁶ + x⁵ + x⁴ + 1, seven bits for each round.
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

/// ρ and π, [FIPS202] §3.2.2 and §3.2.3, as a walk from lane (1, 0) over the 24 lanes
/// that move. Step t moves a lane to the place in entry t and rotates it by (t + 1)(t +
/// 2)/2 bits.
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

/// ρ, [FIPS202] §3.2.2: the number of bits by which each word is rotated.
#[cfg(target_arch = "x86_64")]
const ROTATIONS: [u32; 25] = {
    let mut rotations = [0; 25];
    let mut t = 0;
    while t < 24 {
        // Step t rotates the word that the walk finds at the place before.
        let from = if t == 0 { 1 } else { WALK[t - 1] };
        rotations[from] = ((t + 1) * (t + 2) / 2 % 64) as u32;
        t += 1;
    }
    rotations
};

/// The last `ROUNDS` rounds of [FIPS202] §3.3.
#[inline(always)]
fn permute<const ROUNDS: usize>(state: &mut State) {
    const { assert!(ROUNDS <= 24) };
    let mut a = *state;
    for constant in &ROUND_CONSTANTS[24 - ROUNDS..] {
        // θ
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
        // ρ and π: each lane moves to the next place of the walk.
        let mut moving = a[1];
        for t in 0..24 {
            let next = a[WALK[t]];
            a[WALK[t]] = moving.rotate_left((((t + 1) * (t + 2) / 2) % 64) as u32);
            moving = next;
        }
        // χ
        for row in a.as_chunks_mut::<5>().0 {
            let old = *row;
            for x in 0..5 {
                row[x] = old[x] ^ (!old[(x + 1) % 5] & old[(x + 2) % 5]);
            }
        }
        // ι
        a[0] ^= constant;
    }
    *state = a;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first and the last round constant; [FIPS202] §3.2.5 defines the register.
    #[test]
    fn round_constants_are_those_of_the_standard() {
        assert_eq!(ROUND_CONSTANTS[0], 1);
        assert_eq!(ROUND_CONSTANTS[1], 0x8082);
        assert_eq!(ROUND_CONSTANTS[23], 0x8000_0000_8000_8008);
    }
}
