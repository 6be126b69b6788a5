"""Laws from tables."""

import numpy as np
import pytest

import traction as tr


def test_the_table_of_a_power_law_is_that_law():
    law = tr.PowerLaw(3e8, 1.7)
    table = tr.TabulatedLaw([2e-6, 1e-4], law(np.array([2e-6, 1e-4])))
    for d in (1e-9, 2e-6, 3e-5, 1e-4, 2e-3):
        found, exact = table.response(d), law.response(d)
        assert found.force == pytest.approx(exact.force, rel=1e-12)
        assert found.stiffness == pytest.approx(exact.stiffness, rel=1e-12)
        assert found.energy == pytest.approx(exact.energy, rel=1e-9)


def test_the_force_goes_through_the_points_and_only_grows():
    approach = np.array([0.0, 1e-6, 2e-6, 2.1e-6, 3e-5, 4e-5])
    force = np.array([0.0, 1.0, 1.01, 40.0, 41.0, 4e4])
    law = tr.TabulatedLaw(approach, force)
    np.testing.assert_allclose(law(approach[1:]), force[1:], rtol=1e-12)
    assert (np.diff(law(np.geomspace(1e-8, 1e-3, 3000))) > 0.0).all()
    assert law(0.0) == law(-1.0) == 0.0


def test_a_fine_table_of_a_half_space_strikes_like_it():
    law = tr.HalfSpaceLaw(tr.Sphere(0.01), tr.Grid(33, 33, 2e-5, 2e-5), tr.Pair(tr.STEEL, tr.STEEL))
    at = np.geomspace(1e-7, 1.2e-5, 60)
    table = tr.TabulatedLaw(at, law(at))
    found, known = (
        tr.impact(tr.RigidGround(), None, tr.Striker(0.03, 0.02, law=one)).contacts[0] for one in (table, law)
    )
    assert found.peak == pytest.approx(known.peak, rel=1e-3)
    assert found.duration == pytest.approx(known.duration, rel=1e-3)


@pytest.mark.parametrize(
    ("approach", "force", "words"),
    [
        ([1e-6, 2e-6], [1.0], "2 and 1 values"),
        ([1e-6], [1.0], "two or more"),
        ([0.0, 1e-6], [0.0, 1.0], "two or more"),
        ([0.0, 1e-6, 2e-6], [0.5, 1.0, 2.0], "approach must be two or more positive"),
        ([1e-6, 1e-6], [1.0, 2.0], "approach must be"),
        ([1e-6, 2e-6], [2.0, 1.0], "force must be"),
        ([1e-6, 2e-6], [1.0, float("nan")], "force"),
    ],
)
def test_bad_tables_are_named(approach, force, words):
    with pytest.raises(tr.InputError, match=words):
        tr.TabulatedLaw(approach, force)
