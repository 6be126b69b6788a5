"""Energies of a crossing: where the work of gravity and of the drive goes.

The drive keeps the speed of the train. On a slope the forces of the wheels have a part along the track, so
that the drive does the work of F V (r' - w') per second, with the height r of the rail and the deflection w.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

STORED = (
    "bridge_kinetic", "bridge_elastic", "vehicles_kinetic", "vehicles_elastic", "contact", "gravity"
)  # fmt: skip
GAUSS = np.polynomial.legendre.leggauss(4)


@dataclass(frozen=True, eq=False, kw_only=True)
class Energies:
    """Energies (J) at the times of a crossing; work and dissipation are counted from its start."""

    bridge_kinetic: np.ndarray
    bridge_elastic: np.ndarray
    vehicles_kinetic: np.ndarray
    vehicles_elastic: np.ndarray  #: of springs, from rest on an even track
    contact: np.ndarray  #: elastic energy of all contacts
    gravity: np.ndarray  #: of the weight that rests on the wheels, from rest on an even track
    drive: np.ndarray  #: work of the drive
    axles: np.ndarray  #: work of axles that are plain forces
    dissipated: np.ndarray  #: by the bridge's and the vehicles' damping
    numerical: np.ndarray  #: work of what the method adds to the equations of motion along its path

    @property
    def total(self) -> np.ndarray:
        """All that is stored."""
        return np.asarray(sum(getattr(self, name) for name in STORED))

    @property
    def residual(self) -> np.ndarray:
        """What the balance lacks: change of the total, plus dissipation, less work and the method's part."""
        change = self.total - self.total[0] - self.drive - self.axles + self.dissipated
        return np.asarray(change - self.numerical)

    @property
    def work(self) -> float:
        """Largest change of any of the energies: the size of what is exchanged."""
        names = (*STORED, "drive", "axles")
        return max(float(np.ptp(getattr(self, name))) for name in names)

    @property
    def closure(self) -> float:
        """Largest residual over the work.

        Of a march by a method it tells whether contact forces, energies and slopes agree at its states;
        whether these follow the equations of motion is what `drift` tells.
        """
        return float(np.abs(self.residual).max()) / self.work

    @property
    def drift(self) -> float:
        """Largest energy that the method itself has added or taken, over the work.

        It is an integral of its own, no remainder: what is left over is in `closure`. Of the condensed march
        and of the energy-conserving method it is none by construction: their works are counted by the rules
        of their own steps, which differ from those along the path with the square of the step, and what
        their states lack of them is in `closure`.
        """
        return float(np.abs(self.numerical).max()) / self.work


def accumulated(per_step: np.ndarray) -> np.ndarray:
    """Sum from the start, (steps + 1,)."""
    return np.concatenate([np.zeros(1), np.cumsum(per_step)])


def vehicle_energies(
    mass: np.ndarray, stiffness: np.ndarray, z: np.ndarray, v: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Kinetic and elastic energy of all vehicles over time; `stiffness` is that of all coordinates."""
    return 0.5 * v**2 @ mass, 0.5 * np.einsum("ti,ij,tj->t", z, stiffness, z)


def modal_loss(rate: np.ndarray, q: np.ndarray, p: np.ndarray, h: np.ndarray) -> np.ndarray:
    """Energy that damping takes of modes in each step: p is the parabola that p and q at both ends tell."""
    middle = _middle(q, p, h)
    a, b = p[:-1], p[1:]
    square = (
        4.0 * (a * a + b * b) + 16.0 * middle * middle + 4.0 * middle * (a + b) - 2.0 * a * b
    ) / 30.0  # integral of the square of a parabola
    return np.asarray(h * (square @ rate))


def modal_work(f: np.ndarray, df: np.ndarray, q: np.ndarray, p: np.ndarray, h: np.ndarray) -> np.ndarray:
    """Work of modal forces in each step: Hermite's cubic through f and f', times that parabola."""
    middle, step = _middle(q, p, h), h[:, None]
    total = np.zeros(h.size)
    for point, weight in zip(0.5 * (GAUSS[0] + 1.0), 0.5 * GAUSS[1], strict=True):
        s = point
        force = (
            (1.0 + 2.0 * s) * (1.0 - s) ** 2 * f[:-1] + s * s * (3.0 - 2.0 * s) * f[1:]
            + step * s * (1.0 - s) * ((1.0 - s) * df[:-1] - s * df[1:])
        )  # fmt: skip
        speed = (
            (1.0 - s) * (1.0 - 2.0 * s) * p[:-1] + 4.0 * s * (1.0 - s) * middle + s * (2.0 * s - 1.0) * p[1:]
        )
        total += weight * (force * speed).sum(axis=1)
    return np.asarray(h * total)


def _middle(q: np.ndarray, p: np.ndarray, h: np.ndarray) -> np.ndarray:
    """Velocity in the middle of each step, of a parabola whose mean is the displacement over the step."""
    return np.asarray((6.0 * np.diff(q, axis=0) / h[:, None] - p[:-1] - p[1:]) / 4.0)
