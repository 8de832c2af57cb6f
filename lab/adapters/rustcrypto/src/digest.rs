//! Hashes and extendable-output functions: `update`, then `finalize_into_reset`.

/// Calls `$then!` with the table of hashes. A row is
///
/// ```text
/// kind: id, crate, type;
/// ```
///
/// where the kind states which HMAC the crate supports: `eager` the HMAC that works on blocks,
/// `simple` the HMAC of any `Digest`, `bare` none.
macro_rules! hashes {
    ($then:ident) => {
        $then! {
            eager: "md2", "md2", md2::Md2;
            eager: "md4", "md4", md4::Md4;
            eager: "md5", "md-5", md5::Md5;
            eager: "sha-1", "sha1", sha1::Sha1;
            eager: "sha-224", "sha2", sha2::Sha224;
            eager: "sha-256", "sha2", sha2::Sha256;
            eager: "sha-384", "sha2", sha2::Sha384;
            eager: "sha-512", "sha2", sha2::Sha512;
            eager: "sha-512-224", "sha2", sha2::Sha512_224;
            eager: "sha-512-256", "sha2", sha2::Sha512_256;
            simple: "sha3-224", "sha3", sha3::Sha3_224;
            simple: "sha3-256", "sha3", sha3::Sha3_256;
            simple: "sha3-384", "sha3", sha3::Sha3_384;
            simple: "sha3-512", "sha3", sha3::Sha3_512;
            eager: "ripemd-128", "ripemd", ripemd::Ripemd128;
            eager: "ripemd-160", "ripemd", ripemd::Ripemd160;
            eager: "ripemd-256", "ripemd", ripemd::Ripemd256;
            eager: "ripemd-320", "ripemd", ripemd::Ripemd320;
            eager: "whirlpool", "whirlpool", whirlpool::Whirlpool;
            eager: "tiger", "tiger", tiger::Tiger;
            eager: "tiger2", "tiger", tiger::Tiger2;
            eager: "sm3", "sm3", sm3::Sm3;
            eager: "streebog-256", "streebog", streebog::Streebog256;
            eager: "streebog-512", "streebog", streebog::Streebog512;
            eager: "gost94", "gost94", gost94::Gost94Test;
            eager: "gost94-cryptopro", "gost94", gost94::Gost94CryptoPro;
            simple: "blake2b", "blake2", blake2::Blake2b512;
            simple: "blake2b-128", "blake2", blake2::Blake2b128;
            simple: "blake2b-160", "blake2", blake2::Blake2b<digest::consts::U20>;
            simple: "blake2b-256", "blake2", blake2::Blake2b256;
            simple: "blake2b-384", "blake2", blake2::Blake2b<digest::consts::U48>;
            simple: "blake2s", "blake2", blake2::Blake2s256;
            simple: "blake2s-128", "blake2", blake2::Blake2s128;
            simple: "blake2s-160", "blake2", blake2::Blake2s<digest::consts::U20>;
            simple: "blake2s-224", "blake2", blake2::Blake2s<digest::consts::U28>;
            bare: "skein-256", "skein", skein::Skein256_256;
            bare: "skein-512", "skein", skein::Skein512_512;
            bare: "skein-512-224", "skein", skein::Skein512<digest::consts::U28>;
            bare: "skein-512-384", "skein", skein::Skein512<digest::consts::U48>;
            bare: "skein-512-256", "skein", skein::Skein512_256;
            bare: "skein-1024", "skein", skein::Skein1024_1024;
            bare: "groestl-224", "groestl", groestl::Groestl224;
            bare: "groestl-256", "groestl", groestl::Groestl256;
            bare: "groestl-384", "groestl", groestl::Groestl384;
            bare: "groestl-512", "groestl", groestl::Groestl512;
            bare: "jh-224", "jh", jh::Jh224;
            bare: "jh-256", "jh", jh::Jh256;
            bare: "jh-384", "jh", jh::Jh384;
            bare: "jh-512", "jh", jh::Jh512;
            bare: "shabal-192", "shabal", shabal::Shabal192;
            bare: "shabal-224", "shabal", shabal::Shabal224;
            bare: "shabal-256", "shabal", shabal::Shabal256;
            bare: "shabal-384", "shabal", shabal::Shabal384;
            bare: "shabal-512", "shabal", shabal::Shabal512;
            bare: "fsb-160", "fsb", fsb::Fsb160;
            bare: "fsb-224", "fsb", fsb::Fsb224;
            bare: "fsb-256", "fsb", fsb::Fsb256;
            bare: "fsb-384", "fsb", fsb::Fsb384;
            bare: "fsb-512", "fsb", fsb::Fsb512;
            bare: "belt-hash", "belt-hash", belt_hash::BeltHash;
            bare: "bash-256", "bash-hash", bash_hash::BashHash256;
            bare: "bash-384", "bash-hash", bash_hash::BashHash384;
            bare: "bash-512", "bash-hash", bash_hash::BashHash512;
            bare: "ascon-hash256", "ascon-hash256", ascon_hash256::AsconHash256;
        }
    };
}
pub(crate) use hashes;

use digest::{ExtendableOutputReset, FixedOutputReset, Output, Update};
use touchstone_worker::{Cell, Failure, Message, Offer, Text, Work, offer};

use crate::versions;

pub(crate) const BLAKE3: &str = "by BLAKE3's authors, not RustCrypto; C and assembly inside";

macro_rules! table {
    ($($kind:ident: $id:literal, $krate:literal, $hash:ty;)*) => {
        const HASHES: &[(&str, &str)] = &[$(($id, $krate)),*];

        fn hash(primitive: &str) -> Option<Cell> {
            match primitive {
                $($id => Some(hash_of::<$hash>()),)*
                _ => None,
            }
        }
    };
}
hashes!(table);

macro_rules! xofs {
    ($($id:literal, $krate:literal, $xof:ty;)*) => {
        const XOFS: &[(&str, &str)] = &[$(($id, $krate)),*];

        fn xof(primitive: &str, length: usize) -> Option<Cell> {
            match primitive {
                $($id => Some(xof_of::<$xof>(length)),)*
                _ => None,
            }
        }
    };
}
xofs! {
    "shake128", "shake", shake::Shake128;
    "shake256", "shake", shake::Shake256;
    "turboshake128", "turboshake", turboshake::TurboShake128;
    "turboshake256", "turboshake", turboshake::TurboShake256;
    "ascon-xof128", "ascon-xof128", ascon_xof128::AsconXof128;
    "kt128", "k12", k12::Kt128;
    "kt256", "k12", k12::Kt256;
}

pub(crate) fn offers() -> Vec<Offer> {
    let hashes = HASHES.iter().map(|(id, krate)| (id, "hash", krate));
    let xofs = XOFS.iter().map(|(id, krate)| (id, "xof", krate));
    let blake3 = ["hash", "xof"].map(|operation| (&"blake3", operation, &"blake3"));
    hashes
        .chain(xofs)
        .chain(blake3)
        .map(|(id, operation, krate)| {
            let mut row = offer(id, operation, &versions::named(krate));
            if *id == "blake3" {
                row.note = BLAKE3.into();
            }
            row
        })
        .collect()
}

pub(crate) fn cell(work: &Work) -> Option<Result<Cell, Failure>> {
    let length = work.length.unwrap_or(32);
    match work.operation.as_str() {
        "hash" | "xof" if work.primitive == "blake3" => Some(Ok(blake3(length))),
        "hash" => hash(&work.primitive).map(Ok),
        // These types take no customisation string.
        "xof" if !work.aad.is_empty() => {
            xof(&work.primitive, length).map(|_| Err(Failure::unsupported("a customisation")))
        }
        "xof" => xof(&work.primitive, length).map(Ok),
        _ => None,
    }
}

fn hash_of<H: Update + FixedOutputReset + Default + 'static>() -> Cell {
    let run = |hash: &mut H, message: &Message<'_>, text: Text<'_>| {
        let output = &mut text.apart()?.1[..H::output_size()];
        hash.update(message.input);
        let out = <&mut Output<H>>::try_from(output)
            .map_err(|_| Failure::failed("no room for the digest"))?;
        hash.finalize_into_reset(out);
        Ok(H::output_size())
    };
    Cell::run(|| Ok(H::default()), run)
}

fn xof_of<H: Update + ExtendableOutputReset + Default + 'static>(length: usize) -> Cell {
    let run = move |hash: &mut H, message: &Message<'_>, text: Text<'_>| {
        hash.update(message.input);
        hash.finalize_xof_reset_into(&mut text.apart()?.1[..length]);
        Ok(length)
    };
    Cell::run(|| Ok(H::default()), run)
}

/// BLAKE3 by the crate's own methods. The crate's implementation of the `digest` traits is a
/// preview.
fn blake3(length: usize) -> Cell {
    let run = move |hasher: &mut blake3::Hasher, message: &Message<'_>, text: Text<'_>| {
        let output = &mut text.apart()?.1[..length];
        hasher.reset();
        hasher.update(message.input);
        if length == blake3::OUT_LEN {
            output.copy_from_slice(hasher.finalize().as_bytes());
        } else {
            hasher.finalize_xof().fill(output);
        }
        Ok(length)
    };
    Cell::run(|| Ok(blake3::Hasher::new()), run)
}
