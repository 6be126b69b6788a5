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
