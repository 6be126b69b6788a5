"""`NodalSteps`: steps of the family of Newmark's method on elements or differences, in compiled code."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from traction.beams.discrete.discrete_march import make_banded_motion
from traction.beams.discrete.kernels.march_steps import BandedMotion
from traction.crossing.bridge_models.wheels_on_bridge import WheelsOnBridge
from traction.crossing.marches.kernels.contact_springs import HERTZ
from traction.crossing.marches.kernels.nodal_march import (
    NodalRows,
    NodalWay,
    NodalWork,
    march_nodes,
    weigh_nodal_step,
)
from traction.crossing.row_products import PaddedRows
from traction.integrators.core.method import ImplicitMethod, Method
from traction.integrators.core.state import State
from traction.integrators.methods.alpha_family import AlphaMethod, lagging
from traction.trains.train import force_rates


class NodalRun(NamedTuple):
    """Result of consecutive steps: the states after each of them."""

    q: np.ndarray  #: (steps, n)
    v: np.ndarray
    a: np.ndarray
    contacts: np.ndarray  #: see `ContactStates`, (steps, 5, wheels)
    end: State
    iterations: int


def marches_compiled(wheels: WheelsOnBridge, method: Method) -> bool:
    """Whether `NodalSteps` march by this method: nodes, Hertz contacts, and Newton's method as it is."""
    return (
        wheels.model.discrete is not None
        and isinstance(method, AlphaMethod)
        and method.solver == ImplicitMethod.solver
        and method.max_iterations == ImplicitMethod.max_iterations
        and all(one.hertz_coefficient is not None for one in wheels.contacts)
    )


@dataclass(frozen=True, eq=False)
class NodalSteps:
    """Steps of equal lengths in which no axle enters or leaves the bridge."""

    wheels: WheelsOnBridge
    method: AlphaMethod

    @cached_property
    def motion(self) -> BandedMotion:
        """The beam."""
        assert self.wheels.model.discrete is not None
        return make_banded_motion(self.wheels.model.discrete)

    @cached_property
    def _works(self) -> dict[float, NodalWork | None]:
        return {}

    def march(
        self, start: State, contacts: np.ndarray, t: np.ndarray, on: np.ndarray, length: float
    ) -> NodalRun:
        """March from a state to times t (s), in steps of equal `length` (s), with these axles `on` the beam.

        `contacts` are the responses at the start. Fewer steps are returned where one of them fails.
        """
        w, h = self.wheels, float(length)
        work = self._work(h)
        rows, way = self._rows(start, contacts, t, on, h), self._way(t, on, h)
        if work is None:
            return self._finish(start, rows, way, t[:0], 0)
        k = np.array([one.hertz_coefficient for one in w.contacts])
        springs, weights = (k, w.static), self.method.coefficients
        taken, iterations = march_nodes(self.motion, w.packed, weights, way, springs, rows, work)
        return self._finish(start, rows, way, t[:taken], int(iterations))

    def _work(self, h: float) -> NodalWork | None:
        """Storage with the factors for a step length (s), computed once; None where they do not exist."""
        if h not in self._works:
            w, n, modes = self.wheels, self.wheels.model.size, self.motion.rates.size
            every, wheels = n + w.packed.mass.size, len(w.contacts)
            lines = np.ascontiguousarray(self.motion.shapes.T)
            work = NodalWork(
                np.zeros((4, n)), np.zeros(w.packed.stiffness.shape), np.empty((2, modes)), lines,
                np.empty(every), np.empty(every), np.empty(every), np.empty((wheels, n)),
                np.empty((wheels, wheels)), np.empty(wheels),
            )  # fmt: skip
            made = weigh_nodal_step(self.motion, w.packed, self.method.coefficients, h, work)
            self._works[h] = work if made else None
        return self._works[h]

    def _rows(self, start: State, contacts: np.ndarray, t: np.ndarray, on: np.ndarray, h: float) -> NodalRows:
        """Storage for all states, filled with the first one."""
        q, v, a = np.empty((3, t.size + 1, start.q.size))
        whole, soft, force = np.empty((3, t.size + 1, len(self.wheels.contacts)))
        q[0], v[0], a[0] = start.q, start.v, start.a
        force[0], soft[0], whole[0] = contacts[0], contacts[3], contacts[4]
        soft[1:] = self.wheels.model.softness(self._under(t, on)[:, len(self.wheels.cars.forces) :])[0]
        return NodalRows(q, v, a, lagging(start, h).copy(), whole, soft, force)

    def _under(self, t: np.ndarray, on: np.ndarray) -> np.ndarray:
        """Positions on the bridge under all axles, m, (times, axles)."""
        w = self.wheels
        return w.under(w.times.travel.place(t)[:, None] - w.times.behind, on)

    def _way(self, t: np.ndarray, on: np.ndarray, h: float) -> NodalWay:
        w, under, plain = self.wheels, self._under(t, on), len(self.wheels.cars.forces)
        shapes: PaddedRows = w.model.padded_rows("deflection", under.ravel())
        form, step = (*under.shape, -1), float(w.times.t[1])
        loads = np.zeros((t.size, plain))
        for k, (load, _) in enumerate(w.cars.forces):
            loads[:, k] = force_rates(load, t, step)[0]
        places = w.times.travel.place(t)[:, None] - w.times.behind
        rail = np.ascontiguousarray(w.rail(places[:, plain:])[:, :, 0])
        columns, values = shapes.columns.reshape(form), shapes.values.reshape(form)
        felt = w.model.softness_between(under[:, plain:])
        between = np.zeros((0, len(w.contacts), len(w.contacts))) if felt is None else felt[0]
        return NodalWay(h, float(w.model.ends[-1]), columns, values, loads, rail, on.copy(), between)

    def _finish(
        self, start: State, rows: NodalRows, way: NodalWay, t: np.ndarray, iterations: int
    ) -> NodalRun:
        """The states that were reached at times t."""
        taken, between = t.size, way.between
        q, v, a = (one[1 : taken + 1] for one in (rows.q, rows.v, rows.a))
        if taken == 0:
            return NodalRun(q, v, a, np.empty((0, 5, rows.force.shape[1])), start, iterations)
        whole, soft, force = (one[1 : taken + 1] for one in (rows.whole, rows.soft, rows.force))
        by_others = np.einsum("nkj,nj->nk", between[:taken], force) if len(between) else np.zeros(force.shape)
        own = np.maximum(whole - soft * force - by_others, 0.0)
        stored = force * own / (HERTZ + 1.0) + 0.5 * soft * force**2 + 0.5 * force * by_others
        contacts = np.stack((force, np.zeros(force.shape), stored, soft, whole), axis=1)
        sizes = zip(start.largest, (q, v, a), strict=True)
        end = start.but(
            t=float(t[-1]), q=q[-1].copy(), v=v[-1].copy(), a=a[-1].copy(), x=rows.x.copy(),
            made=way.h, just_switched=False,
            largest=tuple(max(old, float(np.abs(one).max())) for old, one in sizes),
        )  # fmt: skip
        return NodalRun(q, v, a, contacts, end, iterations)
