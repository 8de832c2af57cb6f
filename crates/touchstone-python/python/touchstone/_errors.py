"""The exceptions of the package. Each is also the exception of Python that programs expect in its
place, so a program can catch either."""

__all__ = [
    "Error",
    "InvalidTag",
    "LengthError",
    "ParameterError",
    "StateError",
    "UnknownAlgorithm",
]


class Error(Exception):
    """Any error of this package."""


class UnknownAlgorithm(Error, ValueError):
    """No algorithm of this kind has this name. The message lists similar names."""


class LengthError(Error, ValueError):
    """A key, nonce, tag, message or buffer has a length that the algorithm does not take. The
    message has the lengths that the algorithm takes."""


class ParameterError(Error, ValueError):
    """The algorithm does not take this parameter, or not this value."""


class StateError(Error, RuntimeError):
    """The calls came in a wrong order, such as data after the end of the message."""


class InvalidTag(Error):
    """The message, its tag, its padding or a wrapped key is not genuine. A program must not use
    any output for this message."""


for _error in (Error, UnknownAlgorithm, LengthError, ParameterError, StateError, InvalidTag):
    _error.__module__ = "touchstone"
del _error
