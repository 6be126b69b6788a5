"""Layers from step to step: what particles carry is not left out silently; what is dissipated under them."""

import pytest

import traction as tr

PAIR = tr.Pair(tr.STEEL, tr.STEEL)
FILM = tr.Layer(1e9, 1e-4)
DX = 0.8e-3


@pytest.fixture(scope="module")
def ball():
    return tr.press(tr.Paraboloid(0.46, 0.46), tr.Grid(18, 18, DX, DX), PAIR, force=80e3)


@pytest.mark.parametrize("elements", ["covered", "classical"])
def test_a_layer_under_tractions_is_not_left_out(ball, elements):
    t = tr.roll_steady(ball, 0.3, creepage=(1e-3, 0.0, 0.0), layer=FILM, discretisation=elements)
    with pytest.raises(tr.InputError, match=r"give it again as layer="):
        tr.roll(t, 0.3, distance=DX, creepage=(1e-3, 0.0, 0.0), discretisation=elements)
    assert tr.roll(t, 0.3, distance=DX, creepage=(1e-3, 0, 0), layer=FILM, discretisation=elements).ok


def test_a_shift_does_not_leave_it_out_either(ball):
    t = tr.shift(ball, 0.3, displacement=(5e-6, 0.0, 0.0), layer=FILM)
    with pytest.raises(tr.InputError, match="solved with a layer"):
        tr.shift(ball, 0.3, displacement=(1e-6, 0.0, 0.0), previous=t)
    still = tr.shift(ball, 0.3, displacement=(0.0, 0.0, 0.0), layer=FILM)
    assert tr.shift(ball, 0.3, displacement=(1e-6, 0.0, 0.0), previous=still).ok  # nothing is carried


def test_sums_of_whole_cells_miss_what_a_soft_layer_dissipates():
    """Tractions times slips, as CONTACT sums them: first order in the cells; the rigid slip has it all."""
    missed, forces = [], []
    for cells in (16, 32):
        grid = tr.Grid(cells, cells, 14.4e-3 / cells, 14.4e-3 / cells)
        n = tr.press(tr.Paraboloid(0.46, 0.46), grid, PAIR, force=80e3)
        whole, covered = (
            tr.roll_steady(n, 0.3, creepage=(5e-3, 0.0, 0.0), layer=FILM, discretisation=elements)
            for elements in ("classical", "covered")
        )
        missed.append(1.0 - whole.dissipation / whole.wear_number)
        forces.append((whole.force[0], covered.force[0]))
        assert covered.dissipation == pytest.approx(covered.wear_number, rel=1e-9)
    assert missed[0] > 0.15
    assert missed[0] / missed[1] == pytest.approx(2.0, rel=0.2)
    assert abs(forces[1][0] / forces[1][1] - 1.0) < 0.6 * abs(forces[0][0] / forces[0][1] - 1.0)


YIELDING = tr.Layer(1e9, 1e-5, yield_stress=60e6)
LAW = tr.friction.exponential(0.15, (0.2, 1.0), memory=(1e-4, 1e-3))


@pytest.mark.parametrize("elements", ["covered", "classical"])
def test_a_constant_coefficient_is_not_remembered_under_a_law(ball, elements):
    """Particles that did not slide begin at rest, whatever bounded their tractions before."""
    between = {"layer": YIELDING, "discretisation": elements, "speed": 20.0}
    t = tr.roll_steady(ball, 0.1, creepage=(1e-4, 0.0, 0.0), **between)
    t = tr.roll(t, LAW, distance=0.01 * DX, creepage=(1e-4, 0.0, 0.0), **between)
    assert t.coefficient[ball.contact] == pytest.approx(LAW.static, rel=1e-3)


def test_a_shift_under_a_law_does_not_remember_one_either(ball):
    t = tr.shift(ball, 0.1, displacement=(1e-7, 0.0, 0.0), layer=YIELDING)
    t = tr.shift(ball, LAW, displacement=(1e-9, 0.0, 0.0), layer=YIELDING, previous=t, speed=1e-3)
    assert t.coefficient[ball.contact] == pytest.approx(LAW.static, rel=1e-3)


@pytest.mark.parametrize("elements", ["covered", "classical"])
def test_a_law_is_remembered_under_another_layer_and_its_yield_stress_is_not(ball, elements):
    between = {"discretisation": elements, "speed": 20.0}
    hard = tr.Layer(1e9, 1e-5, yield_stress=60e6, hardening=1e13)
    t = tr.roll_steady(ball, LAW, creepage=(0.02, 0.0, 0.0), layer=hard, **between)
    slid = t.coefficient[ball.contact]
    assert slid.min() < 0.9 * LAW.static
    assert t.interface.yielding[ball.contact].max() > 1.1 * hard.yield_stress
    strong = tr.Layer(1e9, 1e-5, yield_stress=900e6)
    t = tr.roll(t, LAW, distance=0.01 * DX, creepage=(1e-4, 0.0, 0.0), layer=strong, **between)
    assert t.coefficient[ball.contact] == pytest.approx(slid, rel=0.02)
    assert t.interface.yielding[ball.contact] == pytest.approx(strong.yield_stress)
