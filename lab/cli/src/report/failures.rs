//! Groups failures for the report: failures with one likely cause together, worst first, and
//! marks the bytes in which an answer differs.

use serde::Serialize;

use crate::adapters::{self, Candidate, Defect};
use crate::catalogue;
use crate::kinds;
use crate::names;
use crate::summary::{Failure, Summary};

/// Most characters of one field of a failure in the page; the store has the whole field.
const FIELD: usize = 2000;

/// Failures of one kind of one project in one mode, which are likely to have one cause.
#[derive(Debug, Serialize)]
pub(super) struct Group {
    kind: String,
    meaning: &'static str,
    /// The ids of the libraries: versions and builds of one project.
    libraries: Vec<String>,
    /// The algorithms, for people; empty for failures of the worker itself.
    algorithms: Vec<String>,
    /// The primitive of the first failure, for its mark.
    primitive: String,
    /// The library's known defect that explains the failures, from its manifest.
    defect: Option<Defect>,
    cases: Vec<Case>,
}

#[derive(Debug, Serialize)]
struct Case {
    /// The failure's place in the summary.
    index: usize,
    library: String,
    algorithm: String,
    place: String,
    input: String,
    expected: Vec<Piece>,
    got: Vec<Piece>,
}

/// A part of an answer.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Piece {
    text: String,
    differs: bool,
}

/// Returns the groups, worst first.
pub(super) fn groups(summary: &Summary, manifests: &[Candidate]) -> Vec<Group> {
    let project = |id: &str| {
        let known = summary.libraries.iter().find(|library| library.id == id);
        known.map_or_else(|| id.to_owned(), |library| library.project().to_owned())
    };
    let mut groups: Vec<(usize, [String; 4], Group)> = Vec::new();
    for (index, failure) in summary.failures.iter().enumerate() {
        let defect = defect(failure, manifests);
        // Runs of older builds did not tell intended answers from wrong ones.
        let kind = match &defect {
            Some(known) if known.intended => kinds::INTENDED,
            _ => failure.kind.as_str(),
        };
        let key = [
            kind.to_owned(),
            project(&failure.library),
            catalogue::stem(&failure.operation).to_owned(),
            stem(&failure.primitive).to_owned(),
        ];
        let place = groups.iter().position(|(_, known, _)| *known == key);
        let place = place.unwrap_or_else(|| {
            let group = Group::of(failure, kind, defect.clone());
            groups.push((kinds::severity(kind), key, group));
            groups.len() - 1
        });
        groups[place].2.add(index, failure);
    }
    groups.sort_by(|(a, a_key, _), (b, b_key, _)| (a, a_key).cmp(&(b, b_key)));
    groups.into_iter().map(|(_, _, group)| group).collect()
}

/// The known defect in the manifest of a failure's library.
fn defect(failure: &Failure, manifests: &[Candidate]) -> Option<Defect> {
    let (primitive, operation) = (&failure.primitive, &failure.operation);
    let known = of_library(&failure.library, manifests).find_map(|one| {
        let manifest = &one.manifest;
        manifest.defect(primitive, operation, Some(&failure.place))
    });
    known.cloned()
}

/// Returns the adapters of a library.
fn of_library<'a>(
    library: &'a str,
    manifests: &'a [Candidate],
) -> impl Iterator<Item = &'a Candidate> {
    let adapter = adapters::adapter(library);
    manifests.iter().filter(move |one| one.adapter == adapter)
}

/// The primitive without its key length: `aes` for `aes-128`.
fn stem(primitive: &str) -> &str {
    primitive
        .rsplit_once('-')
        .filter(|(_, end)| end.bytes().all(|byte| byte.is_ascii_digit()))
        .map_or(primitive, |(stem, _)| stem)
}

impl Group {
    fn of(failure: &Failure, kind: &str, defect: Option<Defect>) -> Self {
        Self {
            kind: kind.to_owned(),
            meaning: kinds::meaning(kind),
            libraries: Vec::new(),
            algorithms: Vec::new(),
            primitive: failure.primitive.clone(),
            defect,
            cases: Vec::new(),
        }
    }

    fn add(&mut self, index: usize, failure: &Failure) {
        let algorithm = match failure.primitive.as_str() {
            "" => String::new(),
            primitive => format!(
                "{} {}",
                names::primitive(primitive),
                names::operation(&failure.operation)
            ),
        };
        if !self.libraries.contains(&failure.library) {
            self.libraries.push(failure.library.clone());
        }
        if !algorithm.is_empty() && !self.algorithms.contains(&algorithm) {
            self.algorithms.push(algorithm.clone());
        }
        // An operation that only accepts or refuses has no bytes.
        let [expected, got] = match [&*failure.expected, &*failure.got] {
            [expected, ""] if failure.kind.starts_with("accepted") => [expected, "accepted"],
            ["", got] if got.starts_with("refused") => ["accepted", got],
            answers => answers,
        };
        self.cases.push(Case {
            index,
            library: failure.library.clone(),
            algorithm,
            place: failure.place.clone(),
            input: cut(&failure.input),
            expected: pieces(expected, &failure.got),
            got: pieces(got, &failure.expected),
        });
    }
}

/// Divides an answer where it begins and ceases to differ from another one. Answers that are
/// not bytes in hexadecimal are one piece.
fn pieces(text: &str, other: &str) -> Vec<Piece> {
    let is_hex = |text: &str| {
        !text.is_empty()
            && text.len().is_multiple_of(2)
            && text.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    if !is_hex(text) || !is_hex(other) {
        let text = cut(text);
        let whole = Piece {
            text,
            differs: false,
        };
        return Vec::from_iter((!whole.text.is_empty()).then_some(whole));
    }
    let mut others = other.as_bytes().chunks_exact(2);
    let mut pieces: Vec<Piece> = Vec::new();
    let shown = &text.as_bytes()[..text.len().min(FIELD)];
    for byte in shown.chunks_exact(2) {
        let differs = others.next() != Some(byte);
        let digits = byte.iter().map(|&digit| char::from(digit));
        match pieces.last_mut().filter(|last| last.differs == differs) {
            Some(last) => last.text.extend(digits),
            None => pieces.push(Piece {
                text: digits.collect(),
                differs,
            }),
        }
    }
    if shown.len() < text.len() {
        pieces.push(Piece {
            text: format!("… ({} bytes in all)", text.len() / 2),
            differs: false,
        });
    }
    pieces
}

/// Shortens a long text and notes that it was cut.
fn cut(text: &str) -> String {
    let characters = text.chars().count();
    if characters <= FIELD {
        return text.to_owned();
    }
    let kept: String = text.chars().take(FIELD).collect();
    format!("{kept}… ({characters} characters in all)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut() {
        assert_eq!(cut("short"), "short");
        assert!(cut(&"x".repeat(FIELD + 1)).ends_with("… (2001 characters in all)"));
    }

    #[test]
    fn bytes_that_differ_are_pieces_of_their_own() {
        let piece = |text: &str, differs| Piece {
            text: text.into(),
            differs,
        };
        assert_eq!(
            pieces("00112233", "00aabb33"),
            [piece("00", false), piece("1122", true), piece("33", false)]
        );
        assert_eq!(
            pieces("0011", "00"),
            [piece("00", false), piece("11", true)]
        );
        assert_eq!(
            pieces("refused as forged", "00"),
            [piece("refused as forged", false)]
        );
        assert_eq!(pieces("", "00"), []);
        let long = pieces(&"00".repeat(FIELD), "00");
        assert_eq!(long.last(), Some(&piece("… (2000 bytes in all)", false)));
    }

    #[test]
    fn a_known_defect_explains_a_failure_of_its_library() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../adapters");
        let manifests = adapters::manifests(&folder).unwrap();
        let failure = |library: &str, primitive: &str| Failure {
            library: library.into(),
            primitive: primitive.into(),
            operation: "gcm-encrypt".into(),
            kind: "wrong answer".into(),
            place: String::new(),
            input: String::new(),
            expected: String::new(),
            got: String::new(),
        };
        let told = defect(&failure("cryptopp@sid", "aes-128"), &manifests).unwrap();
        assert!(told.what.contains("overflows 32 bits"), "{told:?}");
        assert!(defect(&failure("openssl", "aes-128"), &manifests).is_none());
        let mut ed25519 = failure("botan", "ed25519");
        ed25519.operation = "verify".into();
        assert!(defect(&ed25519, &manifests).is_none());
        ed25519.place = "signature/ed25519/wycheproof.vec:432 tcId 63 s + L".into();
        let told = defect(&ed25519, &manifests).unwrap();
        assert_eq!(told.mended.as_deref(), Some("3.0.0"));
        let is_intended = |primitive: &str| {
            let mut failure = failure("rustcrypto-public@2", primitive);
            failure.operation = "private-decrypt".into();
            failure.place = "wycheproof.vec:9 tcId 23 ".into();
            defect(&failure, &manifests).unwrap().intended
        };
        assert!(is_intended("rsa-2048-pkcs1"));
        assert!(!is_intended("rsa-2048-oaep-sha-256"));
    }

    #[test]
    fn key_lengths_of_one_cipher_are_one_group() {
        assert_eq!(stem("aes-128"), "aes");
        assert_eq!(stem("chacha20-poly1305"), "chacha20-poly1305");
        assert_eq!(stem("xtea"), "xtea");
    }
}
