//! The salts of a call that computes crypt(3) for many keys.

/// One salt for all keys, or one salt for each key.
#[derive(Clone, Copy)]
pub(super) enum Salts<'s> {
    One(u32),
    Each(&'s [u32]),
}

impl Salts<'_> {
    /// Returns the salts of the `n` keys that begin at key number `at`.
    pub(super) fn part(&self, at: usize, n: usize) -> Self {
        match *self {
            Self::One(one) => Self::One(one),
            Self::Each(each) => Self::Each(&each[at..at + n]),
        }
    }
}
