#!/bin/sh
# Makes the static library for C from the archive that cargo builds.
# usage: static.sh ARCHIVE OUTPUT
#
# A Rust archive defines thousands of global symbols, including those of Rust's runtime,
# so two such archives cannot be linked into one program. This script makes a library of
# one object in which only the functions of touchstone.h are global. Sections stay
# separate, so that -Wl,--gc-sections can remove functions that a program does not call.
set -eu
archive=$1
output=$2
header=$(dirname "$0")/../crates/touchstone-capi/include/touchstone.h
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# A build with only some families lacks some functions of the header (touchstone_crypt).
grep -o 'touchstone_[a-z_]*(' "$header" | tr -d '(' | sort -u >"$work/header"
nm -g --defined-only "$archive" 2>"$work/errors" | sed -n 's/.* T //p' | sort -u >"$work/defined"
comm -12 "$work/header" "$work/defined" >"$work/global"
if ! [ -s "$work/global" ]; then
    echo "$archive: no function of touchstone.h" >&2
    cat "$work/errors" >&2
    exit 1
fi
# Section groups are dissolved. With groups, a linker that keeps this object's copy of a group
# removes the copy of another archive. That archive then lacks a symbol that is local here.
# shellcheck disable=SC2046 # a word for each symbol
ld -r --force-group-allocation $(sed 's/^/-u /' "$work/global") "$archive" -o "$work/touchstone.o"
# .llvmbc and .llvmcmd hold LLVM bitcode of Rust's standard library, which ar would try to
# read.
objcopy --keep-global-symbols="$work/global" -R .llvmbc -R .llvmcmd "$work/touchstone.o"
rm -f "$output.part"
ar rcs "$output.part" "$work/touchstone.o"
mv "$output.part" "$output"
