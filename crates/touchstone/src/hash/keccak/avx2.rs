//! Keccak with BMI1. The instruction `andn` of BMI1 computes the term ¬b ∧ c of the step χ.
#![allow(unsafe_code)]

use super::State;
use crate::cpu::Avx2;

pub(super) fn permute<const ROUNDS: usize>(_: Avx2, state: &mut State) {
    // SAFETY: the token proves BMI1 and BMI2.
    unsafe { entry::<ROUNDS>(state) }

    #[target_feature(enable = "bmi1,bmi2")]
    fn entry<const ROUNDS: usize>(state: &mut State) {
        super::permute::<ROUNDS>(state);
    }
}
