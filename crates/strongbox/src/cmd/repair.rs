//! `strongbox repair`, and the parity files that it needs.

use std::fs::File;
use std::path::{Path, PathBuf};

use serde_json::json;
use strongbox::parity;

use super::Common;
use super::files::with_extension;
use super::output::Output;
use super::report::{Done, Failure};

/// Repair a damaged file by its parity file.
///
/// The parity file only helps to find and to repair damage; `strongbox verify` tells whether the
/// result is genuine.
#[derive(clap::Args)]
pub(super) struct Repair {
    /// The damaged file.
    file: PathBuf,
    /// The parity file; by default FILE.parity.
    #[arg(long, value_name = "FILE")]
    parity: Option<PathBuf>,
    /// The file to write.
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Replace the file that is written, if it exists.
    #[arg(long, short)]
    force: bool,
}

impl Repair {
    pub(super) fn run(&self, _: &Common) -> Result<Done, Failure> {
        let at = |error| Failure::at(&self.file, error);
        let path = self
            .parity
            .clone()
            .unwrap_or_else(|| with_extension(&self.file, ".parity"));
        let file = File::open(&self.file).map_err(|error| at(error.into()))?;
        let parity = File::open(&path).map_err(|error| Failure::at(&path, error.into()))?;
        let output = Output::create(&self.output, self.force)?;
        let repaired = parity::repair(&file, &parity, output.file(), &mut super::signals::check);
        let repaired = repaired.map_err(at)?;
        output.finish(None)?;
        Ok(Done {
            text: format!(
                "repaired {} of {} blocks; `strongbox verify` tells whether the file is genuine\n",
                repaired.blocks, repaired.total
            ),
            json: json!({ "repaired": repaired.blocks, "blocks": repaired.total }),
            answer: true,
            taken: false,
        })
    }
}

/// Writes the parity file of a file, and returns its path.
pub(super) fn write_parity(path: &Path, percent: u8, replace: bool) -> Result<PathBuf, Failure> {
    let name = with_extension(path, ".parity");
    let at = |error| Failure::at(&name, error);
    let file = File::open(path).map_err(|error| at(error.into()))?;
    let output = Output::create(&name, replace)?;
    parity::write(&file, percent, output.file(), &mut super::signals::check).map_err(at)?;
    output.finish(None)?;
    Ok(name)
}
