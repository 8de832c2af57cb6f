//! Finds shared objects at run time. A worker is compiled without the C library; if the library is
//! missing at run time, the worker reports it as absent.

use std::ffi::{CStr, CString, c_char};

/// A loaded shared object. It stays loaded until the process ends.
pub struct Shared {
    handle: &'static libloading::Library,
    /// The path of the file that the loader mapped.
    pub path: String,
}

impl Shared {
    /// Loads `path`, or, if `path` is empty, the first of `names` that the loader finds. A `*` in a
    /// name stands for a number below 100, and the largest number is tried first: a library that
    /// raises the number in its soname is found by such a pattern. The error lists the names that
    /// were tried.
    pub fn open(path: &str, names: &[&str]) -> Result<Self, String> {
        let tries: Vec<String> = if path.is_empty() {
            names.iter().flat_map(|name| numbered(name)).collect()
        } else {
            vec![path.to_owned()]
        };
        let mut errors = Vec::new();
        for name in &tries {
            // SAFETY: loading an object runs its initialisers. The initialisers belong to the
            // library, and this process exists to call the library.
            #[allow(unsafe_code)]
            match unsafe { libloading::Library::new(name.as_str()) } {
                Ok(handle) => {
                    return Ok(Self {
                        handle: Box::leak(Box::new(handle)),
                        path: mapped(name),
                    });
                }
                // The source of the error is the loader's message, for example about a missing
                // dependency or a wrong format.
                Err(error) => errors.push(match std::error::Error::source(&error) {
                    Some(cause) => cause.to_string(),
                    None => error.to_string(),
                }),
            }
        }
        if path.is_empty() {
            Err(format!("no {}", names.join(", no ")))
        } else {
            Err(format!("cannot load: {}", errors.join("; ")))
        }
    }

    /// Loads a shim: from `path`, or, if `path` is empty, from the folder of this program, or else by
    /// the loader's search path. The search path is needed if the library is in another system's
    /// tree: then this program was started by that tree's loader, and the path of this program is
    /// the path of the loader.
    pub fn open_shim(path: &str, file: &str) -> Result<Self, String> {
        let beside = std::env::current_exe()
            .ok()
            .map(|program| program.with_file_name(file))
            .filter(|file| file.exists())
            .and_then(|file| file.to_str().map(str::to_owned));
        let asked = match path {
            "" => beside.as_deref().unwrap_or(""),
            path => path,
        };
        Self::open(asked, &[file])
    }

    /// Returns a function of the object as a pointer of type `F`.
    ///
    /// # Safety
    ///
    /// `F` must be an `extern "C"` function pointer type that agrees with the
    /// symbol's prototype.
    #[allow(unsafe_code)]
    pub unsafe fn symbol<F: Copy>(&self, name: &str) -> Option<F> {
        // SAFETY: the caller guarantees the type, and the library is never unloaded.
        unsafe { self.handle.get::<F>(name.as_bytes()) }
            .ok()
            .map(|s| *s)
    }
}

/// Returns whether the code of a shared object lacks the processor's instructions for AES: no
/// AESENC of x86-64 is in it. Objects for other processors are not searched.
pub fn lacks_aes_instructions(path: &str) -> bool {
    let lacks = |object: Vec<u8>| !has_aesenc(&object);
    cfg!(target_arch = "x86_64") && std::fs::read(path).is_ok_and(lacks)
}

/// Returns whether AESENC is among the bytes: 66 0F 38 DC, with or without a REX prefix (Intel,
/// *Software Developer's Manual*, volume 2).
fn has_aesenc(object: &[u8]) -> bool {
    let opcodes = object.windows(5).filter(|w| w[2..] == [0x0f, 0x38, 0xdc]);
    opcodes
        .into_iter()
        .any(|w| w[1] == 0x66 || (w[0] == 0x66 && (0x40..0x50).contains(&w[1])))
}

/// Returns a C string for a call of a library. The names that workers pass are constants without a
/// NUL. A name with a NUL would end at the NUL.
pub fn c_string(text: &str) -> CString {
    let bytes = text.bytes().take_while(|&b| b != 0).collect::<Vec<_>>();
    CString::new(bytes).unwrap_or_default()
}

/// Returns the text of a C string that a library gives; `None` for NULL.
///
/// # Safety
///
/// `text` is NULL or a C string.
#[allow(unsafe_code)]
pub unsafe fn text(text: *const c_char) -> Option<String> {
    if text.is_null() {
        return None;
    }
    // SAFETY: the caller guarantees the string, which is not NULL here.
    let text = unsafe { CStr::from_ptr(text) };
    Some(text.to_string_lossy().into_owned())
}

/// Returns the names that a pattern stands for, with the largest number first.
fn numbered(name: &str) -> Vec<String> {
    match name.split_once('*') {
        Some((head, tail)) => (0..100)
            .rev()
            .map(|number| format!("{head}{number}{tail}"))
            .collect(),
        None => vec![name.to_owned()],
    }
}

/// Returns the path of the first file that this process has mapped, as the kernel lists it, whose
/// name begins with one of `heads`; empty if there is none. For a library that a shim has loaded, or
/// that is a part of the shim.
pub fn mapped_file(heads: &[&str]) -> String {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let mut paths = maps
        .lines()
        .filter_map(|line| line.find('/').map(|at| &line[at..]));
    let is_named = |path: &&str| {
        let name = path.rsplit('/').next();
        name.is_some_and(|name| heads.iter().any(|head| name.starts_with(head)))
    };
    paths.find(is_named).unwrap_or_default().to_owned()
}

/// Returns the path of the file behind a loaded name, as the kernel lists it.
fn mapped(name: &str) -> String {
    let file = name.rsplit('/').next().unwrap_or(name);
    let stem = file.split(".so").next().unwrap_or(file);
    let real = std::fs::canonicalize(name).ok();
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    maps.lines()
        .filter_map(|line| line.find('/').map(|at| &line[at..]))
        .find(|path| {
            real.as_deref().map_or_else(
                || {
                    path.rsplit('/').next().is_some_and(|f| {
                        f.strip_prefix(stem)
                            .is_some_and(|rest| rest.starts_with(".so"))
                    })
                },
                |real| real.as_os_str() == *path,
            )
        })
        .map_or_else(|| name.to_owned(), str::to_owned)
}

/// Declares a table of C functions, which are looked up together in a [`Shared`].
///
/// Each row is `fields: fn(types) -> type`: the functions of one prototype. The functions of a row
/// that ends in `?` may be missing in the object; their fields are then `Option`s.
///
/// ```text
/// symbols! {
///     /// The part of libfoo that the worker calls.
///     struct Foo {
///         foo_new, foo_copy: fn(c_int) -> *mut c_void;
///         foo_since_2: fn() -> c_int, ?;
///     }
/// }
/// let foo = Foo::load(&shared)?;
/// ```
#[macro_export]
macro_rules! symbols {
    (@field ($($arg:ty),* $(,)?) [$ret:ty] [?]) => {
        Option<unsafe extern "C" fn($($arg),*) -> $ret>
    };
    (@field ($($arg:ty),* $(,)?) [$ret:ty] []) => { unsafe extern "C" fn($($arg),*) -> $ret };
    (@get $shared:ident $name:ident $args:tt $ret:tt [?]) => {
        // SAFETY: the row states the symbol's prototype as the library documents it.
        unsafe { $shared.symbol::<$crate::symbols!(@field $args $ret [])>(stringify!($name)) }
    };
    (@get $shared:ident $name:ident $args:tt $ret:tt []) => {
        match $crate::symbols!(@get $shared $name $args $ret [?]) {
            Some(function) => function,
            None => return Err(format!(
                "{} lacks the symbol {}", $shared.path, stringify!($name)
            )),
        }
    };
    (@other $shared:ident $other:ident $args:tt $ret:tt) => {
        // SAFETY: the caller of `replace` guarantees the type.
        unsafe { $shared.symbol::<$crate::symbols!(@field $args $ret [])>(&$other) }
            .ok_or_else(|| format!("{} lacks the symbol {}", $shared.path, $other))?
    };
    (@replace $new:ident $shared:ident $named:ident $name:ident $args:tt $ret:tt [?]) => {
        if let (true, Some(other)) = ($new.$name.is_some(), $named(stringify!($name))) {
            $new.$name = Some($crate::symbols!(@other $shared other $args $ret));
        }
    };
    (@replace $new:ident $shared:ident $named:ident $name:ident $args:tt $ret:tt []) => {
        if let Some(other) = $named(stringify!($name)) {
            $new.$name = $crate::symbols!(@other $shared other $args $ret);
        }
    };
    ($(#[$meta:meta])* struct $table:ident {
        $($($name:ident),+: fn $args:tt -> $ret:ty $(, $optional:tt)?;)*
    }) => {
        $crate::symbols! {
            @table [$(#[$meta])*] $table $([$($name)+] $args [$ret] [$($optional)?])*
        }
    };
    (@table [$(#[$meta:meta])*] $table:ident
        $([$($name:ident)+] $args:tt $ret:tt $optional:tt)*
    ) => {
        $(#[$meta])*
        #[allow(non_snake_case)]
        #[derive(Clone, Copy)]
        pub(crate) struct $table {
            $($(pub(crate) $name: $crate::symbols!(@field $args $ret $optional),)+)*
        }

        impl $table {
            /// Looks up the function of every row. The error names the object and the missing
            /// function.
            #[allow(unsafe_code)]
            pub(crate) fn load(shared: &$crate::Shared) -> Result<Self, String> {
                Ok(Self {
                    $($($name: $crate::symbols!(@get shared $name $args $ret $optional),)+)*
                })
            }

            /// Opens an object by [`Shared::open`]($crate::Shared::open), and looks up its functions.
            /// The error for a missing function says which versions the worker takes.
            #[allow(dead_code)]
            pub(crate) fn open(
                path: &str,
                names: &[&str],
                takes: &str,
            ) -> Result<(Self, $crate::Shared), String> {
                let shared = $crate::Shared::open(path, names)?;
                let api = Self::load(&shared).map_err(|lack| format!("{lack}; it takes {takes}"))?;
                Ok((api, shared))
            }

            /// Replaces functions by functions of another object that have the same types. `name`
            /// gives the name in the other object; if it gives none, the function is not replaced.
            /// Optional functions that this table lacks stay missing. On an error nothing is
            /// replaced.
            #[allow(unsafe_code, dead_code)]
            pub(crate) fn replace(
                &mut self,
                shared: &$crate::Shared,
                name: impl Fn(&str) -> Option<String>,
            ) -> Result<(), String> {
                let mut table = *self;
                $($($crate::symbols!(@replace table shared name $name $args $ret $optional);)+)*
                *self = table;
                Ok(())
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::{Shared, has_aesenc, mapped_file, numbered};

    #[test]
    fn instructions_for_aes_are_found_with_and_without_prefix() {
        let aesenc = [0x90, 0x66, 0x0f, 0x38, 0xdc, 0xc1];
        let with_prefix = [0x66, 0x44, 0x0f, 0x38, 0xdc, 0xc1];
        let aesdec = [0x90, 0x66, 0x0f, 0x38, 0xde, 0xc1];
        let split = [0x66, 0x90, 0x0f, 0x38, 0xdc, 0xc1];
        assert!(has_aesenc(&aesenc) && has_aesenc(&with_prefix));
        assert!(!has_aesenc(&aesdec) && !has_aesenc(&split) && !has_aesenc(&[]));
    }

    #[test]
    fn a_pattern_stands_for_numbers_from_the_largest_down() {
        let names = numbered("libfoo-3.so.*");
        assert_eq!(names.len(), 100);
        assert_eq!(
            (&*names[0], &*names[99]),
            ("libfoo-3.so.99", "libfoo-3.so.0")
        );
        assert_eq!(numbered("libfoo.so.3"), ["libfoo.so.3"]);
    }

    #[test]
    fn a_library_is_found_by_its_pattern_or_its_names_are_told() {
        let libc = Shared::open("", &["libnone.so.1", "libc.so.*"])
            .ok()
            .unwrap();
        assert!(libc.path.contains("/libc.so.6"), "{}", libc.path);
        let error = Shared::open("", &["libnone.so.*", "libnone.so"])
            .err()
            .unwrap();
        assert_eq!(error, "no libnone.so.*, no libnone.so");
        assert_eq!(mapped_file(&["libnone", "libc.so"]), libc.path);
        assert_eq!(mapped_file(&["libnone"]), "");
    }

    #[test]
    fn a_shim_is_found_by_its_path_or_its_name() {
        let by_name = Shared::open_shim("", "libc.so.6").ok().unwrap();
        let by_path = Shared::open_shim(&by_name.path, "libnone.so").ok().unwrap();
        assert_eq!(by_name.path, by_path.path);
        let error = Shared::open_shim("", "libnone.so").err().unwrap();
        assert_eq!(error, "no libnone.so");
    }
}
