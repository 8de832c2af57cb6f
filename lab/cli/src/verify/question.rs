//! One request about a known answer, and the judgement of what a library says to it.

use std::collections::BTreeMap;

use touchstone_vectors::{Vector, Verdict};
use touchstone_wire::{Data, Reply, Work};

use super::SHOWN;
use super::known::Known;
use crate::operations::{Operation, Record};
use crate::summary::Failure;
use crate::text::Foreign as _;

/// One request and what a right library says to it.
pub(super) struct Question<'a> {
    pub(super) file: usize,
    pub(super) vector: &'a Vector,
    pub(super) work: Work,
    expected: BTreeMap<String, Data>,
    refuses: bool,
}

impl<'a> Question<'a> {
    pub(super) fn new(file: usize, vector: &'a Vector, operation: &Operation) -> Self {
        let record = Record::of(vector);
        Self {
            file,
            vector,
            work: operation.work(&vector.primitive, &record),
            expected: operation.expected(&vector.primitive, &record),
            refuses: operation.refuses,
        }
    }

    /// Judges an answer.
    pub(super) fn judge(&self, reply: &Reply) -> Outcome {
        match (self.vector.verdict, reply) {
            (_, Reply::Unsupported { .. }) => Outcome::Unsupported,
            (Verdict::Acceptable, _) => Outcome::Either,
            (Verdict::Valid, Reply::Output { outputs }) if same(outputs, &self.expected) => {
                Outcome::Right
            }
            (Verdict::Valid, Reply::Output { outputs }) => {
                Outcome::Wrong("wrong answer", shown(outputs))
            }
            (Verdict::Valid, Reply::Rejected) => {
                Outcome::Wrong("wrong answer", "refused as forged".into())
            }
            (Verdict::Valid, Reply::Failed { reason }) => Outcome::Wrong("error", reason.clone()),
            // A forgery must be refused, with whatever error.
            (Verdict::Invalid, Reply::Rejected | Reply::Failed { .. }) => Outcome::Right,
            (Verdict::Invalid, Reply::Output { outputs }) if self.refuses => {
                Outcome::Wrong("accepted a forgery", shown(outputs))
            }
            // A forged MAC must not be the one that comes out.
            (Verdict::Invalid, Reply::Output { outputs }) if same(outputs, &self.expected) => {
                Outcome::Wrong("made what must not be", shown(outputs))
            }
            (Verdict::Invalid, Reply::Output { .. }) => Outcome::Right,
            (_, other) => Outcome::Wrong("garbage", other.line()),
        }
    }

    /// The failure that a report shows.
    pub(super) fn failure(&self, known: &Known, library: &str, kind: &str, got: &str) -> Failure {
        let vector = self.vector;
        let mut failure = Failure {
            library: library.to_owned(),
            primitive: self.work.primitive.clone(),
            operation: self.work.operation.clone(),
            kind: kind.to_owned(),
            place: place(&known.files[self.file], vector),
            input: cut(self.work.shown()),
            expected: match vector.verdict {
                Verdict::Valid => cut(shown(&self.expected)),
                _ => format!("refusal ({})", vector.flags.join(" ")),
            },
            got: cut(got.to_owned()),
        };
        failure.make_visible();
        failure
    }
}

/// What an answer was found to be.
pub(super) enum Outcome {
    Right,
    Either,
    Unsupported,
    Wrong(&'static str, String),
}

/// Whether two sets of outputs are the same: one that is absent equals an empty one.
pub(super) fn same(a: &BTreeMap<String, Data>, b: &BTreeMap<String, Data>) -> bool {
    let bytes = |outputs: &BTreeMap<String, Data>| -> Vec<(String, Vec<u8>)> {
        outputs
            .iter()
            .filter(|(_, data)| !data.is_empty())
            .map(|(name, data)| (name.clone(), data.to_vec()))
            .collect()
    };
    bytes(a) == bytes(b)
}

/// Outputs as people read them: the digits alone where there is one output.
pub(super) fn shown(outputs: &BTreeMap<String, Data>) -> String {
    let hex = |data: &Data| touchstone_wire::to_hex(&data.to_vec());
    match outputs.iter().next() {
        Some((_, data)) if outputs.len() == 1 => hex(data),
        _ => outputs
            .iter()
            .map(|(name, data)| format!("{name}={}", hex(data)))
            .collect::<Vec<_>>()
            .join(" "),
    }
}

fn cut(text: String) -> String {
    if text.len() > SHOWN {
        let start: String = text.chars().take(SHOWN).collect();
        format!("{start}… ({} characters)", text.len())
    } else {
        text
    }
}

/// Where a vector stands: file and line, where it has one, and its name.
fn place(file: &str, vector: &Vector) -> String {
    let line = match vector.line {
        0 => String::new(),
        line => format!(":{line}"),
    };
    format!("{file}{line} {}", vector.name)
        .trim_end()
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "# source: s\n# licence: MIT\n\
        [aes-128 gcm-encrypt]\n\n\
        key = 00\nnonce = 01\naad = 02\ninput = 0304\noutput = 0506\ntag = 0708\n\n\
        [aes-128 gcm-decrypt]\n\n\
        key = 00\nnonce = 01\ninput =\noutput = 0506\ntag = 0709\nresult = invalid\nflags = ModifiedTag\n\n\
        [aes-128 siv-encrypt]\n\ninput = 03\noutput = 05\ntag = 07\n\n\
        [sha-1 hash]\n\ninput = \"abc\"\noutput = a999\n";

    fn known() -> Known {
        let mut known = Known::default();
        let vectors = touchstone_vectors::parse(FILE).unwrap().vectors;
        assert!(known.add("f.vec".into(), vectors).is_empty());
        known
    }

    #[test]
    fn a_record_runs_both_ways_and_a_forgery_one_way() {
        let known = known();
        let forwards = known.questions("aes-128", "gcm-encrypt");
        assert_eq!(forwards.len(), 1);
        assert_eq!(shown(&forwards[0].expected), "05060708");
        assert_eq!(forwards[0].work.number("tag"), Some(2));
        let backwards = known.questions("aes-128", "gcm-decrypt");
        assert_eq!(backwards.len(), 2);
        assert_eq!(backwards[0].work.bytes("input"), [5, 6, 7, 9]);
        assert_eq!(backwards[1].work.bytes("input"), [5, 6, 7, 8]);
        assert_eq!(shown(&backwards[1].expected), "0304");
        let siv = known.questions("aes-128", "siv-decrypt");
        assert_eq!(siv[0].work.bytes("input"), [7, 5], "SIV puts its tag first");
    }

    #[test]
    fn a_signature_is_verified_the_other_way_round() {
        let text = "# source: s\n# licence: MIT\n[ed25519 sign]\n\n\
            key = 01\npublic = 02\ninput = 03\noutput = 0405\n\n\
            [ed25519 verify]\n\npublic = 02\ninput = 03\noutput = 0406\nresult = invalid\n\n\
            [ed25519 sign]\n\nkey = 01\npubic = 02\ninput = 03\noutput = 0405\n";
        let mut known = Known::default();
        let vectors = touchstone_vectors::parse(text).unwrap().vectors;
        let left_out = known.add("f.vec".into(), vectors);
        assert_eq!(left_out, [("sign has no field pubic".to_owned(), 1)].into());
        let verify = known.questions("ed25519", "verify");
        assert_eq!(verify.len(), 2);
        let [forged, genuine] = &verify[..] else {
            unreachable!()
        };
        assert_eq!(genuine.work.shown(), "input=03 key=02 signature=0405");
        assert_eq!(forged.work.shown(), "input=03 key=02 signature=0406");
        let accepted = Reply::Output {
            outputs: BTreeMap::new(),
        };
        assert!(matches!(genuine.judge(&accepted), Outcome::Right));
        assert!(matches!(
            genuine.judge(&Reply::Rejected),
            Outcome::Wrong(..)
        ));
        assert!(matches!(forged.judge(&accepted), Outcome::Wrong(..)));
        assert!(matches!(forged.judge(&Reply::Rejected), Outcome::Right));
    }

    #[test]
    fn judgement() {
        let known = known();
        let output = |bytes: &[u8]| Reply::Output {
            outputs: [("output".to_owned(), Data::Bytes(bytes.to_vec()))].into(),
        };
        let hash = &known.questions("sha-1", "hash")[0];
        assert!(matches!(hash.judge(&output(&[0xa9, 0x99])), Outcome::Right));
        assert!(matches!(
            hash.judge(&output(&[0xa9])),
            Outcome::Wrong("wrong answer", _)
        ));
        let refusal = Reply::Unsupported {
            reason: String::new(),
        };
        assert!(matches!(hash.judge(&refusal), Outcome::Unsupported));
        let forged = &known.questions("aes-128", "gcm-decrypt")[0];
        assert!(matches!(forged.judge(&Reply::Rejected), Outcome::Right));
        assert!(matches!(
            forged.judge(&output(&[1])),
            Outcome::Wrong("accepted a forgery", _)
        ));
        let genuine = &known.questions("aes-128", "gcm-decrypt")[1];
        assert!(matches!(
            genuine.judge(&Reply::Rejected),
            Outcome::Wrong(..)
        ));
    }
}
