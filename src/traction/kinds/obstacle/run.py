"""One load after the other."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from traction.beams.obstacle.mesh_adaptation import adapt
from traction.beams.obstacle.obstacle_contact import ObstacleContact
from traction.beams.obstacle.obstacle_solver import NoContactError, solve
from traction.kinds.kind import KindRun, KindStepper, Sample
from traction.kinds.obstacle.schema import ObstacleCase
from traction.results.field import Coordinate, Field, Layout
from traction.results.manifest import KeyFigure
from traction.results.stored_run import StoredRun
from traction.state_arrays import Arrays, flatten_state
from traction.view.obstacle import ObstaclePicture

DRAWN = ("deflection", "moment", "shear", "contact_force")  #: quantities that the report shows

SCALARS = (
    Field("load", "N/m", "load per length", labels_samples=True),
    Field("force", "N", "force of the obstacle"),
    Field("free_length", "m", "begin of the first contact", may_be_nan=True),
    Field("contact_length", "m", "length in contact"),
    Field("point_force", "N", "point force where the contact begins"),
    Field("excess_force", "N", "force beyond the load on the first contact", may_be_nan=True),
    Field("energy", "J", "elastic energy"),
    Field("elements", "1", "elements"),
    Field("steps", "1", "linear problems on the finest mesh"),
    Field("penetration", "1", "largest penetration over the gap"),
    Field("imbalance", "1", "loads less reactions and contact forces, over the loads"),
)
ALONG = (
    Field("deflection", "m", "deflection", ("x",)),
    Field("rotation", "1", "rotation of the sections", ("x",)),
    Field("moment", "N m", "bending moment", ("x",)),
    Field("shear", "N", "shear force", ("x",)),
    Field("contact_force", "N/m", "contact force per length", ("x",)),
)


class ObstacleStepper(KindStepper[ObstacleCase]):
    """One load after the other."""

    @cached_property
    def places(self) -> np.ndarray:
        """Along the beam, m."""
        return np.linspace(0.0, self.case.beam.length, self.case.mesh.points)

    @cached_property
    def layout(self) -> Layout:
        """Numbers, and what there is along the beam, of every load."""
        x = Coordinate("x", self.places, "m", "place along the beam")
        return Layout((*SCALARS, *ALONG), len(self.case.load.values), (x,))

    def advance(self, state: Arrays) -> tuple[Arrays, Sample]:
        """Solve the next load; one that does not close the gap only bends the beam, unless it is the last."""
        step = int(state["step"])
        load = self.case.load.values[step]
        try:
            sample = collect_sample(self._solve(load), load, self.places)
        except NoContactError:
            if step == self.layout.total - 1:
                raise
            sample = self._bend(load)
        return {"step": np.array(step + 1)}, sample

    @cached_property
    def _latest(self) -> dict[float, ObstacleContact]:
        """The contact of the latest load; a load has one answer, so that keeping it changes nothing."""
        return {}

    def _solve(self, load: float) -> ObstacleContact:
        if load not in self._latest:
            self._latest.clear()
            self._latest[load] = solve_load(self.case, load)
        return self._latest[load]

    def _bend(self, load: float) -> Sample:
        """Without contact."""
        forces = [(point.force, point.at) for point in self.case.load.point]
        bending = self.case.beam.build().bend(forces, load=load)
        x = self.places
        numbers = dict.fromkeys((field.name for field in SCALARS), 0.0)
        return {
            **numbers,
            "load": load,
            "free_length": np.nan,
            "excess_force": np.nan,
            "deflection": bending.deflection(x),
            "rotation": bending.rotation(x),
            "moment": -bending.moment(x),
            "shear": -bending.shear(x),
            "contact_force": np.zeros(x.size),
        }

    def findings(self, run: StoredRun) -> Arrays:
        """The last load along the beam, with both sides of every node."""
        contact = self._solve(self.case.load.values[-1])
        return flatten_state(ObstaclePicture.of(contact, DRAWN))

    def key_figures(self, run: StoredRun) -> Sequence[KeyFigure]:
        """The last load's numbers."""
        return [(field.long_name, float(run[field.name][-1]), field.unit) for field in SCALARS[:7]]


def solve_load(case: ObstacleCase, load: float) -> ObstacleContact:
    """The contact under one load, N/m."""
    mesh = case.mesh
    forces = [(point.force, point.at) for point in case.load.point]
    beam, shape = case.beam.build(), case.obstacle.build()
    if mesh.adaptive:
        return adapt(
            beam,
            load,
            shape,
            tolerance=mesh.tolerance,
            most_elements=mesh.elements,
            start=min(20, mesh.elements),
            multiplier=mesh.multiplier,
            above=case.above,
            forces=forces,
        ).contact
    return solve(
        beam,
        load,
        shape,
        mesh.elements,
        multiplier=mesh.multiplier,
        above=case.above,
        forces=forces,
        fitted=mesh.fitted,
    )


def collect_sample(contact: ObstacleContact, load: float, x: np.ndarray) -> Sample:
    """The numbers of one load."""
    proof = contact.certificate
    return {
        "load": load,
        "force": contact.force,
        "free_length": contact.free_length,
        "contact_length": sum(zone.end - zone.start for zone in contact.zones),
        "point_force": contact.point_force,
        "excess_force": contact.excess_force,
        "energy": contact.energy,
        "elements": float(contact.elements),
        "steps": float(contact.steps[-1]),
        "penetration": proof.penetration,
        "imbalance": proof.balance,
        **{field.name: getattr(contact, field.name)(x) for field in ALONG},
    }


RUN = KindRun(ObstacleStepper)
