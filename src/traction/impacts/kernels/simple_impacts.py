"""Impacts by simple methods in compiled code: modes under a half sine in closed form, and small increments.

Units: SI; modal coordinates in m sqrt(kg), shapes of modes in 1/sqrt(kg), forces in N, times in s.
"""

import cmath
import math

import numpy as np

from traction.beams.kernels.oscillator import COUNT, respond
from traction.compiled import kernel
from traction.laws.kernels.law_values import REMEMBERED, contact_force

NEAR = 1e-7  #: a frequency that near to that of the sine is moved off it, relative to it


@kernel
def _off_resonance(omega, rate, W):
    """The frequency, or one beside that of the sine where both are equal."""
    if abs(omega - W) <= NEAR * W and rate <= NEAR * W:
        return W * (1.0 + NEAR)
    return omega


@kernel
def _under_sine(omega, rate, W, t, out):
    """Place and speed at t of q'' + c q' + omega^2 q = sin(W t) from rest."""
    A = 1.0 / complex(omega * omega - W * W, rate * W)
    respond(omega, rate, t, out)
    turning = A * cmath.exp(complex(0.0, W * t))
    q0, v0 = -A.imag, -W * A.real
    place = turning.imag + q0 * (out[0] + rate * out[1]) + v0 * out[1]
    speed = W * turning.real + v0 * out[0] - omega * omega * q0 * out[1]
    return place, speed


@kernel
def approach_loss(point, duration, times):
    """What the approach loses at times per newton of the half sine's amplitude, m/N; also after its end."""
    modes = point.modes
    W = math.pi / duration
    found, out = np.zeros(times.size), np.empty(COUNT)
    for i in range(times.size):
        # a half sine is a sine from 0 on plus a sine from its end on
        for part in range(2):
            t = times[i] - part * duration
            if t <= 0.0:
                continue
            sine, versine = math.sin(W * t), 1.0 - math.cos(W * t)
            found[i] += (t - sine / W) / (W * point.mass) + point.mobility * versine / W
            found[i] += point.residual * sine
            for m in range(modes.shape[0]):
                omega = _off_resonance(modes[m, 0], modes[m, 1], W)
                place, _ = _under_sine(omega, modes[m, 1], W, t, out)
                found[i] += modes[m, 2] ** 2 * place
    return found


@kernel
def work_taken(point, duration):
    """Work (J) of a half sine of 1 N on the structure.

    Of a mode it is -phi W Re Q; Q = int q exp(-i W t) dt follows from the equation of motion.
    """
    modes = point.modes
    W = math.pi / duration
    total, out = 0.5 * point.mobility * duration, np.empty(COUNT)
    for m in range(modes.shape[0]):
        rate = modes[m, 1]
        omega = _off_resonance(modes[m, 0], rate, W)
        place, speed = _under_sine(omega, rate, W, duration, out)
        above = complex(0.0, -0.5 * duration) + speed + complex(rate, W) * place
        Q = above / complex(omega * omega - W * W, rate * W)
        total -= modes[m, 2] ** 2 * W * Q.real
    return total


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
