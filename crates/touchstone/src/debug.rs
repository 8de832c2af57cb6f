//! Implements `Debug` for types that contain secrets: `Debug` prints only the names of the
//! algorithms.

/// Writes `Debug` for a type that contains secrets. The arguments are `[generics] Type, "name"`
/// and then the fields to print. These fields must be algorithms themselves.
macro_rules! debug {
    ([$($generics:tt)*] $Type:ty, $name:expr $(, $label:ident = $($field:tt).+)*) => {
        /// Prints only the name of the algorithm, because all other content is secret.
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

/// Returns the name of an algorithm whose keys have 16, 24 or 32 bytes, for a key of `key`
/// bytes.
pub(crate) const fn by_key(names: [&'static str; 3], key: usize) -> &'static str {
    match key {
        16 => names[0],
        24 => names[1],
        _ => names[2],
    }
}
