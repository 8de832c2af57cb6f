//! Authenticated encryption by block ciphers: one row a cipher, one line a mode.

use touchstone::aead::*;
use touchstone::block::*;
use touchstone::{Kernel, Keyed};
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
            let (mode, way) = work.operation.rsplit_once('-')?;
            let encrypt = match way {
                "encrypt" => true,
                "decrypt" => false,
                _ => return None,
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
                kernel: <$Mode as Keyed>::Kernel::best().name().to_owned(),
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
    "aes-128" = Aes128Encrypt, Aes128: [gcm ccm eax ocb];
    "aes-192" = Aes192Encrypt, Aes192: [gcm ccm eax ocb];
    "aes-256" = Aes256Encrypt, Aes256: [gcm ccm eax ocb];
    "des" = Des, Des: [eax];
    "des-ede2" = DesEde2, DesEde2: [eax];
    "des-ede3" = DesEde3, DesEde3: [eax];
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
