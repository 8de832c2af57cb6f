#!/bin/sh
# Runs every fuzz target, or the named ones, for FUZZ_SECONDS. It needs neither cargo-fuzz
# nor a nightly compiler: RUSTC_BOOTSTRAP lets the stable compiler accept the flags that
# cargo-fuzz would pass. After a crash, the input is in fuzz/artifacts/.
set -eu
unset CDPATH
cd "$(dirname "$0")/.."
seconds=${FUZZ_SECONDS:-30}
host=$(rustc -vV | sed -n 's/^host: //p')
export RUSTC_BOOTSTRAP=1
# Instrumentation for libFuzzer: counters at every edge, and the operands of comparisons.
# With more codegen units the linker would drop counters.
export RUSTFLAGS="--cfg fuzzing -Zsanitizer=address -Cdebug-assertions -Ccodegen-units=1 \
-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
-Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
-Cllvm-args=-sanitizer-coverage-pc-table \
-Cllvm-args=-sanitizer-coverage-trace-compares"
target=${FUZZ_TARGET_DIR:-fuzz/target}
${CARGO:-cargo} build --quiet --release --manifest-path fuzz/Cargo.toml --target "$host" \
    --target-dir "$target"
# Target names contain no spaces: one word for each name.
# shellcheck disable=SC2046
[ $# -ne 0 ] || set -- $(sed -n 's/^name = "\(.*\)"/\1/p' fuzz/Cargo.toml | tail -n +2)
for name in "$@"; do
    mkdir -p "fuzz/corpus/$name" "fuzz/artifacts/$name"
    log=fuzz/artifacts/$name/log
    if "$target/$host/release/$name" -max_total_time="$seconds" -max_len=512 -len_control=20 \
        -timeout=20 -artifact_prefix="fuzz/artifacts/$name/" "fuzz/corpus/$name" >"$log" 2>&1; then
        echo "fuzz: $name: $(sed -n 's/^Done \([0-9]*\) runs.*/\1 inputs/p' "$log") good"
    else
        tail -n 40 "$log" >&2
        echo "fuzz: $name: FAILED; the input is in fuzz/artifacts/$name/" >&2
        exit 1
    fi
done
