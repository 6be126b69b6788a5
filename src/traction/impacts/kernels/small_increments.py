"""The small-increment march in compiled code."""

import numpy as np

from traction.beams.kernels.oscillator import COUNT, respond
from traction.compiled import kernel
from traction.impacts.kernels.collocation_step import GRAVITY, MASS, MOBILITY, RESIDUAL
from traction.laws.kernels.law_values import REMEMBERED, contact_force


@kernel
def increments(structure, law, speed, h, n):
    """Forces of n equal increments, each constant and by the contact law at the end of its increment."""
    modes, body = structure
    count = modes.shape[0]
    answers = np.empty((count, COUNT))
    yielding = 0.5 * h * h / body[MASS] + body[MOBILITY] * h + body[RESIDUAL]
    for m in range(count):
        respond(modes[m, 0], modes[m, 1], h, answers[m])
        yielding += modes[m, 2] ** 2 * answers[m, 2]
    q, v = np.zeros(count), np.zeros(count)
    z, rate, impulse = 0.0, speed, 0.0
    forces, memory = np.zeros(n), np.zeros(REMEMBERED)
    for i in range(n):
        z += h * (rate + 0.5 * h * body[GRAVITY])
        rate += h * body[GRAVITY]
        approach = z - body[MOBILITY] * impulse
        for m in range(count):
            out, omega, c = answers[m], modes[m, 0], modes[m, 1]
            place = q[m] * (out[0] + c * out[1]) + v[m] * out[1]
            v[m] = v[m] * out[0] - omega * omega * q[m] * out[1]
            q[m] = place
            approach -= modes[m, 2] * place
        force = solve_force(law, memory, approach, yielding)
        forces[i] = force
        if force == 0.0:
            continue
        z -= 0.5 * h * h * force / body[MASS]
        rate -= h * force / body[MASS]
        impulse += h * force
        for m in range(count):
            q[m] += modes[m, 2] * force * answers[m, 2]
            v[m] += modes[m, 2] * force * answers[m, 1]
    return forces


@kernel
def solve_force(law, memory, approach, yielding):
    """The force f = F(approach - yielding f), by bisection of the approach and Newton's steps inside."""
    if approach <= 0.0:
        return 0.0
    low, high = 0.0, approach
    depth = 0.5 * approach
    for _ in range(200):
        force, slope, _ = contact_force(law, memory, depth, 0.0)
        miss = depth + yielding * force - approach
        if miss > 0.0:
            high = depth
        else:
            low = depth
        trial = depth - miss / (1.0 + yielding * slope)
        if not low < trial < high:
            trial = 0.5 * (low + high)
        if abs(trial - depth) <= 1e-15 * approach:
            depth = trial
            break
        depth = trial
    return contact_force(law, memory, depth, 0.0)[0]
