"""Pairs shared by the tests of contact laws."""

import pytest

import traction as tr


@pytest.fixture(scope="session")
def steel_pair():
    """Both bodies G = 82 GPa, nu = 0.28."""
    return tr.Pair(tr.STEEL, tr.STEEL)


@pytest.fixture(scope="session")
def unit_pair():
    """Effective modulus 1 Pa: answers are dimensionless."""
    return tr.Pair(tr.RIGID, tr.Material(1.0, 0.0))
