"""Measures that tests share."""

import numpy as np


def observed_order(sizes, errors):
    """Least-squares slope of log(error) over log(size)."""
    return float(np.polyfit(np.log(sizes), np.log(errors), 1)[0])
