//! Archives: raw samples outside the store, one Parquet file for each run, in a folder or in an
//! object store. Other programs can query the files where they are (docs/campaigns.md).

#[cfg(feature = "s3")]
mod object;
mod samples;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};

use crate::output;
use crate::profile::Task;
use crate::stored::{RawCell, RunRow};

/// How the name of a place in an object store begins.
const S3: &str = "s3://";

/// Writes the samples of a run to an archive, reads them again and compares. Returns the place of
/// the file.
pub fn write(
    archive: &str,
    row: &RunRow,
    machine: &str,
    cells: &[RawCell],
) -> anyhow::Result<String> {
    let bytes = samples::write(row, machine, cells)?;
    let name = format!("{}.parquet", row.uid);
    let place = if archive.starts_with(S3) {
        let place = format!("{}/{name}", archive.trim_end_matches('/'));
        put(&place, bytes)?;
        place
    } else {
        let folder = std::path::absolute(archive)?;
        std::fs::create_dir_all(&folder)
            .with_context(|| format!("making the archive {}", folder.display()))?;
        let path = folder.join(name);
        output::whole(&path, |out| Ok(std::io::Write::write_all(out, &bytes)?))?;
        std::fs::File::open(&path)?.sync_all()?;
        text(&path)?
    };
    let mut back: Vec<RawCell> = cells.to_vec();
    for cell in &mut back {
        cell.samples.clear();
        cell.processes.clear();
    }
    restore(&place, &mut back)?;
    ensure!(
        back == cells,
        "{place} does not read as it was written: the store keeps its samples"
    );
    Ok(place)
}

/// Returns whether a file of samples is in an archive.
pub fn has(archive: &str, place: &str) -> bool {
    let folder = match archive.starts_with(S3) {
        true => Some(archive.trim_end_matches('/').to_owned()),
        false => std::path::absolute(archive)
            .ok()
            .and_then(|folder| text(&folder).ok()),
    };
    let parent = place.rsplit_once('/').map(|(parent, _)| parent);
    !place.is_empty() && folder.as_deref().map(|folder| folder.trim_end_matches('/')) == parent
}

/// Reads the samples of cells from their archive.
pub fn restore(place: &str, cells: &mut [RawCell]) -> anyhow::Result<()> {
    let bytes = get(place)?;
    let mut found: HashMap<(Task, String), (Vec<f64>, Vec<u32>)> =
        samples::read(bytes)?.into_iter().collect();
    for cell in cells {
        let key = (cell.task.clone(), cell.library.clone());
        (cell.samples, cell.processes) = found
            .remove(&key)
            .with_context(|| format!("it has no samples of {}, {}", cell.task, cell.library))?;
    }
    Ok(())
}

/// Removes a file of an archive. A file that is gone already is no error.
pub fn remove(place: &str) -> anyhow::Result<()> {
    if place.starts_with(S3) {
        return delete(place);
    }
    match std::fs::remove_file(place) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error.into()),
        _ => Ok(()),
    }
}

fn get(place: &str) -> anyhow::Result<Vec<u8>> {
    if !place.starts_with(S3) {
        return Ok(std::fs::read(Path::new(place))?);
    }
    #[cfg(feature = "s3")]
    return object::get(place);
    #[cfg(not(feature = "s3"))]
    without()
}

#[cfg_attr(not(feature = "s3"), allow(unused_variables))]
fn put(place: &str, bytes: Vec<u8>) -> anyhow::Result<()> {
    #[cfg(feature = "s3")]
    return object::put(place, bytes);
    #[cfg(not(feature = "s3"))]
    without()
}

#[cfg_attr(not(feature = "s3"), allow(unused_variables))]
fn delete(place: &str) -> anyhow::Result<()> {
    #[cfg(feature = "s3")]
    return object::delete(place);
    #[cfg(not(feature = "s3"))]
    without()
}

#[cfg(not(feature = "s3"))]
fn without<T>() -> anyhow::Result<T> {
    anyhow::bail!("this touchstone was built without object stores: build it with `--features s3`")
}

fn text(path: &Path) -> anyhow::Result<String> {
    let path: PathBuf = path.to_owned();
    path.into_os_string()
        .into_string()
        .ok()
        .context("the archive's path is not UTF-8")
}
