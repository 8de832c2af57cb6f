//! Bech32 of any length: the keys of age are longer than the 90 characters of BIP 173.

use bech32::primitives::decode::CheckedHrpstring;
use bech32::{Bech32, Checksum, Hrp};
use zeroize::Zeroizing;

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

/// The human-readable part in lower case, and the bytes.
pub(crate) fn decode(text: &str) -> Option<(String, Zeroizing<Vec<u8>>)> {
    let checked = CheckedHrpstring::new::<Long>(text).ok()?;
    // Five bits a character: what is left over must be less than a byte, and zero.
    checked.validate_segwit_padding().ok()?;
    let mut bytes = Zeroizing::new(Vec::with_capacity(text.len()));
    bytes.extend(checked.byte_iter());
    Some((checked.hrp().to_lowercase(), bytes))
}

/// The text in lower case. The human-readable part is one of this crate's constants.
pub(crate) fn encode(kind: &str, bytes: &[u8]) -> String {
    Hrp::parse(kind)
        .ok()
        .and_then(|hrp| bech32::encode::<Long>(hrp, bytes).ok())
        .unwrap_or_default()
}
