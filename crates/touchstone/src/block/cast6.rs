//! CAST-256, a candidate of the competition for AES: blocks of 16 bytes, keys of 16, 20, 24, 28
//! or 32 bytes. CAST-256 has the round functions and S-boxes of [CAST5](super::cast5).
//!
//! The kernel `avx512` is constant-time for runs of 24 blocks or more, except for a last part of up to
//! 23 blocks. **Everything else is not constant-time**, the key set-up included: data and key
//! determine which table entries the code reads.
//!
//! | kernel | needs | blocks per call | technique |
//! |---|---|---|---|
//! | `avx512` | AVX-512 | 128 | byte-sliced lookups in registers, sums as words and as bytes |
//! | `portable` | – | 4 | tables, blocks interleaved |
//!
//! - [RFC2612] C. Adams, J. Gilchrist: The CAST-256 Encryption Algorithm, RFC 2612, 1999
//!
//! [RFC2612]: https://www.rfc-editor.org/rfc/rfc2612

use zeroize::ZeroizeOnDrop;

use super::cast5::f;
#[cfg(target_arch = "x86_64")]
use crate::cpu;
use crate::debug::debug;
use crate::fuse::{FusedDecrypt, FusedEncrypt, Sealed, unfused};
use crate::kernel::kernels;
use crate::machinery::planes;
use crate::wipe::wipe;
use crate::{
    BlockCipher, BlockDecrypt, BlockEncrypt, InOutBuf, InvalidKeyLength, KeyLengths, Keyed,
};

#[cfg(target_arch = "x86_64")]
mod avx512;
mod portable;

/// CAST-256, with a key of 16 to 32 bytes, in steps of 4.
#[derive(Clone)]
pub struct Cast6 {
    kernel: Kernel,
    keys: Keys,
}

debug!([] Cast6, "Cast6");

type Block = [u8; 16];

/// The keys of four rounds. Each key has the form that [`f`] needs: a mask, and a rotation
/// plus 16.
type Quad = [(u32, u8); 4];

/// The keys of the twelve quad-rounds.
type Keys = [Quad; 12];

/// Returns the mask and the rotation of a round in the form that [`f`] needs.
const fn round_key(mask: u32, rotation: u32) -> (u32, u8) {
    (mask, ((rotation + 16) % 32) as u8)
}

/// The constants of the key schedule, [RFC2612](self) §2.4, eight constants for each of its 24
/// steps.
const T: [[(u32, u8); 8]; 24] = {
    let mut t = [[(0, 0); 8]; 24];
    let (mut mask, mut rotation) = (0x5a82_7999_u32, 19);
    let mut i = 0;
    while i < 8 * 24 {
        t[i / 8][i % 8] = round_key(mask, rotation);
        mask = mask.wrapping_add(0x6ed9_eba1);
        rotation = (rotation + 17) % 32;
        i += 1;
    }
    t
};

/// Computes a forward octave of the key schedule, [RFC2612](self) §2.3.
fn octave([a, b, c, d, e, ff, g, h]: &mut [u32; 8], t: &[(u32, u8); 8]) {
    *g ^= f::<1>(t[0], *h);
    *ff ^= f::<2>(t[1], *g);
    *e ^= f::<3>(t[2], *ff);
    *d ^= f::<1>(t[3], *e);
    *c ^= f::<2>(t[4], *d);
    *b ^= f::<3>(t[5], *c);
    *a ^= f::<1>(t[6], *b);
    *h ^= f::<2>(t[7], *a);
}

fn words<const N: usize>(bytes: &[u8]) -> [u32; N] {
    let mut words = [0; N];
    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
        *word = u32::from_be_bytes(*bytes);
    }
    words
}

impl Keyed for Cast6 {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::every(4, 16, 32);

    /// Sets up a key by the key schedule of [RFC2612](self) §2.4.
    fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        Self::KEY_LENGTHS.check(key)?;
        let mut padded = [0; 32];
        padded[..key.len()].copy_from_slice(key);
        let mut kappa = words::<8>(&padded);
        let mut keys = [[(0, 0); 4]; 12];
        for (keys, [t, u]) in keys.iter_mut().zip(T.as_chunks().0) {
            octave(&mut kappa, t);
            octave(&mut kappa, u);
            let [a, b, c, d, e, ff, g, h] = kappa;
            *keys = [
                round_key(h, a % 32),
                round_key(ff, c % 32),
                round_key(d, e % 32),
                round_key(b, g % 32),
            ];
        }
        wipe(&mut padded, 0);
        wipe(&mut kappa, 0);
        Ok(Self { kernel, keys })
    }

    fn kernel_in_use(&self) -> Kernel {
        self.kernel
    }
}

kernels! {
    /// The kernels: implementations of CAST-256 for different CPU features.
    enum Kernel {
        #[cfg(target_arch = "x86_64")]
        "avx512" = Avx512(cpu::Avx512),
    }
}

impl BlockCipher for Cast6 {
    type Block = Block;
}

impl Sealed for Cast6 {}

impl BlockEncrypt for Cast6 {
    planes::encrypt_methods!(
        [avx512: Avx512], |this, token, run| run(&this.keys),
        |few| portable::blocks::<false>(&this.keys, few),
        |block| portable::one::<false>(&this.keys, block)
    );
}

impl FusedEncrypt for Cast6 {
    planes::fused_encrypt_methods!(
        [avx512: Avx512], |this, token, run| run(&this.keys),
        |block| portable::one::<false>(&this.keys, block)
    );
}

impl BlockDecrypt for Cast6 {
    planes::decrypt_methods!(
        [avx512: Avx512], |this, token, run| run(&this.keys),
        |few| portable::blocks::<true>(&this.keys, few),
        |block| portable::one::<true>(&this.keys, block)
    );
}

impl FusedDecrypt for Cast6 {
    planes::fused_decrypt_methods!([avx512: Avx512], |this, token, run| run(&this.keys));
}

impl Drop for Cast6 {
    fn drop(&mut self) {
        wipe(self.keys.as_flattened_mut(), (0, 0));
    }
}

impl ZeroizeOnDrop for Cast6 {}
