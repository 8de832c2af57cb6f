//! The sections that the help of a verb and its man page have in common: environment, files, exit
//! codes.

use clap::Command;

/// What a verb uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Use {
    /// The store of runs.
    Store,
    /// The adapters' manifests.
    Manifests,
    /// Workers of libraries, which need manifests, and known answers.
    Workers,
    /// The processor, for times that are stored with this machine's name.
    Timing,
    /// The report beside the store.
    Report,
    /// Programs that encrypt files.
    Programs,
}
use Use::{Manifests, Programs, Report, Store, Timing, Workers};

/// What each verb uses; the verb of a verb follows after a hyphen, as in the names of man pages.
const USES: [(&str, &[Use]); 24] = [
    ("run", &[Store, Manifests, Workers, Timing, Report]),
    ("list", &[Manifests, Workers]),
    ("verify", &[Manifests, Workers]),
    ("measure", &[Store, Manifests, Workers, Timing]),
    ("rank", &[Store]),
    ("recommend", &[Store, Manifests]),
    ("report", &[Store, Manifests, Report]),
    ("table", &[Store]),
    ("runs", &[Store, Report]),
    ("compare", &[Store, Manifests, Workers, Timing]),
    ("history", &[Store]),
    ("fleet", &[Store]),
    ("doctor", &[Store, Manifests, Workers]),
    ("export", &[Store]),
    ("import", &[Store]),
    ("files", &[Programs]),
    ("fuzz", &[Manifests, Workers]),
    ("serve", &[Store, Manifests]),
    ("campaign", &[Store, Manifests]),
    ("campaign-plan", &[Store, Manifests, Workers]),
    ("campaign-submit", &[Store, Manifests, Workers]),
    ("campaign-collect", &[Store]),
    ("campaign-report", &[Store, Manifests]),
    ("check-worker", &[Workers]),
];

/// A line of a section: the names, what they are, and which verbs it concerns; all, if `None`.
type Line = (&'static str, &'static str, Option<Use>);

const ENVIRONMENT: [Line; 12] = [
    (
        "TOUCHSTONE_STORE",
        "The file or the address of the database in which runs are stored, unless --store is given.",
        Some(Store),
    ),
    (
        "XDG_DATA_HOME",
        "The folder that has touchstone/runs.sqlite; ~/.local/share unless set.",
        Some(Store),
    ),
    (
        "PGHOST, PGPORT, PGUSER, PGDATABASE",
        "What the address of a store in PostgreSQL leaves out.",
        Some(Store),
    ),
    (
        "PGPASSWORD, PGPASSFILE",
        "The password of a store in PostgreSQL, or the file that has passwords; ~/.pgpass unless set.",
        Some(Store),
    ),
    (
        "TOUCHSTONE_HOST",
        "The name under which runs of this machine are stored; the host's name unless set.",
        Some(Timing),
    ),
    (
        "XDG_RUNTIME_DIR",
        "The folder of the lock that keeps two runs from measuring at the same time.",
        Some(Timing),
    ),
    (
        "TOUCHSTONE_ADAPTERS",
        "The folder of the adapters, unless the one that was installed with the command is meant.",
        Some(Manifests),
    ),
    (
        "TOUCHSTONE_VECTORS",
        "The folder of known answers, unless the one that was installed with the command is meant.",
        Some(Workers),
    ),
    (
        "TOUCHSTONE_PATIENCE",
        "The number of seconds that a library has for one answer; 30 unless set.",
        Some(Workers),
    ),
    (
        "PATH",
        "The folders in which the programs are looked for.",
        Some(Programs),
    ),
    (
        "COLUMNS",
        "The width of tables in characters, unless it is the terminal's, or 80 where there is none.",
        None,
    ),
    ("NO_COLOR", "If set, the output has no colours.", None),
];

const FILES: [Line; 5] = [
    (
        "$XDG_DATA_HOME/touchstone/runs.sqlite, ~/.local/share/touchstone/runs.sqlite",
        "The stored runs.",
        Some(Store),
    ),
    (
        "reports/run-N.html, beside the store",
        "The report of run N.",
        Some(Report),
    ),
    (
        "lib/touchstone/adapters, beside the command's folder",
        "The adapters: a worker and a manifest for each library.",
        Some(Manifests),
    ),
    (
        "lib/touchstone/vectors, beside the command's folder",
        "The known answers.",
        Some(Workers),
    ),
    (
        "touchstone-measuring.lock, in XDG_RUNTIME_DIR or a folder of this user below /tmp",
        "The lock of the run that is measuring.",
        Some(Timing),
    ),
];

const EXIT_CODES: [Line; 7] = [
    ("0", "Good.", None),
    ("1", "The lab itself failed.", None),
    ("2", "Wrong usage.", None),
    (
        "3",
        "A verification failed, or fuzzing found a disagreement that nobody knew.",
        None,
    ),
    (
        "4",
        "There was nothing to measure, verify, show or compare.",
        None,
    ),
    (
        "5",
        "A comparison or a history found that something became slower.",
        None,
    ),
    ("6", "A part of a campaign failed.", None),
];

/// The sections, each with its heading.
const SECTIONS: [(&str, &[Line]); 3] = [
    ("Environment", &ENVIRONMENT),
    ("Files", &FILES),
    ("Exit status", &EXIT_CODES),
];

/// A section of one verb: the heading, and the lines that concern the verb.
pub(super) type Section = (&'static str, Vec<(&'static str, &'static str)>);

/// Returns the sections of a verb, or of the whole command if `verb` is empty.
pub(super) fn sections(verb: &str) -> Vec<Section> {
    let uses = USES.iter().find(|(name, _)| *name == verb);
    let uses = uses.map_or(&[][..], |(_, uses)| uses);
    let concerns = |of: Option<Use>| of.is_none_or(|of| verb.is_empty() || uses.contains(&of));
    let sections = SECTIONS.iter().map(|(heading, lines)| {
        let own = lines.iter().filter(|(.., of)| concerns(*of));
        (
            *heading,
            own.map(|(name, text, _)| (*name, *text)).collect(),
        )
    });
    sections
        .filter(|(_, lines): &Section| !lines.is_empty())
        .collect()
}

/// Adds the sections to the long help of a command and of its verbs; the short help has the
/// examples alone.
pub(super) fn with_sections(command: Command, verb: &str) -> Command {
    let mut text = command
        .get_after_help()
        .map(ToString::to_string)
        .unwrap_or_default();
    for (heading, lines) in sections(verb) {
        text += &format!("\n\n{heading}:");
        for (name, what) in lines {
            let between = match name.len() {
                1 => "  ",
                _ => "\n          ",
            };
            text += &format!("\n  {name}{between}{what}");
        }
    }
    let below = |own: Command| {
        let name = match verb {
            "" => own.get_name().to_owned(),
            verb => format!("{verb}-{}", own.get_name()),
        };
        with_sections(own, &name)
    };
    command
        .after_long_help(text.trim_start().to_owned())
        .mut_subcommands(below)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Calls `check` with each command that users see, and its name.
    fn each(command: &Command, name: &str, check: &mut dyn FnMut(&Command, &str)) {
        check(command, name);
        let shown = command.get_subcommands();
        for one in shown.filter(|one| !one.is_hide_set() && one.get_name() != "help") {
            let name = format!("{name}-{}", one.get_name());
            each(one, name.trim_start_matches('-'), check);
        }
    }

    /// The words of a line as a shell divides it, without the remark at its end.
    fn words(line: &str) -> Vec<String> {
        let (mut words, mut quoted) = (vec![String::new()], false);
        for character in line.trim().split("   ").next().unwrap_or("").chars() {
            match character {
                '\'' => quoted = !quoted,
                ' ' if !quoted => words.push(String::new()),
                other => words.last_mut().unwrap().push(other),
            }
        }
        words
    }

    #[test]
    fn every_verb_has_examples_that_the_command_line_takes() {
        each(&super::super::command(), "", &mut |command, name| {
            let help = command.get_after_help().map(ToString::to_string);
            let help = help.unwrap_or_default();
            let examples = help.strip_prefix("Examples:\n");
            let examples = examples.unwrap_or_else(|| panic!("{name} has no examples"));
            let verb = format!("touchstone {}", name.replace("campaign-", "campaign "));
            let mut own = 0;
            for line in examples.replace("\\\n", " ").lines() {
                for call in line.split(" && ").flat_map(|part| part.split(['|', '>'])) {
                    let call = call.trim();
                    if !call.starts_with("touchstone ") {
                        continue;
                    }
                    own += usize::from(call.starts_with(verb.trim_end()));
                    let taken = super::super::command().try_get_matches_from(words(call));
                    assert!(taken.is_ok(), "{call}: {}", taken.unwrap_err());
                }
            }
            assert!(own > 0, "no example calls {verb}:\n{help}");
        });
    }

    #[test]
    fn every_verb_of_the_table_exists_and_the_help_has_its_sections() {
        let mut names = Vec::new();
        let whole = with_sections(super::super::command(), "");
        each(&whole, "", &mut |command, name| {
            names.push(name.to_owned());
            let help = command.get_after_long_help().unwrap().to_string();
            let has = |text: &str| help.contains(text);
            assert!(has("Examples:\n") && has("\n\nExit status:\n"), "{help}");
        });
        for (verb, _) in USES {
            let is_left_out = verb == "serve" && cfg!(not(feature = "serve"));
            assert!(
                is_left_out || names.iter().any(|name| name == verb),
                "{verb}"
            );
        }
        let of = |verb| format!("{:?}", sections(verb));
        assert!(of("rank").contains("TOUCHSTONE_STORE"));
        assert!(!of("verify").contains("TOUCHSTONE_STORE"));
        assert!(of("verify").contains("TOUCHSTONE_PATIENCE"));
        assert!(of("files").contains("PATH") && !of("files").contains("runs.sqlite"));
    }
}
