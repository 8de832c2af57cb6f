//! Tests the HTML report: the content of the page, and the page in a browser.

#[path = "browser/sample.rs"]
mod sample;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use touchstone_lab::recommend::constraint::{Constraints, Wrong};
use touchstone_lab::recommend::{Along, Row, recommend};
use touchstone_lab::report::render;
use touchstone_lab::stats::Interval;
use touchstone_lab::summary::{Failure, Summary};
use touchstone_lab::workload::Workload;

#[test]
fn the_page_is_one_file_within_its_size() {
    let page = render(&[sample::summary()], &[]).unwrap();
    // With this variable, a developer gets the page as a file, to look at its design.
    if let Some(path) = std::env::var_os("TOUCHSTONE_REPORT_OUT") {
        fs::write(path, &page).unwrap();
    }
    assert!(page.len() < 1_200_000, "{} bytes", page.len());
    for reference in [
        "<link rel=\"stylesheet",
        "<img",
        "src=\"",
        "@import",
        "url(",
    ] {
        let script = include_str!("../assets/report.js");
        let own = script.matches(reference).count();
        assert_eq!(page.matches(reference).count(), own, "{reference}");
    }
}

#[test]
fn a_known_defect_names_the_release_that_mends_it() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../adapters");
    let manifests = touchstone_lab::adapters::manifests(&folder).unwrap();
    let mut summary = sample::summary();
    let failure = |place: &str, primitive: &str, operation: &str, kind: &str| Failure {
        library: "botan".into(),
        primitive: primitive.into(),
        operation: operation.into(),
        kind: kind.into(),
        place: place.into(),
        input: "input=00".into(),
        expected: "refusal (SignatureMalleability)".into(),
        got: String::new(),
    };
    let forged = "accepted a forgery";
    summary.failures = vec![
        failure(
            "wycheproof.vec:9 tcId 63 s + L",
            "ed25519",
            "verify",
            forged,
        ),
        failure(
            "libxcrypt.vec:1328 bcrypt_a 313",
            "crypt-bcrypt",
            "crypt",
            "wrong answer",
        ),
    ];
    let page = render(&[summary.clone()], &manifests).unwrap();
    assert!(page.contains("Mended in 3.0.0"));
    assert!(page.contains("<code>accepted</code>"));
    assert!(page.contains("differs on purpose") && !page.contains(">wrong answer</span>"));
    summary.failures[0].place = "wycheproof.vec:9 tcId 1 s".into();
    assert!(
        !render(&[summary], &manifests)
            .unwrap()
            .contains("Mended in")
    );
}

#[test]
fn text_from_the_run_stays_text() {
    let page = render(&[sample::summary()], &[]).unwrap();
    assert!(!page.contains("<script>alert(1)"));
    assert!(page.contains("&lt;script&gt;alert(1)"));
    assert_eq!(page.matches("</script").count(), 2);
}

#[test]
fn the_page_allows_no_script_but_its_own() {
    let page = render(&[sample::summary()], &[]).unwrap();
    let (_, rest) = page
        .split_once("http-equiv=\"Content-Security-Policy\" content=\"")
        .unwrap();
    let policy = rest.split_once('"').unwrap().0;
    let policy = policy.replace("&#x27;", "'").replace("&#x2f;", "/");
    assert!(!policy.contains("unsafe"), "{policy}");
    assert_eq!(policy.matches("'sha256-").count(), 2, "{policy}");
    let sources = policy.split([' ', ';']).filter(|part| part.contains('\''));
    assert!(
        sources
            .clone()
            .all(|source| source == "'none'" || source.starts_with("'sha256-")),
        "{policy}"
    );
    assert_eq!(sources.count(), 3, "{policy}");
}

/// A build that is slower than its library's code can be is named below the verdicts and in its card.
#[test]
fn a_slower_build_is_named() {
    let page = render(&[sample::summary()], &[]).unwrap();
    assert!(page.contains("Slower here than their own code can be: Mbed TLS 2.28.3, built without &lt;assembly&gt;.</p>"));
    assert!(page.contains("Slower here than it can be: built without &lt;assembly&gt;</p>"));
}

#[test]
fn a_run_that_found_nothing_renders() {
    let mut summary = sample::summary();
    summary
        .libraries
        .retain(|library| !library.absent.is_empty());
    summary.cells.clear();
    summary.costs.clear();
    summary.verification.clear();
    summary.failures.clear();
    summary.ranking = touchstone_lab::rank::paper::Ranking::default();
    summary.headline = touchstone_lab::rank::headline::Headline::default();
    summary.machine.mhz = None;
    summary.run.complete = false;
    let page = render(&[summary], &[]).unwrap();
    assert!(page.contains("measured nothing that can be ranked"));
    assert!(page.contains("was interrupted"));
    assert!(page.contains("libwolfssl.so was not found"));
}

/// Builds the page's script again and compares it with the committed file, and runs the
/// checks of its types and its style.
#[test]
fn the_script_is_built_from_its_sources() {
    const FILES: [&str; 5] = [
        "package.json",
        "package-lock.json",
        "build.js",
        "tsconfig.json",
        "biome.json",
    ];
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("report-page");
    let tools = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report-page");
    if let Err(missing) = install(&from, &tools, &FILES) {
        skip("the build of the report's script", &missing);
        return;
    }
    let _ = fs::remove_dir_all(tools.join("src"));
    copy(&from.join("src"), &tools.join("src"));
    let out = tempfile::tempdir().unwrap();
    for task in ["check", "lint", "build"] {
        let done = Command::new("npm")
            .args(["run", "--silent", task])
            .current_dir(&tools)
            .env("OUT", out.path())
            .output()
            .unwrap();
        let said = [done.stdout, done.stderr].concat();
        let said = String::from_utf8_lossy(&said);
        assert!(done.status.success(), "npm run {task}: {said}");
    }
    for file in ["report.js", "report-notices.txt"] {
        let built = fs::read(out.path().join(file)).unwrap();
        let committed = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("assets")
            .join(file);
        assert!(
            built == fs::read(committed).unwrap(),
            "assets/{file} is not what its sources make: npm run build in lab/cli/report-page"
        );
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}

fn skip(what: &str, missing: &str) {
    assert!(std::env::var("CI").as_deref() != Ok("true"), "{missing}");
    eprintln!("SKIPPED: {what}: {missing}");
}

/// Runs the tests of `browser/report.test.js` by Playwright.
#[test]
fn the_page_works_in_a_browser() {
    let chromium = ["chromium", "chromium-browser", "google-chrome"]
        .iter()
        .find_map(|name| program(name));
    let missing = if chromium.is_none() {
        Some("no chromium, chromium-browser or google-chrome on PATH".to_owned())
    } else {
        playwright().err()
    };
    if let Some(missing) = missing {
        skip("the report in a browser", &missing);
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let expected = folder.path().join("expected.json");
    fs::write(&expected, answers(&sample::summary()).to_string()).unwrap();
    // With this variable, a developer gets the answers too.
    if let Some(path) = std::env::var_os("TOUCHSTONE_REPORT_ANSWERS") {
        fs::copy(&expected, path).unwrap();
    }
    let runs = folder.path().join("runs.html");
    fs::write(&runs, render(&two_runs(), &[]).unwrap()).unwrap();
    let page = folder.path().join("report.html");
    fs::write(&page, render(&[sample::summary()], &[]).unwrap()).unwrap();
    let tests = Command::new("node")
        .args(["--test", "--test-reporter=tap", "report.test.js"])
        .current_dir(TOOLS)
        .env("REPORT", &page)
        .env("EXPECTED", &expected)
        .env("RUNS", &runs)
        .env("CHROMIUM", chromium.unwrap())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&tests.stdout);
    assert!(tests.status.success(), "{said}");
    let passed = said.lines().find_map(|line| line.strip_prefix("# pass "));
    assert!(passed.is_some_and(|n| n != "0"), "{said}");
}

/// The invented run, and one like it in which a hash is three times as slow.
fn two_runs() -> [Summary; 2] {
    let [first, mut other] = [sample::summary(), sample::summary()];
    other.run.id = 8;
    other.machine.line = "Another machine".into();
    for library in other.libraries.iter_mut().filter(|one| one.id == "openssl") {
        library.version = "3.5.0".into();
    }
    for cell in other
        .cells
        .iter_mut()
        .filter(|cell| cell.primitive == "blake2b")
    {
        cell.ns = Interval::exact(cell.ns.mid * 3.0);
    }
    [first, other]
}

/// The answers of `touchstone recommend` to questions, each with the fields of the panel *Which
/// library?* that ask the same.
fn answers(summary: &Summary) -> Value {
    let any = Constraints::default;
    let licensed = |licence: &str| Constraints {
        licences: vec![licence.into()],
        ..any()
    };
    let language = Constraints {
        languages: vec!["C".into()],
        ..any()
    };
    let wrong = |wrong| Constraints {
        no_wrong: Some(wrong),
        ..any()
    };
    let installed = Constraints {
        installed: true,
        ..any()
    };
    // `recommend` looks for the file; the invented libraries of the system have none.
    let mut summary = summary.clone();
    for library in &mut summary.libraries {
        if library.path.starts_with("/usr") {
            library.path = "/usr".into();
        }
    }
    let lgpl = "LGPL-2.1-or-later";
    let cases = [
        ("aes-256 gcm-encrypt", 1350, "", 1, any(), ["", ""]),
        ("aes-256 gcm-encrypt", 1350, "1", 1, any(), ["", ""]),
        ("aes-256 gcm-encrypt", 16, "3", 1, any(), ["", ""]),
        ("aes-256 gcm-encrypt", 16384, "", 4, any(), ["", ""]),
        ("aes-128 gcm-decrypt", 4, "1000", 1, any(), ["", ""]),
        ("aes-128 ctr-encrypt", 100_000, "2", 1, any(), ["", ""]),
        ("sha-256 hash", 300, "", 1, any(), ["", ""]),
        ("sha-256 hash", 64, "", 1, licensed(lgpl), ["licence", lgpl]),
        ("sha-256 hash", 16, "", 1, installed, ["installed", "1"]),
        ("md5 hash", 9000, "", 1, any(), ["", ""]),
        ("blake3 hash", 5000, "", 1, any(), ["", ""]),
        ("blowfish ecb-encrypt", 8, "1", 1, any(), ["", ""]),
        (
            "twofish-256 cbc-encrypt",
            4096,
            "10",
            1,
            language,
            ["language", "C"],
        ),
        (
            "camellia-256 cbc-encrypt",
            512,
            "",
            1,
            wrong(Wrong::Operation),
            ["wrong", "operation"],
        ),
        (
            "aes-192 cbc-encrypt",
            512,
            "",
            1,
            wrong(Wrong::Any),
            ["wrong", "any"],
        ),
    ];
    let asked = cases.map(
        |(algorithm, bytes, per_key, threads, constraints, [field, value])| {
            let keys = match per_key {
                "" => String::new(),
                number => format!("messages-per-key = {number}\n"),
            };
            let workload = format!(
                "title = \"t\"\nsource = \"assumed\"\n[[part]]\nwhat = \"w\"\nalgorithms = \
             [\"{algorithm}\"]\nsizes = {{ {bytes} = 1 }}\nthreads = {threads}\n{keys}"
            );
            let workload = Workload::parse("t", &workload).unwrap();
            let found = recommend(&summary, &workload, &constraints);
            let course = |along: Along| -> Vec<Value> {
                let courses = found.courses.iter().filter(|course| course.along == along);
                let turns = courses.flat_map(|course| &course.first);
                turns
                    .map(|(at, library)| json!({ "at": at, "library": library }))
                    .collect()
            };
            let row = |row: &Row| {
                json!({
                    "library": row.library, "ns": row.ns.mid, "ratio": row.ratio.mid,
                    "high": row.ratio.ends().map(|[_, high]| high),
                    "level": row.level, "beyond": row.beyond,
                })
            };
            let mut left_out: Vec<&str> = found.left_out.iter().map(|(id, _)| &**id).collect();
            left_out.sort_unstable();
            let mut fields = json!({
                "algorithm": algorithm, "bytes": bytes.to_string(), "perkey": per_key,
                "threads": threads.to_string(),
            });
            if !field.is_empty() {
                fields[field] = json!(value);
            }
            json!({
                "asked": fields,
                "rows": found.rows.iter().map(row).collect::<Vec<_>>(),
                "leftOut": left_out,
                "byLength": course(Along::Length),
                "byKey": course(Along::MessagesPerKey),
            })
        },
    );
    json!(asked)
}

/// The folder for the browser's driver, outside the sources.
const TOOLS: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/browser");

/// Installs Playwright and the tests in [`TOOLS`]. If that is not possible, returns the reason.
fn playwright() -> Result<(), String> {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser");
    let files = [
        "package.json",
        "package-lock.json",
        "report.test.js",
        "opening.js",
        "contrast.js",
    ];
    install(&from, Path::new(TOOLS), &files)
}

/// Copies files of a package of Node into a folder and installs what the package needs there.
/// If that is not possible, returns the reason.
fn install(from: &Path, tools: &Path, files: &[&str]) -> Result<(), String> {
    let node = Command::new("node").arg("--version").output();
    let node = node.map_err(|_| "no node on PATH".to_owned())?;
    let version = String::from_utf8_lossy(&node.stdout);
    let major = version.trim_start_matches('v').split('.').next();
    if major.and_then(|n| n.parse().ok()) < Some(20) {
        return Err(format!("it needs Node 20, not {}", version.trim()));
    }
    let lock = fs::read(from.join("package-lock.json")).unwrap();
    let stamp = tools.join("node_modules/installed");
    fs::create_dir_all(tools).unwrap();
    for file in files {
        fs::copy(from.join(file), tools.join(file)).unwrap();
    }
    if fs::read(&stamp).is_ok_and(|installed| installed == lock) {
        return Ok(());
    }
    let npm = Command::new("npm")
        .args(["ci", "--no-audit", "--no-fund", "--loglevel=error"])
        .current_dir(tools)
        .output();
    let npm = npm.map_err(|_| "no npm on PATH".to_owned())?;
    if !npm.status.success() {
        let why = String::from_utf8_lossy(&npm.stderr);
        return Err(format!("npm cannot install its packages: {why}"));
    }
    fs::write(stamp, lock).unwrap();
    Ok(())
}

/// Returns the path of a program with this name on `PATH`.
fn program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|folder| folder.join(name))
        .find(|program| program.is_file())
}
