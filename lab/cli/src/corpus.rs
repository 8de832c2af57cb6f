//! The corpus: fixed answers of operations whose answers differ from call to call, such as keys.
//! All libraries are timed with the same keys, in each run, because the time of a private
//! operation depends on the key. The table is `data/corpus.toml`, which says how it was made.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use touchstone_wire::{Data, from_hex};

use crate::catalogue;

/// Answers by operation, by the name of the corpus, and by the name of the output.
type Corpus = BTreeMap<String, BTreeMap<String, BTreeMap<String, Vec<String>>>>;

static CORPUS: LazyLock<Corpus> = LazyLock::new(|| {
    toml::from_str(include_str!("../data/corpus.toml")).expect("the corpus is well-formed")
});

/// Returns an answer of an operation for a primitive, at a position on the operation's axis.
/// Answer 0 is the first. `None` if the corpus has no such answer.
pub(crate) fn answer(
    primitive: &str,
    operation: &str,
    position: u64,
    index: usize,
) -> Option<BTreeMap<String, Data>> {
    let of_operation = CORPUS.get(operation)?;
    let name = catalogue::corpus(primitive);
    let outputs = of_operation
        .get(name)
        .or_else(|| of_operation.get(&format!("{name}-{position}")))?;
    outputs
        .iter()
        .map(|(name, answers)| {
            let bytes = from_hex(answers.get(index)?)?;
            Some((name.clone(), Data::Bytes(bytes)))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operations;

    #[test]
    fn every_answer_is_one_of_its_operation() {
        for (operation, rows) in &*CORPUS {
            let known = operations::find(operation).unwrap_or_else(|| panic!("{operation}"));
            for (name, outputs) in rows {
                assert!(outputs.keys().eq(known.outputs.keys()), "{name}");
                let least = outputs.values().map(Vec::len).min().unwrap_or(0);
                assert!(least > 0, "{name}");
                for text in outputs.values().flatten() {
                    assert!(
                        from_hex(text).is_some_and(|bytes| !bytes.is_empty()),
                        "{name}"
                    );
                }
            }
        }
        assert_eq!(answer("no-such", "generate-key", 0, 0), None);
    }
}
