//! AES-GCM: the library has a direct call for one message.
#![allow(unsafe_code)]

use touchstone_worker::{Cell, Failure, Message, Offer, Operation, Work, offer};

use crate::ffi::{Gcm, Handle, IpsecMb};
use crate::keys::{GCM_KEY as KEY, aes_size};

pub(crate) fn offers(library: &IpsecMb) -> Vec<Offer> {
    let rows = ["aes-128", "aes-192", "aes-256"].map(|id| {
        [
            ("gcm-encrypt", "IMB_AESxxx_GCM_ENC"),
            ("gcm-decrypt", "IMB_AESxxx_GCM_DEC"),
        ]
        .map(|(operation, api)| Offer {
            kernel: library.arch.into(),
            ..offer(id, operation, api)
        })
    });
    rows.concat()
}

pub(crate) fn cell(library: &IpsecMb, work: &Work) -> Option<Result<Cell, Failure>> {
    let size = aes_size(&work.primitive)?;
    let encrypt = match work.operation.as_str() {
        "gcm-encrypt" => true,
        "gcm-decrypt" => false,
        _ => return None,
    };
    let tag = work.tag.unwrap_or(16);
    if let Err(refusal) = work.need_key(16 + 8 * size) {
        return Some(Err(refusal));
    }
    if let Err(refusal) = work.need_nonce(12) {
        return Some(Err(refusal));
    }
    if !(1..=16).contains(&tag) {
        return Some(Err(Failure::unsupported("a tag of this length")));
    }
    let library = library.clone();
    Some(Ok(Cell::new(move || {
        let handle = library.manager()?;
        let manager = handle.get();
        Ok(Direct {
            handle,
            call: if encrypt {
                manager.gcm_encrypt
            } else {
                manager.gcm_decrypt
            }[size],
            size,
            encrypt,
            tag,
            keys: Box::new(Aligned([0; KEY])),
            context: Aligned([0; CONTEXT]),
        })
    })))
}

/// Bytes of `struct gcm_context_data`, rounded up.
const CONTEXT: usize = 128;

#[repr(C, align(64))]
struct Aligned<const BYTES: usize>([u8; BYTES]);

struct Direct {
    handle: Handle,
    call: Gcm,
    size: usize,
    encrypt: bool,
    tag: usize,
    keys: Box<Aligned<KEY>>,
    context: Aligned<CONTEXT>,
}

impl Operation for Direct {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        let schedule = self.handle.get().gcm_key[self.size];
        // SAFETY: the key's length was checked when the cell was made, the
        // schedule is large enough and aligned.
        unsafe { schedule(key.as_ptr(), self.keys.0.as_mut_ptr().cast()) };
        Ok(())
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let (input, given) = if self.encrypt {
            (message.input, &[][..])
        } else {
            let at = message.input.len().checked_sub(self.tag);
            message.input.split_at(at.ok_or(Failure::Rejected)?)
        };
        let (data, rest) = output.split_at_mut(input.len());
        let mut made = [0_u8; 16];
        let tag = if self.encrypt {
            &mut rest[..16]
        } else {
            &mut made[..]
        };
        // SAFETY: lengths are those of the slices, the nonce is 12 bytes, the
        // tag's place 16.
        unsafe {
            (self.call)(
                self.keys.0.as_ptr().cast(),
                self.context.0.as_mut_ptr().cast(),
                data.as_mut_ptr(),
                input.as_ptr(),
                input.len() as u64,
                message.nonce.as_ptr(),
                message.aad.as_ptr(),
                message.aad.len() as u64,
                tag.as_mut_ptr(),
                self.tag as u64,
            );
        }
        if self.encrypt {
            Ok(input.len() + self.tag)
        } else if made[..self.tag] == *given {
            Ok(input.len())
        } else {
            Err(Failure::Rejected)
        }
    }
}
