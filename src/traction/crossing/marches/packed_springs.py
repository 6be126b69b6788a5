"""Contacts of wheels as `Springs`, which kernels take; pieces of tables that kernels want are solved."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from traction.crossing.bridge_models.residual_compliance import FeltCompliance
from traction.crossing.marches.kernels.contact_springs import APPROACH, WHEEL, Springs, series_forces
from traction.crossing.wheel_contact import WheelContact
from traction.laws.kernels.force_pieces import COLUMNS


def pack_springs(
    contacts: Sequence[WheelContact], left_out: FeltCompliance, soft: Sequence[bool] = (False, False)
) -> Springs:
    """Contacts with Hertz's law or a table, in series with what is left out of the bridge.

    `soft` are the ends of the bridge that may be above or below the ground beside them.
    """
    k = np.array([contact.hertz_coefficient or 0.0 for contact in contacts])
    static = np.array([contact.static for contact in contacts])
    rows, spans = _stack_rows(contacts)
    radii = np.array([[contact.wheel.radius * end for end in soft] for contact in contacts])
    own, wheels = left_out.own, len(contacts) if len(left_out.pairs) else 0
    return Springs(
        k, static, own.copy() if any(soft) else own, rows, spans, np.array([-1.0, 0.0]), radii, own,
        left_out.pairs, left_out.mutual, np.zeros((len(own), len(contacts))), np.zeros((2, wheels, wheels)),
    )  # fmt: skip


def supply_wanted(contacts: Sequence[WheelContact], springs: Springs) -> Springs | None:
    """Springs with the piece that a kernel wanted, solved; None if it wanted none."""
    if springs.wanted[WHEEL] < 0.0:
        return None
    table = contacts[int(springs.wanted[WHEEL])].table
    assert table is not None
    table.cover(float(springs.wanted[APPROACH]))
    rows, spans = _stack_rows(contacts)
    springs.wanted[:] = -1.0, 0.0
    return springs._replace(rows=rows, spans=spans)


def forces_in_series(contact: WheelContact, compliances: np.ndarray, approaches: np.ndarray) -> np.ndarray:
    """Forces (N) of a contact in series with compliances (m/N) at the approaches of both (m)."""
    springs: Springs | None = pack_springs((contact,), FeltCompliance.none(0, 1))
    forces = np.empty(approaches.size)
    while springs is not None:
        series_forces(springs, 0, compliances, approaches, forces)
        springs = supply_wanted((contact,), springs)
    return forces


def _stack_rows(contacts: Sequence[WheelContact]) -> tuple[np.ndarray, np.ndarray]:
    """Rows of all tables, each once, and those of each wheel; a wheel without a table has none."""
    stacked, spans = [np.zeros((0, COLUMNS))], np.zeros((len(contacts), 2), dtype=np.int64)
    known: dict[int, tuple[int, int]] = {}
    total = 0
    for k, contact in enumerate(contacts):
        table = contact.table
        if table is None:
            continue
        if id(table) not in known:
            rows = table.rows
            stacked.append(rows)
            known[id(table)] = total, total + len(rows)
            total += len(rows)
        spans[k] = known[id(table)]
    return np.concatenate(stacked), spans
