#!/bin/sh
# Runs every test: says how many passed and which checks this machine made it skip,
# or shows the program of tests that failed. TOUCHSTONE_DIST is the distribution to test.
set -eu
cargo=${CARGO:-cargo}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if "$cargo" test --quiet --workspace --all-features -- --show-output >"$log" 2>&1; then
    grep -E '(^|: )SKIPPED' "$log" | sort -u || true
    awk '/^test result:/ { passed += $4; ignored += $8 }
         END { print passed " tests passed; " ignored " long ones have targets of their own" }' "$log"
else
    # Compilers and test programs alike fail at the end.
    awk '/^running [0-9]+ tests?$/ { text = "" } { text = text $0 "\n" } END { printf "%s", text }' \
        "$log" | tail -n 200
    exit 1
fi
