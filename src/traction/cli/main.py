"""The application `traction`, and `main`, which turns errors into sentences and exit codes."""

from __future__ import annotations

import logging
import os
import sys
from typing import Annotated

import typer

from traction.app.terminal import columns_of, fit
from traction.cli.check_commands import info, verify, warmup
from traction.cli.options import with_address
from traction.cli.output import BAD_INPUT, FAULT, INTERRUPTED, NOT_CONVERGED, fail, fail_interrupted
from traction.cli.run_commands import report, resume, run, studio, sweep
from traction.cli.scenario_commands import new, schema, validate
from traction.errors import ConvergenceError, TractionError

#: as --help lists them
COMMANDS = (new, validate, run, sweep, resume, report, studio, verify, schema, warmup, info)

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Dynamic contact mechanics: describe a case in a file, run it, and read its report.",
)
for command in COMMANDS:
    app.command()(command)


def _print_version(asked: bool) -> None:
    if asked:
        from traction.version import __version__

        typer.echo(f"traction {__version__}")
        raise typer.Exit


@app.callback()
def common(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit."),
    ] = False,
) -> None:
    """Options of the program itself."""


def main() -> None:
    """Run the command line; every error a user can cause is a sentence and an exit code."""
    _show_compiling()
    try:
        app(with_address(sys.argv[1:]))
    except ConvergenceError as error:
        fail(str(error), NOT_CONVERGED)
    except TractionError as error:
        fail(str(error), BAD_INPUT)
    except MemoryError:
        fail("the case does not fit in memory; choose a smaller grid.", BAD_INPUT)
    except OSError as error:
        fail(f"{error.filename or 'a file'}: {error.strerror or error}.", BAD_INPUT)
    except KeyboardInterrupt:
        fail_interrupted()
    except SystemExit as error:  # what typer turns an interrupt into
        if error.code == INTERRUPTED and isinstance(
            getattr(error.__context__, "__cause__", None), KeyboardInterrupt
        ):
            fail_interrupted()
        raise
    except Exception as error:
        if os.environ.get("TRACTION_DEBUG"):
            raise
        fail(
            f"{type(error).__name__}: {error}. This is a bug in Traction; TRACTION_DEBUG=1 prints the "
            "traceback.",
            FAULT,
        )


def _show_compiling() -> None:
    """Show the message of the compiler; above a bar, where there is one."""

    class OnTerminal(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            from rich.console import Console

            text = fit(record.getMessage(), columns_of(sys.stderr))
            Console(stderr=True, soft_wrap=True).print(text, style="dim", markup=False)

    logger = logging.getLogger("traction.compiled")
    logger.handlers[:] = [OnTerminal()]
    logger.propagate = False
