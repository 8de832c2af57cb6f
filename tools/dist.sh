#!/bin/sh
# Fills a folder with what a user gets: bin, lib, include, share.
# usage: dist.sh FOLDER ADAPTER…
set -eu
dist=$1
shift
cargo=${CARGO:-cargo}
"$cargo" build --quiet --release --workspace --exclude xtask
target=${CARGO_TARGET_DIR:-target}/release
lab=$dist/lib/touchstone
mkdir -p "$dist/bin" "$dist/include" "$lab/adapters"
cp "$target/touchstone" "$dist/bin/touchstone.part"
mv "$dist/bin/touchstone.part" "$dist/bin/touchstone"

for adapter in "$@"; do
    source=lab/adapters/$adapter
    out=$lab/adapters/$adapter
    mkdir -p "$out"
    cp "$source/adapter.toml" "$out/"
    if [ -f "$source/Cargo.toml" ]; then
        program=touchstone-adapter-$adapter
        cp "$target/$program" "$out/$program.part"
        mv "$out/$program.part" "$out/$program"
    fi
    # What is not Rust is built by its folder's own Makefile. A missing compiler
    # or header costs that library alone.
    if [ -f "$source/Makefile" ]; then
        make --no-print-directory --silent -C "$source" OUT="$(cd "$out" && pwd)" ||
            echo "$adapter: not built; its library will be shown as absent" >&2
    fi
done

# In a folder of its own: who puts dist/lib on a search path did not ask for it.
tools/libcrypt.sh "$dist/lib/libcrypt"
cp crates/libcrypt/include/touchstone_crypt.h "$dist/include/"
cp "$target/touchstone-crypt" "$dist/bin/touchstone-crypt.part"
mv "$dist/bin/touchstone-crypt.part" "$dist/bin/touchstone-crypt"

rm -rf "$lab/vectors"
cp -R vectors "$lab/vectors"
mkdir -p "$dist/share/bash-completion/completions" "$dist/share/zsh/site-functions" \
    "$dist/share/fish/vendor_completions.d"
for command in touchstone touchstone-crypt; do
    "$dist/bin/$command" man "$dist/share/man/man1"
    "$dist/bin/$command" completions bash >"$dist/share/bash-completion/completions/$command"
    "$dist/bin/$command" completions zsh >"$dist/share/zsh/site-functions/_$command"
    "$dist/bin/$command" completions fish >"$dist/share/fish/vendor_completions.d/$command.fish"
done

# The C interface: shared under its SONAME, static, header, pkg-config.
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
shared=libtouchstone.so.$version
cp "$target/libtouchstone_capi.so" "$dist/lib/$shared.part"
mv "$dist/lib/$shared.part" "$dist/lib/$shared"
ln -sf "$shared" "$dist/lib/libtouchstone.so.0"
ln -sf libtouchstone.so.0 "$dist/lib/libtouchstone.so"
tools/static.sh "$target/libtouchstone_capi.a" "$dist/lib/libtouchstone.a"
cp crates/touchstone-capi/include/touchstone.h "$dist/include/"
mkdir -p "$dist/lib/pkgconfig"
sed "s/@version@/$version/" crates/touchstone-capi/touchstone.pc.in >"$dist/lib/pkgconfig/touchstone.pc"
