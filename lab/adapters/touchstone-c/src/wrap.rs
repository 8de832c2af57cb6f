//! Key wrap. There is no handle: each call finds the name and sets the key up.
#![allow(unsafe_code)]

use std::ffi::CString;

use touchstone_worker::{Cell, Failure, Message, Offer, Operation, Work, c_string};

use crate::ffi::{Api, DATA_LENGTH, Touchstone, p, p_mut};

/// The modes that the lab knows.
const MODES: &[&str] = &["kw", "kwp"];

const NOTE: &str = "each call sets the key up";

pub(crate) fn offers(library: &Touchstone) -> Vec<Offer> {
    let mut offers = Vec::new();
    for name in &library.wraps {
        let Some((id, mode)) = library.split(name, MODES) else {
            continue;
        };
        for (way, call) in [
            ("encrypt", "touchstone_wrap"),
            ("decrypt", "touchstone_unwrap"),
        ] {
            offers.push(Offer {
                note: NOTE.into(),
                ..library.named(name, id, &format!("{mode}-{way}"), call)
            });
        }
    }
    offers
}

pub(crate) fn cell(library: &Touchstone, work: &Work) -> Option<Result<Cell, Failure>> {
    let (mode, direction) = work.mode()?;
    let name = format!("{}-{mode}", work.primitive);
    if !library.wraps.contains(&name) {
        return None;
    }
    let api = library.api;
    let (forwards, padded) = (direction.is_encrypt(), mode == "kwp");
    Some(Ok(Cell::new(move || {
        Ok(Wrap {
            api,
            name: c_string(&name),
            forwards,
            padded,
            key: Vec::new(),
        })
    })))
}

struct Wrap {
    api: Api,
    name: CString,
    forwards: bool,
    padded: bool,
    key: Vec<u8>,
}

impl Operation for Wrap {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        self.key.clear();
        self.key.extend_from_slice(key);
        Ok(())
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let (api, name) = (&self.api, self.name.as_ptr());
        let (k, n) = (p(&self.key), self.key.len());
        let (i, len) = (p(message.input), message.input.len());
        let mut length = if !self.forwards {
            len.saturating_sub(8)
        } else if self.padded {
            len.next_multiple_of(8) + 8
        } else {
            len + 8
        };
        let (o, room) = (p_mut(&mut output[..length]), length);
        // SAFETY: the name is a C string, and all bytes have their lengths.
        let code = unsafe {
            if self.forwards {
                (api.touchstone_wrap)(name, k, n, i, len, o, room)
            } else {
                (api.touchstone_unwrap)(name, k, n, i, len, o, room, &mut length)
            }
        };
        match code {
            // A secret of a length that cannot be wrapped is wrong input.
            DATA_LENGTH => Err(Failure::Rejected),
            code => api.check(code).map(|()| length),
        }
    }
}
