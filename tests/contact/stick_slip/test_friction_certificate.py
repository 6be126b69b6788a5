"""The certificate of friction sees every way in which an answer can be wrong."""

import numpy as np
import pytest

from traction.contact.stick_slip.friction_certificate import (
    FrictionCertificate,
    certify_friction,
    find_worst,
    measure_averaging,
)

BOUND = np.array([[1.0, 2.0, 3.0, 0.0]])
RHO = np.ones((1, 4))


@pytest.fixture
def fields():
    """Stick, slip along -x, slip askew, and an element outside the contact."""
    traction = np.array([[[0.3, 2.0, 1.8, 0.0]], [[0.1, 0.0, 2.4, 0.0]]])
    slip = np.array([[[0.0, -0.5, -6.0, 9.0]], [[0.0, 0.0, -8.0, 9.0]]])
    return traction, slip


def test_right_answer_holds(fields):
    certificate = certify_friction(*fields, BOUND, RHO, 0.0)
    assert certificate.largest <= 1e-15
    assert certificate.holds(1e-6)


@pytest.mark.parametrize(
    ("field", "index", "change", "part"),
    [
        (0, (0, 0, 1), 0.03, "bound"),
        (0, (0, 0, 3), 0.03, "bound"),
        (1, (0, 0, 0), 0.03, "stick"),
        (0, (0, 0, 1), -0.03, "stick"),
        (1, (1, 0, 1), 0.03, "direction"),
        (1, (0, 0, 1), 0.6, "direction"),
        (1, (1, 0, 2), 0.3, "direction"),
    ],
)
def test_every_fault_is_seen(fields, field, index, change, part):
    fields[field][index] += change
    certificate = certify_friction(*fields, BOUND, RHO, 0.0)
    assert getattr(certificate, part) > 1e-3
    assert not certificate.holds(1e-4)


def test_a_fault_of_the_force_is_seen(fields):
    assert not certify_friction(*fields, BOUND, RHO, 1e-3).holds(1e-4)


@pytest.mark.parametrize("field", [0, 1])
def test_nan_never_passes(fields, field):
    fields[field][0, 0, 1] = np.nan
    assert not certify_friction(*fields, BOUND, RHO, 0.0).holds(1e3)


def test_angle_counts_as_a_turned_traction_however_fast_the_slip(fields):
    traction, slip = fields
    turned = slip.copy()
    turned[:, 0, 2] = 1e6 * np.array([-0.6, -0.8]) + 1e2 * np.array([0.8, -0.6])
    certificate = certify_friction(traction, turned, BOUND, RHO, 0.0)
    assert certificate.direction == pytest.approx(1e-4, rel=1e-3)


def test_it_reads_as_a_sentence(fields):
    assert "slip in stick" in str(certify_friction(*fields, BOUND, RHO, 0.0))


def test_several_steps_have_the_worst_of_each_condition():
    parts = [FrictionCertificate(1e-7, 3e-7, 0.0, 0.0), FrictionCertificate(2e-7, 0.0, 1e-8, 0.0, 5e-7)]
    assert find_worst(parts) == FrictionCertificate(2e-7, 3e-7, 1e-8, 0.0, 5e-7)
    assert not find_worst(parts).holds(4e-7)
    assert np.isnan(find_worst([*parts, FrictionCertificate(np.nan, 0.0, 0.0, 0.0)]).largest)


def test_pressure_that_does_not_go_with_the_tractions_is_refused():
    assert FrictionCertificate(0.0, 0.0, 0.0, 0.0, 1e-7).holds(1e-6)
    assert not FrictionCertificate(0.0, 0.0, 0.0, 0.0, 1e-5).holds(1e-6)


def test_means_are_stated_and_are_no_error():
    """A cell of which half slips at its bound and half sticks is below it, and may slip along it."""
    bound, stick = np.array([2.0, 2.0, 1.0]), np.array([False, False, True])
    traction, slip = (
        np.array([[-1.5, -2.0, -0.1], [0.0, 0.0, 0.0]]),
        np.array([[1.0, 1.0, 0.3], [0.0, 0.0, 0.0]]),
    )
    assert measure_averaging(traction, slip, bound, stick) == pytest.approx(0.25)
    assert measure_averaging(traction, -slip, bound, stick) == pytest.approx(1.0)
    assert measure_averaging(traction, slip, bound, np.ones(3, dtype=bool)) == 0.0
    certificate = FrictionCertificate(0.0, 1e-9, 0.0, 0.0, averaging=0.25)
    assert certificate.largest == 1e-9
    assert "means over cells of the grid 2.5e-01" in str(certificate)
