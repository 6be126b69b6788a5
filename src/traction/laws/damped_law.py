"""`DampedLaw`: an elastic law with damping proportional to the force (Hunt and Crossley 1975)."""

from __future__ import annotations

from dataclasses import dataclass

from traction import checks
from traction.contact.normal.press import NormalContact
from traction.errors import InputError
from traction.grid import Grid
from traction.laws.contact_law import ContactLaw, Memory, PowerForm, Response, checked_law
from traction.laws.kernels.law_values import CompiledLaw


@dataclass(frozen=True)
class DampedLaw(ContactLaw):
    """Elastic law with damping, F = F_elastic (1 + c delta'), never tensile (Hunt and Crossley 1975).

    Parameters
    ----------
    elastic
        Elastic contact law.
    damping
        Damping c, s/m.

    Examples
    --------
    >>> law = tr.DampedLaw(tr.PowerLaw(1e9, 1.5), damping=0.2)
    >>> print(f"{law.response(1e-4, rate=1.0).force:.0f} N")
    1200 N
    """

    elastic: ContactLaw
    damping: float

    def __post_init__(self) -> None:
        if not checked_law("elastic", self.elastic).is_elastic:
            raise InputError(
                f"damping belongs to an elastic law, not to a {type(self.elastic).__name__}; omit it."
            )
        checks.keep(self, damping=checks.at_least("damping", self.damping, 0.0, "s/m"))

    def response(self, approach: float, memory: Memory | None = None, *, rate: float = 0.0) -> Response:
        """Return the response of the elastic law times 1 + c delta'; the energy is the elastic one.

        `approach` in m, `memory` of the contact, `rate` of approach in m/s.
        """
        found = self.elastic.response(approach, memory)
        factor = 1.0 + self.damping * checks.finite("rate", rate, "m/s")
        if factor <= 0.0:
            return Response(0.0, 0.0, found.energy, memory=found.memory)
        force, viscosity = found.force * factor, found.force * self.damping
        return found._replace(force=force, stiffness=found.stiffness * factor, viscosity=viscosity)

    @property
    def uses_rate(self) -> bool:
        """Whether the force depends on the rate of approach: unless c = 0."""
        return self.damping > 0.0

    @property
    def first_touch(self) -> float:
        """That of the elastic law, m."""
        return self.elastic.first_touch

    @property
    def grid(self) -> Grid | None:
        """That of the elastic law."""
        return self.elastic.grid

    @property
    def tol(self) -> float:
        """That of the elastic law."""
        return self.elastic.tol

    @property
    def power_form(self) -> PowerForm | None:
        """That of the elastic law, damped."""
        form = self.elastic.power_form
        return None if form is None else form._replace(damping=self.damping)

    @property
    def memory(self) -> Memory:
        """That of the elastic law."""
        return self.elastic.memory

    def begin(self) -> Memory:
        """Return the memory of bodies that have not touched."""
        return self.elastic.begin()

    def recall(self, stored: Memory) -> Memory:
        """Return a `stored` memory, checked."""
        return self.elastic.recall(stored)

    def grid_of(self, memory: Memory) -> Grid | None:
        """Return the grid of a contact with this `memory`."""
        return self.elastic.grid_of(memory)

    def contact(self, approach: float, memory: Memory | None = None) -> NormalContact | None:
        """Return pressure and displacements at rest at an `approach` (m), if the elastic law computes them.

        `memory` is the start.
        """
        return self.elastic.contact(approach, memory)

    def compiled(self, energy: float) -> CompiledLaw:
        """Return the elastic law as kernels take it up to `energy` (J), with its damping."""
        return self.elastic.compiled(energy)._replace(damping=self.damping)
