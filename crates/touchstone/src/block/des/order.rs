//! The order in which rounds use their keys, for forms whose halves contain round keys: the right half
//! the key of its round, and the left half the key of the round before.

/// Serial modes.
pub(super) const CBC: u8 = 0;
pub(super) const CFB: u8 = 1;
pub(super) const OFB: u8 = 2;

/// The round keys of the passes of a cipher. The number of passes is no const parameter, so that
/// the loop over the passes stays a loop.
pub(super) type Passes = [[u64; 16]];

/// The order of use of round keys.
pub(super) struct Order<'k, const BACKWARDS: bool>(pub(super) &'k Passes);

impl<const BACKWARDS: bool> Order<'_, BACKWARDS> {
    #[inline(always)]
    pub(super) fn pass(&self, at: usize) -> Option<&[u64; 16]> {
        if BACKWARDS {
            self.0.get(self.0.len().wrapping_sub(1 + at))
        } else {
            self.0.get(at)
        }
    }

    /// Returns the key of a round. After the last round of a pass follows its first round.
    #[inline(always)]
    pub(super) fn key(pass: &[u64; 16], round: usize) -> u64 {
        let round = round % 16;
        pass[if BACKWARDS { 15 - round } else { round }]
    }

    /// Returns the keys that the left and the right half contain before and after a pass.
    #[inline(always)]
    pub(super) fn ends(&self, at: usize) -> [u64; 2] {
        let ends = |pass| [Self::key(pass, 15), Self::key(pass, 0)];
        self.pass(at).map_or([0; 2], ends)
    }

    /// Returns what must be XORed to the halves after pass `before` and before pass `after`.
    #[inline(always)]
    pub(super) fn between(&self, before: usize, after: usize) -> [u64; 2] {
        let [left, right] = self.ends(before);
        xor([right, left], self.ends(after))
    }

    /// Returns what must be XORed to the halves between two blocks.
    #[inline(always)]
    pub(super) fn again(&self) -> [u64; 2] {
        self.between(self.0.len().wrapping_sub(1), 0)
    }
}

#[inline(always)]
fn xor([a, b]: [u64; 2], [c, d]: [u64; 2]) -> [u64; 2] {
    [a ^ c, b ^ d]
}
