"""Scenarios of a wheelset on a track: positions, profiles from files, errors, and what is stored."""

import numpy as np
import pytest

import traction as tr

WHEELS = {"radius": "460 mm", "profile": {"standard": "S1002"}}
TRACK = {"cant": 0.025, "rail": {"standard": "60E1"}}
COARSE = {"dx": "1 mm", "dy": "0.5 mm"}


def scenario(**keys):
    given = {"wheelset": WHEELS, "track": TRACK, "load": {"force": "100 kN"}, "elements": COARSE}
    return tr.Scenario.build("wheel-rail", **(given | keys))


def positions(**table):
    return scenario(position=table).case.positions


def test_one_position_lists_and_sweeps():
    assert [tuple(one) for one in positions()] == [(0.0, 0.0, None)]
    assert [one.y for one in positions(y=["1 mm", "2 mm"], yaw="1 mrad")] == [1e-3, 2e-3]
    sweep = positions(y="0 mm", y_end="4 mm", yaw_end="8 mrad", count=5)
    assert [one.y for one in sweep] == pytest.approx([0.0, 1e-3, 2e-3, 3e-3, 4e-3])
    assert [one.yaw for one in sweep] == pytest.approx([0.0, 2e-3, 4e-3, 6e-3, 8e-3])


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"position": {"y": [0.0, 1e-3], "yaw": [0.0, 1e-3, 2e-3]}}, "equally many"),
        ({"position": {"count": 3}}, "count and an end"),
        ({"position": {"y": [0.0], "y_end": 1e-3, "count": 3}}, "not at lists"),
        ({"position": {"yaw": "1 rad"}}, "0.5 rad"),
        ({"load": {}}, "exactly one of force and z"),
        ({"position": {"distance": "1 mm"}}, "two or more positions"),
        ({"position": {"y": [0.0, 1e-4], "distance": "1 m"}}, "elements between positions, at most"),
        ({"track": {"rail": {"standard": "S1002"}}}, "of a wheel where a rail is needed"),
        ({"track": {"rail": {"taper": 0.05}}}, "only wheels"),
        (
            {"wheelset": {"radius": "0.46 m", "profile": {"standard": "S1002", "taper": 0.1}}},
            "exactly one of",
        ),
        ({"wheelset": {"radius": "0.46 m", "profile": {"y": [0.0, 0.01, 0.02, 0.03]}}}, "y and z together"),
    ],
)
def test_wrong_keys_are_refused(keys, words):
    with pytest.raises(tr.InputError, match=words):
        scenario(**keys)


def test_a_run_stores_what_the_function_returns(tmp_path):
    case = scenario(side="left", position={"y": "3 mm", "y_end": "4 mm", "count": 2}, speed="20 m/s")
    run = tr.simulate(case, tmp_path / "run")
    assert run.ok, run.message
    wheelset = tr.Wheelset(tr.Profile.standard("S1002"), radius=0.46)
    track = tr.Track(tr.Profile.standard("60E1"), cant=0.025)
    found = tr.wheel_rail(wheelset, track, side="left", y=4e-3, force=100e3, speed=20.0, dx=1e-3, dy=0.5e-3)
    assert float(run.data["force_y"][-1]) == pytest.approx(found.force[1], rel=1e-9)
    patches = int(run.data["patches"][-1])
    assert patches == len(found.patches)
    assert np.isnan(run.data["angle"][-1][patches:]).all()
    assert run.data["angle"][-1][:patches] == pytest.approx([patch.angle for patch in found.patches])


def test_profiles_are_read_from_files_beside_the_scenario(tmp_path):
    tr.Profile.standard("S1002").write(tmp_path / "worn.prw")
    tr.Profile.standard("60E1").write(tmp_path / "rail.txt")
    text = scenario(position={"y": "2 mm"}).to_toml()
    text = text.replace('standard = "S1002"', 'file = "worn.prw"').replace(
        'standard = "60E1"', 'file = "rail.txt"'
    )
    (tmp_path / "case.toml").write_text(text)
    case = tr.load(tmp_path / "case.toml").case
    wheelset, track = case.models
    assert wheelset.profile.y == pytest.approx(tr.Profile.standard("S1002").y)
    assert track.rail.kind == "rail"
    again = tr.load(tr.Scenario("wheel-rail", case).save(tmp_path / "again.toml"))
    assert again.case == case
    for name, words in (("../worn.prw", "must lie in the folder"), ("absent.prw", "cannot be read")):
        (tmp_path / "case.toml").write_text(text.replace("worn.prw", name))
        with pytest.raises(tr.InputError, match=words):
            tr.load(tmp_path / "case.toml")


HEATED = {
    "youngs_modulus": "210 GPa", "poisson_ratio": 0.28, "density": 7850, "specific_heat": 450,
    "conductivity": 50,
}  # fmt: skip


def wandering(**keys):
    place = {"y": ["3 mm", "3.005 mm", "3.012 mm", "3.015 mm"], "distance": "2 mm"}
    return scenario(side="left", position=place, speed="20 m/s", **keys)


@pytest.mark.parametrize(
    "keys",
    [
        {},
        {
            "friction": {"law": "linear", "kinetic": 0.2, "drop": 0.1, "half_speed": "1 m/s"},
            "layer": {"shear_modulus": "4 GPa", "thickness": "10 um"},
        },
        {"friction": {"law": "exponential", "kinetic": 0.15, "drop": 0.15, "half_speed": "0.05 m/s"}},
        pytest.param(
            {
                "friction": {"temperatures": [0.0, 400.0], "coefficients": [0.4, 0.1]},
                "upper": HEATED,
                "lower": HEATED,
            },
            marks=pytest.mark.slow,
        ),
        pytest.param(
            {"friction": {"inclinations": [0.0, 0.3], "coefficients": [0.4, 0.1]}}, marks=pytest.mark.slow
        ),
    ],
    ids=["constant", "law and layer", "lagging", "heated", "inclined"],
)
def test_transient_rolling_stops_and_resumes_bit_for_bit(tmp_path, keys):
    case = wandering(**keys)
    whole = tr.simulate(case, tmp_path / "whole")
    assert whole.ok, whole.message
    calls = iter([False, False, True, True, True])
    stopped = tr.simulate(case, tmp_path / "stopped", stop=lambda: next(calls, True))
    assert not stopped.ok
    resumed = tr.resume(tmp_path / "stopped")
    assert resumed.ok, resumed.message
    for name in ("force_x", "force_y", "z", "distance", "steady_force_y", "longitudinal"):
        assert np.array_equal(whole.data[name], resumed.data[name], equal_nan=True)


def test_a_transient_run_is_the_march_of_the_function(tmp_path):
    run = tr.simulate(wandering(), tmp_path / "run")
    wheelset, track = wandering().case.models
    given = {"side": "left", "force": 100e3, "speed": 20.0, "dx": 1e-3, "dy": 0.5e-3}
    velocity = (0.005e-3 * 20.0 / 2e-3, 0.0)
    c = tr.wheel_rail(wheelset, track, y=3e-3, velocity=velocity, discretisation="covered", **given)
    for y in (3.005e-3, 3.012e-3, 3.015e-3):
        c = tr.wheel_rail(wheelset, track, y=y, previous=c, distance=2e-3, **given)
    found = [float(run.data[f"force_{name}"][-1]) for name in "xyz"]
    assert found == pytest.approx(c.force, rel=1e-9)
    assert float(run.data["distance"][-1]) == pytest.approx(6e-3)
    # the lateral motion slows down, and tractions lag behind
    assert abs(found[1]) > abs(float(run.data["steady_force_y"][-1]))
