//! What the tests, the fuzz targets and the lab need beyond the public interface. None of
//! it is covered by any promise of stability.

#[cfg(feature = "limit")]
pub use crate::cpu::{Limit, limit};

/// The kernels of GHASH and POLYVAL.
pub mod ghash {
    pub use crate::ghash::kernels::Kernel;
}

/// A mode of authenticated encryption with lengths of nonces and tags chosen by each call.
pub use crate::aead::Engine as AeadEngine;
