//! The functions of libhogweed, which is Nettle's library of public-key algorithms, and objects that
//! are freed when they are dropped.
#![allow(unsafe_code)]

use std::ffi::{c_int, c_uint, c_void};
use std::path::Path;
use std::sync::OnceLock;

use touchstone_worker::{Cleared, Failure, Memory, Shared, symbols};

use crate::digest;
use crate::ffi::{HashTable, Nettle};

/// `nettle_random_func`. Arguments: context, length, output.
pub(crate) type Random = unsafe extern "C" fn(*mut c_void, usize, *mut u8);

symbols! {
    /// The functions of libhogweed, as the headers under <nettle/> declare them, and two functions of
    /// GMP, on which libhogweed depends.
    struct Api {
        __gmpz_init, __gmpz_clear: fn(*mut Mpz) -> ();
        nettle_mpz_set_str_256_u: fn(*mut Mpz, usize, *const u8) -> ();
        nettle_mpz_get_str_256: fn(usize, *mut u8, *const Mpz) -> ();

        nettle_rsa_public_key_init, nettle_rsa_public_key_clear: fn(*mut RsaPublic) -> ();
        nettle_rsa_public_key_prepare: fn(*mut RsaPublic) -> c_int;
        nettle_rsa_private_key_init, nettle_rsa_private_key_clear: fn(*mut RsaPrivate) -> ();
        nettle_rsa_keypair_from_der: fn(*mut RsaPublic, *mut RsaPrivate, c_uint, usize, *const u8) -> c_int;
        nettle_rsa_sha256_sign_digest_tr: fn(*const RsaPublic, *const RsaPrivate, *mut c_void, Random, *const u8, *mut Mpz) -> c_int;
        nettle_rsa_sha256_verify_digest: fn(*const RsaPublic, *const u8, *const Mpz) -> c_int;
        nettle_rsa_pss_sha256_sign_digest_tr: fn(*const RsaPublic, *const RsaPrivate, *mut c_void, Random, usize, *const u8, *const u8, *mut Mpz) -> c_int;
        nettle_rsa_pss_sha256_verify_digest: fn(*const RsaPublic, usize, *const u8, *const Mpz) -> c_int;
        nettle_rsa_encrypt: fn(*const RsaPublic, *mut c_void, Random, usize, *const u8, *mut Mpz) -> c_int;
        nettle_rsa_decrypt_tr: fn(*const RsaPublic, *const RsaPrivate, *mut c_void, Random, *mut usize, *mut u8, *const Mpz) -> c_int;

        nettle_get_secp_192r1, nettle_get_secp_224r1, nettle_get_secp_256r1: fn() -> *const c_void;
        nettle_get_secp_384r1, nettle_get_secp_521r1, nettle_get_gost_gc256b: fn() -> *const c_void;
        nettle_get_gost_gc512a: fn() -> *const c_void;
        nettle_ecc_point_init, nettle_ecc_scalar_init: fn(*mut OnCurve, *const c_void) -> ();
        nettle_ecc_point_clear, nettle_ecc_scalar_clear: fn(*mut OnCurve) -> ();
        nettle_ecc_point_set: fn(*mut OnCurve, *const Mpz, *const Mpz) -> c_int;
        nettle_ecc_point_get: fn(*const OnCurve, *mut Mpz, *mut Mpz) -> ();
        nettle_ecc_point_mul: fn(*mut OnCurve, *const OnCurve, *const OnCurve) -> ();
        nettle_ecc_point_mul_g: fn(*mut OnCurve, *const OnCurve) -> ();
        nettle_ecc_scalar_set: fn(*mut OnCurve, *const Mpz) -> c_int;
        nettle_ecdsa_sign: fn(*const OnCurve, *mut c_void, Random, usize, *const u8, *mut Mpz) -> ();
        nettle_gostdsa_sign: fn(*const OnCurve, *mut c_void, Random, usize, *const u8, *mut Mpz) -> ();
        nettle_ecdsa_verify: fn(*const OnCurve, usize, *const u8, *const Mpz) -> c_int;
        nettle_gostdsa_verify: fn(*const OnCurve, usize, *const u8, *const Mpz) -> c_int;

        nettle_ed25519_sha512_public_key: fn(*mut u8, *const u8) -> ();
        nettle_ed448_shake256_public_key: fn(*mut u8, *const u8) -> ();
        nettle_ed25519_sha512_sign: fn(*const u8, *const u8, usize, *const u8, *mut u8) -> ();
        nettle_ed448_shake256_sign: fn(*const u8, *const u8, usize, *const u8, *mut u8) -> ();
        nettle_ed25519_sha512_verify: fn(*const u8, usize, *const u8, *const u8) -> c_int;
        nettle_ed448_shake256_verify: fn(*const u8, usize, *const u8, *const u8) -> c_int;
        nettle_curve25519_mul, nettle_curve448_mul: fn(*mut u8, *const u8, *const u8) -> ();
    }
}

/// GMP's `mpz_t`.
#[repr(C)]
pub(crate) struct Mpz {
    room: c_int,
    limbs: c_int,
    at: *mut c_void,
}

impl Mpz {
    const NONE: Self = Self {
        room: 0,
        limbs: 0,
        at: std::ptr::null_mut(),
    };
}

/// `struct rsa_public_key`, <nettle/rsa.h>.
#[repr(C)]
pub(crate) struct RsaPublic {
    /// The length of a signature in bytes.
    pub(crate) size: usize,
    modulus: Mpz,
    exponent: Mpz,
}

/// `struct rsa_private_key`, <nettle/rsa.h>.
#[repr(C)]
pub(crate) struct RsaPrivate {
    size: usize,
    numbers: [Mpz; 6],
}

/// `struct ecc_point` and `struct ecc_scalar`, <nettle/ecc.h>.
#[repr(C)]
pub(crate) struct OnCurve {
    curve: *const c_void,
    limbs: *mut c_void,
}

/// The curves: the lab's names, the bytes of a coordinate, and the function that returns the curve.
type Get = fn(&Api) -> unsafe extern "C" fn() -> *const c_void;
const CURVES: &[(&str, usize, Get)] = &[
    ("p192", 24, |api| api.nettle_get_secp_192r1),
    ("p224", 28, |api| api.nettle_get_secp_224r1),
    ("p256", 32, |api| api.nettle_get_secp_256r1),
    ("p384", 48, |api| api.nettle_get_secp_384r1),
    ("p521", 66, |api| api.nettle_get_secp_521r1),
    ("gost256a", 32, |api| api.nettle_get_gost_gc256b),
    ("gost512a", 64, |api| api.nettle_get_gost_gc512a),
];

/// The hashes of signatures.
const HASHES: [&str; 8] = [
    "sha-1",
    "sha-224",
    "sha-256",
    "sha-384",
    "sha-512",
    "gost94-cryptopro",
    "streebog-256",
    "streebog-512",
];

/// A loaded libhogweed.
#[derive(Clone, Copy)]
pub(crate) struct Hogweed {
    pub(crate) api: Api,
    pub(crate) random: Random,
    seed: unsafe extern "C" fn(*mut c_void, usize, *const u8),
    init: unsafe extern "C" fn(*mut c_void, c_uint, *mut c_void),
    hashes: [Option<&'static HashTable>; HASHES.len()],
}

impl Hogweed {
    /// Returns the libhogweed from the folder of libnettle, which is loaded once; `None` if it is not
    /// there.
    pub(crate) fn of(nettle: &Nettle) -> Option<Self> {
        static LOADED: OnceLock<Option<Hogweed>> = OnceLock::new();
        *LOADED.get_or_init(|| Self::load(nettle))
    }

    fn load(nettle: &Nettle) -> Option<Self> {
        let beside = Path::new(&nettle.shared.path).with_file_name("libhogweed.so.6");
        let shared = Shared::open(beside.to_str()?, &[]).ok()?;
        Some(Self {
            api: Api::load(&shared).ok()?,
            random: nettle.api.nettle_yarrow256_random,
            seed: nettle.api.nettle_yarrow256_seed,
            init: nettle.api.nettle_yarrow256_init,
            hashes: HASHES.map(|id| digest::table(nettle, id)),
        })
    }

    /// Returns the table of a signature's hash.
    pub(crate) fn hash(&self, id: &str) -> Option<&'static HashTable> {
        let at = HASHES.iter().position(|known| *known == id)?;
        self.hashes[at]
    }

    /// Makes a random generator, which gets its seed from the system.
    pub(crate) fn generator(&self) -> Result<Memory, Failure> {
        /// More than `sizeof (struct yarrow256_ctx)`.
        const ROOM: usize = 2048;
        let mut seed = [0; 32];
        let read = std::fs::File::open("/dev/urandom")
            .and_then(|mut file| std::io::Read::read_exact(&mut file, &mut seed));
        read.map_err(Failure::failed)?;
        let mut state = Memory::new(ROOM);
        // SAFETY: the memory has room for the state, 0 and NULL mean that there are no further
        // sources, and the length is the seed's.
        unsafe {
            (self.init)(state.at(0), 0, std::ptr::null_mut());
            (self.seed)(state.at(0), seed.len(), seed.as_ptr());
        }
        Ok(state)
    }

    /// Returns a curve, and the bytes of a coordinate; `None` if Nettle lacks the curve.
    pub(crate) fn curve(&self, id: &str) -> Option<(Curve, usize)> {
        let (_, bytes, get) = CURVES.iter().find(|(known, ..)| *known == id)?;
        // SAFETY: the function takes no arguments.
        Some((Curve(unsafe { get(&self.api)() }), *bytes))
    }

    /// Makes a number of zero.
    pub(crate) fn zero(&self) -> Number {
        let mut number = Mpz::NONE;
        // SAFETY: the function initialises the number, which its owner frees.
        unsafe {
            (self.api.__gmpz_init)(&mut number);
            Number::new(number, self.api.__gmpz_clear)
        }
    }

    /// Makes a number from big-endian bytes.
    pub(crate) fn number(&self, bytes: &[u8]) -> Number {
        let mut number = self.zero();
        self.set(&mut number.value, bytes);
        number
    }

    /// Sets a number to big-endian bytes.
    #[inline]
    pub(crate) fn set(&self, number: &mut Mpz, bytes: &[u8]) {
        // SAFETY: the number is live, and the length is the slice's.
        unsafe { (self.api.nettle_mpz_set_str_256_u)(number, bytes.len(), bytes.as_ptr()) };
    }

    /// Writes a number, which has no more bytes, as big-endian bytes that fill `bytes`.
    #[inline]
    pub(crate) fn write(&self, number: &Mpz, bytes: &mut [u8]) {
        // SAFETY: the number is live, and the length is the slice's.
        unsafe { (self.api.nettle_mpz_get_str_256)(bytes.len(), bytes.as_mut_ptr(), number) };
    }

    /// Makes a factor from big-endian bytes.
    pub(crate) fn scalar(&self, curve: Curve, bytes: &[u8]) -> Result<Held, Failure> {
        let (init, clear) = (
            self.api.nettle_ecc_scalar_init,
            self.api.nettle_ecc_scalar_clear,
        );
        let (mut held, number) = (on_curve(curve, init, clear), self.number(bytes));
        // SAFETY: both objects are live.
        if unsafe { (self.api.nettle_ecc_scalar_set)(&mut held.value, &number.value) } == 0 {
            return Err(Failure::unsupported(
                "a factor that is not below the order of the base point",
            ));
        }
        Ok(held)
    }

    /// Makes room for a point.
    pub(crate) fn room(&self, curve: Curve) -> Held {
        let (init, clear) = (
            self.api.nettle_ecc_point_init,
            self.api.nettle_ecc_point_clear,
        );
        on_curve(curve, init, clear)
    }

    /// Makes a point from its coordinates; `None` if it is not on the curve.
    pub(crate) fn point(&self, curve: Curve, coordinates: [&[u8]; 2]) -> Option<Held> {
        let [x, y] = coordinates.map(|bytes| self.number(bytes));
        let mut held = self.room(curve);
        // SAFETY: all objects are live.
        let on_curve =
            unsafe { (self.api.nettle_ecc_point_set)(&mut held.value, &x.value, &y.value) } != 0;
        on_curve.then_some(held)
    }
}

/// A curve, which is a constant of the library.
#[derive(Clone, Copy)]
pub(crate) struct Curve(*const c_void);

/// A number. Dropping it frees it.
pub(crate) type Number = Cleared<Mpz>;

/// The two numbers of a signature: `struct dsa_signature`, <nettle/dsa.h>.
pub(crate) struct Pair {
    pub(crate) numbers: [Mpz; 2],
    clear: unsafe extern "C" fn(*mut Mpz),
}

impl Pair {
    pub(crate) fn new(hogweed: &Hogweed) -> Self {
        let mut numbers = [Mpz::NONE; 2];
        for number in &mut numbers {
            // SAFETY: the function initialises the number, which its owner frees.
            unsafe { (hogweed.api.__gmpz_init)(number) };
        }
        Self {
            numbers,
            clear: hogweed.api.__gmpz_clear,
        }
    }
}

impl Drop for Pair {
    fn drop(&mut self) {
        for number in &mut self.numbers {
            // SAFETY: the number was initialised, and is freed once.
            unsafe { (self.clear)(number) };
        }
    }
}

/// A point or a factor. Dropping it frees it.
pub(crate) type Held = Cleared<OnCurve>;

fn on_curve(
    curve: Curve,
    init: unsafe extern "C" fn(*mut OnCurve, *const c_void),
    clear: unsafe extern "C" fn(*mut OnCurve),
) -> Held {
    let mut object = OnCurve {
        curve: std::ptr::null(),
        limbs: std::ptr::null_mut(),
    };
    // SAFETY: the function initialises the object for the curve, and its owner frees it.
    unsafe {
        init(&mut object, curve.0);
        Held::new(object, clear)
    }
}

/// A key of RSA. The private half is all zeros if only the public half was read.
pub(crate) struct Rsa {
    pub(crate) public: RsaPublic,
    pub(crate) private: RsaPrivate,
    api: Api,
}

impl Rsa {
    fn empty(api: Api) -> Self {
        let mut rsa = Self {
            public: RsaPublic {
                size: 0,
                modulus: Mpz::NONE,
                exponent: Mpz::NONE,
            },
            private: RsaPrivate {
                size: 0,
                numbers: [Mpz::NONE; 6],
            },
            api,
        };
        // SAFETY: the functions initialise the keys, which their owner frees.
        unsafe {
            (api.nettle_rsa_public_key_init)(&mut rsa.public);
            (api.nettle_rsa_private_key_init)(&mut rsa.private);
        }
        rsa
    }

    /// Reads a public key from its modulus and exponent.
    pub(crate) fn public(hogweed: &Hogweed, numbers: [&[u8]; 2]) -> Result<Self, Failure> {
        let mut rsa = Self::empty(hogweed.api);
        hogweed.set(&mut rsa.public.modulus, numbers[0]);
        hogweed.set(&mut rsa.public.exponent, numbers[1]);
        // SAFETY: the key is live.
        if unsafe { (rsa.api.nettle_rsa_public_key_prepare)(&mut rsa.public) } == 0 {
            return Err(touchstone_worker::public::unreadable());
        }
        Ok(rsa)
    }

    /// Reads a private key from an `RSAPrivateKey` (RFC 8017, A.1.2).
    pub(crate) fn private(hogweed: &Hogweed, der: &[u8]) -> Result<Self, Failure> {
        /// No limit of the modulus's bits.
        const NO_LIMIT: c_uint = 0;
        let mut rsa = Self::empty(hogweed.api);
        let (public, private) = (&raw mut rsa.public, &raw mut rsa.private);
        let read = hogweed.api.nettle_rsa_keypair_from_der;
        // SAFETY: both keys are live, and the length is the slice's.
        if unsafe { read(public, private, NO_LIMIT, der.len(), der.as_ptr()) } == 0 {
            return Err(touchstone_worker::public::unreadable());
        }
        Ok(rsa)
    }
}

impl Drop for Rsa {
    fn drop(&mut self) {
        // SAFETY: both keys were initialised, and are freed once.
        unsafe {
            (self.api.nettle_rsa_public_key_clear)(&mut self.public);
            (self.api.nettle_rsa_private_key_clear)(&mut self.private);
        }
    }
}
