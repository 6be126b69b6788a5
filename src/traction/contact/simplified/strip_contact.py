"""`StripContact`: tractions along strips of an ellipse, and the strips."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from traction.contact.simplified.quick_rolling import QuickContact
from traction.outputs.variable import Variable, components, counter, data, figure, number

MOST_STRIPS = 5000  #: and steps along each


@dataclass(frozen=True, eq=False, repr=False)
class StripContact(QuickContact):
    """Tractions on body 1 along strips of an ellipse. Node 0 of each strip lies at its leading edge."""

    _rows, _drawn = ("strip", "node"), "traction_size"

    x: np.ndarray  #: nodes, m, (strips, steps + 1)
    y: np.ndarray  #: centre lines of the strips, m, (strips,)
    bound: np.ndarray  #: traction bound at the nodes, Pa, (strips, steps + 1)
    traction: np.ndarray  #: p_x, p_y at the nodes, Pa, (2, strips, steps + 1)
    stick: np.ndarray  #: nodes that stick, (strips, steps + 1)
    moment: float  #: about z through the centre, N m; approximate, since these theories do not fit C33
    stick_area: float  #: area of adhesion, m2

    def __post_init__(self) -> None:
        for array in (self.x, self.y, self.bound, self.traction, self.stick):
            array.setflags(write=False)

    @property
    def wear_number(self) -> float:
        """T gamma = -(xi F_x + eta F_y + phi M_z), N: power of the rigid slip over the rolling speed."""
        (xi, eta, phi), (fx, fy) = self.creepage, self.force
        return -(xi * fx + eta * fy + phi * self.moment)

    def _headline(self) -> str:
        a, b = self.semi_axes
        share = self.stick_area / (math.pi * a * b)
        return f"{100 * share:.0f} % of the area sticks"

    @abstractmethod
    def _variables(self) -> Iterator[Variable]:
        (strips, nodes), limit = self.x.shape, self.friction * self.normal_force
        yield from self._tangential_forces()
        yield figure("moment", self.moment, "N m", "spin moment", limit * self.semi_axes[0])
        yield from self._given_motion()
        yield number("stick_area", self.stick_area, "m2", "area that sticks")
        yield from self._given_ellipse()
        yield counter("strip", strips, "number of the strip")
        yield counter("node", nodes, "number of the node from the leading edge")
        yield components()
        y = np.broadcast_to(self.y[:, None], self.x.shape)
        yield data("x", self.x, "m", "position along x", "strip", "node")
        yield data("y", y, "m", "position along y", "strip", "node")
        yield data("bound", self.bound, "Pa", "traction bound", "strip", "node")
        size = np.hypot(*self.traction)
        yield data("traction", self.traction, "Pa", "traction on body 1", "component", "strip", "node")
        yield data("traction_size", size, "Pa", "size of the traction", "strip", "node")
        yield data("stick", self.stick, "1", "nodes that stick", "strip", "node")


def divide_ellipse(semi_axes: tuple[float, float], strips: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Middle, half length and width of strips of an ellipse, m.

    They are of equal angle: of the ends of the ellipse, where they are short, there are many.
    """
    a, b = semi_axes
    angle = math.pi * ((np.arange(strips) + 0.5) / strips - 0.5)
    width = b * np.diff(np.sin(math.pi * (np.arange(strips + 1) / strips - 0.5)))
    return b * np.sin(angle), a * np.cos(angle), width
