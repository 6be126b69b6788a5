"""Driven wheels of a stored run: their rolling at the samples, as far as it is stored."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from traction.contact.friction.tangential_contact import TangentialContact
from traction.crossing.results.wheel_rolling import WheelRolling
from traction.grid import Grid
from traction.kinds.cross.cross_fields import DRIVEN
from traction.kinds.cross.schema import CrossCase
from traction.kinds.friction.stored_friction import restore_friction
from traction.kinds.kind import KeyFigures
from traction.kinds.press.run import restore_contact
from traction.materials import Pair
from traction.results.stored_run import StoredRun
from traction.trains.vehicle import Wheel


def restore_wheels(case: CrossCase, stored: StoredRun, tread: Grid | None) -> dict[int, WheelRolling]:
    """Driven wheels by their numbers from 0, the first one with tractions to draw, where these are stored."""
    driven = [(k, drive) for k, drive in enumerate(case.drives) if drive is not None]
    t, speed, found = stored["time"], np.asarray(case.way.speed(stored["time"])), {}
    for n, (k, drive) in enumerate(driven):
        column = {field.name: stored[field.name][:, n] for field in DRIVEN}
        places = np.asarray(case.way.place(t)) - case.cars.places[len(case.cars.forces) + k]
        friction = np.array([one.friction for one in drive.demands(t, places)])
        kept, wheel = np.zeros(0, dtype=int), _wheel(case, k)
        contacts: tuple[TangentialContact | None, ...] = ()
        if n == 0 and tread is not None and "traction_x" in stored:
            kept, pair = choose_drawn(stored), Pair(wheel.material, case.bridge.material)
            contacts = tuple(_restore(stored, i, tread, pair, float(friction[i])) for i in kept.tolist())
        found[k] = WheelRolling(
            t=t, drive=drive, radius=wheel.radius, speed=speed, contact_force=stored["contact_force"][:, k],
            friction=friction, force=_columns(column, "longitudinal_force", "lateral_force"),
            moment=column["spin_moment"],
            creepage=_columns(column, "longitudinal_creepage", "lateral_creepage", "spin"),
            stick=column["stick_share"], sliding=column["sliding"], dissipated=column["friction_work"],
            kept=kept, contacts=contacts,
        )  # fmt: skip
    return found


def choose_drawn(stored: StoredRun) -> np.ndarray:
    """Samples whose tractions are drawn: the most force before the first slide, and the most slip."""
    force = np.abs(stored["longitudinal_force"][:, 0])
    creepage = np.nan_to_num(np.abs(stored["longitudinal_creepage"][:, 0]), nan=0.0)
    slides = np.flatnonzero(stored["sliding"][:, 0])
    if not slides.size:
        return np.unique([int(np.argmax(force)), force.size - 1])
    # creepage is not known where a given force makes the wheel slide
    most = slides[np.argmax(creepage[slides])]
    return np.unique([int(np.argmax(force[: max(1, slides[0])])), int(most)])


def used_share(rolling: WheelRolling) -> np.ndarray:
    """Share of the friction bound that the force along the track takes; 0 in the air."""
    bound = rolling.bound
    return np.asarray(np.abs(rolling.force[:, 0]) / np.where(bound > 0.0, bound, np.inf))


def sum_up_driving(rolled: Mapping[int, WheelRolling]) -> KeyFigures:
    """Of all driven wheels."""
    wheels = rolled.values()
    if not wheels:
        return
    largest = max((float(x) for one in wheels for x in one.force[:, 0]), key=abs)
    yield "largest longitudinal wheel force", largest, "N"
    used = max(float(used_share(one).max()) for one in wheels)
    yield "largest friction utilisation", used, "1"
    creepages = [x for one in wheels for x in one.creepage[:, 0].tolist() if np.isfinite(x)]
    if creepages:
        yield "largest longitudinal creepage", max(creepages, key=abs), "1"
    slid = int(np.any([one.sliding for one in wheels], axis=0).sum())
    yield "samples with a driven wheel sliding", slid, "1"
    yield "energy dissipated by friction", sum(float(one.dissipated[-1]) for one in wheels), "J"


def _wheel(case: CrossCase, k: int) -> Wheel:
    own = case.cars.wheels[k] or case.shape
    assert own is not None
    return own


def _restore(stored: StoredRun, n: int, tread: Grid, pair: Pair, friction: float) -> TangentialContact | None:
    """Friction under the first driven wheel at a sample; None in the air."""
    pressure = stored["tread_pressure"][n]
    if not pressure.any():
        return None
    traction = np.array([stored["traction_x"][n], stored["traction_y"][n]])
    normal = restore_contact(tread, pair, pressure)
    return restore_friction(normal, friction, traction, stick=np.array(stored["stick"][n], dtype=bool))


def _columns(column: Mapping[str, np.ndarray], *names: str) -> np.ndarray:
    return np.stack([column[name] for name in names], axis=1)
