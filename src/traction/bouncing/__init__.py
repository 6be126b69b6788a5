"""Bodies that fall on elastic ground and bounce.

`bounce` checks its arguments and makes a `falling_body` with a contact law (`paraboloid`: what Hertz can
describe); `falling_force` is weight and contact as the integrators take
them, compiled for power laws; `integrate` marches; `BounceHistory` is the result.
"""
