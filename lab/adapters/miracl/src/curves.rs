//! The equations of the curves, which MIRACL asks its callers for.

/// A curve over a prime field: p, a and b of y² = x³ + ax + b, in hex.
pub(crate) struct Prime {
    pub(crate) id: &'static str,
    pub(crate) p: &'static str,
    pub(crate) a: &'static str,
    pub(crate) b: &'static str,
}

/// A curve over a binary field: the exponents of the field's polynomial, and a and b of y² + xy =
/// x³ + ax² + b; b in hex.
pub(crate) struct Binary {
    pub(crate) id: &'static str,
    /// The exponents between the highest one and 0; a trinomial has one, and two zeros.
    pub(crate) exponents: [i32; 4],
    pub(crate) a: u8,
    pub(crate) b: &'static str,
}

/// SEC 2, 2.2 to 2.9 (2010); RFC 5639, section 3.
pub(crate) const PRIME: &[Prime] = &[
    Prime {
        id: "p192",
        p: "fffffffffffffffffffffffffffffffeffffffffffffffff",
        a: "fffffffffffffffffffffffffffffffefffffffffffffffc",
        b: "64210519e59c80e70fa7e9ab72243049feb8deecc146b9b1",
    },
    Prime {
        id: "p224",
        p: "ffffffffffffffffffffffffffffffff000000000000000000000001",
        a: "fffffffffffffffffffffffffffffffefffffffffffffffffffffffe",
        b: "b4050a850c04b3abf54132565044b0b7d7bfd8ba270b39432355ffb4",
    },
    Prime {
        id: "p256",
        p: "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff",
        a: "ffffffff00000001000000000000000000000000fffffffffffffffffffffffc",
        b: "5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b",
    },
    Prime {
        id: "p384",
        p: "fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffeffffffff0000000000000000ffffffff",
        a: "fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffeffffffff0000000000000000fffffffc",
        b: "b3312fa7e23ee7e4988e056be3f82d19181d9c6efe8141120314088f5013875ac656398d8a2ed19d2a85c8edd3ec2aef",
    },
    Prime {
        id: "p521",
        p: "1ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        a: "1fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc",
        b: "51953eb9618e1c9a1f929a21a0b68540eea2da725b99b315f3b8b489918ef109e156193951ec7e937b1652c0bd3bb1bf073573df883d2c34f1ef451fd46b503f00",
    },
    Prime {
        id: "secp256k1",
        p: "fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f",
        a: "0",
        b: "7",
    },
    Prime {
        id: "brainpoolp256r1",
        p: "a9fb57dba1eea9bc3e660a909d838d726e3bf623d52620282013481d1f6e5377",
        a: "7d5a0975fc2c3057eef67530417affe7fb8055c126dc5c6ce94a4b44f330b5d9",
        b: "26dc5c6ce94a4b44f330b5d9bbd77cbf958416295cf7e1ce6bccdc18ff8c07b6",
    },
    Prime {
        id: "brainpoolp384r1",
        p: "8cb91e82a3386d280f5d6f7e50e641df152f7109ed5456b412b1da197fb71123acd3a729901d1a71874700133107ec53",
        a: "7bc382c63d8c150c3c72080ace05afa0c2bea28e4fb22787139165efba91f90f8aa5814a503ad4eb04a8c7dd22ce2826",
        b: "4a8c7dd22ce28268b39b55416f0447c2fb77de107dcd2a62e880ea53eeb62d57cb4390295dbc9943ab78696fa504c11",
    },
    Prime {
        id: "brainpoolp512r1",
        p: "aadd9db8dbe9c48b3fd4e6ae33c9fc07cb308db3b3c9d20ed6639cca703308717d4d9b009bc66842aecda12ae6a380e62881ff2f2d82c68528aa6056583a48f3",
        a: "7830a3318b603b89e2327145ac234cc594cbdd8d3df91610a83441caea9863bc2ded5d5aa8253aa10a2ef1c98b9ac8b57f1117a72bf2c7b9e7c1ac4d77fc94ca",
        b: "3df91610a83441caea9863bc2ded5d5aa8253aa10a2ef1c98b9ac8b57f1117a72bf2c7b9e7c1ac4d77fc94cadc083e67984050b75ebae5dd2809bd638016f723",
    },
];

/// SEC 2, 3.2 to 3.8 (2010).
pub(crate) const BINARY: &[Binary] = &[
    Binary {
        id: "k163",
        exponents: [163, 7, 6, 3],
        a: 1,
        b: "1",
    },
    Binary {
        id: "b163",
        exponents: [163, 7, 6, 3],
        a: 1,
        b: "20a601907b8c953ca1481eb10512f78744a3205fd",
    },
    Binary {
        id: "k233",
        exponents: [233, 74, 0, 0],
        a: 0,
        b: "1",
    },
    Binary {
        id: "b233",
        exponents: [233, 74, 0, 0],
        a: 1,
        b: "66647ede6c332c7f8c0923bb58213b333b20e9ce4281fe115f7d8f90ad",
    },
    Binary {
        id: "k283",
        exponents: [283, 12, 7, 5],
        a: 0,
        b: "1",
    },
    Binary {
        id: "b283",
        exponents: [283, 12, 7, 5],
        a: 1,
        b: "27b680ac8b8596da5a4af8a19a0303fca97fd7645309fa2a581485af6263e313b79a2f5",
    },
    Binary {
        id: "k409",
        exponents: [409, 87, 0, 0],
        a: 0,
        b: "1",
    },
    Binary {
        id: "b409",
        exponents: [409, 87, 0, 0],
        a: 1,
        b: "21a5c2c8ee9feb5c4b9a753b7b476b7fd6422ef1f3dd674761fa99d6ac27c8a9a197b272822f6cd57a55aa4f50ae317b13545f",
    },
    Binary {
        id: "k571",
        exponents: [571, 10, 5, 2],
        a: 0,
        b: "1",
    },
    Binary {
        id: "b571",
        exponents: [571, 10, 5, 2],
        a: 1,
        b: "2f40e7e2221f295de297117b7f3d62f5c6a97ffcb8ceff1cd6ba8ce4a9a18ad84ffabbd8efa59332be7ad6756a66e294afd185a78ff12aa520e4de739baca0c7ffeff7f2955727a",
    },
];
