"""The command line: `traction`, also as `python -m traction`.

options             arguments and options that several commands share, and their completion
output              text that fits the terminal, JSON for programs, errors; what a command ends with
scenario_commands   new, validate, schema
stopping            what Ctrl-C and SIGTERM do
run_commands        run, sweep, resume, report, studio
check_commands      verify, warmup, info
main                the application; every error that a user can cause is a sentence and an exit code
"""

from traction.cli.main import main
from traction.cli.output import BAD_INPUT, FAULT, INTERRUPTED, MISSED, NOT_CONVERGED

__all__ = ["BAD_INPUT", "FAULT", "INTERRUPTED", "MISSED", "NOT_CONVERGED", "main"]
