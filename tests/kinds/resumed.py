"""Runs that are cut and go on: they must be the runs they would have been, bit for bit."""

import numpy as np

import traction as tr
from traction.kinds.case import loads
from traction.kinds.simulate import resume
from traction.results.storage.container import pack, unpack


def same_bits(one, other):
    """Whether two numbers or arrays are equal to the last bit."""
    return np.asarray(one).tobytes() == np.asarray(other).tobytes()


def assert_goes_on(scenario, chosen):
    """March all samples; before those that `chosen(number, sample)` picks, also from the stored state alone.

    Another stepper, made from the text of the scenario, must give the same state and sample. Returns how
    often it was tried.
    """
    stepper = scenario.definition.stepper(scenario.case)
    state, tried = stepper.initial(), 0
    for number in range(stepper.layout.total):
        following, sample = stepper.advance(state)
        if chosen(number, sample):
            tried += 1
            fresh = scenario.definition.stepper(loads(scenario.to_toml()).case)
            again, repeated = fresh.advance(unpack(pack(state))[0])
            assert set(again) == set(following)
            assert all(same_bits(again[key], following[key]) for key in following)
            for key, value in sample.items():
                assert same_bits(repeated[key], value), key
        state = following
    assert tried
    return tried


def assert_stopped_is_whole(scenario, folder, *stops):
    """A run that is stopped after each number of samples of `stops`, and resumed, is that of one go."""
    whole = tr.simulate(scenario, folder / "whole")
    asked = iter([answer for count in stops for answer in (*[False] * count, True)])
    part = tr.simulate(scenario, folder / "part", stop=lambda: next(asked))
    for _ in stops[1:]:
        assert not part.ok
        part = resume(folder / "part", stop=lambda: next(asked))
    assert not part.ok
    done = resume(folder / "part")
    assert done.ok
    assert not done.damage, done.damage
    assert done.key_figures == whole.key_figures
    for field in whole.data.data_vars:
        np.testing.assert_array_equal(done.data[field], whole.data[field])
