//! HPKE, [HPKE], in base mode with X-Wing, as age's stanza `mlkem768x25519` uses it.
//!
//! - [HPKE] Hybrid Public Key Encryption, RFC 9180, base mode
//!
//! [HPKE]: https://www.rfc-editor.org/rfc/rfc9180

use touchstone::hash::Sha256;
use touchstone::kdf::hkdf::{expand, extract};
use zeroize::Zeroizing;

use crate::error::Error;

/// "HPKE", the KEM X-Wing, HKDF-SHA-256, ChaCha20-Poly1305; [HPKE](self) §5.1.
const SUITE: &[u8] = b"HPKE\x64\x7a\x00\x01\x00\x03";

type Key = Zeroizing<[u8; 32]>;

/// Key and nonce of the first message of HPKE's base mode, [HPKE](self) §5.1.
pub(super) fn schedule(shared: &Key, info: &[u8]) -> Result<(Key, [u8; 12]), Error> {
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
