"""Histories that a figure is given: their names, their contacts, and the times at which they are drawn."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from traction import checks
from traction.bouncing.bounce import BounceHistory
from traction.errors import InputError
from traction.integrators.history import ContactInterval, History

Histories = History | Sequence[History] | Mapping[str, History]
POINTS = 400  #: drawn times of a window, besides the steps
POINTS_PER_BOUNCE = 60


def name_histories(histories: Histories) -> dict[str, History]:
    """Histories by name; those of a list by method, numbered where that is not enough."""
    if isinstance(histories, Mapping):
        named = dict(histories)
    else:
        several = [histories] if isinstance(histories, History) else list(histories)
        names = [history.method for history in several]
        if len(set(names)) < len(names):
            names = [f"{i + 1}: {name}" for i, name in enumerate(names)]
        named = dict(zip(names, several, strict=True))
    if not named:
        raise InputError("histories is empty; give one, a list, or several by name.")
    for name, history in named.items():
        if history.q.ndim > 1:
            raise InputError(f"{name} has {history.q.shape[1]} coordinates; a height is one.")
    return named


def methods_of(named: Mapping[str, History]) -> list[str]:
    """The integration methods of histories."""
    return [history.method for history in named.values()]


def falling(name: str, history: History) -> BounceHistory:
    """A history of a falling body."""
    return checks.instance(name, history, BounceHistory, "give what tr.bounce returns.")


def contact_intervals(history: History) -> tuple[ContactInterval, ...]:
    """Contacts of a history; without located events between the steps where the height turns negative."""
    if history.contacts:
        return history.contacts
    t, q = history.t.tolist(), history.q
    turns = np.diff(np.concatenate([[0], (q < 0.0).astype(np.int8), [0]]))
    found = []
    for first, after in zip(np.flatnonzero(turns == 1), np.flatnonzero(turns == -1), strict=True):
        deepest = int(first + np.argmin(q[first:after]))
        end = t[after] if after < len(t) else math.nan
        found.append(ContactInterval(t[max(first - 1, 0)], end, t[deepest], -float(q[deepest])))
    return tuple(found)


def contact_of(history: History, contact: int) -> ContactInterval:
    """One contact, counted from 0."""
    found = contact_intervals(history)
    number = checks.count("contact", contact, 0)
    if number >= len(found):
        raise InputError(
            f"contact = {number} is not in the history, which has {len(found)} from 0; increase t_end."
        )
    return found[number]


def flight(history: History) -> tuple[np.ndarray, np.ndarray]:
    """Times and heights, dense enough for the parabolas between steps."""
    many = max(POINTS, POINTS_PER_BOUNCE * (len(contact_intervals(history)) + 1))
    t = np.union1d(history.t, np.linspace(history.t[0], history.t[-1], many))
    return t, history.at(t)


def times_around(history: History, interval: ContactInterval, room: float = 0.12) -> np.ndarray:
    """Times around one contact, with its steps."""
    end = interval.end if math.isfinite(interval.end) else float(history.t[-1])
    more = room * (end - interval.start)
    low, high = max(interval.start - more, history.t[0]), min(end + more, history.t[-1])
    steps = history.t[(history.t > low) & (history.t < high)]
    return np.union1d(steps, np.linspace(low, high, POINTS // 2))
