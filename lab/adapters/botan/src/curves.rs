//! Botan's names of curves.

use std::ffi::CStr;

/// The curves of the C interface: the lab's names and Botan's.
const CURVES: &[(&str, &CStr)] = &[
    ("p192", c"secp192r1"),
    ("p224", c"secp224r1"),
    ("p256", c"secp256r1"),
    ("p384", c"secp384r1"),
    ("p521", c"secp521r1"),
    ("secp256k1", c"secp256k1"),
    ("brainpoolp256r1", c"brainpool256r1"),
    ("brainpoolp384r1", c"brainpool384r1"),
    ("brainpoolp512r1", c"brainpool512r1"),
];

/// Returns Botan's name of a curve.
pub(crate) fn curve(id: &str) -> Option<&'static CStr> {
    let (_, name) = CURVES.iter().find(|(known, _)| *known == id)?;
    Some(name)
}
