//! `touchstone export`: writes a stored run for another machine or another program.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum as _};

use super::{End, Global, Usage};
use crate::bundle::Bundle;
use crate::export;
use crate::output;
use crate::store::Store;
use crate::summarise::summarise;
use crate::table::Format;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  touchstone export --to json -o run.json
  touchstone export --to csv | head")]
pub(super) struct Options {
    /// The run's number [default: the newest]
    run: Option<i64>,
    /// The format. json: the whole run, for `import` and `compare`; csv, parquet: its
    /// cells [default: from FILE's ending, else from --format, else json]
    #[arg(long, value_enum)]
    to: Option<To>,
    /// The file to write [default: stdout]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum To {
    Json,
    Csv,
    Parquet,
}

impl Options {
    fn to(&self, format: Format) -> To {
        let ending = self.output.as_deref().and_then(Path::extension);
        self.to
            .or_else(|| To::from_str(ending?.to_str()?, true).ok())
            .unwrap_or(match format {
                Format::Csv => To::Csv,
                _ => To::Json,
            })
    }
}

pub(super) fn run(global: &Global, options: &Options) -> anyhow::Result<End> {
    let to = options.to(global.format);
    let store = global.read_store()?;
    let run = store.run(options.run, false)?.id;
    match &options.output {
        Some(path) => output::whole(path, |out| write(&store, run, to, out))?,
        None if to == To::Parquet && std::io::stdout().is_terminal() => {
            return Err(Usage("parquet is no text for a terminal: say -o FILE".into()).into());
        }
        None => {
            let mut out = Vec::new();
            write(&store, run, to, &mut out)?;
            output::write(&out)?;
        }
    }
    Ok(End::Good)
}

fn write(store: &Store, run: i64, to: To, mut out: impl Write + Send) -> anyhow::Result<()> {
    match to {
        To::Json => {
            Bundle::from_store(store, run)?.write(&mut out)?;
            writeln!(out)?;
        }
        To::Csv => out.write_all(export::csv(&summarise(store, run)?).as_bytes())?,
        To::Parquet => export::parquet::write(&summarise(store, run)?, out)?,
    }
    Ok(())
}
