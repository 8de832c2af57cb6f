//! Worker for the RustCrypto crates of public-key algorithms, which are linked in, and for the
//! dalek crates, which most programs use with them. See `../README.md`.
#![forbid(unsafe_code)]

mod curve;
mod dsa;
mod edwards;
mod integer;
mod post_quantum;
mod random;
mod rsa;
mod sm2;

use std::process::ExitCode;

use touchstone_worker::public::{Pair, PublicKeys, Scheme, Use, unreadable};
use touchstone_worker::{Adapter, Failure, Library, Message, locked_version, serve_linked};

const LOCK: &str = include_str!("../../../../Cargo.lock");

/// The crates that calculate.
const CRATES: &[&str] = &[
    "crypto-bigint",
    "ecdsa",
    "p256",
    "k256",
    "bp256",
    "sm2",
    "ed25519-dalek",
    "x25519-dalek",
    "rsa",
    "dsa",
    "ml-kem",
    "ml-dsa",
    "slh-dsa",
];

#[derive(Clone, Copy)]
struct RustCrypto;

/// A key in the form of its crate, as the function that processes a message.
type Held = Box<dyn FnMut(&Message<'_>, &mut [u8]) -> Result<usize, Failure>>;

/// A new key pair, of which only the bytes are asked for.
struct Made<P, S> {
    public: P,
    private: S,
}

impl<P, S> Pair for Made<P, S>
where
    P: Fn() -> Result<Vec<u8>, Failure>,
    S: Fn() -> Result<Vec<u8>, Failure>,
{
    fn public(&self) -> Result<Vec<u8>, Failure> {
        (self.public)()
    }

    fn private(&self) -> Result<Vec<u8>, Failure> {
        (self.private)()
    }
}

impl PublicKeys for RustCrypto {
    type Key = Held;

    fn api(&self, scheme: Scheme<'_>, what: Use) -> Option<&'static str> {
        match scheme {
            Scheme::Raw(name) => edwards::api(name, what),
            Scheme::Rsa(bits, padding) => rsa::api(bits, padding, what),
            Scheme::Ecdsa(curve, hash) => curve::signs(curve, hash, what),
            Scheme::DeterministicEcdsa(curve, hash) => curve::signs(curve, hash, what)
                .filter(|_| what == Use::Sign && curve != curve::HALF),
            Scheme::Ecdh(curve) => curve::agrees(curve),
            Scheme::Dsa(bits, hash) => dsa::api(bits, hash, what),
            Scheme::PostQuantum(name) => post_quantum::api(name, what),
            Scheme::Sm2 => sm2::api(what),
            _ => None,
        }
    }

    fn read(
        &self,
        scheme: Scheme<'_>,
        what: Use,
        key: &[u8],
        peer: &[u8],
    ) -> Result<Held, Failure> {
        match scheme {
            Scheme::Raw(name) => edwards::read(name, what, key, peer),
            Scheme::Rsa(_, padding) => rsa::read(padding, what, key),
            Scheme::Ecdsa(curve, _) | Scheme::DeterministicEcdsa(curve, _) => {
                curve::signature(curve, what, key)
            }
            Scheme::Ecdh(curve) => curve::agreement(curve, key, peer),
            Scheme::Dsa(..) => dsa::read(what, key),
            Scheme::PostQuantum(name) => post_quantum::read(name, what, key),
            Scheme::Sm2 => sm2::read(what, key),
            _ => Err(unreadable()),
        }
    }

    #[inline(always)]
    fn process(
        &self,
        key: &mut Held,
        _: Use,
        message: &Message<'_>,
        output: &mut [u8],
    ) -> Result<usize, Failure> {
        key(message, output)
    }

    fn generate(&self, scheme: Scheme<'_>) -> Result<Box<dyn Pair>, Failure> {
        match scheme {
            Scheme::Raw(_) => edwards::generate(),
            Scheme::Rsa(bits, _) => rsa::generate(bits),
            Scheme::Ecdsa(curve, _) => curve::generate(curve),
            Scheme::PostQuantum(name) => post_quantum::generate(name),
            Scheme::Sm2 => sm2::generate(),
            _ => Err(Failure::unsupported("key generation")),
        }
    }
}

impl Adapter for RustCrypto {
    fn library(&self) -> Library {
        let named = |name: &&str| format!("{name} {}", locked_version(LOCK, name).unwrap_or("?"));
        Library {
            name: "RustCrypto, public keys".into(),
            version: named(&"elliptic-curve"),
            path: String::new(),
            licence: "MIT OR Apache-2.0; dalek: BSD-3-Clause".into(),
            language: "Rust".into(),
            note: format!(
                "{}; default features, built without -C target-cpu",
                CRATES.iter().map(named).collect::<Vec<_>>().join(", ")
            ),
            ..Library::default()
        }
    }

    touchstone_worker::families!(
        integer of |_| Some(integer::BoxedIntegers),
        public of |this| Some(*this),
        points of |this| Some(*this),
        random of |_| Some(random::FILL),
    );
}

fn main() -> ExitCode {
    serve_linked("the RustCrypto crates are", RustCrypto)
}
