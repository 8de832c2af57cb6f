#!/bin/sh
# Makes lab/cli/data/corpus.toml anew, with OpenSSL's command: the keys and the primes with which
# the lab times all libraries. A worker makes the keys that the command of older versions cannot
# make; it is the file in the variable WORKER, or the one that `make dist` builds. GOST_WORKER is
# another, whose library has the curves of GOST R 34.10. New keys change the times of private operations slightly, so results
# before and after cannot be compared to the last per cent.
# usage: corpus.sh >lab/cli/data/corpus.toml
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

hex() { od -An -v -tx1 | tr -d ' \n'; }

# Prints two key pairs. The first two arguments are commands that read a private key in PEM on
# standard input, and write the private and the public key; the rest makes a key in PEM.
# usage: pairs NAME PRIVATE PUBLIC COMMAND…
pairs() {
    name=$1 private=$2 public=$3
    shift 3
    for number in 1 2; do "$@" -out "$folder/$number" 2>/dev/null; done
    printf '\n[generate-key.%s]\n' "$name"
    for part in key:"$private" public:"$public"; do
        printf '%s = [\n' "${part%%:*}"
        for number in 1 2; do
            printf '    "%s",\n' "$(${part#*:} <"$folder/$number" | hex)"
        done
        printf ']\n'
    done
}
der_private() { openssl pkcs8 -topk8 -nocrypt -outform DER; }
der_public() { openssl pkey -pubout -outform DER; }
# RFC 8410 wraps these keys, and puts them at the end.
raw_private() { openssl pkey -outform DER | tail -c "$bytes"; }
raw_public() { openssl pkey -pubout -outform DER | tail -c "$bytes"; }

# Prints two key pairs that a worker makes.
# usage: asked OPERATION PRIMITIVE
asked() {
    for number in 1 2; do
        printf '%s\n' '{"message":"hello","protocol":2,"path":""}' \
            '{"message":"check","work":{"primitive":"'"$2"'","operation":"'"$1"'","inputs":{}}}' |
            "$WORKER" | tail -n 1 >"$folder/$number"
    done
    printf '\n[%s.%s]\n' "$1" "$2"
    for part in key public; do
        printf '%s = [\n' "$part"
        for number in 1 2; do
            sed 's/.*"'"$part"'":"\([0-9a-f]*\)".*/    "\1",/' "$folder/$number"
        done
        printf ']\n'
    done
}

# Prints, for the two key pairs that `pairs` made last, the pairs whose private factor is the inverse:
# ECGDSA and EC-KCDSA have the same public key for it.
# usage: inverted NAME CURVE
inverted() {
    order=$(openssl ecparam -name "$2" -param_enc explicit -noout -text |
        sed -n '/^Order/,/^Cofactor/p' | sed '1d;$d' | tr -d ' :\n' | sed 's/^00//')
    printf '\n[generate-key.inverse-%s]\nkey = [\n' "$1"
    for number in 1 2; do
        key=$(der_private <"$folder/$number" | hex)
        head=$(printf '02010104%02x' $((${#order} / 2)))
        rest=${key#*"$head"}
        factor=$(printf %s "$rest" | cut -c "1-${#order}")
        inverse=$(printf '%s\n' '{"message":"hello","protocol":2,"path":""}' \
            '{"message":"check","work":{"primitive":"integer","operation":"invert","inputs":{"a":"'"$factor"'","modulus":"'"$order"'"}}}' |
            "$WORKER" | tail -n 1 | sed 's/.*"output":"\([0-9a-f]*\)".*/\1/')
        printf '    "%s%s%s%s",\n' "${key%%"$head"*}" "$head" "$inverse" "${rest#"$factor"}"
    done
    printf ']\npublic = [\n'
    for number in 1 2; do printf '    "%s",\n' "$(der_public <"$folder/$number" | hex)"; done
    printf ']\n'
}

# Prints two key pairs of GOST R 34.10: a random factor below the order, and its multiple of the base
# point, which a worker calculates.
# usage: multiples CURVE BYTES
multiples() {
    for number in 1 2; do
        printf '7%s' "$(head -c "$2" /dev/urandom | hex | cut -c 2-)" >"$folder/$number"
    done
    printf '\n[generate-key.%s]\nkey = [\n' "$1"
    for number in 1 2; do printf '    "%s",\n' "$(cat "$folder/$number")"; done
    printf ']\npublic = [\n'
    for number in 1 2; do
        printf '%s\n' '{"message":"hello","protocol":2,"path":""}' \
            '{"message":"check","work":{"primitive":"'"$1"'","operation":"multiply-base","inputs":{"scalar":"'"$(cat "$folder/$number")"'"}}}' |
            "$GOST_WORKER" | tail -n 1 | sed 's/.*"point":"\([0-9a-f]*\)".*/    "\1",/'
    done
    printf ']\n'
}
GOST_WORKER=${GOST_WORKER:-dist/lib/touchstone/adapters/libgcrypt/touchstone-adapter-libgcrypt}
WORKER=${WORKER:-dist/lib/touchstone/adapters/rustcrypto-public/touchstone-adapter-rustcrypto-public}

cat <<'HEAD'
# Fixed answers of operations whose answers differ from call to call: keys and primes. All libraries
# are timed with these. Made by tools/corpus.sh with OpenSSL and RustCrypto; nobody uses these keys
# for anything else. Two answers each, because the contracts "rekeyed" and "setup" alternate between two keys.
#
#   [operation.NAME]     NAME is a primitive's id or the name in its column `keys` of
#                        catalogue.toml; if the operation has an axis, NAME is the id, a dash and
#                        the position on the axis
#   output = [ … ]       the answers, in hex
#
# docs/operations.md says how keys are encoded.
HEAD
for bits in 1024 2048 3072 4096 8192; do
    pairs "rsa-$bits" der_private der_public \
        openssl genpkey -algorithm RSA -pkeyopt "rsa_keygen_bits:$bits"
done
while read -r name curve; do
    pairs "$name" der_private der_public \
        openssl genpkey -algorithm EC -pkeyopt "ec_paramgen_curve:$curve" \
        -pkeyopt ec_param_enc:named_curve
    case $name in p224 | p256 | brainpool*) inverted "$name" "$curve" ;; esac
done <<'CURVES'
p192 prime192v1
p224 secp224r1
p256 prime256v1
p384 secp384r1
p521 secp521r1
secp256k1 secp256k1
sm2p256v1 SM2
brainpoolp256r1 brainpoolP256r1
brainpoolp384r1 brainpoolP384r1
brainpoolp512r1 brainpoolP512r1
k163 sect163k1
b163 sect163r2
k233 sect233k1
b233 sect233r1
k283 sect283k1
b283 sect283r1
k409 sect409k1
b409 sect409r1
k571 sect571k1
b571 sect571r1
CURVES
multiples gost256a 32
multiples gost512a 64
for name in ed25519:32 ed448:57 x25519:32 x448:56; do
    bytes=${name#*:} name=${name%:*}
    pairs "$name" raw_private raw_public openssl genpkey -algorithm "$name"
done
for bits in 2048 3072; do
    openssl genpkey -genparam -algorithm DSA -pkeyopt "dsa_paramgen_bits:$bits" \
        -pkeyopt dsa_paramgen_q_bits:256 -out "$folder/parameters" 2>/dev/null
    pairs "dsa-$bits" der_private der_public openssl genpkey -paramfile "$folder/parameters"
    pairs "dh-ffdhe$bits" der_private der_public \
        openssl genpkey -algorithm DH -pkeyopt "group:ffdhe$bits"
done
for name in ml-dsa-44 ml-dsa-65 ml-dsa-87 slh-dsa-sha2-128s slh-dsa-sha2-128f slh-dsa-sha2-192s \
    slh-dsa-sha2-256s slh-dsa-shake-128s slh-dsa-shake-128f; do
    asked generate-key "$name"
done
for name in ml-kem-512 ml-kem-768 ml-kem-1024; do asked generate-kem-key "$name"; done
for bits in 256 512 1024 2048 4096; do
    printf '\n[generate-prime.integer-%s]\nnumber = [\n' "$bits"
    for number in 1 2; do
        printf '    "%s",\n' "$(openssl prime -generate -hex -bits "$bits" | tr A-F a-f)"
    done
    printf ']\n'
done
