#!/bin/sh
# Makes the two shared objects that programs load in place of the system's libcrypt.
# usage: libcrypt.sh FOLDER
#
# FOLDER/libcrypt.so.1             the drop-in: libxcrypt's symbol versions and our own
# FOLDER/libtouchstone-crypt.so    for LD_PRELOAD: the same names without versions
#
# rustc cannot give versions to symbols (it ignores a version script for a cdylib), so
# this script links a static library with the C compiler.
set -eu
unset CDPATH
mkdir -p "$1"
out=$(cd -- "$1" && pwd)
cd "$(dirname "$0")/.."
. tools/cargo.sh
link=crates/libcrypt/link
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
build "$work/messages" rustc --package touchstone-libcrypt --lib --crate-type staticlib \
    --config 'profile.libcrypt.inherits="release"' --config 'profile.libcrypt.panic="abort"' \
    --config 'profile.libcrypt.lto="fat"' --config 'profile.libcrypt.codegen-units=1' \
    --config 'profile.libcrypt.debug=false' --profile libcrypt
archive=$(built "$work/messages" libtouchstone_libcrypt.a)

# CC may be several words, such as "ccache gcc".
# usage: link FILE SONAME MAP COMPILER-FLAGS…
link() {
    file=$1 soname=$2 map=$3
    shift 3
    # shellcheck disable=SC2086
    ${CC:-cc} -O2 -fPIC -shared "$@" -o "$out/$file.part" "$link/symbols.c" \
        "$archive" \
        -Wl,-soname,"$soname" -Wl,--version-script,"$link/$map" -Wl,--gc-sections \
        -Wl,-z,defs -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack -Wl,--as-needed -Wl,-s
    chmod 755 "$out/$file.part"
    mv "$out/$file.part" "$out/$file"
}

link libcrypt.so.1 libcrypt.so.1 libcrypt.map
link libtouchstone-crypt.so libtouchstone-crypt.so preload.map -DUNVERSIONED
