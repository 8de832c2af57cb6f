//! Which libraries to look for: the adapters' manifests, and what the user
//! asks for with `--library`.

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
    /// Debian packages that bring the library, for the hint on absence and for
    /// `make run`'s set-up.
    #[serde(default)]
    pub debian: Vec<String>,
    /// Address space that the worker may take, MiB. Run-times that reserve more
    /// than they use need more than the default.
    #[serde(default = "default_memory")]
    pub memory_mib: u64,
}

fn default_memory() -> u64 {
    6144
}

/// One library to look for.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// Id within a run: the adapter's folder name, with `@2` … for further
    /// objects of the same adapter.
    pub id: String,
    /// The adapter's folder name.
    pub adapter: String,
    /// The shared object to load; empty for the adapter's own search.
    pub path: String,
    /// How to start its worker.
    pub manifest: Manifest,
    /// The manifest's folder.
    pub folder: PathBuf,
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
        });
    }
    found.sort_by(|a, b| a.id.cmp(&b.id));
    if found.is_empty() {
        bail!("no adapters in {}", folder.display());
    }
    Ok(found)
}

/// The candidates that the user asked for with `--library NAME[=PATH]`; all
/// where nothing was asked for. Two objects of one adapter are two libraries.
pub fn select(all: Vec<Candidate>, asked: &[String]) -> anyhow::Result<Vec<Candidate>> {
    if asked.is_empty() {
        return Ok(all);
    }
    let mut chosen: Vec<Candidate> = Vec::new();
    for wish in asked {
        let (name, path) = wish.split_once('=').unwrap_or((wish, ""));
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
        if chosen
            .iter()
            .any(|c| c.adapter == candidate.adapter && c.path == path)
        {
            continue;
        }
        let same = chosen
            .iter()
            .filter(|c| c.adapter == candidate.adapter)
            .count();
        let id = match same {
            0 => candidate.adapter.clone(),
            n => format!("{}@{}", candidate.adapter, n + 1),
        };
        chosen.push(Candidate {
            id,
            path,
            ..candidate.clone()
        });
    }
    Ok(chosen)
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
            })
            .to_vec()
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
