"""Influence of a uniform traction on a quarter plane at its corner, for many corners at a time.

Its primitives need two logarithms each, most of what near fields cost. Here they are sums of powers,
so that the processor takes several corners at once; a call of the usual function would end that.

Units: primitives have that of the coordinates x and y, which are in elements.
"""

import math

import numpy as np

from traction.compiled import kernel

MANTISSA_BITS = np.int64(52)
ROOT_OF_HALF = np.int64(0x3FE6A09E667F3BCD)  #: as the bits of a number
LARGE, LARGE_BITS = 6755399441055744.0, np.int64(0x4338000000000000)  #: 1.5 2^52: its last bits count in ones
LOG_2 = 0.6931471805599453
TINY = 1e-290  #: stands for a distance of 0, whose logarithm is multiplied by 0


@kernel(checked=False)
def logarithm(x):
    """Natural logarithm of a positive number, to rounding.

    x = 2^e m with m between the roots of 1/2 and 2, and log m = 2 artanh f with f = (m - 1)/(m + 1).
    """
    bits = np.float64(x).view(np.int64)
    e = (bits - ROOT_OF_HALF) >> MANTISSA_BITS
    m = np.int64(bits - (e << MANTISSA_BITS)).view(np.float64)
    exponent = np.int64(e + LARGE_BITS).view(np.float64) - LARGE  # that of e as a number
    f = (m - 1.0) / (m + 1.0)
    s = f * f
    p = 2.0 / 21.0
    p = p * s + 2.0 / 19.0
    p = p * s + 2.0 / 17.0
    p = p * s + 2.0 / 15.0
    p = p * s + 2.0 / 13.0
    p = p * s + 2.0 / 11.0
    p = p * s + 2.0 / 9.0
    p = p * s + 2.0 / 7.0
    p = p * s + 2.0 / 5.0
    p = p * s + 2.0 / 3.0
    return exponent * LOG_2 + (2.0 * f + f * s * p)


@kernel(checked=False)
def corners(x, y, count, plane, values):
    """Primitives of x^2/r^3, y^2/r^3 and x y/r^3 over x and y > 0, at so many corners; (3, count).

    In plane strain they are half of those of a strip, and y is the reference length.
    """
    xx, yy, xy = values[0], values[1], values[2]
    if plane:
        for i in range(count):
            xx[i], yy[i], xy[i] = x[i], x[i] * logarithm(y[i] / max(abs(x[i]), TINY)), 0.0
        return
    for i in range(count):
        a, b = x[i], y[i]
        size, r = abs(a), math.sqrt(a * a + b * b)
        along = b * logarithm((size + r) / b)
        xx[i] = along if a >= 0.0 else -along
        yy[i] = a * logarithm((b + r) / max(size, TINY))
        xy[i] = -r
