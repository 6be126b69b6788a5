"""Kinematics of wheelsets in compiled code.

`touching` finds where both wheels touch their rails at a lateral shift without yaw: the roll angle at which
the lowest distances of both are zero.
"""
