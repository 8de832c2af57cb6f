//! The methods of the block ciphers' traits, handed on to another cipher. A fused
//! method that is not handed on is a mode that is slow and still right, which no
//! test tells (or, of GCM's two, wrong); so all of them stand in one list.

/// Writes each method as a call of the same one of what the closure gives.
macro_rules! handed_on {
    (|$this:ident| $cipher:expr;
     $(fn $method:ident($($argument:ident: $Type:ty),*) $(-> $Output:ty)?;)*) => {$(
        #[inline]
        fn $method(&self, $($argument: $Type),*) $(-> $Output)? {
            let $this = self;
            $cipher.$method($($argument),*)
        }
    )*};
}

/// All methods of [`BlockEncrypt`](super::BlockEncrypt).
macro_rules! encrypt_methods {
    (|$this:ident| $cipher:expr) => {
        $crate::block::forward::handed_on! {
            |$this| $cipher;
            fn encrypt_blocks(blocks: InOutBuf<'_, '_, Self::Block>);
            fn encrypt_block(block: &mut Self::Block);
            fn ctr_blocks(counter: &mut Self::Block, blocks: InOutBuf<'_, '_, Self::Block>);
            fn ctr_bytes(
                counter: &mut Self::Block,
                data: InOutBuf<'_, '_, u8>,
                keystream: &mut Self::Block
            );
            fn ctr_le32_blocks(counter: &mut Self::Block, blocks: InOutBuf<'_, '_, Self::Block>);
            fn cbc_encrypt_blocks(chain: &mut Self::Block, blocks: InOutBuf<'_, '_, Self::Block>);
            fn cbc_encrypt_many(messages: &mut [Message<'_, '_, Self::Block>]);
            fn cfb_encrypt_blocks(chain: &mut Self::Block, blocks: InOutBuf<'_, '_, Self::Block>);
            fn cfb_encrypt_many(messages: &mut [Message<'_, '_, Self::Block>]);
            fn cfb_decrypt_blocks(chain: &mut Self::Block, blocks: InOutBuf<'_, '_, Self::Block>);
            fn cfb8_encrypt_bytes(chain: &mut Self::Block, bytes: InOutBuf<'_, '_, u8>);
            fn cfb8_decrypt_blocks(chain: &mut Self::Block, blocks: InOutBuf<'_, '_, Self::Block>);
            fn ofb_blocks(chain: &mut Self::Block, blocks: InOutBuf<'_, '_, Self::Block>);
            fn ofb_many(messages: &mut [Message<'_, '_, Self::Block>]);
            fn xts_encrypt(tweak: &Self::Block, unit: InOutBuf<'_, '_, u8>);
            fn cbc_mac_blocks(chain: &mut Self::Block, blocks: &[Self::Block]);
            fn cbc_mac_many(messages: &mut [Absorbed<'_, Self::Block>]);
            fn ctr_mac_blocks(
                counter: &mut Self::Block,
                chain: &mut Self::Block,
                of_output: bool,
                blocks: InOutBuf<'_, '_, Self::Block>
            );
            fn ocb_encrypt_blocks(
                walk: &mut ocb::Walk<'_, Self::Block>,
                blocks: InOutBuf<'_, '_, Self::Block>
            );
            fn ocb_hash_blocks(walk: &mut ocb::Walk<'_, Self::Block>, blocks: &[Self::Block]);
            fn wrap_halves(a: &mut [u8; 8], halves: &mut [[u8; 8]]) -> bool;
            fn gcm_table(point: &crate::ghash::Point, table: &mut crate::ghash::Table);
            fn gcm(message: &mut gcm::Message<'_, '_, '_>, tag: &mut [u8; 16]) -> bool;
            fn gcm_siv(
                hash: crate::ghash::Kernel,
                message: &mut gcm::SivMessage<'_, '_, '_>,
                tag: &mut [u8; 16]
            ) -> bool;
        }
    };
}

/// All methods of [`BlockDecrypt`](super::BlockDecrypt).
macro_rules! decrypt_methods {
    (|$this:ident| $cipher:expr) => {
        $crate::block::forward::handed_on! {
            |$this| $cipher;
            fn decrypt_blocks(blocks: InOutBuf<'_, '_, Self::Block>);
            fn decrypt_block(block: &mut Self::Block);
            fn cbc_decrypt_blocks(chain: &mut Self::Block, blocks: InOutBuf<'_, '_, Self::Block>);
            fn xts_decrypt(tweak: &Self::Block, unit: InOutBuf<'_, '_, u8>);
            fn unwrap_halves(a: &mut [u8; 8], halves: &mut [[u8; 8]]) -> bool;
            fn ocb_decrypt_blocks(
                walk: &mut ocb::Walk<'_, Self::Block>,
                blocks: InOutBuf<'_, '_, Self::Block>
            );
        }
    };
}

pub(super) use {decrypt_methods, encrypt_methods, handed_on};
