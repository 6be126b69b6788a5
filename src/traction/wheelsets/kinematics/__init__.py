"""How a rigid wheelset runs along a track: no forces, both wheels touch.

`contact_functions` are radii, angles, roll and height over the lateral shift; the `restoring_function`
follows from the difference of radii, `conicity` (EN 15302) and the `kinematic_wave` from that.
"""
