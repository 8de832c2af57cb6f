//! Student's t distribution.

/// The chance of a |t| at least this large, with so many degrees of freedom
/// (any number above 0; infinity is the normal distribution).
pub(super) fn two_sided(t: f64, freedom: f64) -> f64 {
    // Beyond this the two differ by less than anybody reads.
    let freedom = freedom.min(1e7);
    let x = freedom / (freedom + t * t);
    incomplete_beta(x, freedom / 2.0, 0.5).clamp(0.0, 1.0)
}

/// The |t| that is exceeded with this chance: by bisection.
pub(super) fn critical(chance: f64, freedom: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    while two_sided(high, freedom) > chance && high < 1e9 {
        high *= 2.0;
    }
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if two_sided(middle, freedom) > chance {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

/// The regularised incomplete beta function by its continued fraction (DLMF
/// 8.17.22), evaluated by Lentz's method on the side where it converges fast.
fn incomplete_beta(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return x.clamp(0.0, 1.0);
    }
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - incomplete_beta(1.0 - x, b, a);
    }
    let scale = a * x.ln() + b * (1.0 - x).ln() + ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b);
    let away_from_zero = |v: f64| if v.abs() < 1e-300 { 1e-300 } else { v };
    let mut c = 1.0;
    let mut d = 1.0 / away_from_zero(1.0 - (a + b) * x / (a + 1.0));
    let mut fraction = d;
    for m in 1..10_000 {
        let m = f64::from(m);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut step = 1.0;
        for term in [even, odd] {
            d = 1.0 / away_from_zero(1.0 + term * d);
            c = away_from_zero(1.0 + term / c);
            step = c * d;
            fraction *= step;
        }
        if (step - 1.0).abs() < 1e-12 {
            break;
        }
    }
    scale.exp() * fraction / a
}

/// The logarithm of the gamma function for numbers above 0: Stirling's series
/// (DLMF 5.11.1), after the recurrence has made the argument large.
fn ln_gamma(x: f64) -> f64 {
    let mut shift = 0.0;
    let mut x = x;
    while x < 12.0 {
        shift += x.ln();
        x += 1.0;
    }
    let square = x * x;
    let series = (1.0 / 12.0
        - (1.0 / 360.0 - (1.0 / 1260.0 - 1.0 / (1680.0 * square)) / square) / square)
        / x;
    (x - 0.5) * x.ln() - x + 0.5 * std::f64::consts::TAU.ln() + series - shift
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
        }
        assert_eq!(two_sided(0.0, 4.0), 1.0);
        // One degree of freedom is Cauchy's distribution: a closed form.
        for t in [0.5, 3.0, 1e4] {
            let exact = 1.0 - 2.0 * f64::atan(t) / std::f64::consts::PI;
            assert!((two_sided(t, 1.0) - exact).abs() < 1e-11, "{t}");
        }
    }
}
