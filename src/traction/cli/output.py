"""What commands print (text that fits the terminal, one JSON object for programs, errors) and end with."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, NoReturn

import typer

from traction.app.terminal import columns_of, fit

if TYPE_CHECKING:
    from traction.app.command_output import Facts

#: exit codes beside 0, done: a check missed, bad input, not converged, a bug, stopped early
MISSED, BAD_INPUT, NOT_CONVERGED, FAULT, INTERRUPTED = 1, 2, 3, 70, 130


def say(facts: Facts, text: str, as_json: bool) -> None:
    """Print facts for a program, or text for people."""
    typer.echo(json.dumps(facts, indent=1) if as_json else fit(text, columns_of()))


def fail(message: str, code: int) -> NoReturn:
    """Say what is wrong, for people or, with --json, for programs, and exit."""
    if "--json" in sys.argv[1:]:
        typer.echo(json.dumps({"ok": False, "error": message, "code": code}))
    typer.echo(fit(f"error: {message}", columns_of(sys.stderr)), err=True)
    raise SystemExit(code) from None


def fail_interrupted() -> NoReturn:
    """Say that the user has interrupted the command, and exit."""
    typer.echo("interrupted", err=True)
    raise SystemExit(INTERRUPTED) from None
