//! Phrases of crypt(3), for libraries that take C strings.

use crate::{Failure, Work};

/// A phrase with a NUL at its end.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Phrase(Vec<u8>);

impl Phrase {
    /// Returns the phrase of a work: the key, or the message if the key is empty. Refuses a phrase
    /// with a NUL, at which a C string would end.
    pub fn of(work: &Work) -> Result<Self, Failure> {
        if work.key.contains(&0) || work.input.contains(&0) {
            return Err(Failure::unsupported("a NUL in a phrase"));
        }
        let mut phrase = Self::default();
        phrase.replace(if work.key.is_empty() {
            &work.input
        } else {
            &work.key
        });
        Ok(phrase)
    }

    /// Sets a key as the phrase. If the key is empty, the message stays the phrase.
    pub fn set(&mut self, key: &[u8]) {
        if !key.is_empty() {
            self.replace(key);
        }
    }

    fn replace(&mut self, phrase: &[u8]) {
        self.0.clear();
        self.0.extend_from_slice(phrase);
        self.0.push(0);
    }

    /// Returns the phrase with its NUL.
    #[inline]
    pub fn with_nul(&self) -> &[u8] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_is_the_phrase_or_else_the_message() {
        let mut work = Work {
            input: b"message".to_vec(),
            ..Work::default()
        };
        let mut phrase = Phrase::of(&work).unwrap();
        assert_eq!(phrase.with_nul(), b"message\0");
        phrase.set(b"");
        assert_eq!(phrase.with_nul(), b"message\0");
        phrase.set(b"key");
        assert_eq!(phrase.with_nul(), b"key\0");
        work.key = b"key".to_vec();
        assert_eq!(Phrase::of(&work), Ok(phrase));
        work.key.push(0);
        assert!(Phrase::of(&work).is_err());
    }
}
