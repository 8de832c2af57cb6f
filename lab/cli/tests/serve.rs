//! Tests `serve` as a browser uses it.
#![cfg(feature = "serve")]

mod common;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use assert_cmd::assert::OutputAssertExt;
use common::Bench;
use touchstone_lab::machine;

/// A running service.
struct Service {
    process: Child,
    address: String,
}

impl Service {
    fn start(bench: &Bench) -> Self {
        let mut process = bench
            .touchstone(&["serve", "--listen", "127.0.0.1:0"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        let address = line
            .trim()
            .trim_start_matches("http://")
            .trim_end_matches('/')
            .to_owned();
        Self { process, address }
    }

    /// Sends a request, and returns the head and the body of the answer.
    fn ask(&self, method: &str, path: &str, fields: &str) -> (String, Vec<u8>) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let host = match fields.contains("Host:") {
            true => String::new(),
            false => format!("Host: {}\r\n", self.address),
        };
        let request =
            format!("{method} {path} HTTP/1.1\r\n{host}Connection: close\r\n{fields}\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let end = answer
            .windows(4)
            .position(|four| four == b"\r\n\r\n")
            .unwrap();
        (
            String::from_utf8_lossy(&answer[..end]).to_lowercase(),
            answer[end + 4..].to_vec(),
        )
    }

    fn get(&self, path: &str) -> (u16, String) {
        let (head, body) = self.ask("GET", path, "");
        let code = head.split(' ').nth(1).unwrap().parse().unwrap();
        (code, String::from_utf8(body).unwrap())
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn a_browser_sees_runs_reports_and_histories_and_changes_nothing() {
    let bench = Bench::new(&[("good", "none"), ("slow", "slow")]);
    bench.run().assert().success();
    let before = std::fs::read(bench.path("runs.sqlite")).unwrap();
    let service = Service::start(&bench);
    let row = bench.store().run(Some(1), false).unwrap();
    let (uid, machine) = (row.uid, machine::title(&row.machine));
    assert!(machine.contains(" CPUs)"), "{machine}");

    let (code, list) = service.get("/");
    assert_eq!(code, 200);
    assert!(list.contains(&format!("/runs/{uid}")) && list.contains("rc4 stream-encrypt"));
    assert!(list.contains(&format!(">{machine}<")), "{list}");
    let (code, report) = service.get(&format!("/runs/{uid}"));
    assert_eq!(code, 200);
    assert!(report.contains("good") && report.contains("<script"));
    assert_eq!(
        service.get("/runs/1").1,
        report,
        "the number is a name, too"
    );
    let (code, summary) = service.get(&format!("/runs/{uid}/summary.json"));
    let summary: serde_json::Value = serde_json::from_str(&summary).unwrap();
    assert_eq!((code, &summary["run"]["id"]), (200, &1.into()));
    let (code, history) = service.get("/history?algorithm=rc4");
    assert_eq!(code, 200);
    assert!(history.contains("<svg"));
    assert!(
        history.contains(&format!(" on {machine}</h2>")),
        "{history}"
    );
    let (_, history) = service.get("/history.json?algorithm=%5Erc4%20stream-encrypt%24");
    let history: serde_json::Value = serde_json::from_str(&history).unwrap();
    assert_eq!(history.as_array().unwrap().len(), 2);
    assert_eq!(service.get("/fleet").0, 200);
    let (_, runs) = service.get("/runs.json");
    let runs: serde_json::Value = serde_json::from_str(&runs).unwrap();
    assert_eq!(runs[0]["uid"], uid.as_str());

    for missing in [
        "/runs/7",
        "/runs/-9223372036854775808",
        "/runs/../../etc/passwd",
        "/runs/x/summary.json",
        "/history?algorithm=none",
        "/history?algorithm=%28",
        "/history",
        "/assets",
    ] {
        assert_eq!(service.get(missing).0, 404, "{missing}");
    }
    for method in ["POST", "PUT", "DELETE", "PATCH"] {
        let (head, _) = service.ask(method, "/runs/1", "Content-Length: 0\r\n");
        assert!(head.contains(" 405 "), "{method}: {head}");
    }
    let (head, body) = service.ask("HEAD", "/runs/1", "");
    assert!(head.contains(" 200 ") && body.is_empty());
    let (head, _) = service.ask("GET", "/", "Host: evil.example\r\n");
    assert!(head.contains(" 421 "), "{head}");
    for field in [
        "content-security-policy: default-src 'none'",
        "frame-ancestors 'none'",
        "x-content-type-options: nosniff",
    ] {
        let (head, _) = service.ask("GET", "/runs/1", "");
        assert!(head.contains(field), "{head}");
    }
    let (head, packed) = service.ask("GET", "/runs/1", "Accept-Encoding: br, gzip\r\n");
    assert!(head.contains("content-encoding: gzip") && packed.starts_with(&[0x1f, 0x8b]));
    let mut text = String::new();
    flate2::read::GzDecoder::new(&packed[..])
        .read_to_string(&mut text)
        .unwrap();
    assert_eq!(text, report);
    drop(service);
    assert_eq!(std::fs::read(bench.path("runs.sqlite")).unwrap(), before);
}

#[test]
fn a_taken_port_and_a_store_that_is_none_are_told() {
    let bench = Bench::new(&[]);
    let service = Service::start(&bench);
    assert_eq!(service.get("/").0, 200, "an empty store");
    let taken = bench
        .touchstone(&["serve", "--listen", &service.address])
        .output()
        .unwrap();
    assert_eq!(taken.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&taken.stderr).contains("cannot be listened on"));
    std::fs::write(bench.path("runs.sqlite"), [b'x'; 4096]).unwrap();
    bench
        .touchstone(&["serve", "--listen", "127.0.0.1:0"])
        .assert()
        .code(1);
    bench
        .touchstone(&["serve", "--listen", "here"])
        .assert()
        .code(2);
}

/// `make serve-load` runs this. TOUCHSTONE_LOAD_STORE names a store of real runs, of which the
/// newest is read; without one, it is a small planted run.
#[test]
#[ignore = "takes the machine for half a minute: make serve-load"]
fn fifty_readers_wait_less_than_a_tenth_of_a_second_for_a_page() {
    const READERS: usize = 50;
    const PAGES: usize = 40;
    let bench = Bench::new(&[("good", "none"), ("slow", "slow")]);
    match std::env::var_os("TOUCHSTONE_LOAD_STORE") {
        Some(store) => drop(std::fs::copy(store, bench.path("runs.sqlite")).unwrap()),
        None => drop(bench.run().assert().success()),
    }
    let newest = bench.store().run(None, false).unwrap();
    let service = Service::start(&bench);
    let page = format!("/runs/{}", newest.uid);
    // The first reader of a run waits until its page is made.
    let begun = Instant::now();
    let first = service.get(&page).1.len();
    println!("the first page took {:?}: {first} bytes", begun.elapsed());
    let mut waits: Vec<Duration> = std::thread::scope(|scope| {
        let reader = |reader: usize| {
            let (service, page) = (&service, &page);
            move || -> Vec<Duration> {
                // People read for a second, and do not all click at once.
                std::thread::sleep(Duration::from_millis(20 * reader as u64));
                (0..PAGES)
                    .map(|visit| {
                        let path = match visit % 4 {
                            0 => "/",
                            1 => "/runs.json",
                            _ => page,
                        };
                        let begun = Instant::now();
                        let (head, _) = service.ask("GET", path, "Accept-Encoding: gzip\r\n");
                        let wait = begun.elapsed();
                        assert!(head.contains(" 200 "), "{path}: {head}");
                        std::thread::sleep(Duration::from_millis(500));
                        wait
                    })
                    .collect()
            }
        };
        let readers: Vec<_> = (0..READERS).map(|one| scope.spawn(reader(one))).collect();
        readers
            .into_iter()
            .flat_map(|reader| reader.join().unwrap())
            .collect()
    });
    waits.sort();
    let at = |share: f64| waits[((waits.len() - 1) as f64 * share) as usize];
    println!(
        "{READERS} readers, {} pages: median {:?}, 99 % {:?}, longest {:?}",
        waits.len(),
        at(0.5),
        at(0.99),
        at(1.0)
    );
    assert!(at(0.99) < Duration::from_millis(100), "99 % of the pages");
}
