//! Views: tables that earlier work published, made from the cells of a run, with the
//! published figures beside the new ones. Each view has its own file. A view produces
//! data ([`exhibit`]), which the terminal and the report show.

pub mod exhibit;
pub mod lens;
pub mod published;

mod acceleration;
mod ciphers;
mod criteria;
mod ehrhardt;
pub mod files;
mod freesec;
mod grid;
mod hashes;
mod key_setup;
mod lengths;
mod libraries;
mod modes;
mod sourced;
mod versions;
mod weights;

use crate::summary::Summary;
use exhibit::{Exhibit, Shown};
use lens::Lens;

/// Bytes of the messages for comparing throughput: enough to make the fixed cost of a
/// call negligible.
const BULK: u64 = 16384;

/// A view: its name, its description, and the function that makes it.
#[derive(Debug, Clone, Copy)]
pub struct View {
    /// The view's name on the command line of `touchstone table`.
    pub name: &'static str,
    /// One line about the view, for `--help` and for headings.
    pub about: &'static str,
    make: fn(&Lens<'_>) -> anyhow::Result<Vec<Exhibit>>,
}

/// All views, in the order of the report.
pub const VIEWS: [View; 11] = [
    View {
        name: "freesec",
        about: "crypt(3) and des_cipher per second, as FreeSec's README of 1994",
        make: freesec::make,
    },
    View {
        name: "key-setup",
        about: "keys, digests and records, as Eric Young's mail of 1998",
        make: key_setup::make,
    },
    View {
        name: "ehrhardt",
        about: "modes, cycles and Salsa20, as Wolfgang Ehrhardt's page of 2008",
        make: ehrhardt::make,
    },
    View {
        name: "libraries",
        about: "facts, coverage, RANK and speeds, as Aulov and Gorbenko's paper of 2012",
        make: libraries::make,
    },
    View {
        name: "hashes",
        about: "throughput of every hash, as the Libgcrypt 1.6 post of 2013",
        make: hashes::make,
    },
    View {
        name: "ciphers",
        about: "throughput of every cipher in ECB and stream, as the same post",
        make: ciphers::make,
    },
    View {
        name: "modes",
        about: "throughput of AES by mode and key size, as the same post",
        make: modes::make,
    },
    View {
        name: "lengths",
        about: "two key set-ups, encryption and decryption against length, as the test that post cites",
        make: lengths::make,
    },
    View {
        name: "acceleration",
        about: "what CPU instructions, many messages in a call and looking up are worth",
        make: acceleration::make,
    },
    View {
        name: "versions",
        about: "versions of one library side by side, of several --root or --library NAME=PATH",
        make: versions::make,
    },
    View {
        name: files::NAME,
        about: files::ABOUT,
        make: files::make,
    },
];

impl View {
    /// Makes the view from a run.
    ///
    /// # Errors
    ///
    /// If the published figures cannot be read; tests would find that.
    pub fn show(&self, summary: &Summary) -> anyhow::Result<Shown> {
        let lens = Lens::new(summary);
        let exhibits = (self.make)(&lens)?;
        let ids = exhibits.iter().flat_map(Exhibit::libraries);
        let handicaps = summary.handicaps(ids);
        Ok(Shown {
            name: self.name,
            about: self.about,
            exhibits,
            missing: lens.missing(),
            handicaps,
        })
    }
}
