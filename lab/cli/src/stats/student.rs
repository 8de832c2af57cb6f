//! Student's t distribution, by statrs, in the two forms that the lab needs.

use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// Degrees of freedom beyond which the normal distribution takes its place: the two
/// differ by less than anybody reads.
const NORMAL: f64 = 1e6;

/// The chance that t is at least this large, with so many degrees of freedom (above 0;
/// infinity is the normal distribution).
pub(crate) fn upper(t: f64, freedom: f64) -> f64 {
    if freedom >= NORMAL {
        Normal::standard().sf(t)
    } else {
        distribution(freedom).sf(t)
    }
}

/// The t that is exceeded, in one direction or the other, with this chance.
pub(crate) fn critical(chance: f64, freedom: f64) -> f64 {
    if freedom >= NORMAL {
        Normal::standard().inverse_cdf(1.0 - chance / 2.0)
    } else {
        distribution(freedom).inverse_cdf(1.0 - chance / 2.0)
    }
}

fn distribution(freedom: f64) -> StudentsT {
    StudentsT::new(0.0, 1.0, freedom).expect("degrees of freedom are above 0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_printed_tables_come_out() {
        // Two-sided 5 %, 1 % and 0.1 % points as every statistics book has them.
        for (freedom, chance, t) in [
            (1.0, 0.05, 12.706),
            (2.0, 0.01, 9.925),
            (5.0, 0.05, 2.571),
            (10.0, 0.001, 4.587),
            (30.0, 0.01, 2.750),
            (120.0, 0.05, 1.980),
            (f64::INFINITY, 0.05, 1.960),
            (f64::INFINITY, 0.001, 3.291),
        ] {
            let got = critical(chance, freedom);
            assert!((got - t).abs() < 6e-4, "{freedom}, {chance}: {got}");
            assert!((2.0 * upper(t, freedom) / chance - 1.0).abs() < 3e-3);
        }
    }
}
