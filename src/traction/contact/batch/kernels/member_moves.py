"""Members of a batch between the steps of the splitting: extrapolated, and copied where they go.

Units: fields are those of `splitting_steps`, pure numbers.
"""

from typing import NamedTuple

import numpy as np

from traction.compiled import kernel

SMALLEST, LARGEST = 1e-280, 1e280  #: sums of squares beyond which nothing is extrapolated
RIDGE = 1e-9  #: added to the normal equations of an extrapolation, of their trace


class MemberFields(NamedTuple):
    """Fields of members in sectors, as they are after a check."""

    z: np.ndarray
    x: np.ndarray
    held: np.ndarray  #: empty for whole cells, as the next
    centred: np.ndarray
    shares: np.ndarray  #: that x asks for, (2, members, ne)


class EndedMembers(NamedTuple):
    """What is kept of members that have converged, in the order of all members."""

    creepage: np.ndarray
    sticks: np.ndarray
    glides: np.ndarray
    x: np.ndarray


@kernel
def extrapolate(elements, members, changes, z):
    """Extrapolate z from its changes in four steps, (4, ns, members, 2 h), the last of which led to it.

    Of the sums with weights 1 of these changes the least one says where they end (reduced rank
    extrapolation; Sidi, Vector Extrapolation Methods, 2017): exactly, if a step were linear in three
    directions. Where it is not, the steps that follow converge from any z.
    """
    weights = np.empty(3)
    for m in range(z.shape[1]):
        _end_changes(changes, m, weights, z)


@kernel(inlined=True)
def _end_changes(changes, m, weights, fields):
    """Move the fields of a member to where their changes end."""
    _weigh_changes(changes, m, weights)
    a, b, c = weights
    for s in range(fields.shape[0]):
        for i in range(fields.shape[2]):
            fields[s, m, i] -= a * changes[1, s, m, i] + b * changes[2, s, m, i] + c * changes[3, s, m, i]


@kernel
def _weigh_changes(changes, m, weights):
    """Weights w of changes f_1 to f_3 for which f_3 - sum w_i (f_i - f_{i-1}) is least."""
    normal, right = np.zeros((3, 3)), np.zeros(3)
    for s in range(changes.shape[1]):
        for i in range(changes.shape[3]):
            last = np.float64(changes[3, s, m, i])
            d = (
                changes[1, s, m, i] - np.float64(changes[0, s, m, i]),
                changes[2, s, m, i] - np.float64(changes[1, s, m, i]),
                last - changes[2, s, m, i],
            )
            for j in range(3):
                right[j] += d[j] * last
                for k in range(j + 1):
                    normal[j, k] += d[j] * d[k]
    _solve_three(normal, right, weights)


@kernel
def _solve_three(normal, right, weights):
    """Solve three normal equations, given by their lower half, with a ridge; zero if they are not numbers."""
    ridge = RIDGE * (normal[0, 0] + normal[1, 1] + normal[2, 2])
    weights[:] = 0.0
    if not SMALLEST < ridge < LARGEST:
        return
    p = normal[0, 0] + ridge
    u, v = normal[1, 0] / p, normal[2, 0] / p
    q = max(normal[1, 1] - u * normal[1, 0], 0.0) + ridge
    w = (normal[2, 1] - u * normal[2, 0]) / q
    r = max(normal[2, 2] - v * normal[2, 0] - w * w * q, 0.0) + ridge
    second = right[1] - u * right[0]
    weights[2] = (right[2] - v * right[0] - w * second) / r
    weights[1] = second / q - w * weights[2]
    weights[0] = right[0] / p - u * weights[1] - v * weights[2]


@kernel
def extrapolate_increments(elements, members, changes, increments):
    """As `extrapolate`, for increments."""
    weights = np.empty(3)
    for m in range(increments.shape[1]):
        _end_changes(changes, m, weights, increments)


@kernel
def part(elements, members, fields, place, sizes, kept, kept_fields, ended):
    """Copy members and their fields to where they go.

    place: number of each among those that stay; or -1 minus its number among all, where it has ended.
    sizes: how many stay, and how many there are in all.
    """
    covered = members.sticks.size > 0
    for m in range(place.size):
        to = place[m]
        if to >= 0:
            kept.kind[to] = members.kind[m]
            _copy_row(members.creepage, m, kept.creepage, to)
            _copy_row(members.force, m, kept.force, to)
            _copy_rows(fields.z, m, kept_fields.z, to)
            _copy_rows(fields.x, m, kept_fields.x, to)
        else:
            _copy_row(members.creepage, m, ended.creepage, -1 - to)
            _copy_rows(fields.x, m, ended.x, -1 - to)
        if covered and to >= 0:
            _copy_row(members.sticks, m, kept.sticks, to)
            _copy_row(members.glides, m, kept.glides, to)
            _copy_rows(fields.held, m, kept_fields.held, to)
            _copy_rows(fields.centred, m, kept_fields.centred, to)
            _copy_rows(fields.shares, m, kept_fields.shares, to)
        elif covered:
            _copy_row(members.sticks, m, ended.sticks, -1 - to)
            _copy_row(members.glides, m, ended.glides, -1 - to)


@kernel
def _copy_row(table, m, result, to):
    for i in range(table.shape[1]):
        result[to, i] = table[m, i]


@kernel
def _copy_rows(field, m, result, to):
    for s in range(field.shape[0]):
        for i in range(field.shape[2]):
            result[s, to, i] = field[s, m, i]
