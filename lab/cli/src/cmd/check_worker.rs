//! `touchstone check-worker`: checks whether a worker follows the protocol.

use clap::Args;

use super::{End, Global};
use crate::adapters;
use crate::conformance::{self, Outcome, Suspect};
use crate::table::Table;
use crate::verify::Known;

#[derive(Debug, Args)]
pub(super) struct Options {
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
    let findings = conformance::check(&suspect, &known)?;
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
