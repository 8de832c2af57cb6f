//! `touchstone verify`: checks the libraries against known answers.

mod attacks;
mod worst;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;

use super::progress::bar;
use super::{Choice, End, Global, Shape, Usage};
use crate::adapters::{self, Defect};
use crate::flags;
use crate::rank::verdict::few;
use crate::session::{Slot, discover};
use crate::summary::{Failure, Summary, Verification, unasked};
use crate::table::{self, Table};
use crate::verify::{self, Known};

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  touchstone verify --failed                    the worst library first
  touchstone verify --attacks                   who fails which known attack
  touchstone verify --library openssl --flags
  touchstone verify --vectors wycheproof/testvectors_v1")]
pub(super) struct Options {
    #[command(flatten)]
    choice: Choice,
    /// Known answers to use in place of the lab's own: a file or a folder of Touchstone
    /// .vec, NIST CAVP .rsp, Wycheproof .json, Botan .vec or Crypto++ .txt
    #[arg(long, value_name = "PATH")]
    vectors: Option<PathBuf>,
    /// Show only the libraries with wrong answers, one row each, the worst first; what a library
    /// does differently on purpose stands last
    #[arg(long, conflicts_with_all = ["attacks", "algorithms", "flags"])]
    failed: bool,
    /// Show only which library fails which known attack, the most severe attack first
    #[arg(long, conflicts_with_all = ["algorithms", "flags"])]
    attacks: bool,
    /// Show one row for each library and algorithm
    #[arg(long)]
    algorithms: bool,
    /// Show one row for each library and flag. A flag is the source's own name for the
    /// subject of a known answer (Wycheproof's ModifiedTag, EdgeCase …)
    #[arg(long, conflicts_with = "algorithms")]
    flags: bool,
}

pub(super) fn run(global: &Global, options: &Options) -> anyhow::Result<End> {
    let mut slots = discover(options.choice.candidates()?);
    absent(global, &slots);
    if !slots.iter().any(Slot::present) {
        return Ok(End::NothingToMeasure);
    }
    let selection = options.choice.selection(&Shape::default(), &slots)?;
    let known = match &options.vectors {
        Some(path) => {
            let (known, left_out) = Known::read_any(path).map_err(|e| Usage(format!("{e:#}")))?;
            for (reason, count) in left_out {
                global.say(&format!("left out: {count} × {reason}"));
            }
            known
        }
        None => Known::read(&adapters::vectors_folder()?)?,
    };
    let selected = |_: &Slot, p: &str, o: &str| selection.has(p, o);
    let (rows, failures) = with_progress(global, &mut slots, &known, &selected);
    if rows.is_empty() {
        global.say("no library offers what --algorithm selects");
        return Ok(End::NothingToMeasure);
    }
    let mut tables = vec![if options.failed {
        worst::table(&failures, &|id| name(&slots, id), &|f| defect(&slots, f))
    } else if options.attacks {
        attacks::table(&rows, &slots, global.format)
    } else if options.algorithms {
        by_algorithm(&rows)
    } else if options.flags {
        by_flag(&rows)
    } else {
        by_library(&rows, global.format)
    }];
    let (ours, theirs): (Vec<&Failure>, Vec<&Failure>) =
        failures.iter().partition(|f| unasked(&f.kind).is_some());
    if !theirs.is_empty() && !options.failed && !options.attacks {
        tables.push(failed(&theirs, &slots, global.format));
    }
    if !ours.is_empty() {
        tables.push(not_asked(&ours));
    }
    global.print(&tables)?;
    Ok(if rows.iter().any(|r| r.failed > 0) {
        End::VerificationFailed
    } else if let Some(path) = &options.vectors
        && !rows.iter().any(is_answered)
    {
        global.say(&unanswered(path, &known, &rows));
        End::NothingToMeasure
    } else {
        End::Good
    })
}

/// Returns whether a library gave an answer that could be compared with a known answer.
fn is_answered(row: &Verification) -> bool {
    row.passed + row.failed + row.acceptable > 0
}

/// Says why no known answer of the user's files was compared with an answer of a library, and
/// what to do.
fn unanswered(path: &Path, known: &Known, rows: &[Verification]) -> String {
    let sum = |count: fn(&Verification) -> u32| -> u32 { rows.iter().map(count).sum() };
    let (refused, unasked) = (sum(|row| row.unsupported), sum(|row| row.unasked));
    let reason = if unasked > 0 {
        format!("the lab could not make the calls ({unasked}); the table above has the reasons")
    } else if refused > 0 {
        format!(
            "the libraries do not take the parameters of its answers ({refused} calls); \
             `--algorithms` shows which libraries were asked"
        )
    } else {
        format!(
            "its answers are for {}; the chosen libraries and algorithms have none of these. \
             `touchstone list` shows what each library has",
            few(&known.algorithms()).join(", ")
        )
    };
    format!("nothing was verified by {}: {reason}", path.display())
}

/// Verifies the libraries and shows a progress bar on stderr.
pub(super) fn with_progress(
    global: &Global,
    slots: &mut [Slot],
    known: &Known,
    selected: &(dyn Fn(&Slot, &str, &str) -> bool + Sync),
) -> (Vec<Verification>, Vec<Failure>) {
    let bar = bar(global, "verify", verify::questions(slots, known, selected));
    let result = verify::verify(slots, known, selected, &|n| bar.inc(n));
    bar.finish_and_clear();
    let passed: u64 = result.0.iter().map(|r| u64::from(r.passed)).sum();
    let failed: u64 = result.0.iter().map(|r| u64::from(r.failed)).sum();
    let mut wrong: BTreeMap<&str, u64> = BTreeMap::new();
    for row in result.0.iter().filter(|row| row.failed > 0) {
        *wrong.entry(&row.library).or_default() += u64::from(row.failed);
    }
    let whose: Vec<String> = wrong
        .into_iter()
        .map(|(id, count)| format!("{} {count}", name(slots, id)))
        .collect();
    let whose = match whose.is_empty() {
        true => String::new(),
        false => format!(" ({})", whose.join(", ")),
    };
    global.say(&format!(
        "verified: {passed} right answers, {failed} wrong{whose}"
    ));
    result
}

/// Prints one line for each library that is missing, with the reason. Masked variants of
/// a missing library get no line.
pub(super) fn absent(global: &Global, slots: &[Slot]) {
    let own = |slot: &&Slot| slot.candidate.mask.is_empty();
    let others = |slot: &Slot| {
        let plain = adapters::plain(slot.id());
        slots.iter().all(|other| other.id() != plain)
    };
    for slot in slots.iter().filter(|slot| !slot.present()) {
        if own(&slot) || others(slot) {
            let remedy = slot.remedy();
            let remedy = if remedy.is_empty() {
                remedy
            } else {
                format!("; {remedy}")
            };
            global.say(&format!(
                "{} is absent: {}{remedy}",
                slot.facts.name, slot.facts.absent
            ));
        }
    }
}

/// Returns the known defect that explains a failure, from the manifest of the failure's library.
fn defect<'a>(slots: &'a [Slot], failure: &Failure) -> Option<&'a Defect> {
    let slot = slots.iter().find(|slot| slot.id() == failure.library)?;
    let manifest = &slot.candidate.manifest;
    manifest.defect(&failure.primitive, &failure.operation, Some(&failure.place))
}

/// Returns the name of a library for people.
fn name(slots: &[Slot], id: &str) -> String {
    let slot = slots.iter().find(|slot| slot.id() == id);
    slot.map_or(id, |slot| &slot.facts.name).to_owned()
}

/// Returns a table with one row for each library.
pub(super) fn by_library(rows: &[Verification], format: table::Format) -> Table {
    let mut columns = vec![
        "library",
        ">algorithms",
        ">right",
        ">wrong",
        ">either",
        ">not taken",
    ];
    // Most verifications ask everything.
    let all_asked = rows.iter().all(|row| row.unasked == 0);
    let shows_unasked = !all_asked || format != table::Format::Table;
    if shows_unasked {
        columns.push(">not asked");
    }
    columns.extend([">compared", ">unproven"]);
    let mut table = Table::new("libraries", "Known answers", &columns);
    let mut libraries: Vec<&str> = rows.iter().map(|r| r.library.as_str()).collect();
    libraries.sort_unstable();
    libraries.dedup();
    for library in libraries {
        let mine: Vec<_> = rows.iter().filter(|r| r.library == library).collect();
        let sum = |f: fn(&Verification) -> u32| mine.iter().map(|r| u64::from(f(r))).sum::<u64>();
        let without = |r: &&&Verification| r.passed == 0 && r.failed == 0;
        let compared = mine
            .iter()
            .filter(without)
            .filter(|r| verify::outvotes(r))
            .count();
        let unproven = mine.iter().filter(without).count() - compared;
        let mut row = vec![
            library.to_owned(),
            mine.len().to_string(),
            sum(|r| r.passed).to_string(),
            sum(|r| r.failed).to_string(),
            sum(|r| r.acceptable).to_string(),
            sum(|r| r.unsupported).to_string(),
        ];
        if shows_unasked {
            row.push(sum(|r| r.unasked).to_string());
        }
        row.extend([compared, unproven].map(|count| count.to_string()));
        table.row(row);
    }
    let not_asked = if all_asked {
        ""
    } else {
        "not asked: the fault is the lab's or this machine's; "
    };
    table.footnote = format!(
        "either: both outcomes are defensible, or the library differs on purpose; not taken: \
         parameters that the library does not accept; {not_asked}compared: algorithms without known answers, agreeing with another \
         library; unproven: nothing to compare with, never timed"
    );
    table
}

fn by_algorithm(rows: &[Verification]) -> Table {
    let mut table = Table::new(
        "algorithms",
        "Known answers by algorithm",
        &[
            "algorithm",
            "library",
            ">right",
            ">wrong",
            ">not taken",
            ">not asked",
            ">agree",
            ">disagree",
        ],
    );
    for r in rows {
        table.row([
            format!("{} {}", r.primitive, r.operation),
            r.library.clone(),
            r.passed.to_string(),
            r.failed.to_string(),
            r.unsupported.to_string(),
            r.unasked.to_string(),
            r.agreed.to_string(),
            r.disagreed.to_string(),
        ]);
    }
    table
}

/// Returns a table with one row for each library and flag, with wrong answers first.
fn by_flag(rows: &[Verification]) -> Table {
    let mut table = Table::new(
        "flags",
        "Known answers by flag",
        &[
            "library",
            "flag",
            ">right",
            ">wrong",
            ">either",
            ">not taken",
            ">not asked",
        ],
    );
    let mut sums: Vec<_> = flags::by_library(rows).into_iter().collect();
    sums.sort_by_key(|((library, _), flag)| (*library, flag.failed == 0));
    for ((library, name), flag) in sums {
        table.row([
            library.to_owned(),
            name.to_owned(),
            flag.passed.to_string(),
            flag.failed.to_string(),
            flag.acceptable.to_string(),
            flag.unsupported.to_string(),
            flag.unasked.to_string(),
        ]);
    }
    table.footnote = "a known answer with several flags counts under each".into();
    table
}

/// Returns a table of the calls that the lab could not make, with one row for each library,
/// algorithm and reason.
fn not_asked(failures: &[&Failure]) -> Table {
    let columns = [
        "library",
        "algorithm",
        "kind",
        ">calls",
        "reason",
        "what happened",
    ];
    let mut table = Table::new("not-asked", "What the lab could not ask", &columns);
    let mut rows: BTreeMap<[&str; 4], Vec<&Failure>> = BTreeMap::new();
    for f in failures {
        let key = [&*f.library, &*f.primitive, &*f.operation, &*f.kind];
        rows.entry(key).or_default().push(f);
    }
    for ([library, primitive, operation, kind], all) in rows {
        table.row([
            library.to_owned(),
            format!("{primitive} {operation}"),
            kind.to_owned(),
            all.len().to_string(),
            unasked(kind).unwrap_or_default().to_owned(),
            all[0].got.clone(),
        ]);
    }
    table.footnote = "these are no wrong answers: the library is not at fault".into();
    table
}

/// Returns the table of the calls of a run that the lab could not make; `None` if there is none.
pub(super) fn unasked_of(summary: &Summary) -> Option<Table> {
    let all = summary.failures.iter();
    let ours: Vec<&Failure> = all.filter(|f| unasked(&f.kind).is_some()).collect();
    (!ours.is_empty()).then(|| not_asked(&ours))
}

/// Returns a place without the folders of its file. The folders repeat the algorithm, and a narrow
/// column would break them.
fn within_folder(place: &str) -> &str {
    let file = place.split(' ').next().unwrap_or(place);
    let folders = file.rfind('/').map_or(0, |slash| slash + 1);
    &place[folders..]
}

/// Returns all wrong answers: for programs the whole records; for people one line for each kind
/// of failure, with the first place where it occurred.
fn failed(failures: &[&Failure], slots: &[Slot], format: table::Format) -> Table {
    let known = |f: &Failure| defect(slots, f);
    if format != table::Format::Table {
        let mut table = Table::new(
            "failures",
            "Failures",
            &[
                "library",
                "primitive",
                "operation",
                "kind",
                "place",
                "input",
                "expected",
                "got",
                "known defect",
            ],
        );
        for f in failures {
            let what = known(f).map_or("", |defect| &defect.what);
            table.row([
                f.library.as_str(),
                &f.primitive,
                &f.operation,
                &f.kind,
                &f.place,
                &f.input,
                &f.expected,
                &f.got,
                what,
            ]);
        }
        return table;
    }
    let mut table = Table::new(
        "failures",
        "Failures",
        &["library", "algorithm", "what", "first at"],
    );
    let mut seen: Vec<(&Failure, u32)> = Vec::new();
    for f in failures {
        let same = |g: &Failure| {
            (&g.library, &g.primitive, &g.operation, &g.kind)
                == (&f.library, &f.primitive, &f.operation, &f.kind)
        };
        match seen.iter_mut().find(|(g, _)| same(g)) {
            Some((_, count)) => *count += 1,
            None => seen.push((f, 1)),
        }
    }
    let mut defects: Vec<String> = Vec::new();
    for (f, count) in seen {
        let kind = &f.kind;
        if let Some(defect) = known(f) {
            let purpose = if defect.intended { ", on purpose" } else { "" };
            let library = name(slots, &f.library);
            let line = format!("known of {library}{purpose}: {}", defect.what);
            if !defects.contains(&line) {
                defects.push(line);
            }
        }
        table.row([
            f.library.clone(),
            format!("{} {}", f.primitive, f.operation),
            if count > 1 {
                format!("{kind} ×{count}")
            } else {
                kind.clone()
            },
            within_folder(&f.place).to_owned(),
        ]);
    }
    defects.push("inputs, expected and given outputs: --format json, or the report".into());
    table.footnote = defects.join("\n");
    table
}
