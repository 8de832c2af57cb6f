//! Key derivation: PBKDF2 and HKDF with the HMACs for which Nettle has functions.
#![allow(unsafe_code)]

use touchstone_worker::{Cell, Derivation, Failure, Offer, Work, offer};

use crate::digest::HASHES;
use crate::ffi::{Memory, Nettle, Pbkdf2};
use crate::mac::Hmac;

/// Returns `pbkdf2_hmac_…` for a hash, if Nettle has this function.
fn pbkdf2(nettle: &Nettle, hash: &str) -> Option<Pbkdf2> {
    // SAFETY: every nettle_pbkdf2_hmac_… has this type.
    unsafe { nettle.function(&format!("nettle_pbkdf2_hmac_{hash}")) }
}

pub(crate) fn offers(nettle: &Nettle) -> Vec<Offer> {
    let row = |(id, name): &(&str, &str)| {
        Hmac::find(nettle, id)?;
        let pbkdf2 = match pbkdf2(nettle, name) {
            Some(_) => format!("pbkdf2_hmac_{name}"),
            None => format!("hmac_{name}_set_key, pbkdf2"),
        };
        let hkdf = format!("hmac_{name}_set_key, hkdf_extract, hkdf_expand");
        Some([
            offer(&format!("pbkdf2-hmac-{id}"), "derive", &pbkdf2),
            offer(&format!("hkdf-{id}"), "derive", &hkdf),
        ])
    };
    HASHES.iter().filter_map(row).flatten().collect()
}

pub(crate) fn cell(nettle: &Nettle, work: &Work) -> Option<Result<Cell, Failure>> {
    let api = nettle.api;
    Some(match Derivation::of(work)? {
        Derivation::Pbkdf2(hash) => {
            let hmac = Hmac::find(nettle, hash)?;
            let ready = pbkdf2(nettle, hmac.name);
            work.factor("iterations").map(|iterations| {
                let make = move || Ok(Memory::new(hmac.context));
                work.derived_with(make, move |memory, message, output| {
                    let (input, given) = (message.input.as_ptr(), message.input.len());
                    let (salt, salted) = (message.nonce.as_ptr(), message.nonce.len());
                    let (to, length) = (output.as_mut_ptr(), output.len());
                    if let Some(run) = ready {
                        // SAFETY: each length is the length of its slice.
                        unsafe { run(given, input, iterations, salted, salt, length, to) };
                        return Ok(());
                    }
                    let run = api.nettle_pbkdf2;
                    let (context, update, digest) = (memory.at(0), hmac.update, hmac.digest);
                    let (size, n) = (hmac.length, iterations);
                    // SAFETY: each length is the length of its slice, and the context belongs
                    // to the HMAC.
                    unsafe {
                        (hmac.set_key)(context, given, input);
                        run(context, update, digest, size, n, salted, salt, length, to);
                    }
                    Ok(())
                })
            })
        }
        Derivation::Hkdf(hash) => {
            let hmac = Hmac::find(nettle, hash)?;
            // hkdf_expand does not check the output's length, so the worker checks it.
            work.need_hkdf_length(hmac.length).map(|()| {
                let make = move || Ok(Memory::new(hmac.context));
                work.derived_with(make, move |memory, message, output| {
                    let (extract, expand) = (api.nettle_hkdf_extract, api.nettle_hkdf_expand);
                    let (input, given) = (message.input.as_ptr(), message.input.len());
                    let (info, told) = (message.aad.as_ptr(), message.aad.len());
                    let (to, length) = (output.as_mut_ptr(), output.len());
                    let (context, update, digest) = (memory.at(0), hmac.update, hmac.digest);
                    let (size, mut prk) = (hmac.length, [0; 64]);
                    let inner = prk.as_mut_ptr();
                    // SAFETY: each length is the length of its slice, the context belongs to
                    // the HMAC, and no hash is longer than 64 bytes.
                    unsafe {
                        (hmac.set_key)(context, message.nonce.len(), message.nonce.as_ptr());
                        extract(context, update, digest, size, given, input, inner);
                        (hmac.set_key)(context, size, inner);
                        expand(context, update, digest, size, told, info, length, to);
                    }
                    Ok(())
                })
            })
        }
        _ => return None,
    })
}
