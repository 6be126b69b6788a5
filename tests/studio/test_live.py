"""What is dragged is what the public functions compute."""

import json
from base64 import b64decode

import numpy as np
import pytest

import traction as tr
from traction.studio.live.drags import LISTED, available_drags, describe_drag, solve_drag
from traction.studio.live.rolling_patch import STEEL, PressedEllipse, press_ellipse
from traction.studio.live.wheelset_position import place_bodies
from traction.studio.messages import RefusedError, to_json


def solve(name, **given):
    return json.loads(to_json(solve_drag(name, given)))


@pytest.mark.parametrize("name", [name for name, *_ in LISTED])
def test_handles_have_limits_around_their_defaults(name):
    if name not in available_drags():
        pytest.skip(f"this version does not have what {name} needs")
    facts = describe_drag(name)
    handles = facts["parameters"] + [one for law in facts.get("laws", []) for one in law["parameters"]]
    for handle in handles:
        if "options" in handle:
            assert handle["default"] in handle["options"]
        else:
            assert handle["minimum"] <= handle["default"] <= handle["maximum"]
    assert solve(name)["seconds"] > 0.0


@pytest.mark.parametrize("semi_axes", [(6e-3, 4.5e-3), (4e-3, 8e-3), (5e-3, 5e-3), (10e-3, 1e-3)])
def test_bodies_are_found_whose_contact_is_the_ellipse(semi_axes):
    ellipse = PressedEllipse(80e3, semi_axes, 0.3)
    found = tr.hertz.ellipse(*ellipse.radii, STEEL, force=80e3)
    assert found.semi_axes == pytest.approx(semi_axes, rel=1e-6)


def test_a_rolling_patch_is_that_of_roll_steady():
    found = solve(
        "rolling", creepage=[1e-3, -5e-4], spin=0.4, load=60e3, semi_axes=[5e-3, 4e-3], friction=0.35
    )
    normal = press_ellipse(PressedEllipse(60e3, (5e-3, 4e-3), 0.35), 40)
    known = tr.roll_steady(normal, 0.35, creepage=(1e-3, -5e-4, 0.4))
    assert found["force"] == pytest.approx(known.force)
    assert found["moment"] == pytest.approx(known.moment)
    layers = {one["name"]: np.array(one["values"], dtype=float) for one in found["layers"]}
    assert np.abs(layers["traction_x"] - known.traction[0]).max() < 1e-3 * np.abs(known.traction).max()
    contact = np.asarray(known.normal.contact)
    assert np.array_equal(layers["state"] > 0, contact)
    assert found["stick_share"] == pytest.approx((layers["state"] == 1).sum() / contact.sum())
    assert found["utilisation"] <= 1.0 + 1e-6
    assert "layers" not in solve("rolling", maps=False)


def test_packed_arrays_are_the_same_numbers():
    plain, packed = (solve("rolling", elements=12, packed=one) for one in (False, True))
    for one, other in zip(plain["layers"], packed["layers"], strict=True):
        data = np.frombuffer(b64decode(other["values"]["float32"]), "<f4").reshape(other["values"]["shape"])
        assert np.abs(data - np.array(one["values"])).max() <= 1e-3 * (np.abs(data).max() or 1.0)
    assert packed["force"] == plain["force"]
    with pytest.raises(RefusedError):
        solve("rolling", packed=1)


def test_limits_of_validity_are_told():
    assert solve("rolling", elements=40)["notes"] == []
    assert "elements across" in solve("rolling", elements=8)["notes"][0]


def test_a_creep_curve_is_odd_and_bounded():
    found = solve("creep-curve", load=80e3, friction=0.3)
    force = np.array(found["series"][0]["values"])
    assert force == pytest.approx(-force[::-1], abs=1e-3 * found["bound"])
    assert np.all(np.diff(force) <= 1e-6 * found["bound"])
    assert 0.95 * found["bound"] < np.abs(force).max() <= found["bound"] * (1 + 1e-6)


def test_a_train_stands_on_its_curve():
    found = solve("train", speed=80.0)
    curve = found["curve"]
    speeds, peaks = np.array(curve["x"]["values"]), np.array(curve["series"][0]["values"])
    near = np.argsort(np.abs(speeds - 80.0))[:2]
    assert min(peaks[near]) * 0.8 <= found["point"]["deflection"] <= max(peaks[near]) * 1.2
    history = np.array(found["history"]["series"][0]["values"])
    assert np.abs(history).max() == pytest.approx(found["point"]["deflection"], rel=1e-2)
    assert found["expected"][0]["mode"] == 1


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("rolling", {"creepage": [1.0, 0.0]}),
        ("rolling", {"creepage": [0.0]}),
        ("rolling", {"creepage": "x"}),
        ("rolling", {"load": float("nan")}),
        ("rolling", {"load": True}),
        ("rolling", {"semi_axes": [1e-3, 19e-3]}),
        ("rolling", {"elements": 10_000}),
        ("rolling", {"maps": 3}),
        ("train", {"train": "HSLM-A99"}),
        ("train", {"damping": -1.0}),
        ("creep-curve", {"spin": [1]}),
    ],
)
def test_what_is_beyond_the_limits_is_refused(name, given):
    with pytest.raises(RefusedError) as refused:
        solve(name, **given)
    assert refused.value.status == 400
    assert "must" in refused.value.sentence


def test_a_drag_that_is_not_there_is_refused():
    with pytest.raises(RefusedError) as refused:
        solve("nothing")
    assert refused.value.status == 404


def test_a_dragged_wheelset_is_that_of_wheel_rail():
    if "wheelset" not in available_drags():
        pytest.skip("this version has no tr.wheel_rail")
    found = solve("wheelset", y=0.8e-3, yaw=1e-3, step=1e-3, load=100e3)
    wheelset, track = place_bodies("S1002", "60E1")
    known = tr.wheel_rail(wheelset, track, y=0.8e-3, yaw=1e-3, force=100e3, dx=1e-3, dy=1e-3)
    assert found["ok"]
    assert found["roll"] == pytest.approx(known.roll)
    for side in ("left", "right"):
        patches = [one for one in known.patches if one.side == side]
        for one, other in zip(found["sides"][side]["patches"], patches, strict=True):
            assert one["place"] == pytest.approx(other.place)
            assert one["force"] == pytest.approx(other.force)
            assert one["peak_pressure"] == pytest.approx(other.peak_pressure)
        y, z = found["sides"][side]["patches"][0]["origin"]
        for body in ("wheel", "rail"):  # both outlines pass where they touch
            assert np.interp(y, *sort_by_place(found["profiles"][side][body])) == pytest.approx(z, abs=0.3e-3)
    left, right = (found["sides"][side]["rolling_radius"] for side in ("left", "right"))
    assert left > right  # shifted to the left


def sort_by_place(outline):
    """Places and heights of the running surface, for interpolation."""
    y, z = (np.array(outline[name]) for name in "yz")
    top = z > np.median(z) - 0.01
    order = np.argsort(y[top])
    return y[top][order], z[top][order]
