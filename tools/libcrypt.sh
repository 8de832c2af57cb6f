#!/bin/sh
# Makes the two shared objects that programs load in place of the system's libcrypt.
# usage: libcrypt.sh FOLDER
#
# FOLDER/libcrypt.so.1             the drop-in: libxcrypt's symbol versions and ours
# FOLDER/libtouchstone-crypt.so    for LD_PRELOAD: the same names without versions
#
# Rust cannot give symbols versions (a version script is not honoured for a cdylib),
# so that this links a static library with the C compiler.
set -eu
out=$1
cd "$(dirname "$0")/.."
link=crates/libcrypt/link
target=${CARGO_TARGET_DIR:-target}
"${CARGO:-cargo}" rustc --quiet --package touchstone-libcrypt --lib --crate-type staticlib \
    --config 'profile.libcrypt.inherits="release"' --config 'profile.libcrypt.panic="abort"' \
    --config 'profile.libcrypt.lto="fat"' --config 'profile.libcrypt.codegen-units=1' \
    --config 'profile.libcrypt.debug=false' --profile libcrypt
mkdir -p "$out"

# usage: link FILE SONAME MAP COMPILER-FLAGS…
link() {
    file=$1 soname=$2 map=$3
    shift 3
    "${CC:-cc}" -O2 -fPIC -shared "$@" -o "$out/$file.part" "$link/symbols.c" \
        "$target/libcrypt/libtouchstone_libcrypt.a" \
        -Wl,-soname,"$soname" -Wl,--version-script,"$link/$map" -Wl,--gc-sections \
        -Wl,-z,defs -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack -Wl,--as-needed -Wl,-s
    mv "$out/$file.part" "$out/$file"
}

link libcrypt.so.1 libcrypt.so.1 libcrypt.map
link libtouchstone-crypt.so libtouchstone-crypt.so preload.map -DUNVERSIONED
