//! Calls a portable kernel on groups of independent blocks. While the processor waits for a
//! result of one block, the processor computes another block of the group.

use inout::{InOut, InOutBuf};

use crate::buffer;
use crate::cipher::Block;

/// Calls `group` on every `N` blocks, and `single` on each remaining block.
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

/// Calls `one` on each block, on four blocks at a time.
#[inline(always)]
pub(crate) fn fours<B: Block>(blocks: InOutBuf<'_, '_, B>, one: impl Fn(B) -> B) {
    and_singles(blocks, |four: [B; 4]| four.map(&one), &one);
}

/// Calls `one` on each block, one after the other.
#[inline(always)]
pub(crate) fn singly<B: Block>(blocks: InOutBuf<'_, '_, B>, one: impl Fn(B) -> B) {
    for mut block in blocks {
        *block.get_out() = one(*block.get_in());
    }
}

/// Calls `two` on every two blocks, and `one` on a last single block. Both functions work on
/// another form of a block: `load` converts a block to this form, and `store` converts this
/// form to a block.
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

/// Calls `group` on every `N` blocks, `pair` on every two remaining blocks, and `single` on a
/// last block.
#[inline(always)]
pub(crate) fn and_pairs<const N: usize, B: Block>(
    blocks: InOutBuf<'_, '_, B>,
    group: impl Fn([B; N]) -> [B; N],
    pair: impl Fn([B; 2]) -> [B; 2] + Copy,
    single: impl Fn(B) -> B + Copy,
) {
    filled::<N, N, B>(blocks, group, pair, single);
}

/// Calls `group` on every `N` blocks. If `LEAST` blocks or more remain, calls `group` on the
/// remaining blocks, filled up with zeros. Otherwise calls `pair` on every two remaining
/// blocks, and `single` on a last block.
///
/// One block and two blocks have code of their own, because the frame of a group is larger, and after
/// each message of one block all of it would be overwritten.
#[inline(always)]
pub(crate) fn filled<const N: usize, const LEAST: usize, B: Block>(
    mut blocks: InOutBuf<'_, '_, B>,
    group: impl Fn([B; N]) -> [B; N],
    pair: impl Fn([B; 2]) -> [B; 2] + Copy,
    single: impl Fn(B) -> B + Copy,
) {
    #[inline(never)]
    fn one<T: Copy>(mut data: InOut<'_, '_, T>, cipher: impl Fn(T) -> T) {
        *data.get_out() = cipher(*data.get_in());
    }

    #[inline(never)]
    fn several<const N: usize, const LEAST: usize, B: Block>(
        blocks: InOutBuf<'_, '_, B>,
        group: impl Fn([B; N]) -> [B; N],
        pair: impl Fn([B; 2]) -> [B; 2] + Copy,
        single: impl Fn(B) -> B + Copy,
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
            return;
        }
        let (pairs, rest) = buffer::chunks(rest);
        for blocks in pairs {
            one(blocks, pair);
        }
        for block in rest {
            one(block, single);
        }
    }

    match blocks.len() {
        1 if LEAST > 1 => one(blocks.get(0), single),
        2 if LEAST > 2 => one(buffer::chunks(blocks).0.get(0), pair),
        _ => several::<N, LEAST, B>(blocks, group, pair, single),
    }
}

/// Writes a kernel that compiles a cipher's portable form for wider registers and for more
/// blocks at once. The kernel calls [`filled`] with the given group function. If too few blocks
/// remain for a group, the kernel calls the functions of the portable kernel. A call of so few
/// blocks goes to the portable kernel at once: a group's frame is large, and it takes long to
/// overwrite what lies below it.
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
            if blocks.len() < $least {
                super::$($portable)::+(keys, blocks);
            } else {
                // SAFETY: the token proves the features.
                unsafe { groups(keys, blocks) }
            }
        }
    )*};
}
pub(crate) use wider;
