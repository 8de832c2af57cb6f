//! The criteria of Aulov and Gorbenko (2012) beside the speeds: what was measured of each library, and
//! what its project says.

use serde::Deserialize;

use super::exhibit::{Exhibit, Figure};
use super::lens::Lens;
use crate::stats::Interval;

/// What projects say: `data/criteria.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Criteria {
    library: Vec<Facts>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Facts {
    id: String,
    platforms: String,
    compilers: String,
    parallel: String,
    commercial: String,
    protocols: String,
    selftests: String,
    source: String,
}

fn known() -> anyhow::Result<Criteria> {
    Ok(toml::from_str(include_str!("../../data/criteria.toml"))?)
}

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
    let known = known()?;
    let mut exhibits = [
        Exhibit::list(
            "Criteria of the paper: platforms and compilers",
            &["library", "platforms", "compilers", "parallelism", "source"],
        ),
        Exhibit::list(
            "Criteria of the paper: use, protocols and tests",
            &[
                "library",
                "commercial use",
                "protocols",
                "self-tests",
                "source",
            ],
        ),
    ];
    for id in lens.libraries() {
        let Some(facts) = known.library.iter().find(|facts| facts.id == *id) else {
            continue;
        };
        let rows = [
            [&facts.platforms, &facts.compilers, &facts.parallel],
            [&facts.commercial, &facts.protocols, &facts.selftests],
        ];
        for (exhibit, row) in exhibits.iter_mut().zip(rows) {
            let texts = row.into_iter().chain([&facts.source]);
            let figures = texts.map(|text| match text.as_str() {
                "-" => Figure::none(),
                text => Figure::text(text),
            });
            exhibit.library(lens, id, figures.collect());
        }
    }
    Ok(exhibits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fact_is_of_an_adapter_and_has_a_source() {
        let adapters = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../adapters");
        let mut last = String::new();
        for facts in known().unwrap().library {
            let manifest = adapters.join(&facts.id).join("adapter.toml");
            assert!(manifest.is_file(), "{}", facts.id);
            assert!(facts.source.len() > 5, "{}", facts.id);
            assert!(last < facts.id, "{} stands after {last}", facts.id);
            last = facts.id;
        }
    }
}
