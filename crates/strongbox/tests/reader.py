"""A second reader of strongboxes, by docs/strongbox-format.md.

usage: reader.py FILE [--passphrase TEXT] [--keyfile TEXT] [--secret HEX]
Writes the content to standard output, or says what this reader does not have: exit code 77.
"""
import argparse
import hashlib
import hmac
import struct
import sys

try:
    from cryptography.exceptions import InvalidSignature, InvalidTag
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ed25519, x25519
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM, ChaCha20Poly1305
    from cryptography.hazmat.primitives.cmac import CMAC
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF, HKDFExpand
except ImportError as error:
    print(f"the package cryptography is missing or old: {error}", file=sys.stderr)
    sys.exit(77)
try:
    from cryptography.hazmat.primitives.kdf.argon2 import Argon2id
except ImportError:
    Argon2id = None

CHUNK = 16384
DOMAIN = b"touchstone.strongbox/v1 "
Absent = type("Absent", (Exception,), {})


def expand(key, info, length):
    return HKDFExpand(hashes.SHA512(), length, info).derive(key)


def hchacha20(key, nonce):  # draft-irtf-cfrg-xchacha-03, section 2.2
    state = list(struct.unpack("<16I", b"expand 32-byte k" + key + nonce))

    def quarter(a, b, c, d):
        for x, y, z, turn in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
            state[x] = (state[x] + state[y]) & 0xFFFFFFFF
            word = state[z] ^ state[x]
            state[z] = (word << turn | word >> (32 - turn)) & 0xFFFFFFFF

    for _ in range(10):
        for column in range(4):
            quarter(column, 4 + column, 8 + column, 12 + column)
        for shift in range(4):
            quarter(shift, 4 + (shift + 1) % 4, 8 + (shift + 2) % 4, 12 + (shift + 3) % 4)
    return struct.pack("<8I", *state[:4], *state[12:])


def gcm(key, nonce, sealed):
    return AESGCM(key).decrypt(nonce, sealed, None)


def xchacha(key, nonce, sealed):
    cipher = ChaCha20Poly1305(hchacha20(key, nonce[:16]))
    return cipher.decrypt(bytes(4) + nonce[16:], sealed, None)


def aes_eax(key, nonce, sealed):
    def omac(number, data):
        mac = CMAC(algorithms.AES(key))
        mac.update(bytes(15) + bytes([number]) + data)
        return mac.finalize()

    data, tag, start = sealed[:-16], sealed[-16:], omac(0, nonce)
    parts = zip(start, omac(1, b""), omac(2, data))
    if not hmac.compare_digest(tag, bytes(a ^ b ^ c for a, b, c in parts)):
        raise InvalidTag
    return Cipher(algorithms.AES(key), modes.CTR(start)).decryptor().update(data)


def absent(key, nonce, sealed):
    raise Absent("this suite")


AES_GCM, XCHACHA = ("AEAD_AES_256_GCM", 12, gcm), ("AEAD_XCHACHA20_POLY1305", 24, xchacha)
AES_EAX = ("AEAD_AES_256_EAX", 16, aes_eax)
OTHERS = ("TWOFISH", "SERPENT", "CAMELLIA", "ANUBIS")
TWOFISH, SERPENT, CAMELLIA, ANUBIS = ((f"AEAD_{name}_256_EAX", 16, absent) for name in OTHERS)
SUITES = {1: [AES_GCM], 2: [XCHACHA], 3: [AES_EAX], 4: [TWOFISH], 5: [SERPENT], 6: [CAMELLIA],
          7: [ANUBIS], 8: [AES_GCM, XCHACHA], 9: [AES_EAX, TWOFISH, SERPENT]}


class Keys:
    def __init__(self, suite, file_key, purpose, salt, core):
        self.layers = SUITES[suite]
        info = b"c2sp.org/chunked-encryption@v1+" + b"+".join(l[0].encode() for l in self.layers)
        info += b"\0" + salt + b"touchstone.strongbox" + core
        key = expand(file_key, DOMAIN + purpose, 32 * len(self.layers))
        stream = expand(key, info, sum(32 + l[1] for l in self.layers) + 32)
        self.keys = []
        for _, size, _ in self.layers:
            self.keys.append((stream[:32], stream[32:32 + size]))
            stream = stream[32 + size:]
        self.commitment, self.overhead = stream, 16 * len(self.layers)

    def open(self, index, sealed):
        for (_, size, decrypt), (key, base) in reversed(list(zip(self.layers, self.keys))):
            nonce = (int.from_bytes(base, "big") ^ index).to_bytes(size, "big")
            sealed = decrypt(key, nonce, sealed)
        return sealed


def unwrap(secret, purpose, bound, wrapped):
    keys = HKDF(hashes.SHA512(), 96, None, DOMAIN + purpose).derive(secret)
    code = hmac.digest(keys[32:], bound + wrapped[:32], "sha512")[:32]
    right = hmac.compare_digest(code, wrapped[32:])
    return bytes(a ^ b for a, b in zip(wrapped, keys[:32])) if right else None


def file_key(kind, body, options):
    bound, wrapped = body[:-64], body[-64:]
    keyfile = options.keyfile and hashlib.sha512(options.keyfile.encode()).digest()
    if kind == 1 and options.passphrase and (keyfile or not body[12]):
        if Argon2id is None:
            raise Absent("Argon2id, which cryptography 44 has")
        passes, memory, lanes = struct.unpack(">3I", body[:12])
        secret = Argon2id(salt=body[13:45], length=64, iterations=passes, lanes=lanes,
                          memory_cost=memory, secret=keyfile if body[12] else None)
        return unwrap(secret.derive(options.passphrase.encode()), b"passphrase", bound, wrapped)
    if kind == 2 and keyfile:
        return unwrap(expand(keyfile, bound, 64), b"keyfile", bound, wrapped)
    if kind in (4, 5) and options.secret:
        seed, purpose = bytes.fromhex(options.secret), b"x25519"
        public = x25519.X25519PrivateKey.from_private_bytes(seed).public_key()
        if kind == 5:
            public = ed25519.Ed25519PrivateKey.from_private_bytes(seed).public_key()
            purpose, seed = b"ssh-ed25519", hashlib.sha512(seed).digest()[:32]
        public = public.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
        secret = x25519.X25519PrivateKey.from_private_bytes(seed)
        shared = secret.exchange(x25519.X25519PublicKey.from_public_bytes(bound))
        return unwrap(shared, purpose, bound + public, wrapped)
    if kind == 3:
        raise Absent("ML-KEM-768")
    return None


def read(data, options):
    if data[:9] != b"\x89SBX\r\n\x1a\n\x01":
        sys.exit("reader: no strongbox of version 1")
    core, (suite, flags, size) = data[8:12], struct.unpack(">BHI", data[9:16])
    place, metadata, key = 16, b"", None
    while place + 3 <= size - 32 and data[place]:
        kind, length = data[place], int.from_bytes(data[place + 1:place + 3], "big")
        body = data[place + 3:place + 3 + length]
        place += 3 + length
        metadata = body if kind == 0x40 else metadata
        key = key or kind < 0x40 and file_key(kind, body, options)
    if not key:
        sys.exit("reader: no key opens the file")
    keys = Keys(suite, key, b"payload", data[size:size + 24], core)
    if not hmac.compare_digest(keys.commitment, data[size + 24:size + 56]):
        sys.exit("reader: the commitment differs")
    code = hmac.digest(expand(key, DOMAIN + b"header", 64), data[:size - 32], "sha512")[:32]
    if not hmac.compare_digest(code, data[size - 32:size]):
        sys.exit("reader: the header was changed")
    if metadata:
        Keys(suite, key, b"metadata", bytes(24), core).open(0, metadata)
    end_keys = Keys(suite, key, b"end", bytes(24), core)
    end = 16 + 8 + (96 if flags & 8 else 0) + end_keys.overhead
    chunks, record = data[size + 56:len(data) - end], data[len(data) - end:]
    if record[:16] != expand(key, DOMAIN + b"mark", 16):
        sys.exit("reader: the end is missing")
    record, digests, content = end_keys.open(0, record[16:]), hashlib.sha256(), b""
    whole = CHUNK + keys.overhead
    for index in range(len(chunks) // whole + 1):
        chunk = chunks[index * whole:(index + 1) * whole]
        digests.update(hashlib.sha256(chunk).digest())
        content += keys.open(index, chunk)
    if len(content) != int.from_bytes(record[:8], "big"):
        sys.exit("reader: the length differs")
    if flags & 8:
        head = core + struct.pack(">Q", len(metadata)) + metadata + data[size:size + 56]
        message = hashlib.sha512(head + digests.digest() + record[:8]).digest()
        sender = ed25519.Ed25519PublicKey.from_public_bytes(record[8:40])
        sender.verify(record[40:], b"touchstone.strongbox/v1 signature" + message)
    if flags & 2:
        content = content.rstrip(b"\0")[:-1]
    if flags & 1:
        raise Absent("zstd")
    return content


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    for name in ("file", "--passphrase", "--keyfile", "--secret"):
        parser.add_argument(name)
    arguments = parser.parse_args()
    try:
        with open(arguments.file, "rb") as file:
            sys.stdout.buffer.write(read(file.read(), arguments))
    except (InvalidTag, InvalidSignature) as error:
        sys.exit(f"reader: a chunk or signature is not genuine: {error!r}")
    except Absent as what:
        print(f"this reader does not have {what}", file=sys.stderr)
        sys.exit(77)
