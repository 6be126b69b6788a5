"""Friction: against CONTACT (Vollebregt), closed forms, Kalker's linear theory, and waves on elements."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import chain

import numpy as np

from traction.app.verification import Check
from traction.contact.batch.batch import Batch
from traction.contact.batch.batch_results import TangentialBatch
from traction.contact.friction.shift import shift
from traction.contact.friction.tangential_contact import TangentialContact
from traction.contact.normal.press import NormalContact, solve_press
from traction.contact.rolling.rolling_operator import RollingOperator
from traction.contact.rolling.steady_rolling import roll_steady
from traction.contact.rolling.transient_rolling import roll
from traction.contact.simplified.fastsim import fastsim
from traction.contact.simplified.kalker import NAMES, compute_on_grid, kalker_coefficients
from traction.grid import Grid
from traction.materials import STEEL, Material, Pair
from traction.surfaces import Cylinder, Sphere
from traction.theory import carter, cattaneo, hertz, rolling_waves

STEEL_PAIR = Pair(STEEL, STEEL)
CONTACT = "CONTACT rev 2707"
MU = 0.3
MM = 1e-3
ROLLER, ROLLER_LOAD = 0.5, 178.9e3  #: m, N/m
CIRCLE = 0.5 / 2.634146341  #: m, radius whose contact under 100 kN has a radius of 5 mm
#: creepages (xi, eta, phi in rad/m), forces (N) and spin moment (N m) on a circle of 36 elements across
TABLE = (
    ("creepage", (0.003, 0.0, 0.0), {"force_x": -19939.37897}),
    ("spin", (0.0, 0.0, 0.5), {"force_y": -7496.966038, "moment": -25.05953414}),
    ("both", (0.0, -0.002, 0.5), {"force_y": 5537.177736, "moment": -40.97230874}),
)
#: a/b, C11, C22, C23 at Poisson's ratio 0.25
PRINTED = ((0.5, 3.62, 3.01, 0.929), (2.0, 5.10, 4.90, 2.62))
CONVERGED = (4.115, 3.670, 1.467, 1.186)  #: Kalker's coefficients of a circle, Poisson's ratio 0.25


def checks() -> Iterator[Check]:
    """All rows of friction."""
    return chain(reference_checks(), closed_checks(), kalker_checks(), transient_checks())


def reference_checks() -> Iterator[Check]:
    """The same discretisation in CONTACT."""
    for name, quantity, expected, tolerance, compute in (
        ("shift-cattaneo", "shift", 0.008154908082 * MM, 1e-4, lambda: _cattaneo().creepage[0]),
        ("shift-cattaneo", "elements that stick", 45.0, 1e-9, lambda: _cattaneo().stick.sum()),
        ("roll-carter", "force", 6955.402532, 1e-5, lambda: _strip().force[0]),
        ("roll-carter", "elements that stick", 30.0, 1e-9, lambda: _strip().stick.sum()),
    ):
        yield Check(name, quantity, CONTACT, expected, tolerance, compute)
    for name, creepage, numbers in TABLE:
        for quantity, value in numbers.items():
            yield Check(f"roll-circle-{name}", quantity, CONTACT, value, 1e-5, _rolled, creepage, quantity)
            yield Check(
                f"batch-circle-{name}", quantity, CONTACT, value, 1e-5, _rolled_in_batch, name, quantity
            )


def closed_checks() -> Iterator[Check]:
    """Closed forms of Cattaneo and Carter."""
    yield Check("shift-sphere", "shift", "Cattaneo 1938", 1.0, 5e-3, _shift_over_theory)
    theory, source = carter.line(_roller(), ROLLER, MU, force=0.64 * MU * ROLLER_LOAD), "Carter 1926"
    yield Check("roll-line", "creepage", source, theory.creepage, 2e-3, _carter, "creepage")
    yield Check("roll-line", "stick width", source, 2.0 * theory.stick_half_width, 0.02, _carter, "stick")
    yield Check("roll-line", "local frictional work", source, 1.0, 2e-3, _carter_work)
    yield Check("roll-steady", "sum of local work", "balance of energy", 1.0, 5e-4, _summed_work)


def kalker_checks() -> Iterator[Check]:
    """Kalker's coefficients on a coarse grid and in the table; FASTSIM at small creepages."""
    for k, (name, expected) in enumerate(zip(NAMES, CONVERGED, strict=True)):
        yield Check("kalker-36-cells", name, "converged, nu 0.25", expected, 5e-3, _coefficient, k)
    for ratio, *row in PRINTED:
        for name, expected in zip(NAMES[:3], row, strict=True):
            table, source = f"kalker-table-{ratio:g}", "Kalker 1990, E.3"
            yield Check(table, name, source, expected, 5e-3, _tabulated, ratio, name)
    yield Check("fastsim-linear", "force_x / linear", "Kalker 1982", 1.0, 2e-3, _fastsim, 1e-6)
    yield Check("fastsim-sliding", "force_x / limit", "Coulomb", 1.0, 2e-3, _fastsim, 0.1)


def transient_checks() -> Iterator[Check]:
    """Transient rolling: CONTACT, any step, and the waves that explain its wiggles."""
    yield Check("roll-transient", "creepage, step 12", CONTACT, 0.00296754801, 1e-4, _cattaneo_to_carter)
    yield Check("roll-any-step", "creepage / one element", "no step in theory", 1.0, 5e-3, _short_steps)
    words, short = "largest difference of traction", "steps of a tenth"
    yield Check("roll-varying-load", f"{words} / mu p0", short, 0.0, 0.01, _varying_load, 0.35)
    yield Check("roll-varying-load", f"{words} / mu p0, +-60 %", short, 0.0, 0.01, _varying_load, 0.6)
    for share in (0.3, 0.657):
        words = f"creepage at {share} mu Fn, most / least"
        yield Check("roll-any-step", words, "no step in theory", 1.0, 5e-3, _single_steps, share)
    wave, source = rolling_waves.wiggle(0.1).wavelength, "Fourier symbol"
    yield Check("roll-wiggles", "length (elements)", source, wave, 0.03, _wavelength, 0.1)
    symbol = abs(complex(rolling_waves.difference(np.pi, 0.01)))
    yield Check("roll-matrix", "A - A', shortest wave", source, symbol, 1e-3, _waved, 0.01)


def _cattaneo_to_carter() -> float:
    """Creepage of moving elements in the 12th step, one element each."""
    body = Material.from_shear_modulus(1e6, 0.28)
    grid = Grid(34, 33, 0.25 * MM, 0.25 * MM, center=(0.125 * MM, 0.0))
    contact = solve_press(Sphere(0.5 / 2.963), grid, Pair(body, body), force=0.4705, tol=1e-9)
    mu, force = 0.4013, -0.657 * 0.4013 * 0.4705
    t = shift(contact, mu, displacement=(None, 0.0, 0.0), force=(force, None))
    return _rolled_on(t, force, 1.0, 12, "moving").creepage[0]


def _short_steps() -> float:
    """Mean creepage over the 12th element of a line contact, by fifths of an element over whole ones."""
    means = []
    for step, parts in ((0.2, 5), (1.0, 1)):
        start, force = _pulled(48)
        t = _rolled_on(start, force, step, 11 * parts, "covered")
        found = []
        for _ in range(parts):
            t = _rolled_on(t, force, step, 1, "covered")
            found.append(t.creepage[0])
        means.append(float(np.mean(found)))
    return means[0] / means[1]


def _varying_load(share: float) -> float:
    """Largest difference of tractions, over mu p0, between steps of one element and of a tenth.

    The load of a roller of 24 elements varies by the share over a period of its width.
    """
    grid, surface = Grid.line(38, 2.0 * _roller().half_width / 24, length=0.2), Cylinder(ROLLER)
    creepage, found = (2e-4, 0.0, 0.0), []
    for parts in (1, 10):
        pressed = solve_press(surface, grid, STEEL_PAIR, force=ROLLER_LOAD)
        t, fields = roll_steady(pressed, MU, creepage=creepage), []
        for k in range(1, 12 * parts + 1):
            load = ROLLER_LOAD * (1.0 + share * float(np.sin(2.0 * np.pi * k / parts / 24)))
            pressed = solve_press(surface, grid, STEEL_PAIR, force=load, start=pressed)
            t = roll(t, MU, distance=grid.dx / parts, creepage=creepage, normal=pressed)
            if k % parts == 0:
                fields.append(t.traction)
        found.append(np.array(fields))
    return float(np.abs(found[0] - found[1]).max()) / (MU * _roller().peak_pressure)


def _single_steps(share: float) -> float:
    """Largest over smallest creepage of tenths of an element, in the last of 24, about their trend."""
    t, force = _pulled(24, share)
    t, found = _rolled_on(t, force, 0.1, 230, "covered"), []
    for _ in range(10):
        t = _rolled_on(t, force, 0.1, 1, "covered")
        found.append(t.creepage[0])
    number = np.arange(10)
    ratio = np.array(found) / np.polyval(np.polyfit(number, found, 1), number)
    return float(ratio.max() / ratio.min())


def _wavelength(step: float) -> float:
    """Of the wiggles of moving elements, once rolling is steady: the peak of the spectrum of their bends."""
    start, force = _pulled(48)
    t = _rolled_on(start, force, step, round(96 / step), "moving")
    bends = np.diff(t.traction[0, 0, t.stick[0]], 2)
    spectrum = np.abs(np.fft.rfft(bends * np.hanning(bends.size), 4096))
    return 4096.0 / float(np.argmax(spectrum[1:]) + 1)


def _waved(step: float) -> float:
    """A - A' on the shortest wave, in the middle of 601 elements, in units of 2 (1 - nu) dx/G."""
    grid, n = Grid.line(601, MM), np.arange(-300, 301)
    wave = (-1.0) ** n * np.cos(0.5 * np.pi * n / 301) ** 2
    row = RollingOperator(grid, STEEL_PAIR, step).difference[300]
    return float(row @ wave) * STEEL_PAIR.shear_modulus / (2.0 * (1.0 - STEEL_PAIR.poisson_ratio) * grid.dx)


@lru_cache(maxsize=2)
def _pulled(cells: int, share: float = 0.657) -> tuple[TangentialContact, float]:
    """A roller of so many elements that is pulled by a share of mu Fn, about to roll; and its force (N/m)."""
    grid = Grid.line(cells + 6, 2.0 * _roller().half_width / cells, length=0.2)
    contact = solve_press(Cylinder(ROLLER), grid, STEEL_PAIR, force=ROLLER_LOAD, tol=1e-9)
    force = -share * MU * ROLLER_LOAD
    return shift(contact, MU, displacement=(None, 0.0, 0.0), force=(force, None)), force


def _rolled_on(t: TangentialContact, force: float, step: float, count: int, scheme: str) -> TangentialContact:
    """So many steps, in elements, with the force held."""
    way, given = step * t.normal.grid.dx, {"creepage": (None, 0.0, 0.0), "force": (force, None)}
    for _ in range(count):
        t = roll(t, t.friction, distance=way, scheme=scheme, **given)  # type: ignore[arg-type]
    return t


@lru_cache(maxsize=1)
def _cattaneo() -> TangentialContact:
    body = Material.from_shear_modulus(200e6, 0.42)
    width = 0.13333 * MM
    # the reference grid begins at -1.26667 mm
    middle = (-1.26667 + 9.5 * 0.13333) * MM
    grid = Grid(19, 19, width, width, center=(middle, middle))
    contact = solve_press(Sphere(50 * MM), grid, Pair(body, body), force=9.1954)
    return shift(contact, 0.4, force=(-3.21839, 0.0))


@lru_cache(maxsize=1)
def _strip() -> TangentialContact:
    grid = Grid(55, 1, 0.04 * MM, 200 * MM, center=(0.03 * MM, 0.0))
    contact = solve_press(Cylinder(ROLLER), grid, STEEL_PAIR, force=35780.0)
    return roll_steady(contact, MU, creepage=(-0.00024, 0.0, 0.0), discretisation="classical")


@lru_cache(maxsize=1)
def _circle() -> NormalContact:
    cell = 10.0 / 36.0 * MM
    return solve_press(Sphere(CIRCLE), Grid(40, 40, cell, cell), STEEL_PAIR, force=1e5)


def _rolled(creepage: tuple[float, float, float], quantity: str) -> float:
    t = roll_steady(_circle(), MU, creepage=creepage, discretisation="classical")
    return {"force_x": t.force[0], "force_y": t.force[1], "moment": t.moment}[quantity]


@lru_cache(maxsize=1)
def _batch() -> TangentialBatch:
    """All members of the table, each three times, since fewer would be solved singly."""
    creepages = [creepage for _, creepage, _ in TABLE] * 3
    batch = Batch(_circle().grid, STEEL_PAIR, precision="mixed")
    return batch.roll_steady(_circle(), MU, creepages, discretisation="classical")


def _rolled_in_batch(name: str, quantity: str) -> float:
    k, b = [row[0] for row in TABLE].index(name), _batch()
    return float({"force_x": b.force[k, 0], "force_y": b.force[k, 1], "moment": b.moment[k]}[quantity])


def _shift_over_theory() -> float:
    body = Material(2e11, 0.0)  # without a Poisson effect the closed form is exact
    pair = Pair(body, body)
    ball = hertz.sphere(0.1, pair, force=1500.0)
    grid = Grid.around(1.15 * ball.radius, 1.15 * ball.radius, 49, 49)
    pull = 0.6 * MU * ball.force
    moved = shift(solve_press(Sphere(0.1), grid, pair, force=1500.0), MU, force=(-pull, 0.0)).creepage[0]
    return moved / cattaneo.sphere(ball, MU, pull).shift


def _roller() -> hertz.LineContact:
    return hertz.line(ROLLER, STEEL_PAIR, force=ROLLER_LOAD)


@lru_cache(maxsize=1)
def _rolled_line() -> TangentialContact:
    grid = Grid.line(106, 2.0 * _roller().half_width / 100)
    contact = solve_press(Cylinder(ROLLER), grid, STEEL_PAIR, force=ROLLER_LOAD)
    return roll_steady(contact, MU, force=(0.64 * MU * ROLLER_LOAD, None), creepage=(None, 0.0, 0.0))


def _carter(quantity: str) -> float:
    t = _rolled_line()
    return t.creepage[0] if quantity == "creepage" else float(t.stick.sum()) * t.normal.grid.dx


def _carter_work() -> float:
    """Frictional work in the middle of the slip area over mu p |xi| sqrt(X^2 - d^2)/(a - d).

    X counts from the middle of the area of half-width d that sticks.
    """
    t, roller = _rolled_line(), _roller()
    a, d = roller.half_width, roller.half_width * np.sqrt(1.0 - 0.64)
    k = int(np.argmin(np.abs(t.normal.grid.x + d)))
    x = float(t.normal.grid.x[k])
    bound = MU * roller.peak_pressure * np.sqrt(1.0 - (x / a) ** 2)
    slip = abs(t.creepage[0]) * np.sqrt((x - a + d) ** 2 - d**2) / (a - d)
    return float(t.power_density[0, k] / (bound * slip))


def _summed_work() -> float:
    """Sum of the local work over the dissipation."""
    t = roll_steady(_circle(), MU, creepage=(0.0, -0.002, 0.5))
    return float(t.power_density.sum()) * t.normal.grid.cell_area / t.dissipation


@lru_cache(maxsize=1)
def _coefficients() -> np.ndarray:
    return compute_on_grid(1.0, 0.25, 36)


def _coefficient(k: int) -> float:
    return float(_coefficients()[k])


def _tabulated(ratio: float, name: str) -> float:
    return float(getattr(kalker_coefficients(ratio, 0.25), name))


def _fastsim(creepage: float) -> float:
    """Force over that of the linear theory, or over the limit, whichever is less."""
    ball = hertz.sphere(CIRCLE, STEEL_PAIR, force=1e5)
    found = fastsim(ball, MU, creepage=(creepage, 0.0, 0.0))
    linear = found.coefficients.force((creepage, 0.0, 0.0), ball.semi_axes, STEEL_PAIR.shear_modulus)[0]
    return found.force[0] / max(linear, -MU * ball.force)
