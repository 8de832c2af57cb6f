"""Checks that the payload of suite 1 is Cobblestone-256, by the package cryptography from 50 on.

usage: cobblestone.py FILE, whose keyfile is the vectors' one. Exit code 77: no such package.
"""
import sys
from types import SimpleNamespace

import reader

try:
    from cryptography.cobblestone import Cobblestone256Decryptor
except ImportError:
    print("cryptography 50 or newer is missing", file=sys.stderr)
    sys.exit(77)

options = SimpleNamespace(passphrase=None, secret=None, keyfile="the content of a keyfile")
with open(sys.argv[1], "rb") as file:
    data = file.read()
size = int.from_bytes(data[12:16], "big")
stanza = data[19:19 + int.from_bytes(data[17:19], "big")]
file_key = reader.file_key(data[16], stanza, options)
key = reader.expand(file_key, reader.DOMAIN + b"payload", 32)
decryptor = Cobblestone256Decryptor(key, context=b"touchstone.strongbox" + data[8:12])
end = 16 + 8 + 16
sys.stdout.buffer.write(decryptor.update(data[size:-end]) + decryptor.finalize())
