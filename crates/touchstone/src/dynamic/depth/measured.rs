//! The depths that `tests/stack.rs` has measured, by the ids of algorithms.

use super::LOW;

/// Classes of messages by their length, each with a depth of its own.
pub(super) const CLASSES: usize = 5;

/// What other lengths of messages, and another build, may leave deeper than those that were
/// measured. Half of it is enough where little code runs: in the algorithms that are no modes, and
/// where a mode of a block cipher encrypts one block after the other.
pub(super) const MARGIN: usize = 512;

/// The least margin for algorithms in [`MEASURED`].
pub(super) const LEAST_MARGIN: usize = 128;

/// After another key of an algorithm in [`MEASURED`] that is not in [`KEYS`].
pub(super) const REKEY: usize = 2688;

/// After a message by a portable kernel, where another one was measured.
pub(super) const PORTABLE: usize = 3264;

/// For block ciphers, rows: how the ids begin; the depth in modes whose blocks follow one another,
/// such as CBC encryption; and in modes whose blocks are independent, such as CTR, for messages of
/// up to 16, 64 and 256 bytes and longer ones.
pub(super) const CIPHERS: &[(&str, usize, [usize; 4])] = &[
    ("simon-128 speck-128", 384, [448, 448, 4672, 4672]),
    ("twofish", 320, [384, 1088, 4864, 8320]),
    ("serpent", 320, [448, 1792, 1792, 4608]),
    ("noekeon", 448, [640, 2048, 2048, 3968]),
    ("seed", 320, [384, 2304, 2304, 6016]),
    ("rc5", 256, [512, 512, 2816, 2816]),
    ("rc2", 256, [512, 1152, 2816, 2816]),
    ("tea xtea", 256, [512, 1280, 2816, 2816]),
    ("blowfish", 128, [320, 576, 7424, 7680]),
    ("kuznyechik", 320, [512, 896, 2880, 4864]),
    ("shacal2", 640, [576, 1248, 1248, 4352]),
    ("kalyna-256-", 1024, [1024, 1536, 1536, 3648]),
    (
        "kalyna-512 mars safer-plus square",
        1280,
        [1088, 1600, 2304, 2304],
    ),
    ("sm4", 384, [640, 1024, 2944, 4032]),
    ("simon-64 speck-64 cham-64", 384, [960, 2048, 2688, 2688]),
    ("multi2", 256, [896, 1920, 2560, 2560]),
    ("hight", 448, [3840, 3840, 4288, 4288]),
    ("threefish-256", 1408, [1280, 1792, 1792, 3968]),
    ("threefish-512", 1792, [1536, 2176, 3072, 3072]),
    ("threefish-1024", 3072, [3392, 3392, 4736, 4736]),
    ("aria", 384, [448, 2752, 2752, 5312]),
    ("idea", 256, [448, 1152, 1920, 2560]),
    ("camellia", 384, [448, 3200, 3200, 5632]),
    ("cham-128", 256, [2112, 2944, 3968, 4096]),
    ("lea", 256, [2240, 3200, 4224, 4352]),
    ("gost28147 magma", 384, [704, 704, 3264, 3264]),
    ("des", 704, [896, 896, 1920, 1920]),
    ("cast5", 384, [512, 576, 3264, 4288]),
    ("cast6", 320, [512, 896, 1792, 8704]),
];

/// The kernels `avx2`, `avx2-aes` and `avx2-vaes`, and the portable kernels of [`TABLES`], in rows: how the
/// ids begin; the depths in ECB; and those in CTR, and in CBC and CFB decryption; each for messages of up to
/// 16, 64, 256 and 960 bytes, longer ones, and 1024 bytes.
pub(super) const NARROW: &[(&str, [usize; 6], [usize; 6])] = &[
    (
        "camellia",
        [496, 496, 2896, 4352, 4352, 3200],
        [352, 1232, 3072, 4192, 4192, 4192],
    ),
    (
        "twofish",
        [192, 496, 496, 3568, 5104, 5104],
        [448, 1008, 2160, 5648, 5648, 5232],
    ),
    (
        "kuznyechik",
        [256, 528, 528, 3904, 3904, 2752],
        [560, 976, 2128, 3904, 3904, 3904],
    ),
    (
        "serpent",
        [192, 1104, 1360, 2256, 2256, 1104],
        [464, 1648, 1904, 2192, 2192, 2192],
    ),
    (
        "sm4",
        [0, 676, 1648, 3216, 3216, 2064],
        [192, 1332, 2288, 3312, 3312, 3312],
    ),
    (
        "seed",
        [192, 536, 1680, 3216, 3216, 2064],
        [352, 1072, 2320, 3312, 3312, 3312],
    ),
    (
        "aria",
        [720, 2208, 2800, 4080, 4080, 2928],
        [192, 2672, 2960, 4048, 4048, 4048],
    ),
    (
        "idea",
        [0, 0, 0, 1328, 1328, 1328],
        [488, 488, 848, 2272, 2272, 2272],
    ),
    (
        "rc2",
        [0, 656, 992, 1536, 1536, 968],
        [480, 976, 1936, 1936, 1936, 1936],
    ),
    (
        "rc5",
        [0, 0, 880, 880, 880, 880],
        [264, 480, 1808, 1808, 1808, 1808],
    ),
    (
        "xtea",
        [0, 392, 768, 1048, 1048, 768],
        [456, 712, 1760, 1760, 1760, 1760],
    ),
    (
        "cast5",
        [232, 360, 440, 440, 440, 440],
        [520, 552, 552, 552, 552, 552],
    ),
    (
        "blowfish",
        [240, 640, 640, 640, 640, 640],
        [528, 536, 536, 536, 536, 536],
    ),
];

/// The same for the kernels `avx2-gfni`.
pub(super) const NARROW_GFNI: &[(&str, [usize; 6], [usize; 6])] = &[
    (
        "camellia",
        [536, 1504, 1632, 4512, 2704, 2704],
        [696, 1792, 1920, 4800, 2992, 2992],
    ),
    (
        "aria",
        [752, 816, 3456, 3968, 2208, 2208],
        [688, 1792, 3840, 4352, 2576, 2576],
    ),
];

/// The same for the kernels `avx512`. The depths are those to which the calls write at all: often all that
/// they write of a secret are its copies that they wipe, but another compiler may keep others on the stack.
pub(super) const WIDE: &[(&str, [usize; 6], [usize; 6])] = &[
    (
        "camellia",
        [536, 1504, 1504, 4384, 4384, 2064],
        [696, 1824, 1824, 4768, 4768, 2448],
    ),
    (
        "aria",
        [752, 1064, 1064, 3936, 3936, 1600],
        [688, 1624, 1624, 4384, 4384, 2064],
    ),
    (
        "serpent",
        [336, 1872, 1872, 4088, 4088, 1848],
        [560, 2704, 2704, 4256, 3832, 3832],
    ),
    (
        "kuznyechik",
        [592, 592, 1728, 3968, 3968, 456],
        [544, 976, 3256, 4384, 4384, 3216],
    ),
    (
        "sm4",
        [328, 520, 920, 3192, 3192, 904],
        [632, 1176, 3448, 3448, 3448, 3400],
    ),
];

/// The ciphers whose portable kernel is the best one without AVX-512.
pub(super) const TABLES: &str = "cast5 blowfish";

/// How the ids of ciphers in [`CIPHERS`] begin whose first blocks have functions of their own
/// (`machinery/groups.rs`), and the depth after a message of up to 16 bytes in ECB, with any kernel.
pub(super) const ONE_BLOCK: (&str, usize) = ("twofish cast5 seed rc2 rc5 blowfish idea sm4", 256);

/// Those of [`ONE_BLOCK`] that leave no more than CBC encryption after so few bytes in CTR, too.
pub(super) const ONE_COUNTER: &str = "twofish seed rc2 rc5 idea";

/// How the ids of ciphers begin that use the registers that only AVX-512 has for 16 bytes, too: in a
/// kernel, or because the C library copies a large block.
pub(super) const UPPER: &str = "sm4 des hight kuznyechik kalyna threefish";

/// The row for the ciphers that are not in [`CIPHERS`].
pub(super) const OTHER_CIPHERS: (&str, usize, [usize; 4]) = ("", 512, [704, 1152, 2304, 2304]);

/// The portable kernels of ciphers in [`CIPHERS`], and of AES.
pub(super) const PORTABLE_CIPHER: [usize; 4] = [2816, 3840, 4864, 4864];

/// The kernel `avx2` of DES, whose rounds do not fit into sixteen registers: as in [`CIPHERS`].
pub(super) const AVX2_DES: (usize, [usize; 4]) = (1152, [1920, 2816, 3456, 3456]);

/// The kernels `avx2-gfni`, `avx2-vaes` and `avx2-aes`, whose planes do not fit into sixteen registers.
pub(super) const AVX2_CIPHER: [usize; 4] = [448, 3904, 3904, 3904];

/// The kernel `avx2-aes` of Camellia, which has two sets of planes, for messages of more than 256 bytes;
/// and the same in GCM-SIV.
pub(super) const TWO_SETS: [usize; 2] = [6336, 9216];

/// For block ciphers, rows: how the ids begin; the depth after another key, with any kernel, where
/// [`LOW`] stands for a key that is only copied. (The row for AES is for its portable kernel.) Key
/// schedules are short functions, so this is far less than messages need.
pub(super) const CIPHER_KEYS: &[(&str, usize)] = &[
    ("magma tea xtea gost28147", LOW),
    ("rc2 rc5 rc6 shacal2 skipjack sm4 camellia-128", 64),
    ("belt cham-64 misty1 kasumi", 256),
    ("camellia", 256),
    ("cast5 noekeon idea multi2 speck-64", 320),
    ("cham-128 hight seed speck-128", 512),
    ("aria threefish", 448),
    ("khazad shark", 768),
    ("aes- mars serpent simon-64", 832),
    ("safer-k safer-s", 1088),
    ("des-ede", 1920),
    ("cast6 square twofish-128", 1536),
    ("des kuznyechik", 1152),
    ("safer-plus simon-128 twofish-192", 2048),
    ("lea twofish-256", 2560),
    ("anubis", 2944),
    ("kalyna-256-512", 5888),
    ("kalyna-256-", 4480),
    ("kalyna-128 kalyna-256", 3200),
    ("kalyna-512", 11008),
    ("blowfish", 8192),
];

/// For other algorithms, rows: ids; the depth after another key, where [`LOW`] stands for a key that is
/// only copied.
pub(super) const KEYS: &[(&str, usize)] = &[
    (
        "chacha8 chacha12 chacha20 xchacha20 salsa20 salsa20-8 salsa20-12 xsalsa20 xsalsa20-8 \
         xsalsa20-12 chacha20-poly1305 xchacha20-poly1305 xsalsa20-poly1305 gost28147-gost-mac \
         gost28147-test-gost-mac gost28147-r3411-cryptopro-gost-mac",
        LOW,
    ),
    // In some builds, the C library copies their state.
    (
        "poly1305 siphash-1-3 siphash-1-3-128 siphash-2-4 siphash-2-4-128 siphash-4-8 \
         siphash-4-8-128 halfsiphash-2-4 halfsiphash-2-4-64",
        0,
    ),
    (
        "abc-v3 aegis-128l aegis-128x2 aegis-128x4 aegis-256 aegis-256x2 aegis-256x4 \
         ascon-aead128 hc128 hc256 panama panama-be phelix sosemanuk turing umac-128 umac-32 \
         umac-64 umac-96 vmac-128 vmac-64",
        64,
    ),
    ("blake3-mac", 128),
    ("rabbit", 640),
    ("rc4", 1408),
    (
        "hmac-sha-1 hmac-sha-224 hmac-sha-256 hmac-md2 hmac-md4 hmac-md5 hmac-tiger hmac-tiger2",
        832,
    ),
    (
        "hmac-blake2s hmac-blake2s-128 hmac-blake2s-160 hmac-blake2s-224 hmac-sm3 skein-256-mac \
         hmac-ripemd-128 hmac-ripemd-160 hmac-ripemd-256 hmac-ripemd-320",
        960,
    ),
    (
        "hmac-sha-384 hmac-sha-512 hmac-sha-512-224 hmac-sha-512-256 hmac-whirlpool hmac-gost94 \
         hmac-gost94-cryptopro",
        1152,
    ),
    (
        "hmac-sha3-224 hmac-sha3-256 hmac-sha3-384 hmac-sha3-512 hmac-keccak-224 hmac-keccak-256 \
         hmac-keccak-384 hmac-keccak-512",
        1408,
    ),
    (
        "hmac-blake2b hmac-blake2b-160 hmac-blake2b-256 hmac-blake2b-384 hmac-streebog-256 \
         hmac-streebog-512 kmac-128 kmac-256 skein-512-mac",
        1792,
    ),
    ("hmac-blake3", 5120),
];

/// For algorithms that are no modes, ids: the key of a new object leaves something less deep than
/// [`SMALL_NEW_DEPTH`]. Other keys of such algorithms were not measured, or leave more.
pub(super) const SMALL_NEW: &str = "abc-v3 aegis-128l aegis-128x2 aegis-128x4 aegis-256 \
    aegis-256x2 aegis-256x4 ascon-aead128 chacha12 chacha20 chacha20-poly1305 chacha8 \
    gost28147-gost-mac gost28147-r3411-cryptopro-gost-mac gost28147-test-gost-mac halfsiphash-2-4 \
    halfsiphash-2-4-64 panama panama-be phelix poly1305 salsa20 salsa20-12 salsa20-8 siphash-1-3 \
    siphash-1-3-128 siphash-2-4 siphash-2-4-128 siphash-4-8 siphash-4-8-128 sosemanuk turing \
    umac-128 umac-32 umac-64 umac-96 vmac-128 vmac-64 xchacha20 xchacha20-poly1305 xsalsa20 \
    xsalsa20-12 xsalsa20-8 xsalsa20-poly1305";

/// The depth for [`SMALL_NEW`].
pub(super) const SMALL_NEW_DEPTH: usize = 1088;

/// How the ids of ciphers with large keys begin: their new objects take more of the stack.
pub(super) const LARGE_KEYS: &str = "kalyna-256- rc5 shacal2 threefish";

/// How the ids of ciphers begin whose new objects leave something less deep than [`SMALL_KEYS_DEPTH`] in
/// every mode.
pub(super) const SMALL_KEYS: &str = "aria belt camellia cast5 cham des gost28147 idea kasumi khazad \
    kuznyechik magma mars misty1 multi2 noekeon rc2 rc6 safer-k safer-s seed shark simon-64 skipjack sm4 \
    speck tea xtea";

/// The depth for [`SMALL_KEYS`].
pub(super) const SMALL_KEYS_DEPTH: usize = 4424;

/// Rows: ids; the depth after messages of up to 16, 64, 256 and 960 bytes and longer ones; the
/// depth after a piece. Where a state is large, the code that moves it overwrites the stack itself.
pub(super) const MEASURED: &[(&str, [usize; CLASSES], usize)] = &[
    ("abc-v3", [64; 5], 640),
    ("hc128 hc256", [640; 5], 640),
    ("blake2b blake2b-160 blake2b-256 blake2b-384", [768; 5], 768),
    ("hmac-md5 hmac-tiger hmac-tiger2", [640; 5], 768),
    ("blake2b-mac", [1024; 5], 896),
    ("blake2s-mac", [704; 5], 640),
    ("blake2s blake2s-128 blake2s-160 blake2s-224", [512; 5], 512),
    ("blake3", [576, 576, 704, 704, 3584], 2112),
    ("blake3-mac", [768, 768, 768, 3328, 3584], 2112),
    ("hmac-blake3", [64; 5], 2112),
    ("panama panama-be", [64; 5], 2816),
    ("turing", [64; 5], 8832),
    ("sha-1 sha-224 sha-256", [64; 5], 512),
    ("hmac-sha-1", [64; 5], 768),
    ("hmac-sha-224 hmac-sha-256", [64; 5], 768),
    ("poly1305", [128, 128, 128, 1024, 1152], 1536),
    ("poly1305-aes", [704, 704, 704, 1792, 1792], 1792),
    (
        "siphash-1-3 siphash-2-4 siphash-4-8 siphash-1-3-128 siphash-2-4-128 siphash-4-8-128 \
         halfsiphash-2-4 halfsiphash-2-4-64",
        [64 | LOW; 5],
        320,
    ),
    (
        "gost28147-gost-mac gost28147-test-gost-mac gost28147-r3411-cryptopro-gost-mac",
        [384; 5],
        448,
    ),
    ("des-ede2-retail-mac", [384; 5], 704),
    (
        "sha-384 sha-512 sha-512-224 sha-512-256",
        [128, 128, 704, 704, 704],
        576,
    ),
    ("chacha8 chacha12 chacha20", [576, 576, 64, 64, 2624], 2496),
    ("xchacha20", [576, 576, 320, 320, 2624], 2496),
    (
        "salsa20 salsa20-12 salsa20-8",
        [576, 576, 64, 64, 768],
        1664,
    ),
    (
        "xsalsa20 xsalsa20-12 xsalsa20-8",
        [640, 640, 384, 384, 768],
        1664,
    ),
    (
        "whirlpool sosemanuk md2 md4 md5 tiger tiger2",
        [384; 5],
        384,
    ),
    ("sm3 ascon-hash256 ascon-xof128", [512; 5], 512),
    ("rc4", [192; 5], 1344),
    ("ripemd-128 ripemd-160", [576; 5], 576),
    (
        "ripemd-256 ripemd-320 hmac-blake2s hmac-blake2s-128 hmac-blake2s-160 hmac-blake2s-224 \
         hmac-md2 rabbit vmac-64",
        [640; 5],
        640,
    ),
    ("ascon-aead128", [768; 5], 768),
    ("hmac-sm3", [832; 5], 960),
    ("vmac-128", [896; 5], 896),
    ("hmac-whirlpool", [896; 5], 1408),
    ("streebog-256 streebog-512 hmac-md4 blake2xs", [960; 5], 960),
    ("blake2xb", [1728; 5], 1728),
    (
        "shake128 shake256 gost94 gost94-cryptopro hmac-ripemd-128 \
         hmac-ripemd-160",
        [1152; 5],
        1280,
    ),
    (
        "hmac-blake2b-160 hmac-blake2b-256 hmac-blake2b-384",
        [1152; 5],
        1536,
    ),
    ("turboshake128 turboshake256", [1408; 5], 1408),
    ("hmac-blake2b", [1472; 5], 1536),
    ("cshake128 cshake256", [1536; 5], 1536),
    ("kmac-128 kmac-256", [960, 960, 1280, 1280, 1280], 960),
    ("aegis-256 aegis-128l phelix", [1216; 5], 1472),
    (
        "hmac-ripemd-256 hmac-ripemd-320 hmac-gost94 hmac-gost94-cryptopro \
         hmac-streebog-512",
        [1344; 5],
        1344,
    ),
    (
        "sha3-224 sha3-256 sha3-384 sha3-512 keccak-224 keccak-256 keccak-384 keccak-512",
        [576; 5],
        896,
    ),
    (
        "hmac-sha-384 hmac-sha-512 hmac-sha-512-224 hmac-sha-512-256",
        [1216; 5],
        1792,
    ),
    (
        "hmac-sha3-224 hmac-sha3-256 hmac-sha3-384 \
         hmac-sha3-512 hmac-keccak-224 hmac-keccak-256 hmac-keccak-384 hmac-keccak-512 \
         hmac-streebog-256",
        [1856; 5],
        1856,
    ),
    ("skein-256 skein-256-512 skein-256-mac", [960; 5], 960),
    (
        "skein-512 skein-512-224 skein-512-256 skein-512-384 skein-512-mac",
        [1152; 5],
        1152,
    ),
    (
        "skein-1024 skein-1024-256 skein-1024-512 skein-1024-mac",
        [2112; 5],
        2112,
    ),
    ("aegis-256x2", [2048; 5], 2048),
    ("umac-32 umac-64 umac-96 umac-128", [448; 5], 2944),
    ("kt128 kt256", [2368, 2368, 2688, 2688, 3264], 3072),
    ("aegis-128x2 aegis-256x4", [3328; 5], 3328),
    ("aegis-128x4", [4160; 5], 4160),
    ("xchacha20-poly1305", [1408, 1408, 2304, 3152, 5504], 4800),
    ("xsalsa20-poly1305", [1728, 1728, 1728, 3088, 3840], 4544),
    ("chacha20-poly1305", [1344, 1344, 2240, 3088, 5440], 4800),
];

/// Rows: ids; the depth after messages with the kernel `avx2`, as in [`MEASURED`], where it is much
/// less or more than with other kernels: there SHA-1 and SHA-256 are the portable code.
pub(super) const AVX2: &[(&str, [usize; CLASSES])] = &[
    ("sha-1", [384; 5]),
    ("sosemanuk des-ede2-retail-mac", [1024; 5]),
    ("hmac-sha-1", [640; 5]),
    ("whirlpool", [640; 5]),
    ("hmac-whirlpool", [1024; 5]),
    ("sha-224 sha-256", [576; 5]),
    ("hmac-sha-224 hmac-sha-256", [1344; 5]),
    (
        "sha3-224 sha3-256 sha3-384 sha3-512 keccak-224 keccak-256 keccak-384 keccak-512",
        [1024; 5],
    ),
    ("chacha8 chacha12 chacha20", [64, 64, 64, 1856, 1856]),
    ("xchacha20", [448, 448, 320, 1856, 1856]),
    ("poly1305", [128, 128, 128, 1536, 1536]),
    ("salsa20 salsa20-12 salsa20-8", [64, 64, 64, 1856, 1856]),
    (
        "xsalsa20 xsalsa20-12 xsalsa20-8",
        [640, 640, 640, 1856, 1856],
    ),
    ("chacha20-poly1305", [1280, 1280, 3712, 4800, 4800]),
    ("xchacha20-poly1305", [1408, 1408, 4096, 4800, 4800]),
    ("xsalsa20-poly1305", [1792, 1792, 4480, 4480, 4480]),
];

/// Those of [`MEASURED`] that process up to 1024 bytes as shorter messages, because that is sixteen
/// blocks of 64 bytes.
pub(super) const SIXTEEN: &str = "chacha8 chacha12 chacha20 xchacha20 salsa20 salsa20-12 salsa20-8 \
    xsalsa20 xsalsa20-12 xsalsa20-8 blake3";

/// Those of [`MEASURED`] whose portable kernel was measured: they have no other, or it is the best one
/// on some machines.
pub(super) const PORTABLE_TOO: &str = "siphash-1-3 siphash-2-4 siphash-4-8 siphash-1-3-128 siphash-2-4-128 \
    siphash-4-8-128 halfsiphash-2-4 halfsiphash-2-4-64 md2 hmac-md2 tiger tiger2 hmac-tiger \
    hmac-tiger2 ascon-hash256 ascon-xof128 ascon-aead128 rc4 rabbit hc128 hc256 panama panama-be \
    turing abc-v3 blake2xb blake2xs skein-256-mac skein-512-mac skein-1024-mac \
    skein-256 skein-256-512 skein-512 skein-512-224 skein-512-256 skein-512-384 \
    skein-1024 skein-1024-256 skein-1024-512 blake2b blake2b-160 blake2b-256 blake2b-384 blake2s \
    blake2s-128 blake2s-160 blake2s-224 hmac-blake2b \
    hmac-blake2b-160 hmac-blake2b-256 hmac-blake2b-384 hmac-blake2s hmac-blake2s-128 \
    hmac-blake2s-160 hmac-blake2s-224 gost94 gost94-cryptopro hmac-gost94 \
    hmac-gost94-cryptopro phelix vmac-64 vmac-128";

/// Rows: ids of hash functions and MACs; the depth after many messages in one call, with any kernel.
pub(super) const MANY: &[(&str, usize)] = &[
    (
        "md2 ripemd-128 ripemd-256 ripemd-320 tiger tiger2 ascon-hash256 blake3 blake3-mac whirlpool gost94 \
         gost94-cryptopro streebog-256 streebog-512",
        1664,
    ),
    (
        "sha3-224 sha3-256 sha3-384 sha3-512 keccak-224 keccak-256 keccak-384 keccak-512",
        7040,
    ),
    ("sha-1 skein-256 skein-256-512 skein-256-mac", 8576),
    (
        "blake2b-mac blake2s-mac \
         blake2b blake2b-160 blake2b-256 blake2b-384 blake2s blake2s-128 blake2s-160 blake2s-224 \
         hmac-sha3-224 hmac-sha3-256 skein-512 \
         skein-512-224 skein-512-256 skein-512-384 skein-512-mac",
        10496,
    ),
    ("hmac-sha-1 hmac-sha3-384 hmac-sha3-512", 11904),
    (
        "hmac-blake2b hmac-blake2b-160 hmac-blake2b-256 hmac-blake2b-384 hmac-blake2s \
         hmac-blake2s-128 hmac-blake2s-160 hmac-blake2s-224",
        15488,
    ),
    (
        "sha-224 sha-256 sha-384 sha-512 sha-512-224 sha-512-256",
        17472,
    ),
    ("md4 md5 sm3", 18816),
    (
        "ripemd-160 hmac-md4 hmac-md5 hmac-sha-224 hmac-sha-256 hmac-sha-384 hmac-sha-512-224 \
         hmac-sha-512-256 hmac-sm3",
        21120,
    ),
    ("hmac-sha-512 hmac-ripemd-160", 22528),
    ("hmac-skein-1024", 30 * 1024),
];
