"""Steps of rolling with steep laws without memory: lagged, they approach the steady rolling of the law."""

import numpy as np
import pytest

import traction as tr

PAIR = tr.Pair(tr.STEEL, tr.STEEL)
LOAD, SPEED, CREEPAGE = 80e3, 20.0, (0.006, 0.0005, 0.1)
SHARPNESS = {"half": 0.5, "all": 1.0, "three times": 3.0}  #: fall over what the contact resists, about
#: by it laws that have it on the grid of `contact`, whose half speeds it is inverse to
LAWS = {
    "linear": lambda r: tr.friction.linear(0.15, (0.15, 0.157 / r)),
    "rational": lambda r: tr.friction.rational(0.15, (0.15, 0.31 / r)),
    "exponential": lambda r: tr.friction.exponential(0.15, (0.15, 0.217 / r)),
    "polach": lambda r: tr.friction.polach(0.3, 0.5, 3.2 * r),
    "own": lambda r: tr.friction.own(lambda s: 0.15 + 0.15 * np.exp(-3.2 * r * s)),
}


@pytest.fixture(scope="module")
def contact():
    """A contact of 16 x 12 elements."""
    return tr.press(tr.Paraboloid(0.46, 0.3), tr.Grid(18, 14, 0.85e-3, 0.85e-3), PAIR, force=LOAD)


def roll_on(t, law, length, *, cells=1.0, creepage=CREEPAGE, **options):
    """Results of steps over a length, in elements."""
    found = []
    for _ in range(round(length / cells)):
        t = tr.roll(t, law, distance=cells * t.normal.grid.dx, creepage=creepage, speed=SPEED, **options)
        found.append(t)
    return found


def roll_from_rest(n, law, length, **options):
    """The same from no traction."""
    return roll_on(tr.shift(n, 0.3, displacement=(0.0, 0.0, 0.0)), law, length, **options)


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("sharpness", SHARPNESS)
def test_steps_of_whole_cells_end_in_steady_rolling(contact, law, sharpness):
    friction = LAWS[law](SHARPNESS[sharpness])
    options = {"creepage": CREEPAGE, "speed": SPEED, "discretisation": "classical"}
    steady = tr.roll_steady(contact, friction, **options)
    *_, before, last = roll_from_rest(contact, friction, 80, discretisation="classical")
    assert last.force == pytest.approx(steady.force, abs=1e-4 * 0.3 * LOAD)
    assert before.force == pytest.approx(last.force, abs=1e-5 * 0.3 * LOAD)
    assert last.coefficient == pytest.approx(steady.coefficient, abs=1e-3)
    assert f"lags behind the law by {1e3 * last.lag:.2g} mm" in last.message


#: kinds of laws with memories (m) that are too short for steps of one element, by creepage
SHORT_MEMORIES = {
    "falls on the way": ("rational", 0.03, 3e-7, (0.006, 0.0005, 0.1)),
    "all slides": ("rational", 0.1, 1e-6, (0.006, 0.0005, 0.1)),
    "begins to slide": ("exponential", 0.3, 3e-7, (0.006, 0.0005, 0.1)),
    "sticks in part": ("exponential", 0.03, 1e-6, (0.002, 0.0005, 0.1)),
    "slides fast": ("linear", 0.03, 3e-7, (0.02, 0.0, 0.0)),
}


@pytest.mark.parametrize("case", SHORT_MEMORIES)
@pytest.mark.sampled(2)
def test_steps_of_whole_cells_with_a_short_memory_end_in_steady_rolling(contact, case):
    """Without lag most would alternate, by up to 12 % of mu Fn; one of them settles before it lags.

    The longest lag is 14 elements.
    """
    kind, half, memory, creepage = SHORT_MEMORIES[case]
    friction = getattr(tr.friction, kind)(0.15, (0.15, half), memory=(memory, 1e-3))
    options = {"creepage": creepage, "speed": SPEED, "discretisation": "classical"}
    steady = tr.roll_steady(contact, friction, **options)
    found = roll_from_rest(contact, friction, 180, creepage=creepage, discretisation="classical")
    assert found[-1].force == pytest.approx(steady.force, abs=1e-4 * 0.3 * LOAD)
    assert found[-2].force == pytest.approx(found[-1].force, abs=1e-5 * 0.3 * LOAD)
    assert (max(t.lag for t in found) > 0.1 * contact.grid.dx) == (case != "slides fast")


def test_a_change_of_the_creepage_is_followed_at_once_as_by_contact():
    """Errors would persist at the slips before it, but not at those after it.

    Forces of a step of one element by CONTACT (revision 2707, inner tolerance 1e-8).
    """
    body = tr.Material.from_shear_modulus(78.69e9, 0.3032)
    grid = tr.Grid(24, 18, 0.734e-3, 0.7828e-3)
    gap = 1.768 * grid.x**2 + 2.192 * grid.y[:, None] ** 2
    n = tr.press(gap, grid, tr.Pair(body, body), force=97010.0)
    friction = tr.friction.linear(0.2446, (0.2526, 0.6383), (0.04749, 3.419), memory=(1.337e-6, 0.8694))
    options = {"speed": 31.3, "discretisation": "classical"}
    t = tr.roll_steady(n, friction, creepage=(0.005124, 0.0207, 0.0), **options)
    t = tr.roll(t, friction, distance=grid.dx, creepage=(0.1062, -0.08621, 0.0), **options)
    assert t.lag == 0.0
    assert t.force == pytest.approx((-26203.1, 5341.5), abs=0.1)


def test_steps_that_slip_and_stick_by_turns_lag_after_some_cycles(contact):
    """In one step all of the contact slips, in the next most of it sticks, where the slopes show no error."""
    friction = tr.friction.linear(0.05, (0.26, 0.05), memory=(4.6e-7, 7e-3))
    options = {"creepage": (0.015, 0.006, -0.5), "speed": 4.3, "discretisation": "classical"}
    steady = tr.roll_steady(contact, friction, **options)
    found, t = [], tr.shift(contact, 0.3, displacement=(0.0, 0.0, 0.0))
    for _ in range(60):
        t = tr.roll(t, friction, distance=contact.grid.dx, **options)
        found.append(t)
    first = next(k for k, t in enumerate(found) if t.lag > 0.0)
    area = contact.contact.sum()
    assert 3 < first < 12
    assert [t.stick.sum() > 0.3 * area for t in found[first - 5 : first]] == [True, False, True, False, True]
    assert found[-1].force == pytest.approx(steady.force, abs=1e-4 * 0.31 * LOAD)


def test_steps_that_alternate_lag_though_small_errors_would_decay():
    """Two states of a step that lead to each other, beside steady rolling, which is stable."""
    n = tr.press(tr.Paraboloid(0.443, 0.375), tr.Grid(14, 16, 0.824e-3, 0.646e-3), PAIR, force=39.9e3)
    law = tr.friction.rational(0.2, (0.153, 0.443), (0.249, 0.593), memory=(4.85e-6, 1e-3))
    options = {"creepage": (0.0065, -0.0071, -0.09), "speed": 57.8, "discretisation": "classical"}
    steady = tr.roll_steady(n, law, **options)
    t = tr.roll_steady(n, law, **{**options, "creepage": (0.0, 0.0, 0.0)})
    lags = []
    for _ in range(60):
        t = tr.roll(t, law, distance=n.grid.dx, **options)
        lags.append(t.lag)
    assert max(lags) > 0.0
    assert lags[0] == lags[1] == 0.0
    assert np.abs(np.subtract(t.force, steady.force)).max() <= 1e-4 * steady.friction * n.force


def test_whole_cells_do_not_lag_where_a_memory_is_long_enough(contact):
    """So are the laws of CONTACT's cases, in steps of 1 and 1/2 element."""
    friction = tr.friction.exponential(0.15, (0.2, 1.0), memory=(3e-6, 1e-3))
    for cells in (1.0, 0.5):
        found = roll_from_rest(contact, friction, 12, cells=cells, discretisation="classical")
        assert all(t.lag == 0.0 for t in found)
        assert not found[-1].stick.any()


def test_a_long_memory_does_not_lag_though_all_slides_and_sticks_by_turns(contact):
    """Forces oscillate as the creepage does; the steps themselves settle."""
    friction = tr.friction.exponential(0.15, (0.15, 0.1), memory=(1e-3, 1e-3))
    t, stuck = tr.shift(contact, 0.3, displacement=(0.0, 0.0, 0.0)), []
    for k in range(12):
        creepage = (0.02 if k % 2 else -2e-3, 0.0, 0.0)
        (t,) = roll_on(t, friction, 1, creepage=creepage, discretisation="classical")
        stuck.append(t.stick.sum() / contact.contact.sum())
        assert t.lag == 0.0
    assert np.ptp(stuck[-2:]) > 0.3


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("sharpness", SHARPNESS)
@pytest.mark.parametrize("cells", [1.0, 0.5])
@pytest.mark.sampled(6)
def test_steps_by_covered_elements_end_in_steady_rolling(contact, law, sharpness, cells):
    """As closely as with constant friction. Steps of half an element see two positions of the edges."""
    friction = LAWS[law](SHARPNESS[sharpness])
    steady = tr.roll_steady(contact, friction, creepage=CREEPAGE, speed=SPEED)
    *_, before, _, last = roll_from_rest(contact, friction, 70, cells=cells)
    constant = tr.roll_steady(contact, 0.3, creepage=CREEPAGE).force
    missed = np.abs(np.subtract(roll_from_rest(contact, 0.3, 30, cells=cells)[-1].force, constant)).max()
    assert np.abs(np.subtract(last.force, steady.force)).max() <= missed
    assert before.force == pytest.approx(last.force, abs=1e-6 * 0.3 * LOAD)


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("sharpness", SHARPNESS)
@pytest.mark.sampled(4)
def test_sideways_steps_take_friction_and_traction_at_one_place(contact, law, sharpness):
    """There constant friction is exact: laws are taken at the speed at the end of a step, not its mean."""
    friction, creepage = LAWS[law](SHARPNESS[sharpness]), (0.0, 0.006, 0.0)
    steady = tr.roll_steady(contact, friction, creepage=creepage, speed=SPEED)
    last = roll_from_rest(contact, friction, 70, creepage=creepage)[-1]
    assert last.force == pytest.approx(steady.force, abs=6e-4 * 0.3 * LOAD)
    assert last.certificate.holds(1e-6)


@pytest.mark.parametrize("law", LAWS)
def test_coefficients_that_lag_are_not_smoothed_by_short_steps(contact, law):
    """Interpolated in each step they would be, by half the lag times an element: forces 5e-3 off here."""
    friction, creepage = LAWS[law](3.0), (0.0, 0.006, 0.0)
    steady = tr.roll_steady(contact, friction, creepage=creepage, speed=SPEED)
    last = roll_from_rest(contact, friction, 50, cells=0.25, creepage=creepage)[-1]
    assert last.lag > 3.0 * contact.grid.dx
    assert last.force == pytest.approx(steady.force, abs=6e-4 * 0.3 * LOAD)


def test_coefficients_that_lag_stay_where_the_edges_are_as_the_load_changes(contact):
    """After the load has changed and returned, in parts of an element, rolling becomes steady as before."""
    friction, surface = LAWS["exponential"](1.0), tr.Paraboloid(0.46, 0.3)
    steady = tr.roll_steady(contact, friction, creepage=CREEPAGE, speed=SPEED)
    t, way = steady, 0.5 * contact.grid.dx
    for share in (0.9, 0.7, 0.8, 1.0):
        n = tr.press(surface, contact.grid, PAIR, force=share * LOAD)
        t = tr.roll(t, friction, distance=way, creepage=CREEPAGE, speed=SPEED, normal=n)
        assert t.certificate.holds(1e-6)
    assert abs(t.force[0] - steady.force[0]) > 1e-2 * 0.3 * LOAD
    last = roll_on(t, friction, 30, cells=0.5)[-1]
    unmoved = roll_on(steady, friction, 30, cells=0.5)[-1]
    assert last.force == pytest.approx(unmoved.force, abs=5e-4 * 0.3 * LOAD)


def test_steady_rolling_satisfies_a_step_whatever_the_lag(contact):
    friction = LAWS["exponential"](1.0)
    options = {"creepage": CREEPAGE, "speed": SPEED, "discretisation": "classical"}
    steady = tr.roll_steady(contact, friction, **options)
    (on,) = roll_on(steady, friction, 1, discretisation="classical")
    assert on.force == pytest.approx(steady.force, abs=1e-6 * 0.3 * LOAD)
    assert on.coefficient == pytest.approx(steady.coefficient, abs=1e-6)


def test_errors_are_multiplied_as_derived():
    """By (1 - theta - theta r)/(1 - theta r) in a step, with r as steps that need no lag have it."""
    n = tr.press(tr.Paraboloid(0.46, 0.3), tr.Grid(36, 28, 0.425e-3, 0.425e-3), PAIR, force=LOAD)
    friction, creepage, factors = tr.friction.polach(0.4, 0.4, 0.6), (0.02, 0.0, 0.0), {}
    options = {"creepage": creepage, "discretisation": "classical"}
    steady = tr.roll_steady(n, friction, speed=SPEED, **options)
    near = tr.roll(
        steady, friction, distance=n.grid.dx, speed=SPEED, creepage=(0.02002, 0.0, 0.0),
        discretisation="classical",
    )  # fmt: skip
    for cells in (2.0, 1.0):
        on = roll_on(near, friction, 3 * cells, cells=cells, **options)
        change = np.diff([t.force[0] for t in on])
        factors[cells] = change[1] / change[0]
    r = 2.0 * factors[2.0] / (factors[2.0] - 1.0)
    theta = 1.0 / (1.0 + on[-1].lag / n.grid.dx)
    assert theta < 0.9
    assert factors[1.0] == pytest.approx((1.0 - theta - theta * r) / (1.0 - theta * r), abs=0.03)


def test_the_bound_of_a_lagged_step_is_between_that_before_and_that_of_its_slip(contact):
    """The certificate holds for the coefficient that was used, which `coefficient` has."""
    friction = LAWS["linear"](1.0)
    before, after = roll_from_rest(contact, friction, 6, discretisation="classical")[-2:]
    assert after.certificate.holds(1e-6)
    touched = contact.contact
    law = friction.coefficient(SPEED * np.hypot(*after.slip))[touched]
    old, new = before.coefficient[touched], after.coefficient[touched]
    theta = 1.0 / (1.0 + after.lag / contact.grid.dx)
    assert new == pytest.approx((1.0 - theta) * old + theta * law, abs=1e-6)
    assert np.abs(new - law).max() > 0.01
    bound = after.coefficient * contact.pressure
    assert (np.hypot(*after.traction) <= bound + 1e-6 * bound.max()).all()


def test_laws_that_fall_less_are_followed_at_once(contact):
    friction = LAWS["linear"](0.3)
    after = roll_from_rest(contact, friction, 9, discretisation="classical")[-1]
    law = friction.coefficient(SPEED * np.hypot(*after.slip))
    sliding = contact.contact & ~after.stick
    assert after.message == "converged"
    assert after.coefficient[sliding] == pytest.approx(law[sliding], abs=1e-6)


@pytest.mark.parametrize("scheme", ["moving", "covered", "world-fixed"])
@pytest.mark.parametrize("cells", [1.0, 0.3])
def test_tangents_equal_differences(contact, scheme, cells):
    """Steps of one covered element are divided here: the second half takes speeds of the first."""
    friction = LAWS["exponential"](1.0)
    t = roll_from_rest(contact, friction, 6, scheme=scheme)[-1]

    def solve(creepage):
        (on,) = roll_on(t, friction, cells, cells=cells, creepage=creepage, scheme=scheme, tol=1e-10)
        return on

    def sum_up(creepage):
        on = solve(creepage)
        return np.array([*on.force, on.moment])

    found = solve(CREEPAGE).tangent
    for k, size in enumerate((1e-6, 1e-6, 1e-4)):
        step = size * np.eye(3)[k]
        slope = (sum_up(tuple(CREEPAGE + step)) - sum_up(tuple(CREEPAGE - step))) / (2.0 * size)
        assert found[:, k] == pytest.approx(slope, abs=1e-5 * np.abs(slope).max())


@pytest.mark.parametrize("scheme", ["moving", "covered"])
def test_tangent_by_the_approach_follows_the_lag(contact, scheme):
    """What a step lags by changes with the pressure."""
    friction, surface = LAWS["exponential"](1.0), tr.Paraboloid(0.46, 0.3)
    t = roll_from_rest(contact, friction, 6)[-1]

    def solve(approach):
        n = tr.press(surface, contact.grid, PAIR, approach=approach, tol=1e-10)
        return tr.roll(
            t, friction, distance=contact.grid.dx, creepage=CREEPAGE, speed=SPEED, normal=n, scheme=scheme,
            tol=1e-10,
        )  # fmt: skip

    size = 1e-6 * contact.approach  # some element changes its state 2e-6 away
    ahead, back = (np.array(solve(contact.approach + sign * size).force) for sign in (1.0, -1.0))
    found = solve(contact.approach).approach_tangent[:2]
    assert found == pytest.approx((ahead - back) / (2.0 * size), rel=1e-5)


@pytest.mark.parametrize(("discretisation", "within"), [("covered", 3e-3), ("classical", 1e-6)])
def test_steps_at_a_given_force_end_in_its_steady_creepage(contact, discretisation, within):
    friction, given = LAWS["exponential"](1.0), (-0.7 * 0.3 * LOAD, None)
    options = {"creepage": (None, 0.0, 0.0), "force": given, "discretisation": discretisation}
    steady = tr.roll_steady(contact, friction, speed=SPEED, **options)
    last = roll_from_rest(contact, friction, 50, **options)[-1]
    assert last.creepage[0] == pytest.approx(steady.creepage[0], rel=within)


def test_unlike_bodies_on_a_layer_end_in_steady_rolling():
    pair = tr.Pair(tr.STEEL, tr.Material(7e10, 0.33))
    n = tr.press(tr.Paraboloid(0.46, 0.3), tr.Grid(20, 16, 0.95e-3, 0.95e-3), pair, force=60e3)
    friction, layer = tr.friction.exponential(0.15, (0.15, 0.2)), tr.Layer(4e9, 2e-5, yield_stress=250e6)
    options = {"creepage": (0.006, 0.001, 0.0), "discretisation": "classical", "layer": layer}
    steady = tr.roll_steady(n, friction, speed=SPEED, **options)
    last = roll_from_rest(n, friction, 80, **options)[-1]
    assert "lags behind the law" in last.message
    assert last.force == pytest.approx(steady.force, abs=1e-4 * 0.3 * 60e3)


#: laws without memory, or with one that is too short, on a layer that hardens; how far from steady rolling
#: covered elements end, over what constant friction is off on the same layer in short steps
ON_HARDENING = {
    "falls slowly": (tr.friction.exponential(0.15, (0.2, 1.0)), 1e8, 1.8),
    "falls fast": (tr.friction.exponential(0.15, (0.2, 0.1)), 1e8, 3.5),
    "on one that yields late": (tr.friction.exponential(0.15, (0.2, 1.0)), 2e8, 2.5),
    "short memory": (tr.friction.exponential(0.15, (0.2, 1.0), memory=(3e-7, 1e-3)), 1e8, 1.8),
}


@pytest.mark.parametrize("case", ON_HARDENING)
def test_whole_cells_on_a_layer_that_hardens_end_in_steady_rolling(contact, case):
    """Most flow up to the friction without slip before they slide."""
    friction, stress, _ = ON_HARDENING[case]
    options = {"layer": tr.Layer(4e9, 2e-5, stress, hardening=1e13), "discretisation": "classical"}
    steady = tr.roll_steady(contact, friction, creepage=CREEPAGE, speed=SPEED, **options)
    last = roll_from_rest(contact, friction, 150, **options)[-1]
    assert steady.plastic_work > 0.1 * steady.dissipation
    assert last.force == pytest.approx(steady.force, abs=1e-7 * 0.3 * LOAD)


@pytest.mark.parametrize("case", ON_HARDENING)
def test_covered_elements_on_a_layer_that_hardens_end_near_steady_rolling(contact, case):
    """Flow begins within an element and is fastest before slip: both methods are of first order there."""
    friction, stress, times = ON_HARDENING[case]
    options = {"layer": tr.Layer(4e9, 2e-5, stress, hardening=1e13)}
    missed = []
    for law, length, cells in ((0.3, 30, 0.25), (friction, 60, 1.0)):
        steady = tr.roll_steady(contact, law, creepage=CREEPAGE, speed=SPEED, **options)
        last = roll_from_rest(contact, law, length, cells=cells, **options)[-1]
        missed.append(np.abs(np.subtract(last.force, steady.force)).max())
    assert missed[0] <= 4e-3 * 0.3 * LOAD
    assert missed[1] <= times * missed[0]


def test_friction_begins_from_rest_where_there_was_no_contact(contact):
    """A contact that grows in a step has at its new places the coefficient that the law allows from rest."""
    friction = LAWS["exponential"](1.0)
    small = tr.press(tr.Paraboloid(0.46, 0.3), contact.grid, PAIR, force=0.3 * LOAD)
    steady = tr.roll_steady(small, friction, creepage=CREEPAGE, speed=SPEED, discretisation="classical")
    (grown,) = roll_on(steady, friction, 1, normal=contact, discretisation="classical")
    new = contact.contact & ~small.contact
    theta = 1.0 / (1.0 + grown.lag / contact.grid.dx)
    law = friction.coefficient(SPEED * np.hypot(*grown.slip))
    expected = (1.0 - theta) * friction.static + theta * law
    sliding = new & ~grown.stick
    assert sliding.any()
    assert grown.coefficient[sliding] == pytest.approx(expected[sliding], abs=1e-6)
