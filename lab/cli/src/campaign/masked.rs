//! A machine that measures as if it lacked some instructions: every library with a switch for
//! this mask is started with the switch, under its plain name; libraries without the switch are
//! left out, because they would use the instructions all the same.

use std::collections::BTreeMap;

use anyhow::{bail, ensure};

use crate::adapters::{Candidate, adapter};

/// What a mask means for a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Masked {
    /// The switches of all libraries with the mask, as environment variables.
    pub environment: BTreeMap<String, String>,
    /// The libraries with the mask among the chosen ones, as `--library` takes them.
    pub libraries: Vec<String>,
}

/// Returns the environment and the libraries of a machine with a mask. `chosen` are the libraries
/// that the campaign asks for, or none for all of them.
///
/// # Errors
///
/// If no chosen library has the mask, or two libraries need different values of a variable.
pub fn with_mask(mask: &str, manifests: &[Candidate], chosen: &[String]) -> anyhow::Result<Masked> {
    let mut masked = Masked::default();
    let mut known = Vec::new();
    for candidate in manifests {
        known.extend(candidate.manifest.masks.keys().map(String::as_str));
        let Some(switches) = candidate.manifest.masks.get(mask) else {
            continue;
        };
        let of = |wish: &&String| {
            let name = wish.split('=').next().unwrap_or(wish);
            adapter(name).eq_ignore_ascii_case(&candidate.adapter)
        };
        let wishes: Vec<String> = match chosen {
            [] => vec![candidate.adapter.clone()],
            chosen => chosen.iter().filter(of).cloned().collect(),
        };
        if wishes.is_empty() {
            continue;
        }
        masked.libraries.extend(wishes);
        for (name, value) in switches {
            let other = masked.environment.insert(name.clone(), value.clone());
            ensure!(
                other.as_ref().is_none_or(|other| other == value),
                "mask {mask}: two libraries need different values of {name}; measure them in \
                 different sets of libraries"
            );
        }
    }
    if masked.libraries.is_empty() {
        known.sort_unstable();
        known.dedup();
        bail!(
            "none of the libraries has the mask {mask:?}; there are {}",
            known.join(", ")
        );
    }
    Ok(masked)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::adapters::Manifest;

    fn candidate(name: &str, masks: &str) -> Candidate {
        let manifest = format!("name = \"{name}\"\ncommand = [\"x\"]\n{masks}");
        Candidate {
            id: name.into(),
            adapter: name.into(),
            path: String::new(),
            manifest: Manifest::parse(&manifest).unwrap(),
            folder: PathBuf::new(),
            mask: String::new(),
            everywhere: true,
            root: None,
        }
    }

    #[test]
    fn libraries_without_the_switch_are_left_out() {
        let all = [
            candidate("a", "[masks.portable]\nA = \"1\"\n"),
            candidate("b", ""),
            candidate(
                "c",
                "[masks.portable]\nC = \"2\"\n[masks.other]\nC = \"3\"\n",
            ),
        ];
        let masked = with_mask("portable", &all, &[]).unwrap();
        assert_eq!(masked.libraries, ["a", "c"]);
        assert_eq!(masked.environment.len(), 2);
        let chosen = ["c=/x.so".to_owned(), "b".to_owned(), "c@sid".to_owned()];
        let masked = with_mask("portable", &all, &chosen).unwrap();
        assert_eq!(masked.libraries, ["c=/x.so", "c@sid"]);
        assert_eq!(masked.environment["C"], "2");
        let error = with_mask("none", &all, &[]).unwrap_err().to_string();
        assert!(error.contains("other, portable"), "{error}");
        let clash = [
            all[0].clone(),
            candidate("d", "[masks.portable]\nA = \"9\"\n"),
        ];
        assert!(with_mask("portable", &clash, &[]).is_err());
    }
}
