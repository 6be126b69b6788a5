"""`CreepForces`: steady rolling at all combinations of loads, creepages and forces."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.contact.friction.friction_input import Friction
from traction.contact.friction.tangential_contact import CREEPAGES, TangentialContact
from traction.contact.normal.press import NormalContact, press
from traction.contact.rolling.steady_rolling import roll_steady
from traction.errors import InputError
from traction.grid import Grid
from traction.materials import Pair
from traction.outputs.progress import telling
from traction.outputs.result import Result
from traction.outputs.sketch import sketch
from traction.outputs.variable import Variable, axis, data, figure, number
from traction.quantities import counted
from traction.surfaces import GapInput

#: unit and long name of what each row holds; forces, moments and energies of a line contact are per metre
QUANTITIES = {
    "normal_force": ("N", "normal force"),
    "force_x": ("N", "force along x on body 1"),
    "force_y": ("N", "force along y on body 1"),
    "moment": ("N m", "spin moment on body 1"),
    "dissipation": ("J/m", "energy lost per metre rolled"),
    "stick_share": ("1", "share of the contact that sticks"),
    "elements_across": ("1", "elements in the narrower direction of the contact"),
    "iterations": ("1", "Newton steps on the finest grid"),
    "residual": ("1", "largest error of the friction law over the largest bound"),
    "contact_elements": ("1", "elements in contact"),
    "stick_elements": ("1", "elements that stick"),
    "slip_elements": ("1", "elements that slip"),
}
MOTIONS = {name: ("rad/m" if name == "spin" else "1", words) for name, words in CREEPAGES.items()}
LOADS = {"load": ("N", "normal load"), "approach": ("m", "approach")}
GIVEN = {
    "given_force_x": ("N", "force along x that is given"),
    "given_force_y": ("N", "force along y that is given"),
}
PER_LENGTH = {"N": "N/m", "N m": "N", "J/m": "J/m2"}


@dataclass(frozen=True, eq=False, repr=False)
class CreepForces(Result):
    """Result of `tr.creep_table`: forces over loads, creepages along x and y (or forces) and spins.

    Arrays have an axis for each entry of `axes`, in that order; `table["force_x"]` is one of them.
    """

    axes: Mapping[str, np.ndarray]  #: what was given, by name: load, longitudinal, lateral, spin
    values: Mapping[str, np.ndarray]  #: what was found, by name
    friction: float  #: coefficient of friction mu
    is_line: bool  #: whether forces are per metre of length
    stats: dict[str, float] = field(default_factory=dict)

    def __getitem__(self, name: str) -> np.ndarray:
        known = {**self.values, **self.axes}
        return known[checks.choice("name", name, tuple(known))]

    @property
    def shape(self) -> tuple[int, ...]:
        """Numbers of loads, of creepages or forces along x and y, and of spins."""
        return tuple(values.size for values in self.axes.values())

    def _row_dims(self) -> tuple[str, ...]:
        return tuple(self.axes)

    def _headline(self) -> str:
        rows = counted(int(np.prod(self.shape)), "row")
        return f"{rows}, friction {self.friction:g}"

    def _variables(self) -> Iterator[Variable]:
        for name in ("force_x", "force_y"):
            unit, words = self._unit(name)
            most = float(np.abs(self.values[name]).max())
            limit = self.friction * float(self.values["normal_force"].max())
            yield figure(f"largest_{name}", most, unit, f"largest {words}", limit)
        yield figure("residual_in_all", float(self.values["residual"].max()), "1", "largest error of the law")
        yield number("friction", self.friction, "1", "coefficient of friction")
        for name, values in self.axes.items():
            yield axis(name, values, *self._unit(name))
        for name, values in self.values.items():
            yield data(name, values, *self._unit(name), *self.axes)

    def _unit(self, name: str) -> tuple[str, str]:
        unit, words = {**QUANTITIES, **MOTIONS, **LOADS, **GIVEN}[name]
        return (PER_LENGTH.get(unit, unit) if self.is_line else unit), words

    def _sketch(self) -> str:
        """The larger force over what has most values."""
        along = max(reversed(list(self.axes)), key=lambda name: self.axes[name].size)
        drawn = max(("force_x", "force_y"), key=lambda name: float(np.abs(self.values[name]).max()))
        curves = np.moveaxis(self.values[drawn], list(self.axes).index(along), 0)
        shown = data("drawn", curves.reshape(len(curves), -1), *self._unit(drawn), along, "curve")
        return sketch([axis(along, self.axes[along], *self._unit(along)), shown], "drawn")


Asked = ArrayLike | None  #: one number, several, or none
Options = dict[str, Any]  #: of `tr.roll_steady`


def combine(
    load: tuple[Asked, Asked], along: tuple[Asked, Asked], across: tuple[Asked, Asked], spin: ArrayLike
) -> dict[str, np.ndarray]:
    """Values to combine, by name, from (load, approach), creepage and force along x and y, and spin."""
    way = checks.exactly_one(load=load[0], approach=load[1])
    return {
        way: _check_list(way, load[0] if way == "load" else load[1]),
        **_check_motion("longitudinal", along[0], "force_x", along[1]),
        **_check_motion("lateral", across[0], "force_y", across[1]),
        "spin": _check_list("spin", spin),
    }


def roll_at_all(
    shape: tuple[GapInput, Grid, Pair],
    friction: Friction,
    axes: dict[str, np.ndarray],
    options: Options,
    progress: Callable[[int, int], None] | bool | None,
) -> CreepForces:
    """Compute steady rolling at every combination of `axes`, with options of `tr.roll_steady`."""
    began, (gap, grid, bodies), way = perf_counter(), shape, next(iter(axes))
    found = {name: np.empty([values.size for values in axes.values()]) for name in QUANTITIES}
    for name, force in (("longitudinal", "given_force_x"), ("lateral", "given_force_y")):
        if force in axes:  # the creepage is found
            found[name] = np.empty_like(found["residual"])
    names, sizes = list(axes), [values.size for values in axes.values()]
    with telling(progress, "creep forces") as told:
        for row, place in enumerate(product(*(range(n) for n in sizes))):
            given = {name: float(axes[name][k]) for name, k in zip(names, place, strict=True)}
            if not any(place[1:]):  # the first combination under a load
                push = (given[way], None) if way == "load" else (None, given[way])
                normal = press(gap, grid, bodies, force=push[0], approach=push[1], tol=options["tol"])
            solved = _roll_at(normal, friction, given, options)
            coefficient = solved["friction"]
            for name, value in solved.items():
                if name in found:
                    found[name][place] = value
            if told is not None:
                told(row + 1, math.prod(sizes))
    stats = {"rows": float(found["residual"].size), "seconds": perf_counter() - began}
    return CreepForces(axes, found, coefficient, grid.is_line, stats)


def _roll_at(
    normal: NormalContact, friction: Friction, given: Mapping[str, float], options: Options
) -> dict[str, float]:
    """The numbers of one combination, with its creepages."""
    creepage = (given.get("longitudinal"), given.get("lateral"), given["spin"])
    force = (given.get("given_force_x"), given.get("given_force_y"))
    t = roll_steady(normal, friction, creepage=creepage, force=force, **options)
    found = dict(zip(CREEPAGES, t.creepage, strict=True))
    return {**friction_numbers(t), **found, "friction": t.friction}


def friction_numbers(t: TangentialContact) -> dict[str, float]:
    """The numbers of one contact with friction, by the names of `QUANTITIES`."""
    stuck, touched = int((t.stick & t.normal.contact).sum()), int(t.normal.contact.sum())
    return {
        "normal_force": t.normal.force,
        "force_x": t.force[0],
        "force_y": t.force[1],
        "moment": t.moment,
        "dissipation": t.dissipation,
        "stick_share": stuck / max(1, touched),
        "elements_across": float(t.normal.elements_across),
        "iterations": float(t.iterations),
        "residual": t.certificate.largest,
        "contact_elements": touched,
        "stick_elements": stuck,
        "slip_elements": int(t.sliding.sum()),
    }


def _check_list(name: str, values: ArrayLike | None) -> np.ndarray:
    found = np.atleast_1d(checks.finite_array(name, values))
    if found.ndim != 1 or found.size == 0:
        raise InputError(f"{name} has shape {found.shape}; give one number or a list of numbers.")
    return found


def _check_motion(
    creepage: str, moved: ArrayLike | None, force: str, pulled: ArrayLike | None
) -> dict[str, np.ndarray]:
    """What is given along a direction: the creepage, zero unless given, or the force."""
    if pulled is None:
        return {creepage: _check_list(creepage, 0.0 if moved is None else moved)}
    if moved is not None:
        raise InputError(f"{creepage} and {force} are both given; along one direction give one of them.")
    return {f"given_{force}": _check_list(force, pulled)}
