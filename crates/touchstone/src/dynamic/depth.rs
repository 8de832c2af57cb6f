//! How deep each call by name leaves something of a secret on the stack.
//!
//! The numbers are measured: `TOUCHSTONE_STACK_DEPTHS="aes- sha-" cargo test --release --features
//! dynamic,limit --test stack` prints them for the names that begin so, and `make secrets` checks
//! all of them. An algorithm that is in no table here gets a depth that is enough for most: so does
//! HMAC with Skein, whose frames depend on what the compiler inlines. On a processor that
//! stores 32 bytes in a cycle, each 1024 bytes take 9 ns.

mod cipher;
mod measured;

use crate::wipe::{self, NOTHING};
use cipher::Family;
pub(super) use cipher::OfCipher;
use measured::{
    AVX2, AVX2_CIPHER, AVX2_DES, CLASSES, KEYS, LEAST_MARGIN, MANY, MARGIN, MEASURED, ONE_BLOCK,
    PORTABLE, PORTABLE_CIPHER, PORTABLE_TOO, REKEY, SIXTEEN, SMALL_NEW, SMALL_NEW_DEPTH, TWO_SETS,
};

/// How many bytes of the stack are overwritten after the calls of an object.
#[derive(Debug, Clone, Copy)]
pub(super) struct Depth {
    /// After a message by one call, by its length: see [`class`]. The kernels that take many
    /// blocks at once have large frames, and short messages do not reach them. The last but one is for
    /// [`RARE`] messages.
    message: [Short; CLASSES + 2],
    /// After the calls that begin a message, take a piece of it, or end it.
    piece: Short,
    /// After a key that replaces another one.
    rekey: Short,
    /// After the key of a new object.
    new: Short,
    /// After many messages in one call, for hash functions and MACs.
    many: Short,
    /// [`message`](Self::message) with the kernel `avx2`.
    avx2: [Short; CLASSES + 2],
    /// What is added to the depth after a message of more than 16 bytes that is no whole number of
    /// blocks of 16 bytes: for up to 256 bytes, and for more.
    parts: [Short; 2],
    /// Whether the numbers hold for the portable kernel, too.
    portable_too: bool,
}

/// A depth in an object. A program moves objects when it makes them: with depths of 64 bits, a message of
/// one block with an object of its own takes a quarter longer (AES-128 in CBC).
type Short = u16;

/// Shortens a depth. [`NOTHING`] and [`PARTS`] stay the two largest numbers.
const fn short(depth: usize) -> Short {
    assert!(depth < Short::MAX as usize - 1 || depth >= PARTS);
    depth as Short
}

/// Shortens the depths of messages.
const fn all_short(depths: [usize; CLASSES + 2]) -> [Short; CLASSES + 2] {
    let mut all = [0; CLASSES + 2];
    let mut class = 0;
    while class < CLASSES + 2 {
        all[class] = short(depths[class]);
        class += 1;
    }
    all
}

/// Overwrites the stack to a depth that [`short`] has shortened.
#[inline(always)]
fn clear(depth: Short) {
    if depth != const { short(NOTHING) } {
        wipe::stack(depth as usize);
    }
}

/// The depth that [`short`] has shortened.
#[inline(always)]
const fn long(depth: Short) -> usize {
    if depth == short(NOTHING) {
        NOTHING
    } else {
        depth as usize
    }
}

/// [`wipe::LOW_REGISTERS`], unless the build lets the compiler use all registers everywhere.
const LOW: usize = if cfg!(target_feature = "avx512f") {
    0
} else {
    wipe::LOW_REGISTERS
};

/// The longest associated data that a kernel may hash together with a short message.
const SHORT_AAD: usize = 48;

/// The length that stands for a message with associated data. Longer associated data runs code that
/// short messages do not.
#[inline(always)]
pub(super) fn with_aad(usual_nonce: bool, aad: usize, data: usize) -> usize {
    let longer = aad.max(data);
    if !usual_nonce {
        return RARE;
    }
    if aad > SHORT_AAD {
        return longer.max(257);
    }
    longer
}

/// The length that stands for a message after which more is left on the stack: one with a nonce of
/// another length than the usual one, which is hashed, or one that was refused, because the
/// comparison of the tags leaves the right tag, which is a secret then.
pub(super) const RARE: usize = usize::MAX;

/// In place of a depth: whole blocks of 16 bytes leave nothing, and a part of a block leaves something
/// [`PART`] deep.
const PARTS: usize = NOTHING - 1;

const PART: usize = 1024;

/// How much deeper the frames of CFB decryption lie than those of CBC decryption.
const CFB: usize = 448;

/// [`Depth::parts`] of modes that copy the last blocks, if the last one is short
/// ([`with_short_last`](crate::fuse::unfused::with_short_last)).
const SHORT_LAST: [usize; 2] = [896, 1664];

/// The place in [`Depth::message`] for messages of 1024 bytes: most algorithms leave as much after them as
/// after longer ones, but those of [`SIXTEEN`] no more than after shorter ones, and kernels whose registers
/// such a message fills have no copy of it.
const KIB: usize = CLASSES + 1;

/// The place in [`Depth::message`] for a message of this number of bytes.
#[inline(always)]
const fn class(length: usize) -> usize {
    match length {
        0..=16 => 0,
        17..=64 => 1,
        65..=256 => 2,
        257..=960 => 3,
        1024 => KIB,
        RARE => CLASSES,
        _ => 4,
    }
}

impl Depth {
    /// For an algorithm that was not measured.
    pub(super) const USUAL: Self = Self {
        message: [short(wipe::FRAMES); CLASSES + 2],
        piece: short(wipe::FRAMES),
        rekey: short(wipe::FRAMES),
        new: short(wipe::FRAMES),
        many: short(wipe::DEEP),
        avx2: [short(wipe::FRAMES); CLASSES + 2],
        parts: [0; 2],
        portable_too: true,
    };

    /// For an algorithm that is no mode of a block cipher.
    pub(super) const fn of(id: &str) -> Self {
        let mut i = 0;
        while i < MEASURED.len() {
            let (ids, message, piece) = MEASURED[i];
            if has_word(ids, id) {
                let message = of_blocks(id, with_rare(deeper(message)));
                return Self {
                    message: all_short(message),
                    avx2: all_short(avx2_of(id, message)),
                    piece: short(piece + MARGIN),
                    rekey: short(with_margin(rekey_of(id))),
                    new: short(if has_word(SMALL_NEW, id) {
                        SMALL_NEW_DEPTH + MARGIN
                    } else {
                        wipe::FRAMES
                    }),
                    many: short(many_of(id)),
                    parts: [0; 2],
                    portable_too: has_word(PORTABLE_TOO, id),
                };
            }
            i += 1;
        }
        Self {
            many: short(many_of(id)),
            ..Self::USUAL
        }
    }

    /// For an algorithm whose new object leaves something at least this deep.
    pub(super) const fn with_new(self, least: usize) -> Self {
        let new = long(self.new);
        Self {
            new: short(if least > new { least } else { new }),
            ..self
        }
    }

    /// For an algorithm whose new object has `size` bytes and gets its key where it lies. The object is
    /// still moved there, up to four times, so the frames of the key set-up lie deeper than those of a key
    /// that replaces another one.
    pub(super) const fn in_place(self, size: usize) -> Self {
        Self {
            new: short((long(self.rekey) & !LOW) + 4 * size),
            ..self
        }
    }

    /// For the kernel that the object uses.
    pub(super) fn with_kernel(self, kernel: &str) -> Self {
        if kernel == "avx2" {
            return Self {
                message: self.avx2,
                ..self
            };
        }
        if kernel != "portable" || self.portable_too {
            return self;
        }
        Self {
            message: self.message.map(|depth| depth.max(short(PORTABLE))),
            piece: self.piece.max(short(PORTABLE)),
            ..self
        }
    }

    /// For a mode of a block cipher, in one direction.
    pub(super) fn of_mode(
        cipher: &OfCipher,
        mode: &str,
        decrypt: bool,
        kernel: &str,
        best: &str,
    ) -> Self {
        let family = cipher.family;
        let portable = kernel == "portable";
        if family == Family::Aes && !portable {
            return Self::of_aes(cipher.id, mode, decrypt, kernel, best);
        }
        let (mut serial, mut parallel) = (cipher.serial, cipher.parallel);
        if portable && best != "portable" || family == Family::Aes {
            serial = serial.max(PORTABLE_CIPHER[0]);
            for (depth, portable) in parallel.iter_mut().zip(PORTABLE_CIPHER) {
                *depth = (*depth).max(portable);
            }
        }
        if kernel == "avx2" && family == Family::Des {
            (serial, parallel) = AVX2_DES;
        }
        if kernel.starts_with("avx2-") {
            for (depth, planes) in parallel.iter_mut().zip(AVX2_CIPHER) {
                *depth = (*depth).max(planes);
            }
        }
        let two_sets = kernel == "avx2-aes" && family == Family::Camellia;
        if two_sets {
            parallel[3] = TWO_SETS[0];
        }
        let one = parallel[0] + MARGIN / 2;
        let [_, few, some, many] = parallel.map(|depth| depth + MARGIN);
        let serial = serial + MARGIN / 2;
        let parallel = [one, few, some, many, many];
        let low = cipher.low;
        let message = match mode {
            "ecb" if cipher.one_block => [(ONE_BLOCK.1 + MARGIN / 2) | low, few, some, many, many],
            "ctr" if cipher.one_counter => [serial | low, few, some, many, many],
            "ecb" | "ctr" => [one | low, few, some, many, many],
            "cbc" if decrypt => [one | low, few, some, many, many],
            "cfb" if decrypt => {
                let [_, few, some, many, _] = parallel.map(|depth| depth + CFB);
                [one | low, few, some, many, many]
            }
            "cbc" | "cfb" | "ofb" => [serial | low; CLASSES],
            // A block for each byte.
            "cfb8" if decrypt && two_sets => [2 * many + 2560; CLASSES],
            "cfb8" if decrypt => [2 * many + 256; CLASSES],
            "cfb8" | "cmac" | "omac2" => [serial + 64; CLASSES],
            "cbc-mac" => [serial + 512; CLASSES],
            // The second key's cipher gets its block as all others get several.
            "dmac" => [serial.max(one) + 512; CLASSES],
            "ecb-cts" => parallel.map(|depth| depth + 128),
            "cbc-cs1" | "cbc-cs2" => parallel.map(|depth| depth + 512),
            "cbc-cs3" => parallel.map(|depth| depth + 1408),
            // Messages of up to 1008 bytes have one block more, and pass through a buffer.
            "gcm" => [few + 896, some + 1152, some + 1152, many + 1920, many + 896],
            "gmac" => [one + 896; CLASSES],
            "siv" => parallel.map(|depth| depth + 768),
            // A message of one block takes three blocks.
            "ccm" => [few, few, some, many, many].map(|depth| depth + 1536),
            // Three blocks at once, which may be enough for planes.
            "eax" if kernel.starts_with("avx2-") || family == Family::Aria => {
                [few, few, some, many, many].map(|depth| depth + 1920)
            }
            "eax" => parallel.map(|depth| depth + 1920),
            // Each message sets up a cipher.
            "gcm-siv" if family == Family::Twofish => [29 * 1024; CLASSES],
            "gcm-siv" if two_sets => [TWO_SETS[1]; CLASSES],
            "gcm-siv" => [8192; CLASSES],
            "xts" if family == Family::Aria => [
                one + 1216,
                few + 1088,
                some + 1088,
                many + 3776,
                many + 3776,
            ],
            "xts" => {
                // The code for 16 blocks of Twofish in words goes deeper.
                let words = if family == Family::Twofish { 384 } else { 0 };
                [
                    one + 960,
                    few + 1472,
                    some + 1472 + words,
                    many + 3776,
                    many + 3776,
                ]
            }
            "pmac" => [2 * many + 3072; CLASSES],
            _ => parallel.map(|depth| depth + 3200),
        };
        let new = match mode {
            "gcm-siv" if family == Family::Twofish => 31 * 1024,
            _ => cipher.new,
        };
        let parts = match mode {
            "ctr" | "siv" => SHORT_LAST,
            "cfb" if decrypt => SHORT_LAST,
            "gcm" => [0, SHORT_LAST[1]],
            _ => [0; 2],
        };
        let mut piece = (message[CLASSES - 1] & !LOW) + 256 + parts[1];
        if piece < message[0] {
            piece = message[0];
        }
        let mut message = with_rare(message);
        let row = match kernel {
            "avx2" | "avx2-aes" | "avx2-vaes" if !two_sets => cipher.narrow,
            "avx2-gfni" => cipher.narrow_gfni,
            "avx512" => cipher.wide,
            "portable" if best == "portable" => cipher.tables,
            _ => None,
        };
        if let Some((ecb, others)) = row {
            let depths = match mode {
                "ecb" => Some(*ecb),
                "ctr" => Some(*others),
                "cbc" if decrypt => Some(*others),
                "cfb" if decrypt => Some(others.map(|depth| depth + CFB)),
                _ => None,
            };
            if mode == "gcm" {
                let [_, few, some, many, most, _] = *others;
                let short = few + 1152;
                message = with_rare([short, short, some + 1408, many + 2176, most + 1152]);
                message[CLASSES] = message[CLASSES].max(message[3]);
            }
            if let Some([one, few, some, many, most, kib]) = depths {
                message = with_rare(deeper([one, few, some, many, most]));
                message[0] |= low;
                message[KIB] = kib + MARGIN / 2;
            }
        }
        // Some modes also encrypt one block with a new key, or several.
        let rekey = cipher.rekey;
        let message = all_short(message);
        Self {
            message,
            piece: short(piece),
            rekey: short(match mode {
                "cbc-mac" | "dmac" | "cmac" | "omac2" | "gcm" | "gmac" | "siv" | "ccm" => {
                    ((rekey & !LOW) + 2 * MARGIN).max(serial)
                }
                "eax" | "ocb" | "pmac" => ((rekey & !LOW) + 2 * MARGIN).max(few),
                _ => with_margin(rekey),
            }),
            new: short(new),
            many: short(wipe::DEEP),
            avx2: message,
            parts: parts.map(short),
            portable_too: true,
        }
    }

    /// For AES by its instructions. With AVX-512, few modes keep more than registers hold.
    fn of_aes(id: &str, mode: &str, decrypt: bool, kernel: &str, best: &str) -> Self {
        let avx512 = kernel == "vaes512";
        // On such a processor the other kernels of AES hash with registers of 512 bits, too.
        let hash512 = best == "vaes512";
        let vaes256 = kernel == "vaes256";
        // The code for one block at a time, and the key schedule, have the instructions of SSE alone. A
        // whole message of one block in ECB, CBC and XTS leaves nothing (`block/aes/aesni.rs`), and so do
        // all in ECB with AVX-512 (`block/aes/wide.rs`) and whole blocks in the modes of
        // `block/aes/groups256.rs`.
        let (message, piece) = match (mode, avx512) {
            ("ecb", true) => ([NOTHING; CLASSES], 0),
            ("ecb", false) if vaes256 => ([NOTHING; CLASSES], 192),
            ("cbc", false) if decrypt && vaes256 => ([NOTHING; CLASSES], 384),
            // Eight registers of AES-256 in step leave too few registers for all tweaks.
            ("xts", true) => ([NOTHING, 0, 0, 384, 384], 384),
            ("cbc", true) if decrypt => ([NOTHING, 0, 0, 0, 0], 0),
            ("xts", false) => ([NOTHING, 128, 576, 576, 576], 640),
            ("ecb", false) => ([NOTHING, 0, 128, 128, 128], 192),
            ("cbc", false) if decrypt => ([NOTHING, 0, 320, 320, 320], 384),
            ("cbc", _) => ([NOTHING; CLASSES], 384),
            ("ofb", _) => ([LOW; CLASSES], 512),
            ("cmac" | "omac2", _) => ([320; CLASSES], 512),
            ("cfb", _) if !decrypt => ([LOW; CLASSES], 448),
            ("cfb" | "ctr", true) => ([0; CLASSES], 704),
            ("cfb" | "ctr", false) if vaes256 => ([PARTS; CLASSES], 1088),
            ("cfb" | "ctr", false) => ([576, 448, 1024, 1024, 1024], 1088),
            ("ecb-cts", true) => ([192; CLASSES], 256),
            ("cbc-cs1" | "cbc-cs2" | "cbc-cs3", true) => ([640; CLASSES], 704),
            ("cbc-mac" | "dmac", _) => ([384; CLASSES], 448),
            ("ecb-cts" | "cbc-cs1" | "cbc-cs2" | "cbc-cs3", false) => ([448; CLASSES], 1152),
            ("cfb8", _) => ([1408; CLASSES], 1472),
            ("siv", _) => ([1152; CLASSES], 1152),
            ("gcm" | "gmac", true) => ([0; CLASSES], 1152),
            ("gmac", false) if vaes256 && !hash512 => ([192, 192, 192, 1024, 1024], 1536),
            ("gmac", false) => ([1536; CLASSES], 1536),
            ("eax", false) => ([1088, 1344, 1344, 1344, 1344], 1344),
            ("ccm" | "eax", _) => ([1344; CLASSES], 1344),
            ("gcm", false) => ([1536, 1536, 1792, 2816, 3072], 3072),
            ("ocb", true) => ([1344, 1344, 1344, 2752, 2752], 3072),
            ("pmac", _) => ([384, 896, 1344, 2048, 2048], 2048),
            ("ocb", false) => ([1664, 1664, 1664, 2112, 2112], 3072),
            ("gcm-siv", false) if hash512 => ([2560; CLASSES], 2560),
            ("gcm-siv", false) => ([1536, 1536, 1792, 1792, 1792], 1792),
            ("gcm-siv", _) => ([3840; CLASSES], 3840),
            _ => ([3072; CLASSES], 3072),
        };
        let mut message = with_rare(message);
        if let ("gcm" | "gmac", true) = (mode, avx512) {
            message[CLASSES] = 1152;
        }
        let rekey = match mode {
            "ocb" => 448,
            "siv" => 1024,
            "gcm" | "gmac" | "gcm-siv" | "pmac" => 0,
            "ecb" | "cbc" | "cfb" | "ofb" | "ctr" | "xts" | "ccm" if avx512 && id == "aes-128" => {
                NOTHING
            }
            _ => LOW,
        };
        let message = all_short(message);
        Self {
            message,
            piece: short(piece),
            rekey: short(rekey),
            new: short(match mode {
                // The new object gets its key where it lies.
                "ecb" | "cbc" | "cfb" | "ofb" | "ctr" | "xts" | "gcm" => rekey,
                "ccm" | "gcm-siv" | "eax" => 1728 + MARGIN,
                "siv" => 3584 + MARGIN,
                "gmac" => 2560 + MARGIN,
                "cmac" | "omac2" | "cbc-mac" | "dmac" | "pmac" => 4160 + MARGIN,
                _ => 5120 + MARGIN,
            }),
            many: short(wipe::DEEP),
            avx2: message,
            // Ciphertext stealing.
            parts: [if mode == "xts" { 448 } else { 0 }; 2],
            portable_too: true,
        }
    }

    /// Passes on what a call has given for a whole message of `length` bytes, after the stack and
    /// the registers that the call has used are overwritten. The call must be an indirect one, or
    /// one that is never inlined, so that its frames lie below the caller's. (By value, every call
    /// would copy all depths to look one up.)
    #[inline(always)]
    pub(super) fn clean<T>(&self, length: usize, result: T) -> T {
        let depth = self.message[class(length)];
        if length > 16 && !length.is_multiple_of(16) && self.parts[1] != 0 {
            wipe::stack(depth as usize + self.parts[usize::from(length > 256)] as usize);
        } else if depth != const { short(PARTS) } {
            clear(depth);
        } else if !length.is_multiple_of(16) {
            wipe::stack(PART);
        }
        result
    }

    /// [`clean`](Self::clean) after a call that begins a message, takes a piece of it, or ends it.
    #[inline(always)]
    pub(super) fn clean_piece<T>(&self, result: T) -> T {
        clear(self.piece);
        result
    }

    /// [`clean`](Self::clean) after a call that sets up the key of a new object.
    #[inline(always)]
    pub(super) fn clean_new<T>(&self, result: T) -> T {
        clear(self.new);
        result
    }

    /// The depth after the calls that begin a message, take a piece of it, or end it.
    #[inline(always)]
    pub(super) fn after_piece(&self) -> usize {
        long(self.piece)
    }

    /// Calls code that takes many messages, and then overwrites the stack.
    #[inline(always)]
    pub(super) fn clean_many<T>(&self, call: impl FnOnce() -> T) -> T {
        let result = wipe::apart(call);
        clear(self.many);
        result
    }

    /// Passes on what a call has given that has replaced the key by another one.
    #[inline(always)]
    pub(super) fn clean_rekey<T>(&self, result: T) -> T {
        clear(self.rekey);
        result
    }
}

/// Adds a margin to depths that were measured. Where a call leaves little, little code runs, so as much
/// again is enough, or [`LEAST_MARGIN`].
const fn deeper(mut message: [usize; CLASSES]) -> [usize; CLASSES] {
    let mut class = 0;
    while class < CLASSES {
        message[class] += match message[class] & !LOW {
            0..LEAST_MARGIN => LEAST_MARGIN,
            depth @ LEAST_MARGIN..HALF => depth,
            _ => HALF,
        };
        class += 1;
    }
    return message;

    const HALF: usize = MARGIN / 2;
}

/// Adds a margin to the depth of a new key. A key that is only copied leaves nothing in another build
/// either.
const fn with_margin(depth: usize) -> usize {
    if depth <= LOW {
        depth
    } else {
        depth + MARGIN / 2
    }
}

/// Adds the depth of [`RARE`] messages, which is that of the longest ones.
const fn with_rare(message: [usize; CLASSES]) -> [usize; CLASSES + 2] {
    let [one, few, some, many, most] = message;
    [one, few, some, many, most, most, most]
}

/// The depths of an algorithm that may be one of [`SIXTEEN`].
const fn of_blocks(id: &str, mut message: [usize; CLASSES + 2]) -> [usize; CLASSES + 2] {
    if has_word(SIXTEEN, id) {
        message[KIB] = message[KIB - 3];
    }
    message
}

/// The depths in [`AVX2`], or `others` if the algorithm is not in it.
const fn avx2_of(id: &str, others: [usize; CLASSES + 2]) -> [usize; CLASSES + 2] {
    let mut i = 0;
    while i < AVX2.len() {
        let (ids, message) = AVX2[i];
        if has_word(ids, id) {
            return of_blocks(id, with_rare(deeper(message)));
        }
        i += 1;
    }
    others
}

/// How deep many messages in one call leave something of a secret.
const fn many_of(id: &str) -> usize {
    let mut i = 0;
    while i < MANY.len() {
        let (ids, depth) = MANY[i];
        if has_word(ids, id) {
            return depth + 2 * MARGIN;
        }
        i += 1;
    }
    wipe::DEEP
}

/// How deep another key of an algorithm in [`MEASURED`] leaves something of a secret.
const fn rekey_of(id: &str) -> usize {
    let mut i = 0;
    while i < KEYS.len() {
        let (ids, depth) = KEYS[i];
        if has_word(ids, id) {
            return depth;
        }
        i += 1;
    }
    REKEY - MARGIN / 2
}

/// Whether a word is among words that spaces part.
const fn has_word(words: &str, word: &str) -> bool {
    has(words, word, true)
}

/// Whether an id begins with one of the words that spaces part.
const fn begins(words: &str, id: &str) -> bool {
    has(words, id, false)
}

/// Whether one of the words that spaces part is this word, or the beginning of this word unless it must be
/// `whole`. (The compiler runs this for each algorithm, and takes less than half as long for patterns as for
/// indices.)
const fn has(words: &str, word: &str, whole: bool) -> bool {
    let (mut words, word) = (words.as_bytes(), word.as_bytes());
    loop {
        let mut rest = word;
        while let ([a, more @ ..], [b, others @ ..]) = (words, rest) {
            if *a != *b {
                break;
            }
            (words, rest) = (more, others);
        }
        if matches!(words, [] | [b' ', ..]) && (rest.is_empty() || !whole) {
            return true;
        }
        loop {
            match words {
                [] => return false,
                [b' ', more @ ..] => {
                    words = more;
                    break;
                }
                [_, more @ ..] => words = more,
            }
        }
    }
}

const _: () = assert!(has_word("ab abc", "abc") && has_word("abc", "abc"));
const _: () = assert!(!has_word("abcd zabc ab", "abc"));
const _: () = assert!(begins("ab c", "abc") && begins("b c", "cb") && begins("abc", "abc"));
const _: () = assert!(!begins("abcd bc", "abc"));
