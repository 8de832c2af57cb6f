//! Tests the HTML report: the content of the page, and the page in a browser.

#[path = "browser/sample.rs"]
mod sample;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use touchstone_lab::report::render;

#[test]
fn the_page_is_one_file_within_its_size() {
    let page = render(&sample::summary()).unwrap();
    // With this variable, a developer gets the page as a file, to look at its design.
    if let Some(path) = std::env::var_os("TOUCHSTONE_REPORT_OUT") {
        fs::write(path, &page).unwrap();
    }
    assert!(page.len() < 6_000_000, "{} bytes", page.len());
    for reference in [
        "<link rel=\"stylesheet",
        "<img",
        "src=\"",
        "@import",
        "url(",
    ] {
        let vendored = [
            include_str!("../assets/vendor/vega.min.js"),
            include_str!("../assets/vendor/vega-lite.min.js"),
            include_str!("../assets/vendor/vega-interpreter.js"),
        ];
        let theirs: usize = vendored.iter().map(|v| v.matches(reference).count()).sum();
        assert_eq!(page.matches(reference).count(), theirs, "{reference}");
    }
}

#[test]
fn text_from_the_run_stays_text() {
    let page = render(&sample::summary()).unwrap();
    assert!(!page.contains("<script>alert(1)"));
    assert!(page.contains("&lt;script&gt;alert(1)"));
    assert_eq!(page.matches("</script").count(), 5);
}

#[test]
fn the_page_allows_no_script_but_its_own() {
    let page = render(&sample::summary()).unwrap();
    let (_, rest) = page
        .split_once("http-equiv=\"Content-Security-Policy\" content=\"")
        .unwrap();
    let policy = rest.split_once('"').unwrap().0;
    let policy = policy.replace("&#x27;", "'").replace("&#x2f;", "/");
    assert!(!policy.contains("unsafe"), "{policy}");
    assert_eq!(policy.matches("'sha256-").count(), 5, "{policy}");
    let sources = policy.split([' ', ';']).filter(|part| part.contains('\''));
    assert!(
        sources
            .clone()
            .all(|source| source == "'none'" || source.starts_with("'sha256-")),
        "{policy}"
    );
    assert_eq!(sources.count(), 6, "{policy}");
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
    let page = render(&summary).unwrap();
    assert!(page.contains("measured nothing that can be ranked"));
    assert!(page.contains("was interrupted"));
    assert!(page.contains("libwolfssl.so was not found"));
}

#[test]
fn vendored_files_are_those_of_the_manifest() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/vendor");
    let manifest = fs::read_to_string(format!("{folder}/README.md")).unwrap();
    let mut checked = 0;
    for row in manifest.lines().filter(|line| line.starts_with("| `")) {
        let fields: Vec<&str> = row.split('|').map(|f| f.trim().trim_matches('`')).collect();
        let (file, expected) = (fields[1], fields[5]);
        let sum = Command::new("sha256sum")
            .arg(format!("{folder}/{file}"))
            .stderr(Stdio::inherit())
            .output()
            .unwrap();
        let sum = String::from_utf8(sum.stdout).unwrap();
        assert!(sum.starts_with(expected), "{file}: {sum}");
        checked += 1;
    }
    assert_eq!(checked, 3);
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
        assert!(std::env::var("CI").as_deref() != Ok("true"), "{missing}");
        eprintln!("SKIPPED: the report in a browser: {missing}");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("report.html");
    fs::write(&page, render(&sample::summary()).unwrap()).unwrap();
    let tests = Command::new("node")
        .args(["--test", "--test-reporter=tap", "report.test.js"])
        .current_dir(TOOLS)
        .env("REPORT", &page)
        .env("CHROMIUM", chromium.unwrap())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&tests.stdout);
    assert!(tests.status.success(), "{said}");
    let passed = said.lines().find_map(|line| line.strip_prefix("# pass "));
    assert!(passed.is_some_and(|n| n != "0"), "{said}");
}

/// The folder for the browser's driver, outside the sources.
const TOOLS: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/browser");

/// Installs Playwright and the tests in [`TOOLS`]. If that is not possible, returns the reason.
fn playwright() -> Result<(), String> {
    let node = Command::new("node").arg("--version").output();
    let node = node.map_err(|_| "no node on PATH".to_owned())?;
    let version = String::from_utf8_lossy(&node.stdout);
    let major = version.trim_start_matches('v').split('.').next();
    if major.and_then(|n| n.parse().ok()) < Some(20) {
        return Err(format!("Playwright needs Node 20, not {}", version.trim()));
    }
    let from = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/browser");
    let lock = fs::read(format!("{from}/package-lock.json")).unwrap();
    let installed = fs::read(format!("{TOOLS}/node_modules/installed"));
    fs::create_dir_all(TOOLS).unwrap();
    for file in [
        "package.json",
        "package-lock.json",
        "report.test.js",
        "contrast.js",
    ] {
        fs::copy(format!("{from}/{file}"), format!("{TOOLS}/{file}")).unwrap();
    }
    if installed.is_ok_and(|installed| installed == lock) {
        return Ok(());
    }
    let npm = Command::new("npm")
        .args(["ci", "--no-audit", "--no-fund", "--loglevel=error"])
        .current_dir(TOOLS)
        .output();
    let npm = npm.map_err(|_| "no npm on PATH".to_owned())?;
    if !npm.status.success() {
        let why = String::from_utf8_lossy(&npm.stderr);
        return Err(format!("npm cannot install Playwright: {why}"));
    }
    fs::write(format!("{TOOLS}/node_modules/installed"), lock).unwrap();
    Ok(())
}

/// Returns the path of a program with this name on `PATH`.
fn program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|folder| folder.join(name))
        .find(|program| program.is_file())
}
