"""`DampedLaw`: an elastic law with a loss that grows with the force (Hunt and Crossley 1975)."""

from __future__ import annotations

from dataclasses import dataclass

from traction import checks
from traction.contact.normal.press import NormalContact
from traction.errors import InputError
from traction.grid import Grid
from traction.laws.contact_law import ContactLaw, PowerForm, checked_law
from traction.laws.kernels.law_values import CompiledLaw
from traction.laws.response import Memory, Response


@dataclass(frozen=True)
class DampedLaw(ContactLaw):
    """F = F_elastic (1 + c delta'), never below zero (Hunt and Crossley 1975)."""

    elastic: ContactLaw
    damping: float  #: c, s/m

    def __post_init__(self) -> None:
        if not checked_law("elastic", self.elastic).is_elastic:
            raise InputError(
                f"damping belongs to an elastic law, not to a {type(self.elastic).__name__}; leave it out."
            )
        checks.keep(self, damping=checks.at_least("damping", self.damping, 0.0, "s/m"))

    def response(self, approach: float, memory: Memory | None = None, *, rate: float = 0.0) -> Response:
        """Of the elastic law, times 1 + c delta'; the energy is the elastic one."""
        found = self.elastic.response(approach, memory)
        factor = 1.0 + self.damping * rate
        if factor <= 0.0:
            return Response(0.0, 0.0, found.energy, memory=found.memory)
        return Response(
            found.force * factor,
            found.stiffness * factor,
            found.energy,
            found.force * self.damping,
            found.memory,
        )

    @property
    def uses_rate(self) -> bool:
        """Unless c = 0."""
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
        """Memory of bodies that have not touched."""
        return self.elastic.begin()

    def recall(self, stored: Memory) -> Memory:
        """A memory that was stored, checked."""
        return self.elastic.recall(stored)

    def grid_of(self, memory: Memory) -> Grid | None:
        """Grid of a contact with this memory."""
        return self.elastic.grid_of(memory)

    def contact(self, approach: float, memory: Memory | None = None) -> NormalContact | None:
        """Pressure and displacements at rest at this approach (m), where the elastic law knows them."""
        return self.elastic.contact(approach, memory)

    def compiled(self, energy: float) -> CompiledLaw:
        """The elastic law as kernels take it, with its damping."""
        return self.elastic.compiled(energy)._replace(damping=self.damping)
