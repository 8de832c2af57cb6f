//! X25519 alone: the keys of age, and SSH keys of Ed25519, whose points become points of
//! Curve25519.

use ed25519_dalek::{SigningKey, VerifyingKey};
use oldfiles::keys::curve::shared;
use zeroize::Zeroizing;

use crate::error::{Error, Result};
use crate::file_key::{FileKey, WRAPPED};
use crate::random::Randomness;

pub(super) use oldfiles::keys::curve::public;

/// Returns the public key of Ed25519.
pub(super) fn ssh_public(seed: &[u8; 32]) -> [u8; 32] {
    SigningKey::from_bytes(seed).verifying_key().to_bytes()
}

/// Wraps the file key by an ephemeral key of X25519. The secret is the shared point; the stanza
/// is bound to the ephemeral and the public key.
pub(super) fn wrap(
    key: &FileKey,
    public: &[u8; 32],
    random: &mut dyn Randomness,
) -> Result<Vec<u8>> {
    wrap_to(key, public, public, b"x25519", random)
}

pub(super) fn wrap_ssh(
    key: &FileKey,
    public: &[u8; 32],
    random: &mut dyn Randomness,
) -> Result<Vec<u8>> {
    let point = VerifyingKey::from_bytes(public)
        .map_err(|_| Error::Key("the SSH key of Ed25519 is no point of the curve".into()))?;
    let point = point.to_montgomery().to_bytes();
    wrap_to(key, &point, public, b"ssh-ed25519", random)
}

fn wrap_to(
    key: &FileKey,
    point: &[u8; 32],
    name: &[u8; 32],
    purpose: &[u8],
    random: &mut dyn Randomness,
) -> Result<Vec<u8>> {
    let mut secret = Zeroizing::new([0; 32]);
    random.fill(&mut secret[..])?;
    let ephemeral = public(&secret);
    let shared = shared(&secret, point)
        .ok_or_else(|| Error::Key("the public key of X25519 is a point of small order".into()))?;
    let wrapped = key.wrap(&shared[..], purpose, &[ephemeral, *name].concat());
    Ok([&ephemeral[..], &wrapped].concat())
}

pub(super) fn unwrap(body: &[u8], secret: &[u8; 32]) -> Option<FileKey> {
    unwrap_by(body, secret, &public(secret), b"x25519")
}

pub(super) fn unwrap_ssh(body: &[u8], seed: &[u8; 32]) -> Option<FileKey> {
    let key = SigningKey::from_bytes(seed);
    let scalar = Zeroizing::new(key.to_scalar_bytes());
    unwrap_by(
        body,
        &scalar,
        &key.verifying_key().to_bytes(),
        b"ssh-ed25519",
    )
}

fn unwrap_by(body: &[u8], secret: &[u8; 32], name: &[u8; 32], purpose: &[u8]) -> Option<FileKey> {
    let (ephemeral, wrapped) = body.split_first_chunk::<32>()?;
    let wrapped: &[u8; WRAPPED] = wrapped.try_into().ok()?;
    let shared = shared(secret, ephemeral)?;
    FileKey::unwrap(wrapped, &shared[..], purpose, &[*ephemeral, *name].concat())
}
