//! Lists of the methods of [`FusedEncrypt`](super::FusedEncrypt) and
//! [`FusedDecrypt`](super::FusedDecrypt). Each method calls the same method of another cipher.
//! A type that wraps a cipher uses these lists so that it forwards every method. If a wrapper
//! did not forward a method, the mode would use the slow form for any cipher. The result would
//! still be right, so no test would fail.

/// Writes each method as a call of the same method of `$cipher`.
macro_rules! handed_on {
    (|$this:ident| $cipher:expr;
     $($(#[$attribute:meta])*
       fn $method:ident($($argument:ident: $Type:ty),*) $(-> $Output:ty)?;)*) => {$(
        $(#[$attribute])*
        #[inline]
        fn $method(&self, $($argument: $Type),*) $(-> $Output)? {
            let $this = self;
            $cipher.$method($($argument),*)
        }
    )*};
}

/// Writes only the methods whose modes have names in this build. The other methods keep their
/// default form, which works for any cipher. Otherwise a table of all methods, for calls by
/// pointer, would link every mode of every kernel into a program that uses only one mode.
#[cfg(feature = "dynamic")]
macro_rules! handed_on_by_name {
    (|$this:ident| $cipher:expr;
     $([$($mode:literal)*] fn $method:ident $arguments:tt $(-> $Output:ty)?;)*) => {
        $crate::fuse::forward::handed_on! {
            |$this| $cipher;
            $(#[cfg(any($(feature = $mode),*))] fn $method $arguments $(-> $Output)?;)*
        }
    };
}

/// Writes all methods.
macro_rules! handed_on_by_type {
    (|$this:ident| $cipher:expr;
     $([$($mode:literal)*] fn $method:ident $arguments:tt $(-> $Output:ty)?;)*) => {
        $crate::fuse::forward::handed_on! {
            |$this| $cipher;
            $(fn $method $arguments $(-> $Output)?;)*
        }
    };
}

/// Forwards the methods of [`FusedEncrypt`](super::FusedEncrypt) to `$cipher`: all methods, or
/// only the methods whose modes have names in this build. Each method has the list of the
/// features that use it.
macro_rules! encrypt_methods {
    (|$this:ident| $cipher:expr) => {
        $crate::fuse::forward::encrypt_methods!(handed_on_by_type |$this| $cipher);
    };
    (by name |$this:ident| $cipher:expr) => {
        $crate::fuse::forward::encrypt_methods!(handed_on_by_name |$this| $cipher);
    };
    ($handed_on:ident |$this:ident| $cipher:expr) => {
        $crate::fuse::forward::$handed_on! {
            |$this| $cipher;
            ["ctr" "gcm" "eax" "ccm" "siv"] fn ctr_blocks(counter: &mut Self::Block, blocks: InOutBuf<'_, '_, Self::Block>);
            ["ctr" "gcm" "eax" "ccm" "siv"] fn ctr_bytes(
                counter: &mut Self::Block,
                data: InOutBuf<'_, '_, u8>,
                keystream: &mut Self::Block
            );
            ["gcm-siv"] fn ctr_le32_blocks(counter: &mut Self::Block, blocks: InOutBuf<'_, '_, Self::Block>);
            ["cbc"] fn cbc_encrypt_blocks(chain: &mut Self::Block, blocks: InOutBuf<'_, '_, Self::Block>);
            ["cbc"] fn cbc_encrypt_many(messages: &mut [$crate::fuse::Message<'_, '_, Self::Block>]);
            ["cfb"] fn cfb_encrypt_blocks(chain: &mut Self::Block, blocks: InOutBuf<'_, '_, Self::Block>);
            ["cfb"] fn cfb_encrypt_many(messages: &mut [$crate::fuse::Message<'_, '_, Self::Block>]);
            ["cfb"] fn cfb_decrypt_blocks(chain: &mut Self::Block, blocks: InOutBuf<'_, '_, Self::Block>);
            ["cfb"] fn cfb_decrypt_bytes(
                chain: &mut Self::Block,
                data: InOutBuf<'_, '_, u8>,
                keystream: &mut Self::Block
            );
            ["cfb"] fn cfb8_encrypt_bytes(chain: &mut Self::Block, bytes: InOutBuf<'_, '_, u8>);
            ["cfb"] fn cfb8_encrypt_many(messages: &mut [$crate::fuse::Message<'_, '_, Self::Block>]);
            ["cfb"] fn cfb8_decrypt_blocks(chain: &mut Self::Block, blocks: InOutBuf<'_, '_, Self::Block>);
            ["ofb"] fn ofb_blocks(chain: &mut Self::Block, blocks: InOutBuf<'_, '_, Self::Block>);
            ["ofb"] fn ofb_many(messages: &mut [$crate::fuse::Message<'_, '_, Self::Block>]);
            ["xts"] fn xts_encrypt(tweak: &Self::Block, unit: InOutBuf<'_, '_, u8>);
            ["block-macs" "ccm" "eax" "siv"] fn cbc_mac_blocks(chain: &mut Self::Block, blocks: &[Self::Block]);
            ["block-macs"] fn cbc_mac_many(messages: &mut [$crate::fuse::Absorbed<'_, Self::Block>]);
            ["ccm" "eax"] fn ctr_mac_blocks(
                counter: &mut Self::Block,
                chain: &mut Self::Block,
                of_output: bool,
                blocks: InOutBuf<'_, '_, Self::Block>
            );
            ["ocb"] fn ocb_start(nonce: u128, bottom: u32, start: &mut $crate::fuse::ocb_offsets::Start) -> bool;
            ["ocb"] fn ocb_encrypt_blocks(
                walk: &mut $crate::fuse::ocb_offsets::Walk<'_, Self::Block>,
                blocks: InOutBuf<'_, '_, Self::Block>
            );
            ["ocb" "block-macs"] fn ocb_hash_blocks(walk: &mut $crate::fuse::ocb_offsets::Walk<'_, Self::Block>, blocks: &[Self::Block]);
            ["key-wrap"] fn wrap_halves(a: &mut [u8; 8], halves: &mut [[u8; 8]]) -> bool;
            ["gcm"] fn gcm_table(point: &$crate::ghash::Point, table: &mut $crate::ghash::Table);
            ["gcm"] fn gcm(message: $crate::fuse::gcm_message::Message<'_, '_, '_>, tag: &mut [u8; 16]) -> bool;
            ["gcm"] fn gcm_seal(
                table: &$crate::ghash::Table,
                nonce: &[u8; 12],
                aad: &[u8],
                data: &mut $crate::buffer::Words<'_, '_>,
                tag: &mut [u8; 16]
            );
            ["gcm"] fn gcm_open(
                table: &$crate::ghash::Table,
                nonce: &[u8; 12],
                aad: &[u8],
                data: &mut $crate::buffer::Words<'_, '_>,
                tag: &[u8; 16]
            ) -> bool;
            ["gcm-siv"] fn gcm_siv(
                hash: $crate::ghash::Kernel,
                message: &mut $crate::fuse::gcm_message::SivMessage<'_, '_, '_>,
                tag: &mut [u8; 16]
            ) -> bool;
        }
    };
}

/// Forwards the methods of [`FusedDecrypt`](super::FusedDecrypt) to `$cipher`: all methods, or
/// only the methods whose modes have names in this build.
macro_rules! decrypt_methods {
    (|$this:ident| $cipher:expr) => {
        $crate::fuse::forward::decrypt_methods!(handed_on_by_type |$this| $cipher);
    };
    (by name |$this:ident| $cipher:expr) => {
        $crate::fuse::forward::decrypt_methods!(handed_on_by_name |$this| $cipher);
    };
    ($handed_on:ident |$this:ident| $cipher:expr) => {
        $crate::fuse::forward::$handed_on! {
            |$this| $cipher;
            ["cbc"] fn cbc_decrypt_blocks(chain: &mut Self::Block, blocks: InOutBuf<'_, '_, Self::Block>);
            ["xts"] fn xts_decrypt(tweak: &Self::Block, unit: InOutBuf<'_, '_, u8>);
            ["key-wrap"] fn unwrap_halves(a: &mut [u8; 8], halves: &mut [[u8; 8]]) -> bool;
            ["ocb"] fn ocb_decrypt_blocks(
                walk: &mut $crate::fuse::ocb_offsets::Walk<'_, Self::Block>,
                blocks: InOutBuf<'_, '_, Self::Block>
            );
        }
    };
}

#[cfg(feature = "dynamic")]
pub(crate) use handed_on_by_name;
pub(crate) use {decrypt_methods, encrypt_methods, handed_on, handed_on_by_type};
