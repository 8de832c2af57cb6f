//! Keys that Botan reads only with identifiers of its own: ECGDSA, EC-KCDSA, SM2 and GOST R 34.10.

use touchstone_worker::der;
use touchstone_worker::public::coordinates;

/// The identifiers 1.3.36.3.3.2.5.2.1, 1.0.14888.3.0.5 and 1.2.156.10197.1.301.1, of ECGDSA,
/// EC-KCDSA and SM2.
pub(crate) const ECGDSA: &[u8] = b"\x2b\x24\x03\x03\x02\x05\x02\x01";
pub(crate) const ECKCDSA: &[u8] = b"\x28\xf4\x28\x03\x00\x05";
pub(crate) const SM2: &[u8] = b"\x2a\x81\x1c\xcf\x55\x01\x82\x2d\x01";

/// A form of GOST R 34.10: its id, the identifier of the scheme and the curve's, in DER, the bytes of a
/// coordinate, and Botan's name of the hash.
pub(crate) struct Gost {
    id: &'static str,
    scheme: &'static [u8],
    curve: &'static [u8],
    pub(crate) bytes: usize,
    pub(crate) hash: &'static str,
}

/// 1.2.643.2.2.35.1, CryptoPro-A (RFC 4357, 8.4).
const GOST_256: &[u8] = b"\x06\x07\x2a\x85\x03\x02\x02\x23\x01";
/// 1.2.643.7.1.2.1.2.1, TC26-512-A (RFC 7836, A.1).
const GOST_512: &[u8] = b"\x06\x09\x2a\x85\x03\x07\x01\x02\x01\x02\x01";

/// RFC 4491, section 2.3.2, and RFC 9215, section 4.
const GOSTS: &[Gost] = &[
    Gost {
        id: "2001",
        scheme: b"\x2a\x85\x03\x02\x02\x13",
        curve: GOST_256,
        bytes: 32,
        hash: "GOST-34.11",
    },
    Gost {
        id: "2012-256",
        scheme: b"\x2a\x85\x03\x07\x01\x01\x01\x01",
        curve: GOST_256,
        bytes: 32,
        hash: "Streebog-256",
    },
    Gost {
        id: "2012-512",
        scheme: b"\x2a\x85\x03\x07\x01\x01\x01\x02",
        curve: GOST_512,
        bytes: 64,
        hash: "Streebog-512",
    },
];

impl Gost {
    pub(crate) fn of(form: &str) -> Option<&'static Self> {
        GOSTS.iter().find(|gost| gost.id == form)
    }

    /// Writes a private key as Botan reads it.
    pub(crate) fn private(&self, factor: &[u8]) -> Vec<u8> {
        der::write_private_key(self.scheme, self.curve, &der::write_scalar(factor))
    }

    /// Writes a public key as Botan reads it: the coordinates are little-endian (RFC 4491, 2.3.2).
    pub(crate) fn public(&self, point: &[u8]) -> Option<Vec<u8>> {
        let [x, y] = coordinates(point, self.bytes)?;
        let little: Vec<u8> = x.iter().rev().chain(y.iter().rev()).copied().collect();
        let parameters = [&[0x30, self.curve.len() as u8], self.curve].concat();
        let key = der::octets(&little);
        Some(der::write_public_key(self.scheme, &parameters, &key))
    }
}

/// Writes a key with another identifier of its scheme.
pub(crate) fn renamed(key: &[u8], identifier: &[u8], is_public: bool) -> Option<Vec<u8>> {
    let parts = if is_public {
        der::public_key(key)
    } else {
        der::private_key(key)
    };
    let parts = parts?;
    let curve = der::parameters(parts.algorithm)?;
    Some(if is_public {
        der::write_public_key(identifier, curve, parts.key)
    } else {
        der::write_private_key(identifier, curve, parts.key)
    })
}
