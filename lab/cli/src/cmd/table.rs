//! `touchstone table VIEW`: a published table, from a stored run.

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::{End, Global};
use crate::summarise::summarise;
use crate::table;
use crate::view::VIEWS;

#[derive(Debug, Args)]
pub(super) struct Options {
    /// The view
    #[arg(value_parser = PossibleValuesParser::new(VIEWS.iter().map(|view| view.name)))]
    view: String,
    /// The run's number [default: the newest]
    run: Option<i64>,
}

pub(super) fn run(global: &Global, options: &Options) -> anyhow::Result<End> {
    let store = global.open_store()?;
    let summary = summarise(&store, store.run(options.run, false)?.id)?;
    for view in VIEWS.iter().filter(|view| view.name == options.view) {
        table::print(&(view.make)(&summary)?, global.format);
    }
    Ok(End::Good)
}
