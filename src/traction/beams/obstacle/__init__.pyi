"""Public names of `tr.obstacle` and where they stand."""

from .infinite_beam import ObstacleBenchmark as ObstacleBenchmark
from .infinite_beam import ScaledObstacle as ScaledObstacle
from .infinite_beam import exact as exact
from .infinite_beam import with_dimensions as with_dimensions
from .mesh_adaptation import AdaptedContact as AdaptedContact
from .mesh_adaptation import adapt as adapt
from .obstacle_contact import ContactZone as ContactZone
from .obstacle_contact import ObstacleCertificate as ObstacleCertificate
from .obstacle_contact import ObstacleContact as ObstacleContact
from .obstacle_shapes import curved as curved
from .obstacle_shapes import flat as flat
from .obstacle_shapes import inclined as inclined
from .obstacle_shapes import stepped as stepped
from .obstacle_solver import benchmark as benchmark
from .obstacle_solver import penalty as penalty
from .obstacle_solver import solve as solve
from .two_beams import BeamPair as BeamPair
from .two_beams import PairCertificate as PairCertificate
from .two_beams import press_together as press_together
