"""Options of `traction sweep` about samples and engines."""

import json
import re

import pytest

from traction.cli.options import with_address
from traction.kinds.registry import shipped

SAMPLED = ("--set", "load.force=uniform(10, 20 N)", "--set", "grid.nx=12", "--set", "grid.ny=12")


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ("a.toml --dask", "a.toml --dask=dask"),
        ("--dask a.toml", "--dask=dask a.toml"),
        ("a.toml --dask --out b", "a.toml --dask=dask --out b"),
        ("a.toml --dask tcp://10.0.0.5:8786", "a.toml --dask tcp://10.0.0.5:8786"),
        ("--dask node7:8786 a.toml", "--dask node7:8786 a.toml"),
        ("a.toml --dask tcp://10.0.0.5", "a.toml --dask tcp://10.0.0.5"),  # refused as an address, in words
        ("--dask=node7:8786 a.toml", "--dask=node7:8786 a.toml"),
    ],
)
def test_dask_may_stand_alone(given, read):
    assert with_address(given.split()) == read.split()


@pytest.mark.usefixtures("quick_figures")
def test_samples_are_drawn_kept_and_reported(traction, tmp_path):
    (tmp_path / "ball.toml").write_bytes(shipped()["ball-on-plate"].read_bytes())
    asked = ("sweep", "ball.toml", *SAMPLED, "--samples", "3", "--seed", "5", "--keep", "figures", "--json")
    code, out, err = traction(*asked)
    assert (code, err) == (0, "")
    forces = [one["values"]["load.force"] for one in json.loads(out)["variants"]]
    assert len(set(forces)) == 3
    assert 10.0 <= min(forces) < max(forces) <= 20.0
    page = (tmp_path / "ball-sweep" / "report.html").read_text()
    assert "3 samples (Latin hypercube, seed 5)" in page
    assert "uniform(10, 20 N)" in page
    assert re.findall(r"<h2>(.*?)</h2>", page) == [
        *("Figures", "Samples: 3 samples (Latin hypercube, seed 5)", "Quantiles of the results", "Variants"),
        *("Checks", "Inputs", "Versions", "Reproduce"),
    ]
    assert f"traction sweep {tmp_path / 'ball-sweep' / 'scenario.toml'} --set" in page
    assert "passed by 3 of 3 variants" in page
    assert "--samples 3 --seed 5 --sampling latin-hypercube --keep figures --out" in page
    for arguments, message in {
        (*SAMPLED,): "load.force = uniform(10, 20 N) is a distribution; say how many samples to draw",
        (*SAMPLED[2:], "--samples", "3"): "no key has a distribution",
        (*SAMPLED, "--samples", "3", "--sampling", "sobol"): "sampling = 'sobol' is not known",
        (*SAMPLED, "--samples", "3", "--dask", "a:1", "--workers", "2"): "has its own workers; leave it out",
    }.items():
        code, _, err = traction("sweep", "ball.toml", *arguments, "--out", "other")
        assert code == 2
        assert message in " ".join(err.split())
    assert not (tmp_path / "other").exists()
