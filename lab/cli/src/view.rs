//! Views: tables that earlier work published, from the cells of a run, with the
//! published figures beside today's. One file a view.

mod freesec;

use crate::summary::Summary;
use crate::table::Table;

/// A view: its name, what it shows, and how it is made.
pub struct View {
    /// What `touchstone table` calls it.
    pub name: &'static str,
    /// One line for `--help`.
    pub about: &'static str,
    /// The tables for a run.
    pub make: fn(&Summary) -> anyhow::Result<Vec<Table>>,
}

/// Every view.
pub const VIEWS: [View; 1] = [View {
    name: "freesec",
    about: "crypt(3) and des_cipher per second, as FreeSec's README of 1994",
    make: freesec::make,
}];
