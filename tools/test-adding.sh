#!/bin/sh
# Follows docs/adding-an-algorithm.md word for word on a copy of the repository. Then checks
# known answers of the new algorithm in the copy: in Rust, in C, and by the lab's worker.
set -eu
cargo=${CARGO:-cargo}
page=docs/adding-an-algorithm.md
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
fail() {
    echo "test-adding.sh: $1" >&2
    exit 1
}

here=$PWD
git ls-files -z --cached --others --exclude-standard | tar --null -T - -cf - | tar -xf - -C "$copy"
# The build has its own folder beside other builds, so that the next run reuses it.
CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target}/adding
export CARGO_TARGET_DIR
cd "$copy"

# Extracts whole files: a comment with the path, then a block of code.
awk '/^<!-- file: .* -->$/ { path = $3; next }
     path != "" && /^```/ { if (open) { close(path); path = ""; open = 0 } else open = 1; next }
     open { print > path }' "$page"
git diff --quiet --no-index "$here/crates/touchstone/src/block/rc6.rs" \
    crates/touchstone/src/block/rc6.rs || fail "the file of $page is not that of the repository"
# Extracts edits: blocks of differences.
awk '/^```diff$/ { open = 1; next } /^```$/ { open = 0 } open' "$page" >walk.diff
[ -s walk.diff ] || fail "$page has no edits"
# The library already contains the algorithm, so the edits are first reversed.
patch --quiet -p1 -R <walk.diff || fail "the edits of $page are not those of the repository"
patch --quiet -p1 <walk.diff || fail "the edits of $page do not fit"

echo "adding: Rust"
TOUCHSTONE_WRITE_DOCS=1 "$cargo" test --quiet --package touchstone-crypto --all-features \
    --test documentation >rust.log 2>&1 || { tail -n 60 rust.log >&2; fail "the tables are not written"; }
# shellcheck disable=SC2016 # The backquotes belong to the page; they are no command.
grep -q '^| `rc6` | 16 | 0–255 | portable |' docs/algorithms.md || fail "no row in the tables"
"$cargo" test --quiet --package touchstone-crypto --all-features --test by_name --test documentation \
    -- --nocapture >rust.log 2>&1 || { tail -n 60 rust.log >&2; fail "Rust"; }
grep '^rc6-ecb: [1-9][0-9]* records$' rust.log || fail "no known answer in Rust"

echo "adding: C"
"$cargo" test --quiet --package touchstone-capi --test vectors -- --nocapture >c.log 2>&1 ||
    { tail -n 60 c.log >&2; fail "C"; }
grep '^rc6-ecb: [1-9][0-9]* records$' c.log || fail "no known answer in C"

echo "adding: the lab's worker"
"$cargo" build --quiet --package touchstone-adapter-touchstone
# Prints the first answer of the file of known answers.
answer() {
    sed -n "s/^$1 = //p" vectors/block/rc6/cryptopp.vec | head -n 1
}
{
    echo '{"message":"hello","protocol":2}'
    printf '{"message":"check","work":{"primitive":"rc6","operation":"ecb-encrypt","inputs":{"key":"%s","input":"%s"}}}\n' \
        "$(answer key)" "$(answer input)"
    echo '{"message":"bye"}'
} | "$CARGO_TARGET_DIR/debug/touchstone-adapter-touchstone" >worker.log
grep "\"output\":\"$(answer output)\"" worker.log || fail "no known answer from the worker"
