//! Determines which libraries a run looks for, from the adapters' manifests and from the user's
//! options `--library` and `--root`.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, anyhow, bail};
use serde::{Deserialize, Serialize};

use crate::root::Root;

/// `adapter.toml`, the manifest in each adapter's folder.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The library's name, as reports show it.
    pub name: String,
    /// The program and its arguments. If the manifest's folder contains the program, the lab
    /// starts it from there, otherwise from PATH. An argument `{folder}` stands for the
    /// manifest's folder.
    pub command: Vec<String>,
    /// The shared object to load, if the worker should not search for it; `{folder}`
    /// stands for the manifest's folder.
    #[serde(default)]
    pub library: String,
    /// If the library is another build of the library of another adapter: the name of that adapter.
    /// Such a build is measured and shown, but never ranked against that library.
    #[serde(default)]
    pub variant_of: String,
    /// Packages that contain the library, to install during set-up and to suggest when the library
    /// is missing. If there are no packages, the worker contains the library, or the library comes
    /// with the lab. Then the tree of another system has no other version of the library.
    #[serde(default)]
    pub packages: Packages,
    /// Environment variables for a library in the tree of another system, if it looks for
    /// files at fixed paths. `{root}` stands for the tree and `{lib}` for its folder of
    /// libraries.
    #[serde(default)]
    pub root: BTreeMap<String, String>,
    /// Address space that the worker may use, in MiB. Some run-times reserve much more
    /// address space than they use, and need a limit above the default.
    #[serde(default = "default_memory")]
    pub memory_mib: u64,
    /// Masks of CPU features: by the mask's name, the environment variables that make the
    /// library not use instructions that the CPU has.
    #[serde(default)]
    pub masks: BTreeMap<String, BTreeMap<String, String>>,
    /// The library's known defects, so that verification and fuzzing can distinguish them from new
    /// defects.
    #[serde(default)]
    pub defects: Vec<Defect>,
    /// The algorithms that run in constant time, if the library's own documentation says so.
    #[serde(default)]
    pub constant_time: Vec<ConstantTime>,
}

impl Manifest {
    /// Returns the known defect that explains a wrong answer of an algorithm, if there is one.
    /// `place` names the known answer; without a known answer, a defect of some cases alone
    /// explains nothing.
    pub fn defect(&self, primitive: &str, operation: &str, place: Option<&str>) -> Option<&Defect> {
        let algorithm = format!("{primitive} {operation}");
        let has = |expression: &str, text: &str| {
            regex::Regex::new(expression).is_ok_and(|regex| regex.is_match(text))
        };
        self.defects.iter().find(|defect| {
            let explains = |case| place.is_some_and(|place| has(case, place));
            has(&defect.algorithm, &algorithm) && defect.case.as_deref().is_none_or(explains)
        })
    }

    /// Reads a manifest.
    ///
    /// # Errors
    /// If the text is not a manifest, or names no program.
    pub fn parse(text: &str) -> anyhow::Result<Self> {
        let manifest: Self = toml::from_str(text)?;
        if manifest.command.is_empty() {
            bail!("command must name a program");
        }
        Ok(manifest)
    }
}

/// A known defect of a library.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Defect {
    /// The algorithms that the defect can change: a regular expression for
    /// `PRIMITIVE OPERATION`.
    pub algorithm: String,
    /// The cases of known answers that the defect explains, if it does not explain every failure
    /// of these algorithms: a regular expression for the place that a failure names. Fuzzing takes
    /// no answer for such a defect's.
    pub case: Option<String>,
    /// The defect, in one line: versions, cause, and where it was reported.
    pub what: String,
    /// The library differs on purpose: it follows another specification than the known answer.
    #[serde(default)]
    pub intended: bool,
    /// The first release without the defect.
    pub mended: Option<String>,
    /// Where the mend can be read.
    pub source: Option<String>,
}

/// A library's claim that its time does not depend on secrets.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConstantTime {
    /// The algorithms: a regular expression for `PRIMITIVE OPERATION`.
    pub algorithm: String,
    /// Instructions that the CPU must have for the claim, as Linux names them.
    #[serde(default)]
    pub needs: Vec<String>,
    /// The document that makes the claim.
    pub source: String,
}

/// Packages by package manager. Alternatives are separated by ` | ` as in Debian's
/// control files, the preferred one first; `*` and `[0-9]` match as in a shell.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Packages {
    /// Package names for apt (Debian, Ubuntu).
    pub apt: Vec<String>,
    /// Package names for dnf (Fedora).
    pub dnf: Vec<String>,
    /// Further packages that are needed to build or run the worker, by package manager.
    pub build: BTreeMap<String, Vec<String>>,
}

impl Packages {
    fn is_empty(&self) -> bool {
        self.apt.is_empty() && self.dnf.is_empty()
    }

    /// Returns the command that installs the library on this machine. Empty if no package contains
    /// the library, or if the machine has no package manager that manifests support.
    pub fn remedy(&self) -> String {
        let here = |program: &str| Path::new("/usr/bin").join(program).exists();
        let (manager, names) = if here("apt-get") {
            ("apt", &self.apt)
        } else if here("dnf") {
            ("dnf", &self.dnf)
        } else {
            return String::new();
        };
        let names: Vec<&str> = self
            .build
            .get(manager)
            .into_iter()
            .flatten()
            .chain(names)
            .map(String::as_str)
            .collect();
        if names.is_empty() {
            return String::new();
        }
        format!("packages of {manager}: {}", names.join(", ")).replace(" | ", " or ")
    }
}

/// Separates a library's id from the mask of a variant.
pub const MASKED: char = '~';

/// Separates an adapter's name from the name of a tree or the number of another object.
pub const OTHER: char = '@';

/// Returns whether an id belongs to a masked variant. Variants are measured, but not ranked, and
/// other libraries are never compared with them.
pub fn is_variant(id: &str) -> bool {
    id.contains(MASKED)
}

/// Returns the id of the library without the mask of a variant; an id without a mask is unchanged.
pub fn plain(id: &str) -> &str {
    id.split(MASKED).next().unwrap_or(id)
}

/// Returns the name of the adapter in an id. All versions of a library have the same adapter.
pub fn adapter(id: &str) -> &str {
    id.split([OTHER, MASKED]).next().unwrap_or(id)
}

fn default_memory() -> u64 {
    6144
}

/// One library to look for.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// The id within a run: the adapter's folder name; then `@NAME` for a library in the
    /// tree of another system, or `@2`, `@3` … for further objects of the same adapter;
    /// then `~MASK` for a masked variant.
    pub id: String,
    /// The adapter's folder name.
    pub adapter: String,
    /// The shared object to load; empty if the adapter searches for it.
    pub path: String,
    /// The adapter's manifest, which tells how to start the worker.
    pub manifest: Manifest,
    /// The manifest's folder.
    pub folder: PathBuf,
    /// The mask of a variant; empty for the library without a mask.
    pub mask: String,
    /// Whether all cells are measured with this candidate. False for a variant that only the
    /// profile asks for, in some cells.
    pub everywhere: bool,
    /// The tree of another system that contains the library.
    pub root: Option<Root>,
}

impl Candidate {
    /// Returns the environment variables for the mask and the tree.
    pub fn environment(&self) -> impl Iterator<Item = (&String, OsString)> {
        let mask = self.manifest.masks.get(&self.mask).into_iter().flatten();
        let tree = self.root.iter().flat_map(|root| {
            let set = self.manifest.root.iter();
            set.map(|(name, value)| (name, root.expand(value)))
        });
        mask.map(|(name, value)| (name, value.into())).chain(tree)
    }

    /// Returns the command that starts the worker.
    ///
    /// # Errors
    ///
    /// If the library is in a tree whose loader cannot start the worker.
    pub fn command(&self) -> anyhow::Result<Command> {
        let program = Path::new(&self.manifest.command[0]);
        let beside = self.folder.join(program);
        let program = if beside.is_file() { &beside } else { program };
        let mut command = match &self.root {
            Some(root) => root.command(program)?,
            None => Command::new(program),
        };
        let folder = self.folder.to_string_lossy();
        let arguments = self.manifest.command[1..].iter();
        command
            .args(arguments.map(|a| a.replace("{folder}", &folder)))
            .envs(self.environment());
        Ok(command)
    }

    /// Returns the same library in the tree of another system. `None` if no package contains the
    /// library, because then a tree has no other version of it.
    fn of(&self, root: &Root) -> Option<Self> {
        (!self.manifest.packages.is_empty()).then(|| Self {
            id: format!("{}{OTHER}{}", self.adapter, root.name),
            path: String::new(),
            root: Some(root.clone()),
            ..self.clone()
        })
    }

    fn variant(&self, mask: &str, everywhere: bool) -> Self {
        Self {
            id: format!("{}{MASKED}{mask}", self.id),
            mask: mask.to_owned(),
            everywhere,
            ..self.clone()
        }
    }
}

/// Returns the folder of adapters: `TOUCHSTONE_ADAPTERS`, or the installed folder relative to the
/// command (`../lib/touchstone/adapters`).
pub fn folder() -> anyhow::Result<PathBuf> {
    installed("TOUCHSTONE_ADAPTERS", "adapters")
}

/// Returns the folder of known answers: `TOUCHSTONE_VECTORS`, or the installed folder relative to
/// the command (`../lib/touchstone/vectors`).
pub fn vectors_folder() -> anyhow::Result<PathBuf> {
    installed("TOUCHSTONE_VECTORS", "vectors")
}

fn installed(variable: &str, name: &str) -> anyhow::Result<PathBuf> {
    let folder = match std::env::var_os(variable) {
        Some(folder) => PathBuf::from(folder),
        None => {
            let exe = std::env::current_exe().context("where this command is installed")?;
            let prefix = exe
                .parent()
                .and_then(Path::parent)
                .unwrap_or(Path::new("/"));
            prefix.join("lib/touchstone").join(name)
        }
    };
    if !folder.is_dir() {
        bail!(
            "no folder {}: run the command from where `make dist` put it, or set {variable}",
            folder.display()
        );
    }
    Ok(folder)
}

/// Reads every manifest below a folder, sorted by name. A broken manifest is an error
/// that names its file, because only this project or the user can have made the mistake.
pub fn manifests(folder: &Path) -> anyhow::Result<Vec<Candidate>> {
    let entries =
        std::fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))?;
    let mut found = Vec::new();
    for entry in entries.flatten() {
        let file = entry.path().join("adapter.toml");
        if !file.is_file() {
            continue;
        }
        let text = std::fs::read_to_string(&file).with_context(|| file.display().to_string())?;
        let manifest = Manifest::parse(&text).with_context(|| file.display().to_string())?;
        let id = entry.file_name().to_string_lossy().into_owned();
        let folder = entry.path();
        found.push(Candidate {
            adapter: id.clone(),
            id,
            path: manifest
                .library
                .replace("{folder}", &folder.to_string_lossy()),
            manifest,
            folder,
            mask: String::new(),
            everywhere: true,
            root: None,
        });
    }
    found.sort_by(|a, b| a.id.cmp(&b.id));
    if found.is_empty() {
        bail!("no adapters in {}", folder.display());
    }
    Ok(found)
}

/// Returns the trees that the user gives with `--root`; each must have a different name.
pub fn roots(folders: &[PathBuf]) -> anyhow::Result<Vec<Root>> {
    let mut roots: Vec<Root> = Vec::new();
    for folder in folders {
        let root = Root::open(folder)?;
        if let Some(other) = roots.iter().find(|other| other.name == root.name) {
            if *other == root {
                continue;
            }
            bail!(
                "--root {}: there is another tree called {}, and results are named after it",
                folder.display(),
                root.name
            );
        }
        roots.push(root);
    }
    Ok(roots)
}

/// Returns the candidates that the user asks for with `--library NAME[@ROOT][~MASK][=PATH]`, or all
/// candidates. A name without ROOT and PATH stands for the system's own library and for the library
/// of each tree. Two objects of one adapter count as two libraries; a masked variant counts as a
/// library too.
pub fn select(
    all: Vec<Candidate>,
    asked: &[String],
    roots: &[Root],
) -> anyhow::Result<Vec<Candidate>> {
    if asked.is_empty() {
        let with_trees = |c: Candidate| {
            let trees: Vec<_> = roots.iter().filter_map(|root| c.of(root)).collect();
            std::iter::once(c).chain(trees)
        };
        return Ok(all.into_iter().flat_map(with_trees).collect());
    }
    let mut chosen: Vec<Candidate> = Vec::new();
    for wish in asked {
        let (name, path) = wish.split_once('=').unwrap_or((wish, ""));
        let (name, mask) = name.split_once(MASKED).unwrap_or((name, ""));
        let (name, tree) = name.split_once(OTHER).unwrap_or((name, ""));
        let Some(candidate) = all.iter().find(|c| {
            c.adapter.eq_ignore_ascii_case(name) || c.manifest.name.eq_ignore_ascii_case(name)
        }) else {
            let known: Vec<_> = all.iter().map(|c| c.adapter.as_str()).collect();
            let similar = crate::wanted::most_similar(name, &known);
            let hint = match similar.is_empty() {
                true => format!("there are {}", known.join(", ")),
                false => format!("did you mean {}?", similar.join(", ")),
            };
            bail!("no library is called {name:?}; {hint}");
        };
        if !mask.is_empty() && !candidate.manifest.masks.contains_key(mask) {
            let known: Vec<_> = candidate.manifest.masks.keys().cloned().collect();
            bail!(
                "{} has no mask {mask:?}; {}",
                candidate.manifest.name,
                if known.is_empty() {
                    "it offers no way to leave instructions alone".to_owned()
                } else {
                    format!("there are {}", known.join(", "))
                }
            );
        }
        let wished = if !tree.is_empty() {
            if !path.is_empty() {
                bail!("--library {wish}: a library is of a tree or at a path, not both");
            }
            vec![of_tree(candidate, tree, roots)?]
        } else if path.is_empty() {
            let trees = roots.iter().filter_map(|root| candidate.of(root));
            let own = numbered(candidate, candidate.path.clone(), &chosen);
            std::iter::once(own).chain(trees).collect()
        } else {
            let path = std::fs::canonicalize(path)
                .with_context(|| format!("--library {wish}: {path}"))?
                .into_os_string()
                .into_string()
                .map_err(|path| anyhow!("--library {}: not UTF-8", path.display()))?;
            vec![numbered(candidate, path, &chosen)]
        };
        for mut wished in wished {
            if !mask.is_empty() {
                wished = wished.variant(mask, true);
            }
            if chosen.iter().all(|c| c.id != wished.id) {
                chosen.push(wished);
            }
        }
    }
    Ok(chosen)
}

fn of_tree(candidate: &Candidate, tree: &str, roots: &[Root]) -> anyhow::Result<Candidate> {
    let Some(root) = roots.iter().find(|root| root.name == tree) else {
        let known: Vec<_> = roots.iter().map(|root| root.name.as_str()).collect();
        bail!(
            "no tree is called {tree:?}; {}",
            if known.is_empty() {
                "--root DIR names one".to_owned()
            } else {
                format!("there are {}", known.join(", "))
            }
        );
    };
    let name = &candidate.manifest.name;
    candidate
        .of(root)
        .with_context(|| format!("{name} comes with the lab: no tree has another one"))
}

/// Returns a library of this system. If another object of the same adapter was chosen before it,
/// its id gets a number.
fn numbered(candidate: &Candidate, path: String, chosen: &[Candidate]) -> Candidate {
    let mut objects: Vec<&str> = Vec::new();
    let same = |c: &&Candidate| c.adapter == candidate.adapter && c.root.is_none();
    for other in chosen.iter().filter(same) {
        if !objects.contains(&other.path.as_str()) {
            objects.push(&other.path);
        }
    }
    let place = objects.iter().position(|other| *other == path);
    let id = match place.unwrap_or(objects.len()) {
        0 => candidate.adapter.clone(),
        n => format!("{}{OTHER}{}", candidate.adapter, n + 1),
    };
    Candidate {
        id,
        path,
        ..candidate.clone()
    }
}

/// Adds the variants that a profile asks for, if the libraries have such a mask.
/// Libraries in other trees get no variants, because they are there to compare versions.
pub fn with_masks(mut chosen: Vec<Candidate>, masks: &BTreeSet<&str>) -> Vec<Candidate> {
    let plain = chosen
        .iter()
        .filter(|c| c.mask.is_empty() && c.root.is_none());
    let wanted: Vec<Candidate> = plain
        .flat_map(|c| {
            let has = |mask: &&&str| c.manifest.masks.contains_key(**mask);
            masks.iter().filter(has).map(|mask| c.variant(mask, false))
        })
        .collect();
    for variant in wanted {
        if chosen.iter().all(|c| c.id != variant.id) {
            chosen.push(variant);
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidates() -> Vec<Candidate> {
        ["nettle", "openssl"]
            .map(|id| Candidate {
                id: id.into(),
                adapter: id.into(),
                path: String::new(),
                manifest: toml::from_str(&format!("name = \"{id}\"\ncommand = [\"x\"]")).unwrap(),
                folder: PathBuf::new(),
                mask: String::new(),
                everywhere: true,
                root: None,
            })
            .to_vec()
    }

    fn masked() -> Vec<Candidate> {
        let mut all = candidates();
        all[1].manifest = toml::from_str(
            "name = \"OpenSSL\"\ncommand = [\"x\"]\n\
             [masks.portable]\nOPENSSL_ia32cap = \"0:0\"\n\
             [masks.no-avx512]\nOPENSSL_ia32cap = \":~0x1\"\n",
        )
        .unwrap();
        all
    }

    #[test]
    fn a_masked_variant_is_a_library_of_its_own() {
        let asked = [
            "openssl",
            "openssl~portable=/",
            "openssl~portable",
            "openssl=/",
        ];
        let chosen = select(masked(), &asked.map(str::to_owned), &[]).unwrap();
        let ids: Vec<_> = chosen.iter().map(|c| c.id.as_str()).collect();
        assert_eq!(
            ids,
            [
                "openssl",
                "openssl@2~portable",
                "openssl~portable",
                "openssl@2"
            ]
        );
        assert!(is_variant(ids[1]) && !is_variant(ids[3]));
        assert_eq!(plain(ids[1]), "openssl@2");
        let set: Vec<_> = chosen[1].environment().collect();
        assert_eq!(set, [(&"OPENSSL_ia32cap".to_owned(), "0:0".into())]);
        assert_eq!(chosen[0].environment().count(), 0);
        let error = select(masked(), &["openssl~avx".to_owned()], &[]).unwrap_err();
        assert!(error.to_string().contains("no-avx512, portable"), "{error}");
        let error = select(masked(), &["nettle~portable".to_owned()], &[]).unwrap_err();
        assert!(error.to_string().contains("no way"), "{error}");
    }

    #[test]
    fn a_profile_adds_the_variants_that_there_are() {
        let masks = BTreeSet::from(["portable", "no-such"]);
        let all = with_masks(masked(), &masks);
        let ids: Vec<_> = all.iter().map(|c| (c.id.as_str(), c.everywhere)).collect();
        assert_eq!(
            ids,
            [
                ("nettle", true),
                ("openssl", true),
                ("openssl~portable", false)
            ]
        );
        let asked = select(masked(), &["openssl~portable".to_owned()], &[]).unwrap();
        assert_eq!(
            with_masks(asked, &masks).len(),
            1,
            "no library, no variant of it"
        );
    }

    #[test]
    fn two_objects_of_one_adapter_are_two_libraries() {
        let asked = ["openssl", "OpenSSL=/", "openssl"].map(str::to_owned);
        let chosen = select(candidates(), &asked, &[]).unwrap();
        let ids: Vec<_> = chosen
            .iter()
            .map(|c| (c.id.as_str(), c.path.as_str()))
            .collect();
        assert_eq!(ids, [("openssl", ""), ("openssl@2", "/")]);
    }

    #[test]
    fn an_unknown_library_is_answered_with_similar_or_known_ones() {
        let refused = |name: &str| select(candidates(), &[name.to_owned()], &[]).unwrap_err();
        let error = refused("opensll").to_string();
        assert!(error.contains("did you mean openssl?"), "{error}");
        let error = refused("zzz").to_string();
        assert!(error.contains("nettle, openssl"), "{error}");
        assert!(select(candidates(), &["openssl=/no/such.so".to_owned()], &[]).is_err());
    }
}
