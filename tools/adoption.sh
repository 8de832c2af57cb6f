#!/bin/sh
# Changes two real programs, zip and keepass, from RustCrypto's crates to this library. Runs
# their unit tests before and after the change. Every test that passes before must pass after.
# The script needs the crates registry, and takes some minutes.
set -eu
unset CDPATH
root=$(cd "$(dirname "$0")/.." && pwd)
CARGO=${CARGO:-cargo}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export CARGO_TARGET_DIR="$root/target/adoption"

# fetch_source NAME VERSION: copies the published crate into the folder $work/NAME.
fetch_source() {
	mkdir -p "$work/fetch/src"
	: >"$work/fetch/src/lib.rs"
	printf '[package]\nname = "fetch"\nedition = "2024"\n[workspace]\n[dependencies]\n%s = "=%s"\n' \
		"$1" "$2" >"$work/fetch/Cargo.toml"
	(cd "$work/fetch" && $CARGO metadata --quiet --format-version 1) >"$work/metadata" 2>"$work/error" || {
		echo "SKIPPED: cargo cannot fetch $1 $2:"
		sed 's/^/    /' "$work/error" | head -n 3
		exit 0
	}
	manifest=$(tr ',' '\n' <"$work/metadata" | sed -n "s/^\"manifest_path\":\"\(.*\/$1-$2\/Cargo.toml\)\"$/\1/p" | head -n 1)
	cp -r "$(dirname "$manifest")" "$work/$1"
	chmod -R u+w "$work/$1"
	# The package's lock file comes from the repository of the crate, and may not fit the package.
	rm -f "$work/$1/Cargo.lock"
	printf '\n[workspace]\n' >>"$work/$1/Cargo.toml"
	# A package contains the unit tests, but not every file that the tests read. Empty files let
	# the tests compile. The tests that read such a file fail before and after the change.
	grep -rhoE 'tests/data/[^"]+' "$work/$1/src" | sort -u | while read -r file; do
		mkdir -p "$work/$1/$(dirname "$file")"
		[ -e "$work/$1/$file" ] || : >"$work/$1/$file"
	done
}

# passed NAME OPTION...: prints the names of the unit tests that pass, one a line.
passed() {
	name=$1
	shift
	(cd "$work/$name" && $CARGO test --quiet --lib --no-fail-fast "$@" -- --format pretty) \
		>"$work/log" 2>&1 || true
	sed -n 's/^test \(.*\) \.\.\. ok$/\1/p' "$work/log" | sort
}

# compare NAME OPTION...: runs the tests, changes the crate by the function change_NAME, and
# runs the tests again.
compare() {
	passed "$@" >"$work/before"
	[ -s "$work/before" ] || {
		tail -n 20 "$work/log" >&2
		echo "adoption.sh: no test of $1 passes as published" >&2
		exit 1
	}
	cat >>"$work/$1/Cargo.toml" <<-END

		[dependencies.touchstone]
		package = "touchstone-crypto"
		path = "$root/crates/touchstone"
		features = ["rustcrypto"]
	END
	(cd "$work/$1" && "change_$1")
	passed "$@" >"$work/after"
	lost=$(comm -23 "$work/before" "$work/after")
	[ -z "$lost" ] || {
		tail -n 40 "$work/log" >&2
		echo "adoption.sh: $1 changed over loses these tests:" >&2
		echo "$lost" >&2
		exit 1
	}
	echo "$1: all $(wc -l <"$work/before") tests that pass as published pass changed over"
}

# swap FILE COMMAND: edits a file by a sed command, which must change the file.
swap() {
	cp "$1" "$work/old"
	sed -i "$2" "$1"
	! cmp -s "$1" "$work/old" || {
		echo "adoption.sh: nothing to change in $1 by $2" >&2
		exit 1
	}
}

# zip uses AES for the entries of an archive, and HMAC-SHA-1 in PBKDF2.
change_zip() {
	swap src/aes_ctr.rs 's/= aes::Aes\([0-9]*\);/= touchstone::block::Aes\1;/'
	swap src/aes.rs 's/^use sha1::Sha1;/use touchstone::hash::Sha1;/'
}

# keepass uses ciphers, hashes and HMACs for a database. The types of this library have methods
# named `update` and `finalize`, so the methods of the trait `Digest` are named in full.
change_keepass() {
	swap src/crypt/ciphers.rs 's/^use aes::Aes256;/use touchstone::block::Aes256;/'
	swap src/crypt/ciphers.rs 's/twofish::Twofish/touchstone::block::Twofish/'
	swap src/crypt/ciphers.rs 's/salsa20::Salsa20/touchstone::rustcrypto::Salsa20/'
	swap src/crypt/ciphers.rs 's/^    Salsa20,$//'
	swap src/crypt/ciphers.rs 's/Salsa20::new/touchstone::rustcrypto::Salsa20::new/'
	swap src/crypt/ciphers.rs 's/chacha20::ChaCha20/touchstone::rustcrypto::ChaCha20/'
	swap src/crypt/kdf.rs 's/^use aes::Aes256;/use touchstone::block::Aes256;/'
	for file in src/crypt/kdf.rs src/crypt/mod.rs; do
		swap "$file" 's/^use sha2::{Digest, \(.*\)};/use sha2::Digest;\nuse touchstone::hash::{\1};/'
		swap "$file" 's/digest\.update(/Digest::update(\&mut digest, /'
		swap "$file" 's/digest\.finalize()/Digest::finalize(digest)/'
	done
}

fetch_source zip 9.8.1
compare zip --no-default-features --features aes-crypto,deflate-flate2,flate2/rust_backend
fetch_source keepass 0.17.0
compare keepass --features save_kdbx4
