"""Tangents of low rank: Woodbury's formula, and systems whose jacobian is one."""

import numpy as np
import pytest

import traction as tr
from traction.integrators.core.matrices import LowRank, solve_updated

N = 12
RNG = np.random.default_rng(2)
ROWS = RNG.standard_normal((2, N))


def test_solution_is_that_of_the_whole_matrix():
    A = np.diag(np.arange(1.0, N + 1.0)) + 0.1 * RNG.standard_normal((N, N))
    left, right, b = RNG.standard_normal((2, N)), RNG.standard_normal((2, N)), RNG.standard_normal(N)
    found = solve_updated(lambda r: np.linalg.solve(A, r), left, right, b)
    np.testing.assert_allclose(found, np.linalg.solve(A + left.T @ right, b), rtol=1e-9)


def stiffening(low_rank):
    """Masses on springs to the ground, and two springs k d^3 on combinations of them."""
    K = 10.0 * np.diag(np.arange(1.0, N + 1.0))

    def force(t, q):
        return -(50.0 * (ROWS @ q) ** 3) @ ROWS + np.sin(t)

    def jacobian(t, q, v):
        found = LowRank(ROWS, -150.0 * (ROWS @ q) ** 2)
        return found if low_rank else found.toarray()

    return tr.SecondOrderSystem(1.0, force, np.full(N, 0.1), damping=0.1, stiffness=K, jacobian=jacobian)


@pytest.mark.parametrize("method", ["newmark", "hht", "euler-backward", "radau-iia"])
def test_a_jacobian_of_low_rank_is_that_jacobian(method):
    low, full = (tr.integrate(stiffening(one), method, 0.01, 0.5) for one in (True, False))
    np.testing.assert_allclose(low.q, full.q, atol=1e-10 * np.abs(full.q).max())
    assert low.stats["factorizations"] < 0.1 * full.stats["factorizations"]


def test_a_mass_that_varies_takes_the_full_matrix():
    low, full = (stiffening(one) for one in (True, False))
    runs = []
    for system in (low, full):
        varied = tr.SecondOrderSystem(
            lambda q: np.eye(N) * (1.0 + q[0] ** 2), system.force, system.q0, jacobian=system.jacobian
        )
        runs.append(tr.integrate(varied, "newmark", 0.01, 0.1).q)
    np.testing.assert_array_equal(*runs)
