#!/bin/sh
# Fails with one clear line if there is no Rust that can build this repository. Every
# script that needs Rust runs this first, before it installs or builds anything.
set -eu
unset CDPATH
cd "$(dirname "$0")/.."
wanted=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
cargo=${CARGO:-cargo}
command -v "$cargo" >/dev/null 2>&1 || {
    echo "Rust $wanted or newer is needed and there is no $cargo here: https://rustup.rs installs it" >&2
    exit 1
}
# This runs in the repository's folder. In a folder without rust-toolchain.toml, rustup would
# report another version.
found=$("$cargo" --version 2>/dev/null | sed -n 's/^cargo \([0-9.]*\).*/\1/p')
[ -n "$found" ] || {
    echo "Rust $wanted or newer is needed; $cargo does not tell its version: try $cargo --version" >&2
    exit 1
}
oldest=$(printf '%s\n%s\n' "$wanted" "$found" | sort -V | head -n 1)
[ "$oldest" = "$wanted" ] || {
    echo "Rust $wanted or newer is needed and $cargo is of $found: rustup update stable (a distribution's own is often older)" >&2
    exit 1
}
