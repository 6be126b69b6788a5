"""Processes that are killed at a chosen moment, played in this one: from then on no system call works."""

import contextlib
import os
from unittest import mock

CALLS = ("mkdir", "open", "write", "fsync", "replace", "unlink", "rmdir")


class Killed(BaseException):
    """The process is gone."""


@contextlib.contextmanager
def killed_after(calls):
    """Let the first `calls` calls that change files work, and none after them; yields those made.

    What would clean up after an error cannot either, as in a process that is killed.
    """
    made = []

    def playing(name, original):
        def call(*args, **options):
            if len(made) >= calls:
                raise Killed(name)
            made.append(name)
            return original(*args, **options)

        return call

    with contextlib.ExitStack() as stack:
        for name in CALLS:  # syncing takes the time of these tests, and a kill does not undo writes
            original = quick_sync if name == "fsync" else getattr(os, name)
            stack.enter_context(mock.patch.object(os, name, playing(name, original)))
        with contextlib.suppress(Killed):
            yield made


def quick_sync(handle):
    """In place of `os.fsync`."""


def every_moment(work):
    """Do `work(number)` killed after each number of calls, until it is done; yields each number."""
    number = 0
    while True:
        with killed_after(number) as made:
            work(number)
        yield number
        if len(made) < number:
            return
        number += 1
