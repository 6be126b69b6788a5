"""Wheels at rest on a bridge: equilibrium, agreement of local and global deformation, limits, bad input."""

import math
import warnings

import numpy as np
import pytest

import traction as tr

L, EI, M = 20.0, 2.08e9, 7900.0
STEEL = tr.Pair(tr.STEEL, tr.STEEL)
WEIGHT = 745560.0
BRIDGE = tr.Bridge(tr.Beam(L, EI, M), tr.STEEL)
WHEEL = tr.Wheel(0.46, 1000.0)


def soft_bridge(height=0.01, modulus=7e9):
    """A short thin beam that wraps around its wheel."""
    beam = tr.Beam(1.0, modulus * 0.05 * height**3 / 12.0, 7800.0 * 0.05 * height)
    return tr.Bridge(beam, tr.Material(modulus, 0.3))


@pytest.fixture(scope="module")
def soft():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return tr.rest(tr.Wheel(0.3, 10.0), soft_bridge(), 0.5, 200.0)


def test_the_thesis_bridge_is_hertz_on_top_of_bending():
    r = tr.rest(WHEEL, BRIDGE, 10.0, WEIGHT)
    hertz = tr.hertz.sphere(0.46, STEEL, force=WEIGHT)
    assert r.iterations <= 6
    assert r.equilibrium < 1e-10
    assert r.deflection(10.0) == pytest.approx(WEIGHT * L**3 / (192.0 * EI), rel=1e-5)
    assert r.approaches[0] == pytest.approx(hertz.approach, rel=2e-3)
    assert r.contacts[0].semi_axes[0] == pytest.approx(hertz.radius, rel=2e-3)


def test_pressure_and_bending_agree(soft):
    contact, place = soft.contacts[0], soft.places[0]
    bent = soft.deflection(place + contact.grid.x)
    gap = tr.Sphere(0.3).gap(contact.grid) + bent
    again = tr.press(gap, contact.grid, contact.pair, force=200.0, tol=1e-11)
    assert again.pressure == pytest.approx(
        contact.pressure, abs=2e-7 * contact.peak_pressure
    )  # steps of columns
    columns = contact.pressure.sum(axis=0) * contact.grid.cell_area
    lines = [soft.bridge.beam.influence(float(place + x)).deflection(0.4) for x in contact.grid.x]
    assert np.dot(columns, lines) == pytest.approx(float(soft.deflection(0.4)), rel=1e-7)


def test_bending_changes_the_patch_of_a_soft_bridge(soft):
    beam = soft.bridge.beam
    bend = 0.3 * 200.0 * float(beam.influence(0.5).moment(0.5)) / beam.segments[0].bending_stiffness
    assert bend > 0.2  # radius times curvature
    curved = tr.hertz.ellipse(0.3 / (1.0 - bend), 0.3, soft.contacts[0].pair, force=200.0)
    assert soft.contacts[0].semi_axes == pytest.approx(curved.semi_axes, rel=0.02)
    straight = soft.on_straight_bridge[0]
    assert soft.contacts[0].semi_axes[0] > 1.1 * straight.semi_axes[0]
    assert soft.contacts[0].peak_pressure < straight.peak_pressure


def test_drop_and_force_are_two_views_of_one_state(soft):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        again = tr.rest(
            soft.wheels[0], soft.bridge, 0.5, drop=float(soft.drops[0]), grid=soft.contacts[0].grid
        )
    assert again.forces[0] == pytest.approx(200.0, rel=1e-8)


def test_fixed_point_agrees_where_it_converges_and_says_where_not():
    steps = tr.rest(WHEEL, BRIDGE, 8.0, WEIGHT, method="fixed-point")
    newton = tr.rest(WHEEL, BRIDGE, 8.0, WEIGHT)
    assert steps.contacts[0].pressure == pytest.approx(newton.contacts[0].pressure, rel=1e-6)
    with pytest.raises(tr.ConvergenceError, match="No convergence"):
        tr.rest(WHEEL, BRIDGE, 10.0, drop=0.0153, method="fixed-point")


def test_several_wheels_share_a_bridge():
    both = tr.rest([WHEEL, WHEEL], BRIDGE, [5.0, 12.0], [3e5, 5e5])
    point = BRIDGE.beam.bend([(3e5, 5.0), (5e5, 12.0)])
    x = np.linspace(0.0, L, 21)
    # a wheel touches a slope a little uphill: by its radius times the slope, 1 mm here
    assert both.deflection(x) == pytest.approx(point.deflection(x), rel=5e-4, abs=1e-9)
    touching = np.array([contact.center[0] for contact in both.contacts])
    assert touching == pytest.approx(-0.46 * both.bending.slope([5.0, 12.0]), rel=1e-2)
    assert both.equilibrium < 1e-10
    earlier = 0.5 * 0.46 * both.bending.slope([5.0, 12.0]) ** 2
    assert both.drops + earlier == pytest.approx(both.approaches + both.deflection([5.0, 12.0]), rel=1e-6)


def test_surface_is_the_sum_of_both_parts(soft):
    x = np.linspace(0.3, 0.7, 9)
    assert soft.surface(x) == pytest.approx(soft.deflection(x) + soft.local(x))
    far = 0.1
    pair = soft.contacts[0].pair
    boussinesq = 200.0 * (1.0 - 0.3**2) / (math.pi * pair.lower.youngs_modulus * far)
    assert soft.local(0.5 + far) == pytest.approx(boussinesq, rel=1e-3)


def test_line_contact_per_metre_of_width():
    grid = tr.Grid.line(80, 0.15e-3, length=2.0)
    wheel = tr.Wheel(0.46, 1.0, profile=tr.Cylinder(0.46))
    r = tr.rest(wheel, BRIDGE, 10.0, 1e6, grid=grid)
    hertz = tr.hertz.line(0.46, STEEL, force=1e6)
    assert r.contacts[0].peak_pressure == pytest.approx(hertz.peak_pressure, rel=5e-3)
    assert r.deflection(10.0) == pytest.approx(1e6 * L**3 / (192.0 * EI), rel=1e-5)


def test_shear_lowers_the_bridge_but_not_the_patch():
    """A beam that shears has a kink under a force, which sections do not have within a patch."""
    wheel = tr.Wheel(0.5, 1.0, profile=tr.Cylinder(0.5), material=tr.RIGID)
    grid, h = tr.Grid.line(200, 16e-6, length=5e-3), 0.02
    section = {"bending_stiffness": 2.1e11 * h**3 / 10.92, "mass_per_length": 157.0}
    states = []
    for shear in (None, 7e10 * h):
        beam = tr.Beam(10.0 * h, **section, shear_stiffness=shear, supports=("pinned", "pinned"))
        states.append(tr.rest(wheel, tr.Bridge(beam, tr.Material(2.1e11, 0.3)), 5.0 * h, 3.6e5, grid=grid))
    stiff, soft = states
    assert soft.deflection(5.0 * h) == pytest.approx(
        stiff.deflection(5.0 * h) + 3.6e5 * 10.0 * h / 4.0 / (7e10 * h), rel=1e-3
    )
    assert soft.contacts[0].pressure == pytest.approx(
        stiff.contacts[0].pressure, abs=1e-6 * stiff.contacts[0].peak_pressure
    )


def test_a_foundation_carries_its_share():
    bridge = tr.Bridge(tr.Beam(L, EI, M, supports=("free", "free"), foundation=1e8), tr.STEEL)
    assert tr.rest(WHEEL, bridge, 9.0, WEIGHT).equilibrium < 1e-10


def test_steep_slopes_are_warned_about():
    with pytest.warns(UserWarning, match="slope") as told:
        result = tr.rest(tr.Wheel(0.3, 10.0), soft_bridge(), 0.5, 200.0)
    assert result.ok
    assert len(told) == 1


OVERHANG = tr.Beam.spans(
    [tr.Beam(2.0, 1e7, 1e3), tr.Beam(1.0, 1e7, 1e3)], supports=("pinned", "pinned", "free")
)
NEXT_TO_ENDS = {
    "cantilever": tr.Beam(3.0, 1e7, 1e3, supports=("clamped", "free")),
    "that shears": tr.Beam(3.0, 1e7, 1e3, supports=("clamped", "free"), shear_stiffness=4e7),
    "overhang": OVERHANG,
    "on a bed": tr.Beam(3.0, 1e7, 1e3, supports=("free", "free"), foundation=1e7),
    "on soft springs": tr.Beam(3.0, 1e8, 1e3, supports=(tr.Support(1e5), tr.Support(1e5))),
}


@pytest.mark.sampled(3)
@pytest.mark.filterwarnings("ignore:.*beyond the end of the bridge")
@pytest.mark.parametrize("name", NEXT_TO_ENDS)
@pytest.mark.parametrize("near", [1e-3, 1e-5, 1e-7])
def test_a_wheel_next_to_a_free_end_is_in_equilibrium(name, near):
    beam = NEXT_TO_ENDS[name]
    at, x = beam.length * (1.0 - near), 0.9 * beam.length
    r = tr.rest(WHEEL, tr.Bridge(beam, tr.STEEL), at, 1e4)
    assert r.equilibrium <= 1e-10
    assert r.deflection(x) == pytest.approx(float(beam.bend([(1e4, at)]).deflection(x)), rel=1e-2)


@pytest.mark.parametrize("near", [1e-3, 1e-5, 1e-7])
def test_a_wheel_just_beyond_a_support_lifts_the_other_end(near):
    """The reaction at the far support is - F a/L of an overhang by a, to the digits of F."""
    a = near * OVERHANG.length
    r = tr.rest(WHEEL, tr.Bridge(OVERHANG, tr.STEEL), 2.0 + a, 1e4)
    assert r.equilibrium <= 1e-10
    middle = a + r.contacts[0].center[0]
    assert r.bending.reactions[0] == pytest.approx(-1e4 * middle / 2.0, abs=1e-4)


def test_the_surface_meets_the_wheel_but_for_the_shear_of_the_patch():
    rigid = tr.Wheel(0.46, 1.0, material=tr.RIGID)
    for shear in (None, 5e8):
        beam = tr.Beam(4.0, 2e7, 1e3, shear_stiffness=shear, supports=("pinned", "pinned"))
        r = tr.rest(rigid, tr.Bridge(beam, tr.STEEL), 2.0, 1e5)
        contact, x = r.contacts[0], r.contacts[0].grid.x
        columns = contact.pressure.sum(axis=0) * contact.grid.cell_area
        under = np.abs(x) < 0.9 * contact.semi_axes[0]
        above = r.drops[0] - x[under] ** 2 / 0.92 - r.surface(2.0 + x[under])
        known = np.abs(x[under, None] - x) @ columns * (0.0 if shear is None else 0.5 / shear)
        assert above == pytest.approx(known, abs=2e-3 * contact.approach)  # elements of a grid
        if shear is not None:
            assert above.max() < 1e5 * contact.semi_axes[0] / (2.0 * shear)
            assert above.min() > 0.2 * above.max()


@pytest.mark.parametrize(
    ("arguments", "options", "words"),
    [
        ((WHEEL, BRIDGE, 25.0, 1e5), {}, "outside the beam"),
        ((WHEEL, BRIDGE, 5.0), {}, "either a force or a drop"),
        ((WHEEL, BRIDGE, 5.0, 1e5), {"drop": 0.01}, "either a force or a drop"),
        ((WHEEL, BRIDGE, 5.0, -1e5), {}, "force"),
        ((WHEEL, BRIDGE, [5.0, 6.0], 1e5), {}, "at has 2 values"),
        (([], BRIDGE, 5.0, 1e5), {}, "empty"),
        ((WHEEL, BRIDGE, 5.0, 1e5), {"method": "picard"}, "method"),
        ((tr.Wheel(0.46, 1.0, profile=tr.Cylinder(0.46)), BRIDGE, 5.0, 1e5), {}, "Grid.line"),
        ((WHEEL, BRIDGE, 5.0, 1e5), {"grid": tr.Grid(3000, 3000, 1e-5, 1e-5)}, "at most 2097152"),
        (([WHEEL] * 2, BRIDGE, [5.0, 9.0], 1e5), {"grid": tr.Grid(1100, 1100, 1e-5, 1e-5)}, "for 2 wheels"),
    ],
)
def test_bad_input(arguments, options, words):
    with pytest.raises(tr.InputError, match=words):
        tr.rest(*arguments, **options)


def test_a_grid_smaller_than_the_patch_is_an_error():
    with pytest.raises(tr.InputError, match=r"smaller than the patch.*enlarge"):
        tr.rest(WHEEL, BRIDGE, 10.0, WEIGHT, grid=tr.Grid(20, 20, 1e-4, 1e-4))


@pytest.mark.parametrize("places", [(9.0, 11.0), (9.9, 10.1), (6.0, 14.0), (4.0, 8.0, 12.0, 16.0)])
def test_several_wheels_by_their_drops(places):
    """Each lowers the bridge under the others, so that none presses as if it were alone."""
    wheels = [WHEEL] * len(places)
    given = tr.rest(wheels, BRIDGE, places, 1e5)
    back = tr.rest(wheels, BRIDGE, places, drop=given.drops)
    assert back.forces == pytest.approx(given.forces, rel=1e-6)
    assert back.equilibrium < 1e-10


def test_a_wheel_in_the_air_beside_one_that_presses():
    r = tr.rest([WHEEL] * 2, BRIDGE, [9.0, 11.0], [5e5, None], drop=[None, 1e-5])
    assert r.forces == pytest.approx([5e5, 0.0])
    assert r.on_straight_bridge[1].force == 0.0
    assert r.on_straight_bridge[0].force == pytest.approx(5e5)


def test_the_approach_on_a_slope_is_hertz():
    """A ball touches a slope s beside its lowest point, R s^2/2 earlier."""
    bridge = tr.Bridge(tr.Beam(3.0, 1e6, 1e3, supports=("pinned", "pinned")), tr.STEEL)
    r = tr.rest(tr.Wheel(0.4, 1.0), bridge, 0.6, 3e4)
    hertz = tr.hertz.sphere(0.4, STEEL, force=3e4)
    assert r.approaches[0] == pytest.approx(hertz.approach, rel=3e-3)
    assert 0.2 * r.bending.slope(0.6) ** 2 > 0.2 * hertz.approach


def test_a_patch_beyond_the_end_is_warned_about():
    bridge = tr.Bridge(tr.Beam(3.0, 1e6, 1e3, supports=("pinned", "pinned")), tr.STEEL)
    with pytest.warns(UserWarning, match="beyond the end of the bridge"):
        rest = tr.rest(tr.Wheel(0.4, 1.0), bridge, 0.001, 1e4)
    assert rest.contacts[0].grid.x[rest.contacts[0].contact.any(axis=0)].min() < 0.0


@pytest.mark.parametrize(("at", "drop"), [(0.45, 4e-3), (0.4, 2e-3)])
def test_a_wheel_on_a_slope_touches_beside_its_middle(at, drop):
    """By -R w', here beyond the grid around the middle; the chosen grid finds it."""
    beam = tr.Beam.spans(
        [tr.Beam(0.3, 875.0, 5.0), tr.Beam(0.2, 875.0, 5.0)], supports=["pinned", "pinned", "free"]
    )
    found = tr.rest(tr.Wheel(0.4, 1.0), tr.Bridge(beam, tr.STEEL), at, drop=drop)
    contact = found.contacts[0]
    middle = float((contact.pressure.sum(axis=0) @ contact.grid.x) / contact.pressure.sum())
    assert middle == pytest.approx(-0.4 * float(found.bending.slope(at + middle)), rel=0.02)
    assert found.equilibrium < 1e-10
