"""`carry_over`: contacts of earlier steps on another grid of the same elements, for a step that follows.

A contact that wanders across the direction of rolling leaves its grid. Where its elements lie on one lattice
before and after, as rows and columns of the material, the grid is moved over that lattice by whole elements:
no traction is interpolated. Contacts that merge are put on one grid; of one that parts some rows are taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from traction.contact.friction.tangential_contact import InterfaceState, TangentialContact
from traction.contact.normal.press import NormalContact, solve_press
from traction.contact.rolling.material_grid import MaterialElements
from traction.contact.rolling.material_state import Displaced, LaggingFriction, MaterialState
from traction.contact.stick_slip.friction_certificate import FrictionCertificate
from traction.contact.stick_slip.friction_patch import FrictionPatch
from traction.contact.stick_slip.interface import Carried
from traction.contact.temperature.heat_history import HeatHistory
from traction.contact.temperature.step_heat import CarriedHeat
from traction.friction_laws.thermal_friction import ThermalFriction
from traction.grid import Grid
from traction.halfspace.half_space import HalfSpace
from traction.materials import Pair
from traction.status import Status

NO_ERROR = FrictionCertificate(0.0, 0.0, 0.0, 0.0)


class WindowPart(NamedTuple):
    """An earlier contact, and where it lies on the new grid."""

    contact: TangentialContact
    row: int  #: of its first row on the new grid
    column: int  #: of its first column
    kept: tuple[int, int]  #: rows of the new grid, from and to but not with, in which it is taken


def carry_over(
    parts: Sequence[WindowPart],
    grid: Grid,
    gap: np.ndarray,
    pair: Pair,
    thermal: ThermalFriction | None = None,
) -> TangentialContact:
    """Put earlier contacts on one grid, as the start of a step; without any, bodies that do not touch.

    gap: undeformed distance before the step over that grid, m, with the approach in it. With friction by
    temperature, `thermal`, they carry their heat.
    """
    if not any(_take(part, part.contact.normal.pressure, grid).any() for part in parts):
        apart = solve_press(gap, grid, pair, approach=min(0.0, float(gap.min())))
        return _begin(apart, np.zeros((2, *grid.shape)), 0.0)
    parts = sorted(parts, key=lambda part: -part.contact.normal.force)  # the first one decides the lattice
    pressure = sum_fields([_take(part, part.contact.normal.pressure, grid) for part in parts])
    traction = sum_fields([_take(part, part.contact.traction, grid) for part in parts])
    force = float(pressure.sum()) * grid.cell_area
    first = parts[0].contact
    normal = replace(
        first.normal, grid=grid, gap=gap, pressure=pressure, force=force, _displacement=None, _approach=0.0
    )
    begun = _begin(normal, traction, first.friction)
    state = _join_states(parts, normal, first.friction)
    return replace(
        begun,
        creepage=first.creepage,
        state=state,
        interface=_move_interface(parts, normal, grid),
        heat=None if thermal is None else _move_heat(parts, grid, thermal),
    )


def sum_fields(fields: Sequence[np.ndarray]) -> np.ndarray:
    """Sum of fields that are zero where the others are not."""
    total = np.array(fields[0])
    for field in fields[1:]:
        total += field
    return total


def _begin(normal: NormalContact, traction: np.ndarray, friction: float) -> TangentialContact:
    """A contact as the start of a step."""
    nothing = np.zeros((2, *normal.grid.shape))
    return TangentialContact(
        normal=normal,
        friction=friction,
        traction=traction,
        slip=nothing,
        stick=np.zeros(normal.grid.shape, dtype=bool),
        creepage=(0.0, 0.0, 0.0),
        dissipation=0.0,
        status=Status.CONVERGED,
        message=str(Status.CONVERGED),
        certificate=NO_ERROR,
        iterations=0,
    )


def _take(part: WindowPart, field: np.ndarray, grid: Grid, fill: float = 0.0) -> np.ndarray:
    """A field of an earlier contact on the new grid, in the rows that are kept; `fill` elsewhere."""
    moved = np.full((*field.shape[:-2], *grid.shape), fill)
    low, high = max(part.kept[0], part.row, 0), min(part.kept[1], part.row + field.shape[-2], grid.ny)
    left, right = max(part.column, 0), min(part.column + field.shape[-1], grid.nx)
    if low < high and left < right:
        old = field[..., low - part.row : high - part.row, left - part.column : right - part.column]
        moved[..., low:high, left:right] = old
    return moved


def _move_interface(parts: Sequence[WindowPart], normal: NormalContact, grid: Grid) -> InterfaceState | None:
    """Law and layer at the end of the last step, on the new grid; where no contact was, as at rest."""
    known = parts[0].contact.interface
    if known is None:
        return None
    rest = *(known.interface.law.static,) * 2, known.interface.yield_stress, 0.0
    fields = [np.full(grid.shape, value) for value in rest]
    for part in parts:
        state = part.contact.interface
        if state is None:
            continue
        inside = _take(part, part.contact.normal.pressure, grid) > 0.0
        known_fields = state.coefficient, state.memory, state.yielding, state.flow
        for field, old in zip(fields, known_fields, strict=True):
            field[inside] = _take(part, old, grid)[inside]
    # a factor of the place belongs to the old grid; coefficients are without it
    unrest = max(one.contact.interface.unrest for one in parts if one.contact.interface is not None)
    coefficient, memory, yielding, flow = fields
    return InterfaceState(replace(known.interface, factor=None), coefficient, memory, yielding, flow, unrest)


def _move_heat(parts: Sequence[WindowPart], grid: Grid, thermal: ThermalFriction) -> CarriedHeat | None:
    """What the surfaces carry of their heat, on the new grid; where no contact was, they are cold."""
    known = [(part, part.contact.heat) for part in parts if isinstance(part.contact.heat, CarriedHeat)]
    if not known:
        return None
    histories = [replace(heat.history, power=_take(part, heat.history.power, grid)) for part, heat in known]
    carried = CarriedHeat.cold(thermal, grid.shape)
    coefficients = carried.coefficients
    for part, heat in known:
        inside = _take(part, part.contact.normal.pressure, grid) > 0.0
        coefficients[inside] = _take(part, heat.coefficients, grid)[inside]
    power = sum_fields([_take(part, heat.power, grid) for part, heat in known])
    return CarriedHeat(HeatHistory.join(histories), power, coefficients)


def _join_states(parts: Sequence[WindowPart], normal: NormalContact, friction: float) -> MaterialState | None:
    """The tractions on the material of all parts; None where one was solved by whole cells.

    Places along x are aligned to the nearest cell of the first part: contacts with other rolling radii
    have moved over the rail by other fractions of a cell.
    """
    states = [part.contact.state for part in parts]
    taken = [_take_state(part, state) for part, state in zip(parts, states, strict=True)
             if isinstance(state, MaterialState) and state.fineness == 1]  # fmt: skip
    if len(taken) < len(parts):
        return None
    travelled = taken[0].travelled - round(taken[0].travelled)  # counted anew, so that places stay small
    elements = [state.elements for state in taken]
    shifts = [round(travelled - state.travelled) for state in taken]
    half_space = HalfSpace(normal.grid, normal.pair)
    moved = [
        _move_elements(one, half_space, part.row, part.column + shift)
        for one, part, shift in zip(elements, parts, shifts, strict=True)
    ]
    joined, order = _join_elements(moved)
    whole = len(parts) == 1 and joined.row.size == np.size(parts[0].contact.state.elements.row)  # type: ignore[attr-defined]
    carried = [state.carried for state in taken]
    return MaterialState(
        joined,
        np.concatenate([state.traction for state in taken], axis=1)[:, order],
        travelled,
        FrictionPatch.over(normal, friction),
        displaced=taken[0].displaced if whole else Displaced(),
        pressed=None
        if taken[0].pressed is None
        else replace(taken[0].pressed, grid=normal.grid, pressure=normal.pressure),
        owed=sum(state.owed for state in taken),
        carried=_join_carried(carried, order),
        layer=taken[0].layer,
        lagging=_join_lagging(parts, taken),
        ahead=taken[0].ahead,
    )


def _take_state(part: WindowPart, state: MaterialState) -> MaterialState:
    """The state without tips, in the rows that are kept."""
    state = state.bend(part.contact.direction, at_tips=False, steady=False)
    row = state.elements.row + part.row
    kept = np.flatnonzero((row >= part.kept[0]) & (row < part.kept[1]))
    if kept.size == row.size:
        return state
    elements = _select_elements(state.elements, kept)
    carried = None if state.carried is None else state.carried.at(kept)
    lagging = state.lagging
    if lagging is not None:
        first, end = (one - part.row for one in part.kept)
        lagging = lagging.in_rows(first, end)
    return replace(
        state, elements=elements, traction=state.traction[:, kept], carried=carried, lagging=lagging
    )


#: arrays of elements, one entry each
PLACES = ("low", "high", "edge", "point", "left", "right")
OTHERS = ("row", "cell", "shape", "bend", "run", "bound")


def _select_elements(elements: MaterialElements, kept: np.ndarray) -> MaterialElements:
    chosen = {name: getattr(elements, name)[kept] for name in (*PLACES, *OTHERS)}
    ceiling = None if elements.ceiling is None else elements.ceiling[:, kept]
    return replace(elements, **chosen, up_to=(), ceiling=ceiling)


def _move_elements(
    elements: MaterialElements, half_space: HalfSpace, row: int, column: int
) -> MaterialElements:
    """The same elements, `row` rows and `column` cells further along."""
    places = {name: getattr(elements, name) + column for name in PLACES}
    return replace(
        elements,
        half_space=half_space,
        row=elements.row + row,
        cell=elements.cell + column,
        up_to=(),
        **places,
    )


def _join_elements(parts: Sequence[MaterialElements]) -> tuple[MaterialElements, np.ndarray]:
    """All elements row by row, and the order in which they were taken."""
    count = np.cumsum([0, *[int(one.run.max(initial=-1)) + 1 for one in parts]])
    columns: dict[str, Any] = {
        name: np.concatenate([getattr(one, name) for one in parts]) for name in (*PLACES, *OTHERS)
    }
    columns["run"] = np.concatenate([one.run + number for one, number in zip(parts, count, strict=False)])
    order = np.lexsort((columns["cell"], columns["row"]))
    sorted_columns = {name: values[order] for name, values in columns.items()}
    run = sorted_columns["run"]
    sorted_columns["run"] = np.cumsum(np.r_[0, run[1:] != run[:-1]]) if run.size else run
    ceilings = [one.ceiling for one in parts if one.ceiling is not None]
    ceiling = np.concatenate(ceilings, axis=1)[:, order] if len(ceilings) == len(parts) else None
    return replace(parts[0], ceiling=ceiling, **sorted_columns), order


def _join_carried(carried: Sequence[Carried | None], order: np.ndarray) -> Carried | None:
    known = [one.fields for one in carried if one is not None]
    if len(known) < len(carried):
        return None
    return Carried(*(np.concatenate(parts)[order] for parts in zip(*known, strict=False)))


def _join_lagging(parts: Sequence[WindowPart], states: Sequence[MaterialState]) -> LaggingFriction | None:
    """Coefficients at the places of all contacts; None where all follow their law at once."""
    if all(state.lagging is None for state in states):
        return None
    found = [(part, state.friction_in_contact) for part, state in zip(parts, states, strict=True)]
    return LaggingFriction.join([one.move(part.row, part.column) for part, one in found if one is not None])
