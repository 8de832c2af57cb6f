//! Items for the tests, the fuzz targets and the lab, which are not part of the public
//! interface. These items may change in any release.

#[cfg(feature = "limit")]
pub use crate::cpu::{Limit, limit};

#[cfg(feature = "limit")]
pub use crate::wipe::keep_stack;

/// The kernels of GHASH and POLYVAL, the hash functions of GCM and GCM-SIV.
pub mod ghash {
    pub use crate::ghash::kernels::Kernel;
}

/// The trait of authenticated encryption in which each call chooses the lengths of nonces and
/// tags.
pub use crate::aead::Engine as AeadEngine;
