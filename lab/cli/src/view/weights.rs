//! How far the weight of one function of a RANK may move before another library is the best.

use super::exhibit::{Exhibit, Figure};
use super::lens::Lens;

/// A library with the logarithms of its ratios to the best library, one for each function.
pub(super) type Logs = (String, Vec<f64>);

/// The end of the range of a weight.
#[derive(Debug, Clone, PartialEq)]
struct End {
    /// The weight at which the winner changes; the other functions have weight 1.
    weight: f64,
    /// The library that is the best beyond the weight.
    then: String,
}

/// Returns the library with the least sum, which is that with the least geometric mean.
fn winner(libraries: &[Logs]) -> Option<&Logs> {
    let sum = |(_, logs): &Logs| logs.iter().sum::<f64>();
    let order = |a: &&Logs, b: &&Logs| sum(a).total_cmp(&sum(b));
    libraries.iter().min_by(order)
}

/// Returns the ends of the range in which the weight of a function may lie, with weight 1 for each
/// other function, so that the winner stays the same. `None` for an end that does not exist: no
/// library is ever better, however small or large the weight.
fn range(libraries: &[Logs], function: usize) -> [Option<End>; 2] {
    let Some((best, own)) = winner(libraries) else {
        return [None, None];
    };
    let mut ends: [Option<End>; 2] = [None, None];
    for (other, logs) in libraries.iter().filter(|(id, _)| id != best) {
        // The winner's lead: its sum less the other's, without the function and in the function.
        let all: f64 = own.iter().sum::<f64>() - logs.iter().sum::<f64>();
        let here = own[function] - logs[function];
        let weight = (here - all) / here;
        if here == 0.0 || weight < 0.0 {
            continue;
        }
        // Where the winner leads in the function itself, less weight helps the other.
        let end = usize::from(here > 0.0);
        let is_nearer = |known: &End| match end {
            0 => weight > known.weight,
            _ => weight < known.weight,
        };
        if ends[end].as_ref().is_none_or(is_nearer) {
            ends[end] = Some(End {
                weight,
                then: other.clone(),
            });
        }
    }
    ends
}

/// Returns a table with a row for each function. `libraries` must have all functions.
pub(super) fn sweep(lens: &Lens<'_>, functions: &[&str], libraries: &[Logs]) -> Exhibit {
    let heads = [
        "function",
        ">least weight",
        "below it",
        ">most weight",
        "above it",
    ];
    let title = "Weights: how much one function of Table 4 may count before the winner changes";
    let mut exhibit = Exhibit::list(title, &heads);
    if libraries.len() < 2 {
        return exhibit
            .note("fewer than two libraries have all functions in this run, so there is no range");
    }
    for (index, function) in functions.iter().enumerate() {
        let ends = range(libraries, index);
        let figures = ends
            .into_iter()
            .zip(["0", "any"])
            .flat_map(|(end, open)| match end {
                Some(End { weight, then }) => [
                    Figure::computed(weight, format!("{weight:.2}")),
                    Figure::text(lens.summary.name(&then)),
                ],
                None => [Figure::text(open), Figure::none()],
            });
        exhibit.named(function, figures.collect());
    }
    let best = winner(libraries).map_or("", |(best, _)| best);
    let best = format!(
        "{} libraries have all functions; the best of them, with equal weights, is {}",
        libraries.len(),
        lens.summary.name(best)
    );
    exhibit.note(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn logs(id: &str, ratios: [f64; 2]) -> Logs {
        (id.to_owned(), ratios.map(f64::ln).to_vec())
    }

    #[test]
    fn a_weight_has_the_end_at_which_two_libraries_are_equal() {
        // a: 1 and 2, so its product is 2; b: 4 and 1, so its product is 4.
        let two = [logs("a", [1.0, 2.0]), logs("b", [4.0, 1.0])];
        assert_eq!(winner(&two).unwrap().0, "a");
        let [below, above] = range(&two, 0);
        // With 4^w = 2 both are equal; with more weight, a only gains.
        let below = below.unwrap();
        assert!((below.weight - 0.5).abs() < 1e-12 && below.then == "b");
        assert_eq!(above, None);
        let [below, above] = range(&two, 1);
        // With 2^w = 4 both are equal.
        assert_eq!(below, None);
        assert!((above.unwrap().weight - 2.0).abs() < 1e-12);
        // A library that leads everywhere loses at no weight.
        let all = [logs("a", [1.0, 1.0]), logs("b", [4.0, 2.0])];
        assert_eq!(range(&all, 0), [None, None]);
    }
}
