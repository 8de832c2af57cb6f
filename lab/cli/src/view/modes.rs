//! AES in all modes and key sizes, as in the third chart of the Libgcrypt 1.6 post.

use super::BULK;
use super::exhibit::{Chart, Exhibit};
use super::grid::Line;
use super::lens::{Lens, mib_per_second};
use crate::operations::OPERATIONS;
use crate::{catalogue, names};

pub(super) fn make(lens: &Lens<'_>) -> anyhow::Result<Vec<Exhibit>> {
    let wrap = |o: &str| matches!(catalogue::stem(o), "kw" | "kwp");
    let mut offered: Vec<(&str, &str)> = lens
        .offered(|p, o| {
            matches!(p, "aes-128" | "aes-192" | "aes-256") && names::mode(o).is_some() && !wrap(o)
        })
        .into_iter()
        .collect();
    if offered.is_empty() {
        lens.lacks("aes-128", "ctr-encrypt", BULK);
    }
    offered.sort_by_key(|(primitive, operation)| {
        // The rows have the order of the table of operations.
        let mode = catalogue::stem(operation);
        let place = OPERATIONS.iter().position(|known| known.mode() == mode);
        (place, catalogue::is_inverse(operation), *primitive)
    });
    let lines: Vec<Line> = offered
        .into_iter()
        .map(|(primitive, operation)| {
            let bits = primitive.trim_start_matches("aes-");
            Line::new(
                format!("{} {bits}", names::operation(operation)),
                primitive,
                lens.hot(primitive, operation, BULK, mib_per_second),
            )
        })
        .filter(|line| !line.today.is_empty())
        .collect();
    let title = "AES by mode and key size, 16 KiB, MiB/s, higher is better";
    Ok(vec![
        Exhibit::grid(title, lens, &["mode"], lines)
            .note(
                "authenticated modes make or check a tag within the call; the post's figures \
                 (W. Koch, \"Speedups in Libgcrypt 1.6\", 2013) are in a picture, and its text says \
                 no more of them than that 1.6 beat 1.5 and Nettle 2.7 in all modes",
            )
            .drawn(Chart::Panels, "MiB/s", true),
    ])
}
