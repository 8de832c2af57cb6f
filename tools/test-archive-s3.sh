#!/bin/sh
# Tests archives in an object store: starts a local server of the S3 kind (PyPI's moto), moves the
# samples of a planted run there, reads them back, and queries them in place with DuckDB: in the
# object store by way of pyarrow, in a folder without.
# Without Python's venv or a registry, it prints that it was skipped.
set -eu
cd "$(dirname "$0")/.."
cargo=${CARGO:-cargo}
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null; rm -rf "$work"' EXIT
if ! python3 -m venv "$work/python" >"$work/log" 2>&1 ||
    ! "$work/python/bin/pip" install --quiet 'moto[server,s3]' duckdb pyarrow >>"$work/log" 2>&1; then
    tail -n 3 "$work/log" >&2
    echo "SKIPPED: moto, duckdb and pyarrow cannot be installed from PyPI"
    exit 0
fi
"$cargo" build --quiet --release --package touchstone-worker --example planted
"$cargo" build --quiet --release --package touchstone-lab --features s3
touchstone=$PWD/target/release/touchstone
mkdir -p "$work/adapters/one" "$work/vectors/stream/rc4"
printf 'name = "one"\ncommand = ["%s", "one", "none"]\n' \
    "$PWD/target/release/examples/planted" >"$work/adapters/one/adapter.toml"
cat >"$work/vectors/stream/rc4/one.vec" <<'END'
# source: RFC 6229, test vectors for RC4, 2011
# licence: CC0-1.0
[rc4 stream-encrypt]

key = 0102030405
input = 00000000000000000000000000000000
output = b2396305f03dc027ccc3524a0a1118a8
END
cat >"$work/short.toml" <<'END'
target = 0.2
rounds = [6, 9]
sample_us = 20
seconds = 60
[[work]]
primitives = "rc4"
operations = "stream-encrypt"
contracts = ["hot"]
sizes = [16, 1024]
END
export TOUCHSTONE_ADAPTERS="$work/adapters" TOUCHSTONE_VECTORS="$work/vectors"
export TOUCHSTONE_STORE="$work/runs.sqlite"
port=$("$work/python/bin/python" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
"$work/python/bin/moto_server" -H 127.0.0.1 -p "$port" >"$work/server" 2>&1 &
server=$!
export AWS_ACCESS_KEY_ID=one AWS_SECRET_ACCESS_KEY=two AWS_REGION=us-east-1
export AWS_ENDPOINT="http://127.0.0.1:$port" AWS_ALLOW_HTTP=true
tries=0
until "$work/python/bin/python" - <<END 2>/dev/null
import boto3
boto3.client("s3", endpoint_url="$AWS_ENDPOINT", region_name="us-east-1").create_bucket(Bucket="lab")
END
do
    tries=$((tries + 1))
    [ $tries -lt 40 ] || { cat "$work/server" >&2; exit 1; }
    sleep 0.25
done

query='query = """
    SELECT library, bytes, median(sample / (calls * threads * messages)) AS ns, count(*) AS samples
    FROM (SELECT *, unnest(samples_ns) AS sample FROM {})
    GROUP BY library, bytes ORDER BY library, bytes"""'

fail() {
    echo "archive-s3: $1" >&2
    exit 1
}

"$touchstone" run --quiet --profile "$work/short.toml" >"$work/run"
"$touchstone" export --to json -o "$work/before.json"
"$touchstone" runs --archive s3://lab/samples --format csv >"$work/moved"
grep -q 's3://lab/samples/' "$work/moved" || fail "the samples were not moved"
"$touchstone" export --to json -o "$work/after.json"
cmp "$work/before.json" "$work/after.json" || fail "the samples came back changed"
# DuckDB alone reads S3 with an extension that its project's server has, so pyarrow reads for it.
remote=$("$work/python/bin/python" - <<END
import duckdb, pyarrow.dataset, pyarrow.fs
server = pyarrow.fs.S3FileSystem(endpoint_override="127.0.0.1:$port", scheme="http", region="us-east-1")
archive = pyarrow.dataset.dataset("lab/samples", filesystem=server, format="parquet")
$query
print(duckdb.sql(query.format("archive")).fetchall())
END
)
echo "$remote" | grep -q "'one', 16, " || fail "DuckDB found in the object store: $remote"
# From there to a folder.
"$touchstone" runs --archive "$work/archive" >"$work/moved"
"$touchstone" export --to json -o "$work/again.json"
cmp "$work/before.json" "$work/again.json" || fail "the samples moved again came back changed"
rows=$("$work/python/bin/python" - <<END
import duckdb
$query
print(duckdb.sql(query.format("'$work/archive/*.parquet'")).fetchall())
END
)
[ "$rows" = "$remote" ] || fail "DuckDB found $remote in the object store and $rows in the folder"
kill "$server"
server=
code=0
"$touchstone" runs --remove 1 || code=$?
[ "$code" -eq 0 ] || fail "a run could not be removed"
[ -z "$(ls "$work/archive")" ] || fail "the samples of a removed run are still there"
echo "samples went to S3, to a folder and back unchanged; DuckDB read them in both places: $rows"
