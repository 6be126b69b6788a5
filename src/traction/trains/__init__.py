"""What crosses a bridge: descriptions of vehicles, trains, speed, irregularity and the bridge.

`vehicle` has wheels and vehicles; `train` arranges them, or forces, one behind the other, and has standard
trains; `travel` is speed over time, `drive` describes driving and braking, also through a `shaft`;
`irregularity` is the shape of the rail and `bridge` the beam with its material.
"""
