//! Twofish for every machine, with the tables of "full keying", [TWOFISH](super) §7.2. Up to four
//! blocks are computed side by side: on Zen 5 a round of one block takes 13 cycles (12 in decryption),
//! which it spends waiting, and a round of four blocks takes 23.

use inout::InOutBuf;

use super::{Block, FIELD, Keys, MDS, Q, STEPS, fold};
use crate::machinery::extract::Extract;
use crate::machinery::field::product;
use crate::machinery::four_words::{little, little_bytes};
use crate::machinery::groups::filled;
use crate::machinery::unknown::apart;

/// For each byte of a word and each value, the last permutation q of the value, times the
/// byte's column of the MDS matrix.
static LAST: [[u32; 256]; 4] = {
    let mut tables = [[0; 256]; 4];
    let mut byte = 0;
    while byte < 4 {
        let mut x = 0;
        while x < 256 {
            let y = Q[STEPS[byte][4]][x];
            tables[byte][x] = u32::from_le_bytes([
                product(MDS[0][byte], y, FIELD),
                product(MDS[1][byte], y, FIELD),
                product(MDS[2][byte], y, FIELD),
                product(MDS[3][byte], y, FIELD),
            ]);
            x += 1;
        }
        byte += 1;
    }
    tables
};

/// Computes the part of the function h that depends on one byte, for a list of `K` key words:
/// all permutations q and the matrix.
#[inline(always)]
fn h_byte<const BYTE: usize, const K: usize>(x: u8, list: [u32; K]) -> u32 {
    let mut y = x;
    for step in (0..K).rev() {
        y = Q[STEPS[BYTE][3 - step]][usize::from(y)] ^ (list[step] >> (8 * BYTE)) as u8;
    }
    LAST[BYTE][usize::from(y)]
}

/// Computes the function h of [TWOFISH](super) §4.3.2 for a word whose bytes are all `x`.
#[inline(always)]
fn h<const K: usize>(x: u8, list: [u32; K]) -> u32 {
    h_byte::<0, K>(x, list)
        ^ h_byte::<1, K>(x, list)
        ^ h_byte::<2, K>(x, list)
        ^ h_byte::<3, K>(x, list)
}

pub(super) fn expand(key: &[u8], keys: &mut Keys) {
    match key.len() {
        16 => expand_to::<2>(key, keys),
        24 => expand_to::<3>(key, keys),
        _ => expand_to::<4>(key, keys),
    }
}

/// Computes the key schedule. `K` is the length of the key in units of eight bytes.
fn expand_to<const K: usize>(key: &[u8], keys: &mut Keys) {
    let (mut even, mut odd, mut s) = ([0; K], [0; K], [0; K]);
    for (i, pair) in key.as_chunks::<8>().0.iter().enumerate().take(K) {
        let number = u64::from_le_bytes(*pair);
        even[i] = number as u32;
        odd[i] = (number >> 32) as u32;
    }
    s.copy_from_slice(&fold(key)[..K]);

    // The loop computes the subkeys, [TWOFISH] §4.3.3.
    for (i, pair) in keys.words.as_chunks_mut::<2>().0.iter_mut().enumerate() {
        let a = h(2 * i as u8, even);
        let b = h(2 * i as u8 + 1, odd).rotate_left(8);
        let sum = a.wrapping_add(b);
        *pair = [sum, sum.wrapping_add(b).rotate_left(9)];
    }
    for x in 0..=255u8 {
        keys.tables[0][usize::from(x)] = h_byte::<0, K>(x, s);
        keys.tables[1][usize::from(x)] = h_byte::<1, K>(x, s);
        keys.tables[2][usize::from(x)] = h_byte::<2, K>(x, s);
        keys.tables[3][usize::from(x)] = h_byte::<3, K>(x, s);
    }
}

/// Computes the function g of a word that has been rotated by 8·`TURN` bits. It takes two
/// instructions to extract byte 2, and one to extract another byte, so the entry for byte 2 is
/// XORed last.
#[inline(always)]
fn g<const TURN: usize>(keys: &Keys, word: u32) -> u32 {
    let [a, b, c, d] = word.to_le_bytes().map(usize::from);
    let t = &keys.tables;
    if TURN == 0 {
        t[0][a] ^ t[1][b] ^ t[3][d] ^ t[2][c]
    } else {
        t[1][a] ^ t[2][b] ^ t[0][d] ^ t[3][c]
    }
}

/// Computes the function F, [TWOFISH](super) §4.1.
#[inline(always)]
fn f(keys: &Keys, round: usize, r0: u32, r1: u32) -> (u32, u32) {
    let (t0, t1) = (g::<0>(keys, r0), g::<1>(keys, r1));
    let sum = t0.wrapping_add(t1);
    (
        sum.wrapping_add(keys.words[2 * round + 8]),
        sum.wrapping_add(t1.wrapping_add(keys.words[2 * round + 9])),
    )
}

/// Does the same for serial modes. There each round waits for the round before, so entries are XORed in
/// pairs, and the keys are added to what is ready first.
#[inline(always)]
fn f_of_one(keys: &Keys, round: usize, r0: u32, r1: u32) -> (u32, u32) {
    let t = &keys.tables;
    let [[a0, b0, _, d0], [a1, b1, _, d1]] = [r0, r1].map(|r| r.to_le_bytes().map(usize::from));
    let [c0, c1] = [r0, r1].map(|r| Extract::Shift.byte_2(r));
    let t0 = apart(apart(t[0][a0] ^ t[1][b0]) ^ apart(t[2][c0] ^ t[3][d0]));
    let t1 = apart(apart(t[1][a1] ^ t[2][b1]) ^ apart(t[3][c1] ^ t[0][d1]));
    let first = apart(t0.wrapping_add(keys.words[2 * round + 8]));
    let second = apart(t1.wrapping_add(keys.words[2 * round + 9]));
    (
        first.wrapping_add(t1),
        apart(t0.wrapping_add(t1)).wrapping_add(second),
    )
}

#[inline(always)]
fn forwards<const N: usize>(
    keys: &Keys,
    f: impl Fn(&Keys, usize, u32, u32) -> (u32, u32),
    x: &mut [[u32; 4]; N],
) {
    for i in 0..N {
        for w in 0..4 {
            x[i][w] ^= keys.words[w];
        }
    }
    for pair in 0..8 {
        for i in 0..N {
            let (f0, f1) = f(keys, 2 * pair, x[i][0], x[i][1]);
            x[i][2] = (x[i][2] ^ f0).rotate_right(1);
            x[i][3] = x[i][3].rotate_left(1) ^ f1;
        }
        for i in 0..N {
            let (f0, f1) = f(keys, 2 * pair + 1, x[i][2], x[i][3]);
            x[i][0] = (x[i][0] ^ f0).rotate_right(1);
            x[i][1] = x[i][1].rotate_left(1) ^ f1;
        }
    }
    for i in 0..N {
        let [a, b, c, d] = x[i];
        x[i] = [c, d, a, b];
        for w in 0..4 {
            x[i][w] ^= keys.words[4 + w];
        }
    }
}

#[inline(always)]
fn backwards<const N: usize>(
    keys: &Keys,
    f: impl Fn(&Keys, usize, u32, u32) -> (u32, u32),
    x: &mut [[u32; 4]; N],
) {
    for i in 0..N {
        for w in 0..4 {
            x[i][w] ^= keys.words[4 + w];
        }
        let [c, d, a, b] = x[i];
        x[i] = [a, b, c, d];
    }
    for pair in (0..8).rev() {
        for i in 0..N {
            let (f0, f1) = f(keys, 2 * pair + 1, x[i][2], x[i][3]);
            x[i][0] = x[i][0].rotate_left(1) ^ f0;
            x[i][1] = (x[i][1] ^ f1).rotate_right(1);
        }
        for i in 0..N {
            let (f0, f1) = f(keys, 2 * pair, x[i][0], x[i][1]);
            x[i][2] = x[i][2].rotate_left(1) ^ f0;
            x[i][3] = (x[i][3] ^ f1).rotate_right(1);
        }
    }
    for i in 0..N {
        for w in 0..4 {
            x[i][w] ^= keys.words[w];
        }
    }
}

pub(super) fn encrypt(keys: &Keys, blocks: InOutBuf<'_, '_, Block>) {
    filled::<4, 3, _>(
        blocks,
        |four| each(four, |x| forwards(keys, f, x)),
        |two| each(two, |x| forwards(keys, f, x)),
        |one| each([one], |x| forwards(keys, f, x))[0],
    );
}

pub(super) fn decrypt(keys: &Keys, blocks: InOutBuf<'_, '_, Block>) {
    filled::<4, 3, _>(
        blocks,
        |four| each(four, |x| backwards(keys, f, x)),
        |two| each(two, |x| backwards(keys, f, x)),
        |one| each([one], |x| backwards(keys, f, x))[0],
    );
}

/// Encrypts one block of a serial mode.
#[inline(always)]
pub(super) fn single(keys: &Keys, words: [u32; 4]) -> [u32; 4] {
    let mut x = [words];
    forwards(keys, f_of_one, &mut x);
    x[0]
}

/// Calls a function on the words of blocks.
#[inline(always)]
fn each<const N: usize>(blocks: [Block; N], cipher: impl Fn(&mut [[u32; 4]; N])) -> [Block; N] {
    let mut x = blocks.each_ref().map(little);
    cipher(&mut x);
    x.map(little_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "x86_64")]
    use crate::block::twofish::assembly;
    #[cfg(target_arch = "x86_64")]
    use crate::cpu::Avx2;

    #[test]
    fn q_are_permutations() {
        assert_eq!((Q[0][0], Q[1][0]), (0xa9, 0x75));
        for q in &Q {
            let mut seen = [false; 256];
            q.iter().for_each(|&y| seen[usize::from(y)] = true);
            assert_eq!(seen, [true; 256]);
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn assembly_computes_the_same() {
        let Some(token) = Avx2::detect() else {
            std::println!("SKIPPED: the assembly of Twofish, because AVX2 is not there");
            return;
        };
        let mut seed = 1_u32;
        for length in [16, 24, 32] {
            let mut keys = Keys::ZERO;
            expand(&b"Wer zuletzt lacht, lacht am besten"[..length], &mut keys);
            for n in (0..9).cycle().take(90) {
                let mut blocks = [[0; 16]; 9];
                for byte in blocks.as_flattened_mut() {
                    seed = seed.wrapping_mul(0x915f_77f5).wrapping_add(12345);
                    *byte = (seed >> 17) as u8;
                }
                let blocks = &blocks[..n];
                let mut there = [[0; 16]; 9];
                let Ok(output) = InOutBuf::new(blocks, &mut there[..n]) else {
                    unreachable!("equal lengths")
                };
                assembly::encrypt(token, &keys, output);
                for (block, there) in blocks.iter().zip(&there) {
                    assert_eq!(each([*block], |x| forwards(&keys, f, x)), [*there]);
                }
                assembly::decrypt(token, &keys, InOutBuf::from(&mut there[..n]));
                assert_eq!(blocks, &there[..n]);
            }
        }
    }
}
