//! Groups of blocks: what a portable form takes at once to hide the latency of
//! one block behind another.

use inout::InOutBuf;

use crate::buffer;
use crate::cipher::Block;

/// Hands over `N` blocks at once, and the rest one by one.
#[inline(always)]
pub(crate) fn and_singles<const N: usize, B: Block>(
    blocks: InOutBuf<'_, '_, B>,
    group: impl Fn([B; N]) -> [B; N],
    single: impl Fn(B) -> B,
) {
    let (groups, rest) = buffer::chunks(blocks);
    for mut blocks in groups {
        *blocks.get_out() = group(*blocks.get_in());
    }
    for mut block in rest {
        *block.get_out() = single(*block.get_in());
    }
}

/// Hands over `N` blocks at once, and of the rest a pair at once.
#[inline(always)]
pub(crate) fn and_pairs<const N: usize, B: Block>(
    blocks: InOutBuf<'_, '_, B>,
    group: impl Fn([B; N]) -> [B; N],
    pair: impl Fn([B; 2]) -> [B; 2],
    single: impl Fn(B) -> B,
) {
    let (groups, rest) = buffer::chunks(blocks);
    for mut blocks in groups {
        *blocks.get_out() = group(*blocks.get_in());
    }
    let (pairs, rest) = buffer::chunks(rest);
    for mut blocks in pairs {
        *blocks.get_out() = pair(*blocks.get_in());
    }
    for mut block in rest {
        *block.get_out() = single(*block.get_in());
    }
}

/// Hands over `N` blocks at once; the rest too, filled up, if `LEAST` or more
/// are left, and otherwise a pair at once or one.
#[inline(always)]
pub(crate) fn filled<const N: usize, const LEAST: usize, B: Block>(
    blocks: InOutBuf<'_, '_, B>,
    group: impl Fn([B; N]) -> [B; N],
    pair: impl Fn([B; 2]) -> [B; 2],
    single: impl Fn(B) -> B,
) {
    let (groups, mut rest) = buffer::chunks(blocks);
    for mut blocks in groups {
        *blocks.get_out() = group(*blocks.get_in());
    }
    if rest.len() >= LEAST {
        let mut blocks = [B::ZERO; N];
        blocks[..rest.len()].copy_from_slice(rest.get_in());
        let n = rest.len();
        rest.get_out().copy_from_slice(&group(blocks)[..n]);
    } else {
        and_singles(rest, pair, single);
    }
}

/// Writes a kernel that is the portable form on more lanes, compiled for wider
/// registers: `filled` with a group's function, and the portable kernel's for
/// what is not worth filling up.
macro_rules! wider {
    ($(
        $name:ident($Token:ident, $features:literal, keys: $Keys:ty)
            = $lanes:literal lanes from $least:literal by $group:ident, else $($portable:ident)::+;
    )*) => {$(
        pub(super) fn $name(
            _: $crate::cpu::$Token,
            keys: $Keys,
            blocks: $crate::InOutBuf<'_, '_, super::Block>,
        ) {
            #[target_feature(enable = $features)]
            fn groups(keys: $Keys, blocks: $crate::InOutBuf<'_, '_, super::Block>) {
                let (groups, mut rest) = $crate::buffer::chunks(blocks);
                for mut blocks in groups {
                    *blocks.get_out() = super::$group::<$lanes>(keys, *blocks.get_in());
                }
                let n = rest.len();
                if n >= $least {
                    let mut blocks = [[0; 8]; $lanes];
                    blocks[..n].copy_from_slice(rest.get_in());
                    let blocks = super::$group::<$lanes>(keys, blocks);
                    rest.get_out().copy_from_slice(&blocks[..n]);
                } else {
                    super::$($portable)::+(keys, rest);
                }
            }
            // SAFETY: the token proves the features.
            unsafe { groups(keys, blocks) }
        }
    )*};
}
pub(crate) use wider;
