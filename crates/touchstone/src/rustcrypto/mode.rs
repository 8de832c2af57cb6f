//! The traits of `cipher` 0.5 for modes. `KeyIvInit` is for all modes, `BlockModeEncrypt` and
//! `BlockModeDecrypt` are for CBC, `StreamCipher` is for CTR and OFB, and `StreamCipherSeek` is
//! for CTR. `cipher` has no trait for CFB and CFB-8 that accepts data of any length. So these
//! modes have `KeyIvInit` and their own methods.

use cipher::common::InnerUser;
use cipher::consts::U256;
use cipher::{
    Array, Block, BlockModeDecBackend, BlockModeDecClosure, BlockModeDecrypt, BlockModeEncBackend,
    BlockModeEncClosure, BlockModeEncrypt, BlockSizeUser, InOut, InnerIvInit, Iv, IvSizeUser,
    OverflowError, ParBlocks, ParBlocksSizeUser, SeekNum, StreamCipher, StreamCipherError,
    StreamCipherSeek,
};

use super::bytes;
use crate::mode::ctr::{BigEndianHalf, LittleEndian, LittleEndianHalf, Rule};
use crate::mode::{
    CbcDecrypt, CbcEncrypt, Cfb8Decrypt, Cfb8Encrypt, CfbDecrypt, CfbEncrypt, Ctr, Ofb,
};
use crate::{FusedDecrypt, FusedEncrypt, InOutBuf};

/// Converts the initialization vector to a block.
fn iv<B: for<'b> TryFrom<&'b [u8]>>(iv: &[u8]) -> B {
    match B::try_from(iv) {
        Ok(block) => block,
        Err(_) => unreachable!("the type of the vector has the length of a block"),
    }
}

macro_rules! with_iv {
    ($([$($generics:tt)*] $Mode:ty, |$cipher:ident, $iv:ident| $new:expr;)*) => {$(
        impl<$($generics)*> InnerUser for $Mode {
            type Inner = C;
        }

        impl<$($generics)* + BlockSizeUser> IvSizeUser for $Mode {
            type IvSize = C::BlockSize;
        }

        impl<$($generics)* + BlockSizeUser> InnerIvInit for $Mode {
            #[inline]
            fn inner_iv_init($cipher: C, $iv: &Iv<Self>) -> Self {
                let $iv = &iv($iv);
                $new
            }
        }
    )*};
}

with_iv! {
    [C: FusedEncrypt] CbcEncrypt<C>, |cipher, iv| CbcEncrypt::new(cipher, iv);
    [C: FusedDecrypt] CbcDecrypt<C>, |cipher, iv| CbcDecrypt::new(cipher, iv);
    [C: FusedEncrypt] CfbEncrypt<C>, |cipher, iv| CfbEncrypt::new(cipher, iv);
    [C: FusedEncrypt] CfbDecrypt<C>, |cipher, iv| CfbDecrypt::new(cipher, iv);
    [C: FusedEncrypt] Cfb8Encrypt<C>, |cipher, iv| Cfb8Encrypt::new(cipher, iv);
    [C: FusedEncrypt] Cfb8Decrypt<C>, |cipher, iv| Cfb8Decrypt::new(cipher, iv);
    [C: FusedEncrypt] Ofb<C>, |cipher, iv| Ofb::new(cipher, iv);
    [C: FusedEncrypt] Ctr<C>, |cipher, iv| Ctr::new(cipher, iv);
    [C: FusedEncrypt] Ctr<C, LittleEndian>, |cipher, iv| Ctr::with_rule(cipher, iv, LittleEndian);
    [C: FusedEncrypt] Ctr<C, BigEndianHalf>,
        |cipher, iv| Ctr::with_rule(cipher, iv, BigEndianHalf);
    [C: FusedEncrypt] Ctr<C, LittleEndianHalf>,
        |cipher, iv| Ctr::with_rule(cipher, iv, LittleEndianHalf);
}

/// A backend in the sense of the traits of `cipher`: a reference to a mode.
struct Backend<'m, M>(&'m mut M);

impl<M: BlockSizeUser> BlockSizeUser for Backend<'_, M> {
    type BlockSize = M::BlockSize;
}

/// The closures of `cipher` work in place, so a call with many blocks needs no buffer.
impl<M: BlockSizeUser> ParBlocksSizeUser for Backend<'_, M> {
    type ParBlocksSize = U256;
}

macro_rules! block_mode {
    (
        $Mode:ident, $Fused:ident, $Trait:ident, $Closure:ident, $BackendTrait:ident, $inout:ident,
        $with_backend:ident $block:ident $par_blocks:ident $tail_blocks:ident
    ) => {
        impl<C: $Fused + BlockSizeUser> BlockSizeUser for $Mode<C> {
            type BlockSize = C::BlockSize;
        }

        impl<C: $Fused + BlockSizeUser> $Trait for $Mode<C> {
            #[inline]
            fn $with_backend(&mut self, f: impl $Closure<BlockSize = Self::BlockSize>) {
                f.call(&mut Backend(self));
            }
        }

        impl<C: $Fused + BlockSizeUser> $BackendTrait for Backend<'_, $Mode<C>> {
            #[inline]
            fn $block(&mut self, block: InOut<'_, '_, Block<Self>>) {
                if self.0.$inout(block.into_buf()).is_err() {
                    unreachable!("it is a whole block");
                }
            }

            #[inline]
            fn $par_blocks(&mut self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
                self.$tail_blocks(blocks.into_buf());
            }

            #[inline]
            fn $tail_blocks(&mut self, blocks: InOutBuf<'_, '_, Array<u8, C::BlockSize>>) {
                if self.0.$inout(bytes(blocks)).is_err() {
                    unreachable!("they are whole blocks");
                }
            }
        }
    };
}

block_mode! {
    CbcEncrypt, FusedEncrypt, BlockModeEncrypt, BlockModeEncClosure, BlockModeEncBackend,
    encrypt_inout, encrypt_with_backend encrypt_block encrypt_par_blocks encrypt_tail_blocks
}
block_mode! {
    CbcDecrypt, FusedDecrypt, BlockModeDecrypt, BlockModeDecClosure, BlockModeDecBackend,
    decrypt_inout, decrypt_with_backend decrypt_block decrypt_par_blocks decrypt_tail_blocks
}

macro_rules! stream {
    ($([$($generics:tt)*] $Mode:ty;)*) => {$(
        impl<$($generics)*> StreamCipher for $Mode {
            /// Always succeeds: the keystream of a counter repeats only after 2^64 blocks or
            /// more, and no message is as long.
            #[inline]
            fn check_remaining(&self, _: usize) -> Result<(), StreamCipherError> {
                Ok(())
            }

            #[inline]
            fn unchecked_apply_keystream_inout(&mut self, data: InOutBuf<'_, '_, u8>) {
                self.apply_inout(data);
            }

            #[inline]
            fn unchecked_write_keystream(&mut self, data: &mut [u8]) {
                data.fill(0);
                self.apply_inout(data.into());
            }
        }
    )*};
}

stream! {
    [C: FusedEncrypt, R: Rule<C::Block>] Ctr<C, R>;
    [C: FusedEncrypt] Ofb<C>;
}

/// Positions are counted in bytes. Only the big-endian counter has positions. For the other
/// rules, the number of steps between two counter blocks cannot be computed.
impl<C: FusedEncrypt> StreamCipherSeek for Ctr<C> {
    fn try_current_pos<N: SeekNum>(&self) -> Result<N, OverflowError> {
        // The code passes the position in units of blocks of one byte. The last block has been
        // used up.
        N::from_block_byte(self.position(), 1, 1)
    }

    fn try_seek<N: SeekNum>(&mut self, position: N) -> Result<(), StreamCipherError> {
        let (position, _) = position.into_block_byte::<u128>(1)?;
        self.seek(position);
        Ok(())
    }
}
