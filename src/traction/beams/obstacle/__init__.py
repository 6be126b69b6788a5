"""Beams pressed on an obstacle: closed forms and mortar finite elements."""

from traction.beams.obstacle.contact import ContactZone, ObstacleCertificate, ObstacleContact
from traction.beams.obstacle.shapes import curved, flat, inclined, stepped
from traction.beams.obstacle.solver import penalty, solve
from traction.theory.obstacle import ObstacleBenchmark, ScaledObstacle, exact, with_dimensions

__all__ = [
    "ContactZone",
    "ObstacleBenchmark",
    "ObstacleCertificate",
    "ObstacleContact",
    "ScaledObstacle",
    "curved",
    "exact",
    "flat",
    "inclined",
    "penalty",
    "solve",
    "stepped",
    "with_dimensions",
]
