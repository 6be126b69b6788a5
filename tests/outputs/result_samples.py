"""One small result of each kind, by its class; a class without a sample fails `test_result.py`."""

import warnings
from functools import cache

import numpy as np

import traction as tr
from saturating_table import saturating_table
from traction.kinds.registry import shipped
from traction.theory.hertz_contacts import NoContact

PAIR = tr.Pair(tr.STEEL, tr.STEEL)
BEAM = tr.Beam(20.0, 1e9, 1000.0, supports=("pinned", "pinned"), damping=0.01)
SHORT = tr.Beam(1.0, 1e4, 10.0, supports=("pinned", "pinned"))
STRIKER = tr.Striker(0.1, 1.0, radius=0.02, pair=PAIR)
SPANS = tr.Beam.spans([BEAM, BEAM])


@cache
def pressed():
    return tr.press(tr.Sphere(0.02), tr.Grid(14, 12, 4e-5, 4e-5), PAIR, force=60.0)


@cache
def cones():
    return tr.Wheelset(tr.Profile.conical(1 / 20), radius=0.46), tr.Track(tr.Profile.standard("60E1"))


@cache
def line_contact():
    return tr.press(tr.Cylinder(0.02), tr.Grid.line(20, 4e-5), PAIR, force=1e5)


@cache
def rolled():
    return tr.roll_steady(pressed(), 0.3, creepage=(1e-3, 0.0, 0.0))


@cache
def bounced():
    return tr.bounce(
        ball_radius=0.02, pair=PAIR, height=0.01, contact="hertz", method="verlet", dt=1e-6, t_end=0.05
    )


@cache
def crossed():
    wheel = tr.Wheel(0.46, 500.0)
    bridge = tr.Bridge(tr.Beam(10.0, 1e9, 1000.0, supports=("pinned", "pinned")), tr.STEEL)
    drive = tr.Drive(force=500.0, friction=0.3)
    return tr.cross(bridge, [(wheel, 0.0)], 40.0, contact="hertz", size=4, dt=2e-5, t_end=4e-4, drive=drive)


@cache
def struck():
    return tr.impact(SHORT, 0.5, STRIKER, modes=10)


@cache
def swept():
    return tr.sweep(shipped()["ball-on-plate"], {"load.force": ["50 N", "100 N"]})


def bent(x):
    return 1e-3 * np.sin(np.pi * x / 20.0)


def stressed():
    return pressed().stress([(0.0, 0.0, -1e-4 * k) for k in range(1, 6)])


def stress_cycle():
    return tr.stress_history(pressed(), [(0.0, 0.0, -1e-4), (0.0, 1e-4, -2e-4)], [-1e-4, 0.0, 1e-4])


def compared():
    bridge = tr.Bridge(tr.Beam(10.0, 1e9, 1000.0, supports=("pinned", "pinned")), tr.STEEL)
    return tr.compare_methods(
        bridge,
        [(tr.Wheel(0.46, 500.0), 0.0)],
        40.0,
        steps=[2e-4, 1e-4],
        t_end=0.01,
        methods=["condensed"],
        size=3,
    )


def adapted():
    shears = tr.Beam(10.0, 1.0, 1.0, shear_stiffness=20.0)
    return tr.obstacle.adapt(shears, 1.0, 0.1, most_elements=30)


def curve_of_wheels():
    bridge = tr.Bridge(BEAM, tr.STEEL)
    return tr.cross_resonance(
        bridge, tr.Train([(tr.Wheel(0.46, 5000.0), 0.0)]), [30.0, 40.0], size=2, dt=1e-3
    )


@cache
def on_rails():
    wheelset = tr.Wheelset(tr.Profile.standard("S1002"), radius=0.46)
    return wheelset, tr.Track(tr.Profile.standard("UIC60-benchmark"))


@cache
def placed():
    return tr.wheel_rail(*on_rails(), side="left", y=-1e-3, force=10e3, dx=0.5e-3, dy=0.5e-3)


SAMPLES = {
    "EllipseContact": lambda: tr.hertz.ellipse(0.02, 0.05, PAIR, force=100.0),
    "SphereContact": lambda: tr.hertz.sphere(0.02, PAIR, force=100.0),
    "LineContact": lambda: tr.hertz.line(0.02, PAIR, force=1e5, length=0.1),
    "NoContact": lambda: NoContact.of(tr.hertz.sphere(0.02, PAIR, force=100.0), -1e-3),
    "AxisStress": lambda: tr.hertz.sphere(0.02, PAIR, force=100.0).stress_on_axis([0.0, 1e-4, 2e-4], 0.28),
    "AdhesiveContact": lambda: tr.adhesion.jkr(0.02, PAIR, 0.1, force=1e-3),
    "AdhesionCurve": lambda: tr.adhesion.curve(0.02, PAIR, 0.1, points=12),
    "CarterContact": lambda: tr.carter.line(tr.hertz.line(0.02, PAIR, force=1e5), 0.02, 0.3, creepage=1e-4),
    "CattaneoContact": lambda: tr.cattaneo.sphere(tr.hertz.sphere(0.02, PAIR, force=100.0), 0.3, 10.0),
    "CattaneoStrip": lambda: tr.cattaneo.line(tr.hertz.line(0.02, PAIR, force=1e5), 0.3, 1e4),
    "Wiggle": lambda: tr.rolling_waves.wiggle(0.2, waves=50),
    "Stress": stressed,
    "StressHistory": stress_cycle,
    "NormalContact": pressed,
    "TangentialContact": rolled,
    "PressedBatch": lambda: tr.Batch(pressed().grid, PAIR).press(
        tr.Sphere(0.02), forces=[40.0, 60.0], fields=True
    ),
    "TangentialBatch": lambda: tr.Batch(pressed().grid, PAIR).roll_steady(
        pressed(), 0.3, [(1e-3, 0.0, 0.0), (2e-3, 0.0, 0.0)], fields=True
    ),
    "FastsimContact": lambda: tr.fastsim(pressed(), 0.3, creepage=(1e-3, 0.0, 0.1), strips=8, steps=6),
    "FastripContact": lambda: tr.fastrip(pressed(), 0.3, creepage=(1e-3, 0.0, 0.1), strips=8, steps=6),
    "FlashTemperature": lambda: tr.flash_temperature(rolled(), 2.0),
    "HeatedBand": lambda: tr.moving_heat.band(1e6, 1e-3, tr.STEEL, 1.0),
    "BeltHistory": lambda: tr.belt_oscillator(1.0, 1e3, 10.0, 0.3, 0.1, t_end=0.4),
    "PolachContact": lambda: tr.polach(pressed(), 0.3, creepage=(1e-3, 0.0, 0.1)),
    "ContactFunctions": lambda: tr.contact_functions(*cones(), [-1e-3, 0.0, 1e-3]),
    "KinematicWave": lambda: tr.kinematic_wave(*cones(), 1e-3),
    "KalkerCoefficients": lambda: tr.kalker_coefficients(1.0, 0.28),
    "CreepTable": lambda: saturating_table(5, 4, 5),
    "TheoryComparison": lambda: saturating_table(5, 4, 5).compare(1.0, 1.0, 1.0, 0.3, creepage=np.eye(3)),
    "CreepForces": lambda: tr.creep_table(
        gap=tr.Sphere(0.02),
        grid=tr.Grid(12, 12, 5e-5, 5e-5),
        friction=0.3,
        load=[30.0, 60.0],
        longitudinal=[0.0, 1e-3],
        force_y=1.0,
    ),
    "History": lambda: tr.integrate(
        tr.SecondOrderSystem(np.eye(2), None, np.ones(2), np.zeros(2), stiffness=np.diag([1.0, 4.0])),
        method="rk4",
        dt=0.1,
        t_end=2.0,
    ),
    "Stability": lambda: tr.stability("newmark", [0.1, 1.0, 10.0]),
    "BounceHistory": bounced,
    "ImpactHistory": struck,
    "ImpactEnergies": lambda: struck().energies,
    "ImpactSweep": lambda: tr.impact_sweep(
        SHORT, [[0.3], [0.5]], STRIKER, speed=[1.0, 2.0, 3.0], modes=5, workers=1
    ),
    "Modes": lambda: BEAM.modes(3),
    "Bending": lambda: SPANS.bend([(1e5, 7.0)]),
    "InfluenceLine": lambda: tr.influence_line(BEAM, "moment", 5.0),
    "SteadyVibration": lambda: BEAM.steady_vibration(1e3, 7.0, 12.0),
    "ModalVibration": lambda: BEAM.vibrate(bent, t_end=0.2, dt=0.01, size=3),
    "DiscreteVibration": lambda: BEAM.vibrate(bent, t_end=0.02, dt=0.01, model="elements", size=6),
    "ObstacleContact": lambda: tr.obstacle.solve(tr.Beam(3.0, 1.0, 1.0), 1.0, 0.005, 16),
    "AdaptedContact": adapted,
    "BeamPair": lambda: tr.obstacle.press_together(
        tr.Beam(1.0, 1.0, 1.0), tr.Beam(1.0, 2.0, 1.0), 10.0, 0.001, (8, 6)
    ),
    "ObstacleBenchmark": lambda: tr.obstacle.exact(0.1),
    "ScaledObstacle": lambda: tr.obstacle.with_dimensions(1e3, 10.0, 0.01, shear_stiffness=1e5),
    "Crossing": lambda: tr.moving_load(SPANS, [(1e5, 0.0), (1e5, 3.0)], 40.0, size=5, dt=1e-2),
    "ContactCrossing": crossed,
    "Energies": lambda: crossed().energies,
    "WheelRolling": lambda: crossed().rolling(),
    "Envelope": lambda: crossed().envelope("moment", [2.0, 5.0]),
    "ResonanceCurve": lambda: tr.resonance(BEAM, tr.Train.hslm("A1"), [30.0, 40.0, 50.0], modes=1),
    "CrossingCurve": curve_of_wheels,
    "MethodComparison": compared,
    "Rest": lambda: tr.rest(tr.Wheel(0.46, 500.0), tr.Bridge(BEAM, tr.STEEL), 8.0, 1e4),
    "Landing": lambda: tr.land(
        tr.Beam(2.0, 100.0, 1.0, damping=tr.Rayleigh(1.0, 1e-3)), 10.0, 0.001, 6, t_end=0.05, samples=10
    ),
    "Spectrum": lambda: tr.spectrum(np.linspace(0.0, 1.0, 64), np.sin(40.0 * np.linspace(0.0, 1.0, 64))),
    "WheelRailContact": placed,
    "ContactPatch": lambda: placed().patches[0],
    "ForceMap": lambda: tr.force_map(
        *on_rails(), y=[0.0, 1e-3], yaw=[0.0, 1e-3], side="left", force=10e3, dx=0.5e-3, dy=0.5e-3
    ),
    "Run": lambda: tr.simulate(tr.load(shipped()["ball-on-plate"])),
    "Sweep": swept,
    "SweepTable": lambda: swept().table,
}


@cache
def sample(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return SAMPLES[name]()
