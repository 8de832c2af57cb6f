//! All hashes, as in the first chart of the Libgcrypt 1.6 post.

use super::BULK;
use super::exhibit::{Chart, Exhibit};
use super::grid::Line;
use super::lens::{Lens, mib_per_second};
use super::published::Published;
use crate::{catalogue, names};

pub(super) fn make(lens: &Lens<'_>) -> anyhow::Result<Vec<Exhibit>> {
    let work = Published::open("libgcrypt-1.6")?;
    let sheet = work.sheet("throughput")?;
    let hash = |p: &str, o: &str| o == "hash" && catalogue::family(p) == "hash";
    let mut offered = lens.offered(hash);
    offered.insert(("md4", "hash"));
    let mut lines: Vec<Line> = offered
        .into_iter()
        .map(|(primitive, operation)| {
            let today = lens.hot(primitive, operation, BULK, mib_per_second);
            Line::new(names::primitive(primitive), primitive, today)
                .beside([sheet.text(primitive, "Libgcrypt 1.6")])
        })
        .filter(|line| !line.today.is_empty() || line.published != ["–"])
        .collect();
    lines.sort_by(|a, b| b.most().total_cmp(&a.most()));
    let title = "Hashes of 16 KiB, MiB/s, higher is better";
    let note = format!(
        "2013: {}, {}; its chart is a picture, its text has this figure alone, \
         about so much and off the chart's scale",
        work.source, work.machine
    );
    Ok(vec![
        Exhibit::grid(title, lens, &["hash", "2013"], lines)
            .note(note)
            .drawn(Chart::Panels, "MiB/s", true),
    ])
}
