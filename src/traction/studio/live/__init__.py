"""What is dragged, solved by public functions: `drag_list` names the drags, `drags` finds the module of each.

`rolling_patch`, `creep_curve`, `wheelset_position`, `train_speed` and `friction_curve` take `parameters`
within limits.
"""
