//! The known answers of a run, sorted by algorithm and read from files of any format.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use anyhow::Context;

use touchstone_vectors::{Vector, Verdict, foreign};
use touchstone_wire::Work;

use super::question::Question;
use crate::operations::{self, Chain};
use crate::text::{NAME, visible};

/// All known answers by algorithm.
#[derive(Default)]
pub struct Known {
    pub(super) files: Vec<String>,
    by_algorithm: HashMap<(String, String), Vec<(usize, Vector)>>,
    /// Whether a user gave the files. Then only the algorithms of these files are of interest.
    pub(super) of_user: bool,
    /// Number of known answers.
    pub count: usize,
}

impl Known {
    /// Reads every `.vec` file below a folder.
    pub fn read(folder: &Path) -> anyhow::Result<Self> {
        let mut known = Self::default();
        for (path, file) in touchstone_vectors::read_tree(folder)? {
            let name = path.to_string_lossy().into_owned();
            let left_out = known.add(name, file.vectors);
            if let Some((reason, count)) = left_out.first_key_value() {
                anyhow::bail!("{}: {count} × {reason}", path.display());
            }
        }
        Ok(known)
    }

    /// Reads one file, or every file below a folder, of any format that
    /// [`touchstone_vectors::foreign`] knows. Records that are left out are counted by
    /// reason; in a folder, files of unknown formats are left out, too.
    ///
    /// # Errors
    ///
    /// If the path cannot be read, a file is broken, or there is no known answer
    /// at all.
    pub fn read_any(path: &Path) -> anyhow::Result<(Self, BTreeMap<String, usize>)> {
        let mut known = Self {
            of_user: true,
            ..Self::default()
        };
        let mut left_out = BTreeMap::new();
        let whole_folder = path.is_dir();
        let mut open: Vec<PathBuf> = files(path)?;
        let mut seen: BTreeSet<PathBuf> = open.iter().cloned().collect();
        open.reverse();
        while let Some(file) = open.pop() {
            let found = match foreign::read(&file) {
                Err(_) if whole_folder && !foreign::is_known(&file) => {
                    *left_out
                        .entry("a file of no known format".into())
                        .or_default() += 1;
                    continue;
                }
                // In a folder, a broken file is left out and the others are read.
                Err(error) if whole_folder => {
                    let reason = format!("a broken file: {error:#}");
                    let reason = visible(&reason, NAME).into_owned();
                    *left_out.entry(reason).or_default() += 1;
                    continue;
                }
                found => found?,
            };
            for (reason, count) in found.left_out {
                *left_out.entry(reason).or_default() += count;
            }
            for name in found.files {
                let named = file.with_file_name(name);
                if !named.is_file() {
                    let reason =
                        format!("a file that is named and not there ({})", named.display());
                    let reason = visible(&reason, NAME).into_owned();
                    *left_out.entry(reason).or_default() += 1;
                } else if seen.insert(named.clone()) {
                    open.push(named);
                }
            }
            let shown = match file.strip_prefix(path) {
                Ok(relative) if whole_folder => relative,
                _ => &file,
            };
            let shown = shown.to_string_lossy().into_owned();
            for (reason, count) in known.add(shown, found.vectors) {
                *left_out.entry(reason).or_default() += count;
            }
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

    /// Adds the vectors of one file. Vectors that fit no operation of the table are left
    /// out and counted by reason.
    pub fn add(&mut self, file: String, vectors: Vec<Vector>) -> BTreeMap<String, usize> {
        let index = self.files.len();
        self.files.push(file);
        let mut left_out = BTreeMap::new();
        for vector in vectors {
            let reason = match operations::find(&vector.operation) {
                Some(operation) => operation.refuses_fields(&vector),
                None => Some(format!("no operation is called {:?}", vector.operation)),
            };
            if let Some(reason) = reason {
                let reason = visible(&reason, NAME).into_owned();
                *left_out.entry(reason).or_default() += 1;
                continue;
            }
            self.count += 1;
            let algorithm = (vector.primitive.clone(), vector.operation.clone());
            self.by_algorithm
                .entry(algorithm)
                .or_default()
                .push((index, vector));
        }
        left_out
    }

    /// Returns the algorithms that have known answers, in alphabetical order.
    pub fn algorithms(&self) -> Vec<String> {
        let names = self.by_algorithm.keys();
        let names: BTreeSet<String> = names
            .map(|(primitive, operation)| format!("{primitive} {operation}"))
            .collect();
        names.into_iter().collect()
    }

    /// Returns the known answers under an algorithm's own name.
    fn own(&self, primitive: &str, operation: &str) -> &[(usize, Vector)] {
        self.by_algorithm
            .get(&(primitive.to_owned(), operation.to_owned()))
            .map_or(&[], Vec::as_slice)
    }

    /// Returns the known answers of the operation that this one inverts or verifies.
    fn reversed(&self, primitive: &str, operation: &str) -> impl Iterator<Item = &(usize, Vector)> {
        let forwards = operations::find(operation).and_then(|o| o.inverse_of.as_deref());
        let known = forwards.map_or(&[][..], |forwards| self.own(primitive, forwards));
        known
            .iter()
            .filter(|(_, vector)| vector.verdict == Verdict::Valid)
    }

    /// Returns the known answers that need a chain of calls of this operation.
    fn chained(&self, primitive: &str, operation: &str) -> Vec<(&'static Chain, &(usize, Vector))> {
        let mut found = Vec::new();
        for row in operations::OPERATIONS.iter() {
            if let Some(chain) = row.chain.as_ref().filter(|chain| chain.of == operation) {
                let known = self.own(primitive, &row.id).iter();
                found.extend(known.map(|known| (chain, known)));
            }
        }
        found
    }

    /// Returns the number of questions for an algorithm.
    pub(super) fn number(&self, primitive: &str, operation: &str) -> u64 {
        let reversed = self.reversed(primitive, operation).count();
        let chained = self.chained(primitive, operation).len();
        (self.own(primitive, operation).len() + reversed + chained) as u64
    }

    /// Returns the inputs of an algorithm's known answers, except the answers of chains.
    pub fn works(&self, primitive: &str, operation: &str) -> Vec<Work> {
        let questions = self.questions(primitive, operation).into_iter();
        let single = questions.filter(|question| !question.is_chained());
        single.map(|question| question.work).collect()
    }

    /// Returns the known answers of an algorithm as questions. Some are the algorithm's own.
    /// Others belong to the operation that it inverts; their input and output are exchanged.
    /// Others belong to chains of its calls.
    pub(super) fn questions(&self, primitive: &str, operation: &str) -> Vec<Question<'_>> {
        let Some(operation) = operations::find(operation) else {
            return Vec::new();
        };
        let single = self
            .own(primitive, &operation.id)
            .iter()
            .chain(self.reversed(primitive, &operation.id))
            .map(|(file, vector)| Question::new(*file, vector, operation));
        let chained = self
            .chained(primitive, &operation.id)
            .into_iter()
            .map(|(chain, (file, vector))| Question::chained(*file, vector, operation, chain));
        single.chain(chained).collect()
    }
}

/// Returns the file itself, or all files below a folder, sorted by path.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_brings_the_files_that_it_names() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            path
        };
        let list = write(
            "all.txt",
            "AlgorithmType: FileList\nName: all\nTest: TestVectors/one.txt\n\
             Test: TestVectors/all.txt\nTest: TestVectors/none.txt\n",
        );
        write(
            "one.txt",
            "AlgorithmType: MessageDigest\nName: MD5\nMessage: \"\"\n\
             Digest: d41d8cd98f00b204e9800998ecf8427e\nTest: Verify\n",
        );
        for path in [&*list, folder.path()] {
            let (known, left_out) = Known::read_any(path).unwrap();
            assert_eq!((known.count, known.number("md5", "hash")), (1, 1));
            let (reason, count) = left_out.first_key_value().unwrap();
            assert!(reason.contains("none.txt") && *count == 1, "{left_out:?}");
        }
    }
}
