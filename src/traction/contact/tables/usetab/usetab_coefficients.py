"""Creep coefficients that scale the creepages of a USETAB file: Kalker's printed table, three digits.

Table E.3 of Kalker, Three-Dimensional Elastic Bodies in Rolling Contact (1990), as CONTACT's program
`usetab_table` reads it: linear between its rows over g, the ratio of the shorter semi-axis to the longer,
1/C a parabola over Poisson's ratio, and asymptotes below g = 0.101. These numbers only say at which creepages
the forces of a file were computed, so they have to be the same in whatever reads and writes it, misprint
included (0.8, a < b: C23 = 1.15 at nu = 0.25, where Kalker prints 1.25).
"""

from __future__ import annotations

import math

import numpy as np

LEAST_TABULATED = 0.101  #: g below which the coefficients are asymptotes
POISSON_RATIO = 0.28  #: of the files that CONTACT writes

#: C11, C22, C23, each at Poisson's ratios 0, 1/4 and 1/2; rows g = 0.1, 0.2, ... 1
_SHORT_ALONG_X = """
2.51 3.31 4.85  2.51 2.52 2.53  .334 .473 .731
2.59 3.37 4.81  2.59 2.63 2.66  .483 .603 .809
2.68 3.44 4.80  2.68 2.75 2.81  .607 .715 .889
2.78 3.53 4.82  2.78 2.88 2.98  .720 .823 .977
2.88 3.62 4.83  2.88 3.01 3.14  .827 .929 1.07
2.98 3.72 4.91  2.98 3.14 3.31  .930 1.03 1.18
3.09 3.81 4.97  3.09 3.28 3.48  1.03 1.14 1.29
3.19 3.91 5.05  3.19 3.41 3.65  1.13 1.15 1.40
3.29 4.01 5.12  3.29 3.54 3.82  1.23 1.36 1.51
3.40 4.12 5.20  3.40 3.67 3.98  1.33 1.47 1.63
"""
_LONG_ALONG_X = """
10.7 11.7 12.9  10.7 12.8 16.0  12.2 14.6 18.0
6.96 7.78 8.82  6.96 8.14 9.79  5.72 6.63 7.89
5.57 6.34 7.34  5.57 6.40 7.51  3.79 4.32 5.01
4.84 5.57 6.57  4.84 5.48 6.31  2.88 3.24 3.70
4.37 5.10 6.11  4.37 4.90 5.56  2.35 2.62 2.96
4.06 4.78 5.80  4.06 4.50 5.04  2.01 2.23 2.50
3.82 4.54 5.58  3.82 4.21 4.67  1.76 1.95 2.18
3.65 4.36 5.42  3.65 3.99 4.39  1.58 1.75 1.94
3.51 4.22 5.30  3.51 3.81 4.16  1.44 1.59 1.77
3.40 4.12 5.20  3.40 3.67 3.98  1.33 1.47 1.63
"""


def read_printed_coefficients(ratio: float, poisson_ratio: float = POISSON_RATIO) -> np.ndarray:
    """C11, C22 and C23 of Kalker's printed table at a/b, (3,)."""
    g, nu = min(ratio, 1.0 / ratio), poisson_ratio
    if g < LEAST_TABULATED:
        return np.array(_short_limits(g, nu) if ratio <= 1.0 else _long_limits(g, nu))
    # single precision numbers of the program: its constants have no more digits
    rows = np.array((_SHORT_ALONG_X if ratio <= 1.0 else _LONG_ALONG_X).split(), dtype=np.float32)
    table = rows.astype(float).reshape(10, 3, 3)
    row = int(10.0 * g - 0.005)
    share = 10.0 * g - row
    at_zero, at_quarter, at_half = ((1.0 - share) * table[row - 1] + share * table[row]).T
    return 1.0 / (
        8.0 * (nu - 0.25) * (nu - 0.5) / at_zero
        - 16.0 * nu * (nu - 0.5) / at_quarter
        + 8.0 * nu * (nu - 0.25) / at_half
    )


def _short_limits(g: float, nu: float) -> tuple[float, float, float]:
    """Coefficients of an ellipse that is short along x, a/b -> 0."""
    c22 = 0.25 * math.pi**2
    c23 = math.pi * math.sqrt(g) / (3.0 * (1.0 - nu)) * (1.0 + nu * (math.log(16.0 / g) - 5.0))
    return c22 / (1.0 - nu), c22, c23


def _long_limits(g: float, nu: float) -> tuple[float, float, float]:
    """Coefficients of an ellipse that is long along x, b/a -> 0."""
    slender, excess = math.log(16.0 / g**2), 3.0 - math.log(4.0)
    along, across = slender - 2.0 * nu, (1.0 - nu) * slender + 2.0 * nu
    c11 = 2.0 * math.pi / (g * along) * (1.0 + excess / along)
    c22 = 2.0 * math.pi / (g * across) * (1.0 + (1.0 - nu) * excess / across)
    c23 = 2.0 * math.pi / (3.0 * g**1.5 * ((1.0 - nu) * slender - 2.0 + 4.0 * nu))
    return c11, c22, c23
