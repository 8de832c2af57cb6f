//! `touchstone serve`: shows the runs of a store to browsers.

use std::net::SocketAddr;

use anyhow::Context as _;
use clap::Args;

use super::{End, Global};
use crate::output;
use crate::serve::{self, Service};

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  touchstone serve                              on this machine alone, port 8180
  touchstone serve --listen 0.0.0.0:8180 --name lab.example

It has no users and no passwords, and writes nothing. For others, put it behind a proxy that
asks for a password.")]
pub(super) struct Options {
    /// The address and the port to listen on; port 0 takes any free one
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8180")]
    listen: SocketAddr,
    /// A name under which browsers may ask, such as that of the proxy in front (repeatable)
    /// [default: names of this machine; any name if --listen is an address for other machines]
    #[arg(long = "name", value_name = "NAME")]
    names: Vec<String>,
}

pub(super) fn run(global: &Global, options: &Options) -> anyhow::Result<End> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let service = Service {
        store: global.store_path()?,
        address: options.listen,
        names: options.names.clone(),
    };
    let (stop, stopped) = tokio::sync::oneshot::channel();
    let mut signals = signal_hook::iterator::Signals::new([SIGHUP, SIGINT, SIGTERM])?;
    let wait = move || {
        signals.forever().next();
        let _ = stop.send(());
    };
    std::thread::Builder::new()
        .spawn(wait)
        .context("starting a thread")?;
    let ready = |address: SocketAddr| output::text(&format!("http://{address}/\n"));
    serve::run(service, ready, async {
        // An error means that the thread has ended, which ends the service as well.
        let _ = stopped.await;
    })?;
    Ok(End::Good)
}
