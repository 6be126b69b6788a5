"""The small-increment march in compiled code.

Units: SI; forces in N, times in s, displacements in m.
"""

import numpy as np

from traction.beams.kernels.oscillator import COUNT, respond
from traction.compiled import kernel
from traction.laws.kernels.law_values import REMEMBERED, contact_force


@kernel
def march_increments(point, law, speed, h, n):
    """Forces of n equal increments, each constant and by the contact law at the end of its increment."""
    modes = point.modes
    count = modes.shape[0]
    responses = np.empty((count, COUNT))
    flexibility = 0.5 * h * h / point.mass + point.mobility * h + point.residual
    for m in range(count):
        respond(modes[m, 0], modes[m, 1], h, responses[m])
        flexibility += modes[m, 2] ** 2 * responses[m, 2]
    q, v = np.zeros(count), np.zeros(count)
    z, rate, impulse = 0.0, speed, 0.0
    forces, memory = np.zeros(n), np.zeros(REMEMBERED)
    for i in range(n):
        z += h * (rate + 0.5 * h * point.gravity)
        rate += h * point.gravity
        approach = z - point.mobility * impulse
        for m in range(count):
            out, omega, c = responses[m], modes[m, 0], modes[m, 1]
            place = q[m] * (out[0] + c * out[1]) + v[m] * out[1]
            v[m] = v[m] * out[0] - omega * omega * q[m] * out[1]
            q[m] = place
            approach -= modes[m, 2] * place
        force = solve_force(law, memory, approach, flexibility)
        forces[i] = force
        if force == 0.0:
            continue
        z -= 0.5 * h * h * force / point.mass
        rate -= h * force / point.mass
        impulse += h * force
        for m in range(count):
            q[m] += modes[m, 2] * force * responses[m, 2]
            v[m] += modes[m, 2] * force * responses[m, 1]
    return forces


@kernel
def solve_force(law, memory, approach, flexibility):
    """The force f = F(approach - flexibility f), by bisection of the approach and Newton's steps inside."""
    if approach <= 0.0:
        return 0.0
    low, high = 0.0, approach
    depth = 0.5 * approach
    for _ in range(200):
        force, slope, _ = contact_force(law, memory, depth, 0.0)
        miss = depth + flexibility * force - approach
        if miss > 0.0:
            high = depth
        else:
            low = depth
        trial = depth - miss / (1.0 + flexibility * slope)
        if not low < trial < high:
            trial = 0.5 * (low + high)
        if abs(trial - depth) <= 1e-15 * approach:
            depth = trial
            break
        depth = trial
    return contact_force(law, memory, depth, 0.0)[0]
