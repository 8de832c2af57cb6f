//! Libraries in the tree of another system. A tree is a folder with the contents of that
//! system's `/`, such as a folder that `make roots` makes, a container's file system or a
//! mounted disk. The tree's own loader starts a worker of this system, so that the worker uses
//! the C library and all other libraries of that tree. No privileges are needed.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail, ensure};
use object::read::elf::{FileHeader, ProgramHeader};
use object::{Endianness, elf};

/// The tree of another system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Root {
    /// The folder's name, which ids and names show after `@`.
    pub name: String,
    /// The folder's absolute path without links.
    path: PathBuf,
    /// The folders with the tree's loader and libraries, in the order in which the loader
    /// searches them.
    folders: Vec<PathBuf>,
}

impl Root {
    /// Opens the tree in a folder.
    ///
    /// # Errors
    ///
    /// If the folder does not exist, contains no folders of libraries, or has a name or
    /// path that cannot be passed to the loader.
    pub fn open(folder: &Path) -> anyhow::Result<Self> {
        let path = std::fs::canonicalize(folder)
            .with_context(|| format!("--root {}", folder.display()))?;
        let name = path
            .file_name()
            .context("--root /: the system's own libraries are measured anyway")?
            .to_str()
            .context("--root: the folder's name is not UTF-8, and results are named after it")?
            .to_owned();
        ensure!(
            !path
                .as_os_str()
                .as_bytes()
                .iter()
                .any(|b| b":;".contains(b)),
            "--root {}: the loader takes no path with a colon or a semicolon",
            path.display()
        );
        ensure!(
            !name.contains(['@', '~', '=', ',', ' ']) && name.parse::<u32>().is_err(),
            "--root {}: results are named after the folder, so it must be called otherwise: \
             no number, none of @ ~ = comma space",
            path.display()
        );
        let triplet = format!("{}-linux-gnu", std::env::consts::ARCH);
        let mut folders = Vec::new();
        for place in ["lib", "lib64"] {
            for sub in [&*triplet, ""] {
                for top in ["usr", ""] {
                    let folder = path.join(top).join(place).join(sub);
                    // A link that leads out of the tree would lead to files of another
                    // system.
                    if let Ok(folder) = std::fs::canonicalize(folder)
                        && folder.starts_with(&path)
                        && !folders.contains(&folder)
                    {
                        folders.push(folder);
                    }
                }
            }
        }
        ensure!(
            !folders.is_empty(),
            "--root {}: no usr/lib, usr/lib64, lib or lib64 in it",
            path.display()
        );
        Ok(Self {
            name,
            path,
            folders,
        })
    }

    /// Returns whether a file is inside this tree.
    pub fn holds(&self, file: &Path) -> bool {
        std::fs::canonicalize(file).is_ok_and(|file| file.starts_with(&self.path))
    }

    /// Replaces `{root}`, and `{lib}` (the first folder of libraries), in a value of a
    /// manifest's `[root]`.
    pub fn expand(&self, value: &str) -> OsString {
        let mut out = Vec::new();
        let mut rest = value.as_bytes();
        while !rest.is_empty() {
            let marks = [
                (&b"{root}"[..], self.path.as_path()),
                (&b"{lib}"[..], self.libraries()),
            ];
            match marks.iter().find(|(mark, _)| rest.starts_with(mark)) {
                Some((mark, path)) => {
                    out.extend(path.as_os_str().as_bytes());
                    rest = &rest[mark.len()..];
                }
                None => {
                    out.push(rest[0]);
                    rest = &rest[1..];
                }
            }
        }
        OsString::from_vec(out)
    }

    fn libraries(&self) -> &Path {
        &self.folders[0]
    }

    /// Returns a command that runs a program of this system with the libraries of the tree.
    ///
    /// # Errors
    ///
    /// If no loader can start the program (a script, for example), or if the tree has no
    /// loader for this kind of program.
    pub fn command(&self, program: &Path) -> anyhow::Result<Command> {
        let wanted = interpreter(program)?;
        let loader = self
            .folders
            .iter()
            .map(|folder| folder.join(&wanted))
            .find(|loader| loader.is_file() && self.holds(loader));
        let Some(loader) = loader else {
            bail!(
                "{} has no {}, which starts programs there",
                self.path.display(),
                wanted.display()
            );
        };
        let mut folders = OsString::new();
        for folder in &self.folders {
            if !folders.is_empty() {
                folders.push(":");
            }
            folders.push(folder);
        }
        let mut command = Command::new(loader);
        // The loader's cache describes this system and must not be used for the tree.
        command
            .arg("--inhibit-cache")
            .arg("--library-path")
            .arg(folders)
            .arg(program)
            .env_remove("LD_LIBRARY_PATH")
            .env_remove("LD_PRELOAD");
        Ok(command)
    }
}

/// Returns the file name of the loader that an ELF program requests.
fn interpreter(program: &Path) -> anyhow::Result<PathBuf> {
    let found = || -> Option<PathBuf> {
        let bytes = std::fs::read(program).ok()?;
        let header = elf::FileHeader64::<Endianness>::parse(&*bytes).ok()?;
        let endian = header.endian().ok()?;
        let segments = header.program_headers(endian, &*bytes).ok()?;
        let path = segments
            .iter()
            .find_map(|segment| segment.interpreter(endian, &*bytes).ok().flatten())?;
        Path::new(OsStr::from_bytes(path))
            .file_name()
            .map(PathBuf::from)
    };
    found().with_context(|| {
        format!(
            "{} is no program that another tree's loader can start",
            program.display()
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_is_named_after_its_folder_and_keeps_to_itself() {
        let folder = tempfile::tempdir().unwrap();
        let tree = folder.path().join("sid");
        std::fs::create_dir_all(tree.join("usr/lib64")).unwrap();
        std::os::unix::fs::symlink("/usr/lib", tree.join("lib")).unwrap();
        std::os::unix::fs::symlink("usr/lib64", tree.join("lib64")).unwrap();
        let root = Root::open(&tree).unwrap();
        assert_eq!(root.name, "sid");
        assert_eq!(
            root.folders,
            [root.path.join("usr/lib64")],
            "no link out of it"
        );
        assert!(root.holds(&tree.join("lib64")));
        assert!(!root.holds(Path::new("/usr/lib")) && !root.holds(&tree.join("lib")));
        let modules = root.expand("{lib}/modules:{root}{x}");
        let path = root.path.display();
        assert_eq!(modules, *format!("{path}/usr/lib64/modules:{path}{{x}}"));
        let error = root.command(Path::new("/proc/self/exe")).unwrap_err();
        assert!(error.to_string().contains("ld-"), "{error}");
        let error = root.command(Path::new("/etc/passwd")).unwrap_err();
        assert!(error.to_string().contains("no program"), "{error}");
    }

    #[test]
    fn what_cannot_be_a_tree_is_refused_with_the_reason() {
        let folder = tempfile::tempdir().unwrap();
        let make = |name: &str| {
            let tree = folder.path().join(name);
            std::fs::create_dir_all(tree.join("lib")).unwrap();
            tree
        };
        for (tree, reason) in [
            (PathBuf::from("/"), "the system's own"),
            (folder.path().to_owned(), "no usr/lib"),
            (folder.path().join("none"), "No such file"),
            (make("a:b"), "colon"),
            (make("2"), "no number"),
            (make("a@b"), "none of @"),
        ] {
            let error = format!("{:#}", Root::open(&tree).unwrap_err());
            assert!(error.contains(reason), "{}: {error}", tree.display());
        }
    }
}
