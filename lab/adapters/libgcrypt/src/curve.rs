//! Multiples of points by `gcry_mpi_ec_mul`.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_int};
use std::ptr;

use touchstone_worker::{Cell, Failure, Message, Offer, Operation, Work, offer};

use crate::ffi::{Api, Gcrypt, Handle, Open};

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
    let mut handle = ptr::null_mut();
    // SAFETY: NULL means that the name alone gives the curve, the name is a C string, and a
    // successful call writes the context.
    let error = unsafe { (api.gcry_mpi_ec_new)(&mut handle, ptr::null_mut(), name.as_ptr()) };
    api.ok("gcry_mpi_ec_new", error)?;
    Ok(Open {
        handle,
        close: api.gcry_ctx_release,
    })
}

pub(crate) fn offers(library: &Gcrypt) -> Vec<Offer> {
    let here = CURVES
        .iter()
        .filter(|(_, name, _)| context(&library.api, name).is_ok());
    let each = |(id, ..): &(&str, _, _)| {
        let api = "gcry_mpi_ec_mul, gcry_mpi_ec_get_affine";
        ["multiply-base", "multiply-point"].map(|operation| offer(id, operation, api))
    };
    here.flat_map(each).collect()
}

pub(crate) fn cell(library: &Gcrypt, work: &Work) -> Option<Result<Cell, Failure>> {
    let (named, point) = match work.operation.as_str() {
        "multiply-base" => ("point", None),
        "multiply-point" => ("output", Some(work.other("point").to_vec())),
        _ => return None,
    };
    let (_, name, bytes) = CURVES.iter().find(|(id, ..)| *id == work.primitive)?;
    let (api, scalar) = (library.api, work.other("scalar").to_vec());
    let cell = Cell::new(move || Multiple::new(api, name, *bytes, &scalar, point.as_deref()));
    Some(Ok(cell.gives(&[(named, Cell::REST)])))
}

/// Returns the public key of a factor: a multiple of the base point, uncompressed.
pub(crate) fn public(
    api: Api,
    name: &'static CStr,
    bytes: usize,
    scalar: &[u8],
) -> Result<Vec<u8>, Failure> {
    let mut point = vec![0; 1 + 2 * bytes];
    let mut multiple = Multiple::new(api, name, bytes, scalar, None)?;
    multiple.process(&Message::default(), &mut point)?;
    Ok(point)
}

/// A curve, a factor and a point.
struct Multiple {
    api: Api,
    bytes: usize,
    scalar: Open,
    point: Open,
    result: Open,
    /// The affine coordinates of the result.
    affine: [Open; 2],
    context: Open,
}

impl Multiple {
    fn new(
        api: Api,
        name: &CStr,
        bytes: usize,
        scalar: &[u8],
        point: Option<&[u8]>,
    ) -> Result<Self, Failure> {
        const COPY: c_int = 1;
        let context = context(&api, name)?;
        let owned = |handle: Handle| Open {
            handle,
            close: api.gcry_mpi_point_release,
        };
        // SAFETY: all objects are live, and the owner of a point releases it. The name is a C
        // string, and the copy belongs to the caller.
        let (result, point) = unsafe {
            let result = owned((api.gcry_mpi_point_new)(0));
            let point = match point {
                None => owned((api.gcry_mpi_ec_get_point)(
                    c"g".as_ptr(),
                    context.handle,
                    COPY,
                )),
                Some(encoded) => {
                    let point = owned((api.gcry_mpi_point_new)(0));
                    let encoded = api.number(encoded)?;
                    let (to, from) = (point.handle, encoded.handle);
                    let error = (api.gcry_mpi_ec_decode_point)(to, from, context.handle);
                    api.ok("gcry_mpi_ec_decode_point", error)?;
                    if (api.gcry_mpi_ec_curve_point)(to, context.handle) == 0 {
                        return Err(Failure::Rejected);
                    }
                    point
                }
            };
            (result, point)
        };
        if point.handle.is_null() || result.handle.is_null() {
            return Err(Failure::failed("no point"));
        }
        Ok(Self {
            scalar: api.number(scalar)?,
            affine: [api.number(&[])?, api.number(&[])?],
            api,
            bytes,
            point,
            result,
            context,
        })
    }
}

impl Operation for Multiple {
    #[inline]
    fn process(&mut self, _: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        const UNCOMPRESSED: u8 = 4;
        let (api, context) = (&self.api, self.context.handle);
        let [x, y] = [self.affine[0].handle, self.affine[1].handle];
        let (result, scalar, point) = (self.result.handle, self.scalar.handle, self.point.handle);
        // SAFETY: all objects are live.
        let at_infinity = unsafe {
            (api.gcry_mpi_ec_mul)(result, scalar, point, context);
            (api.gcry_mpi_ec_get_affine)(x, y, result, context) != 0
        };
        if at_infinity {
            return Err(Failure::unsupported("the point at infinity"));
        }
        let (head, rest) = output[..2 * self.bytes + 1].split_at_mut(1);
        head[0] = UNCOMPRESSED;
        let (first, second) = rest.split_at_mut(self.bytes);
        api.write_number(x, first)?;
        api.write_number(y, second)?;
        Ok(2 * self.bytes + 1)
    }
}
