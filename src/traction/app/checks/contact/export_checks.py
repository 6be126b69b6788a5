"""Tables for other programs: USETAB files with CONTACT and closed forms."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from traction.app.verification import Check
from traction.contact.rolling.steady_rolling import roll_steady
from traction.contact.tables.sliding import slide
from traction.contact.tables.solved_usetab import press_ellipse
from traction.contact.tables.usetab_file import (
    Usetab,
    file_ratios,
    read_printed_coefficients,
    read_usetab,
    write_usetab,
)

#: creepage of a circle of 5 mm radius under 100 kN, G = 82 GPa, mu = 0.3; its force, as CONTACT prints it
CREEPAGE, FORCE = 0.003, 19939.37897
UNIT_FORCE, UNIT_CREEPAGE = 0.3e5, 0.3e5 / (82e9 * 5e-3**2)  #: mu N, and mu N/(G c^2)
#: Kalker 1990, table E.3, a/b = 0.4, Poisson's ratio 0.25
PRINTED = {"C11": 3.53, "C22": 2.88, "C23": 0.823}


def checks() -> Iterator[Check]:
    """Scales, sliding forces and digits of USETAB files."""
    reduced = FORCE / UNIT_FORCE
    yield Check("usetab-units", "force over mu N", "CONTACT rev 2707", reduced, 1e-5, _roll_unit_circle)
    yield Check("usetab-sliding", "moment of a circle", "3 pi/16", 3.0 * math.pi / 16.0, 1e-5, _slide_circle)
    for k, (name, value) in enumerate(PRINTED.items()):
        yield Check("usetab-scale", name, "Kalker 1990", value, 1e-6, _read_coefficient, k)
    yield Check("usetab-file", "largest change when read", "format f11.6", 0.0, 5.1e-7, _change_by_file)


def _roll_unit_circle() -> float:
    """The force of CONTACT's circle in the units of a file: G = N = mu = c = 1."""
    creepage = (-CREEPAGE / UNIT_CREEPAGE, 0.0, 0.0)
    return roll_steady(press_ellipse(1.0, 36), 1.0, creepage=creepage, discretisation="classical").force[0]


def _slide_circle() -> float:
    return float(slide(1.0, np.array([[0.0, 0.0, -1e6]]))[0, 2])


def _read_coefficient(number: int) -> float:
    return float(read_printed_coefficients(0.4, 0.25)[number])


def _change_by_file() -> float:
    """Largest difference of random forces after they were written and read."""
    values = np.random.default_rng(0).uniform(-0.7, 0.7, (3, 4, 4, 8, 3))
    with tempfile.TemporaryDirectory() as folder:
        path = write_usetab(Path(folder) / "tabcon", Usetab(file_ratios(1, (4.0, 1.0)), values))
        return float(np.abs(read_usetab(path).values - values).max())
