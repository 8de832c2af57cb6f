//! Multiples of points by `EC_POINT_mul`.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_int};
use std::ptr;

use touchstone_worker::{Cell, Failure, Message, Offer, Operation, Work, offer};

use crate::ffi::{Api, Context, OpenSsl};

/// The lab's names of curves, and OpenSSL's.
pub(crate) const CURVES: &[(&str, &CStr)] = &[
    ("brainpoolp256r1", c"brainpoolP256r1"),
    ("brainpoolp384r1", c"brainpoolP384r1"),
    ("brainpoolp512r1", c"brainpoolP512r1"),
    ("p192", c"prime192v1"),
    ("p224", c"secp224r1"),
    ("p256", c"prime256v1"),
    ("p384", c"secp384r1"),
    ("p521", c"secp521r1"),
    ("secp256k1", c"secp256k1"),
    ("sm2p256v1", c"SM2"),
    ("k163", c"sect163k1"),
    ("b163", c"sect163r2"),
    ("k233", c"sect233k1"),
    ("b233", c"sect233r1"),
    ("k283", c"sect283k1"),
    ("b283", c"sect283r1"),
    ("k409", c"sect409k1"),
    ("b409", c"sect409r1"),
    ("k571", c"sect571k1"),
    ("b571", c"sect571r1"),
];

/// `POINT_CONVERSION_UNCOMPRESSED` of <openssl/ec.h>.
const UNCOMPRESSED: c_int = 4;

/// Returns a curve; `None` if the library lacks it.
fn group(api: &Api, primitive: &str) -> Option<Context> {
    let (_, name) = CURVES.iter().find(|(id, _)| *id == primitive)?;
    // SAFETY: the name is a C string, and the group's owner frees it. An unknown number gives
    // NULL, and an error that is cleared.
    unsafe {
        let made = (api.EC_GROUP_new_by_curve_name)((api.OBJ_sn2nid)(name.as_ptr()));
        (api.ERR_clear_error)();
        Context::new(made, api.EC_GROUP_free).ok()
    }
}

pub(crate) fn offers(ssl: &OpenSsl) -> Vec<Offer> {
    let present = CURVES
        .iter()
        .filter(|(id, _)| group(&ssl.api, id).is_some());
    let each = |(id, _): &(&str, _)| {
        let api = "EC_POINT_mul, EC_POINT_point2oct";
        ["multiply-base", "multiply-point", "multiply-two"]
            .map(|operation| offer(id, operation, api))
    };
    present.flat_map(each).collect()
}

pub(crate) fn cell(ssl: &OpenSsl, work: &Work) -> Option<Result<Cell, Failure>> {
    let point = match work.operation.as_str() {
        "multiply-base" => None,
        "multiply-point" | "multiply-two" => Some(work.other("point").to_vec()),
        _ => return None,
    };
    group(&ssl.api, &work.primitive)?;
    let (api, primitive) = (ssl.api, work.primitive.clone());
    let [scalar, base] = ["scalar", "base"].map(|name| work.other(name).to_vec());
    let base = (work.operation == "multiply-two").then_some(base);
    let named = if point.is_none() { "point" } else { "output" };
    let cell = Cell::new(move || {
        let (base, point) = (base.as_deref(), point.as_deref());
        Multiple::new(api, &primitive, &scalar, base, point)
    });
    Some(Ok(cell.gives(&[(named, Cell::REST)])))
}

/// A curve, a factor and a point.
struct Multiple {
    api: Api,
    group: Context,
    scalar: Context,
    /// The factor of the base point beside another point.
    base: Option<Context>,
    /// The point that is multiplied; the base point if absent.
    point: Option<Context>,
    result: Context,
    memory: Context,
}

impl Multiple {
    fn new(
        api: Api,
        primitive: &str,
        scalar: &[u8],
        base: Option<&[u8]>,
        point: Option<&[u8]>,
    ) -> Result<Self, Failure> {
        let group = group(&api, primitive).ok_or_else(|| Failure::failed("no such curve"))?;
        let memory = api.memory()?;
        // SAFETY: the group is live, and the owner of a point frees it.
        let new = || unsafe { Context::new((api.EC_POINT_new)(group.object), api.EC_POINT_free) };
        let point = point.map(|bytes| {
            let point = new()?;
            let (at, length) = (bytes.as_ptr(), bytes.len());
            // SAFETY: all objects are live, and the length is the slice's.
            let code = unsafe {
                (api.EC_POINT_oct2point)(group.object, point.object, at, length, memory.object)
            };
            api.ok("EC_POINT_oct2point", code)
                .map_err(|_| Failure::Rejected)?;
            Ok(point)
        });
        Ok(Self {
            point: point.transpose()?,
            result: new()?,
            scalar: api.number(scalar)?,
            base: base.map(|base| api.number(base)).transpose()?,
            api,
            group,
            memory,
        })
    }
}

impl Operation for Multiple {
    #[inline]
    fn process(&mut self, _: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let (api, group, memory) = (&self.api, self.group.object, self.memory.object);
        let (result, null) = (self.result.object, ptr::null_mut());
        let scalar = self.scalar.object;
        let beside = self.base.as_ref().map_or(null, |base| base.object);
        let (base, point, factor) = match &self.point {
            Some(point) => (beside, point.object, scalar),
            None => (scalar, null, null),
        };
        // SAFETY: all objects are live, NULL means that a term is absent, and the length is the
        // slice's.
        unsafe {
            let code = (api.EC_POINT_mul)(group, result, base, point, factor, memory);
            api.ok("EC_POINT_mul", code)?;
            let (at, room) = (output.as_mut_ptr(), output.len());
            let length = (api.EC_POINT_point2oct)(group, result, UNCOMPRESSED, at, room, memory);
            if length == 0 {
                return Err(api.failure("EC_POINT_point2oct"));
            }
            Ok(length)
        }
    }
}
