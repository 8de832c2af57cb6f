//! Computes the hashes of the report's script and style for the page's content security
//! policy, so that the command itself needs no hash function, and notes the compiler.

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
    // The libraries that are linked into workers depend on the compiler.
    let compiler = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let version = std::process::Command::new(compiler)
        .arg("--version")
        .output();
    let version = version.map(|out| String::from_utf8_lossy(&out.stdout).trim().to_owned());
    println!(
        "cargo::rustc-env=TOUCHSTONE_COMPILER={}",
        version.unwrap_or_default()
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
