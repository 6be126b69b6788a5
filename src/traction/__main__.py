"""`python -m traction`."""

from traction_command import main

main()
