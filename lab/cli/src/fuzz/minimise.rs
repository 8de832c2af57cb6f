//! Reduces an input to a smaller one with the same effect.

use touchstone_wire::{Value, Work};

/// The most trials for one input.
const TRIALS: usize = 600;

/// Shortens and simplifies the bytes of each input as long as `fails` returns true for
/// the result. Inputs for which `allowed` returns false are not tried.
pub(super) fn minimise(
    work: &Work,
    allowed: &dyn Fn(&Work) -> bool,
    fails: &mut dyn FnMut(&Work) -> bool,
) -> Work {
    let mut best = work.clone();
    let mut trials = 0;
    loop {
        let before = trials;
        let mut smaller = None;
        for candidate in candidates(&best) {
            if trials >= TRIALS {
                return best;
            }
            if allowed(&candidate) {
                trials += 1;
                if fails(&candidate) {
                    smaller = Some(candidate);
                    break;
                }
            }
        }
        match smaller {
            Some(smaller) if trials > before => best = smaller,
            _ => return best,
        }
    }
}

/// Returns smaller forms of a work, the smallest first: bytes cut at the end or the start, then
/// bytes set to zero, in pieces of a half, a quarter … one byte.
fn candidates(work: &Work) -> Vec<Work> {
    let mut found = Vec::new();
    let names: Vec<&String> = work.inputs.keys().collect();
    for cut in [true, false] {
        for &name in &names {
            let bytes = work.bytes(name);
            let mut piece = bytes.len();
            while piece > 0 {
                let places = if cut {
                    vec![0, bytes.len() - piece]
                } else {
                    (0..bytes.len()).step_by(piece).collect()
                };
                for at in places {
                    let end = (at + piece).min(bytes.len());
                    let mut less = bytes.clone();
                    if cut {
                        less.drain(at..end);
                    } else if bytes[at..end].iter().any(|&byte| byte != 0) {
                        less[at..end].fill(0);
                    } else {
                        continue;
                    }
                    let mut candidate = work.clone();
                    candidate.set(name, Value::from(less));
                    found.push(candidate);
                }
                piece /= 2;
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_byte_that_matters_remains() {
        let message: Vec<u8> = (1..=100).collect();
        let work = Work::new("rc4", "stream-encrypt")
            .with("input", message)
            .with("key", vec![7; 16]);
        let allowed = |work: &Work| work.bytes("key").len() == 16;
        let small = minimise(&work, &allowed, &mut |work| {
            work.bytes("input").contains(&42)
        });
        assert_eq!(small.bytes("input"), [42]);
        assert_eq!(small.bytes("key"), [0; 16]);
    }
}
