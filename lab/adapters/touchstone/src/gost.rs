//! The MAC of GOST 28147-89: one row a set of S-boxes.

use touchstone::Keyed;
use touchstone::block::gost28147::SBoxes;
use touchstone::mac::GostMac;
use touchstone_worker::{Cell, Failure, Message, Offer, Work, offer};

use crate::block::{keyed, keyed_by, tag};

/// The sets, but for the usual one, which a key alone means.
const BOXES: &[(&str, Option<&SBoxes>)] = &[
    ("gost28147", None),
    ("gost28147-r3411-cryptopro", Some(SBoxes::R3411_CRYPTO_PRO)),
    ("gost28147-test", Some(SBoxes::TEST)),
];

pub(crate) fn offers() -> Vec<Offer> {
    let kernel = <GostMac<'_> as Keyed>::best_kernel();
    BOXES
        .iter()
        .map(|(id, _)| Offer {
            kernel: kernel.to_owned(),
            ..offer(id, "gost-mac", "GostMac::mac")
        })
        .collect()
}

pub(crate) fn cell(work: &Work) -> Option<Result<Cell, Failure>> {
    let (_, boxes) = *BOXES.iter().find(|(id, _)| work.primitive == *id)?;
    let cut = work.tag;
    let message =
        move |mac: &GostMac<'static>, m: &Message<'_>, out: &mut [u8]| Ok(tag(mac, m, out, cut));
    (work.operation == "gost-mac").then(|| match boxes {
        None => keyed(work, message),
        Some(boxes) => keyed_by(work, |key: &[u8]| GostMac::with_boxes(boxes, key), message),
    })
}
