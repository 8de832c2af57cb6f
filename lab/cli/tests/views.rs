//! Tests every view with an invented run: figures of cells, and published figures.

#[path = "browser/sample.rs"]
mod sample;

use touchstone_lab::summary::{Cell, Summary};
use touchstone_lab::view::exhibit::{Exhibit, Figure, Row, Shown};
use touchstone_lab::view::{VIEWS, View};

fn show(summary: &Summary, name: &str) -> Shown {
    let view = VIEWS.iter().find(|view| view.name == name).unwrap();
    view.show(summary).unwrap()
}

fn row<'a>(exhibit: &'a Exhibit, label: &str) -> &'a Row {
    let found = exhibit.rows.iter().find(|row| row.figures[0].text == label);
    found.unwrap_or_else(|| panic!("{}: no row {label}", exhibit.title))
}

fn figure<'a>(exhibit: &'a Exhibit, label: &str, heading: &str) -> &'a Figure {
    let place = exhibit
        .columns
        .iter()
        .position(|column| column.heading == heading);
    &row(exhibit, label).figures[place.unwrap_or_else(|| panic!("no column {heading}"))]
}

fn number(exhibit: &Exhibit, label: &str, heading: &str) -> f64 {
    let value = figure(exhibit, label, heading).value;
    value
        .unwrap_or_else(|| panic!("{label}, {heading}: no number"))
        .mid
}

fn cell<'a>(
    summary: &'a Summary,
    library: &str,
    algorithm: &str,
    contract: &str,
    bytes: u64,
) -> &'a Cell {
    let wanted = |cell: &&Cell| {
        cell.library == library
            && format!("{} {}", cell.primitive, cell.operation) == algorithm
            && (cell.contract.as_str(), cell.bytes, cell.threads) == (contract, bytes, 1)
    };
    summary.cells.iter().find(wanted).unwrap()
}

fn close(a: f64, b: f64) {
    assert!((a / b - 1.0).abs() < 1e-9, "{a} is not {b}");
}

#[test]
fn every_view_has_figures_of_the_run_and_published_ones() {
    let summary = sample::summary();
    // The sample has no masks, only four contracts, one version of each library, and no whole
    // files. The views that need more have separate tests.
    let own_tests = ["acceleration", "versions", "files"];
    for view in VIEWS.iter().filter(|view| !own_tests.contains(&view.name)) {
        let shown = view.show(&summary).unwrap();
        let figures = || {
            shown
                .exhibits
                .iter()
                .flat_map(|e| &e.rows)
                .flat_map(|row| &row.figures)
        };
        assert!(
            figures().filter(|figure| figure.cell.is_some()).count() >= 3,
            "{}",
            view.name
        );
        // The sources of these two views published no figures that a view shows.
        if !matches!(view.name, "modes" | "lengths") {
            let published = |figure: &&Figure| figure.cell.is_none() && figure.value.is_some();
            assert!(figures().any(|figure| published(&figure)), "{}", view.name);
        }
        for exhibit in &shown.exhibits {
            for row in &exhibit.rows {
                assert_eq!(
                    row.figures.len(),
                    exhibit.columns.len(),
                    "{}",
                    exhibit.title
                );
            }
            // The charts use the same figures as the table.
            for figure in exhibit.rows.iter().flat_map(|row| &row.figures) {
                assert!(!figure.text.is_empty(), "{}", exhibit.title);
            }
        }
        assert_eq!(shown.tables().len(), shown.exhibits.len());
    }
}

#[test]
fn throughput_is_bytes_over_time() {
    let summary = sample::summary();
    for (view, table, label, algorithm) in [
        ("hashes", 0, "SHA-256", "sha-256 hash"),
        ("ciphers", 0, "Camellia-256", "camellia-256 ecb-encrypt"),
        ("ciphers", 1, "ChaCha20", "chacha20 stream-encrypt"),
        ("modes", 0, "CBC decrypt 192", "aes-192 cbc-decrypt"),
    ] {
        let shown = show(&summary, view);
        let cell = cell(&summary, "touchstone", algorithm, "hot", 16384);
        let expected = 16384.0 / cell.ns.mid * 1e9 / 1_048_576.0;
        close(
            number(&shown.exhibits[table], label, "Touchstone"),
            expected,
        );
    }
    let ciphers = show(&summary, "ciphers");
    assert_eq!(
        figure(&ciphers.exhibits[1], "Salsa20-12", "2013").text,
        "1150"
    );
    assert_eq!(
        figure(&show(&summary, "hashes").exhibits[0], "MD4", "2013").text,
        "750"
    );
}

#[test]
fn a_length_costs_two_set_ups_and_both_directions() {
    let summary = sample::summary();
    let shown = show(&summary, "lengths");
    let aes = &shown.exhibits[0];
    assert!(aes.title.starts_with("AES-256 ECB"), "{}", aes.title);
    let ns = |operation: &str, contract: &str, bytes| {
        cell(
            &summary,
            "openssl",
            &format!("aes-256 {operation}"),
            contract,
            bytes,
        )
        .ns
        .mid
    };
    let time: f64 = ["ecb-encrypt", "ecb-decrypt"]
        .map(|operation| ns(operation, "setup", 0) + ns(operation, "hot", 256))
        .iter()
        .sum();
    close(
        number(aes, "256 B", "OpenSSL"),
        256.0 / time * 1e9 / 1_048_576.0,
    );
    assert_eq!(row(aes, "256 B").x, Some(256.0));
}

#[test]
fn keys_digests_and_records_follow_the_mail() {
    let summary = sample::summary();
    let shown = show(&summary, "key-setup");
    let [set, block, cost, digests, records] = &shown.exhibits[..] else {
        panic!("{} exhibits", shown.exhibits.len());
    };
    for (cipher, then) in [("Blowfish", 3771.6), ("IDEA", 4.1)] {
        let bytes = number(set, cipher, "Botan") / number(block, cipher, "Botan") * 8.0;
        close(number(cost, cipher, "Botan"), bytes);
        close(number(cost, cipher, "1998"), then);
    }
    // The key set-up for IDEA's decryption differs, both in the mail and in the invented run.
    assert_eq!(figure(set, "IDEA decrypt", "1998").text, "72.787");
    let slower = number(set, "IDEA decrypt", "Botan") / number(set, "IDEA", "Botan");
    assert!(slower > 1.1, "{slower}");
    let sha1 = cell(&summary, "nettle", "sha-1 hash", "hot", 8).ns.mid;
    close(number(digests, "SHA-1 8 B", "Nettle"), 8e3 / sha1);
    let rc4 = cell(&summary, "nettle", "rc4 stream-encrypt", "hot", 8)
        .ns
        .mid;
    close(number(records, "SHA-1 8 B ÷ RC4 8 B", "Nettle"), sha1 / rc4);
    // The mail's table gives 5.953 µs divided by 0.538 µs.
    assert_eq!(
        figure(records, "SHA-1 8 B ÷ RC4 8 B", "1998 gives").text,
        "11.1"
    );
    assert_eq!(
        figure(records, "SSL 3: SHA-1 8 B ÷ RC4 28 B", "1998 says").text,
        "7"
    );
}

#[test]
fn ehrhardts_seconds_and_cycles_are_those_of_the_cells() {
    let summary = sample::summary();
    let shown = show(&summary, "ehrhardt");
    let cbc = cell(&summary, "openssl", "aes-128 cbc-encrypt", "hot", 64);
    close(
        number(&shown.exhibits[0], "OpenSSL", "CBC"),
        cbc.ns.mid * 8e6 / 1e9,
    );
    assert_eq!(figure(&shown.exhibits[0], "StrSecII/D6", "CBC").text, "9.3");
    let one = cell(&summary, "openssl", "aes-192 ecb-decrypt", "hot", 16);
    let cycles = one.ns.mid * one.mhz.unwrap() / 1e3;
    close(
        number(&shown.exhibits[3], "Dec/192, 16 B", "OpenSSL"),
        cycles,
    );
    assert_eq!(
        figure(&shown.exhibits[3], "Dec/192, 16 B", "ASM").text,
        "346"
    );
    let keystream = cell(&summary, "botan", "salsa20-12 stream-keystream", "hot", 576);
    close(
        number(&shown.exhibits[5], "Botan", "k12"),
        keystream.ns.mid * 1e6 / 1e9,
    );
}

#[test]
fn the_papers_tables_stand_beside_todays() {
    let summary = sample::summary();
    let shown = show(&summary, "libraries");
    let [facts, _, coverage, ranks, _, table4, _, order, ..] = &shown.exhibits[..] else {
        panic!("{} exhibits", shown.exhibits.len());
    };
    let openssl: Vec<&Row> = facts
        .rows
        .iter()
        .filter(|r| r.figures[0].text == "OpenSSL")
        .collect();
    assert_eq!(openssl.len(), 2, "today's and the paper's");
    assert_eq!(openssl[0].figures[3].text, "3.0.22");
    assert_eq!(
        (openssl[1].published, openssl[1].figures[3].text.as_str()),
        (true, "0.9.7c")
    );
    assert!(
        figure(coverage, "Touchstone", "ciphers")
            .text
            .contains("AES")
    );
    // In each column the best ratio is 1, and the library with the best mean is first.
    let best = |heading: &str| {
        let place = ranks
            .columns
            .iter()
            .position(|column| column.heading == heading)
            .unwrap();
        let values = ranks.rows.iter().filter_map(|row| row.figures[place].value);
        values.map(|value| value.mid).fold(f64::INFINITY, f64::min)
    };
    for heading in ["AES-192", "TDES", "HMAC-SHA-1", "SHA-1"] {
        assert_eq!(best(heading), 1.0, "{heading}");
    }
    assert_eq!(figure(table4, "MIRACL", "RANK").text, "1.40");
    assert_eq!(figure(order, "MIRACL", "cells").text, "1.93 (6)");
    assert_eq!(
        figure(order, "OpenSSL", "Table 5, most")
            .text
            .split(' ')
            .next_back(),
        Some("(1)")
    );
}

#[test]
fn an_empty_run_says_what_is_missing_in_every_view() {
    let mut summary = sample::summary();
    summary.cells.clear();
    summary.verification.clear();
    assert!(show(&summary, "files").missing.contains("touchstone files"));
    // The view `versions` lacks another tree and no cells. Other tests check this view.
    let of_cells = |view: &&View| !matches!(view.name, "versions" | "files");
    for view in VIEWS.iter().filter(of_cells) {
        let shown = view.show(&summary).unwrap();
        assert!(shown.missing.starts_with("Not in run 7: "), "{}", view.name);
        assert!(
            shown.missing.contains("touchstone run --profile standard"),
            "{}",
            shown.missing
        );
    }
}
