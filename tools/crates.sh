#!/bin/sh
# Packs the publishable crates as cargo would upload them, and builds them from their packages.
# Checks that no file is missing. Then builds the crates with the oldest Rust that they support.
# Uploads nothing.
set -eu
unset CDPATH
cd "$(dirname "$0")/.."
CARGO=${CARGO:-cargo}
crates='touchstone-crypto touchstone-password'
packages=
for crate in $crates; do
	packages="$packages --package $crate"
	files=$($CARGO package --list --allow-dirty --package "$crate")
	for file in README.md LICENSE-MIT LICENSE-APACHE src/lib.rs; do
		echo "$files" | grep -qx "$file" || {
			echo "crates.sh: the package $crate lacks $file" >&2
			exit 1
		}
	done
done
# Both crates are packed together: the second crate depends on the first, and the registry does
# not have the first.
# shellcheck disable=SC2086 # several options
$CARGO package --quiet --allow-dirty $packages

oldest=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' crates/touchstone/Cargo.toml)
toolchain=$(rustup toolchain list 2>/dev/null | sed -n "s/^\(${oldest}[.0-9]*-[^ ]*\).*/\1/p" | head -n 1)
if [ -n "$toolchain" ]; then
	# shellcheck disable=SC2086
	rustup run "$toolchain" cargo check --quiet --target-dir target/oldest $packages \
		--all-features
else
	echo "SKIPPED: no build with Rust $oldest; rustup toolchain install $oldest allows it"
fi
