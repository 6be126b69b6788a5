"""Members whose bounds and slips follow from their own solution: friction laws, fields, unlike bodies.

`member_friction` reads what is given for each member; `member_splitting` iterates for those with bounds of
their own, and lets bounds by laws follow the slip. For unlike bodies `pressure_turns` solves pressure and
tractions in turns.
"""
