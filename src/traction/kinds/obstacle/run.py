"""One load after the other."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, lru_cache
from operator import attrgetter
from typing import Any

import numpy as np

from traction.beams.obstacle.mesh_adaptation import adapt
from traction.beams.obstacle.obstacle_contact import ObstacleContact
from traction.beams.obstacle.obstacle_solver import NoContactError, solve
from traction.kinds.kind import IndependentSamples, KeyFigures, KindStepper, Sample, sum_up_last
from traction.kinds.obstacle.schema import ObstacleCase
from traction.results.field import Coordinate, Field, Layout, field_table
from traction.results.stored_run import StoredRun
from traction.view.obstacle_curves import ObstaclePicture

DRAWN = ("deflection", "moment", "shear", "contact_force")  #: quantities that the report shows
LOAD = Field("load", "N/m", "load per length", labels_samples=True)
#: numbers of every load, and where a contact has them
NUMBERS: dict[Field, Callable[[ObstacleContact], float]] = {
    Field("force", "N", "force of the obstacle"): attrgetter("force"),
    Field("free_length", "m", "begin of the first contact", may_be_nan=True): attrgetter("free_length"),
    Field("contact_length", "m", "length in contact"): (
        lambda contact: sum(zone.end - zone.start for zone in contact.zones)
    ),
    Field("point_force", "N", "point force where the contact begins"): attrgetter("point_force"),
    Field("excess_force", "N", "force beyond the load on the first contact", may_be_nan=True): (
        attrgetter("excess_force")
    ),
    Field("energy", "J", "elastic energy"): attrgetter("energy"),
    Field("elements", "1", "elements"): attrgetter("elements"),
    Field("steps", "1", "linear problems on the finest mesh"): lambda contact: contact.steps[-1],
    Field("penetration", "1", "largest penetration over the gap"): attrgetter("certificate.penetration"),
    Field("imbalance", "1", "loads less reactions and contact forces, over the loads"): (
        attrgetter("certificate.balance")
    ),
}
SUMMED_UP = 6  #: numbers that are key figures, beside the load
ALONG = field_table("""
    deflection | m | deflection | x
    rotation | 1 | rotation of the sections | x
    moment | N m | bending moment | x
    shear | N | shear force | x
    contact_force | N/m | contact force per length | x
""")


class ObstacleStepper(IndependentSamples, KindStepper[ObstacleCase]):
    """One load after the other."""

    @cached_property
    def places(self) -> np.ndarray:
        """Along the beam, m."""
        return np.linspace(0.0, self.case.beam.length, self.case.mesh.points)

    @cached_property
    def layout(self) -> Layout:
        """Numbers and fields along the beam of every load."""
        x = Coordinate("x", self.places, "m", "place along the beam")
        return Layout((LOAD, *NUMBERS, *ALONG), len(self.case.load.values), (x,))

    def sample(self, step: int) -> Sample:
        """Solve a load; one that does not close the gap only bends the beam, unless it is the last."""
        load, x = self.case.load.values[step], self.places
        try:
            contact = self.solve_load(load)
        except NoContactError:
            if step == self.layout.total - 1:
                raise
            return self._bend(load)
        numbers = {field.name: float(read(contact)) for field, read in NUMBERS.items()}
        return {"load": load, **numbers, **{field.name: getattr(contact, field.name)(x) for field in ALONG}}

    @cached_property
    def solve_load(self) -> Callable[[float], ObstacleContact]:
        """The contact under a load, N/m; it has one answer, so that keeping the latest changes nothing."""
        return lru_cache(1)(self._solve)

    def _solve(self, load: float) -> ObstacleContact:
        case, mesh = self.case, self.case.mesh
        beam, shape = case.beam.build(), case.obstacle.build()
        given: dict[str, Any] = {
            "multiplier": mesh.multiplier,
            "above": case.above,
            "forces": case.load.forces,
        }
        if not mesh.adaptive:
            return solve(beam, load, shape, mesh.elements, fitted=mesh.fitted, **given)
        given |= {"tolerance": mesh.tolerance, "most_elements": mesh.elements}
        return adapt(beam, load, shape, start=min(20, mesh.elements), **given).contact

    def _bend(self, load: float) -> Sample:
        """Without contact."""
        bending, x = self.case.beam.build().bend(self.case.load.forces, load=load), self.places
        return {
            **{field.name: np.nan if field.may_be_nan else 0.0 for field in NUMBERS},
            "load": load,
            "deflection": bending.deflection(x),
            "rotation": bending.rotation(x),
            "moment": -bending.moment(x),
            "shear": -bending.shear(x),
            "contact_force": np.zeros(x.size),
        }

    def findings(self, run: StoredRun) -> ObstaclePicture:
        """The last load along the beam, with both sides of every node."""
        return ObstaclePicture.of(self.solve_load(self.case.load.values[-1]), DRAWN)

    def key_figures(self, run: StoredRun) -> KeyFigures:
        """The last load's numbers."""
        return sum_up_last((LOAD, *list(NUMBERS)[:SUMMED_UP]), run)
