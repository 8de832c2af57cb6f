//! Kernels: the different implementations of one algorithm for different processors.

use core::fmt;

use crate::cpu::Work;

/// One implementation of an algorithm. A value of this type proves that the machine can run the
/// implementation, because only the module `cpu` creates the tokens that the value contains.
pub trait Kernel: Copy + Eq + fmt::Debug + Send + Sync + 'static {
    /// The names of all kernels in this build: the preferred kernel first, `portable` last.
    const NAMES: &'static [&'static str];

    /// Returns the kernels that this machine can run, in the order of `NAMES`.
    fn available() -> impl Iterator<Item = Self>;

    /// Returns the kernel that [`Keyed::from_slice`](crate::Keyed::from_slice) chooses.
    fn best() -> Self;

    /// Calls `work` in a function that enables this kernel's instructions. Only in such a
    /// function can the compiler inline the kernel's code into `work`.
    #[inline]
    fn within(self, work: impl Work) {
        work.run();
    }

    /// Returns the name of this kernel in tests, in reports and in the lab.
    fn name(self) -> &'static str;
}

/// Writes an algorithm's `enum Kernel`. The arguments are the variants of the enum, as `"name"
/// = Variant(Token),`, the preferred kernel first. The macro adds the last variant, `Portable`,
/// which every machine can run.
macro_rules! kernels {
    (
        $(#[$meta:meta])* enum $Kernel:ident {
            $( $(#[$cfg:meta])* $name:literal = $Variant:ident($Token:ty), )*
        }
    ) => {
        // The type `Kernel` is public, because it is an associated type of public traits.
        // This module is private, so that programs cannot name the type.
        pub(crate) mod kernels {
            #[allow(unused_imports, reason = "the tokens, which other targets lack")]
            use super::*;

            $(#[$meta])*
            #[derive(Debug, Clone, Copy, PartialEq, Eq)]
            #[allow(unreachable_pub, reason = "no public trait has Argon2's kernel")]
            pub enum $Kernel {
                $( $(#[$cfg])* #[doc = concat!("`", $name, "`")] $Variant($Token), )*
                /// The kernel `portable`, which every machine can run.
                Portable,
            }
        }
        pub(crate) use kernels::$Kernel;

        impl $crate::Kernel for $Kernel {
            const NAMES: &'static [&'static str] = &[$( $(#[$cfg])* $name, )* "portable"];

            fn available() -> impl Iterator<Item = Self> {
                [
                    $( $(#[$cfg])* <$Token>::detect().map(Self::$Variant), )*
                    Some(Self::Portable),
                ]
                .into_iter()
                .flatten()
            }

            #[inline]
            fn best() -> Self {
                $(
                    $(#[$cfg])*
                    if let Some(token) = <$Token>::detect() {
                        return Self::$Variant(token);
                    }
                )*
                Self::Portable
            }

            #[inline]
            fn within(self, work: impl $crate::cpu::Work) {
                match self {
                    $( $(#[$cfg])* Self::$Variant(token) => token.within(work), )*
                    Self::Portable => work.run(),
                }
            }

            fn name(self) -> &'static str {
                match self {
                    $( $(#[$cfg])* Self::$Variant(_) => $name, )*
                    Self::Portable => "portable",
                }
            }
        }
    };
}
pub(crate) use kernels;
