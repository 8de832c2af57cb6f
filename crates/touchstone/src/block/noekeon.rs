//! Noekeon in indirect-key mode: blocks and keys of 16 bytes. Words are big-endian.
//!
//! Constant-time: the cipher uses only XORs, rotations and other bitwise operations.
//!
//! | kernel | needs | blocks per call |
//! |---|---|---|
//! | `portable` | – | 4 |
//!
//! - [NOEKEON] J. Daemen, M. Peeters, G. Van Assche, V. Rijmen: Nessie Proposal: NOEKEON, 2000
//!
//! [NOEKEON]: https://gro.noekeon.org/

use zeroize::ZeroizeOnDrop;

use crate::debug::debug;
use crate::machinery::portable::portable_cipher;
use crate::wipe::wipe;
use crate::{FixedKey, InvalidKeyLength, KeyLengths, Keyed};

/// Noekeon, with a key of 16 bytes.
#[derive(Clone)]
pub struct Noekeon {
    kernel: Kernel,
    /// The working key of encryption and the working key of decryption.
    keys: [State; 2],
}

debug!([] Noekeon, "Noekeon");

type Block = [u8; 16];
type State = [u32; 4];

/// The round constants, [NOEKEON](self) §3.2.
const ROUNDS: [u32; 17] = [
    0x80, 0x1b, 0x36, 0x6c, 0xd8, 0xab, 0x4d, 0x9a, 0x2f, 0x5e, 0xbc, 0x63, 0xc6, 0x97, 0x35, 0x6a,
    0xd4,
];

fn load(block: &Block) -> State {
    let mut state = [0; 4];
    for (word, bytes) in state.iter_mut().zip(block.as_chunks().0) {
        *word = u32::from_be_bytes(*bytes);
    }
    state
}

fn store(state: State) -> Block {
    let mut block = [0; 16];
    for (bytes, word) in block.as_chunks_mut().0.iter_mut().zip(state) {
        *bytes = word.to_be_bytes();
    }
    block
}

/// Computes the part of the step Theta that mixes the sum of two words. The caller XORs the
/// result to the two other words.
fn mixed(a: u32, b: u32) -> u32 {
    let sum = a ^ b;
    sum ^ sum.rotate_left(8) ^ sum.rotate_right(8)
}

/// Computes the linear step Theta, [NOEKEON](self) §3.3, which adds the key.
fn theta(key: &State, state: &mut State) {
    let even = mixed(state[0], state[2]);
    state[1] ^= even;
    state[3] ^= even;
    for (word, key) in state.iter_mut().zip(key) {
        *word ^= key;
    }
    let odd = mixed(state[1], state[3]);
    state[0] ^= odd;
    state[2] ^= odd;
}

/// Computes the S-box step Gamma between Pi1 and Pi2, [NOEKEON](self) §3.3. The code applies
/// the S-box to 32 columns at once. The S-box is its own inverse.
fn gamma(state: &mut State) {
    let [mut a, b, c, d] = *state;
    let (mut b, mut c, mut d) = (b.rotate_left(1), c.rotate_left(5), d.rotate_left(2));
    b ^= !d & !c;
    a ^= c & b;
    core::mem::swap(&mut a, &mut d);
    c ^= a ^ b ^ d;
    b ^= !d & !c;
    a ^= c & b;
    *state = [a, b.rotate_right(1), c.rotate_right(5), d.rotate_right(2)];
}

fn encrypt(key: &State, mut state: State) -> State {
    for constant in &ROUNDS[..16] {
        state[0] ^= constant;
        theta(key, &mut state);
        gamma(&mut state);
    }
    state[0] ^= ROUNDS[16];
    theta(key, &mut state);
    state
}

fn decrypt(key: &State, mut state: State) -> State {
    for constant in ROUNDS[1..].iter().rev() {
        theta(key, &mut state);
        state[0] ^= constant;
        gamma(&mut state);
    }
    theta(key, &mut state);
    state[0] ^= ROUNDS[0];
    state
}

impl Noekeon {
    fn forwards(&self, block: Block) -> Block {
        store(encrypt(&self.keys[0], load(&block)))
    }

    fn backwards(&self, block: Block) -> Block {
        store(decrypt(&self.keys[1], load(&block)))
    }
}

impl FixedKey for Noekeon {
    type Key = [u8; 16];
}

impl Keyed for Noekeon {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::exactly(16);

    fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        // The working key is the encryption of the key under a key of zeros, [NOEKEON](self)
        // §3.4.
        let zeros = [0; 4];
        let forwards = encrypt(&zeros, load(Self::KEY_LENGTHS.array(key)?));
        let mut backwards = forwards;
        theta(&zeros, &mut backwards);
        Ok(Self {
            kernel,
            keys: [forwards, backwards],
        })
    }

    fn kernel_in_use(&self) -> Kernel {
        self.kernel
    }
}

portable_cipher!(Noekeon, Block);

impl Drop for Noekeon {
    fn drop(&mut self) {
        wipe(self.keys.as_flattened_mut(), 0);
    }
}

impl ZeroizeOnDrop for Noekeon {}
