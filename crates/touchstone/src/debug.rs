//! `Debug` of types that hold secrets: the names of the algorithms, and nothing else.

/// Writes `Debug` for a type that holds secrets, `[generics] Type, "name"`, and after it
/// the fields that are shown: those that are algorithms themselves.
macro_rules! debug {
    ([$($generics:tt)*] $Type:ty, $name:expr $(, $label:ident = $($field:tt).+)*) => {
        /// The name of the algorithm: what else there is, is secret.
        impl<$($generics)*> core::fmt::Debug for $Type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct($name)
                    $(.field(stringify!($label), &self.$($field).+))*
                    .finish_non_exhaustive()
            }
        }
    };
}
pub(crate) use debug;

/// The name of an algorithm whose keys have 16, 24 or 32 bytes.
pub(crate) const fn by_key(names: [&'static str; 3], key: usize) -> &'static str {
    match key {
        16 => names[0],
        24 => names[1],
        _ => names[2],
    }
}
