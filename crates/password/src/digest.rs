//! MD5 for the two methods (`$1$`, `$md5$`) that hash nearly the same message thousands of
//! times. A [`Message`] stays in memory with its padding, and each round overwrites only the
//! bytes that change. **Broken** as a hash function.
//!
//! - [RFC1321] R. Rivest: The MD5 Message-Digest Algorithm, RFC 1321, 1992
//!
//! [RFC1321]: https://www.rfc-editor.org/rfc/rfc1321

use crate::Error;
use alloc::vec::Vec;
use core::hint::black_box;

/// The table of constants, [RFC1321] §3.4: entry i, counted from 1, is the integer part of 2^32
/// × |sin i|.
#[rustfmt::skip]
const T: [u32; 64] = [
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
];

/// The initial state, [RFC1321] §3.3.
const START: [u32; 4] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];

/// Processes one block, [RFC1321] §3.4. `b` is the value that the step before computes last, so
/// the functions use `b` as late as possible. The constants `t` are an argument, because an
/// argument hides their values from the compiler. A compiler that knows the constants adds them
/// at the end of each step, and each step takes longer.
#[inline(always)]
fn compress(t: &[u32; 64], [a, b, c, d]: [u32; 4], block: &[u8; 64]) -> [u32; 4] {
    let mut x = [0; 16];
    for (x, bytes) in x.iter_mut().zip(block.as_chunks::<4>().0) {
        *x = u32::from_le_bytes(*bytes);
    }
    let mut s = [a, b, c, d];
    macro_rules! round {
        ($number:literal, $word:expr, $turns:expr, |$b:ident, $c:ident, $d:ident| $add:expr) => {
            // After four steps each state word is back in its place.
            for i in (16 * $number..16 * $number + 16).step_by(4) {
                macro_rules! step {
                    ($j:literal, $p:literal, $q:literal, $r:literal, $t:literal) => {
                        let ($b, $c, $d) = (s[$q], s[$r], s[$t]);
                        let word = x[$word(i + $j) % 16];
                        let sum = s[$p].wrapping_add(word).wrapping_add(t[i + $j]);
                        let sum = $add(sum);
                        s[$p] = sum.rotate_left($turns[$j]).wrapping_add($b);
                    };
                }
                step!(0, 0, 1, 2, 3);
                step!(1, 3, 0, 1, 2);
                step!(2, 2, 3, 0, 1);
                step!(3, 1, 2, 3, 0);
            }
        };
    }
    round!(0, |i| i, [7, 12, 17, 22], |b, c, d| |sum: u32| sum
        .wrapping_add(d ^ b & (c ^ d)));
    // `b & d` and `c & !d` have no bit in common, so an addition can replace the OR. Then only
    // the term `b & d` waits for `b`.
    round!(1, |i| 5 * i + 1, [5, 9, 14, 20], |b, c, d| |sum: u32| sum
        .wrapping_add(c & !d)
        .wrapping_add(b & d));
    round!(2, |i| 3 * i + 5, [4, 11, 16, 23], |b, c, d| |sum: u32| sum
        .wrapping_add(c ^ d ^ b));
    round!(3, |i| 7 * i, [6, 10, 15, 21], |b, c, d| |sum: u32| sum
        .wrapping_add(c ^ (b | !d)));
    [
        s[0].wrapping_add(a),
        s[1].wrapping_add(b),
        s[2].wrapping_add(c),
        s[3].wrapping_add(d),
    ]
}

/// A message with its padding, as whole blocks of 64 bytes. The message is wiped when it is
/// dropped.
pub(crate) struct Message(Vec<u8>);

impl Message {
    /// Makes the message from the parts, one after the other.
    pub(crate) fn new(parts: &[&[u8]]) -> Result<Self, Error> {
        let len = parts.iter().map(|part| part.len()).sum::<usize>();
        // The code allocates all memory at once. A vector that grows would leave copies of the
        // phrase in memory.
        let mut bytes = Vec::new();
        bytes
            .try_reserve_exact((len + 9).next_multiple_of(64))
            .map_err(|_| Error::Memory)?;
        for part in parts {
            bytes.extend_from_slice(part);
        }
        let mut this = Self(bytes);
        this.end(len);
        Ok(this)
    }

    /// Ends the message after `len` bytes and appends padding and length, [RFC1321] §3.1
    /// and §3.2.
    fn end(&mut self, len: usize) {
        self.0.truncate(len);
        self.0.push(0x80);
        self.0.resize((len + 9).next_multiple_of(64), 0);
        let bits = (8 * len as u64).to_le_bytes();
        if let Some(place) = self.0.last_chunk_mut() {
            *place = bits;
        }
    }

    /// Overwrites `N` bytes of the message from position `at` on.
    pub(crate) fn put<const N: usize>(&mut self, at: usize, bytes: &[u8; N]) {
        if let Some(place) = self.0.get_mut(at..).and_then(|rest| rest.first_chunk_mut()) {
            *place = *bytes;
        }
    }

    /// Replaces all bytes from position `at` on by `bytes`, and pads the message again.
    pub(crate) fn finish_with(&mut self, at: usize, bytes: &[u8]) {
        self.0.truncate(at);
        self.0.extend_from_slice(bytes);
        self.end(at + bytes.len());
    }

    pub(crate) fn md5(&self) -> [u8; 16] {
        let blocks = self.0.as_chunks().0;
        let t = black_box(&T);
        let state = blocks
            .iter()
            .fold(START, |state, block| compress(t, state, block));
        let mut digest = [0; 16];
        for (bytes, word) in digest.as_chunks_mut::<4>().0.iter_mut().zip(state) {
            *bytes = word.to_le_bytes();
        }
        digest
    }
}

impl Drop for Message {
    fn drop(&mut self) {
        self.0.fill(0);
        zeroize::optimization_barrier(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares MD5 with the test suite of [RFC1321] §A.5.
    #[test]
    fn the_standards_suite() {
        for (message, wanted) in [
            ("", 0xd41d_8cd9_8f00_b204_e980_0998_ecf8_427e_u128),
            ("a", 0x0cc1_75b9_c0f1_b6a8_31c3_99e2_6977_2661),
            ("abc", 0x9001_5098_3cd2_4fb0_d696_3f7d_28e1_7f72),
            ("message digest", 0xf96b_697d_7cb7_938d_525a_2f31_aaf1_61d0),
            (
                "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
                0xd174_ab98_d277_d9f5_a561_1c2c_9f41_9d9f,
            ),
            (
                "1234567890123456789012345678901234567890\
                 1234567890123456789012345678901234567890",
                0x57ed_f4a2_2be3_c955_ac49_da2e_2107_b67a,
            ),
        ] {
            let whole = Message::new(&[message.as_bytes()]).unwrap();
            assert_eq!(u128::from_be_bytes(whole.md5()), wanted, "{message}");
            // The same message is made from two parts, and by shortening a longer message.
            for at in 0..=message.len() {
                let (start, end) = message.as_bytes().split_at(at);
                let parts = Message::new(&[start, end]).unwrap();
                assert_eq!(parts.md5(), whole.md5());
                let mut other = Message::new(&[start, &[1; 99]]).unwrap();
                other.finish_with(at, end);
                assert_eq!(other.md5(), whole.md5());
            }
        }
    }
}
