"""Keys of files may be written by the names of the arguments of the functions."""

import pytest

import traction as tr

BEAM = {
    "length": "20 m",
    "bending_stiffness": "2 GN m2",
    "mass_per_length": "8 t/m",
    "supports": ["pinned", "pinned"],
}
STRUCK = {"type": "beam", "length": "1 m", "width": "20 mm", "thickness": "10 mm"}
BALL = {"radius": "10 mm", "speed": "1 m/s"}


def resonance(**keys):
    return tr.Scenario.build(
        "resonance", beam=BEAM, trains=["HSLM-A1"], speeds={"values": ["50 m/s"]}, **keys
    )


def moving_load(**output):
    return tr.Scenario.build("moving-load", beam=BEAM, train="HSLM-A1", speed="50 m/s", output=output)


def impact(**strike):
    return tr.Scenario.build("impact", structure=STRUCK, ball=BALL, strike=strike)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (resonance(place="7 m", modes=2), resonance(x="7 m", size=2)),
        (moving_load(place="7 m"), moving_load(x="7 m")),
        (impact(x="0.3 m"), impact(at="0.3 m")),
    ],
    ids=["resonance", "moving load", "impact"],
)
def test_both_names_are_the_same(one, other, tmp_path):
    assert one.case == other.case
    assert one.to_toml() == other.to_toml()
    assert tr.load(other.save(tmp_path / "case.toml")).case == one.case


def test_one_of_two_names_is_given():
    with pytest.raises(tr.InputError, match="has place and x, which are the same; give one of them"):
        moving_load(place="7 m", x="8 m")


def test_wrong_values_are_named_as_they_are_written(tmp_path):
    file = tmp_path / "case.toml"
    text = moving_load(place="7 m").to_toml()
    file.write_text(text.replace("place", "x").replace("7.0", '"3 kg"'))
    with pytest.raises(tr.InputError, match=r"case\.toml:\d+: .*kg"):
        tr.load(file)


def test_step_of_rolling_is_its_distance():
    normal = tr.press(tr.Sphere(0.02), tr.Grid(12, 12, 5e-5, 5e-5), tr.Pair(tr.STEEL, tr.STEEL), force=60.0)
    begun = tr.shift(normal, 0.3, displacement=(0.0, 0.0, 0.0))
    one, two = (
        tr.roll(begun, 0.3, creepage=(1e-3, 0.0, 0.0), **given)
        for given in ({"distance": 2e-5}, {"step": 2e-5})
    )
    assert one.force == two.force
    for given, words in (
        ({}, "neither given"),
        ({"distance": 1e-5, "step": 1e-5}, "distance and step given"),
    ):
        with pytest.raises(tr.InputError, match=f"give exactly one of distance and step; {words}"):
            tr.roll(begun, 0.3, **given)
    with pytest.raises(tr.InputError, match=r"step = -1\.0 m must be positive"):
        tr.roll(begun, 0.3, step=-1.0)


def test_editors_know_both_names():
    from traction.kinds.resonance.schema import ResonanceCase

    keys = ResonanceCase.model_json_schema()["properties"]
    assert keys["x"] == keys["place"]
    assert keys["size"] == keys["modes"]
    assert "x-also" not in str(keys)
