//! The kinds of failures ([`Failure::kind`](crate::summary::Failure::kind)), and which of them is
//! worse.

/// The library accepted what it must refuse.
pub const FORGERY: &str = "accepted a forgery";
/// The library accepted another encoding of a genuine signature.
pub const SECOND_FORM: &str = "accepted a second form";
/// The library made what only a forger would need.
pub const MADE: &str = "made what must not be";
/// A failure that the library's manifest calls intended.
pub const INTENDED: &str = "differs on purpose";

/// The kinds, the worst first, each with its meaning for a user of the library. A forgery that a
/// program accepts harms more than an answer that no program can use.
const KINDS: [(&str, &str); 11] = [
    (
        FORGERY,
        "The library took a message that somebody changed for a genuine one.",
    ),
    (
        MADE,
        "The library gave a result where the standard demands a refusal.",
    ),
    (
        "wrong answer",
        "The output is not what the standard says, or the library refused a genuine message. \
         Other implementations cannot read the output.",
    ),
    (
        "changed answer",
        "The same call gave different answers at different times.",
    ),
    ("crash", "The library ended the process."),
    (
        SECOND_FORM,
        "The library took another encoding of a genuine signature for genuine. Nobody can sign a \
         new message in this way, but the same message can have two signatures.",
    ),
    ("timeout", "The call did not end in time."),
    (
        "garbage",
        "The worker's answer had no form that the lab knows.",
    ),
    (
        "disagrees",
        "No known answer covers this case, and most other libraries answer differently.",
    ),
    (
        "error",
        "The library refused an input that the standard allows.",
    ),
    (
        INTENDED,
        "The library follows another specification than the known answer; neither is wrong.",
    ),
];

/// Returns a number by which failures are sorted, the worst first. Unknown kinds come last.
pub fn severity(kind: &str) -> usize {
    let known = KINDS.iter().position(|(known, _)| *known == kind);
    known.unwrap_or(KINDS.len())
}

/// Returns whether the library accepted what it must refuse.
pub fn is_acceptance(kind: &str) -> bool {
    [FORGERY, SECOND_FORM, MADE].contains(&kind)
}

/// Returns what a kind means for a user of the library; nothing for an unknown kind.
pub fn meaning(kind: &str) -> &'static str {
    KINDS.get(severity(kind)).map_or("", |(_, meaning)| meaning)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forgeries_come_before_wrong_answers_and_unknown_kinds_last() {
        assert!(severity(FORGERY) < severity("wrong answer"));
        assert!(severity("wrong answer") < severity(SECOND_FORM));
        assert!(severity(INTENDED) < severity("new kind"));
        assert_eq!(meaning("new kind"), "");
    }
}
