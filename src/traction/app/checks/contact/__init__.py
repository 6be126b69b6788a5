"""Rows of `traction verify` on contacts: at rest, rolling and hot, of their tables, and of wheels on rails.

`normal_checks` come first, since all others stand on the pressure; then `friction_checks`,
`friction_law_checks` and `temperature_checks`; quick theories and creep tables are compared with these,
exports with the tables; `wheelset_checks` are of whole wheels on rails.
"""
