"""Elements across the patches of a contact: whether a grid resolves them."""

from __future__ import annotations

import numpy as np
from scipy import ndimage

CARRYING = 0.1  #: share of the force, from which a patch of several counts
TOUCHING = np.ones((3, 3), dtype=bool)  #: elements that share a corner belong to one patch


def count_across(pressure: np.ndarray) -> int:
    """Elements across the narrower direction of the patches that carry much, where they are widest.

    The width at an element is the shorter of the runs of elements in contact through it along x and y; a
    strip that lies across the grid has many rows and columns, but short runs. A line contact has one row.
    """
    contact = pressure > 0.0
    if not contact.any():
        return 0
    along = _runs(contact)
    width = along if pressure.shape[0] == 1 else np.minimum(along, _runs(contact.T).T)
    patches, count = ndimage.label(contact, TOUCHING)
    if count == 1:
        return int(width.max())
    share = np.bincount(patches.ravel(), pressure.ravel())[1:] / pressure.sum()
    widest = np.zeros(count + 1, dtype=np.int64)
    np.maximum.at(widest, patches, width)
    much = share >= min(CARRYING, float(share.max()))
    return int(widest[1:][much].min())


def _runs(contact: np.ndarray) -> np.ndarray:
    """Length of the run along the last axis that each element belongs to, 0 outside of the contact."""
    rows, columns = contact.shape
    padded = np.zeros((rows, columns + 2), dtype=np.int8)
    padded[:, 1:-1] = contact
    edges = padded[:, 1:] - padded[:, :-1]
    row, start = np.nonzero(edges == 1)
    end = np.nonzero(edges == -1)[1]
    lengths = np.zeros((rows, columns + 1), dtype=np.int64)
    lengths[row, start] = end - start  # where runs end is outside of them, so no place is met twice
    lengths[row, end] = start - end
    return np.cumsum(lengths, axis=1)[:, :columns]
