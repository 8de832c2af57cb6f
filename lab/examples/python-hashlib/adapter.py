"""A worker for Python's hashlib: the whole protocol in under a hundred lines."""

import hashlib
import json
import platform
import ssl
import sys
import time

MOST_BYTES = (16 << 20) + 4096
HASHES = {"md5": "md5", "sha-1": "sha1", "sha-256": "sha256", "sha-512": "sha512",
          "sha3-256": "sha3_256", "blake2b": "blake2b", "blake2s": "blake2s"}
cells = {}


def say(message, **fields):
    print(json.dumps({"message": message, **fields}), flush=True)


def data(text):
    if not text.startswith("painted:"):
        return bytes.fromhex(text)
    if int(text[8:]) > MOST_BYTES:
        raise ValueError(f"more than {MOST_BYTES} bytes")
    return bytes(i % 251 for i in range(int(text[8:])))


def fnv1a(output):
    digest = 0xCBF29CE484222325
    for byte in output:
        digest = (digest ^ byte) * 0x100000001B3 % 2**64
    return f"{digest:016x}"


def independent(make, message, output, calls):
    for _ in range(calls):
        output = make(message).digest()
    return output


def chain(make, message, output, calls):
    # Two buffers that take turns would save the copy, but Python's type bytes cannot be written
    # to.
    text = bytearray(message)
    kept = min(len(output), len(text))
    for _ in range(calls):
        text[:kept] = output[:kept]
        output = make(text).digest()
    return output


def answer(f):
    if f["message"] == "hello":
        if f["protocol"] != 2:
            return say("absent", reason=f"this worker speaks protocol 2, not {f['protocol']}")
        say("library", name="Python hashlib", version=platform.python_version(),
            licence="PSF-2.0", language="C", note=f"over {ssl.OPENSSL_VERSION}")
        for primitive in HASHES:
            say("offer", primitive=primitive, operation="hash", api="hashlib.new().digest()")
        say("ready")
    elif f["message"] in ("check", "open"):
        work = f["work"]
        if work["operation"] != "hash" or work["primitive"] not in HASHES:
            return say("unsupported", reason=f"{work['primitive']} {work['operation']}")
        if f.get("contract", "hot") not in ("hot", "keyed", "rekeyed", "latency"):
            return say("unsupported", reason=f"the contract {f['contract']}")
        make = getattr(hashlib, HASHES[work["primitive"]])
        message = data(work.get("inputs", {}).get("input", ""))
        start = time.perf_counter_ns()
        output = make(message).digest()
        first = time.perf_counter_ns() - start
        if f["message"] == "check":
            return say("output", outputs={"output": output.hex()})
        chained = f["contract"] == "latency"
        cells[f["id"]] = [make, message, output, chained]
        say("opened", id=f["id"], open_ns=0, key_ns=0, first_ns=first, digest=fnv1a(output))
    elif f["message"] == "close":
        cells.pop(f["id"], None)
        say("closed", id=f["id"])
    elif f.get("id") not in cells:
        say("failed", reason=f"no cell {f.get('id')} is open")
    else:
        cell = cells[f["id"]]
        make, message, output, chained = cell
        if f["message"] == "run":
            cell[2] = make(message).digest()
            return say("ran", id=f["id"], digest=fnv1a(cell[2]))
        if f.get("threads", 1) > 1:
            return say("unsupported", reason="several threads")
        repeat = chain if chained else independent
        output = repeat(make, message, output, f.get("warm", 0))
        start = time.perf_counter_ns()
        cell[2] = output = repeat(make, message, output, f["calls"])
        ns = time.perf_counter_ns() - start
        digest = {"digest": fnv1a(output)} if f.get("digest") else {}
        say("timed", id=f["id"], ns=ns, **digest)


for line in sys.stdin:
    request = json.loads(line)
    if request["message"] == "bye":
        break
    try:
        answer(request)
    except (KeyError, ValueError) as error:
        say("failed", reason=str(error))
