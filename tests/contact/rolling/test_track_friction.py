"""Friction along the track: a step of it under a contact that rolls over it."""

import numpy as np
import pytest

import traction as tr

PAIR = tr.Pair(tr.STEEL, tr.STEEL)
DX, XI = 0.8e-3, (-0.004, 0.0, 0.0)
DRY, WET = 0.35, 0.1
DROP = tr.friction.along_track([0.0, 0.0], [DRY, WET])
SCHEMES = {"covered": {}, "moving": {"discretisation": "classical"}, "world-fixed": {"scheme": "world-fixed"}}


@pytest.fixture(scope="module")
def ball():
    return tr.press(tr.Paraboloid(0.46, 0.46), tr.Grid(18, 18, DX, DX), PAIR, force=80e3)


def cross_the_step(n, friction, cells, scheme="covered", **options):
    """Results of steps from before the step of friction to far behind it."""
    elements = "classical" if scheme == "moving" else "covered"
    known = {"creepage": XI, **options}
    t = tr.roll_steady(n, friction, position=-9 * DX, discretisation=elements, **known)
    found = [t]
    for _ in range(round(30 / cells)):
        found.append(tr.roll(found[-1], friction, distance=cells * DX, **SCHEMES[scheme], **known))
    return found


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_force_falls_from_one_steady_value_to_the_other(ball, scheme):
    found = cross_the_step(ball, DROP, 1.0, scheme)
    elements = "classical" if scheme == "moving" else "covered"
    dry, wet = (tr.roll_steady(ball, mu, creepage=XI, discretisation=elements) for mu in (DRY, WET))
    pull = np.array([t.force[0] for t in found])
    assert pull[0] == pytest.approx(dry.force[0], rel=1e-9)
    assert pull[-1] == pytest.approx(wet.force[0], rel=1e-2 if scheme == "world-fixed" else 1e-4)
    assert (np.diff(pull) < 1e-3 * pull[0]).all()
    assert all(t.dissipation > 0.0 and t.ok for t in found)
    # half of the patch is wet: between both, and all but done after the length of the contact
    half = int(np.argmin([abs(t.position) for t in found]))
    assert wet.force[0] + 0.2 * pull[0] < pull[half] < 0.9 * pull[0]
    settled = next(k for k, t in enumerate(found) if t.position > 1.5 * ball.semi_axes[0])
    assert pull[settled] == pytest.approx(wet.force[0], rel=0.02)


def test_the_length_of_the_steps_does_not_matter(ball):
    """At the same places along the track, as it does for constant friction from other causes."""
    whole, parts = cross_the_step(ball, DROP, 1.0), cross_the_step(ball, DROP, 0.25)[::4]
    for one, other in zip(whole, parts, strict=True):
        assert one.position == pytest.approx(other.position)
        assert one.force[0] == pytest.approx(other.force[0], abs=0.01 * whole[0].force[0])


def test_a_step_over_many_elements_meets_the_friction_on_its_way(ball):
    leaf = tr.friction.along_track([0.0, 0.0, 12 * DX, 12 * DX], [DRY, WET, WET, DRY])
    begun = tr.roll_steady(ball, leaf, creepage=XI, position=-2 * DX)
    whole, part, lost = tr.roll(begun, leaf, distance=12 * DX, creepage=XI), begun, 0.0
    for _ in range(12):
        part = tr.roll(part, leaf, distance=DX, creepage=XI)
        lost += part.dissipation
    assert whole.force[0] == pytest.approx(part.force[0], rel=1e-9)
    assert whole.dissipation == pytest.approx(lost, rel=1e-9)


def test_a_force_that_a_leaf_on_the_way_does_not_carry_is_not_found(ball):
    leaf = tr.friction.along_track([0.0, 0.0, 20 * DX, 20 * DX], [DRY, WET, WET, DRY])
    pull = {"creepage": (None, 0.0, 0.0), "force": (0.2 * ball.force, None)}
    begun = tr.roll_steady(ball, leaf, position=-10 * DX, **pull)
    with pytest.raises(tr.ConvergenceError, match="friction along the track may be too low"):
        tr.roll(begun, leaf, distance=40 * DX, **pull)


def test_coefficients_are_those_of_the_rail_under_the_contact(ball):
    t = cross_the_step(ball, DROP, 0.3)[20]
    x = t.position + ball.grid.x
    assert t.coefficient[:, x < -DX] == pytest.approx(DRY)
    assert t.coefficient[:, x > DX] == pytest.approx(WET)
    assert (np.hypot(*t.traction) <= t.bound * (1.0 + 1e-6) + 1.0).all()


def test_a_leaf_is_left_behind(ball):
    leaf = tr.friction.along_track([0.0, 0.0, 4 * DX, 4 * DX], [DRY, WET, WET, DRY])
    pull = [t.force[0] for t in cross_the_step(ball, leaf, 1.0)]
    assert min(pull) < 0.85 * pull[0]
    assert pull[-1] == pytest.approx(pull[0], rel=2e-3)


def test_rolling_back_meets_the_same_friction(ball):
    there = cross_the_step(ball, DROP, 1.0)[-1]
    back = there
    for _ in range(50):
        back = tr.roll(back, DROP, distance=DX, creepage=(0.004, 0.0, 0.0), direction=-1)
    assert back.position == pytest.approx(-29 * DX)
    assert back.force[0] == pytest.approx(-tr.roll_steady(ball, DRY, creepage=XI).force[0], rel=5e-3)


@pytest.mark.parametrize("elements", ["covered", "classical"])
def test_factors_of_a_law_multiply_it(ball, elements):
    law = tr.friction.exponential(0.2, (0.15, 1.0), memory=(2e-6, 1e-3))
    half = tr.friction.exponential(0.1, (0.075, 1.0), memory=(2e-6, 1e-3))
    options = {"creepage": (-0.02, 0.001, 0.3), "speed": 20.0, "discretisation": elements}
    scaled = tr.friction.along_track([0.0, 1.0], [0.5, 0.5], law)
    one, other = (tr.roll_steady(ball, friction, **options) for friction in (scaled, half))
    assert one.force == pytest.approx(other.force, abs=1e-5 * abs(one.force[0]))
    assert one.coefficient == pytest.approx(other.coefficient, abs=1e-4)


def test_a_law_and_a_layer_go_over_a_step(ball):
    law = tr.friction.exponential(0.2, (0.15, 1.0), memory=(2e-6, 1e-3))
    sanded = tr.friction.along_track([0.0, 0.0], [0.4, 1.2], law)
    film = tr.Layer(4e9, 1e-4, yield_stress=250e6)
    found = cross_the_step(ball, sanded, 1.0, speed=20.0, layer=film)
    wet, dry = (
        tr.roll_steady(ball, sanded, creepage=XI, speed=20.0, layer=film, position=place) for place in (-1, 1)
    )
    assert found[0].force[0] == pytest.approx(wet.force[0], rel=1e-6)
    assert found[-1].force[0] == pytest.approx(dry.force[0], rel=6e-3)
    assert all(t.dissipation >= t.plastic_work >= 0.0 for t in found)


def test_a_force_above_what_the_track_carries_is_refused(ball):
    t = tr.roll_steady(ball, DROP, creepage=(None, 0.0, 0.0), force=(15e3, None), position=-9 * DX)
    with pytest.raises(tr.InputError, match="must be smaller in size than mu Fn"):
        tr.roll(t, DROP, distance=30 * DX, creepage=(None, 0.0, 0.0), force=(15e3, None))


def test_places_along_the_track_are_kept_by_all_motions(ball):
    t = tr.shift(ball, DROP, displacement=(0.0, 0.0, 0.0), position=3.0)
    assert t.position == 3.0
    assert t.coefficient == pytest.approx(WET)
    assert tr.roll(t, DROP, distance=DX, creepage=XI).position == 3.0 + DX
