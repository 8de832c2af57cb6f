//! Student's t distribution from the crate statrs, in the two forms that the lab needs.

use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// Above this number of degrees of freedom the normal distribution is used; the
/// difference is too small to be seen in any result.
const NORMAL: f64 = 1e6;

/// Returns the probability that t is at least this large, for a number of degrees of freedom
/// above 0; infinity means the normal distribution.
pub fn upper(t: f64, freedom: f64) -> f64 {
    if freedom >= NORMAL {
        Normal::standard().sf(t)
    } else {
        distribution(freedom).sf(t)
    }
}

/// Returns the value that |t| exceeds with this probability.
pub fn critical(chance: f64, freedom: f64) -> f64 {
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
        // Two-sided 5 %, 1 % and 0.1 % points, as printed in statistics books.
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
