"""The interface of Python: buffers, threads, states."""

import array
import copy
import gc
import hashlib
import pickle
import subprocess
import sys
import threading
import time
import unittest

import touchstone
from common import skip

KEY, NONCE = bytes(range(32)), bytes(range(12))


class Buffers(unittest.TestCase):
    def test_everything_with_bytes_is_taken(self) -> None:
        data = bytes(range(256)) * 20
        wanted = hashlib.sha256(data).digest()
        words = array.array("I", data)
        for form in (data, bytearray(data), memoryview(data), memoryview(bytearray(data)), words):
            self.assertEqual(touchstone.hash("sha-256", form).digest(), wanted, type(form))
        view = memoryview(data).cast("B", (20, 256))
        self.assertEqual(touchstone.hash("sha-256", view).digest(), wanted)
        for empty in (b"", bytearray(), memoryview(b""), array.array("I")):
            self.assertEqual(touchstone.hash("sha-256", empty).digest(), hashlib.sha256().digest())

    def test_other_objects_are_refused(self) -> None:
        for wrong in ("text", 5, None, [1, 2], object()):
            self.assertRaises(TypeError, touchstone.hash("sha-256").update, wrong)
        self.assertRaises(TypeError, touchstone.aead, "aes-256-gcm", "k" * 32)

    def test_gaps_are_refused(self) -> None:
        every_second = memoryview(bytes(64))[::2]
        with self.assertRaisesRegex(BufferError, r"not contiguous; pass bytes\(buffer\)"):
            touchstone.hash("sha-256", every_second)
        cipher = touchstone.cipher("aes-256-ctr", KEY)
        backwards = memoryview(bytearray(32))[::-1]
        with self.assertRaisesRegex(BufferError, "not contiguous"):
            cipher.encrypt(bytes(16), bytes(16), into=backwards)

    def test_output_into_a_buffer(self) -> None:
        aead = touchstone.aead("aes-256-gcm", KEY)
        message = b"a message of no particular length"
        sealed = aead.encrypt(NONCE, message, b"header")
        out = bytearray(b"\xff" * 100)
        self.assertEqual(aead.encrypt(NONCE, message, b"header", into=out), len(sealed))
        self.assertEqual(out, sealed + b"\xff" * (100 - len(sealed)))
        back = bytearray(len(message))
        self.assertEqual(aead.decrypt(NONCE, sealed, b"header", into=back), len(message))
        self.assertEqual(back, message)
        digest = bytearray(33)
        self.assertEqual(touchstone.hash("sha-256", message).digest(into=digest), 32)
        self.assertEqual(digest, hashlib.sha256(message).digest() + b"\0")
        key = bytearray(20)
        made = touchstone.derive("hkdf-sha-256", b"secret", salt=b"salt", length=20, into=key)
        self.assertEqual(made, 20)
        self.assertEqual(key, touchstone.derive("hkdf-sha-256", b"secret", salt=b"salt", length=20))

    def test_unfit_outputs_are_refused_and_unchanged(self) -> None:
        aead = touchstone.aead("aes-256-gcm", KEY)
        short = bytearray(b"\xee" * 18)
        with self.assertRaisesRegex(touchstone.LengthError, "needs 19 bytes, and the buffer has 18"):
            aead.encrypt(NONCE, b"abc", into=short)
        self.assertEqual(short, b"\xee" * 18)
        for fixed in (bytes(19), memoryview(bytearray(19)).toreadonly()):
            with self.assertRaisesRegex(BufferError, "pass a bytearray"):
                aead.encrypt(NONCE, b"abc", into=fixed)
        self.assertRaises(TypeError, aead.encrypt, NONCE, b"abc", into="text")

    def test_in_place(self) -> None:
        for name in ("aes-256-gcm", "aes-256-siv"):
            aead = touchstone.aead(name, KEY * (2 if name.endswith("siv") else 1))
            nonce = NONCE
            for length in (0, 1, 16, 5000):
                message = bytes(i % 249 for i in range(length))
                sealed = aead.encrypt(nonce, message)
                room = bytearray(length + aead.tag_size)
                start = aead.tag_size if aead.tag_first else 0
                place = memoryview(room)[start : start + length]
                place[:] = message
                aead.encrypt(nonce, place, into=room)
                self.assertEqual(room, sealed)
                body = place if not aead.tag_first else memoryview(room)[aead.tag_size :]
                aead.decrypt(nonce, room, into=body)
                self.assertEqual(body, message)
        cipher, data = touchstone.cipher("aes-256-cbc", KEY), bytearray(range(160))
        wanted = cipher.encrypt(bytes(16), data)
        cipher.encrypt(bytes(16), data, into=data)
        self.assertEqual(data, wanted)

    def test_overlaps_are_refused(self) -> None:
        aead, room = touchstone.aead("aes-256-gcm", KEY), bytearray(100)
        view = memoryview(room)
        for data, nonce, out in (
            (view[1:40], NONCE, view),
            (view[20:40], NONCE, view[10:60]),
            (b"abc", view[:12], view),
            (view[:16], view[20:32], view),
        ):
            before = bytes(room)
            with self.assertRaises(BufferError):
                aead.encrypt(nonce, data, into=out)
            self.assertEqual(room, before)
        with self.assertRaises(BufferError):
            touchstone.derive("hkdf-sha-256", view[:20], length=32, into=view[10:60])

    def test_a_forgery_leaves_nothing(self) -> None:
        aead = touchstone.aead("chacha20-poly1305", KEY)
        sealed = bytearray(aead.encrypt(NONCE, b"a secret message"))
        sealed[-1] ^= 1
        out = bytearray(b"\xff" * 16)
        with self.assertRaises(touchstone.InvalidTag):
            aead.decrypt(NONCE, sealed, into=out)
        self.assertEqual(out, bytes(16))
        self.assertRaises(touchstone.InvalidTag, aead.decrypt, NONCE, b"short")

    def test_a_buffer_in_use_cannot_be_resized(self) -> None:
        data = bytearray(2**26)
        started = threading.Event()

        def work() -> None:
            started.set()
            touchstone.hash("md2", memoryview(data)[: 2**22])

        worker = threading.Thread(target=work)
        worker.start()
        started.wait()
        refused = False
        while worker.is_alive() and not refused:
            try:
                data.append(1)
                data.pop()
            except BufferError:
                refused = True
        worker.join()
        self.assertTrue(refused)
        data.append(1)


class Threads(unittest.TestCase):
    def test_long_calls_release_the_gil(self) -> None:
        # Another thread gets on while one call of a second or so runs.
        data, ticks = bytes(2**22), 0
        worker = threading.Thread(target=touchstone.hash, args=("md2", data))
        worker.start()
        while worker.is_alive():
            ticks += 1
            time.sleep(0.001)
        worker.join()
        self.assertGreater(ticks, 5)

    def test_objects_can_be_shared(self) -> None:
        aead = touchstone.aead("aes-256-gcm", KEY)
        cipher = touchstone.cipher("aes-256-cbc", KEY)
        hashed = touchstone.hash("sha-256")
        messages = [bytes([i]) * (16 * i * i) for i in range(40)]
        sealed = [aead.encrypt(NONCE, message) for message in messages]
        blocks = [cipher.encrypt(bytes(16), message) for message in messages]
        wrong: list[object] = []

        def work() -> None:
            for message, secret, block in zip(messages, sealed, blocks):
                if aead.encrypt(NONCE, message) != secret or aead.decrypt(NONCE, secret) != message:
                    wrong.append(len(message))
                if cipher.encrypt(bytes(16), message) != block:
                    wrong.append(len(message))
                if cipher.decrypt(bytes(16), block) != message:
                    wrong.append(len(message))
            hashed.update(bytes(5000))

        workers = [threading.Thread(target=work) for _ in range(8)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        self.assertFalse(wrong)
        self.assertEqual(hashed.digest(), hashlib.sha256(bytes(8 * 5000)).digest())

    def test_a_subinterpreter_is_refused(self) -> None:
        if sys.version_info >= (3, 14):
            code = "from concurrent import interpreters as i\ni.create().exec('import touchstone')"
        elif sys.version_info >= (3, 13):
            code = "import _interpreters as i\nprint(i.exec(i.create(), 'import touchstone'))"
        else:
            code = "import _xxsubinterpreters as i\ni.run_string(i.create(), 'import touchstone')"
        code = "import touchstone\n" + code
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        self.assertGreaterEqual(done.returncode, 0, "killed by a signal")
        self.assertIn("ImportError", done.stdout + done.stderr)
        self.assertIn("subinterpreters", done.stdout + done.stderr)


class Objects(unittest.TestCase):
    def test_hashes_of_any_length(self) -> None:
        data = b"message"
        wanted = hashlib.shake_128(data).digest(300)
        xof = touchstone.hash("shake128", data)
        self.assertEqual((xof.name, xof.digest_size, xof.block_size), ("shake128", 0, 168))
        self.assertEqual(xof.digest(300), wanted)
        self.assertEqual(xof.squeeze(100) + xof.squeeze(0) + xof.squeeze(200), wanted)
        self.assertRaises(touchstone.StateError, xof.update, b"more")
        self.assertRaises(touchstone.StateError, xof.digest, 5)
        xof.reset()
        xof.update(data)
        self.assertEqual(xof.hexdigest(5), wanted[:5].hex())
        self.assertRaises(TypeError, xof.digest)
        self.assertRaises(TypeError, touchstone.hash("sha-256").squeeze, 5)
        self.assertRaises(touchstone.LengthError, touchstone.hash("sha-256").digest, 31)
        self.assertRaises((MemoryError, OverflowError), xof.digest, 2**62)
        self.assertRaises((MemoryError, OverflowError), xof.hexdigest, 2**62)

    def test_customization(self) -> None:
        a, b = (touchstone.hash("cshake128", b"x", customization=c).digest(9) for c in (b"a", b"b"))
        self.assertNotEqual(a, b)
        with self.assertRaises(touchstone.UnknownAlgorithm):
            touchstone.hash("sha-256", customization=b"a")

    def test_many_hashes(self) -> None:
        messages = [bytes([i]) * i for i in range(200)]
        wanted = [hashlib.sha256(message).digest() for message in messages]
        self.assertEqual(touchstone.hash_many("sha-256", messages), wanted)
        self.assertEqual(touchstone.hash_many("sha-256", []), [])
        self.assertRaises(TypeError, touchstone.hash_many, "shake128", messages)
        self.assertRaises(TypeError, touchstone.hash_many, "sha-256", ["text"])

    def test_macs_end_once(self) -> None:
        mac = touchstone.mac("hmac-sha-256", b"key", b"message")
        tag = mac.digest()
        self.assertEqual(mac.hexdigest(), tag.hex())
        self.assertRaises(touchstone.StateError, mac.update, b"more")
        mac.verify(tag)
        for wrong in (bytes(32), tag[:31], b"", tag + b"\0"):
            self.assertRaises(touchstone.InvalidTag, mac.verify, wrong)
        mac.reset()
        mac.update(b"message")
        self.assertEqual(mac.digest(), tag)
        self.assertEqual(touchstone.mac("hmac-sha-256", b"key", b"message", tag_size=9).digest(), tag[:9])

    def test_keys_for_one_message(self) -> None:
        mac = touchstone.mac("poly1305", KEY, b"message")
        mac.verify(mac.digest())
        with self.assertRaises(touchstone.StateError):
            mac.reset()
            mac.update(b"the second message")
            mac.digest()

    def test_macs_with_nonces(self) -> None:
        mac = touchstone.mac("aes-256-gmac", KEY, b"header", nonce=NONCE)
        sealed = touchstone.aead("aes-256-gcm", KEY).encrypt(NONCE, b"", b"header")
        self.assertEqual(mac.digest(), sealed)
        self.assertRaises(touchstone.ParameterError, mac.reset)
        mac.reset(NONCE)
        mac.update(b"header")
        self.assertEqual(mac.digest(), sealed)
        self.assertRaises(touchstone.ParameterError, touchstone.mac, "aes-256-gmac", KEY)
        with self.assertRaises(touchstone.ParameterError):
            touchstone.mac("hmac-md5", KEY, nonce=NONCE)

    def test_pieces_of_authenticated_messages(self) -> None:
        aead = touchstone.aead("aes-256-gcm", KEY)
        stream = aead.encryptor(NONCE)
        stream.authenticate(b"header")
        body = stream.update(b"message")
        self.assertRaises(touchstone.StateError, stream.authenticate, b"late")
        tag = stream.finish()
        self.assertEqual(body + tag, aead.encrypt(NONCE, b"message", b"header"))
        self.assertRaises(touchstone.StateError, stream.update, b"late")
        self.assertRaises(touchstone.StateError, stream.finish)
        for verify in (tag, bytes(16), b"short"):
            stream = aead.decryptor(NONCE)
            stream.authenticate(b"header")
            self.assertEqual(stream.update(body), b"message")
            if verify == tag:
                stream.verify(verify)
            else:
                self.assertRaises(touchstone.InvalidTag, stream.verify, verify)
        self.assertRaises(touchstone.StateError, aead.decryptor(NONCE).finish)
        self.assertRaises(touchstone.StateError, aead.encryptor(NONCE).verify, tag)

    def test_ccm_announces_lengths(self) -> None:
        aead = touchstone.aead("aes-128-ccm", KEY[:16])
        stream = aead.encryptor(NONCE, length=7)
        sealed = stream.update(b"message") + stream.finish()
        self.assertEqual(sealed, aead.encrypt(NONCE, b"message"))
        stream = aead.encryptor(NONCE, length=7)
        stream.update(b"mess")
        self.assertRaises(touchstone.LengthError, stream.finish)

    def test_streams_seek(self) -> None:
        cipher = touchstone.cipher("aes-256-ctr", KEY)
        whole = cipher.encrypt(bytes(16), bytes(100))
        stream = cipher.encryptor(bytes(16))
        stream.seek(50)
        self.assertEqual(stream.update(bytes(50)), whole[50:])
        with self.assertRaises(touchstone.UnknownAlgorithm):
            touchstone.cipher("aes-256-cbc", KEY).encryptor(bytes(16)).seek(16)
        self.assertRaises(OverflowError, stream.seek, -1)

    def test_parameters(self) -> None:
        full, weak = (
            touchstone.cipher("rc2-ecb", KEY[:16], **parameters).encrypt(None, bytes(8))
            for parameters in ({}, {"effective_bits": 40})
        )
        self.assertNotEqual(full, weak)
        for name, parameters in (
            ("aes-256-ctr", {"rounds": 5}),
            ("rc2-ecb", {"effective_bits": 40, "rounds": 1}),
            ("xtea-ecb", {"rounds": 0}),
        ):
            with self.assertRaises(touchstone.ParameterError):
                touchstone.cipher(name, KEY[:16] if name != "aes-256-ctr" else KEY, **parameters)

    def test_key_wrap(self) -> None:
        for name, secrets in (("aes-256-kw", (16, 24, 64)), ("aes-256-kwp", (1, 7, 8, 9, 100))):
            wrap = touchstone.key_wrap(name, KEY)
            for size in secrets:
                secret = bytes(range(size))
                wrapped = wrap.wrap(secret)
                self.assertEqual(wrap.unwrap(wrapped), secret)
                broken = bytes([wrapped[0] ^ 1]) + wrapped[1:]
                for wrong in (broken, wrapped[:-1], wrapped + bytes(8), b""):
                    self.assertRaises(touchstone.InvalidTag, wrap.unwrap, wrong)
        self.assertRaises(touchstone.LengthError, touchstone.key_wrap("aes-256-kw", KEY).wrap, b"x")
        self.assertRaises(touchstone.LengthError, touchstone.key_wrap("aes-256-kwp", KEY).wrap, b"")

    def test_secrets_do_not_show_and_do_not_travel(self) -> None:
        objects = [
            touchstone.aead("aes-256-gcm", KEY),
            touchstone.cipher("aes-256-ctr", KEY),
            touchstone.mac("hmac-sha-256", KEY),
            touchstone.key_wrap("aes-256-kw", KEY),
        ]
        for object_ in objects:
            self.assertRegex(repr(object_), r"^<touchstone\.[A-Za-z]+ [a-z0-9-]+>$")
            for carry in (pickle.dumps, copy.copy, copy.deepcopy):
                self.assertRaises(TypeError, carry, object_)
            with self.assertRaises(AttributeError):
                object_.key = b""  # type: ignore[union-attr]

    def test_compare_digest(self) -> None:
        same = touchstone.compare_digest
        self.assertTrue(same(b"abc", bytearray(b"abc")))
        self.assertTrue(same("abc", "abc"))
        self.assertTrue(same(b"", b""))
        self.assertFalse(same(b"abc", b"abd"))
        self.assertFalse(same(b"abc", b"abcd"))
        for a, b in (("abc", b"abc"), ("é", "é"), (1, 1)):
            self.assertRaises(TypeError, same, a, b)

    def test_memory_does_not_grow(self) -> None:
        def used() -> int:
            with open("/proc/self/statm") as file:
                return int(file.read().split()[1])

        if not sys.platform.startswith("linux"):
            skip("the memory of a process is read from /proc")

        def work() -> None:
            for _ in range(300):
                aead = touchstone.aead("aes-256-gcm", KEY)
                self.assertRaises(touchstone.InvalidTag, aead.decrypt, NONCE, bytes(50_000))
                aead.encrypt(NONCE, bytes(50_000))
                touchstone.hash("sha-256", memoryview(bytes(5000))).copy()

        work()
        gc.collect()
        before = used()
        for _ in range(10):
            work()
        # A leak of one message in each round would be 36,000 pages.
        self.assertLess(used() - before, 4000)


if __name__ == "__main__":
    unittest.main()
