"""What describes a problem prints itself in one line, with its key figures and units."""

import copy
import pickle

import pytest

import traction as tr

SPRING = tr.Suspension(0.8e6, 30e3, mass=8e3)
WHEEL = tr.Wheel(0.46, 900.0, suspension=SPRING)
BEAM = tr.Beam(20.0, 2.08e9, 7900.0, supports=("pinned", "pinned"), damping=0.01)
PAIR = tr.Pair(tr.STEEL, tr.STEEL)

DESCRIBED = {
    "Material: E = 209.9 GPa, nu = 0.28, density 7850 kg/m3": tr.STEEL,
    "Material: rigid, nu = 0.3": tr.Material(float("inf"), 0.3),
    "Pair: both E = 209.9 GPa, nu = 0.28, density 7850 kg/m3": PAIR,
    "Beam: 20 m, EI = 2.08 GN m², 7900 kg/m, pinned-pinned, damping 0.01": BEAM,
    "Beam: 40 m in 2 segments, EI = 2.08 GN m², 7900 kg/m, pinned-pinned-pinned, damping 0.01": tr.Beam.spans(
        [BEAM, BEAM]
    ),
    "Suspension: 0.8 MN/m, 30 kN s/m under 8000 kg": SPRING,
    "Wheel: radius 460 mm, 900 kg, suspension 0.8 MN/m, 30 kN s/m under 8000 kg": WHEEL,
    "Vehicle: 1 wheel, 8900 kg in all, 2 coordinates": WHEEL.vehicle,
    "Train: HSLM-A1, 50 axles over 401 m, 8500 kN in all, spacing 18 m": tr.Train.hslm("A1"),
    "Train: 2 axles over 3 m, 2 vehicles of 17.8 t in all": tr.Train([(WHEEL, 0.0), (WHEEL, 3.0)]),
    "Plate: 500 mm x 400 mm, D = 18.98 kN m, 78.5 kg/m2, undamped": tr.Plate.of(tr.STEEL, 0.01, 0.5, 0.4),
}


@pytest.mark.parametrize("words", DESCRIBED)
def test_descriptions_print_their_key_figures(words):
    assert repr(DESCRIBED[words]) == words


@pytest.mark.parametrize(
    "described",
    [
        tr.Train.vehicle(
            count=3, body_mass=3e4, body_inertia=1e6, bogie_mass=3e3, bogie_inertia=4e3, wheel_mass=1.5e3,
            primary=(2e6, 3e4), secondary=(5e5, 3e4), bogie_spacing=15.0, axle_spacing=2.5,
        ),
        tr.Bridge(BEAM, tr.STEEL, rail_profile=tr.Cylinder(0.3, axis="x")),
        tr.Striker.sphere(0.01, 1.0, PAIR),
        tr.Beam(10.0, 1e8, 1e3, shear_stiffness=1e9, foundation=1e5, damping=tr.Rayleigh(1.0, 1e-3)),
        tr.Wheel(0.46, 900.0, profile=tr.Sphere(0.4), material=tr.Material(70e9, 0.3, 2700.0)),
    ],
    ids=lambda one: type(one).__name__,
)  # fmt: skip
def test_one_line_is_enough(described):
    assert "\n" not in repr(described)
    assert len(repr(described)) < 200
    assert "array" not in repr(described)


def test_descriptions_compare_as_values():
    for one in (BEAM, WHEEL, PAIR, tr.STEEL, SPRING):
        assert copy.deepcopy(one) == pickle.loads(pickle.dumps(one)) == one
        assert hash(one) == hash(copy.deepcopy(one))


@pytest.mark.parametrize("given", ["pined", ("pined", "pinned")])
def test_misspelt_supports_are_recognised(given):
    with pytest.raises(tr.InputError, match='is not a support; did you mean "pinned"'):
        tr.Beam(20.0, 2.08e9, 7900.0, supports=given)
