"""Flexible GMRES against dense linear algebra."""

import numpy as np
import pytest

from traction.contact.stick_slip.flexible_gmres import KrylovSpace, flexible_gmres


class Dense:
    """A matrix, another one for the second vector, and a preconditioner."""

    sizes = (40, 7)

    def __init__(self, matrix, other, precondition=lambda r: r):
        self.matrix, self.other, self.inverse = matrix, other, precondition

    def apply(self, x):
        return self.matrix @ x, self.other @ x

    def precondition(self, r, result):
        result[:] = self.inverse(r)


@pytest.fixture
def system():
    rng = np.random.default_rng(4)
    matrix = np.eye(40) + 0.3 * rng.normal(size=(40, 40)) / np.sqrt(40)
    return matrix, rng.normal(size=40), rng.normal(size=(7, 40))


@pytest.mark.parametrize("preconditioned", [False, True])
def test_answer_equals_that_of_dense_algebra(system, preconditioned):
    matrix, b, other = system
    weights = 1.0 + np.arange(40.0) % 3 if preconditioned else np.ones(40)
    answer = flexible_gmres(Dense(matrix, other, lambda r: r / weights), b, tol=1e-12, max_iterations=40)
    np.testing.assert_allclose(answer.x, np.linalg.solve(matrix, b), rtol=1e-9, atol=1e-11)
    np.testing.assert_allclose(answer.extra, other @ answer.x, atol=1e-11)
    assert answer.residual <= 1e-12


def test_preconditioner_may_change(system):
    matrix, b, other = system
    calls = []

    def precondition(r):
        calls.append(1)
        return r / (1.0 + len(calls) % 2)

    answer = flexible_gmres(Dense(matrix, other, precondition), b, tol=1e-10, max_iterations=40)
    assert np.linalg.norm(matrix @ answer.x - b) <= 1e-9 * np.linalg.norm(b)


def test_residual_told_is_the_true_one_when_cut_short(system):
    matrix, b, other = system
    answer = flexible_gmres(Dense(matrix, other), b, tol=1e-12, max_iterations=4)
    assert answer.iterations == 4
    true = np.linalg.norm(b - matrix @ answer.x) / np.linalg.norm(b)
    assert answer.residual == pytest.approx(true, rel=1e-8)


def test_zero_right_side_needs_nothing(system):
    matrix, b, other = system
    answer = flexible_gmres(Dense(matrix, other), 0.0 * b, tol=1e-9, max_iterations=9)
    assert answer.iterations == 0
    assert not answer.x.any()
    assert not answer.extra.any()


def test_a_space_that_was_used_before_gives_the_same_bits(system):
    matrix, b, other = system
    dense = Dense(matrix, other)
    space = KrylovSpace(dense.sizes, 40)
    flexible_gmres(dense, b[::-1].copy(), tol=1e-12, max_iterations=40, space=space)
    again = flexible_gmres(dense, b, tol=1e-12, max_iterations=40, space=space)
    fresh = flexible_gmres(dense, b, tol=1e-12, max_iterations=40)
    np.testing.assert_array_equal(again.x, fresh.x)
    np.testing.assert_array_equal(again.extra, fresh.extra)
