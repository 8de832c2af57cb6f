//! `touchstone table VIEW`: shows a stored run in the form of a published table.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap_complete::engine::ArgValueCandidates;

use super::{End, Global};
use crate::summarise::summarise;
use crate::table::Format;
use crate::text::Foreign as _;
use crate::view::{VIEWS, files};

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  touchstone table freesec
  touchstone table versions --format csv")]
pub(super) struct Options {
    /// The published table
    #[arg(value_parser = PossibleValuesParser::new(
        VIEWS.iter().map(|view| PossibleValue::new(view.name).help(view.about))
    ))]
    view: String,
    /// The run's number [default: the newest over all libraries and algorithms]
    #[arg(add = ArgValueCandidates::new(super::completions::runs))]
    run: Option<i64>,
}

pub(super) fn run(global: &Global, options: &Options) -> anyhow::Result<End> {
    let store = global.read_store()?;
    // Files are measured without a run, so the newest measurement needs none.
    if (options.view.as_str(), options.run) == (files::NAME, None) {
        let mut measured = store.newest_files(None)?;
        measured.make_visible();
        global.print(&files::show(measured.as_ref())?.tables())?;
        return Ok(End::Good);
    }
    let summary = summarise(&store, global.run_to_show(&store, options.run)?.id)?;
    for view in VIEWS.iter().filter(|view| view.name == options.view) {
        let shown = view.show(&summary)?;
        global.print(&shown.tables())?;
        // CSV has no place for remarks, so the remark goes to stderr.
        if global.format == Format::Csv && !shown.missing.is_empty() {
            global.say(&shown.missing);
        }
    }
    Ok(End::Good)
}
