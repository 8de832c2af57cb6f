"""A worker for Python's hashlib: the whole protocol in seventy lines."""

import hashlib
import platform
import ssl
import sys
import time
from urllib.parse import quote, unquote

HASHES = {"md5": "md5", "sha-1": "sha1", "sha-256": "sha256", "sha-512": "sha512",
          "sha3-256": "sha3_256", "blake2b": "blake2b", "blake2s": "blake2s"}
cells = {}


def say(verb, **fields):
    words = [f"{key}={quote(str(value), safe='/:,.+()')}" for key, value in fields.items()]
    print(verb, *words, flush=True)


def data(text):
    if text.startswith("painted:"):
        return bytes(i % 251 for i in range(int(text[8:])))
    return bytes.fromhex(text)


def fnv1a(output):
    digest = 0xCBF29CE484222325
    for byte in output:
        digest = (digest ^ byte) * 0x100000001B3 % 2**64
    return f"{digest:016x}"


def answer(verb, f):
    if verb == "hello":
        say("library", name="Python hashlib", version=platform.python_version(),
            licence="PSF-2.0", language="C", note=f"over {ssl.OPENSSL_VERSION}")
        for primitive in HASHES:
            say("offer", primitive=primitive, operation="hash", api="hashlib.new().digest()")
        say("ready")
    elif verb in ("check", "open"):
        if f["operation"] != "hash" or f["primitive"] not in HASHES:
            return say("unsupported", reason=f"{f['primitive']} {f['operation']}")
        make, message = getattr(hashlib, HASHES[f["primitive"]]), data(f.get("input", ""))
        start = time.perf_counter_ns()
        output = make(message).digest()
        first = time.perf_counter_ns() - start
        if verb == "check":
            return say("output", output=output.hex())
        cells[f["id"]] = (make, message)
        say("opened", id=f["id"], open_ns=0, key_ns=0, first_ns=first, digest=fnv1a(output))
    elif verb in ("time", "run"):
        make, message = cells[f["id"]]
        if verb == "run":
            return say("ran", id=f["id"], digest=fnv1a(make(message).digest()))
        for _ in range(int(f.get("warm", 0))):
            make(message).digest()
        start = time.perf_counter_ns()
        for _ in range(int(f["calls"])):
            make(message).digest()
        say("timed", id=f["id"], ns=time.perf_counter_ns() - start)
    elif verb == "close":
        cells.pop(f["id"], None)
        say("closed", id=f["id"])


for line in sys.stdin:
    verb, *words = line.split()
    if verb == "bye":
        break
    answer(verb, {key: unquote(value) for key, _, value in (w.partition("=") for w in words)})
