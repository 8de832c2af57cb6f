//! Folders as one content: a tar archive. Entries that could leave the folder, and links that
//! could, are refused before anything of them is written.

use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};

use tar::{Archive, Builder, EntryType, HeaderMode};

use crate::error::{Error, Result};

/// Writes a folder as an archive. Entries are sorted by name, so equal folders make equal
/// archives. Sockets, devices and pipes are skipped, and their paths returned.
///
/// # Errors
///
/// [`Error::Io`] with the path in its message.
pub fn pack(folder: &Path, output: impl Write) -> Result<Vec<PathBuf>> {
    let mut builder = Builder::new(output);
    builder.follow_symlinks(false);
    builder.mode(HeaderMode::Complete);
    let mut skipped = Vec::new();
    let mut waiting = vec![PathBuf::new()];
    while let Some(inside) = waiting.pop() {
        let path = folder.join(&inside);
        let at = |error| named(error, &path);
        let kind = fs::symlink_metadata(&path).map_err(at)?.file_type();
        let name = if inside.as_os_str().is_empty() {
            Path::new(".")
        } else {
            &inside
        };
        if kind.is_dir() {
            builder.append_dir(name, &path).map_err(at)?;
            let entries = fs::read_dir(&path).map_err(at)?;
            let names = entries.map(|entry| Ok(entry?.file_name()));
            let mut names = names.collect::<std::io::Result<Vec<_>>>().map_err(at)?;
            names.sort_unstable_by(|a, b| b.cmp(a));
            waiting.extend(names.into_iter().map(|name| inside.join(name)));
        } else if kind.is_file() || kind.is_symlink() {
            builder.append_path_with_name(&path, name).map_err(at)?;
        } else {
            skipped.push(path);
        }
    }
    builder.into_inner()?.flush()?;
    Ok(skipped)
}

fn named(error: std::io::Error, path: &Path) -> Error {
    Error::Io(std::io::Error::new(
        error.kind(),
        format!("{}: {error}", path.display()),
    ))
}

/// Unpacks an archive into an empty folder that nobody else may write to, such as a new temporary
/// one. Returns the number of entries.
///
/// # Errors
///
/// [`Error::Hostile`] for an entry that is refused, [`Error::Io`].
pub fn unpack(input: impl Read, folder: &Path) -> Result<u64> {
    let mut archive = Archive::new(input);
    archive.set_preserve_permissions(true);
    archive.set_preserve_mtime(true);
    archive.set_overwrite(false);
    let mut count = 0;
    // A folder's mode may forbid to write into it, so modes of folders are set at the end.
    let mut folders = Vec::new();
    for entry in archive.entries()? {
        let mut entry = entry?;
        let path = entry.path()?.into_owned();
        let refuse = |why| Error::Hostile(path.to_string_lossy().into_owned(), why);
        check_path(&path).map_err(refuse)?;
        match entry.header().entry_type() {
            EntryType::Regular | EntryType::Directory | EntryType::Continuous => {}
            EntryType::Symlink => {
                let target = entry
                    .link_name()?
                    .ok_or_else(|| refuse("its link leads nowhere"))?;
                check_link(&path, &target).map_err(refuse)?;
            }
            EntryType::Link => return Err(refuse("it is a hard link")),
            _ => return Err(refuse("it is neither a file nor a folder nor a link")),
        }
        // Set-user-id bits and the like do not come out of an archive.
        entry.set_mask(0o7000);
        if entry.header().entry_type() == EntryType::Directory {
            folders.push((folder.join(&path), entry.header().mode()? & 0o777));
            entry.set_preserve_permissions(false);
            if path == Path::new(".") {
                continue;
            }
        }
        // `unpack_in` also refuses to write through links that were unpacked before.
        if !entry
            .unpack_in(folder)
            .map_err(|error| named(error, &path))?
        {
            return Err(refuse("it would leave the folder"));
        }
        count += 1;
    }
    for (path, mode) in folders.iter().rev() {
        let mode = fs::Permissions::from_mode(*mode);
        fs::set_permissions(path, mode).map_err(|error| named(error, path))?;
    }
    Ok(count)
}

/// Refuses paths that are not inside the folder.
fn check_path(path: &Path) -> std::result::Result<(), &'static str> {
    for part in path.components() {
        match part {
            Component::Normal(name) if name.as_encoded_bytes().contains(&b'\\') => {
                return Err("its name has a backslash");
            }
            Component::Normal(_) | Component::CurDir => {}
            Component::ParentDir => return Err("its path has .."),
            Component::RootDir | Component::Prefix(_) => return Err("its path is absolute"),
        }
    }
    if path.as_os_str().is_empty() {
        return Err("its path is empty");
    }
    Ok(())
}

/// Refuses links that lead out of the folder. `..` may only take back names that stand before.
fn check_link(path: &Path, target: &Path) -> std::result::Result<(), &'static str> {
    let mut depth = path
        .components()
        .filter(|part| matches!(part, Component::Normal(_)))
        .count();
    depth = depth.saturating_sub(1);
    for part in target.components() {
        match part {
            Component::Normal(_) => depth += 1,
            Component::CurDir => {}
            Component::ParentDir => {
                depth = depth
                    .checked_sub(1)
                    .ok_or("its link leads out of the folder")?;
            }
            Component::RootDir | Component::Prefix(_) => {
                return Err("its link leads out of the folder");
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_folder_survives() {
        let from = tempfile::tempdir().unwrap();
        let to = tempfile::tempdir().unwrap();
        fs::create_dir(from.path().join("sub")).unwrap();
        fs::write(from.path().join("sub/a"), b"content").unwrap();
        fs::write(from.path().join("empty"), b"").unwrap();
        symlink("../empty", from.path().join("sub/up")).unwrap();
        let mode = fs::Permissions::from_mode(0o750);
        fs::set_permissions(from.path().join("empty"), mode).unwrap();
        let mode = fs::Permissions::from_mode(0o500);
        fs::set_permissions(from.path().join("sub"), mode).unwrap();
        symlink("sub/a", from.path().join("link")).unwrap();
        let mut archive = Vec::new();
        assert!(pack(from.path(), &mut archive).unwrap().is_empty());
        let mut again = Vec::new();
        pack(from.path(), &mut again).unwrap();
        assert_eq!(archive, again);
        assert_eq!(unpack(&archive[..], to.path()).unwrap(), 5);
        assert_eq!(fs::read(to.path().join("link")).unwrap(), b"content");
        assert_eq!(fs::read(to.path().join("sub/up")).unwrap(), b"");
        let mode = fs::metadata(to.path().join("empty"))
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o7777, 0o750);
        let mode = fs::metadata(to.path().join("sub"))
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o7777, 0o500);
    }

    /// Makes an archive of one entry without the checks of the crate's writer.
    fn entry(path: &str, kind: EntryType, link: &str) -> Vec<u8> {
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(kind);
        header.set_size(0);
        header.set_mode(0o4755);
        header.as_old_mut().name[..path.len()].copy_from_slice(path.as_bytes());
        header.as_old_mut().linkname[..link.len()].copy_from_slice(link.as_bytes());
        header.set_cksum();
        let mut bytes = header.as_bytes().to_vec();
        bytes.resize(512 * 3, 0);
        bytes
    }

    #[test]
    fn hostile_entries_are_refused() {
        let hostile = [
            entry("../a", EntryType::Regular, ""),
            entry("/tmp/a", EntryType::Regular, ""),
            entry("a/../../b", EntryType::Regular, ""),
            entry("a\\b", EntryType::Regular, ""),
            entry("a", EntryType::Symlink, "/etc/passwd"),
            entry("a", EntryType::Symlink, ".."),
            entry("a/b", EntryType::Symlink, "../../c"),
            entry("a", EntryType::Link, "b"),
            entry("a", EntryType::Char, ""),
            entry("a", EntryType::Fifo, ""),
        ];
        for archive in hostile {
            let outer = tempfile::tempdir().unwrap();
            let folder = outer.path().join("inner");
            fs::create_dir(&folder).unwrap();
            let result = unpack(&archive[..], &folder);
            assert!(matches!(result, Err(Error::Hostile(..))), "{result:?}");
            assert_eq!(fs::read_dir(outer.path()).unwrap().count(), 1);
            assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
        }
    }

    #[test]
    fn links_are_not_written_through_and_bits_are_masked() {
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join("inner");
        fs::create_dir(&folder).unwrap();
        // `sub/x` leads to `sub`'s own folder; a file below it would land elsewhere.
        let mut archive = entry("x", EntryType::Symlink, "y")[..512].to_vec();
        archive.extend_from_slice(&entry("x/a", EntryType::Regular, ""));
        assert!(unpack(&archive[..], &folder).is_err());
        let folder = outer.path().join("other");
        fs::create_dir(&folder).unwrap();
        unpack(&entry("tool", EntryType::Regular, "")[..], &folder).unwrap();
        let mode = fs::metadata(folder.join("tool"))
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o7000, 0);
    }
}
