"""Radau IA of order 5 (Ehle 1969; Hairer, Wanner, Solving ODEs II, table 5.3); Radau5 in de Looij (2015)."""

from __future__ import annotations

import math

from traction.integrators.methods.runge_kutta import RadauMethod, make_tableau

S = math.sqrt(6.0)


class RadauIA(RadauMethod):
    """Three stages at 0, (6 - sqrt 6)/10 and (6 + sqrt 6)/10 of the step."""

    name = "radau-ia"
    summary = "implicit, three stages, L-stable (Ehle 1969)"
    tableau = make_tableau(
        [
            [1.0 / 9.0, (-1.0 - S) / 18.0, (-1.0 + S) / 18.0],
            [1.0 / 9.0, 11.0 / 45.0 + 7.0 * S / 360.0, 11.0 / 45.0 - 43.0 * S / 360.0],
            [1.0 / 9.0, 11.0 / 45.0 + 43.0 * S / 360.0, 11.0 / 45.0 - 7.0 * S / 360.0],
        ],
        [1.0 / 9.0, 4.0 / 9.0 + S / 36.0, 4.0 / 9.0 - S / 36.0],
    )
