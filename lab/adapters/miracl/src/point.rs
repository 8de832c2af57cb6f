//! Multiples of points.
#![allow(unsafe_code)]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::ThreadId;

use touchstone_worker::points::{Multiple, Operands, Points};
use touchstone_worker::public::{coordinates, hex_number};
use touchstone_worker::{Failure, Owned};

use crate::curves::{BINARY, Binary, PRIME, Prime};
use crate::ffi::{Api, Miracl, Number, only_thread, unique};

/// The object whose curve is set.
static CURRENT: AtomicUsize = AtomicUsize::new(0);

/// `MR_PROJECTIVE` of <miracl.h>.
const PROJECTIVE: i32 = 0;

/// The library, and its thread.
#[derive(Clone, Copy)]
pub(crate) struct Curves {
    api: Api,
    thread: ThreadId,
}

/// A curve in the library's form.
enum Equation {
    /// a, b and p.
    Prime([Number; 3]),
    /// The exponents, a and b.
    Binary([i32; 4], [Number; 2]),
}

/// A curve, a factor, a point, and room for a product and its coordinates.
struct Held {
    number: usize,
    equation: Equation,
    scalar: Number,
    point: Owned,
    product: Owned,
    xy: [Number; 2],
    /// Bytes of a coordinate.
    bytes: usize,
}

fn prime(id: &str) -> Option<&'static Prime> {
    PRIME.iter().find(|curve| curve.id == id)
}

fn binary(id: &str) -> Option<&'static Binary> {
    BINARY.iter().find(|curve| curve.id == id)
}

impl Curves {
    pub(crate) fn of(miracl: &Miracl) -> Self {
        Self {
            api: miracl.api,
            thread: miracl.thread,
        }
    }

    /// Sets the object's curve, unless it is set.
    fn set(&self, held_number: usize, equation: &Equation) -> Result<(), Failure> {
        if CURRENT.load(Ordering::Relaxed) == held_number {
            return Ok(());
        }
        // SAFETY: all numbers are live, and the exponents are those of a field's polynomial, so that
        // nothing needs to be checked.
        let set = unsafe {
            match equation {
                Equation::Prime([a, b, p]) => {
                    (self.api.ecurve_init)(a.object, b.object, p.object, PROJECTIVE);
                    1
                }
                Equation::Binary([m, x, y, z], [a, b]) => {
                    let init = self.api.ecurve2_init;
                    init(*m, *x, *y, *z, a.object, b.object, 0, PROJECTIVE)
                }
            }
        };
        if set == 0 {
            return Err(Failure::failed("ecurve2_init"));
        }
        CURRENT.store(held_number, Ordering::Relaxed);
        Ok(())
    }
}

impl Points for Curves {
    type Held = Object;

    fn api(&self, curve: &str, what: Multiple) -> Option<&'static str> {
        match what {
            Multiple::Any if prime(curve).is_some() => Some("ecurve_mult, epoint_get"),
            Multiple::Any if binary(curve).is_some() => Some("ecurve2_mult, epoint2_get"),
            _ => None,
        }
    }

    fn hold(&self, curve: &str, _: Multiple, operands: &Operands) -> Result<Object, Failure> {
        only_thread(self.thread)?;
        let api = &self.api;
        let (equation, bytes) = if let Some(curve) = prime(curve) {
            let numbers = [
                api.number(&hex_number(curve.a))?,
                api.number(&hex_number(curve.b))?,
                api.number(&hex_number(curve.p))?,
            ];
            (Equation::Prime(numbers), hex_number(curve.p).len())
        } else {
            let curve = binary(curve).ok_or_else(|| Failure::unsupported("this curve"))?;
            let numbers = [api.number(&[curve.a])?, api.number(&hex_number(curve.b))?];
            let bytes = curve.exponents[0].unsigned_abs().div_ceil(8) as usize;
            (Equation::Binary(curve.exponents, numbers), bytes)
        };
        let number = unique();
        self.set(number, &equation)?;
        let [x, y] = coordinates(&operands.point, bytes).ok_or(Failure::Rejected)?;
        let xy = [api.number(x)?, api.number(y)?];
        // SAFETY: the curve is set, and the owners free the points.
        let point = || unsafe { Owned::new((api.epoint_init)(), api.epoint_free) };
        let (point, product) = (point()?, point()?);
        // SAFETY: all objects are live, and 0 means that y is given.
        let is_on_curve = unsafe {
            match equation {
                Equation::Prime(_) => (api.epoint_set)(xy[0].object, xy[1].object, 0, point.object),
                Equation::Binary(..) => {
                    (api.epoint2_set)(xy[0].object, xy[1].object, 0, point.object)
                }
            }
        };
        if is_on_curve == 0 {
            return Err(Failure::Rejected);
        }
        Ok(Object(Held {
            number,
            equation,
            scalar: api.number(&operands.scalar)?,
            point,
            product,
            xy,
            bytes,
        }))
    }

    #[inline]
    fn multiply(
        &self,
        Object(held): &mut Object,
        _: Multiple,
        output: &mut [u8],
    ) -> Result<usize, Failure> {
        self.set(held.number, &held.equation)?;
        let (api, [x, y]) = (&self.api, [held.xy[0].object, held.xy[1].object]);
        let (scalar, point, product) = (held.scalar.object, held.point.object, held.product.object);
        // SAFETY: the curve is set, and all objects are live.
        unsafe {
            match held.equation {
                Equation::Prime(_) => {
                    (api.ecurve_mult)(scalar, point, product);
                    (api.epoint_get)(product, x, y);
                }
                Equation::Binary(..) => {
                    (api.ecurve2_mult)(scalar, point, product);
                    (api.epoint2_get)(product, x, y);
                }
            }
        }
        let length = 1 + 2 * held.bytes;
        let room = output.get_mut(..length);
        let room = room.ok_or_else(|| Failure::failed("no room for a point"))?;
        room[0] = 4;
        let (first, second) = room[1..].split_at_mut(held.bytes);
        api.write(x, first)?;
        api.write(y, second)?;
        Ok(length)
    }
}

/// What [`Curves::hold`] makes.
pub(crate) struct Object(Held);
