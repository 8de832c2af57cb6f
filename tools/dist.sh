#!/bin/sh
# Fills a folder with all files that a user installs: bin, lib, include, share. With --lab it
# leaves out the programs that measuring does not need.
# usage: dist.sh [--lab] FOLDER ADAPTER…
set -eu
unset CDPATH
# Other users may read the files that this script makes, for any umask of the user.
umask 022
cd "$(dirname "$0")/.."
tools/toolchain.sh
. tools/cargo.sh
whole=yes
[ "$1" != --lab ] || { whole='' && shift; }
dist=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
messages=$work/messages
[ -t 2 ] || echo "building: some minutes where nothing is built yet" >&2
mkdir -p "$dist"
dist=$(cd -- "$dist" && pwd)
lab=$dist/lib/touchstone
mkdir -p "$dist/bin" "$dist/include" "$lab/adapters"

# Builds the adapters that are not in Rust, each by the Makefile in its folder. If a
# compiler or header is missing, only that library is left out.
# usage: foreign ADAPTER…
foreign() {
    for adapter in "$@"; do
        source=lab/adapters/$adapter
        [ -f "$source/Makefile" ] || continue
        out=$lab/adapters/$adapter
        mkdir -p "$out"
        failed=
        OUT=$out make --no-print-directory --silent -C "$source" >"$work/log" 2>&1 || failed=yes
        # make's own line about the failed recipe adds no information.
        grep -v -E '^make(\[[0-9]+\])?: \*\*\*' "$work/log" || true
        [ -z "$failed" ] ||
            echo "$adapter: not built; its library will be shown as absent"
    done
}

# Cargo waits for single large crates, so these builds have a processor beside it. The
# libraries for the system's libcrypt are in a separate folder, so that a program with
# dist/lib in its search path does not load them by accident.
#
# A shell's background builds ignore an interrupt from the keyboard: end them with the rest.
trap 'trap - TERM; kill 0' INT
{ foreign "$@" >"$work/foreign" 2>&1; } &
{ tools/libcrypt.sh "$dist/lib/libcrypt" >"$work/libcrypt" 2>&1 || touch "$work/failed"; } &
if [ "$whole" ]; then
    packages="--workspace --exclude xtask"
else
    packages="--package touchstone-lab --package touchstone-capi"
    for adapter in "$@"; do
        [ ! -f "lab/adapters/$adapter/Cargo.toml" ] ||
            packages="$packages --package touchstone-adapter-$adapter"
    done
fi
# $packages is a list of words without spaces.
# shellcheck disable=SC2086
build "$messages" build --release $packages || touch "$work/failed"
wait
trap - INT
cat "$work/foreign" "$work/libcrypt" >&2
[ ! -e "$work/failed" ] || exit 1

# Moves a file into place in one step, so that a running program keeps its old file.
# usage: put MODE FROM TO
put() {
    cp -- "$2" "$3.part"
    chmod "$1" "$3.part"
    mv -- "$3.part" "$3"
}
# usage: program NAME FOLDER
program() {
    path=$(built "$messages" "$1")
    put 755 "$path" "$2/$1"
}

program touchstone "$dist/bin"
commands=touchstone
if [ "$whole" ]; then
    program touchstone-crypt "$dist/bin"
    program strongbox "$dist/bin"
    commands="touchstone touchstone-crypt strongbox"
fi
for adapter in "$@"; do
    source=lab/adapters/$adapter
    out=$lab/adapters/$adapter
    mkdir -p "$out"
    put 644 "$source/adapter.toml" "$out/adapter.toml"
    [ ! -f "$source/Cargo.toml" ] || program "touchstone-adapter-$adapter" "$out"
done

put 644 crates/libcrypt/include/touchstone_crypt.h "$dist/include/touchstone_crypt.h"

rm -rf "$lab/vectors"
cp -R vectors "$lab/vectors"
chmod -R u+w,a+rX "$lab/vectors"
mkdir -p "$dist/share/bash-completion/completions" "$dist/share/zsh/site-functions" \
    "$dist/share/fish/vendor_completions.d"
for command in $commands; do
    "$dist/bin/$command" man "$dist/share/man/man1"
    "$dist/bin/$command" completions bash >"$dist/share/bash-completion/completions/$command"
    "$dist/bin/$command" completions zsh >"$dist/share/zsh/site-functions/_$command"
    "$dist/bin/$command" completions fish >"$dist/share/fish/vendor_completions.d/$command.fish"
done

# The C interface: the shared library under its SONAME, the static library, the header, and the
# file for pkg-config.
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
shared=libtouchstone.so.$version
library=$(built "$messages" libtouchstone_capi.so)
put 755 "$library" "$dist/lib/$shared"
ln -sf "$shared" "$dist/lib/libtouchstone.so.0"
ln -sf libtouchstone.so.0 "$dist/lib/libtouchstone.so"
library=$(built "$messages" libtouchstone_capi.a)
tools/static.sh "$library" "$dist/lib/libtouchstone.a"
put 644 crates/touchstone-capi/include/touchstone.h "$dist/include/touchstone.h"
mkdir -p "$dist/lib/pkgconfig"
# usage: described CRATE NAME
described() {
    sed "s/@version@/$version/" "crates/$1/$2.pc.in" >"$dist/lib/pkgconfig/$2.pc"
}
described touchstone-capi touchstone

[ "$whole" ] || exit 0
# strongbox in C: the shared library under its SONAME, the header, and the file for pkg-config.
shared=libstrongbox.so.$version
library=$(built "$messages" libtouchstone_strongbox_capi.so)
put 755 "$library" "$dist/lib/$shared"
ln -sf "$shared" "$dist/lib/libstrongbox.so.0"
ln -sf libstrongbox.so.0 "$dist/lib/libstrongbox.so"
put 644 crates/strongbox-capi/include/strongbox.h "$dist/include/strongbox.h"
described strongbox-capi strongbox
