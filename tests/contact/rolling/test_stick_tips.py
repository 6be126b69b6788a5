"""The tip of the stick zone inside an element: found, followed, and the creepage of single short steps."""

from dataclasses import replace

import numpy as np
import pytest

import traction as tr
from traction.contact.elements.element_influence import ElementInfluence
from traction.contact.elements.kernels import covered_shapes
from traction.contact.rolling.kernels import material_rows
from traction.contact.rolling.kernels import stick_tips as kernels
from traction.contact.rolling.material_step import MaterialStep

STEEL = tr.Pair(tr.STEEL, tr.STEEL)
MU, SHARE = 0.3, 0.657  # share of mu Fn, as in CONTACT's case from Cattaneo to Carter
HALF_WIDTH, RADIUS = 5e-3, 0.5  # m


def line(elements, share=SHARE):
    """Cattaneo's line contact, that is about to roll."""
    grid = tr.Grid.line(elements + 6, 2.0 * HALF_WIDTH / elements, length=0.2)
    load = np.pi * HALF_WIDTH**2 * STEEL.effective_modulus / (4.0 * RADIUS)
    n = tr.press(tr.Cylinder(RADIUS), grid, STEEL, force=load, tol=1e-9)
    return tr.shift(n, MU, displacement=(None, 0.0, 0.0), force=(-share * MU * load, None))


def circle(elements, share=SHARE):
    """CONTACT's case from Cattaneo to Carter, about to roll."""
    body, dx = tr.Material.from_shear_modulus(1e6, 0.28), 7e-3 / elements
    grid = tr.Grid(elements + 6, elements + 5, dx, dx)
    n = tr.press(lambda x, y: 2.963 * (x**2 + y**2), grid, tr.Pair(body, body), force=0.4705, tol=1e-9)
    force = -share * 0.4013 * n.force
    return tr.shift(n, 0.4013, displacement=(None, 0.0, 0.0), force=(force, None))


def rolled(t, cells, step, direction=1):
    """Roll on with the force held; creepages of all steps, and the last contact."""
    force, found = (t.force[0], None), []
    for _ in range(round(cells / step)):
        way = {"distance": step * t.normal.grid.dx, "direction": direction}
        t = tr.roll(t, t.friction, creepage=(None, 0.0, 0.0), force=force, **way)
        found.append(t.creepage[0])
    return np.array(found), t


def scatter(start, step, cells=24):
    """Peak to peak of the creepages within the last cell about their linear trend, of their mean."""
    last = rolled(start, cells, step)[0][-round(1.0 / step) :]
    number = np.arange(last.size)
    return np.ptp(last - np.polyval(np.polyfit(number, last, 1), number)) / abs(last.mean())


def test_single_short_steps_scatter_little():
    assert scatter(line(24), 0.1) <= 0.005


def test_single_short_steps_scatter_little_where_few_elements_slip():
    """A line whose tip leaves elements, and a circle whose outer rows have little pressure at the edges."""
    assert scatter(line(12, 0.3), 0.05) <= 0.006
    assert scatter(circle(12, 0.3), 0.1) <= 0.02


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.3, 0.5, SHARE, 0.8])
@pytest.mark.parametrize("step", [0.1, 0.02])
@pytest.mark.parametrize(("elements", "most"), [(12, 0.01), (24, 0.01), (70, 0.003)])
def test_single_short_steps_of_lines_scatter_little(elements, most, step, share):
    assert scatter(line(elements, share), step) <= most


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.3, 0.5, SHARE, 0.8])
@pytest.mark.parametrize("step", [0.1, 0.02])
@pytest.mark.parametrize(("elements", "most"), [(12, 0.02), (24, 0.01), (70, 0.003)])
def test_single_short_steps_of_circles_scatter_little(elements, most, step, share):
    assert scatter(circle(elements, share), step) <= most


@pytest.mark.parametrize("direction", [1, -1])
def test_the_tip_is_that_of_carter(direction):
    """Carter: the stick zone reaches from the leading edge over 2 a sqrt(1 - F / mu Fn)."""
    start = line(24)
    t = rolled(start, 36, 0.3, direction)[1]
    dx, tips = t.normal.grid.dx / t.state.fineness, t.state.tips
    fine = t.normal.grid.x[0] - 0.25 * t.normal.grid.dx  # centre of the first half cell
    tip = direction * (fine + dx * tips.place[0])
    assert tip == pytest.approx(HALF_WIDTH * (1.0 - 2.0 * np.sqrt(1.0 - SHARE)), abs=0.1 * dx)
    assert abs(tips.drift[0]) <= 0.02


def test_a_root_ahead_of_a_tip_is_found_again():
    """Deficits that are means of sqrt((x - tip) (lead - x)) over cells, the tip inside one of them."""
    low, lead, strength = np.arange(20.0), 19.5, 3.0
    high = np.minimum(low + 1.0, lead)
    for tip in (7.0 + 1e-9, 7.2, 7.5, 7.9):
        x = np.linspace(0.0, lead, 390_001)
        root = strength * np.sqrt(np.maximum(0.0, (x - tip) * (lead - x)) / (lead - tip))
        up_to = np.r_[0.0, np.cumsum(0.5 * (root[1:] + root[:-1]) * np.diff(x))]
        parts = low, high, np.interp(high, x, up_to) - np.interp(low, x, up_to)
        place, drift = kernels.find_tip(parts, lead, 1e-6, (np.nan, np.nan), 1.0, 0.0)
        assert place == pytest.approx(tip, abs=0.01)
        assert drift == kernels.AT_REST  # until it is seen to move
        place, drift = kernels.find_tip(parts, lead, 1e-6, (tip, 0.1), 1.0, 0.5)
        assert place == pytest.approx(tip + 0.05, abs=0.01)
        assert drift == pytest.approx(0.1, abs=0.01)


def test_a_tip_lies_ahead_of_the_elements_that_slip():
    """Where tractions fall steeply, as at the front that a shift leaves, they imply one further back."""
    low, lead = np.arange(20.0), 20.0
    steep = np.r_[np.zeros(7), 0.34, 0.44, 0.51, np.full(10, 0.55)]
    parts, unknown = (low, low + 1.0, steep), (np.nan, np.nan)
    assert kernels.find_tip(parts, lead, 1e-6, unknown, 1.0, 0.0) == (7.0, kernels.AT_REST)
    uniform = kernels.find_tip(parts, lead, 1e-6, unknown, 0.0, 0.0)[0]  # tractions do not bend yet
    assert 6.0 < uniform < 7.0


def test_a_tip_that_is_off_is_followed():
    """Elements whose tip stays show it, whatever it was taken to be, and so for steps of any length."""
    low, tip, lead = np.arange(20.0), 7.4, 20.0
    root = np.maximum(0.0, np.r_[low, lead] - tip) ** 1.5
    parts = low, low + 1.0, np.diff(root) * np.sqrt(lead - low - 0.5)
    for step in (1.0, 0.1, 0.02):
        old = 7.1, 0.0
        for _ in range(round(10.0 / step)):
            place, drift = kernels.find_tip(parts, lead, 1e-6, old, 1.0, step)
            old = place, drift
        assert place == pytest.approx(tip, abs=0.01)


def test_an_element_with_a_tip_slips_behind_it_and_falls_from_the_bound_ahead_of_it():
    """Its tractions are on the bound up to the tip, whatever their mean is."""
    t = rolled(line(24), 12, 0.1)[1]
    e, tip = t.state.elements, t.state.tips.place[0] + t.state.travelled
    k = int(np.flatnonzero((e.low < tip) & (tip < e.high))[0])
    g, p = e.ceiling[0, k], t.state.traction[0, k]
    assert abs(g) == pytest.approx(e.bound[k])
    falling = np.empty((7, 3))
    count = covered_shapes.shaped(e.low[k], e.high[k], e.edge[k], e.shape[k], e.bend[k], falling)
    at = int(np.flatnonzero(e.falling == k)[0])
    assert (e.slipping.shape[at], e.slipping.bend[at]) == (covered_shapes.FLAT, 0.0)  # the bound is uniform
    tractions = g + (p - g) * falling[:count, 2]
    assert tractions[0] == pytest.approx(g, rel=0.01)  # behind the tip, which drifts a little
    assert np.all(np.diff(np.abs(tractions)) < 0.0)
    assert (tractions * falling[:count, 1]).sum() == pytest.approx(p)


def test_the_bound_is_loaded_on_the_elements_that_fall_from_it_alone():
    """What they displace at points is that of an influence of their own, whichever way the contact rolls."""
    for direction in (1, -1):
        t = rolled(circle(12), 3, 0.3, direction)[1]
        state, points = t.state, (t.state.elements.row, t.state.elements.middle + 0.21)
        target = (*points, np.ones(points[0].size))
        some, e = state.elements.slipping, state.elements
        assert 0 < e.falling.size == some.row.size < 0.6 * e.row.size
        g = e.ceiling[:2, e.falling]
        found = ElementInfluence(e, [target]).load(some).displace_points()(g)
        alone = ElementInfluence(some, [target]).displace_points()(g)
        np.testing.assert_allclose(found, alone, rtol=0, atol=1e-12 * np.abs(alone).max())


def test_a_step_measures_its_slip_once(monkeypatch):
    """The certificate and the state that a step leaves take the same product."""
    start, counted, measure = line(12), [], MaterialStep.measure_slip
    monkeypatch.setattr(MaterialStep, "measure_slip", lambda *args: counted.append(1) or measure(*args))
    rolled(start, 2, 1.0)
    assert len(counted) == 4  # of half an element each


def test_tractions_come_to_bend_over_an_element():
    t = rolled(line(24), 0.5, 0.25)[1]
    assert t.state.tips.grown == pytest.approx(1.0)  # half elements
    start = tr.roll(
        line(24), MU, creepage=(None, 0.0, 0.0), force=(t.force[0], None), distance=0.05 * t.normal.grid.dx
    )
    assert start.state.tips.grown == pytest.approx(0.1)


def test_a_row_that_sticks_or_slips_everywhere_has_no_tip():
    low = np.arange(8.0)
    for deficit in (np.ones(8), np.zeros(8)):
        assert np.isnan(kernels.find_tip((low, low + 1.0, deficit), 8.0, 1e-6, (3.3, 0.0), 1.0, 0.1)[0])


def test_tractions_bend_while_a_force_is_held_under_constant_load():
    """Given a creepage, or as the load varies, they do not; where that changes the creepage does not jump."""
    start = line(24)
    (*_, before), t = rolled(start, 12, 0.1)
    assert np.isfinite(t.state.tips.place).all()
    assert tr.roll(t, MU, distance=1e-4, creepage=t.creepage).state.tips is None
    force, step = (start.force[0], None), 0.1 * t.normal.grid.dx
    n = tr.press(tr.Cylinder(RADIUS), t.normal.grid, STEEL, force=t.normal.force * (1.0 + 1e-6), tol=1e-9)
    varied = tr.roll(t, MU, distance=step, creepage=(None, 0.0, 0.0), force=force, normal=n)
    assert varied.state.tips is None
    assert varied.creepage[0] == pytest.approx(before, rel=0.05)
    again = tr.roll(varied, MU, distance=step, creepage=(None, 0.0, 0.0), force=force)
    assert again.state.tips is not None
    assert again.creepage[0] == pytest.approx(before, rel=0.05)


def test_the_bound_between_faces_is_that_of_hertz():
    """From exact loads of cells: a Hertz pressure is met everywhere, another one within little."""
    left, right, column = -4.3, 5.1, np.arange(-4, 6)
    faces = np.r_[left, column[:-1] + 0.5, right]

    def load(x, odd):
        s = 2.0 * (np.asarray(x) - left) / (right - left) - 1.0
        return 0.5 * (s * np.sqrt(1.0 - s**2) + np.arcsin(s) + np.pi / 2.0) - odd * (1.0 - s**2) ** 1.5 / 3.0

    ends = np.full(column.size, left), np.full(column.size, right)
    for odd, most in ((0.0, 1e-13), (0.3, 2e-3)):  # pressure sqrt(1 - s^2) (1 + odd s)
        bound = np.diff(load(faces, odd))
        first, place, *nodes = material_rows.run_nodes(np.array([0, 10]), column, bound, *ends)
        assert first.tolist() == [0, 9]
        x = np.linspace(left, right, 101)
        found = [material_rows.grown(place, *nodes, at) for at in x]
        assert np.all(np.diff(found) > 0.0)
        np.testing.assert_allclose(found, load(x, odd), atol=most)


@pytest.mark.parametrize("elements", [27, 40])
def test_whole_cells_of_a_shift_that_extend_beyond_the_edges_roll_on(elements):
    """A shift leaves whole cells; halved, some of them lie outside the contact."""
    pair, mu = tr.Pair(tr.STEEL, tr.STEEL), 0.3
    n = tr.press(tr.Cylinder(0.1), tr.Grid.line(40, 1e-3 / elements, length=0.1), pair, force=1e5)
    force = (-0.5 * mu * n.force, None)
    t = tr.shift(n, mu, displacement=(None, 0.0, 0.0), force=force)
    for _ in range(3):
        t = tr.roll(t, mu, distance=0.5 * n.grid.dx, creepage=(None, 0.0, 0.0), force=force)
        assert t.ok
        assert 0.0 < t.creepage[0] < 1e-3


def test_whole_cells_need_no_tips():
    """After each the tip lies at the same place in its element, and the creepage is that of fine elements."""
    coarse, t = rolled(line(12), 24, 1.0)
    assert t.state.tips is None
    fine = rolled(line(24), 48, 1.0)[0]
    assert coarse[-1] == pytest.approx(fine[-2:].mean(), rel=3e-3)
    assert rolled(t, 0.4, 0.4)[1].state.tips is not None  # shorter steps have them again


@pytest.mark.parametrize("step", [0.5, 0.2])
def test_steps_begin_from_the_trend_of_the_last_one(step):
    """What sticks moves with the material, what is steady with the contact: both are continued."""
    _, t = rolled(line(24), 4, step)
    assert t.state.trend is not None
    way = {"distance": step * t.normal.grid.dx, "creepage": (None, 0.0, 0.0), "force": (t.force[0], None)}
    known = tr.roll(t, MU, **way).residuals[0]
    stranger = replace(t, state=replace(t.state, trend=None))
    assert known <= 0.5 * tr.roll(stranger, MU, **way).residuals[0]
