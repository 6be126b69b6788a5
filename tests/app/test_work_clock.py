"""The share of work in phases grows, covers all phases, and is never 1 before the end."""

import pytest

from traction.app.progress_bar import WorkClock

PHASES = {"computing": 5.0, "writing": 1.0, "drawing": 4.0}


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


def test_computing_leaves_room_for_what_follows(clock):
    work = WorkClock(PHASES, clock)
    work.count(0, 100)
    clock.now = 10.0
    work.count(50, 100)
    assert work.remaining == pytest.approx(10.0 + 5.0)
    clock.now = 20.0
    work.count(100, 100)
    assert work.share == pytest.approx(20.0 / 25.0)


def test_nothing_is_claimed_before_the_first_parts_are_done(clock):
    work = WorkClock(PHASES, clock)
    clock.now = 8.0  # packages are loaded
    assert (work.share, work.remaining) == (0.0, None)
    work.count(1, 10)
    assert work.remaining is None
    clock.now = 9.0
    work.count(2, 10)
    assert work.remaining == pytest.approx(8.0 + 5.0)
    clock.now = 10.0  # nothing new: the time that passes is taken off
    assert work.remaining == pytest.approx(7.0 + 5.0)


def test_the_share_grows_through_all_phases_and_never_reaches_the_end(clock):
    work, shares = WorkClock(PHASES, clock), []
    for phase in PHASES:
        work.begin(phase)
        for tick in range(200):
            clock.now += 0.1
            if phase == "computing":
                work.count(tick + 1, 200)
            shares.append(work.share)
    assert shares == sorted(shares)
    assert shares[-1] < 1.0
    assert shares[199] < 0.9
    assert work.phase == "drawing"


def test_an_estimate_that_was_too_good_does_not_take_the_share_back(clock):
    work = WorkClock(PHASES, clock)
    work.count(0, 100)
    clock.now = 1.0
    work.count(90, 100)
    before = work.share
    clock.now = 20.0
    work.count(91, 100)
    assert work.share >= before


def test_the_time_of_the_compiler_is_not_extrapolated(clock):
    work = WorkClock({"computing": 5.0}, clock)
    work.count(0, 10)
    work.pause(True)
    clock.now = 30.0
    assert work.is_paused
    work.pause(False)
    clock.now = 31.0
    work.count(1, 10)
    assert work.remaining == pytest.approx(9.0)
    assert not work.is_paused


def test_without_counts_the_end_is_approached(clock):
    work = WorkClock(PHASES, clock)
    work.begin("drawing")
    rests = []
    for now in (1.0, 4.0, 100.0):
        clock.now = now
        rests.append(work.remaining)
    assert rests == sorted(rests, reverse=True)
    assert rests[-1] > 0.0
