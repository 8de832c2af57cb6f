//! scrypt and yescrypt: key derivation from a password that needs much memory, so that a search
//! is expensive for an attacker. The functions fill much memory, and read this memory again in
//! an order that depends on the password. yescrypt extends scrypt.
//!
//! **Not constant-time**: the addresses that are read depend on the password. This is a part of
//! the design.
//!
//! A block of 64 bytes is stored as four rows of four 32-bit words. The diagonals of Salsa20
//! then become rows, and compilers can use SIMD instructions. yescrypt's own transformation,
//! pwxform, is defined on words in the same order.
//!
//! - [SCRYPT] The scrypt Password-Based Key Derivation Function, RFC 7914, 2016
//! - [YESCRYPT] yescrypt: password hashing scalable beyond bcrypt and scrypt, 2018
//!
//! [SCRYPT]: https://www.rfc-editor.org/rfc/rfc7914
//! [YESCRYPT]: https://www.openwall.com/yescrypt/

use alloc::vec::Vec;
use core::mem;

use super::{KdfError, pbkdf2};
use crate::hash::Sha256;
use crate::mac::Hmac;
use crate::wipe::wipe;

/// The variant of scrypt or yescrypt: how the memory is filled and read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flavour {
    /// The function scrypt of RFC 7914, for output of 32 bytes and N of at least 4.
    Scrypt,
    /// scrypt with the pre- and post-processing of yescrypt, and with more passes over the
    /// memory.
    WriteOnce,
    /// The default of yescrypt: blocks are written back to memory, and pwxform replaces
    /// Salsa20/8. pwxform has 6 rounds of 4 gathers of 2 lanes, and S-boxes of 12 KiB in total.
    ReadWrite,
}

/// The costs of yescrypt by their names in [YESCRYPT](self): N rows of 128 r bytes, p lanes,
/// and t for additional passes over the memory.
#[derive(Debug, Clone, Copy)]
#[allow(missing_docs, reason = "the text above says what each is")]
pub struct Costs {
    pub flavour: Flavour,
    pub n: u64,
    pub r: u32,
    pub p: u32,
    pub t: u32,
}

impl Costs {
    fn valid(&self) -> bool {
        let &Self {
            flavour,
            n,
            r,
            p,
            t,
        } = self;
        let lanes = if flavour == Flavour::ReadWrite {
            u64::from(p)
        } else {
            1
        };
        n.is_power_of_two()
            && n <= u64::from(u32::MAX)
            && r > 0
            && p > 0
            && u64::from(r) * u64::from(p) < 1 << 30
            && n / lanes > 3
            && (flavour != Flavour::Scrypt || t == 0)
    }
}

/// Fills `key` from a password and a salt by scrypt, [SCRYPT](self) §6. scrypt fills and reads
/// N rows of 128 r bytes, p times.
///
/// ```
/// use touchstone::kdf::scrypt;
///
/// let mut key = [0; 32];
/// scrypt(b"correct horse", b"salt of this user", 1 << 14, 8, 1, &mut key)?;
/// # Ok::<(), touchstone::kdf::KdfError>(())
/// ```
///
/// # Errors
///
/// [`KdfError::Costs`] if N is not a power of two from 2 to 2^(16 r) − 1 and below 2³², or if r
/// or p is 0, or if r p is 2³⁰ or more; [`KdfError::OutputLength`] for more than 2³² − 1
/// digests of output; [`KdfError::Memory`] if the memory cannot be allocated. The function
/// checks the costs before it allocates any memory.
pub fn scrypt(
    password: &[u8],
    salt: &[u8],
    n: u64,
    r: u32,
    p: u32,
    key: &mut [u8],
) -> Result<(), KdfError> {
    let costs = Costs {
        flavour: Flavour::Scrypt,
        n,
        r,
        p,
        t: 0,
    };
    // [SCRYPT] §2 requires that N is below 2^(128 r / 8).
    let narrow = r < 2 && n >= 1 << 16;
    // Costs of yescrypt need at least four rows. The other conditions of yescrypt and scrypt
    // are the same.
    let valid = Costs {
        n: n.max(4),
        ..costs
    }
    .valid()
        && n >= 2
        && n.is_power_of_two();
    if narrow || !valid {
        return Err(KdfError::Costs);
    }
    if u32::try_from(key.len().div_ceil(32)).is_err() {
        return Err(KdfError::OutputLength { given: key.len() });
    }
    scrypt_of(password, salt, &costs, key)
}

fn scrypt_of(password: &[u8], salt: &[u8], costs: &Costs, key: &mut [u8]) -> Result<(), KdfError> {
    let mut memory = Memory::new(costs)?;
    once(password, salt, memory.b.as_flattened_mut())?;
    memory.mix(costs, &mut [0; 32])?;
    once(password, memory.b.as_flattened(), key)
}

/// Fills `key` from a password and a salt by yescrypt, [YESCRYPT](self).
///
/// # Errors
///
/// [`KdfError::Costs`] for costs that yescrypt does not accept, and [`KdfError::Memory`] if the
/// memory cannot be allocated. The function checks the costs before it allocates any memory.
pub fn yescrypt(
    password: &[u8],
    salt: &[u8],
    costs: &Costs,
    key: &mut [u8; 32],
) -> Result<(), KdfError> {
    if !costs.valid() {
        return Err(KdfError::Costs);
    }
    let &Costs {
        flavour, n, r, p, ..
    } = costs;
    if flavour == Flavour::Scrypt {
        return scrypt_of(password, salt, costs, key);
    }
    let lane = n / u64::from(p);
    // If the costs are high, [YESCRYPT] requires a short run first. The result of the short run
    // replaces the password, so that the long run does not need the password itself.
    if flavour == Flavour::ReadWrite && lane >= 0x100 && lane * u64::from(r) >= 0x20000 {
        let first = Costs {
            n: n >> 6,
            t: 0,
            ..*costs
        };
        let mut hashed = [0; 32];
        body(password, salt, &first, true, &mut hashed)?;
        let outcome = body(&hashed, salt, costs, false, key);
        wipe(&mut hashed, 0);
        return outcome;
    }
    body(password, salt, costs, false, key)
}

fn body(
    password: &[u8],
    salt: &[u8],
    costs: &Costs,
    prehash: bool,
    key: &mut [u8; 32],
) -> Result<(), KdfError> {
    let mut memory = Memory::new(costs)?;
    let name: &[u8] = if prehash {
        b"yescrypt-prehash"
    } else {
        b"yescrypt"
    };
    let mut secret = mac(name, password);
    once(&secret, salt, memory.b.as_flattened_mut())?;
    secret.copy_from_slice(&memory.b[0][..32]);
    memory.mix(costs, &mut secret)?;
    once(&secret, memory.b.as_flattened(), key)?;
    wipe(&mut secret, 0);
    if !prehash {
        // The last steps are the last steps of SCRAM, RFC 5802.
        let mut client = mac(key, b"Client Key");
        *key = Sha256::digest(&client).into();
        wipe(&mut client, 0);
    }
    Ok(())
}

/// Computes HMAC-SHA-256.
fn mac(key: &[u8], message: &[u8]) -> [u8; 32] {
    Hmac::<Sha256>::new(key).mac(message).into()
}

/// Computes PBKDF2 with one iteration of HMAC-SHA-256.
fn once(password: &[u8], salt: &[u8], output: &mut [u8]) -> Result<(), KdfError> {
    pbkdf2::<Hmac<Sha256>>(password, salt, 1, output)
}

/// A block: its four rows one after the other, as the module's documentation describes. Each
/// number has two 32-bit words of a row.
type Block = [u64; 8];

struct Memory {
    /// The memory V of N rows of 2r blocks. The length of this vector is the part that is
    /// filled so far.
    v: Vec<Block>,
    x: Vec<Block>,
    y: Vec<Block>,
    /// The p lanes of 2r blocks each, in the order of the standard, not in rows.
    b: Vec<[u8; 64]>,
    boxes: Vec<Boxes>,
}

trait Zero: Copy {
    const ZERO: Self;
}

impl Zero for Block {
    const ZERO: Self = [0; 8];
}

impl Zero for [u8; 64] {
    const ZERO: Self = [0; 64];
}

fn zeroed<T: Zero>(len: usize) -> Result<Vec<T>, KdfError> {
    let mut all = Vec::new();
    all.try_reserve_exact(len).map_err(|_| KdfError::Memory)?;
    all.resize(len, T::ZERO);
    Ok(all)
}

impl Drop for Memory {
    fn drop(&mut self) {
        for part in [&mut self.v, &mut self.x, &mut self.y] {
            wipe(part, [0; 8]);
        }
        wipe(&mut self.b, [0; 64]);
        for boxes in &mut self.boxes {
            wipe(boxes.boxes.as_flattened_mut(), [0; 2]);
        }
    }
}

impl Memory {
    fn new(costs: &Costs) -> Result<Self, KdfError> {
        let blocks = 2 * costs.r as usize;
        let lanes = costs.p as usize;
        // The largest vector is allocated first. If this fails, no time has been lost with
        // filling the other vectors.
        let all = usize::try_from(costs.n)
            .ok()
            .and_then(|n| n.checked_mul(blocks))
            .ok_or(KdfError::Memory)?;
        let mut v = Vec::new();
        v.try_reserve_exact(all).map_err(|_| KdfError::Memory)?;
        let mut memory = Self {
            v,
            x: zeroed(blocks)?,
            y: zeroed(blocks)?,
            b: zeroed(blocks.checked_mul(lanes).ok_or(KdfError::Memory)?)?,
            boxes: Vec::new(),
        };
        if costs.flavour == Flavour::ReadWrite {
            let boxes = &mut memory.boxes;
            boxes
                .try_reserve_exact(lanes)
                .map_err(|_| KdfError::Memory)?;
            let boxes_of_lane = Boxes {
                boxes: [[[0; 2]; SIZE]; 3],
                turn: 0,
                next: 0,
            };
            boxes.resize(lanes, boxes_of_lane);
        }
        Ok(memory)
    }

    /// Computes step 2 of [SCRYPT] for each lane, or SMix of [YESCRYPT] over all lanes.
    fn mix(&mut self, costs: &Costs, secret: &mut [u8; 32]) -> Result<(), KdfError> {
        let &Costs {
            flavour,
            n,
            r,
            p,
            t,
        } = costs;
        let lanes = p as usize;
        if flavour != Flavour::ReadWrite {
            let passes = match t {
                0 => n,
                1 => n + n.div_ceil(2),
                t => n.checked_mul(t.into()).ok_or(KdfError::Costs)?,
            };
            for lane in 0..lanes {
                self.v.clear();
                self.load(lane, r);
                self.fill(n, None);
                self.read(0, n, passes.next_multiple_of(2), None);
                self.store(lane, r);
            }
            return Ok(());
        }

        let each = n / u64::from(p);
        let passes = match t {
            0 => each.div_ceil(3),
            1 => (2 * each).div_ceil(3),
            t => each.checked_mul(u64::from(t) - 1).ok_or(KdfError::Costs)?,
        };
        let writing = (passes / u64::from(p)).next_multiple_of(2);
        let passes = passes.next_multiple_of(2);
        let each = each & !1;

        self.v.clear();
        let mut boxes = mem::take(&mut self.boxes);
        for (lane, boxes) in boxes.iter_mut().enumerate() {
            let start = self.v.len();
            // The last lane also processes the rows that remain after the division.
            let rows = if lane + 1 < lanes {
                each
            } else {
                n - lane as u64 * each
            };
            self.fill_boxes(lane, r, boxes);
            if lane == 0 {
                let last = &self.b[2 * r as usize - 1];
                *secret = mac(last, &secret[..]);
            }
            self.load(lane, r);
            self.fill(rows, Some(boxes));
            let power = 1 << rows.ilog2();
            self.read_and_write(start, power, writing, boxes);
            self.store(lane, r);
        }
        for (lane, boxes) in boxes.iter_mut().enumerate() {
            self.load(lane, r);
            self.read(0, n, passes.saturating_sub(writing), Some(boxes));
            self.store(lane, r);
        }
        self.boxes = boxes;
        Ok(())
    }

    /// Fills the S-boxes of a lane. Their content is the memory that scrypt with r = 1 writes
    /// if it starts with the lane's first 128 bytes. The output of this scrypt replaces these
    /// 128 bytes.
    fn fill_boxes(&mut self, lane: usize, r: u32, boxes: &mut Boxes) {
        let first = 2 * r as usize * lane;
        let mut x = [rows(&self.b[first]), rows(&self.b[first + 1])];
        let mut y = x;
        let words = boxes.boxes.as_flattened_mut().as_flattened_mut();
        for row in words.as_chunks_mut::<16>().0 {
            row.copy_from_slice(x.as_flattened());
            salsa_mix(&mut x, &mut y);
        }
        self.b[first] = plain(&x[0]);
        self.b[first + 1] = plain(&x[1]);
        wipe(&mut x, [0; 8]);
        wipe(&mut y, [0; 8]);
    }

    fn load(&mut self, lane: usize, r: u32) {
        let blocks = 2 * r as usize;
        let b = &self.b[lane * blocks..][..blocks];
        for (x, b) in self.x.iter_mut().zip(b) {
            *x = rows(b);
        }
    }

    fn store(&mut self, lane: usize, r: u32) {
        let blocks = 2 * r as usize;
        let b = &mut self.b[lane * blocks..][..blocks];
        for (b, x) in b.iter_mut().zip(&self.x) {
            *b = plain(x);
        }
    }

    /// Computes SMix1 of [YESCRYPT]: fills V by appending `rows` rows.
    fn fill(&mut self, rows: u64, mut boxes: Option<&mut Boxes>) {
        let blocks = self.x.len();
        let start = self.v.len();
        for i in 0..rows {
            self.v.extend_from_slice(&self.x);
            if boxes.is_some() && i > 1 {
                // j is one of the last 2^k rows before row i, where 2^k is the largest power of
                // two that is at most i.
                let power = 1 << i.ilog2();
                let j = (integerify(&self.x) & (power - 1)) + (i - power);
                xor(
                    &mut self.x,
                    &self.v[start + j as usize * blocks..][..blocks],
                );
            }
            match &mut boxes {
                Some(boxes) => boxes.mix(&mut self.x),
                None => salsa_mix(&mut self.x, &mut self.y),
            }
        }
    }

    /// Computes SMix2 of [YESCRYPT] over n rows of V from `start` on. n is a power of two.
    fn read(&mut self, start: usize, n: u64, passes: u64, mut boxes: Option<&mut Boxes>) {
        let blocks = self.x.len();
        for _ in 0..passes {
            let j = (integerify(&self.x) & (n - 1)) as usize;
            xor(&mut self.x, &self.v[start + j * blocks..][..blocks]);
            match &mut boxes {
                Some(boxes) => boxes.mix(&mut self.x),
                None => salsa_mix(&mut self.x, &mut self.y),
            }
        }
    }

    /// Computes the form of SMix2 of [YESCRYPT] that also writes the sum back to V.
    fn read_and_write(&mut self, start: usize, n: u64, passes: u64, boxes: &mut Boxes) {
        let blocks = self.x.len();
        for _ in 0..passes {
            let j = (integerify(&self.x) & (n - 1)) as usize;
            let row = &mut self.v[start + j * blocks..][..blocks];
            for (x, v) in self.x.iter_mut().zip(row) {
                for (x, v) in x.iter_mut().zip(v) {
                    *x ^= *v;
                    *v = *x;
                }
            }
            boxes.mix(&mut self.x);
        }
    }
}

/// Returns the first 32-bit word of the last block.
fn integerify(x: &[Block]) -> u64 {
    x.last().map_or(0, |last| last[0] & 0xffff_ffff)
}

#[inline(always)]
fn xor(x: &mut [Block], other: &[Block]) {
    for (x, other) in x.iter_mut().zip(other) {
        for (x, other) in x.iter_mut().zip(other) {
            *x ^= other;
        }
    }
}

/// Converts a block from the order of the standard to rows.
fn rows(plain: &[u8; 64]) -> Block {
    let (words, _) = plain.as_chunks::<4>();
    let word = |i: usize| u64::from(u32::from_le_bytes(words[i * 5 % 16]));
    core::array::from_fn(|i| word(2 * i) | word(2 * i + 1) << 32)
}

/// Converts a block from rows to the order of the standard.
fn plain(rows: &Block) -> [u8; 64] {
    let mut plain = [0; 64];
    let (words, _) = plain.as_chunks_mut::<4>();
    for (i, pair) in rows.iter().enumerate() {
        words[2 * i * 5 % 16] = (*pair as u32).to_le_bytes();
        words[(2 * i + 1) * 5 % 16] = ((pair >> 32) as u32).to_le_bytes();
    }
    plain
}

/// Computes scryptBlockMix with Salsa20/8, [SCRYPT] §4.
fn salsa_mix(x: &mut [Block], y: &mut [Block]) {
    let Some(&(mut sum)) = x.last() else { return };
    for (x, y) in x.iter().zip(y.iter_mut()) {
        for (sum, x) in sum.iter_mut().zip(x) {
            *sum ^= x;
        }
        salsa::<4>(&mut sum);
        *y = sum;
    }
    // The output has the blocks with even indices first, then the blocks with odd indices.
    let (even, odd) = x.split_at_mut(x.len() / 2);
    for ((even, odd), [y0, y1]) in even.iter_mut().zip(odd).zip(y.as_chunks::<2>().0) {
        *even = *y0;
        *odd = *y1;
    }
}

/// Computes Salsa20 with the given number of double rounds.
#[inline(always)]
fn salsa<const DOUBLE_ROUNDS: usize>(block: &mut Block) {
    type Row = [u32; 4];

    /// Computes `out ^= (a + b) <<< turn`.
    #[inline(always)]
    fn step(out: &mut Row, a: &Row, b: &Row, turn: u32) {
        for i in 0..4 {
            out[i] ^= a[i].wrapping_add(b[i]).rotate_left(turn);
        }
    }

    let row = |i: usize| -> Row {
        let (low, high) = (block[2 * i], block[2 * i + 1]);
        [
            low as u32,
            (low >> 32) as u32,
            high as u32,
            (high >> 32) as u32,
        ]
    };
    let start = [row(0), row(1), row(2), row(3)];
    let [mut a, mut b, mut c, mut d] = start;
    for _ in 0..DOUBLE_ROUNDS {
        step(&mut b, &a, &d, 7);
        step(&mut c, &b, &a, 9);
        step(&mut d, &c, &b, 13);
        step(&mut a, &d, &c, 18);
        b = [b[3], b[0], b[1], b[2]];
        c = [c[2], c[3], c[0], c[1]];
        d = [d[1], d[2], d[3], d[0]];
        step(&mut d, &a, &b, 7);
        step(&mut c, &d, &a, 9);
        step(&mut b, &c, &d, 13);
        step(&mut a, &b, &c, 18);
        b = [b[1], b[2], b[3], b[0]];
        c = [c[2], c[3], c[0], c[1]];
        d = [d[3], d[0], d[1], d[2]];
    }
    for (i, (row, start)) in [a, b, c, d].iter().zip(&start).enumerate() {
        let sum: Row = core::array::from_fn(|i| row[i].wrapping_add(start[i]));
        block[2 * i] = u64::from(sum[0]) | u64::from(sum[1]) << 32;
        block[2 * i + 1] = u64::from(sum[2]) | u64::from(sum[3]) << 32;
    }
}

/// The number of entries of one S-box of yescrypt.
const SIZE: usize = 256;

type SBox = [[u64; 2]; SIZE];

/// The three S-boxes of a lane. At the start they are S2, S1 and S0 of [YESCRYPT] in this
/// order. Later the names rotate.
#[derive(Clone)]
struct Boxes {
    boxes: [SBox; 3],
    /// The number of times that the names of the three S-boxes have rotated, modulo 3.
    turn: usize,
    /// The index of the entry of S2 that is written next.
    next: usize,
}

impl Boxes {
    /// Computes BlockMix_pwxform of [YESCRYPT].
    fn mix(&mut self, x: &mut [Block]) {
        let Some(&(mut sum)) = x.last() else { return };
        let [a, b, c] = &mut self.boxes;
        let (mut s2, mut s1, mut s0) = match self.turn {
            0 => (a, b, c),
            1 => (b, c, a),
            _ => (c, a, b),
        };
        self.turn = (self.turn + x.len()) % 3;
        let mut next = self.next;
        for block in x.iter_mut() {
            for (sum, word) in sum.iter_mut().zip(&*block) {
                *sum ^= word;
            }
            next = transform(&mut sum, s2, s1, s0, next);
            *block = sum;
            // The names of the S-boxes rotate: (S0, S1, S2) <- (S2, S0, S1).
            (s0, s1, s2) = (s2, s0, s1);
        }
        self.next = next;
        if let Some(last) = x.last_mut() {
            salsa::<1>(last);
        }
    }
}

/// Computes pwxform of [YESCRYPT]: six rounds over four pairs of words. The results of the
/// middle four rounds are also written to S2. Returns the index at which the next call
/// continues to write.
#[inline(always)]
fn transform(block: &mut Block, s2: &mut SBox, s1: &SBox, s0: &SBox, mut next: usize) -> usize {
    let (pairs, _) = block.as_chunks_mut::<2>();
    for round in 0..6 {
        for pair in pairs.iter_mut() {
            let low = &s0[pair[0] as usize >> 4 & (SIZE - 1)];
            let high = &s1[(pair[0] >> 36) as usize & (SIZE - 1)];
            for i in 0..2 {
                let product = (pair[i] & 0xffff_ffff).wrapping_mul(pair[i] >> 32);
                pair[i] = product.wrapping_add(low[i]) ^ high[i];
            }
            if (1..5).contains(&round) {
                s2[next & (SIZE - 1)] = *pair;
                next += 1;
            }
        }
    }
    next & (SIZE - 1)
}
