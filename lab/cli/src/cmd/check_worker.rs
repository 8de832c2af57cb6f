//! `touchstone check-worker`: checks whether a worker follows the protocol.

use clap::Args;
use touchstone_wire::Offer;

use super::{End, Global};
use crate::adapters;
use crate::conformance::{self, Outcome, Suspect};
use crate::table::Table;
use crate::verify::Known;
use crate::wanted::Wanted;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  touchstone check-worker python3 worker.py
  touchstone check-worker --algorithm sha-256 ./worker")]
pub(super) struct Options {
    /// Check the rules with this algorithm alone, in any spelling, or with the algorithms that
    /// this regular expression matches
    #[arg(long, value_name = "NAME|REGEX")]
    algorithm: Option<Wanted>,
    /// Address space that the worker may use, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 6144)]
    memory: u64,
    /// The program that starts the worker, and its arguments
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    command: Vec<String>,
}

pub(super) fn run(global: &Global, options: &Options) -> anyhow::Result<End> {
    let known = Known::read(&adapters::vectors_folder()?)?;
    let suspect = Suspect {
        command: options.command.clone(),
        memory_mib: options.memory,
    };
    let choose = |offers: &[Offer]| {
        let offered = offers.iter();
        let offered = offered.map(|offer| (&*offer.primitive, &*offer.operation));
        super::algorithms(options.algorithm.as_ref(), offered)
    };
    let findings = conformance::check(&suspect, &known, &choose)?;
    let mut table = Table::new(
        "rules",
        "A worker must",
        &["rule", "result", ">cases", "what it did"],
    );
    for finding in &findings {
        let (result, cases, what) = match &finding.outcome {
            Outcome::Passed(cases) => ("yes", cases.to_string(), ""),
            Outcome::Failed(what) => ("no", String::new(), what.as_str()),
            Outcome::Skipped(why) => ("not checked", String::new(), why.as_str()),
        };
        table.row([finding.rule, result, &cases, what]);
    }
    global.print(&[table])?;
    let failed = |outcome: &Outcome| matches!(outcome, Outcome::Failed(_));
    Ok(if findings.iter().any(|finding| failed(&finding.outcome)) {
        End::VerificationFailed
    } else {
        End::Good
    })
}
