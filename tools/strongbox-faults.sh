#!/bin/sh
# Runs the long tests of strongbox: 200 points at which a process is killed, and a sparse file of
# 64 GiB (or STRONGBOX_GIB) that is sealed and opened, while the memory of both processes is watched.
set -eu
unset CDPATH
cd "$(dirname "$0")/.."
cargo=${CARGO:-cargo}
gib=${STRONGBOX_GIB:-64}
STRONGBOX_KILLS=200 "$cargo" test --quiet --release --package touchstone-strongbox --test system \
    killed -- --nocapture
. tools/cargo.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
build "$work/messages" build --release --package touchstone-strongbox
strongbox=$(built "$work/messages" strongbox)
"$strongbox" keygen --quiet --output "$work/key"
key=$("$strongbox" keygen --public "$work/key")
truncate -s 1M "$work/small"
truncate -s "${gib}G" "$work/large"

# Prints the largest memory of a process, in KiB, until the process ends.
# usage: watch PID
watch() {
    most=0
    while now=$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$1/status" 2>/dev/null) && [ -n "$now" ]; do
        most=$now
        sleep 0.05
    done
    echo "$most"
}

# Seals and opens a file, and prints the largest memory of both processes.
# usage: round FILE
round() {
    mkfifo "$work/sealed" "$work/opened"
    "$strongbox" seal "$1" --quiet --recipient "$key" --output - >"$work/sealed" &
    sealer=$!
    "$strongbox" open --quiet --identity "$work/key" <"$work/sealed" >"$work/opened" &
    opener=$!
    cmp "$work/opened" "$1" &
    compared=$!
    watch "$sealer" >"$work/first" &
    first=$!
    watch "$opener" >"$work/second" &
    wait "$sealer" "$first" "$!"
    wait "$opener"
    wait "$compared"
    rm "$work/sealed" "$work/opened"
    echo "$(cat "$work/first") $(cat "$work/second")"
}
small=$(round "$work/small")
start=$(date +%s)
large=$(round "$work/large")
echo "largest memory in KiB, sealing and opening: 1 MiB: $small; $gib GiB: $large; $(($(date +%s) - start)) s"
for memory in $large; do
    if [ "$memory" -eq 0 ] || [ "$memory" -ge 65536 ]; then
        echo "strongbox-faults: FAILED: a process had $memory KiB" >&2
        exit 1
    fi
done
