"""Beams pressed on an obstacle: closed forms and mortar finite elements."""

from traction.beams.obstacle.infinite_beam import benchmark
from traction.beams.obstacle.mesh_adaptation import AdaptedContact, adapt
from traction.beams.obstacle.obstacle_contact import ContactZone, ObstacleCertificate, ObstacleContact
from traction.beams.obstacle.obstacle_shapes import curved, flat, inclined, stepped
from traction.beams.obstacle.obstacle_solver import penalty, solve
from traction.beams.obstacle.two_beams import BeamPair, PairCertificate, press_together
from traction.theory.obstacle import ObstacleBenchmark, ScaledObstacle, exact, with_dimensions

__all__ = [
    "AdaptedContact",
    "BeamPair",
    "ContactZone",
    "ObstacleBenchmark",
    "ObstacleCertificate",
    "ObstacleContact",
    "PairCertificate",
    "ScaledObstacle",
    "adapt",
    "benchmark",
    "curved",
    "exact",
    "flat",
    "inclined",
    "penalty",
    "press_together",
    "solve",
    "stepped",
    "with_dimensions",
]
