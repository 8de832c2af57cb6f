#!/bin/sh
# Runs every test and prints how many passed and which checks were skipped on this
# machine. If a test fails, it shows the output of that test program. TOUCHSTONE_DIST is
# the distribution to test.
set -eu
cargo=${CARGO:-cargo}
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT

# usage: tests NAME ARGUMENT…, for cargo test; the output goes to the file NAME
tests() {
    log=$logs/$1
    shift
    "$cargo" test --quiet "$@" -- --show-output >"$log" 2>&1 || {
        # The last lines of the output show the failure of the compiler or of a test program.
        awk '/^running [0-9]+ tests?$/ { text = "" } { text = text $0 "\n" } END { printf "%s", text }' \
            "$log" | tail -n 200
        return 1
    }
}

# The lab has many dependencies, so its tests take those that dist has compiled. They also need an
# example of touchstone-worker, which is built with that crate's tests. They wait for other processes
# much of the time, while the tests of the library are compiled, in another profile's folder.
#
# A shell's background jobs ignore an interrupt from the keyboard: end them with the rest.
trap 'trap - TERM; kill 0' INT
tests lab --release --package touchstone-lab --package touchstone-worker --package 'touchstone-adapter-*' &
lab=$!
failed=
tests library --workspace --exclude touchstone-lab --exclude 'touchstone-adapter-*' --all-features || failed=yes
wait "$lab" || failed=yes
trap - INT
[ -z "$failed" ] || exit 1

cat "$logs"/* >"$logs/all"
grep -E '(^|: )SKIPPED' "$logs/all" | sort -u || true
awk '/^test result:/ { passed += $4; ignored += $8 }
     END { print passed " tests passed; " ignored " long ones have targets of their own" }' "$logs/all"
