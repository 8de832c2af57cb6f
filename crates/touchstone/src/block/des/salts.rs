//! The salts that a kernel of crypt(3) takes.

/// One salt for all keys, or one salt for each key.
#[derive(Clone, Copy)]
pub(super) enum Salts<'s> {
    One(u32),
    Each(&'s [u32]),
}

impl Salts<'_> {
    /// The salts of `n` keys from key `at` on.
    pub(super) fn part(&self, at: usize, n: usize) -> Self {
        match *self {
            Self::One(one) => Self::One(one),
            Self::Each(each) => Self::Each(&each[at..at + n]),
        }
    }
}
