"""What may be prescribed of a rigid slip, and what is refused."""

import numpy as np
import pytest

from traction.contact.stick_slip.rigid_slip import check_rigid_slip
from traction.errors import InputError


def test_what_is_not_given_is_unknown():
    rigid = check_rigid_slip("creepage", (None, 2e-3, 0.1), (50.0, None), 100.0)
    assert rigid.unknown == (0,)
    assert rigid.shift == (None, 2e-3, 0.1)
    assert rigid.force == (50.0, None)


def test_nothing_given_is_no_slip():
    assert check_rigid_slip("creepage", None, (None, None), 100.0).shift == (0.0, 0.0, 0.0)
    assert check_rigid_slip("creepage", None, (1.0, 2.0), 100.0).unknown == (0, 1)


@pytest.mark.parametrize(
    ("shift", "force", "words"),
    [
        ((1e-3, 0.0, 0.0), (5.0, None), "along x both given"),
        ((None, 0.0, 0.0), (None, None), "along x neither given"),
        ((0.0, None, 0.0), (None, None), "along y neither given"),
        ((0.0, 0.0), (None, None), r"creepage = \(0.0, 0.0\) must be three numbers \(xi, eta, spin\)"),
        (1e-3, (None, None), "three numbers"),
        ((0.0, 0.0, None), (None, None), "moment cannot be prescribed"),
        ((np.nan, 0.0, 0.0), (None, None), "along x"),
        ((0.0, 0.0, np.inf), (None, None), "spin of creepage"),
        (("1", 0.0, 0.0), (None, None), "along x"),
        ((True, 0.0, 0.0), (None, None), "along x"),
        ((None, 0.0, 0.0), (np.nan, None), "force along x"),
        ((None, 0.0, 0.0), 5.0, "two numbers"),
        ((None, 0.0, 0.0), (-100.0, None), "force = -100 N must be smaller in size than mu Fn = 100 N"),
        (
            (None, None, 0.0),
            (80.0, 80.0),
            r"of magnitude 113.137 N, must be smaller in size than mu Fn = 100 N",
        ),
    ],
)
def test_wrong_input_is_named(shift, force, words):
    with pytest.raises(InputError, match=words):
        check_rigid_slip("creepage", shift, force, 100.0)


def test_a_shift_has_a_rotation():
    with pytest.raises(InputError, match=r"displacement = 1e-06 must be three numbers \(dx, dy, rotation\)"):
        check_rigid_slip("displacement", 1e-6, None, 100.0)
