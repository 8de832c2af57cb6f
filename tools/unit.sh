#!/bin/sh
# Runs every test and prints how many passed and which checks were skipped on this
# machine. If a test fails, it shows the output of that test program. TOUCHSTONE_DIST is
# the distribution to test.
set -eu
cargo=${CARGO:-cargo}
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# usage: tests ARGUMENT…, for cargo test
tests() {
    "$cargo" test --quiet "$@" -- --show-output >>"$log" 2>&1 || {
        # The last lines of the output show the failure of the compiler or of a test program.
        awk '/^running [0-9]+ tests?$/ { text = "" } { text = text $0 "\n" } END { printf "%s", text }' \
            "$log" | tail -n 200
        exit 1
    }
}

tests --workspace --exclude touchstone-lab --exclude 'touchstone-adapter-*' --all-features
# The lab has many dependencies, so its tests take those that dist has compiled. They also need an
# example of touchstone-worker, which is built with that crate's tests.
tests --release --package touchstone-lab --package touchstone-worker --package 'touchstone-adapter-*'

grep -E '(^|: )SKIPPED' "$log" | sort -u || true
awk '/^test result:/ { passed += $4; ignored += $8 }
     END { print passed " tests passed; " ignored " long ones have targets of their own" }' "$log"
