//! The HTML report: what is in the page, and what a browser makes of it.

#[path = "browser/chromium.rs"]
mod chromium;
#[path = "browser/sample.rs"]
mod sample;

use std::fs;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use touchstone_lab::report::render;

use chromium::Browser;

#[test]
fn the_page_is_one_file_within_its_size() {
    let page = render(&sample::summary()).unwrap();
    // For whoever works on the page's looks.
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
    assert_eq!(page.matches("</script").count(), 4);
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
    summary.ranking = touchstone_lab::rank::Ranking::default();
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
    assert_eq!(checked, 2);
}

#[test]
fn the_page_works_in_a_browser() {
    let Some(program) = chromium::find() else {
        assert!(
            std::env::var_os("CI").is_none_or(|ci| ci != "true"),
            "no chromium, chromium-browser or google-chrome on PATH"
        );
        eprintln!("SKIPPED: no chromium, chromium-browser or google-chrome on PATH");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("report.html");
    fs::write(&page, render(&sample::summary()).unwrap()).unwrap();
    let mut browser = Browser::start(&program);
    let contrast = include_str!("browser/contrast.js");

    // Wide and light: charts appear as they come into view, and all on demand.
    browser.open(&page, 1280, "light");
    browser.until("document.querySelectorAll('#overall .chart svg').length === 1");
    let early = browser.value("document.querySelectorAll('.chart svg').length");
    let panels = browser.value("touchstone.panels.length");
    assert!(panels.as_u64() > Some(60), "{panels} charts");
    assert!(
        early.as_u64() < panels.as_u64(),
        "all {early} drawn at once"
    );
    browser.value("touchstone.drawAll()");
    browser.until(
        "touchstone.panels.filter((p) => !p.node.hidden).every((p) => p.chart.querySelector('svg path'))",
    );
    assert_eq!(
        browser.value("[...document.querySelectorAll('.chart svg')].filter((s) => /NaN|undefined|Infinity/.test(s.outerHTML)).map((s) => s.closest('.panel').textContent.slice(0, 60))"),
        json!([])
    );
    for text in [
        "= tie",
        "higher is better",
        "lower is better",
        "broken",
        "not here",
    ] {
        let there = format!("document.body.textContent.includes({})", json!(text));
        assert_eq!(browser.value(&there), json!(true), "{text}");
    }
    agree(&mut browser, contrast);

    // Hover tells, a click drills down from the rank to the samples.
    browser.value("document.querySelector('#hashes .panel').scrollIntoView({ block: 'center', behavior: 'instant' })");
    let row = "(() => { const r = [...document.querySelectorAll('#hashes .panel')].find((p) => p.textContent.includes('SHA-256')).querySelector('.chart'); r.scrollIntoView({ block: 'center', behavior: 'instant' }); const b = r.getBoundingClientRect(); return [b.left + 40, b.top + 15]; })()";
    browser.click(row);
    browser.until("document.getElementById('dialog').open");
    let dialog = browser.value("document.getElementById('dialog').innerText");
    let dialog = dialog.as_str().unwrap();
    for text in [
        "SHA-256",
        "hot",
        "rounds",
        "95 % interval",
        "API",
        "kernel",
        "first calls",
        "sources",
        "Raw samples",
    ] {
        assert!(dialog.contains(text), "{text} in {dialog}");
    }
    assert_eq!(
        browser.value("document.querySelectorAll('#dialog-chart svg').length"),
        json!(1)
    );
    agree(&mut browser, contrast);
    browser.key("Escape", 27);
    browser.until("!document.getElementById('dialog').open");
    browser.value("document.querySelector('#hashes .panel').scrollIntoView({ block: 'center', behavior: 'instant' })");
    let place = browser.value(row);
    let tip = "!document.getElementById('tip').hidden && document.getElementById('tip').textContent.includes('contract')";
    let mut moves = 0;
    while browser.value(tip) != json!(true) {
        moves += 1;
        assert!(moves < 100, "hovering shows nothing");
        std::thread::sleep(std::time::Duration::from_millis(30));
        let x = place[0].as_f64().unwrap() + f64::from(moves % 7);
        browser.call(
            "Input.dispatchMouseEvent",
            json!({ "type": "mouseMoved", "x": x, "y": place[1] }),
        );
    }

    // The keyboard goes the same way: rank, algorithm, cell, and back.
    browser.value("document.querySelector('#rank [data-alg]').focus()");
    browser.key("Enter", 13);
    browser.until("document.getElementById('dialog').open");
    browser.until("document.activeElement.closest('dialog') !== null");
    browser.value("document.querySelector('#dialog-body [data-act]').focus()");
    browser.key("Enter", 13);
    browser.until("document.getElementById('dialog-body').textContent.includes('Raw samples')");
    browser.key("Escape", 27);
    browser.until("!document.getElementById('dialog').open && document.activeElement.matches('#rank [data-alg]')");
    browser.value("document.querySelector('#hashes details.values').open = true");
    browser.until("document.querySelectorAll('#hashes details.values [data-act]').length > 0");

    // Filter, unit, size and libraries reach every chart.
    browser.value("(() => { const f = document.getElementById('filter'); f.value = '^aes-(128|256) gcm'; f.dispatchEvent(new Event('input')); })()");
    browser.until("document.getElementById('matches').textContent.includes(' of ')");
    let left = browser
        .value("touchstone.panels.filter((p) => !p.node.hidden && !p.keep).map((p) => p.label)");
    let left: Vec<&str> = left
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .collect();
    assert!(
        left.iter().any(|label| label.contains("AES-256 GCM")),
        "{left:?}"
    );
    assert!(!left.iter().any(|label| label.contains("SHA")), "{left:?}");
    browser.value("(() => { const f = document.getElementById('filter'); f.value = '('; f.dispatchEvent(new Event('input')); })()");
    browser.until("document.getElementById('filter').getAttribute('aria-invalid') === 'true'");
    browser.value("(() => { const f = document.getElementById('filter'); f.value = ''; f.dispatchEvent(new Event('input')); })()");
    browser.until("touchstone.panels.every((p) => !p.node.hidden)");
    browser.value("(() => { for (const [id, v] of [['unit', 'cpb'], ['size', '16']]) { const s = document.getElementById(id); s.value = v; s.dispatchEvent(new Event('change')); } touchstone.drawAll(); })()");
    assert_eq!(
        browser.value("document.querySelector('#hashes .unit').textContent"),
        json!("cycles/B at 16\u{a0}B, lower is better")
    );
    browser.value("(() => { const i = document.querySelector('#toggles input[value=openssl]'); i.click(); touchstone.drawAll(); })()");
    assert_eq!(
        browser.value("[...document.querySelectorAll('#sections svg text')].some((t) => t.textContent === 'OpenSSL')"),
        json!(false)
    );

    // Dark, by the system and by hand.
    browser.open(&page, 1280, "dark");
    let background = "getComputedStyle(document.body).backgroundColor";
    let dark = browser.value(background);
    browser.value("touchstone.drawAll()");
    agree(&mut browser, contrast);
    browser.value("document.getElementById('theme').click()");
    assert_ne!(browser.value(background), dark);
    browser.scheme("light");
    browser.value("document.getElementById('theme').click()");
    assert_eq!(browser.value(background), dark);
    browser.value("document.getElementById('theme').click()");
    assert_ne!(browser.value(background), dark);

    // A phone: nothing is wider than the page, in the dialog neither.
    browser.open(&page, 360, "light");
    browser.value("touchstone.drawAll()");
    for step in [
        "0",
        "document.querySelector('#rank [data-lib-cell]').click()",
    ] {
        browser.value(step);
        let width = "[document.documentElement, document.getElementById('dialog')].every((e) => e.scrollWidth <= Math.max(e.clientWidth, 0))";
        assert_eq!(browser.value(width), json!(true), "after {step}");
        assert_eq!(
            browser.value("document.documentElement.scrollWidth"),
            json!(360)
        );
    }

    // Paper: everything is drawn before it is printed.
    browser.open(&page, 1280, "dark");
    let pdf = browser.call("Page.printToPDF", json!({ "printBackground": true }));
    assert!(pdf["data"].as_str().unwrap().len() > 100_000);
    browser.value("dispatchEvent(new Event('beforeprint'))");
    assert_eq!(
        browser.value("touchstone.panels.every((p) => p.chart.querySelector('svg'))"),
        json!(true)
    );

    assert!(browser.complaints.is_empty(), "{:#?}", browser.complaints);
}

/// No text is paler than WCAG AA allows.
fn agree(browser: &mut Browser, contrast: &str) {
    let found = browser.value(contrast);
    assert_eq!(found["low"], json!([]));
    assert!(
        found["texts"].as_u64() > Some(200) && found["marks"].as_u64() > Some(5),
        "{found}"
    );
}
