//! Lists of the methods of [`FusedEncrypt`](super::FusedEncrypt) and
//! [`FusedDecrypt`](super::FusedDecrypt), each of which calls the same method of another
//! cipher. Wrappers of a cipher use these lists so that they forward every method. If a
//! wrapper lacked one, its result would still be right, so no test would fail, but the
//! mode would be slow.

/// Writes each method as a call of the same method of `$cipher`.
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

/// Forwards all methods of [`FusedEncrypt`](super::FusedEncrypt) to `$cipher`.
macro_rules! encrypt_methods {
    (|$this:ident| $cipher:expr) => {
        $crate::fuse::forward::handed_on! {
            |$this| $cipher;
            fn ctr_blocks(counter: &mut Self::Block, blocks: InOutBuf<'_, '_, Self::Block>);
            fn ctr_bytes(
                counter: &mut Self::Block,
                data: InOutBuf<'_, '_, u8>,
                keystream: &mut Self::Block
            );
            fn ctr_le32_blocks(counter: &mut Self::Block, blocks: InOutBuf<'_, '_, Self::Block>);
            fn cbc_encrypt_blocks(chain: &mut Self::Block, blocks: InOutBuf<'_, '_, Self::Block>);
            fn cbc_encrypt_many(messages: &mut [$crate::fuse::Message<'_, '_, Self::Block>]);
            fn cfb_encrypt_blocks(chain: &mut Self::Block, blocks: InOutBuf<'_, '_, Self::Block>);
            fn cfb_encrypt_many(messages: &mut [$crate::fuse::Message<'_, '_, Self::Block>]);
            fn cfb_decrypt_blocks(chain: &mut Self::Block, blocks: InOutBuf<'_, '_, Self::Block>);
            fn cfb8_encrypt_bytes(chain: &mut Self::Block, bytes: InOutBuf<'_, '_, u8>);
            fn cfb8_decrypt_blocks(chain: &mut Self::Block, blocks: InOutBuf<'_, '_, Self::Block>);
            fn ofb_blocks(chain: &mut Self::Block, blocks: InOutBuf<'_, '_, Self::Block>);
            fn ofb_many(messages: &mut [$crate::fuse::Message<'_, '_, Self::Block>]);
            fn xts_encrypt(tweak: &Self::Block, unit: InOutBuf<'_, '_, u8>);
            fn cbc_mac_blocks(chain: &mut Self::Block, blocks: &[Self::Block]);
            fn cbc_mac_many(messages: &mut [$crate::fuse::Absorbed<'_, Self::Block>]);
            fn ctr_mac_blocks(
                counter: &mut Self::Block,
                chain: &mut Self::Block,
                of_output: bool,
                blocks: InOutBuf<'_, '_, Self::Block>
            );
            fn ocb_encrypt_blocks(
                walk: &mut $crate::fuse::ocb_offsets::Walk<'_, Self::Block>,
                blocks: InOutBuf<'_, '_, Self::Block>
            );
            fn ocb_hash_blocks(walk: &mut $crate::fuse::ocb_offsets::Walk<'_, Self::Block>, blocks: &[Self::Block]);
            fn wrap_halves(a: &mut [u8; 8], halves: &mut [[u8; 8]]) -> bool;
            fn gcm_table(point: &$crate::ghash::Point, table: &mut $crate::ghash::Table);
            fn gcm(message: &mut $crate::fuse::gcm_message::Message<'_, '_, '_>, tag: &mut [u8; 16]) -> bool;
            fn gcm_siv(
                hash: $crate::ghash::Kernel,
                message: &mut $crate::fuse::gcm_message::SivMessage<'_, '_, '_>,
                tag: &mut [u8; 16]
            ) -> bool;
        }
    };
}

/// Forwards all methods of [`FusedDecrypt`](super::FusedDecrypt) to `$cipher`.
macro_rules! decrypt_methods {
    (|$this:ident| $cipher:expr) => {
        $crate::fuse::forward::handed_on! {
            |$this| $cipher;
            fn cbc_decrypt_blocks(chain: &mut Self::Block, blocks: InOutBuf<'_, '_, Self::Block>);
            fn xts_decrypt(tweak: &Self::Block, unit: InOutBuf<'_, '_, u8>);
            fn unwrap_halves(a: &mut [u8; 8], halves: &mut [[u8; 8]]) -> bool;
            fn ocb_decrypt_blocks(
                walk: &mut $crate::fuse::ocb_offsets::Walk<'_, Self::Block>,
                blocks: InOutBuf<'_, '_, Self::Block>
            );
        }
    };
}

pub(crate) use {decrypt_methods, encrypt_methods, handed_on};
