use touchstone_wire::Contract;

use super::cells::cells;
use super::costs::costs;
use super::doubt::flag;
use super::ranks::{rankings, variants};
use crate::profile::Task;
use crate::store::RawCell;
use crate::summary::{Cell, Library};
use crate::{operations, stats};

/// Returns the cells of libraries of which none is a build of another.
fn plain(raw: Vec<RawCell>) -> Vec<Cell> {
    cells(raw, &[], true)
}

fn raw(library: &str, bytes: u64, ns: f64) -> RawCell {
    RawCell {
        library: library.into(),
        task: Task {
            primitive: "aes-128".into(),
            operation: "ctr-encrypt".into(),
            contract: Contract::Hot,
            bytes,
            threads: 1,
            messages: 1,
        },
        calls: 10,
        stop: "narrow",
        first_ns: [0; 3],
        mhz: Some(3000.0),
        flags: Vec::new(),
        api: String::new(),
        kernel: String::new(),
        note: String::new(),
        samples: (0..9)
            .map(|i| 10.0 * ns * (1.0 + f64::from(i) * 1e-4))
            .collect(),
        processes: Vec::new(),
    }
}

#[test]
fn the_cost_model_finds_slope_and_intercept() {
    let cells = plain(
        [16, 256, 4096]
            .map(|n| raw("a", n, 20.0 + 0.5 * n as f64))
            .to_vec(),
    );
    let cost = &costs(&cells)[0];
    assert!((cost.slope.mid - 0.5).abs() < 1e-3, "{cost:?}");
    assert!((cost.intercept.mid - 20.0).abs() < 0.1, "{cost:?}");
}

#[test]
fn one_call_for_many_messages_counts_per_message() {
    let mut many = raw("a", 64, 640.0);
    many.task.contract = Contract::Many;
    many.task.messages = 16;
    let cell = &plain(vec![many])[0];
    assert!((cell.ns.mid - 40.0).abs() < 0.1, "{:?}", cell.ns);
    assert_eq!(cell.contract_label(), "many 16");
    assert_eq!((cell.ratio.mid, cell.tie), (1.0, false));
}

/// One call in ten takes a hundred times as long. The mean shows this, the median does not.
#[test]
fn an_operation_with_a_heavy_tail_has_its_mean() {
    let tail = |library: &str, operation: &str, slow: f64| {
        let mut cell = raw(library, 0, 10.0);
        cell.task.primitive = "ed25519".into();
        cell.task.operation = operation.into();
        for (round, sample) in cell.samples.iter_mut().enumerate() {
            *sample = 10.0 * if round == 4 { slow } else { 10.0 };
        }
        cell
    };
    assert_eq!(
        operations::statistic("generate-key"),
        stats::Statistic::Mean
    );
    for (operation, mid, ratio) in [("generate-key", 120.0, 12.0), ("sign", 10.0, 1.0)] {
        let cells = plain(vec![
            tail("a", operation, 10.0),
            tail("b", operation, 1000.0),
        ]);
        assert!((cells[1].ns.mid - mid).abs() < 1e-9, "{:?}", cells[1].ns);
        assert!(
            (cells[1].ratio.mid - ratio).abs() < 1e-9,
            "{:?}",
            cells[1].ratio
        );
        assert!(cells[1].ns.low <= mid && mid <= cells[1].ns.high);
    }
}

#[test]
fn a_masked_variant_is_never_what_others_are_compared_with() {
    let cells = plain(vec![
        raw("a", 64, 40.0),
        raw("a~portable", 64, 20.0),
        raw("b", 64, 80.0),
    ]);
    let ratios: Vec<f64> = cells.iter().map(|cell| cell.ratio.mid).collect();
    assert_eq!(ratios, [1.0, 0.5, 2.0]);
    assert!(cells.iter().all(|cell| !cell.tie));
    let (ranking, headline, _) = rankings(&[], &cells);
    assert_eq!(headline.quadrants[0].overall.rows.len(), 2);
    assert_eq!(ranking.overall.len(), 2, "{:?}", ranking.overall);
    assert!(
        ranking
            .algorithms
            .iter()
            .all(|row| row.library != "a~portable")
    );
    let alone = plain(vec![
        raw("a~portable", 64, 20.0),
        raw("a~no-avx512", 64, 40.0),
    ]);
    assert!(alone.iter().all(|cell| cell.ratio.mid == 1.0));
}

#[test]
fn the_newest_version_stands_for_a_library_and_a_build_for_none() {
    let library = |id: &str, version: &str, variant_of: &str| -> Library {
        serde_json::from_value(serde_json::json!({
            "id": id, "name": id, "version": version, "variant_of": variant_of, "path": "",
            "licence": "", "language": "", "features": "", "note": "", "absent": "",
            "offers": 1, "code_bytes": null, "table_bytes": null, "start_ms": null,
            "peak_kib": null
        }))
        .unwrap()
    };
    let found = variants(&[
        library("own", "0.1.0", ""),
        library("own-crypt", "4.4", "own"),
        library("peer", "1.9.4", ""),
        library("peer@2", "1.10.1", ""),
        library("lone-build", "2", "elsewhere"),
    ]);
    let pairs: Vec<(&str, &str)> = found.iter().map(|(a, b)| (&**a, &**b)).collect();
    assert_eq!(pairs, [("own-crypt", "own"), ("peer", "peer@2")]);
    // Nor does another build make its library look slow.
    let cells = cells(
        vec![raw("own", 64, 20.0), raw("own-c", 64, 10.0)],
        &[library("own", "1", ""), library("own-c", "1", "own")],
        true,
    );
    let ratios: Vec<f64> = cells.iter().map(|cell| cell.ratio.mid).collect();
    assert_eq!(ratios, [1.0, 0.5]);
}

#[test]
fn a_slow_minute_of_the_machine_is_no_librarys_fault() {
    let mut cells = plain(vec![
        raw("a", 64, 40.0),
        raw("a", 256, 30.0),
        raw("b", 64, 60.0),
        raw("b", 256, 45.0),
        raw("c", 64, 80.0),
        raw("c", 256, 61.0),
        // Library d takes half the time with more bytes, the other libraries take three
        // quarters.
        raw("d", 64, 80.0),
        raw("d", 256, 30.0),
    ]);
    flag(&mut cells);
    let of_its_own = |cell: &&Cell| cell.note.contains("this library takes longer for 64 bytes");
    let noted: Vec<(&str, u64)> = cells
        .iter()
        .filter(of_its_own)
        .map(|cell| (&cell.library[..], cell.bytes))
        .collect();
    assert_eq!(noted, [("d", 256)]);
    for cell in &cells {
        assert_eq!(cell.note.contains("machine was slower"), cell.bytes == 64);
        assert!(cell.flags.is_empty());
    }
}

#[test]
fn impossible_numbers_are_flagged_and_possible_ones_not() {
    // 16 KiB in 100 cycles. A library may have other code for 4096 bytes than for 256.
    let mut cells = plain(vec![
        raw("a", 16, 20.0),
        raw("a", 256, 200.0),
        raw("a", 4096, 150.0),
        raw("b", 16384, 33.0),
    ]);
    flag(&mut cells);
    let flags: Vec<(u64, usize)> = cells.iter().map(|c| (c.bytes, c.flags.len())).collect();
    assert_eq!(flags, [(16, 0), (256, 0), (4096, 0), (16384, 1)]);
    let notes: Vec<&str> = cells.iter().map(|c| &c.note[..]).collect();
    assert_eq!(
        notes,
        ["", "", "this library takes longer for 256 bytes", ""]
    );
}
