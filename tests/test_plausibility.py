"""Mistakes of units are noticed, with the likely intention; research at any scale is not warned of."""

import warnings

import numpy as np
import pytest

import traction as tr

BRIDGE = {"bending_stiffness": 1e10, "mass_per_length": 1e4, "supports": ("pinned", "pinned")}
HEAVY = tr.Beam(20.0, **BRIDGE)
SWEEP = {"size": 1, "dt": 0.005}

MISTAKES = {
    "GPa": (lambda: tr.Material(210, 0.3), r"youngs_modulus = 210 Pa .* mean 210e9 Pa \(210 GPa\)"),
    "MPa": (lambda: tr.Material(210e3, 0.3), r"210000 Pa .* mean 210000e6 Pa \(210 GPa\)"),
    "shear in GPa": (lambda: tr.Material.from_shear_modulus(82, 0.28), r"mean 209.92e9 Pa"),
    "g/cm3": (lambda: tr.Material(210e9, 0.3, 7.85), r"density = 7.85 kg/m3 .* mean 7850 kg/m3"),
    "wheel in mm": (lambda: tr.Wheel(460, 900.0), r"radius = 460 m is large .* mean 0.46 m \(460 mm\)"),
    "ball in mm": (lambda: tr.Striker.sphere(20.0, 1.0, tr.Pair(tr.STEEL, tr.STEEL)), r"mean 0.02 m"),
    "falling ball in mm": (
        lambda: tr.falling_body(ball_radius=20.0, pair=tr.Pair(tr.STEEL, tr.STEEL), height=0.1),
        r"ball_radius = 20 m .* mean 0.02 m",
    ),
    "beam in mm": (lambda: tr.Beam(20000.0, 1e9, 1e3), r"length = 20000 m .* mean 20 m \(20000 mm\)"),
    "section in mm": (
        lambda: tr.Beam.of_section(tr.STEEL, 2.0, width=50.0, height=100.0),
        r"height = 100 m exceeds the length of the beam, 2 m: did you mean 0.1 m",
    ),
    "plate in mm": (lambda: tr.Plate.of(tr.STEEL, 5.0, 0.5, 0.4), r"thickness = 5 m .* mean 0.005 m"),
    "MN/m": (lambda: tr.Suspension(0.8, 3e4, 17e3), r"stiffness = 0.8 N/m .* mean 800000 N/m \(0.8 MN/m\)"),
    "kN/m": (lambda: tr.Suspension(800.0, 3e4, 17e3), r"mean 800000 N/m \(800 kN/m\)"),
    "kN": (
        lambda: tr.moving_load(HEAVY, [(170.0, 0.0), (170.0, 3.0)], 30.0, **SWEEP),
        r"axle forces of 170 N on a beam of 200 t .* mean 170e3 N \(170 kN\)",
    ),
    "km/h": (lambda: tr.moving_load(HEAVY, [(1e5, 0.0)], 300.0, **SWEEP), r"mean 83.33 m/s \(300 km/h\)"),
    "160 km/h": (lambda: tr.moving_load(HEAVY, [(1e5, 0.0)], 160.0, **SWEEP), r"mean 44.44 m/s"),
    "GN m2": (
        lambda: tr.Beam(20, 2.08, 7900),
        r"bending_stiffness = 2.08 N m2 .* mean 2.08e\+09 N m2 \(2.08 GN m2\)",
    ),
    "MN m2": (lambda: tr.Beam(20, 2080, 7900), r"mean 2.08e\+09 N m2 \(2080 MN m2\)"),
    "kN m2": (lambda: tr.Beam(20, 2.08e6, 7900), r"mean 2.08e\+09 N m2 \(2.08e\+06 kN m2\)"),
    "striker in mm": (
        lambda: tr.Striker(0.033, 1.0, radius=10, pair=tr.Pair(tr.STEEL, tr.STEEL)),
        r"radius = 10 m is large for a ball: did you mean 0.01 m",
    ),
    "all in mm": (
        lambda: tr.Beam.of_section(tr.STEEL, 2000.0, width=50.0, height=100.0),
        r"width = 50 m and height = 100 m are a solid section of 5000 m2: did you mean 0.05 m and 0.1 m \(mm",
    ),
    "bar in mm": (lambda: tr.Beam.of_section(tr.STEEL, 500.0, diameter=20.0), r"mean 0.02 m \(mm\)"),
    "sweep in km/h": (lambda: tr.resonance(HEAVY, [(1e5, 0.0)], [100.0, 360.0]), r"mean 100 m/s"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_are_noticed(name):
    make, words = MISTAKES[name]
    with pytest.warns(tr.UnitsWarning, match=words) as caught:
        make()
    caught = [one for one in caught if one.category is tr.UnitsWarning]
    assert len(caught) == 1
    assert caught[0].filename == __file__  # the line of the user, not one of the package


RESEARCH = {
    "steel": lambda: tr.STEEL,
    "rubber": lambda: tr.Material(1e6, 0.49, 1100.0),
    "gel": lambda: tr.Material(1e4, 0.5, 1000.0),
    "soft gel": lambda: tr.Material(2e5, 0.45, 1000.0),
    "without dimensions": lambda: tr.Material(1.0, 0.3, 1.0),
    "some times softer": lambda: tr.Material(10.0, 0.3),
    "diamond": lambda: tr.Material(1.2e12, 0.1, 3500.0),
    "aerogel": lambda: tr.Material(1e6, 0.2, 10.0),
    "rigid and light": lambda: tr.Material(np.inf, 0.3, 1.0),
    "large wheel": lambda: tr.Wheel(1.5, 5e3),
    "bead": lambda: tr.Striker.sphere(1e-6, 1e-3, tr.Pair(tr.STEEL, tr.STEEL)),
    "microscopic beam": lambda: tr.Beam(1e-6, 1e-20, 1e-9),
    "bridge of 5 km": lambda: tr.Beam(5e3, 1e12, 2e4),
    "microscopic section": lambda: tr.Beam.of_section(tr.STEEL, 1e-5, width=1e-6, height=1e-6),
    "thick beam": lambda: tr.Beam.of_section(tr.STEEL, 1.0, width=0.1, height=0.9, shear=True),
    "soft suspension": lambda: tr.Suspension(0.2e6, 1e4, 17e3),
    "tuned mass": lambda: tr.Suspension(1e3, 10.0, 100.0),
    "pedestrian": lambda: tr.moving_load(HEAVY, [(700.0, 0.0)], 1.4, **SWEEP),
    "unit force": lambda: tr.moving_load(HEAVY, [(1.0, 0.0)], 30.0, **SWEEP),
    "model bridge": lambda: tr.moving_load(tr.Beam(2.0, 1e3, 5.0), [(50.0, 0.0)], 3.0, **SWEEP),
    "record speed": lambda: tr.moving_load(HEAVY, [(1e5, 0.0)], 159.0, **SWEEP),
    "long rail": lambda: tr.Beam(200.0, 6.4e6, 60.0),
    "unit beam": lambda: tr.Beam(100.0, 1.0, 1.0),
    "heavy unit beam": lambda: tr.Beam(1.0, 1.0, 90.0),
    "floating pipe": lambda: tr.Beam(1e3, 1e6, 500.0, foundation=1e4),
    "ribbon": lambda: tr.Beam.of_section(tr.STEEL, 50.0, width=2.0, height=1e-3),
    "rubber mat": lambda: tr.Beam.of_section(tr.Material(1e6, 0.49, 1100.0), 20.0, width=1.0, height=0.1),
    "tower": lambda: tr.Beam.of_section(tr.STEEL, 300.0, diameter=40.0, inner_diameter=39.5),
    "large crown": lambda: tr.Striker(10.0, 1.0, radius=3.0, pair=tr.Pair(tr.STEEL, tr.STEEL)),
}


@pytest.mark.parametrize("name", RESEARCH)
def test_research_is_not_warned_of(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        RESEARCH[name]()


def test_warning_can_be_silenced():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", tr.UnitsWarning)
        assert tr.Material(210, 0.3).youngs_modulus == 210


def test_built_in_examples_are_not_warned_of():
    from traction.kinds.registry import shipped

    with warnings.catch_warnings():
        warnings.simplefilter("error", tr.UnitsWarning)
        for path in shipped().values():
            tr.load(path)
