//! The hashing methods, and how a setting names its method.

/// A password hashing method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// yescrypt, `$y$`, which needs much memory. This method is the default.
    Yescrypt,
    /// yescrypt inside HMACs of Streebog, `$gy$`.
    GostYescrypt,
    /// scrypt, `$7$`, which needs much memory.
    Scrypt,
    /// bcrypt, `$2b$`. Uses the first 72 bytes of a phrase.
    BcryptB,
    /// bcrypt, `$2y$`, the same as `$2b$`.
    BcryptY,
    /// bcrypt, `$2a$`. The result differs from `$2b$` only for a phrase that has the same
    /// `$2x$` hash as another phrase.
    BcryptA,
    /// bcrypt with the sign-extension fault of crypt_blowfish before version 1.1, `$2x$`. This
    /// method only verifies old hashes.
    BcryptX,
    /// Ulrich Drepper's method with SHA-512, `$6$`.
    Sha512,
    /// Ulrich Drepper's method with SHA-256, `$5$`.
    Sha256,
    /// The method of NetBSD with PBKDF1 and HMAC-SHA-1, `$sha1$`.
    Sha1,
    /// Alec Muffett's method with MD5, of Solaris, `$md5$`.
    SunMd5,
    /// Poul-Henning Kamp's method with MD5, of FreeBSD, `$1$`.
    Md5,
    /// The NT hash, `$3$`: MD4 without a salt.
    Nt,
    /// Extended DES of BSDi, `_`: 24 bits of salt, a count of passes, phrases of any
    /// length.
    DesExtended,
    /// bigcrypt of Digital UNIX: DES over up to 16 segments of 8 bytes. bigcrypt has no prefix.
    /// If a setting of [`Method::Des`] is longer than a traditional hash, it counts as a
    /// setting of bigcrypt.
    Bigcrypt,
    /// Traditional DES: two characters of salt. This method uses only the first 8 bytes of a
    /// phrase.
    Des,
}

impl Method {
    /// All methods, the preferred method first.
    pub const ALL: [Self; 16] = [
        Self::Yescrypt,
        Self::GostYescrypt,
        Self::Scrypt,
        Self::BcryptB,
        Self::BcryptY,
        Self::BcryptA,
        Self::BcryptX,
        Self::Sha512,
        Self::Sha256,
        Self::Sha1,
        Self::SunMd5,
        Self::Md5,
        Self::Nt,
        Self::DesExtended,
        Self::Bigcrypt,
        Self::Des,
    ];

    /// The method that new hashes should use.
    pub const PREFERRED: Self = Self::Yescrypt;

    /// Returns the method of a setting or a hash. The empty setting `""` is traditional
    /// DES, as for crypt_gensalt(3). Returns `None` if no method fits, or if the setting
    /// has a character that a password file cannot hold.
    #[must_use]
    pub fn identify(setting: &[u8]) -> Option<Self> {
        if !setting.iter().copied().all(is_setting_char) {
            return None;
        }
        Self::of_prefix(setting)
    }

    /// Returns the method whose prefix `setting` begins with. The characters after the
    /// prefix are not checked.
    #[must_use]
    pub fn of_prefix(setting: &[u8]) -> Option<Self> {
        let salt = |c: &u8| crate::text::value(*c).is_some();
        match setting {
            [b'$', ..] => Self::ALL
                .into_iter()
                .filter(|method| !method.prefix().is_empty())
                .find(|method| setting.starts_with(method.prefix().as_bytes())),
            [b'_', ..] => Some(Self::DesExtended),
            [] => Some(Self::Des),
            [a, b, ..] if salt(a) && salt(b) => Some(if setting.len() > TRADITIONAL {
                Self::Bigcrypt
            } else {
                Self::Des
            }),
            _ => None,
        }
    }

    /// Returns the characters with which a setting of this method starts. Traditional DES and
    /// bigcrypt have no prefix; for them the result is `""`.
    #[must_use]
    pub fn prefix(self) -> &'static str {
        match self {
            Self::Yescrypt => "$y$",
            Self::GostYescrypt => "$gy$",
            Self::Scrypt => "$7$",
            Self::BcryptB => "$2b$",
            Self::BcryptY => "$2y$",
            Self::BcryptA => "$2a$",
            Self::BcryptX => "$2x$",
            Self::Sha512 => "$6$",
            Self::Sha256 => "$5$",
            Self::Sha1 => "$sha1",
            Self::SunMd5 => "$md5",
            Self::Md5 => "$1$",
            Self::Nt => "$3$",
            Self::DesExtended => "_",
            Self::Bigcrypt | Self::Des => "",
        }
    }

    /// Returns the identifier of the method in the test vectors and in the lab.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::Yescrypt => "crypt-yescrypt",
            Self::GostYescrypt => "crypt-gost-yescrypt",
            Self::Scrypt => "crypt-scrypt",
            Self::BcryptA | Self::BcryptB | Self::BcryptX | Self::BcryptY => "crypt-bcrypt",
            Self::Sha512 => "crypt-sha512",
            Self::Sha256 => "crypt-sha256",
            Self::Sha1 => "crypt-sha1",
            Self::SunMd5 => "crypt-sunmd5",
            Self::Md5 => "crypt-md5",
            Self::Nt => "crypt-nt",
            Self::DesExtended => "crypt-des-ext",
            Self::Bigcrypt => "crypt-bigcrypt",
            Self::Des => "crypt-des",
        }
    }

    /// Returns whether the method is fit for new hashes.
    #[must_use]
    pub fn is_strong(self) -> bool {
        matches!(
            self,
            Self::Yescrypt
                | Self::GostYescrypt
                | Self::Scrypt
                | Self::BcryptB
                | Self::BcryptY
                | Self::BcryptA
                | Self::Sha512
        )
    }

    /// Returns the number of random bytes that a new salt needs.
    #[must_use]
    pub fn random(self) -> usize {
        match self {
            Self::Sha1 => 20,
            Self::Sha512 | Self::Sha256 => 15,
            Self::Md5 => 9,
            Self::SunMd5 => 8,
            Self::DesExtended => 3,
            Self::Bigcrypt | Self::Des => 2,
            Self::Nt => 1,
            _ => 16,
        }
    }

    /// Returns a text that says what the cost of [`gensalt`](crate::gensalt) counts, and which
    /// range and default the cost has.
    #[must_use]
    pub fn cost(self) -> &'static str {
        match self {
            Self::Yescrypt | Self::GostYescrypt => "1 to 11, memory doubles with each; default 5",
            Self::Scrypt => "6 to 11, memory doubles with each; default 7",
            Self::BcryptA | Self::BcryptB | Self::BcryptY => {
                "4 to 31, time doubles with each; default 5"
            }
            Self::Sha512 | Self::Sha256 => "rounds, 1000 to 999999999; default 5000",
            Self::Sha1 => "rounds, of which up to a quarter less are taken; default 262144",
            Self::SunMd5 => "rounds from 32768, to which up to 65535 are added",
            Self::DesExtended => "rounds, 1 to 16777215, made odd; default 725",
            Self::BcryptX => "makes no new hashes",
            Self::Md5 | Self::Nt | Self::Bigcrypt | Self::Des => "none",
        }
    }
}

/// The length of a traditional DES hash in characters.
const TRADITIONAL: usize = 13;

/// Returns whether `c` may stand in a setting: a printable ASCII character other than the space
/// and the characters that have a meaning in passwd(5).
fn is_setting_char(c: u8) -> bool {
    matches!(c, b'"'..=b')' | b'+'..=b'9' | b'<'..=b'[' | b']'..=b'~')
}
