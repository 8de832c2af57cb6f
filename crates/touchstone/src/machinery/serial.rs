//! Serial modes (CBC encryption, CFB encryption, OFB) of ciphers with 16-byte blocks. In a
//! serial mode each block depends on the block before. The value of the chain stays in one
//! register. In memory, a load that overlaps several earlier stores would have to wait until
//! all these stores have reached the cache. Data that are XORed after the cipher are loaded after the
//! cipher, so that the rounds have their registers.

use inout::InOutBuf;

use super::four_words::{little, little_bytes};
use super::unknown::apart;

type Block = [u8; 16];

/// A serial mode. The mode determines the input of the cipher for each block, and the output.
#[derive(Clone, Copy)]
pub(crate) enum Mode {
    /// CBC: the cipher encrypts block ⊕ previous output. The output is the cipher's result.
    Cbc,
    /// CFB: the cipher encrypts the previous output. The output is block ⊕ the cipher's result.
    Cfb,
    /// OFB: the cipher encrypts its previous result. The output is block ⊕ the cipher's result.
    Ofb,
}

/// Computes the mode `mode` over `blocks`. `single` encrypts one block.
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
        let data = |block: &Block| u128::from_le_bytes(*block);
        let output;
        (output, sum) = match mode {
            Mode::Cbc => {
                let output = single(sum ^ data(block.get_in()));
                (output, output)
            }
            Mode::Cfb => {
                let output = single(sum) ^ data(block.get_in());
                (output, output)
            }
            Mode::Ofb => {
                let key = single(sum);
                (key ^ data(block.get_in()), key)
            }
        };
        *block.get_out() = output.to_le_bytes();
    }
    *chain = sum.to_le_bytes();
}

/// Does the same as [`chained`] with blocks as four little-endian words. A cipher that works on
/// words then makes no number of 128 bits of them, which would be in the chain.
#[inline(always)]
pub(crate) fn chained_words(
    mode: Mode,
    chain: &mut Block,
    blocks: InOutBuf<'_, '_, Block>,
    single: impl Fn([u32; 4]) -> [u32; 4],
) {
    let xor = |a: [u32; 4], b: [u32; 4]| core::array::from_fn(|w| a[w] ^ b[w]);
    // The compiler would move the words to a vector register and back for the XOR that ends the cipher.
    let single = |x| single(x).map(apart);
    let mut sum = little(chain);
    for mut block in blocks {
        let result;
        (result, sum) = match mode {
            Mode::Cbc => {
                let output = single(xor(sum, little(block.get_in())));
                (output, output)
            }
            Mode::Cfb => {
                let output = xor(single(sum), little(block.get_in()));
                (output, output)
            }
            Mode::Ofb => {
                let key = single(sum);
                (xor(key, little(block.get_in())), key)
            }
        };
        *block.get_out() = little_bytes(result);
    }
    *chain = little_bytes(sum);
}

/// Computes CBC-MAC with blocks as four little-endian words.
#[inline(always)]
pub(crate) fn absorbed_words(
    chain: &mut Block,
    blocks: &[Block],
    single: impl Fn([u32; 4]) -> [u32; 4],
) {
    let mut sum = little(chain);
    for block in blocks {
        let data = little(block);
        sum = single(core::array::from_fn(|w| sum[w] ^ data[w])).map(apart);
    }
    *chain = little_bytes(sum);
}

/// Computes CBC-MAC: the last block of the CBC encryption of `blocks`. The other blocks of the
/// output are not stored.
#[inline(always)]
pub(crate) fn absorbed(chain: &mut Block, blocks: &[Block], single: impl Fn(Block) -> Block) {
    let mut sum = u128::from_le_bytes(*chain);
    for block in blocks {
        sum ^= u128::from_le_bytes(*block);
        sum = u128::from_le_bytes(single(sum.to_le_bytes()));
    }
    *chain = sum.to_le_bytes();
}

/// Writes the serial methods of [`FusedEncrypt`](crate::fuse::FusedEncrypt) from code
/// that encrypts one block.
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
