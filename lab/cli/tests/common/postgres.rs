//! A PostgreSQL server for one test: a cluster in a folder of its own, which ends with the test.

// Each test program uses only a part of this module.
#![allow(dead_code, missing_docs, unreachable_pub)]

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The user that runs the server if the tests run as root: PostgreSQL refuses root.
const NOBODY: u32 = 65534;

/// A running server.
pub struct Cluster {
    folder: tempfile::TempDir,
    programs: PathBuf,
    pub port: u16,
}

impl Cluster {
    /// Starts a server; `None`, with a message, if PostgreSQL is not installed.
    pub fn start() -> Option<Self> {
        let Some(programs) = programs() else {
            println!("SKIPPED: no server of PostgreSQL is installed (package postgresql)");
            return None;
        };
        let folder = tempfile::tempdir().unwrap();
        if rustix::process::getuid().is_root() {
            std::os::unix::fs::chown(folder.path(), Some(NOBODY), Some(NOBODY)).unwrap();
        }
        let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = free.local_addr().unwrap().port();
        drop(free);
        let own = Self {
            folder,
            programs,
            port,
        };
        let data = own.path("data");
        let options = ["-U", "lab", "-A", "trust", "--no-sync", "-E", "UTF8", "-D"];
        own.done("initdb", &options, &data);
        own.go();
        Some(own)
    }

    /// Returns a path in the server's folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Returns the address of a database, which is made, over the server's socket.
    pub fn database(&self, name: &str) -> PathBuf {
        self.sql("postgres", &format!("CREATE DATABASE {name}"));
        self.address(name, "lab")
    }

    /// Returns the address of a database for a user.
    pub fn address(&self, database: &str, user: &str) -> PathBuf {
        let socket = self.folder.path().to_str().unwrap().replace('/', "%2F");
        format!("postgres://{user}@{socket}:{}/{database}", self.port).into()
    }

    /// Runs SQL as the owner, and returns the printed rows.
    pub fn sql(&self, database: &str, sql: &str) -> String {
        let output = self
            .program("psql")
            .args([
                "-X",
                "-q",
                "-A",
                "-t",
                "-v",
                "ON_ERROR_STOP=1",
                "-U",
                "lab",
                "-p",
            ])
            .arg(self.port.to_string())
            .arg("-h")
            .arg(self.folder.path())
            .args(["-d", database, "-c", sql])
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{sql}: {errors}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    /// Appends lines to a file of the server's settings.
    pub fn set(&self, file: &str, lines: &str) {
        let path = self.path("data").join(file);
        let text = std::fs::read_to_string(&path).unwrap();
        // The first line that fits decides in pg_hba.conf, the last in postgresql.conf.
        let text = match file {
            "pg_hba.conf" => format!("{lines}\n{text}"),
            _ => format!("{text}\n{lines}\n"),
        };
        std::fs::write(path, text).unwrap();
    }

    /// Starts the server again, with the settings that were set meanwhile.
    pub fn restart(&self) {
        self.stop();
        self.go();
    }

    fn go(&self) {
        let options = format!(
            "-c listen_addresses=127.0.0.1 -c port={} -c unix_socket_directories={} -c fsync=off",
            self.port,
            self.folder.path().display()
        );
        let log = self.path("log");
        let arguments = [
            "-w",
            "-o",
            &options,
            "-l",
            log.to_str().unwrap(),
            "start",
            "-D",
        ];
        self.done("pg_ctl", &arguments, &self.path("data"));
    }

    fn stop(&self) {
        let mut stop = self.program("pg_ctl");
        let stop = stop
            .args(["-w", "-m", "fast", "stop", "-D"])
            .arg(self.path("data"));
        let _ = stop.stdout(Stdio::null()).status();
    }

    fn done(&self, program: &str, arguments: &[&str], data: &Path) {
        // The server keeps the streams of its starter open, so none may be a pipe.
        let messages = std::fs::File::create(self.path("messages")).unwrap();
        let mut command = self.program(program);
        command.args(arguments).arg(data);
        command.stdout(Stdio::null()).stderr(messages);
        let status = command.status().unwrap();
        let messages = std::fs::read_to_string(self.path("messages")).unwrap();
        let log = std::fs::read_to_string(self.path("log")).unwrap_or_default();
        assert!(status.success(), "{program}: {messages}{log}");
    }

    fn program(&self, name: &str) -> Command {
        let mut command = Command::new(self.programs.join(name));
        command.current_dir(self.folder.path()).env("LC_ALL", "C");
        for name in ["PGHOST", "PGPORT", "PGUSER", "PGDATABASE", "PGPASSWORD"] {
            command.env_remove(name);
        }
        if rustix::process::getuid().is_root() {
            command.uid(NOBODY).gid(NOBODY);
        }
        command
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Returns the folder of the server's programs: that of Debian, or that of `initdb` in PATH.
fn programs() -> Option<PathBuf> {
    let debian = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten();
    let debian = debian.flatten().map(|entry| entry.path().join("bin"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    debian
        .chain(std::env::split_paths(&path))
        .find(|folder| folder.join("initdb").is_file())
}
