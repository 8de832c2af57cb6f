#!/bin/sh
# Makes the static library for C of the archive that cargo builds.
# usage: static.sh ARCHIVE OUTPUT
#
# A Rust archive defines thousands of global symbols, among them those of Rust's own
# runtime, so that two such archives do not link into one program. The library gets one
# object in which the functions of touchstone.h alone are global. Sections stay apart:
# -Wl,--gc-sections drops what a program does not call.
set -eu
archive=$1
output=$2
header=$(dirname "$0")/../crates/touchstone-capi/include/touchstone.h
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# A build of some families may lack functions of the header (touchstone_crypt).
grep -o 'touchstone_[a-z_]*(' "$header" | tr -d '(' | sort -u >"$work/header"
nm -g --defined-only "$archive" 2>"$work/errors" | sed -n 's/.* T //p' | sort -u >"$work/defined"
comm -12 "$work/header" "$work/defined" >"$work/global"
if ! [ -s "$work/global" ]; then
    echo "$archive: no function of touchstone.h" >&2
    cat "$work/errors" >&2
    exit 1
fi
# Groups must go: a linker that keeps this object's copy of a group drops the copy of
# another archive, which then misses a symbol that is local here.
# shellcheck disable=SC2046 # a word for each symbol
ld -r --force-group-allocation $(sed 's/^/-u /' "$work/global") "$archive" -o "$work/touchstone.o"
# .llvmbc and .llvmcmd hold LLVM's bitcode of Rust's standard library; ar would read it.
objcopy --keep-global-symbols="$work/global" -R .llvmbc -R .llvmcmd "$work/touchstone.o"
rm -f "$output.part"
ar rcs "$output.part" "$work/touchstone.o"
mv "$output.part" "$output"
