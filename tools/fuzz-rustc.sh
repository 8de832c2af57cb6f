#!/bin/sh
# The compiler for tools/fuzz.sh (cargo's RUSTC_WRAPPER): it instruments the project's own crates and
# no other crate. libFuzzer clears and reads all counters after each input, and most counters of a
# parser's program would be in other crates. FUZZ_FLAGS has the flags of instrumentation.
# Build scripts and macros run while cargo builds, and get no flags: cargo gives --target to all other
# crates.
set -eu
case "${CARGO_PKG_NAME-} $*" in
    touchstone*" --target "*)
        # The flags contain no spaces.
        # shellcheck disable=SC2086
        exec "$@" $FUZZ_FLAGS
        ;;
esac
exec "$@"
