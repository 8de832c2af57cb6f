//! The comparison of Aulov and Gorbenko (2012): facts, coverage, RANK of each function
//! and real speeds, and the order of libraries that results.

mod coverage;
mod functions;
mod paper;
mod ranks;
mod searches;

use super::criteria;
use super::exhibit::{Exhibit, Figure};
use super::lens::Lens;
use super::published::{Published, Sheet};
use super::sourced;
use crate::catalogue;
use coverage::coverage;
use paper::{order, printed};
use ranks::{ranks, speeds, weights};
use searches::searches;

pub(super) fn make(lens: &Lens<'_>) -> anyhow::Result<Vec<Exhibit>> {
    let work = Published::open("libraries")?;
    let sheets = ["1", "2", "3", "4", "5"].map(|name| work.sheet(name));
    let [
        facts_then,
        methods_then,
        coverage_then,
        ranks_then,
        speeds_then,
    ] = sheets;
    let ranks_then = ranks_then?;
    let speeds_then = speeds_then?;
    let below = format!("below: {}", work.source);
    let said = "what the libraries' projects say, by the sources in the last column";
    let [platforms, uses] = criteria::facts(lens)?;
    let mut exhibits = vec![
        facts(lens, &facts_then?).note(&below),
        methods(lens, &methods_then?)?.note(format!(
            "facts from the sources in the last column, not from this run; {below}"
        )),
        coverage(lens, &coverage_then?).note(format!(
            "of the paper's algorithms those that answered rightly in this run, and how many; {below}"
        )),
        ranks(lens).note(
            "least time of a round over the best library's, for several parameters their geometric mean; RANK is the \
             geometric mean over what is there. MUL: 256 … 4096 bits; POWMOD: 512 … 2048 bits, \
             exponents as long; xGCD: modular inverses of 256 … 2048 bits, as the paper describes it; \
             ECMUL: any point of sect233k1, sect283r1 and sect409k1; AES and TDES in ECB, 16 KiB; \
             RSA of 2048 bits with PKCS #1 v1.5 and SHA-256; ECDSA on sect283r1 with SHA-256; \
             HMAC-SHA-1 and SHA-1 256 bytes",
        ),
        speeds(lens).note("AES, TDES, HMAC and SHA-1 in MB/s, signatures in operations a second"),
        printed("Table 4 of 2012: RANK of each function, lower is better", &ranks_then)
            .note(format!("{}; {}", work.source, work.machine)),
        printed("Table 5 of 2012: speeds, higher is better by its headings", &speeds_then)
            .note("AES and TDES headed KB/s, signatures op/s, HMAC and SHA-1 without a unit"),
        order(&ranks_then, &speeds_then).note(
            "printed: the RANK column; cells: the geometric mean of the row, which is what the \
             formula asks for, and not what is printed for MIRACL; least and most: the same from \
             Table 5, the least value of a column taken as best, as the paper does, and the most, as \
             KB/s and op/s ask for. In brackets the place",
        ),
        weights(lens),
        criteria::resources(lens).note(
            "code and tables: bytes of the loaded object; a library that is linked into its worker has \
             none of its own. Memory: the worker's peak beyond that of an empty worker. RSA sign: \
             thousands of cycles of one signature, PKCS #1 v1.5 of 2048 bits",
        ),
        platforms.note(said),
        uses.note(said),
    ];
    exhibits.extend(searches(lens).map(|exhibit| {
        exhibit.note(
            "the mean is what ranks use; quantiles of single calls only where a sample is one call, \
             because a mean of several calls has lost the tail",
        )
    }));
    Ok(exhibits)
}

fn facts(lens: &Lens<'_>, sheet: &Sheet) -> Exhibit {
    let heads = ["library", "type", "licence", "version", "language"];
    let mut exhibit = Exhibit::list("Libraries: what they are", &heads);
    for id in lens.libraries() {
        let Some(library) = lens.summary.libraries.iter().find(|l| l.id == *id) else {
            continue;
        };
        let offers = lens
            .summary
            .verification
            .iter()
            .filter(|row| row.library == *id);
        let has: Vec<&str> = offers.map(|row| row.family.as_str()).collect();
        let families: Vec<&str> = catalogue::FAMILIES
            .iter()
            .copied()
            .filter(|family| has.contains(family))
            .collect();
        let of = |text: &str| {
            if text.is_empty() {
                Figure::none()
            } else {
                Figure::text(text)
            }
        };
        let figures = [
            &families.join(", "),
            &library.licence,
            &library.version,
            &library.language,
        ];
        exhibit.library(lens, id, figures.map(|text| of(text)).to_vec());
    }
    for (name, values) in &sheet.rows {
        exhibit.published(name, values.iter().cloned().chain(["C or C++".to_owned()]));
    }
    exhibit
}

fn methods(lens: &Lens<'_>, sheet: &Sheet) -> anyhow::Result<Exhibit> {
    let title = "Methods of calculation";
    let mut exhibit = sourced::exhibit(lens, &sourced::methods()?, title, &sourced::METHODS);
    for (name, values) in &sheet.rows {
        exhibit.published(name, values.iter().cloned().chain(["the paper".to_owned()]));
    }
    Ok(exhibit)
}
