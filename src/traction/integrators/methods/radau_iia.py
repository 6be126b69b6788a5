"""Radau IIA of order 5 (Ehle 1969; Hairer, Wanner, Solving ODEs II, table 5.6; de Looij 2015)."""

from __future__ import annotations

import math

from traction.integrators.methods.runge_kutta import RadauMethod, make_tableau

S = math.sqrt(6.0)


class RadauIIA(RadauMethod):
    """Collocation at (4 - sqrt 6)/10, (4 + sqrt 6)/10 and 1; the last stage is the end of the step."""

    name = "radau-iia"
    summary = "implicit, three stages, L-stable and stiffly accurate (Ehle 1969)"
    tableau = make_tableau(
        [
            [(88.0 - 7.0 * S) / 360.0, (296.0 - 169.0 * S) / 1800.0, (-2.0 + 3.0 * S) / 225.0],
            [(296.0 + 169.0 * S) / 1800.0, (88.0 + 7.0 * S) / 360.0, (-2.0 - 3.0 * S) / 225.0],
            [(16.0 - S) / 36.0, (16.0 + S) / 36.0, 1.0 / 9.0],
        ],
        [(16.0 - S) / 36.0, (16.0 + S) / 36.0, 1.0 / 9.0],
    )
