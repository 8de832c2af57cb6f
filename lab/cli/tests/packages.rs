//! Tests that the packages which manifests name exist: `packages.toml` has the names of packages
//! in releases of distributions.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde::Deserialize;

#[derive(Deserialize)]
struct Known {
    release: BTreeMap<String, Release>,
    elsewhere: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct Release {
    manager: String,
    names: Vec<String>,
    lacks: BTreeSet<String>,
}

fn known() -> Known {
    toml::from_str(include_str!("packages.toml")).unwrap()
}

/// Runs a command of the shell in which the functions of `tools/packages.sh` are defined; returns
/// its output and its errors.
fn shell(command: &str, arguments: &[&str]) -> [String; 2] {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let output = Command::new("sh")
        .arg("-euc")
        .arg(format!(". tools/packages.sh\n{command}"))
        .arg("sh")
        .args(arguments)
        .current_dir(top)
        .output()
        .unwrap();
    [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap())
}

/// Returns what manifests ask for, one line of alternatives each.
fn needed(manager: &str) -> Vec<String> {
    let [lines, errors] = shell("needed \"$1\" packages", &[manager]);
    assert_eq!(errors, "");
    lines.lines().map(str::to_owned).collect()
}

/// Returns which of these lines no package in the list answers.
fn missing<'a>(
    lines: impl IntoIterator<Item = &'a str>,
    names: impl IntoIterator<Item = &'a str>,
) -> BTreeSet<String> {
    let text = |lines: Vec<&str>| lines.join("\n") + "\n";
    let folder = tempfile::tempdir().unwrap();
    let [asked, there] = ["asked", "there"].map(|name| folder.path().join(name));
    std::fs::write(&asked, text(lines.into_iter().collect())).unwrap();
    std::fs::write(&there, text(names.into_iter().collect())).unwrap();
    let files = [&asked, &there].map(|path| path.to_str().unwrap());
    let [_, errors] = shell("choose \"$2\" <\"$1\"", &files);
    let lines = errors.lines().map(|line| {
        let line = line.strip_prefix("no package: ");
        line.unwrap_or_else(|| panic!("{errors}")).to_owned()
    });
    lines.collect()
}

#[test]
fn every_release_has_the_packages() {
    for (name, release) in known().release {
        let needed = needed(&release.manager);
        let needed = needed.iter().map(String::as_str);
        let missing = missing(needed, release.names.iter().map(String::as_str));
        assert_eq!(missing, release.lacks, "{name}");
    }
}

#[test]
fn every_alternative_is_the_name_of_a_package() {
    let known = known();
    for manager in ["apt", "dnf"] {
        let releases = known.release.values();
        let releases = releases.filter(|release| release.manager == manager);
        let names = releases.flat_map(|release| &release.names);
        let names = names.chain(known.elsewhere.keys()).map(String::as_str);
        let needed = needed(manager);
        let alternatives = needed.iter().flat_map(|line| line.split(" | "));
        assert_eq!(missing(alternatives, names), BTreeSet::new(), "{manager}");
    }
}
