//! The rounds of Noekeon on words with any number of lanes.
//!
//! Theta adds a mixed sum of the words a and c to b and d, then the key to all words, then a mixed
//! sum of b and d to a and c. The first addition cancels in the second sum. So the code computes
//! both sums side by side.
//!
//! The S-box has two NORs. The code has no complements for them, so Gamma leaves a, b and c complemented.
//! The next key contains the correction, as every key does, so a, b and c are complemented before the
//! first round, too.
//!
//! The sum of a word, the key and the unmixed sum does not wait for the rotations of Theta. This takes
//! up to four XORs more than to mix the sums first, but makes the chain of dependent instructions shorter.

/// Writes the functions `encrypt_words` and `decrypt_words`.
macro_rules! rounds {
    ($Lanes:ty $(, $features:literal)?) => {
        /// Computes Theta. `before` is added to a before it. The last word of the key is the sum of
        /// the second and the fourth.
        #[inline]
        $(#[target_feature(enable = $features)])?
        fn theta([a, b, c, d]: [$Lanes; 4], key: [$Lanes; 5], before: $Lanes) -> [$Lanes; 4] {
            let even = a.xor3(c, before);
            let odd = b.xor3(d, key[4]);
            let (even_left, even_right) = (even.rotate_left::<8>(), even.rotate_left::<24>());
            let (odd_left, odd_right) = (odd.rotate_left::<8>(), odd.rotate_left::<24>());
            [
                odd.xor3(a, key[0]).xor3(odd_left, odd_right),
                even.xor3(b, key[1]).xor3(even_left, even_right),
                odd.xor3(c, key[2]).xor3(odd_left, odd_right),
                even.xor3(d, key[3]).xor3(even_left, even_right),
            ]
        }

        /// Computes Gamma between Pi1 and Pi2. Complements a, b and c.
        #[inline]
        $(#[target_feature(enable = $features)])?
        fn gamma([a, b, c, d]: [$Lanes; 4]) -> [$Lanes; 4] {
            let b = b.rotate_left::<1>();
            let c = c.rotate_left::<5>();
            let d = d.rotate_left::<2>();
            let b = b.xor(c.or(d));
            let a = a.xor(c.and_not(b));
            let c = c.xor3(b, d).xor(a);
            let b = b.xor(c.and_not(a));
            let d = d.xor(c.or(b));
            [
                d,
                b.rotate_left::<31>(),
                c.rotate_left::<27>(),
                a.rotate_left::<30>(),
            ]
        }

        /// Returns a key in all lanes, for Theta. `constant` is added to its first word.
        #[inline]
        $(#[target_feature(enable = $features)])?
        fn splat(key: &State, constant: u32) -> [$Lanes; 5] {
            [
                <$Lanes>::splat(key[0] ^ constant),
                <$Lanes>::splat(key[1]),
                <$Lanes>::splat(key[2]),
                <$Lanes>::splat(key[3]),
                <$Lanes>::splat(key[1] ^ key[3]),
            ]
        }

        /// Complements a, b and c, as before every Theta.
        #[inline]
        $(#[target_feature(enable = $features)])?
        fn complement<const N: usize>(x: &mut [[$Lanes; 4]; N]) {
            for i in 0..N {
                for w in 0..3 {
                    x[i][w] = x[i][w].xor(<$Lanes>::splat(COMPLEMENTS[w]));
                }
            }
        }

        #[inline]
        $(#[target_feature(enable = $features)])?
        fn encrypt_words<const N: usize>(keys: &Keys, x: &mut [[$Lanes; 4]; N]) {
            complement(x);
            let [constants @ .., last] = &CONSTANTS;
            for &constant in constants {
                let (key, before) = (splat(&keys[0], constant), <$Lanes>::splat(constant));
                for i in 0..N {
                    x[i] = gamma(theta(x[i], key, before));
                }
            }
            let (key, before) = (splat(&keys[0], *last), <$Lanes>::splat(*last));
            for i in 0..N {
                x[i] = theta(x[i], key, before);
            }
        }

        #[inline]
        $(#[target_feature(enable = $features)])?
        fn decrypt_words<const N: usize>(keys: &Keys, x: &mut [[$Lanes; 4]; N]) {
            complement(x);
            let [first, constants @ ..] = &CONSTANTS;
            let before = <$Lanes>::splat(0);
            for &constant in constants.iter().rev() {
                let key = splat(&keys[1], constant);
                for i in 0..N {
                    x[i] = gamma(theta(x[i], key, before));
                }
            }
            let key = splat(&keys[1], *first);
            for i in 0..N {
                x[i] = theta(x[i], key, before);
            }
        }
    };
}
pub(super) use rounds;
