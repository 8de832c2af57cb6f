//! Serpent for every machine: a block is in four 32-bit words, and two blocks are computed side
//! by side. One block waits for each gate, so it has circuits of its own.

use inout::InOutBuf;

use super::levels::boxes;
use super::rounds::{linear, rounds};
use super::{Block, INPUTS, OUTPUTS, RoundKeys};
use crate::machinery::four_words::{little, little_bytes};
use crate::machinery::groups::two_and_one;
use crate::machinery::word::Word;
use crate::wipe::wipe;

boxes!(Word);
linear!(Word);
rounds!(Word);

/// The rounds for two blocks, with the circuits of the fewest gates: two blocks have enough gates
/// ready for most processors.
mod pairs {
    use super::super::RoundKeys;
    use super::super::binary::boxes;
    use super::super::rounds::{linear, rounds};
    use crate::machinery::word::Word;

    boxes!(Word);
    linear!(Word);
    rounds!(pub(super) Word);
}

pub(super) fn encrypt(keys: &RoundKeys, blocks: InOutBuf<'_, '_, Block>) {
    two_and_one(
        blocks,
        load,
        store,
        |two| pairs::forwards(keys, two),
        |one| forwards(keys, one),
    );
}

pub(super) fn decrypt(keys: &RoundKeys, blocks: InOutBuf<'_, '_, Block>) {
    two_and_one(
        blocks,
        load,
        store,
        |two| pairs::backwards(keys, two),
        |one| backwards(keys, one),
    );
}

/// Encrypts one block.
#[inline(always)]
pub(super) fn single(keys: &RoundKeys, words: [u32; 4]) -> [u32; 4] {
    let mut x = [words.map(Word)];
    forwards(keys, &mut x);
    x[0].map(|word| word.0)
}

#[inline(always)]
fn load(block: &Block) -> [Word; 4] {
    little(block).map(Word)
}

#[inline(always)]
fn store(words: [Word; 4]) -> Block {
    little_bytes(words.map(|word| word.0))
}

/// Returns the words that S-box `s` takes or leaves complemented, as masks.
pub(super) const fn masks(complements: &[u8; 8], s: usize) -> [u32; 4] {
    let mut masks = [0; 4];
    let mut w = 0;
    while w < 4 {
        masks[w] = (((complements[s] >> w) & 1) as u32).wrapping_neg();
        w += 1;
    }
    masks
}

/// The correction that each round key contains: the complements that the S-box before the key
/// left, after the linear transformation, XOR the complements that the next S-box takes.
const CORRECTIONS: [[u32; 4]; 33] = {
    let mut all = [[0; 4]; 33];
    let mut round = 0;
    while round <= 32 {
        if round != 0 {
            let [x0, x1, x2, x3] = masks(&OUTPUTS, (round - 1) % 8);
            // All bits of such a word are equal, so rotations do not change the word.
            let x1 = x1 ^ x0 ^ x2;
            let x3 = x3 ^ x2 ^ (x0 << 3);
            all[round] = if round == 32 {
                masks(&OUTPUTS, 7)
            } else {
                let x3 = x3.rotate_left(7);
                let x0 = (x0 ^ x1 ^ x3).rotate_left(5);
                let x2 = (x2 ^ x3 ^ (x1 << 7)).rotate_left(22);
                [x0, x1, x2, x3]
            };
        }
        if round != 32 {
            let inputs = masks(&INPUTS, round % 8);
            let mut w = 0;
            while w < 4 {
                all[round][w] ^= inputs[w];
                w += 1;
            }
        }
        round += 1;
    }
    all
};

/// The fraction of the golden ratio, a constant of the key schedule, [SERPENT] §4.
const PHI: u32 = 0x9e37_79b9;

/// The inputs that the circuits take complemented when they compute the round keys `r`, `r` +
/// 8, `r` + 16 and so on.
#[cfg(target_arch = "x86_64")]
pub(super) const FLIPPED: [[u32; 4]; 8] = {
    let mut all = [[0; 4]; 8];
    let mut r = 0;
    while r < 8 {
        all[r] = masks(&INPUTS, (11 - r) % 8);
        r += 1;
    }
    all
};

/// The values that are XORed to word `c` of the round keys `r`, `r` + 8, `r` + 16 and `r` + 24
/// after the word's rotation, as bytes of numbers.
#[cfg(target_arch = "x86_64")]
pub(super) static ADDED: [[[u8; 16]; 4]; 8] = {
    let mut all = [[[0; 16]; 4]; 8];
    let mut r = 0;
    while r < 8 {
        let outputs = masks(&OUTPUTS, (11 - r) % 8);
        let mut c = 0;
        while c < 4 {
            let mut eight = 0;
            while eight < 4 {
                let added = outputs[c] ^ CORRECTIONS[8 * eight + r][c];
                let bytes = added.rotate_right([5, 0, 22, 0][c]).to_ne_bytes();
                let mut i = 0;
                while i < 4 {
                    all[r][c][4 * eight + i] = bytes[i];
                    i += 1;
                }
                eight += 1;
            }
            c += 1;
        }
        r += 1;
    }
    all
};

/// Returns the eight words of a key of at most 32 bytes, filled up as [SERPENT] §4 requires.
#[inline(always)]
pub(super) fn lengthen(key: &[u8]) -> [u32; 8] {
    let mut w = [0; 8];
    let (words, rest) = key.as_chunks();
    for (word, bytes) in w.iter_mut().zip(words) {
        *word = u32::from_le_bytes(*bytes);
    }
    // After a shorter key follow a bit 1 and then zeros.
    if let Some(end) = w.get_mut(words.len()) {
        let mut last = [0; 4];
        last[..rest.len()].copy_from_slice(rest);
        last[rest.len()] = 1;
        *end = u32::from_le_bytes(last);
    }
    w
}

/// Returns the states of a block that Sosemanuk uses: after the linear transformation of rounds
/// 12 and 18, and after round 24 and the key that follows this round.
pub(super) fn states(keys: &RoundKeys, block: &Block) -> [[u32; 4]; 3] {
    // The rounds leave a state that contains the next round key and the complements that the
    // next S-box takes. `bare` removes both from the state.
    let bare = |x: [Word; 4], round: usize, with_key: bool| -> [u32; 4] {
        let inputs = masks(&INPUTS, round % 8);
        let mut key = [0; 4];
        if !with_key {
            key = keys[round];
            key[0] = key[0].rotate_left(5);
            key[2] = key[2].rotate_left(22);
            for w in 0..4 {
                key[w] ^= CORRECTIONS[round][w];
            }
        }
        core::array::from_fn(|w| x[w].0 ^ inputs[w] ^ key[w])
    };
    macro_rules! rounds {
        ($x:ident, $($s:ident $key:expr),*) => {
            $( $x = linear($s($x), splat(&keys[$key])); )*
        };
    }
    let mut x = add(load(block), splat(&keys[0]));
    rounds!(x, s0 1, s1 2, s2 3, s3 4, s4 5, s5 6, s6 7, s7 8, s0 9, s1 10, s2 11, s3 12);
    let after_12 = bare(x, 12, false);
    rounds!(x, s4 13, s5 14, s6 15, s7 16, s0 17, s1 18);
    let after_18 = bare(x, 18, false);
    rounds!(x, s2 19, s3 20, s4 21, s5 22, s6 23, s7 24);
    [after_12, after_18, bare(x, 24, true)]
}

/// Applies the S-box S2 to four words: bit *i* of the four words is one input of the S-box.
#[inline(always)]
pub(super) fn box_2(words: [u32; 4]) -> [u32; 4] {
    through::<2>(words, &[0; 4], s2)
}

/// Computes prekey `i` and stores it at index `k` of `w`, which has the last eight prekeys. `k`
/// is `i` modulo 8.
#[inline(always)]
pub(super) fn next(w: &mut [u32; 8], k: usize, i: usize) -> u32 {
    let sum = w[k] ^ w[(k + 3) % 8] ^ w[(k + 5) % 8] ^ w[(k + 7) % 8];
    w[k] = (sum ^ PHI ^ i as u32).rotate_left(11);
    w[k]
}

/// Computes the last round key from the eight prekeys before it.
#[inline(always)]
pub(super) fn last(w: &mut [u32; 8]) -> [u32; 4] {
    for k in 0..4 {
        next(w, k, 128 + k);
    }
    through::<3>([w[0], w[1], w[2], w[3]], &CORRECTIONS[32], s3)
}

/// Computes the key schedule for a key of at most 32 bytes, [SERPENT] §4.
pub(super) fn expand(key: &[u8], keys: &mut RoundKeys) {
    let mut w = lengthen(key);

    // Eight prekeys give two round keys. The S-boxes of the round keys are, in order, S3, S2,
    // S1, S0, S7, S6, S5, S4, S3 and so on.
    macro_rules! two {
        ($i:expr, $s:literal $name:ident, $t:literal $other:ident) => {
            let i = $i;
            for k in 0..8 {
                next(&mut w, k, 8 * i + k);
            }
            keys[2 * i] = through::<$s>([w[0], w[1], w[2], w[3]], &CORRECTIONS[2 * i], $name);
            let odd = &CORRECTIONS[2 * i + 1];
            keys[2 * i + 1] = through::<$t>([w[4], w[5], w[6], w[7]], odd, $other);
        };
    }
    for quarter in 0..4 {
        two!(4 * quarter, 3 s3, 2 s2);
        two!(4 * quarter + 1, 1 s1, 0 s0);
        two!(4 * quarter + 2, 7 s7, 6 s6);
        two!(4 * quarter + 3, 5 s5, 4 s4);
    }
    keys[32] = last(&mut w);
    for key in &mut keys[1..32] {
        key[0] = key[0].rotate_right(5);
        key[2] = key[2].rotate_right(22);
    }
    wipe(&mut w, 0);
}

/// Applies the S-box `S` to four words by its circuit, and XORs a correction to the result.
#[inline(always)]
fn through<const S: usize>(
    words: [u32; 4],
    correction: &[u32; 4],
    circuit: impl Fn([Word; 4]) -> [Word; 4],
) -> [u32; 4] {
    let (inputs, outputs) = const { (masks(&INPUTS, S), masks(&OUTPUTS, S)) };
    let mut x = words.map(Word);
    for w in 0..4 {
        x[w].0 ^= inputs[w];
    }
    let x = circuit(x);
    core::array::from_fn(|w| x[w].0 ^ outputs[w] ^ correction[w])
}

#[cfg(test)]
mod tests {
    use super::super::S;
    use super::super::binary::boxes;
    use super::*;

    type Circuit = fn([Word; 4]) -> [Word; 4];

    /// The circuits and their inverses that have these names where the macro stands.
    macro_rules! circuits {
        () => {
            [
                (s0, s0_inverse),
                (s1, s1_inverse),
                (s2, s2_inverse),
                (s3, s3_inverse),
                (s4, s4_inverse),
                (s5, s5_inverse),
                (s6, s6_inverse),
                (s7, s7_inverse),
            ]
        };
    }

    /// The circuits with the fewest gates.
    fn fewest() -> [(Circuit, Circuit); 8] {
        boxes!(Word);
        circuits!()
    }

    #[test]
    fn circuits_are_the_boxes_and_their_inverses() {
        let circuits: [(Circuit, Circuit); 8] = circuits!();
        let words =
            |x: usize| -> [Word; 4] { core::array::from_fn(|bit| Word(((x >> bit) & 1) as u32)) };
        let number = |words: [Word; 4]| -> usize {
            (0..4).map(|bit| ((words[bit].0 & 1) as usize) << bit).sum()
        };
        for (i, (forwards, backwards)) in circuits.into_iter().chain(fewest()).enumerate() {
            let s = i % 8;
            for x in 0..16 {
                let (inputs, outputs) = (usize::from(INPUTS[s]), usize::from(OUTPUTS[s]));
                let y = usize::from(S[s][x]);
                assert_eq!(number(forwards(words(x ^ inputs))), y ^ outputs, "S{s}");
                assert_eq!(number(backwards(words(y ^ outputs))), x ^ inputs, "S{s}");
            }
        }
    }
}
