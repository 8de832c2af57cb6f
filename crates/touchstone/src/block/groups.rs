//! Groups of blocks: what a portable form takes at once to hide the latency of
//! one block behind another.

use inout::InOutBuf;

use super::Block;
use crate::buffer;

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

/// Hands over `N` blocks at once; the rest too, filled up, if `LEAST` or more
/// are left, and otherwise one by one.
#[inline(always)]
pub(crate) fn filled<const N: usize, const LEAST: usize, B: Block>(
    blocks: InOutBuf<'_, '_, B>,
    group: impl Fn([B; N]) -> [B; N],
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
        for mut block in rest {
            *block.get_out() = single(*block.get_in());
        }
    }
}
