//! bcrypt. `botan_bcrypt_generate` takes its salt from a random generator, so the worker
//! passes a generator that returns the setting's salt.
#![allow(unsafe_code)]

use std::ffi::{c_int, c_void};
use std::ptr;

use touchstone_worker::{Failure, Message, Phrase, Plan, Work, Written};

use crate::ffi::{Api, Destroy, Handle, Object, RandomBytes};
use crate::library::Botan;

type Generate =
    unsafe extern "C" fn(*mut u8, *mut usize, *const std::ffi::c_char, Handle, usize, u32) -> c_int;
type InitCustom = unsafe extern "C" fn(
    *mut Handle,
    *const std::ffi::c_char,
    *mut c_void,
    Option<RandomBytes>,
    *const c_void,
    *const c_void,
) -> c_int;

const SALT_BYTES: usize = 16;

#[derive(Clone)]
pub(crate) struct Bcrypt {
    api: Api,
    init: InitCustom,
    generate: Generate,
    phrase: Phrase,
    rounds: usize,
    salt: [u8; SALT_BYTES],
}

impl Plan for Bcrypt {
    type Library = Botan;
    type Object = (Salt, Phrase);
    const OPERATIONS: &'static [&'static str] = &["crypt"];

    fn find(botan: &Botan, primitive: &str, _: &str) -> Option<Self> {
        let api = botan.api;
        (primitive == "crypt-bcrypt").then_some(Self {
            api,
            init: api.botan_rng_init_custom?,
            generate: api.botan_bcrypt_generate?,
            phrase: Phrase::default(),
            rounds: 0,
            salt: [0; SALT_BYTES],
        })
    }

    fn api(&self, _: &str, _: &str) -> String {
        "botan_bcrypt_generate".into()
    }

    fn note(&self, _: &str, _: &str) -> &'static str {
        "$2a$ only; the salt is drawn from a generator that gives the setting's"
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        (self.rounds, self.salt) = parse(&work.nonce)
            .ok_or_else(|| Failure::unsupported("a setting other than $2a$04$… to $2a$18$…"))?;
        self.phrase = Phrase::of(work)?;
        Ok(self)
    }

    fn make(&self) -> Result<(Salt, Phrase), Failure> {
        let salt = Salt::new(self.init, self.api.botan_rng_destroy, self.salt)?;
        Ok((salt, self.phrase.clone()))
    }

    fn set_key(&self, (_, phrase): &mut Self::Object, key: &[u8]) -> Result<(), Failure> {
        phrase.set(key);
        Ok(())
    }

    #[inline(always)]
    fn process(
        &self,
        (salt, phrase): &mut Self::Object,
        _: &Message<'_>,
        output: &mut [u8],
    ) -> Written {
        let mut written = output.len();
        // SAFETY: the phrase ends in a NUL. Before the call, `written` is the length of the
        // output.
        let code = unsafe {
            (self.generate)(
                output.as_mut_ptr(),
                &mut written,
                phrase.with_nul().as_ptr().cast(),
                salt.rng.object,
                self.rounds,
                0,
            )
        };
        self.api.ok("botan_bcrypt_generate", code)?;
        // The number of bytes may include the NUL.
        Ok(output
            .get(..written)
            .and_then(|text| text.iter().position(|&b| b == 0))
            .unwrap_or(written))
    }
}

/// Decodes the rounds and the salt of a bcrypt setting. bcrypt has its own base-64 alphabet,
/// and writes the most significant bits first.
fn parse(setting: &[u8]) -> Option<(usize, [u8; SALT_BYTES])> {
    const DIGITS: &[u8; 64] = b"./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    let rest = setting.strip_prefix(b"$2a$")?;
    let (rounds, rest) = rest.split_at_checked(2)?;
    let rounds: usize = std::str::from_utf8(rounds).ok()?.parse().ok()?;
    let text = rest.strip_prefix(b"$")?.get(..22)?;
    // Botan accepts 4 to 18 rounds.
    if !(4..=18).contains(&rounds) {
        return None;
    }
    let mut salt = [0; SALT_BYTES];
    let (mut bits, mut count, mut at) = (0_u32, 0, 0);
    for &character in text {
        let digit = DIGITS.iter().position(|&d| d == character)?;
        bits = bits << 6 | u32::try_from(digit).ok()?;
        count += 6;
        if count >= 8 && at < SALT_BYTES {
            count -= 8;
            salt[at] = u8::try_from(bits >> count & 0xff).ok()?;
            at += 1;
        }
    }
    // The last character of the salt has four bits that do not belong to the salt. Botan writes
    // zeros there.
    (bits & 0xf == 0).then_some((rounds, salt))
}

/// A generator of "random" bytes that returns the salt.
pub(crate) struct Salt {
    rng: Object,
    /// The salt that the callback reads. Its address must not change, so it is boxed.
    _salt: Box<[u8; SALT_BYTES]>,
}

impl Salt {
    fn new(init: InitCustom, destroy: Destroy, salt: [u8; SALT_BYTES]) -> Result<Self, Failure> {
        let salt = Box::new(salt);
        // SAFETY: the context outlives the generator, because both are fields of one object.
        // The other callbacks may be absent.
        let rng = unsafe {
            let (name, context) = (c"setting".as_ptr(), ptr::from_ref(&*salt).cast_mut().cast());
            Object::made(destroy, |rng| {
                match init(rng, name, context, Some(give), ptr::null(), ptr::null()) {
                    0 => Ok(()),
                    code => Err(Failure::failed(format_args!(
                        "botan_rng_init_custom: {code}"
                    ))),
                }
            })?
        };
        Ok(Self { rng, _salt: salt })
    }
}

/// Botan's callback for random bytes. Copies `len` bytes of the salt, to which `context`
/// points.
unsafe extern "C" fn give(context: *mut c_void, out: *mut u8, len: usize) -> c_int {
    if len > SALT_BYTES {
        return -1;
    }
    // SAFETY: the context is the boxed salt, and the caller has room for `len` bytes.
    unsafe { ptr::copy_nonoverlapping(context.cast::<u8>(), out, len) };
    0
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn settings_give_their_salt() {
        // The first published answer of bcrypt has the salt "......", which decodes to zeros.
        assert_eq!(parse(b"$2a$05$......................"), Some((5, [0; 16])));
        let (_, salt) = parse(b"$2a$05$abcdefghijklmnopqrstuu").unwrap();
        assert_eq!(salt[..3], [0x71, 0xd7, 0x9f]);
        for wrong in [
            &b"$2b$05$......................"[..],
            b"$2a$05$.....................",
            b"$2a$03$......................",
            b"$2a$05$.....................!",
            b"$2a$05$.....................A",
            b"",
        ] {
            assert_eq!(parse(wrong), None);
        }
    }
}
