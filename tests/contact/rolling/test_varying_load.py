"""Transient rolling under a load that varies strongly: the same answer for every length of the steps."""

from dataclasses import replace
from functools import cache, lru_cache
from itertools import product

import numpy as np
import pytest

import traction as tr
from traction.contact.friction.friction_solution import check_demand
from traction.contact.normal.press import solve_press
from traction.contact.rolling import material_march
from traction.contact.rolling.load_path import LoadPath
from traction.contact.rolling.transient_rolling import roll_step
from traction.status import Status

STEEL = tr.Pair(tr.STEEL, tr.STEEL)
MU, CREEPAGE = 0.3, (1e-3, 0.0, 0.0)
# Of mu p0, that counts as a reversal of slope. Rows may differ by 0.02 from those they are compared with:
# there a third of it counts.
WIGGLE = 0.015
REFERENCE = 0.05  # elements


class Roller:
    """A contact of so many elements along x under its mean load."""

    def __init__(self, cells, force, *radii):
        self.force, self.line = force, len(radii) == 1
        hertz = tr.hertz.line if self.line else tr.hertz.ellipse
        options = {"length": 0.1} if self.line else {}
        contact = hertz(*radii, STEEL, force=force, **options)
        self.a, self.p0 = contact.semi_axes[0], contact.peak_pressure
        self.dx, columns = 2.0 * self.a / cells, 2 * round(0.675 * cells)
        if self.line:
            self.surface, self.grid = tr.Cylinder(*radii), tr.Grid.line(columns, self.dx, length=0.1)
        else:
            self.surface = tr.Paraboloid(*radii)
            rows = 2 * round(1.7 * contact.semi_axes[1] / self.dx)
            self.grid = tr.Grid(columns, rows, self.dx, self.dx)

    @cache  # noqa: B019
    def press(self, load=None, aside=0.0, approach=None):
        """The contact under a multiple of the mean load, moved aside (m), or at an approach (m)."""
        force = None if load is None else load * self.force
        gap = self.surface
        if aside:
            x, y = self.grid.mesh()
            gap = x**2 / (2.0 * gap.radius_x) + (y - aside) ** 2 / (2.0 * gap.radius_y)
        return solve_press(gap, self.grid, STEEL, force=force, approach=approach)

    def roll(self, path, cells, step, creepage=CREEPAGE):
        """Contacts after each element rolled, and the work of friction; `path` is a contact by elements."""
        t, found, work = tr.roll_steady(path(0.0), MU, creepage=creepage), [], 0.0
        for k in range(1, round(cells / step) + 1):
            n = path(round(k * step, 6))
            t = tr.roll(t, MU, distance=step * self.dx, creepage=creepage, normal=n)
            work += t.dissipation
            if k % round(1.0 / step) == 0:
                found.append(t)
        return found, work


def sine(roller, share):
    """A load that varies over a period of one contact length."""
    return lambda s: roller.press(round(1.0 + share * np.sin(np.pi * s * roller.dx / roller.a), 12))


def fall(roller):
    """A load that falls to a tenth over one element."""
    return lambda s: roller.press(round(1.0 - 0.9 * min(max(s - 4.0, 0.0), 1.0), 12))


def hop(roller):
    """Bodies that part and meet again."""
    top = roller.press(1.0).approach
    return lambda s: roller.press(approach=top * (0.3 + np.cos(1.5 * np.pi * s * roller.dx / roller.a)) / 1.3)


def swerve(roller):
    """A contact that moves aside while its load varies."""
    wave = np.pi * roller.dx / roller.a
    return lambda s: roller.press(
        1.0 + 0.35 * np.sin(wave * s), aside=0.35 * 0.5 * roller.a * np.sin(wave * s)
    )


def reversals(row, least):
    """Changes between rise and fall of at least so much along a row."""
    count, way, last = 0, 0.0, row[0]
    for value in row[1:]:
        if way == 0.0:
            way, last = (np.sign(value - last), value) if abs(value - last) > least else (0.0, last)
        elif way * (value - last) > 0.0:
            last = value
        elif way * (last - value) > least:
            count, way, last = count + 1, -way, value
    return count


def assert_same(found, exact, scale, most):
    """Rows are within `most` of the scale of the exact ones and have no further reversals of slope."""
    for t, fine in zip(found, exact, strict=True):
        assert np.abs(t.traction - fine.traction).max() <= most * scale
        for row, true in zip(t.traction[0], fine.traction[0], strict=True):
            assert reversals(row / scale, WIGGLE) <= reversals(true / scale, WIGGLE / 3.0)


@pytest.fixture(scope="module")
def line():
    return Roller(24, 5e6, 0.46)


@pytest.fixture(scope="module")
def ellipse():
    """A contact half as wide as it is long."""
    return Roller(16, 1e5, 0.46, 0.46 * tr.hertz.radius_ratio(0.5))


@pytest.mark.parametrize("step", [1.0, 0.5, 0.2])
def test_line_contact_does_not_depend_on_the_step(line, step):
    path, cells = sine(line, 0.35), 10
    assert_same(line.roll(path, cells, step)[0], fine_line(line), MU * line.p0, 0.02)


@lru_cache(maxsize=1)
def fine_line(line):
    return line.roll(sine(line, 0.35), 10, REFERENCE)[0]


def test_a_patch_does_not_depend_on_the_step(ellipse):
    path = sine(ellipse, 0.35)
    exact = ellipse.roll(path, 6, 0.1)[0]
    assert_same(ellipse.roll(path, 6, 1.0)[0], exact, MU * ellipse.p0, 0.02)


def test_load_that_falls_to_a_tenth(line):
    path = fall(line)
    exact, work = line.roll(path, 7, 0.1)
    found, once = line.roll(path, 7, 1.0)
    assert_same(found, exact, MU * line.p0, 0.005)
    assert once == pytest.approx(work, rel=1e-3)


def test_contact_lost_and_found(line):
    """Particles enter at both edges when bodies meet; friction takes what is stored when they part."""
    path = hop(line)
    exact, work = line.roll(path, 14, 0.1)
    found, once = line.roll(path, 14, 1.0)
    assert not all(t.normal.contact.any() for t in found)
    assert found[-1].normal.contact.any()
    assert_same(found, exact, MU * line.p0, 0.02)
    assert once == pytest.approx(work, rel=2e-3)


def test_growth_without_rolling_leaves_tractions_as_they_are(line):
    """Particles enter as the contact spreads: they have no traction, and the others keep theirs."""
    small = tr.roll_steady(line.press(0.5), MU, creepage=CREEPAGE)
    grown = tr.roll(small, MU, distance=1e-3 * line.dx, creepage=CREEPAGE, normal=line.press(1.0))
    old = small.state.halve()  # on the material
    new = dict(zip(grown.state.elements.cell, grown.state.traction[0], strict=True))
    inside = old.elements.cell[2:-2]
    kept = np.array([new.pop(cell) for cell in inside])
    np.testing.assert_allclose(kept, old.traction[0][2:-2], atol=0.01 * MU * line.p0)
    rest = np.array([p for cell, p in new.items() if abs(cell - inside.mean()) > 0.5 * inside.size + 3])
    assert rest.size > 8
    assert np.abs(rest).max() <= 0.01 * MU * line.p0


def test_given_forces_follow_the_load(ellipse):
    """In a step of two elements forces change with the load, and never exceed what it can hold."""

    def roll(step):
        n = ellipse.press(1.35)
        t = tr.roll_steady(n, MU, creepage=(None, 0.0, 0.0), force=(-0.8 * MU * n.force, None))
        creepages = []
        for k in range(1, round(4 / step) + 1):
            n = ellipse.press(round(1.35 - 0.175 * k * step, 12))
            force = (-0.8 * MU * n.force, None)
            t = tr.roll(t, MU, distance=step * ellipse.dx, creepage=(None, 0.0, 0.0), force=force, normal=n)
            creepages.append(t.creepage[0])
        return np.mean(creepages), t

    (slow, fine), (fast, coarse) = roll(0.2), roll(2.0)
    assert fast == pytest.approx(slow, rel=0.02)
    assert_same([coarse], [fine], MU * ellipse.p0, 0.02)


def test_parts_of_a_step_follow_the_edges(line, monkeypatch):
    """Constant load costs nothing more; a changing one a part per quarter of an element of the edges' way."""
    parts = []
    solve = material_march.MaterialMarch._solve_part
    monkeypatch.setattr(
        material_march.MaterialMarch, "_solve_part", lambda *given: parts.append(0) or solve(*given)
    )

    def count(n, cells):
        parts.clear()
        tr.roll(start, MU, distance=cells * line.dx, creepage=CREEPAGE, normal=n)
        return len(parts)

    start = tr.roll_steady(line.press(1.0), MU, creepage=CREEPAGE)
    assert (count(None, 1.0), count(line.press(1.0), 1.0), count(line.press(1.001), 1.0)) == (2, 2, 2)
    grown = 12.0 * (np.sqrt(1.2) - 1.0)
    assert count(line.press(1.2), 1.0) == pytest.approx(2.0 * grown / 0.25, abs=1)
    assert count(line.press(0.1), 1.0) == 20  # not shorter than a tenth
    assert count(line.press(0.1), 0.05) == 1


def test_the_tangent_by_the_approach_follows_the_parts(ellipse):
    start = tr.roll_steady(ellipse.press(1.0), MU, creepage=CREEPAGE)

    def roll(approach):
        n = solve_press(ellipse.surface, ellipse.grid, STEEL, approach=approach, tol=1e-10)
        return tr.roll(start, MU, distance=0.7 * ellipse.dx, creepage=CREEPAGE, normal=n, tol=1e-10)

    middle = 1.06 * ellipse.press(1.0).approach
    h = 1e-4 * middle
    found = (np.array(roll(middle + h).force) - roll(middle - h).force) / (2.0 * h)
    assert roll(middle).approach_tangent[0] == pytest.approx(found[0], rel=1e-3)
    apart = tr.roll(start, MU, distance=ellipse.dx, creepage=CREEPAGE, normal=ellipse.press(approach=-1e-6))
    met = tr.roll(apart, MU, distance=ellipse.dx, creepage=CREEPAGE, normal=ellipse.press(1.0))
    with pytest.raises(tr.UndefinedError, match="meet"):
        met.approach_tangent  # noqa: B018


def test_bodies_meet_where_their_distance_is_zero(line):
    below, above = line.press(approach=-2e-6), line.press(1.0)
    meet = (2e-6 + above.gap.min()) / (2e-6 + above.approach)
    assert LoadPath(below, above, 1e-6).touching == pytest.approx((meet, 1.0))
    assert LoadPath(above, below, 1e-6).touching == pytest.approx((0.0, 1.0 - meet))
    assert LoadPath(below, below, 1e-6).touching == (0.0, 0.0)
    half = LoadPath(below, above, 1e-6).press_at(0.5, above)
    assert half.force == pytest.approx(0.5 * above.force)


LOADS = (lambda r: sine(r, 0.35), lambda r: sine(r, 0.6), fall, hop)


@pytest.mark.slow
@pytest.mark.parametrize("step", [1.0, 0.5, 0.2, 0.1])
@pytest.mark.parametrize(("make", "cells"), [*product(LOADS, (28, 40)), (swerve, 28)])
def test_all_loads_at_full_size(make, step, cells):
    """The patch of 28 x 14 elements and the line contact of 40, which has no side to swerve to."""
    roller = full_size(cells)
    exact = fine_rows(cells, make)
    most = max(t.normal.pressure.max() for t in exact)
    found = roller.roll(make(roller), 1.5 * cells, step)[0]
    assert_same(found, exact, MU * most, 0.02)


@lru_cache(maxsize=2)
def full_size(cells):
    return (
        Roller(cells, 5e6, 0.46) if cells == 40 else Roller(28, 1e5, 0.46, 0.46 * tr.hertz.radius_ratio(0.5))
    )


@lru_cache(maxsize=1)
def fine_rows(cells, make):
    roller = full_size(cells)
    return roller.roll(make(roller), 1.5 * cells, REFERENCE)[0]


def test_a_pressure_that_did_not_converge_on_the_way_is_told(monkeypatch):
    """Of guided bodies contacts on the way may reach the edge of their grid, but must be solved."""
    roller = Roller(12, 10e3, 0.46, 0.46)
    before, after = roller.press(1.0), roller.press(0.6, aside=0.2e-3)
    t = tr.roll_steady(before, MU, creepage=CREEPAGE)
    settings = {"tol": 1e-6, "on_failure": "return"}
    demand = check_demand(after, MU, "creepage", CREEPAGE, (None, None), **settings)
    guided = replace(demand, guided=True)
    assert roll_step(t, guided, roller.dx, 1, "covered").ok
    stalled = {"status": Status.STALLED, "message": "no convergence"}
    monkeypatch.setattr(
        "traction.contact.rolling.load_path.solve_press",
        lambda *given, **options: replace(solve_press(*given, **options), **stalled),
    )
    found = roll_step(t, guided, roller.dx, 1, "covered")
    assert found.status is Status.STALLED
    assert "pressure on the way" in found.message
    with pytest.raises(tr.ConvergenceError, match="ressure on the way"):
        roll_step(t, replace(guided, on_failure="raise"), roller.dx, 1, "covered")
