"""What crosses a bridge, described: it never moves here.

`vehicle` has wheels and vehicles; `train` puts them, or forces, one behind the other, and has standard ones;
`travel` is speed over time, `drive` what drives or brakes; `irregularity` is the shape of the rail and
`bridge` the beam with its material.
"""
