//! Multiples of points by `ecc_point_mul` and `ecc_point_mul_g` of libhogweed.
#![allow(unsafe_code)]

use touchstone_worker::points::{Multiple, Operands, Points};
use touchstone_worker::public::coordinates;
use touchstone_worker::{Failure, Written};

use crate::hogweed::{Held, Hogweed, Number};

/// A factor, a point, and room for the result.
pub(crate) struct Product {
    bytes: usize,
    scalar: Held,
    /// The point; without it, the base point.
    point: Option<Held>,
    result: Held,
    affine: [Number; 2],
}

impl Points for Hogweed {
    type Held = Product;

    fn api(&self, curve: &str, what: Multiple) -> Option<&'static str> {
        self.curve(curve)?;
        match what {
            Multiple::Base => Some("ecc_point_mul_g, ecc_point_get"),
            Multiple::Any => Some("ecc_point_mul, ecc_point_get"),
            Multiple::Two => None,
        }
    }

    fn hold(&self, curve: &str, what: Multiple, operands: &Operands) -> Result<Product, Failure> {
        let curve = self.curve(curve);
        let (curve, bytes) = curve.ok_or_else(|| Failure::unsupported("this curve"))?;
        let (factor, point) = match what {
            Multiple::Base => (&operands.base, None),
            _ => {
                let xy = coordinates(&operands.point, bytes).ok_or(Failure::Rejected)?;
                let point = self.point(curve, xy).ok_or(Failure::Rejected)?;
                (&operands.scalar, Some(point))
            }
        };
        Ok(Product {
            bytes,
            scalar: self.scalar(curve, factor)?,
            point,
            result: self.room(curve),
            affine: [self.zero(), self.zero()],
        })
    }

    #[inline]
    fn multiply(&self, held: &mut Product, _: Multiple, output: &mut [u8]) -> Written {
        const UNCOMPRESSED: u8 = 4;
        let api = &self.api;
        let (result, scalar) = (&raw mut held.result.value, &raw const held.scalar.value);
        let [x, y] = &mut held.affine;
        // SAFETY: all objects are live.
        unsafe {
            match &held.point {
                Some(point) => (api.nettle_ecc_point_mul)(result, scalar, &point.value),
                None => (api.nettle_ecc_point_mul_g)(result, scalar),
            }
            (api.nettle_ecc_point_get)(result, &mut x.value, &mut y.value);
        }
        output[0] = UNCOMPRESSED;
        let (first, rest) = output[1..].split_at_mut(held.bytes);
        self.write(&x.value, first);
        self.write(&y.value, &mut rest[..held.bytes]);
        Ok(2 * held.bytes + 1)
    }
}
