"""`PassedStates`: states at all ends of steps of a march by a method, as they are reached."""

from __future__ import annotations

import numpy as np

from traction.crossing.marches.path_work import ContactStates
from traction.integrators.core.state import State


class PassedStates:
    """Times, motion and contacts from a first state on."""

    def __init__(self, motion: State, contacts: np.ndarray) -> None:
        self._rows = [(np.array([motion.t]), motion.q[None], motion.v[None], motion.a[None])]
        self._starts, self._ends = [contacts[None]], [np.empty((0, *contacts.shape))]

    def add(self, motion: State, end: np.ndarray, start: np.ndarray) -> None:
        """Add a state, with its contacts at the end of the step to it and at the start of the next one."""
        rows = np.array([motion.t]), motion.q[None], motion.v[None], motion.a[None]
        self.add_many(*rows, end[None], start[None])

    def add_many(
        self,
        t: np.ndarray,
        q: np.ndarray,
        v: np.ndarray,
        a: np.ndarray,
        ends: np.ndarray,
        starts: np.ndarray,
    ) -> None:
        """Add states with their contacts, (states, ...)."""
        self._rows.append((t, q, v, a))
        self._ends.append(ends)
        self._starts.append(starts)

    @property
    def motion(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Times t, and q, v and a, (times, ...)."""
        t, q, v, a = (np.concatenate(one) for one in zip(*self._rows, strict=True))
        return t, q, v, a

    @property
    def starts(self) -> ContactStates:
        """Contacts at the starts of all steps, and at the last time."""
        return ContactStates.of(np.concatenate(self._starts))

    @property
    def ends(self) -> ContactStates:
        """Contacts at the ends of all steps."""
        return ContactStates.of(np.concatenate(self._ends))
