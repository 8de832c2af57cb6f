//! Facts about the machine: the part of a run's description that does not concern
//! libraries.

use std::collections::BTreeMap;
use std::fs;

use crate::summary::Machine;
use crate::x86;

/// Returns facts about this machine at this moment, and then the facts that the user adds, each
/// with its name.
pub fn describe(more: &[(String, String)]) -> Machine {
    let model = x86::brand()
        .or_else(|| cpuinfo("model name"))
        .unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    let cpus = std::thread::available_parallelism().map_or(1, usize::from);
    let kernel = read("/proc/sys/kernel/osrelease");
    let system = fs::read_to_string("/etc/os-release")
        .ok()
        .and_then(|text| {
            let line = text
                .lines()
                .find(|l| l.starts_with("PRETTY_NAME="))?
                .to_owned();
            Some(line["PRETTY_NAME=".len()..].trim_matches('"').to_owned())
        })
        .unwrap_or_default();
    let line = format!(
        "{model}, {cpus} CPU{}, {system}, Linux {kernel}",
        if cpus == 1 { "" } else { "s" }
    );
    let mut facts = vec![
        ("CPU".to_owned(), model),
        ("CPUs usable".to_owned(), cpus.to_string()),
        ("System".to_owned(), system),
        ("Kernel".to_owned(), kernel),
    ];
    let mut fact = |name: &str, value: String| {
        if !value.is_empty() {
            facts.push((name.to_owned(), value));
        }
    };
    fact(HOST, host());
    fact("Compiler", env!("TOUCHSTONE_COMPILER").to_owned());
    fact("Family, model, stepping", x86::model().unwrap_or_default());
    fact("Microcode", cpuinfo("microcode").unwrap_or_default());
    fact("Instruction sets", x86::instruction_sets().join(" "));
    fact("L1d, L2, L3", caches());
    fact("Hypervisor", x86::hypervisor().unwrap_or_default());
    let first = "/sys/devices/system/cpu/cpu0/cpufreq/";
    fact("Governor", read(&format!("{first}scaling_governor")));
    fact(
        "Turbo off",
        read("/sys/devices/system/cpu/intel_pstate/no_turbo"),
    );
    fact("Boost", read("/sys/devices/system/cpu/cpufreq/boost"));
    fact(
        "Clock source",
        read("/sys/devices/system/clocksource/clocksource0/current_clocksource"),
    );
    fact("SMT", read("/sys/devices/system/cpu/smt/control"));
    fact("Load before the run", read("/proc/loadavg"));
    let memory =
        memory_kib("MemTotal").map(|kib| format!("{:.1} GiB", kib as f64 / f64::from(1 << 20)));
    fact("Memory", memory.unwrap_or_default());
    for (name, value) in more {
        fact(name, value.clone());
    }
    Machine {
        line,
        facts,
        mhz: None,
    }
}

/// The fact by which the runs of one machine are found.
const HOST: &str = "Host";

/// Returns the name of the machine of a run: the fact `Host`, or the [`model`] for a run of an
/// older version, which did not record the host.
pub fn name(machine: &Machine) -> String {
    match fact(machine, HOST) {
        "" => model(machine),
        host => host.to_owned(),
    }
}

/// Returns the name of a machine with its model, such as "node07 (AMD EPYC, 2 CPUs)".
pub fn title(machine: &Machine) -> String {
    titled(&name(machine), &model(machine))
}

/// Returns a machine's name with its model. A machine without a name has its model for a name.
pub fn titled(name: &str, model: &str) -> String {
    match name == model || model.is_empty() {
        true => name.to_owned(),
        false => format!("{name} ({model})"),
    }
}

/// Returns the names of machines, those of one model together: "node03, node07 (AMD EPYC, 2 CPUs)".
/// The machines are pairs of a name and a model.
pub fn titles<'a>(machines: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let groups = grouped(machines).into_iter();
    let groups = groups.map(|(model, names)| titled(&names.join(", "), model));
    groups.collect::<Vec<_>>().join(", ")
}

/// Groups names that have the same value, the most frequent value first.
pub fn grouped<'a>(
    pairs: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> Vec<(&'a str, Vec<&'a str>)> {
    let mut groups: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (name, value) in pairs {
        groups.entry(value).or_default().push(name);
    }
    let mut groups: Vec<_> = groups.into_iter().collect();
    groups.sort_by_key(|(value, names)| (std::cmp::Reverse(names.len()), *value));
    groups
}

/// Returns the CPU and the number of CPUs of a machine.
pub fn model(machine: &Machine) -> String {
    match (fact(machine, "CPU"), fact(machine, "CPUs usable")) {
        ("", _) => machine.line.clone(),
        (model, "") => model.to_owned(),
        (model, cpus) => format!("{model}, {cpus} CPUs"),
    }
}

/// Returns a fact about a machine by its label; empty if it is not known.
pub fn fact<'a>(machine: &'a Machine, label: &str) -> &'a str {
    let found = machine.facts.iter().find(|(own, _)| own == label);
    found.map_or("", |(_, value)| value.as_str())
}

/// Returns this machine's name: TOUCHSTONE_HOST, or the host's name.
fn host() -> String {
    let named = std::env::var("TOUCHSTONE_HOST").unwrap_or_default();
    match named.trim() {
        "" => read("/proc/sys/kernel/hostname"),
        name => name.to_owned(),
    }
}

/// Returns the bytes of memory that a program can still allocate; `None` if the system does not
/// tell.
pub fn available_bytes() -> Option<u64> {
    memory_kib("MemAvailable").map(|kib| kib << 10)
}

fn memory_kib(which: &str) -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix(which)?.strip_prefix(':'))?;
    line.split_whitespace().next()?.parse().ok()
}

fn caches() -> String {
    let size = |index: u32| {
        read(&format!(
            "/sys/devices/system/cpu/cpu0/cache/index{index}/size"
        ))
    };
    [size(0), size(2), size(3)]
        .into_iter()
        .filter(|size| !size.is_empty())
        .collect::<Vec<_>>()
        .join(", ")
}

fn cpuinfo(field: &str) -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with(field))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

fn read(path: &str) -> String {
    fs::read_to_string(path)
        .map(|text| text.trim().to_owned())
        .unwrap_or_default()
}

/// Returns the current time in UTC, as RFC 3339 without fractions of a second.
pub fn now() -> String {
    days_ago(0)
}

/// Returns the time this number of days ago, in the form of [`now`].
pub fn days_ago(days: u32) -> String {
    let seconds = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(0, |d| d.as_secs());
    rfc3339(seconds.saturating_sub(u64::from(days) * 86400))
}

/// Returns the seconds since 1970 as RFC 3339 text, by the algorithm of H. Hinnant,
/// *chrono-Compatible Low-Level Date Algorithms*: years start in March.
fn rfc3339(seconds: u64) -> String {
    let (days, rest) = (seconds / 86400, seconds % 86400);
    let z = days + 719_468;
    let era = z / 146_097;
    let doe = z % 146_097;
    let yoe = (doe - doe / 1460 + doe / 36524 - doe / 146_096) / 365;
    let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    let mp = (5 * doy + 2) / 153;
    let day = doy - (153 * mp + 2) / 5 + 1;
    let month = if mp < 10 { mp + 3 } else { mp - 9 };
    let year = yoe + era * 400 + u64::from(month <= 2);
    format!(
        "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z",
        rest / 3600,
        rest / 60 % 60,
        rest % 60
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        assert_eq!(rfc3339(0), "1970-01-01T00:00:00Z");
        assert_eq!(rfc3339(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(rfc3339(1_767_225_599), "2025-12-31T23:59:59Z");
    }

    #[test]
    fn a_machine_is_called_by_its_host_and_its_model() {
        let facts = [("CPU", "a CPU"), ("CPUs usable", "2"), ("Host", "node07")];
        let mut machine = Machine {
            line: String::new(),
            facts: facts.map(|(a, b)| (a.to_owned(), b.to_owned())).to_vec(),
            mhz: None,
        };
        assert_eq!(title(&machine), "node07 (a CPU, 2 CPUs)");
        machine.facts.pop();
        assert_eq!(title(&machine), "a CPU, 2 CPUs");
        let several = [("a", "one"), ("b", "two"), ("c", "one"), ("two", "")];
        assert_eq!(titles(several), "a, c (one), two, b (two)");
    }

    #[test]
    fn this_machine_has_a_name() {
        assert!(describe(&[]).line.len() > 10);
    }
}
