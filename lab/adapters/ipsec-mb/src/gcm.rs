//! AES-GCM and GMAC. For these, the library has functions that process one message without a
//! job.
#![allow(unsafe_code)]

use touchstone_worker::{Cell, Failure, Message, Offer, Operation, Work, offer};

use crate::ffi::{Gcm, Handle, IpsecMb};
use crate::keys::aes_size;

pub(crate) fn offers(library: &IpsecMb) -> Vec<Offer> {
    let rows = ["aes-128", "aes-192", "aes-256"].map(|id| {
        [
            ("gcm-encrypt", "IMB_AESxxx_GCM_ENC"),
            ("gcm-decrypt", "IMB_AESxxx_GCM_DEC"),
            ("gmac", "IMB_AESxxx_GMAC_INIT, UPDATE, FINALIZE"),
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
    let (task, nonces) = match work.operation.as_str() {
        "gcm-encrypt" => (Task::Encrypt, 12..=12),
        "gcm-decrypt" => (Task::Decrypt, 12..=12),
        "gmac" => (Task::Authenticate, 1..=64),
        _ => return None,
    };
    let lengths = work
        .need_key(16 + 8 * size)
        .and_then(|()| work.need_nonce(nonces))
        .and_then(|()| work.need_tag(16, 1..=16));
    let library = library.clone();
    Some(lengths.map(|tag| {
        Cell::new(move || {
            Ok(Direct {
                handle: library.manager()?,
                size,
                task,
                tag,
                keys: Box::new(Aligned([0; KEY])),
                context: Aligned([0; CONTEXT]),
            })
        })
    }))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Task {
    Encrypt,
    Decrypt,
    Authenticate,
}

/// The size of `struct gcm_key_data` in bytes, rounded up to its alignment: 1264 bytes since
/// version 1.5, 1008 before.
const KEY: usize = 1280;

/// The size of `struct gcm_context_data` in bytes, rounded up.
const CONTEXT: usize = 128;

#[repr(C, align(64))]
struct Aligned<const BYTES: usize>([u8; BYTES]);

struct Direct {
    handle: Handle,
    size: usize,
    task: Task,
    tag: usize,
    keys: Box<Aligned<KEY>>,
    context: Aligned<CONTEXT>,
}

impl Direct {
    /// Encrypts or decrypts `input` and writes the tag.
    #[inline]
    fn crypt(
        &mut self,
        call: Gcm,
        message: &Message<'_>,
        input: &[u8],
        output: *mut u8,
        tag: *mut u8,
    ) {
        let (nonce, aad) = (message.nonce.as_ptr(), message.aad);
        // SAFETY: each length is the length of its slice, the nonce is 12 bytes long, the tag
        // has room for 16 bytes, and the output has room for the input.
        unsafe {
            call(
                self.keys.0.as_ptr().cast(),
                self.context.0.as_mut_ptr().cast(),
                output,
                input.as_ptr(),
                input.len() as u64,
                nonce,
                aad.as_ptr(),
                aad.len() as u64,
                tag,
                self.tag as u64,
            );
        }
    }
}

impl Operation for Direct {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        let schedule = self.handle.get().gcm_key[self.size];
        // SAFETY: the length of the key was checked when the cell was made. The memory for the
        // key schedule is large enough and aligned.
        unsafe { schedule(key.as_ptr(), self.keys.0.as_mut_ptr().cast()) };
        Ok(())
    }

    #[inline(always)]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let (size, input) = (self.size, message.input);
        match self.task {
            Task::Encrypt => {
                let (data, tag) = output.split_at_mut(input.len());
                let call = self.handle.get().gcm_encrypt[size];
                self.crypt(call, message, input, data.as_mut_ptr(), tag.as_mut_ptr());
                Ok(input.len() + self.tag)
            }
            Task::Decrypt => {
                let at = input.len().checked_sub(self.tag).ok_or(Failure::Rejected)?;
                let (input, given) = input.split_at(at);
                let mut made = [0_u8; 16];
                let call = self.handle.get().gcm_decrypt[size];
                let (data, tag) = (output.as_mut_ptr(), made.as_mut_ptr());
                self.crypt(call, message, input, data, tag);
                if made[..self.tag] == *given {
                    Ok(at)
                } else {
                    Err(Failure::Rejected)
                }
            }
            Task::Authenticate => {
                let manager = self.handle.get();
                let (nonce, given) = (message.nonce, input.len() as u64);
                let keys = self.keys.0.as_ptr().cast();
                let context = self.context.0.as_mut_ptr().cast();
                // SAFETY: each length is the length of its slice, and the output has 256 bytes.
                unsafe {
                    (manager.gmac_nonce[size])(keys, context, nonce.as_ptr(), nonce.len() as u64);
                    (manager.gmac_data[size])(keys, context, input.as_ptr(), given);
                    let tag = output.as_mut_ptr();
                    (manager.gmac_tag[size])(keys, context, tag, self.tag as u64);
                }
                Ok(self.tag)
            }
        }
    }
}
