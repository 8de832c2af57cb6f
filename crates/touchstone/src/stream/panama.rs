//! Panama: J. Daemen's and C. Clapp's cipher of 1998, as a stream cipher.
//!
//! Keys and nonces have 32 bytes. [`Panama`] uses words with the least significant byte
//! first, as in the paper, and [`PanamaBe`] with the most significant byte first.
//! Constant-time. The only kernel is portable, because each step depends on the step
//! before. (Panama as a hash is broken; this library does not contain it.)
//!
//! - [PANAMA] J. Daemen, C. Clapp: Fast hashing and stream encryption with PANAMA,
//!   FSE 1998
//!
//! [PANAMA]: https://doi.org/10.1007/3-540-69710-1_5

use inout::InOutBuf;
use zeroize::ZeroizeOnDrop;

use super::keystream::{Keystream, Source};
use super::{StreamKey, keystream_type};
use crate::cipher::Block as _;
use crate::debug::debug;
use crate::kernel::kernels;
use crate::machinery::each::each;
use crate::wipe::wipe;
use crate::{FixedKey, InvalidKeyLength, Kernel as _, KeyLengths, Keyed};

kernels! {
    /// The kernels that compute Panama.
    enum Kernel {}
}

/// Length of a block of the keystream in bytes.
const BLOCK: usize = 32;

/// Eight words: a stage of the buffer, an input, or an output.
type Stage = [u32; 8];

/// A key of Panama; `BE` if words have their most significant byte first.
#[derive(Clone)]
pub struct PanamaKey<const BE: bool>(State<BE>);

debug!([const BE: bool] PanamaKey<BE>, if BE { "PanamaBe" } else { "Panama" });

/// A key of Panama.
pub type Panama = PanamaKey<false>;
/// A key of Panama with the most significant byte of a word first.
pub type PanamaBe = PanamaKey<true>;

/// The keystream of one nonce.
#[derive(Clone)]
pub struct PanamaStream<const BE: bool>(Keystream<State<BE>, [u8; BLOCK]>);

#[derive(Clone)]
struct State<const BE: bool> {
    a: [u32; 17],
    /// The buffer b, a linear register of 32 stages. Stage `j` is `b[(first + j) % 32]`.
    b: [Stage; 32],
    first: usize,
}

impl<const BE: bool> State<BE> {
    fn words(bytes: &[u8; BLOCK]) -> Stage {
        let (words, _) = bytes.as_chunks();
        core::array::from_fn(|i| match BE {
            true => u32::from_be_bytes(words[i]),
            false => u32::from_le_bytes(words[i]),
        })
    }

    #[inline(always)]
    fn stage(&self, j: usize) -> usize {
        (self.first + j) % 32
    }

    /// One step, [PANAMA] §2. If there is no `input`, the state itself is the input.
    #[inline(always)]
    fn step(&mut self, input: Option<&Stage>) {
        let a = self.a;
        let (fourth, sixteenth) = (self.b[self.stage(4)], self.b[self.stage(16)]);

        // λ: every stage moves by one place, and words are XORed to two of the stages.
        let last = self.b[self.stage(31)];
        self.first = self.stage(31);
        let (zero, twenty_fifth) = (self.first, self.stage(25));
        each!(I in 0 1 2 3 4 5 6 7 => {
            self.b[zero][I] = last[I] ^ input.map_or(a[I + 1], |input| input[I]);
            self.b[twenty_fifth][I] ^= last[(I + 2) % 8];
        });

        // γ and π: each word is combined with its neighbours, moved and rotated.
        let mut x = [0; 17];
        each!(I in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 => {
            let word = a[7 * I % 17] ^ (a[(7 * I + 1) % 17] | !a[(7 * I + 2) % 17]);
            x[I] = word.rotate_left((I * (I + 1) / 2 % 32) as u32);
        });
        // θ and σ: XORs within the state, and with the input.
        let added = input.unwrap_or(&fourth);
        let theta = |i: usize| x[i] ^ x[(i + 1) % 17] ^ x[(i + 4) % 17];
        self.a[0] = theta(0) ^ 1;
        each!(I in 0 1 2 3 4 5 6 7 => {
            self.a[I + 1] = theta(I + 1) ^ added[I];
            self.a[I + 9] = theta(I + 9) ^ sixteenth[I];
        });
    }
}

impl<const BE: bool> PanamaKey<BE> {
    /// Sets a key up.
    pub fn new(key: &[u8; 32]) -> Self {
        let mut state = State {
            a: [0; 17],
            b: [[0; 8]; 32],
            first: 0,
        };
        let mut words = State::<BE>::words(key);
        state.step(Some(&words));
        wipe(&mut words, 0);
        Self(state)
    }

    /// The keystream for a nonce, [PANAMA](self) §4.
    pub fn stream(&self, nonce: &[u8; 32]) -> PanamaStream<BE> {
        let mut state = self.0.clone();
        state.step(Some(&State::<BE>::words(nonce)));
        for _ in 0..32 {
            state.step(None);
        }
        PanamaStream(Keystream::new(state))
    }
}

impl<const BE: bool> FixedKey for PanamaKey<BE> {
    type Key = [u8; 32];
}

impl<const BE: bool> Keyed for PanamaKey<BE> {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::exactly(32);

    fn with_kernel(_: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        Self::KEY_LENGTHS.array(key).map(Self::new)
    }

    fn kernel_in_use(&self) -> Kernel {
        Kernel::best()
    }
}

impl<const BE: bool> StreamKey for PanamaKey<BE> {
    type Stream = PanamaStream<BE>;
    type Nonce = [u8; 32];

    #[inline]
    fn stream(&self, nonce: &Self::Nonce) -> Self::Stream {
        self.stream(nonce)
    }
}

impl<const BE: bool> Source<[u8; BLOCK]> for State<BE> {
    fn apply_blocks(&mut self, blocks: InOutBuf<'_, '_, [u8; BLOCK]>) {
        for mut block in blocks {
            let mut keystream = [0; BLOCK];
            for (bytes, word) in keystream.as_chunks_mut().0.iter_mut().zip(&self.a[9..]) {
                *bytes = match BE {
                    true => word.to_be_bytes(),
                    false => word.to_le_bytes(),
                };
            }
            self.step(None);
            *block.get_out() = block.get_in().xor(keystream);
        }
    }
}

keystream_type!("PanamaStream", [const BE: bool] PanamaStream<BE>);

impl<const BE: bool> Drop for State<BE> {
    fn drop(&mut self) {
        wipe(&mut self.a, 0);
        wipe(&mut self.b, [0; 8]);
    }
}

impl<const BE: bool> ZeroizeOnDrop for PanamaKey<BE> {}
