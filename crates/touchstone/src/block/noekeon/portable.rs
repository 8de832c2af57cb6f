//! Noekeon for every machine: a block is in four 32-bit words, and two blocks are computed side
//! by side.

use inout::InOutBuf;

use super::rounds::rounds;
use super::{Block, COMPLEMENTS, CONSTANTS, Keys, State};
use crate::machinery::four_words::{big, big_bytes};
use crate::machinery::groups::two_and_one;
use crate::machinery::word::Word;

rounds!(Word);

pub(super) fn encrypt(keys: &Keys, blocks: InOutBuf<'_, '_, Block>) {
    two_and_one(
        blocks,
        load,
        store,
        |two| encrypt_words(keys, two),
        |one| encrypt_words(keys, one),
    );
}

pub(super) fn decrypt(keys: &Keys, blocks: InOutBuf<'_, '_, Block>) {
    two_and_one(
        blocks,
        load,
        store,
        |two| decrypt_words(keys, two),
        |one| decrypt_words(keys, one),
    );
}

/// Encrypts one block of little-endian words.
#[inline(always)]
pub(super) fn single(keys: &Keys, words: State) -> State {
    let mut x = [words.map(|word| Word(word.swap_bytes()))];
    encrypt_words(keys, &mut x);
    x[0].map(|word| word.0.swap_bytes())
}

/// Returns the working keys of both directions, [NOEKEON](super) §3.4. The working key of
/// encryption is the encryption of the key under a key of zeros.
pub(super) fn expand(key: &Block) -> Keys {
    let mut x = [load(key)];
    encrypt_words(&[COMPLEMENTS; 2], &mut x);
    let encryption = x[0];
    complement(&mut x);
    let zeros = splat(&COMPLEMENTS, 0);
    let mut keys = [encryption, theta(x[0], zeros, Word(0))];
    complement(&mut keys);
    keys.map(|key| key.map(|word| word.0))
}

#[inline(always)]
fn load(block: &Block) -> [Word; 4] {
    big(block).map(Word)
}

#[inline(always)]
fn store(words: [Word; 4]) -> Block {
    big_bytes(words.map(|word| word.0))
}
