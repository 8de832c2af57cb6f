//! The salts of crypt(3) that a kernel takes.

/// One salt for all keys, or one for each.
#[derive(Clone, Copy)]
pub(super) enum Salts<'s> {
    One(u32),
    Each(&'s [u32]),
}

impl Salts<'_> {
    /// Those of `n` keys from `at` on.
    pub(super) fn part(&self, at: usize, n: usize) -> Self {
        match *self {
            Self::One(one) => Self::One(one),
            Self::Each(each) => Self::Each(&each[at..at + n]),
        }
    }
}
