"""A mean force that a system brings along: energy to rounding at steps where the general one is hard put."""

import numpy as np
import pytest

import traction as tr


def two_masses(**own):
    """A light mass between a stiff cubic contact and a soft spring to a heavy one."""
    law = tr.PowerLaw(1e9, 1.5)

    def force(t, q):
        return np.array([-law.response(q[0]).force, 0.0])

    def energy(q):
        return law.response(q[0]).energy

    return tr.SecondOrderSystem(
        [1.0, 1e3], force, [2e-4, 0.0], [0.0, 0.1], stiffness=1e5 * np.array([[1.0, -1.0], [-1.0, 1.0]]),
        energy=energy, jacobian=lambda t, q, v: np.diag([-law.response(q[0]).stiffness, 0.0]), **own,
    )  # fmt: skip


def mean(t, q, q1):
    law = tr.PowerLaw(1e9, 1.5)
    one, two, d = law.response(q[0]), law.response(q1[0]), q1[0] - q[0]
    if abs(d) < 1e-9:
        return np.array([-0.5 * (one.force + two.force), 0.0]), np.diag([-0.5 * two.stiffness, 0.0])
    F = (two.energy - one.energy) / d
    return np.array([-F, 0.0]), np.diag([-(two.force - F) / d, 0.0])


@pytest.mark.parametrize("dt", [1e-3, 1e-2])
def test_energy_is_kept(dt):
    history = tr.integrate(two_masses(mean_force=mean), "energy-conserving", dt, 0.2)
    assert np.ptp(history.energy) < 1e-8 * history.energy[0]


def test_it_is_the_same_motion():
    own, general = (
        tr.integrate(two_masses(**given), "energy-conserving", 1e-5, 0.01)
        for given in ({"mean_force": mean}, {})
    )
    np.testing.assert_allclose(own.q[-1], general.q[-1], rtol=1e-3)
    exact = tr.integrate(two_masses(), "radau-iia", 1e-5, 0.01)
    np.testing.assert_allclose(own.q[-1], exact.q[-1], atol=1e-6)


def test_bad_input():
    with pytest.raises(tr.InputError, match="mean_force must take"):
        two_masses(mean_force=lambda q: q)
    with pytest.raises(tr.InputError, match="several coordinates"):
        tr.SecondOrderSystem(1.0, lambda t, q: -q, 1.0, mean_force=mean)
