//! A macro that repeats code for each of some numbers.

/// Repeats a statement for each number in a list, or for each number below a constant of at
/// most 16. In the statement, the number is a constant. A compiler stores an array in registers
/// only if every index is a constant, and compilers do not always turn a loop into such code.
macro_rules! each {
    ($i:ident in $($number:literal)* => $body:expr) => {$({
        const $i: usize = $number;
        $body;
    })*};
    ($i:ident < $end:expr => $body:expr) => {
        each!(@ $i $end, $body, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
    };
    // Statements with larger numbers are compiled too, but never run.
    (@ $i:ident $end:expr, $body:expr, $($number:literal)*) => {$(
        if const { $number < $end } {
            const $i: usize = $number;
            $body;
        }
    )*};
}
pub(crate) use each;
