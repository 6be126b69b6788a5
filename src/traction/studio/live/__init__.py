"""What is dragged, solved by public functions: `drags` names the drags, and finds the module of each.

`rolling_patch`, `creep_curve`, `wheelset_position`, `train_speed` and `friction_curve` take parameters
within limits.
"""
