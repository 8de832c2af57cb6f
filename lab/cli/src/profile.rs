//! A profile says which cells a run measures, how precisely, and for how long. Profiles
//! are TOML files; the three that come with the lab are in `data/profiles/`.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use regex::Regex;
use serde::Deserialize;
use touchstone_wire::Contract;

use crate::catalogue;
use crate::operations::Unit;
use crate::wanted::Algorithms;

/// The profiles that come with the lab: name and text.
pub const NAMED: [(&str, &str); 3] = [
    ("quick", include_str!("../data/profiles/quick.toml")),
    ("standard", include_str!("../data/profiles/standard.toml")),
    ("thorough", include_str!("../data/profiles/thorough.toml")),
];

/// The most messages in one call.
pub const MESSAGES: u32 = 65536;
/// The most bytes of all messages in one call.
const ROOM: u64 = 16 << 20;

/// A profile: the cells that a run measures, their precision, and the time.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// The name for people: one of [`NAMED`], or the file's name without its ending.
    #[serde(skip)]
    pub name: String,
    /// The file's text, which is stored with the run so that the run can be resumed.
    #[serde(skip)]
    pub text: String,
    /// Sampling of a task can stop when the relative widths of its intervals are at most this
    /// value.
    pub target: f64,
    /// The least and the greatest number of rounds of a task.
    pub rounds: [u32; 2],
    /// The shortest time of a sample, in microseconds.
    pub sample_us: u64,
    /// Time for all cells of one system's libraries, in seconds. See [`time`](Self::time).
    pub seconds: u64,
    #[serde(rename = "work")]
    sets: Vec<Set>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Set {
    primitives: Pattern,
    operations: Pattern,
    contracts: Vec<String>,
    sizes: Vec<u64>,
    #[serde(default = "one")]
    threads: Vec<u32>,
    /// Numbers of messages in one call, for the contracts with many messages.
    #[serde(default)]
    messages: Vec<u32>,
    /// Masks for which variants of the libraries are measured, too.
    #[serde(default)]
    masks: Vec<String>,
    /// Whether the cells count for ranks; otherwise only views use them.
    #[serde(default = "yes")]
    ranked: bool,
}

/// A regular expression that must match the whole id.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "String")]
struct Pattern(Regex);

impl TryFrom<String> for Pattern {
    type Error = String;

    fn try_from(pattern: String) -> Result<Self, String> {
        Regex::new(&format!("^(?:{pattern})$"))
            .map(Self)
            .map_err(|_| format!("{pattern:?} is not a regular expression"))
    }
}

fn one() -> Vec<u32> {
    vec![1]
}

fn yes() -> bool {
    true
}

/// A task: work that all libraries do in the same rounds, so that their times can be compared.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Task {
    /// The primitive's id.
    pub primitive: String,
    /// The operation's id.
    pub operation: String,
    /// The parts of the work that a timed call includes.
    pub contract: Contract,
    /// Position on the operation's axis: the length of the message in bytes, or of the numbers in
    /// bits; 0 for [`Contract::Setup`] and for operations without an axis.
    pub bytes: u64,
    /// Number of threads.
    pub threads: u32,
    /// Number of messages in one call; 1 except in the contracts with many messages.
    pub messages: u32,
}

impl Task {
    /// Returns the primitive and the operation of the task.
    fn algorithm(&self) -> [&str; 2] {
        [&self.primitive, &self.operation]
    }
}

impl std::fmt::Display for Task {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} {} {}",
            self.primitive,
            self.operation,
            self.contract.name()
        )?;
        if self.contract.is_many() {
            write!(f, " {} ×", self.messages)?;
        }
        if self.bytes > 0 {
            write!(
                f,
                " {} {}",
                self.bytes,
                catalogue::unit(&self.operation).sign()
            )?;
        }
        if self.threads > 1 {
            write!(f, " × {} threads", self.threads)?;
        }
        Ok(())
    }
}

/// The user's selection: restricts the profile or replaces parts of it.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// The run has only these algorithms; all algorithms of the profile if absent.
    pub algorithms: Option<Algorithms>,
    /// Message sizes that replace the profile's; empty if the profile's are used.
    pub sizes: Vec<u64>,
    /// Numbers of threads that replace the profile's; empty if the profile's are used.
    pub threads: Vec<u32>,
    /// Contracts that replace the profile's; empty if the profile's are used.
    pub contracts: Vec<Contract>,
    /// Numbers of messages in a call that replace the profile's; empty if the profile's are used.
    pub messages: Vec<u32>,
}

impl Selection {
    /// Returns whether an algorithm is selected.
    pub fn has(&self, primitive: &str, operation: &str) -> bool {
        self.algorithms
            .as_ref()
            .is_none_or(|chosen| chosen.contains(&(primitive.to_owned(), operation.to_owned())))
    }
}

impl Profile {
    /// Opens a named profile, or reads a profile from a file.
    pub fn open(name: &str) -> anyhow::Result<Self> {
        if let Some((name, text)) = NAMED.iter().find(|(known, _)| *known == name) {
            return Self::parse(name, text);
        }
        let path = Path::new(name);
        let text = std::fs::read_to_string(path).with_context(|| {
            let names = NAMED.map(|(name, _)| name).join(", ");
            format!("{name:?} is neither a profile ({names}) nor a file that can be read")
        })?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        Self::parse(&stem, &text).with_context(|| format!("in the profile {name}"))
    }

    /// The time for all cells, if a run also measures the libraries of this number of other systems:
    /// each of them adds as many libraries to a cell as the machine has, so each adds the same time.
    pub fn time(&self, roots: usize) -> Duration {
        Duration::from_secs(self.seconds * (1 + roots as u64))
    }

    /// Reads a profile from its text.
    pub fn parse(name: &str, text: &str) -> anyhow::Result<Self> {
        let mut profile: Self = toml::from_str(text)?;
        profile.name = name.to_owned();
        profile.text = text.to_owned();
        let [least, most] = profile.rounds;
        ensure!(profile.target > 0.0, "target must be above 0");
        ensure!(
            0 < least && least <= most,
            "rounds must be [fewest, most], from 1 up"
        );
        ensure!(
            profile.sample_us > 0 && profile.seconds > 0,
            "times must be above 0"
        );
        for set in &profile.sets {
            for contract in &set.contracts {
                if contract.parse::<Contract>().is_err() {
                    bail!("no contract is called {contract:?}");
                }
            }
            ensure!(
                set.threads.iter().all(|t| (1..=4096).contains(t)),
                "threads must be 1 … 4096"
            );
            ensure!(
                set.messages.iter().all(|m| (1..=MESSAGES).contains(m)),
                "messages must be 1 … {MESSAGES}"
            );
            ensure!(
                !set.messages.is_empty() || !set.contracts().any(Contract::is_many),
                "contracts of many need messages = [16, …]: how many in one call"
            );
        }
        Ok(profile)
    }

    /// Returns whether the profile has any cell of this algorithm.
    pub fn has(&self, primitive: &str, operation: &str) -> bool {
        self.sets
            .iter()
            .any(|set| set.matches(primitive, operation))
    }

    /// Returns whether the cells of an algorithm at this size count for ranks, or only for views.
    pub fn counts(&self, primitive: &str, operation: &str, bytes: u64) -> bool {
        self.sets.iter().any(|set| {
            set.ranked
                && set.matches(primitive, operation)
                && set.contracts().any(|contract| contract == Contract::Hot)
                && set.sizes.contains(&bytes)
        })
    }

    /// Returns all masks in the profile, each once.
    pub fn masks(&self) -> BTreeSet<&str> {
        let masks = self.sets.iter().flat_map(|set| &set.masks);
        masks.map(String::as_str).collect()
    }

    /// Returns the masks with which a task is measured, in addition to the libraries without masks.
    pub fn masks_of(&self, task: &Task, selection: &Selection) -> BTreeSet<&str> {
        self.sets
            .iter()
            .filter(|set| {
                set.matches(&task.primitive, &task.operation)
                    && (set.contracts().any(|c| c == task.contract)
                        || !selection.contracts.is_empty())
                    && (set.sizes.contains(&task.bytes) || !selection.sizes.is_empty())
            })
            .flat_map(|set| &set.masks)
            .map(String::as_str)
            .collect()
    }

    /// Returns the tasks for these algorithms on a machine with this number of CPUs; each task
    /// appears once. An algorithm that the user names gets cells of the usual sizes if the profile has
    /// none of it.
    ///
    /// The tasks of one algorithm follow one another. All sets of the profile advance together: at
    /// any time, the same share of each set's algorithms is done. So every set is done to the same
    /// extent if the time runs out.
    pub fn tasks(
        &self,
        algorithms: &[(String, String)],
        selection: &Selection,
        cpus: u32,
    ) -> Vec<Task> {
        let mut tasks = Vec::new();
        let mut places: HashMap<_, f64> = HashMap::new();
        let named = |(p, o): &&(String, String)| selection.algorithms.is_some() && !self.has(p, o);
        let named = algorithms.iter().filter(named).map(|algorithm| {
            let set = Set::of_a_name(&algorithm.1);
            set.tasks(std::slice::from_ref(algorithm), selection, cpus)
        });
        let sets = self.sets.iter();
        let sets = sets.map(|set| set.tasks(algorithms, selection, cpus));
        for set in sets.chain(named) {
            let groups: Vec<_> = set
                .chunk_by(|a, b| a.algorithm() == b.algorithm())
                .collect();
            for (index, group) in groups.iter().enumerate() {
                let place = (index as f64 + 0.5) / groups.len() as f64;
                let [primitive, operation] = group[0].algorithm().map(str::to_owned);
                let first = places.entry([primitive, operation]).or_insert(place);
                *first = first.min(place);
            }
            tasks.extend(set);
        }
        let mut seen = HashSet::new();
        tasks.retain(|task| seen.insert(task.clone()));
        // Positions are positive floating-point numbers, so their bits sort in the same
        // order.
        tasks.sort_by_cached_key(|task| {
            let algorithm = task.algorithm().map(str::to_owned);
            (places[&algorithm].to_bits(), algorithm)
        });
        tasks
    }
}

impl Set {
    /// The cells of an operation of an algorithm that the user names and no set of the profile has.
    fn of_a_name(operation: &str) -> Self {
        let any = || Pattern(Regex::new("").expect("an expression"));
        let sizes = match catalogue::unit(operation) {
            _ if catalogue::is_per_call(operation) => vec![16],
            Unit::Bytes => vec![16, 256, 1024, 16384],
            Unit::Bits => vec![1024, 4096],
            Unit::Level => vec![1, 3, 5],
        };
        Self {
            primitives: any(),
            operations: any(),
            contracts: vec![Contract::Hot.name().to_owned()],
            sizes,
            threads: one(),
            messages: Vec::new(),
            masks: Vec::new(),
            ranked: false,
        }
    }

    fn tasks(
        &self,
        algorithms: &[(String, String)],
        selection: &Selection,
        cpus: u32,
    ) -> Vec<Task> {
        let mut tasks = Vec::new();
        for (primitive, operation) in algorithms {
            if !self.matches(primitive, operation) || !selection.has(primitive, operation) {
                continue;
            }
            let sizes = if selection.sizes.is_empty() || catalogue::is_per_call(operation) {
                &self.sizes
            } else {
                &selection.sizes
            };
            let threads = if selection.threads.is_empty() {
                &self.threads
            } else {
                &selection.threads
            };
            let contracts: Vec<Contract> = if selection.contracts.is_empty() {
                self.contracts().collect()
            } else {
                selection.contracts.clone()
            };
            for contract in contracts {
                if !catalogue::allows(operation, contract) {
                    continue;
                }
                // Key set-up and operations without an axis have no message length.
                let setup = contract == Contract::Setup || !catalogue::has_axis(operation);
                let messages = if !contract.is_many() {
                    &[1][..]
                } else if selection.messages.is_empty() && !self.messages.is_empty() {
                    &self.messages
                } else if selection.messages.is_empty() {
                    &[16, 256][..]
                } else {
                    &selection.messages
                };
                for &bytes in if setup { &[0][..] } else { &sizes[..] } {
                    if !setup && !catalogue::takes(primitive, operation, bytes as usize) {
                        continue;
                    }
                    // More threads than the machine has CPUs are used only if the user
                    // asks for them.
                    for &threads in threads
                        .iter()
                        .filter(|&&t| t <= cpus || !selection.threads.is_empty())
                    {
                        let room = ROOM / bytes.max(1);
                        let fitting = |&&m: &&u32| u64::from(m) <= room;
                        for &messages in messages.iter().filter(fitting) {
                            tasks.push(Task {
                                primitive: primitive.clone(),
                                operation: operation.clone(),
                                contract,
                                bytes,
                                threads: if setup { 1 } else { threads },
                                messages,
                            });
                        }
                    }
                }
            }
        }
        tasks
    }

    fn matches(&self, primitive: &str, operation: &str) -> bool {
        self.primitives.0.is_match(primitive) && self.operations.0.is_match(operation)
    }

    fn contracts(&self) -> impl Iterator<Item = Contract> {
        self.contracts.iter().filter_map(|name| name.parse().ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_named_profiles_parse() {
        for (name, _) in NAMED {
            Profile::open(name).unwrap();
        }
    }

    #[test]
    fn an_algorithm_that_is_named_has_cells_in_every_profile() {
        let profile = Profile::open("quick").unwrap();
        let kasumi = ("kasumi".to_owned(), "ecb-encrypt".to_owned());
        let aes = ("aes-128".to_owned(), "ecb-encrypt".to_owned());
        let all = [kasumi.clone(), aes.clone()];
        let tasks = |chosen: Option<Algorithms>| {
            let selection = Selection {
                algorithms: chosen,
                ..Selection::default()
            };
            let tasks = profile.tasks(&all, &selection, 2);
            let own = |of: &(String, String)| {
                let own = tasks.iter().filter(|task| task.primitive == of.0);
                own.map(|task| task.bytes).collect::<Vec<_>>()
            };
            [own(&kasumi), own(&aes)]
        };
        let [unnamed, before] = tasks(None);
        assert!(unnamed.is_empty());
        let [named, after] = tasks(Some(all.clone().into()));
        assert_eq!(named, [16, 256, 1024, 16384]);
        assert_eq!(before, after);
        assert!(!profile.counts("kasumi", "ecb-encrypt", 16));
    }

    #[test]
    fn tasks_keep_to_what_a_mode_takes() {
        let profile = Profile::open("quick").unwrap();
        let algorithms = [("aes-128", "cbc-encrypt"), ("sha-256", "hash")]
            .map(|(p, o)| (p.to_owned(), o.to_owned()));
        let tasks = profile.tasks(&algorithms, &Selection::default(), 2);
        assert!(
            tasks
                .iter()
                .any(|t| t.bytes == 16384 && t.operation == "cbc-encrypt")
        );
        assert!(
            !tasks
                .iter()
                .any(|t| t.bytes == 1350 && t.operation == "cbc-encrypt")
        );
        assert!(
            tasks
                .iter()
                .any(|t| t.contract == Contract::Setup && t.bytes == 0)
        );
        assert!(
            !tasks
                .iter()
                .any(|t| t.contract == Contract::Setup && t.primitive == "sha-256")
        );
        assert_eq!(
            tasks.iter().map(|t| t.threads).max(),
            Some(2),
            "no more threads than CPUs"
        );
    }

    const HEAD: &str = "target = 0.1\nrounds = [1, 2]\nsample_us = 1\nseconds = 1\n";

    fn sha256(set: &str, selection: &Selection) -> (Profile, Vec<Task>) {
        let text =
            format!("{HEAD}[[work]]\nprimitives = \"sha-256\"\noperations = \"hash\"\n{set}");
        let profile = Profile::parse("x", &text).unwrap();
        let tasks = profile.tasks(&[("sha-256".into(), "hash".into())], selection, 1);
        (profile, tasks)
    }

    #[test]
    fn many_messages_are_a_task_for_each_number_that_fits() {
        let set = "contracts = [\"hot\", \"many\"]\nsizes = [64, 1048576]\nmessages = [16, 64]";
        let (_, tasks) = sha256(set, &Selection::default());
        let shown: Vec<String> = tasks.iter().map(Task::to_string).collect();
        assert_eq!(
            shown,
            [
                "sha-256 hash hot 64 B",
                "sha-256 hash hot 1048576 B",
                "sha-256 hash many 16 × 64 B",
                "sha-256 hash many 64 × 64 B",
                "sha-256 hash many 16 × 1048576 B",
            ]
        );
        let asked = Selection {
            contracts: vec![Contract::Many],
            messages: vec![3],
            sizes: vec![10],
            ..Selection::default()
        };
        let (_, tasks) = sha256(set, &asked);
        assert_eq!(tasks.len(), 1);
        assert_eq!(tasks[0].to_string(), "sha-256 hash many 3 × 10 B");
    }

    #[test]
    fn sets_advance_together() {
        let set = |primitives: &str, size: u32| {
            format!(
                "[[work]]\nprimitives = \"{primitives}\"\noperations = \"hash\"\n\
                 contracts = [\"hot\"]\nsizes = [{size}]\n"
            )
        };
        let text = [
            HEAD,
            &set("md4|md5|sha-1|sm3", 1),
            &set("tiger|whirlpool", 2),
            &set("sm3", 3),
        ]
        .concat();
        let algorithms: Vec<_> = ["md4", "md5", "sha-1", "sm3", "tiger", "whirlpool"]
            .map(|primitive| (primitive.to_owned(), "hash".to_owned()))
            .into();
        let profile = Profile::parse("x", &text).unwrap();
        let tasks = profile.tasks(&algorithms, &Selection::default(), 1);
        let order: Vec<String> = tasks
            .iter()
            .map(|task| format!("{} {}", task.primitive, task.bytes))
            .collect();
        let expected = "md4 1, tiger 2, md5 1, sm3 1, sm3 3, sha-1 1, whirlpool 2";
        assert_eq!(order.join(", "), expected);
    }

    #[test]
    fn masks_belong_to_the_cells_of_their_set() {
        let set = "contracts = [\"hot\"]\nsizes = [64]\nmasks = [\"portable\"]\n\
                   [[work]]\nprimitives = \"sha-256\"\noperations = \"hash\"\n\
                   contracts = [\"hot\", \"keyed\"]\nsizes = [64, 128]";
        let (profile, tasks) = sha256(set, &Selection::default());
        assert_eq!(
            profile.masks().into_iter().collect::<Vec<_>>(),
            ["portable"]
        );
        let masked: Vec<String> = tasks
            .iter()
            .filter(|task| !profile.masks_of(task, &Selection::default()).is_empty())
            .map(Task::to_string)
            .collect();
        assert_eq!(masked, ["sha-256 hash hot 64 B"]);
    }

    #[test]
    fn cells_for_views_do_not_count_for_ranks() {
        for (name, _) in NAMED {
            let profile = Profile::open(name).unwrap();
            let counts = |primitive, operation, bytes| profile.counts(primitive, operation, bytes);
            assert!(counts("aes-256", "ecb-encrypt", 16384), "{name}");
            assert!(counts("sha-256", "hash", 16), "{name}");
            assert!(!counts("md5", "hash", 8192), "{name}");
            assert!(!counts("salsa20", "stream-encrypt", 576), "{name}");
            assert!(!counts("des", "des-cipher-25", 8), "{name}");
        }
        let quick = Profile::open("quick").unwrap();
        assert!(!quick.counts("aes-256", "ecb-encrypt", 65536));
    }

    #[test]
    fn mistakes_in_a_profile_are_explained() {
        let good = HEAD;
        let set = "[[work]]\nprimitives = \"a\"\noperations = \"b\"\ncontracts = [\"hot\"]\nsizes = [1]\n";
        assert!(Profile::parse("x", &format!("{good}{set}")).is_ok());
        for (from, to) in [
            ("0.1", "0"),
            ("[1, 2]", "[3, 2]"),
            ("\"hot\"", "\"cold\""),
            ("\"hot\"", "\"many\""),
            ("sizes", "messages = [0]\nsizes"),
            ("\"a\"", "\"(\""),
        ] {
            let text = format!("{good}{set}").replacen(from, to, 1);
            assert!(Profile::parse("x", &text).is_err(), "{text}");
        }
    }
}
