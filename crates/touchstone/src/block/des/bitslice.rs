//! DES on bit planes: plane *p* holds bit *p* of every block, so that all
//! permutations are a choice of registers, and the S-boxes are circuits.
//!
//! The kernels differ in the lane type and the S-boxes; features cannot be
//! generic, so they are written once as a macro. A register of `$words` 64-bit
//! numbers makes 64·`$words` lanes, and a call takes as many blocks:
//!
//! ```text
//!   blocks:  register 8h + l, number w            is block (8h + l)·words + w
//!   planes:  register for bit i of byte b, number w, byte h, bit l
//! ```
//!
//! - **Transposition** exchanges the index *l* with the bit *i* (or the byte *b*)
//!   in eight registers that lie in a row, then *h* with what is left in eight
//!   that lie apart. The second step writes the planes where [FIPS46] IP wants
//!   them: its *j*-th bit is bit 6 − 2⌊*j*/8⌋ of byte 7 − *j* mod 8 for the left
//!   half, one bit above that for the right.
//! - **Rounds** work on two arrays of planes in memory that change roles; IP and
//!   its inverse cancel between the passes of DES-EDE, which leaves an exchange of
//!   the roles.
//! - **Complements.** The binary circuits take some inputs complemented, so that no gate
//!   has to complement: the keys that are added to the inputs do it.
//! - **Short calls** are padded: a lane costs nothing.

/// What the first step of a transposition exchanges a register's index with.
#[derive(Clone, Copy)]
pub(super) enum Index {
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
    Byte,
    Bit,
}

macro_rules! bitslice {
    (
        $Lanes:ty, $words:literal words $(, $features:literal)?;
        step $inner:ident, $inner_back:ident, $first:ident
    ) => {
        use crate::block::des::bitslice::Index;
        use crate::block::des::{CBC_DECRYPT, CTR};
        use crate::block::des::{Block, Keys};
        use crate::wipe::wipe;
        use inout::{InOut, InOutBuf};

        /// Blocks in a call.
        const LANES: usize = 64 * $words;
        const WORDS: usize = $words;

        type Half = [$Lanes; 32];
        type Group = [Block; LANES];

        /// A group on its way to planes, or back from them.
        type Registers = [$Lanes; 64];

        /// Which plane is number `k` of those that the second step makes from
        /// the registers `l`: its byte and its bit.
        const fn place(l: usize, k: usize) -> (usize, usize) {
            match Index::$first {
                Index::Byte => (l, k),
                Index::Bit => (k, l),
            }
        }

        /// Which plane is taken for it on the way back.
        const fn place_back(l: usize, k: usize) -> (usize, usize) {
            match Index::$first {
                Index::Byte => (l, 7 - k),
                Index::Bit => (k, l),
            }
        }

        /// Blocks to planes.
        #[inline]
        $(#[target_feature(enable = $features)])?
        fn slice(blocks: &Group, x: &mut Registers, halves: &mut [Half; 2]) {
            let (registers, _) = blocks.as_chunks::<WORDS>();
            let mut h = 0;
            while h < 8 {
                let mut some = [<$Lanes>::zero(); 8];
                let mut l = 0;
                while l < 8 {
                    some[l] = <$Lanes>::load(&registers[8 * h + l]);
                    l += 1;
                }
                $inner(&mut some);
                let mut l = 0;
                while l < 8 {
                    x[8 * h + l] = some[l];
                    l += 1;
                }
                h += 1;
            }
            scatter(x, halves);
        }

        /// The second step of [`slice`].
        #[inline]
        $(#[target_feature(enable = $features)])?
        fn scatter(x: &Registers, halves: &mut [Half; 2]) {
            let mut l = 0;
            while l < 8 {
                let mut some = [<$Lanes>::zero(); 8];
                let mut h = 0;
                while h < 8 {
                    some[h] = x[8 * h + l];
                    h += 1;
                }
                exchange_bytes(&mut some);
                let mut k = 0;
                while k < 8 {
                    let (byte, bit) = place(l, k);
                    halves[bit % 2][8 * ((7 - bit) / 2) + 7 - byte] = some[k];
                    k += 1;
                }
                l += 1;
            }
        }

        /// Planes to the registers of blocks that [`last_step`] finishes.
        #[inline]
        $(#[target_feature(enable = $features)])?
        fn gather(left: &Half, right: &Half, x: &mut Registers) {
            let mut l = 0;
            while l < 8 {
                let mut some = [<$Lanes>::zero(); 8];
                let mut k = 0;
                while k < 8 {
                    let (byte, bit) = place_back(l, k);
                    let half = if bit % 2 == 0 { left } else { right };
                    some[k] = half[8 * ((7 - bit) / 2) + 7 - byte];
                    k += 1;
                }
                exchange_bytes(&mut some);
                let mut h = 0;
                while h < 8 {
                    x[8 * h + l] = some[h];
                    h += 1;
                }
                l += 1;
            }
        }

        /// Eight registers of blocks in a row.
        #[inline]
        $(#[target_feature(enable = $features)])?
        fn last_step(x: &Registers, h: usize) -> [$Lanes; 8] {
            let mut some = [<$Lanes>::zero(); 8];
            let mut l = 0;
            while l < 8 {
                some[l] = x[8 * h + l];
                l += 1;
            }
            $inner_back(&mut some);
            some
        }

        /// Exchanges the index of a register with the index of a byte.
        #[inline]
        $(#[target_feature(enable = $features)])?
        fn exchange_bytes(x: &mut [$Lanes; 8]) {
            let mut i = 0;
            while i < 4 {
                (x[i], x[i + 4]) = x[i].exchange::<32>(x[i + 4]);
                i += 1;
            }
            let mut i = 0;
            while i < 4 {
                let at = i / 2 * 4 + i % 2;
                (x[at], x[at + 2]) = x[at].exchange::<16>(x[at + 2]);
                i += 1;
            }
            let mut i = 0;
            while i < 4 {
                (x[2 * i], x[2 * i + 1]) = x[2 * i].exchange::<8>(x[2 * i + 1]);
                i += 1;
            }
        }

        /// All blocks, by groups. `state` is the next counter of CTR and the block
        /// before of CBC.
        $(#[target_feature(enable = $features)])?
        fn each_group<const WHAT: u8, const PASSES: usize>(
            keys: &Keys<PASSES>,
            backwards: bool,
            state: &mut Block,
            blocks: InOutBuf<'_, '_, Block>,
        ) {
            let mut passes = prepare(keys, backwards);
            let mut room = ([<$Lanes>::zero(); 64], [[<$Lanes>::zero(); 32]; 2]);
            let (groups, mut rest) = crate::buffer::chunks(blocks);
            for group in groups {
                one_group::<WHAT>(&passes, &mut room, state, LANES, group);
            }
            if !rest.is_empty() {
                let n = rest.len();
                let mut group = [[0; 8]; LANES];
                group[..n].copy_from_slice(rest.get_in());
                one_group::<WHAT>(&passes, &mut room, state, n, (&mut group).into());
                rest.get_out().copy_from_slice(&group[..n]);
                wipe(&mut group, [0; 8]);
            }
            wipe(&mut passes, EMPTY);
            wipe(&mut room.0, <$Lanes>::zero());
            wipe(room.1.as_flattened_mut(), <$Lanes>::zero());
        }

        /// A group of which `n` blocks are wanted.
        #[inline]
        $(#[target_feature(enable = $features)])?
        fn one_group<const WHAT: u8>(
            passes: &[Pass],
            (x, halves): &mut (Registers, [Half; 2]),
            state: &mut Block,
            n: usize,
            group: InOut<'_, '_, Group>,
        ) {
            if WHAT == CTR {
                let counter = u64::from_be_bytes(*state);
                count(counter, halves);
                *state = counter.wrapping_add(n as u64).to_be_bytes();
            } else {
                slice(group.get_in(), x, halves);
            }
            let [left, right] = halves;
            rounds(left, right, passes);
            if passes.len() % 2 == 1 {
                finish::<WHAT>(right, left, x, state, n, group);
            } else {
                finish::<WHAT>(left, right, x, state, n, group);
            }
        }

        /// The planes of a counter for each block: a sum, carried from plane to
        /// plane, of the first counter and the block's place in the group.
        #[inline]
        $(#[target_feature(enable = $features)])?
        fn count(first: u64, halves: &mut [Half; 2]) {
            let mut numbers = [[0; 8]; WORDS];
            let mut i = 0;
            while i < WORDS {
                numbers[i] = (i as u64).to_le_bytes();
                i += 1;
            }
            let numbers = <$Lanes>::load(&numbers);
            let mut carry = <$Lanes>::zero();
            let mut i = 0;
            while i < 64 {
                let bit = <$Lanes>::splat_u32(((first >> i) as u32 & 1).wrapping_neg());
                let plane = &mut halves[i % 2][8 * ((7 - i % 8) / 2) + i / 8];
                if i < LANES.ilog2() as usize {
                    let place = if 1 << i < WORDS {
                        numbers.has_bit(i as u32)
                    } else {
                        // Bit `r` is that of the number `r`.
                        const EVEN: [u64; 6] = [
                            0x5555_5555_5555_5555,
                            0x3333_3333_3333_3333,
                            0x0f0f_0f0f_0f0f_0f0f,
                            0x00ff_00ff_00ff_00ff,
                            0x0000_ffff_0000_ffff,
                            0x0000_0000_ffff_ffff,
                        ];
                        <$Lanes>::splat(!EVEN[i - WORDS.ilog2() as usize])
                    };
                    let half = bit.xor(place);
                    *plane = half.xor(carry);
                    carry = half.select(carry, bit);
                } else {
                    *plane = bit.xor(carry);
                    carry = bit.and(carry);
                }
                i += 1;
            }
        }

        /// Planes to blocks, and what the mode adds to them.
        #[inline]
        $(#[target_feature(enable = $features)])?
        fn finish<const WHAT: u8>(
            left: &Half,
            right: &Half,
            x: &mut Registers,
            state: &mut Block,
            n: usize,
            mut group: InOut<'_, '_, Group>,
        ) {
            gather(left, right, x);
            let before = *state;
            if WHAT == CBC_DECRYPT {
                *state = group.get_in()[n - 1];
            }
            // From the end: in place, CBC needs what lies before.
            let mut h = 8;
            while h > 0 {
                h -= 1;
                let mut some = last_step(x, h);
                let input = group.get_in();
                let mut l = 0;
                while l < 8 {
                    let at = (8 * h + l) * WORDS;
                    if WHAT == CTR {
                        if let Some(data) = input[at..].first_chunk() {
                            some[l] = some[l].xor(<$Lanes>::load(data));
                        }
                    } else if WHAT == CBC_DECRYPT {
                        if at == 0 {
                            let mut data = [before; WORDS];
                            data[1..].copy_from_slice(&input[..WORDS - 1]);
                            some[l] = some[l].xor(<$Lanes>::load(&data));
                        } else if let Some(data) = input[at - 1..].first_chunk() {
                            some[l] = some[l].xor(<$Lanes>::load(data));
                        }
                    }
                    l += 1;
                }
                let (registers, _) = group.get_out().as_chunks_mut::<WORDS>();
                let mut l = 0;
                while l < 8 {
                    some[l].store(&mut registers[8 * h + l]);
                    l += 1;
                }
            }
        }
    };
}
pub(super) use bitslice;

/// The rounds with one key for all lanes, by circuits of two-input gates.
macro_rules! rounds {
    ($Lanes:ty $(, $features:literal)?) => {
        use crate::block::des::{E, P_INVERSE, flips, masks};

        /// What keys complement.
        const FLIPS: [u32; 48] = flips(&COMPLEMENTED);

        type Pass = [Masks; 16];

        const EMPTY: Pass = [[0; 48]; 16];

        #[inline]
        fn prepare<const PASSES: usize>(keys: &Keys<PASSES>, backwards: bool) -> [Pass; PASSES] {
            masks(keys, backwards, &FLIPS)
        }

        /// A round's keys: the masks for the inputs of S1, S2, …
        type Masks = [u32; 48];

        /// The round function on all lanes, its result added to `left`.
        /// [FIPS46] "The cipher function f".
        #[inline]
        $(#[target_feature(enable = $features)])?
        fn round(left: &mut Half, right: &Half, keys: &Masks) {
            macro_rules! input {
                ($s:literal, $i:literal) => {
                    right[const { E[6 * $s + $i] }].xor(<$Lanes>::splat_u32(keys[6 * $s + $i]))
                };
            }
            macro_rules! add {
                ($s:literal, $i:literal, $y:ident) => {
                    let bit = const { P_INVERSE[4 * $s + $i] };
                    left[bit] = left[bit].xor($y);
                };
            }
            boxes!(input, add);
        }

        /// All rounds of all passes; the halves that the first round got as left
        /// and right, then what the output has as its right and left half.
        $(#[target_feature(enable = $features)])?
        fn rounds(a: &mut Half, b: &mut Half, passes: &[Pass]) {
            let (mut left, mut right) = (a, b);
            for keys in passes {
                let (two, _) = keys.as_chunks::<2>();
                for [first, second] in two {
                    round(left, right, first);
                    round(right, left, second);
                }
                (left, right) = (right, left);
            }
        }

    };
}
pub(super) use rounds;

/// Keys and salts that differ from lane to lane, as planes.
macro_rules! lane_keys {
    ($Lanes:ty $(, $features:literal)?) => {
        use crate::block::des::PC1;

        /// C and D, each twice.
        type Twice = [[$Lanes; 56]; 2];

        /// The key schedule of all lanes.
        #[inline]
        $(#[target_feature(enable = $features)])?
        fn key_planes(keys: &Group, x: &mut Registers, planes: &mut [Half; 2], twice: &mut Twice) {
            slice(keys, x, planes);
            for half in 0..2 {
                for i in 0..56 {
                    let bit = PC1[half][i % 28] - 1;
                    twice[half][i] = plane(planes, bit / 8, 7 - bit % 8);
                }
            }
        }

        /// Bit `bit` of byte `byte`, from what [`slice`] made.
        #[inline]
        $(#[target_feature(enable = $features)])?
        fn plane(halves: &[Half; 2], byte: usize, bit: usize) -> $Lanes {
            halves[bit % 2][8 * ((7 - bit) / 2) + 7 - byte]
        }

        /// A salt for each lane.
        $(#[target_feature(enable = $features)])?
        fn salt_planes(
            salts: &[u32],
            x: &mut Registers,
            planes: &mut [Half; 2],
        ) -> [$Lanes; 24] {
            let mut blocks = [[0; 8]; LANES];
            for (block, salt) in blocks.iter_mut().zip(salts) {
                *block = u64::from(*salt).to_le_bytes();
            }
            slice(&blocks, x, planes);
            let mut salt = [<$Lanes>::zero(); 24];
            for i in 0..24 {
                salt[i] = plane(planes, i / 8, i % 8);
            }
            salt
        }
    };
}
pub(super) use lane_keys;

/// crypt(3) with a key in every lane: the key schedule is a choice of planes as well. C
/// and D lie twice in a row, so that to turn them is to begin later, and once
/// more as the complements that some inputs take.
///
/// The salt exchanges inputs *j* and *j* + 24 of the boxes. One salt for all lanes is
/// wiring: it says from where each input is loaded. With a salt for each lane, what
/// the two differ by is added to both where the lane's salt has the bit. Salts
/// are public, keys are not.
macro_rules! crypt {
    ($Lanes:ty $(, $features:literal)?) => {
        use crate::block::des::bitslice::complements;
        use crate::block::des::wire::Wire;
        use crate::block::des::{ECB, PC2, TURNS};

        /// Key planes are needed as they are, and where circuits take inputs complemented
        /// also as complements.
        const KINDS: usize = if u64::from_le_bytes(COMPLEMENTED) == 0 { 1 } else { 2 };

        /// Where a salt finds each input of the boxes.
        type Wires = [Wire<$Lanes>; 48];

        fn wires(salt: u32) -> Wires {
            core::array::from_fn(|input| {
                let exchanged = salt >> (input % 24) & 1 == 1;
                Wire::from(E[if exchanged { (input + 24) % 48 } else { input }])
            })
        }

        /// The round function on all lanes, its result added to `left`; with salts of
        /// `SALT` bits at most. Not inline: in 64-bit words it is a tenth faster so.
        #[inline(never)]
        $(#[target_feature(enable = $features)])?
        fn salted_round<const SALT: usize, const EACH: bool>(
            left: &mut Half,
            right: &Half,
            keys: &[$Lanes; 112 * KINDS - 28],
            wires: &Wires,
            salt: &[$Lanes; 24],
        ) {
            let mut exchanges = [<$Lanes>::zero(); SALT];
            if EACH {
                let mut i = 0;
                while i < SALT {
                    exchanges[i] = right[E[i]].differ(right[E[i + 24]], salt[i]);
                    i += 1;
                }
            }
            macro_rules! input {
                ($s:literal, $i:literal) => {{
                    let at = const { 6 * $s + $i };
                    let key = keys[const {
                        let first = complements(&COMPLEMENTED, $s, $i) as usize * 112 + $s / 4 * 28;
                        first + PC2[$s / 4][6 * $s % 24 + $i] - 1
                    }];
                    if at % 24 >= SALT {
                        right[E[at]].xor(key)
                    } else if EACH {
                        right[E[at]].xor_both(exchanges[at % 24], key)
                    } else {
                        wires[at].of(right).xor(key)
                    }
                }};
            }
            macro_rules! add {
                ($s:literal, $i:literal, $y:ident) => {
                    let bit = const { P_INVERSE[4 * $s + $i] };
                    left[bit] = left[bit].xor($y);
                };
            }
            boxes!(input, add);
        }

        /// What groups need one after the other; secret.
        struct Room {
            twice: [Twice; KINDS],
            halves: [Half; 2],
            x: Registers,
        }

        /// As many encryptions of the zero block as `count` says, one after the
        /// other, in each lane with its key, and the salt `one` or, with `EACH`, its own.
        $(#[target_feature(enable = $features)])?
        fn salted_group<const SALT: usize, const EACH: bool>(
            keys: &Group,
            wires: &Wires,
            each: &[$Lanes; 24],
            count: u32,
            Room { twice, halves, x }: &mut Room,
            output: &mut Group,
        ) {
            key_planes(keys, x, halves, &mut twice[0]);
            if let [plain, complements] = &mut twice[..] {
                let plain = plain.as_flattened();
                for (complement, plane) in complements.as_flattened_mut().iter_mut().zip(plain) {
                    *complement = plane.xor(<$Lanes>::splat(u64::MAX));
                }
            }
            halves.as_flattened_mut().fill(<$Lanes>::zero());
            let [mut left, mut right] = halves.each_mut();
            for _ in 0..count {
                for turn in TURNS {
                    if let Some(keys) = twice.as_flattened().as_flattened()[turn..].first_chunk() {
                        salted_round::<SALT, EACH>(left, right, keys, wires, each);
                    }
                    (left, right) = (right, left);
                }
                // Passes exchange the halves.
                (left, right) = (right, left);
            }
            finish::<ECB>(left, right, x, &mut [0; 8], LANES, output.into());
        }

        /// A group with the same salt for all, or one for each.
        $(#[target_feature(enable = $features)])?
        fn group(keys: &Group, salts: Salts<'_>, count: u32, room: &mut Room, output: &mut Group) {
            match salts {
                Salts::One(one) => {
                    let none = [<$Lanes>::zero(); 24];
                    let wires = wires(one);
                    if one & 0xff_f000 == 0 {
                        salted_group::<12, false>(keys, &wires, &none, count, room, output);
                    } else {
                        salted_group::<24, false>(keys, &wires, &none, count, room, output);
                    }
                }
                Salts::Each(each) => {
                    let planes = salt_planes(each, &mut room.x, &mut room.halves);
                    let wires = wires(0);
                    if each.iter().all(|salt| salt & 0xff_f000 == 0) {
                        salted_group::<12, true>(keys, &wires, &planes, count, room, output);
                    } else {
                        salted_group::<24, true>(keys, &wires, &planes, count, room, output);
                    }
                }
            }
        }

        /// Every key with the same salt, or each with its own.
        $(#[target_feature(enable = $features)])?
        fn each_key(keys: &[Block], salts: Salts<'_>, count: u32, output: &mut [Block]) {
            let mut room = Room {
                twice: [[[<$Lanes>::zero(); 56]; 2]; KINDS],
                halves: [[<$Lanes>::zero(); 32]; 2],
                x: [<$Lanes>::zero(); 64],
            };
            let (groups, rest) = keys.as_chunks();
            let (to, rest_to) = output.as_chunks_mut();
            let mut at = 0;
            for (keys, to) in groups.iter().zip(to) {
                group(keys, salts.part(at, LANES), count, &mut room, to);
                at += LANES;
            }
            if !rest.is_empty() {
                let mut some = [[0; 8]; LANES];
                some[..rest.len()].copy_from_slice(rest);
                let mut made = [[0; 8]; LANES];
                group(&some, salts.part(at, rest.len()), count, &mut room, &mut made);
                rest_to.copy_from_slice(&made[..rest.len()]);
                wipe(&mut some, [0; 8]);
            }
            wipe(room.twice.as_flattened_mut().as_flattened_mut(), <$Lanes>::zero());
            wipe(room.halves.as_flattened_mut(), <$Lanes>::zero());
            wipe(&mut room.x, <$Lanes>::zero());
        }
    };
}
pub(super) use crypt;

/// Whether box `s` takes input `i` complemented.
pub(super) const fn complements(complemented: &[u8; 8], s: usize, i: usize) -> bool {
    complemented[s] >> (5 - i) & 1 == 1
}

/// The steps of lane types without a better one for bits.
macro_rules! bit_steps {
    ($Lanes:ty $(, $features:literal)?) => {
        /// Exchanges the index of a register with the index of a bit.
        #[inline]
        $(#[target_feature(enable = $features)])?
        fn exchange_bits(x: &mut [$Lanes; 8]) {
            let mut i = 0;
            while i < 4 {
                (x[i], x[i + 4]) = x[i].exchange::<4>(x[i + 4]);
                i += 1;
            }
            let mut i = 0;
            while i < 4 {
                let at = i / 2 * 4 + i % 2;
                (x[at], x[at + 2]) = x[at].exchange::<2>(x[at + 2]);
                i += 1;
            }
            let mut i = 0;
            while i < 4 {
                (x[2 * i], x[2 * i + 1]) = x[2 * i].exchange::<1>(x[2 * i + 1]);
                i += 1;
            }
        }
    };
}
pub(super) use bit_steps;
