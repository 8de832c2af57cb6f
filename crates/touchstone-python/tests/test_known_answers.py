"""The known answers of the repository, through the interface of Python."""

import collections
import sys
import unittest

import touchstone
from common import Answer, answers

#: Bytes of the shortest tag that the package makes. Some records have shorter ones.
SHORTEST_TAG = 4

#: Operations that the package does not have: parts of traditional DES hashes.
ELSEWHERE = {"des-cipher-1", "des-cipher-25"}

#: Algorithms of other libraries, which this library does not have.
LACKING = {
    "aegis-128",
    "ascon-128",
    "ascon-128a",
    "ascon-80pq",
    "morus-1280-128",
    "morus-1280-256",
    "morus-640",
}

#: Algorithms that have records for sizes of keys or nonces that this library does not take: VMAC with
#: AES-192 and AES-256, VMAC with a nonce of 16 bytes whose first bit is 1, Panama without a key.
OTHER_SIZES = {"panama", "panama-be", "vmac-64", "vmac-128"}


class KnownAnswers(unittest.TestCase):
    def setUp(self) -> None:
        self.ran: collections.Counter[str] = collections.Counter()
        self.refused: collections.Counter[str] = collections.Counter()

    def check(self, folder: str) -> None:
        for answer in answers(folder):
            if answer.result == "acceptable" or answer.operation in ELSEWHERE:
                continue
            with self.subTest(answer.place, name=answer.fields["name"]):
                try:
                    self.run_answer(answer)
                except touchstone.LengthError:
                    if answer.primitive not in OTHER_SIZES:
                        raise
                    self.refused[answer.primitive] += 1
        for name, count in sorted(self.refused.items()):
            print(f"SKIPPED: {name}: {count} records that the library does not take", file=sys.stderr)
        self.assertLessEqual(set(self.refused), LACKING | OTHER_SIZES)
        self.assertFalse(LACKING & set(touchstone.names()))

    def run_answer(self, answer: Answer) -> None:
        operation, forwards = answer.operation, True
        for end, direction in (("-encrypt", True), ("-decrypt", False)):
            if operation.endswith(end):
                operation, forwards = operation.removesuffix(end), direction
        name = answer.primitive
        if operation not in ("hash", "xof", "stream", "stream-keystream", "aead", "mac", "derive"):
            name = f"{name}-{operation}"
        if name in ("scrypt", "argon2d", "argon2i", "argon2id"):
            self.memory_hard(answer, name)
        else:
            try:
                family = touchstone.describe(name).family
            except touchstone.UnknownAlgorithm:
                self.refused[name] += 1
                return
            if family == "aead":
                self.aead(answer, name, forwards)
            elif family == "wrap":
                self.wrap(answer, name)
            else:
                getattr(self, family)(answer, name)
        self.ran[name] += 1

    def hash(self, answer: Answer, name: str) -> None:
        data, output = answer.bytes("input") or b"", answer.bytes("output") or b""
        hashed = touchstone.hash(name, customization=answer.bytes("aad"))
        length = None if hashed.digest_size else len(output)
        for start in range(0, len(data), 997):
            hashed.update(data[start : start + 997])
        self.assertEqual(hashed.digest(length), output)
        self.assertEqual(hashed.copy().hexdigest(length), output.hex())

    def cipher(self, answer: Answer, name: str) -> None:
        parameters = {
            parameter.replace("-", "_"): cost
            for parameter in ("effective-bits", "rounds")
            if (cost := answer.cost(parameter)) is not None
        }
        output = answer.bytes("output") or b""
        data = bytes(len(output)) if "keystream" in answer.operation else answer.bytes("input") or b""
        nonce = answer.bytes("nonce")
        cipher = touchstone.cipher(name, answer.bytes("key") or b"", **parameters)
        counter, drop = answer.cost("counter"), answer.cost("drop")
        skipped = counter * 64 if counter is not None else drop
        if skipped is None:
            self.assertEqual(cipher.encrypt(nonce, data), output)
            self.assertEqual(cipher.decrypt(nonce, output), data)
        stream = cipher.encryptor(nonce)
        if skipped:
            try:
                stream.seek(skipped)
            except touchstone.UnknownAlgorithm:
                stream.update(bytes(skipped))
        piece = cipher.piece_size * 3 or max(len(data), 1)
        made = [stream.update(data[i : i + piece]) for i in range(0, len(data), piece)]
        self.assertEqual(b"".join(made), output)

    def aead(self, answer: Answer, name: str, forwards: bool) -> None:
        tag, nonce = answer.bytes("tag") or b"", answer.bytes("nonce") or b""
        aad = answer.bytes("aad") or b""
        data, output = answer.bytes("input") or b"", answer.bytes("output") or b""

        def sealed_by(aead: touchstone.Aead) -> bytes:
            return tag + output if aead.tag_first else output + tag

        def make() -> touchstone.Aead:
            return touchstone.aead(name, answer.bytes("key") or b"", tag_size=len(tag))

        if answer.result == "invalid":
            with self.assertRaises((touchstone.InvalidTag, touchstone.LengthError)):
                aead = make()
                aead.decrypt(nonce, sealed_by(aead), aad)
            return
        if len(tag) < SHORTEST_TAG:
            self.assertRaises(touchstone.LengthError, make)
            return
        aead = make()
        if forwards:
            self.assertEqual(aead.encrypt(nonce, data, aad), sealed_by(aead))
            self.in_pieces(aead, answer, sealed_by(aead))
        self.assertEqual(aead.decrypt(nonce, sealed_by(aead), aad), data)

    def in_pieces(self, aead: touchstone.Aead, answer: Answer, sealed: bytes) -> None:
        nonce, aad = answer.bytes("nonce") or b"", answer.bytes("aad") or b""
        data, tag = answer.bytes("input") or b"", answer.bytes("tag") or b""
        try:
            stream = aead.encryptor(nonce, length=len(data), associated_length=len(aad))
        except touchstone.UnknownAlgorithm:
            self.assertRegex(aead.name, "-(gcm-)?siv$|^xsalsa20-poly1305$")
            return
        stream.authenticate(aad)
        made = [stream.update(data[i : i + 48]) for i in range(0, len(data), 48)]
        self.assertEqual(b"".join(made) + stream.finish(), sealed)
        stream = aead.decryptor(nonce, length=len(data), associated_length=len(aad))
        stream.authenticate(aad)
        self.assertEqual(stream.update(sealed[: len(data)]), data)
        stream.verify(tag)

    def mac(self, answer: Answer, name: str) -> None:
        tag, data = answer.bytes("output") or b"", answer.bytes("input") or b""

        def make() -> touchstone.Mac:
            key, nonce = answer.bytes("key") or b"", answer.bytes("nonce")
            return touchstone.mac(name, key, nonce=nonce, tag_size=len(tag))

        if len(tag) < SHORTEST_TAG:
            self.assertRaises(touchstone.LengthError, make)
            return
        mac = make()
        for start in range(0, len(data), 997):
            mac.update(data[start : start + 997])
        if answer.result == "invalid":
            self.assertRaises(touchstone.InvalidTag, mac.verify, tag)
        else:
            self.assertEqual(mac.digest(), tag)
            mac.verify(tag)

    def kdf(self, answer: Answer, name: str) -> None:
        output = answer.bytes("output") or b""

        def derive() -> bytes:
            return touchstone.derive(
                name,
                answer.bytes("input") or b"",
                length=len(output),
                salt=answer.bytes("nonce"),
                info=answer.bytes("aad"),
                iterations=answer.cost("iterations") or 0,
            )

        if answer.result == "invalid":
            with self.assertRaises((touchstone.LengthError, touchstone.ParameterError)):
                derive()
        else:
            self.assertEqual(derive(), output)

    def memory_hard(self, answer: Answer, name: str) -> None:
        password, salt = answer.bytes("input") or b"", answer.bytes("nonce") or b""
        output = answer.bytes("output") or b""
        if name == "scrypt":
            n, r, p = (answer.cost(cost) or 0 for cost in "nrp")
            if n * r > 2**14 * 8:
                return  # The answers with more memory add time and no other code.
            made = touchstone.scrypt(password, salt=salt, n=n, r=r, p=p, length=len(output))
        else:
            made = touchstone.argon2(
                name,  # type: ignore[call-overload]
                password,
                salt=salt,
                passes=answer.cost("iterations") or 0,
                memory=answer.cost("memory") or 0,
                lanes=answer.cost("lanes") or 0,
                length=len(output),
                secret=answer.bytes("key"),
                data=answer.bytes("aad"),
            )
        self.assertEqual(made, output)

    def wrap(self, answer: Answer, name: str) -> None:
        secret, wrapped = answer.bytes("input") or b"", answer.bytes("output") or b""
        wrapped += answer.bytes("tag") or b""
        key = touchstone.key_wrap(name, answer.bytes("key") or b"")
        if answer.result == "invalid":
            self.assertRaises(touchstone.InvalidTag, key.unwrap, wrapped)
            return
        if answer.operation.endswith("-encrypt"):
            self.assertEqual(key.wrap(secret), wrapped)
        self.assertEqual(key.unwrap(wrapped), secret)

    def test_ciphers(self) -> None:
        self.check("block")
        self.assertGreater(len(self.ran), 230)

    def test_streams(self) -> None:
        self.check("stream")
        self.assertGreater(len(self.ran), 15)

    def test_aeads(self) -> None:
        self.check("aead")
        self.assertGreater(len(self.ran), 5)

    def test_hashes(self) -> None:
        self.check("hash")
        self.assertEqual(set(self.ran), set(touchstone.names("hash")))

    def test_macs(self) -> None:
        self.check("mac")
        self.assertGreater(len(self.ran), 20)

    def test_derivations(self) -> None:
        self.check("kdf")
        self.assertGreater(len(self.ran), 40)


if __name__ == "__main__":
    unittest.main()
