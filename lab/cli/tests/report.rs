//! The HTML report: what is in the page, and what a browser makes of it.

#[path = "browser/sample.rs"]
mod sample;

use touchstone_lab::report::render;

#[test]
fn the_page_is_one_file_within_its_size() {
    let page = render(&sample::summary()).unwrap();
    if let Some(path) = std::env::var_os("TOUCHSTONE_REPORT_OUT") {
        std::fs::write(path, &page).unwrap();
    }
    assert!(page.len() < 6_000_000, "{} bytes", page.len());
    assert!(!page.contains("<script>alert(1)"));
}
