//! The criteria of Aulov and Gorbenko (2012) beside the speeds: what was measured of each library, and
//! what its project says.

use super::exhibit::{Exhibit, Figure};
use super::lens::Lens;
use super::sourced;
use crate::stats::Interval;

/// The signature of which the processor time is given.
const SIGNATURE: (&str, &str, u64) = ("rsa-2048-pkcs1-sha-256", "sign", 64);

/// Returns what was measured: bytes of code and tables, memory, time to start, and the processor time
/// of a signature.
pub(super) fn resources(lens: &Lens<'_>) -> Exhibit {
    let heads = [
        "library",
        ">code KiB",
        ">tables KiB",
        ">memory MiB",
        ">start ms",
        ">RSA sign kcycles",
    ];
    let mut exhibit = Exhibit::list(
        "Criteria of the paper: memory, code and processor time",
        &heads,
    );
    let mhz = lens.summary.machine.mhz.map(|[_, median, _]| median);
    let (primitive, operation, bytes) = SIGNATURE;
    // Nanoseconds times cycles a microsecond.
    let cycles = lens.hot(primitive, operation, bytes, |cell| {
        Interval::exact(cell.spread[0] * mhz.unwrap_or(f64::NAN) / 1e6)
    });
    let number = |value: Option<f64>, digits: usize| match value {
        Some(value) => Figure::computed(value, format!("{value:.digits$}")),
        None => Figure::none(),
    };
    for id in lens.libraries() {
        let Some(library) = lens.summary.libraries.iter().find(|l| l.id == *id) else {
            continue;
        };
        let kib = |bytes: Option<u64>| number(bytes.map(|bytes| bytes as f64 / 1024.0), 0);
        let figures = vec![
            kib(library.code_bytes),
            kib(library.table_bytes),
            number(library.peak_kib.map(|kib| kib as f64 / 1024.0), 1),
            number(library.start_ms, 1),
            cycles
                .get(*id)
                .filter(|_| mhz.is_some())
                .cloned()
                .unwrap_or_else(Figure::none),
        ];
        exhibit.library(lens, id, figures);
    }
    exhibit
}

/// Returns what the libraries' projects say: where a library runs, and what a product may do with it.
pub(super) fn facts(lens: &Lens<'_>) -> anyhow::Result<[Exhibit; 2]> {
    let known = sourced::criteria()?;
    let [platforms, uses] = [&sourced::CRITERIA[..3], &sourced::CRITERIA[3..]];
    let title = |of: &str| format!("Criteria of the paper: {of}");
    Ok([
        sourced::exhibit(lens, &known, &title("platforms and compilers"), platforms),
        sourced::exhibit(lens, &known, &title("use, protocols and tests"), uses),
    ])
}
