"""The command line: `traction`, also as `python -m traction`.

exit_codes          what a command ends with
options             arguments and options that several commands share, and their completion
output              text that fits the terminal, JSON for programs, errors
scenario_commands   new, validate, schema
stopping            what Ctrl-C and SIGTERM do
run_commands        run, sweep, resume, report
sweep_command       options of sweep about samples and engines
check_commands      verify, warmup, info
main                the application; every error that a user can cause is a sentence and an exit code
"""

from traction.cli.exit_codes import BAD_INPUT, FAULT, INTERRUPTED, MISSED, NOT_CONVERGED
from traction.cli.main import main

__all__ = ["BAD_INPUT", "FAULT", "INTERRUPTED", "MISSED", "NOT_CONVERGED", "main"]
