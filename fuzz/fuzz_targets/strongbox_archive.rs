//! Archives of folders: whatever an archive holds, nothing appears beside the folder that it is
//! unpacked into, and no link in it leads out.
#![no_main]

use std::fs;
use std::path::Path;

use libfuzzer_sys::fuzz_target;
use strongbox::archive::unpack;

/// Fails if a link below the folder leads out of it.
fn check(folder: &Path, root: &Path) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let kind = path.symlink_metadata().unwrap().file_type();
        if kind.is_symlink() {
            if let Ok(target) = path.canonicalize() {
                assert!(target.starts_with(root), "{}", target.display());
            }
        } else if kind.is_dir() {
            check(&path, root);
        }
    }
}

/// Makes every block of 512 bytes that could be a header one with a right checksum.
fn mended(data: &[u8]) -> Vec<u8> {
    let mut bytes = data.to_vec();
    bytes.resize(bytes.len().next_multiple_of(512), 0);
    for block in bytes.chunks_mut(512) {
        block[148..156].fill(b' ');
        let sum: u32 = block.iter().map(|&byte| u32::from(byte)).sum();
        block[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
    }
    bytes.resize(bytes.len() + 1024, 0);
    bytes
}

fuzz_target!(|data: &[u8]| {
    for archive in [data.to_vec(), mended(data)] {
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().canonicalize().unwrap().join("inner");
        fs::create_dir(&folder).unwrap();
        let _ = unpack(&archive[..], &folder);
        assert_eq!(fs::read_dir(outer.path()).unwrap().count(), 1);
        check(&folder, &folder);
    }
});
