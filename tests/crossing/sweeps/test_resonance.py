"""Resonance over speed: published figures, expected speeds, agreement with single crossings."""

import json

import numpy as np
import pytest

import traction as tr
from reference_cases import DATA_FOLDER

HSLM = json.loads((DATA_FOLDER / "dynamics.json").read_text(encoding="utf-8"))["hslm"]
BRIDGE = tr.Beam(15.0, 7.694081e9, 15000.0, supports=("pinned", "pinned"), damping=0.01)


def test_hslm_a1_resonates_where_it_is_known_to():
    known = HSLM["values"]["A1"]
    speeds = np.arange(318.0, 330.0, 0.25) / 3.6
    curve = tr.resonance(BRIDGE, tr.Train.hslm("A1"), speeds, modes=1)
    speed, size = curve.peak("acceleration")
    assert speed * 3.6 == pytest.approx(known["v_res_kmh(max acc, mode1)"], abs=0.01)
    assert size == pytest.approx(known["max_acc_mode1"], rel=1e-4)
    at = int(np.argmin(np.abs(speeds - speed)))
    assert curve.deflection[0, at] == pytest.approx(known["max_disp_mode1_at_that_v"], rel=1e-4)
    (expected,) = curve.expected[0]
    assert expected.speed * 3.6 == pytest.approx(known["f1*D*3.6 [km/h]"], rel=1e-5)
    assert (expected.mode, expected.period, expected.spacing) == (1, 1, 18.0)


def test_sweep_equals_single_crossings():
    train = tr.Train.hslm("A3")
    speeds = np.array([55.0, 80.0])
    curve = tr.resonance(BRIDGE, [train], speeds, modes=3, x=6.0)
    for k, speed in enumerate(speeds):
        run = tr.moving_load(
            BRIDGE, train, speed, size=3, residual=False, dt=5e-4, t_end=(train.length + 15) / speed + 0.3
        )
        assert curve.deflection[0, k] == pytest.approx(run.largest("deflection", 6.0).value, rel=1e-4)
        assert curve.acceleration[0, k] == pytest.approx(
            abs(run.largest("acceleration", 6.0).value), rel=2e-3
        )


def test_threads_do_not_matter():
    speeds = np.linspace(60.0, 100.0, 6)
    trains = {"one": tr.Train.hslm("A1"), "two": [(1e5, 0.0), (1e5, 18.0)]}
    one, two = (tr.resonance(BRIDGE, trains, speeds, threads=n) for n in (1, 2))
    np.testing.assert_array_equal(one.acceleration, two.acceleration)
    assert one.names == ("one", "two")
    assert one.deflection.shape == (2, 6)


def test_slow_trains_cause_no_amplification():
    curve = tr.resonance(BRIDGE, tr.Train([(1e5, 0.0), (1e5, 4.0)]), [2.0], modes=3)
    assert curve.amplification[0, 0] == pytest.approx(1.0, abs=0.02)


def test_expected_speeds_lie_within_the_sweep():
    curve = tr.resonance(BRIDGE, tr.Train.hslm("A1"), [30.0, 95.0], modes=2)
    found = [(one.mode, one.period) for one in curve.expected[0]]
    assert (1, 1) in found
    assert (1, 3) in found
    assert (1, 4) not in found  # 22.5 m/s
    assert all(30.0 <= one.speed <= 95.0 for one in curve.expected[0])
    assert [one.speed for one in curve.expected[0]] == sorted(one.speed for one in curve.expected[0])


@pytest.mark.parametrize(
    ("trains", "speeds", "options", "words"),
    [
        (tr.Train.hslm("A1"), [0.0], {}, "speeds must be positive"),
        (tr.Train.hslm("A1"), [], {}, "at least one"),
        ([], [30.0], {}, "trains is empty"),
        (3.0, [30.0], {}, "must be a tr.Train"),
        (tr.Train.hslm("A1"), [30.0], {"modes": 2, "size": 2}, "give one of them"),
        (tr.Train.hslm("A1"), [30.0], {"x": []}, "give one position or a list"),
        (tr.Train.hslm("A1"), [30.0], {"gravity": 9.81}, "has no effect on forces"),
        ([tr.Train.hslm("A1"), (1e5, 0.0)], [30.0], {}, r"trains\[1\]"),
        ([(1e5, 0.0)], [30.0], {"model": "springs"}, "model"),
        (tr.Train.hslm("A1"), [30.0], {"x": 16.0}, "lies outside the beam"),
        (tr.Train.hslm("A1"), [30.0], {"modes": 0}, "modes = 0"),
        (tr.Train.hslm("A1"), [30.0], {"t_end": 3.0}, "t_end is set by resonance"),
    ],
)
def test_bad_input(trains, speeds, options, words):
    with pytest.raises(tr.InputError, match=words):
        tr.resonance(BRIDGE, trains, speeds, **options)


def test_a_free_beam_has_no_resonance():
    with pytest.raises(tr.InputError, match="rigid-body motion"):
        tr.resonance(tr.Beam(5.0, 1e6, 10.0, supports=("free", "free")), tr.Train.hslm("A1"), [30.0])


def test_sweeps_that_would_not_end_are_refused():
    with pytest.raises(tr.InputError, match=r"speed = 1e-06 m/s makes .* steps"):
        tr.resonance(BRIDGE, tr.Train.hslm("A1"), [1e-6])
    short = tr.Beam(1e-4, 1.0, 1.0)
    with pytest.raises(tr.InputError, match="times the beam's"):
        tr.resonance(short, tr.Train.hslm("A1"), [50.0])


def test_several_places_are_those_of_single_ones():
    train, speeds = tr.Train.hslm("A1"), [30.0, 60.0]
    both = tr.resonance(BRIDGE, train, speeds, x=[4.0, 7.5])
    assert both.deflection.shape == both.acceleration.shape == both.amplification.shape == (1, 2, 2)
    for k, x in enumerate((4.0, 7.5)):
        one = tr.resonance(BRIDGE, train, speeds, x=x)
        np.testing.assert_array_equal(both.deflection[:, :, k], one.deflection)
        np.testing.assert_array_equal(both.acceleration[:, :, k], one.acceleration)
        np.testing.assert_array_equal(both.static[:, k], one.static)
    peak = both.peak("deflection")
    assert peak == (peak.speed, peak.value)
    assert peak.value == both.deflection.max()
    assert peak.x == (4.0, 7.5)[int(both.deflection[0].max(axis=0).argmax())]
    assert f"at x {peak.x:.3f} m" in repr(both)
    found = both.to_xarray()
    assert found.deflection.dims == ("train", "speed", "x")
    np.testing.assert_array_equal(found.deflection, both.deflection)
    assert "at 2 positions" in repr(both)
    assert "at x = 4 m" in repr(tr.resonance(BRIDGE, train, speeds, x=4.0))


def test_summary_names_the_train_with_the_largest_response():
    light, heavy = [(1e5, 0.0)], [(3e5, 0.0)]
    curve = tr.resonance(BRIDGE, {"light": light, "heavy": heavy}, [40.0, 50.0])
    assert curve.peak("deflection", 1).train == "heavy"
    assert curve.to_xarray()["peak_deflection"] == curve.deflection.max()
    assert "largest deflection (heavy)" in repr(curve)


def test_a_peak_at_the_edge_of_the_speeds_is_marked():
    """Below its resonance a curve rises to its last speed: that is no maximum."""
    full = tr.resonance(BRIDGE, tr.Train.hslm("A1"), np.linspace(40.0, 140.0, 51), modes=1)
    peak = full.peak("deflection")
    assert not peak.at_edge
    assert "edge" not in repr(full)
    part = tr.resonance(BRIDGE, tr.Train.hslm("A1"), np.linspace(40.0, peak.speed, 5), modes=1)
    assert part.peak("deflection").at_edge
    assert "at the edge of the sweep" in repr(part)


def test_pairs_of_loads_are_a_train():
    pairs = [(1e5, 0.0), (1e5, 6.0)]
    one, two = (tr.resonance(BRIDGE, given, [40.0]) for given in (pairs, {"mine": pairs}))
    train = tr.resonance(BRIDGE, tr.Train(pairs), [40.0])
    assert one.deflection == two.deflection == train.deflection
    assert two.names == ("mine",)


@pytest.mark.parametrize(
    "given",
    [
        {"loads": [(tr.HarmonicAxle(1e5, 2e4, 4.0), 0.0)]},
        {"loads": [(tr.Wheel(0.5, 4e3), 0.0), (1e5, 3.0)], "gravity": 9.0},
        {"loads": [(1e5, 0.0), (1e5, 3.0)], "residual": True, "size": 4},
        {"loads": [(1e5, 0.0)], "model": "elements", "size": 6, "method": "newmark"},
    ],
    ids=["harmonic", "wheels", "residual", "elements"],
)
def test_whatever_moving_load_takes(given):
    """The sweep has the peaks of single runs of `tr.moving_load`."""
    options = dict(given)
    loads, places = options.pop("loads"), [5.0, 7.5]
    curve = tr.resonance(BRIDGE, loads, [35.0, 50.0], x=places, dt=2e-3, threads=1, **options)
    single = {"size": 3, **options}
    if single.get("model", "modes") == "modes":
        single.setdefault("residual", False)
    end = (BRIDGE.length + loads[-1][1]) / 50.0 + 1.5 * 2.0 * np.pi / BRIDGE.frequencies(1)[0]
    run = tr.moving_load(BRIDGE, loads, 50.0, dt=2e-3, t_end=end, **single)
    for k, x in enumerate(places):
        assert curve.deflection[0, 1, k] == abs(run.largest("deflection", x).value)
        assert curve.acceleration[0, 1, k] == abs(run.largest("acceleration", x).value)


def test_automatic_steps_are_those_of_moving_load():
    loads = [(1e5, 0.0)]
    usual, auto = (tr.resonance(BRIDGE, loads, [35.0], threads=1, dt=dt) for dt in (None, "auto"))
    assert auto.acceleration[0, 0] == pytest.approx(usual.acceleration[0, 0], rel=1e-3)


def test_deflection_at_rest_is_approached_by_slow_wheels():
    curve = tr.resonance(BRIDGE, [(tr.Wheel(0.5, 1e4), 0.0)], [1.0], size=6, residual=True, dt=0.02)
    assert curve.amplification[0, 0] == pytest.approx(1.0, abs=0.02)


def test_peaks_lie_between_the_steps_also_where_axles_enter():
    beam = tr.Beam(20.0, 2e10, 1e4, supports=("pinned", "pinned"), damping=0.01)
    speeds, train = np.linspace(40.0, 100.0, 9), tr.Train.hslm("A1")
    fine = 2.0 * np.pi / beam.frequencies(1)[0] / 400
    found, exact = (tr.resonance(beam, train, speeds, modes=1, dt=dt) for dt in (None, fine))
    np.testing.assert_allclose(found.deflection, exact.deflection, rtol=1e-4)
    np.testing.assert_allclose(found.acceleration, exact.acceleration, rtol=1e-4)


def test_steps_that_are_too_long_are_named():
    """Peaks at 0.5 s were twice those of short steps, without a word."""
    beam = tr.Beam(24.0, 3e9, 9000.0, supports=("pinned", "pinned"), damping=0.01)
    train, speeds = [(1e5, 0.0), (1e5, 18.0), (1e5, 36.0)], np.linspace(20.0, 90.0, 3)
    for dt in (0.5, 0.1):  # less than 3 steps on the span at 90 m/s
        with pytest.raises(tr.InputError, match="crosses a span in"):
            tr.resonance(beam, train, speeds, dt=dt)
    with pytest.raises(tr.InputError, match="worthless"):  # slow, but the first mode is not seen
        tr.resonance(beam, train, [1.0], dt=0.5, modes=1)
    with pytest.warns(tr.StepWarning, match="samples per period"):
        tr.resonance(beam, train, speeds, dt=0.02)
    tr.resonance(beam, train, speeds, dt=5e-3)


def test_certificates_have_the_names_of_the_design():
    bridge = tr.Bridge(BRIDGE, tr.STEEL)
    found = tr.cross(bridge, [(tr.Wheel(0.46, 900.0), 0.0)], 40.0, contact="hertz", size=2).certificate
    assert found.ok is found.holds is True
    assert found.closure == found.energy_error < 1e-6
