"""Files of profiles: what is written is read, options of the formats are applied, rubbish is refused."""

import numpy as np
import pytest

import traction as tr
from curve_points import benchmark_points

STANDARD = {"wheel": "S1002", "rail": "60E2"}
KINDS = {"a.prr": "rail", "a.prw": "wheel", "a.ban": "rail", "a.whl": "wheel", "a.txt": "rail"}
WORDS = (b"nan", b"1e999", b"-", b"=", b"\0", b"\n\n", b"1d5", b"inf", b"9" * 50)
KEYS = (b"point.begin\n", b"mirror.y = 1\n", b"ColumnDef=Y,X\n", b"rotate = 3\n")


def both(profile):
    return np.stack([profile.y, profile.z], axis=-1)


def simpack(rows, kind, **options):
    lines = [f"{name.replace('_', '.')} = {value}" for name, value in options.items()]
    points = "\n".join(f"{y:.9f} {z:.9f}" for y, z in rows)
    kind_line = f"type = {int(kind == 'wheel')} ! remark"
    head = ["header.begin", "version = 1", kind_line, "header.end", "spline.begin"]
    return "\n".join([*head, *lines, "point.begin", "! y z", points, "point.end", "spline.end"])


@pytest.mark.parametrize("name", ["a.prr", "a.PRW", "a.ban", "a.whl", "rail.txt", "wheel.csv", "wheel"])
def test_a_written_profile_is_read_again(name, tmp_path):
    kind = "wheel" if name.lower().endswith(("prw", "whl")) or "wheel" in name else "rail"
    profile = tr.Profile.standard(STANDARD[kind])
    profile.write(tmp_path / name)
    again = tr.Profile.read(tmp_path / name)
    assert again.kind == kind
    assert both(again) == pytest.approx(both(profile), abs=1e-11)


def test_options_of_a_simpack_file_are_applied_in_order(tmp_path):
    _, rail = benchmark_points()
    asked = -rail  # y to the right, z downwards, m
    raw = asked * [1.0, -1.0]  # the file mirrors z, after it has shifted and turned
    angle = 0.01
    c, s = np.cos(angle), np.sin(angle)
    raw = raw @ np.array([[c, s], [-s, c]]).T  # turned back
    raw = 1e3 * raw - [3.0, -2.0]
    options = {
        "units_len_f": 1000.0, "units_ang_f": 180.0 / np.pi, "rotate": np.degrees(angle),
        "shift_y": 3.0, "shift_z": -2.0, "mirror_z": 1, "mirror_y": 0, "inversion": 0,
    }  # fmt: skip
    path = tmp_path / "rail.prr"
    path.write_text(simpack(raw, "rail", **options))
    found = tr.Profile.read(path)
    plain = tr.Profile(rail[:, 0], rail[:, 1], "rail")
    assert both(found) == pytest.approx(both(plain), abs=1e-9)
    assert any("rotate" in note for note in found.notes)


def test_bounds_of_a_simpack_file_cut_the_profile(tmp_path):
    _, rail = benchmark_points()
    path = tmp_path / "rail.prr"
    path.write_text(simpack(-1e3 * rail, "rail", units_len_f=1e3, bound_y_min=-30.0, bound_y_max=20.0))
    found = tr.Profile.read(path)
    assert (found.y.min(), found.y.max()) == pytest.approx((-20e-3, 30e-3), abs=0.6e-3)


@pytest.mark.parametrize("signs", [(1, 1), (-1, 1), (1, -1), (-1, -1)])
def test_wheels_are_turned_by_their_flange(signs, tmp_path):
    wheel, _ = benchmark_points()
    path = tmp_path / "wheel.prw"
    path.write_text(simpack(1e3 * wheel * signs, "wheel", units_len_f=1000))
    assert both(tr.Profile.read(path)) == pytest.approx(both(tr.Profile(*wheel.T, "wheel")), abs=1e-9)


def test_mirrored_and_scaled_rails(tmp_path):
    path = tmp_path / "rail.txt"
    np.savetxt(path, 1e3 * both(tr.Profile.standard("60E1").rotated(0.02)))
    plain, mirrored = tr.Profile.read(path, "rail"), tr.Profile.read(path, "rail", mirror=True, scale=0.5)
    assert mirrored.y == pytest.approx(-0.5 * plain.y[::-1], abs=1e-12)


def test_columns_and_offsets_of_a_miniprof_file(tmp_path):
    _, rail = benchmark_points()
    rows = "\n".join(f"0.1 {1e3 * z - 1.5:.6f} {-1e3 * y + 2.0:.6f} 9" for y, z in rail)
    path = tmp_path / "rail.ban"
    path.write_text(
        f"Date=today\nColumnDef=A,Y,X,N\nXOffset=-2\nYOffset=1.5\nXYPoints={len(rail)}\n\n{rows}\n"
    )
    found = tr.Profile.read(path)
    assert both(found) == pytest.approx(both(tr.Profile(*rail.T, "rail")), abs=2e-9)
    assert any("pointed downwards" in note for note in found.notes)
    path.write_text(path.read_text().replace("XYPoints=", "XYPoints=9"))
    with pytest.raises(tr.InputError, match="announced"):
        tr.Profile.read(path)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.prr", "header.begin\n", "not ended"),
        ("a.prr", "header.end\n", "has not begun"),
        ("a.prr", "header.begin\ntype = 7\nheader.end", "0 \\(rail\\) or 1"),
        (
            "a.prr",
            "spline.begin\nunits.len.f = 0\npoint.begin\n0 0\n1 1\npoint.end\nspline.end",
            "must be positive",
        ),
        ("a.prr", "spline.begin\nshift.y = nan\n", "one number"),
        ("a.prr", "spline.begin\npoint.begin\n1 2 3 4\n", "two numbers"),
        ("a.whl", "ColumnDef=X,A\n\n1 2\n", "must name X and Y"),
        ("a.whl", "ColumnDef=X,Y\n\n1\n", "at least 2 numbers"),
        ("a.txt", "1 2\n3\n", "two numbers"),
        ("a.txt", "", "does not say|no points"),
        ("a.txt", "1 2\n" * 10, "does not say"),
    ],
)
def test_rubbish_is_refused_with_words(name, content, words, tmp_path):
    (tmp_path / name).write_text(content)
    with pytest.raises(tr.InputError, match=words):
        tr.Profile.read(tmp_path / name)


def test_files_that_are_none(tmp_path):
    for path in (tmp_path, tmp_path / "absent.prr"):
        with pytest.raises(tr.InputError, match="cannot be read"):
            tr.Profile.read(path)
    tr.Profile.standard("60E1").write(tmp_path / "rail.prr")
    with pytest.raises(tr.InputError, match="not of a wheel"):
        tr.Profile.read(tmp_path / "rail.prr", "wheel")
    with pytest.raises(tr.InputError, match=r"\.whl is for a wheel"):
        tr.Profile.standard("60E1").write(tmp_path / "rail.whl")
    with (tmp_path / "long.txt").open("wb") as file:
        file.truncate(20_000_000)
    with pytest.raises(tr.InputError, match="at most"):
        tr.Profile.read(tmp_path / "long.txt", "rail")


def mutated(data, rng):
    """The bytes with a few of the mistakes that files have: cut, doubled, changed, swapped."""
    data = bytearray(data)
    for _ in range(rng.integers(1, 4)):
        at = int(rng.integers(0, len(data) + 1))
        to = min(len(data), at + int(rng.integers(1, 30)))
        some = bytes(data[at:to])
        digits = bytes(rng.choice(list(b"0123456789.- "), to - at).tolist())
        rows = some[: some.find(b"\n") + 1]
        changes = [
            b"",
            some + some,
            rng.bytes(to - at),
            rng.choice(WORDS),
            some[::-1],
            rng.choice(KEYS),
            digits,
            rows,
        ]
        data[at:to] = changes[rng.integers(0, len(changes))]
        if rng.random() < 0.05:
            del data[at:]
    return bytes(data)


def rearranged(data, rng):
    """The file with some of its points moved, swapped, doubled, left out or spoilt by noise."""
    lines = data.decode().splitlines()
    rows = [i for i, line in enumerate(lines) if len(line.split()) == 2 and line.split()[0][-1].isdigit()]
    points = np.array([[float(word) for word in lines[i].split()] for i in rows])
    for _ in range(rng.integers(1, 4)):
        i, j = rng.integers(0, len(points), 2)
        choice = rng.integers(0, 6)
        if choice == 0:
            points[[i, j]] = points[[j, i]]
        elif choice == 1:
            points[i] += 10.0 ** rng.uniform(-9.0, 0.0) * rng.normal(size=2)
        elif choice == 2:
            points += np.ptp(points) * 10.0 ** rng.uniform(-8.0, -1.0) * rng.normal(size=points.shape)
        elif choice == 3:
            points[min(i, j) : max(i, j)] = points[i]
        elif choice == 4:
            points[min(i, j) : max(i, j)] = points[min(i, j) : max(i, j)][::-1]
        else:
            points[i] *= 10.0 ** rng.uniform(-3.0, 3.0)
    for i, (y, z) in zip(rows, points.tolist(), strict=True):
        lines[i] = f"{y!r} {z!r}"
    return "\n".join(lines).encode()


@pytest.mark.parametrize("number", [400, pytest.param(100_000, marks=pytest.mark.slow)], ids=["few", "many"])
def test_damaged_files_are_read_or_refused(number, tmp_path):
    rng = np.random.default_rng(18)
    seeds = []
    for name, kind in KINDS.items():
        whole = tr.Profile.standard(STANDARD[kind])
        thinned = tr.Profile(whole.y[::6], whole.z[::6], kind, smoothing=0)
        thinned.write(tmp_path / name)
        seeds.append((tmp_path / name, (tmp_path / name).read_bytes()))
    outcomes = {"read": 0, "refused": 0}
    for i in range(number):
        path, content = seeds[i % len(seeds)]
        path.write_bytes((mutated if rng.random() < 0.5 else rearranged)(content, rng))
        try:
            profile = tr.Profile.read(path, None if rng.random() < 0.5 else KINDS[path.name])
        except tr.TractionError:
            outcomes["refused"] += 1
        else:
            outcomes["read"] += 1
            assert np.isfinite(profile.curve.coefficients).all()
            assert (np.diff(profile.curve.knots) > 0.0).all()
    assert min(outcomes.values()) > 0.05 * number
