#!/bin/sh
# Builds the wheel for Python, installs it into a scratch environment, and tests it there. The wheel
# is in target/python/wheels. Without Python 3.11, its venv, or PyPI, it prints what it skipped.
# TOUCHSTONE_DIST is the distribution whose command the tests of touchstone.lab call.
set -eu
unset CDPATH
cd "$(dirname "$0")/.."
root=$PWD
cargo=${CARGO:-cargo}
crate=$root/crates/touchstone-python
python=${PYTHON:-python3}
out=$root/target/python
export CARGO_TARGET_DIR="$out"
export TOUCHSTONE_DIST="${TOUCHSTONE_DIST:-$root/dist}"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
skipped() {
    [ ! -s "$work/log" ] || tail -n 3 "$work/log" >&2
    echo "SKIPPED: $1"
    exit 0
}
fail() {
    echo "python: $1" >&2
    exit 1
}

: >"$work/log"
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>"$work/log" ||
    skipped "no Python 3.11 or later; PYTHON=… names one"
"$python" -m venv "$work/tools" >"$work/log" 2>&1 ||
    skipped "Python has no venv; apt-get install python3-venv brings it"
tools=$work/tools/bin
"$tools/pip" install --quiet --disable-pip-version-check 'maturin>=1.9,<2' abi3audit \
    >"$work/log" 2>&1 || skipped "maturin and abi3audit cannot be installed from PyPI"

cd "$crate"
"$cargo" fmt --check
"$cargo" clippy --quiet --release --all-targets -- -D warnings
RUSTDOCFLAGS="-D warnings" "$cargo" doc --quiet --release --no-deps --document-private-items
# The extension has its own list of packages, with the versions of the repository.
"$cargo" metadata --quiet --locked --format-version 1 >/dev/null
(cd "$root" && unset CARGO_TARGET_DIR && "$cargo" xtask notices --check)

rm -rf "$out/wheels"
"$tools/maturin" build --quiet --release --locked --out "$out/wheels" \
    >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "maturin built no wheel"; }
wheel=$(echo "$out"/wheels/touchstone_lab-*-cp311-abi3-*.whl)
[ -f "$wheel" ] || fail "there is no wheel of the stable ABI in $out/wheels"
"$tools/abi3audit" --strict "$wheel" >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "abi3audit"; }
for file in 'touchstone/py.typed' 'touchstone/_touchstone.pyi' 'licenses/LICENSE-MIT' \
    'licenses/LICENSE-APACHE' 'licenses/LICENSE-THIRD-PARTY'; do
    "$tools/python" -m zipfile -l "$wheel" | grep -q "$file" || fail "the wheel lacks $file"
done

# Nothing of the sources is in the environment that tests the wheel.
"$python" -m venv "$work/test"
test=$work/test/bin
"$test/pip" install --quiet --disable-pip-version-check "$wheel"
cd "$work"
if ! "$test/pip" install --quiet --disable-pip-version-check mypy >"$work/log" 2>&1; then
    fail "mypy went into one environment and not into the other"
fi
# Types: the package's own, and the stubs against the extension as it is.
"$test/python" -m mypy --config-file "$crate/pyproject.toml" --cache-dir "$work/mypy" \
    --package touchstone
"$test/python" -m mypy.stubtest touchstone._touchstone
# A package that PyPI does not give is missing in the tests, which print so.
for package in pyarrow pandas polars cryptography; do
    "$test/pip" install --quiet --disable-pip-version-check "$package" >"$work/log" 2>&1 ||
        echo "SKIPPED: $package cannot be installed from PyPI"
done
"$test/python" -W error::ResourceWarning -m unittest discover --start-directory "$crate/tests" \
    --top-level-directory "$crate/tests"
echo "$(wc -c <"$wheel") bytes: $(basename "$wheel")"
