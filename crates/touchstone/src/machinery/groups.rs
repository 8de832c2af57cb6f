//! Calls a portable kernel on groups of independent blocks. While the processor waits for a result
//! of one block, it computes another block of the group.

use inout::InOutBuf;

use crate::buffer;
use crate::cipher::Block;

/// Calls `group` on every `N` blocks, and `single` on each block of the rest.
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

/// Calls `two` on every two blocks, and `one` on a last single block. Both work on another form of
/// a block: `load` converts a block to this form, and `store` converts it back.
#[inline(always)]
pub(crate) fn two_and_one<B: Block, W>(
    blocks: InOutBuf<'_, '_, B>,
    load: impl Fn(&B) -> W,
    store: impl Fn(W) -> B,
    two: impl Fn(&mut [W; 2]),
    one: impl Fn(&mut [W; 1]),
) {
    let (pairs, rest) = buffer::chunks(blocks);
    for mut pair in pairs {
        let mut x = pair.get_in().each_ref().map(&load);
        two(&mut x);
        *pair.get_out() = x.map(&store);
    }
    for mut block in rest {
        let mut x = [load(block.get_in())];
        one(&mut x);
        let [x] = x;
        *block.get_out() = store(x);
    }
}

/// Calls `group` on every `N` blocks, `pair` on every two blocks of the rest, and
/// `single` on a last one.
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

/// Calls `group` on every `N` blocks. If `LEAST` blocks or more remain, calls `group` on them too,
/// filled up with zeros. Otherwise calls `pair` on every two of them, and `single` on a last block.
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

/// Writes a kernel that compiles a cipher's portable form for wider registers and for more blocks
/// at once. The kernel calls [`filled`] with the given group function. If the last blocks are too
/// few to be filled up, it calls the functions of the portable kernel on them.
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
