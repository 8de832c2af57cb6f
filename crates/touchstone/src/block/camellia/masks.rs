//! The masks of Camellia's kernels on planes. Each half is stored XORed with a *mask*. The mask of the
//! half that enters the S-boxes is the round key, and a round changes the mask of the other half.
#![allow(unsafe_code)]

use core::mem::MaybeUninit;
use core::slice;

use super::{Subkeys, fl_inverse, groups};
use crate::wipe::wipe;

/// Eight bytes of a key, one byte for each plane of a half. Each byte fills a number of 32 bits.
pub(super) type Mask = [u32; 8];

/// The keys of one direction for the kernels. `Layer` is what FL needs of a key. The arrays are not zeroed
/// before they are filled, because that would take a tenth of the time of 16 blocks.
pub(super) struct Schedule<Layer: Copy> {
    /// The masks that a call XORs to its input.
    pub(super) first: [Mask; 2],
    /// For each round, the change of the mask of the half that the round changes.
    rounds: [MaybeUninit<Mask>; 24],
    /// The keys of FL for the first half and of FL⁻¹ for the second half, between the groups of six rounds.
    layers: [[MaybeUninit<Layer>; 2]; 3],
    /// The mask that a call XORs to the first half of its output. The mask of the second half
    /// is zero after the last round.
    pub(super) last: Mask,
    /// The number of groups of six rounds whose keys are there.
    groups: usize,
}

impl<Layer: Copy> Schedule<Layer> {
    #[inline(always)]
    pub(super) const fn new() -> Self {
        Self {
            first: [[0; 8]; 2],
            rounds: [MaybeUninit::uninit(); 24],
            layers: [[MaybeUninit::uninit(); 2]; 3],
            last: [0; 8],
            groups: 0,
        }
    }

    /// The place of the mask of a round.
    #[inline(always)]
    pub(super) const fn round(&mut self, round: usize) -> &mut Mask {
        self.rounds[round].write([0; 8])
    }

    /// The places of the masks of two rounds.
    #[inline(always)]
    pub(super) fn two_rounds(&mut self, first: usize) -> &mut [u32; 16] {
        let two: &mut [MaybeUninit<Mask>; 2] = (&mut self.rounds[first..first + 2])
            .try_into()
            .expect("two");
        *two = [MaybeUninit::new([0; 8]); 2];
        // SAFETY: both are written, and two arrays of 8 numbers lie in memory as one of 16 does.
        unsafe { &mut *two.as_mut_ptr().cast() }
    }

    /// The place of what FL (half 0) or FL⁻¹ (half 1) needs after a group of six rounds. It has the value
    /// `zero`.
    #[inline(always)]
    pub(super) const fn layer(&mut self, group: usize, half: usize, zero: Layer) -> &mut Layer {
        self.layers[group][half].write(zero)
    }

    /// Says that every place for a key of this length is filled.
    ///
    /// # Safety
    ///
    /// The caller must have called [`round`](Self::round) and [`layer`](Self::layer) for every place that
    /// [`each`] names.
    #[inline(always)]
    pub(super) const unsafe fn complete<const KEY: usize>(&mut self) {
        self.groups = const { groups(KEY) };
    }

    /// The masks of the rounds.
    #[inline(always)]
    pub(super) fn rounds(&self) -> &[Mask] {
        // SAFETY: `complete` says that there are six for each group.
        unsafe { slice::from_raw_parts(self.rounds.as_ptr().cast(), 6 * self.groups) }
    }

    /// The keys of FL and FL⁻¹ after each group of six rounds but the last.
    #[inline(always)]
    pub(super) fn layers(&self) -> &[[Layer; 2]] {
        // SAFETY: `complete` says that there is one between two groups.
        unsafe { slice::from_raw_parts(self.layers.as_ptr().cast(), self.groups.max(1) - 1) }
    }
}

impl<Layer: Copy> Drop for Schedule<Layer> {
    fn drop(&mut self) {
        wipe(&mut self.first, [0; 8]);
        wipe(
            &mut self.rounds[..6 * self.groups],
            MaybeUninit::new([0; 8]),
        );
        let layers = self.layers().len();
        wipe(&mut self.layers[..layers], [MaybeUninit::zeroed(); 2]);
        wipe(slice::from_mut(&mut self.last), [0; 8]);
    }
}

/// A token of kernels that have this form of keys.
pub(super) trait Scheduled<Schedule> {
    /// Calls `work` with the keys of one direction. A function that returned them would copy them, and
    /// the copy would not be wiped. The function is not inlined, so that a message too short for the
    /// kernels does not have the keys in its frame, which is overwritten after each call.
    fn with<const KEY: usize, const BACKWARDS: bool>(
        self,
        keys: &Subkeys,
        work: impl FnOnce(&Schedule),
    );
}

/// Implements [`Scheduled`] for a token. The module has the type `Schedule`, and the function `fill`, which
/// needs the features of the token.
macro_rules! scheduled {
    ($Token:ty) => {
        impl $crate::block::camellia::masks::Scheduled<Schedule> for $Token {
            #[inline(never)]
            fn with<const KEY: usize, const BACKWARDS: bool>(
                self,
                keys: &Subkeys,
                work: impl FnOnce(&Schedule),
            ) {
                let mut this = Schedule::new();
                // SAFETY: the token proves the features.
                unsafe { fill::<KEY, BACKWARDS>(keys, &mut this) }
                work(&this);
            }
        }
    };
}
pub(super) use scheduled;

/// Where a mask, or a change of a mask, or a key of FL is used.
#[derive(Clone, Copy)]
pub(super) enum Place {
    /// The mask that a call XORs to a half of its input.
    First(usize),
    /// The change in a round, of the mask of the half that the round changes.
    Round(usize),
    /// The key of FL (half 0) or FL⁻¹ (half 1) after a group of six rounds.
    Layer(usize, usize),
    /// The mask that a call XORs to the first half of its output.
    Last,
}

/// Calls `store` for each place. The round keys contain the bytes `before`, for the rounds from each
/// half: those whose images are the constants of the affine maps before the inversion.
#[inline(always)]
pub(super) fn each<const KEY: usize, const BACKWARDS: bool>(
    keys: &Subkeys,
    before: [u64; 2],
    mut store: impl FnMut(Place, u64),
) {
    let groups = const { groups(KEY) };
    let key = |i: usize| keys[if BACKWARDS { 8 * groups + 1 - i } else { i }];
    let round_key = |group: usize, round: usize| key(8 * group + 2 + round) ^ before[round % 2];
    let mut masks = [round_key(0, 0), round_key(0, 1)];
    for half in 0..2 {
        store(Place::First(half), key(half) ^ masks[half]);
    }
    for group in 0..groups {
        let ends = group + 1 == groups;
        let layer_keys = [key(8 * group + 8), key(8 * group + 9)];
        // `after` is the mask of the first half after the group. FL turns this mask into the
        // first round key of the next group. After the last group, the mask is the key that is
        // XORed to the output.
        let after = if ends {
            layer_keys[0]
        } else {
            fl_inverse(round_key(group + 1, 0), layer_keys[0])
        };
        let first = 6 * group;
        store(Place::Round(first), masks[1] ^ round_key(group, 1));
        for round in 1..5 {
            let next = round_key(group, round - 1) ^ round_key(group, round + 1);
            store(Place::Round(first + round), next);
        }
        store(Place::Round(first + 5), round_key(group, 4) ^ after);
        masks[1] = round_key(group, 5);
        if ends {
            store(Place::Last, masks[1] ^ layer_keys[1]);
        } else {
            masks[1] = fl_inverse(masks[1], layer_keys[1]);
            for half in 0..2 {
                store(Place::Layer(group, half), layer_keys[half]);
            }
        }
    }
}

/// Returns the indices of the bytes of a key from byte `highest` down, each index `times`
/// times.
pub(super) const fn spread(times: usize, highest: usize) -> [u8; 32] {
    let mut places = [0; 32];
    let mut i = 0;
    while i < 32 {
        places[i] = (highest - i / times) as u8;
        i += 1;
    }
    places
}
