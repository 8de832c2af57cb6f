//! DES on bit planes. A bit plane is a register that contains bit *p* of every block. A
//! permutation of bits therefore costs no instruction: the code only names other registers. The
//! S-boxes are circuits of logic gates.
//!
//! The kernels differ in the lane type and in the circuits of the S-boxes. Rust cannot make a
//! function generic over CPU features, so one macro writes all kernels. A register of `$words`
//! 64-bit numbers has 64·`$words` lanes of one bit, and a call takes one block for each lane:
//!
//! ```text
//!   blocks:  register 8h + l, number w            is block (8h + l)·words + w
//!   planes:  register for bit i of byte b, number w, byte h, bit l
//! ```
//!
//! - **Transposition** makes planes from blocks in two steps. The first step takes eight
//!   consecutive registers (one *h*, all *l*), and exchanges the index *l* with the bit *i* (or
//!   the byte *b*). The second step takes eight registers whose numbers differ by eight (one
//!   *l*, all *h*), and exchanges the index *h* with the byte *b* (or the bit *i*). The second
//!   step writes the planes in the order of [FIPS46] IP: bit *j* of the left half is bit 6 −
//!   2⌊*j*/8⌋ of byte 7 − *j* mod 8 of the block, and bit *j* of the right half is bit 7 −
//!   2⌊*j*/8⌋ of the same byte.
//! - **Rounds** use two arrays of planes in memory, the left and the right half. The two arrays
//!   exchange their roles after each round. Between the passes of DES-EDE, IP and its inverse
//!   cancel, so only an exchange of the roles remains.
//! - **Complements.** The binary circuits take some inputs complemented, so that the circuits
//!   need no gate for a complement. The round keys, which are XORed to the inputs anyway,
//!   contain these complements.
//! - **Short calls** are padded with blocks whose contents do not matter, because a group
//!   takes the same time for any number of used lanes.

/// The index that the first step of a transposition exchanges with the index *l* of a register:
/// the byte *b* or the bit *i*.
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
        use crate::block::des::bitslice::{Index, byte_steps};
        use crate::machinery::operation::{CBC_DECRYPT, CTR};
        use crate::block::des::{Block, Keys};
        use inout::{InOut, InOutBuf};

        /// The number of blocks in a group.
        const LANES: usize = 64 * $words;
        const WORDS: usize = $words;

        byte_steps!($Lanes $(, $features)?);

        type Half = [$Lanes; 32];
        type Group = [Block; LANES];

        /// A group of blocks as 64 registers, during the conversion to planes or back to
        /// blocks.
        type Registers = [$Lanes; 64];

        /// Returns the position in a block of the bits in a plane. In the transposition from
        /// blocks to planes, [`scatter`] turns the eight registers `x[8h + l]`, for `h` from 0
        /// to 7, into eight planes. Plane `k` of these eight has the returned byte and bit of
        /// each block.
        const fn place(l: usize, k: usize) -> (usize, usize) {
            match Index::$first {
                Index::Byte => (l, k),
                Index::Bit => (k, l),
            }
        }

        /// Returns the position in a block of the bits in a plane, for the conversion from
        /// planes to blocks. [`gather`] turns eight planes into the eight registers `x[8h +
        /// l]`. Plane `k` of these eight has the returned byte and bit of each block.
        const fn place_back(l: usize, k: usize) -> (usize, usize) {
            match Index::$first {
                Index::Byte => (l, 7 - k),
                Index::Bit => (k, l),
            }
        }

        /// Converts blocks to planes.
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

        /// Makes the planes from the registers that the first step made. This is the second
        /// step of [`slice`].
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

        /// Makes registers from planes. This is the first step of the conversion from planes to
        /// blocks. [`last_step`] then makes blocks from these registers.
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

        /// Makes the eight registers `8h` to `8h + 7` of blocks. This is the second step of the
        /// conversion from planes to blocks.
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

        /// What [`each_group`] keeps on the stack, in up to two copies.
        type Kept<const PASSES: usize> = ([Pass; PASSES], Registers, Group);

        /// Processes all blocks in groups. In the mode CTR, `state` is the next counter block.
        /// In the mode CBC, `state` is the last block before the message. The caller wipes the
        /// stack.
        $(#[target_feature(enable = $features)])?
        fn each_group<const WHAT: u8, const PASSES: usize>(
            keys: &Keys<PASSES>,
            backwards: bool,
            state: &mut Block,
            blocks: InOutBuf<'_, '_, Block>,
        ) {
            let passes = prepare(keys, backwards);
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
            }
        }

        /// Processes one group of blocks. Only the first `n` blocks of the group belong to the
        /// message.
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

        /// Makes the bit planes of the counter blocks. The counter of a block is the first
        /// counter plus the block's number in the group. The addition goes bit by bit, with a
        /// carry from plane to plane.
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
                        // Mask `r` has ones in the lanes for which bit `r` of the lane's number
                        // is 0.
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

        /// Converts planes to blocks. In the mode CTR, XORs the message to the blocks. In CBC
        /// decryption, XORs the preceding ciphertext blocks to the blocks.
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
            // The loop starts at the last block. When CBC decrypts in place, a block of
            // plaintext overwrites a block of ciphertext that the next block still needs.
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

/// Writes the rounds for calls in which all lanes have the same key. The circuits of the
/// S-boxes have gates with two inputs.
macro_rules! rounds {
    ($Lanes:ty $(, $features:literal)?) => {
        use crate::block::des::{E, P_INVERSE, flips, masks};

        /// For each input of the S-boxes, a word of ones if the circuit takes this input
        /// complemented. The round keys contain these complements.
        const FLIPS: [u32; 48] = flips(&COMPLEMENTED);

        type Pass = [Masks; 16];

        #[inline]
        fn prepare<const PASSES: usize>(keys: &Keys<PASSES>, backwards: bool) -> [Pass; PASSES] {
            masks(keys, backwards, &FLIPS)
        }

        /// The key masks of a round: one word of zeros or ones for each input of the S-boxes.
        type Masks = [u32; 48];

        /// Computes the round function f in all lanes, [FIPS46] "The cipher function f", and
        /// XORs the result to `left`.
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

        /// Computes all rounds of all passes. Before the call `a` and `b` are the left and the
        /// right half of the input. After the call they are the right and the left half of the
        /// output.
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

/// Writes the code for keys and salts that differ from lane to lane. Keys and salts are stored
/// as bit planes.
macro_rules! lane_keys {
    ($Lanes:ty $(, $features:literal)?) => {
        use crate::block::des::PC1;

        /// The bit planes of the key registers C and D of [FIPS46] "Key schedule". Each array
        /// has its 28 planes twice, one copy after the other. So a rotation of the register is
        /// only another start in the array.
        type Twice = [[$Lanes; 56]; 2];

        /// Computes the bit planes of the key registers of all lanes. Each lane has its own
        /// key.
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

        /// Returns the plane of bit `bit` of byte `byte`. [`slice`] determines the order of the
        /// planes.
        #[inline]
        $(#[target_feature(enable = $features)])?
        fn plane(halves: &[Half; 2], byte: usize, bit: usize) -> $Lanes {
            halves[bit % 2][8 * ((7 - bit) / 2) + 7 - byte]
        }

        /// Returns the bit planes of the salts. Each lane has its own salt.
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

/// Writes crypt(3) with one key for each lane. The key schedule only selects planes. The planes
/// of the key registers C and D are stored twice, one copy after the other, so a rotation only
/// starts at another plane. If the circuits take complemented inputs, the complements of the
/// planes are stored too.
///
/// The salt exchanges inputs *j* and *j* + 24 of the S-boxes. If all lanes have the same salt,
/// only the plane that is loaded for each input changes. If each lane has its own salt, the XOR
/// of the two inputs is XORed to both inputs, in those lanes whose salt has bit *j*. Salts are
/// public, keys are secret.
macro_rules! crypt {
    ($Lanes:ty $(, $features:literal)?) => {
        use crate::block::des::bitslice::complements;
        use crate::block::des::wire::Wire;
        use crate::block::des::{PC2, TURNS};
        use crate::machinery::operation::ECB;

        /// The number of copies of the key planes: one copy, or two copies if the circuits take
        /// complemented inputs. The second copy contains the complements.
        const KINDS: usize = if u64::from_le_bytes(COMPLEMENTED) == 0 { 1 } else { 2 };

        /// For each input of the S-boxes, the plane that is loaded for this input, if all lanes
        /// have the same salt.
        type Wires = [Wire<$Lanes>; 48];

        fn wires(salt: u32) -> Wires {
            core::array::from_fn(|input| {
                let exchanged = salt >> (input % 24) & 1 == 1;
                Wire::from(E[if exchanged { (input + 24) % 48 } else { input }])
            })
        }

        /// Computes the round function f in all lanes, with salts of at most `SALT` bits, and
        /// XORs the result to `left`. The compiler must not inline this function: with 64-bit
        /// words, the inlined form takes a tenth more time.
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

        /// The working memory of a group. All groups of a call use the same memory. Its
        /// contents are secret.
        struct Room {
            twice: [Twice; KINDS],
            halves: [Half; 2],
            x: Registers,
        }

        /// Encrypts the zero block `count` times in each lane, with the lane's key. If `EACH`
        /// is true, each lane uses its own salt, or else all lanes use the salt of `wires`.
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
                // DES without IP exchanges the halves at the end of a pass.
                (left, right) = (right, left);
            }
            finish::<ECB>(left, right, x, &mut [0; 8], LANES, output.into());
        }

        /// Computes one group of keys, with one salt for all keys or one salt for each key.
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

        /// Computes crypt(3) for all keys, with one salt for all keys or one salt for each key.
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
                wipe::wipe(&mut some, [0; 8]);
            }
            wipe::wipe(room.twice.as_flattened_mut().as_flattened_mut(), <$Lanes>::zero());
            wipe::wipe(room.halves.as_flattened_mut(), <$Lanes>::zero());
            wipe::wipe(&mut room.x, <$Lanes>::zero());
        }
    };
}
pub(super) use crypt;

/// Returns whether the circuit of S-box `s` takes input `i` complemented.
pub(super) const fn complements(complemented: &[u8; 8], s: usize, i: usize) -> bool {
    complemented[s] >> (5 - i) & 1 == 1
}

/// Writes the transposition of bits for lane types that have no faster instruction for it.
macro_rules! bit_steps {
    ($Lanes:ty $(, $features:literal)?) => {
        /// Transposes eight registers as a matrix of bits: in each byte, bit `i` of register
        /// `r` exchanges places with bit `r` of register `i`.
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

macro_rules! byte_steps {
    ($Lanes:ty $(, $features:literal)?) => {
        /// Transposes eight registers as a matrix of bytes: byte `b` of register `r` exchanges
        /// places with byte `r` of register `b`.
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
    };
}
pub(super) use byte_steps;
