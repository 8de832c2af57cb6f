//! Operations whose key is two of a block cipher's: XTS and the retail MAC.

use touchstone::Keyed;
use touchstone::block::*;
use touchstone::mac::RetailMac;
use touchstone::mode::Xts;
use touchstone_worker::{Cell, Failure, Offer, Work, offer};

use crate::block::{block, done, keyed, tag};

macro_rules! xts {
    ($($id:literal = $encrypt:ty, $decrypt:ty;)*) => {
        pub(crate) fn offers() -> Vec<Offer> {
            let row = |kernel: &str, id, operation, api| Offer {
                kernel: kernel.to_owned(),
                ..offer(id, operation, api)
            };
            let des = <Des as Keyed>::best_kernel();
            vec![
                $(
                    row(<$encrypt as Keyed>::best_kernel(), $id, "xts-encrypt", "Xts::encrypt_into"),
                    row(<$decrypt as Keyed>::best_kernel(), $id, "xts-decrypt", "Xts::decrypt_into"),
                )*
                row(des, "des-ede2", "retail-mac", "RetailMac::mac"),
            ]
        }

        pub(crate) fn cell(work: &Work) -> Option<Result<Cell, Failure>> {
            match (work.primitive.as_str(), work.operation.as_str()) {
                $(
                    ($id, "xts-encrypt") => Some(keyed(work, |mode: &Xts<$encrypt>, m, out| {
                        let out = &mut out[..m.input.len()];
                        done(m, mode.encrypt_into(&block(m.nonce)?, m.input, out))
                    })),
                    ($id, "xts-decrypt") => Some(keyed(work, |mode: &Xts<$decrypt, $encrypt>, m, out| {
                        let out = &mut out[..m.input.len()];
                        done(m, mode.decrypt_into(&block(m.nonce)?, m.input, out))
                    })),
                )*
                ("des-ede2", "retail-mac") => {
                    let cut = work.tag;
 Some(keyed(work, move |mac: &RetailMac<Des>, m, out| Ok(tag(mac, m, out, cut))))
                }
                _ => None,
            }
        }
    };
}

xts! {
    "aes-128" = Aes128Encrypt, Aes128Decrypt;
    "aes-192" = Aes192Encrypt, Aes192Decrypt;
    "aes-256" = Aes256Encrypt, Aes256Decrypt;
    "camellia-128" = Camellia128, Camellia128;
    "camellia-192" = Camellia192, Camellia192;
    "camellia-256" = Camellia256, Camellia256;
    "serpent-128" = Serpent, Serpent;
    "serpent-192" = Serpent, Serpent;
    "serpent-256" = Serpent, Serpent;
    "sm4" = Sm4, Sm4;
    "anubis" = AnubisEncrypt, AnubisDecrypt;
    "anubis-original" = AnubisOriginalEncrypt, AnubisOriginalDecrypt;
    "aria-128" = Aria128Encrypt, Aria128Decrypt;
    "aria-192" = Aria192Encrypt, Aria192Decrypt;
    "aria-256" = Aria256Encrypt, Aria256Decrypt;
    "kuznyechik" = KuznyechikEncrypt, KuznyechikDecrypt;
    "seed" = Seed, Seed;
    "twofish-128" = Twofish, Twofish;
    "twofish-192" = Twofish, Twofish;
    "twofish-256" = Twofish, Twofish;
}
