//! Checks the order of modules: each layer of the library uses only lower layers, and the
//! files of a crate do not use one another in a cycle.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context, bail, ensure};

use super::modules::{Crate, Module};

/// The layers of `crates/touchstone/src`, the lowest first. A file may use files of lower
/// layers; it may use files of its own layer if that makes no cycle. The table in
/// docs/architecture.md has the same rows.
const LAYERS: &[&[&str]] = &[
    &[
        "error",
        "key_length",
        "buffer",
        "byte_array",
        "constant_time",
        "debug",
        "roots",
    ],
    &["cpu", "wipe"],
    &["simd"],
    &["kernel", "keyed"],
    &["cipher", "digest", "padding", "held_block"],
    &["ghash"],
    &["fuse"],
    &["machinery"],
    &["block"],
    &["hash"],
    &["stream"],
    &["mode"],
    &["mac"],
    &["aead"],
    &["kdf", "random", "checksum"],
    &["dynamic", "rustcrypto", "hidden", "prelude"],
];

/// Checks every crate under `crates/` and `lab/`, and the library's layers.
pub(super) fn check(root: &Path) -> anyhow::Result<()> {
    let mut wrong = Vec::new();
    for folder in crates(root)? {
        let path = root.join(&folder).join("src");
        let source = Crate::read(&path).with_context(|| folder.clone())?;
        let arrows = source.arrows();
        let mut results = vec![no_cycle(&arrows)];
        if folder == "crates/touchstone" {
            let names: BTreeSet<&str> = source
                .files()
                .filter_map(|file| file.first().map(String::as_str))
                .collect();
            let page = std::fs::read_to_string(root.join("docs/architecture.md"))?;
            results.push(downward(&arrows, &names, LAYERS));
            results.push(tabled(&page, &names, LAYERS));
        }
        let errors = results.into_iter().filter_map(Result::err);
        wrong.extend(errors.map(|error| format!("{folder}: {error}")));
    }
    ensure!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}

/// Returns the folders under `crates/` and `lab/` that have a Cargo.toml and a `src`.
fn crates(root: &Path) -> anyhow::Result<Vec<String>> {
    let mut found = Vec::new();
    for above in ["crates", "lab", "lab/adapters"] {
        for entry in std::fs::read_dir(root.join(above))? {
            let path = entry?.path();
            if path.join("Cargo.toml").is_file() && path.join("src").is_dir() {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                found.push(format!("{above}/{name}"));
            }
        }
    }
    found.sort();
    Ok(found)
}

fn shown(module: &Module) -> String {
    match module.as_slice() {
        [] => "the crate's root".to_owned(),
        names => format!("{}.rs", names.join("/")),
    }
}

/// Fails if an arrow goes to a higher layer, or a file belongs to no layer.
fn downward(
    arrows: &BTreeSet<(Module, Module)>,
    names: &BTreeSet<&str>,
    layers: &[&[&str]],
) -> anyhow::Result<()> {
    let layer = |name: &str| layers.iter().position(|layer| layer.contains(&name));
    for name in names {
        ensure!(
            layer(name).is_some(),
            "crates/touchstone/src/{name} is in no layer: see LAYERS in xtask/src/check/order.rs"
        );
    }
    let mut wrong = Vec::new();
    for (from, to) in arrows {
        // The crate's root only lists modules and re-exports items, so it may use every
        // layer.
        let Some(first) = from.first() else { continue };
        let Some(other) = to.first() else {
            wrong.push(format!("{} uses an item of lib.rs", shown(from)));
            continue;
        };
        if layer(other) > layer(first) {
            wrong.push(format!("{} uses {}", shown(from), shown(to)));
        }
    }
    if !wrong.is_empty() {
        bail!(
            "imports that go up (the order of layers is in docs/architecture.md):\n  {}",
            wrong.join("\n  ")
        );
    }
    Ok(())
}

/// Fails if files use one another in a cycle. A file may use items of the modules that
/// contain it: the file of an algorithm holds the constants that its kernels share, and
/// selects the kernel.
fn no_cycle(arrows: &BTreeSet<(Module, Module)>) -> anyhow::Result<()> {
    let mut next: BTreeMap<&Module, Vec<&Module>> = BTreeMap::new();
    for (from, to) in arrows {
        if !from.starts_with(to) && !from.is_empty() {
            next.entry(from).or_default().push(to);
        }
    }
    // Searches depth first. A module that occurs again on the current path closes a
    // cycle.
    let mut finished = BTreeSet::new();
    for start in next.keys() {
        let mut way: Vec<(&Module, usize)> = vec![(start, 0)];
        while let Some((file, at)) = way.last_mut() {
            let onward = next.get(*file).and_then(|files| files.get(*at)).copied();
            *at += 1;
            let Some(onward) = onward else {
                finished.insert(*file);
                way.pop();
                continue;
            };
            if let Some(first) = way.iter().position(|(file, _)| *file == onward) {
                let cycle: Vec<String> = way[first..].iter().map(|(file, _)| shown(file)).collect();
                bail!("a cycle of files: {} → {}", cycle.join(" → "), cycle[0]);
            }
            if !finished.contains(onward) {
                way.push((onward, 0));
            }
        }
    }
    Ok(())
}

/// Fails if the table of layers in the documentation differs from the layers or their
/// order.
fn tabled(page: &str, names: &BTreeSet<&str>, layers: &[&[&str]]) -> anyhow::Result<()> {
    let wanted: Vec<BTreeSet<&str>> = layers
        .iter()
        .map(|layer| {
            layer
                .iter()
                .copied()
                .filter(|name| names.contains(name))
                .collect()
        })
        .filter(|layer: &BTreeSet<&str>| !layer.is_empty())
        .collect();
    let rows: Vec<BTreeSet<&str>> = page
        .lines()
        .skip_while(|line| !line.starts_with("| layer |"))
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .map(|line| {
            let cell = line.split('|').nth(1).unwrap_or_default();
            cell.split('`').skip(1).step_by(2).collect()
        })
        .collect();
    for layer in &wanted {
        ensure!(
            rows.contains(layer),
            "docs/architecture.md's table of layers has no row {layer:?}"
        );
    }
    ensure!(
        rows == wanted,
        "docs/architecture.md's table of layers is not in the order of LAYERS, or has more rows"
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &[&[&str]] = &[&["low", "other"], &["high"]];

    fn module(path: &str) -> Module {
        path.split("::").map(str::to_owned).collect()
    }

    fn arrows(files: &[(&str, &str)]) -> BTreeSet<(Module, Module)> {
        let mut source = Crate::default();
        for (path, text) in files {
            let path = if path.is_empty() {
                Vec::new()
            } else {
                module(path)
            };
            source.add(path, text).expect("Rust");
        }
        source.arrows()
    }

    fn fails(files: &[(&str, &str)]) -> Option<String> {
        let arrows = arrows(files);
        let names = files.iter().filter_map(|(path, _)| path.split("::").next());
        let names = names.filter(|name| !name.is_empty()).collect();
        let result = downward(&arrows, &names, TWO).and_then(|()| no_cycle(&arrows));
        result.err().map(|error| error.to_string())
    }

    #[track_caller]
    fn upward(low: &str) {
        let root = (
            "",
            "mod low; mod high; pub use high::Thing; pub use other_crate::Item;",
        );
        let high = (
            "high",
            "pub struct Thing; pub mod inside { pub struct Deep; }",
        );
        let error = fails(&[root, ("low", low), high]).expect("an import that goes up");
        assert!(error.contains("low.rs uses high.rs"), "{error}");
    }

    #[test]
    fn an_import_that_goes_up_is_found_however_it_is_written() {
        upward("use crate::high::Thing;");
        upward("use crate::{low::X, high as above};");
        upward("use crate::Thing;");
        upward("use super::high::*;");
        upward("fn f() { crate::high::f() }");
        upward("fn f() { use crate::high::Thing; }");
        upward("struct S(Vec<crate::high::Thing>);");
        upward("mod inside { use super::super::high::Thing; }");
        upward("use crate::high::inside::Deep;");
        upward("a!(1, |x| crate::high::f(x));");
        upward("fn f() { a! { use crate::{low, high::Thing}; } }");
        upward("macro_rules! m { () => { $crate::high::Thing } }");
        upward("macro_rules! m { () => { use $crate::{low, high::{f, g}}; } }");
        upward("#[cfg(test)] mod tests { use crate::high::Thing; }");
    }

    #[test]
    fn downward_imports_and_other_crates_are_right() {
        let files = [
            (
                "",
                "mod low; mod high; pub use low::Thing; pub use other_crate::Item;",
            ),
            (
                "low",
                "use crate::Item; pub struct Thing; macro_rules! m { () => { super::high } }",
            ),
            ("high", "use crate::Thing; mod inside; use inside::X;"),
            ("high::inside", "use super::Shared; use crate::low;"),
        ];
        assert_eq!(fails(&files), None);
    }

    #[test]
    fn a_cycle_is_found() {
        let error = fails(&[
            ("high", "mod a; mod b; mod c;"),
            ("high::a", "use super::b::X;"),
            ("high::b", "use crate::high::c::Y;"),
            ("high::c", "fn f() { super::a::f() }"),
            ("low", ""),
        ]);
        let error = error.expect("a cycle");
        assert!(
            error.contains("high/a.rs → high/b.rs → high/c.rs → high/a.rs"),
            "{error}"
        );
        assert!(
            fails(&[
                ("low", "use crate::other::X;"),
                ("other", "use crate::low::Y;")
            ])
            .is_some()
        );
    }

    #[test]
    fn a_cycle_by_way_of_the_parents_imports_is_found() {
        let error = fails(&[
            ("high", "mod a; mod b; use a::x; use b::y;"),
            ("high::a", "use super::y;"),
            ("high::b", "use super::x;"),
        ]);
        assert!(error.is_some_and(|error| error.contains("cycle")));
    }

    #[test]
    fn a_file_without_a_layer_is_found() {
        let error = fails(&[("misc", "")]).expect("no layer");
        assert!(error.contains("src/misc is in no layer"), "{error}");
        let error = fails(&[("", "pub struct X;"), ("low", "use crate::X;")]);
        assert!(error.is_some_and(|error| error.contains("an item of lib.rs")));
    }

    #[test]
    fn the_page_has_a_row_for_each_layer() {
        let names = BTreeSet::from(["low", "high"]);
        let page = |rows: &str| format!("text\n\n| layer | holds |\n|---|---|\n{rows}\nmore\n");
        let right = page("| `low` | x |\n| `high` | y |");
        assert!(tabled(&right, &names, TWO).is_ok());
        for wrong in [
            page("| `low` | x |"),
            page("| `high` | y |\n| `low` | x |"),
            page("| `low` | x |\n| `high` | y |\n| `gone` | z |"),
            "no table".to_owned(),
        ] {
            assert!(tabled(&wrong, &names, TWO).is_err(), "{wrong}");
        }
    }
}
