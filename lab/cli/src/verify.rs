//! Known answers against every library, on the call path that is timed.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};

use anyhow::Context;

use touchstone_vectors::{Vector, Verdict, foreign};
use touchstone_wire::{Data, Reply, Request, Work, to_hex};

use crate::adapters;
use crate::catalogue;
use crate::session::Slot;
use crate::summary::{Failure, Flag, Verification};
use crate::worker::patience;

/// Failures that are kept in full for one library × algorithm; the rest is counted.
const KEPT: u32 = 10;
/// Characters of an input or output that a failure shows.
const SHOWN: usize = 4096;

/// All known answers, by algorithm.
#[derive(Default)]
pub struct Known {
    files: Vec<String>,
    by_algorithm: HashMap<(String, String), Vec<(usize, Vector)>>,
    /// Known answers in all.
    pub count: usize,
}

impl Known {
    /// Reads every `.vec` file below a folder.
    pub fn read(folder: &Path) -> anyhow::Result<Self> {
        let mut known = Self::default();
        for (path, file) in touchstone_vectors::read_tree(folder)? {
            known.add(path.to_string_lossy().into_owned(), file.vectors);
        }
        Ok(known)
    }

    /// Reads one file or every file below a folder, of any format that
    /// [`touchstone_vectors::foreign`] knows. What was left out comes with its
    /// reason and number; in a folder, files of no known format are left out too.
    ///
    /// # Errors
    /// A path that cannot be read, a broken file, or no known answer at all.
    pub fn read_any(path: &Path) -> anyhow::Result<(Self, BTreeMap<String, usize>)> {
        let mut known = Self::default();
        let mut left_out = BTreeMap::new();
        let whole_folder = path.is_dir();
        for file in files(path)? {
            let found = match foreign::read(&file) {
                Err(_) if whole_folder && !foreign::is_known(&file) => {
                    *left_out
                        .entry("a file of no known format".into())
                        .or_default() += 1;
                    continue;
                }
                found => found?,
            };
            for (reason, count) in found.left_out {
                *left_out.entry(reason).or_default() += count;
            }
            let shown = match file.strip_prefix(path) {
                Ok(relative) if whole_folder => relative,
                _ => &file,
            };
            known.add(shown.to_string_lossy().into_owned(), found.vectors);
        }
        anyhow::ensure!(
            known.count > 0,
            "{}: no known answers that the lab has a name for{}",
            path.display(),
            left_out
                .iter()
                .map(|(reason, count)| format!("; {count} × {reason}"))
                .collect::<String>()
        );
        Ok((known, left_out))
    }

    /// Adds the vectors of one file.
    pub fn add(&mut self, file: String, vectors: Vec<Vector>) {
        let index = self.files.len();
        self.files.push(file);
        self.count += vectors.len();
        for vector in vectors {
            let algorithm = (vector.primitive.clone(), vector.operation.clone());
            self.by_algorithm
                .entry(algorithm)
                .or_default()
                .push((index, vector));
        }
    }

    /// How many questions there are for an algorithm.
    fn number(&self, primitive: &str, operation: &str) -> u64 {
        let count = |operation: String, valid_only: bool| {
            self.by_algorithm
                .get(&(primitive.to_owned(), operation))
                .map_or(&[][..], Vec::as_slice)
                .iter()
                .filter(|(_, vector)| !valid_only || vector.verdict == Verdict::Valid)
                .count() as u64
        };
        let own = count(operation.to_owned(), false);
        if catalogue::is_inverse(operation) {
            own + count(format!("{}-encrypt", catalogue::stem(operation)), true)
        } else {
            own
        }
    }

    /// The known answers of an algorithm, forwards and, for an inverse, those
    /// of its forward operation turned round.
    fn questions(&self, primitive: &str, operation: &str) -> Vec<Question<'_>> {
        let get = |operation: String| {
            self.by_algorithm
                .get(&(primitive.to_owned(), operation))
                .map_or(&[][..], Vec::as_slice)
        };
        let mut questions: Vec<_> = get(operation.to_owned())
            .iter()
            .map(|(file, vector)| Question::forwards(*file, vector))
            .collect();
        if catalogue::is_inverse(operation) {
            let forward = format!("{}-encrypt", catalogue::stem(operation));
            questions.extend(
                get(forward)
                    .iter()
                    .filter(|(_, vector)| vector.verdict == Verdict::Valid)
                    .map(|(file, vector)| Question::backwards(*file, vector, operation)),
            );
        }
        questions
    }
}

/// A file itself, or all files below a folder in path order.
fn files(path: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut open = vec![path.to_owned()];
    while let Some(path) = open.pop() {
        if !path.is_dir() {
            files.push(path);
            continue;
        }
        let entries =
            std::fs::read_dir(&path).with_context(|| format!("reading {}", path.display()))?;
        for entry in entries {
            open.push(entry?.path());
        }
    }
    files.sort();
    Ok(files)
}

/// One request and what a right library says to it.
struct Question<'a> {
    file: usize,
    vector: &'a Vector,
    work: Work,
    expected: Vec<u8>,
}

impl<'a> Question<'a> {
    fn forwards(file: usize, vector: &'a Vector) -> Self {
        let refused = catalogue::is_inverse(&vector.operation);
        let sealed = catalogue::is_sealed(&vector.operation);
        let (input, expected) = if refused {
            (sealed_bytes(vector, &vector.output), Vec::new())
        } else if sealed {
            (vector.input.clone(), sealed_bytes(vector, &vector.output))
        } else {
            (vector.input.clone(), vector.output.clone())
        };
        Self {
            file,
            vector,
            work: work(vector, &vector.operation, input),
            expected,
        }
    }

    fn backwards(file: usize, vector: &'a Vector, operation: &str) -> Self {
        let input = sealed_bytes(vector, &vector.output);
        Self {
            file,
            vector,
            work: work(vector, operation, input),
            expected: vector.input.clone(),
        }
    }
}

fn work(vector: &Vector, operation: &str, input: Vec<u8>) -> Work {
    let chosen_length = matches!(operation, "xof" | "derive" | "stream-keystream");
    // A MAC's given output says how long its tag is.
    let mac = matches!(
        operation,
        "mac" | "cmac" | "gmac" | "cbc-mac" | "gost-mac" | "retail-mac"
    );
    Work {
        primitive: vector.primitive.clone(),
        operation: operation.to_owned(),
        key: Data::Bytes(vector.key.clone()),
        nonce: Data::Bytes(vector.nonce.clone()),
        aad: Data::Bytes(vector.aad.clone()),
        input: Data::Bytes(input),
        tag: match &vector.tag {
            Some(tag) => Some(tag.len()),
            None => mac.then_some(vector.output.len()),
        },
        length: chosen_length.then_some(vector.output.len()),
        cost: vector.cost.clone(),
    }
}

/// Ciphertext and tag joined as `docs/operations.md` says.
fn sealed_bytes(vector: &Vector, ciphertext: &[u8]) -> Vec<u8> {
    let tag = vector.tag.as_deref().unwrap_or_default();
    let tag_first =
        catalogue::stem(&vector.operation) == "siv" || vector.primitive == "xsalsa20-poly1305";
    if tag_first {
        [tag, ciphertext].concat()
    } else {
        [ciphertext, tag].concat()
    }
}

/// Which algorithms of which libraries may be timed.
#[derive(Debug, Default)]
pub struct Verified(HashSet<(String, String, String)>);

impl Verified {
    /// Whether this one has passed.
    pub fn has(&self, library: &str, primitive: &str, operation: &str) -> bool {
        self.0.contains(&(
            library.to_owned(),
            primitive.to_owned(),
            operation.to_owned(),
        ))
    }

    /// What stored rows allow.
    pub fn from_rows(rows: &[Verification]) -> Self {
        Self(
            rows.iter()
                .filter(|row| row.failed == 0)
                .filter(|row| row.passed > 0 || outvotes(row))
                .map(|row| {
                    (
                        row.library.clone(),
                        row.primitive.clone(),
                        row.operation.clone(),
                    )
                })
                .collect(),
        )
    }
}

/// Puts every selected known answer to every library. `done` is called as
/// libraries finish, with the number of questions put.
pub fn verify(
    slots: &mut [Slot],
    known: &Known,
    selected: &(dyn Fn(&Slot, &str, &str) -> bool + Sync),
    done: &(dyn Fn(u64) + Sync),
) -> (Vec<Verification>, Vec<Failure>) {
    // Answers are not timed, so all libraries work at once.
    let mut results: Vec<(Vec<Verification>, Vec<Failure>)> = std::thread::scope(|scope| {
        let running: Vec<_> = slots
            .iter_mut()
            .filter(|slot| slot.usable())
            .map(|slot| scope.spawn(|| verify_library(slot, known, selected, done)))
            .collect();
        running
            .into_iter()
            .map(|thread| thread.join().expect("verification does not panic"))
            .collect()
    });
    let mut rows: Vec<Verification> = Vec::new();
    let mut failures = Vec::new();
    for (r, f) in &mut results {
        rows.append(r);
        failures.append(f);
    }
    compare(slots, &mut rows, &mut failures);
    rows.sort_by(|a, b| {
        (&a.primitive, &a.operation, &a.library).cmp(&(&b.primitive, &b.operation, &b.library))
    });
    (rows, failures)
}

/// Number of questions that [`verify`] will put.
pub fn questions(
    slots: &[Slot],
    known: &Known,
    selected: &dyn Fn(&Slot, &str, &str) -> bool,
) -> u64 {
    slots
        .iter()
        .filter(|slot| slot.usable())
        .flat_map(|slot| slot.offers.iter().map(move |offer| (slot, offer)))
        .filter(|(slot, offer)| selected(slot, &offer.primitive, &offer.operation))
        .map(|(_, offer)| known.number(&offer.primitive, &offer.operation))
        .sum()
}

fn verify_library(
    slot: &mut Slot,
    known: &Known,
    selected: &dyn Fn(&Slot, &str, &str) -> bool,
    done: &dyn Fn(u64),
) -> (Vec<Verification>, Vec<Failure>) {
    let mut rows = Vec::new();
    let mut failures = Vec::new();
    for offer in slot.offers.clone() {
        if !selected(slot, &offer.primitive, &offer.operation) {
            continue;
        }
        let mut row = Verification {
            library: slot.id().to_owned(),
            family: catalogue::section(&offer.primitive, &offer.operation).to_owned(),
            primitive: offer.primitive.clone(),
            operation: offer.operation.clone(),
            passed: 0,
            failed: 0,
            acceptable: 0,
            unsupported: 0,
            agreed: 0,
            disagreed: 0,
            sources: Vec::new(),
            flags: Vec::new(),
        };
        let questions = known.questions(&offer.primitive, &offer.operation);
        for question in &questions {
            // Of a library that was given up the failures before say why.
            let mut unanswered = false;
            let check = Request::Check(question.work.clone());
            let outcome = if slot.usable() {
                match slot.ask(&check, patience()) {
                    Ok(reply) => judge(question, &reply),
                    Err(fault) if slot.killed() => {
                        let killed =
                            failure(known, slot.id(), question, fault.kind(), &fault.to_string());
                        failures.push(killed);
                        Outcome::Unsupported
                    }
                    Err(fault) => Outcome::Wrong(fault.kind(), fault.to_string()),
                }
            } else if slot.killed() {
                // Too much for this machine: no answer is not a wrong one.
                Outcome::Unsupported
            } else {
                unanswered = true;
                Outcome::Wrong("crash", String::new())
            };
            for flag in &question.vector.flags {
                let counts = flag_of(&mut row, flag);
                match outcome {
                    Outcome::Right => counts.passed += 1,
                    Outcome::Either => counts.acceptable += 1,
                    Outcome::Unsupported => counts.unsupported += 1,
                    Outcome::Wrong(..) => counts.failed += 1,
                }
            }
            match outcome {
                Outcome::Right => {
                    row.passed += 1;
                    let source = &known.files[question.file];
                    if !row.sources.contains(source) {
                        row.sources.push(source.clone());
                    }
                }
                Outcome::Either => row.acceptable += 1,
                Outcome::Unsupported => row.unsupported += 1,
                Outcome::Wrong(kind, got) => {
                    row.failed += 1;
                    if row.failed <= KEPT && !unanswered {
                        failures.push(failure(known, slot.id(), question, kind, &got));
                    }
                }
            }
        }
        done(questions.len() as u64);
        rows.push(row);
    }
    (rows, failures)
}

/// The counts of one flag in a row.
fn flag_of<'a>(row: &'a mut Verification, flag: &str) -> &'a mut Flag {
    let index = match row.flags.iter().position(|f| f.flag == flag) {
        Some(index) => index,
        None => {
            row.flags.push(Flag {
                flag: flag.to_owned(),
                ..Flag::default()
            });
            row.flags.len() - 1
        }
    };
    &mut row.flags[index]
}

enum Outcome {
    Right,
    Either,
    Unsupported,
    Wrong(&'static str, String),
}

fn judge(question: &Question<'_>, reply: &Reply) -> Outcome {
    let inverse = catalogue::is_inverse(&question.work.operation);
    match (question.vector.verdict, reply) {
        (_, Reply::Unsupported { .. }) => Outcome::Unsupported,
        (Verdict::Acceptable, _) => Outcome::Either,
        (Verdict::Valid, Reply::Output { output }) if *output == question.expected => {
            Outcome::Right
        }
        (Verdict::Valid, Reply::Output { output }) => {
            Outcome::Wrong("wrong answer", to_hex(output))
        }
        (Verdict::Valid, Reply::Rejected) => {
            Outcome::Wrong("wrong answer", "refused as forged".into())
        }
        (Verdict::Valid, Reply::Failed { reason }) => Outcome::Wrong("error", reason.clone()),
        // A forgery must be refused, with whatever error.
        (Verdict::Invalid, Reply::Rejected | Reply::Failed { .. }) => Outcome::Right,
        (Verdict::Invalid, Reply::Output { output }) if inverse => {
            Outcome::Wrong("accepted a forgery", to_hex(output))
        }
        // A forged MAC must not be the one that comes out.
        (Verdict::Invalid, Reply::Output { output }) if *output == question.expected => {
            Outcome::Wrong("made what must not be", to_hex(output))
        }
        (Verdict::Invalid, Reply::Output { .. }) => Outcome::Right,
        (_, other) => Outcome::Wrong("garbage", other.line()),
    }
}

fn failure(
    known: &Known,
    library: &str,
    question: &Question<'_>,
    kind: &str,
    got: &str,
) -> Failure {
    let cut = |text: String| {
        if text.len() > SHOWN {
            let start: String = text.chars().take(SHOWN).collect();
            format!("{start}… ({} characters)", text.len())
        } else {
            text
        }
    };
    let vector = question.vector;
    let line = Request::Check(question.work.clone()).line();
    Failure {
        library: library.to_owned(),
        primitive: question.work.primitive.clone(),
        operation: question.work.operation.clone(),
        kind: kind.to_owned(),
        place: place(&known.files[question.file], vector),
        input: cut(line.split(' ').skip(3).collect::<Vec<_>>().join(" ")),
        expected: match vector.verdict {
            Verdict::Valid => cut(to_hex(&question.expected)),
            _ => format!("refusal ({})", vector.flags.join(" ")),
        },
        got: cut(got.to_owned()),
    }
}

/// Where a vector stands: file and line, where it has one, and its name.
fn place(file: &str, vector: &Vector) -> String {
    let line = match vector.line {
        0 => String::new(),
        line => format!(":{line}"),
    };
    format!("{file}{line} {}", vector.name)
        .trim_end()
        .to_owned()
}

/// Whether an algorithm without known answers has more libraries on its side
/// than against it.
pub fn outvotes(row: &Verification) -> bool {
    row.agreed > 0 && row.agreed + 1 > row.disagreed
}

/// Sizes at which libraries are compared with each other where there is no
/// known answer.
const COMPARED: [usize; 5] = [16, 64, 100, 1000, 4096];

/// Where no known answer decides, the libraries' outputs for the same input
/// are compared; the smaller camp, or both of two equal ones, may not be timed.
/// A library that gave wrong answers on the same primitive has no vote, and a
/// masked variant only asks what the others, without the library itself, say.
fn compare(slots: &mut [Slot], rows: &mut [Verification], failures: &mut Vec<Failure>) {
    let mut open: BTreeMap<(String, String), Vec<usize>> = BTreeMap::new();
    for row in rows.iter() {
        if row.passed == 0 && row.failed == 0 {
            open.entry((row.primitive.clone(), row.operation.clone()))
                .or_default();
        }
    }
    let tainted: HashSet<(String, String)> = rows
        .iter()
        .filter(|row| row.failed > 0)
        .map(|row| (row.library.clone(), row.primitive.clone()))
        .collect();
    for (index, row) in rows.iter().enumerate() {
        let key = (row.primitive.clone(), row.operation.clone());
        if tainted.contains(&(row.library.clone(), row.primitive.clone())) {
            continue;
        }
        if let Some(list) = open.get_mut(&key) {
            list.push(index);
        }
    }
    for ((primitive, operation), members) in open {
        let works: Vec<Work> = COMPARED
            .into_iter()
            .filter(|&bytes| catalogue::takes(&primitive, &operation, bytes))
            .filter_map(|bytes| {
                let work = catalogue::work(&primitive, &operation, bytes)?;
                genuine(slots, work, bytes)
            })
            .collect();
        if works.is_empty() {
            continue;
        }
        let mut answers: Vec<(usize, Vec<Answer>)> = Vec::new();
        for &index in &members {
            let Some(slot) = slots.iter_mut().find(|s| s.id() == rows[index].library) else {
                continue;
            };
            let answer = works
                .iter()
                .map(
                    |work| match slot.ask(&Request::Check(work.clone()), patience()) {
                        Ok(Reply::Output { output }) => Some(to_hex(&output)),
                        Ok(Reply::Unsupported { .. }) => None,
                        Ok(other) => Some(other.line()),
                        Err(fault) => Some(fault.to_string()),
                    },
                )
                .collect();
            answers.push((index, answer));
        }
        for (index, answer) in &answers {
            let mine = rows[*index].library.clone();
            let voters: Vec<&(usize, Vec<Answer>)> = answers
                .iter()
                .filter(|(other, _)| {
                    let other = &rows[*other].library;
                    !adapters::is_variant(other)
                        && adapters::adapter(other) != adapters::adapter(&mine)
                })
                .collect();
            let others = || voters.iter().copied().filter(|(other, _)| other != index);
            let row = &mut rows[*index];
            if row.passed > 0 {
                continue;
            }
            row.agreed = others()
                .filter(|(_, other)| conflict(answer, other) == Some(None))
                .count() as u32;
            let against = others().find_map(|(_, other)| conflict(answer, other).flatten());
            row.disagreed = others()
                .filter(|(_, other)| matches!(conflict(answer, other), Some(Some(_))))
                .count() as u32;
            if let (Some(at), false) = (against, outvotes(row)) {
                let shown = |answer: &[Answer]| -> String {
                    answer[at]
                        .iter()
                        .flat_map(|text| text.chars())
                        .take(SHOWN)
                        .collect()
                };
                let other = others()
                    .map(|(_, other)| other)
                    .find(|other| other[at] != answer[at]);
                failures.push(Failure {
                    library: row.library.clone(),
                    primitive: primitive.clone(),
                    operation: operation.clone(),
                    kind: "disagrees".into(),
                    place: format!(
                        "no known answer: {} other{} agree, {} do not",
                        row.agreed,
                        if row.agreed == 1 { "" } else { "s" },
                        row.disagreed
                    ),
                    input: Request::Check(works[at].clone())
                        .line()
                        .chars()
                        .take(SHOWN)
                        .collect(),
                    expected: other.map_or(String::new(), |other| shown(other)),
                    got: shown(answer),
                });
            }
        }
    }
}

/// A library's output for one work; `None` where it does not take the work.
type Answer = Option<String>;

/// How two libraries' answers to the same works compare: `None` where they have
/// no work in common, `Some(None)` where all in common are equal, and the first
/// work at which they differ otherwise.
fn conflict(a: &[Answer], b: &[Answer]) -> Option<Option<usize>> {
    let mut common = false;
    for (at, pair) in a.iter().zip(b).enumerate() {
        if let (Some(x), Some(y)) = pair {
            common = true;
            if x != y {
                return Some(Some(at));
            }
        }
    }
    common.then_some(None)
}

/// Gives the inverse of a sealing operation a message that was really sealed,
/// by any library that can. `None` where none can.
pub fn genuine(slots: &mut [Slot], work: Work, bytes: usize) -> Option<Work> {
    if !(catalogue::is_sealed(&work.operation) && catalogue::is_inverse(&work.operation)) {
        return Some(work);
    }
    let forward = format!("{}-encrypt", catalogue::stem(&work.operation));
    let seal = Work {
        operation: forward.clone(),
        input: Data::Painted(bytes),
        ..work.clone()
    };
    slots
        .iter_mut()
        .filter(|slot| slot.usable() && slot.offers(&work.primitive, &forward))
        .find_map(
            |slot| match slot.ask(&Request::Check(seal.clone()), patience()) {
                Ok(Reply::Output { output }) => Some(output),
                _ => None,
            },
        )
        .map(|output| Work {
            input: Data::Bytes(output),
            ..work
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "# source: s\n# licence: MIT\n\
        [aes-128 gcm-encrypt]\n\n\
        key = 00\nnonce = 01\naad = 02\ninput = 0304\noutput = 0506\ntag = 0708\n\n\
        [aes-128 gcm-decrypt]\n\n\
        key = 00\nnonce = 01\ninput =\noutput = 0506\ntag = 0709\nresult = invalid\nflags = ModifiedTag\n\n\
        [aes-128 siv-encrypt]\n\ninput = 03\noutput = 05\ntag = 07\n\n\
        [sha-1 hash]\n\ninput = \"abc\"\noutput = a999\n";

    fn known() -> Known {
        let mut known = Known::default();
        known.add(
            "f.vec".into(),
            touchstone_vectors::parse(FILE).unwrap().vectors,
        );
        known
    }

    #[test]
    fn a_record_runs_both_ways_and_a_forgery_one_way() {
        let known = known();
        let forwards = known.questions("aes-128", "gcm-encrypt");
        assert_eq!(forwards.len(), 1);
        assert_eq!(forwards[0].expected, [5, 6, 7, 8]);
        assert_eq!(forwards[0].work.tag, Some(2));
        let backwards = known.questions("aes-128", "gcm-decrypt");
        assert_eq!(backwards.len(), 2);
        assert_eq!(backwards[0].work.input.to_vec(), [5, 6, 7, 9]);
        assert_eq!(backwards[1].work.input.to_vec(), [5, 6, 7, 8]);
        assert_eq!(backwards[1].expected, [3, 4]);
        let siv = known.questions("aes-128", "siv-decrypt");
        assert_eq!(siv[0].work.input.to_vec(), [7, 5], "SIV puts its tag first");
    }

    #[test]
    fn a_library_that_does_not_take_a_work_has_no_opinion_of_it() {
        let answers = |texts: &[&str]| -> Vec<Answer> {
            texts
                .iter()
                .map(|t| (!t.is_empty()).then(|| (*t).to_owned()))
                .collect()
        };
        let [abc, xbc, abx] =
            [["a", "b", "c"], ["", "b", "c"], ["a", "b", "x"]].map(|t| answers(&t));
        assert_eq!(conflict(&abc, &xbc), Some(None));
        assert_eq!(conflict(&abc, &abx), Some(Some(2)));
        assert_eq!(conflict(&answers(&["a", ""]), &answers(&["", "b"])), None);
    }

    #[test]
    fn judgement() {
        let known = known();
        let output = |bytes: &[u8]| Reply::Output {
            output: bytes.to_vec(),
        };
        let hash = &known.questions("sha-1", "hash")[0];
        assert!(matches!(
            judge(hash, &output(&[0xa9, 0x99])),
            Outcome::Right
        ));
        assert!(matches!(
            judge(hash, &output(&[0xa9])),
            Outcome::Wrong("wrong answer", _)
        ));
        let refusal = Reply::Unsupported {
            reason: String::new(),
        };
        assert!(matches!(judge(hash, &refusal), Outcome::Unsupported));
        let forged = &known.questions("aes-128", "gcm-decrypt")[0];
        assert!(matches!(judge(forged, &Reply::Rejected), Outcome::Right));
        assert!(matches!(
            judge(forged, &output(&[1])),
            Outcome::Wrong("accepted a forgery", _)
        ));
        let genuine = &known.questions("aes-128", "gcm-decrypt")[1];
        assert!(matches!(
            judge(genuine, &Reply::Rejected),
            Outcome::Wrong(..)
        ));
    }
}
