//! Noekeon in indirect-key mode: blocks and keys of 16 bytes. Words are big-endian.
//!
//! Every kernel is constant-time: the cipher uses only XORs, rotations and other bitwise operations.
//!
//! | kernel | needs | blocks at once | technique |
//! |---|---|---|---|
//! | `avx512` | AVX-512 | 64 | word-sliced, with ternary logic |
//! | `avx2` | AVX2 | 32 | word-sliced |
//! | `portable` | – | 2 | side by side in general registers |
//!
//! - [NOEKEON] J. Daemen, M. Peeters, G. Van Assche, V. Rijmen: Nessie Proposal: NOEKEON, 2000
//!
//! [NOEKEON]: https://gro.noekeon.org/

#[cfg(target_arch = "x86_64")]
use crate::cpu;
use crate::debug::debug;
use crate::kernel::kernels;
use crate::wipe::wipe;
use crate::{FixedKey, InvalidKeyLength, KeyLengths, Keyed};
use zeroize::ZeroizeOnDrop;

use crate::machinery::shell::shell;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod portable;
mod rounds;

/// Noekeon, with a key of 16 bytes.
#[derive(Clone)]
pub struct Noekeon {
    kernel: Kernel,
    keys: Keys,
}

debug!([] Noekeon, "Noekeon");

type Block = [u8; 16];
type State = [u32; 4];

/// The working key of encryption and the working key of decryption, XOR [`COMPLEMENTS`].
type Keys = [State; 2];

/// The words that the [rounds] complement.
const COMPLEMENTS: State = [u32::MAX, u32::MAX, u32::MAX, 0];

/// The round constants, [NOEKEON](self) §3.2.
const CONSTANTS: [u32; 17] = [
    0x80, 0x1b, 0x36, 0x6c, 0xd8, 0xab, 0x4d, 0x9a, 0x2f, 0x5e, 0xbc, 0x63, 0xc6, 0x97, 0x35, 0x6a,
    0xd4,
];

kernels! {
    /// The kernels: implementations of Noekeon for different CPU features.
    enum Kernel {
        #[cfg(target_arch = "x86_64")]
        "avx512" = Avx512(cpu::Avx512),
        #[cfg(target_arch = "x86_64")]
        "avx2" = Avx2(cpu::Avx2),
    }
}

impl FixedKey for Noekeon {
    type Key = [u8; 16];
}

impl Keyed for Noekeon {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::exactly(16);

    fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        let keys = portable::expand(Self::KEY_LENGTHS.array(key)?);
        Ok(Self { kernel, keys })
    }

    fn kernel_in_use(&self) -> Kernel {
        self.kernel
    }
}

shell!(
    Noekeon,
    avx512: Avx512 from 3 blocks,
    avx2: Avx2 from 4 blocks
);

impl Drop for Noekeon {
    fn drop(&mut self) {
        wipe(&mut self.keys, [0; 4]);
    }
}

impl ZeroizeOnDrop for Noekeon {}
