"""Sentences about what is wrong in a scenario file: where it stands, and what may have been meant."""

import pytest

from traction.kinds.case import load, loads
from traction.scenario.toml import ScenarioError

CROSS = """kind = "cross"
contact = "hertz"
speed = "30 m/s"

[beam]
length = "20 m"
bending_stiffness = "2.08 GN m^2"
mass_per_length = "7900 kg/m"

[[axle]]
mass = "1 t"

[time]
t_end = "0.2 s"

[output]
place = "5 m"
"""


def complaint(text):
    with pytest.raises(ScenarioError) as caught:
        loads(text, "a.toml")
    return str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ('place = "5 m"', 'place = "25 m"', 17),
        ('mass = "1 t"', 'mass = "1 t"\ndistance = "30 m"', 15),  # choose a later time.t_end
        ('t_end = "0.2 s"', 'dt = "1 ns"', 14),
    ],
)
def test_what_several_keys_make_wrong_is_found_where_the_sentence_says(old, new, line):
    assert complaint(CROSS.replace(old, new)).startswith(f"a.toml:{line}: ")


def test_a_key_that_is_not_in_the_file_has_no_line():
    """The sentence names time.t_end, which the file does not give: its first line stands for all of it."""
    text = CROSS.replace('[time]\nt_end = "0.2 s"\n', "").replace(
        'speed = "30 m/s"', "travel = { times = [0, 1, 2, 3], places = [0, 1, 2, 3] }"
    )
    text = text.replace('mass = "1 t"', 'mass = "1 t"\ndistance = "30 m"')
    said = complaint(text)
    assert said.startswith("a.toml:1: ")
    assert "time.t_end" in said


def test_a_change_on_the_command_line_is_named_for_it(tmp_path):
    file = tmp_path / "a.toml"
    file.write_text(CROSS)
    words = r"^--set output.place=21: the file has output.place = 21 m outside"
    with pytest.raises(ScenarioError, match=words):
        load(file, changes={"output.place": "21"})


def test_sentences_end_once_and_count_items():
    model = '\n[model]\nmethod = "newmark"\noptions = { betta = 0.3 }\n'
    assert complaint(CROSS + model).endswith("did you mean 'beta'?")
    empty = complaint(CROSS.replace('mass = "1 t"', 'mass = "1 t"\nsuspension = []'))
    assert empty == "a.toml:12: axle.0.suspension = [] must have at least 1 item, not 0."


def test_only_alike_keys_are_suggested():
    assert "; known here are " in complaint(CROSS + "\n[options]\nx = 1\n")
    assert 'did you mean "output"?' in complaint(CROSS.replace("[output]", "[outptu]"))
