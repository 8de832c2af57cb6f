//! The lengths of keys, nonces, messages and tags that are valid for each operation of
//! `docs/operations.md`; together they are the shape of the operation. An adapter does not
//! repeat these lengths. If its library accepts fewer lengths, it restricts the shape.

use std::ops::{RangeFrom, RangeInclusive};

use crate::{Direction, Failure, Lengths, Work};

/// A set of lengths in bytes: the multiples of `step` from `least` to `most`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    least: usize,
    most: usize,
    step: usize,
}

impl Span {
    /// Returns the lengths of this set that are multiples of `step` bytes.
    pub const fn multiples_of(self, step: usize) -> Self {
        Self { step, ..self }
    }
}

impl Lengths for Span {
    fn has(&self, length: usize) -> bool {
        (self.least..=self.most).contains(&length) && length.is_multiple_of(self.step)
    }
}

impl From<RangeInclusive<usize>> for Span {
    fn from(range: RangeInclusive<usize>) -> Self {
        Self {
            least: *range.start(),
            most: *range.end(),
            step: 1,
        }
    }
}

impl From<RangeFrom<usize>> for Span {
    fn from(range: RangeFrom<usize>) -> Self {
        (range.start..=usize::MAX).into()
    }
}

impl From<usize> for Span {
    fn from(length: usize) -> Self {
        (length..=length).into()
    }
}

/// The lengths of one operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// The number of the cipher's keys in the key: 2 for XTS, for example.
    pub keys: usize,
    /// The lengths of the nonce, IV, first counter block or tweak.
    pub nonce: Span,
    /// The lengths of the message, or of the ciphertext with its tag.
    pub input: Span,
    /// The lengths of the tag; the longest length is the usual one. `None` for an operation
    /// without a tag.
    pub tag: Option<Span>,
    /// Whether the length of the nonce limits the length of the message (CCM).
    counted: bool,
}

impl Shape {
    /// Returns the shape of an operation. `block` is the number of bytes in a block of the
    /// cipher, or in the MAC. A length that depends on the primitive is not restricted here.
    pub fn of(operation: &str, block: usize) -> Self {
        let (mode, way) = Direction::split(operation).unwrap_or((operation, Direction::Encrypt));
        let any = Span::from(0..);
        let shape = |nonce: Span, input: Span| Self {
            keys: 1,
            nonce,
            input,
            tag: None,
            counted: false,
        };
        let none = Span::from(0);
        let iv = Span::from(block);
        match mode {
            "ecb" => shape(none, any.multiples_of(block)),
            "cbc" => shape(iv, any.multiples_of(block)),
            "cfb" | "cfb8" | "ofb" | "ctr" => shape(iv, any),
            "cbc-cs1" | "cbc-cs2" | "cbc-cs3" => shape(iv, (block..).into()),
            // The lengths are from IEEE 1619, 5.1.
            "xts" => shape(iv, (block..).into()).keys(2),
            // The lengths are from RFC 3394, 2.2.
            "kw" => shape(none, Span::from(way.choose(16.., 24..)).multiples_of(8)),
            // The lengths are from RFC 5649, 4.
            "kwp" if way.is_encrypt() => shape(none, (1..).into()),
            "kwp" => shape(none, Span::from(16..).multiples_of(8)),
            // NIST SP 800-38D, 5.2.1. Libraries also allow shorter tags than the standard
            // lists.
            "gcm" | "gmac" => shape((1..).into(), any).tag(1..=16),
            // The lengths are from NIST SP 800-38C, A.1.
            "ccm" => Self {
                counted: true,
                ..shape((7..=13).into(), any).tag(Span::from(4..=16).multiples_of(2))
            },
            "eax" => shape(any, any).tag(1..=block),
            // The lengths are from RFC 7253, 4.2.
            "ocb" => shape((1..=15).into(), any).tag(1..=16),
            // The lengths are from RFC 5297, 2.2.
            "siv" => shape(any, any).tag(16).keys(2),
            // The lengths are from RFC 8452, 4.
            "gcm-siv" => shape(12.into(), any).tag(16),
            "aead" => shape(any, any).tag(16),
            "cmac" | "pmac" | "gost-mac" | "mac" => shape(none, any).tag(1..=block),
            "dmac" => shape(none, any).tag(1..=block).keys(2),
            "cbc-mac" | "retail-mac" => {
                shape(none, Span::from(block..).multiples_of(block)).tag(1..=block)
            }
            _ => shape(any, any),
        }
    }

    const fn keys(self, keys: usize) -> Self {
        Self { keys, ..self }
    }

    /// Returns the shape with these lengths of the nonce.
    #[must_use]
    pub fn nonce(self, nonce: impl Into<Span>) -> Self {
        let nonce = nonce.into();
        Self { nonce, ..self }
    }

    /// Returns the shape with these lengths of the message.
    #[must_use]
    pub fn input(self, input: impl Into<Span>) -> Self {
        let input = input.into();
        Self { input, ..self }
    }

    /// Returns the shape with these lengths of the tag.
    #[must_use]
    pub fn tag(self, tag: impl Into<Span>) -> Self {
        let tag = Some(tag.into());
        Self { tag, ..self }
    }

    /// Refuses work whose lengths are not in the shape. `key` has the valid lengths of one
    /// key. Returns the tag's length, or 0 for an operation without a tag.
    pub fn fit(self, work: &Work, key: impl Lengths) -> Result<usize, Failure> {
        let bytes = work.key.len();
        if !bytes.is_multiple_of(self.keys) || !key.has(bytes / self.keys) {
            return Err(Failure::length("a key", bytes));
        }
        work.need_nonce(self.nonce)?;
        work.need_input(self.input)?;
        // CCM stores the message's length in the bytes of a block that the nonce leaves free
        // (NIST SP 800-38C, A.2.1).
        let count = 15_usize.saturating_sub(work.nonce.len());
        if self.counted && count < 8 && work.input.len() >= 1 << (8 * count) {
            return Err(Failure::length("a message", work.input.len()));
        }
        match self.tag {
            Some(tag) => work.need_tag(tag.most, tag),
            None => Ok(0),
        }
    }
}

impl Work {
    /// Returns the shape of the work's operation; `block` as in [`Shape::of`].
    pub fn shape(&self, block: usize) -> Shape {
        Shape::of(&self.operation, block)
    }

    /// Returns the number of a stream cipher's first block. Refuses a number above `most`, and
    /// work that drops the beginning of the keystream. For a library that cannot drop
    /// keystream.
    pub fn first_block(&self, most: u64) -> Result<u64, Failure> {
        if self.cost("drop").is_some_and(|bytes| bytes != 0) {
            return Err(Failure::unsupported("dropping keystream"));
        }
        match self.cost("counter").unwrap_or(0) {
            number if number > most => Err(Failure::unsupported(format_args!(
                "a first block number of {number}"
            ))),
            number => Ok(number),
        }
    }
}

/// The operations of block ciphers in modes without authentication, and of key wrap.
pub const BLOCK_MODES: &[&str] = &[
    "ecb-encrypt",
    "ecb-decrypt",
    "cbc-encrypt",
    "cbc-decrypt",
    "cfb-encrypt",
    "cfb-decrypt",
    "cfb8-encrypt",
    "cfb8-decrypt",
    "ofb-encrypt",
    "ctr-encrypt",
    "cbc-cs1-encrypt",
    "cbc-cs1-decrypt",
    "cbc-cs2-encrypt",
    "cbc-cs2-decrypt",
    "cbc-cs3-encrypt",
    "cbc-cs3-decrypt",
    "xts-encrypt",
    "xts-decrypt",
    "kw-encrypt",
    "kw-decrypt",
    "kwp-encrypt",
    "kwp-decrypt",
];

/// The operations of stream ciphers.
pub const STREAMS: &[&str] = &["stream-encrypt", "stream-keystream"];

/// The operations of authenticated encryption, and GMAC, which is GCM without a message.
pub const AEADS: &[&str] = &[
    "gcm-encrypt",
    "gcm-decrypt",
    "ccm-encrypt",
    "ccm-decrypt",
    "eax-encrypt",
    "eax-decrypt",
    "ocb-encrypt",
    "ocb-decrypt",
    "siv-encrypt",
    "siv-decrypt",
    "gcm-siv-encrypt",
    "gcm-siv-decrypt",
    "aead-encrypt",
    "aead-decrypt",
    "gmac",
];

/// The operations of message authentication codes.
pub const MACS: &[&str] = &[
    "mac",
    "cmac",
    "pmac",
    "gmac",
    "cbc-mac",
    "dmac",
    "retail-mac",
    "gost-mac",
];

/// The operations of hashes.
pub const HASHES: &[&str] = &["hash", "xof"];

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// Returns the table of operations: id → its keys with dots, and their values as written.
    fn table() -> BTreeMap<String, BTreeMap<String, String>> {
        let text = include_str!("../../cli/data/operations.toml");
        let mut table = BTreeMap::<String, BTreeMap<String, String>>::new();
        for row in text.split("[[operation]]").skip(1) {
            let (mut place, mut values) = (String::new(), BTreeMap::new());
            for line in row.lines() {
                if let Some(part) = line.strip_prefix("[operation.") {
                    place = part.replace(']', ".");
                } else if let Some((key, value)) = line.split_once(" = ") {
                    values.insert(format!("{place}{key}"), value.to_owned());
                }
            }
            let name = |key: &str| values.get(key).map(|id| id.trim_matches('"').to_owned());
            let mut whole = name("like").map_or_else(BTreeMap::new, |like| table[&like].clone());
            let id = name("id").unwrap();
            whole.extend(values);
            table.insert(id, whole);
        }
        table
    }

    #[test]
    fn lengths_agree_with_the_table_of_operations() {
        let table = table();
        for operation in [BLOCK_MODES, STREAMS, AEADS, MACS, HASHES].concat() {
            let row = &table[operation];
            let family = format!("\"{}\"", crate::catalogue::family(operation));
            assert_eq!(row["family"], family, "{operation}");
            let shape = Shape::of(operation, 16);
            let has = |key: &str, what: &str| row.get(key).is_some_and(|v| v.contains(what));
            assert_eq!(shape.keys == 2, has("inputs.key", "2*key"), "{operation}");
            let nonce = row.keys().any(|key| key == "inputs.nonce");
            assert_eq!(
                shape.nonce == 0.into(),
                !nonce && operation != "hash" && operation != "xof" || operation == "mac",
                "{operation}"
            );
            if has("inputs.nonce", "bytes = 12") {
                assert!(shape.nonce.has(12), "{operation}");
            }
            assert_eq!(
                shape.tag.is_some(),
                row.contains_key("inputs.tag"),
                "{operation}"
            );
            if has("lengths", "multiple-of = \"block\"") {
                assert!(!shape.input.has(24) && shape.input.has(32), "{operation}");
            }
            if has("lengths", "least = \"block\"") {
                assert!(!shape.input.has(15) && shape.input.has(17), "{operation}");
            }
        }
    }

    fn work(operation: &str, lengths: [usize; 3]) -> Work {
        let [key, nonce, input] = lengths.map(|length| vec![0; length]);
        Work {
            operation: operation.to_owned(),
            key,
            nonce,
            input,
            ..Work::default()
        }
    }

    fn refusal(work: &Work) -> String {
        let refused = work.shape(16).fit(work, [16, 32]).unwrap_err();
        refused.to_string().replace("unsupported: ", "")
    }

    #[test]
    fn the_wrong_length_is_named() {
        assert_eq!(
            refusal(&work("xts-encrypt", [16, 16, 16])),
            "a key of 16 bytes"
        );
        assert_eq!(
            refusal(&work("xts-encrypt", [32, 8, 16])),
            "a nonce of 8 bytes"
        );
        assert_eq!(
            refusal(&work("xts-encrypt", [32, 16, 15])),
            "a message of 15 bytes"
        );
        assert_eq!(
            refusal(&work("cbc-decrypt", [16, 16, 20])),
            "a message of 20 bytes"
        );
        assert_eq!(
            refusal(&work("kw-decrypt", [16, 0, 16])),
            "a message of 16 bytes"
        );
        assert_eq!(
            refusal(&work("ccm-encrypt", [16, 13, 65536])),
            "a message of 65536 bytes"
        );
        let short = Work {
            tag: Some(5),
            ..work("ccm-encrypt", [16, 13, 0])
        };
        assert_eq!(refusal(&short), "a tag of 5 bytes");
    }

    #[test]
    fn the_usual_tag_is_the_longest_and_a_library_may_take_fewer_lengths() {
        for (operation, tag) in [("gcm-encrypt", 16), ("cmac", 16), ("ecb-encrypt", 0)] {
            let work = work(
                operation,
                [16, 12 * usize::from(tag == 16 && operation != "cmac"), 0],
            );
            assert_eq!(work.shape(16).fit(&work, 16), Ok(tag), "{operation}");
        }
        let gcm = work("gcm-encrypt", [16, 8, 0]);
        assert!(gcm.shape(16).nonce(12).fit(&gcm, 16).is_err());
        assert_eq!(gcm.shape(16).tag(8..=12).fit(&gcm, 16), Ok(12));
    }

    #[test]
    fn a_stream_begins_where_it_can() {
        let work = work("stream-encrypt", [32, 8, 0]).with_cost("counter", 7);
        assert_eq!(work.first_block(7), Ok(7));
        assert!(work.first_block(6).is_err());
        assert!(work.with_cost("drop", 1).first_block(7).is_err());
    }
}
