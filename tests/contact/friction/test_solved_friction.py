"""One solved step and one finish for shifts, steady rolling and rolling on both grids."""

import numpy as np
import pytest

import traction as tr
from traction.contact.friction import friction_solution
from traction.contact.friction.solved_friction import SolvedFriction

PAIR, MU = tr.Pair(tr.STEEL, tr.STEEL), 0.3


@pytest.fixture(scope="module")
def ball():
    reach = 1.3 * tr.hertz.sphere(0.1, PAIR, force=1000.0).radius
    return tr.press(tr.Sphere(0.1), tr.Grid.around(reach, reach, 18, 18), PAIR, force=1000.0)


def solve_each(ball):
    """A result of every way to solve friction, the last of several parts."""
    start = tr.shift(ball, MU, displacement=(None, 1e-7, 0.0), force=(90.0, None))
    given = {"creepage": (None, 1e-4, 0.1), "force": (90.0, None)}
    yield start
    for discretisation in ("covered", "classical"):
        yield tr.roll_steady(ball, MU, **given, discretisation=discretisation)
    for scheme in ("covered", "world-fixed", "moving", "moving-interpolated"):
        yield tr.roll(start, MU, distance=2.5 * ball.grid.dx, **given, scheme=scheme)


def test_every_result_comes_from_solved_steps(ball, monkeypatch):
    """Forces, slips, certificate and creepages of a result are those of the steps that it was made of."""
    made = []

    def record(steps, demand, **options):
        result = finish(steps, demand, **options)
        made.append((steps, result))
        return result

    finish = friction_solution.finish_steps
    for name in ("friction.shift", "rolling.steady_rolling", "rolling.transient_rolling"):
        monkeypatch.setattr(f"traction.contact.{name}.finish_steps", record)
    results = list(solve_each(ball))
    assert [result for _, result in made] == results
    for steps, result in made:
        assert all(isinstance(done, SolvedFriction) and done.converged for done in steps)
        last, area = steps[-1], steps[-1].step.patch.grid.cell_area
        total = last.answer.traction.sum(axis=(1, 2)) * area
        np.testing.assert_allclose(result.force, total, rtol=1e-9, atol=1e-9 * MU * ball.force)
        assert result.force[0] == pytest.approx(90.0, abs=1e-5 * MU * ball.force)
        assert result.certificate.largest == max(done.certificate.largest for done in steps)
        found = np.mean([done.creepage for done in steps], axis=0)
        np.testing.assert_allclose(result.creepage, found, rtol=1e-12)
        assert result.products == sum(done.answer.products for done in steps)
    assert max(len(steps) for steps, _ in made) == 3
