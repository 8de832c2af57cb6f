//! What differs between two runs of one machine that can explain a change of a library's times.

use crate::machine::fact;
use crate::stored::RunRow;
use crate::summary::Library;

/// Facts about the machine that can change times.
const FACTS: [&str; 13] = [
    "CPU",
    "CPUs usable",
    "System",
    "Kernel",
    "Microcode",
    "Instruction sets",
    "Hypervisor",
    "Governor",
    "Turbo off",
    "Boost",
    "SMT",
    "Memory",
    "Compiler",
];

/// Returns the differences, such as "Microcode 0x1 → 0x2"; the library's own come first.
pub(super) fn between(
    before: (&RunRow, Option<&Library>),
    now: (&RunRow, Option<&Library>),
) -> Vec<String> {
    let mut found = Vec::new();
    let mut differ = |what: &str, before: &str, now: &str| {
        if before != now {
            let or_none = |text: &str| match text {
                "" => "–".to_owned(),
                text => text.to_owned(),
            };
            found.push(format!("{what} {} → {}", or_none(before), or_none(now)));
        }
    };
    if let (Some(a), Some(b)) = (before.1, now.1) {
        differ("version", &a.version, &b.version);
        differ("object", &a.path, &b.path);
        // The same version in another build has other bytes.
        if a.version == b.version {
            differ("object's fingerprint", &a.fingerprint, &b.fingerprint);
        }
        differ("CPU features in use", &a.features, &b.features);
        differ("build", &a.note, &b.note);
    }
    for name in FACTS {
        let (a, b) = (fact(&before.0.machine, name), fact(&now.0.machine, name));
        // A fact that an older version of the lab did not record is no difference.
        if !a.is_empty() && !b.is_empty() {
            differ(name, a, b);
        }
    }
    differ("lab", &before.0.lab_version, &now.0.lab_version);
    differ("profile", &before.0.profile, &now.0.profile);
    found
}
