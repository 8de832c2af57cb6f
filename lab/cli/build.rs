//! Computes the hashes of the report's script and style for the page's content security
//! policy, so that the command itself needs no hash function.

use std::fs;

use anyhow::Context as _;
use base64ct::{Base64, Encoding as _};
use sha2::{Digest as _, Sha256};

fn main() -> anyhow::Result<()> {
    let script = source("report.js")?;
    let style = source("report.css")?;
    println!(
        "cargo::rustc-env=REPORT_POLICY=default-src 'none'; script-src {script}; \
         style-src {style}; img-src data: blob:"
    );
    Ok(())
}

/// Returns an asset as a source in a content security policy (CSP Level 3, W3C, §2.3.1).
fn source(name: &str) -> anyhow::Result<String> {
    let path = format!("assets/{name}");
    println!("cargo::rerun-if-changed={path}");
    let text = fs::read(&path).context(path)?;
    Ok(format!(
        "'sha256-{}'",
        Base64::encode_string(&Sha256::digest(text))
    ))
}
