"""`python -m traction`."""

from traction.cli import main

main()
