"""`TheoryComparison`: simplified theories of rolling beside the forces of a table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from traction import checks
from traction.contact.friction.tangential_contact import CREEPAGES
from traction.contact.simplified.fastrip import fastrip
from traction.contact.simplified.fastsim import fastsim
from traction.contact.simplified.kalker import RATIOS, kalker_coefficients
from traction.contact.simplified.polach import polach_forces
from traction.errors import InputError
from traction.materials import Pair
from traction.outputs.result import Result
from traction.outputs.variable import Variable, counter, data, figure, number
from traction.theory.hertz_contacts import EllipseContact

THEORIES = ("fastsim", "fastrip", "polach", "linear")


@dataclass(frozen=True, eq=False, repr=False)
class TheoryComparison(Result):
    """Result of `CreepTable.compare`: forces on body 1 of one ellipse by a table and simpler theories."""

    _rows, _drawn = ("case",), "force_x"

    semi_axes: tuple[float, float]  #: a, b along x and y, m
    normal_force: float  #: N, N
    friction: float  #: coefficient of friction mu
    creepage: np.ndarray  #: xi, eta (-), phi (rad/m), (K, 3)
    table: np.ndarray  #: F_x, F_y (N), M_z (N m) of the table, (K, 3)
    fastsim: np.ndarray  #: of FASTSIM, (K, 3)
    fastrip: np.ndarray  #: of FaStrip, (K, 3)
    polach: np.ndarray  #: F_x, F_y of Polach's formula, which has no moment, (K, 2)
    linear: np.ndarray  #: of Kalker's linear theory, cut where its force exceeds mu N, (K, 3)

    def __post_init__(self) -> None:
        for array in (self.creepage, self.table, self.fastsim, self.fastrip, self.polach, self.linear):
            array.setflags(write=False)

    def differences(self, theory: str) -> np.ndarray:
        """Return the distance of (F_x, F_y) by a `theory` from that of the table, over mu N, (K,)."""
        found: np.ndarray = getattr(self, checks.choice("theory", theory, THEORIES))
        off = found[:, :2] - self.table[:, :2]
        return np.hypot(off[:, 0], off[:, 1]) / (self.friction * self.normal_force)

    @property
    def largest(self) -> dict[str, float]:
        """Largest difference of each theory from the table, over mu N."""
        return {name: float(self.differences(name).max()) for name in THEORIES}

    @property
    def rms(self) -> dict[str, float]:
        """Root mean square of the differences of each theory from the table, over mu N."""
        return {name: float(np.sqrt(np.mean(self.differences(name) ** 2))) for name in THEORIES}

    def _headline(self) -> str:
        a, b = self.semi_axes
        return f"{len(self.creepage)} creepages, a/b = {a / b:.4g}, friction {self.friction:g}"

    def _variables(self) -> Iterator[Variable]:
        for name, value in self.largest.items():
            yield figure(f"largest_{name}", value, "1", f"largest difference of {name} over mu N")
        for name, value in self.rms.items():
            yield number(f"rms_{name}", value, "1", f"rms difference of {name} over mu N")
        yield number("normal_force", self.normal_force, "N", "normal force")
        yield number("friction", self.friction, "1", "coefficient of friction")
        yield counter("case", len(self.creepage), "number of the case")
        for k, (name, words) in enumerate(CREEPAGES.items()):
            yield data(name, self.creepage[:, k], "rad/m" if name == "spin" else "1", words, "case")
        for theory in ("table", *THEORIES):
            found, end = getattr(self, theory), "" if theory == "table" else f"_{theory}"
            for k, part in enumerate("xy"):
                yield data(f"force_{part}{end}", found[:, k], "N", f"force along {part}, {theory}", "case")
            if found.shape[1] == 3:
                yield data(f"moment{end}", found[:, 2], "N m", f"spin moment, {theory}", "case")


def compare_theories(
    creepages: np.ndarray,
    table: np.ndarray,
    semi_axes: tuple[float, float],
    load: float,
    friction: float,
    pair: Pair,
) -> TheoryComparison:
    """Forces of an ellipse by FASTSIM, FaStrip, Polach and the linear theory, beside those of a table."""
    (a, b), limit, stiff = semi_axes, friction * load, pair.shear_modulus
    if not RATIOS[0] <= a / b <= RATIOS[-1]:
        raise InputError(
            f"a/b = {a / b:g} must be {RATIOS[0]:g} to {RATIOS[-1]:g}: the simplified theories take Kalker's "
            "coefficients, which are tabulated there."
        )
    k = kalker_coefficients(a / b, max(0.0, pair.poisson_ratio))
    peak = 1.5 * load / (np.pi * a * b)
    contact = EllipseContact(semi_axes, np.nan, load, peak, pair.effective_modulus, pair)
    quick = [fastsim(contact, friction, creepage=one, coefficients=k) for one in creepages]
    strips = [fastrip(contact, friction, creepage=one, coefficients=k) for one in creepages]
    linear = np.array([k.force(one, semi_axes, stiff) for one in creepages])
    size = np.hypot(linear[:, 0], linear[:, 1])
    linear *= (limit / np.maximum(size, limit))[:, None]
    return TheoryComparison(
        semi_axes,
        load,
        friction,
        creepages,
        table,
        np.array([(*one.force, one.moment) for one in quick]),
        np.array([(*one.force, one.moment) for one in strips]),
        polach_forces(creepages, semi_axes, limit, stiff, k),
        linear,
    )
