"""Maps whose contacts are solved in batches, against position by position."""

import sys
import warnings

import numpy as np
import pytest

import traction as tr
from traction.wheelsets.patches.contact_batches import Box, gather_shapes, round_up

TRACK = tr.Track(tr.Profile.standard("60E1"), cant=1 / 40)
WHEELSET = tr.Wheelset(tr.Profile.standard("S1002"), radius=0.46)
#: 30 positions of one patch of about the same size, one of two patches at the flange, and one derailed
SHIFTS = np.array([*np.linspace(-4e-3, 2e-3, 30), -6.5e-3, -0.06])
GIVEN = {"side": "right", "force": 20e3, "dx": 0.7e-3, "dy": 0.7e-3}


def make_map(**changes):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tr.CoarseGridWarning)
        return tr.force_map(WHEELSET, TRACK, **{"y": SHIFTS, **GIVEN, **changes})


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"friction": tr.friction.linear(0.25, (0.05, 1.0)), "speed": 10.0},
        {"friction": tr.friction.by_inclination([0.0, 0.2], [0.3, 0.1]), "layer": tr.Layer(4e9, 1e-5)},
    ],
    ids=["constant", "law", "inclination-and-layer"],
)
def test_batches_have_the_forces_of_positions(changes):
    alone, together = make_map(**changes), make_map(**changes, device="cpu")
    limit = 0.3 * alone.normal_force
    for name in ("force", "moment"):
        off = np.abs(getattr(together, name) - getattr(alone, name)).max(axis=-1) / limit
        assert np.nanmax(off) <= 1e-6
    assert together.z[:-1] == pytest.approx(alone.z[:-1], abs=1e-10, nan_ok=True)
    assert together.messages == alone.messages
    assert list(together.messages) == [(31, 0)]
    assert together.status[0, 0] is tr.Status.CONVERGED
    assert together.status[-1, 0] is None
    assert np.nanmax(together.errors[..., 0]) <= 1e-4
    assert np.nanmax(together.errors[..., 1:]) <= 2e-6
    assert alone.solved_singly == len(SHIFTS)
    assert together.solved_singly < len(SHIFTS) / 2


def test_what_a_batch_cannot_solve_is_solved_singly_and_counted():
    few = make_map(y=SHIFTS[:6], discretisation="covered", device="cpu")
    assert few.ok
    assert few.solved_singly == 6
    assert few.force == pytest.approx(make_map(y=SHIFTS[:6], discretisation="covered").force, abs=1e-2)


@pytest.mark.parametrize("force", [20e3, 60e3], ids=["pressed-together", "pressed-singly"])
def test_unlike_bodies_are_rolled_singly(force):
    """Friction changes their pressure, so that contacts grow beyond those that were pressed."""
    given = {"pair": tr.Pair(tr.STEEL, tr.Material(7e10, 0.33)), "friction": 0.5, "force": force}
    given |= {"y": np.linspace(-4e-3, 4e-3, 20), "dx": 1e-3, "dy": 1e-3}
    alone, together = make_map(**given), make_map(**given, device="cpu")
    assert together.ok
    assert together.solved_singly == 20
    assert together.force == pytest.approx(alone.force, abs=1e-6 * 0.5 * force)


@pytest.mark.parametrize("name", ["press", "roll_steady"])
def test_a_batch_that_fails_is_solved_singly(monkeypatch, name):
    def fail(*_, **__):
        raise tr.ConvergenceError("The contact reaches the edge of the grid in y.")

    monkeypatch.setattr(tr.Batch, name, fail)
    together = make_map(y=SHIFTS[:12], device="cpu")
    assert together.solved_singly == 12
    assert together.force == pytest.approx(make_map(y=SHIFTS[:12]).force, abs=1e-6 * 0.3 * 20e3)


def test_a_position_out_of_range_has_its_message_in_both_ways():
    given = {"y": SHIFTS[:2], "yaw": [0.0, 0.6]}
    alone, together = make_map(**given), make_map(**given, device="cpu")
    assert list(alone.messages) == [(0, 1), (1, 1)]
    assert together.messages == alone.messages
    assert together.force == pytest.approx(alone.force, abs=1e-2, nan_ok=True)
    with pytest.raises(tr.InputError, match="yaw"):
        make_map(y=0.0, yaw=0.6, device="cpu")


def test_both_wheels_find_their_roll_in_batches():
    given = {"y": SHIFTS[:12], "side": "both", "force": 40e3}
    alone, together = make_map(**given), make_map(**given, device="cpu")
    assert together.roll == pytest.approx(alone.roll, abs=1e-10)
    assert together.force == pytest.approx(alone.force, abs=1e-6 * 0.3 * 40e3)


def test_a_missing_gpu_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy", None)
    with pytest.raises(tr.InputError, match="needs CuPy"):
        make_map(device="gpu")
    with pytest.raises(tr.InputError, match="omit workers or device"):
        make_map(device="cpu", workers=2)
    for unknown in ("tpu", 5, True):
        with pytest.raises(tr.InputError, match=r"device = .* is not known; choose one of 'cpu', 'gpu'"):
            make_map(device=unknown)


def test_boxes_come_into_the_middle_of_a_grid():
    grid = tr.Grid(7, 5, 1e-3, 2e-3, (0.01, 0.02))
    box, field = Box(1, 2, 3, 4), np.arange(35.0).reshape(5, 7)
    laid = box.lay(field, (8, 8), -1.0)
    assert (box.cut(laid, (8, 8)) == field[1:4, 2:6]).all()
    x, y = box.find_middle(grid, (8, 8))
    other = tr.Grid(8, 8, 1e-3, 2e-3)
    rows, columns = box.place((8, 8))
    assert other.x[columns] + x == pytest.approx(grid.x[2:6])
    assert other.y[rows] + y == pytest.approx(grid.y[1:4])
    assert round_up((9, 16)) == (12, 16)
    assert round_up((9, 1000)) == (12, 1000)


def test_few_members_join_the_grid_that_grows_least():
    groups = {(8, 8): 8 * "a", (16, 8): "bb", (12, 12): 9 * "c", (40, 40): 8 * "d", (64, 8): "e"}
    found = {shape: "".join(sorted(members)) for shape, members in gather_shapes(groups, 700)}
    assert found == {(16, 8): 8 * "a" + "bb", (12, 12): 9 * "c"}
    assert dict(gather_shapes({(8, 8): "a"}, 700)) == {}
    assert dict(gather_shapes({(8, 8): "a", (64, 8): "b"}, 700, [(8, 12)])) == {(8, 12): ["a"]}
