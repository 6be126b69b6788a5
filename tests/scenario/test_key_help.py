"""What the keys of schemas mean: the words below them in the source, for editors and forms."""

import inspect
from typing import ClassVar

from traction.kinds.registry import KINDS, kind_of
from traction.scenario import schema
from traction.scenario.schema import Strict, describe_keys


class GivenCase(Strict):
    """A case."""

    length: float
    """of the beam,
    between its supports"""

    bare: int = 0
    not_a_key: ClassVar[str] = "a constant"
    """which is not described"""


class LongerCase(GivenCase):
    """A case with more keys."""

    damping: float = 0.0
    """share of the critical damping"""


def test_words_below_a_key_describe_it_also_in_schemas_that_extend_it():
    words = {"length": "of the beam,\nbetween its supports", "damping": "share of the critical damping"}
    assert describe_keys(LongerCase) == words
    known = LongerCase.model_json_schema()["properties"]
    assert {name: known[name].get("description") for name in known} == {**words, "bare": None}


def test_without_sources_there_are_no_words(monkeypatch):
    def lose(module):
        raise OSError("could not get source code")

    monkeypatch.setattr(inspect, "getsource", lose)
    schema._read_module.cache_clear()
    assert describe_keys(LongerCase) == {}
    assert "description" not in LongerCase.model_json_schema()["properties"]["length"]
    schema._read_module.cache_clear()


def test_the_schemas_of_the_kinds_have_words():
    words = {(kind, key) for kind in KINDS for key in describe_keys(kind_of(kind).schema)}
    assert len(words) > 40
