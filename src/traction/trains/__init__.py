"""What crosses a bridge, described: it never moves here.

`force`, `wheel` and `vehicle` are what runs; `train` puts them one behind the other, and has
standard ones; `travel` is speed over time, `drive` what drives or brakes; `irregularity` is the shape of the
rail and `bridge` the beam with its material.
"""
