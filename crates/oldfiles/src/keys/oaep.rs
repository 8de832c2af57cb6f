//! The encoding EME-OAEP with SHA-256 and its mask generation function MGF1, [RFC 8017] §7.1 and
//! §B.2.1.
//!
//! ```text
//! 00 | seed, masked by the data block | data block, masked by the seed
//! data block: SHA-256 of the label | zeros | 01 | message
//! ```
//!
//! [RFC 8017]: https://www.rfc-editor.org/rfc/rfc8017

use touchstone::constant_time_eq;
use touchstone::hash::Sha256;
use zeroize::Zeroizing;

/// The length of the seed in bytes: a digest.
pub(super) const SEED: usize = 32;
/// How many bytes the encoding is longer than the longest message.
const OVERHEAD: usize = 2 * SEED + 2;

/// XORs MGF1 of the seed to `data`.
fn mask(seed: &[u8], data: &mut [u8]) {
    for (counter, part) in (0_u32..).zip(data.chunks_mut(SEED)) {
        let mut hash = Sha256::default();
        hash.update(seed);
        hash.update(&counter.to_be_bytes());
        let digest = Zeroizing::new(hash.finalize());
        for (byte, mask) in part.iter_mut().zip(digest.iter()) {
            *byte ^= mask;
        }
    }
}

/// Encodes a message, in so many bytes.
pub(super) fn encode(
    message: &[u8],
    label: &[u8],
    seed: &[u8; SEED],
    length: usize,
) -> Zeroizing<Vec<u8>> {
    debug_assert!(message.len() + OVERHEAD <= length);
    let mut encoded = Zeroizing::new(vec![0; length]);
    let (masked, block) = encoded[1..].split_at_mut(SEED);
    let place = block.len() - message.len();
    block[..SEED].copy_from_slice(Sha256::digest(label).as_ref());
    block[place - 1] = 1;
    block[place..].copy_from_slice(message);
    mask(seed, block);
    masked.copy_from_slice(seed);
    mask(block, masked);
    encoded
}

/// Decodes a message of known length, and says whether the encoding is right. The length fixes
/// every byte before the message, so one comparison of all of them decides, and its time tells
/// nothing about which byte is wrong.
pub(super) fn decode(encoded: &mut [u8], label: &[u8], message: &mut [u8]) -> bool {
    if message.len() + OVERHEAD > encoded.len() {
        return false;
    }
    let (first, rest) = encoded.split_at_mut(1);
    let (seed, block) = rest.split_at_mut(SEED);
    mask(block, seed);
    mask(seed, block);
    let (start, end) = block.split_at(block.len() - message.len());
    let mut right = vec![0; 1 + start.len()];
    right[1..=SEED].copy_from_slice(Sha256::digest(label).as_ref());
    right[start.len()] = 1;
    let found = Zeroizing::new([first, start].concat());
    let genuine = constant_time_eq(&found, &right);
    if genuine {
        message.copy_from_slice(end);
    }
    genuine
}
