"""Heat that particles carry: closed forms, steps of any length, histories against quadrature."""

import numpy as np
import pytest

import traction as tr
from traction.contact.temperature.heat_history import HeatHistory, lag_matrix
from traction.contact.temperature.heat_sharing import ClassicalBodies

STEEL = (tr.STEEL, tr.STEEL)


def quadrature(history, nodes=20_000):
    """The integral of q/sqrt(pi t) over the age t = u^2 of the heat, by the midpoint rule in u."""
    found = np.zeros(history.power.shape[1:])
    nx, offset, age = found.shape[1], 0.0, 0.0
    for way, seconds, power in zip(history.way, history.seconds, history.power, strict=True):
        ends = np.sqrt([age, age + seconds])
        u = np.linspace(*ends, 2 * nodes + 1)[1::2]
        cells = np.rint(offset + way * (u * u - age) / seconds).astype(int)
        for i in range(nx):
            seen = (i + cells >= 0) & (i + cells < nx)
            values = power[:, (i + cells)[seen]].sum(axis=1)
            found[:, i] += values * 2.0 / np.sqrt(np.pi) * (ends[1] - ends[0]) / nodes
        offset, age = offset + way, age + seconds
    return found


@pytest.mark.parametrize("way", [1.0, 0.3, 0.05, 2.7])
@pytest.mark.parametrize("direction", [1, -1])
def test_heat_that_does_not_change_warms_as_in_steady_rolling(way, direction, monkeypatch):
    """At any length of the steps, from cold bodies and from warm ones, to rounding."""
    monkeypatch.setattr("traction.contact.temperature.heat_sharing.OWN", 1.0)
    grid, speed = tr.Grid(20, 3, 1e-3, 1e-3), 2.0
    power = np.random.default_rng(1).random(grid.shape)
    steady = ClassicalBodies(grid, STEEL, speed, direction, (0.0, 0.0), power > 0.0).rise(power)
    effusivity = 2.0 * np.sqrt(7850.0 * 450.0 * 50.0)
    for history in (HeatHistory.cold(grid.shape), HeatHistory.steady(power, direction * speed / grid.dx)):
        for _ in range(int(25 / way)):
            history = history.add(power, direction * way, way * grid.dx / speed)
        assert history.warm() / effusivity == pytest.approx(steady, rel=1e-12)
        assert history.way.size <= 26  # short steps are joined, what has left the grid is forgotten


def test_heat_that_begins_warms_with_the_root_of_time():
    """A band of uniform flux: 2 q sqrt(t/pi), with the time since it began or since the particle entered."""
    nx, way, seconds = 12, 0.25, 1e-4
    power = np.zeros((1, nx))
    power[:, 2:10] = 3.0
    history = HeatHistory.cold((1, nx))
    for number in range(1, 41):
        history = history.add(power, way, seconds)
        inside = np.minimum(number * way, 9.5 - np.arange(2, 10)) * seconds / way
        assert history.warm()[0, 2:10] == pytest.approx(6.0 * np.sqrt(inside / np.pi), rel=1e-12)


def test_histories_with_turns_and_changes_of_speed_agree_with_quadrature():
    rng = np.random.default_rng(2)
    ways, times = np.array([0.7, -1.3, 2.2, 1.0, -0.4]), rng.uniform(0.5, 2.0, 5)
    history = HeatHistory.of_steps(ways, times, rng.random((5, 2, 9)))
    assert history.warm() == pytest.approx(quadrature(history), rel=2e-3)


def test_the_matrix_of_a_step_is_its_history():
    power = np.random.default_rng(3).random((2, 7))
    for way in (0.4, -1.6, 3.0):
        step = HeatHistory.of_steps(np.array([way]), np.array([0.3]), power[None])
        assert power @ lag_matrix(7, way, 0.3).T == pytest.approx(step.warm(), rel=1e-12)


def test_heat_is_forgotten_with_distance_only():
    """Rolling on without heat, the surfaces cool; a particle that is met again is still warm."""
    power = np.ones((1, 8))
    warm = HeatHistory.cold((1, 8)).add(power, 0.5, 1.0)
    cold = np.zeros_like(power)
    on, back = warm.add(cold, 3.0, 6.0), warm.add(cold, 3.0, 6.0).add(cold, -3.0, 6.0)
    assert (on.warm()[0, 5:] == 0.0).all()
    assert (back.warm()[0, :7] > 0.1).all()
    assert (back.warm() < warm.warm()).all()


def test_histories_of_contacts_side_by_side_add_up():
    """Each half of the rows has its own steps; one of them began later."""
    rng = np.random.default_rng(2)
    upper, lower = np.zeros((4, 12)), np.zeros((4, 12))
    upper[:2], lower[2:] = rng.uniform(1.0, 2.0, (2, 2, 12))
    first = HeatHistory.cold((4, 12)).add(upper, 3.0, 0.3).add(2.0 * upper, 1.5, 0.15).add(upper, 2.0, 0.2)
    other = HeatHistory.cold((4, 12)).add(lower, 3.5, 0.35)
    joined = HeatHistory.join([first, other])
    assert (np.diff(joined.age) >= 0.0).all()
    assert joined.age[0] == 0.0
    assert joined.warm(0.5, 0.05)[:2] == pytest.approx(first.warm(0.5, 0.05)[:2])
    assert joined.warm(0.5, 0.05)[2:] == pytest.approx(other.warm(0.5, 0.05)[2:])
    assert HeatHistory.join([first]) is first


def energy(history):
    """Of all steps, per column and area, J/m2."""
    return float(history.seconds @ history.power.sum(axis=(1, 2)))


def test_contacts_that_part_and_merge_keep_their_heat_without_more_steps():
    """Two halves of a contact roll alone and become one again, many times: as if they had never parted."""
    halves = np.zeros((2, 4, 12))
    halves[0, :2, 2:10], halves[1, 2:, 2:10] = 1.0, np.linspace(1.0, 2.0, 8)
    whole = parted = HeatHistory.cold((4, 12))
    for way in (0.7, -0.4, 0.9) * 12:
        whole = whole.add(halves.sum(axis=0), way, abs(way) * 1e-3)
        parts = [
            HeatHistory(
                parted.way,
                parted.seconds,
                parted.power * (half > 0.0).any(axis=1)[:, None],
                parted.offset,
                parted.age,
            ).add(half, way, abs(way) * 1e-3)
            for half in halves
        ]
        parted = HeatHistory.join(parts)
    assert parted.way.size == whole.way.size
    assert energy(parted) == pytest.approx(energy(whole), rel=1e-12)
    assert parted.warm() == pytest.approx(whole.warm(), rel=1e-12)


def test_a_history_that_became_long_by_joining_keeps_its_energy(monkeypatch):
    """Contacts with other steps: the step after them joins what is old, and drops nothing."""
    rng, shape = np.random.default_rng(5), (2, 12)
    histories = []
    for row in range(2):
        power = np.zeros(shape)
        power[row, 2:10] = 1.0
        history = HeatHistory.cold(shape)
        for way in rng.uniform(0.6, 1.0, 120) * np.tile((1.0, -1.0), 60):
            history = history.add(power, way, abs(way))
        histories.append(history)
    joined = HeatHistory.join(histories)
    after = joined.add(np.zeros(shape), 0.5, 1.0)
    assert joined.way.size > 12 * 13 >= after.way.size
    assert energy(after) == pytest.approx(energy(joined), rel=1e-12)
    monkeypatch.setattr("traction.contact.temperature.heat_history.ENTRIES", 10_000)
    assert after.warm()[:, 3:9] == pytest.approx(
        joined.add(np.zeros(shape), 0.5, 1.0).warm()[:, 3:9], rel=0.01
    )


def test_rolling_to_and_fro_keeps_its_heat_in_a_history_that_does_not_grow(monkeypatch):
    """What was met at the same place is joined; the temperature is that of the whole history within 0.5 %."""
    power = np.zeros((1, 12))
    power[:, 2:10] = np.linspace(1.0, 2.0, 8)
    turns = [way for _ in range(200) for way in (*(5 * [0.8]), *(10 * [-0.4]))]

    def swing(entries):
        monkeypatch.setattr("traction.contact.temperature.heat_history.ENTRIES", entries)
        history = HeatHistory.cold(power.shape)
        for way in turns:
            history = history.add(power, way, abs(way) * 1e-4)
        return history

    whole, joined = swing(10_000), swing(12)
    assert joined.way.size <= 12 * 13 < whole.way.size
    assert joined.seconds @ joined.power[:, 0].sum(axis=1) == pytest.approx(
        whole.seconds @ whole.power[:, 0].sum(axis=1), rel=1e-12
    )
    assert joined.warm() == pytest.approx(whole.warm(), rel=5e-3)
