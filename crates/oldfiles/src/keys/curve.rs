//! X25519, RFC 7748 §5.

use curve25519_dalek::montgomery::MontgomeryPoint;
use touchstone::wipe;
use zeroize::Zeroizing;

/// Returns the shared secret; `None` if the point has a small order, RFC 7748 §6.1.
pub fn shared(secret: &[u8; 32], point: &[u8; 32]) -> Option<Zeroizing<[u8; 32]>> {
    let shared = wipe::after(wipe::DEEP, || {
        Zeroizing::new(MontgomeryPoint(*point).mul_clamped(*secret).0)
    });
    (!touchstone::constant_time_eq(&*shared, &[0; 32])).then_some(shared)
}

/// Returns the public key of a secret.
pub fn public(secret: &[u8; 32]) -> [u8; 32] {
    wipe::after(wipe::DEEP, || MontgomeryPoint::mul_base_clamped(*secret).0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 7748 §6.1.
    #[test]
    fn the_example_of_the_rfc() {
        let hex = |text: &str| -> [u8; 32] {
            std::array::from_fn(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).expect("hex"))
        };
        let alice = hex("8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a");
        let bob = hex("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb");
        let secret = hex("4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742");
        assert_eq!(shared(&bob, &alice).as_deref(), Some(&secret));
        assert_eq!(
            public(&bob),
            hex("de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f")
        );
        assert_eq!(shared(&bob, &[0; 32]), None);
    }
}
