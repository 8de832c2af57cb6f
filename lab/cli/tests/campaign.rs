//! Tests `campaign` as a user runs it: with jobs on this machine, on hosts that a scratch sshd
//! plays, and on the nodes of a scratch Slurm cluster; with killed processes, a full disk, a dead
//! node and a restarted controller. The libraries are planted.

mod common;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use assert_cmd::assert::OutputAssertExt;
use common::{Bench, rows};
use serde_json::Value;
use touchstone_lab::campaign::folder::{Folder, get};
use touchstone_lab::campaign::state::{Phase, Seen, State, state_file};
use touchstone_lab::store::Store;

/// A campaign file beside planted libraries.
struct Fleet {
    bench: Bench,
    slurm: Option<std::path::PathBuf>,
}

/// A cell of a campaign: the job, the library, the task.
type Cell = (u64, String, String);

impl Fleet {
    /// Makes the libraries *fast* and *slow*, a profile of `sizes` message sizes, and the campaign
    /// file.
    fn new(sizes: u32, campaign: &str) -> Self {
        let bench = Bench::new(&[("fast", "none"), ("slow", "slow")]);
        for library in ["fast", "slow"] {
            let path = bench.path("adapters").join(library).join("adapter.toml");
            let manifest = std::fs::read_to_string(&path).unwrap();
            let masks = "[masks.one]\nPLANTED_ONE = \"1\"\n[masks.two]\nPLANTED_TWO = \"1\"\n";
            std::fs::write(&path, manifest + masks).unwrap();
        }
        // Tasks become narrow after different numbers of rounds, so cells are finished at
        // different times.
        let sizes: Vec<String> = (1..=sizes).map(|n| (n * 16).to_string()).collect();
        let profile = format!(
            "target = 0.04\nrounds = [6, 60]\nsample_us = 20\nseconds = 90\n[[work]]\n\
             primitives = \"rc4\"\noperations = \"stream-encrypt\"\n\
             contracts = [\"hot\"]\nsizes = [{}]\n",
            sizes.join(", ")
        );
        std::fs::write(bench.path("brief.toml"), profile).unwrap();
        let fleet = Self { bench, slurm: None };
        fleet.write(campaign);
        fleet
    }

    fn write(&self, campaign: &str) {
        let text = format!("profiles = [\"brief.toml\"]\n{campaign}");
        std::fs::write(self.bench.path("fleet.toml"), text).unwrap();
    }

    /// Makes the machine's Slurm commands use a cluster.
    fn on(mut self, cluster: &Cluster) -> Self {
        self.slurm = Some(cluster.folder.path().join("slurm.conf"));
        self
    }

    fn command(&self, verb: &[&str]) -> Command {
        let mut command = self.bench.touchstone(&["campaign"]);
        command
            .env_remove("TOUCHSTONE_STORE")
            .args(verb)
            .arg(self.bench.path("fleet.toml"));
        if let Some(slurm) = &self.slurm {
            command.env("SLURM_CONF", slurm);
        }
        command
    }

    fn output(&self, verb: &[&str]) -> Output {
        self.command(verb).output().unwrap()
    }

    fn json(&self, verb: &str) -> Value {
        let output = self.command(&["--format", "json", verb]).output().unwrap();
        serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
    }

    fn folder(&self) -> Folder {
        Folder::new(&self.bench.path("fleet")).unwrap()
    }

    /// Returns a column of `status`, one text for each job.
    fn column(&self, name: &str) -> Vec<String> {
        let document = self.json("status");
        let text = |row: &Value| match &row[name] {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        rows(&document, "jobs").iter().map(text).collect()
    }

    /// Waits until a condition on the short states of all jobs holds.
    fn wait(&self, seconds: u64, what: &str, holds: impl Fn(&[String]) -> bool) {
        let begun = Instant::now();
        loop {
            let states = self.column("st");
            if holds(&states) {
                return;
            }
            assert!(
                begun.elapsed() < Duration::from_secs(seconds),
                "not {what} after {seconds} s:\n{}",
                String::from_utf8_lossy(&self.output(&["status"]).stdout)
            );
            std::thread::sleep(Duration::from_millis(200));
        }
    }

    fn wait_complete(&self, seconds: u64) {
        self.wait(seconds, "complete", |states| {
            states.iter().all(|st| st == "CD")
        });
    }

    /// Waits until a job's run has finished cells and is not complete, and returns how many.
    fn wait_midway(&self, job: u32) -> usize {
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(60) {
            let seen = Seen::look(&self.folder(), job).unwrap();
            if let Some(state) = &seen.state {
                assert_eq!(
                    state.phase,
                    Phase::Running,
                    "too quick to be stopped: {state:?}"
                );
                let cells = finished(&state.store);
                if cells > 0 {
                    return cells;
                }
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("job {job} has no finished cell after 60 s");
    }

    fn state(&self, job: u32) -> State {
        get(&state_file(&self.folder().job(job))).unwrap().unwrap()
    }

    /// Returns the cells of all complete runs in the campaign's store.
    fn cells(&self) -> BTreeSet<Cell> {
        let document = self.json("collect");
        let store = Store::open(&self.bench.path("fleet/runs.sqlite")).unwrap();
        let mut cells = BTreeSet::new();
        for row in rows(&document, "runs") {
            if row["state"] != "complete" {
                continue;
            }
            let job = row["job"].as_u64().unwrap();
            for cell in store.cells(row["run"].as_i64().unwrap()).unwrap() {
                let one = (job, cell.library, cell.task.to_string());
                assert!(cells.insert(one), "a cell is there twice");
            }
        }
        cells
    }
}

/// Returns the number of cells in a store that another process writes to.
fn finished(store: &Path) -> usize {
    let read = || Store::open_to_read(store)?.cells(1);
    if store.is_file() {
        read().map_or(0, |cells| cells.len())
    } else {
        0
    }
}

/// Ends the process of a job without warning, and waits for the end of the run.
fn kill_job(folder: &Path, job: u32) {
    for process in std::fs::read_dir("/proc").unwrap().flatten() {
        let line = std::fs::read(process.path().join("cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line).replace('\0', " ");
        let ours = line.contains(&*folder.to_string_lossy());
        let host = line.contains("campaign host");
        let lab = line.contains(" measure ") && line.contains(&format!("jobs/{job:04}"));
        if ours && (host || lab) {
            let pid = process.file_name();
            let status = Command::new("kill").arg("-KILL").arg(pid).status();
            assert!(status.unwrap().success());
        }
    }
}

/// A scratch Slurm cluster with the nodes n1, n2 and n3 on this machine.
struct Cluster {
    folder: tempfile::TempDir,
}

impl Cluster {
    /// Starts the cluster. If Slurm is not installed, prints this and returns `None`.
    fn start(accounts: bool) -> Option<Self> {
        let missing = Self::script().arg("missing").output().unwrap();
        let missing = String::from_utf8(missing.stdout).unwrap();
        if !missing.is_empty() {
            let missing = missing.split_whitespace().collect::<Vec<_>>().join(", ");
            eprintln!("SKIPPED: campaigns by Slurm: not installed: {missing}");
            return None;
        }
        let cluster = Self {
            folder: tempfile::Builder::new().prefix("slurm").tempdir().unwrap(),
        };
        let accounts = if accounts { "yes" } else { "no" };
        let output = Self::script()
            .env("ACCOUNTS", accounts)
            .arg("start")
            .arg(cluster.folder.path())
            .args(["n1:zen4", "n2:icelake", "n3"])
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        eprint!("{said}");
        assert!(output.status.success(), "the cluster does not start");
        Some(cluster)
    }

    fn script() -> Command {
        let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tools/slurm.sh");
        Command::new(top)
    }

    /// Does something to the cluster: `node n1 kill`, `controller stop` …
    fn act(&self, verb: &str, words: &[&str]) {
        let mut command = Self::script();
        command.arg(verb).arg(self.folder.path()).args(words);
        assert!(command.status().unwrap().success(), "{verb} {words:?}");
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let stop = Self::script().arg("stop").arg(self.folder.path()).status();
        assert!(stop.is_ok_and(|status| status.success()) || std::thread::panicking());
    }
}

/// A small disk, mounted while the value lives.
struct Disk(std::path::PathBuf);

impl Disk {
    /// Mounts a disk. If this user may not, prints this and returns `None`.
    fn mount(path: std::path::PathBuf, size: &str) -> Option<Self> {
        std::fs::create_dir_all(&path).unwrap();
        let disk = Self(path);
        if disk.call(
            "mount",
            &["-t", "tmpfs", "-o", &format!("size={size}"), "none"],
        ) {
            return Some(disk);
        }
        eprintln!("SKIPPED: a full disk in a campaign: only root may mount a small disk");
        std::mem::forget(disk);
        None
    }

    fn grow(&self, size: &str) {
        assert!(self.call("mount", &["-o", &format!("remount,size={size}")]));
    }

    fn call(&self, program: &str, words: &[&str]) -> bool {
        let output = Command::new(program).args(words).arg(&self.0).output();
        output.is_ok_and(|output| output.status.success())
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        self.call("umount", &["--lazy"]);
    }
}

/// A scratch sshd on the loopback interface, which plays the hosts alpha and beta.
struct Server {
    folder: std::path::PathBuf,
    port: u16,
    daemon: Option<std::process::Child>,
}

impl Server {
    /// Starts the server. If OpenSSH is not installed, prints this and returns `None`.
    fn start(fleet: &Fleet) -> Option<Self> {
        let sshd = Path::new("/usr/sbin/sshd");
        let made = Command::new("ssh-keygen").arg("-?").output().is_ok();
        if !sshd.is_file() || !made {
            eprintln!("SKIPPED: campaigns by ssh: OpenSSH's server or client is not installed");
            return None;
        }
        let folder = fleet.bench.path("ssh");
        std::fs::create_dir(&folder).unwrap();
        for key in ["host", "user"] {
            let mut make = Command::new("ssh-keygen");
            make.args(["-q", "-t", "ed25519", "-N", "", "-f"])
                .arg(folder.join(key));
            assert!(make.status().unwrap().success());
        }
        let public = |key: &str| std::fs::read_to_string(folder.join(key)).unwrap();
        std::fs::write(folder.join("authorized"), public("user.pub")).unwrap();
        let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = taken.local_addr().unwrap().port();
        drop(taken);
        std::fs::write(
            folder.join("known"),
            format!("[127.0.0.1]:{port} {}", public("host.pub")),
        )
        .unwrap();
        let shown = folder.display();
        let (adapters, vectors) = (fleet.bench.path("adapters"), fleet.bench.path("vectors"));
        let server = format!(
            "Port {port}\nListenAddress 127.0.0.1\nHostKey {shown}/host\n\
             AuthorizedKeysFile {shown}/authorized\nPidFile none\nStrictModes no\n\
             UsePAM no\nPasswordAuthentication no\nPermitRootLogin yes\n\
             SetEnv TOUCHSTONE_ADAPTERS={} TOUCHSTONE_VECTORS={} XDG_DATA_HOME={shown}/data\n",
            adapters.display(),
            vectors.display(),
        );
        std::fs::write(folder.join("server.conf"), server).unwrap();
        // Nothing listens on the port of gamma.
        let client = format!(
            "Host alpha beta\nPort {port}\nHost gamma\nPort 1\n\
             Host *\nHostName 127.0.0.1\nHostKeyAlias [127.0.0.1]:{port}\n\
             IdentityFile {shown}/user\nIdentitiesOnly yes\nUserKnownHostsFile {shown}/known\n\
             GlobalKnownHostsFile /dev/null\n"
        );
        std::fs::write(folder.join("client.conf"), client).unwrap();
        // Debian's sshd needs this empty folder, which the system's start makes.
        let _ = std::fs::create_dir("/run/sshd");
        let mut this = Self {
            folder,
            port,
            daemon: None,
        };
        this.listen();
        Some(this)
    }

    fn listen(&mut self) {
        let log = std::fs::File::create(self.folder.join("log")).unwrap();
        let mut command = Command::new("/usr/sbin/sshd");
        command
            .args(["-D", "-e", "-f"])
            .arg(self.folder.join("server.conf"))
            .stderr(log);
        self.daemon = Some(command.spawn().unwrap());
        let begun = Instant::now();
        while std::net::TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            let log = std::fs::read_to_string(self.folder.join("log")).unwrap();
            assert!(begun.elapsed() < Duration::from_secs(20), "no sshd: {log}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    fn stop(&mut self) {
        if let Some(mut daemon) = self.daemon.take() {
            daemon.kill().unwrap();
            daemon.wait().unwrap();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

const THREE: &str = "[[machine]]\nname = \"full\"\nlocal = true\n\
    [[machine]]\nname = \"one\"\nlocal = true\nmask = \"one\"\n\
    [[machine]]\nname = \"two\"\nlocal = true\nmask = \"two\"\n";

#[test]
fn a_plan_shows_cells_hours_and_cost_and_runs_nothing() {
    let fleet = Fleet::new(
        3,
        &format!(
            "repetitions = 2\n[budget]\nnode-hours = 0.1\ncost-per-node-hour = 2.0\n\
             currency = \"EUR\"\n{THREE}"
        ),
    );
    let document = fleet.json("plan");
    let all = rows(&document, "plan").last().unwrap();
    // Three machines, two runs of each, three sizes, two libraries.
    assert_eq!(
        (all["jobs"].as_u64(), all["cells"].as_u64()),
        (Some(6), Some(36))
    );
    // 90 s and a quarter.
    let hours = 6.0 * 112.5 / 3600.0;
    assert_eq!(all["hours"].as_f64(), Some(hours));
    assert_eq!(all["EUR"].as_f64(), Some(hours * 2.0));
    let output = fleet.output(&["submit"]);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("over the budget: 0.2 node hours"), "{error}");
    assert!(!fleet.bench.path("fleet/plan.json").exists());
    assert_eq!(fleet.output(&["status"]).status.code(), Some(4));

    fleet.write("[[machine]]\nname = \"full\"\nlocl = true\n");
    let output = fleet.output(&["plan"]);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(
        error.contains("fleet.toml:4: ") && error.contains("did you mean local?"),
        "{error}"
    );
}

#[test]
fn a_stored_run_tells_how_long_the_next_one_takes() {
    let fleet = Fleet::new(3, "[[machine]]\nname = \"here\"\nlocal = true\n");
    let profile = fleet.bench.path("brief.toml");
    let mut run = fleet.bench.touchstone(&["measure", "--profile"]);
    run.arg(profile).assert().success();
    let seconds = fleet.bench.store().run(Some(1), false).unwrap().seconds;
    let mut plan = fleet.command(&["--format", "json", "plan"]);
    let output = plan
        .env("TOUCHSTONE_STORE", fleet.bench.path("runs.sqlite"))
        .output()
        .unwrap();
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    let row = &rows(&document, "plan")[0];
    assert_eq!(row["hours"].as_f64(), Some(seconds / 3600.0));
    assert!(document.to_string().contains("1 stored run"));
}

#[test]
fn three_masked_machines_are_measured_collected_and_reported() {
    let fleet = Fleet::new(4, THREE);
    fleet.command(&["submit"]).assert().success();
    // Submitting again brings nothing twice.
    fleet.command(&["submit"]).assert().success();
    fleet.wait_complete(90);
    let first = fleet.cells();
    assert_eq!(first.len(), 3 * 4 * 2);
    assert_eq!(fleet.cells(), first, "collecting again adds nothing");
    let collecting: Vec<_> = (0..4)
        .map(|_| fleet.command(&["collect"]).spawn().unwrap())
        .collect();
    for one in collecting {
        assert!(one.wait_with_output().unwrap().status.success());
    }
    let store = Store::open(&fleet.bench.path("fleet/runs.sqlite")).unwrap();
    let runs = store.runs().unwrap();
    assert_eq!(runs.len(), 3, "collecting side by side adds nothing");
    let masks: BTreeSet<Option<&str>> = runs
        .iter()
        .map(|run| {
            let mut facts = run.machine.facts.iter();
            let fact = facts.find(|(name, _)| name == "Instructions left out");
            fact.map(|(_, mask)| mask.as_str())
        })
        .collect();
    assert_eq!(masks, [None, Some("one"), Some("two")].into());
    let output = fleet.output(&["report"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let html = std::fs::read_to_string(fleet.bench.path("fleet/report.html")).unwrap();
    assert!(
        html.contains("rc4"),
        "the report has the measured algorithm"
    );
    let tables = String::from_utf8_lossy(&output.stdout);
    assert!(tables.contains("time relative to the fleet"), "{tables}");
    let html = std::fs::read_to_string(fleet.bench.path("fleet/fleet.html")).unwrap();
    for machine in ["full", "one", "two"] {
        assert!(html.contains(machine), "the map of the fleet has {machine}");
    }

    fleet.write("repetitions = 2\n[[machine]]\nname = \"full\"\nlocal = true\n");
    let output = fleet.output(&["submit"]);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(
        error.contains("has changed since it was submitted"),
        "{error}"
    );
}

#[test]
fn a_killed_job_goes_on_from_its_finished_cells() {
    let fleet = Fleet::new(60, "[[machine]]\nname = \"here\"\nlocal = true\n");
    fleet.command(&["submit"]).assert().success();
    let cells = fleet.wait_midway(1);
    kill_job(fleet.folder().path(), 1);
    fleet.wait(20, "lost", |states| states == ["NF"]);
    assert_eq!(fleet.output(&["status"]).status.code(), Some(6));
    let store = fleet.state(1).store;
    let kept = finished(&store);
    assert!(kept >= cells, "{kept} of {cells}");
    let before = Store::open_to_read(&store).unwrap().cells(1).unwrap();
    fleet.command(&["submit"]).assert().success();
    fleet.wait_complete(120);
    assert_eq!(fleet.state(1).attempts, 2);
    let after = Store::open_to_read(&store).unwrap().cells(1).unwrap();
    assert_eq!(after.len(), 60 * 2);
    for cell in &before {
        assert!(
            after.contains(cell),
            "a finished cell was measured again: {cell:?}"
        );
    }
}

#[test]
fn an_object_is_built_on_the_machine_or_the_job_says_why_not() {
    let fleet = Fleet::new(
        2,
        "[[machine]]\nname = \"here\"\nlocal = true\n\
         [[libraries]]\nname = \"good\"\nlibrary = [\"fast\"]\n\
         build = [{ library = \"slow\", command = \"echo made >slow.so; echo slow.so\" }]\n\
         [[libraries]]\nname = \"bad\"\n\
         build = [{ library = \"slow\", command = \"echo no compiler >&2; exit 1\" }]\n",
    );
    fleet.command(&["submit"]).assert().success();
    fleet.wait(60, "over", |states| {
        states.iter().all(|state| state == "CD" || state == "F")
    });
    let bad = fleet.state(2);
    assert_eq!(bad.phase, Phase::Failed);
    assert!(bad.reason.contains("the build of slow"), "{}", bad.reason);
    let good = fleet.state(1);
    assert_eq!(good.phase, Phase::Done, "{}", good.reason);
    assert!(good.built[0].ends_with("/slow.so"), "{:?}", good.built);
    let cells = fleet.cells();
    let libraries: BTreeSet<&str> = cells.iter().map(|cell| cell.1.as_str()).collect();
    assert_eq!(libraries, ["fast", "slow"].into());
    let output = fleet.output(&["collect"]);
    assert_eq!(output.status.code(), Some(6), "one job has no run");
}

#[test]
fn hosts_by_ssh_go_on_without_the_connection() {
    let fleet = Fleet::new(30, "");
    let Some(mut server) = Server::start(&fleet) else {
        return;
    };
    fleet.write(&format!(
        "touchstone = \"{}\"\n[[machine]]\nname = \"edge\"\n\
         ssh = {{ hosts = [\"alpha\", \"beta\"], options = [\"-F\", \"{}\"] }}\n\
         [[machine]]\nname = \"gone\"\n\
         ssh = {{ hosts = [\"gamma\"], options = [\"-F\", \"{}\"] }}\n",
        env!("CARGO_BIN_EXE_touchstone"),
        server.folder.join("client.conf").display(),
        server.folder.join("client.conf").display(),
    ));
    let output = fleet.output(&["submit"]);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(
        output.status.code(),
        Some(6),
        "one host cannot be reached: {error}"
    );
    assert!(error.contains("gamma: no connection"), "{error}");
    assert!(error.contains("2 of 3 jobs submitted"), "{error}");
    fleet.wait(60, "begun", |states| {
        states[..2].iter().any(|state| state != "PD")
    });
    server.stop();
    let output = fleet.output(&["status"]);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains("as of 20"), "{error}");
    std::thread::sleep(Duration::from_secs(1));
    server.listen();
    fleet.wait(120, "complete on two hosts", |states| {
        states == ["CD", "CD", "-"]
    });
    let cells = fleet.cells();
    assert_eq!(cells.len(), 2 * 30 * 2, "two jobs, one on each host");
    assert_eq!(fleet.cells(), cells);
    // Every command of ssh could be listed by other users: none has a secret.
    let plan = std::fs::read_to_string(fleet.bench.path("fleet/plan.json")).unwrap();
    assert!(!plan.contains("PRIVATE KEY"));
}

const BY_SLURM: &str = "[[machine]]\nname = \"zen\"\nslurm = { constraint = \"zen4\" }\n\
    [[machine]]\nname = \"ice\"\nmask = \"one\"\n\
    slurm = { constraint = \"icelake\", partition = \"main\" }\n";

#[test]
fn one_slurm_array_measures_three_masked_machines() {
    let Some(cluster) = Cluster::start(false) else {
        return;
    };
    let three = "[[machine]]\nname = \"three\"\nslurm = { nodes = \"n3\" }\nmask = \"two\"\n";
    let fleet = Fleet::new(4, &format!("{BY_SLURM}{three}")).on(&cluster);
    fleet.command(&["submit"]).assert().success();
    fleet.wait_complete(90);
    let nodes: Vec<String> = (1..=3).map(|job| fleet.state(job).node).collect();
    assert_eq!(nodes, ["n1", "n2", "n3"], "each job ran on its machine");
    let ids: Vec<String> = fleet.column("jobid");
    let array = ids[0].split('_').next().unwrap();
    assert_eq!(
        ids,
        [1, 2, 3].map(|element| format!("{array}_{element}")),
        "one array"
    );
    assert_eq!(fleet.cells().len(), 3 * 4 * 2);
    let output = fleet.output(&["submit"]);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(
        error.contains("0 of 3 jobs submitted, 3 were complete"),
        "{error}"
    );
}

/// A node dies, the controller is restarted, the disk of one node is full: the result has the same
/// cells as a campaign without faults. Too long for `make test`; `make campaign-test` runs it.
#[test]
#[ignore = "takes minutes; `make campaign-test` runs it"]
fn a_campaign_with_faults_has_the_cells_of_one_without() {
    let Some(cluster) = Cluster::start(true) else {
        return;
    };
    let sizes = 150;
    let three = |work: &str| {
        format!(
            "{BY_SLURM}[[machine]]\nname = \"three\"\nmask = \"two\"\n{work}\
             slurm = {{ nodes = \"n3\" }}\n"
        )
    };
    let calm = Fleet::new(sizes, &three("")).on(&cluster);
    calm.command(&["submit"]).assert().success();
    calm.wait_complete(240);
    let expected = calm.cells();
    assert_eq!(expected.len(), 3 * sizes as usize * 2);

    let fleet = Fleet::new(sizes, "").on(&cluster);
    let disk = Disk::mount(fleet.bench.path("disk"), "160k");
    fleet.write(&three(&match &disk {
        Some(disk) => format!("work = \"{}\"\n", disk.0.display()),
        None => String::new(),
    }));
    fleet.command(&["submit"]).assert().success();
    let cells = fleet.wait_midway(1);
    cluster.act("node", &["n1", "kill"]);
    cluster.act("controller", &["stop"]);
    let output = fleet.output(&["status"]);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(
        error.contains("squeue") && error.contains("as their files say"),
        "{error}"
    );
    let store = fleet.state(1).store;
    let before = Store::open_to_read(&store).unwrap().cells(1).unwrap();
    assert!(
        before.len() >= cells && before.len() < sizes as usize * 2,
        "{}",
        before.len()
    );
    cluster.act("controller", &["start"]);
    if disk.is_some() {
        fleet.wait(240, "failed for lack of space", |states| states[2] == "F");
        let reason = fleet.state(3).reason;
        assert!(reason.contains("no space left"), "{reason}");
        fleet.wait(240, "complete beside the full disk", |states| {
            states[1] == "CD"
        });
    }
    fleet.wait(120, "waiting for its node", |states| states[0] == "PD");
    cluster.act("node", &["n1", "start"]);
    fleet.wait(240, "complete on the node that was dead", |states| {
        states[0] == "CD"
    });
    let state = fleet.state(1);
    assert_eq!((state.attempts, state.node.as_str()), (2, "n1"));
    let after = Store::open_to_read(&store).unwrap().cells(1).unwrap();
    for cell in &before {
        assert!(
            after.contains(cell),
            "a finished cell was measured again: {cell:?}"
        );
    }
    if let Some(disk) = &disk {
        assert_eq!(fleet.output(&["status"]).status.code(), Some(6));
        disk.grow("64m");
        fleet.command(&["submit"]).assert().success();
    }
    fleet.wait_complete(240);
    assert_eq!(fleet.cells(), expected);
}
