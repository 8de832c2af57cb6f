//! Authenticated encryption: `mbedtls_cipher_auth_encrypt_ext` and its inverse;
//! and GMAC, which is GCM with associated data only.
#![allow(unsafe_code)]

use touchstone_worker::{
    Cell, Contract, Direction, Failure, Message, Offer, Operation, Text, Work, offer,
    stays_in_place,
};

use crate::cipher::{self, BLOCK};
use crate::ffi::{Api, Held, Known, Mbed, ok};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Gcm,
    Ccm,
    ChaCha,
}

/// The parameters of an object, known before it is made.
#[derive(Clone, Copy)]
struct Plan {
    api: Api,
    known: Known,
    mode: Mode,
    encrypt: bool,
    /// GMAC: the message is associated data, the tag is the output.
    mac: bool,
    key: usize,
    tag: usize,
}

impl Plan {
    fn find(mbed: &Mbed, primitive: &str, operation: &str) -> Option<Self> {
        let mac = operation == "gmac";
        let (stem, way) = if mac {
            ("gcm", Direction::Encrypt)
        } else {
            Direction::split(operation)?
        };
        let encrypt = way.is_encrypt();
        let (mode, name, key) = if (primitive, stem) == ("chacha20-poly1305", "aead") {
            (Mode::ChaCha, "CHACHA20-POLY1305".to_owned(), 32)
        } else {
            let block = BLOCK.iter().find(|block| block.id == primitive)?;
            let (mode, name) = match stem {
                "gcm" => (Mode::Gcm, "GCM"),
                "ccm" => (Mode::Ccm, "CCM"),
                _ => return None,
            };
            (mode, format!("{}-{name}", block.stem), block.keys[0])
        };
        Some(Self {
            api: mbed.api,
            known: mbed.cipher(&name)?,
            mode,
            encrypt,
            mac,
            key,
            tag: 16,
        })
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        let (key, nonce) = (work.key.len(), work.nonce.len());
        let tag = work.tag.unwrap_or(self.tag);
        let (nonce_fits, tag_fits) = match self.mode {
            Mode::Gcm => (nonce >= 1, (4..=16).contains(&tag)),
            Mode::Ccm => (
                (7..=13).contains(&nonce),
                (4..=16).contains(&tag) && tag.is_multiple_of(2),
            ),
            Mode::ChaCha => (nonce == 12, tag == 16),
        };
        // CCM stores the message's length in the bytes of a block that the nonce leaves
        // free, and Mbed TLS stores the associated data's length in two bytes.
        let count = 15_usize.saturating_sub(nonce);
        let too_long = self.mode == Mode::Ccm
            && ((count < 8 && work.input.len() >= 1 << (8 * count)) || work.aad.len() > 0xfeff);
        let refusal = if key != self.key {
            format!("a key of {key} bytes")
        } else if !nonce_fits {
            format!("a nonce of {nonce} bytes")
        } else if !tag_fits {
            format!("a tag of {tag} bytes")
        } else if too_long {
            "a message or associated data of this length".to_owned()
        } else {
            self.tag = tag;
            return Ok(self);
        };
        Err(Failure::Unsupported(refusal))
    }
}

pub(crate) fn offers(mbed: &Mbed) -> Vec<Offer> {
    const OPERATIONS: &[&str] = &[
        "gcm-encrypt",
        "gcm-decrypt",
        "ccm-encrypt",
        "ccm-decrypt",
        "gmac",
    ];
    let block = BLOCK
        .iter()
        .flat_map(|block| OPERATIONS.iter().map(|operation| (block.id, *operation)));
    let own = ["aead-encrypt", "aead-decrypt"].map(|operation| ("chacha20-poly1305", operation));
    block
        .chain(own)
        .filter_map(|(id, operation)| {
            let plan = Plan::find(mbed, id, operation)?;
            let way = if plan.encrypt { "encrypt" } else { "decrypt" };
            let mut row = offer(id, operation, &format!("mbedtls_cipher_auth_{way}_ext"))
                .taking(Contract::InPlace, stays_in_place(operation));
            if plan.mac {
                row.note = "GCM with associated data only".into();
            }
            Some(row)
        })
        .collect()
}

pub(crate) fn cell(mbed: &Mbed, work: &Work) -> Option<Result<Cell, Failure>> {
    let plan = Plan::find(mbed, &work.primitive, &work.operation)?.fit(work);
    Some(plan.map(|plan| {
        Cell::new(move || {
            let context = cipher::context(&plan.api, plan.known)?;
            Ok(Aead { plan, context })
        })
    }))
}

struct Aead {
    plan: Plan,
    context: Held,
}

impl Operation for Aead {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        cipher::set_key(&self.plan.api, self.context.get(), key, self.plan.encrypt)
    }

    #[inline]
    fn transform(&mut self, message: &Message<'_>, mut text: Text<'_>) -> Result<usize, Failure> {
        let Plan {
            api,
            encrypt,
            mac,
            tag,
            ..
        } = self.plan;
        let (length, aad) = if mac {
            (0, message.input)
        } else {
            (text.length(), message.aad)
        };
        if !encrypt && length < tag {
            return Err(Failure::Rejected);
        }
        let run = if encrypt {
            api.mbedtls_cipher_auth_encrypt_ext
        } else {
            api.mbedtls_cipher_auth_decrypt_ext
        };
        let (from, to) = text.pointers();
        let mut written = 0;
        // SAFETY: the context is keyed; lengths are those of the slices.
        let code = unsafe {
            run(
                self.context.get(),
                message.nonce.as_ptr(),
                message.nonce.len(),
                aad.as_ptr(),
                aad.len(),
                from,
                length,
                to,
                text.output().len(),
                &mut written,
                tag,
            )
        };
        ok("mbedtls_cipher_auth_ext", code)?;
        Ok(written)
    }
}
