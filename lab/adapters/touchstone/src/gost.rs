//! The MAC of GOST 28147-89: one row a set of S-boxes.

use touchstone::block::gost28147::SBoxes;
use touchstone::mac::GostMac;
use touchstone::{Kernel, Keyed};
use touchstone_worker::{Cell, Failure, Offer, Work, offer};

use crate::block::{keyed_by, tag};

const BOXES: &[(&str, &SBoxes)] = &[
    ("gost28147", SBoxes::CRYPTO_PRO_A),
    ("gost28147-r3411-cryptopro", SBoxes::R3411_CRYPTO_PRO),
    ("gost28147-test", SBoxes::TEST),
];

pub(crate) fn offers() -> Vec<Offer> {
    let kernel = <GostMac<'_> as Keyed>::Kernel::best().name();
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
    (work.operation == "gost-mac").then(|| {
        keyed_by(
            work,
            |key: &[u8]| GostMac::with_boxes(boxes, key),
            move |mac: &GostMac<'static>, m, out| Ok(tag(mac, m, out, cut)),
        )
    })
}
