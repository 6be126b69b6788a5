"""The command line as people use it."""

import sys

import pytest

from traction import cli


@pytest.fixture
def traction(monkeypatch, capsys, tmp_path):
    """Run the command line in an empty folder: exit code, standard output, standard error."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)
    # by it help calls the program "python -m pytest" where the tests are started so
    monkeypatch.setattr(sys.modules["__main__"], "__package__", "")

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["traction", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        said = capsys.readouterr()
        assert "Traceback" not in said.out + said.err
        return ended.value.code or 0, said.out, said.err

    return run


@pytest.fixture
def without_figures(monkeypatch):
    """No reports: most of the time of a small run."""
    monkeypatch.setitem(sys.modules, "matplotlib", None)
