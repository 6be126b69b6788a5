"""Kind "steady": steady rolling with friction at one creepage or a table of them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from pydantic import model_validator

from traction.contact.steady import roll_steady
from traction.kinds.friction import (
    MAPS,
    MOST_STEPS,
    SCALARS,
    Force,
    ForcePerLength,
    FrictionCase,
    FrictionStepper,
    Number,
    Spin,
    State,
    as_list,
    check_table,
    in_step,
    input_rows,
    sample_of,
    step_table,
    traction_figures,
)
from traction.kinds.friction import key_figures as last_numbers
from traction.kinds.press import MOST_MARKERS, one_or_many
from traction.kinds.registry import KeyFigure, Kind
from traction.quantities import significant, unit_for
from traction.results.field import Field
from traction.scenario.schema import Strict
from traction.view.report import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_CURVES = 6  #: in one picture


class RollingTable(Strict):
    """Creepages, or forces in their place; one number, or a list. What is not given is a creepage of zero.

    Lists go in step: they have the same length, and one number holds for all. With `combine` = "all" there is
    a case for every combination of the numbers.
    """

    longitudinal: one_or_many(Number) = None  # type: ignore[valid-type]
    lateral: one_or_many(Number) = None  # type: ignore[valid-type]
    spin: one_or_many(Spin) = None  # type: ignore[valid-type]
    force_x: one_or_many(Force) = None  # type: ignore[valid-type]
    force_y: one_or_many(Force) = None  # type: ignore[valid-type]
    force_per_length_x: one_or_many(ForcePerLength) = None  # type: ignore[valid-type]
    combine: Literal["in step", "all"] = "in step"
    direction: Literal[1, -1] = 1
    discretisation: Literal["covered", "classical"] = "covered"

    @model_validator(mode="after")
    def _one_of_each(self) -> Self:
        for names in (("longitudinal", "force_x", "force_per_length_x"), ("lateral", "force_y")):
            given = [name for name in names if getattr(self, name) is not None]
            if len(given) > 1:
                raise ValueError(f"needs one of {' and '.join(given)}, not both")
        return self

    @property
    def columns(self) -> dict[str, Any]:
        """Creepages and forces (N, or N/m), as they were given."""
        return {
            "longitudinal": self.longitudinal,
            "lateral": self.lateral,
            "spin": self.spin,
            "force_x": self.force_x if self.force_x is not None else self.force_per_length_x,
            "force_y": self.force_y,
        }


class SteadyCase(FrictionCase):
    """A body that rolls on."""

    rolling: RollingTable

    @model_validator(mode="after")
    def _steps_fit(self) -> Self:
        rolling, line = self.rolling, self.grid.line
        if line and rolling.force_x is not None:
            raise ValueError("takes rolling.force_per_length_x instead of rolling.force_x for a line contact")
        if not line and rolling.force_per_length_x is not None:
            raise ValueError("takes rolling.force_x instead of rolling.force_per_length_x for this grid")
        if line and rolling.force_y is not None:
            raise ValueError("has a line contact, which carries a force along x only")
        columns = self.columns
        total = 1
        for value in columns.values():
            total *= 1 if value is None else len(as_list(value))
        if rolling.combine == "all" and total > MOST_STEPS:
            raise ValueError(f"has {total} combinations, at most {MOST_STEPS}; give fewer numbers")
        _ = self.steps
        return self

    @property
    def columns(self) -> dict[str, Any]:
        """Loads, creepages and forces, as they were given."""
        return {"load": self.load.values, **self.rolling.columns}

    @property
    def steps(self) -> list[dict[str, float | None]]:
        """What is given in each case, with its normal load."""
        columns = self.columns
        if self.rolling.combine == "in step":
            return in_step(columns)
        choices = [[None] if value is None else as_list(value) for value in columns.values()]
        return [dict(zip(columns, row, strict=True)) for row in product(*choices)]


CREEPAGE = (
    Field("longitudinal", "1", "longitudinal creepage"),
    Field("lateral", "1", "lateral creepage"),
    Field("spin", "1/m", "spin"),
)
LOST = Field("dissipation", "J/m", "energy lost per metre rolled")
NUMBERS = tuple(LOST if field.name == LOST.name else field for field in SCALARS)


class SteadyStepper(FrictionStepper[SteadyCase]):
    """One creepage after the other; none depends on the one before."""

    @property
    def fields(self) -> tuple[Field, ...]:
        """What every sample holds."""
        return (*CREEPAGE, *NUMBERS, *MAPS)

    @property
    def total(self) -> int:
        """Number of creepages."""
        return len(self.case.steps)

    def initial(self) -> State:
        """Before the first."""
        return {"step": np.array(0)}

    def advance(self, state: State) -> tuple[State, dict[str, Any]]:
        """Roll at the next creepage."""
        step = int(state["step"])
        given, rolling = self.case.steps[step], self.case.rolling
        force = given["force_x"], given["force_y"]
        creepage = tuple(
            None if f is not None else given[name] or 0.0
            for name, f in zip(("longitudinal", "lateral"), force, strict=True)
        )
        t = roll_steady(
            self.pressed(float(given["load"])),  # type: ignore[arg-type]
            self.case.friction,
            creepage=(*creepage, given["spin"] or 0.0),
            force=force,
            direction=rolling.direction,
            discretisation=rolling.discretisation,
            tol=self.case.tol,
        )
        found = dict(zip((field.name for field in CREEPAGE), t.creepage, strict=True))
        return {"step": np.array(step + 1)}, {**found, **sample_of(t)}


def key_figures(case: SteadyCase, samples: dict[str, Any]) -> Sequence[KeyFigure]:
    """Numbers of the last creepage."""
    return last_numbers([*CREEPAGE, *NUMBERS[:6]], samples)


def tables(case: SteadyCase, samples: dict[str, Any]) -> Sequence[Table]:
    """What went in, and what came out."""
    rolling = case.rolling
    inputs = [
        *input_rows(case),
        ("rolling", "along +x" if rolling.direction > 0 else "along -x"),
        ("elements", rolling.discretisation),
        ("cases", f"{len(case.steps)}"),
    ]
    columns = {
        "longitudinal": "longitudinal creepage",
        "lateral": "lateral creepage",
        "spin": "spin (rad/m)",
        "force_x": "force along x (N)",
        "force_y": "force along y (N)",
        "moment": "moment (N m)",
        "stick_share": "share that sticks",
    }
    return [
        Table("Inputs", ("quantity", "value"), inputs),
        step_table("Forces", columns, samples),
        check_table(case, samples),
    ]


def figures(case: SteadyCase, samples: dict[str, Any]) -> Sequence[tuple[str, str, Figure]]:
    """Tractions of the last creepage, and forces over what varies most."""
    shown = traction_figures(SteadyStepper(case), samples, case.rolling.direction)
    varied = [name for name in ("longitudinal", "lateral", "spin") if len(np.unique(samples[name])) > 2]
    if varied:
        caption = f"Forces on body 1 over {_words(varied[0])}; the dashes are the limit of friction."
        shown.append(("creep_forces", caption, _force_curves(case, samples, varied[0])))
    return shown


def _force_curves(case: SteadyCase, samples: dict[str, Any], over: str) -> Figure:
    from traction.view import figures as view

    others = [name for name in ("normal_force", "longitudinal", "lateral", "spin") if name != over]
    # forces vary where they are not given, so that numbers are told apart by some digits only
    families = np.array([samples[name] for name in others]).T
    keys, family = np.unique(np.round(families, 9), axis=0, return_inverse=True)
    differ = [k for k in range(len(others)) if len(np.unique(keys[:, k])) > 1]
    if len(keys) > MOST_CURVES and len(keys) == len(families):  # all go in step: one curve through all
        keys, family, differ = keys[:1], np.zeros(len(families), dtype=int), []
    family = np.asarray(family).ravel()
    force = unit_for(case.friction * samples["normal_force"], "N")
    limit = float(force.of(case.friction * samples["normal_force"].max()))
    scale, unit = (1.0, "rad/m") if over == "spin" else (100.0, "%")
    # of a force that is nothing beside the limit there is nothing to see
    drawn = [axis for axis in "xy" if np.abs(force.of(samples[f"force_{axis}"])).max() > 1e-6 * limit] or [
        "x"
    ]
    figure = view.blank_figure(5.25 * len(drawn) + 1.0 * (len(drawn) == 1), 4.4)
    for number, axis in enumerate(drawn):
        axes = figure.add_subplot(1, len(drawn), number + 1)
        for k in range(min(len(keys), MOST_CURVES)):
            mine = np.flatnonzero(family == k)
            mine = mine[np.argsort(samples[over][mine], kind="stable")]
            label = ", ".join(f"{_words(others[i])} {significant(float(keys[k, i]), 3)}" for i in differ)
            style = "o-" if mine.size <= MOST_MARKERS else "-"
            axes.plot(
                scale * samples[over][mine],
                force.of(samples[f"force_{axis}"][mine]),
                style,
                color=view.CYCLE[k % len(view.CYCLE)],
                lw=1.8,
                ms=4,
                label=label,
            )
        signs = np.unique(np.sign(samples[f"force_{axis}"]))
        for side in (sign * limit for sign in signs if sign != 0.0):
            axes.axhline(side, color=view.GREY, lw=1.1, ls="--")
        unit_y = f"{force.name}/m" if case.grid.line else force.name
        view.style_axes(
            axes,
            f"{_words(over)} ({unit})",
            f"force along {axis} ({unit_y})",
            f"Force along {axis}",
            legend=bool(differ),
        )
    return figure


def _words(name: str) -> str:
    """The name of a column in words."""
    return {
        "longitudinal": "longitudinal creepage",
        "lateral": "lateral creepage",
        "spin": "spin",
        "normal_force": "normal force",
    }[name]


KIND = Kind(
    name="steady",
    summary="steady rolling with friction, at one creepage or a table of them",
    schema=SteadyCase,
    stepper=SteadyStepper,
    key_figures=key_figures,
    tables=tables,
    figures=figures,
)
