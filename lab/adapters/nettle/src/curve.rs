//! Multiples of points by `ecc_point_mul` and `ecc_point_mul_g` of libhogweed.
#![allow(unsafe_code)]

use touchstone_worker::public::coordinates;
use touchstone_worker::{Cell, Failure, Message, Offer, Operation, Work, offer};

use crate::ffi::Nettle;
use crate::hogweed::{Held, Hogweed, Number};

pub(crate) fn offers(nettle: &Nettle) -> Vec<Offer> {
    if Hogweed::of(nettle).is_none() {
        return Vec::new();
    }
    let each = |id| {
        [
            offer(id, "multiply-base", "ecc_point_mul_g, ecc_point_get"),
            offer(id, "multiply-point", "ecc_point_mul, ecc_point_get"),
        ]
    };
    Hogweed::curves().flat_map(each).collect()
}

pub(crate) fn cell(nettle: &Nettle, work: &Work) -> Option<Result<Cell, Failure>> {
    let hogweed = Hogweed::of(nettle)?;
    let (named, point) = match work.operation.as_str() {
        "multiply-base" => ("point", None),
        "multiply-point" => ("output", Some(work.other("point").to_vec())),
        _ => return None,
    };
    hogweed.curve(&work.primitive)?;
    let (primitive, scalar) = (work.primitive.clone(), work.other("scalar").to_vec());
    let cell = Cell::new(move || Multiple::new(hogweed, &primitive, &scalar, point.as_deref()));
    Some(Ok(cell.gives(&[(named, Cell::REST)])))
}

/// A factor, a point, and room for the result.
struct Multiple {
    hogweed: Hogweed,
    bytes: usize,
    scalar: Held,
    /// The point; without it, the base point.
    point: Option<Held>,
    result: Held,
    affine: [Number; 2],
}

impl Multiple {
    fn new(
        hogweed: Hogweed,
        name: &str,
        scalar: &[u8],
        point: Option<&[u8]>,
    ) -> Result<Self, Failure> {
        let curve = hogweed.curve(name);
        let (curve, bytes) = curve.ok_or_else(|| Failure::unsupported("this curve"))?;
        let read = |encoded: &[u8]| {
            let xy = coordinates(encoded, bytes).ok_or(Failure::Rejected)?;
            hogweed.point(curve, xy).ok_or(Failure::Rejected)
        };
        Ok(Self {
            hogweed,
            bytes,
            scalar: hogweed.scalar(curve, scalar)?,
            point: point.map(read).transpose()?,
            result: hogweed.room(curve),
            affine: [hogweed.zero(), hogweed.zero()],
        })
    }
}

impl Operation for Multiple {
    #[inline]
    fn process(&mut self, _: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        const UNCOMPRESSED: u8 = 4;
        let api = &self.hogweed.api;
        let (result, scalar) = (&raw mut self.result.object, &raw const self.scalar.object);
        let [x, y] = &mut self.affine;
        // SAFETY: all objects are live.
        unsafe {
            match &self.point {
                Some(point) => (api.nettle_ecc_point_mul)(result, scalar, &point.object),
                None => (api.nettle_ecc_point_mul_g)(result, scalar),
            }
            (api.nettle_ecc_point_get)(result, &mut x.mpz, &mut y.mpz);
        }
        output[0] = UNCOMPRESSED;
        let (first, rest) = output[1..].split_at_mut(self.bytes);
        self.hogweed.write(&x.mpz, first);
        self.hogweed.write(&y.mpz, &mut rest[..self.bytes]);
        Ok(2 * self.bytes + 1)
    }
}
