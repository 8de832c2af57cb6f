//! Finds properties of this machine that help or disturb measurements, and gives advice.
//! `touchstone doctor` shows the findings. No run depends on them.

mod noise;

use std::fs;
use std::path::Path;

pub use noise::{Noise, listen};

/// How good a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// Nothing needs to be done.
    Good,
    /// Measurements are correct, but could be more precise.
    Fair,
    /// Measurements are disturbed.
    Poor,
    /// The lab cannot work.
    Broken,
}

impl Status {
    /// Returns the status as a word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Fair => "fair",
            Self::Poor => "poor",
            Self::Broken => "broken",
        }
    }
}

/// One property of the machine that was checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// How good the finding is.
    pub status: Status,
    /// The name of the property.
    pub what: String,
    /// The finding about the property.
    pub finding: String,
    /// What the user can do; empty if nothing needs to be done.
    pub advice: String,
}

impl Check {
    /// Makes a check.
    pub fn new(status: Status, what: &str, finding: impl Into<String>, advice: &str) -> Self {
        Self {
            status,
            what: what.to_owned(),
            finding: finding.into(),
            advice: advice.to_owned(),
        }
    }
}

/// Reads the kernel's files, below a root folder that tests can replace.
pub struct System<'a> {
    /// The root folder, normally `/`.
    pub root: &'a Path,
    /// The CPU on which cells are measured.
    pub cpu: usize,
    /// Number of other CPUs that this process may use.
    pub others: usize,
}

impl System<'_> {
    fn read(&self, path: &str) -> Option<String> {
        let text = fs::read_to_string(self.root.join(path)).ok()?;
        let text = text.trim();
        (!text.is_empty()).then(|| text.to_owned())
    }

    /// Returns all checks that read the kernel's files.
    pub fn checks(&self) -> Vec<Check> {
        vec![
            self.cpus(),
            self.isolation(),
            self.siblings(),
            self.quota(),
            self.clock_source(),
            self.governor(),
            self.boost(),
            self.counters(),
            virtualisation(),
            self.layout(),
            self.load(),
            self.memory(),
        ]
    }

    fn cpus(&self) -> Check {
        let usable = self.others + 1;
        let finding = format!("{usable} usable; cells are measured on CPU {}", self.cpu);
        let (status, advice) = match usable {
            1 => (
                Status::Poor,
                "give the lab a second CPU: on one it disturbs what it measures",
            ),
            2 => (
                Status::Fair,
                "do nothing else meanwhile: the lab and the system share the other CPU",
            ),
            _ => (Status::Good, ""),
        };
        Check::new(status, "CPUs", finding, advice)
    }

    fn isolation(&self) -> Check {
        let isolated = self
            .read("sys/devices/system/cpu/isolated")
            .unwrap_or_default();
        let mine = list_has(&isolated, self.cpu);
        let finding = match (&isolated[..], mine) {
            ("", _) => "none".to_owned(),
            (list, true) => format!("{list}, the measuring CPU among them"),
            (list, false) => format!("{list}, the measuring CPU not among them"),
        };
        if mine {
            Check::new(Status::Good, "Isolated CPUs", finding, "")
        } else if isolated.is_empty() {
            Check::new(
                Status::Fair,
                "Isolated CPUs",
                finding,
                &format!(
                    "for the last per cent: boot with isolcpus={0} nohz_full={0}",
                    self.cpu
                ),
            )
        } else {
            Check::new(
                Status::Fair,
                "Isolated CPUs",
                finding,
                "start the lab under taskset with an isolated CPU as the last of its list",
            )
        }
    }

    fn siblings(&self) -> Check {
        let path = format!(
            "sys/devices/system/cpu/cpu{}/topology/thread_siblings_list",
            self.cpu
        );
        let list = self.read(&path).unwrap_or_default();
        let control = self.read("sys/devices/system/cpu/smt/control");
        let control = control.as_deref().unwrap_or("unknown");
        if list.contains([',', '-']) {
            Check::new(
                Status::Fair,
                "SMT",
                format!("CPUs {list} share a core"),
                "echo off > /sys/devices/system/cpu/smt/control, as root; or leave the sibling idle",
            )
        } else if list.is_empty() {
            Check::new(
                Status::Fair,
                "SMT",
                format!("cannot be told ({control})"),
                "",
            )
        } else {
            let finding = format!("the measuring CPU shares no core that is visible ({control})");
            Check::new(Status::Good, "SMT", finding, "")
        }
    }

    fn quota(&self) -> Check {
        match self.read("sys/fs/cgroup/cpu.max") {
            Some(limit) if !limit.starts_with("max") => Check::new(
                Status::Poor,
                "CPU quota",
                format!("{limit} microseconds"),
                "lift the container's CPU limit: the kernel stops processes that exceed it",
            ),
            _ => Check::new(Status::Good, "CPU quota", "none", ""),
        }
    }

    fn clock_source(&self) -> Check {
        let folder = "sys/devices/system/clocksource/clocksource0";
        let source = self.read(&format!("{folder}/current_clocksource"));
        let source = source.as_deref().unwrap_or("unknown");
        let tick = noise::clock_cost();
        let finding = format!("{source}; reading it takes {tick:.0} ns");
        // A sample lasts at least 20 µs, so even a slow clock costs less than 1 % of it.
        if tick > 200.0 {
            Check::new(
                Status::Poor,
                "Clock source",
                finding,
                "boot with clocksource=tsc, where the time-stamp counter is stable",
            )
        } else if source == "tsc" || source == "arch_sys_counter" {
            Check::new(Status::Good, "Clock source", finding, "")
        } else {
            Check::new(
                Status::Good,
                "Clock source",
                finding + ", which is fast enough",
                "",
            )
        }
    }

    fn governor(&self) -> Check {
        let path = format!(
            "sys/devices/system/cpu/cpu{}/cpufreq/scaling_governor",
            self.cpu
        );
        match self.read(&path).as_deref() {
            Some("performance") => Check::new(Status::Good, "Governor", "performance", ""),
            Some(other) => Check::new(
                Status::Fair,
                "Governor",
                other,
                "cpupower frequency-set -g performance, as root",
            ),
            None => Check::new(
                Status::Fair,
                "Governor",
                "not visible: the host's or the firmware's",
                "",
            ),
        }
    }

    fn boost(&self) -> Check {
        let no_turbo = self.read("sys/devices/system/cpu/intel_pstate/no_turbo");
        let boost = self.read("sys/devices/system/cpu/cpufreq/boost");
        let on = no_turbo
            .as_deref()
            .map(|v| v == "0")
            .or_else(|| boost.as_deref().map(|v| v == "1"));
        let off = if no_turbo.is_some() {
            "echo 1 > /sys/devices/system/cpu/intel_pstate/no_turbo, as root"
        } else {
            "echo 0 > /sys/devices/system/cpu/cpufreq/boost, as root"
        };
        match on {
            Some(true) => Check::new(Status::Fair, "Turbo, boost", "on: the clock moves", off),
            Some(false) => Check::new(Status::Good, "Turbo, boost", "off", ""),
            None => Check::new(
                Status::Fair,
                "Turbo, boost",
                "not visible; the lab watches the clock itself",
                "",
            ),
        }
    }

    fn counters(&self) -> Check {
        let present = ["cpu", "cpu_core", "armv8_pmuv3_0"].iter().any(|name| {
            self.root
                .join("sys/bus/event_source/devices")
                .join(name)
                .exists()
        });
        let paranoid = self.read("proc/sys/kernel/perf_event_paranoid");
        let finding = match (present, paranoid) {
            (false, _) => "none here".to_owned(),
            (true, Some(level)) => format!("there; perf_event_paranoid is {level}"),
            (true, None) => "there".to_owned(),
        };
        // No advice is given, because the lab does not use performance counters.
        let finding = finding + "; the lab uses none";
        Check::new(Status::Good, "Performance counters", finding, "")
    }

    fn layout(&self) -> Check {
        let finding = match self.read("proc/sys/kernel/randomize_va_space").as_deref() {
            Some("0") => "off: every run has the same layout of memory, favourable or not",
            Some(_) => "on: layouts differ from run to run, as in production",
            None => "cannot be told",
        };
        Check::new(Status::Good, "ASLR", finding, "")
    }

    fn load(&self) -> Check {
        let loads = self.read("proc/loadavg").unwrap_or_default();
        let now: f64 = loads
            .split(' ')
            .next()
            .and_then(|v| v.parse().ok())
            .unwrap_or(0.0);
        let share = now / (self.others + 1) as f64;
        let finding = format!("{now:.2} over the last minute");
        match share {
            s if s < 0.25 => Check::new(Status::Good, "Load", finding, ""),
            s if s < 0.75 => Check::new(Status::Fair, "Load", finding, "end what need not run"),
            _ => Check::new(
                Status::Poor,
                "Load",
                finding,
                "end what need not run: other programs want these CPUs",
            ),
        }
    }

    fn memory(&self) -> Check {
        let text = self.read("proc/meminfo").unwrap_or_default();
        let available = text
            .lines()
            .find_map(|l| l.strip_prefix("MemAvailable:"))
            .and_then(|l| l.split_whitespace().next()?.parse::<u64>().ok());
        let Some(kib) = available else {
            return Check::new(Status::Fair, "Memory", "cannot be told", "");
        };
        let finding = format!("{:.1} GiB available", kib as f64 / f64::from(1 << 20));
        match kib >> 10 {
            0..256 => Check::new(
                Status::Poor,
                "Memory",
                finding,
                "free some: password hashes will fail or swap",
            ),
            256..1024 => Check::new(Status::Fair, "Memory", finding, "free some"),
            _ => Check::new(Status::Good, "Memory", finding, ""),
        }
    }
}

fn virtualisation() -> Check {
    match crate::x86::hypervisor() {
        None => Check::new(Status::Good, "Virtualisation", "none", ""),
        Some(name) => Check::new(
            Status::Fair,
            "Virtualisation",
            name,
            "a machine of one's own is steadier; on a shared one see the line on noise",
        ),
    }
}

/// Checks the free space for the store.
pub fn disk(store: &Path) -> Check {
    let folder = store.ancestors().skip(1).find(|f| f.is_dir());
    let folder = folder.unwrap_or(Path::new("."));
    let Ok(facts) = rustix::fs::statvfs(folder) else {
        return Check::new(Status::Fair, "Disk", "cannot be told", "");
    };
    let mib = facts.f_bavail.saturating_mul(facts.f_frsize) >> 20;
    let finding = format!("{mib} MiB free for {}", store.display());
    match mib {
        0..16 => Check::new(
            Status::Broken,
            "Disk",
            finding,
            "free some, or say --store PATH",
        ),
        16..256 => Check::new(Status::Fair, "Disk", finding, "a thorough run needs more"),
        _ => Check::new(Status::Good, "Disk", finding, ""),
    }
}

/// Returns whether a kernel's list of CPUs, such as `1,4-7`, contains one CPU.
fn list_has(list: &str, cpu: usize) -> bool {
    list.split(',').any(|part| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        match (first.trim().parse::<usize>(), last.trim().parse::<usize>()) {
            (Ok(first), Ok(last)) => (first..=last).contains(&cpu),
            _ => false,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(files: &[(&str, &str)], cpu: usize, others: usize, what: &str) -> Check {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let system = System {
            root: root.path(),
            cpu,
            others,
        };
        let checks = system.checks();
        checks.into_iter().find(|c| c.what == what).unwrap()
    }

    #[test]
    fn what_the_kernel_says_is_judged() {
        let cpu3 = "sys/devices/system/cpu/cpu3/";
        let siblings = format!("{cpu3}topology/thread_siblings_list");
        let governor = format!("{cpu3}cpufreq/scaling_governor");
        let cases: [(&str, &str, &str, Status); 14] = [
            (
                "sys/devices/system/cpu/isolated",
                "1-2",
                "Isolated CPUs",
                Status::Fair,
            ),
            (
                "sys/devices/system/cpu/isolated",
                "0,2-5\n",
                "Isolated CPUs",
                Status::Good,
            ),
            (&siblings, "3,7", "SMT", Status::Fair),
            (&siblings, "3", "SMT", Status::Good),
            (&governor, "performance", "Governor", Status::Good),
            (&governor, "powersave", "Governor", Status::Fair),
            (
                "sys/devices/system/cpu/cpufreq/boost",
                "1",
                "Turbo, boost",
                Status::Fair,
            ),
            (
                "sys/devices/system/cpu/intel_pstate/no_turbo",
                "1",
                "Turbo, boost",
                Status::Good,
            ),
            (
                "sys/fs/cgroup/cpu.max",
                "50000 100000",
                "CPU quota",
                Status::Poor,
            ),
            (
                "sys/fs/cgroup/cpu.max",
                "max 100000",
                "CPU quota",
                Status::Good,
            ),
            ("proc/loadavg", "7.5 1 1 2/3 4", "Load", Status::Poor),
            ("proc/loadavg", "0.05 1 1 2/3 4", "Load", Status::Good),
            (
                "proc/meminfo",
                "MemTotal: 9 kB\nMemAvailable: 90000 kB",
                "Memory",
                Status::Poor,
            ),
            (
                "proc/meminfo",
                "MemAvailable: 9000000 kB",
                "Memory",
                Status::Good,
            ),
        ];
        for (path, text, what, status) in cases {
            let check = check(&[(path, text)], 3, 3, what);
            assert_eq!(check.status, status, "{path} {text:?}: {check:?}");
            if status >= Status::Poor {
                assert!(!check.advice.is_empty(), "{check:?}");
            }
        }
        assert_eq!(check(&[], 0, 0, "CPUs").status, Status::Poor);
        assert_eq!(check(&[], 1, 1, "CPUs").status, Status::Fair);
    }

    #[test]
    fn nothing_readable_is_nothing_broken() {
        let system = System {
            root: Path::new("/no/such/root"),
            cpu: 0,
            others: 3,
        };
        assert!(system.checks().iter().all(|c| c.status < Status::Poor));
    }

    #[test]
    fn lists_of_cpus_are_understood() {
        assert!(list_has("1,4-7", 5) && list_has("1,4-7", 1));
        assert!(!list_has("1,4-7", 3) && !list_has("", 0));
    }
}
