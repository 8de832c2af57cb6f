//! Multiples of points by `gcry_mpi_ec_mul`.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_int};
use std::ptr;

use touchstone_worker::points::{Multiple, Operands, Points};
use touchstone_worker::{Failure, Written};

use crate::ffi::{Api, Handle, Open};

/// The lab's names of curves, the library's names, and the bytes of a coordinate.
pub(crate) const CURVES: &[(&str, &CStr, usize)] = &[
    ("p192", c"NIST P-192", 24),
    ("p224", c"NIST P-224", 28),
    ("p256", c"NIST P-256", 32),
    ("p384", c"NIST P-384", 48),
    ("p521", c"NIST P-521", 66),
    ("secp256k1", c"secp256k1", 32),
    ("brainpoolp256r1", c"brainpoolP256r1", 32),
    ("brainpoolp384r1", c"brainpoolP384r1", 48),
    ("brainpoolp512r1", c"brainpoolP512r1", 64),
    ("sm2p256v1", c"sm2p256v1", 32),
    ("gost256a", c"GOST2001-CryptoPro-A", 32),
    ("gost512a", c"GOST2012-512-tc26-A", 64),
];

/// Makes a curve's context.
pub(crate) fn context(api: &Api, name: &CStr) -> Result<Open, Failure> {
    let (new, none, name) = (api.gcry_mpi_ec_new, ptr::null_mut(), name.as_ptr());
    // SAFETY: NULL means that the name alone gives the curve, the name is a C string, and a
    // successful call writes the context.
    unsafe {
        Open::made(api.gcry_ctx_release, |handle| {
            api.ok("gcry_mpi_ec_new", new(handle, none, name))
        })
    }
}

/// Returns the public key of a factor: a multiple of the base point, uncompressed.
pub(crate) fn public(
    api: Api,
    name: &CStr,
    bytes: usize,
    scalar: &[u8],
) -> Result<Vec<u8>, Failure> {
    let mut point = vec![0; 1 + 2 * bytes];
    let mut held = Held::new(&api, name, bytes, scalar, None)?;
    api.multiply(&mut held, Multiple::Base, &mut point)?;
    Ok(point)
}

/// A curve, a factor and a point.
pub(crate) struct Held {
    bytes: usize,
    scalar: Open,
    point: Open,
    result: Open,
    /// The affine coordinates of the result.
    affine: [Open; 2],
    context: Open,
}

impl Held {
    fn new(
        api: &Api,
        name: &CStr,
        bytes: usize,
        scalar: &[u8],
        point: Option<&[u8]>,
    ) -> Result<Self, Failure> {
        const COPY: c_int = 1;
        let context = context(api, name)?;
        // SAFETY: all objects are live, and the owner of a point releases it. The name is a C
        // string, and the copy belongs to the caller.
        let (result, point) = unsafe {
            let owned = |point: Handle| Open::new(point, api.gcry_mpi_point_release);
            let result = owned((api.gcry_mpi_point_new)(0))?;
            let point = match point {
                None => owned((api.gcry_mpi_ec_get_point)(
                    c"g".as_ptr(),
                    context.object,
                    COPY,
                ))?,
                Some(encoded) => {
                    let point = owned((api.gcry_mpi_point_new)(0))?;
                    let encoded = api.number(encoded)?;
                    let (to, from) = (point.object, encoded.object);
                    let error = (api.gcry_mpi_ec_decode_point)(to, from, context.object);
                    api.ok("gcry_mpi_ec_decode_point", error)?;
                    if (api.gcry_mpi_ec_curve_point)(to, context.object) == 0 {
                        return Err(Failure::Rejected);
                    }
                    point
                }
            };
            (result, point)
        };
        Ok(Self {
            scalar: api.number(scalar)?,
            affine: [api.number(&[])?, api.number(&[])?],
            bytes,
            point,
            result,
            context,
        })
    }
}

impl Points for Api {
    type Held = Held;

    fn api(&self, curve: &str, what: Multiple) -> Option<&'static str> {
        let (_, name, _) = CURVES.iter().find(|(id, ..)| *id == curve)?;
        context(self, name).ok()?;
        (what != Multiple::Two).then_some("gcry_mpi_ec_mul, gcry_mpi_ec_get_affine")
    }

    fn hold(&self, curve: &str, what: Multiple, operands: &Operands) -> Result<Held, Failure> {
        let found = CURVES.iter().find(|(id, ..)| *id == curve);
        let (_, name, bytes) = found.ok_or_else(|| Failure::unsupported("this curve"))?;
        let (factor, point) = match what {
            Multiple::Base => (&operands.base, None),
            _ => (&operands.scalar, Some(&operands.point[..])),
        };
        Held::new(self, name, *bytes, factor, point)
    }

    #[inline]
    fn multiply(&self, held: &mut Held, _: Multiple, output: &mut [u8]) -> Written {
        const UNCOMPRESSED: u8 = 4;
        let (context, bytes) = (held.context.object, held.bytes);
        let [x, y] = [held.affine[0].object, held.affine[1].object];
        let (result, scalar, point) = (held.result.object, held.scalar.object, held.point.object);
        // SAFETY: all objects are live.
        let at_infinity = unsafe {
            (self.gcry_mpi_ec_mul)(result, scalar, point, context);
            (self.gcry_mpi_ec_get_affine)(x, y, result, context) != 0
        };
        if at_infinity {
            return Err(Failure::unsupported("the point at infinity"));
        }
        let (head, rest) = output[..2 * bytes + 1].split_at_mut(1);
        head[0] = UNCOMPRESSED;
        let (first, second) = rest.split_at_mut(bytes);
        self.write_number(x, first)?;
        self.write_number(y, second)?;
        Ok(2 * bytes + 1)
    }
}
