"""Bounds of members that follow their slip, by laws of friction with memory and layers that yield."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from traction.contact.batch.kernels.law_steps import LawMembers, LawNumbers, ParticleWays
from traction.contact.batch.kernels.splitting_steps import ElementTables, MemberTables
from traction.contact.batch.splitting import Splitting
from traction.contact.friction.varying_friction import make_constant
from traction.contact.stick_slip.interface import Interface
from traction.friction_laws.friction_law import FrictionLaw


class LawBounds:
    """Laws and layers of members, on a device, and where their particles come from."""

    def __init__(
        self,
        splitting: Splitting,
        between: Sequence[Interface],
        pressure: np.ndarray,
        unit: np.ndarray,
        time: np.ndarray,
    ) -> None:
        """Take interfaces of members, pressures times factors of the place (Pa, (members, ny, nx)),
        units of tractions (Pa) and times of a step (s).
        """
        matrices, device = splitting.matrices, splitting.device
        self.kernels = device.law_kernels(matrices.sectors.count)
        self.ways = find_ways(splitting)
        laws, which = _number_laws(between)
        constant = np.array([one.law.static if one.law.is_constant else 1.0 for one in between])
        load = constant[:, None, None] * pressure  # one law for all constants
        loaded = splitting.pad_places(matrices.take_places(load), 0.0)
        self.members = LawMembers(
            which=device.take(which),
            pressure=loaded,
            unit=device.take(unit),
            time=device.take(time),
            steepness=splitting.xp.zeros(which.size),
            plastic=splitting.xp.zeros(loaded.shape),
        )
        self.laws = [_describe_law(number, one, splitting) for number, one in enumerate(laws)]

    def follow(
        self,
        elements: ElementTables,
        members: MemberTables,
        fields: tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray],
        shares: np.ndarray,
        errors: np.ndarray,
    ) -> None:
        """Set bounds to those of the slip of x and z, and find the shares and errors at them."""
        for one in self.laws:
            self.kernels.follow_laws(elements, members, self.ways, self.members, one, fields, shares, errors)


def _number_laws(between: Sequence[Interface]) -> tuple[list[Interface], np.ndarray]:
    """Interfaces of different laws, and the number of each member's; constants are one."""
    numbers: dict[FrictionLaw | None, int] = {}
    laws, which = list[Interface](), np.empty(len(between), dtype=np.int64)
    for k, one in enumerate(between):
        key = None if one.law.is_constant else one.law
        if key not in numbers:
            numbers[key] = len(laws)
            laws.append(one)
        which[k] = numbers[key]
    return laws, which


def _describe_law(number: int, between: Interface, splitting: Splitting) -> LawNumbers:
    """A law and the layer as kernels take them."""
    law, memory, matrices = between.law, between.law.memory, splitting.matrices
    if law.is_constant:
        law = make_constant(1.0)
    compiled = law.compiled()
    return LawNumbers(
        number=number,
        law=compiled._replace(table=splitting.device.take(compiled.table)),
        knots=len(compiled.table),
        rest=law.static,
        largest=law.largest,
        distance=0.0 if memory is None else memory.distance,
        background=0.0 if memory is None else memory.speed,
        yield_stress=between.yield_stress,
        hardening=between.hardening,
        tie=between.tie,
        exact=int(matrices.reach is not None),
        steady=int(matrices.direction != 0),
        rho=matrices.rho,
    )


def find_ways(splitting: Splitting) -> ParticleWays:
    """Rows of places in the order in which particles pass them."""
    matrices, half = splitting.matrices, splitting.wide // 2
    sectors, direction = matrices.sectors, matrices.direction or 1
    parts = (sectors.upper, sectors.lower) if sectors.count == 2 else (sectors.upper,)
    order, skipped, begins = list[np.ndarray](), list[np.ndarray](), [0]
    for number, chosen in enumerate(parts):
        row, column = matrices.row[chosen], matrices.column[chosen]
        sequence = np.lexsort((-direction * column, row))
        row, column = row[sequence], column[sequence]
        empty = np.full(sequence.size, -1)
        empty[1:] = np.where(row[1:] == row[:-1], np.abs(np.diff(column)) - 1, -1)
        first = begins[-1]
        begins += [first + int(k) for k in np.flatnonzero(empty < 0)[1:]] + [first + sequence.size]
        order.append(sequence + number * half)
        skipped.append(empty)
    reach = np.ones(matrices.row.size) if matrices.reach is None else matrices.reach
    take, places = splitting.device.take, reach[sectors.elements]
    return ParticleWays(
        order=take(np.concatenate(order).astype(np.int64)),
        skipped=take(np.concatenate(skipped).astype(np.int64)),
        begins=take(np.array(begins, dtype=np.int64)),
        rows=len(begins) - 1,
        reach=splitting.pad_places(places, 1.0),
    )
