"""Crossings under contact laws that the user gives."""

import numpy as np
import pytest

import traction as tr

BRIDGE = tr.Bridge(tr.Beam(20.0, 2e11 * 0.0104, 7900.0), tr.STEEL)
WHEEL = tr.Wheel(0.46, 1e4)
LOAD = 1e4 * 9.81
HERTZ = tr.PowerLaw.hertz(0.46, tr.Pair(tr.STEEL, tr.STEEL))
OPTIONS = {"size": 4, "dt": 1e-3, "t_end": 0.2}


def crossed(contact, **options):
    return tr.cross(BRIDGE, [(WHEEL, 0.0)], 30.0, contact=contact, **{**OPTIONS, **options})


@pytest.mark.parametrize("method", [None, "newmark"])
@pytest.mark.parametrize("kind", ["closed", "table"])
def test_a_law_of_hertz_crosses_like_hertz(kind, method):
    at = np.array([1e-6, 1e-3])
    law = HERTZ if kind == "closed" else tr.TabulatedLaw(at, HERTZ(at))
    found, known = crossed(law, method=method), crossed("hertz", method=method)
    assert not found.solved
    np.testing.assert_allclose(found.contact_forces, known.contact_forces, atol=1e-6 * LOAD)
    np.testing.assert_allclose(found.deflection(10.0), known.deflection(10.0), atol=1e-10)
    assert found.patch(0.1).semi_axes == pytest.approx(known.patch(0.1).semi_axes, rel=1e-6)
    assert np.abs(found.energies.residual).max() < 1e-6 * np.abs(known.energies.drive).max() + 1e-3


def test_a_half_space_law_of_the_user_is_that_of_the_wheel():
    known = crossed("half-space", t_end=0.02)
    solved = known.contacts[0].table.solver
    law = tr.HalfSpaceLaw(solved.surface, solved.grid, solved.pair)
    found = crossed(law, t_end=0.02)
    assert found.solved
    np.testing.assert_allclose(found.contact_forces, known.contact_forces, rtol=1e-9)


def test_a_soft_law_is_felt():
    soft = crossed(tr.PowerLaw(1e7, 1.0))
    assert soft.approach[0, 0] == pytest.approx(LOAD / 1e7, rel=1e-9)
    assert soft.contacts[0].stiffness == pytest.approx(1e7)
    assert soft.patch(0.0).force == pytest.approx(LOAD, rel=1e-9)


@pytest.mark.parametrize("law", [tr.DampedLaw(HERTZ, 0.1), tr.PlasticLaw(HERTZ, 1e-5)])
def test_a_law_that_loses_energy_is_refused(law):
    with pytest.raises(tr.InputError, match="give an elastic law"):
        crossed(law)


def test_what_is_no_law_is_named():
    with pytest.raises(tr.InputError, match=r"contact = 3\.0 is not a contact law"):
        crossed(3.0)
    with pytest.raises(tr.InputError, match="contact = a law has none"):
        crossed(HERTZ, grid=tr.Grid(16, 16, 1e-3, 1e-3))
