//! `touchstone man FOLDER`: writes the man pages.

use std::ffi::OsStr;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;

use super::{End, help};

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  touchstone man ~/.local/share/man/man1        then man touchstone-run")]
pub(super) struct Options {
    /// Folder to write the man pages into: touchstone.1 and one page for each verb
    folder: PathBuf,
}

pub(super) fn run(options: &Options) -> anyhow::Result<End> {
    std::fs::create_dir_all(&options.folder)
        .with_context(|| format!("making {}", options.folder.display()))?;
    let writing = || format!("writing into {}", options.folder.display());
    clap_mangen::generate_to(super::command(), &options.folder).with_context(writing)?;
    for entry in std::fs::read_dir(&options.folder)? {
        let path = entry?.path();
        let stem = path.file_stem().and_then(OsStr::to_str).unwrap_or_default();
        if let Some(verb) = stem.strip_prefix(OWN) {
            let page = std::fs::read_to_string(&path)?;
            let page = with_sections(&page, verb.trim_start_matches('-'));
            std::fs::write(&path, page).with_context(writing)?;
        }
    }
    Ok(End::Good)
}

/// How the names of this command's pages begin.
const OWN: &str = "touchstone";

/// Adds the sections of a verb to its page, before the section on the version. A page's examples
/// get a heading.
fn with_sections(page: &str, verb: &str) -> String {
    let page = page.replace(".SH EXTRA\nExamples:\n", ".SH EXAMPLES\n.nf\n");
    let page = page.replace(".SH VERSION", ".fi\n.SH VERSION");
    let mut sections = String::new();
    let escaped = |text: &str| text.replace('-', "\\-");
    for (heading, lines) in help::sections(verb) {
        sections += &format!(".SH {}\n", heading.to_uppercase());
        for (name, what) in lines {
            sections += &format!(".TP\n\\fB{}\\fR\n{}\n", escaped(name), escaped(what));
        }
    }
    match page.find(".SH VERSION") {
        Some(place) => format!("{}{sections}{}", &page[..place], &page[place..]),
        None => page + &sections,
    }
}
