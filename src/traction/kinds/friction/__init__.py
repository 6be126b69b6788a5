"""What the kinds shift, steady, creep-table and roll share beside their schemas (`tables.friction_tables`).

`friction_fields` names what samples hold, `friction_stepper` presses the bodies of each step,
`stored_friction` restores contacts from stored tractions, `friction_report` has the tables and figures.
"""
