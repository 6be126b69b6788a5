"""Bodies that fall on elastic ground and bounce.

`bounce` checks its arguments and builds a `falling_body` with a contact law, by Hertz for shapes that he
can describe; `falling_force` is weight and contact force as the integrators call it, compiled for power
laws; `integrate` marches; `BounceHistory` is the result.
"""
