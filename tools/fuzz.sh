#!/bin/sh
# Runs every fuzz target, or the named ones, for FUZZ_SECONDS. It needs neither cargo-fuzz
# nor a nightly compiler: RUSTC_BOOTSTRAP lets the stable compiler accept the flags that
# cargo-fuzz would pass. After a crash, the input is in the folder's artifacts/. The inputs that
# reach new code are kept in the folder's corpus/, and the next call starts with them.
# With --check it only checks that every target compiles. With --counts it prints how many inputs
# each target has had in all calls.
set -eu
unset CDPATH
cd "$(dirname "$0")/.."
seconds=${FUZZ_SECONDS:-30}
host=$(rustc -vV | sed -n 's/^host: //p')
export RUSTC_BOOTSTRAP=1
# Instrumentation for libFuzzer: counters at every edge, and the operands of comparisons.
# With more codegen units the linker would drop counters.
flags="--cfg fuzzing -Cdebug-assertions -Ccodegen-units=1 \
-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
-Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
-Cllvm-args=-sanitizer-coverage-pc-table \
-Cllvm-args=-sanitizer-coverage-trace-compares"
target=${FUZZ_TARGET_DIR:-fuzz/target}
# The folders with the targets of the library and of the lab.
folders="fuzz lab/fuzz"
counts=$target/counts

# Adds up the lines "target inputs" by target. A count may have more digits than awk's %d of
# some systems can print.
sums() {
    awk '{ n[$1] += $2; all += $2 }
        END { for (name in n) printf "%15.0f %s\n", n[name], name | "sort -k2"
              close("sort -k2"); printf "%15.0f in all\n", all }' "$@"
}

if [ "$*" = --counts ]; then
    if [ -e "$counts" ]; then sums "$counts"; else echo "fuzz: no target has run yet"; fi
    exit
fi

targets() {
    sed -n 's/^name = "\(.*\)"/\1/p' "$1/Cargo.toml" | tail -n +2
}

# Inputs with which a target begins, beside the inputs that the fuzzer found before.
seeds() {
    case $1 in
        vectors) echo vectors ;;
        manifest) echo lab/adapters ;;
        profile) echo lab/cli/data/profiles ;;
        workload) echo lab/cli/data/workloads ;;
        campaign) echo lab/fuzz/seeds/campaign ;;
        names) echo lab/fuzz/seeds/names ;;
        bundle | show) echo lab/fuzz/seeds/bundle ;;
        setting) echo fuzz/seeds/setting ;;
        strongbox_parse) echo crates/strongbox/tests/vectors ;;
        oldfiles | oldfiles_parse)
            for format in fca pea age/testkit openssl zip gpg; do
                echo "crates/oldfiles/tests/files/$format"
            done
            ;;
        wire)
            # Each line of the examples in the protocol's description becomes a file.
            mkdir -p "$target/seeds/wire"
            awk -v folder="$target/seeds/wire" '/^(lab|worker) +\{/ {
                sub(/^[a-z]+ +/, "")
                print >(folder "/" NR)
            }' docs/wire-protocol.md
            echo "$target/seeds/wire"
            ;;
    esac
}

run() {
    folder=$1 name=$2
    shift 2
    mkdir -p "$folder/corpus/$name" "$folder/artifacts/$name"
    log=$folder/artifacts/$name/log
    length=512
    [ "$folder" = fuzz ] || length=8192
    case $name in oldfiles* | strongbox_*) length=8192 ;; esac
    # Names of targets and of these folders contain no spaces.
    # shellcheck disable=SC2046
    if "$target/$folder/$host/release/$name" -max_total_time="$seconds" -max_len="$length" \
        -len_control=20 -timeout=20 -artifact_prefix="$folder/artifacts/$name/" \
        "$folder/corpus/$name" $(seeds "$name") >"$log" 2>&1; then
        inputs=$(sed -n 's/^Done \([0-9]*\) runs.*/\1/p' "$log")
        echo "$name $inputs" >>"$counts"
        echo "fuzz: $name: $inputs inputs good"
    else
        tail -n 40 "$log" >&2
        echo "fuzz: $name: FAILED; the input is in $folder/artifacts/$name/" >&2
        exit 1
    fi
}

if [ "$*" = --check ]; then
    # Nothing is linked here, so libFuzzer itself, which is C++, need not be compiled: the name of a
    # library that is not there keeps its build script from that.
    for folder in $folders; do
        CUSTOM_LIBFUZZER_PATH=/libfuzzer.a ${CARGO:-cargo} check --quiet \
            --manifest-path "$folder/Cargo.toml" --target-dir "$target"
    done
    exit
fi
for name in "$@"; do
    # shellcheck disable=SC2086
    if ! for folder in $folders; do targets "$folder"; done | grep -qx "$name"; then
        echo "fuzz: no target is called $name" >&2
        exit 2
    fi
done
for folder in $folders; do
    chosen=
    for name in $(targets "$folder"); do
        case " $* " in "  " | *" $name "*) chosen="$chosen $name" ;; esac
    done
    [ -n "$chosen" ] || continue
    # The lab's targets read text, and the code under them is safe Rust. Without the sanitizer, and
    # with counters in the project's own crates alone, they try many more inputs.
    case $folder in
        fuzz) export RUSTFLAGS="$flags -Zsanitizer=address" ;;
        *)
            export RUSTC_WRAPPER="$PWD/tools/fuzz-rustc.sh" FUZZ_FLAGS="$flags"
            unset RUSTFLAGS
            ;;
    esac
    ${CARGO:-cargo} build --quiet --release --manifest-path "$folder/Cargo.toml" \
        --target "$host" --target-dir "$target/$folder"
    for name in $chosen; do
        run "$folder" "$name"
    done
done
echo "fuzz: inputs of these and earlier calls:"
sums "$counts"
