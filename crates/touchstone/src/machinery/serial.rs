//! Serial modes of ciphers with blocks of 16 bytes, one block after another: what stands
//! between two blocks is in the chain. So the chain stays in registers, for a load of
//! what was stored in other parts waits until all that was stored before is in the cache.

use inout::InOutBuf;

type Block = [u8; 16];

/// What goes into the cipher for a block, and what comes out.
#[derive(Clone, Copy)]
pub(crate) enum Mode {
    /// The sum with the output before; what the cipher gives.
    Cbc,
    /// The output before; the sum with what the cipher gives.
    Cfb,
    /// What the cipher gave before; the sum with what it gives.
    Ofb,
}

/// A mode, given the cipher of one block.
#[inline(always)]
pub(crate) fn chained(
    mode: Mode,
    chain: &mut Block,
    blocks: InOutBuf<'_, '_, Block>,
    single: impl Fn(Block) -> Block,
) {
    let single = |block: u128| u128::from_le_bytes(single(block.to_le_bytes()));
    let mut sum = u128::from_le_bytes(*chain);
    for mut block in blocks {
        let data = u128::from_le_bytes(*block.get_in());
        let output = match mode {
            Mode::Cbc => single(sum ^ data),
            Mode::Cfb | Mode::Ofb => single(sum) ^ data,
        };
        *block.get_out() = output.to_le_bytes();
        sum = match mode {
            Mode::Cbc | Mode::Cfb => output,
            Mode::Ofb => output ^ data,
        };
    }
    *chain = sum.to_le_bytes();
}

/// [`chained`] by CBC, without an output.
#[inline(always)]
pub(crate) fn absorbed(chain: &mut Block, blocks: &[Block], single: impl Fn(Block) -> Block) {
    let mut sum = u128::from_le_bytes(*chain);
    for block in blocks {
        sum ^= u128::from_le_bytes(*block);
        sum = u128::from_le_bytes(single(sum.to_le_bytes()));
    }
    *chain = sum.to_le_bytes();
}

/// The methods of [`FusedEncrypt`](crate::fuse::FusedEncrypt) that encrypt one block after
/// another, given what encrypts one.
macro_rules! methods {
    (|$this:ident, $one:ident| $single:expr) => {
        $crate::machinery::serial::methods! { |$this, $one| $single;
            cbc_encrypt_blocks = Cbc;
            cfb_encrypt_blocks = Cfb;
            ofb_blocks = Ofb;
        }

        #[inline]
        fn cbc_mac_blocks(&self, chain: &mut Block, blocks: &[Block]) {
            let $this = self;
            $crate::machinery::serial::absorbed(chain, blocks, |$one| $single);
        }
    };
    (|$this:ident, $one:ident| $single:expr; $($method:ident = $Mode:ident;)*) => {$(
        #[inline]
        fn $method(&self, chain: &mut Block, blocks: $crate::InOutBuf<'_, '_, Block>) {
            use $crate::machinery::serial::{Mode, chained};
            let $this = self;
            chained(Mode::$Mode, chain, blocks, |$one| $single);
        }
    )*};
}
pub(crate) use methods;
