#!/bin/sh
# Checks that the library compiles without warnings with each family of algorithms alone,
# and with none.
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
