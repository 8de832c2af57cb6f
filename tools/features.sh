#!/bin/sh
# Checks that the library compiles without warnings with each family of algorithms alone,
# and with none; by name, with each mode alone; and that a C program with AES-GCM alone is
# small and works.
set -eu
CARGO=${CARGO:-cargo}
families=$(sed -n '/^default = \[/,/^]/s/^ *"\(.*\)",$/\1/p' crates/touchstone/Cargo.toml)
[ -n "$families" ] || { echo "features.sh: no families in crates/touchstone/Cargo.toml" >&2; exit 1; }
for family in '' $families; do
	RUSTFLAGS="${RUSTFLAGS:-} -D warnings" $CARGO check --quiet --package touchstone-crypto \
		--target-dir target/features --no-default-features \
		--features "$family,rustcrypto" || {
		echo "features.sh: with the features \"$family\" alone" >&2
		exit 1
	}
	RUSTFLAGS="${RUSTFLAGS:-} -D warnings" $CARGO check --quiet --package touchstone-crypto \
		--target-dir target/features --no-default-features --features "$family" || {
		echo "features.sh: with the features \"$family\" alone" >&2
		exit 1
	}
done
modes=$(sed -n '/^modes = \[/,/^]/s/^ *"\(.*\)",$/\1/p' crates/touchstone/Cargo.toml)
[ -n "$modes" ] || { echo "features.sh: no modes in crates/touchstone/Cargo.toml" >&2; exit 1; }
for mode in '' $modes; do
	RUSTFLAGS="${RUSTFLAGS:-} -D warnings" $CARGO check --quiet --package touchstone-crypto \
		--target-dir target/features --no-default-features \
		--features "dynamic,aes,des,$mode" || {
		echo "features.sh: with names of the mode \"$mode\" alone" >&2
		exit 1
	}
done

# The first program of docs/c-api.md, with the C library shared.
most=500000
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
awk '/^```c$/ { inside = 1; next } /^```$/ && inside { exit } inside' docs/c-api.md >"$work/program.c"
tools/small.sh aes,gcm "$work/libtouchstone.a"
${CC:-cc} -O1 -I crates/touchstone-capi/include "$work/program.c" "$work/libtouchstone.a" \
	-Wl,--gc-sections -s -o "$work/program"
"$work/program" || { echo "features.sh: the program with AES-GCM alone failed" >&2; exit 1; }
size=$(wc -c <"$work/program")
[ "$size" -le "$most" ] || {
	echo "features.sh: a program with AES-GCM alone has $size bytes, more than $most" >&2
	exit 1
}
