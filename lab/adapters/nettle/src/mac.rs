//! Message authentication codes: HMAC, CMAC, UMAC and Poly1305-AES.
#![allow(unsafe_code)]

use std::ffi::c_uint;

use touchstone_worker::{Failure, MACS, Message, Plan, Work, Written};

use crate::block::Block;
use crate::digest::{self, HASHES};
use crate::ffi::{Api, Digest, HashTable, MacTable, Memory, Nettle, SetKey, Update, room};

/// The functions of an HMAC for one hash. Its context contains three contexts of the hash.
#[derive(Clone, Copy)]
pub(crate) struct Hmac {
    pub(crate) name: &'static str,
    pub(crate) set_key: Update,
    pub(crate) update: Update,
    pub(crate) digest: Digest,
    /// Length of the context in bytes. `length` is the length of the tag in bytes.
    pub(crate) context: usize,
    pub(crate) length: usize,
}

impl Hmac {
    /// Returns the HMAC of a hash, or `None` if Nettle has only the generic functions for the
    /// hash.
    pub(crate) fn find(nettle: &Nettle, hash: &str) -> Option<Self> {
        let table = digest::table(nettle, hash)?;
        let (_, name) = *HASHES.iter().find(|(id, _)| *id == hash)?;
        // The headers define the update function of the truncated hashes as the update function
        // of the full hashes.
        let updated = match name {
            "sha224" => "sha256",
            "sha384" => "sha512",
            "streebog256" => "streebog512",
            name => name,
        };
        // SAFETY: the functions of every HMAC have these types.
        unsafe {
            Some(Self {
                name,
                set_key: nettle.function(&format!("nettle_hmac_{name}_set_key"))?,
                update: nettle.function(&format!("nettle_hmac_{updated}_update"))?,
                digest: nettle.function(&format!("nettle_hmac_{name}_digest"))?,
                context: 3 * room(table.context_size as usize),
                length: table.digest_size as usize,
            })
        }
    }
}

/// The functions of Nettle for the algorithm.
#[derive(Clone, Copy)]
enum Form {
    Hmac(Hmac),
    /// `hmac_set_key`, `hmac_update`, `hmac_digest` with the table of a hash.
    HmacOver(&'static HashTable),
    /// A table of the library: CMAC with AES or with triple DES.
    Ready(&'static MacTable),
    /// `cmac128_…` or `cmac64_…` with a block cipher.
    CmacOver(Block),
    /// UMAC: the functions that set the key and the nonce, take the message and write the tag.
    Umac {
        set_key: SetKey,
        set_nonce: Update,
        update: Update,
        digest: Digest,
    },
    /// Poly1305-AES: the functions that set the key and the nonce, take the message and write
    /// the tag.
    Poly1305 {
        set_key: SetKey,
        set_nonce: SetKey,
        update: Update,
        digest: Digest,
    },
}

/// Room in bytes for `cmac128_key` and for `cmac128_ctx`. They need 32 and 40 bytes.
const CMAC: usize = 128;
/// Room for a UMAC context in bytes. The longest, `umac128_ctx`, needs 2768 bytes;
/// `poly1305_aes_ctx` needs fewer than 512.
const UMAC: usize = 8192;

#[derive(Clone, Copy)]
pub(crate) struct Mac {
    api: Api,
    form: Form,
    tag: usize,
}

impl Plan for Mac {
    type Library = Nettle;
    /// One context. Or, for HMAC, the outer, inner and running contexts; for CMAC, the subkeys,
    /// the state and the cipher.
    type Object = Memory;
    const OPERATIONS: &'static [&'static str] = MACS;

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
                // SAFETY: the functions have these types in nettle/poly1305.h.
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

    fn api(&self, primitive: &str, _: &str) -> String {
        match self.form {
            Form::Hmac(hmac) => format!("hmac_{0}_update, hmac_{0}_digest", hmac.name),
            Form::HmacOver(_) => "hmac_update, hmac_digest".into(),
            Form::Ready(_) => {
                let cipher = primitive.replace("-ede", "").replace('-', "");
                format!("cmac_{cipher}_update, cmac_{cipher}_digest")
            }
            Form::CmacOver(block) => format!("cmac{0}_update, cmac{0}_digest", 8 * block.size),
            Form::Umac { .. } | Form::Poly1305 { .. } => {
                let name = primitive.replace("umac-", "umac").replace('-', "_");
                format!("{name}_set_nonce, {name}_update, {name}_digest")
            }
        }
    }

    /// Nettle aborts the process if a length is wrong, so the worker checks every length.
    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        let shape = work.shape(self.tag);
        self.tag = match &mut self.form {
            Form::Hmac(_) | Form::HmacOver(_) => shape.fit(work, 0..),
            Form::Ready(table) => shape.fit(work, table.key_size as usize),
            Form::Umac { .. } => shape.nonce(1..=16).fit(work, 16),
            Form::Poly1305 { .. } => shape.nonce(16).fit(work, 32),
            Form::CmacOver(block) => {
                *block = block.with_costs(work)?;
                shape.fit(work, block.keys())
            }
        }?;
        Ok(self)
    }

    fn make(&self) -> Result<Memory, Failure> {
        Ok(Memory::new(match self.form {
            Form::Hmac(hmac) => hmac.context,
            Form::HmacOver(table) => 3 * room(table.context_size as usize),
            Form::Ready(table) => table.context_size as usize,
            Form::CmacOver(block) => 2 * CMAC + block.context,
            Form::Umac { .. } | Form::Poly1305 { .. } => UMAC,
        }))
    }

    fn set_key(&self, memory: &mut Memory, key: &[u8]) -> Result<(), Failure> {
        let (api, first) = (&self.api, memory.at(0));
        // SAFETY: the memory has room for every context of the form, and the key has a length
        // that the function accepts.
        unsafe {
            match self.form {
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

    #[inline(always)]
    fn process(&self, memory: &mut Memory, message: &Message<'_>, output: &mut [u8]) -> Written {
        let (Self { api, form, tag }, first) = (self, memory.at(0));
        let (from, length) = (message.input.as_ptr(), message.input.len());
        let to = output.as_mut_ptr();
        // SAFETY: the contexts have a key, which `digest` does not remove. Tag and nonce have
        // lengths that the functions accept. The worker's output has at least 256 bytes.
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
