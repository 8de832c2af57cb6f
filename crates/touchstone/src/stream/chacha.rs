//! ChaCha with 8, 12 or 20 rounds, and XChaCha20: D. Bernstein's stream ciphers.
//!
//! | type | nonce | counter of blocks of 64 bytes | source |
//! |---|---|---|---|
//! | [`ChaCha8`] [`ChaCha12`] [`ChaCha20`] | 12 bytes | 32 bits, wraps around: one nonce is good for 256 GiB | [RFC8439] §2.4 |
//! | the same, [`ChaCha::stream_original`] | 8 bytes | 64 bits | [CHACHA] |
//! | [`XChaCha20`] | 24 bytes | 64 bits, as the cipher beneath has it | [XCHACHA] |
//!
//! Keys have 32 bytes. With the 8-byte nonce they may also have 16 bytes, which no
//! standard specifies. Constant-time in every form. The kernels are in
//! [`counter`].
//!
//! - [CHACHA] D. Bernstein: ChaCha, a variant of Salsa20, SASC 2008
//! - [RFC8439] ChaCha20 and Poly1305 for IETF Protocols, RFC 8439, 2018
//! - [XCHACHA] S. Arciszewski: XChaCha: eXtended-nonce ChaCha,
//!   draft-irtf-cfrg-xchacha-03, 2020
//!
//! [CHACHA]: https://cr.yp.to/chacha/chacha-20080128.pdf
//! [RFC8439]: https://www.rfc-editor.org/rfc/rfc8439
//! [XCHACHA]: https://datatracker.ietf.org/doc/html/draft-irtf-cfrg-xchacha-03

use inout::InOutBuf;

use super::counter::{self, BLOCK, Blocks, Kernel, Rounds, State, Word, key_types};
#[cfg(target_arch = "x86_64")]
use super::counter::{Places, columns_avx2, columns_avx512};
use super::keystream::{Keystream, parts_of_key, row, set_words};
use super::{InvalidNonceLength, StreamKey, keystream_type};
use crate::KeyLengths;
#[cfg(target_arch = "x86_64")]
use crate::cpu;
use crate::debug::debug;

#[cfg(target_arch = "x86_64")]
mod eight;
#[cfg(target_arch = "x86_64")]
mod pairs;
#[cfg(target_arch = "x86_64")]
mod rows;
#[cfg(target_arch = "x86_64")]
use eight::rounds as rounds_avx2;

/// A key of ChaCha with `ROUNDS` rounds, an even number above 0. Another number is a compile error:
///
/// ```compile_fail,E0080
/// let without = <touchstone::stream::chacha::ChaCha<0> as touchstone::FixedKey>::new(&[7; 32]);
/// ```
#[derive(Clone)]
pub struct ChaCha<const ROUNDS: usize> {
    kernel: Kernel,
    /// The first 12 words of the state: the constants and the key.
    words: [u32; 12],
}

debug!([const ROUNDS: usize] ChaCha<ROUNDS>, name(ROUNDS));

/// The name of the cipher with this number of rounds.
const fn name(rounds: usize) -> &'static str {
    match rounds {
        8 => "ChaCha8",
        12 => "ChaCha12",
        20 => "ChaCha20",
        _ => "ChaCha",
    }
}

/// ChaCha with 8 rounds.
pub type ChaCha8 = ChaCha<8>;
/// ChaCha with 12 rounds.
pub type ChaCha12 = ChaCha<12>;
/// ChaCha with 20 rounds, [RFC8439](self) §2.4.
pub type ChaCha20 = ChaCha<20>;

/// A key of XChaCha20, [XCHACHA](self) §2.3. The first 16 bytes of the nonce and the key
/// give a key for ChaCha20. The nonce is long enough to be chosen at random.
#[derive(Clone)]
pub struct XChaCha20(ChaCha20);

debug!([] XChaCha20, "XChaCha20");

/// The keystream of one nonce.
#[derive(Clone)]
pub struct ChaChaStream<const ROUNDS: usize>(Keystream<Blocks<Design<ROUNDS>>, [u8; BLOCK]>);

/// The rounds of ChaCha on the state of [CHACHA]: constants, key, counter, nonce.
#[derive(Clone)]
struct Design<const ROUNDS: usize>;

impl<const ROUNDS: usize> ChaCha<ROUNDS> {
    fn of(kernel: Kernel, key: &[u8]) -> Self {
        const { assert!(ROUNDS != 0 && ROUNDS.is_multiple_of(2)) };
        let mut this = Self {
            kernel,
            words: [0; 12],
        };
        this.set_key(key);
        this
    }

    /// Stores the constants and the key, [CHACHA] §3.2 and [RFC8439] §2.3. The constants are
    /// `expand 32-byte k`, or `expand 16-byte k` for the short key, which then appears twice.
    #[inline]
    fn set_key(&mut self, key: &[u8]) {
        let (constants, first, second) = parts_of_key(key);
        for (words, part) in
            (self.words.as_chunks_mut().0.iter_mut()).zip([constants, first, second])
        {
            *words = row(part);
        }
    }

    /// The keystream for a nonce, [RFC8439](self) §2.4, from block 0 on.
    #[inline]
    pub fn stream(&self, nonce: &[u8; 12]) -> ChaChaStream<ROUNDS> {
        ChaChaStream(Keystream::new(self.blocks(nonce)))
    }

    /// The keystream for a nonce of the original cipher, [CHACHA](self), from block 0 on.
    #[inline]
    pub fn stream_original(&self, nonce: &[u8; 8]) -> ChaChaStream<ROUNDS> {
        ChaChaStream(Keystream::new(self.blocks_original(nonce)))
    }

    #[inline(always)]
    fn blocks(&self, nonce: &[u8; 12]) -> Blocks<Design<ROUNDS>> {
        let mut last = [0; 4];
        set_words(&mut last[1..], nonce);
        self.blocks_of(last, false)
    }

    #[inline(always)]
    fn blocks_original(&self, nonce: &[u8; 8]) -> Blocks<Design<ROUNDS>> {
        let mut last = [0; 4];
        set_words(&mut last[2..], nonce);
        self.blocks_of(last, true)
    }

    /// The keystream for a last row of the state, which is counter and nonce.
    #[inline(always)]
    fn blocks_of(&self, last: [u32; 4], wide: bool) -> Blocks<Design<ROUNDS>> {
        let mut state = [0; 16];
        state[..12].copy_from_slice(&self.words);
        state[12..].copy_from_slice(&last);
        Blocks::new(self.kernel, state, wide)
    }
}

impl ChaCha20 {
    /// The keystream for a long nonce. HChaCha20, [XCHACHA] §2.2, makes the key from the first 16
    /// bytes: the first and the last row of the state after the rounds.
    #[inline]
    fn blocks_extended(&self, nonce: &[u8; 24]) -> Blocks<Design<20>> {
        let (first, last) = nonce.split_at(16);
        let mut state = [0; 16];
        state[..12].copy_from_slice(&self.words);
        set_words(&mut state[12..], first);
        let x = Design::<20>::rounds(&state);
        state[4..8].copy_from_slice(&x[..4]);
        state[8..12].copy_from_slice(&x[12..]);
        state[12..14].fill(0);
        set_words(&mut state[14..], last);
        Blocks::new(self.kernel, state, true)
    }
}

key_types! {
    [const ROUNDS: usize] ChaCha<ROUNDS>;
    [] XChaCha20, KeyLengths::exactly(32), ChaCha20, blocks_extended -> ChaChaStream<20>, ChaChaStream;
}

impl<const ROUNDS: usize> StreamKey for ChaCha<ROUNDS> {
    type Stream = ChaChaStream<ROUNDS>;
    type Nonce = [u8; 12];
    /// 8 bytes for the original cipher, 12 for [RFC8439](self).
    const NONCE_LENGTHS: KeyLengths = KeyLengths::every(4, 8, 12);

    #[inline]
    fn stream(&self, nonce: &Self::Nonce) -> Self::Stream {
        self.stream(nonce)
    }

    #[inline]
    fn stream_from_slice(&self, nonce: &[u8]) -> Result<Self::Stream, InvalidNonceLength> {
        if let Ok(nonce) = nonce.try_into() {
            Ok(self.stream(nonce))
        } else if let Ok(nonce) = nonce.try_into() {
            Ok(self.stream_original(nonce))
        } else {
            Err(InvalidNonceLength::of(nonce, Self::NONCE_LENGTHS))
        }
    }

    #[inline]
    fn apply_message(
        &self,
        nonce: &[u8],
        data: InOutBuf<'_, '_, u8>,
    ) -> Result<(), InvalidNonceLength> {
        let mut last = [0; 4];
        match nonce.len() {
            8 => set_words(&mut last[2..], nonce),
            12 => set_words(&mut last[1..], nonce),
            _ => return Err(InvalidNonceLength::of(nonce, Self::NONCE_LENGTHS)),
        }
        counter::apply_alone(self.blocks_of(last, nonce.len() == 8), data);
        Ok(())
    }
}

keystream_type!(name(ROUNDS), [const ROUNDS: usize] ChaChaStream<ROUNDS>, seek, counter::apply_each, counter::apply_to_end);

/// A quarter-round, [CHACHA] §3.1, on numbers in any number of lanes.
macro_rules! quarter_round {
    ($a:expr, $b:expr, $c:expr, $d:expr) => {
        $a = $a.add($b);
        $d = $d.xor($a).rotate_left::<16>();
        $c = $c.add($d);
        $b = $b.xor($c).rotate_left::<12>();
        $a = $a.add($b);
        $d = $d.xor($a).rotate_left::<8>();
        $c = $c.add($d);
        $b = $b.xor($c).rotate_left::<7>();
    };
}
use quarter_round;

/// Two rounds, [CHACHA] §3.2: columns, then diagonals.
macro_rules! double_round {
    ($x:ident) => {
        quarter_round!($x[0], $x[4], $x[8], $x[12]);
        quarter_round!($x[1], $x[5], $x[9], $x[13]);
        quarter_round!($x[2], $x[6], $x[10], $x[14]);
        quarter_round!($x[3], $x[7], $x[11], $x[15]);
        quarter_round!($x[0], $x[5], $x[10], $x[15]);
        quarter_round!($x[1], $x[6], $x[11], $x[12]);
        quarter_round!($x[2], $x[7], $x[8], $x[13]);
        quarter_round!($x[3], $x[4], $x[9], $x[14]);
    };
}

/// Four quarter-rounds, one step of all after the other, so that neighbouring instructions do not wait
/// for each other.
#[cfg(target_arch = "x86_64")]
macro_rules! quarter_rounds {
    ($x:ident $([$a:literal $b:literal $c:literal $d:literal])+) => {
        $($x[$a] = $x[$a].add($x[$b]);)+
        $($x[$d] = $x[$d].xor($x[$a]).rotate_left::<16>();)+
        $($x[$c] = $x[$c].add($x[$d]);)+
        $($x[$b] = $x[$b].xor($x[$c]).rotate_left::<12>();)+
        $($x[$a] = $x[$a].add($x[$b]);)+
        $($x[$d] = $x[$d].xor($x[$a]).rotate_left::<8>();)+
        $($x[$c] = $x[$c].add($x[$d]);)+
        $($x[$b] = $x[$b].xor($x[$c]).rotate_left::<7>();)+
    };
}

/// [`double_round`] by [`quarter_rounds`].
#[cfg(target_arch = "x86_64")]
macro_rules! double_round_by_steps {
    ($x:ident) => {
        quarter_rounds!($x [0 4 8 12] [1 5 9 13] [2 6 10 14] [3 7 11 15]);
        quarter_rounds!($x [0 5 10 15] [1 6 11 12] [2 7 8 13] [3 4 9 14]);
    };
}

#[cfg(target_arch = "x86_64")]
columns_avx512!(double_round_by_steps, 12);
#[cfg(target_arch = "x86_64")]
columns_avx2!(rounds_avx2, 12);

impl<const ROUNDS: usize> Rounds for Design<ROUNDS> {
    const COUNTER: usize = 12;
    const ALONE: usize = 4;
    const WIDEST: usize = 32;

    #[inline(always)]
    fn rounds(state: &State) -> State {
        const { assert!(ROUNDS.is_multiple_of(2)) };
        let mut x = state.map(Word);
        for _ in 0..ROUNDS / 2 {
            double_round!(x);
        }
        x.map(|word| word.0)
    }

    #[inline(always)]
    fn has_single(kernel: Kernel) -> bool {
        match kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512(token) => token.adds_quickly(),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(_) => true,
            Kernel::Portable => false,
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[allow(unsafe_code)]
    fn avx512_each(_: cpu::Avx512, states: &[State; 16], keystream: &mut [[u8; BLOCK]; 16]) {
        // SAFETY: the token proves the features.
        unsafe { each_avx512::<ROUNDS>(states, keystream) }
    }

    #[cfg(target_arch = "x86_64")]
    #[allow(unsafe_code)]
    fn avx2_each(_: cpu::Avx2, states: &[State; 8], keystream: &mut [[u8; BLOCK]; 8]) {
        // SAFETY: the token proves the features.
        unsafe { each_avx2::<ROUNDS>(states, keystream) }
    }

    #[cfg(target_arch = "x86_64")]
    #[allow(unsafe_code)]
    #[inline(always)]
    fn avx512(
        token: cpu::Avx512,
        state: &State,
        wide: bool,
        data: &mut Places<'_, '_, '_>,
    ) -> bool {
        // SAFETY: the token proves the features.
        unsafe {
            match data.len() {
                // Alone, general registers are faster.
                1 if !token.adds_quickly() => return false,
                // Two shifts and a sum take as long as a sum and a rotation where sums take two
                // cycles.
                0..=2 if token.rotates_quickly() || !token.adds_quickly() => {
                    rows::two_avx512_rotations::<ROUNDS>(state, wide, data);
                }
                0..=2 => rows::two_avx512::<ROUNDS>(state, wide, data),
                3..=4 => rows::four_avx512::<ROUNDS>(state, wide, data),
                5..=8 => rows::eight_avx512::<ROUNDS>(state, wide, data),
                n if n.is_multiple_of(Self::WIDEST) || (17..32).contains(&n) => {
                    pairs::columns::<ROUNDS>(state, wide, data);
                }
                _ => columns_avx512::<ROUNDS>(state, wide, data),
            }
        }
        true
    }

    #[cfg(target_arch = "x86_64")]
    #[allow(unsafe_code)]
    #[inline]
    fn avx2(_: cpu::Avx2, state: &State, wide: bool, data: &mut Places<'_, '_, '_>) -> bool {
        // SAFETY: the token proves the features.
        unsafe {
            match data.len() {
                0..=2 => rows::two_avx2::<ROUNDS>(state, wide, data),
                3..=4 => rows::four_avx2::<ROUNDS>(state, wide, data),
                5..=6 => rows::six_avx2::<ROUNDS>(state, wide, data),
                _ => columns_avx2::<ROUNDS>(state, wide, data),
            }
        }
        true
    }
}
