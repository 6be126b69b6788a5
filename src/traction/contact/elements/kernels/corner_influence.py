"""Influence of a uniform traction on a quarter plane at its corner, for many corners at a time.

Its primitives need two logarithms each, most of what near fields cost. Here they are sums of powers,
so that the processor takes several corners at once; a call of the usual function would end that.

Units: primitives have that of the coordinates x and y, which are in elements.
"""

import math

import numpy as np

from traction.compiled import kernel

MANTISSA_BITS = np.int64(52)
HALF = np.int64(1 << 51)  #: as the bits of an exponent
LARGE, LARGE_BITS = 6755399441055744.0, np.int64(0x4338000000000000)  #: 1.5 2^52: its last bits count in ones
LOG_2 = 0.6931471805599453
TINY = 1e-290  #: stands for a distance of 0, whose logarithm is multiplied by 0


@kernel(checked=False)
def log_ratio(above, below):
    """Natural logarithm of the ratio of two positive numbers, to rounding.

    With `below` times 2^e near `above`, it is e log 2 + 2 artanh f, f = (above - below)/(above + below).
    The bits of a number count about like its logarithm to the base 2; so |f| stays below 0.2003.
    """
    bits = np.float64(below).view(np.int64)
    e = (np.float64(above).view(np.int64) - bits + HALF) >> MANTISSA_BITS
    near = np.int64(bits + (e << MANTISSA_BITS)).view(np.float64)
    exponent = np.int64(e + LARGE_BITS).view(np.float64) - LARGE  # that of e as a number
    f = (above - near) / (above + near)
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
            xx[i], yy[i], xy[i] = x[i], x[i] * log_ratio(y[i], max(abs(x[i]), TINY)), 0.0
        return
    for i in range(count):
        a, b = x[i], y[i]
        size, r = abs(a), math.sqrt(a * a + b * b)
        along = b * log_ratio(size + r, b)
        xx[i] = along if a >= 0.0 else -along
        yy[i] = a * log_ratio(b + r, max(size, TINY))
        xy[i] = -r
