//! Prepares the report's scripts and their hashes, so that the command itself needs no
//! hash function.

use std::path::Path;
use std::{env, fs};

use anyhow::Context as _;
use base64ct::{Base64, Encoding as _};
use sha2::{Digest as _, Sha256};

/// The scripts in their order in the page.
const SCRIPTS: [&str; 4] = [
    "vendor/vega.min.js",
    "vendor/vega-lite.min.js",
    "vendor/vega-interpreter.js",
    "report.js",
];

fn main() -> anyhow::Result<()> {
    let folder = env::var("OUT_DIR").context("OUT_DIR")?;
    let mut sources = String::new();
    for path in SCRIPTS {
        let script = without_source_map(&asset(path)?).to_owned();
        let script = match path {
            "vendor/vega-interpreter.js" => plain_script(script)?,
            _ => script,
        };
        sources += &source(&script);
        let name = Path::new(path).file_name().context("a script's name")?;
        fs::write(Path::new(&folder).join(name), script)?;
    }
    let style = source(&asset("report.css")?);
    println!(
        "cargo::rustc-env=REPORT_POLICY=default-src 'none'; script-src{sources}; \
         style-src{style}; img-src data:"
    );
    Ok(())
}

fn asset(path: &str) -> anyhow::Result<String> {
    let path = format!("assets/{path}");
    println!("cargo::rerun-if-changed={path}");
    fs::read_to_string(&path).context(path)
}

/// Returns a text as a source in a content security policy (CSP Level 3, W3C, §2.3.1).
fn source(text: &str) -> String {
    format!(" 'sha256-{}'", Base64::encode_string(&Sha256::digest(text)))
}

/// Returns a script without the reference at its end to a source map, which a debugger would
/// try to fetch.
fn without_source_map(script: &str) -> &str {
    script
        .rsplit_once("//# sourceMappingURL=")
        .map_or(script, |(script, _)| script)
}

/// Returns the module `vega-interpreter` as a plain script, which defines an object
/// `interpreter`.
fn plain_script(mut script: String) -> anyhow::Result<String> {
    for (from, to) in [
        ("import {", "const interpreter = (() => { const {"),
        ("from 'vega-util';", "= vega;"),
        (
            "export { expression as expressionInterpreter };",
            "return { expressionInterpreter: expression }; })();",
        ),
    ] {
        anyhow::ensure!(
            script.matches(from).count() == 1,
            "the module vega-interpreter has not one `{from}`"
        );
        script = script.replace(from, to);
    }
    Ok(script)
}
