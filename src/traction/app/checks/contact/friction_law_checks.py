"""Falling friction, layers, friction along the track: against CONTACT, a closed form and steady rolling."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache

from traction.app.verification import Check
from traction.contact.batch.batch import Batch
from traction.contact.batch.batch_results import TangentialBatch
from traction.contact.friction.tangential_contact import TangentialContact
from traction.contact.normal.press import NormalContact, solve_press
from traction.contact.rolling.steady_rolling import roll_steady
from traction.contact.rolling.transient_rolling import roll
from traction.friction_laws import friction
from traction.friction_laws.falling_law import FallingLaw
from traction.friction_laws.layer import Layer
from traction.grid import Grid
from traction.materials import Material, Pair
from traction.surfaces import Paraboloid
from traction.theory import hertz

CONTACT = "CONTACT, July 2025"
BODY = Material.from_shear_modulus(82e9, 0.28)
PAIR = Pair(BODY, BODY)
RADII, LOAD, SPEED = (1 / 1.6, 1 / 2.942), 80e3, 20.0
MEMORY = (3e-6, 1e-3)
LAWS = {
    "exponential": friction.exponential(0.15, (0.2, 1.0), memory=MEMORY),
    "linear": friction.linear(0.2, (0.15, 1.5), memory=MEMORY),
    "rational": friction.rational(0.1, (0.2, 0.8), (0.08, 2.0), memory=MEMORY),
}
FILM = Layer(4e9, 0.25e-3)
#: law, creepages and forces on 40 x 30 cells, N
TABLE = (
    ("exponential", (0.002, 0.0, 0.0), -21020.0),
    ("exponential", (0.08, 0.0, 0.0), -17290.0),
    ("linear", (0.08, 0.0, 0.0), -21610.0),
    ("rational", (0.002, 0.0012, 0.0), -20380.0),
)


@lru_cache(maxsize=2)
def _press(nx: int, ny: int) -> NormalContact:
    a, b = hertz.ellipse(*RADII, PAIR, force=LOAD).semi_axes
    return solve_press(Paraboloid(*RADII), Grid(nx, ny, 2.2 * a / nx, 2.2 * b / ny), PAIR, force=LOAD)


def _roll(
    law: FallingLaw | float, creepage: tuple[float, float, float], layer: Layer | None = None
) -> TangentialContact:
    contact = _press(40, 30)
    return roll_steady(contact, law, creepage=creepage, speed=SPEED, layer=layer, discretisation="classical")


def _brush() -> float:
    """Force of a very soft layer over that of a brush, xi G/h 8/3 a^2 b."""
    film = Layer(4e6, 0.25e-3)
    a, b = hertz.ellipse(*RADII, PAIR, force=LOAD).semi_axes
    t = roll_steady(_press(40, 30), 0.35, creepage=(1e-3, 0.0, 0.0), layer=film)
    return -t.force[0] / (1e-3 / film.compliance * 8.0 / 3.0 * a * a * b)


def _march_over_steady() -> float:
    """Force after many steps of whole cells over that of steady rolling, with a law and a yielding layer."""
    contact, law = _press(18, 16), LAWS["exponential"]
    film, creepage = Layer(4e9, 0.25e-3, 200e6, hardening=2e13), (0.004, 0.0, 0.0)
    between = {"speed": SPEED, "layer": film, "discretisation": "classical"}
    steady = roll_steady(contact, law, creepage=creepage, **between)  # type: ignore[arg-type]
    t = roll_steady(contact, law, creepage=(0.0, 0.0, 0.0), **between)  # type: ignore[arg-type]
    for _ in range(100):
        t = roll(t, law, distance=contact.grid.dx, creepage=creepage, **between)  # type: ignore[arg-type]
    return t.force[0] / steady.force[0]


def _lagged_over_steady() -> float:
    """The same of a law without memory that falls by twice what the contact resists in a step."""
    contact, law, creepage = _press(18, 16), friction.exponential(0.15, (0.15, 0.08)), (0.006, 0.0, 0.0)
    between = {"creepage": creepage, "speed": SPEED, "discretisation": "classical"}
    t = roll_steady(contact, 0.3, creepage=(0.0, 0.0, 0.0), discretisation="classical")
    for _ in range(100):
        t = roll(t, law, distance=contact.grid.dx, **between)  # type: ignore[arg-type]
    return t.force[0] / roll_steady(contact, law, **between).force[0]  # type: ignore[arg-type]


def _track_over_steady(ahead: float, behind: float) -> float:
    """Force 1.5 contact lengths behind a step of friction along the track over that of steady rolling."""
    contact, creepage = _press(18, 16), (0.003, 0.0, 0.0)
    length = 2.0 * contact.semi_axes[0]
    track = friction.along_track([0.0, 0.0], [ahead, behind])
    t = roll_steady(contact, track, creepage=creepage, position=-length)
    while t.position < 1.5 * length:
        t = roll(t, track, distance=contact.grid.dx, creepage=creepage)
    return t.force[0] / roll_steady(contact, behind, creepage=creepage).force[0]


def _slope_over_difference() -> float:
    """Tangent where the curve falls over a difference of two solutions."""
    law, h = LAWS["exponential"], 1e-6
    contact = _press(40, 30)

    def force(xi: float) -> float:
        return roll_steady(contact, law, creepage=(xi, 0.0, 0.0), speed=SPEED, tol=1e-9).force[0]

    t = roll_steady(contact, law, creepage=(0.02, 0.0, 0.0), speed=SPEED, tol=1e-9)
    return float(t.tangent[0, 0]) / ((force(0.02 + h) - force(0.02 - h)) / (2.0 * h))


def _force(law: FallingLaw | float, creepage: tuple[float, float, float], layer: Layer | None) -> float:
    return _roll(law, creepage, layer).force[0]


@lru_cache(maxsize=1)
def _batch() -> TangentialBatch:
    """All members of the table, each twice, since fewer would be solved singly."""
    laws, creepages = [LAWS[name] for name, _, _ in TABLE], [creepage for _, creepage, _ in TABLE]
    contact = _press(40, 30)
    batch = Batch(contact.grid, PAIR)
    return batch.roll_steady(contact, laws * 2, creepages * 2, speed=SPEED, discretisation="classical")


def _force_in_batch(member: int) -> float:
    """Force of a member; not a number where the single solver has solved it."""
    return math.nan if member in _batch().singles else float(_batch().force[member, 0])


def _unlike_over_single() -> float:
    """Force of unlike bodies in a batch over that of the single solver."""
    pair = Pair(BODY, Material(70e9, 0.33))
    a, b = hertz.ellipse(*RADII, pair, force=LOAD).semi_axes
    contact = solve_press(Paraboloid(*RADII), Grid(16, 15, 2.3 * a / 16, 2.3 * b / 15), pair, force=LOAD)
    creepages = [(0.002 + 0.001 * k, 0.001, 0.0) for k in range(8)]
    found = Batch(contact.grid, pair).roll_steady(contact, 0.3, creepages, discretisation="classical")
    single = roll_steady(contact, 0.3, creepage=creepages[1], discretisation="classical")
    return math.nan if found.solved_singly else float(found.force[1, 0]) / single.force[0]


def _power() -> float:
    return -SPEED * _roll(LAWS["exponential"], (0.08, 0.0, 0.0)).dissipation


def _slipping() -> int:
    return int(_roll(0.35, (0.008, 0.0, 0.0), Layer(4e9, 0.25e-3, 250e6)).sliding.sum())


def checks() -> Iterator[Check]:
    """Forces of laws and layers, power, elements that slip, and steady against transient rolling."""
    for name, creepage, force in TABLE:
        case, quantity = f"falling-{name}", f"force_x at {100 * creepage[0]:g} %"
        yield Check(case, quantity, CONTACT, force, 5e-4, _force, LAWS[name], creepage, None)
    for member, (name, creepage, force) in enumerate(TABLE):
        case, quantity = f"batch-falling-{name}", f"force_x at {100 * creepage[0]:g} %"
        yield Check(case, quantity, CONTACT, force, 5e-4, _force_in_batch, member)
    yield Check("batch-unlike", "force_x / one by one", "tr.roll_steady", 1.0, 2e-6, _unlike_over_single)
    yield Check("falling-exponential", "power at 8 %", CONTACT, -27640.0, 1e-3, _power)
    elastic = 0.35, (0.005, 0.0, 0.0), FILM
    yield Check("layer-elastic", "force_x", CONTACT, -22880.0, 5e-4, _force, *elastic)
    yield Check("layer-plastic", "elements that slip", CONTACT, 290.0, 0.0, _slipping)
    yield Check("layer-soft", "force_x / brush", "Winkler's foundation", 1.0, 0.01, _brush)
    yield Check("falling-march", "force_x / steady", "steady rolling", 1.0, 1e-4, _march_over_steady)
    yield Check("falling-lagged", "force_x / steady", "steady rolling", 1.0, 1e-4, _lagged_over_steady)
    for quantity, limit, step in (("onto it", 1e-5, (0.35, 0.08)), ("off it", 2e-3, (0.08, 0.35))):
        label = f"force_x / steady, {quantity}"
        yield Check("track-leaf", label, "steady rolling", 1.0, limit, _track_over_steady, *step)
    yield Check("falling-tangent", "slope / difference", "two solutions", 1.0, 1e-5, _slope_over_difference)
