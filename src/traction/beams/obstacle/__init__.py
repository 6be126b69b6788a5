"""Beams pressed on an obstacle: closed forms and mortar finite elements.

obstacle_shapes      the gap under the beam
obstacle_problem     what is asked: beam, load, obstacles, and the space of the contact force (multipliers)
beam_line            the beam cut at nodes; contact_equations: its balance with given contact
active_set           which contact forces act
contact_zones        where contact begins: nodes are moved there
obstacle_solver      `solve`, from a coarse mesh to a fine one; mesh_adaptation: `adapt`, where it matters
obstacle_contact     the answer, with force_density; two_beams: `press_together`
"""

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
