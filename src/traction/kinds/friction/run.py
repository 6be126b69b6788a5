"""What runs of friction share: the pressed contact of a step, samples, and contacts from samples."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from traction.contact.friction.tangential_contact import TangentialContact
from traction.contact.normal.press import NormalContact, press, recovered
from traction.contact.stick_slip.friction_certificate import FrictionCertificate
from traction.kinds.friction.schema import FrictionCase, Row
from traction.kinds.tables.contact_tables import PressedStepper, State
from traction.results.field import Field
from traction.status import Status

MOST_PRESSED = 2  #: contacts kept: that of a step and that of the one before

CREEPAGE = (
    Field("longitudinal", "1", "longitudinal creepage"),
    Field("lateral", "1", "lateral creepage"),
    Field("spin", "1/m", "spin"),
)
FORCES = (
    Field("normal_force", "N", "normal force"),
    Field("force_x", "N", "force along x on body 1"),
    Field("force_y", "N", "force along y on body 1"),
    Field("moment", "N m", "spin moment on body 1"),
)
LOST = Field("dissipation", "J", "energy lost")
LOST_PER_METRE = Field("dissipation", "J/m", "energy lost per metre rolled")
STICK = Field("stick_share", "1", "share of the contact that sticks")
QUALITY = (
    Field("elements_across", "1", "elements in the narrower direction of the contact"),
    Field("iterations", "1", "Newton steps on the finest grid"),
    Field("residual", "1", "largest error of the friction law over the largest bound"),
)
MAPS = (
    Field("pressure", "Pa", "contact pressure", ("y", "x")),
    Field("traction_x", "Pa", "traction along x on body 1", ("y", "x")),
    Field("traction_y", "Pa", "traction along y on body 1", ("y", "x")),
    Field("stick", "1", "whether an element sticks", ("y", "x"), "bool"),
)
#: a line contact has forces, moments and energies per metre of its length
PER_LENGTH = {"N": "N/m", "N m": "N", "J": "J/m", "J/m": "J/m2"}

C = TypeVar("C", bound=FrictionCase)


def measured(fields: tuple[Field, ...], case: FrictionCase) -> tuple[Field, ...]:
    """The fields in the units that they have for a grid."""
    if not case.grid.line:
        return fields
    return tuple(replace(field, unit=PER_LENGTH.get(field.unit, field.unit)) for field in fields)


class FrictionStepper(PressedStepper[C]):
    """Base of the steppers with friction: the pressed contact of a step."""

    @property
    @abstractmethod
    def numbers(self) -> tuple[Field, ...]:
        """The numbers of every sample."""

    @property
    def fields(self) -> tuple[Field, ...]:
        """What every sample holds."""
        return (*self.numbers, *MAPS)

    @cached_property
    def steps(self) -> list[Row]:
        """What is given in each step."""
        return self.case.steps

    @property
    def total(self) -> int:
        """Number of samples."""
        return len(self.steps)

    def initial(self) -> State:
        """Before the first step."""
        return {"step": np.array(0)}

    @cached_property
    def _pressed(self) -> dict[float, NormalContact]:
        """Contacts by load; a load has one answer, so that keeping it changes nothing."""
        return {}

    def pressed(self, given: Row) -> NormalContact:
        """The contact under the load of a step."""
        load = float(given["load"])  # type: ignore[arg-type]
        if load not in self._pressed:
            while len(self._pressed) >= MOST_PRESSED:
                del self._pressed[next(iter(self._pressed))]
            argument = {self.case.load.given: load}
            self._pressed[load] = press(self.gap, self.grid, self.case.pair, tol=self.case.tol, **argument)  # type: ignore[arg-type]
        return self._pressed[load]

    def rebuilt(
        self, contact: NormalContact, traction: np.ndarray, *, stick: np.ndarray | None = None, **more: Any
    ) -> TangentialContact:
        """Friction from its stored tractions."""
        known = {"creepage": (0.0, 0.0, 0.0), **more}
        return TangentialContact(
            normal=contact,
            friction=self.case.friction,
            traction=traction,
            slip=np.zeros_like(traction),
            stick=np.zeros(self.grid.shape, dtype=bool) if stick is None else stick,
            dissipation=0.0,
            status=Status.CONVERGED,
            message=str(Status.CONVERGED),
            certificate=FrictionCertificate(0.0, 0.0, 0.0, 0.0),
            iterations=0,
            **known,
        )

    def contact_of(self, samples: dict[str, Any], number: int = -1) -> TangentialContact:
        """A sample of a run, the last one unless said."""
        pressure = np.array(samples["pressure"][number])
        contact = recovered(pressure, self.gap, self.grid, self.case.pair, tol=self.case.tol)
        traction = np.array([samples["traction_x"][number], samples["traction_y"][number]])
        return self.rebuilt(contact, traction, stick=np.array(samples["stick"][number], dtype=bool))


def sample_of(t: TangentialContact) -> dict[str, Any]:
    """The numbers and fields of one step."""
    touched = int(t.normal.contact.sum())
    return {
        "normal_force": t.normal.force,
        "force_x": t.force[0],
        "force_y": t.force[1],
        "moment": t.moment,
        "dissipation": t.dissipation,
        "stick_share": float((t.stick & t.normal.contact).sum()) / max(1, touched),
        "elements_across": float(t.normal.elements_across),
        "iterations": float(t.iterations),
        "residual": t.certificate.largest,
        "pressure": t.normal.pressure,
        "traction_x": t.traction[0],
        "traction_y": t.traction[1],
        "stick": t.stick & t.normal.contact,
    }


def named(fields: tuple[Field, ...], values: Any) -> dict[str, float]:
    """Numbers by the names of their fields."""
    return {field.name: float(value) for field, value in zip(fields, values, strict=True)}
