//! The table of `touchstone verify --failed`.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::adapters::Defect;
use crate::kinds;
use crate::rank::verdict::few;
use crate::summary::{Failure, unasked};
use crate::table::Table;
use crate::verify::KEPT;

/// Returns the defect of a failure's library that its manifest knows.
pub(super) type Known<'a> = dyn Fn(&Failure) -> Option<&'a Defect> + 'a;

/// Failures by the severity of their kind.
type ByKind<'a> = BTreeMap<usize, Vec<&'a Failure>>;

/// Returns a table with one row for each library that gave wrong answers, the worst first. What a
/// library does differently on purpose has a row of its own, after all others.
pub(super) fn table(
    failures: &[Failure],
    name: &dyn Fn(&str) -> String,
    known: &Known<'_>,
) -> Table {
    let columns = ["library", ">wrong", "kind", ">answers", "algorithms"];
    let mut table = Table::new("worst", "Wrong answers, the worst first", &columns);
    let mut rows: BTreeMap<(&str, bool), ByKind<'_>> = BTreeMap::new();
    let mut reasons: Vec<String> = Vec::new();
    for failure in failures.iter().filter(|f| unasked(&f.kind).is_none()) {
        let kind = failure.kind.as_str();
        let is_intended = kind == kinds::INTENDED;
        let kinds = rows.entry((&failure.library, is_intended)).or_default();
        kinds
            .entry(kinds::severity(kind))
            .or_default()
            .push(failure);
        if let Some(defect) = known(failure).filter(|_| is_intended) {
            let reason = format!("{}, on purpose: {}", name(&failure.library), defect.what);
            if !reasons.contains(&reason) {
                reasons.push(reason);
            }
        }
    }
    let mut rows: Vec<_> = rows.into_iter().collect();
    rows.sort_by_key(|((_, is_intended), kinds)| {
        let worst = kinds.first_key_value();
        let worst = worst.map(|(place, all)| (*place, Reverse(all.len())));
        (*is_intended, worst)
    });
    for ((library, is_intended), kinds) in rows {
        let Some(worst) = kinds.values().next() else {
            continue;
        };
        let algorithms: BTreeSet<String> = worst
            .iter()
            .map(|f| format!("{} {}", f.primitive, f.operation))
            .collect();
        let wrong = match is_intended {
            true => 0,
            false => kinds.values().map(Vec::len).sum(),
        };
        table.row([
            name(library),
            wrong.to_string(),
            worst[0].kind.clone(),
            worst.len().to_string(),
            few(&Vec::from_iter(algorithms)).join(", "),
        ]);
    }
    table.footnote = format!(
        "wrong: all wrong answers, at most {KEPT} of an algorithm; kind, answers, algorithms: the \
         worst kind of them, how many, and where; without --failed each is shown"
    );
    if !reasons.is_empty() {
        let meaning = kinds::meaning(kinds::INTENDED);
        let kind = kinds::INTENDED;
        table.remark(&format!("{kind}, and not counted as wrong here: {meaning}"));
        table.remark(&reasons.join("\n"));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adapters::Manifest;

    /// Returns failures of one kind: `count` of them in one algorithm of a library.
    fn failures(library: &str, primitive: &str, kind: &str, count: usize) -> Vec<Failure> {
        let failure = Failure {
            library: library.into(),
            primitive: primitive.into(),
            operation: "private-decrypt".into(),
            kind: kind.into(),
            place: "wycheproof.vec:56 tcId 9".into(),
            input: String::new(),
            expected: String::new(),
            got: String::new(),
        };
        vec![failure; count]
    }

    /// Returns the manifest of a library that answers wrong padding of PKCS #1 on purpose.
    fn manifest() -> Manifest {
        let text = "name = \"RustCrypto\"\ncommand = [\"c\"]\n[[defects]]\nintended = true\n\
                    algorithm = \"^rsa-.*-pkcs1 private-decrypt$\"\nwhat = \"implicit rejection\"\n";
        Manifest::parse(text).unwrap()
    }

    fn shown(failures: &[Failure]) -> (Vec<[String; 4]>, String) {
        let manifest = manifest();
        let known = |f: &Failure| match f.library.as_str() {
            "rustcrypto" => manifest.defect(&f.primitive, &f.operation, Some(&f.place)),
            _ => None,
        };
        let table = table(failures, &|id| id.to_uppercase(), &known);
        let rows = table.rows.iter();
        let rows = rows.map(|row| [0, 1, 2, 3].map(|column| row[column].text().to_owned()));
        (rows.collect(), table.footnote)
    }

    #[test]
    fn what_is_intended_stands_last_and_is_explained() {
        let mut all = failures("rustcrypto", "rsa-2048-pkcs1", kinds::INTENDED, 10);
        all.extend(failures("rustcrypto", "rsa-2048-oaep", kinds::FORGERY, 1));
        all.extend(failures("botan", "rsa-2048-pkcs1", kinds::FORGERY, 3));
        all.extend(failures("botan", "rsa-2048-oaep", "error", 8));
        all.extend(failures("nettle", "rsa-2048-pkcs1", "error", 9));
        all.extend(failures("gnutls", "rsa-2048-pkcs1", "crash", 1));
        all.extend(failures("wolfssl", "rsa-2048-pkcs1", "wrong answer", 2));
        all.extend(failures("mbedtls", "rsa-2048-pkcs1", "wrong answer", 5));
        all.extend(failures("flint", "rsa-2048-pkcs1", "a new kind", 5));
        let (rows, footnote) = shown(&all);
        let expected = [
            ["BOTAN", "11", kinds::FORGERY, "3"],
            ["RUSTCRYPTO", "1", kinds::FORGERY, "1"],
            ["MBEDTLS", "5", "wrong answer", "5"],
            ["WOLFSSL", "2", "wrong answer", "2"],
            ["GNUTLS", "1", "crash", "1"],
            ["NETTLE", "9", "error", "9"],
            ["FLINT", "5", "a new kind", "5"],
            ["RUSTCRYPTO", "0", kinds::INTENDED, "10"],
        ];
        assert_eq!(rows, expected.map(|row| row.map(str::to_owned)));
        let reason = "RUSTCRYPTO, on purpose: implicit rejection";
        assert!(footnote.ends_with(reason), "{footnote}");
        assert!(footnote.contains("neither is wrong"), "{footnote}");
    }

    #[test]
    fn without_an_intended_difference_nothing_is_said_of_one() {
        let (rows, footnote) = shown(&failures("botan", "rsa-2048-pkcs1", "error", 1));
        assert_eq!(rows.len(), 1);
        assert!(!footnote.contains("on purpose"), "{footnote}");
    }
}
