//! Where the answer turns: the length, or the number of messages under a key, at which
//! another library becomes the first.

use super::model::Estimate;
use crate::rank::ratio::ties;

/// A place where the first library is no longer level with the fastest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Turn {
    /// The place.
    pub at: f64,
    /// The index of the library that is first from there on.
    pub to: usize,
}

/// Goes along `knots`, between which all costs are straight lines, and finds the library
/// that is first at the beginning, and where others replace it. A library stays the first
/// for as long as it ties with the fastest. `costs` has a row for each library, with its
/// cost at each knot.
pub fn turns(knots: &[f64], costs: &[Vec<Estimate>]) -> (usize, Vec<Turn>) {
    let fastest = |knot: usize| {
        let by_cost = |a: &usize, b: &usize| costs[*a][knot].mid.total_cmp(&costs[*b][knot].mid);
        (0..costs.len()).min_by(by_cost).unwrap_or(0)
    };
    let mut turns: Vec<Turn> = Vec::new();
    let start = fastest(0);
    let (mut first, mut since) = (start, 0);
    for knot in 1..knots.len() {
        let other = fastest(knot);
        if other == first || ties(&costs[first][knot].over(&costs[other][knot])) {
            continue;
        }
        let gap = |knot: usize| costs[first][knot].mid - costs[other][knot].mid;
        // The last place at which the two lines cross. If the other library was ahead all
        // along and only too little to tell, it is the first from this knot on.
        let crossing = (since..knot)
            .rev()
            .find(|&k| gap(k) <= 0.0 && gap(k + 1) > 0.0);
        let at = crossing.map_or(knots[knot], |k| {
            knots[k] + gap(k) / (gap(k) - gap(k + 1)) * (knots[k + 1] - knots[k])
        });
        turns.push(Turn { at, to: other });
        (first, since) = (other, knot);
    }
    (start, turns)
}

#[cfg(test)]
mod tests {
    use super::super::model::Curves;
    use super::super::model::tests::cell;
    use super::*;

    /// The costs of libraries that were measured at all knots.
    fn measured(knots: &[u64], libraries: &[&[f64]]) -> Vec<Vec<Estimate>> {
        let cells = libraries.iter().enumerate().flat_map(|(index, times)| {
            let name = index.to_string();
            let points = knots.iter().zip(times.iter());
            points
                .map(|(bytes, ns)| cell(&name, "hot", *bytes, *ns))
                .collect::<Vec<_>>()
        });
        let curves = Curves::of(&cells.collect::<Vec<_>>(), &|_, _| true);
        (0..libraries.len())
            .map(|index| {
                let curve = curves.get(&index.to_string(), "aes-128", "gcm-encrypt", 1);
                let at = |bytes: &u64| curve.unwrap().at(*bytes as f64).unwrap().ns;
                knots.iter().map(at).collect()
            })
            .collect()
    }

    #[test]
    fn lines_cross_where_they_cross() {
        // 100 + x / 10 and 50 + x / 5 cross at 500.
        let costs = measured(&[100, 1100], &[&[110.0, 210.0], &[70.0, 270.0]]);
        let (start, turns) = turns(&[100.0, 1100.0], &costs);
        assert_eq!((start, turns.len()), (1, 1));
        assert_eq!(turns[0].to, 0);
        assert!((turns[0].at - 500.0).abs() < 1e-6, "{turns:?}");
    }

    #[test]
    fn a_library_stays_first_for_as_long_as_it_ties() {
        let knots = [16, 64, 256];
        let costs = measured(&knots, &[&[100.0, 200.5, 400.5], &[100.5, 200.0, 400.0]]);
        assert_eq!(turns(&knots.map(|k| k as f64), &costs), (0, Vec::new()));
        // It was a little behind at 64, and is clearly behind at 256.
        let costs = measured(&knots, &[&[100.0, 200.5, 500.0], &[100.5, 200.0, 400.0]]);
        let (start, found) = turns(&knots.map(|k| k as f64), &costs);
        assert_eq!((start, found.len(), found[0].to), (0, 1, 1));
        assert!((found[0].at - 40.0).abs() < 1e-6, "{found:?}");
    }

    #[test]
    fn the_lead_may_change_back() {
        let knots = [16, 64, 256];
        let costs = measured(&knots, &[&[50.0, 200.0, 300.0], &[100.0, 100.0, 400.0]]);
        let (start, found) = turns(&knots.map(|k| k as f64), &costs);
        assert_eq!(start, 0);
        assert_eq!(found.iter().map(|t| t.to).collect::<Vec<_>>(), [1, 0]);
        assert!((found[0].at - 32.0).abs() < 1e-6, "{found:?}");
        assert!((found[1].at - 160.0).abs() < 1e-6, "{found:?}");
    }
}
