//! Kernels: the ways in which one algorithm can be computed.

use core::fmt;

/// One way to compute an algorithm. A value of this type is proof that the
/// machine can run it, because its tokens come from `cpu` only.
pub trait Kernel: Copy + Eq + fmt::Debug + Send + Sync + 'static {
    /// Names of all kernels that this build has, the preferred first,
    /// `portable` last.
    const NAMES: &'static [&'static str];

    /// The kernels that this machine can run, in the order of `NAMES`.
    fn available() -> impl Iterator<Item = Self>;

    /// The kernel that `new` chooses.
    fn best() -> Self;

    /// What tests, the lab and reports call it.
    fn name(self) -> &'static str;
}

/// Writes an algorithm's `enum Kernel` from its variants, the preferred first:
/// `"name" = Variant(Token),` for each kernel that the processor must allow. The
/// portable form, `Portable`, is always there and comes last.
macro_rules! kernels {
    (
        $(#[$meta:meta])* enum $Kernel:ident {
            $( $(#[$cfg:meta])* $name:literal = $Variant:ident($Token:ty), )*
        }
    ) => {
        // Public in a private module: an associated type of public traits may be this
        // type, and programs cannot name it.
        pub(crate) mod kernels {
            #[allow(unused_imports, reason = "the tokens, which other targets lack")]
            use super::*;

            $(#[$meta])*
            #[derive(Debug, Clone, Copy, PartialEq, Eq)]
            pub enum $Kernel {
                $( $(#[$cfg])* #[doc = concat!("`", $name, "`")] $Variant($Token), )*
                /// `portable`: runs everywhere.
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
