//! Bech32, [BIP173], of any length: the keys of age are longer than its 90 characters.
//!
//! - [BIP173] P. Wuille, G. Maxwell: Base32 address format for native v0-16 witness outputs
//!
//! [BIP173]: https://github.com/bitcoin/bips/blob/master/bip-0173.mediawiki

use bech32::primitives::decode::UncheckedHrpstring;
use bech32::{Bech32, Checksum, Hrp};
use zeroize::Zeroizing;

use crate::error::Error;

/// Bech32's checksum over longer texts, which then still finds damage by chance.
enum Long {}

impl Checksum for Long {
    type MidstateRepr = u32;
    type CorrectionField = <Bech32 as Checksum>::CorrectionField;
    const ROOT_GENERATOR: Self::CorrectionField = Bech32::ROOT_GENERATOR;
    const ROOT_EXPONENTS: core::ops::RangeInclusive<usize> = Bech32::ROOT_EXPONENTS;
    /// A hybrid recipient has about 1960 characters.
    const CODE_LENGTH: usize = 4096;
    const CHECKSUM_LENGTH: usize = Bech32::CHECKSUM_LENGTH;
    const GENERATOR_SH: [u32; 5] = Bech32::GENERATOR_SH;
    const TARGET_RESIDUE: u32 = Bech32::TARGET_RESIDUE;
}

/// Returns the human-readable part in small letters, and the bytes.
///
/// # Errors
///
/// [`Error::Setting`] for text that is no Bech32, has a wrong checksum, or has bits left over that
/// are not zero.
pub fn decode(text: &str) -> Result<(String, Zeroizing<Vec<u8>>), Error> {
    let parsed = UncheckedHrpstring::new(text)
        .map_err(|error| Error::setting(format!("the key cannot be read: {error}")))?;
    let checked = parsed
        .validate_and_remove_checksum::<Long>()
        .map_err(|_| Error::setting("the key has a typing error: its checksum is wrong"))?;
    // Five bits a character: what is left over must be less than a byte, and zero.
    checked
        .validate_segwit_padding()
        .map_err(|_| Error::setting("the key has characters too many or too few"))?;
    let mut bytes = Zeroizing::new(Vec::with_capacity(text.len()));
    bytes.extend(checked.byte_iter());
    Ok((checked.hrp().to_lowercase(), bytes))
}

/// Returns the text in small letters.
///
/// # Panics
///
/// If the human-readable part is no valid one, or the text is longer than 4096 characters: both
/// are constants of the program.
pub fn encode(kind: &str, bytes: &[u8]) -> String {
    let kind = Hrp::parse(kind).expect("the human-readable part is right");
    bech32::encode_lower::<Long>(kind, bytes).expect("the key is shorter than the limit")
}

/// Returns the text in capitals, as secret keys have it.
///
/// # Panics
///
/// As [`encode`].
pub fn encode_secret(kind: &str, bytes: &[u8]) -> Zeroizing<String> {
    let mut text = Zeroizing::new(encode(kind, bytes));
    text.make_ascii_uppercase();
    text
}
