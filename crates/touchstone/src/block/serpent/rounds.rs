//! The rounds of Serpent on words with any number of lanes.
//!
//! The functions `s0` to `s7` are the circuits of the S-boxes, and other functions are the
//! circuits of the inverses. [`super::binary`] lists the complements that the circuits take and
//! leave. Each round processes `N` groups of words side by side.
//!
//! The linear transformation computes the words x₀ and x₂ last, and ends with a rotation of
//! each. The code adds the keys of these two words before that rotation, to values that are
//! known early. So these keys do not make the chain of dependent instructions from round to
//! round longer ([`super::RoundKeys`]).

/// Writes the linear transformation and its inverse.
macro_rules! linear {
    ($Lanes:ty $(, $features:literal)?) => {
        /// Computes the linear transformation, [SERPENT] §3, and the addition of a key.
        #[inline]
        $(#[target_feature(enable = $features)])?
        fn linear([x0, x1, x2, x3]: [$Lanes; 4], key: [$Lanes; 4]) -> [$Lanes; 4] {
            let x0 = x0.rotate_left::<13>();
            let x2 = x2.rotate_left::<3>();
            let x1 = x1.xor3(x0, x2).rotate_left::<1>();
            let x3 = x3.xor3(x2, x0.shift_left::<3>()).rotate_left::<7>();
            let x0 = x0.xor(key[0]).xor3(x1, x3);
            let x2 = x2.xor(key[2]).xor3(x3, x1.shift_left::<7>());
            [
                x0.rotate_left::<5>(),
                x1.xor(key[1]),
                x2.rotate_left::<22>(),
                x3.xor(key[3]),
            ]
        }

        /// Computes the inverse of [`linear`].
        #[inline]
        $(#[target_feature(enable = $features)])?
        fn linear_inverse([x0, x1, x2, x3]: [$Lanes; 4], key: [$Lanes; 4]) -> [$Lanes; 4] {
            let x3 = x3.xor(key[3]);
            let x1 = x1.xor(key[1]);
            let x2 = x2.rotate_left::<10>().xor(key[2]).xor3(x3, x1.shift_left::<7>());
            let x0 = x0.rotate_left::<27>().xor(key[0]).xor3(x1, x3);
            let x3 = x3.rotate_left::<25>().xor3(x2, x0.shift_left::<3>());
            let x1 = x1.rotate_left::<31>().xor3(x0, x2);
            [x0.rotate_left::<19>(), x1, x2.rotate_left::<29>(), x3]
        }
    };
}
pub(super) use linear;

/// Writes the functions `forwards` and `backwards`.
macro_rules! rounds {
    ($visible:vis $Lanes:ty $(, $features:literal)?) => {
        /// Returns a round key in all lanes.
        #[inline]
        $(#[target_feature(enable = $features)])?
        fn splat(key: &[u32; 4]) -> [$Lanes; 4] {
            [
                <$Lanes>::splat(key[0]),
                <$Lanes>::splat(key[1]),
                <$Lanes>::splat(key[2]),
                <$Lanes>::splat(key[3]),
            ]
        }

        #[inline]
        $(#[target_feature(enable = $features)])?
        fn add(x: [$Lanes; 4], key: [$Lanes; 4]) -> [$Lanes; 4] {
            [
                x[0].xor(key[0]),
                x[1].xor(key[1]),
                x[2].xor(key[2]),
                x[3].xor(key[3]),
            ]
        }

        #[inline]
        $(#[target_feature(enable = $features)])?
        $visible fn forwards<const N: usize>(keys: &RoundKeys, x: &mut [[$Lanes; 4]; N]) {
            macro_rules! round {
                ($s:ident, $key:expr) => {
                    let key = splat(&$key);
                    for i in 0..N {
                        x[i] = linear($s(x[i]), key);
                    }
                };
            }
            let first = splat(&keys[0]);
            for i in 0..N {
                x[i] = add(x[i], first);
            }
            let (eights, _) = keys[1..].as_chunks::<8>();
            for (i, keys) in eights.iter().enumerate() {
                round!(s0, keys[0]);
                round!(s1, keys[1]);
                round!(s2, keys[2]);
                round!(s3, keys[3]);
                round!(s4, keys[4]);
                round!(s5, keys[5]);
                round!(s6, keys[6]);
                if i == 3 {
                    break;
                }
                round!(s7, keys[7]);
            }
            let last = splat(&keys[32]);
            for i in 0..N {
                x[i] = add(s7(x[i]), last);
            }
        }

        #[inline]
        $(#[target_feature(enable = $features)])?
        $visible fn backwards<const N: usize>(keys: &RoundKeys, x: &mut [[$Lanes; 4]; N]) {
            macro_rules! round {
                ($s:ident, $key:expr) => {
                    let key = splat(&$key);
                    for i in 0..N {
                        x[i] = $s(linear_inverse(x[i], key));
                    }
                };
            }
            let last = splat(&keys[32]);
            for i in 0..N {
                x[i] = s7_inverse(add(x[i], last));
            }
            let (eights, _) = keys[1..].as_chunks::<8>();
            for (i, keys) in eights.iter().rev().enumerate() {
                if i != 0 {
                    round!(s7_inverse, keys[7]);
                }
                round!(s6_inverse, keys[6]);
                round!(s5_inverse, keys[5]);
                round!(s4_inverse, keys[4]);
                round!(s3_inverse, keys[3]);
                round!(s2_inverse, keys[2]);
                round!(s1_inverse, keys[1]);
                round!(s0_inverse, keys[0]);
            }
            let first = splat(&keys[0]);
            for i in 0..N {
                x[i] = add(x[i], first);
            }
        }
    };
}
pub(super) use rounds;
