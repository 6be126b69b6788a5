"""`ContactLaw`: what every contact law does, whoever asks it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import NamedTuple, overload

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.contact.normal.press import NormalContact
from traction.errors import ConvergenceError, InputError
from traction.grid import Grid
from traction.laws.kernels.law_values import TABULATED, CompiledLaw
from traction.laws.law_table import tabulate_law
from traction.laws.response import NO_MEMORY, Memory, Response

LEAST_DEPTH = 1e-12  #: from which a law is tabulated, m
CLOSE = 1e-13  #: of a load, at which an approach under it is found
MOST_STEPS = 40


class PowerForm(NamedTuple):
    """F = k delta^n (1 + c delta')."""

    coefficient: float  #: k, N/m^n
    exponent: float  #: n
    damping: float  #: c, s/m


class ContactLaw(ABC):
    """The force between two bodies over their approach; a law of one's own derives from it.

    1. `law(approach)` is the force (N) at an approach (m), or at each of an array of them.
    2. `law.response(approach, memory, rate=...)` is all that is known there: force, stiffness, energy,
       viscosity and memory. Stiffness is the derivative of the force by the approach, viscosity that by the
       rate of approach (m/s), and energy the integral of the force over the approach at rate zero.
    3. Nothing is kept in the law: the memory of a contact goes in and comes out as a value, a mapping of
       names to arrays, and equal approaches, rates and memories have equal responses, to the last bit.
       `law.begin()` is the memory of bodies that have not touched, `law.recall(stored)` one that was stored.
    4. Without a memory the response begins from `law.memory`. That is `begin()`, but of a `HalfSpaceLaw` what
       the last call without a memory left, so that a loop over approaches is quick.
    5. There is no force up to the approach `first_touch`, and never a force that pulls.
    6. Callers ask the law what it is: `is_elastic`, `uses_rate`, `uses_history`, `grid`, `tol`, `power_form`.
    7. `law.compiled(energy)` is what kernels take, up to this energy (J) in the contact. An elastic law that
       has no such form of its own is tabulated.

    A subclass gives `response`, and whatever of the others differs from the simplest law.
    """

    @overload
    def __call__(self, approach: float) -> float: ...

    @overload
    def __call__(self, approach: ArrayLike) -> float | np.ndarray: ...

    def __call__(self, approach: ArrayLike) -> float | np.ndarray:
        """Force (N) at an approach (m) or at each of an array of them, without a memory."""
        values = checks.finite_array("approach", approach, unit="m")
        forces = [self.response(one).force for one in values.ravel().tolist()]
        return forces[0] if np.ndim(approach) == 0 else np.array(forces).reshape(np.shape(approach))

    @abstractmethod
    def response(self, approach: float, memory: Memory | None = None, *, rate: float = 0.0) -> Response:
        """Force, stiffness, energy, viscosity and memory at an approach (m) that grows at a rate (m/s)."""

    @property
    def is_elastic(self) -> bool:
        """Whether the force depends on the approach alone."""
        return not (self.uses_rate or self.uses_history)

    @property
    def uses_rate(self) -> bool:
        """Whether the force depends on the rate of approach."""
        return False

    @property
    def uses_history(self) -> bool:
        """Whether the force depends on what was before; a memory that only speeds up is no history."""
        return False

    @property
    def first_touch(self) -> float:
        """Approach at which the bodies touch, m."""
        return 0.0

    @property
    def grid(self) -> Grid | None:
        """On which the contact is solved; None of a closed form."""
        return None

    @property
    def tol(self) -> float:
        """Relative error to which the contact is solved; 0 of a closed form."""
        return 0.0

    @property
    def power_form(self) -> PowerForm | None:
        """The law as F = k delta^n (1 + c delta'), if it is one."""
        return None

    @property
    def memory(self) -> Memory:
        """What a response without a memory begins from."""
        return self.begin()

    def begin(self) -> Memory:
        """Memory of bodies that have not touched."""
        return NO_MEMORY

    def recall(self, stored: Memory) -> Memory:
        """A memory that was stored, checked."""
        return stored

    def grid_of(self, memory: Memory) -> Grid | None:
        """Grid of a contact with this memory, which may have grown."""
        return self.grid

    def contact(self, approach: float, memory: Memory | None = None) -> NormalContact | None:
        """Pressure and displacements at this approach (m), where the law knows them."""
        return None

    def approach_under(self, load: float, guess: float, memory: Memory | None = None) -> tuple[float, Memory]:
        """Approach (m) where the force is `load` (N), by Newton's method from a guess; the memory there."""
        approach, memory = guess, self.begin() if memory is None else memory
        for _ in range(MOST_STEPS):
            found = self.response(approach, memory)
            memory = found.memory
            if abs(found.force - load) <= CLOSE * load:
                return approach, memory
            if found.stiffness <= 0.0:  # not yet in contact
                approach += guess
                continue
            change = (load - found.force) / found.stiffness
            approach += change
            if abs(change) <= CLOSE * abs(approach):
                return approach, memory
        raise ConvergenceError(f"no approach found at which the force is {load:.6g} N.")

    def compiled(self, energy: float) -> CompiledLaw:
        """The law as kernels take it; `energy` (J) is the most that can go into the contact."""
        if not self.is_elastic:
            raise InputError(
                f"{type(self).__name__} has no compiled form: give it a method `compiled`, or "
                "take an elastic law."
            )
        table = tabulate_law(self.response, self.begin(), self.first_touch, self._least_depth, energy)
        return CompiledLaw(TABULATED, 0.0, 0.0, 0.0, 0.0, table)

    @property
    def _least_depth(self) -> float:
        """Depth (m) at which a table of the law may begin to look for its energy."""
        return LEAST_DEPTH


def checked_law(name: str, law: object) -> ContactLaw:
    """A law that a user gave."""
    if not isinstance(law, ContactLaw):
        raise InputError(
            f"{name} = {checks.shown(law)} is no contact law; give a tr.PowerLaw, tr.DampedLaw, "
            "tr.PlasticLaw, tr.HalfSpaceLaw or tr.TabulatedLaw."
        )
    return law


def require_patch(name: str, law: ContactLaw) -> None:
    """Refuse a law of line contact."""
    if law.grid is not None and law.grid.is_line:
        raise InputError(f"{name} is of a line contact, whose force is per metre; give a grid in x and y.")
