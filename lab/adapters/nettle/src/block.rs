//! The block ciphers, by Nettle's tables or, for ciphers without a table, by their functions.
#![allow(unsafe_code)]

use std::ffi::{c_int, c_uint, c_void};
use std::ops::RangeInclusive;

use touchstone_worker::{Failure, Work};

use crate::ffi::{CipherTable, Crypt, Nettle, SetKey, Update, room};

/// Rows: the primitive, and Nettle's table for the primitive or for a related cipher.
pub(crate) const BLOCK: &[(&str, &str)] = &[
    ("aes-128", "aes128"),
    ("aes-192", "aes192"),
    ("aes-256", "aes256"),
    ("camellia-128", "camellia128"),
    ("camellia-192", "camellia192"),
    ("camellia-256", "camellia256"),
    ("serpent-128", "serpent128"),
    ("serpent-192", "serpent192"),
    ("serpent-256", "serpent256"),
    ("twofish-128", "twofish128"),
    ("twofish-192", "twofish192"),
    ("twofish-256", "twofish256"),
    ("sm4", "sm4"),
    ("des", ""),
    ("des-ede3", ""),
    ("blowfish", ""),
    ("cast5", "cast128"),
    ("rc2", "arctwo128"),
];

/// The function that sets a key.
#[derive(Clone, Copy)]
enum Schedule {
    /// One function for each direction, from the table.
    Ways(SetKey, SetKey),
    /// A function that also returns whether the key is weak. A weak key is set too.
    Weak(unsafe extern "C" fn(*mut c_void, *const u8) -> c_int),
    /// A function that takes the key's length and returns whether the key is weak.
    WeakSized(unsafe extern "C" fn(*mut c_void, usize, *const u8) -> c_int),
    /// A function that takes the key's length.
    Sized(Update),
    /// RC2: a function that takes the key's length, and the effective key length in bits.
    Effective(
        unsafe extern "C" fn(*mut c_void, usize, *const u8, c_uint),
        c_uint,
    ),
}

/// A block cipher of Nettle.
#[derive(Clone, Copy)]
pub(crate) struct Block {
    /// The cipher's name in Nettle's tables.
    pub(crate) name: &'static str,
    /// Nettle's table for exactly this cipher, if there is one.
    pub(crate) table: Option<&'static CipherTable>,
    /// Room for a context, in bytes, rounded up to the alignment of the next context.
    pub(crate) context: usize,
    /// Length of the block in bytes.
    pub(crate) size: usize,
    /// The least and the greatest length of a key, in bytes.
    keys: [usize; 2],
    schedule: Schedule,
    pub(crate) encrypt: Crypt,
    pub(crate) decrypt: Crypt,
}

impl Block {
    /// Returns the cipher. RC2 has its greatest effective key length.
    pub(crate) fn find(nettle: &Nettle, primitive: &str) -> Option<Self> {
        let api = &nettle.api;
        // These ciphers have no table. In all versions so far, their contexts have 128, 384 and
        // 4168 bytes. A larger room does no harm.
        let by_hand = |context, keys, schedule, encrypt, decrypt| Self {
            name: "",
            table: None,
            context,
            size: 8,
            keys,
            schedule,
            encrypt,
            decrypt,
        };
        let (set_des, set_des3) = (api.nettle_des_set_key, api.nettle_des3_set_key);
        let (des, undes) = (api.nettle_des_encrypt, api.nettle_des_decrypt);
        let (des3, undes3) = (api.nettle_des3_encrypt, api.nettle_des3_decrypt);
        let (fish, unfish) = (api.nettle_blowfish_encrypt, api.nettle_blowfish_decrypt);
        let set_fish = Schedule::WeakSized(api.nettle_blowfish_set_key);
        match primitive {
            "des" => return Some(by_hand(512, [8; 2], Schedule::Weak(set_des), des, undes)),
            "des-ede3" => {
                return Some(by_hand(
                    1024,
                    [24; 2],
                    Schedule::Weak(set_des3),
                    des3,
                    undes3,
                ));
            }
            "blowfish" => return Some(by_hand(8192, [8, 56], set_fish, fish, unfish)),
            _ => {}
        }
        let (_, name) = *BLOCK.iter().find(|(id, _)| *id == primitive)?;
        let table: &'static CipherTable = nettle.table(&format!("nettle_{name}"))?;
        let key = table.key_size as usize;
        let (keys, schedule) = match primitive {
            "cast5" => ([5, 16], Schedule::Sized(api.nettle_cast5_set_key)),
            "rc2" => (
                [1, 128],
                Schedule::Effective(api.nettle_arctwo_set_key_ekb, 128),
            ),
            _ => (
                [key; 2],
                Schedule::Ways(table.set_encrypt_key, table.set_decrypt_key),
            ),
        };
        Some(Self {
            name,
            table: matches!(schedule, Schedule::Ways(..)).then_some(table),
            context: room(table.context_size as usize),
            size: table.block_size as usize,
            keys,
            schedule,
            encrypt: table.encrypt,
            decrypt: table.decrypt,
        })
    }

    /// Returns the key lengths that the cipher accepts, in bytes.
    pub(crate) fn keys(&self) -> RangeInclusive<usize> {
        self.keys[0]..=self.keys[1]
    }

    /// Returns the cipher with the work's costs.
    pub(crate) fn with_costs(mut self, work: &Work) -> Result<Self, Failure> {
        if work.cost("rounds").is_some() {
            return Err(Failure::unsupported("a number of rounds"));
        }
        if let Schedule::Effective(_, bits) = &mut self.schedule {
            let asked = work
                .cost("effective-bits")
                .unwrap_or(8 * work.key.len() as u64);
            *bits = c_uint::try_from(asked)
                .ok()
                .filter(|bits| (1..=1024).contains(bits))
                .ok_or_else(|| {
                    Failure::unsupported(format_args!("an effective key length of {asked} bits"))
                })?;
        }
        Ok(self)
    }

    /// Computes the key schedule for encryption if `encrypt` is true, otherwise for decryption.
    ///
    /// # Safety
    ///
    /// The context must have room for `self.context` bytes, and the key must have a length that
    /// `fit` accepts.
    #[inline]
    pub(crate) unsafe fn set_key(&self, context: *mut c_void, key: &[u8], encrypt: bool) {
        let (length, key) = (key.len(), key.as_ptr());
        // SAFETY: the caller guarantees the context's room and the key's length. The functions
        // belong to this cipher. The lab uses weak keys like other keys, so the report that a
        // key is weak is ignored.
        unsafe {
            match self.schedule {
                Schedule::Ways(forwards, _) if encrypt => forwards(context, key),
                Schedule::Ways(_, backwards) => backwards(context, key),
                Schedule::Weak(schedule) => _ = schedule(context, key),
                Schedule::WeakSized(schedule) => _ = schedule(context, length, key),
                Schedule::Sized(schedule) => schedule(context, length, key),
                Schedule::Effective(schedule, bits) => schedule(context, length, key, bits),
            }
        }
    }
}
