//! Fetches the packages that contain vectors with the registries' own clients, and
//! unpacks them.
//!
//! `xtask/vectors.lock` pins each package to a version and to the hash of its archive.
//! For a package without a line there, the newest version is fetched and a line is added.
//! To update a package, delete its line.

use anyhow::{Context, Result, bail, ensure};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io::{Cursor, Read, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The kind of registry from which a package comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Registry {
    /// The package is a Rust crate, which `cargo fetch` fetches.
    Crate,
    /// The package is a Python wheel, which `pip download` fetches.
    PyPi,
    /// The package is a Debian binary package, which `apt-get download` fetches.
    Debian,
    /// The package is the upstream tarball of a Debian source package, which `apt-get source`
    /// fetches.
    DebianSource,
}

impl Registry {
    const ALL: [Registry; 4] = [
        Registry::Crate,
        Registry::PyPi,
        Registry::Debian,
        Registry::DebianSource,
    ];

    fn word(self) -> &'static str {
        match self {
            Registry::Crate => "crate",
            Registry::PyPi => "PyPI",
            Registry::Debian => "Debian",
            Registry::DebianSource => "Debian-source",
        }
    }
}

/// One line of the lock file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pin {
    /// The registry of the package.
    pub(crate) registry: Registry,
    /// The package's name in the registry.
    pub(crate) name: String,
    /// The package's version in the registry.
    pub(crate) version: String,
    /// The SHA-256 digest of the archive, in hex digits.
    pub(crate) sha256: String,
}

impl fmt::Display for Pin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (registry, name) = (self.registry.word(), &self.name);
        write!(
            f,
            "{registry} {name} {}, sha256 {}",
            self.version, self.sha256
        )
    }
}

/// Reads the lock file; a missing file counts as empty.
pub(crate) fn read_lock(path: &Path) -> Result<Vec<Pin>> {
    match fs::read_to_string(path) {
        Ok(text) => parse_lock(&text).with_context(|| path.display().to_string()),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(e) => Err(e).with_context(|| path.display().to_string()),
    }
}

fn parse_lock(text: &str) -> Result<Vec<Pin>> {
    text.lines()
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty())
        .map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let [registry, name, version, sha256] = words[..] else {
                bail!("not `registry name version sha256`: {line:?}");
            };
            let registry = Registry::ALL
                .into_iter()
                .find(|r| r.word() == registry)
                .with_context(|| format!("no registry is called {registry:?}"))?;
            Ok(Pin {
                registry,
                name: name.into(),
                version: version.into(),
                sha256: sha256.into(),
            })
        })
        .collect()
}

/// Returns the text of the lock file.
pub(crate) fn write_lock(pins: &[Pin]) -> String {
    let mut text = String::from(
        "# Packages that vectors/ is made from: registry, name, version, sha256 of the archive.\n\
         # Kept by `cargo xtask vectors`; delete a line to take that package's newest version.\n",
    );
    for pin in pins {
        let (registry, name) = (pin.registry.word(), &pin.name);
        text += &format!("{registry} {name} {} {}\n", pin.version, pin.sha256);
    }
    text
}

/// A package with its files, by their paths inside the archive.
#[derive(Debug)]
pub(crate) struct Package {
    /// The version that was fetched.
    pub(crate) pin: Pin,
    /// The files that `wanted` selected.
    pub(crate) files: BTreeMap<String, Vec<u8>>,
}

impl Package {
    /// Returns a file's contents as text.
    pub(crate) fn text(&self, path: &str) -> Result<&str> {
        let bytes = self
            .files
            .get(path)
            .with_context(|| format!("{} has no file {path}", self.pin.name))?;
        std::str::from_utf8(bytes).with_context(|| format!("{path} is not text"))
    }

    /// Returns the files whose path starts with a prefix, sorted by path.
    pub(crate) fn under<'a>(
        &'a self,
        start: &'a str,
    ) -> impl Iterator<Item = (&'a str, &'a [u8])> + 'a {
        self.files
            .iter()
            .filter(move |(path, _)| path.starts_with(start))
            .map(|(path, bytes)| (path.as_str(), bytes.as_slice()))
    }
}

/// Fetches packages into a cache folder.
pub(crate) struct Fetcher {
    cache: PathBuf,
    locked: Vec<Pin>,
    /// The packages that this run used, for the lock file.
    pub(crate) used: Vec<Pin>,
}

impl Fetcher {
    /// Creates a fetcher that fetches the pinned versions of `locked`.
    pub(crate) fn new(cache: PathBuf, locked: Vec<Pin>) -> Result<Self> {
        fs::create_dir_all(&cache).with_context(|| cache.display().to_string())?;
        Ok(Fetcher {
            cache,
            locked,
            used: Vec::new(),
        })
    }

    /// Fetches and unpacks a package, and keeps the files that `wanted` selects.
    pub(crate) fn get(
        &mut self,
        registry: Registry,
        name: &str,
        wanted: impl Fn(&str) -> bool,
    ) -> Result<Package> {
        let what = || format!("{} {name}", registry.word());
        let locked = self
            .locked
            .iter()
            .find(|p| p.registry == registry && p.name == name)
            .cloned();
        let folder = self.cache.join(registry.word()).join(name);
        let cached = locked.as_ref().and_then(|pin| {
            let path = only_file(&folder).ok()?;
            let bytes = fs::read(path).ok()?;
            (sha256(&bytes) == pin.sha256).then_some(bytes)
        });
        let (pin, bytes) = if let (Some(pin), Some(bytes)) = (&locked, cached) {
            (pin.clone(), bytes)
        } else {
            if folder.exists() {
                fs::remove_dir_all(&folder)?;
            }
            fs::create_dir_all(&folder)?;
            eprintln!("fetching {}", what());
            let version = locked.as_ref().map(|p| p.version.as_str());
            let (path, version) = fetch(registry, name, version, &folder).with_context(what)?;
            let bytes = fs::read(&path)?;
            let pin = Pin {
                registry,
                name: name.into(),
                version,
                sha256: sha256(&bytes),
            };
            if let Some(locked) = locked {
                ensure!(pin == locked, "{pin}, but the lock file says {locked}");
            }
            (pin, bytes)
        };
        self.used.push(pin.clone());
        let archive = only_file(&folder)?;
        let files = unpack(registry, &archive, &bytes, &wanted).with_context(what)?;
        ensure!(
            !files.is_empty(),
            "{} holds none of the wanted files",
            what()
        );
        Ok(Package { pin, files })
    }
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|b| format!("{b:02x}"))
        .collect()
}

fn only_file(folder: &Path) -> Result<PathBuf> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)?
        .filter_map(|e| Some(e.ok()?.path()))
        .filter(|p| p.is_file())
        .collect();
    ensure!(
        paths.len() == 1,
        "{} files in {}",
        paths.len(),
        folder.display()
    );
    Ok(paths.remove(0))
}

fn run(command: &mut Command) -> Result<String> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("{command:?}"))?;
    ensure!(
        output.status.success(),
        "{command:?}: {}\n{}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Downloads one archive into the folder and returns its path and version.
fn fetch(
    registry: Registry,
    name: &str,
    version: Option<&str>,
    folder: &Path,
) -> Result<(PathBuf, String)> {
    match registry {
        Registry::Crate => fetch_crate(name, version, folder),
        Registry::PyPi => {
            let spec = version.map_or(name.to_owned(), |v| format!("{name}=={v}"));
            run(Command::new("python3")
                .args(["-m", "pip", "download", "--quiet", "--no-deps", &spec, "-d"])
                .arg(folder))?;
            let path = only_file(folder)?;
            // The file name of a wheel is name-version-python-abi-platform.
            let file = path.file_name().unwrap_or_default().to_string_lossy();
            let version = file
                .split('-')
                .nth(1)
                .context("a wheel names its version")?;
            let version = version.to_owned();
            Ok((path, version))
        }
        Registry::Debian => {
            let spec = version.map_or(name.to_owned(), |v| format!("{name}={v}"));
            run(Command::new("apt-get")
                .args(["download", &spec])
                .current_dir(folder))?;
            let path = only_file(folder)?;
            let version = run(Command::new("dpkg-deb")
                .arg("--field")
                .arg(&path)
                .arg("Version"))?;
            Ok((path, version.trim().to_owned()))
        }
        Registry::DebianSource => fetch_debian_source(name, version, folder),
    }
}

fn fetch_crate(name: &str, version: Option<&str>, folder: &Path) -> Result<(PathBuf, String)> {
    let requirement = version.map_or("*".to_owned(), |v| format!("={v}"));
    let project = folder.join("project");
    fs::create_dir_all(project.join("src"))?;
    fs::write(project.join("src/lib.rs"), "")?;
    fs::write(
        project.join("Cargo.toml"),
        format!(
            "[package]\nname = \"throwaway\"\nedition = \"2024\"\n[workspace]\n\
             [dependencies]\n{name} = {{ version = \"{requirement}\", default-features = false }}\n"
        ),
    )?;
    let manifest = project.join("Cargo.toml");
    run(Command::new(env!("CARGO"))
        .args(["fetch", "--quiet", "--manifest-path"])
        .arg(&manifest))?;
    let metadata = run(Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--manifest-path"])
        .arg(&manifest))?;
    let metadata: serde_json::Value = serde_json::from_str(&metadata)?;
    let package = metadata["packages"]
        .as_array()
        .into_iter()
        .flatten()
        .find(|p| p["name"] == name)
        .context("cargo metadata does not list it")?;
    let version = package["version"]
        .as_str()
        .context("no version")?
        .to_owned();
    // cargo unpacks registry/cache/<index>/<name-version>.crate to
    // registry/src/<index>/<name-version>/, where Cargo.toml lies.
    let unpacked = Path::new(package["manifest_path"].as_str().context("no path")?)
        .parent()
        .context("no folder")?;
    let index = unpacked.parent().context("no index folder")?;
    let registry = index
        .parent()
        .and_then(Path::parent)
        .context("no registry")?;
    let file = format!("{name}-{version}.crate");
    let from = registry
        .join("cache")
        .join(index.file_name().unwrap_or_default())
        .join(&file);
    let to = folder.join(&file);
    fs::copy(&from, &to).with_context(|| from.display().to_string())?;
    fs::remove_dir_all(&project)?;
    Ok((to, version))
}

/// Fetches a Debian source with the machine's own package sources, but with source
/// packages enabled and in a temporary state folder, so that the system's settings do not
/// change.
fn fetch_debian_source(
    name: &str,
    version: Option<&str>,
    folder: &Path,
) -> Result<(PathBuf, String)> {
    let state = folder.join("apt");
    let parts = state.join("sources.list.d");
    for sub in [
        "lists/partial",
        "cache/archives/partial",
        "down",
        "sources.list.d",
    ] {
        fs::create_dir_all(state.join(sub))?;
    }
    let mut lists = vec![PathBuf::from("/etc/apt/sources.list")];
    if let Ok(entries) = fs::read_dir("/etc/apt/sources.list.d") {
        lists.extend(entries.flatten().map(|e| e.path()));
    }
    for list in lists {
        let Ok(text) = fs::read_to_string(&list) else {
            continue;
        };
        // Other vendors' lists may have no source packages, so they are not used.
        if !text.contains("/debian") {
            continue;
        }
        let text: String = text
            .lines()
            .map(|line| match line.strip_prefix("deb ") {
                Some(rest) => format!("deb-src {rest}\n"),
                None if line.trim() == "Types: deb" => "Types: deb-src\n".into(),
                None => format!("{line}\n"),
            })
            .collect();
        fs::write(parts.join(list.file_name().unwrap_or_default()), text)?;
    }
    let apt = |arguments: &[&str]| {
        let mut command = Command::new("apt-get");
        for (key, value) in [
            ("Dir::Etc::sourcelist", Path::new("/dev/null").to_owned()),
            ("Dir::Etc::sourceparts", parts.clone()),
            ("Dir::State::lists", state.join("lists")),
            ("Dir::Cache", state.join("cache")),
        ] {
            command.arg("-o").arg(format!("{key}={}", value.display()));
        }
        command.args(arguments).current_dir(state.join("down"));
        run(&mut command)
    };
    apt(&["update"])?;
    let spec = version.map_or(name.to_owned(), |v| format!("{name}={v}"));
    apt(&["source", "--download-only", &spec])?;
    let mut tarball = None;
    let mut found = None;
    for path in fs::read_dir(state.join("down"))?
        .flatten()
        .map(|e| e.path())
    {
        let file = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if file.contains(".orig.tar.") && !file.ends_with(".asc") {
            tarball = Some(path);
        } else if file.ends_with(".dsc") {
            found = fs::read_to_string(&path)?
                .lines()
                .find_map(|l| l.strip_prefix("Version: ").map(str::to_owned));
        }
    }
    let tarball = tarball.context("no upstream tarball")?;
    let to = folder.join(tarball.file_name().unwrap_or_default());
    fs::copy(&tarball, &to)?;
    fs::remove_dir_all(&state)?;
    Ok((to, found.context("no version in the .dsc")?))
}

type Files = BTreeMap<String, Vec<u8>>;

fn unpack(
    registry: Registry,
    archive: &Path,
    bytes: &[u8],
    wanted: &dyn Fn(&str) -> bool,
) -> Result<Files> {
    match registry {
        Registry::Crate => {
            let mut plain = Vec::new();
            flate2::read::GzDecoder::new(bytes).read_to_end(&mut plain)?;
            let mut files = untar(&plain, 1, &|path| wanted(path) || path.ends_with(".tar.xz"))?;
            // A crate may contain the tarball of the C library that it builds.
            let nested: Vec<String> = files
                .keys()
                .filter(|p| p.ends_with(".tar.xz"))
                .cloned()
                .collect();
            for path in nested {
                let packed = files.remove(&path).unwrap_or_default();
                files.extend(untar(&unxz(&packed)?, 1, wanted)?);
            }
            Ok(files)
        }
        Registry::PyPi => {
            let mut archive = zip::ZipArchive::new(Cursor::new(bytes))?;
            let mut files = Files::new();
            for index in 0..archive.len() {
                let mut entry = archive.by_index(index)?;
                let path = entry.name().to_owned();
                if entry.is_file() && wanted(&path) {
                    let mut content = Vec::new();
                    entry.read_to_end(&mut content)?;
                    files.insert(path, content);
                }
            }
            Ok(files)
        }
        Registry::Debian => {
            let tar = pipe(
                Command::new("dpkg-deb").arg("--fsys-tarfile").arg(archive),
                &[],
            )?;
            untar(&tar, 1, wanted)
        }
        Registry::DebianSource => untar(&unxz(bytes)?, 1, wanted),
    }
}

fn unxz(bytes: &[u8]) -> Result<Vec<u8>> {
    pipe(Command::new("xz").args(["--decompress", "--stdout"]), bytes)
}

/// Runs a command with the given input and returns its output.
fn pipe(command: &mut Command, input: &[u8]) -> Result<Vec<u8>> {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("{command:?}"))?;
    let mut stdin = child.stdin.take().context("no stdin")?;
    let input = input.to_owned();
    let feeder = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output()?;
    ensure!(output.status.success(), "{command:?}: {}", output.status);
    // The command may close its input early, so an error of the writer is ignored.
    let _ = feeder.join();
    Ok(output.stdout)
}

/// Unpacks the wanted files of a tar archive; `strip` leading folders of their paths are
/// removed.
fn untar(bytes: &[u8], strip: usize, wanted: &dyn Fn(&str) -> bool) -> Result<Files> {
    let mut files = Files::new();
    for entry in tar::Archive::new(bytes).entries()? {
        let mut entry = entry?;
        if !entry.header().entry_type().is_file() {
            continue;
        }
        let path: PathBuf = entry.path()?.components().skip(strip).collect();
        let path = path.to_string_lossy().into_owned();
        if wanted(&path) {
            let mut content = Vec::new();
            entry.read_to_end(&mut content)?;
            files.insert(path, content);
        }
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archives_give_the_wanted_files_without_their_top_folder() {
        let mut builder = tar::Builder::new(Vec::new());
        for path in ["top/a/x.vec", "top/b/y.txt"] {
            let mut header = tar::Header::new_gnu();
            header.set_size(2);
            header.set_cksum();
            builder.append_data(&mut header, path, &b"hi"[..]).unwrap();
        }
        let bytes = builder.into_inner().unwrap();
        let files = untar(&bytes, 1, &|path| path.ends_with(".vec")).unwrap();
        let expected = BTreeMap::from([("a/x.vec".to_owned(), b"hi".to_vec())]);
        assert_eq!(files, expected);
    }

    #[test]
    fn a_lock_reads_back() {
        let pins = vec![Pin {
            registry: Registry::DebianSource,
            name: "libxcrypt".into(),
            version: "1:4.4-2".into(),
            sha256: "00ff".into(),
        }];
        assert_eq!(parse_lock(&write_lock(&pins)).unwrap(), pins);
        assert!(parse_lock("crate one 1\n").is_err());
        assert!(parse_lock("floppy one 1 00\n").is_err());
    }
}
