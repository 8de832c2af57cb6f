//! The traits of the RustCrypto project, so that its users swap an import.
