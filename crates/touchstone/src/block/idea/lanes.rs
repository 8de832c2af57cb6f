//! IDEA with the words of many blocks in registers of 16-bit lanes.

/// Writes a kernel with registers of `$lanes` lanes. A group has one, two or four registers for
/// each word of a block.
macro_rules! lanes {
    ($Token:ident, $features:literal, $Lanes:ident: $lanes:literal lanes) => {
        use super::{Block, Keys, portable};
        use crate::InOutBuf;
        use crate::buffer;
        use crate::cpu::$Token;
        use crate::simd::$Lanes;
        use crate::wipe::wipe;
        use inout::InOut;

        /// The smallest number of blocks for which a register of them is faster than the portable
        /// form.
        const LEAST: usize = 3;

        /// The number of blocks in a register. A register has one word of each block.
        const LANES: usize = $lanes;

        /// One word of each of `N` × [`LANES`] blocks.
        type Word<const N: usize> = [$Lanes; N];

        #[inline]
        #[target_feature(enable = $features)]
        fn multiply<const N: usize>(x: &mut Word<N>, key: u16) {
            let key = $Lanes::splat(key);
            for n in 0..N {
                x[n] = x[n].times(key);
            }
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn add<const N: usize>(x: &mut Word<N>, key: u16) {
            let key = $Lanes::splat(key);
            for n in 0..N {
                x[n] = x[n].add(key);
            }
        }

        /// Encrypts or decrypts `N` × [`LANES`] blocks, [IDEA](super) figure 3.1.
        #[inline]
        #[target_feature(enable = $features)]
        fn groups<const N: usize>(keys: &Keys, mut blocks: InOut<'_, '_, [[Block; LANES]; N]>) {
            let [mut a, mut b, mut c, mut d] = [[$Lanes::splat(0); N]; 4];
            for n in 0..N {
                [a[n], b[n], c[n], d[n]] = $Lanes::part4(&blocks.get_in()[n]);
            }
            let (rounds, last) = keys.as_chunks::<6>();
            for z in rounds {
                multiply(&mut a, z[0]);
                add(&mut b, z[1]);
                add(&mut c, z[2]);
                multiply(&mut d, z[3]);
                let (mut p, mut q) = (a, b);
                for n in 0..N {
                    p[n] = a[n].xor(c[n]);
                    q[n] = b[n].xor(d[n]);
                }
                multiply(&mut p, z[4]);
                for n in 0..N {
                    q[n] = q[n].add(p[n]);
                }
                multiply(&mut q, z[5]);
                for n in 0..N {
                    p[n] = p[n].add(q[n]);
                    a[n] = a[n].xor(q[n]);
                    d[n] = d[n].xor(p[n]);
                    (b[n], c[n]) = (c[n].xor(q[n]), b[n].xor(p[n]));
                }
            }
            multiply(&mut a, last[0]);
            add(&mut c, last[1]);
            add(&mut b, last[2]);
            multiply(&mut d, last[3]);
            for n in 0..N {
                $Lanes::join4([a[n], c[n], b[n], d[n]], &mut blocks.get_out()[n]);
            }
        }

        /// Encrypts or decrypts at most `N` × [`LANES`] blocks.
        #[inline]
        #[target_feature(enable = $features)]
        fn filled<const N: usize>(keys: &Keys, mut blocks: InOutBuf<'_, '_, Block>) {
            let n = blocks.len();
            if n == N * LANES {
                for group in buffer::chunks(buffer::chunks(blocks).0).0 {
                    groups::<N>(keys, group);
                }
                return;
            }
            let mut copy = [[[0; 8]; LANES]; N];
            copy.as_flattened_mut()[..n].copy_from_slice(blocks.get_in());
            groups::<N>(keys, InOut::from(&mut copy));
            blocks.get_out().copy_from_slice(&copy.as_flattened()[..n]);
            wipe(&mut copy, [[0; 8]; LANES]);
        }

        pub(super) fn cipher(_: $Token, keys: &Keys, blocks: InOutBuf<'_, '_, Block>) {
            #[target_feature(enable = $features)]
            fn all(keys: &Keys, blocks: InOutBuf<'_, '_, Block>) {
                let whole = blocks.len() - blocks.len() % (4 * LANES);
                let (whole, rest) = blocks.split_at(whole);
                for four in buffer::chunks(buffer::chunks(whole).0).0 {
                    groups::<4>(keys, four);
                }
                match rest.len().div_ceil(LANES) {
                    0 => {}
                    1 if rest.len() < LEAST => portable(keys, rest),
                    1 => filled::<1>(keys, rest),
                    2 => filled::<2>(keys, rest),
                    _ => filled::<4>(keys, rest),
                }
            }
            if blocks.len() < LEAST {
                return portable(keys, blocks);
            }
            // SAFETY: the token proves the features.
            unsafe { all(keys, blocks) }
        }
    };
}
pub(super) use lanes;
