//! What an `openssl enc` file does not record: cipher, key derivation, salt.

/// How `openssl enc` makes key and IV from a passphrase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Derivation {
    /// `EVP_BytesToKey` with one iteration, the only choice before OpenSSL 1.1.1 and the default
    /// since. The digest is `md5` by default up to OpenSSL 1.0.2, `sha256` since 1.1.0.
    BytesToKey {
        /// The digest by OpenSSL's name (`-md`).
        digest: String,
    },
    /// `-pbkdf2`, since OpenSSL 1.1.1.
    Pbkdf2 {
        /// The digest by OpenSSL's name (`-md`); `sha256` by default.
        digest: String,
        /// Iterations (`-iter`); 10000 by default.
        iterations: u32,
    },
}

/// The salt of an `openssl enc` file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Salt {
    /// The file begins with `Salted__` and 8 bytes of salt, the default.
    #[default]
    InFile,
    /// The file begins with `Salted__` and a salt of so many bytes (`-saltlen`, since OpenSSL
    /// 3.2).
    InFileOf(usize),
    /// The file has neither header nor salt (`-nosalt`).
    None,
    /// The file has no header, and the salt is known (`-S`, since OpenSSL 3.0).
    Known(Vec<u8>),
}

/// The parameters with which a file was made.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Parameters {
    /// The cipher by OpenSSL's name, such as `aes-256-cbc`; `None` tries the usual ones.
    pub cipher: Option<String>,
    /// The key derivation; `None` tries the usual ones.
    pub derivation: Option<Derivation>,
    /// Where the salt is.
    pub salt: Salt,
    /// Whether the data has no padding (`-nopad`).
    pub no_padding: bool,
    /// Whether the file is base64 (`-a`). Files with `Salted__` tell it themselves.
    pub base64: bool,
}
