"""Work of the drive that keeps the speed of a train, along the slopes of a vibrating beam.

Units: SI; work in J, forces in N, slopes in rad, modal coordinates in m sqrt(kg).
"""

import numpy as np

from traction.compiled import kernel
from traction.crossing.bridge_models.kernels.mode_shapes import segment_of, two_slopes


@kernel
def end_rates(bridge, cars, way, step, end, state, rates):
    """At one end of a step: power of the drive and its rate, F V (r' - w') without the rail's part.

    `rates` (2,) gets their sums over the wheels under the mean forces of the step; `way` also has
    accelerations.
    """
    n = step + end
    V, A = way.speed[n], way.acceleration[n]
    rates[:] = 0.0
    for k in range(cars.owner.size):
        place = way.place[n] - cars.behind[k]
        middle = 0.5 * (way.place[step] + way.place[step + 1]) - cars.behind[k]
        segment = segment_of(bridge.ends, middle)
        if segment < 0 or state.force[step, k] == 0.0:
            continue
        slope, bend, turn = 0.0, 0.0, 0.0
        for i in range(bridge.omega.size):
            _, one, two = two_slopes(bridge.shapes, bridge.tables, i, segment, place)
            slope += one * state.q[n, i]
            bend += two * state.q[n, i]
            turn += one * state.p[n, i]
        force = state.force[step, k] * state.share[step, k]
        rates[0] -= force * V * slope
        rates[1] -= force * (A * slope + V * V * bend + V * turn)


@kernel
def drive_work(bridge, cars, way, state, work):
    """Work of the drive along the slope of the beam in each step, by the corrected trapezoidal rule."""
    start, end = np.empty(2), np.empty(2)
    for n in range(way.t.size - 1):
        h = way.t[n + 1] - way.t[n]
        end_rates(bridge, cars, way, n, 0, state, start)
        end_rates(bridge, cars, way, n, 1, state, end)
        work[n] = 0.5 * h * (start[0] + end[0]) + h * h / 12.0 * (start[1] - end[1])
