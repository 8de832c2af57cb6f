//! Names of algorithms, their lengths and kernels.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use touchstone::KeyLengths;
use touchstone::dynamic::{self, Aead, Cipher, Hash, KeyWrap, Mac, NonceMac, Pieces, derivations};

use crate::error::{Failure, UnknownAlgorithm};

/// A kind of algorithm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Family {
    Cipher,
    Aead,
    Hash,
    Mac,
    Wrap,
    Kdf,
}

const FAMILIES: [Family; 6] = [
    Family::Cipher,
    Family::Aead,
    Family::Hash,
    Family::Mac,
    Family::Wrap,
    Family::Kdf,
];

impl Family {
    fn id(self) -> &'static str {
        match self {
            Self::Cipher => "cipher",
            Self::Aead => "aead",
            Self::Hash => "hash",
            Self::Mac => "mac",
            Self::Wrap => "wrap",
            Self::Kdf => "kdf",
        }
    }

    /// The function of the package for algorithms of this family.
    fn function(self) -> &'static str {
        match self {
            Self::Wrap => "key_wrap",
            Self::Kdf => "derive",
            _ => self.id(),
        }
    }

    fn names(self) -> Vec<String> {
        match self {
            Self::Cipher => Cipher::names().collect(),
            Self::Aead => Aead::names().collect(),
            Self::Hash => Hash::names().map(String::from).collect(),
            Self::Mac => Mac::names().chain(NonceMac::names()).collect(),
            Self::Wrap => KeyWrap::names().collect(),
            Self::Kdf => derivations().collect(),
        }
    }

    fn has(self, name: &str) -> bool {
        match self {
            Self::Cipher => Cipher::find(name).is_ok(),
            Self::Aead => Aead::find(name).is_ok(),
            Self::Hash => Hash::kernel(name).is_ok(),
            Self::Mac => Mac::find(name).is_ok() || NonceMac::find(name).is_ok(),
            Self::Wrap => KeyWrap::new(name).is_ok(),
            Self::Kdf => dynamic::Kdf::find(name).is_ok(),
        }
    }

    /// Finds the name of an algorithm in any spelling: `SHA256` is `sha-256`.
    pub(crate) fn find(self, name: &str) -> PyResult<String> {
        if self.has(name) {
            return Ok(name.into());
        }
        let spelled = plain(name);
        if let Some(found) = spellings().get(&(self, spelled.clone())) {
            return Ok(found.clone());
        }
        let id = self.id();
        let other = FAMILIES
            .into_iter()
            .find(|family| spellings().contains_key(&(*family, spelled.clone())));
        let advice = match other {
            Some(other) => format!("it is for touchstone.{}()", other.function()),
            None => {
                let near = nearest(self, &spelled);
                format!("{near}touchstone.names({id:?}) lists all")
            }
        };
        Err(UnknownAlgorithm::new_err(format!(
            "{name:?} is not the name of a {id}; {advice}"
        )))
    }
}

/// The letters and digits of a name.
fn plain(name: &str) -> String {
    let letters = name.chars().filter(|c| c.is_ascii_alphanumeric());
    letters.map(|c| c.to_ascii_lowercase()).collect()
}

/// The names of all algorithms by their letters and digits.
fn spellings() -> &'static BTreeMap<(Family, String), String> {
    static SPELLINGS: OnceLock<BTreeMap<(Family, String), String>> = OnceLock::new();
    SPELLINGS.get_or_init(|| {
        let all = FAMILIES.into_iter();
        all.flat_map(|family| {
            let names = family.names().into_iter();
            names.map(move |name| ((family, plain(&name)), name))
        })
        .collect()
    })
}

/// The most similar names, as the beginning of a sentence.
fn nearest(family: Family, spelled: &str) -> String {
    let mut near: Vec<(f64, &String)> = spellings()
        .iter()
        .filter(|((of, _), _)| *of == family)
        .map(|((_, plain), name)| (strsim::jaro_winkler(plain, spelled), name))
        .filter(|(similar, _)| *similar > 0.85)
        .collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    let names: Vec<String> = near
        .iter()
        .take(3)
        .map(|(_, name)| format!("{name:?}"))
        .collect();
    match names.as_slice() {
        [] => String::new(),
        names => format!("similar names are {}; ", names.join(", ")),
    }
}

/// Returns the names of all algorithms, or of one family: cipher, aead, hash, mac, wrap or kdf.
///
/// Raises UnknownAlgorithm for another family.
#[pyfunction]
#[pyo3(signature = (family=None))]
pub(crate) fn names(family: Option<&str>) -> PyResult<Vec<String>> {
    let Some(family) = family else {
        return Ok(FAMILIES.into_iter().flat_map(Family::names).collect());
    };
    let ids = FAMILIES.map(Family::id).join(", ");
    let found = FAMILIES.into_iter().find(|known| known.id() == family);
    found.map(Family::names).ok_or_else(|| {
        UnknownAlgorithm::new_err(format!("{family:?} is no family; the families are {ids}"))
    })
}

/// Minimum, maximum and step of lengths in bytes.
fn lengths(lengths: KeyLengths) -> (usize, usize, usize) {
    (lengths.min, lengths.max, lengths.step)
}

/// Returns what is known of an algorithm of any family.
#[pyfunction]
pub(crate) fn describe<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyDict>> {
    let spelled = plain(name);
    let known = FAMILIES.into_iter().find(|family| family.has(name));
    let spelled = FAMILIES
        .into_iter()
        .find(|family| spellings().contains_key(&(*family, spelled.clone())));
    let family = known.or(spelled).ok_or_else(|| {
        UnknownAlgorithm::new_err(format!(
            "{name:?} is not the name of an algorithm; touchstone.names() lists all"
        ))
    })?;
    let name = family.find(name)?;
    let wrong = Failure::of(&name);
    let facts = PyDict::new(py);
    facts.set_item("name", &name)?;
    facts.set_item("family", family.id())?;
    facts.set_item("kernel", dynamic::kernel(&name).map_err(&wrong)?)?;
    match family {
        Family::Cipher => {
            let algorithm = Cipher::find(&name).map_err(&wrong)?;
            facts.set_item("key_sizes", lengths(algorithm.key_lengths()))?;
            facts.set_item("nonce_sizes", lengths(algorithm.iv_lengths()))?;
            facts.set_item("block_size", algorithm.block())?;
            facts.set_item("piece_size", piece(algorithm.pieces()))?;
        }
        Family::Aead => {
            let algorithm = Aead::find(&name).map_err(&wrong)?;
            facts.set_item("key_sizes", lengths(algorithm.key_lengths()))?;
            facts.set_item("nonce_sizes", lengths(algorithm.nonce_lengths()))?;
            facts.set_item("tag_size", algorithm.longest_tag())?;
        }
        Family::Hash => {
            let hash = Hash::new(&name).map_err(&wrong)?;
            facts.set_item("digest_size", hash.output().unwrap_or(0))?;
            facts.set_item("block_size", hash.block())?;
        }
        Family::Mac => match Mac::find(&name) {
            Ok(algorithm) => {
                facts.set_item("key_sizes", lengths(algorithm.key_lengths()))?;
                facts.set_item("tag_size", algorithm.longest_tag())?;
            }
            Err(_) => {
                let algorithm = NonceMac::find(&name).map_err(&wrong)?;
                facts.set_item("key_sizes", lengths(algorithm.key_lengths()))?;
                facts.set_item("nonce_sizes", lengths(algorithm.nonce_lengths()))?;
                facts.set_item("tag_size", algorithm.longest_tag())?;
            }
        },
        Family::Wrap => {
            let wrap = KeyWrap::new(&name).map_err(&wrong)?;
            facts.set_item("key_sizes", lengths(wrap.key_lengths()))?;
        }
        Family::Kdf => {}
    }
    Ok(facts)
}

/// The multiple of bytes that a call takes; 0 for the whole message.
pub(crate) fn piece(pieces: Pieces) -> usize {
    match pieces {
        Pieces::Any => 1,
        Pieces::Blocks(block) => block,
        _ => 0,
    }
}
