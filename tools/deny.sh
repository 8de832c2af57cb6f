#!/bin/sh
# Checks licences, sources and known defects of the crates of both workspaces, the repository's and
# that of the wheel for Python. Without cargo-deny, or without RustSec's list of defects, it prints
# what it skipped.
set -eu
unset CDPATH
cd "$(dirname "$0")/.."
cargo=${CARGO:-cargo}
"$cargo" deny --version >/dev/null 2>&1 || {
    echo "SKIPPED: licences and defects of crates: cargo-deny is not installed"
    exit 0
}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
defects=advisories
"$cargo" deny fetch db >"$log" 2>&1 || {
    defects=
    echo "SKIPPED: defects of crates: RustSec's list cannot be fetched"
}
for manifest in Cargo.toml crates/touchstone-python/Cargo.toml; do
    # $defects is one word or empty.
    # shellcheck disable=SC2086
    "$cargo" deny --manifest-path "$manifest" --config deny.toml --locked --all-features --log-level error \
        check licenses bans sources $defects >"$log" 2>&1 || {
        cat "$log" >&2
        echo "deny: $manifest has crates that deny.toml does not accept" >&2
        exit 1
    }
done
