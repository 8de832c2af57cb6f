//! The work that an adapter must do: the inputs of one operation, and the checks of their lengths
//! that every adapter needs.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::ops::RangeBounds;

use touchstone_wire::{Data, MOST_BYTES, Value};

use crate::Failure;

/// One operation with its inputs. `docs/operations.md` lists the inputs of each operation and
/// their meanings.
///
/// Four inputs have fields of their own, because most operations have them and the timing loop uses
/// them: the key, the nonce (an IV, a counter block, a tweak, a salt), the associated data and the
/// message. The other inputs are found by their names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Work {
    /// The primitive's id, such as `aes-128`.
    pub primitive: String,
    /// The operation's id, such as `cbc-encrypt`.
    pub operation: String,
    /// The key; empty for an operation without a key.
    pub key: Vec<u8>,
    /// The nonce, IV, first counter block, tweak, salt or crypt(3) setting.
    pub nonce: Vec<u8>,
    /// Additional authenticated data.
    pub aad: Vec<u8>,
    /// The message, the ciphertext joined with its tag, or the password.
    pub input: Vec<u8>,
    /// Length in bytes of the tag to make or to check; `None` for the tag's usual length.
    pub tag: Option<usize>,
    /// Length in bytes of the output, if the caller chooses the length.
    pub length: Option<usize>,
    /// Inputs that have none of the fields above, sorted by name.
    pub others: Vec<(String, Vec<u8>)>,
    /// Integer inputs by name, `tag` and `length` among them.
    pub numbers: BTreeMap<String, u64>,
}

/// The direction of a mode of operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Direction {
    /// From plaintext to ciphertext.
    Encrypt,
    /// From ciphertext to plaintext.
    Decrypt,
}

impl Direction {
    /// Both directions, encryption first.
    pub const BOTH: [Self; 2] = [Self::Encrypt, Self::Decrypt];

    /// Returns whether this is [`Direction::Encrypt`].
    pub fn is_encrypt(self) -> bool {
        self == Self::Encrypt
    }

    /// Returns the first value for encryption, and the second value for decryption.
    #[inline]
    pub fn choose<T>(self, encrypt: T, decrypt: T) -> T {
        match self {
            Self::Encrypt => encrypt,
            Self::Decrypt => decrypt,
        }
    }

    /// Returns the length of an AEAD's input without its tag. For encryption the input has no tag.
    /// For decryption the tag follows the ciphertext; an input shorter than the tag is refused as
    /// forged.
    #[inline]
    pub fn without_tag(self, given: usize, tag: usize) -> Result<usize, Failure> {
        match self {
            Self::Encrypt => Ok(given),
            Self::Decrypt => given.checked_sub(tag).ok_or(Failure::Rejected),
        }
    }

    /// Returns the id of the operation that does `mode` in this direction.
    pub fn of(self, mode: &str) -> String {
        match self {
            Self::Encrypt => format!("{mode}-encrypt"),
            Self::Decrypt => format!("{mode}-decrypt"),
        }
    }

    /// Returns the mode and the direction of an operation; `None` for one without direction.
    pub fn split(operation: &str) -> Option<(&str, Self)> {
        match operation.rsplit_once('-')? {
            (mode, "encrypt") => Some((mode, Self::Encrypt)),
            (mode, "decrypt") => Some((mode, Self::Decrypt)),
            _ => None,
        }
    }
}

/// Returns whether an operation's output can overwrite its message, so that the operation can be
/// timed by the contract `in-place`. The output must be as long as the message, or a tag may follow
/// it, and the output must be a valid message again.
pub fn stays_in_place(operation: &str) -> bool {
    Direction::split(operation).is_some_and(|(mode, way)| match mode {
        "ecb" | "cbc" | "cfb" | "cfb8" | "ofb" | "ctr" | "xts" | "stream" => true,
        "gcm" | "ccm" | "ocb" | "eax" | "gcm-siv" | "aead" => way.is_encrypt(),
        _ => false,
    })
}

impl Work {
    /// Reads the work from a message of the protocol.
    pub(crate) fn unpack(wire: &touchstone_wire::Work) -> Result<Self, Failure> {
        let mut work = Self {
            primitive: wire.primitive.clone(),
            operation: wire.operation.clone(),
            ..Self::default()
        };
        for (name, value) in &wire.inputs {
            match value {
                Value::Bytes(data) => work.take_bytes(name, data),
                Value::Number(number) => {
                    work.numbers.insert(name.clone(), *number);
                }
            }
        }
        work.tag = work.length_of("tag")?;
        work.length = work.length_of("length")?;
        Ok(work)
    }

    fn take_bytes(&mut self, name: &str, data: &Data) {
        let place = match name {
            "key" => &mut self.key,
            "nonce" => &mut self.nonce,
            "aad" => &mut self.aad,
            "input" => &mut self.input,
            _ => {
                self.others.push((name.to_owned(), data.to_vec()));
                return;
            }
        };
        *place = data.to_vec();
    }

    fn length_of(&self, name: &str) -> Result<Option<usize>, Failure> {
        let Some(bytes) = self.number(name) else {
            return Ok(None);
        };
        match usize::try_from(bytes) {
            Ok(bytes) if bytes <= MOST_BYTES => Ok(Some(bytes)),
            _ => Err(Failure::unsupported(format_args!(
                "{name} of {bytes} bytes"
            ))),
        }
    }

    /// Returns a cost parameter by name, such as `iterations`.
    pub fn cost(&self, name: &str) -> Option<u64> {
        self.number(&format!("cost.{name}"))
    }

    /// Returns the same work with one more cost parameter.
    #[must_use]
    pub fn with_cost(mut self, name: &str, value: u64) -> Self {
        self.numbers.insert(format!("cost.{name}"), value);
        self
    }

    /// Returns an integer input by name.
    pub fn number(&self, name: &str) -> Option<u64> {
        self.numbers.get(name).copied()
    }

    /// Returns the mode and the direction of the operation, if it has a direction.
    pub fn mode(&self) -> Option<(&str, Direction)> {
        Direction::split(&self.operation)
    }

    /// Returns the name and the value of a cipher's parameter, if the work has one: the effective
    /// key length in bits, or the number of rounds.
    pub fn parameter(&self) -> Option<(&'static str, u64)> {
        let names = ["effective-bits", "rounds"];
        names
            .into_iter()
            .find_map(|name| Some((name, self.cost(name)?)))
    }

    /// Returns one of the inputs in `others` by name; empty if it is absent.
    pub fn other(&self, name: &str) -> &[u8] {
        let found = self.others.iter().find(|(known, _)| known == name);
        found.map_or(&[], |(_, bytes)| bytes)
    }

    /// Refuses a key of a length that is not among `lengths`, in bytes.
    pub fn need_key(&self, lengths: impl Lengths) -> Result<(), Failure> {
        need("key", self.key.len(), lengths)
    }

    /// Refuses a nonce of a length that is not among `lengths`, in bytes.
    pub fn need_nonce(&self, lengths: impl Lengths) -> Result<(), Failure> {
        need("nonce", self.nonce.len(), lengths)
    }

    /// Refuses associated data of a length that is not among `lengths`, in bytes.
    pub fn need_aad(&self, lengths: impl Lengths) -> Result<(), Failure> {
        need("associated data", self.aad.len(), lengths)
    }

    /// Refuses a message of a length that is not among `lengths`, in bytes.
    pub fn need_input(&self, lengths: impl Lengths) -> Result<(), Failure> {
        need("message", self.input.len(), lengths)
    }

    /// Refuses a message whose length is not a multiple of `block` bytes.
    pub fn need_blocks(&self, block: usize) -> Result<(), Failure> {
        match self.input.len() {
            bytes if bytes.is_multiple_of(block) => Ok(()),
            bytes => Err(Failure::length("a message", bytes)),
        }
    }

    /// Returns the tag's length in bytes: the length that the work gives, which must be among
    /// `lengths`, or the usual length.
    pub fn need_tag(&self, usual: usize, lengths: impl Lengths) -> Result<usize, Failure> {
        let tag = self.tag.unwrap_or(usual);
        need("tag", tag, lengths).map(|()| tag)
    }

    /// Returns a cost parameter, which must be present, must not be 0, and must be small enough for
    /// `T`.
    pub fn need_cost<T: TryFrom<u64>>(&self, name: &str) -> Result<T, Failure> {
        let value = self.cost(name).unwrap_or(0);
        match T::try_from(value) {
            Ok(cost) if value > 0 => Ok(cost),
            _ => Err(Failure::unsupported(format_args!("{name} of {value}"))),
        }
    }
}

/// A set of lengths: one number, a range, or a list.
pub trait Lengths {
    /// Returns whether the set has this length.
    fn has(&self, length: usize) -> bool;
}

impl Lengths for usize {
    fn has(&self, length: usize) -> bool {
        *self == length
    }
}

impl Lengths for &[usize] {
    fn has(&self, length: usize) -> bool {
        self.contains(&length)
    }
}

/// A function is a set too: the lengths for which it returns true.
impl<F: Fn(usize) -> bool> Lengths for F {
    fn has(&self, length: usize) -> bool {
        self(length)
    }
}

impl<const N: usize> Lengths for [usize; N] {
    fn has(&self, length: usize) -> bool {
        self.contains(&length)
    }
}

macro_rules! ranges {
    ($($range:ty),+) => {
        $(impl Lengths for $range {
            fn has(&self, length: usize) -> bool {
                RangeBounds::contains(self, &length)
            }
        })+
    };
}

ranges!(
    std::ops::RangeInclusive<usize>,
    std::ops::RangeFrom<usize>,
    std::ops::RangeToInclusive<usize>
);

fn need(what: &str, length: usize, lengths: impl Lengths) -> Result<(), Failure> {
    if lengths.has(length) {
        Ok(())
    } else {
        Err(Failure::unsupported(format_args!(
            "a {what} of {length} bytes"
        )))
    }
}

impl Failure {
    /// Returns the [`Failure::Unsupported`] for work that the library does not offer.
    pub fn not_offered(work: &Work) -> Self {
        let Work {
            primitive,
            operation,
            ..
        } = work;
        Self::unsupported(format_args!("{primitive} {operation}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_unpacked_by_name() {
        let wire = touchstone_wire::Work::new("ed25519", "verify")
            .with("key", vec![1])
            .with("input", Data::Painted(3))
            .with("signature", vec![9, 9])
            .with("tag", 12)
            .with("cost.rounds", 3);
        let work = Work::unpack(&wire).unwrap();
        assert_eq!((&work.key[..], &work.input[..]), (&[1][..], &[0, 1, 2][..]));
        assert_eq!(work.others, [("signature".to_owned(), vec![9, 9])]);
        assert_eq!((work.tag, work.length), (Some(12), None));
        assert_eq!(work.cost("rounds"), Some(3));
    }

    #[test]
    fn a_length_that_no_output_has_is_unsupported() {
        for (name, bytes) in [("length", u64::MAX), ("tag", 1 << 40)] {
            let wire = touchstone_wire::Work::new("p", "o").with(name, bytes);
            assert!(matches!(Work::unpack(&wire), Err(Failure::Unsupported(_))));
        }
    }

    #[test]
    fn lengths_are_named_in_the_refusal() {
        let work = Work {
            key: vec![0; 17],
            ..Work::default()
        };
        assert_eq!(work.need_key(17), Ok(()));
        assert_eq!(work.need_key([16, 17]), Ok(()));
        assert_eq!(work.need_key(1..=32), Ok(()));
        assert_eq!(
            work.need_key([16, 24, 32]),
            Err(Failure::Unsupported("a key of 17 bytes".into()))
        );
        assert_eq!(work.need_tag(16, 1..=16), Ok(16));
        assert!(work.need_tag(16, [4, 8]).is_err());
        assert!(work.need_cost::<u32>("iterations").is_err());
    }

    #[test]
    fn what_can_be_done_in_place_can_be_done_again_and_again() {
        for operation in ["cbc-decrypt", "gcm-encrypt", "stream-encrypt"] {
            assert!(stays_in_place(operation), "{operation}");
        }
        for operation in [
            "gcm-decrypt",
            "siv-encrypt",
            "kw-encrypt",
            "hash",
            "cbc-mac",
        ] {
            assert!(!stays_in_place(operation), "{operation}");
        }
    }

    #[test]
    fn a_mode_has_a_direction() {
        assert_eq!(
            Direction::split("gcm-siv-decrypt"),
            Some(("gcm-siv", Direction::Decrypt))
        );
        assert_eq!(Direction::split("cbc-mac"), None);
        assert_eq!(Direction::Encrypt.of("ctr"), "ctr-encrypt");
    }
}
