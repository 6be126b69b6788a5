"""Driven and braked wheels of a stored run: their rolling at the samples, as far as it is stored.

A report shows them by a sentence, key figures, checks and figures.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from traction.contact.friction.tangential_contact import TangentialContact
from traction.crossing.driving.drive_checks import may_jump, may_lag
from traction.crossing.results.wheel_rolling import FEW, WheelRolling
from traction.grid import Grid
from traction.kinds.cross.cross_fields import DRIVEN, JUMP, LAG
from traction.kinds.cross.schema import CrossCase
from traction.kinds.friction.stored_friction import restore_friction
from traction.kinds.kind import Figures, KeyFigures, Words
from traction.kinds.press.run import restore_contact
from traction.materials import Pair
from traction.quantities import quantity, significant
from traction.results.stored_run import StoredRun
from traction.trains.vehicle import Wheel
from traction.view import figures as view
from traction.view.friction_curves import traction_map
from traction.view.report import Table
from traction.view.wheel_forces import driving_plot

LIKE_GIVEN = 1e-4  #: of the friction bound, that forces may be off
SHOWN = ("force", "creepage", "stick")


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
            stick=column["stick_share"], sliding=column["sliding"], slides=column["slides"],
            dissipated=column["friction_work"], kept=kept, contacts=contacts,
            shaft_torque=None if drive.shaft is None else stored["shaft_torque"][:, n],
            rotor_speed=None if drive.shaft is None else stored["rotor_speed"][:, n],
            lag=stored[LAG.name][:, n] if may_lag(drive) else None,
            jump=stored[JUMP.name][:, n] if may_jump(drive) else None,
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
    often = [one.stick_slip_frequency for one in wheels if np.isfinite(one.stick_slip_frequency)]
    if often:
        yield "frequency of stick and slip", max(often), "Hz"
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


def check_driving(wheels: Mapping[int, WheelRolling]) -> list[tuple[str, float, float]]:
    """Words, what is found, and its limit."""
    if not wheels:
        return []
    beyond = max(float(used_share(one).max()) for one in wheels.values()) - 1.0
    rows = [("longitudinal force beyond the friction bound, relative", max(0.0, beyond), LIKE_GIVEN)]
    off = [_find_missed_force(one) for one in wheels.values() if one.drive.kind == "force"]
    if off:
        rows.append(
            (
                "longitudinal force, difference from the given one over the friction bound",
                max(off),
                LIKE_GIVEN,
            )
        )
    return rows


def _find_missed_force(rolling: WheelRolling) -> float:
    """What the force misses of the given one, where friction can carry that."""
    asked = np.array([one.along for one in rolling.drive.demands(rolling.t)])
    carried = (np.abs(asked) < rolling.bound) & ~rolling.sliding
    missed = np.abs(rolling.force[:, 0] - asked)[carried] / rolling.bound[carried]
    return float(missed.max(initial=0.0))


def tabulate_driving(wheels: Mapping[int, WheelRolling]) -> list[Table]:
    """A row for each driven wheel, where there are several."""
    if len(wheels) < 2:
        return []
    rows = []
    for k, one in wheels.items():
        force, work = one.force[int(np.argmax(np.abs(one.force[:, 0]))), 0], float(one.dissipated[-1])
        given = f"{one.drive.kind}{'' if one.drive.shaft is None else ' of the rotor'}"
        rows.append(
            (str(k + 1), given, quantity(float(force), "N"), _percent(float(used_share(one).max())),
             _percent(float(one.sliding.mean())), quantity(work, "J"))
        )  # fmt: skip
    header = (
        "wheel",
        "given",
        "largest force",
        "friction utilisation",
        "samples sliding",
        "energy dissipated",
    )
    return [Table("Driven wheels", header, rows)]


def drive_words(case: CrossCase) -> Words:
    """Rows of a table of inputs."""
    tables = case.drive_tables
    found: dict[str, list[str]] = {}
    for k, table in enumerate(tables):
        if table is not None:
            found.setdefault(table.words, []).append(str(k + 1))
    return [(f"drive of wheel {', '.join(wheels)}", words) for words, wheels in found.items()]


def tell_driving(wheels: Mapping[int, WheelRolling]) -> str:
    """What the driven wheels did, in a sentence or two."""
    most = max(wheels, key=lambda k: float(np.abs(wheels[k].force[:, 0]).max()))
    one = wheels[most]
    n = int(np.argmax(np.abs(one.force[:, 0])))
    force = float(one.force[n, 0])
    does = "is braked" if force < 0.0 else "is driven"
    words = f"{len(wheels)} wheels are driven or braked. " if len(wheels) > 1 else ""
    words += f"Wheel {most + 1} {does} with up to {quantity(abs(force), 'N', 3)} along the rail, "
    words += f"{_percent(float(used_share(one)[n]))} of the friction bound"
    slid = {k: wheel for k, wheel in wheels.items() if wheel.sliding.any()}
    if not slid:
        return f"{words}; no wheel slides."
    first = min(slid, key=lambda k: float(slid[k].t[np.argmax(slid[k].sliding)]))
    rolling = slid[first]
    begin = float(rolling.t[np.argmax(rolling.sliding)])
    words += f". Wheel {first + 1} starts to slide at t = {quantity(begin, 's', 3)}"
    slides = int(rolling.slides[-1])
    if slides > FEW:
        words += (
            ", then sticks and slides alternately" if rolling.drive.shaft is not None else " and slides again"
        )
        words += f", {slides} times in all."
    else:
        words += " and sticks again later." if not rolling.sliding[-1] else " and still slides at the end."
    creepage = np.abs(rolling.creepage[:, 0])
    if np.isfinite(creepage).any():
        words += f" Its creepage grows to {_percent(float(np.nanmax(creepage)))}."
    return words


def draw_driving(wheels: Mapping[int, WheelRolling]) -> Figures:
    """Force, creepage and stick of the first driven wheel over time, and its tractions where stored."""
    if not wheels:
        return
    number, rolling = next(iter(wheels.items()))
    figure = view.blank_figure(8.0, 8.4 if rolling.shaft_torque is None else 11.0)
    shown = SHOWN if rolling.shaft_torque is None else (*SHOWN, "shaft")
    axes = figure.subplots(len(shown), 1, sharex=True)
    for ax, name in zip(axes, shown, strict=True):
        driving_plot(rolling, ax, quantity=name)
        if ax is not axes[-1]:
            ax.set_xlabel("")
    by_shaft = rolling.shaft_torque is not None
    what = f"{rolling.drive.kind} of the rotor" if by_shaft else rolling.drive.kind
    parts = ["force of the rail on it along the travel", "creepage (positive brakes)"]
    parts += ["the stick area of its patch", *(["the torque of its shaft"] if by_shaft else [])]
    words = f"Wheel {number + 1}, {what} given: {', '.join(parts[:-1])} and {parts[-1]}."
    yield "driving", words, figure
    there = [(float(rolling.t[n]), c) for n, c in zip(rolling.kept, rolling.contacts, strict=True) if c]
    if there:
        figure = view.blank_figure(5.6 * len(there), 3.7)
        for ax, (t, contact) in zip(figure.subplots(1, len(there), squeeze=False)[0], there, strict=True):
            traction_map(contact, ax, rolling=1, title=f"t = {t:.4g} s")
        words = f"Tractions of the rail on wheel {number + 1}, arrows over the pressure"
        yield "tractions", f"{words}; hatched where it slips.", figure


def _percent(share: float) -> str:
    return f"{significant(100.0 * share, 3)} %"
