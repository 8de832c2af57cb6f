//! Tests of what only PostgreSQL has: servers, schemas of others, rights, passwords and TLS.

use std::path::Path;

use touchstone_lab::store::Store;

use crate::common;
use crate::sample::{filled, row};
use crate::server::Cluster;

#[test]
fn a_database_that_is_not_ours_is_told_in_a_line_and_left_as_it_was() {
    let Some(cluster) = Cluster::start() else {
        return;
    };
    for (name, sql, reason) in [
        (
            "of_others",
            "CREATE TABLE mail (id INT)",
            "another program's",
        ),
        (
            "wrong_mark",
            "CREATE TABLE store (id INT)",
            "another program's",
        ),
        (
            "newer",
            "UPDATE store SET version = 99",
            "newer touchstone (schema 99",
        ),
        (
            "damaged",
            "ALTER TABLE cells RENAME calls TO called",
            "damaged (column \"calls\"",
        ),
        ("gone", "DROP TABLE tasks", "damaged (relation \"tasks\""),
    ] {
        let address = cluster.database(name);
        match sql.starts_with("CREATE") {
            true => cluster.sql(name, "CREATE SCHEMA touchstone"),
            false => {
                drop(Store::open(&address).unwrap());
                String::new()
            }
        };
        cluster.sql(name, &format!("SET search_path TO touchstone; {sql}"));
        let tables = "SELECT table_name, column_name FROM information_schema.columns
                      WHERE table_schema = 'touchstone' ORDER BY 1, 2";
        let before = cluster.sql(name, tables);
        for open in [Store::open, Store::open_to_read] {
            let error = format!("{:#}", open(&address).err().unwrap());
            assert!(error.contains(reason), "{sql}: {error}");
            assert_eq!(error.lines().count(), 1, "{error}");
        }
        assert_eq!(cluster.sql(name, tables), before, "{sql}");
    }
    // Another program's tables beside ours do not matter.
    let address = cluster.database("shared");
    cluster.sql("shared", "CREATE TABLE mail (id INT)");
    filled(&Store::open(&address).unwrap());
    let missing = cluster.address("none", "lab");
    let error = format!("{:#}", Store::open(&missing).err().unwrap());
    assert!(error.contains("createdb"), "{error}");
}

#[test]
fn an_older_schema_is_migrated_by_writers_alone() {
    let Some(cluster) = Cluster::start() else {
        return;
    };
    let address = cluster.database("lab");
    let first = include_str!("../../migrations/postgres/0005_uid.sql");
    let mark = "CREATE SCHEMA touchstone; SET search_path TO touchstone;
                CREATE TABLE store (application TEXT NOT NULL, version BIGINT NOT NULL);
                INSERT INTO store VALUES ('touchstone', 5);";
    cluster.sql("lab", &format!("{mark} {first}"));
    let error = format!("{:#}", Store::open_to_read(&address).err().unwrap());
    assert!(
        error.contains("its schema is 5") && error.contains("--migrate"),
        "{error}"
    );
    filled(&Store::open(&address).unwrap());
    let new = cluster.database("new");
    drop(Store::open(&new).unwrap());
    let columns = "SELECT table_name, column_name, data_type, column_default, is_nullable
                   FROM information_schema.columns WHERE table_schema = 'touchstone' ORDER BY 1, 2";
    assert_eq!(cluster.sql("lab", columns), cluster.sql("new", columns));
    let version = "SELECT version FROM touchstone.store";
    assert_eq!(cluster.sql("lab", version), cluster.sql("new", version));
}

#[test]
fn readers_need_no_right_to_write() {
    let Some(cluster) = Cluster::start() else {
        return;
    };
    let address = cluster.database("lab");
    let empty = Store::open_to_read(&address).unwrap();
    assert!(
        empty.runs().unwrap().is_empty(),
        "no tables: an empty store"
    );
    assert_eq!(
        cluster.sql(
            "lab",
            "SELECT count(*) FROM pg_tables WHERE schemaname = 'touchstone'"
        ),
        "0"
    );
    let run = filled(&Store::open(&address).unwrap());
    cluster.sql(
        "lab",
        "CREATE ROLE reader LOGIN; GRANT USAGE ON SCHEMA touchstone TO reader;
         GRANT SELECT ON ALL TABLES IN SCHEMA touchstone TO reader",
    );
    let reader = cluster.address("lab", "reader");
    let store = Store::open_to_read(&reader).unwrap();
    assert_eq!(store.cells(run).unwrap().len(), 4);
    let error = format!("{:#}", store.progress(run, 1.0, true).unwrap_err());
    assert!(error.contains("read-only"), "{error}");
    let store = Store::open(&reader).unwrap();
    let error = format!("{:#}", store.progress(run, 1.0, true).unwrap_err());
    assert!(error.contains("ask the database's owner"), "{error}");
}

#[test]
fn a_server_that_was_restarted_is_found_again() {
    let Some(cluster) = Cluster::start() else {
        return;
    };
    let store = Store::open(&cluster.database("lab")).unwrap();
    let run = filled(&store);
    cluster.restart();
    // The first step finds that the connection is gone.
    let _ = store.progress(run, 1.0, false);
    store.progress(run, 1.0, true).unwrap();
    assert!(store.run(Some(run), false).unwrap().complete);
}

/// The command with a server that asks for a password.
#[test]
fn passwords_come_from_the_usual_places_and_are_never_shown() {
    let Some(cluster) = Cluster::start() else {
        return;
    };
    cluster.database("lab");
    cluster.sql(
        "lab",
        "CREATE ROLE ann LOGIN PASSWORD 'sec:ret'; GRANT CREATE ON DATABASE lab TO ann",
    );
    cluster.set("pg_hba.conf", "host all all 127.0.0.1/32 scram-sha-256");
    cluster.restart();
    let bench = common::Bench::new(&[("good", "none")]);
    let plain = format!("postgres://ann@127.0.0.1:{}/lab", cluster.port);
    let runs = |store: &str| {
        let mut command = bench.touchstone(&["runs", "--store", store]);
        for name in ["PGPASSWORD", "PGSSLMODE", "PGUSER"] {
            command.env_remove(name);
        }
        command
            .env("HOME", bench.path("home"))
            .env("PGPASSFILE", bench.path("pgpass"));
        command
    };
    let said = |command: &mut std::process::Command| {
        let output = command.output().unwrap();
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8(text).unwrap();
        assert!(
            !text.contains("sec:ret") && !text.contains("sec%3Aret"),
            "{text}"
        );
        (output.status.code(), text)
    };
    let (code, text) = said(&mut runs(&plain));
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("PGPASSWORD"), "{text}");
    let (code, text) = said(runs(&plain).env("PGPASSWORD", "sec:ret"));
    assert_eq!(code, Some(0), "{text}");
    let line = format!("127.0.0.1:{}:lab:ann:sec\\:ret\n", cluster.port);
    std::fs::write(bench.path("pgpass"), line).unwrap();
    let mode = |mode: u32| {
        let mode = std::os::unix::fs::PermissionsExt::from_mode(mode);
        std::fs::set_permissions(bench.path("pgpass"), mode).unwrap();
    };
    mode(0o644);
    let (code, text) = said(&mut runs(&plain));
    assert_eq!(
        (code, text.contains("chmod 600")),
        (Some(1), true),
        "{text}"
    );
    mode(0o600);
    let (code, text) = said(&mut runs(&plain));
    assert_eq!(code, Some(0), "{text}");
    let open = format!("postgres://ann:sec%3Aret@127.0.0.1:{}/lab", cluster.port);
    let (code, text) = said(&mut runs(&open));
    assert_eq!(
        (code, text.contains("can be seen by others")),
        (Some(0), true),
        "{text}"
    );

    // A run's command line is stored, and the password in it is not.
    let profile = bench.path("short.toml");
    let mut run = bench.touchstone(&["run", "--store", &open, "--profile"]);
    run.arg(profile).env("XDG_DATA_HOME", bench.path("data"));
    let (code, text) = said(&mut run);
    assert_eq!(code, Some(0), "{text}");
    let stored = cluster.sql("lab", "SELECT command FROM touchstone.runs");
    assert!(stored.contains("ann:***@"), "{stored}");
    let report = bench.path("data/touchstone/reports/run-1.html");
    let html = std::fs::read_to_string(report).unwrap();
    assert!(html.contains("good") && !html.contains("sec%3Aret"));
    for verb in [
        &["rank"][..],
        &["report"],
        &["export"],
        &["compare", "1", "1"],
        &["doctor"],
    ] {
        let mut command = bench.touchstone(verb);
        command
            .env("TOUCHSTONE_STORE", &open)
            .env("XDG_DATA_HOME", bench.path("data"));
        let (code, text) = said(&mut command);
        // One library leaves nothing to rank.
        let expected = if verb == ["rank"] { 4 } else { 0 };
        assert_eq!(code, Some(expected), "{verb:?}: {text}");
    }
}

#[test]
fn sslmode_is_honoured() {
    let Some(cluster) = Cluster::start() else {
        return;
    };
    let made = std::process::Command::new("openssl")
        .args([
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
        ])
        .args([
            "-days",
            "2",
            "-subj",
            "/CN=localhost",
            "-addext",
            "subjectAltName=DNS:localhost",
            "-addext",
            "basicConstraints=critical,CA:FALSE",
        ])
        .arg("-keyout")
        .arg(cluster.path("key.pem"))
        .arg("-out")
        .arg(cluster.path("cert.pem"))
        .output();
    if !made.is_ok_and(|made| made.status.success()) {
        println!("SKIPPED: the command openssl, which makes the test's certificate, is missing");
        return;
    }
    let key = cluster.path("key.pem");
    if rustix::process::getuid().is_root() {
        std::os::unix::fs::chown(&key, Some(65534), Some(65534)).unwrap();
    }
    cluster.database("lab");
    let lines = format!(
        "ssl = on\nssl_cert_file = '{}'\nssl_key_file = '{}'",
        cluster.path("cert.pem").display(),
        key.display()
    );
    cluster.set("postgresql.conf", &lines);
    cluster.restart();
    let root = cluster
        .path("cert.pem")
        .display()
        .to_string()
        .replace('/', "%2F");
    let open = |host: &str, query: &str| {
        let address = format!("postgres://lab@{host}:{}/lab?{query}", cluster.port);
        Store::open(Path::new(&address)).map(|store| {
            store.begin(&row()).unwrap();
            cluster.sql("lab", "SELECT bool_or(ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'touchstone'")
        })
    };
    assert_eq!(open("localhost", "sslmode=disable").unwrap(), "f");
    assert_eq!(open("localhost", "sslmode=prefer").unwrap(), "t");
    assert_eq!(open("127.0.0.1", "sslmode=require").unwrap(), "t");
    assert_eq!(
        open(
            "localhost",
            &format!("sslmode=verify-full&sslrootcert={root}")
        )
        .unwrap(),
        "t"
    );
    // The certificate is of another name.
    assert_eq!(
        open(
            "127.0.0.1",
            &format!("sslmode=verify-ca&sslrootcert={root}")
        )
        .unwrap(),
        "t"
    );
    assert!(
        open(
            "127.0.0.1",
            &format!("sslmode=verify-full&sslrootcert={root}")
        )
        .is_err()
    );
    // The system does not know the certificate.
    assert!(open("localhost", "sslmode=verify-full").is_err());
    // A server without TLS is refused where TLS is required.
    cluster.set("postgresql.conf", "ssl = off");
    cluster.restart();
    assert!(open("localhost", "sslmode=require").is_err());
    assert_eq!(open("localhost", "sslmode=prefer").unwrap(), "f");
}
