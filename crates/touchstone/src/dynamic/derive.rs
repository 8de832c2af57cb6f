//! Key derivation.

use alloc::format;
use alloc::string::String;

use super::mac::LONGEST_TAG;
use super::{Error, Mac, MacAlgorithm, Options, block, clean_deep};
use crate::hash::*;
use crate::kdf::sp800_108::{self, Mode};
use crate::kdf::{counted, hkdf, pbkdf1, pbkdf2, s2k};
use crate::mac::Hmac;
use crate::wipe;

/// The inputs of a key derivation. If a function does not use an input, this input must be empty or
/// 0. Otherwise the function returns an error.
///
/// | name | secret | salt | info | iterations |
/// |---|---|---|---|---|
/// | `hkdf-<hash>` | key material | salt | info | 0 |
/// | `pbkdf2-hmac-<hash>` | password | salt | none | 1 or more |
/// | `pbkdf1-<hash>` | password | salt, 8 bytes | none | 1 or more |
/// | `s2k-<hash>` | password | salt, 8 bytes, or none | none | bytes to hash, or 0 |
/// | `bcrypt-pbkdf` | password | salt | none | 1 or more |
/// | `kdf1-<hash>` `kdf2-<hash>` `kdf3-<hash>` | secret | none | purpose | 0 |
/// | `mgf1-<hash>` | seed | none | none | 0 |
/// | `blake3-kdf` | key material | none | context | 0 |
/// | `sp800-108-counter-<mac>` `sp800-108-double-pipeline-<mac>` | key | none | label, zero byte, context | 0 |
/// | `sp800-108-feedback-<mac>` | key | IV of any length | label, zero byte, context | 0 |
///
/// SP 800-108 works with HMAC and CMAC. scrypt and yescrypt have other kinds of costs, so they have
/// no name here: they are functions of [`kdf`](crate::kdf).
#[derive(Debug, Clone, Copy, Default)]
pub struct Derivation<'a> {
    /// The password, the key or the key material.
    pub secret: &'a [u8],
    /// The salt, if the function takes one; the IV of SP 800-108's feedback mode.
    pub salt: &'a [u8],
    /// The purpose of the key, if the function takes one; for SP 800-108 the label, a zero
    /// byte and the context, one after the other.
    pub info: &'a [u8],
    /// The number of iterations, if the function takes one; for S2K, the number of bytes to
    /// hash, or 0 for the functions without iterations.
    pub iterations: u32,
}

impl Derivation<'_> {
    /// Refuses a purpose.
    fn without_info(&self) -> Result<(), Error> {
        match self.info {
            [] => Ok(()),
            _ => Err(Error::Parameter),
        }
    }

    /// Refuses iterations.
    fn without_iterations(&self) -> Result<(), Error> {
        match self.iterations {
            0 => Ok(()),
            _ => Err(Error::Parameter),
        }
    }

    /// Refuses a salt and iterations.
    fn without_salt(&self) -> Result<(), Error> {
        match self.salt {
            [] => self.without_iterations(),
            _ => Err(Error::NonceLength),
        }
    }

    /// The salt of PBKDF1 and S2K.
    fn short_salt(&self) -> Result<&[u8; 8], Error> {
        self.salt.try_into().map_err(|_| Error::NonceLength)
    }
}

/// A key derivation function, by name.
struct Row {
    id: &'static str,
    best: fn() -> &'static str,
    derive: fn(&Derivation<'_>, &mut [u8]) -> Result<(), Error>,
    /// How many bytes of the stack are overwritten after a call.
    depth: usize,
}

/// How much of the stack is overwritten after HKDF, which moves the states of a hash about.
const fn depth_over(state: usize) -> usize {
    if state > 512 {
        wipe::DEEP
    } else {
        wipe::FRAMES
    }
}

/// The rows of the functions over HMAC.
macro_rules! hmac_rows {
    ($($(#[$cfg:meta])* $id:literal = $Hash:ty;)*) => {
        static OVER_HMAC: &[Row] = &[$(
            $(#[$cfg])*
            Row {
                id: concat!("hkdf-", $id),
                best: block::best::<<$Hash as HashFunction>::Kernel>,
                derive: |from, key| {
                    from.without_iterations()?;
                    Ok(hkdf::<$Hash>(from.secret, from.salt, from.info, key)?)
                },
                depth: depth_over(size_of::<$Hash>()),
            },
            $(#[$cfg])*
            Row {
                id: concat!("pbkdf2-hmac-", $id),
                best: block::best::<<$Hash as HashFunction>::Kernel>,
                derive: |from, key| {
                    from.without_info()?;
                    Ok(pbkdf2::<Hmac<$Hash>>(from.secret, from.salt, from.iterations, key)?)
                },
                // The states of BLAKE3 are large, and are moved.
                depth: wipe::DEEP + 4 * size_of::<$Hash>(),
            },
        )*];
    };
}

/// The rows of the functions over the hash itself.
macro_rules! rows {
    ($name:ident; $($(#[$cfg:meta])* $id:literal = $Hash:ty;)*) => {
        static $name: &[Row] = &[$(
            $(#[$cfg])*
            Row {
                id: concat!("pbkdf1-", $id),
                best: block::best::<<$Hash as HashFunction>::Kernel>,
                derive: |from, key| {
                    from.without_info()?;
                    let salt = from.short_salt()?;
                    Ok(pbkdf1::<$Hash>(from.secret, salt, from.iterations, key)?)
                },
                depth: wipe::DEEP,
            },
            $(#[$cfg])*
            Row {
                id: concat!("s2k-", $id),
                best: block::best::<<$Hash as HashFunction>::Kernel>,
                derive: |from, key| {
                    from.without_info()?;
                    match (from.salt, from.iterations) {
                        ([], 0) => s2k::simple::<$Hash>(from.secret, key),
                        (_, 0) => s2k::salted::<$Hash>(from.secret, from.short_salt()?, key),
                        (_, bytes) => {
                            s2k::iterated::<$Hash>(from.secret, from.short_salt()?, bytes, key);
                        }
                    }
                    Ok(())
                },
                depth: wipe::DEEP,
            },
            $(#[$cfg])*
            Row {
                id: concat!("kdf1-", $id),
                best: block::best::<<$Hash as HashFunction>::Kernel>,
                derive: |from, key| {
                    from.without_salt()?;
                    Ok(counted::kdf1::<$Hash>(from.secret, from.info, key)?)
                },
                depth: wipe::DEEP,
            },
            $(#[$cfg])*
            Row {
                id: concat!("kdf2-", $id),
                best: block::best::<<$Hash as HashFunction>::Kernel>,
                derive: |from, key| {
                    from.without_salt()?;
                    Ok(counted::kdf2::<$Hash>(from.secret, from.info, key)?)
                },
                depth: wipe::DEEP,
            },
            $(#[$cfg])*
            Row {
                id: concat!("kdf3-", $id),
                best: block::best::<<$Hash as HashFunction>::Kernel>,
                derive: |from, key| {
                    from.without_salt()?;
                    Ok(counted::kdf3::<$Hash>(from.secret, from.info, key)?)
                },
                depth: wipe::DEEP,
            },
            $(#[$cfg])*
            Row {
                id: concat!("mgf1-", $id),
                best: block::best::<<$Hash as HashFunction>::Kernel>,
                derive: |from, key| {
                    from.without_salt()?;
                    from.without_info()?;
                    Ok(counted::mgf1::<$Hash>(from.secret, key)?)
                },
                depth: wipe::DEEP,
            },
        )*];
    };
}

macro_rules! hash_rows {
    ($($row:tt)*) => {
        hmac_rows!($($row)*);
        rows!(OVER_HASH; $($row)*);
    };
}

macro_rules! long_hash_rows {
    ($($row:tt)*) => {
        rows!(OVER_LONG_HASH; $($row)*);
    };
}

crate::hash::hashes!(hash_rows!);
crate::hash::long_hashes!(long_hash_rows!);

/// Functions over one cipher or hash.
static ALONE: &[Row] = &[
    #[cfg(all(feature = "blowfish", feature = "sha2"))]
    Row {
        id: "bcrypt-pbkdf",
        best: || "portable",
        derive: |from, key| {
            from.without_info()?;
            Ok(crate::kdf::bcrypt_pbkdf(
                from.secret,
                from.salt,
                from.iterations,
                key,
            )?)
        },
        depth: wipe::DEEP,
    },
    #[cfg(feature = "blake3")]
    Row {
        id: "blake3-kdf",
        best: block::best::<<Blake3 as HashFunction>::Kernel>,
        derive: |from, key| {
            from.without_salt()?;
            let mut hash = Blake3::derive_key_of(from.info);
            hash.update(from.secret);
            hash.finalize_xof().squeeze(key);
            Ok(())
        },
        // 100 bytes leave something 5 KiB deep (`tests/stack.rs`), because the states are large and are
        // moved. A long secret leaves as much as a long piece of a message of BLAKE3, below one state.
        depth: 12 * 1024,
    },
];

/// The modes of SP 800-108, over HMAC and CMAC.
static MODES: &[(&str, Mode<'_>)] = &[
    ("sp800-108-counter-", Mode::Counter),
    ("sp800-108-feedback-", Mode::Feedback(&[])),
    ("sp800-108-double-pipeline-", Mode::DoublePipeline),
];

/// Whether SP 800-108 allows a MAC, in section 3. KMAC has a mode of its own there.
fn serves(mac: &str) -> bool {
    mac.starts_with("hmac-") || mac.ends_with("-cmac")
}

fn rows() -> impl Iterator<Item = &'static Row> {
    let over = OVER_HMAC.iter().chain(OVER_HASH).chain(OVER_LONG_HASH);
    over.chain(ALONE)
}

#[derive(Clone, Copy)]
enum Found {
    Row(&'static Row),
    Over(Mode<'static>, MacAlgorithm),
}

/// The names of all key derivation functions.
pub fn derivations() -> impl Iterator<Item = String> {
    let macs = || Mac::names().filter(|mac| serves(mac));
    let over_macs = MODES
        .iter()
        .flat_map(move |(mode, _)| macs().map(move |mac| format!("{mode}{mac}")));
    rows().map(|row| String::from(row.id)).chain(over_macs)
}

/// Fills `key` with the key derivation function of this name.
///
/// # Errors
///
/// [`Error::Name`] if there is no such function; the errors of [`Kdf::derive`].
pub fn derive(name: &str, from: &Derivation<'_>, key: &mut [u8]) -> Result<(), Error> {
    Kdf::find(name)?.derive(from, key)
}

/// A key derivation function, looked up once for many calls.
#[derive(Clone, Copy)]
pub struct Kdf(Found);

impl Kdf {
    /// Looks a name up.
    ///
    /// # Errors
    ///
    /// [`Error::Name`].
    pub fn find(name: &str) -> Result<Self, Error> {
        if let Some(row) = rows().find(|row| row.id == name) {
            return Ok(Self(Found::Row(row)));
        }
        let over = |(start, mode): &(&str, Mode<'static>)| {
            let mac = name.strip_prefix(start).filter(|mac| serves(mac))?;
            Some(Found::Over(*mode, Mac::find(mac).ok()?))
        };
        MODES.iter().find_map(over).map(Self).ok_or(Error::Name)
    }

    /// The kernel of the hash function, or of the MAC, on this machine.
    pub fn kernel(self) -> &'static str {
        match self.0 {
            Found::Row(row) => (row.best)(),
            Found::Over(_, mac) => mac.kernel(),
        }
    }

    /// Fills `key`.
    ///
    /// # Errors
    ///
    /// [`Error::Parameter`] for iterations or a purpose that the function does not take, or
    /// no iterations where the function needs them; [`Error::NonceLength`] for a salt that
    /// the function does not take; [`Error::KeyLength`] for a secret that the MAC does not
    /// take as its key; [`Error::OutputLength`] if `key` is longer than the function allows.
    pub fn derive(self, from: &Derivation<'_>, key: &mut [u8]) -> Result<(), Error> {
        match self.0 {
            Found::Row(row) => {
                let result = (row.derive)(from, key);
                wipe::stack(row.depth);
                result
            }
            Found::Over(mode, mac) => clean_deep(|| over(mode, mac, from, key)),
        }
    }
}

/// SP 800-108 with this MAC.
fn over(
    mode: Mode<'_>,
    mac: MacAlgorithm,
    from: &Derivation<'_>,
    key: &mut [u8],
) -> Result<(), Error> {
    from.without_iterations()?;
    let mode = match mode {
        Mode::Feedback(_) => Mode::Feedback(from.salt),
        _ if from.salt.is_empty() => mode,
        _ => return Err(Error::NonceLength),
    };
    let bits = sp800_108::bits(key)?;
    let mut mac = mac.with(from.secret, &Options::default())?;
    let mut room = [[0; LONGEST_TAG]; 2];
    let [made, chain] = &mut room;
    let size = mac.tag();
    sp800_108::fill(
        mode,
        &[from.info, &bits],
        [&mut made[..size], &mut chain[..size]],
        key,
        |start, rest, tag| {
            let mut parts = start.iter().chain(rest);
            parts.try_for_each(|part| mac.update(part))?;
            mac.finalize(tag)
        },
    )
}

impl core::fmt::Debug for Kdf {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let mut tuple = f.debug_tuple("Kdf");
        match self.0 {
            Found::Row(row) => tuple.field(&row.id),
            Found::Over(mode, mac) => tuple.field(&mode).field(&mac),
        }
        .finish()
    }
}
