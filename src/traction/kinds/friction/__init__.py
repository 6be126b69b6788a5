"""Kinds "shift", "steady", "creep-table" and "roll": pressed bodies that move over each other with friction.

`schema` describes and checks cases and their steps. `run` presses the bodies of each step and moves them;
samples hold the `friction_fields`, and states what `stored_friction` restores. `report` reads them, with the
figures of `friction_figures`.
"""
