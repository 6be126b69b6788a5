"""Half-space contact from a table: as solved at every step, in any march, with loss of contact."""

import numpy as np
import pytest

import traction as tr
from coarse import LONG_STEPS
from traction.crossing import wheel_contact
from traction.laws import half_space_table
from traction.laws.half_space_table import NotTabulatedError

WHEEL = tr.Wheel(0.46, 1e3, suspension=tr.Suspension(1e6, 1e4, 9e3))
OVAL = tr.Wheel(0.46, 1e3, profile=tr.Paraboloid(0.46, 0.2), suspension=tr.Suspension(1e6, 1e4, 9e3))
BRIDGE = tr.Bridge(tr.Beam(20.0, 2.08e9, 7900.0), tr.STEEL)
SOFT = tr.Bridge(tr.Beam(20.0, 2.08e9, 7900.0, supports=(tr.Support(5e8, 0.0),) * 2), tr.STEEL)
CASES = {
    "heavy wheel": (BRIDGE, [(tr.Wheel(0.46, 76e3), 0.0)], {"dt": 1e-3, "t_end": 0.3}),
    "wheels that lift off": (
        BRIDGE,
        [(OVAL, 0.0)],
        {"dt": 1e-4, "t_end": 0.03, "irregularity": tr.Irregularity.harmonic(6e-4, 0.4)},
    ),
    "neglected modes, soft ends": (
        SOFT,
        [(WHEEL, 0.0), (WHEEL, 3.0)],
        {"dt": 1e-3, "t_end": 0.2, "size": 4, "residual": True},
    ),
    "elements": (BRIDGE, [(WHEEL, 0.0)], {"dt": 2e-3, "t_end": 0.1, "model": "elements", "size": 6}),
    "strip": (BRIDGE, [(WHEEL, 0.0)], {"dt": 2e-3, "grid": tr.Grid.line(40, 3e-4, length=0.05)}),
}


def crossed(case, **options):
    bridge, train, given = CASES[case]
    return tr.cross(bridge, train, 30.0, contact="half-space", **given, **options)


@LONG_STEPS  # both march in the same steps
@pytest.mark.filterwarnings("ignore:wheel .* meets a step of the track")
@pytest.mark.filterwarnings("ignore:a wheel .* m from another axle")
@pytest.mark.parametrize("case", CASES)
def test_it_is_solved_at_every_step(case):
    half_space_table._kept.clear()
    found, solved = crossed(case), crossed(case, solve="every-step")
    assert found.contacts[0].table is not None
    assert solved.contacts[0].table is None
    forces = solved.contact_forces
    np.testing.assert_allclose(found.contact_forces, forces, atol=1e-6 * forces.max())
    np.testing.assert_array_equal(found.in_contact, solved.in_contact)
    assert (case == "wheels that lift off") <= (not found.in_contact.all())
    deflection = solved.deflection(10.0)
    np.testing.assert_allclose(found.deflection(10.0), deflection, atol=1e-6 * np.abs(deflection).max())
    np.testing.assert_allclose(
        found.energies.contact, solved.energies.contact, atol=1e-6 * solved.energies.contact.max()
    )
    assert found.energies.closure < 1.1 * solved.energies.closure + 1e-12
    again = crossed(case)  # from the table as it is at the end
    np.testing.assert_array_equal(found.contact_forces, again.contact_forces)
    t = float(found.t[np.argmax(forces[:, 0])])
    assert found.patch(t).force == pytest.approx(forces.max(axis=0)[0], rel=1e-6)


def test_a_train_is_solved_once():
    half_space_table._kept.clear()
    train = [(tr.Wheel(0.46, 1e3, suspension=tr.Suspension(1e6, 1e4, 9e3)), 8.0 * k) for k in range(6)]
    run = tr.cross(BRIDGE, train, 30.0, contact="half-space", dt=5e-4, size=10)
    assert len({id(one.table) for one in run.contacts}) == 1
    assert run.contacts[0].table.solver.evaluations < 0.01 * run.stats["steps"] * len(train)


def test_contacts_that_are_not_solved_have_no_choice():
    for contact in ("hertz", tr.PowerLaw(1e9, 1.5), "rigid"):
        with pytest.raises(tr.InputError, match="solve"):
            tr.cross(BRIDGE, [(WHEEL, 0.0)], 30.0, contact=contact, solve="every-step", dt=1e-3)
    with pytest.raises(tr.InputError, match="solve = 'sometimes'"):
        tr.cross(BRIDGE, [(WHEEL, 0.0)], 30.0, contact="half-space", solve="sometimes", dt=1e-3)


def test_a_surface_without_a_table_is_solved_at_every_step_and_says_so(monkeypatch):
    class Refused:
        def approach_under(self, *_):
            raise NotTabulatedError("the force of this surface cannot be tabulated.")

    monkeypatch.setattr(wheel_contact, "tabulate_half_space", lambda _: Refused())
    with pytest.warns(UserWarning, match="solved at every step: the force of this surface"):
        run = crossed("strip")
    assert run.stats["evaluations"] >= run.stats["steps"]
