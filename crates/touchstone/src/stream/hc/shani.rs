//! The words of HC's set-up with SHA-NI. The two functions of the set-up are σ₀ and σ₁ of SHA-256 ([HC128]
//! §2.1, [FIPS180-4] §4.1.2), and its sum has the same terms as SHA-256's message schedule and the number of
//! the word. So the two instructions for that schedule compute four words.
//!
//! [HC128]: https://www.ecrypt.eu.org/stream/p3ciphers/hc/hc128_p3.pdf
//! [FIPS180-4]: https://doi.org/10.6028/NIST.FIPS.180-4
#![allow(unsafe_code)]

use crate::cpu::Sha;
use crate::simd::U32x4;

/// Does the same as [`lengthen`](super::lengthen).
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn words(before: &[u32; 16], groups: &mut [[u32; 16]], number: usize) {
    let mut w = [U32x4::load(&[0; 4]); 4];
    for (w, words) in w.iter_mut().zip(before.as_chunks().0) {
        *w = U32x4::load(words);
    }
    let first = 16 * number as u32;
    let mut numbers = U32x4::load(&[first, first + 1, first + 2, first + 3]);
    let four = U32x4::load(&[4; 4]);
    for group in groups {
        for (j, words) in group.as_chunks_mut().0.iter_mut().enumerate() {
            let seven_before = w[(j + 2) % 4].window_1(w[(j + 3) % 4]);
            w[j] = w[j]
                .sha256_message1(w[(j + 1) % 4])
                .add(seven_before.add(numbers))
                .sha256_message2(w[(j + 3) % 4]);
            w[j].store(words);
            numbers = numbers.add(four);
        }
    }
}

#[inline(always)]
pub(super) fn lengthen(_: Sha, before: &[u32; 16], groups: &mut [[u32; 16]], number: usize) {
    // SAFETY: the token proves the features.
    unsafe { words(before, groups, number) }
}
