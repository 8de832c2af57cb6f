//! SHA-512, and the shorter SHA-384, SHA-512/224 and SHA-512/256: digests of 64, 48, 28
//! and 32 bytes, blocks of 128.
//!
//! | kernel | needs | messages at once | technique |
//! |---|---|---|---|
//! | `sha512` | the SHA-512 instructions and AVX2 | 1; with AVX-512, 8 in a call for many | the instructions, **not run yet**; one message in each lane |
//! | `avx512` | AVX-512 | 1; 8 in a call for many | the schedule in vector registers, beside the rounds; one message in each lane |
//! | `avx2` | AVX2 | 1; 4 in a call for many | the same, with the schedules of two blocks at once |
//! | `portable` | – | 1 | as in the standard |
//!
//! - [FIPS180] Secure Hash Standard (SHS), NIST FIPS 180-4, 2015
//!
//! [FIPS180]: https://doi.org/10.6028/NIST.FIPS.180-4

use super::iterated::{Compression, Padding, bit_lengths, iterated_hashes};
#[cfg(target_arch = "x86_64")]
use super::lanes::Width;
use super::lanes::lanes;
use crate::Digest;
#[cfg(target_arch = "x86_64")]
use crate::cpu;
use crate::kernel::kernels;
use crate::machinery::each::each;
use crate::roots::{CUBE_ROOTS as K, SQUARE_ROOTS};

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod instructions;
#[cfg(target_arch = "x86_64")]
mod rounds;

kernels! {
    /// The kernels that compute SHA-512.
    enum Kernel {
        #[cfg(target_arch = "x86_64")]
        "sha512" = Sha512(cpu::Sha512),
        #[cfg(target_arch = "x86_64")]
        "avx512" = Avx512(cpu::Avx512),
        #[cfg(target_arch = "x86_64")]
        "avx2" = Avx2(cpu::Avx2),
    }
}

#[cfg(target_arch = "x86_64")]
impl Kernel {
    #[inline]
    fn lanes(self) -> Option<Width> {
        match self {
            // The instructions hash one message after the other faster than AVX2 hashes four.
            Self::Sha512(_) => cpu::Avx512::detect().map(Width::Wide),
            Self::Avx512(token) => Some(Width::Wide(token)),
            Self::Avx2(token) => Some(Width::Narrow(token)),
            Self::Portable => None,
        }
    }
}

/// The compression function of SHA-384 and SHA-512.
#[derive(Clone)]
pub(crate) struct Sha2Of64;

impl Compression for Sha2Of64 {
    type Kernel = Kernel;
    type Block = [u8; 128];
    type Chain = [u64; 8];
    const ZERO: [u64; 8] = [0; 8];
    const PADDING: Padding = Padding::sha(16);

    #[inline]
    fn compress(kernel: Kernel, chain: &mut [u64; 8], blocks: &[[u8; 128]]) {
        match kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Sha512(token) => instructions::compress(token, chain, blocks),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512(token) => avx512::avx512(token, chain, blocks),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(token) => avx2::avx2(token, chain, blocks),
            Kernel::Portable => compress(chain, blocks),
        }
    }

    #[inline]
    fn compress_several(kernel: Kernel, chains: &mut [[u64; 8]], blocks: &[[u8; 128]]) -> usize {
        abreast(kernel, chains, blocks)
    }
}

iterated_hashes! {
    Sha2Of64; many;
    /// SHA-512, [FIPS180](self) §6.4.
    Sha512 64 START_512, digest;
    /// SHA-384, [FIPS180](self) §6.5: SHA-512 with another first value, cut to 48 bytes.
    Sha384 48 START_384, digest;
    /// SHA-512/256, [FIPS180](self) §6.7: SHA-512 with another first value, cut to 32
    /// bytes.
    Sha512_256 32 START_512_256, digest;
    /// SHA-512/224, [FIPS180](self) §6.6: SHA-512 with another first value, cut to 28
    /// bytes.
    Sha512_224 28 START_512_224, digest;
}

bit_lengths! {
    Sha384 48 digest;
    Sha512 64 digest;
    Sha512_224 28 digest;
    Sha512_256 32 digest;
}

/// The first chaining value, [FIPS180] §5.3.5: the fractional parts of the square roots
/// of the first eight primes.
const START_512: [u64; 8] = roots(0);

/// The first chaining value, [FIPS180] §5.3.4: the same for the ninth to sixteenth
/// primes.
const START_384: [u64; 8] = roots(8);

const fn roots(first: usize) -> [u64; 8] {
    let mut start = [0; 8];
    let mut i = 0;
    while i < 8 {
        start[i] = SQUARE_ROOTS[first + i];
        i += 1;
    }
    start
}

/// The first chaining value, [FIPS180] §5.3.6.1.
const START_512_224: [u64; 8] = start_of_cut(b"SHA-512/224");
/// The first chaining value, [FIPS180] §5.3.6.2.
const START_512_256: [u64; 8] = start_of_cut(b"SHA-512/256");

/// [FIPS180] §5.3.6: the digest of the function's name, by SHA-512 with another first value.
const fn start_of_cut(name: &[u8; 11]) -> [u64; 8] {
    let mut start = START_512;
    let mut i = 0;
    while i < 8 {
        start[i] ^= 0xa5a5_a5a5_a5a5_a5a5;
        i += 1;
    }
    let mut w = [0; 16];
    let mut i = 0;
    while i <= name.len() {
        let byte = if i < name.len() { name[i] } else { 0x80 };
        w[i / 8] |= (byte as u64) << (56 - 8 * (i % 8));
        i += 1;
    }
    w[15] = 8 * name.len() as u64;
    compress_words(&start, w)
}

/// Compresses every block, [FIPS180] §6.4.2.
fn compress(hash: &mut [u64; 8], blocks: &[[u8; 128]]) {
    for block in blocks {
        let mut w = [0; 16];
        for (w, bytes) in w.iter_mut().zip(block.as_chunks().0) {
            *w = u64::from_be_bytes(*bytes);
        }
        *hash = compress_words(hash, w);
    }
}

/// Compresses one block of 16 words, [FIPS180] §6.4.2. The schedule keeps its last 16
/// words.
#[inline(always)]
const fn compress_words(hash: &[u64; 8], mut w: [u64; 16]) -> [u64; 8] {
    let mut state = *hash;
    let mut t = 0;
    while t < 80 {
        // Sixteen rounds without a branch, so that indices are constants.
        each!(J < 16 => {
            state = round(state, K[t + J].wrapping_add(w[J]));
        });
        t += 16;
        // σ₁ and σ₀ of §4.1.3 give the words of the next sixteen rounds.
        let mut j = 0;
        while t < 80 && j < 16 {
            let (w14, w1) = (w[(j + 14) % 16], w[(j + 1) % 16]);
            let s1 = w14.rotate_right(19) ^ w14.rotate_right(61) ^ w14 >> 6;
            let s0 = w1.rotate_right(1) ^ w1.rotate_right(8) ^ w1 >> 7;
            w[j] = w[j]
                .wrapping_add(s1)
                .wrapping_add(w[(j + 9) % 16])
                .wrapping_add(s0);
            j += 1;
        }
    }
    let mut i = 0;
    while i < 8 {
        state[i] = state[i].wrapping_add(hash[i]);
        i += 1;
    }
    state
}

/// One round, [FIPS180] §6.4.2. `sum` is the round's constant plus its word of the
/// schedule.
#[inline(always)]
const fn round([a, b, c, d, e, f, g, h]: [u64; 8], sum: u64) -> [u64; 8] {
    let sum1 = e.rotate_right(14) ^ e.rotate_right(18) ^ e.rotate_right(41);
    // No bit is set in both parts of the choice, so their sum is their disjunction. The terms that
    // do not wait for Σ₁ are added first, to keep the path from e to the next e short.
    let ch = (!e & g).wrapping_add(e & f);
    let early = h.wrapping_add(sum);
    let t1 = early.wrapping_add(ch).wrapping_add(sum1);
    let next_e = d.wrapping_add(t1);
    let sum0 = a.rotate_right(28) ^ a.rotate_right(34) ^ a.rotate_right(39);
    // The majority; the next round needs a ⊕ b again.
    let maj = b ^ ((a ^ b) & (b ^ c));
    let next_a = t1.wrapping_add(maj).wrapping_add(sum0);
    [next_a, a, b, c, next_e, e, f, g]
}

lanes!(Sha2Of64, 8 u64, words_be, |state, w| {
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = state;
    for (turn, k) in K.as_chunks::<16>().0.iter().enumerate() {
        macro_rules! step {
            ($j:ident) => {
                if turn != 0 {
                    let (w14, w1) = (w[($j + 14) % 16], w[($j + 1) % 16]);
                    let s1 = w14.rotate_left_by(64 - 19);
                    let s1 = s1.xor_both(w14.rotate_left_by(64 - 61), w14.shift_right::<6>());
                    let s0 = w1.rotate_left_by(64 - 1);
                    let s0 = s0.xor_both(w1.rotate_left_by(64 - 8), w1.shift_right::<7>());
                    w[$j] = w[$j].add(w[($j + 9) % 16]).add(s0.add(s1));
                }
                let sum1 = e.rotate_left_by(64 - 14);
                let sum1 = sum1.xor_both(e.rotate_left_by(64 - 18), e.rotate_left_by(64 - 41));
                let t1 = h.add(w[$j]).add(Word::splat(k[$j])).add(e.select(f, g)).add(sum1);
                let sum0 = a.rotate_left_by(64 - 28);
                let sum0 = sum0.xor_both(a.rotate_left_by(64 - 34), a.rotate_left_by(64 - 39));
                (h, g, f, e) = (g, f, e, d.add(t1));
                (d, c, b, a) = (c, b, a, t1.add(sum0.add(a.majority(b, c))));
            };
        }
        // AVX-512 has registers for all words of the message. AVX2 does not, and there a loop that
        // reads the words from memory is faster than code that spills them.
        if const { size_of::<Word>() == 64 } {
            each!(J < 16 => step!(J));
        } else {
            for j in 0..16 {
                step!(j);
            }
        }
    }
    let mut sum = state;
    for (sum, x) in sum.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *sum = sum.add(x);
    }
    sum
});

/// The digest: the first bytes of the chaining value, each word most significant byte
/// first.
#[inline]
fn digest<const OUTPUT: usize>(hash: &[u64; 8]) -> Digest<OUTPUT> {
    let mut bytes = [0; 64];
    for (bytes, word) in bytes.chunks_exact_mut(8).zip(hash) {
        bytes.copy_from_slice(&word.to_be_bytes());
    }
    let mut output = [0; OUTPUT];
    output.copy_from_slice(&bytes[..OUTPUT]);
    output.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [FIPS180] §5.3.6.1 and §5.3.6.2, first words.
    #[test]
    fn starts_are_those_of_the_standard() {
        assert_eq!(START_512_224[0], 0x8c3d37c819544da2);
        assert_eq!(START_512_256[0], 0x22312194fc2bf72c);
    }
}
