#!/bin/sh
# Runs every test and prints how many passed and which checks were skipped on this
# machine. If a test fails, it shows the output of that test program. TOUCHSTONE_DIST is
# the distribution to test.
set -eu
cargo=${CARGO:-cargo}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if "$cargo" test --quiet --workspace --all-features -- --show-output >"$log" 2>&1; then
    grep -E '(^|: )SKIPPED' "$log" | sort -u || true
    awk '/^test result:/ { passed += $4; ignored += $8 }
         END { print passed " tests passed; " ignored " long ones have targets of their own" }' "$log"
else
    # The last lines of the output show the failure of the compiler or of a test program.
    awk '/^running [0-9]+ tests?$/ { text = "" } { text = text $0 "\n" } END { printf "%s", text }' \
        "$log" | tail -n 200
    exit 1
fi
