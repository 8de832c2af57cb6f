//! The cost of a key: Eric Young's mail of 1998 on key set-up, digests of short messages,
//! and records of SSL 3 and TLS.

use std::collections::BTreeMap;

use super::exhibit::{Exhibit, Figure, digits};
use super::grid::Line;
use super::lens::{Cells, Lens, over, rate, scaled, sum};
use super::published::{Published, Sheet};
use crate::stats::Interval;
use crate::summary::Cell;
use crate::{catalogue, names, operations};

/// Primitives with the mail's names for them, then newer primitives.
const CIPHERS: [(&str, &str); 16] = [
    ("des", "DES"),
    ("des-ede3", "3-DES"),
    ("idea", "IDEA"),
    ("rc2", "RC2"),
    ("rc4", "RC4"),
    ("rc5-32-12", "RC5-32-12"),
    ("blowfish", "Blowfish"),
    ("cast5", "CAST5"),
    ("aes-128", ""),
    ("aes-256", ""),
    ("camellia-256", ""),
    ("serpent-256", ""),
    ("twofish-256", ""),
    ("seed", ""),
    ("sm4", ""),
    ("xtea", ""),
];

/// The mail's names of digests, with primitive and operation.
const DIGESTS: [(&str, &str, &str); 5] = [
    ("md5", "md5", "hash"),
    ("hmac(md5)", "hmac-md5", "mac"),
    ("sha1", "sha-1", "hash"),
    ("rmd160", "ripemd-160", "hash"),
    ("rc4", "rc4", "stream-encrypt"),
];

/// The mail's message lengths.
const LENGTHS: [u64; 5] = [8, 64, 256, 1024, 8192];

/// If the key set-up for decryption differs from the key set-up for encryption by this share, it
/// gets a row of its own.
const DIFFERS: f64 = 0.1;

pub(super) fn make(lens: &Lens<'_>) -> anyhow::Result<Vec<Exhibit>> {
    let work = Published::open("key-setup")?;
    let mut exhibits = keys(lens, &work, &work.sheet("set-key")?);
    let digest = work.sheet("digest")?;
    exhibits.push(digests(lens, &digest));
    exhibits.push(records(lens, &digest, &work.sheet("record")?));
    Ok(exhibits)
}

fn figures(
    cells: &Cells<'_>,
    turn: impl Fn(&str, &Cell) -> Option<Interval>,
) -> BTreeMap<String, Figure> {
    cells
        .iter()
        .filter_map(|(library, (index, cell))| {
            let figure = Figure::measured(turn(library, cell)?, *index, !cell.flags.is_empty());
            Some(((*library).to_owned(), figure))
        })
        .collect()
}

fn keys(lens: &Lens<'_>, work: &Published, sheet: &Sheet) -> Vec<Exhibit> {
    let micro = |cell: &Cell| scaled(cell.ns, 1e-3);
    let (mut set, mut block, mut cost) = (Vec::new(), Vec::new(), Vec::new());
    for (primitive, printed) in CIPHERS {
        let (encrypt, bytes) = match catalogue::block_bytes(primitive) {
            0 => ("stream-encrypt", 8),
            bytes => ("cbc-encrypt", bytes),
        };
        let name = names::primitive(primitive);
        let one = lens.by_library(primitive, encrypt, "hot", bytes);
        let keyed = lens.by_library(primitive, encrypt, "setup", 0);
        let undone = operations::inverse(encrypt).map_or_else(Cells::new, |decrypt| {
            lens.by_library(primitive, decrypt, "setup", 0)
        });
        block.push(
            Line::new(&name, primitive, figures(&one, |_, cell| Some(micro(cell))))
                .beside(["C", "asm"].map(|column| sheet.text(printed, column))),
        );
        let mut add = |name: String, row: &str, keyed: &Cells<'_>| {
            let costs = |library: &str, cell: &Cell| {
                let (_, one) = one.get(library)?;
                Some(scaled(over(cell.ns, one.ns), bytes as f64))
            };
            set.push(
                Line::new(
                    &name,
                    primitive,
                    figures(keyed, |_, cell| Some(micro(cell))),
                )
                .beside([sheet.text(row, "set_key")]),
            );
            cost.push(
                Line::new(name, primitive, figures(keyed, costs)).beside([sheet.text(row, "cost")]),
            );
        };
        add(name.clone(), printed, &keyed);
        let differs = keyed.iter().any(|(library, (_, cell))| {
            undone.get(library).is_some_and(|(_, other)| {
                (other.ns.mid / cell.ns.mid - 1.0).abs() > DIFFERS
                    && (other.ns.low > cell.ns.high || other.ns.high < cell.ns.low)
            })
        });
        let row = format!("{printed} decrypt");
        if differs || sheet.row(&row).is_some() {
            add(format!("{name} decrypt"), &row, &undone);
        }
    }
    let here = |lines: Vec<Line>| -> Vec<Line> {
        let any = |line: &Line| !line.today.is_empty() || line.published.iter().any(|t| t != "–");
        lines.into_iter().filter(any).collect()
    };
    vec![
        Exhibit::grid("Setting a key, µs, lower is better", lens, &["cipher", "1998"], here(set)).note(
            format!(
                "1998: {}, {}, the set-up in C. A line of its own for decryption where it \
                 differs in some library",
                work.source, work.machine
            ),
        ),
        Exhibit::grid(
            "One block in CBC (RC4: 8 bytes), µs, lower is better",
            lens,
            &["cipher", "1998 C", "1998 asm"],
            here(block),
        )
        .note("encryption under a key that is set up; a block is 8 bytes, from AES to Twofish and SEED to SM4 16"),
        Exhibit::grid(
            "Cost of a key: bytes that could have been encrypted meanwhile, lower is better",
            lens,
            &["cipher", "1998"],
            here(cost),
        )
        .note("set-up ÷ one block's encryption × bytes in the block, as the mail has it (1998: the C figures)"),
    ]
}

fn digests(lens: &Lens<'_>, sheet: &Sheet) -> Exhibit {
    let mut lines = Vec::new();
    for (printed, primitive, operation) in DIGESTS {
        for bytes in LENGTHS {
            let today = lens.hot(primitive, operation, bytes, |cell| {
                rate(cell.ns, bytes as f64 * 1e3)
            });
            let then = sheet
                .number(printed, &bytes.to_string())
                .map(|k| digits(k / 1e3));
            let label = format!("{} {bytes} B", names::primitive(primitive));
            lines.push(Line::new(label, primitive, today).beside(then));
        }
    }
    let title = "Digests of short messages, MB/s, higher is better";
    Exhibit::grid(title, lens, &["message", "1998"], lines).note(
        "1 MB is 10^6 bytes; the mail prints thousands of bytes per second. HMAC under a key \
         that is set up",
    )
}

/// Returns the time for a number of bytes, on the line through the times for 8 and 64 bytes.
fn at(bytes: f64, eight: Interval, more: Interval) -> Interval {
    let part = (bytes - 8.0) / 56.0;
    sum(scaled(eight, 1.0 - part), scaled(more, part))
}

/// The times, in nanoseconds, from which the mail's estimates are computed.
struct Times {
    sha1: Interval,
    hmac: Interval,
    rc4: [Interval; 2],
}

/// An estimate of the mail: its name, the mail's text for it, and the function that computes
/// it.
type Sum = (&'static str, &'static str, fn(&Times) -> Interval);

const SUMS: [Sum; 6] = [
    ("SHA-1 8 B ÷ RC4 8 B", "MAC", |t| over(t.sha1, t.rc4[0])),
    ("SSL 3: SHA-1 8 B ÷ RC4 28 B", "SSL 3", |t| {
        over(t.sha1, at(28.0, t.rc4[0], t.rc4[1]))
    }),
    ("SSL 3: 2 × SHA-1 8 B ÷ RC4 28 B", "", |t| {
        over(scaled(t.sha1, 2.0), at(28.0, t.rc4[0], t.rc4[1]))
    }),
    ("TLS: HMAC-MD5 8 B ÷ SHA-1 8 B", "TLS", |t| {
        over(t.hmac, t.sha1)
    }),
    ("SSL 3 record, µs", "", |t| {
        scaled(sum(t.sha1, at(28.0, t.rc4[0], t.rc4[1])), 1e-3)
    }),
    ("TLS record, µs", "", |t| {
        scaled(sum(t.hmac, at(24.0, t.rc4[0], t.rc4[1])), 1e-3)
    }),
];

/// Returns the times according to the mail's own digest table.
fn then(sheet: &Sheet) -> Option<Times> {
    let ns = |row: &str, bytes: u64| {
        let kilobytes = sheet.number(row, &bytes.to_string())?;
        Some(Interval::exact(bytes as f64 * 1e6 / kilobytes))
    };
    Some(Times {
        sha1: ns("sha1", 8)?,
        hmac: ns("hmac(md5)", 8)?,
        rc4: [ns("rc4", 8)?, ns("rc4", 64)?],
    })
}

fn records(lens: &Lens<'_>, digest: &Sheet, says: &Sheet) -> Exhibit {
    let sha1 = lens.by_library("sha-1", "hash", "hot", 8);
    let hmac = lens.by_library("hmac-md5", "mac", "hot", 8);
    let rc4 = [8, 64].map(|bytes| lens.by_library("rc4", "stream-encrypt", "hot", bytes));
    let times = |library: &str| {
        Some(Times {
            sha1: sha1.get(library)?.1.ns,
            hmac: hmac.get(library)?.1.ns,
            rc4: [rc4[0].get(library)?.1.ns, rc4[1].get(library)?.1.ns],
        })
    };
    let then = then(digest);
    let lines = SUMS
        .into_iter()
        .map(|(name, row, make)| {
            let printed = then
                .as_ref()
                .map_or("–".into(), |times| digits(make(times).mid));
            Line::new(
                name,
                "",
                figures(&sha1, |library, _| Some(make(&times(library)?))),
            )
            .beside([says.text(row, "times"), printed])
        })
        .collect();
    let title = "A record of 8 bytes: the MAC's time over the encryption's, lower is better";
    Exhibit::grid(title, lens, &["sum", "1998 says", "1998 gives"], lines).note(
        "gives: by the mail's own digest table, RC4 of 28 (8 + 20) and 24 (8 + 16) bytes on the \
         line through 8 and 64. Its 11 and its \"almost twice\" for TLS follow; its 7 for SSL 3 lies \
         between one digest and the two that SSL 3's MAC makes",
    )
}
