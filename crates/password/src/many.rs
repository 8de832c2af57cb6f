//! Many phrases at once: sorts them by method, and gives each method the phrases that it can hash
//! together.

use crate::digest::{Place, Results, many};
use crate::text::Writer;
use crate::{Error, Method, OUTPUT_SIZE, bcrypt, checked, des, hash_by, md5, sha2, sunmd5};
use alloc::vec::Vec;
use touchstone::hash::{Md5, Sha256, Sha512};

/// The number of phrases that are prepared together. DES takes so many in one call.
const GROUP: usize = 512;

/// Computes [`hash_many`](crate::hash_many). The numbers fit.
pub(crate) fn hash<'o>(
    phrases: &[&[u8]],
    settings: &[&[u8]],
    outputs: &'o mut [[u8; OUTPUT_SIZE]],
    results: &mut Results<'o>,
) {
    let setting = |i: usize| settings[i % settings.len()];
    for (g, outputs) in outputs.chunks_mut(GROUP).enumerate() {
        let phrase = |i: usize| checked(phrases[i]);
        let [
            mut md5s,
            mut suns,
            mut sha256s,
            mut sha512s,
            mut bcrypts,
            mut traditional,
        ] = [const { Vec::new() }; 6];
        for (i, output) in outputs.iter_mut().enumerate() {
            let i = GROUP * g + i;
            let group: &mut Vec<Place<'o>> = match Method::identify(setting(i)) {
                Some(Method::Md5) => &mut md5s,
                Some(Method::SunMd5) => &mut suns,
                Some(Method::Sha256) => &mut sha256s,
                Some(Method::Sha512) => &mut sha512s,
                Some(Method::BcryptA | Method::BcryptB | Method::BcryptX | Method::BcryptY) => {
                    &mut bcrypts
                }
                Some(Method::Des) => &mut traditional,
                Some(method) => {
                    results[i] =
                        phrase(i).and_then(|phrase| hash_by(method, phrase, setting(i), output));
                    continue;
                }
                None => {
                    results[i] = Err(Error::Setting);
                    continue;
                }
            };
            group.push((i, Writer::new(output)));
        }
        many::<Md5, _>(
            md5s,
            results,
            |i, out| md5::begin(phrase(i)?, setting(i), out),
            md5::in_lanes,
            md5::end,
        );
        many::<Md5, _>(
            suns,
            results,
            |i, out| sunmd5::begin(phrase(i)?, setting(i), out),
            |_| (),
            sunmd5::end,
        );
        many::<Sha256, _>(
            sha256s,
            results,
            |i, out| sha2::begin_256(phrase(i)?, setting(i), out),
            |_| (),
            sha2::end_256,
        );
        many::<Sha512, _>(
            sha512s,
            results,
            |i, out| sha2::begin_512(phrase(i)?, setting(i), out),
            |_| (),
            sha2::end_512,
        );
        bcrypt::many(bcrypts, results, |i| Ok((phrase(i)?, setting(i))));
        des::many(traditional, results, |i| Ok((phrase(i)?, setting(i))));
    }
}
