//! Multiples of points by `EC_POINT_mul`.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_int};
use std::ptr;

use touchstone_worker::points::{Multiple, Operands, Points};
use touchstone_worker::{Failure, Written};

use crate::ffi::{Api, Context};

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

/// A curve, a factor and a point.
pub(crate) struct Held {
    group: Context,
    scalar: Option<Context>,
    /// The factor of the base point.
    base: Option<Context>,
    /// The other point.
    point: Option<Context>,
    result: Context,
    memory: Context,
}

impl Points for Api {
    type Held = Held;

    fn api(&self, curve: &str, _: Multiple) -> Option<&'static str> {
        group(self, curve).map(|_| "EC_POINT_mul, EC_POINT_point2oct")
    }

    fn hold(&self, curve: &str, what: Multiple, operands: &Operands) -> Result<Held, Failure> {
        let group = group(self, curve).ok_or_else(|| Failure::failed("no such curve"))?;
        let memory = self.memory()?;
        // SAFETY: the group is live, and the owner of a point frees it.
        let new = || unsafe { Context::new((self.EC_POINT_new)(group.object), self.EC_POINT_free) };
        let (has_base, has_point) = (what != Multiple::Any, what != Multiple::Base);
        let number = |bytes: &[u8]| self.number(bytes);
        let point = has_point.then(|| {
            let point = new()?;
            let (at, length) = (operands.point.as_ptr(), operands.point.len());
            // SAFETY: all objects are live, and the length is the slice's.
            let code = unsafe {
                (self.EC_POINT_oct2point)(group.object, point.object, at, length, memory.object)
            };
            self.ok("EC_POINT_oct2point", code)
                .map_err(|_| Failure::Rejected)?;
            Ok(point)
        });
        Ok(Held {
            point: point.transpose()?,
            result: new()?,
            scalar: has_point.then(|| number(&operands.scalar)).transpose()?,
            base: has_base.then(|| number(&operands.base)).transpose()?,
            group,
            memory,
        })
    }

    #[inline]
    fn multiply(&self, held: &mut Held, _: Multiple, output: &mut [u8]) -> Written {
        let (group, memory) = (held.group.object, held.memory.object);
        let object = |part: &Option<Context>| part.as_ref().map_or(ptr::null_mut(), |it| it.object);
        let (base, point) = (object(&held.base), object(&held.point));
        let (factor, result) = (object(&held.scalar), held.result.object);
        // SAFETY: all objects are live, NULL means that a term is absent, and the length is the
        // slice's.
        unsafe {
            let code = (self.EC_POINT_mul)(group, result, base, point, factor, memory);
            self.ok("EC_POINT_mul", code)?;
            let (at, room) = (output.as_mut_ptr(), output.len());
            let length = (self.EC_POINT_point2oct)(group, result, UNCOMPRESSED, at, room, memory);
            if length == 0 {
                return Err(self.failure("EC_POINT_point2oct"));
            }
            Ok(length)
        }
    }
}
