//! Message authentication: HMAC, CMAC, UMAC and Poly1305-AES.
#![allow(unsafe_code)]

use std::ffi::c_uint;

use touchstone_worker::{Cell, Failure, Message, Offer, Operation, Work, offer};

use crate::block::{BLOCK, Block};
use crate::digest::{self, HASHES};
use crate::ffi::{Api, Digest, HashTable, MacTable, Memory, Nettle, SetKey, Update, room};

/// An HMAC with functions of its own, as programs use them; its context is
/// three of the hash's.
#[derive(Clone, Copy)]
pub(crate) struct Hmac {
    pub(crate) set_key: Update,
    pub(crate) update: Update,
    pub(crate) digest: Digest,
    /// Bytes of context and of output.
    pub(crate) context: usize,
    pub(crate) length: usize,
}

impl Hmac {
    /// `None` where Nettle has only the generic functions for this hash.
    pub(crate) fn find(nettle: &Nettle, hash: &str) -> Option<Self> {
        let table = digest::table(nettle, hash)?;
        let (_, name) = HASHES.iter().find(|(id, _)| *id == hash)?;
        // The headers define the short versions' update as the long ones'.
        let updated = match *name {
            "sha224" => "sha256",
            "sha384" => "sha512",
            "streebog256" => "streebog512",
            name => name,
        };
        // SAFETY: the functions of every HMAC have these types.
        unsafe {
            Some(Self {
                set_key: nettle.function(&format!("nettle_hmac_{name}_set_key"))?,
                update: nettle.function(&format!("nettle_hmac_{updated}_update"))?,
                digest: nettle.function(&format!("nettle_hmac_{name}_digest"))?,
                context: 3 * room(table.context_size as usize),
                length: table.digest_size as usize,
            })
        }
    }
}

/// How Nettle offers the algorithm.
#[derive(Clone, Copy)]
enum Form {
    Hmac(Hmac),
    /// `hmac_set_key`, `hmac_update`, `hmac_digest` over a hash's table.
    HmacOver(&'static HashTable),
    /// A table of the library's: CMAC with AES or triple DES.
    Ready(&'static MacTable),
    /// `cmac128_…` or `cmac64_…` over a cipher.
    CmacOver(Block),
    /// UMAC; the functions that take the nonce, the message, and give the tag.
    Umac {
        set_key: SetKey,
        set_nonce: Update,
        update: Update,
        digest: Digest,
    },
    /// Poly1305-AES; the same functions.
    Poly1305 {
        set_key: SetKey,
        set_nonce: SetKey,
        update: Update,
        digest: Digest,
    },
}

/// Room for `cmac128_key` of 32 bytes and `cmac128_ctx` of 40, each.
const CMAC: usize = 128;
/// Room for a UMAC context: the longest, `umac128_ctx`, has 2768 bytes. A
/// `poly1305_aes_ctx` has less than 512.
const UMAC: usize = 8192;

#[derive(Clone, Copy)]
struct Plan {
    api: Api,
    form: Form,
    tag: usize,
}

impl Plan {
    fn find(nettle: &Nettle, primitive: &str, operation: &str) -> Option<Self> {
        let (form, tag) = match operation {
            "cmac" => {
                let name = match primitive {
                    "aes-128" => "aes128",
                    "aes-256" => "aes256",
                    "des-ede3" => "des3",
                    _ => "",
                };
                let block = Block::find(nettle, primitive)?;
                let form = nettle
                    .table(&format!("nettle_cmac_{name}"))
                    .map_or(Form::CmacOver(block), Form::Ready);
                (form, block.size)
            }
            "mac" if primitive == "poly1305-aes" => {
                // SAFETY: nettle/poly1305.h gives the functions these types.
                let form = unsafe {
                    Form::Poly1305 {
                        set_key: nettle.function("nettle_poly1305_aes_set_key")?,
                        set_nonce: nettle.function("nettle_poly1305_aes_set_nonce")?,
                        update: nettle.function("nettle_poly1305_aes_update")?,
                        digest: nettle.function("nettle_poly1305_aes_digest")?,
                    }
                };
                (form, 16)
            }
            "mac" => {
                if let Some(bits) = primitive.strip_prefix("umac-") {
                    let length = match bits {
                        "32" => 4,
                        "64" => 8,
                        "96" => 12,
                        "128" => 16,
                        _ => return None,
                    };
                    // SAFETY: the functions of every UMAC have these types.
                    let form = unsafe {
                        Form::Umac {
                            set_key: nettle.function(&format!("nettle_umac{bits}_set_key"))?,
                            set_nonce: nettle.function(&format!("nettle_umac{bits}_set_nonce"))?,
                            update: nettle.function(&format!("nettle_umac{bits}_update"))?,
                            digest: nettle.function(&format!("nettle_umac{bits}_digest"))?,
                        }
                    };
                    (form, length)
                } else {
                    let hash = primitive.strip_prefix("hmac-")?;
                    let table = digest::table(nettle, hash)?;
                    let form = Hmac::find(nettle, hash).map_or(Form::HmacOver(table), Form::Hmac);
                    (form, table.digest_size as usize)
                }
            }
            _ => return None,
        };
        Some(Self {
            api: nettle.api,
            form,
            tag,
        })
    }

    /// The plan for this work. Nettle aborts the process if a length is wrong, so all
    /// lengths are checked here.
    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        let (key, nonce, tag) = (
            work.key.len(),
            work.nonce.len(),
            work.tag.unwrap_or(self.tag),
        );
        let wrong_key = match &mut self.form {
            Form::Hmac(_) | Form::HmacOver(_) => false,
            Form::Ready(table) => key != table.key_size as usize,
            Form::Umac { .. } => key != 16,
            Form::Poly1305 { .. } => key != 32,
            Form::CmacOver(block) => {
                *block = block.fit(work, 1)?;
                false
            }
        };
        let nonce_fits = match self.form {
            Form::Umac { .. } => (1..=16).contains(&nonce),
            Form::Poly1305 { .. } => nonce == 16,
            _ => nonce == 0,
        };
        let refusal = if wrong_key {
            format!("a key of {key} bytes")
        } else if !nonce_fits {
            format!("a nonce of {nonce} bytes")
        } else if tag == 0 || tag > self.tag {
            format!("a tag of {tag} bytes")
        } else {
            self.tag = tag;
            return Ok(self);
        };
        Err(Failure::Unsupported(refusal))
    }

    fn context(&self) -> usize {
        match self.form {
            Form::Hmac(hmac) => hmac.context,
            Form::HmacOver(table) => 3 * room(table.context_size as usize),
            Form::Ready(table) => table.context_size as usize,
            Form::CmacOver(block) => 2 * CMAC + block.context,
            Form::Umac { .. } | Form::Poly1305 { .. } => UMAC,
        }
    }
}

pub(crate) fn offers(nettle: &Nettle) -> Vec<Offer> {
    let hmac = HASHES.iter().map(|(id, _)| (format!("hmac-{id}"), "mac"));
    let cmac = BLOCK.iter().map(|(id, _)| ((*id).to_owned(), "cmac"));
    let umac = ["32", "64", "96", "128"].map(|bits| (format!("umac-{bits}"), "mac"));
    hmac.chain(cmac)
        .chain(umac)
        .chain([("poly1305-aes".to_owned(), "mac")])
        .filter_map(|(id, operation)| {
            let plan = Plan::find(nettle, &id, operation)?;
            let name = |hash: &str| {
                let found = HASHES.iter().find(|(id, _)| *id == hash);
                found.map_or("", |(_, name)| *name)
            };
            let api = match plan.form {
                Form::Hmac(_) => {
                    let name = name(id.trim_start_matches("hmac-"));
                    format!("hmac_{name}_update, hmac_{name}_digest")
                }
                Form::HmacOver(_) => "hmac_update, hmac_digest".to_owned(),
                Form::Ready(_) => {
                    let cipher = id.replace("-ede", "").replace('-', "");
                    format!("cmac_{cipher}_update, cmac_{cipher}_digest")
                }
                Form::CmacOver(block) => {
                    let bits = 8 * block.size;
                    format!("cmac{bits}_update, cmac{bits}_digest")
                }
                Form::Umac { .. } | Form::Poly1305 { .. } => {
                    let name = id.replace("umac-", "umac").replace('-', "_");
                    format!("{name}_set_nonce, {name}_update, {name}_digest")
                }
            };
            Some(offer(&id, operation, &api))
        })
        .collect()
}

pub(crate) fn cell(nettle: &Nettle, work: &Work) -> Option<Result<Cell, Failure>> {
    let plan = Plan::find(nettle, &work.primitive, &work.operation)?.fit(work);
    Some(plan.map(|plan| {
        Cell::new(move || {
            Ok(Mac {
                plan,
                memory: Memory::new(plan.context()),
            })
        })
    }))
}

struct Mac {
    plan: Plan,
    /// One context; or HMAC's outer, inner and running one, or CMAC's subkeys,
    /// state and cipher.
    memory: Memory,
}

impl Operation for Mac {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        let api = &self.plan.api;
        let (first, memory) = (self.memory.at(0), &mut self.memory);
        // SAFETY: the memory has room for every context of the form, and the
        // key a length that the function takes.
        unsafe {
            match self.plan.form {
                Form::Hmac(hmac) => (hmac.set_key)(first, key.len(), key.as_ptr()),
                Form::HmacOver(table) => {
                    let each = room(table.context_size as usize);
                    let (inner, running) = (memory.at(each), memory.at(2 * each));
                    let run = api.nettle_hmac_set_key;
                    run(first, inner, running, table, key.len(), key.as_ptr());
                }
                Form::Ready(table) => (table.set_key)(first, key.as_ptr()),
                Form::CmacOver(block) => {
                    let (state, cipher) = (memory.at(CMAC), memory.at(2 * CMAC));
                    block.set_key(cipher, key, true);
                    if block.size == 16 {
                        (api.nettle_cmac128_set_key)(first, cipher, block.encrypt);
                        (api.nettle_cmac128_init)(state);
                    } else {
                        (api.nettle_cmac64_set_key)(first, cipher, block.encrypt);
                        (api.nettle_cmac64_init)(state);
                    }
                }
                Form::Umac { set_key, .. } | Form::Poly1305 { set_key, .. } => {
                    set_key(first, key.as_ptr());
                }
            }
        }
        Ok(())
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let Plan { api, form, tag } = &self.plan;
        let (first, memory) = (self.memory.at(0), &mut self.memory);
        let (from, length) = (message.input.as_ptr(), message.input.len());
        let to = output.as_mut_ptr();
        // SAFETY: the contexts are keyed, as `digest` leaves them again; tag
        // and nonce have lengths that the functions take; the worker's output
        // has at least 256 bytes.
        unsafe {
            match *form {
                Form::Hmac(hmac) => {
                    (hmac.update)(first, length, from);
                    (hmac.digest)(first, *tag, to);
                }
                Form::HmacOver(table) => {
                    let each = room(table.context_size as usize);
                    let (inner, running) = (memory.at(each), memory.at(2 * each));
                    (api.nettle_hmac_update)(running, table, length, from);
                    (api.nettle_hmac_digest)(first, inner, running, table, *tag, to);
                }
                Form::Ready(table) => {
                    (table.update)(first, length, from);
                    (table.digest)(first, *tag, to);
                }
                Form::CmacOver(block) => {
                    let (state, cipher) = (memory.at(CMAC), memory.at(2 * CMAC));
                    let (f, tag) = (block.encrypt, *tag as c_uint);
                    if block.size == 16 {
                        (api.nettle_cmac128_update)(state, cipher, f, length, from);
                        (api.nettle_cmac128_digest)(state, first, cipher, f, tag, to);
                    } else {
                        (api.nettle_cmac64_update)(state, cipher, f, length, from);
                        (api.nettle_cmac64_digest)(state, first, cipher, f, tag, to);
                    }
                }
                Form::Umac {
                    set_nonce,
                    update,
                    digest,
                    ..
                } => {
                    set_nonce(first, message.nonce.len(), message.nonce.as_ptr());
                    update(first, length, from);
                    digest(first, *tag, to);
                }
                Form::Poly1305 {
                    set_nonce,
                    update,
                    digest,
                    ..
                } => {
                    set_nonce(first, message.nonce.as_ptr());
                    update(first, length, from);
                    digest(first, *tag, to);
                }
            }
        }
        Ok(*tag)
    }
}
