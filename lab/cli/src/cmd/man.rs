//! `touchstone man FOLDER`: writes the man pages.

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;

use super::End;

#[derive(Debug, Args)]
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
        let own = path
            .file_name()
            .is_some_and(|name| name.as_encoded_bytes().starts_with(OWN));
        if own {
            let page = std::fs::read_to_string(&path)?;
            std::fs::write(&path, with_sections(&page)).with_context(writing)?;
        }
    }
    Ok(End::Good)
}

/// How the names of this command's pages begin.
const OWN: &[u8] = b"touchstone";

/// The sections that every page has, in the format of man pages.
const SECTIONS: &str = "\
.SH ENVIRONMENT
.TP
\\fBTOUCHSTONE_STORE\\fR
The file or the address of the database in which runs are stored, unless \\fB\\-\\-store\\fR is given.
.TP
\\fBTOUCHSTONE_HOST\\fR
The name under which runs of this machine are stored, unless it is the host's name.
.TP
\\fBPGPASSWORD\\fR, \\fBPGPASSFILE\\fR
The password of a store in PostgreSQL, or the file that has the passwords; ~/.pgpass unless set.
.TP
\\fBTOUCHSTONE_ADAPTERS\\fR, \\fBTOUCHSTONE_VECTORS\\fR
The folders of the adapters and of the known answers, unless those beside the command are meant.
.TP
\\fBTOUCHSTONE_PATIENCE\\fR
The number of seconds that a library has for one answer; 30 unless set.
.TP
\\fBNO_COLOR\\fR
If set, the output has no colours.
.SH FILES
.TP
\\fI$XDG_DATA_HOME/touchstone/runs.sqlite\\fR, \\fI~/.local/share/touchstone/runs.sqlite\\fR
The stored runs.
.TP
\\fIreports/run\\-N.html\\fR beside the store
The reports.
.SH EXIT STATUS
0 good; 1 the lab itself failed; 2 usage; 3 a verification failed, or fuzzing found an unknown
disagreement; 4 nothing to measure, verify or compare; 5 compare or history found a
regression; 6 a part of a campaign failed.
";

/// Adds the sections to a page, before its section on the version. A page's examples get a
/// heading.
fn with_sections(page: &str) -> String {
    let page = page.replace(".SH EXTRA\nExamples:\n", ".SH EXAMPLES\n.nf\n");
    let page = page.replace(".SH VERSION", ".fi\n.SH VERSION");
    match page.find(".SH VERSION") {
        Some(place) => format!("{}{SECTIONS}{}", &page[..place], &page[place..]),
        None => page + SECTIONS,
    }
}
