//! The campaign file: which machines measure which libraries by which profiles, how often, and
//! for how much. The file is TOML; `docs/campaigns.md` lists its keys.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::mistake::{Mistake, Step};
use crate::profile::Profile;
use crate::wanted::Wanted;

/// A campaign, as its file says.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Campaign {
    /// One line for people.
    #[serde(default)]
    pub title: String,
    /// Profiles: names, or files relative to the campaign file.
    #[serde(default = "quick")]
    pub profiles: Vec<String>,
    /// Number of runs of each combination of machine, libraries and profile.
    #[serde(default = "one")]
    pub repetitions: u32,
    /// Algorithms, as the option `--algorithm` selects them.
    pub algorithm: Option<String>,
    /// The path of the command on the machines.
    pub touchstone: Option<String>,
    /// What the campaign may cost.
    #[serde(default)]
    pub budget: Budget,
    /// Where the results go.
    #[serde(default)]
    pub results: Results,
    /// The machines.
    #[serde(default, rename = "machine")]
    pub machines: Vec<Machine>,
    /// Sets of libraries. The libraries of a set are measured in the same rounds.
    #[serde(default)]
    pub libraries: Vec<Libraries>,
}

/// What a campaign may cost. `submit` refuses a plan that costs more.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Budget {
    /// Most hours of all nodes together.
    pub node_hours: Option<f64>,
    /// Most money for all nodes together.
    pub cost: Option<f64>,
    /// The cost of one node for one hour.
    pub cost_per_node_hour: Option<f64>,
    /// The currency of both, for people.
    #[serde(default)]
    pub currency: String,
}

/// Where the results of a campaign go.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Results {
    /// The campaign's folder; the file's name without its ending, beside the file, if absent.
    pub folder: Option<String>,
    /// The store to which `collect` adds runs; `runs.sqlite` in the campaign's folder if absent.
    pub store: Option<String>,
}

/// A machine, or several machines of one kind.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Machine {
    /// The name in tables.
    pub name: String,
    /// Nodes of a Slurm cluster.
    pub slurm: Option<Slurm>,
    /// Hosts that the system's ssh reaches.
    pub ssh: Option<Ssh>,
    /// Whether the machine is the one on which `submit` runs.
    #[serde(default)]
    pub local: bool,
    /// The path of the command on this machine.
    pub touchstone: Option<String>,
    /// The folder on the machine that keeps a job's store while the job runs.
    pub work: Option<String>,
    /// A mask of CPU features: the machine measures as if it lacked these instructions.
    pub mask: Option<String>,
    /// Environment variables of the lab on this machine.
    #[serde(default)]
    pub environment: BTreeMap<String, String>,
    /// The cost of this machine for one hour, in place of the budget's.
    pub cost_per_node_hour: Option<f64>,
}

/// Nodes of a Slurm cluster. Slurm chooses a node by partition and constraint unless nodes are
/// named.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Slurm {
    /// The partition; the cluster's default if absent.
    pub partition: Option<String>,
    /// The features that a node must have, as sbatch's `--constraint` takes them.
    pub constraint: Option<String>,
    /// Nodes by name, as Slurm writes lists: `n[01-04]`. Each of these nodes is measured.
    pub nodes: Option<String>,
    /// Further options of sbatch, such as `--account=NAME`.
    #[serde(default)]
    pub options: Vec<String>,
}

/// Hosts that the system's ssh reaches without a password.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Ssh {
    /// Hosts, as ssh takes them: `user@host`, or a name of ssh's configuration.
    pub hosts: Vec<String>,
    /// Further options of ssh, such as `-p`, `2222`.
    #[serde(default)]
    pub options: Vec<String>,
}

/// A set of libraries that are measured in the same rounds.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Libraries {
    /// The name in tables.
    pub name: String,
    /// Libraries, as the option `--library` takes them; every library if there are none.
    #[serde(default, rename = "library")]
    pub chosen: Vec<String>,
    /// Trees of other systems, as the option `--root` takes them.
    #[serde(default, rename = "root")]
    pub roots: Vec<String>,
    /// Objects that a command builds on the machine.
    #[serde(default, rename = "build")]
    pub builds: Vec<Build>,
}

/// An object that a command builds on the machine before the run.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Build {
    /// The library that the object is a version of.
    pub library: String,
    /// A shell command. The last line of its output is the path of the object.
    pub command: String,
}

fn quick() -> Vec<String> {
    vec!["quick".into()]
}

fn one() -> u32 {
    1
}

/// Most runs of one combination, and most jobs of a campaign. Slurm's own limit of array elements
/// (`MaxArraySize`) is usually lower.
const REPETITIONS: u32 = 1000;

impl Campaign {
    /// Reads a campaign file and checks it.
    ///
    /// # Errors
    ///
    /// [`Mistake`] if the file is wrong; the system's error if it cannot be read.
    pub fn open(path: &Path) -> anyhow::Result<(Self, String)> {
        use anyhow::Context as _;
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("reading the campaign {}", path.display()))?;
        let campaign = Self::parse(path, &text)?;
        Ok((campaign, text))
    }

    /// Reads a campaign from the text of its file.
    ///
    /// # Errors
    ///
    /// If the text is not a campaign, or has a value that cannot be.
    pub fn parse(path: &Path, text: &str) -> Result<Self, Mistake> {
        let mut campaign: Self =
            toml::from_str(text).map_err(|error| Mistake::of_parser(path, text, &error))?;
        if campaign.libraries.is_empty() {
            campaign.libraries.push(Libraries {
                name: "system".into(),
                ..Libraries::default()
            });
        }
        let check = Check { path, text };
        check.campaign(&campaign)?;
        Ok(campaign)
    }

    /// Opens the profiles, those of files relative to the campaign file.
    pub fn open_profiles(&self, path: &Path) -> Vec<anyhow::Result<Profile>> {
        let beside = path.parent().unwrap_or(Path::new("."));
        let open = |name: &String| {
            let file = beside.join(name);
            match file.is_file() {
                true => Profile::open(&file.to_string_lossy()),
                false => Profile::open(name),
            }
        };
        self.profiles.iter().map(open).collect()
    }

    /// Returns the campaign's folder for a campaign file at this path.
    pub fn folder(&self, path: &Path) -> PathBuf {
        match &self.results.folder {
            Some(folder) => path.parent().unwrap_or(Path::new(".")).join(folder),
            None => path.with_extension(""),
        }
    }
}

/// Checks values, and says on which line a wrong value is.
struct Check<'a> {
    path: &'a Path,
    text: &'a str,
}

impl Check<'_> {
    fn ensure(
        &self,
        holds: bool,
        way: &[Step<'_>],
        said: impl Into<String>,
    ) -> Result<(), Mistake> {
        match holds {
            true => Ok(()),
            false => Err(Mistake::at(self.path, self.text, way, said)),
        }
    }

    fn campaign(&self, campaign: &Campaign) -> Result<(), Mistake> {
        self.ensure(
            !campaign.profiles.is_empty(),
            &["profiles".into()],
            "profiles must name a profile",
        )?;
        let mut names = BTreeSet::new();
        let opened = campaign.open_profiles(self.path);
        for (index, profile) in opened.into_iter().enumerate() {
            let way = ["profiles".into(), index.into()];
            let profile =
                profile.map_err(|e| Mistake::at(self.path, self.text, &way, format!("{e:#}")))?;
            let name = profile.name;
            self.ensure(word(&name), &way, format!("{name:?}: {WORD}"))?;
            let again = format!("a second profile is called {name:?}: rename its file");
            self.ensure(names.insert(name), &way, again)?;
        }
        self.ensure(
            (1..=REPETITIONS).contains(&campaign.repetitions),
            &["repetitions".into()],
            format!("repetitions must be 1 … {REPETITIONS}"),
        )?;
        if let Some(text) = &campaign.algorithm {
            self.ensure(
                text.parse::<Wanted>().is_ok(),
                &["algorithm".into()],
                format!("{text:?} is neither an algorithm nor a regular expression"),
            )?;
        }
        self.budget(&campaign.budget)?;
        self.ensure(
            !campaign.machines.is_empty(),
            &[],
            "no machine: a campaign needs a [[machine]] with slurm = {…}, ssh = {…} or local = true",
        )?;
        let mut names = BTreeSet::new();
        for (index, machine) in campaign.machines.iter().enumerate() {
            self.machine(index, machine)?;
            self.ensure(
                names.insert(&machine.name),
                &["machine".into(), index.into(), "name".into()],
                format!("a second machine is called {:?}", machine.name),
            )?;
        }
        let mut names = BTreeSet::new();
        for (index, set) in campaign.libraries.iter().enumerate() {
            self.libraries(index, set)?;
            self.ensure(
                names.insert(&set.name),
                &["libraries".into(), index.into(), "name".into()],
                format!("a second set of libraries is called {:?}", set.name),
            )?;
        }
        Ok(())
    }

    fn budget(&self, budget: &Budget) -> Result<(), Mistake> {
        for (key, value) in [
            ("node-hours", budget.node_hours),
            ("cost", budget.cost),
            ("cost-per-node-hour", budget.cost_per_node_hour),
        ] {
            let way = ["budget".into(), key.into()];
            self.ensure(amount(value), &way, format!("{key} must be 0 or more"))?;
        }
        self.ensure(
            budget.cost.is_none() || budget.cost_per_node_hour.is_some(),
            &["budget".into(), "cost".into()],
            "a limit of cost needs cost-per-node-hour beside it",
        )
    }

    fn machine(&self, index: usize, machine: &Machine) -> Result<(), Mistake> {
        let at = |key| ["machine".into(), index.into(), Step::Key(key)];
        let name = &machine.name;
        self.ensure(word(name), &at("name"), format!("{name:?}: {WORD}"))?;
        let ways = [
            machine.slurm.is_some(),
            machine.ssh.is_some(),
            machine.local,
        ];
        self.ensure(
            ways.iter().filter(|way| **way).count() == 1,
            &at("name"),
            format!("{name}: give one of slurm = {{…}}, ssh = {{…}} and local = true"),
        )?;
        self.ensure(
            amount(machine.cost_per_node_hour),
            &at("cost-per-node-hour"),
            "cost-per-node-hour must be 0 or more",
        )?;
        let absolute = |path: &Option<String>| {
            path.as_ref()
                .is_none_or(|path| Path::new(path).is_absolute())
        };
        self.ensure(
            absolute(&machine.work),
            &at("work"),
            "work is a folder on the machine: give its absolute path",
        )?;
        for variable in machine.environment.keys() {
            let known = !variable.is_empty() && !variable.contains(['=', '\0']);
            let said = format!("{variable:?} cannot be the name of an environment variable");
            self.ensure(known, &at("environment"), said)?;
        }
        if let Some(ssh) = &machine.ssh {
            let way = ["machine".into(), index.into(), "ssh".into(), "hosts".into()];
            self.ensure(!ssh.hosts.is_empty(), &way, "hosts must name a host")?;
            for (n, host) in ssh.hosts.iter().enumerate() {
                let way = [way.as_slice(), &[n.into()]].concat();
                // ssh would take such a host for an option.
                let usual = !host.is_empty() && !host.starts_with('-');
                let said = format!("{host:?} is no name of a host");
                self.ensure(usual && !host.contains(char::is_whitespace), &way, said)?;
                let once = !ssh.hosts[..n].contains(host);
                self.ensure(once, &way, format!("{host} is named twice"))?;
            }
        }
        if let Some(slurm) = &machine.slurm {
            let at = |key| {
                [
                    "machine".into(),
                    index.into(),
                    "slurm".into(),
                    Step::Key(key),
                ]
            };
            for (key, value) in [
                ("partition", &slurm.partition),
                ("constraint", &slurm.constraint),
                ("nodes", &slurm.nodes),
            ] {
                let usual = |text: &String| {
                    !text.is_empty()
                        && !text.contains(|c: char| c.is_whitespace() || c.is_control())
                };
                let said = format!("{key} must be one word, as sbatch takes it");
                self.ensure(value.as_ref().is_none_or(usual), &at(key), said)?;
            }
            for option in &slurm.options {
                let usual = option.starts_with("--") && !option.contains('\n');
                let said = format!("{option:?}: options are of the form --name=value");
                self.ensure(usual, &at("options"), said)?;
                let ours = OURS.iter().find(|ours| {
                    let name = option.split('=').next().unwrap_or(option);
                    name == **ours
                });
                let said = format!("{option}: the campaign sets this option itself");
                self.ensure(ours.is_none(), &at("options"), said)?;
            }
        }
        Ok(())
    }

    fn libraries(&self, index: usize, set: &Libraries) -> Result<(), Mistake> {
        let at = |key| ["libraries".into(), index.into(), Step::Key(key)];
        let name = &set.name;
        self.ensure(word(name), &at("name"), format!("{name:?}: {WORD}"))?;
        for root in &set.roots {
            let said = format!("{root}: the machines need the absolute path of a tree");
            self.ensure(Path::new(root).is_absolute(), &at("root"), said)?;
        }
        for build in &set.builds {
            let plain = !build.library.is_empty() && !build.library.contains(['=', '@']);
            let said = format!("{:?} is no library that a build can be of", build.library);
            self.ensure(plain, &at("build"), said)?;
            let said = format!("the build of {} has no command", build.library);
            self.ensure(!build.command.trim().is_empty(), &at("build"), said)?;
        }
        Ok(())
    }
}

/// The options of sbatch that a campaign sets itself.
const OURS: [&str; 11] = [
    "--array",
    "--chdir",
    "--constraint",
    "--exclusive",
    "--hold",
    "--job-name",
    "--nodelist",
    "--nodes",
    "--output",
    "--partition",
    "--wrap",
];

const WORD: &str = "folders are named after it, so it must be letters, digits, dots, dashes";

/// Returns whether a name can be a part of the name of a folder.
fn word(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= 60
        && !name.starts_with(['.', '-'])
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "._-".contains(c))
}

fn amount(value: Option<f64>) -> bool {
    value.is_none_or(|value| value.is_finite() && value >= 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "profiles = [\"quick\"]\n\
        repetitions = 2\n\
        [budget]\n\
        cost = 3.0\n\
        cost-per-node-hour = 0.5\n\
        [[machine]]\n\
        name = \"zen4\"\n\
        slurm = { constraint = \"zen4\", options = [\"--account=x\"] }\n\
        [[machine]]\n\
        name = \"edge\"\n\
        ssh = { hosts = [\"bench@edge\"] }\n\
        [[libraries]]\n\
        name = \"sid\"\n\
        root = [\"/srv/roots/sid\"]\n\
        build = [{ library = \"openssl\", command = \"make -s\" }]\n";

    fn parse(text: &str) -> Result<Campaign, Mistake> {
        Campaign::parse(Path::new("fleet.toml"), text)
    }

    #[test]
    fn a_campaign_is_read() {
        let campaign = parse(GOOD).unwrap();
        assert_eq!(campaign.machines.len(), 2);
        assert_eq!(campaign.libraries[0].builds[0].library, "openssl");
        assert_eq!(
            campaign.folder(Path::new("a/fleet.toml")),
            Path::new("a/fleet")
        );
        let least = parse("[[machine]]\nname = \"here\"\nlocal = true\n").unwrap();
        assert_eq!((least.profiles.len(), least.repetitions), (1, 1));
        assert_eq!(least.libraries[0].name, "system");
    }

    #[test]
    fn mistakes_have_their_line_and_a_hint() {
        for (from, to, said) in [
            (
                "repetitions = 2",
                "repetition = 2",
                "fleet.toml:2: unknown field",
            ),
            (
                "repetitions = 2",
                "repetition = 2",
                "did you mean repetitions?",
            ),
            (
                "repetitions = 2",
                "repetitions = 0",
                "fleet.toml:2: repetitions must be",
            ),
            ("\"quick\"", "\"quik\"", "fleet.toml:1: \"quik\" is neither"),
            ("cost = 3.0", "cost = -3.0", "fleet.toml:4: cost must be"),
            (
                "cost-per-node-hour = 0.5",
                "",
                "fleet.toml:4: a limit of cost",
            ),
            ("constraint =", "constrain =", "did you mean constraint?"),
            (
                "\"zen4\"\nslurm",
                "\"a/b\"\nslurm",
                "fleet.toml:7: \"a/b\": folders",
            ),
            (
                "name = \"edge\"",
                "name = \"zen4\"",
                "fleet.toml:10: a second machine",
            ),
            (
                "ssh = {",
                "local = true\nssh = {",
                "fleet.toml:10: edge: give one",
            ),
            ("bench@edge", "-oProxyCommand=x", "fleet.toml:11: \"-oProxy"),
            ("--account=x", "--array=1", "sets this option itself"),
            (
                "\"/srv",
                "\"srv",
                "fleet.toml:14: srv/roots/sid: the machines",
            ),
            (
                "make -s",
                " ",
                "fleet.toml:15: the build of openssl has no command",
            ),
        ] {
            let error = parse(&GOOD.replacen(from, to, 1)).unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
        let error = parse("profiles = [\"quick\"]\n").unwrap_err().to_string();
        assert!(error.contains("fleet.toml: no machine"), "{error}");
        let error = parse("a = [\n").unwrap_err().to_string();
        assert!(error.contains("fleet.toml:"), "{error}");
    }
}
