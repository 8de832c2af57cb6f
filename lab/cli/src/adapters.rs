//! Which libraries to look for: the adapters' manifests, and what the user
//! asks for with `--library`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde::Deserialize;

/// `adapter.toml`, one in each adapter's folder.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The library's name for people.
    pub name: String,
    /// Program and arguments. A program that is in the manifest's folder is
    /// taken from there, any other from PATH; an argument `{folder}` stands for
    /// that folder.
    pub command: Vec<String>,
    /// The shared object to load, where the worker's own search is not what is
    /// wanted; `{folder}` stands for the manifest's folder.
    #[serde(default)]
    pub library: String,
    /// The adapter whose library this is another build of. A variant is measured and shown,
    /// and never ranked as a rival of the library itself.
    #[serde(default)]
    pub variant_of: String,
    /// Debian packages that bring the library, for the hint on absence and for
    /// `make run`'s set-up.
    #[serde(default)]
    pub debian: Vec<String>,
    /// Address space that the worker may take, MiB. Run-times that reserve more
    /// than they use need more than the default.
    #[serde(default = "default_memory")]
    pub memory_mib: u64,
    /// CPU-feature masks: by name the environment variables with which the
    /// library leaves instructions alone that the machine has.
    #[serde(default)]
    pub masks: BTreeMap<String, BTreeMap<String, String>>,
}

/// What stands between a library's id and the mask of a variant.
pub const MASKED: char = '~';

/// Whether an id is that of a masked variant: measured beside the libraries,
/// never ranked and never the one that others are compared with.
pub fn is_variant(id: &str) -> bool {
    id.contains(MASKED)
}

/// The adapter of a library, which all versions and variants of it share.
pub fn adapter(id: &str) -> &str {
    id.split([MASKED, '@']).next().unwrap_or(id)
}

/// The id of the library that a variant is one of; any other id unchanged.
pub fn plain(id: &str) -> &str {
    id.split(MASKED).next().unwrap_or(id)
}

fn default_memory() -> u64 {
    6144
}

/// One library to look for.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// Id within a run: the adapter's folder name, with `@2` … for further
    /// objects of the same adapter, and `~MASK` for a masked variant.
    pub id: String,
    /// The adapter's folder name.
    pub adapter: String,
    /// The shared object to load; empty for the adapter's own search.
    pub path: String,
    /// How to start its worker.
    pub manifest: Manifest,
    /// The manifest's folder.
    pub folder: PathBuf,
    /// The mask of a variant; empty for the library as it is.
    pub mask: String,
    /// Whether it takes part in every cell: not where only the profile wants
    /// the variant, in some.
    pub everywhere: bool,
}

impl Candidate {
    /// The environment that the mask asks for.
    pub fn environment(&self) -> impl Iterator<Item = (&String, &String)> {
        self.manifest.masks.get(&self.mask).into_iter().flatten()
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

/// The folder of adapters: `TOUCHSTONE_ADAPTERS`, or the one installed beside
/// the command (`../lib/touchstone/adapters`).
pub fn folder() -> anyhow::Result<PathBuf> {
    installed("TOUCHSTONE_ADAPTERS", "adapters")
}

/// The folder of known answers: `TOUCHSTONE_VECTORS`, or the one installed
/// beside the command (`../lib/touchstone/vectors`).
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

/// Reads every manifest below a folder, in name order. A broken manifest is an
/// error that names its file: it is ours or the user's own, never the machine's.
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
        let manifest: Manifest =
            toml::from_str(&text).with_context(|| file.display().to_string())?;
        if manifest.command.is_empty() {
            bail!("{}: command must name a program", file.display());
        }
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
        });
    }
    found.sort_by(|a, b| a.id.cmp(&b.id));
    if found.is_empty() {
        bail!("no adapters in {}", folder.display());
    }
    Ok(found)
}

/// The candidates that the user asked for with `--library NAME[~MASK][=PATH]`;
/// all where nothing was asked for. Two objects of one adapter are two
/// libraries, and so is a library behind a mask.
pub fn select(all: Vec<Candidate>, asked: &[String]) -> anyhow::Result<Vec<Candidate>> {
    if asked.is_empty() {
        return Ok(all);
    }
    let mut chosen: Vec<Candidate> = Vec::new();
    for wish in asked {
        let (name, path) = wish.split_once('=').unwrap_or((wish, ""));
        let (name, mask) = name.split_once(MASKED).unwrap_or((name, ""));
        let Some(candidate) = all.iter().find(|c| {
            c.adapter.eq_ignore_ascii_case(name) || c.manifest.name.eq_ignore_ascii_case(name)
        }) else {
            let known: Vec<_> = all.iter().map(|c| c.adapter.as_str()).collect();
            bail!(
                "no adapter is called {name:?}; there are {}",
                known.join(", ")
            );
        };
        let path = if path.is_empty() {
            candidate.path.clone()
        } else {
            std::fs::canonicalize(path)
                .with_context(|| format!("--library {wish}: {path}"))?
                .to_string_lossy()
                .into_owned()
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
        let mut objects: Vec<&str> = Vec::new();
        for other in chosen.iter().filter(|c| c.adapter == candidate.adapter) {
            if !objects.contains(&other.path.as_str()) {
                objects.push(&other.path);
            }
        }
        let place = objects.iter().position(|other| *other == path);
        let id = match place.unwrap_or(objects.len()) {
            0 => candidate.adapter.clone(),
            n => format!("{}@{}", candidate.adapter, n + 1),
        };
        let mut wished = Candidate {
            id,
            path,
            ..candidate.clone()
        };
        if !mask.is_empty() {
            wished = wished.variant(mask, true);
        }
        if chosen.iter().all(|c| c.id != wished.id) {
            chosen.push(wished);
        }
    }
    Ok(chosen)
}

/// Adds the variants that a profile wants beside the libraries, where these
/// have such a mask.
pub fn with_masks(mut chosen: Vec<Candidate>, masks: &BTreeSet<&str>) -> Vec<Candidate> {
    let plain = chosen.iter().filter(|c| c.mask.is_empty());
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
        let chosen = select(masked(), &asked.map(str::to_owned)).unwrap();
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
        assert_eq!(set, [(&"OPENSSL_ia32cap".to_owned(), &"0:0".to_owned())]);
        assert_eq!(chosen[0].environment().count(), 0);
        let error = select(masked(), &["openssl~avx".to_owned()]).unwrap_err();
        assert!(error.to_string().contains("no-avx512, portable"), "{error}");
        let error = select(masked(), &["nettle~portable".to_owned()]).unwrap_err();
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
        let asked = select(masked(), &["openssl~portable".to_owned()]).unwrap();
        assert_eq!(
            with_masks(asked, &masks).len(),
            1,
            "no library, no variant of it"
        );
    }

    #[test]
    fn two_objects_of_one_adapter_are_two_libraries() {
        let asked = ["openssl", "OpenSSL=/", "openssl"].map(str::to_owned);
        let chosen = select(candidates(), &asked).unwrap();
        let ids: Vec<_> = chosen
            .iter()
            .map(|c| (c.id.as_str(), c.path.as_str()))
            .collect();
        assert_eq!(ids, [("openssl", ""), ("openssl@2", "/")]);
    }

    #[test]
    fn an_unknown_library_is_answered_with_the_known_ones() {
        let error = select(candidates(), &["opensll".to_owned()])
            .unwrap_err()
            .to_string();
        assert!(error.contains("nettle, openssl"), "{error}");
        assert!(select(candidates(), &["openssl=/no/such.so".to_owned()]).is_err());
    }
}
