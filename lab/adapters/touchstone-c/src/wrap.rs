//! Key wrap. The C interface has no handle for it: each call takes the algorithm's name and the
//! key.
#![allow(unsafe_code)]

use std::ffi::CString;

use touchstone_worker::{
    BLOCK_MODES, Direction, Failure, Message, Plan, Written, algorithm, c_string,
};

use crate::ffi::{Api, DATA_LENGTH, Touchstone, p, p_mut};

#[derive(Clone)]
pub(crate) struct Wrap {
    api: Api,
    name: CString,
    way: Direction,
    padded: bool,
}

impl Plan for Wrap {
    type Library = Touchstone;
    /// The key, which is an argument of the call for each message.
    type Object = Vec<u8>;
    const OPERATIONS: &'static [&'static str] = BLOCK_MODES;

    fn find(library: &Touchstone, primitive: &str, operation: &str) -> Option<Self> {
        let (mode, way) = Direction::split(operation)?;
        let name = algorithm(primitive, operation);
        library.wraps.contains(&name).then(|| Self {
            api: library.api,
            name: c_string(&name),
            way,
            padded: mode == "kwp",
        })
    }

    fn api(&self, _: &str, _: &str) -> String {
        let way = self.way;
        way.choose("touchstone_wrap", "touchstone_unwrap").into()
    }

    fn note(&self, _: &str, _: &str) -> &'static str {
        "each call sets the key up"
    }

    fn make(&self) -> Result<Vec<u8>, Failure> {
        Ok(Vec::new())
    }

    fn set_key(&self, last: &mut Vec<u8>, key: &[u8]) -> Result<(), Failure> {
        last.clear();
        last.extend_from_slice(key);
        Ok(())
    }

    #[inline(always)]
    fn process(&self, key: &mut Vec<u8>, message: &Message<'_>, output: &mut [u8]) -> Written {
        let (api, name) = (&self.api, self.name.as_ptr());
        let forwards = self.way.is_encrypt();
        let (k, n) = (p(key), key.len());
        let (i, len) = (p(message.input), message.input.len());
        let mut length = if !forwards {
            len.saturating_sub(8)
        } else if self.padded {
            len.next_multiple_of(8) + 8
        } else {
            len + 8
        };
        let (o, room) = (p_mut(&mut output[..length]), length);
        // SAFETY: the name is a C string, and each length is the length of its bytes.
        let code = unsafe {
            if forwards {
                (api.touchstone_wrap)(name, k, n, i, len, o, room)
            } else {
                (api.touchstone_unwrap)(name, k, n, i, len, o, room, &mut length)
            }
        };
        match code {
            // A secret or a wrapped key of an impossible length counts as rejected.
            DATA_LENGTH => Err(Failure::Rejected),
            code => api.check(code).map(|()| length),
        }
    }
}
