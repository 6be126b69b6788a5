"""What can go wrong. Every message names the thing, its value, the limit and the remedy."""


class TractionError(Exception):
    """Base of all errors raised by Traction."""


class InputError(TractionError, ValueError):
    """An input is outside its limits; nothing has been computed."""


class ConvergenceError(TractionError, RuntimeError):
    """A solver ended without an answer that passes its own certificate.

    `result` holds the last iterate, so that nothing is lost.
    """

    def __init__(self, message: str, result: object = None) -> None:
        super().__init__(message)
        self.result = result


class UndefinedError(InputError, AttributeError):
    """The asked quantity does not exist for this problem, such as the approach of a half plane."""
