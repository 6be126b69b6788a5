"""Matrices in any storage: products, sums and factors agree with dense ones."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

import traction as tr
from traction.integrators.core.matrices import (
    SingularError,
    blocks,
    combination,
    dense,
    factor,
    matrix,
    product,
)

KINDS = ("number", "diagonal", "dense", "sparse", "banded")


def given_matrix(kind, n, rng):
    """A matrix as a user would give it, and the same as an array."""
    full = np.diag(rng.uniform(2.0, 3.0, n))
    if kind == "number":
        return 2.5, 2.5 * np.eye(n)
    if kind == "diagonal":
        return np.diag(full).copy(), full
    for k in (1, 2) if kind == "banded" else (1, n - 1):
        full = full + np.diag(rng.uniform(-0.4, 0.4, n - k), k) + np.diag(rng.uniform(-0.4, 0.4, n - k), -k)
    if kind == "dense":
        return full, full
    if kind == "sparse":
        return sparse.coo_array(full), full
    bands = np.zeros((5, n))
    for k in range(-2, 3):
        values = np.diag(full, k)
        bands[2 - k, max(k, 0) : max(k, 0) + len(values)] = values
    return tr.Banded(2, 2, bands), full


@given(
    first=st.sampled_from(KINDS),
    second=st.sampled_from(KINDS),
    n=st.integers(4, 40),
    seed=st.integers(0, 1000),
)
def test_storages_agree(first, second, n, seed):
    rng = np.random.default_rng(seed)
    (a, full_a), (b, full_b) = (given_matrix(kind, n, rng) for kind in (first, second))
    a, b, x = matrix("a", a, n), matrix("b", b, n), rng.normal(size=n)
    np.testing.assert_allclose(product(a, x), full_a @ x, atol=1e-12)
    total = combination((2.0, a), (0.5, b), (3.0, None))
    np.testing.assert_allclose(dense(total, n), 2.0 * full_a + 0.5 * full_b, atol=1e-12)
    np.testing.assert_allclose(factor(total)(x), np.linalg.solve(2.0 * full_a + 0.5 * full_b, x), atol=1e-11)
    whole = blocks([[a, b], [combination((0.1, b)), a]], n)
    expected = np.block([[full_a, full_b], [0.1 * full_b, full_a]])
    np.testing.assert_allclose(dense(whole, 2 * n), expected, atol=1e-12)


def test_wide_sparse_matrices_are_factored():
    rng = np.random.default_rng(3)
    n = 200
    full = (
        np.diag(np.logspace(-6, 6, n)) + 1e-8 * sparse.random_array((n, n), density=0.02, rng=rng).toarray()
    )
    x = rng.normal(size=n)
    np.testing.assert_allclose(factor(sparse.csr_array(full))(full @ x), x, rtol=1e-8)


@pytest.mark.parametrize("storage", [np.array, sparse.csr_array])
@pytest.mark.parametrize(
    "full",
    [
        np.ones((3, 3)),
        np.diag([1.0, 0.0, 1.0]),
        np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]),
        np.zeros((3, 3)),
        1e9 * np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
    ],
)
def test_singular_matrices_are_refused(full, storage):
    with pytest.raises(SingularError, match="mass is singular"):
        factor(storage(full), "mass")


def test_a_wide_range_is_not_singular():
    for diagonal in ([1e-20, 1.0, 1e20], [1e-9, 1e9, 1.0]):
        full = np.diag(diagonal)
        for stored in (np.array(diagonal), full, sparse.csr_array(full)):
            np.testing.assert_allclose(factor(stored)(np.array(diagonal)), 1.0, rtol=1e-14)


INDEFINITE = np.array([[1.0, 2.0], [2.0, 1.0]])


@pytest.mark.parametrize("shape", ["dense", "banded", "sparse"])
def test_an_indefinite_mass_is_refused(shape):
    large = np.kron(np.eye(100), INDEFINITE)
    masses = {
        "dense": INDEFINITE,
        "banded": tr.Banded(1, 1, np.array([[0.0, 2.0], [1.0, 1.0], [2.0, 0.0]])),
        "sparse": sparse.csr_array(large),
    }
    mass = masses[shape]
    n = 200 if shape == "sparse" else 2
    with pytest.raises(tr.InputError, match="mass is not positive definite"):
        tr.SecondOrderSystem(mass, None, np.ones(n), stiffness=1.0)
    definite = mass + 3.0 * sparse.eye_array(n) if shape == "sparse" else INDEFINITE + 3.0 * np.eye(2)
    assert tr.SecondOrderSystem(definite, None, np.ones(n), stiffness=1.0).size == n
