"""`ContactLaw`: the contract of every contact law; the `Response` of one at an approach, and laws as tables.

Tables are ln F over ln(depth) with its slope, cubic between the rows, a power law outside: `tabulate_law`
samples a law that has no compiled form; `build_table` takes given rows.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import NamedTuple, overload

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.contact.normal.press import NormalContact
from traction.errors import ConvergenceError, InputError
from traction.grid import Grid
from traction.laws.kernels.law_values import TABULATED, CompiledLaw, table_force

Memory = Mapping[str, np.ndarray]  #: named arrays, so that a file can store them; never changed in place
NO_MEMORY: Memory = {}
NO_TABLE = np.zeros((1, 4))
DECADES, ROWS = 4.0, 65  #: of depths in the table of a law
DEEPER = 1.5  #: depth of a table relative to a strike on rigid ground
MOST_TRIALS = 400
GROWTH = 1.25  #: from one trial depth to the next
LEAST_DEPTH = 1e-12  #: from which a law is tabulated, m
CLOSE = 1e-13  #: of a load, at which an approach under it is found
MOST_STEPS = 40


class Response(NamedTuple):
    """Result of a contact law at an approach; per metre for line contact.

    Parameters
    ----------
    force
        F, N.
    stiffness
        dF/d(approach), N/m: exact for the current contact area.
    energy
        Work done on the contact, the integral of F over the approach at rest, J.
    viscosity
        dF/d(rate of approach), N s/m.
    memory
        Memory of the contact.

    Examples
    --------
    >>> print(f"{tr.PowerLaw(1e9, 1.5).response(1e-4).energy:.3f} J")
    0.040 J
    """

    force: float  #: F, N
    stiffness: float  #: dF/d(approach), N/m: exact for the contact as it is
    energy: float  #: work done on the contact, the integral of F over the approach at rest, J
    viscosity: float = 0.0  #: dF/d(rate of approach), N s/m
    memory: Memory = NO_MEMORY  #: of the contact

    def __eq__(self, other: object) -> bool:
        """Whether the numbers are equal; memories are not compared."""
        return isinstance(other, Response) and self[:-1] == other[:-1]

    def __hash__(self) -> int:
        return hash(self[:-1])

    def __repr__(self) -> str:
        numbers = zip(self._fields[:-1], self[:-1], strict=True)
        return f"Response({', '.join(f'{name}={value!r}' for name, value in numbers)})"


Respond = Callable[[float, Memory], Response]


def tabulate_law(
    respond: Respond, memory: Memory, first_touch: float, least: float, energy: float
) -> np.ndarray:
    """Table of an elastic law by depth beyond its first touch; its last row stores at least `energy` (J).

    `least` (m) is a depth that stores less than the energy.
    """
    depth, memory = _reach_energy(respond, memory, first_touch, least, energy)
    depths = np.geomspace(depth * 10.0**-DECADES, depth, ROWS)
    rows = np.zeros((ROWS, 3))
    for k, x in enumerate(depths.tolist()):
        found = respond(first_touch + x, memory)
        if not found.force > 0.0:
            raise InputError(f"law has no force {x:.3g} m after its first touch; check first_touch.")
        rows[k] = math.log(x), math.log(found.force), found.stiffness * x / found.force
        memory = found.memory
    return build_table(rows)


def build_table(rows: np.ndarray) -> np.ndarray:
    """Rows (ln depth, ln F, slope) with the energy as a fourth column.

    The energies are those of the table's own force, so that energy is conserved.
    """
    table = np.concatenate((rows, np.zeros((len(rows), 1))), axis=1)
    nodes, weights = np.polynomial.legendre.leggauss(12)
    table[0, 3] = math.exp(table[0, 0] + table[0, 1]) / (table[0, 2] + 1.0)
    for k in range(1, len(table)):
        a, b = np.exp(table[k - 1 : k + 1, 0])
        places = 0.5 * (a + b) + 0.5 * (b - a) * nodes
        forces = [table_force(table, x)[0] for x in places.tolist()]
        table[k, 3] = table[k - 1, 3] + 0.5 * (b - a) * float(weights @ forces)
    return table


def _reach_energy(
    respond: Respond, memory: Memory, first_touch: float, depth: float, energy: float
) -> tuple[float, Memory]:
    """Depth (m) that stores the energy, found by steps of a factor, with some margin; the memory there."""
    for _ in range(MOST_TRIALS):
        found = respond(first_touch + depth, memory)
        memory = found.memory
        if found.energy >= energy:
            return DEEPER * depth, memory
        depth *= GROWTH
    raise InputError(f"law stores less than the energy of the strike, {energy:.3g} J; check its surface.")


class PowerForm(NamedTuple):
    """F = k delta^n (1 + c delta')."""

    coefficient: float  #: k, N/m^n
    exponent: float  #: n
    damping: float  #: c, s/m


class ContactLaw(ABC):
    """Base class of contact laws: the force between two bodies over their approach.

    Derive your own law from it:

    1. `law(approach)` is the force (N) at an approach (m), or at each of an array of them.
    2. `law.response(approach, memory, rate=...)` returns force, stiffness, energy, viscosity and memory.
       Stiffness is the derivative of the force by the approach, viscosity that by the
       rate of approach (m/s), and energy the integral of the force over the approach at rate zero.
    3. The law keeps no state: the memory of a contact is passed in and out as a value, a mapping of
       names to arrays, and equal approaches, rates and memories have equal responses, to the last bit.
       `law.begin()` is the memory of bodies that have not touched, `law.recall(stored)` one that was stored.
    4. Without a memory the response begins from `law.memory`. That is `begin()`, but for a `HalfSpaceLaw` the
       result of the last call without a memory, so that a loop over approaches is quick.
    5. The force is zero up to the approach `first_touch`, and never tensile.
    6. Properties describe the law to its callers: `is_elastic`, `uses_rate`, `uses_history`, `grid`, `tol`,
       `power_form`.
    7. `law.compiled(energy)` is the form that kernels take, up to this energy (J) in the contact. An
       elastic law without such a form is tabulated.

    A subclass defines `response`, and overrides what differs from the simplest law.

    Examples
    --------
    >>> class Spring(tr.ContactLaw):
    ...     def response(self, approach, memory=None, *, rate=0.0):
    ...         depth = max(0.0, approach)
    ...         return tr.Response(1e6 * depth, 1e6 * (depth > 0.0), 0.5e6 * depth**2)
    >>> Spring()(2e-3)
    2000.0
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
        """Return force, stiffness, energy, viscosity and memory.

        Parameters
        ----------
        approach
            Approach delta, m.
        memory
            Memory of the contact; `law.memory` by default.
        rate
            Rate of approach, m/s.
        """

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
        """Whether the force depends on the history; a memory that only speeds up does not count."""
        return False

    @property
    def first_touch(self) -> float:
        """Approach at which the bodies touch, m."""
        return 0.0

    @property
    def grid(self) -> Grid | None:
        """Grid on which the contact is solved; None for a closed form."""
        return None

    @property
    def tol(self) -> float:
        """Relative error to which the contact is solved; 0 for a closed form."""
        return 0.0

    @property
    def power_form(self) -> PowerForm | None:
        """The law as F = k delta^n (1 + c delta'), if it is one."""
        return None

    @property
    def memory(self) -> Memory:
        """Memory that a response without one begins from."""
        return self.begin()

    def begin(self) -> Memory:
        """Return the memory of bodies that have not touched."""
        return NO_MEMORY

    def recall(self, stored: Memory) -> Memory:
        """Return a `stored` memory, checked."""
        return stored

    def grid_of(self, memory: Memory) -> Grid | None:
        """Return the grid of a contact with this `memory`, which may have grown."""
        return self.grid

    def contact(self, approach: float, memory: Memory | None = None) -> NormalContact | None:
        """Return pressure and displacements at an `approach` (m) and `memory`, if the law computes them."""
        return None

    def approach_under(self, load: float, guess: float, memory: Memory | None = None) -> tuple[float, Memory]:
        """Return the approach (m) where the force is `load` (N), by Newton's method, and the memory there.

        The iteration begins from `guess` (m) and `memory`.
        """
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
        """Return the law as kernels take it, for contact energies up to `energy` (J)."""
        if not self.is_elastic:
            raise InputError(
                f"{type(self).__name__} has no compiled form: give it a method `compiled`, or "
                "take an elastic law."
            )
        table = tabulate_law(self.response, self.begin(), self.first_touch, self._least_depth, energy)
        return CompiledLaw(TABULATED, 0.0, 0.0, 0.0, 0.0, table)

    @property
    def _least_depth(self) -> float:
        """Depth (m) at which a table of the law begins its search for the energy."""
        return LEAST_DEPTH


def checked_law(name: str, law: object) -> ContactLaw:
    """A law given by a user, checked."""
    if not isinstance(law, ContactLaw):
        raise InputError(
            f"{name} = {checks.shown(law)} is not a contact law; give a tr.PowerLaw, tr.DampedLaw, "
            "tr.PlasticLaw, tr.HalfSpaceLaw or tr.TabulatedLaw."
        )
    return law


def require_patch(name: str, law: ContactLaw) -> None:
    """Refuse a law of line contact."""
    if law.grid is not None and law.grid.is_line:
        raise InputError(f"{name} is of a line contact, whose force is per metre; give a grid in x and y.")
