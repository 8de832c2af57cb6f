//! The hybrid KEM of X25519 and ML-KEM-768, X-Wing, [XWING], and HPKE with it, [HPKE], as age's
//! stanza `mlkem768x25519` uses them.
//!
//! - [XWING] D. Connolly and others: X-Wing, draft-connolly-cfrg-xwing-kem
//! - [HPKE] Hybrid Public Key Encryption, RFC 9180, base mode
//!
//! [XWING]: https://datatracker.ietf.org/doc/draft-connolly-cfrg-xwing-kem/
//! [HPKE]: https://www.rfc-editor.org/rfc/rfc9180

use ml_kem::kem::{Decapsulate, KeyExport};
use ml_kem::{B32, DecapsulationKey768, EncapsulationKey768, Seed};
use touchstone::hash::{Sha3_256, Sha256, Shake256};
use touchstone::kdf::hkdf::{expand, extract};
use zeroize::Zeroizing;

use super::{x25519, x25519_public};
use crate::error::Error;

/// Bytes of a public key of ML-KEM-768, FIPS 203 §8.
const MLKEM_PUBLIC: usize = 1184;
/// Bytes of a ciphertext of ML-KEM-768.
const MLKEM_CIPHERTEXT: usize = 1088;
/// Bytes of a public key.
pub(crate) const PUBLIC: usize = MLKEM_PUBLIC + 32;
/// Bytes of an encapsulated key.
pub(crate) const ENCAPSULATED: usize = MLKEM_CIPHERTEXT + 32;

/// [XWING](self) §5.3.
const LABEL: &[u8] = br"\.//^\";
/// "HPKE", the KEM X-Wing, HKDF-SHA-256, ChaCha20-Poly1305; [HPKE](self) §5.1.
const SUITE: &[u8] = b"HPKE\x64\x7a\x00\x01\x00\x03";

type Key = Zeroizing<[u8; 32]>;

/// The two secret keys that a seed gives, [XWING](self) §5.2.
fn expanded(seed: &[u8; 32]) -> (DecapsulationKey768, Key) {
    let mut bytes = Zeroizing::new([0; 96]);
    Shake256::squeeze_into(seed, &mut *bytes);
    let mut mlkem = Seed::default();
    mlkem.copy_from_slice(&bytes[..64]);
    let mut curve = Zeroizing::new([0; 32]);
    curve.copy_from_slice(&bytes[64..]);
    (DecapsulationKey768::from_seed(mlkem), curve)
}

/// The public key of a seed.
pub(crate) fn public(seed: &[u8; 32]) -> Vec<u8> {
    let (mlkem, curve) = expanded(seed);
    let mut key = mlkem.encapsulation_key().to_bytes().to_vec();
    key.extend(x25519_public(&curve));
    key
}

fn mlkem_public(public: &[u8]) -> Option<EncapsulationKey768> {
    EncapsulationKey768::new(public.get(..MLKEM_PUBLIC)?.try_into().ok()?).ok()
}

/// Whether these bytes are a public key.
pub(crate) fn is_public(bytes: &[u8]) -> bool {
    bytes.len() == PUBLIC && mlkem_public(bytes).is_some()
}

/// [XWING](self) §5.3.
fn combine(mlkem: &[u8], curve: &[u8; 32], share: &[u8], public: &[u8]) -> Key {
    let mut hash = Sha3_256::new();
    for part in [mlkem, curve, share, public, LABEL] {
        hash.update(part);
    }
    Zeroizing::new(hash.finalize().into_bytes())
}

/// The shared secret of an encapsulated key; `None` if it has a wrong length or a point of low
/// order. A key for somebody else gives a secret that opens nothing.
pub(crate) fn decapsulate(seed: &[u8; 32], encapsulated: &[u8]) -> Option<Key> {
    if encapsulated.len() != ENCAPSULATED {
        return None;
    }
    let (mlkem, curve) = expanded(seed);
    let (ciphertext, share) = encapsulated.split_at(MLKEM_CIPHERTEXT);
    let first = Zeroizing::new(<[u8; 32]>::from(
        mlkem.decapsulate(ciphertext.try_into().ok()?),
    ));
    let second = x25519(&curve, share.try_into().ok()?)?;
    Some(combine(&*first, &second, share, &x25519_public(&curve)))
}

/// A new shared secret, and the encapsulated key that gives it to the owner of the public key.
pub(crate) fn encapsulate(public: &[u8]) -> Result<(Vec<u8>, Key), Error> {
    let wrong = || Error::setting("the hybrid recipient is no valid key");
    let mlkem = mlkem_public(public).ok_or_else(wrong)?;
    let their: &[u8; 32] = public
        .get(MLKEM_PUBLIC..)
        .and_then(|key| key.try_into().ok())
        .ok_or_else(wrong)?;
    let message = super::random::<32>()?;
    let ephemeral = super::random::<32>()?;
    let (ciphertext, first) = mlkem.encapsulate_deterministic(&B32::from(*message));
    let first = Zeroizing::new(<[u8; 32]>::from(first));
    let second = x25519(&ephemeral, their).ok_or_else(wrong)?;
    let share = x25519_public(&ephemeral);
    let mut encapsulated = ciphertext.to_vec();
    encapsulated.extend(share);
    Ok((encapsulated, combine(&*first, &second, &share, their)))
}

/// Key and nonce of the first message of HPKE's base mode, [HPKE](self) §5.1.
pub(crate) fn schedule(shared: &Key, info: &[u8]) -> Result<(Key, [u8; 12]), Error> {
    let labelled = |salt: &[u8], label: &str, secret: &[u8]| {
        let parts: [&[u8]; 4] = [b"HPKE-v1", SUITE, label.as_bytes(), secret];
        Zeroizing::new(extract::<Sha256>(salt, &parts.concat()).into_bytes())
    };
    // The mode, and the empty identity of no pre-shared key.
    let mut context = vec![0];
    context.extend_from_slice(&*labelled(b"", "psk_id_hash", b""));
    context.extend_from_slice(&*labelled(b"", "info_hash", info));
    let secret = labelled(&**shared, "secret", b"");
    let fill = |label: &str, output: &mut [u8]| {
        let length = (output.len() as u16).to_be_bytes();
        let parts: [&[u8]; 5] = [&length, b"HPKE-v1", SUITE, label.as_bytes(), &context];
        expand::<Sha256>(&*secret, &parts.concat(), output)
    };
    let (mut key, mut nonce) = (Zeroizing::new([0; 32]), [0; 12]);
    fill("key", &mut *key)?;
    fill("base_nonce", &mut nonce)?;
    Ok((key, nonce))
}
