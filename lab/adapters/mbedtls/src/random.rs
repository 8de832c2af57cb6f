//! The generators `mbedtls_ctr_drbg_…` and `mbedtls_hmac_drbg_…`, with entropy that the worker
//! gives, and the first one with the library's own entropy.
#![allow(unsafe_code)]

use std::ffi::c_int;
use std::ptr;

use touchstone_worker::random::{self, Generator, Generators, Seed};
use touchstone_worker::{Failure, Memory};

use crate::ffi::{self, Api, Context, Known, Mbed, ok};

/// The most bytes of a call (`MBEDTLS_CTR_DRBG_MAX_REQUEST`, `MBEDTLS_HMAC_DRBG_MAX_REQUEST`), and of
/// an additional input (`…_MAX_INPUT`).
const MOST: usize = 1024;
const MOST_MORE: usize = 256;

/// Rows: the hash of HMAC_DRBG, and the library's name of the hash.
const HASHES: &[(&str, &str)] = &[
    ("sha-1", "SHA1"),
    ("sha-224", "SHA224"),
    ("sha-256", "SHA256"),
    ("sha-384", "SHA384"),
    ("sha-512", "SHA512"),
];

/// The functions, and the library's descriptions of the hashes.
#[derive(Clone, Copy)]
pub(crate) struct Random {
    api: Api,
    hashes: [Option<Known>; HASHES.len()],
}

impl Random {
    pub(crate) fn of(mbed: &Mbed) -> Self {
        let mut hashes = [None; HASHES.len()];
        for (place, (_, name)) in hashes.iter_mut().zip(HASHES) {
            *place = mbed.hash(name);
        }
        Self {
            api: mbed.api,
            hashes,
        }
    }

    fn hash(&self, id: &str) -> Option<Known> {
        let at = HASHES.iter().position(|(known, _)| *known == id)?;
        self.hashes[at]
    }
}

/// The entropy that a generator asks for, and how much of it was given.
struct Source {
    bytes: Vec<u8>,
    given: usize,
}

/// Gives the next bytes of a [`Source`].
unsafe extern "C" fn give(source: Context, output: *mut u8, length: usize) -> c_int {
    // SAFETY: the context is the `Source` of a generator, which lives as long as the generator.
    let source = unsafe { &mut *source.cast::<Source>() };
    let Some(bytes) = source.bytes.get(source.given..source.given + length) else {
        return -1;
    };
    source.given += length;
    // SAFETY: the library's buffer has the length that it asks for.
    unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), output, length) };
    0
}

/// Which generator a state is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Own,
    Ctr,
    Hmac,
}

/// A generator, and where its entropy comes from: memory for the library's own. The generator is
/// dropped first.
pub(crate) struct State {
    kind: Kind,
    generator: Memory,
    source: Box<Source>,
    _entropy: Option<Memory>,
}

impl State {
    /// Makes a generator without a seed.
    fn new(api: &Api, kind: Kind, parts: &[&[u8]]) -> Self {
        let generator = match kind {
            Kind::Hmac => ffi::large((api.mbedtls_hmac_drbg_init, api.mbedtls_hmac_drbg_free)),
            _ => ffi::large((api.mbedtls_ctr_drbg_init, api.mbedtls_ctr_drbg_free)),
        };
        let (bytes, given) = (parts.concat(), 0);
        let source = Box::new(Source { bytes, given });
        Self {
            kind,
            generator,
            source,
            _entropy: None,
        }
    }
}

impl Generators for Random {
    type State = State;

    fn api(&self, generator: Generator<'_>) -> Option<&'static str> {
        match generator {
            Generator::Own => Some("mbedtls_ctr_drbg_random"),
            Generator::Ctr {
                bits: 256,
                derives: true,
            } => Some("mbedtls_ctr_drbg_random_with_add"),
            Generator::Hmac(hash) => self.hash(hash).map(|_| "mbedtls_hmac_drbg_random_with_add"),
            _ => None,
        }
    }

    fn note(&self, generator: Generator<'_>) -> &'static str {
        match generator {
            Generator::Own => "a call for each 1024 bytes, the most that the library gives",
            _ => "",
        }
    }

    fn instantiate(&self, generator: Generator<'_>, seed: &Seed<'_>) -> Result<State, Failure> {
        let (api, never) = (&self.api, c_int::MAX);
        let (text, length) = (seed.personalisation.as_ptr(), seed.personalisation.len());
        let (entropy, nonce) = (seed.entropy.len(), seed.nonce.len());
        let Generator::Hmac(hash) = generator else {
            if generator == Generator::Own {
                let mut state = State::new(api, Kind::Own, &[]);
                let mut own = ffi::entropy((api.mbedtls_entropy_init, api.mbedtls_entropy_free));
                let (held, source) = (state.generator.at(0), api.mbedtls_entropy_func);
                // SAFETY: both contexts are initialised, and there is no further text.
                let code =
                    unsafe { (api.mbedtls_ctr_drbg_seed)(held, source, own.at(0), ptr::null(), 0) };
                ok("mbedtls_ctr_drbg_seed", code)?;
                state._entropy = Some(own);
                return Ok(state);
            }
            let mut state = State::new(api, Kind::Ctr, &[seed.entropy, seed.nonce]);
            let (held, source) = (
                state.generator.at(0),
                ptr::from_mut(&mut *state.source).cast(),
            );
            // SAFETY: the context is initialised, the source lives as long as it, and the length is
            // the text's.
            unsafe {
                (api.mbedtls_ctr_drbg_set_entropy_len)(held, entropy);
                let code = (api.mbedtls_ctr_drbg_set_nonce_len)(held, nonce);
                ok("mbedtls_ctr_drbg_set_nonce_len", code)?;
                (api.mbedtls_ctr_drbg_set_reseed_interval)(held, never);
                let code = (api.mbedtls_ctr_drbg_seed)(held, give, source, text, length);
                ok("mbedtls_ctr_drbg_seed", code)?;
            }
            return Ok(state);
        };
        // The library asks for a nonce of half the length of the entropy.
        if nonce != entropy / 2 {
            return Err(Failure::length("a nonce", nonce));
        }
        let hash = self.hash(hash);
        let hash = hash.ok_or_else(|| Failure::unsupported("this hash"))?;
        let mut state = State::new(api, Kind::Hmac, &[seed.entropy, seed.nonce]);
        let (held, source) = (
            state.generator.at(0),
            ptr::from_mut(&mut *state.source).cast(),
        );
        // SAFETY: as for the other generator. The description belongs to the library.
        unsafe {
            (api.mbedtls_hmac_drbg_set_entropy_len)(held, entropy);
            (api.mbedtls_hmac_drbg_set_reseed_interval)(held, never);
            let code = (api.mbedtls_hmac_drbg_seed)(held, hash.get(), give, source, text, length);
            ok("mbedtls_hmac_drbg_seed", code)?;
        }
        Ok(state)
    }

    fn reseed(&self, state: &mut State, entropy: &[u8], additional: &[u8]) -> Result<(), Failure> {
        let (call, api) = match state.kind {
            Kind::Own => return Err(Failure::unsupported("reseeding")),
            Kind::Ctr => (self.api.mbedtls_ctr_drbg_reseed, "mbedtls_ctr_drbg_reseed"),
            Kind::Hmac => (
                self.api.mbedtls_hmac_drbg_reseed,
                "mbedtls_hmac_drbg_reseed",
            ),
        };
        *state.source = Source {
            bytes: entropy.to_vec(),
            given: 0,
        };
        let (at, length) = (additional.as_ptr(), additional.len());
        // SAFETY: the generator has a seed, and the length is the additional input's.
        ok(api, unsafe { call(state.generator.at(0), at, length) })?;
        if state.source.given == entropy.len() {
            Ok(())
        } else {
            Err(Failure::unsupported(
                "entropy of another length than the first",
            ))
        }
    }

    #[inline]
    fn generate(
        &self,
        state: &mut State,
        additional: &[u8],
        output: &mut [u8],
    ) -> Result<(), Failure> {
        let held = state.generator.at(0);
        if state.kind == Kind::Own {
            random::no_more(additional)?;
            for piece in output.chunks_mut(MOST) {
                // SAFETY: the generator has a seed, and the length is the piece's.
                let code = unsafe {
                    (self.api.mbedtls_ctr_drbg_random)(held, piece.as_mut_ptr(), piece.len())
                };
                ok("mbedtls_ctr_drbg_random", code)?;
            }
            return Ok(());
        }
        let (to, length) = (output.as_mut_ptr(), output.len());
        if length > MOST || additional.len() > MOST_MORE {
            return Err(Failure::length("an output", length));
        }
        let (call, api) = if state.kind == Kind::Ctr {
            let call = self.api.mbedtls_ctr_drbg_random_with_add;
            (call, "mbedtls_ctr_drbg_random_with_add")
        } else {
            let call = self.api.mbedtls_hmac_drbg_random_with_add;
            (call, "mbedtls_hmac_drbg_random_with_add")
        };
        let (more, size) = (additional.as_ptr(), additional.len());
        // SAFETY: the generator has a seed, and the lengths are those of the two slices.
        ok(api, unsafe { call(held, to, length, more, size) })
    }
}
