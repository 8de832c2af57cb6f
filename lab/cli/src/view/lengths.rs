//! Key set-up, encryption, key set-up and decryption for buffers of different lengths:
//! the speed test that the Libgcrypt 1.6 post cites.

use super::exhibit::{Chart, Exhibit, Figure};
use super::grid::Line;
use super::lens::{Lens, rate, sum};
use crate::{names, operations};

/// Ciphers with their mode; keys have 256 bits, or the cipher's maximum if that is less.
const CIPHERS: [(&str, &str); 12] = [
    ("aes-256", "ecb"),
    ("aes-256", "ctr"),
    ("camellia-256", "ecb"),
    ("serpent-256", "ecb"),
    ("twofish-256", "ecb"),
    ("anubis", "ecb"),
    ("blowfish", "ecb"),
    ("cast5", "ecb"),
    ("cast6", "ecb"),
    ("des-ede3", "ecb"),
    ("gost28147", "ecb"),
    ("xtea", "ecb"),
];

/// The lengths of buffers in bytes.
const LENGTHS: [u64; 9] = [16, 64, 256, 1024, 4096, 16384, 65536, 262_144, 1_048_576];

pub(super) fn make(lens: &Lens<'_>) -> anyhow::Result<Vec<Exhibit>> {
    let mut exhibits = Vec::new();
    for (primitive, mode) in CIPHERS {
        let encrypt = format!("{mode}-encrypt");
        // For a key stream, decryption is the same as encryption.
        let decrypt = operations::inverse(&encrypt).unwrap_or(&encrypt).to_owned();
        if !exhibits.is_empty()
            && lens
                .offered(|p, o| (p, o) == (primitive, &encrypt))
                .is_empty()
        {
            continue;
        }
        let setup = [&encrypt, &decrypt].map(|o| lens.by_library(primitive, o, "setup", 0));
        let lines: Vec<Line> = LENGTHS
            .into_iter()
            .map(|bytes| {
                let hot = [&encrypt, &decrypt].map(|o| lens.by_library(primitive, o, "hot", bytes));
                let today = hot[0]
                    .iter()
                    .filter_map(|(library, (index, cell))| {
                        let cells = [
                            setup[0].get(library)?,
                            setup[1].get(library)?,
                            hot[1].get(library)?,
                        ];
                        let time = cells
                            .iter()
                            .fold(cell.ns, |time, (_, cell)| sum(time, cell.ns));
                        let flagged = !cell.flags.is_empty()
                            || cells.iter().any(|(_, c)| !c.flags.is_empty());
                        let speed = rate(time, bytes as f64 * 1e9 / f64::from(1 << 20));
                        Some((
                            (*library).to_owned(),
                            Figure::measured(speed, *index, flagged),
                        ))
                    })
                    .collect();
                Line {
                    x: Some(bytes as f64),
                    ..Line::new(length(bytes), primitive, today)
                }
            })
            .filter(|line| !line.today.is_empty())
            .collect();
        let cipher = format!("{} {}", names::primitive(primitive), mode.to_uppercase());
        exhibits.push(
            Exhibit::grid(
                &format!("{cipher}: MiB/s over key set-up, encryption, key set-up, decryption; higher is better"),
                lens,
                &["length"],
                lines,
            )
            .drawn(Chart::Lines, "MiB/s", true),
        );
    }
    if let Some(last) = exhibits.last_mut() {
        last.note = "the length of the buffer over the sum of four medians: key set-up alone \
                     (contract setup) for each direction, and the message under a key that is set up \
                     (contract hot) in each. After the speed test that W. Koch, \"Speedups in Libgcrypt \
                     1.6\", 2013, cites; its figures are in a file that is not at hand"
            .into();
    }
    Ok(exhibits)
}

fn length(bytes: u64) -> String {
    match bytes {
        n if n >= 1 << 20 => format!("{} MiB", n >> 20),
        n if n >= 1 << 10 => format!("{} KiB", n >> 10),
        n => format!("{n} B"),
    }
}
