//! crypt(3) methods by `CustomizedPasswordHasher::hash_password_customized`. These crates take
//! a salt as bytes and write its Base64 form into the hash string, so a setting works only if
//! its salt is valid Base64. The worker parses the settings, because the crates parse settings
//! only to verify a hash.

use mcf::Base64;
use password_hash::CustomizedPasswordHasher;
use sha_crypt::password_hash;
use touchstone_worker::{Cell, Failure, Message, Offer, Operation, Work, offer};

use crate::kdf::fits;
use crate::versions;

const METHODS: &[(&str, &str)] = &[
    ("crypt-sha256", "sha-crypt"),
    ("crypt-sha512", "sha-crypt"),
    ("crypt-scrypt", "scrypt"),
    ("crypt-yescrypt", "yescrypt"),
];

pub(crate) fn offers() -> Vec<Offer> {
    METHODS
        .iter()
        .map(|(id, krate)| {
            let mut row = offer(id, "crypt", &versions::api(&[krate, "mcf"]));
            row.note = "takes settings whose salt is the Base64 of whole bytes".into();
            row
        })
        .collect()
}

pub(crate) fn cell(work: &Work) -> Option<Result<Cell, Failure>> {
    if work.operation != "crypt" {
        return None;
    }
    let call: Method = match work.primitive.as_str() {
        "crypt-sha256" => |phrase, setting| sha_crypt("5", phrase, setting),
        "crypt-sha512" => |phrase, setting| sha_crypt("6", phrase, setting),
        "crypt-scrypt" => scrypt,
        "crypt-yescrypt" => yescrypt,
        _ => return None,
    };
    Some(Ok(Cell::new(move || {
        Ok(Crypt {
            call,
            phrase: Vec::new(),
        })
    })))
}

type Method = fn(&[u8], &str) -> Result<mcf::PasswordHash, Failure>;

struct Crypt {
    call: Method,
    /// The phrase, if the work passed it as the key.
    phrase: Vec<u8>,
}

impl Operation for Crypt {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        self.phrase.clear();
        self.phrase.extend_from_slice(key);
        Ok(())
    }

    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let setting = std::str::from_utf8(message.nonce).map_err(Failure::unsupported)?;
        let phrase = if self.phrase.is_empty() {
            message.input
        } else {
            &self.phrase
        };
        let hash = (self.call)(phrase, setting)?;
        let text = hash.as_str().as_bytes();
        output[..text.len()].copy_from_slice(text);
        Ok(text.len())
    }
}

/// Returns the fields of a setting after its `$id$`.
fn fields<'a>(setting: &'a str, id: &str) -> Result<std::str::Split<'a, char>, Failure> {
    let mut fields = setting.split('$');
    match (fields.next(), fields.next()) {
        (Some(""), Some(found)) if found == id => Ok(fields),
        _ => Err(Failure::unsupported("another method's setting")),
    }
}

/// Decodes a salt from Base64.
fn salt(text: &str) -> Result<Vec<u8>, Failure> {
    let bytes = Base64::Crypt
        .decode_vec(text)
        .map_err(|_| Failure::unsupported("a salt that is not the Base64 of whole bytes"))?;
    if Base64::Crypt.encode_string(&bytes) == text {
        Ok(bytes)
    } else {
        Err(Failure::unsupported(
            "a salt that is not the Base64 of whole bytes",
        ))
    }
}

fn sha_crypt(id: &str, phrase: &[u8], setting: &str) -> Result<mcf::PasswordHash, Failure> {
    let mut fields = fields(setting, id)?;
    let first = fields.next().unwrap_or_default();
    if !first.starts_with("rounds=") {
        return Err(Failure::unsupported(
            "a setting without rounds=: the crate always writes them",
        ));
    }
    let params = first
        .parse::<sha_crypt::Params>()
        .map_err(Failure::unsupported)?;
    let text = fields.next().unwrap_or_default();
    if text.len() > 16 {
        return Err(Failure::unsupported("a salt of more than 16 characters"));
    }
    sha_crypt::ShaCrypt::default()
        .hash_password_customized(phrase, &salt(text)?, Some(id), None, params)
        .map_err(Failure::unsupported)
}

fn yescrypt(phrase: &[u8], setting: &str) -> Result<mcf::PasswordHash, Failure> {
    let mut fields = fields(setting, "y")?;
    let params = fields
        .next()
        .unwrap_or_default()
        .parse::<yescrypt::Params>()
        .map_err(Failure::unsupported)?;
    fits(params.n(), params.r(), params.p())?;
    let salt = salt(fields.next().unwrap_or_default())?;
    yescrypt::Yescrypt::default()
        .hash_password_customized(phrase, &salt, Some("y"), None, params)
        .map_err(Failure::unsupported)
}

fn scrypt(phrase: &[u8], setting: &str) -> Result<mcf::PasswordHash, Failure> {
    let mut fields = fields(setting, "7")?;
    let text = fields.next().unwrap_or_default();
    // The text has one character for log₂ N, five characters for r and five for p. The first
    // character of a number has its lowest bits.
    let number = |at: usize, characters: usize| {
        let part = text.as_bytes().get(at..at + characters)?;
        part.iter().rev().try_fold(0_u32, |sum, byte| {
            let digit = match byte {
                b'.'..=b'9' => byte - b'.',
                b'A'..=b'Z' => byte - b'A' + 12,
                b'a'..=b'z' => byte - b'a' + 38,
                _ => return None,
            };
            Some(sum << 6 | u32::from(digit))
        })
    };
    let (Some(log_n), Some(r), Some(p)) = (number(0, 1), number(1, 5), number(6, 5)) else {
        return Err(Failure::unsupported("a setting without N, r and p"));
    };
    fits(1 << log_n, r, p)?;
    let params = scrypt::Params::new(log_n as u8, r, p).map_err(Failure::unsupported)?;
    scrypt::Scrypt::default()
        .hash_password_customized(phrase, &salt(&text[11..])?, Some("7"), None, params)
        .map_err(Failure::unsupported)
}
