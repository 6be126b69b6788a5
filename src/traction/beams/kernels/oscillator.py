"""The damped oscillator, exact: its free motion, and its motion under a force that is a polynomial of time.

X_k(t) is the response from rest of x'' + c x' + omega^2 x = t^k/k!. With the response g to an impulse,
X_-1 = g and X_-2 = g'; each X_k is the derivative of X_(k+1), whence
omega^2 X_k = t^k/k! - c X_(k-1) - X_(k-2). The free motion is x = (g' + c g) x0 + g v0.

Units: SI; omega in rad/s, damping rate c in 1/s, times in s, x in that of the force over omega^2.
"""

import math

import numpy as np

from traction.compiled import kernel

COUNT = 6  #: X_-2 to X_3
SERIES_PHASE, SERIES_DECAY = 2.0, 6.0  #: largest omega t and c t of the power series
SERIES_TERMS = 60
OVERDAMPED = 3.0  #: damping ratio from which two decays differ without loss of digits
INVERSE_FACTORIALS = np.array([1.0 / math.factorial(n) for n in range(SERIES_TERMS + COUNT)])


@kernel
def respond(omega, rate, t, out):
    """X_-2, X_-1, X_0, ..., X_3 at time t of an oscillator of frequency omega and damping rate c.

    The first two, by which it moves freely, hold before t = 0 as well.
    """
    x, y = omega * t, rate * t
    if abs(x) < SERIES_PHASE and abs(y) < SERIES_DECAY:
        _series(x * x, y, out)
        scale = 1.0
        for k in range(COUNT):
            out[k] *= scale
            scale *= t
    elif rate > 2.0 * OVERDAMPED * omega:
        _two_decays(omega, rate, t, out)
    else:
        _recurrence(omega, rate, t, out)


@kernel
def move_freely(omega, rate, start, t, q, v):
    """q and v = q' (times, oscillators) at times t after a `start` (2, oscillators), without a force."""
    out = np.empty(COUNT)
    for n in range(t.size):
        for i in range(omega.size):
            respond(omega[i], rate[i], t[n], out)
            q[n, i] = start[0, i] * (out[0] + rate[i] * out[1]) + start[1, i] * out[1]
            v[n, i] = start[1, i] * out[0] - omega[i] * omega[i] * start[0, i] * out[1]


@kernel
def _series(square, y, out):
    """X_k / t^(k+2) = sum of b_n/(n + k + 2)! with b_n = -y b_(n-1) - x^2 b_(n-2)."""
    before, term = 0.0, 1.0
    for k in range(COUNT):
        out[k] = 0.0
    for n in range(SERIES_TERMS):
        for k in range(COUNT):
            out[k] += term * INVERSE_FACTORIALS[n + k]
        before, term = term, -y * term - square * before
        if (abs(term) + abs(before)) * INVERSE_FACTORIALS[n + 1] < 1e-18:
            return


@kernel
def _recurrence(omega, rate, t, out):
    # X_-2, ..., X_3 from the closed form of the free motion, each from the two before; for large omega t
    half = 0.5 * rate * t
    square = (omega * t) ** 2 - half * half
    if square > 1e-8:
        angle = math.sqrt(square)
        decay = math.exp(-half) if half != 0.0 else 1.0
        sine, cosine = decay * math.sin(angle) / angle, decay * math.cos(angle)
    elif square < -1e-8:
        angle = math.sqrt(-square)
        slow, fast = math.exp(angle - half), math.exp(-angle - half)
        sine, cosine = 0.5 * (slow - fast) / angle, 0.5 * (slow + fast)
    else:
        decay = math.exp(-half)
        sine, cosine = decay * (1.0 - square / 6.0), decay * (1.0 - square / 2.0)
    out[0] = cosine - half * sine
    out[1] = t * sine
    flexibility = 1.0 / (omega * omega)
    out[2] = (1.0 - rate * out[1] - out[0]) * flexibility
    out[3] = (t - rate * out[2] - out[1]) * flexibility
    out[4] = (t * t * 0.5 - rate * out[3] - out[2]) * flexibility
    out[5] = (t * t * t * (1.0 / 6.0) - rate * out[4] - out[3]) * flexibility


@kernel
def _two_decays(omega, rate, t, out):
    """(x' - a)(x' - b) with real a, b far apart: X_k is a difference of the responses of both factors."""
    half = 0.5 * rate
    b = -(half + math.sqrt(half * half - omega * omega))
    a = omega * omega / b
    ea, eb = math.exp(a * t), math.exp(b * t)
    out[0] = (a * ea - b * eb) / (a - b)
    out[1] = (ea - eb) / (a - b)
    slow, fast, power = ea, eb, 1.0
    for k in range(1, COUNT - 1):
        # t^k phi_k(a t) with phi_k(z) = (phi_(k-1) - 1/(k-1)!)/z
        fast = (fast - INVERSE_FACTORIALS[k - 1]) / (b * t)
        slow = _phi(k, a * t)
        power *= t
        out[k + 1] = power * (slow - fast) / (a - b)


@kernel
def _phi(k, z):
    """phi_k(z), the sum of z^n/(n + k)!, for k from 1 on and z of at most zero."""
    if z > -2.0:
        total, power = 0.0, 1.0
        for n in range(SERIES_TERMS - 1):
            total += power * INVERSE_FACTORIALS[n + k]
            power *= z
            if abs(power) * INVERSE_FACTORIALS[n + k + 1] < 1e-18:
                break
        return total
    value = math.exp(z)
    for j in range(k):
        value = (value - INVERSE_FACTORIALS[j]) / z
    return value
