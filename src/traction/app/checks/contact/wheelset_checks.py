"""Wheels on rails: the Manchester benchmark as CONTACT solves it, brute force, conicity, and laws."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator

import numpy as np

from traction.app.verification import Check
from traction.errors import CoarseGridWarning
from traction.materials import Material, Pair
from traction.profiles.profile import Profile
from traction.wheelsets.force_map import force_map
from traction.wheelsets.geometry.pose import Pose
from traction.wheelsets.geometry.track import Track
from traction.wheelsets.geometry.wheelset import Wheelset
from traction.wheelsets.kinematics.conicity import METHODS, conicity, equivalent_conicity
from traction.wheelsets.kinematics.kinematic_wave import kinematic_wave
from traction.wheelsets.kinematics.restoring_function import RestoringFunction
from traction.wheelsets.search.brute_force import touch_by_brute_force
from traction.wheelsets.search.locus import ContactLocus
from traction.wheelsets.wheel_rail import wheel_rail
from traction.wheelsets.wheel_rail_contact import WheelRailContact

LOAD, MU, RADIUS = 10e3, 0.3, 0.46
#: left wheel, CONTACT rev 2707: shift (m), yaw, roll (rad), pitch rate (rad/s, about y to the right);
#: place (m), lateral creepage, lateral force over mu Fn, largest pressure (Pa)
POSITIONS = {
    "centred": ((0.0, 0.0, 0.0, -4.3481181), 8.66e-3, None, 253.6 / (MU * 9997.0), 338.3e6),
    "yawed": ((2e-3, 0.0048, -0.0001128, -4.3459197), 4.027e-3, 0.004798, -2961.0 / (MU * 10040.0), 465.9e6),
    "shifted": ((10e-3, 0.024, -0.01126, -4.2436375), 3.4351e-3, 0.02371, -2054.0 / (MU * 10020.0), 744.0e6),
}
#: rolling radius difference of case E.1 of EN 15302 at y = 0.0, 0.2, ... 4.0 mm, odd in y; mm
DIFFERENCE = (
    0.0, 0.051, 0.092, 0.142, 0.197, 0.257, 0.328, 0.402, 0.481, 0.574, 0.667, 0.766, 0.879, 0.992, 1.111,
    1.236, 1.346, 1.471, 1.598, 1.752, 1.906,
)  # fmt: skip
WORKED = {2.0: 0.155, 4.0: 0.216}  #: its conicity at amplitudes in mm


def checks() -> Iterator[Check]:
    """Three positions of the benchmark, the search with yaw, conicity and the kinematic wave."""
    for name, (position, place, eta, lateral, peak) in POSITIONS.items():
        source = "CONTACT rev 2707"
        yield Check(
            f"wheel-rail-{name}-place", "y on the rail, m", source, place, 2e-3, _find, position, "place"
        )
        if eta is not None:
            yield Check(
                f"wheel-rail-{name}-creepage", "lateral creepage", source, eta, 1e-3, _find, position, "eta"
            )
        yield Check(
            f"wheel-rail-{name}-force", "lateral force / mu Fn", source, lateral, 5e-3 / abs(lateral), _find,
            position, "lateral",
        )  # fmt: skip
        yield Check(
            f"wheel-rail-{name}-pressure", "largest pressure, Pa", source, peak, 1e-2, _find, position, "peak"
        )
    yield Check(
        "wheel-rail-locus", "touching height difference, m", "brute force", 0.0, 1e-6, _compare_search
    )
    words, source = "spin of a cone on a roller, rad/m", "sin(angle) over both radii"
    yield Check("wheel-roller-spin", words, source, _spin_on_roller(exact=True), 2e-4, _spin_on_roller)
    words, source = "force after 4 contact lengths / steady force", "steady rolling"
    yield Check("wheel-rail-transient", words, source, 1.0, 2e-2, _roll_until_steady)
    words = "forces in batches, difference / mu Fn"
    yield Check("wheel-rail-batches", words, "position by position", 0.0, 1e-6, _compare_batches)
    yield from _check_conicity()


def _solve(position: tuple[float, float, float, float]) -> WheelRailContact:
    y, yaw, roll, pitch_rate = position
    steel = Material.from_shear_modulus(82e9, 0.28)
    return wheel_rail(
        Wheelset(Profile.standard("S1002"), RADIUS),
        Track(Profile.standard("UIC60-benchmark")),
        side="left", y=y, yaw=yaw, roll=roll, force=LOAD, speed=2.0, pitch_rate=pitch_rate, friction=MU,
        pair=Pair(steel, steel), convention="contact",
    )  # fmt: skip


def _find(position: tuple[float, float, float, float], quantity: str) -> float:
    patch = _solve(position).patches[0]
    values = {
        "place": patch.place[0],
        "eta": patch.creepage[1],
        "lateral": patch.force[2] / (MU * patch.force[0]),
        "peak": patch.peak_pressure,
    }
    return float(values[quantity])


def _spin_on_roller(*, exact: bool = False) -> float:
    """Spin of a cone of 1/20 in pure rolling on a roller with a round head."""
    slope, wheel, roller, head = math.atan(0.05), RADIUS, 0.5, 0.3
    wheelset = Wheelset(Profile.conical(0.05, between=(-0.06, 0.06)), wheel)
    rail = Profile.circular(head, "rail", between=(-0.036, 0.036))
    track = Track(rail, roller_radius=roller)
    if exact:  # the wheel touches where the head has its slope
        touching = head * math.sin(slope) - 0.036 - 0.5 * track.gauge - wheelset.offset
        radii = wheel + 0.05 * touching, roller - head * (1.0 - math.cos(slope))
        return math.sin(slope) * (1.0 / radii[0] + 1.0 / radii[1])
    found = wheel_rail(wheelset, track, side="right", force=LOAD, dx=0.4e-3, dy=0.4e-3)
    return float(found.patches[0].creepage[2])


def _roll_until_steady() -> float:
    """Lateral force of a yawed wheel that begins to roll without tractions, over that of steady rolling."""
    wheelset = Wheelset(Profile.standard("S1002"), RADIUS)
    track = Track(Profile.standard("60E1"), cant=1 / 40)
    given = {"side": "right", "y": -2e-3, "yaw": 2e-3, "force": 3 * LOAD, "dx": 0.6e-3, "dy": 0.6e-3}
    steady = wheel_rail(wheelset, track, discretisation="covered", **given)  # type: ignore[arg-type]
    found = wheel_rail(wheelset, track, friction=0.0, **given)  # type: ignore[arg-type]
    for _ in range(8):
        found = wheel_rail(wheelset, track, previous=found, distance=3e-3, **given)  # type: ignore[arg-type]
    return found.patches[0].force[2] / steady.patches[0].force[2]


def _compare_batches() -> float:
    """Largest difference of forces of a map that are solved together from those one by one, over mu Fn."""
    wheelset = Wheelset(Profile.standard("S1002"), RADIUS)
    track = Track(Profile.standard("60E1"), cant=1 / 40)
    given = {"side": "right", "force": 3 * LOAD, "dx": 0.8e-3, "dy": 0.8e-3}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CoarseGridWarning)
        maps = [
            force_map(wheelset, track, y=np.linspace(-4e-3, 0.0, 12), device=device, **given)  # type: ignore[arg-type]
            for device in (None, "cpu")
        ]
    return float(np.abs(maps[1].force - maps[0].force).max() / (MU * 3 * LOAD))


def _compare_search() -> float:
    """Largest difference of the touching heights by the locus and by brute force, over shifts with yaw."""
    wheelset = Wheelset(Profile.standard("S1002"), RADIUS)
    track = Track(Profile.standard("60E1"), cant=1 / 40)
    found = []
    for y in np.linspace(-8e-3, 8e-3, 9):
        pose = Pose(float(y), 0.0, 0.02, 0.001)
        locus = ContactLocus.of(wheelset, track, "right", pose)
        found.append(locus.touching_height - touch_by_brute_force(wheelset, track, "right", pose))
    return float(np.abs(found).max())


def _check_conicity() -> Iterator[Check]:
    for method in METHODS:
        words = f"conicity by {method}, without roll"
        yield Check("conicity-cone", words, "taper of the cone", 0.05, 1e-6, _cone_conicity, method)
    for amplitude, expected in WORKED.items():
        words = f"conicity at {amplitude:g} mm"
        yield Check("conicity-en-15302", words, "EN 15302, case E.1", expected, 5e-3, _worked_case, amplitude)
    words = "wavelength of a blunt cone over Klingel's"
    yield Check("kinematic-wave", words, "Klingel 1883", 1.0, 1e-4, _compare_waves)


def _cone_conicity(method: str) -> float:
    cone = Wheelset(Profile.conical(0.05), RADIUS)
    return float(conicity(cone, Track(Profile.standard("60E1")), 3e-3, method=method, roll=False))


def _worked_case(amplitude: float) -> float:
    half = 1e-3 * np.array(DIFFERENCE)
    y = 0.2e-3 * np.arange(1 - half.size, half.size)
    function = RestoringFunction(y, np.concatenate([-half[:0:-1], half]))
    return equivalent_conicity(function, 1e-3 * amplitude, 0.0, "integration")


def _compare_waves() -> float:
    cone = Wheelset(Profile.conical(1 / 200), RADIUS)
    wave = kinematic_wave(cone, Track(Profile.circular(0.3, "rail")), 1e-3)
    return wave.wavelength / wave.klingel_wavelength
