#!/bin/sh
# Packs the publishable crates as cargo would upload them, and compiles them from their packages.
# Checks that no file is missing. Then compiles the crates with the oldest Rust that they support.
# Uploads nothing.
set -eu
unset CDPATH
cd "$(dirname "$0")/.."
CARGO=${CARGO:-cargo}
# Nothing is compiled a second time here, so what cargo would keep for that only costs time.
export CARGO_INCREMENTAL=0
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
$CARGO package --quiet --allow-dirty --no-verify --target-dir target/packages $packages

# Cargo's own check of several packages unpacks the first one into CARGO_HOME once, and keeps
# that copy for later runs in the same folder: the second package would be built on old code.
# So the packages are unpacked and compiled here.
unpacked=$(mktemp -d)
trap 'rm -rf "$unpacked"' EXIT
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
for crate in $crates; do
	tar -xzf "target/packages/package/$crate-$version.crate" -C "$unpacked"
done
# Every package gives its files the same time, by which cargo takes changed files for those of
# an earlier package. So the target folder is new too.
for crate in $crates; do
	$CARGO check --quiet --target-dir "$unpacked/target" \
		--manifest-path "$unpacked/$crate-$version/Cargo.toml" \
		--config "patch.crates-io.touchstone-crypto.path='$unpacked/touchstone-crypto-$version'"
done

oldest=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' crates/touchstone/Cargo.toml)
toolchain=$(rustup toolchain list 2>/dev/null | sed -n "s/^\(${oldest}[.0-9]*-[^ ]*\).*/\1/p" | head -n 1)
if [ -n "$toolchain" ]; then
	# shellcheck disable=SC2086
	rustup run "$toolchain" cargo check --quiet --target-dir target/packages $packages \
		--all-features
else
	echo "SKIPPED: no build with Rust $oldest; rustup toolchain install $oldest allows it"
fi
