//! Salsa20 with 8, 12 or 20 rounds, and XSalsa20: D. Bernstein's stream ciphers.
//!
//! | type | nonce | source |
//! |---|---|---|
//! | [`Salsa20`] [`Salsa20R12`] [`Salsa20R8`] | 8 bytes | [SALSA20] |
//! | [`XSalsa20`] [`XSalsa20R12`] [`XSalsa20R8`] | 24 bytes, so random nonces are long enough | [XSALSA20] |
//!
//! Keys have 32 or 16 bytes. [XSALSA20] defines keys of 32 bytes alone. XSalsa20 with 16 bytes is as
//! Botan has it: HSalsa20 and Salsa20 both with the constants for short keys. The counter of blocks
//! has 64 bits. Constant-time in every form. The kernels are in [`counter`].
//!
//! - [SALSA20] D. Bernstein: The Salsa20 family of stream ciphers, 2007
//! - [XSALSA20] D. Bernstein: Extending the Salsa20 nonce, 2011
//!
//! [SALSA20]: https://cr.yp.to/snuffle/salsafamily-20071225.pdf
//! [XSALSA20]: https://cr.yp.to/snuffle/xsalsa-20110204.pdf

#[cfg(target_arch = "x86_64")]
use inout::InOut;
use inout::InOutBuf;

use super::counter::{self, BLOCK, Blocks, Kernel, Rounds, State, Word, key_types};
#[cfg(target_arch = "x86_64")]
use super::counter::{Places, apply_block, columns_avx2, columns_avx512};
use super::keystream::{Keystream, parts_of_key, row, set_words};
use super::{InvalidNonceLength, StreamKey, keystream_type};
use crate::KeyLengths;
#[cfg(target_arch = "x86_64")]
use crate::cpu;
use crate::debug::debug;
#[cfg(target_arch = "x86_64")]
use eight::rounds as rounds_avx2;

#[cfg(target_arch = "x86_64")]
mod eight;
#[cfg(target_arch = "x86_64")]
mod rows;

/// A key of Salsa20 with `ROUNDS` rounds, an even number above 0. Another number is a compile error:
///
/// ```compile_fail,E0080
/// let without = <touchstone::stream::salsa20::Salsa<0> as touchstone::FixedKey>::new(&[7; 32]);
/// ```
#[derive(Clone)]
pub struct Salsa<const ROUNDS: usize> {
    kernel: Kernel,
    /// The state without nonce and counter.
    words: State,
}

debug!([const ROUNDS: usize] Salsa<ROUNDS>, name(ROUNDS));

/// The name of the cipher with this number of rounds.
const fn name(rounds: usize) -> &'static str {
    match rounds {
        8 => "Salsa20R8",
        12 => "Salsa20R12",
        20 => "Salsa20",
        _ => "Salsa",
    }
}

/// The name of the cipher with this number of rounds and the long nonce.
const fn extended_name(rounds: usize) -> &'static str {
    match rounds {
        8 => "XSalsa20R8",
        12 => "XSalsa20R12",
        20 => "XSalsa20",
        _ => "XSalsa",
    }
}

/// Salsa20 with 8 rounds, Salsa20/8.
pub type Salsa20R8 = Salsa<8>;
/// Salsa20 with 12 rounds, Salsa20/12, which eSTREAM chose.
pub type Salsa20R12 = Salsa<12>;
/// Salsa20 with 20 rounds.
pub type Salsa20 = Salsa<20>;

/// A key of XSalsa20 with `ROUNDS` rounds. The first 16 bytes of the nonce and the key
/// give a key for Salsa20, computed with the same number of rounds.
#[derive(Clone)]
pub struct XSalsa<const ROUNDS: usize>(Salsa<ROUNDS>);

debug!([const ROUNDS: usize] XSalsa<ROUNDS>, extended_name(ROUNDS));

/// XSalsa20 with 8 rounds.
pub type XSalsa20R8 = XSalsa<8>;
/// XSalsa20 with 12 rounds.
pub type XSalsa20R12 = XSalsa<12>;
/// XSalsa20 with 20 rounds, [XSALSA20](self).
pub type XSalsa20 = XSalsa<20>;

/// The keystream of one nonce.
#[derive(Clone)]
pub struct SalsaStream<const ROUNDS: usize>(Keystream<Blocks<Design<ROUNDS>>, [u8; BLOCK]>);

/// The rounds of Salsa20.
#[derive(Clone)]
struct Design<const ROUNDS: usize>;

impl<const ROUNDS: usize> Salsa<ROUNDS> {
    fn of(kernel: Kernel, key: &[u8]) -> Self {
        const { assert!(ROUNDS != 0 && ROUNDS.is_multiple_of(2)) };
        let mut this = Self {
            kernel,
            words: [0; 16],
        };
        this.set_key(key);
        this
    }

    /// Stores the constants and the key in the state, [SALSA20] §4.1. The constants in its diagonal
    /// are `expand 32-byte k`, or `expand 16-byte k` for the short key, which then appears twice.
    #[inline]
    fn set_key(&mut self, key: &[u8]) {
        let (constants, first, second) = parts_of_key(key);
        let words = &mut self.words;
        for (i, constant) in row(constants).into_iter().enumerate() {
            words[5 * i] = constant;
        }
        words[1..5].copy_from_slice(&row(first));
        words[11..15].copy_from_slice(&row(second));
    }

    /// The keystream for a nonce, from block 0 on.
    #[inline]
    pub fn stream(&self, nonce: &[u8; 8]) -> SalsaStream<ROUNDS> {
        SalsaStream(Keystream::new(self.blocks(nonce)))
    }

    #[inline(always)]
    fn blocks(&self, nonce: &[u8; 8]) -> Blocks<Design<ROUNDS>> {
        let mut state = self.words;
        set_words(&mut state[6..8], nonce);
        Blocks::new(self.kernel, state, true)
    }

    /// The keystream for a long nonce. HSalsa20, [XSALSA20] §2, makes the key from the first 16
    /// bytes: after the rounds, the words in the places of constants and nonce.
    #[inline]
    fn blocks_extended(&self, nonce: &[u8; 24]) -> Blocks<Design<ROUNDS>> {
        let (first, last) = nonce.split_at(16);
        let mut state = self.words;
        set_words(&mut state[6..10], first);
        let x = Design::<ROUNDS>::rounds(&state);
        let places = [1, 2, 3, 4, 11, 12, 13, 14];
        for (place, word) in places.into_iter().zip([0, 5, 10, 15, 6, 7, 8, 9]) {
            state[place] = x[word];
        }
        set_words(&mut state[6..8], last);
        state[8..10].fill(0);
        Blocks::new(self.kernel, state, true)
    }
}

key_types! {
    [const ROUNDS: usize] Salsa<ROUNDS>;
    [const ROUNDS: usize] XSalsa<ROUNDS>, KeyLengths::every(16, 16, 32), Salsa<ROUNDS>, blocks_extended -> SalsaStream<ROUNDS>, SalsaStream;
}

impl<const ROUNDS: usize> StreamKey for Salsa<ROUNDS> {
    type Stream = SalsaStream<ROUNDS>;
    type Nonce = [u8; 8];

    #[inline]
    fn stream(&self, nonce: &Self::Nonce) -> Self::Stream {
        self.stream(nonce)
    }

    #[inline]
    fn apply_message(
        &self,
        nonce: &[u8],
        data: InOutBuf<'_, '_, u8>,
    ) -> Result<(), InvalidNonceLength> {
        let nonce = InvalidNonceLength::array(nonce)?;
        counter::apply_alone(self.blocks(nonce), data);
        Ok(())
    }
}

keystream_type!(name(ROUNDS), [const ROUNDS: usize] SalsaStream<ROUNDS>, seek, counter::apply_each, counter::apply_to_end);

/// A quarter-round, [SALSA20] §4.1, on numbers in any number of lanes.
macro_rules! quarter_round {
    ($a:expr, $b:expr, $c:expr, $d:expr) => {
        $b = $b.xor($a.add($d).rotate_left::<7>());
        $c = $c.xor($b.add($a).rotate_left::<9>());
        $d = $d.xor($c.add($b).rotate_left::<13>());
        $a = $a.xor($d.add($c).rotate_left::<18>());
    };
}

/// Two rounds: columns, then rows.
macro_rules! double_round {
    ($x:ident) => {
        quarter_round!($x[0], $x[4], $x[8], $x[12]);
        quarter_round!($x[5], $x[9], $x[13], $x[1]);
        quarter_round!($x[10], $x[14], $x[2], $x[6]);
        quarter_round!($x[15], $x[3], $x[7], $x[11]);
        quarter_round!($x[0], $x[1], $x[2], $x[3]);
        quarter_round!($x[5], $x[6], $x[7], $x[4]);
        quarter_round!($x[10], $x[11], $x[8], $x[9]);
        quarter_round!($x[15], $x[12], $x[13], $x[14]);
    };
}

#[cfg(target_arch = "x86_64")]
columns_avx512!(double_round, 8);
#[cfg(target_arch = "x86_64")]
columns_avx2!(rounds_avx2, 8);

impl<const ROUNDS: usize> Rounds for Design<ROUNDS> {
    const COUNTER: usize = 8;
    const ALONE: usize = 8;

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
    fn has_single(_: Kernel) -> bool {
        false
    }

    #[cfg(target_arch = "x86_64")]
    #[allow(unsafe_code)]
    #[inline(always)]
    fn apply_one(kernel: Kernel, state: &State, block: InOut<'_, '_, [u8; BLOCK]>) {
        match kernel {
            // SAFETY: the token proves the features.
            Kernel::Avx2(_) => unsafe { rows::one::<ROUNDS>(state, block) },
            _ => apply_block::<Self>(state, block),
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
    fn avx512(_: cpu::Avx512, state: &State, wide: bool, data: &mut Places<'_, '_, '_>) -> bool {
        let worth = data.len() >= 3;
        if worth {
            // SAFETY: the token proves the features.
            unsafe { columns_avx512::<ROUNDS>(state, wide, data) }
        }
        worth
    }

    #[cfg(target_arch = "x86_64")]
    #[allow(unsafe_code)]
    #[inline]
    fn avx2(_: cpu::Avx2, state: &State, wide: bool, data: &mut Places<'_, '_, '_>) -> bool {
        // SAFETY: the token proves the features.
        unsafe {
            match data.len() {
                0..=1 => return false,
                2 => rows::two::<ROUNDS>(state, data),
                3..=4 => rows::four::<ROUNDS>(state, data),
                5..=6 => rows::six::<ROUNDS>(state, data),
                _ => columns_avx2::<ROUNDS>(state, wide, data),
            }
        }
        true
    }
}
