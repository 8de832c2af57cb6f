"""touchstone.crypt: the repository's known answers, and Python's own module where it still is."""

import random
import re
import string
import unittest
import warnings

from common import answers, skip
from touchstone import crypt

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    try:
        import crypt as stdlib
    except ImportError:
        stdlib = None  # type: ignore[assignment]

#: Hashes that take long: the tests of the library have them.
SLOW = re.compile(r"\$(2[abxy]\$(0[6-9]|[1-3])|y\$j[A-Z]|gy\$j[A-Z]|7\$[C-Z])")


class KnownAnswers(unittest.TestCase):
    def test_known_answers(self) -> None:
        methods: dict[str, int] = {}
        for answer in answers("password"):
            if answer.operation != "crypt" or answer.result != "valid":
                continue
            word, salt, stored = (answer.bytes(name) or b"" for name in ("input", "nonce", "output"))
            if SLOW.match(stored.decode()):
                continue
            try:
                text = word.decode()
            except UnicodeDecodeError:
                continue  # Python's module takes text alone.
            if "\0" in text:
                continue
            with self.subTest(answer.place, name=answer.fields["name"]):
                self.assertEqual(crypt.crypt(text, salt.decode()), stored.decode())
                self.assertEqual(crypt.crypt(text, stored.decode()), stored.decode())
            methods[answer.primitive] = methods.get(answer.primitive, 0) + 1
        self.assertEqual(len(methods), 13, methods)


class Interface(unittest.TestCase):
    def test_methods(self) -> None:
        names = [method.name for method in crypt.methods]
        self.assertEqual(names, ["SHA512", "SHA256", "BLOWFISH", "MD5", "CRYPT"])
        for method in crypt.methods + crypt.extra_methods:
            self.assertIs(getattr(crypt, f"METHOD_{method.name}"), method)
            self.assertEqual(repr(method), f"<crypt.METHOD_{method.name}>")
            rounds = {"BLOWFISH": 16, "YESCRYPT": 1, "GOST_YESCRYPT": 1, "SCRYPT": 6, "SHA1": 1000}
            salt = crypt.mksalt(method, rounds=rounds.get(method.name))
            made = crypt.crypt("word", salt)
            self.assertTrue(crypt.verify("word", made), method)
            self.assertFalse(crypt.verify("Word", made), method)
            self.assertEqual(crypt.crypt("word", made), made)
            if method.name not in ("SHA1", "SUNMD5"):  # Their rounds are a number of any length.
                self.assertEqual(len(made), method.total_size, made)

    def test_defaults(self) -> None:
        self.assertRegex(crypt.mksalt(), r"^\$6\$[./0-9A-Za-z]{16}$")
        self.assertRegex(crypt.crypt("word"), r"^\$6\$[./0-9A-Za-z]{16}\$[./0-9A-Za-z]{86}$")
        self.assertRegex(crypt.crypt("word", crypt.METHOD_CRYPT), r"^[./0-9A-Za-z]{13}$")
        self.assertNotEqual(crypt.mksalt(), crypt.mksalt())

    def test_salts(self) -> None:
        for method, rounds, pattern in (
            (crypt.METHOD_SHA512, 1000, r"\$6\$rounds=1000\$.{16}"),
            (crypt.METHOD_SHA256, 999_999_999, r"\$5\$rounds=999999999\$.{16}"),
            (crypt.METHOD_BLOWFISH, None, r"\$2b\$12\$.{22}"),
            (crypt.METHOD_BLOWFISH, 16, r"\$2b\$04\$.{22}"),
            (crypt.METHOD_BLOWFISH, 2**31, r"\$2b\$31\$.{22}"),
            (crypt.METHOD_MD5, None, r"\$1\$.{8}"),
            (crypt.METHOD_CRYPT, None, r".{2}"),
            (crypt.METHOD_YESCRYPT, None, r"\$y\$j9T\$.{22}"),
        ):
            self.assertRegex(crypt.mksalt(method, rounds=rounds), f"^{pattern}$")
        for method, rounds in (
            (crypt.METHOD_SHA512, 999),
            (crypt.METHOD_SHA512, 1_000_000_000),
            (crypt.METHOD_BLOWFISH, 8),
            (crypt.METHOD_BLOWFISH, 17),
            (crypt.METHOD_BLOWFISH, 2**32),
            (crypt.METHOD_BLOWFISH, 0),
            (crypt.METHOD_MD5, 1000),
            (crypt.METHOD_CRYPT, 1),
            (crypt.METHOD_YESCRYPT, 12),
            (crypt.METHOD_YESCRYPT, -1),
        ):
            with self.assertRaises(ValueError, msg=f"{method} {rounds}"):
                crypt.mksalt(method, rounds=rounds)
        self.assertRaises(TypeError, crypt.mksalt, rounds=5000.0)

    def test_failures(self) -> None:
        for salt in ("", "*0", "*1", "*", "!", "x", "a", ":a", "$", "$9$salt", "$6$rounds=10$abc"):
            made = crypt.crypt("word", salt)
            self.assertIn(made, ("*0", "*1"))
            self.assertNotEqual(made, salt)
            self.assertFalse(crypt.verify("word", salt))
        self.assertEqual(crypt.crypt(512 * "x", "$6$salt"), "*0")
        self.assertEqual(len(crypt.crypt(511 * "x", "$6$salt")), 94)
        for word, salt, error in (
            (b"word", "ab", TypeError),
            ("word", b"ab", TypeError),
            ("word", 5, TypeError),
            (None, "ab", TypeError),
            ("wo\0rd", "ab", ValueError),
            ("word", "a\0b", ValueError),
        ):
            self.assertRaises(error, crypt.crypt, word, salt)

    def test_words_are_utf_8(self) -> None:
        self.assertTrue(crypt.verify("pässword", crypt.crypt("pässword")))


class Stdlib(unittest.TestCase):
    def setUp(self) -> None:
        if stdlib is None:
            skip("this Python has no module crypt to compare with")
        self.random = random.Random(3)

    def test_methods(self) -> None:
        self.assertEqual(
            [tuple(method) for method in crypt.methods],
            [tuple(method) for method in stdlib.methods],
        )
        self.assertEqual(repr(crypt.methods), repr(stdlib.methods))

    def test_hashes(self) -> None:
        letters = string.printable[:95] + "äß€😀"
        for method in crypt.methods:
            cost = {"BLOWFISH": 16, "SHA512": 1000, "SHA256": 1000}.get(method.name)
            for length in (0, 1, 7, 8, 9, 20, 72, 73, 100):
                word = "".join(self.random.choice(letters) for _ in range(length))
                salt = crypt.mksalt(method, rounds=cost)
                self.assertEqual(crypt.crypt(word, salt), stdlib.crypt(word, salt), (word, salt))

    def test_exceptions(self) -> None:
        def outcome(call: object) -> object:
            try:
                return call()  # type: ignore[operator]
            except Exception as error:
                return type(error)

        for salt in ("", "*0", "*1", "*", "x", "$", "$9$salt", "$6$rounds=10$abc", "xx:", b"ab", 5):
            for word in ("word", b"word", "wo\0rd", 600 * "x"):
                own, theirs = (outcome(lambda: m.crypt(word, salt)) for m in (crypt, stdlib))
                self.assertEqual(own, theirs, (word, salt))
        for name in ("SHA512", "SHA256", "BLOWFISH", "MD5", "CRYPT"):
            for rounds in (None, 0, 1, 4, 8, 16, 17, 999, 1000, 2**31, 2**32, 5.0, "5", True):
                own, theirs = (
                    outcome(lambda: len(m.mksalt(getattr(m, f"METHOD_{name}"), rounds=rounds)))
                    for m in (crypt, stdlib)
                )
                self.assertEqual(own, theirs, (name, rounds))


if __name__ == "__main__":
    unittest.main()
