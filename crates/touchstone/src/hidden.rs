//! Items beyond the public interface for the tests, the fuzz targets and the lab. They
//! may change in any release.

#[cfg(feature = "limit")]
pub use crate::cpu::{Limit, limit};

#[cfg(feature = "limit")]
pub use crate::wipe::keep_stack;

/// The kernels of GHASH and POLYVAL.
pub mod ghash {
    pub use crate::ghash::kernels::Kernel;
}

/// Authenticated encryption in which each call chooses the lengths of nonces and tags.
pub use crate::aead::Engine as AeadEngine;
