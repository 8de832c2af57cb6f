//! Counts known answers by flag. A flag is the source's word for what a known answer
//! tests: Wycheproof marks a case with the mistake that the case should find.

use std::collections::BTreeMap;

use crate::summary::{Flag, Verification};

/// Sums over all algorithms for each library and flag, sorted by both.
pub fn by_library(rows: &[Verification]) -> BTreeMap<(&str, &str), Flag> {
    let mut sums: BTreeMap<(&str, &str), Flag> = BTreeMap::new();
    for row in rows {
        for flag in &row.flags {
            let sum = sums
                .entry((&row.library, &flag.flag))
                .or_insert_with(|| Flag {
                    flag: flag.flag.clone(),
                    ..Flag::default()
                });
            sum.passed += flag.passed;
            sum.failed += flag.failed;
            if let Some(accepted) = flag.accepted {
                *sum.accepted.get_or_insert_default() += accepted;
            }
            sum.acceptable += flag.acceptable;
            sum.unsupported += flag.unsupported;
            sum.unasked += flag.unasked;
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_add_up_over_algorithms() {
        let row = |library: &str, passed, failed| Verification {
            library: library.into(),
            flags: vec![Flag {
                flag: "ModifiedTag".into(),
                passed,
                failed,
                ..Flag::default()
            }],
            ..Verification::default()
        };
        let rows = [row("a", 3, 0), row("b", 1, 1), row("a", 4, 2)];
        let sums = by_library(&rows);
        let a = &sums[&("a", "ModifiedTag")];
        assert_eq!((a.passed, a.failed), (7, 2));
        assert_eq!(sums[&("b", "ModifiedTag")].failed, 1);
    }
}
