"""Samples: the same from the same seed, one in each interval of a Latin hypercube, crossed with lists."""

import numpy as np
import pytest

from traction.errors import InputError
from traction.scenario.distributions import LATIN, RANDOM, Sampling, choose_sampling
from traction.scenario.variations import arrange, combinations, typed_variations, variations

TWO = {"a": "uniform(0, 1)", "b": "uniform(10, 20)"}


@pytest.mark.parametrize("method", [LATIN, RANDOM])
def test_the_seed_decides(method):
    first, again = (variations(TWO, Sampling(7, method, 3)) for _ in range(2))
    assert first == again
    assert variations(TWO, Sampling(7, method, 4)) != first
    assert len(set(first[0].values)) == 7


def test_a_latin_hypercube_has_one_value_in_each_interval():
    for one in variations(TWO, Sampling(50)):
        scaled = np.array(one.values) if one.key == "a" else (np.array(one.values) - 10.0) / 10.0
        assert sorted((scaled * 50).astype(int)) == list(range(50))


def test_lists_are_crossed_with_all_samples_in_the_order_of_the_keys():
    varied = variations({"a": "integers(1, 1000)", "n": [1, 2], "b": "choice(x, y)"}, Sampling(3))
    rows = combinations(varied, zipped=False)
    assert [row[1] for row in rows] == [1, 1, 1, 2, 2, 2]
    assert [row[0] for row in rows] == list(varied[0].values) * 2
    assert [row[2] for row in rows] == list(varied[2].values) * 2
    assert [(block.keys, len(block.rows), block.sampled) for block in arrange(varied, False)] == [
        ((1,), 2, False),
        ((0, 2), 3, True),
    ]
    side = variations({"n": [1, 2], "m": [3, 4], "a": "integers(1, 9)"}, Sampling(2))
    assert [row[:2] for row in combinations(side, zipped=True)] == [(1, 3), (1, 3), (2, 4), (2, 4)]


def test_a_distribution_needs_samples_and_samples_a_distribution():
    with pytest.raises(InputError, match=r"speed = uniform\(1, 2\) is a distribution; say how many"):
        typed_variations(["speed=uniform(1, 2)"])
    with pytest.raises(InputError, match="samples = 5, but no key has a distribution"):
        variations({"speed": [1, 2]}, Sampling(5))
    with pytest.raises(InputError, match="give their number by samples"):
        choose_sampling(None, LATIN, 3)
    with pytest.raises(InputError, match="samples = 100000 must be at most"):
        choose_sampling(100_000, LATIN, 0)
    with pytest.raises(InputError, match="sampling = 'sobol' is not known"):
        choose_sampling(10, "sobol", 0)
    assert choose_sampling(None, LATIN, 0) is None
