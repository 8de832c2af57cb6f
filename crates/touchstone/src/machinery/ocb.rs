//! OCB3 of ciphers with [`sliced`](super::sliced) kernels. A kernel computes turns of 32 blocks, because
//! the [offsets](crate::fuse::ocb_offsets) of 32 blocks follow from one value and a table. The form for
//! any cipher computes the other blocks.

/// Writes a method of OCB3 in one direction. The arguments are: the function of the kernels, the method,
/// the form for any cipher and its direction, the modules and the variants of the kernels, and code that
/// calls a closure with their keys.
macro_rules! method {
    (
        $ocb:ident, $method:ident, $unfused:ident by $direction:ident,
        [$($module:ident: $Variant:ident),*], |$this:ident, $token:ident, $run:ident| $keys:expr
    ) => {
        fn $method(
            &self,
            walk: &mut $crate::fuse::ocb_offsets::Walk<'_, Block>,
            blocks: $crate::InOutBuf<'_, '_, Block>,
        ) {
            let $this = self;
            let (first, blocks) = walk.to_turn(blocks);
            let unfused = |walk: &mut _, blocks| {
                $crate::fuse::ocb_offsets::$unfused(&$crate::fuse::unfused::$direction($this), walk, blocks);
            };
            unfused(walk, first);
            $(
                let blocks = match $this.kernel {
                    #[cfg(target_arch = "x86_64")]
                    Kernel::$Variant($token) => {
                        let (turns, few) = $module::split_turns(blocks);
                        if !turns.is_empty() {
                            let $run = |keys: &_| $module::$ocb($token.into(), keys, walk, turns);
                            $keys
                        }
                        few
                    }
                    _ => blocks,
                };
            )*
            unfused(walk, blocks);
        }
    };
}
pub(crate) use method;
