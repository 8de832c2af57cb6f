#!/bin/sh
# Checks that the library compiles without warnings with each family of algorithms alone, with
# no family, and, by name, with each mode alone: half of these lists today, and the other half
# tomorrow. Also checks that a C program with only AES-GCM is small and works.
# usage: features.sh [all]
# With the word all, checks every list, and each family also with the traits of RustCrypto.
set -eu
CARGO=${CARGO:-cargo}
# Nothing is compiled a second time here, so what cargo would keep for that only costs time.
export CARGO_INCREMENTAL=0
families=$(sed -n '/^default = \[/,/^]/s/^ *"\(.*\)",$/\1/p' crates/touchstone/Cargo.toml)
[ -n "$families" ] || { echo "features.sh: no families in crates/touchstone/Cargo.toml" >&2; exit 1; }
modes=$(sed -n '/^modes = \[/,/^]/s/^ *"\(.*\)",$/\1/p' crates/touchstone/Cargo.toml)
[ -n "$modes" ] || { echo "features.sh: no modes in crates/touchstone/Cargo.toml" >&2; exit 1; }
all=
for family in '' $families; do
	all="$all ,$family"
	[ "${1-}" != all ] || all="$all ,$family,rustcrypto"
done
for mode in '' $modes; do
	all="$all ,dynamic,aes,des,$mode"
done

# Prints every second one of the words.
# usage: every_second FIRST (0 or 1) WORD…
every_second() {
	place=$1
	shift
	for word; do
		place=$((1 - place))
		[ "$place" -eq 0 ] || echo "$word"
	done
}

# shellcheck disable=SC2086 # a list of words
if [ "${1-}" != all ]; then
	all=$(every_second $(($(date +%s) / 86400 % 2)) $all)
	echo "SKIPPED: the other half of the features alone: a day has one half, make features-all has both"
fi

# cargo check of one crate uses one processor, so two of these functions run at the same time, each
# with its own folder.
# usage: check_half FIRST (0 or 1)
check_half() {
	# shellcheck disable=SC2086 # a list of words
	for features in $(every_second "$1" $all); do
		RUSTFLAGS="${RUSTFLAGS:-} -D warnings" $CARGO check --quiet --package touchstone-crypto \
			--target-dir "target/features/$1" --no-default-features --features "$features" || {
			echo "features.sh: with the features \"$features\" alone" >&2
			return 1
		}
	done
}
check_half 0 &
other=$!
failed=
check_half 1 || failed=yes
wait "$other" || failed=yes
[ -z "$failed" ] || exit 1

# Compiles the first program of docs/c-api.md. The system's C library is linked dynamically.
most=520000
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
