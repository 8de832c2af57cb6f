//! CTR_DRBG, [SP800-90A](super) §10.2.1. The bytes of a call and the bytes from which the next key
//! and V are made are one run of counter mode.

use zeroize::ZeroizeOnDrop;

use super::{Drbg, MOST_INPUT, Mechanism, sealed};
use crate::cipher::Block as _;
use crate::fuse::Absorbed;
use crate::wipe::wipe;
use crate::{FusedEncrypt, InOutBuf, KeyLengths, Keyed};

/// CTR_DRBG, [SP800-90A](super) §10.2.1, with the block cipher `C`:
/// [`Aes128Encrypt`](crate::block::Aes128Encrypt),
/// [`Aes192Encrypt`](crate::block::Aes192Encrypt) or
/// [`Aes256Encrypt`](crate::block::Aes256Encrypt). Other ciphers with blocks of 16 bytes and keys of
/// one length work too, but the standard does not name them.
///
/// The security strength is the length of the key. The seed has the length of a key and a block: 32,
/// 40 or 48 bytes with AES. If `DERIVES` is true, a derivation function makes the seed from inputs of
/// any length, §10.3.2. If it is false, the entropy has the length of the seed and is as good as
/// random in each bit, there is no nonce, and other inputs are at most as long as the seed.
///
/// ```
/// use touchstone::block::Aes256Encrypt;
/// use touchstone::random::drbg::CtrDrbg;
///
/// # let entropy = [0x42; 48];
/// let mut generator = CtrDrbg::<Aes256Encrypt, false>::new(&entropy, &[], b"key server 3")?;
/// generator.generate(&mut [0; 32], b"")?;
/// # Ok::<(), touchstone::random::drbg::DrbgError>(())
/// ```
pub type CtrDrbg<C, const DERIVES: bool = true> = Drbg<CtrMechanism<C, DERIVES>>;

/// The mechanism of [`CtrDrbg`].
#[allow(missing_debug_implementations, reason = "no function gives one away")]
pub struct CtrMechanism<C, const DERIVES: bool> {
    cipher: C,
    /// V + 1: the next counter block.
    next: Block,
}

type Block = [u8; 16];

/// The longest key in bytes.
const LONGEST_KEY: usize = 32;

/// The longest seed in bytes: a key and a block.
const LONGEST_SEED: usize = LONGEST_KEY + 16;

/// A seed. The bytes after a shorter seed are not used.
type Seed = [u8; LONGEST_SEED];

/// The most bytes of output that are computed together with the next state.
const SHORT: usize = 80;

/// Keystream is the exclusive OR with zeros.
static ZEROS: [u8; 1024] = [0; 1024];

/// The block cipher of a [`CtrDrbg`].
trait Cipher: FusedEncrypt<Block = Block> + Keyed {
    const KEY: usize = {
        let KeyLengths { min, max, .. } = Self::KEY_LENGTHS;
        assert!(min == max && min <= LONGEST_KEY);
        min
    };
    const SEED: usize = Self::KEY + 16;

    /// Sets up a key, the first bytes of a seed.
    fn of_seed(kernel: Self::Kernel, seed: &Seed) -> Self {
        match Self::with_kernel(kernel, &seed[..Self::KEY]) {
            Ok(cipher) => cipher,
            Err(_) => unreachable!("the key has the cipher's only length"),
        }
    }
}

impl<C: FusedEncrypt<Block = Block> + Keyed> Cipher for C {}

impl<C: FusedEncrypt<Block = Block> + Keyed, const DERIVES: bool> CtrMechanism<C, DERIVES> {
    /// Makes a seed from the inputs: by the derivation function, or with zeros after the only input.
    fn seed(kernel: C::Kernel, inputs: &[&[u8]]) -> Seed {
        if DERIVES {
            return derive::<C>(kernel, inputs);
        }
        let mut seed = [0; LONGEST_SEED];
        for input in inputs {
            for (seed, input) in seed.iter_mut().zip(*input) {
                *seed ^= input;
            }
        }
        seed
    }

    /// The function CTR_DRBG_Update, §10.2.1.2: makes the next key and V from keystream and a seed.
    fn update(&mut self, seed: &Seed) {
        let mut stream = [[0; 16]; LONGEST_SEED / 16];
        let blocks = &mut stream[..C::SEED.div_ceil(16)];
        self.cipher.ctr_blocks(&mut self.next, blocks.into());
        self.follow(stream.as_flattened_mut(), seed);
    }

    /// Takes the next key and V from the exclusive OR of keystream and a seed, and wipes the
    /// keystream.
    #[inline]
    fn follow(&mut self, stream: &mut [u8], seed: &Seed) {
        for (stream, seed) in stream.iter_mut().zip(seed) {
            *stream ^= seed;
        }
        let (key, v) = stream[..C::SEED].split_at(C::KEY);
        if self.cipher.rekey(key).is_err() {
            unreachable!("the key has the cipher's only length");
        }
        if let Some(v) = v.first_chunk::<16>() {
            self.next = v.plus(1);
        }
        wipe(stream, 0);
    }

    /// Fills an output that is longer than [`SHORT`].
    fn fill(&mut self, output: &mut [u8]) {
        let mut last = [0; 16];
        for output in output.chunks_mut(ZEROS.len()) {
            if let Ok(data) = InOutBuf::new(&ZEROS[..output.len()], output) {
                self.cipher.ctr_bytes(&mut self.next, data, &mut last);
            }
        }
        wipe(&mut last, 0);
    }
}

/// The function Block_Cipher_df, §10.3.2.
fn derive<C: Cipher>(kernel: C::Kernel, inputs: &[&[u8]]) -> Seed {
    const BLOCKS: usize = 16;
    let mut seed = [0; LONGEST_SEED];
    for (byte, number) in seed.iter_mut().zip(0..) {
        *byte = number;
    }
    let cipher = C::of_seed(kernel, &seed);
    // The chains of the function BCC after their first blocks, which have the numbers of the chains.
    let mut chains = [[0; 16]; LONGEST_SEED / 16];
    let chains = &mut chains[..C::SEED.div_ceil(16)];
    for (chain, number) in chains.iter_mut().zip(0..) {
        chain[3] = number;
    }
    cipher.encrypt_blocks((&mut *chains).into());

    let mut room = [[0; 16]; BLOCKS];
    let mut held = 0;
    let mut add = |mut input: &[u8], chains: &mut [Block], ends: bool| loop {
        let free = &mut room.as_flattened_mut()[held..];
        let n = free.len().min(input.len());
        free[..n].copy_from_slice(&input[..n]);
        held += n;
        input = &input[n..];
        let whole = if ends { held.div_ceil(16) } else { BLOCKS };
        if held == 16 * BLOCKS || ends {
            let blocks = &room[..whole];
            let mut lanes = [(); LONGEST_SEED / 16].map(|()| Absorbed {
                chain: [0; 16],
                blocks,
            });
            let lanes = &mut lanes[..chains.len()];
            for (lane, chain) in lanes.iter_mut().zip(&*chains) {
                lane.chain = *chain;
            }
            cipher.cbc_mac_many(lanes);
            for (lane, chain) in lanes.iter_mut().zip(chains.iter_mut()) {
                *chain = lane.chain;
                wipe(&mut lane.chain, 0);
            }
            wipe(room.as_flattened_mut(), 0);
            held = 0;
        }
        if input.is_empty() {
            break;
        }
    };
    let length: usize = inputs.iter().map(|input| input.len()).sum();
    add(&(length as u32).to_be_bytes(), chains, false);
    add(&(C::SEED as u32).to_be_bytes(), chains, false);
    for input in inputs {
        add(input, chains, false);
    }
    add(&[0x80], chains, true);

    seed.fill(0);
    for (seed, chain) in seed.as_chunks_mut::<16>().0.iter_mut().zip(&*chains) {
        *seed = *chain;
    }
    wipe(chains.as_flattened_mut(), 0);
    let cipher = C::of_seed(kernel, &seed);
    let mut x = [0; 16];
    x.copy_from_slice(&seed[C::KEY..C::SEED]);
    seed.fill(0);
    let blocks = &mut seed.as_chunks_mut().0[..C::SEED.div_ceil(16)];
    cipher.ofb_blocks(&mut x, blocks.into());
    wipe(&mut x, 0);
    seed
}

impl<C, const DERIVES: bool> sealed::Sealed for CtrMechanism<C, DERIVES> {}

impl<C, const DERIVES: bool> Mechanism for CtrMechanism<C, DERIVES>
where
    C: FusedEncrypt<Block = Block> + Keyed + ZeroizeOnDrop,
{
    type Kernel = C::Kernel;
    const NAME: &'static str = "CtrDrbg";
    const STRENGTH: usize = C::KEY;
    const ENTROPY: KeyLengths = if DERIVES {
        KeyLengths::every(1, C::KEY, MOST_INPUT)
    } else {
        KeyLengths::exactly(C::SEED)
    };
    const TAKES_NONCE: bool = DERIVES;
    const MOST_ADDITIONAL: usize = if DERIVES { MOST_INPUT } else { C::SEED };

    fn instantiate(
        kernel: C::Kernel,
        entropy: &[u8],
        nonce: &[u8],
        personalisation: &[u8],
    ) -> Self {
        let mut seed = Self::seed(kernel, &[entropy, nonce, personalisation]);
        let mut this = Self {
            cipher: C::of_seed(kernel, &[0; LONGEST_SEED]),
            next: [0; 16].plus(1),
        };
        this.update(&seed);
        wipe(&mut seed, 0);
        this
    }

    fn reseed(&mut self, entropy: &[u8], additional: &[u8]) {
        let mut seed = Self::seed(self.cipher.kernel_in_use(), &[entropy, additional]);
        self.update(&seed);
        wipe(&mut seed, 0);
    }

    fn generate(&mut self, _: u64, output: &mut [u8], additional: &[u8]) {
        let mut seed = [0; LONGEST_SEED];
        if !additional.is_empty() {
            seed = Self::seed(self.cipher.kernel_in_use(), &[additional]);
            self.update(&seed);
        }
        if output.len() > SHORT {
            self.fill(output);
            self.update(&seed);
        } else {
            let mut stream = [[0; 16]; (SHORT + LONGEST_SEED) / 16];
            let of_output = output.len().div_ceil(16);
            let blocks = &mut stream[..of_output + C::SEED.div_ceil(16)];
            self.cipher
                .ctr_blocks(&mut self.next, (&mut *blocks).into());
            let (first, second) = blocks.split_at_mut(of_output);
            let first = first.as_flattened_mut();
            output.copy_from_slice(&first[..output.len()]);
            wipe(first, 0);
            self.follow(second.as_flattened_mut(), &seed);
        }
        wipe(&mut seed, 0);
    }
}

impl<C, const DERIVES: bool> Drop for CtrMechanism<C, DERIVES> {
    fn drop(&mut self) {
        // The cipher wipes itself.
        wipe(&mut self.next, 0);
    }
}

impl<C: ZeroizeOnDrop, const DERIVES: bool> ZeroizeOnDrop for CtrMechanism<C, DERIVES> {}
