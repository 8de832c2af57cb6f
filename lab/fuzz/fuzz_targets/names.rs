//! Fuzzes names of algorithms with their costs, as workers, exported runs and users give them: the
//! catalogue answers for any name.
#![no_main]

use libfuzzer_sys::fuzz_target;
use touchstone_lab::catalogue::{self, Costs};
use touchstone_lab::{names, operations, text};

// Lines: a primitive, an operation, and costs such as `n=1024`.
fuzz_target!(|data: &str| {
    let mut lines = data.lines();
    let mut next = || lines.next().unwrap_or_default();
    let (primitive, operation) = (next(), next());
    let costs: Costs = lines
        .filter_map(|line| line.split_once('='))
        .filter_map(|(name, cost)| Some((name.to_owned(), cost.parse().ok()?)))
        .collect();
    let bytes = costs.values().next().copied().unwrap_or_default();
    let refused = catalogue::refused_cost(primitive, &costs);
    assert!(refused.is_none_or(|name| costs.contains_key(name)));
    assert_eq!(
        catalogue::cost(primitive, &costs).is_some(),
        catalogue::cost(primitive, &Costs::new()).is_some()
    );
    assert!(!catalogue::section(primitive, operation).is_empty());
    let taken = catalogue::takes(primitive, operation, bytes as usize);
    assert!(!taken || operations::find(operation).is_some());
    let floor = catalogue::floor(primitive, operation);
    assert!(floor.is_none_or(|cycles| cycles > 0.0));
    let _ = catalogue::usual_bytes(primitive, operation);
    let _ = catalogue::unit(operation);
    for name in [names::primitive(primitive), names::operation(operation)] {
        assert!(!text::visible(&name, text::NAME).contains(char::is_control));
    }
});
