"""F = k delta^n in compiled code: the only place where the power law, and with it Hertz's, is written.

Units: SI; approaches in m, forces in N, stiffnesses in N/m, energies in J.
"""

import math

from traction.compiled import kernel


@kernel
def power_response(coefficient, exponent, depth):
    """Force k delta^n, stiffness n F/delta and energy F delta/(n + 1); nothing before the first touch."""
    if depth <= 0.0:
        return 0.0, 0.0, 0.0
    force = coefficient * depth**exponent
    return force, exponent * force / depth, force * depth / (exponent + 1.0)


@kernel
def hertz_mean(coefficient, start, end):
    """Mean of k max(0, d)^(3/2) between two approaches, and its derivative by the second.

    Where both touch, the roots a and b of the approaches give (2k/5) (a^5 - b^5)/(a^2 - b^2) without
    cancellation.
    """
    if start <= 0.0 and end <= 0.0:
        return 0.0, 0.0
    if start <= 0.0 or end <= 0.0:
        _, _, energy = power_response(coefficient, 1.5, max(start, end))
        mean = energy / abs(end - start)
        force, _, _ = power_response(coefficient, 1.5, end)
        return mean, (force - mean) / (end - start)
    a, b = math.sqrt(end), math.sqrt(start)
    mean = 0.4 * coefficient * (a**4 + a**3 * b + a * a * b * b + a * b**3 + b**4) / (a + b)
    return mean, 0.2 * coefficient * (3.0 * a**3 + 6.0 * a * a * b + 4.0 * a * b * b + 2.0 * b**3) / (
        a + b
    ) ** 2
