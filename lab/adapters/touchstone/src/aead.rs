//! Authenticated encryption by block ciphers: one row a cipher, one line a mode.

use touchstone::aead::{AeadError, Ccm, Eax, Gcm, GcmSiv, Gmac, Ocb, Siv};
use touchstone::block::*;
use touchstone::hidden::AeadEngine as Aead;
use touchstone::mode::KeyWrap;
use touchstone::{FusedDecrypt, FusedEncrypt, Keyed};
use touchstone_worker::{Cell, Failure, Offer, Work, offer};

use crate::block::keyed;

macro_rules! ciphers {
    ($($id:literal = $forwards:ty, $both:ty: [$($mode:ident)*];)*) => {
        pub(crate) fn offers() -> Vec<Offer> {
            let mut rows = Vec::new();
            $($(mode!(offer $mode, $forwards, $both, $id, rows);)*)*
            rows
        }

        pub(crate) fn cell(work: &Work) -> Option<Result<Cell, Failure>> {
            let operation = work.operation.as_str();
            let (mode, encrypt) = match operation.rsplit_once('-') {
                Some((mode, "encrypt")) => (mode, true),
                Some((mode, "decrypt")) => (mode, false),
                _ => (operation, true),
            };
            match work.primitive.as_str() {
                $($id => {
                    $(mode!(cell $mode, $forwards, $both, mode, work, encrypt);)*
                    None
                })*
                _ => None,
            }
        }
    };
}

/// What a mode is called and which type has it.
macro_rules! mode {
    ($what:ident gcm, $($rest:tt)*) => { mode!(@ $what "gcm", Gcm, forwards, $($rest)*); };
    ($what:ident ocb, $($rest:tt)*) => { mode!(@ $what "ocb", Ocb, both, $($rest)*); };
    ($what:ident siv, $($rest:tt)*) => { mode!(@ $what "siv", Siv, forwards, $($rest)*); };
    ($what:ident gcmsiv, $($rest:tt)*) => { mode!(@ $what "gcm-siv", GcmSiv, forwards, $($rest)*); };
    ($what:ident kw, $f:ty, $both:ty, $($rest:tt)*) => { mode!(@ $what "kw", "KeyWrap::", wrap::<$both>, $both, $($rest)*); };
    ($what:ident kwp, $f:ty, $both:ty, $($rest:tt)*) => { mode!(@ $what "kwp", "KeyWrap::padded_", wrap_padded::<$both>, $both, $($rest)*); };
    ($what:ident gmac, $f:ty, $both:ty, $($rest:tt)*) => { mode!(mac $what $f, $($rest)*); };
    (mac offer $forwards:ty, $id:literal, $rows:ident) => {
        $rows.push(Offer {
            kernel: <$forwards as Keyed>::best_kernel().to_owned(),
            ..offer($id, "gmac", "Gmac::mac_into")
        });
    };
    (mac cell $forwards:ty, $given:ident, $work:ident, $encrypt:ident) => {
        if $given == "gmac" {
            return Some(gmac::<$forwards>($work));
        }
    };
    (@ offer $name:literal, $api:literal, $cell:expr, $Cipher:ty, $id:literal, $rows:ident) => {
        for (way, api) in [("encrypt", "wrap_into"), ("decrypt", "unwrap_into")] {
            $rows.push(Offer {
                kernel: <$Cipher as Keyed>::best_kernel().to_owned(),
                ..offer($id, &format!(concat!($name, "-{}"), way), &format!(concat!($api, "{}"), api))
            });
        }
    };
    (@ cell $name:literal, $api:literal, $cell:expr, $Cipher:ty, $given:ident, $work:ident, $encrypt:ident) => {
        if $given == $name {
            return Some($cell($work, $encrypt));
        }
    };
    ($what:ident ccm, $($rest:tt)*) => { mode!(@ $what "ccm", Ccm, forwards, $($rest)*); };
    ($what:ident eax, $($rest:tt)*) => { mode!(@ $what "eax", Eax, forwards, $($rest)*); };
    (@ $what:ident $name:literal, $Mode:ident, forwards, $forwards:ty, $both:ty, $($rest:tt)*) => {
        mode!(@ $what $name, $Mode<$forwards>, $($rest)*);
    };
    (@ $what:ident $name:literal, $Mode:ident, both, $forwards:ty, $both:ty, $($rest:tt)*) => {
        mode!(@ $what $name, $Mode<$both>, $($rest)*);
    };
    (@ offer $name:literal, $Mode:ty, $id:literal, $rows:ident) => {
        for (way, api) in [("encrypt", "Aead::encrypt_into"), ("decrypt", "Aead::decrypt_into")] {
            $rows.push(Offer {
                kernel: <$Mode as Keyed>::best_kernel().to_owned(),
                ..offer($id, &format!(concat!($name, "-{}"), way), api)
            });
        }
    };
    (@ cell $name:literal, $Mode:ty, $given:ident, $work:ident, $encrypt:ident) => {
        if $given == $name {
            return Some(cell_of::<$Mode>($work, $encrypt));
        }
    };
}

ciphers! {
    "aes-128" = Aes128Encrypt, Aes128: [gcm ccm eax ocb siv gcmsiv kw kwp gmac];
    "aes-192" = Aes192Encrypt, Aes192: [gcm ccm eax ocb siv gcmsiv kw kwp gmac];
    "aes-256" = Aes256Encrypt, Aes256: [gcm ccm eax ocb siv gcmsiv kw kwp gmac];
    "aria-128" = Aria128, Aria128: [gcm ccm eax ocb siv kw kwp gmac];
    "aria-192" = Aria192, Aria192: [gcm ccm eax ocb siv kw kwp gmac];
    "aria-256" = Aria256, Aria256: [gcm ccm eax ocb siv kw kwp gmac];
    "camellia-128" = Camellia128, Camellia128: [gcm ccm eax ocb siv kw kwp gmac];
    "camellia-192" = Camellia192, Camellia192: [gcm ccm eax ocb siv kw kwp gmac];
    "camellia-256" = Camellia256, Camellia256: [gcm ccm eax ocb siv kw kwp gmac];
    "seed" = Seed, Seed: [gcm ccm eax ocb siv kw kwp gmac];
    "sm4" = Sm4, Sm4: [gcm ccm eax ocb siv kw kwp gmac];
    "des" = Des, Des: [eax];
    "des-ede2" = DesEde2, DesEde2: [eax];
    "des-ede3" = DesEde3, DesEde3: [eax];
    "anubis" = AnubisEncrypt, Anubis: [gcm ccm eax ocb siv gmac];
    "anubis-original" = AnubisOriginalEncrypt, AnubisOriginal: [gcm ccm eax ocb siv gmac];
    "kuznyechik" = KuznyechikEncrypt, Kuznyechik: [gcm ccm eax ocb siv kw kwp gmac];
    "serpent-128" = Serpent, Serpent: [gcm ccm eax ocb siv kw kwp gmac];
    "serpent-192" = Serpent, Serpent: [gcm ccm eax ocb siv kw kwp gmac];
    "serpent-256" = Serpent, Serpent: [gcm ccm eax ocb siv kw kwp gmac];
    "twofish-128" = Twofish, Twofish: [gcm ccm eax ocb siv kw kwp gmac];
    "twofish-192" = Twofish, Twofish: [gcm ccm eax ocb siv kw kwp gmac];
    "twofish-256" = Twofish, Twofish: [gcm ccm eax ocb siv kw kwp gmac];
    "blowfish" = Blowfish, Blowfish: [eax];
    "cast5" = Cast5, Cast5: [eax];
    "gost28147" = Gost28147, Gost28147: [eax];
    "idea" = IdeaEncrypt, Idea: [eax];
    "magma" = Magma, Magma: [eax];
    "shacal2" = Shacal2, Shacal2: [eax];
    "tea" = Tea, Tea: [eax];
    "xtea" = Xtea, Xtea: [eax];
}

fn cell_of<A: Aead + Keyed + 'static>(work: &Work, encrypt: bool) -> Result<Cell, Failure> {
    let tag = work.tag.unwrap_or(A::TAG);
    if encrypt {
        keyed(work, move |mode: &A, m, out| {
            let n = m.input.len();
            let out = &mut out[..n + tag];
            let (data, tag) = parts_mut::<A>(out, n, tag);
            match mode.encrypt_into(m.nonce, m.aad, m.input, data, tag) {
                Ok(()) => Ok(n + tag.len()),
                Err(error) => Err(failure(error)),
            }
        })
    } else {
        keyed(work, move |mode: &A, m, out| {
            let Some(n) = m.input.len().checked_sub(tag) else {
                return Err(Failure::Rejected);
            };
            let (data, tag) = if A::TAG_FIRST {
                let (tag, data) = m.input.split_at(tag);
                (data, tag)
            } else {
                m.input.split_at(n)
            };
            match mode.decrypt_into(m.nonce, m.aad, data, &mut out[..n], tag) {
                Ok(()) => Ok(n),
                Err(error) => Err(failure(error)),
            }
        })
    }
}

/// Data and tag of a joined message.
fn parts_mut<A: Aead>(joined: &mut [u8], data: usize, tag: usize) -> (&mut [u8], &mut [u8]) {
    if A::TAG_FIRST {
        let (tag, data) = joined.split_at_mut(tag);
        (data, tag)
    } else {
        joined.split_at_mut(data)
    }
}

fn failure(error: AeadError) -> Failure {
    match error {
        AeadError::Forged => Failure::Rejected,
        error => Failure::unsupported(error),
    }
}

fn wrap<C>(work: &Work, encrypt: bool) -> Result<Cell, Failure>
where
    C: Keyed + FusedEncrypt<Block = [u8; 16]> + FusedDecrypt<Block = [u8; 16]> + 'static,
{
    if encrypt {
        keyed(work, |cipher: &C, m, out| {
            let n = m.input.len() + 8;
            match KeyWrap::new(cipher).wrap_into(m.input, &mut out[..n]) {
                Ok(()) => Ok(n),
                // A key that cannot be wrapped is wrong input.
                Err(AeadError::MessageLength) => Err(Failure::Rejected),
                Err(error) => Err(failure(error)),
            }
        })
    } else {
        keyed(work, |cipher: &C, m, out| {
            let n = m.input.len().saturating_sub(8);
            match KeyWrap::new(cipher).unwrap_into(m.input, &mut out[..n]) {
                Ok(()) => Ok(n),
                Err(AeadError::MessageLength) => Err(Failure::Rejected),
                Err(error) => Err(failure(error)),
            }
        })
    }
}

fn wrap_padded<C>(work: &Work, encrypt: bool) -> Result<Cell, Failure>
where
    C: Keyed + FusedEncrypt<Block = [u8; 16]> + FusedDecrypt<Block = [u8; 16]> + 'static,
{
    if encrypt {
        keyed(work, |cipher: &C, m, out| {
            let n = KeyWrap::<&C>::padded_length(m.input.len());
            match KeyWrap::new(cipher).wrap_padded_into(m.input, &mut out[..n]) {
                Ok(()) => Ok(n),
                Err(AeadError::MessageLength) => Err(Failure::Rejected),
                Err(error) => Err(failure(error)),
            }
        })
    } else {
        keyed(work, |cipher: &C, m, out| {
            let n = m.input.len().saturating_sub(8);
            match KeyWrap::new(cipher).unwrap_padded_into(m.input, &mut out[..n]) {
                Ok(n) => Ok(n),
                Err(AeadError::MessageLength) => Err(Failure::Rejected),
                Err(error) => Err(failure(error)),
            }
        })
    }
}

fn gmac<C: Keyed + FusedEncrypt<Block = [u8; 16]> + 'static>(work: &Work) -> Result<Cell, Failure> {
    let tag = work.tag.unwrap_or(16);
    keyed(work, move |gmac: &Gmac<C>, m, out| {
        match gmac.mac_into(m.nonce, m.input, &mut out[..tag]) {
            Ok(()) => Ok(tag),
            Err(error) => Err(failure(error)),
        }
    })
}
