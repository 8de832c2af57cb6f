//! All ciphers: block ciphers in ECB mode and stream ciphers, as in the second chart of
//! the Libgcrypt 1.6 post.

use super::BULK;
use super::exhibit::{Chart, Exhibit};
use super::grid::Line;
use super::lens::{Lens, mib_per_second};
use super::published::Published;
use crate::{catalogue, names};

pub(super) fn make(lens: &Lens<'_>) -> anyhow::Result<Vec<Exhibit>> {
    let work = Published::open("libgcrypt-1.6")?;
    let sheet = work.sheet("throughput")?;
    let lines = |operation: &'static str, heads: &[&str], title: &str| {
        let mut offered = lens.offered(|_, o| o == operation);
        if operation == "stream-encrypt" {
            offered.extend([("salsa20", operation), ("salsa20-12", operation)]);
        }
        let mut lines: Vec<Line> = offered
            .into_iter()
            .filter(|(p, _)| BULK.is_multiple_of(catalogue::block_bytes(p).max(1)))
            .map(|(p, o)| {
                Line::new(names::primitive(p), p, lens.hot(p, o, BULK, mib_per_second))
                    .beside(heads[1..].iter().map(|_| sheet.text(p, "Libgcrypt 1.6")))
            })
            .filter(|line| !line.today.is_empty() || line.published.iter().any(|text| text != "–"))
            .collect();
        lines.sort_by(|a, b| b.most().total_cmp(&a.most()));
        Exhibit::grid(title, lens, heads, lines).drawn(Chart::Panels, "MiB/s", true)
    };
    let block = lines(
        "ecb-encrypt",
        &["cipher"],
        "Block ciphers, ECB encryption of 16 KiB, MiB/s, higher is better",
    )
    .note(
        "of its chart the post says that 3DES is by far the slowest, that Salsa20 and \
         RC4 lead, and that 1.6 doubled AES without AES-NI",
    );
    let stream = lines(
        "stream-encrypt",
        &["cipher", "2013"],
        "Stream ciphers, encryption of 16 KiB, MiB/s, higher is better",
    )
    .note(format!(
        "2013: {}, {}, the figures of its text, about so much",
        work.source, work.machine
    ));
    Ok(vec![block, stream])
}
